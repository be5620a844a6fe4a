"""The order of the two decks is hidden from all; everything else is open; redeals fit (RO-11)."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from simkit.games.red_outpost import game

from .positions import Position, Walk, copied, given, rules_of

HIDDEN = ["lake_deck", "ship_deck", "card_deck", "log"]
OPEN = [name for name in game.state_dtype.names if name not in HIDDEN]
OPTIONS = {"blocking": "random", "spaceship_blanks": 4, "lake_two_fish": 2} | {
    f"card_{n}": f"seat_{n % 2}" for n in range(1, 19)
}


def seen(states, rules, seat):
    """What a seat sees at its first look."""
    views = np.zeros(1, game.state_dtype)
    game.observe(states[0], rules, seat, views[0])
    return views


def redealt(states, rules, seat, number):
    views = seen(states, rules, seat)
    game.redeal(views[0], rules, seat, np.array([number], np.uint64))
    return views


def looked_at(options, seats, every):
    """Every so many positions of a random game."""
    walk, result = Walk(options, seats, seats), []
    for number, _ in enumerate(walk.steps()):
        if number % every == 0:
            result.append(copied(walk.states))
    return result


def flipped(states, name, place):
    """A copy with another number at one place of a field."""
    result = copied(states)
    flat = result[name].reshape(-1).copy()
    flat[place] = ~flat[place]
    result[name] = flat.reshape(result[name].shape)
    return result


@pytest.mark.parametrize("seats", [2, 4])
def test_no_peeking(seats):
    """Changing the decks or the log leaves every view byte for byte; changing anything open changes it."""
    generator, rules = np.random.default_rng(seats), rules_of(OPTIONS)[0]
    for states in looked_at(OPTIONS, seats, 41):
        for seat in range(seats):
            before = seen(states, rules, seat).tobytes()
            for name in OPEN:
                if name != "seats":
                    changed = flipped(states, name, int(generator.integers(states[name].size)))
                    assert seen(changed, rules, seat).tobytes() != before, f"{name} is open"
            for name in HIDDEN[:-1]:
                for place in range(states[name].size):
                    assert seen(flipped(states, name, place), rules, seat).tobytes() == before, name
            changed = copied(states)
            changed["log"]["game"]["exports"] += 1
            changed["log"]["seat"]["turns"] += 1
            assert seen(changed, rules, seat).tobytes() == before


def test_views_of_all_seats_are_alike():
    """Everything but the decks is public: all seats see the same."""
    rules = rules_of(OPTIONS)[0]
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
    views = [seen(position.states, position.rules, seat)[0] for seat in range(3)]
    assert all(view.dealt.tolist() == position.s.dealt.tolist() for view in views)


@pytest.mark.parametrize("seats", [2, 3])
def test_redealt_states_are_sound(seats):
    """A redeal looks the same, keeps the composition of the decks, breaks no invariant; the choices are the
    same."""
    rules, ids = rules_of(OPTIONS)[0], [np.zeros(game.max_actions, np.int64) for _ in range(2)]
    for number, states in enumerate(looked_at(OPTIONS, seats, 9)):
        seat = int(states[0].seat)
        copy = redealt(states, rules, seat, number + 1)
        assert seen(copy, rules, seat).tobytes() == seen(states, rules, seat).tobytes()
        for name, n in (("lake_deck", "lake_n"), ("ship_deck", "ship_n")):
            before, after = (sorted(x[0][name][: int(x[0][n])].tolist()) for x in (states, copy))
            assert before == after, name
        counts = [game.legal(x[0], rules, ids[i]) for i, x in enumerate((states, copy))]
        assert counts[0] == counts[1] and (ids[0][: counts[0]] == ids[1][: counts[0]]).all()
        copy["log"] = states["log"]
        assert game.problems(copy[0], rules) == []


def test_redeal_during_a_visit_to_the_lake():
    """The cards in hand are not in the deck of a redeal."""
    position = given(lake=[1, 2, 0, 0, 0, 1]).when(0, "fisherman lake").then(decision="lake_pick")
    for number in range(20):
        view = redealt(position.states, position.rules, 1, number)[0]
        assert sorted(view.lake_deck[:4].tolist()) == [0, 0, 0, 1]
        assert view.lake_held.tolist() == [1, 2]
    fetched = given(cards={0: [10]}, lake=[0, 1, 2]).when(0, "fisherman lake", "leave", "fetch 1")
    fetched.then(decision="lake_pick")
    view = redealt(fetched.states, fetched.rules, 0, 5)[0]
    assert sorted(view.lake_deck[:2].tolist()) == [1, 2] and int(view.lake_n) == 2


def test_redeal_while_a_resource_is_chosen():
    """The spaceship card in force is not in the deck of a redeal."""
    position = given(ship=[10]).when(0, "miner spaceship").then(decision="ship_res")
    view = redealt(position.states, position.rules, 0, 5)[0]
    assert 10 not in view.ship_deck[: int(view.ship_n)].tolist() and int(view.ship_n) == 11


def test_redeals_are_uniform():
    """Every undrawn card is as likely on top, whatever the true order."""
    position = given(lake=[0, 0, 1, 2], ship=[10, 9])
    lake, ship = Counter(), Counter()
    for number in range(600):
        view = redealt(position.states, position.rules, 0, 7919 * number + 1)[0]
        lake[int(view.lake_deck[int(view.lake_n) - 1])] += 1
        ship[int(view.ship_deck[int(view.ship_n) - 1])] += 1
    assert sum((lake[kind] - n) ** 2 / n for kind, n in enumerate((300, 150, 150))) < 14
    assert sum((ship[kind] - n) ** 2 / n for kind, n in enumerate([100] + [50] * 10)) < 30


@pytest.mark.parametrize("number", range(3))
def test_a_redealt_game_goes_on(number):
    """Played on from a redeal to the end: the rules hold, somebody wins."""
    rules, ids = rules_of(OPTIONS)[0], np.zeros(game.max_actions, np.int64)
    states = looked_at(OPTIONS, 2, 17)[2 + number]
    views, generator = redealt(states, rules, 0, number), np.random.default_rng(number)
    rng = Position().rng.copy()
    views["log"] = states["log"]
    while int(views[0].seat) >= 0:
        n = game.legal(views[0], rules, ids)
        game.apply(views[0], rules, int(ids[generator.integers(n)]), rng[0])
    assert 1 in views[0]["rank"][:2].tolist() and game.problems(views[0], rules) == []
