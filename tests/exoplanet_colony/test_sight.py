"""The order of the player deck and the unknown events are hidden from all; redeals fit what the piles make
public (EX-11.2, EX-12.3)."""

from collections import Counter
from itertools import pairwise

import numpy as np
import pytest
from of_games.driver import driver

from simkit.games.exoplanet_colony import game
from tests.of_games import sight
from tests.of_games.sight import changed

from .positions import given, id_of, rules_of
from .walk import Walk, copied

HIDDEN = ["deck", "since", "log"]  # `since` is for stories alone
OPEN = [name for name in game.state_dtype.names if name not in (*HIDDEN, "events")]
DRIVE = driver(game)
LONG = {"ruleset": "endurance", "initial_choice": 2, "remove_modules": 5}
GAMES = [
    ({"ruleset": "patient"}, 2), ({"ruleset": "patient", "criticals_per_pile": 2, "n_plans": 4}, 4),
    (LONG, 5), ({"ruleset": "patient", "piles": 13, "normals_per_pile": 3}, 3),
    ({"ruleset": "patient", "piles": 15, "normals_per_pile": 0, "event_per": "round"}, 3),
]  # fmt: skip
each = pytest.mark.parametrize("number", range(len(GAMES)))


def seen(states, rules, seat):
    return sight.seen(game, states, rules, seat)


def redealt(states, rules, seat, number):
    return sight.redealt(game, states, rules, seat, number)


def looked_at(options, seats, every, deals=(1,)):
    """Every so many positions of random games."""
    for deal in deals:
        walk = Walk(options, seats, deal)
        for number, _ in enumerate(walk.steps()):
            if number % every == 0:
                yield copied(walk.states)


def reference(s):
    """Places of the event deck that everybody knows."""
    return range(int(s.events_n - s.events_known), int(s.events_n))


# What is seen.


@each
def test_no_peeking(number):
    """Changing what is hidden leaves every view byte for byte; changing anything open changes it."""
    options, seats = GAMES[number]
    generator, rules = np.random.default_rng(number), rules_of(options)
    for states in looked_at(options, seats, 23):
        s = states[0]
        before = seen(states, rules, 0).tobytes()
        for name in OPEN:
            place = int(generator.integers(states[name].size))
            assert seen(changed(states, name, place), rules, 0).tobytes() != before, f"{name} is open"
        for place in range(54):
            other = seen(changed(states, "events", place), rules, 0).tobytes()
            assert (other != before) == (place in reference(s)), f"event at {place}"
        for name in HIDDEN[:-1]:
            for place in range(0, states[name].size, 5):
                other = seen(changed(states, name, place), rules, 0).tobytes()
                assert other == before, f"{name} is hidden"
        other = copied(states)
        other["log"]["game"]["cards_drawn"] += 1
        other["log"]["seat"]["items"] += 1
        assert seen(other, rules, 0).tobytes() == before


@each
def test_every_seat_sees_the_same(number):
    """EX-12.3 the view is the same for every seat: hands are open, whoever is asked."""
    options, seats = GAMES[number]
    rules = rules_of(options)
    for states in looked_at(options, seats, 31):
        views = {seen(states, rules, seat).tobytes() for seat in range(seats)}
        assert len(views) == 1
        view = seen(states, rules, seats - 1)[0]
        assert (view.hand == states[0].hand).all() and (view.deck == -1).all()


def test_games_looked_at_show_all_that_may_be_hidden():
    """Known events, issues, cards drawn by a Scientist, cards that left the game, all windows."""
    kinds, forecasts, ill, missing = set(), 0, 0, 0
    for options, seats in GAMES:
        for states in looked_at(options, seats, 1, (1, 2)):
            s = states[0]
            kinds.add(int(s.decision))
            forecasts += int(s.events_known) > 0
            ill += int(s.issues.max()) > 0
            missing += int(s.removed) != 0
    assert forecasts and ill and missing and len(kinds) >= 30


# Redeals.


@each
def test_redealt_states_are_sound(number):
    """A redeal looks the same, keeps what is known, breaks no invariant; the choices are the same."""
    options, seats = GAMES[number]
    rules, ids = rules_of(options), [np.zeros(game.max_actions, np.int64) for _ in range(2)]
    for n, states in enumerate(looked_at(options, seats, 17, (1, 2))):
        copy = redealt(states, rules, n % seats, n + 1)
        s, c = states[0], copy[0]
        assert seen(copy, rules, 0).tobytes() == seen(states, rules, 0).tobytes()
        assert sorted(c.deck[: c.deck_n]) == sorted(s.deck[: s.deck_n])
        assert (c.deck[c.deck_n :] == -1).all() and (c.events[c.events_n :] == -1).all()
        assert c.events[reference(s)].tolist() == s.events[reference(s)].tolist()
        counts = [DRIVE.legal(x, rules, ids[i]) for i, x in enumerate((states, copy))] if s.seat >= 0 else []
        assert len({*counts}) < 2 and (not counts or (ids[0][: counts[0]] == ids[1][: counts[0]]).all())
        copy["log"] = states["log"]
        assert game.problems(c, rules[0]) == []


@each
def test_redealt_piles_hold_their_criticals(number):
    """EX-12.3 counted from the bottom every full pile of unknown cards holds exactly its criticals."""
    options, seats = GAMES[number]
    chosen, rules = game.resolve(options), rules_of(options)
    c, normals, piles = (chosen[n] for n in ("criticals_per_pile", "normals_per_pile", "piles"))
    for n, states in enumerate(looked_at(options, seats, 13)):
        s, view = states[0], redealt(states, rules, 0, n + 5)[0]
        unknown = int(s.events_n - s.events_known)
        deck = view.events[:unknown].tolist()
        harsh = [sum(e >= 39 for e in deck[i : i + c + normals]) for i in range(0, unknown, c + normals)]
        full = unknown // (c + normals)
        assert harsh[:full] == [c] * full
        met = sum(1 << int(s.events[place]) for place in reference(s)) | int(s.seen)
        left = piles * c - sum(met >> event & 1 for event in range(39, 54)) - c * full
        assert sum(harsh[full:]) == left
        assert len(set(deck)) == unknown and not any(met >> event & 1 for event in deck)


def chi_square(counts, places):
    """Of counts that should be equal in so many places."""
    total = sum(counts.values())
    expected = total / places
    return sum((n - expected) ** 2 / expected for n in counts.values()) + expected * (places - len(counts))


COUNT = 3_000


def redeals(position):
    for number in range(COUNT):
        yield redealt(position.states, position.rules_array, 0, 7919 * number + 1)[0]


def test_cards_are_redealt_uniformly():
    """Every card that is not seen elsewhere is as likely at each place of the deck, independently."""
    hands, pile, base = {0: [0, 1, 2], 1: [28, 33]}, [5, 6, 34], "14@(0,1) 21@(1,0)"
    position = given(hands, base, pile=pile, deck_n=20)
    in_deck = {int(card) for card in position.s.deck[:20]}
    places, pairs = [Counter() for _ in range(20)], Counter()
    for view in redeals(position):
        deck = view.deck[:20].tolist()
        assert set(deck) == in_deck
        for place, card in enumerate(deck):
            places[place][card] += 1
        pairs[deck[19], deck[18]] += 1
    assert all(chi_square(result, 20) < 50 for result in places)
    assert chi_square(pairs, 380) < 380 + 5 * (2 * 380) ** 0.5


def test_events_are_redealt_uniformly():
    """A new deck: the critical of a pile at any of its places, any card of its kind, left-out ones included."""
    position = given()
    where, normals, criticals = [Counter() for _ in range(5)], Counter(), Counter()
    together = Counter()
    for view in redeals(position):
        deck = view.events[:25].tolist()
        for pile in range(5):
            place = next(i for i in range(5) if deck[5 * pile + i] >= 39)
            where[pile][place] += 1
        normals.update(event for event in deck if event < 39)
        criticals.update(event for event in deck if event >= 39)
        together[deck[0] >= 39, deck[5] >= 39] += 1
    assert all(chi_square(result, 5) < 20 for result in where)
    assert chi_square(normals, 39) < 90 and set(normals) == set(range(39))
    assert chi_square(criticals, 15) < 45 and set(criticals) == set(range(39, 54))
    assert abs(together[True, True] - COUNT / 25) < 5 * (COUNT / 25) ** 0.5


PARTIAL = [  # events revealed (the next ones of the deck), known by Forecast; unknown, criticals in what is left
    ([0, 1], [], 23, 1), ([0, 39], [], 23, 0), ([0, 1, 2, 3], [], 21, 1), ([39, 0, 1, 2], [], 21, 0),
    ([0, 1, 2, 3, 39], [], 20, None),
    ([0, 1, 2], [3, 39, 4], 19, 1),  # the Forecast sees beyond the pile in progress
    ([0, 1, 2], [39, 3, 40], 19, 0), ([0, 1, 2, 3], [39, 4, 40], 18, 0), ([0, 1, 2, 3], [39, 4, 5], 18, 1),
    ([0, 39], [1, 2, 3], 20, None), ([], [0, 39, 1], 22, 0), ([], [0, 1, 2], 22, 1),
]  # fmt: skip


def part_of_a_deck(revealed, forecast):
    """Of a new deck these were revealed, and these are known to come next."""
    position = given(events=[*revealed, *forecast])
    s = position.s
    deck = s.events[: s.events_n].tolist()[::-1]
    assert deck[: len(revealed) + len(forecast)] == [*revealed, *forecast]
    s.events[25 - len(revealed) :] = -1
    s.events_n, s.events_known = 25 - len(revealed), len(forecast)
    s.seen = sum(1 << event for event in revealed)
    return position


@pytest.mark.parametrize(("revealed", "forecast", "unknown", "left"), PARTIAL)
def test_events_of_a_pile_in_progress(revealed, forecast, unknown, left):
    """EX-12.3 what was revealed and what a Forecast showed say how many criticals the pile still holds."""
    position = part_of_a_deck(revealed, forecast)
    part = unknown % 5
    where, next_one, met = Counter(), Counter(), {*revealed, *forecast}
    for view in redeals(position):
        n = int(view.events_n)
        deck = view.events[:n].tolist()
        assert deck[unknown:][::-1] == forecast and not met & {*deck[:unknown]}
        assert [sum(e >= 39 for e in deck[i : i + 5]) for i in range(0, unknown - part, 5)] == [1] * (
            unknown // 5
        )
        harsh = [place for place in range(unknown - part, unknown) if deck[place] >= 39]
        assert left is None or len(harsh) == left
        where.update(harsh)
        next_one[deck[unknown - 1]] += 1
    normals = {e: n for e, n in next_one.items() if e < 39}
    harsh = {e: n for e, n in next_one.items() if e >= 39}
    free = 39 - len([e for e in met if e < 39]), 15 - len([e for e in met if e >= 39])
    for result, places, some in ((normals, free[0], left != part), (harsh, free[1], left != 0)):
        assert bool(result) == some
        assert not result or chi_square(result, places) < places + 5 * (2 * places) ** 0.5
    if left:
        assert chi_square(where, part) < 20 or part == 1


def test_a_redeal_is_what_games_are():
    """The same public beginning, many deals: what comes next in them is distributed as in redeals.

    Two piles of three with one critical each; two normal events were revealed.
    """
    options = {"piles": 2, "normals_per_pile": 2, "characters": "none"}
    true, copies = Counter(), Counter()
    for deal in range(600):
        s = Walk(options, 2, deal).s
        deck = s.events[:6].tolist()[::-1]
        if deck[0] < 39 and deck[1] < 39:
            true[deck[2] >= 39, *(event >= 39 for event in deck[3:])] += 1
    position = given(events=[0, 1], options=options)
    position.s.events[4:] = -1
    position.s.events_n, position.s.seen = 4, 3
    for view in redeals(position):
        copies[tuple(event >= 39 for event in view.events[:4].tolist()[::-1])] += 1
    kinds = {(True, *(i == place for i in range(3))) for place in range(3)}
    assert {*true} == {*copies} == kinds
    assert chi_square(true, 3) < 20 and chi_square(copies, 3) < 20


# Forecast.


def forecast(**more):
    return given({0: [33]}, events=[0, 39, 1, 2], **more)


def test_a_forecast_is_seen_when_it_is_chosen():
    """EX-12.3 before PLAN_PERM everybody knows the next three; after it they know them in the new order."""
    position = forecast()
    assert (seen(position.states, position.rules_array, 1)[0].events == -1).all()
    position.when("plan")
    assert position.decision == "plan_perm" and int(position.s.events_known) == 3
    for seat in (0, 1):
        view = seen(position.states, position.rules_array, seat)[0]
        assert view.events[22:25].tolist() == [1, 39, 0] and (view.events[:22] == -1).all()
    position.when("perm 120").then(next_events=[39, 1, 0, 2], known_events=3)
    view = seen(position.states, position.rules_array, 1)[0]
    assert view.events[22:25].tolist() == [0, 1, 39] and (view.events[:22] == -1).all()
    for number in range(20):
        copy = redealt(position.states, position.rules_array, 1, number)[0]
        assert copy.events[22:25].tolist() == [0, 1, 39]


def test_known_events_are_revealed_one_by_one():
    """EX-12.3 each reveal lowers what is known by one, not below 0; a second look never knows less."""
    options = {"loss_tokens": 0, "emergency_tokens": 0}
    position = forecast(supply=[20] * 4, options=options).when("plan", "perm 012")
    left = []
    for _ in range(5):
        left.append(int(position.s.events_known))
        position.end_turn()
    assert left == [3, 2, 1, 0, 0]
    two = given({0: [33]}, events=[0, 39, 1, 2], known_events=2).when("plan")
    assert int(two.s.events_known) == 3
    few = given({0: [33]}, events=[0, 1], events_n=2, supply=[20] * 4).when("plan")
    assert int(few.s.events_known) == 2 and few.legal() == [id_of("perm 01"), id_of("perm 10")]


def test_the_known_part_crosses_a_pile():
    """What a Forecast knows of the next pile counts among its criticals in redeals."""
    position = part_of_a_deck([0, 1, 2, 3], [39, 4, 40])
    position.s.supply[:] = 20
    for number in range(8):
        copy = redealt(position.states, position.rules_array, 0, number)
        copy["log"] = position.states["log"]
        copy["since"] = position.states["since"]
        deck = copy[0].events[: copy[0].events_n].tolist()
        assert [sum(e >= 39 for e in deck[i : i + 5]) for i in (0, 5, 10, 15)] == [1] * 4


# Redeals draw anew, and leave what everybody knows.


def test_different_luck_gives_different_redeals():
    walk = Walk({"ruleset": "patient"}, 3, 2).until("main", turn=4)
    copies = [redealt(walk.states, walk.rules, 1, number) for number in range(1, 20)]
    assert len({copy["deck"].tobytes() for copy in copies}) == 19
    assert len({copy["events"].tobytes() for copy in copies}) == 19
    assert all(first.tobytes() != other.tobytes() for first, other in pairwise(copies))


def test_cards_that_left_are_not_redealt():
    """EX-2.3 cards that leave are shown to everybody."""
    walk = Walk({"remove_modules": 12, "n_items": 1, "n_plans": 2}, 2, 3).until("main")
    for number in range(1, 20):
        view = redealt(walk.states, walk.rules, 0, number)[0]
        assert not any(int(view.removed) >> int(card) & 1 for card in view.deck[: view.deck_n])


def test_cards_of_the_scientist_are_open():
    """EX-11.2 between drawing two and keeping one: neither of them is in the deck."""
    position = given(deck=[3, 17, 8], characters={0: "scientist"}).when("ability")
    assert position.decision == "ability_card"
    for seat in (0, 1):
        assert seen(position.states, position.rules_array, seat)[0].got.tolist() == [3, 17]
    for number in range(20):
        view = redealt(position.states, position.rules_array, 1, number)[0]
        assert not {3, 17} & {*view.deck[: view.deck_n].tolist()}
