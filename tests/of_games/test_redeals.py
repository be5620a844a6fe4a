"""Redeals are as likely as the truth: hidden values rank evenly among those that `redeal` puts in their place.

The positions are of random games. Redeals do not infer anything from choices, so that hidden values which a
choice depends on rank a little unevenly. Such rows say how far off the mean rank may be.
"""

from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
import pytest

from simkit.engine import registry
from simkit.engine.compile.jit import rule
from simkit.engine.game import Game
from simkit.engine.rule_helpers import redeal_nothing
from simkit.games.exoplanet_colony.facts import FIRST_CRITICAL
from simkit.games.lunar_outpost.facts import IN_HAND

from .ranks import Values, bias, sampled
from .stepping import rules_of

POSITIONS, REDEALS = 1200, 9
MOST_ERRORS = 4  # standard errors from an even rank


def top(deck: str, size: str) -> Values:
    """The next card of a deck that is drawn from its end, -1 if it is empty."""

    def card(s: np.ndarray, seats: np.ndarray) -> Any:
        cards = s[deck][np.arange(s.size), np.maximum(s[size] - 1, 0)]
        return np.where(s[size] > 0, cards, -1).astype(int)

    return card


def others(s: np.ndarray, seats: np.ndarray, values: np.ndarray) -> Any:
    """Sum of values[position, seat] over the seats that do not look."""
    places = np.arange(values.shape[1])
    return (values * ((places < s["seats"][:, None]) & (places != seats[:, None]))).sum(1)


def credits_of_others(s: np.ndarray, seats: np.ndarray) -> Any:
    return others(s, seats, s["wealth"].astype(int))


def richest_other(s: np.ndarray, seats: np.ndarray) -> Any:
    places = np.arange(s["wealth"].shape[1])
    return np.where((places < s["seats"][:, None]) & (places != seats[:, None]), s["wealth"], 0).max(1)


def ore_in_piles(s: np.ndarray, seats: np.ndarray) -> Any:
    rules = rules_of(registry.game("outpost"))[0]
    ore = np.arange(rules.start[0], rules.start[1])
    return (s["draw"][:, ore].astype(int) * rules.value[ore]).sum(1)


def points_of_events(s: np.ndarray, seats: np.ndarray) -> Any:
    """Printed points of event cards in other hands."""
    points = rules_of(registry.game("lunar_outpost"))[0].event_points
    held = [(s["event_where"] == IN_HAND + seat) @ points.astype(int) for seat in range(s["hand"].shape[1])]
    return others(s, seats, np.array(held).T)


def critical_events(s: np.ndarray, seats: np.ndarray) -> Any:
    """Critical events in the lower half of the event deck."""
    place = np.arange(s["events"].shape[1])
    return ((s["events"] >= FIRST_CRITICAL) & (place < s["events_n"][:, None] // 2)).sum(1)


def opposing_hand(s: np.ndarray, seats: np.ndarray) -> Any:
    """Total value of the opponent's hand in Outpost Seven."""
    value = np.append(rules_of(registry.game("outpost_seven"))[0].value, 0)  # of no card last
    return value[s["hand"][np.arange(s.size), 1 - seats]].astype(int).sum(1)


def next_module(s: np.ndarray, seats: np.ndarray) -> Any:
    """Value of the next card of the deck in Outpost Seven, 0 if it is empty."""
    value = rules_of(registry.game("outpost_seven"))[0].value
    deck = s["deck"][np.arange(s.size), np.minimum(s["deck_pos"], s["deck_n"] - 1)]
    return np.where(s["deck_pos"] < s["deck_n"], value[deck], 0)


class Row(NamedTuple):
    """A hidden value of a game after a number of random actions, or after up to so many."""

    game: str
    name: str
    values: Values
    steps: int | range
    options: dict[str, Any] = {}
    inferable: float = 0.0  # distance of the mean rank from 1/2 that choices explain


# In Outpost Seven, 13 choices on average lead to a total other than the one demanded, and 8 to that one: each
# hand that was kept is less likely the more others there were.
FIRST_TURN, PLAY = 2, range(3, 60)
FLOOR = {"start_hand": "floor", "start_hand_floor": 13}
ROWS = [
    Row("exoplanet_colony", "next card", top("deck", "deck_n"), range(200)),
    Row("exoplanet_colony", "next event", top("events", "events_n"), range(200)),
    Row("exoplanet_colony", "critical events below", critical_events, range(200)),
    Row("lunar_outpost", "next tile", top("stack", "stack_n"), range(300)),
    Row("lunar_outpost", "next event", top("event_deck", "event_n"), range(300)),
    Row("lunar_outpost", "points of events", points_of_events, range(300)),
    Row("outpost", "hands", credits_of_others, 0),
    Row("outpost", "richest hand", richest_other, 0),
    Row("outpost", "ore in the piles", ore_in_piles, 0),
    Row(
        "outpost", "hands in play", credits_of_others, range(300), inferable=0.06
    ),  # the rich buy and bid more
    Row("outpost", "hands with a floor", credits_of_others, 0, FLOOR),
    Row("outpost", "richest hand with a floor", richest_other, 0, FLOOR),
    Row("outpost_seven", "hand at the first turn", opposing_hand, FIRST_TURN, inferable=0.01),
    Row("outpost_seven", "next module at the first turn", next_module, FIRST_TURN),
    Row("outpost_seven", "hand", opposing_hand, PLAY, inferable=0.004),
    Row("outpost_seven", "next module", next_module, PLAY),
    Row("red_outpost", "next lake card", top("lake_deck", "lake_n"), range(150)),
    Row("red_outpost", "next ship card", top("ship_deck", "ship_n"), range(150)),
    Row("kuhn_poker", "other card", lambda s, seats: s["card"][np.arange(s.size), 1 - seats], range(2)),
    Row("high_card", "first card", lambda s, seats: s["card"][:, 0], range(3)),
    Row("high_card", "last card", lambda s, seats: s["card"][:, 2], range(3)),
    Row("one_against_many", "hidden number", lambda s, seats: s["hidden"], range(1, 3)),
    Row("partners", "cards of others", lambda s, seats: others(s, seats, s["card"].astype(int)), range(4)),
    Row("hidden_traitor", "traitor", lambda s, seats: s["role"].argmax(axis=1), range(20), {"nights": True}),
]


def measured(row: Row, game: Game) -> tuple[float, float]:
    """Mean rank of the truth less 1/2, and its standard error."""
    steps: Any = row.steps
    if isinstance(steps, range):
        steps = np.random.default_rng(1).choice(steps, POSITIONS)
    return bias(sampled(game, POSITIONS, REDEALS, steps, row.options), row.values)


def is_even(row: Row, game: Game) -> bool:
    mean, error = measured(row, game)
    return abs(mean) <= row.inferable + MOST_ERRORS * error


@pytest.mark.slow
@pytest.mark.proof("games", "strategies")
@pytest.mark.parametrize("row", ROWS, ids=lambda row: f"{row.game} {row.name}")
def test_hidden_values_rank_evenly_among_redeals(row: Row) -> None:
    assert is_even(row, registry.game(row.game))


@pytest.mark.slow
@pytest.mark.proof("games", "strategies")
def test_a_biased_redeal_is_seen() -> None:
    """Kuhn poker in which the other seat is dealt the lower of two cards more often than not."""

    @rule
    def biased(view, rules, seat, stream):  # type: ignore[no-untyped-def]
        redeal(view, rules, seat, stream)
        lower = view.card[1 - seat]
        redeal(view, rules, seat, stream)
        view.card[1 - seat] = min(lower, view.card[1 - seat])

    game = registry.game("kuhn_poker")
    redeal = game.redeal
    row = next(row for row in ROWS if row.game == game.name)
    assert not is_even(row, replace(game, redeal=biased))


@pytest.mark.slow
@pytest.mark.proof("games", "strategies")
def test_a_redeal_that_ignores_the_total_kept_is_seen() -> None:
    """Outpost Seven in which a redealt starting hand may have any total."""

    @rule(allocates=True)
    def careless(view, rules, seat, stream):  # type: ignore[no-untyped-def]
        view.start_n[:] = 0
        redeal(view, rules, seat, stream)

    game = registry.game("outpost_seven")
    redeal = game.redeal
    row = next(row for row in ROWS if row.name == "hand at the first turn")
    assert not is_even(row, replace(game, redeal=careless))


def test_every_game_that_hides_something_has_a_row() -> None:
    hiding = {name for name in registry.games() if registry.game(name).redeal is not redeal_nothing}
    assert hiding == {row.game for row in ROWS}
