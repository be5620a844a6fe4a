"""The order of the player deck and the unknown events are hidden from all; redeals fit what the piles make
public (EX-11.2, EX-12.3)."""

from collections import Counter

import pytest

from simkit.games.exoplanet_colony import game
from tests.of_games import sight

from .positions import given, id_of


def seen(states, rules, seat):
    return sight.seen(game, states, rules, seat)


def redealt(states, rules, seat, number):
    return sight.redealt(game, states, rules, seat, number)


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
