"""The order of the two decks is hidden from all; everything else is open; redeals fit (RO-11)."""

from __future__ import annotations

from collections import Counter
from functools import partial

from simkit.games.red_outpost import game
from tests.of_games import sight

from .positions import given

seen, redealt = partial(sight.seen, game), partial(sight.redealt, game)


def test_redeal_during_a_visit_to_the_lake():
    """The cards in hand are not in the deck of a redeal."""
    position = given(lake=[1, 2, 0, 0, 0, 1]).when(0, "fisherman lake").then(decision="lake_pick")
    for number in range(20):
        view = redealt(position.states, position.rules_array, 1, number)[0]
        assert sorted(view.lake_deck[:4].tolist()) == [0, 0, 0, 1]
        assert view.lake_held.tolist() == [1, 2]
    fetched = given(cards={0: [10]}, lake=[0, 1, 2]).when(0, "fisherman lake", "leave", "fetch 1")
    fetched.then(decision="lake_pick")
    view = redealt(fetched.states, fetched.rules_array, 0, 5)[0]
    assert sorted(view.lake_deck[:2].tolist()) == [1, 2] and int(view.lake_n) == 2


def test_redeal_while_a_resource_is_chosen():
    """The spaceship card in force is not in the deck of a redeal."""
    position = given(ship=[10]).when(0, "miner spaceship").then(decision="ship_res")
    view = redealt(position.states, position.rules_array, 0, 5)[0]
    assert 10 not in view.ship_deck[: int(view.ship_n)].tolist() and int(view.ship_n) == 11


def test_redeals_are_uniform():
    """Every undrawn card is as likely on top, whatever the true order."""
    position = given(lake=[0, 0, 1, 2], ship=[10, 9])
    lake, ship = Counter(), Counter()
    for number in range(600):
        view = redealt(position.states, position.rules_array, 0, 7919 * number + 1)[0]
        lake[int(view.lake_deck[int(view.lake_n) - 1])] += 1
        ship[int(view.ship_deck[int(view.ship_n) - 1])] += 1
    assert sum((lake[kind] - n) ** 2 / n for kind, n in enumerate((300, 150, 150))) < 14
    assert sum((ship[kind] - n) ** 2 / n for kind, n in enumerate([100] + [50] * 10)) < 30
