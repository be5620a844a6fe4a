"""Exoplanet Colony: broken invariants in words (EX-12.4; plain Python)."""

from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import numpy as np

from simkit.engine.rule_helpers import OVER
from simkit.games.exoplanet_colony.cards import hand_limit
from simkit.games.exoplanet_colony.facts import (
    CARDS,
    COLOUR,
    DIRECTIONS,
    EVENTS,
    FIRST_CRITICAL,
    HUB,
    LEAST_PRODUCTION,
    MODULES,
    MOST_PRODUCTION,
    MOST_SUPPLY,
    NOBODY,
    RESOURCES,
    SLOTS,
    STEP_X,
    STEP_Y,
    Character,
    Decision,
    End,
)
from simkit.games.exoplanet_colony.options import Per


def problems(s: Any, rules: Any) -> list[str]:
    """Return the rules of EX-12.4 that a position breaks, in words."""
    now = SimpleNamespace(**{name: s[name] for name in s.dtype.names})
    now.games, now.of_seats = s["log"]["game"], s["log"]["seat"][: s.seats]
    checks = _cards, _events, _tokens, _production, _supply, _base, _sets, _crew, _turns, _end, _sums
    return [problem for check in checks for problem in check(now, rules)]


def cards_of(cards: int) -> list[int]:
    """Return the cards of a set."""
    return [card for card in range(CARDS) if int(cards) >> card & 1]


def _cards(now: Any, rules: Any) -> Iterator[str]:
    """EX-12.4.1: every player card is in one place."""
    hands = [cards_of(hand) for hand in now.hand[: now.seats]]
    deck, pile = now.deck[: now.deck_n].tolist(), now.discard[: now.discard_n].tolist()
    base = now.slot_card[1 : now.slots].tolist()
    drawn = [card for card in now.got.tolist() if card != NOBODY]
    places = [*deck, *pile, *base, *drawn, *cards_of(now.removed), *(card for hand in hands for card in hand)]
    if sorted(places) != list(range(CARDS)):
        yield "EX-12.4.1 player cards are lost or doubled"
    if now.hand[now.seats :].any() or any(card >= MODULES for card in base):
        yield "EX-12.4.1 a card is where none can be"
    for name, array, n in (("deck", now.deck, now.deck_n), ("discard pile", now.discard, now.discard_n)):
        if (array[n:] != NOBODY).any():
            yield f"EX-12.4.1 the {name} has cards behind its end"


def _events(now: Any, rules: Any) -> Iterator[str]:
    """EX-12.4.1: every event card is in one place; issues were revealed."""
    deck = now.events[: now.events_n].tolist()
    seen = [event for event in range(EVENTS) if int(now.seen) >> event & 1]
    if len({*deck, *seen}) != rules.event_cards or len(deck) + len(seen) != rules.event_cards:
        yield "EX-12.4.1 event cards are lost or doubled"
    criticals = sum(event >= FIRST_CRITICAL for event in [*deck, *seen])
    if criticals != rules.piles * rules.criticals_per_pile:
        yield "EX-12.4.1 there are too many or too few critical events"
    if not 0 <= now.events_known <= now.events_n or (now.events[now.events_n :] != NOBODY).any():
        yield "EX-12.3 the event deck knows cards that it does not have"
    if now.event != NOBODY and now.event not in seen:
        yield "EX-6.1 an event is carried out that was not revealed"


def _tokens(now: Any, rules: Any) -> Iterator[str]:
    """EX-12.4.2."""
    if (now.loss_left + now.slot_loss.sum(axis=0) != rules.loss_tokens).any():
        yield "EX-12.4.2 Loss tokens are lost or doubled"
    if now.emerg_left + now.slot_emerg.sum() != rules.emergency_tokens:
        yield "EX-12.4.2 Emergency tokens are lost or doubled"
    if now.shut_left + int(now.off).bit_count() != rules.shutdown_tokens:
        yield "EX-12.4.2 Shutdown tokens are lost or doubled"
    if min(now.loss_left.min(), now.emerg_left, now.shut_left) < 0:
        yield "EX-12.4.2 more tokens are on the base than there are"


def _production(now: Any, rules: Any) -> Iterator[str]:
    """EX-12.4.3."""
    on = [slot for slot in range(1, now.slots) if not now.off >> slot & 1]
    working = rules.effect[now.slot_card[on]].sum(axis=0, dtype=int)
    if (now.production != rules.start_production + working - now.slot_loss.sum(axis=0)).any():
        yield "EX-12.4.3 productions are not those of modules and Loss tokens"
    if now.production.min() < LEAST_PRODUCTION or now.production.max() > MOST_PRODUCTION:
        yield "EX-12.4.3 a production is off its track"


def _supply(now: Any, rules: Any) -> Iterator[str]:
    """EX-12.4.4."""
    if now.supply.min() < 0 or now.supply.max() > MOST_SUPPLY:
        yield "EX-12.4.4 a supply is off its track"
    level = (now.supply == 0).sum() + now.slot_emerg.sum()
    if now.level != level:
        yield "EX-12.4.4 the level is not that of empty supplies and emergencies"
    if now.seat != OVER and (level >= rules.skull or (now.production >= rules.win_production).all()):
        yield "EX-12.4.4 the game goes on though it is decided"
    missing = np.maximum(0, rules.win_production - now.production.astype(int)).sum()
    if now.seat != OVER and (now.score[: now.seats] != -missing).any():
        yield "EX-9.2 the score is not minus the deficit"


def _base(now: Any, rules: Any) -> Iterator[str]:
    """EX-12.4.5: modules lie on cells of their own, next to each other, all connected."""
    cells = list(zip(now.slot_x[: now.slots].tolist(), now.slot_y[: now.slots].tolist(), strict=True))
    if len(set(cells)) != now.slots or max(abs(x) + abs(y) for x, y in cells) > MODULES:
        yield "EX-12.4.5 two modules share a cell, or one is too far away"
    for slot, (x, y) in enumerate(cells):
        around = [(x + STEP_X[d], y + STEP_Y[d]) for d in range(DIRECTIONS)]
        if now.slot_nb[slot].tolist() != [cells.index(c) if c in cells else NOBODY for c in around]:
            yield f"EX-4.5 the neighbours of slot {slot} are wrong"
        if slot > 0 and not any(0 <= other < slot for other in now.slot_nb[slot]):
            yield "EX-12.4.5 the base is not connected"
    if cells[HUB] != (0, 0) or now.slot_card[HUB] != NOBODY or (now.slot_nb[now.slots :] != NOBODY).any():
        yield "EX-2.4 the Hub is not slot 0, or there are modules behind the last one"
    if (now.pawn[: now.seats] >= now.slots).any():
        yield "EX-12.4.5 a pawn stands nowhere"


def _sets(now: Any, rules: Any) -> Iterator[str]:
    """The sets of slots agree with the arrays."""
    slots = range(SLOTS)
    alarmed = sum(1 << slot for slot in slots if now.slot_emerg[slot] > 0)
    damaged = [sum(1 << slot for slot in slots if now.slot_loss[slot, r] > 0) for r in range(RESOURCES)]
    coloured = [0] * RESOURCES
    for slot in range(1, now.slots):
        coloured[COLOUR[now.slot_card[slot]]] |= 1 << slot
    near = [sum(1 << other for other in row if other != NOBODY) for row in now.slot_nb.tolist()]
    stored = now.alarmed, now.damaged.tolist(), now.coloured.tolist(), now.near.tolist()
    if stored != (alarmed, damaged, coloured, near) or now.off >> now.slots or now.off & 1:
        yield "the sets of slots are not those of the arrays"


def _crew(now: Any, rules: Any) -> Iterator[str]:
    """EX-2.6, EX-7.2, EX-12.4.5."""
    named = [who for who in now.character[: now.seats].tolist() if who != Character.none]
    if len(set(named)) != len(named):
        yield "EX-2.6 two seats have the same character"
    issues = now.issues[: now.seats].tolist()
    if sum(issues) != int(np.bitwise_or.reduce(issues)):
        yield "EX-7.2 two seats have the same health issue"
    held = [int(hand).bit_count() for hand in now.hand[: now.seats]]
    if now.decision == Decision.main and any(n > hand_limit(now, rules, seat) for seat, n in enumerate(held)):
        yield "EX-12.4.5 a hand is above its limit"


def _turns(now: Any, rules: Any) -> Iterator[str]:
    """EX-12.4.6, .7: turns end, actions are not spent twice."""
    rounds = now.seats if rules.event_per == Per.round else 1
    if now.turn_no > rules.grace_turns + (rules.event_cards + 1) * rounds:
        yield "EX-6.2 the game has too many turns"
    game, most = now.games, int(rules.track.max())
    if now.seat != OVER and not 0 <= now.actions_left <= most:
        yield "EX-12.4.7 there are more actions than the track allows"
    if game["allowance"] < game["actions"] + game["idle_actions"]:
        yield "EX-12.4.7 more actions were spent than allowed"


def _end(now: Any, rules: Any) -> Iterator[str]:
    """EX-12.4.7, .8: properties of a finished game."""
    game = now.games
    if now.seat != OVER:
        return
    won = bool((now.production >= rules.win_production).all())
    if (
        won != (game["end_reason"] == End.self_sustaining)
        or won != game["won"]
        or won != (game["margin"] > 0)
    ):
        yield "EX-12.4.8 the result is not that of the productions"
    if (now.rank[: now.seats] != won).any() or (now.score[: now.seats] != game["margin"]).any():
        yield "EX-9.1 ranks or scores are not those of the team"
    if game["end_step"] > 1 and game["allowance"] != game["actions"] + game["idle_actions"]:
        yield "EX-12.4.7 actions are missing"


SUMMED = [
    "actions", "idle_actions", "draws", "gives", "takes", "deploys", "deficit_cut", "generates",
    "supply_made", "moves", "repairs", "recovers", "abilities", "items", "plans", "limit_discards",
    "event_discards", "sick_turns", "hand_cards_left",
]  # fmt: skip


def _sums(now: Any, rules: Any) -> Iterator[str]:
    """EX-12.4.9, .10: seats add up to the game, the deficit is accounted for."""
    game, seats = now.games, now.of_seats
    for name in SUMMED:
        if seats[name].sum() != game[name]:
            yield f"EX-12.4.10 {name} of the seats are not those of the game"
    if seats["tokens_fixed"].sum() != game["loss_fixed"] + game["emergencies_fixed"]:
        yield "EX-12.4.10 tokens fixed by the seats are not those of the game"
    start, missing = (
        np.maximum(0, rules.win_production - part.astype(int)).sum()
        for part in (rules.start_production, now.production)
    )
    if missing != start - game["deficit_cut"] + game["deficit_events"]:
        yield "EX-12.4.10 the deficit is not accounted for"
    if game["loss_placed"] - game["loss_fixed"] != now.slot_loss.sum():
        yield "EX-12.4.2 Loss tokens placed and removed are not those on the base"
