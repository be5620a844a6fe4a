"""The order of the two decks is hidden from all; everything else is open; redeals fit (RO-11)."""

from __future__ import annotations

from collections import Counter
from functools import partial

import numpy as np
import pytest

from simkit.games.red_outpost import game
from tests.of_games import sight
from tests.of_games.sight import changed

from .positions import Position, Walk, copied, given, rules_of

HIDDEN = ["lake_deck", "ship_deck", "card_deck", "log"]
OPEN = [name for name in game.state_dtype.names if name not in HIDDEN]
OPTIONS = {"blocking": "random", "spaceship_blanks": 4, "lake_two_fish": 2} | {
    f"card_{n}": f"seat_{n % 2}" for n in range(1, 19)
}


seen, redealt = partial(sight.seen, game), partial(sight.redealt, game)


def looked_at(options, seats, every):
    """Every so many positions of a random game."""
    walk, result = Walk(options, seats, seats), []
    for number, _ in enumerate(walk.steps()):
        if number % every == 0:
            result.append(copied(walk.states))
    return result


@pytest.mark.parametrize("seats", [2, 4])
def test_no_peeking(seats):
    """Changing the decks or the log leaves every view byte for byte; changing anything open changes it."""
    generator, rules = np.random.default_rng(seats), rules_of(OPTIONS)
    for states in looked_at(OPTIONS, seats, 41):
        for seat in range(seats):
            before = seen(states, rules, seat).tobytes()
            for name in OPEN:
                if name != "seats":
                    other = changed(states, name, int(generator.integers(states[name].size)))
                    assert seen(other, rules, seat).tobytes() != before, f"{name} is open"
            for name in HIDDEN[:-1]:
                for place in range(states[name].size):
                    assert seen(changed(states, name, place), rules, seat).tobytes() == before, name
            other = copied(states)
            other["log"]["game"]["exports"] += 1
            other["log"]["seat"]["turns"] += 1
            assert seen(other, rules, seat).tobytes() == before


def test_views_of_all_seats_are_alike():
    """Everything but the decks is public: all seats see the same."""
    rules = rules_of(OPTIONS)
    for states in looked_at(OPTIONS, 3, 29):
        views = [seen(states, rules, seat) for seat in range(3)]
        for name in OPEN:
            assert all((view[name] == states[name]).all() for view in views), name
        assert len({view.tobytes() for view in views}) == 1
        for name in HIDDEN[:2]:
            assert len(set(views[0][name].reshape(-1).tolist())) == 1


def test_dealt_cards_are_open():
    """RO-2.9 the cards dealt to each seat lie face up."""
    position = Position({"special_location_choice": 3}, 3)
    views = [seen(position.states, position.rules_array, seat)[0] for seat in range(3)]
    assert all(view.dealt.tolist() == position.s.dealt.tolist() for view in views)


@pytest.mark.parametrize("seats", [2, 3])
def test_redeals_keep_the_composition_of_the_decks(seats):
    for number, states in enumerate(looked_at(OPTIONS, seats, 9)):
        copy = redealt(states, rules_of(OPTIONS), int(states[0].seat), number + 1)
        for name, n in (("lake_deck", "lake_n"), ("ship_deck", "ship_n")):
            before, after = (sorted(x[0][name][: int(x[0][n])].tolist()) for x in (states, copy))
            assert before == after, name


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
