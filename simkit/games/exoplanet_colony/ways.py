"""Exoplanet Colony: what may be done to a module, event or character to see what it does."""

from typing import Any

from simkit.engine.game import Piece, Way
from simkit.games.exoplanet_colony.facts import (
    CHARACTER_NAMES,
    COLOUR,
    EVENT_NAMES,
    FIRST_CRITICAL,
    MODULES,
    Character,
    Op,
)
from simkit.games.exoplanet_colony.named import named_cards
from simkit.games.exoplanet_colony.options import Cast, Characters


def modules(rules: Any) -> list[Piece]:
    return named_cards(rules)[:MODULES]


def modules_and_events(rules: Any) -> list[Piece]:
    """The modules, then the events, those that have an effect (EX-1.6, EX-1.12)."""
    sorts = ["normal event"] * FIRST_CRITICAL + ["critical event"] * (len(EVENT_NAMES) - FIRST_CRITICAL)
    events = [Piece(name, (("sort", sort),)) for name, sort in zip(EVENT_NAMES, sorts, strict=True)]
    acts = [*rules.effect.any(axis=1), *rules.op_kind[: len(events)].any(axis=1)]
    return [piece if does else Piece("") for piece, does in zip(modules(rules) + events, acts, strict=True)]


def drawn_characters(rules: Any) -> list[Piece]:
    """The characters that seats draw (EX-2.6); none where all seats are named theirs."""
    drawn = rules.characters == Characters.random and (rules.cast == Cast.any).any()
    named = {int(one) for one in rules.cast}
    kinds = (("sort", "character"),)
    return [Piece(name if drawn and one not in named else "", kinds) if one != Character.none else Piece("")
            for one, name in enumerate(CHARACTER_NAMES)]  # fmt: skip


def strike_effect(rules: Any, chosen: list[int]) -> None:
    """These modules add nothing to the productions, these events do nothing (EX-1.7, EX-6.4)."""
    rules.effect[[one for one in chosen if one < MODULES]] = 0
    rules.op_kind[[one - MODULES for one in chosen if one >= MODULES]] = Op.none


def raise_price(rules: Any, chosen: list[int]) -> None:
    """These modules cost one more card of their colour (EX-4.4)."""
    for card in chosen:
        rules.cost[card, COLOUR[card]] += 1


def bar(rules: Any, chosen: list[int]) -> None:
    """No seat draws these characters (EX-2.6)."""
    rules.characters_out = sum(1 << one for one in chosen)


WAYS = [
    Way("blank", "without its effect", modules_and_events, strike_effect, rate=0.15),
    Way("dearer", "a card of its colour dearer", modules, raise_price),
    Way("out", "drawn by no seat", drawn_characters, bar),
]
