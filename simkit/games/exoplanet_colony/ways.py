"""Exoplanet Colony: ways to change a module, event or character to measure its effect."""

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
    """Return the modules."""
    return named_cards(rules)[:MODULES]


def modules_and_events(rules: Any) -> list[Piece]:
    """Return the modules, then the events, without those that have no effect (EX-1.6, EX-1.12)."""
    sorts = ["normal event"] * FIRST_CRITICAL + ["critical event"] * (len(EVENT_NAMES) - FIRST_CRITICAL)
    events = [Piece(name, (("sort", sort),)) for name, sort in zip(EVENT_NAMES, sorts, strict=True)]
    acts = [*rules.effect.any(axis=1), *rules.op_kind[: len(events)].any(axis=1)]
    return [piece if does else Piece("") for piece, does in zip(modules(rules) + events, acts, strict=True)]


def drawn_characters(rules: Any) -> list[Piece]:
    """Return the characters that seats draw (EX-2.6); none where all seats have named ones."""
    drawn = rules.characters == Characters.random and (rules.cast == Cast.any).any()
    named = {int(character) for character in rules.cast}
    kinds = (("sort", "character"),)
    pieces = [Piece(name if drawn and character not in named else "", kinds)
              for character, name in enumerate(CHARACTER_NAMES)]  # fmt: skip
    pieces[Character.none] = Piece("")
    return pieces


def strike_effect(rules: Any, chosen: list[int]) -> None:
    """Remove the effects of these modules and events (EX-1.7, EX-6.4)."""
    rules.effect[[piece for piece in chosen if piece < MODULES]] = 0
    rules.op_kind[[piece - MODULES for piece in chosen if piece >= MODULES]] = Op.none


def raise_price(rules: Any, chosen: list[int]) -> None:
    """Raise the cost of these modules by a card of their colour (EX-4.4)."""
    for card in chosen:
        rules.cost[card, COLOUR[card]] += 1


def bar(rules: Any, chosen: list[int]) -> None:
    """Bar these characters from being drawn (EX-2.6)."""
    rules.characters_out = sum(1 << character for character in chosen)


WAYS = [
    Way("blank", "without its effect", modules_and_events, strike_effect, rate=0.15),
    Way("dearer", "a card of its colour dearer", modules, raise_price),
    Way("out", "drawn by no seat", drawn_characters, bar),
]
