"""Stack, event deck, other hands, what others discarded unseen and what follows from them is hidden; redeals
fit what a seat sees (LO-16)."""

from collections import Counter

import numpy as np
import pytest
from of_games.driver import driver

from simkit.games.lunar_outpost import game
from tests.of_games import sight
from tests.of_games.sight import changed

from .positions import given, rules_of
from .walk import FIGHT, RAZE, TILES, Walk, busy, copied, uniform

SPIES = {"intel_cost": 1, "starting_intel": 2, "starting_intel_extra": 1, "tiles_trim": 20, "dome_output": 2}
CHOICE = SPIES | {"tile_choice": 3}
WAR = RAZE | {"starting_intel": 2, "starting_intel_extra": 2, "tiles_trim": 16, "intel_cost": 1}
HIDDEN = ["event_deck", "stack", "leaders", "leaders_n", "score", "log"]
PARTLY = ["hand", "event_where"]
HEADER = ["seats", "rank", "first"]
OPEN = [name for name in game.state_dtype.names if name not in HIDDEN + PARTLY + HEADER]
DECK, ACTIVE, FACE_UP = 0, 5, 6
DRIVE = driver(game)


def seen(states, rules, seat):
    return sight.seen(game, states, rules, seat)


def redealt(states, rules, seat, number):
    return sight.redealt(game, states, rules, seat, number)


def looked_at(options, seats, every, policy=uniform, deal=1):
    """Every so many positions of a game."""
    walk, result = Walk(options, seats, deal, policy), []
    for number, _ in enumerate(walk.steps()):
        if number % every == 0:
            result.append(copied(walk.states))
    return result


def reference(where, seat):
    """Whether a seat knows where a card is."""
    return where in (1 + seat, ACTIVE, FACE_UP, 7 + seat)


GAMES = [(SPIES, 2, uniform), (CHOICE, 4, uniform), (WAR, 3, busy)]


@pytest.mark.parametrize("number", range(len(GAMES)))
def test_no_peeking(number):
    """Changing what is hidden leaves every view byte for byte; changing anything open changes it."""
    options, seats, policy = GAMES[number]
    generator, rules = np.random.default_rng(number), rules_of(options)
    for states in looked_at(options, seats, 37, policy):
        for seat in range(seats):
            before = seen(states, rules, seat).tobytes()
            for name in OPEN:
                place = int(generator.integers(states[name].size))
                other = changed(states, name, place)
                assert seen(other, rules, seat).tobytes() != before, f"{name} is open"
            for name in HIDDEN[:-1]:
                for place in {0, int(generator.integers(states[name].size)), states[name].size - 1}:
                    other = changed(states, name, place)
                    assert seen(other, rules, seat).tobytes() == before, f"{name} is hidden"
            other = copied(states)
            other["log"]["game"]["intel_bought"] += 1
            other["log"]["seat"]["vp_events"] += 1
            assert seen(other, rules, seat).tobytes() == before


@pytest.mark.parametrize("number", range(len(GAMES)))
def test_no_peeking_at_cards(number):
    """LO-16 other hands and the places of unseen cards are blank, one like the other; own cards are seen."""
    options, seats, policy = GAMES[number]
    rules = rules_of(options)
    for states in looked_at(options, seats, 53, policy):
        s = states[0]
        for seat in range(seats):
            view = seen(states, rules, seat)
            before = view.tobytes()
            assert view[0].hand_n.tolist() == s.hand_n.tolist()
            for other in range(seats):
                assert view[0].hand[other].tolist() == (s.hand[seat].tolist() if other == seat else [-1] * 5)
            for slot in range(5 * seats):
                now = seen(changed(states, "hand", slot, 77), rules, seat).tobytes()
                assert (now == before) == (slot // 5 != seat)
            for card in range(32):
                where = int(s.event_where[card])
                if reference(where, seat):
                    assert view[0].event_where[card] == where
                    assert seen(changed(states, "event_where", card, 11), rules, seat).tobytes() != before
                    continue
                assert view[0].event_where[card] == -1
                for elsewhere in [DECK, *(1 + q for q in range(seats)), *(7 + q for q in range(seats))]:
                    if not reference(elsewhere, seat):
                        other = changed(states, "event_where", card, elsewhere)
                        assert seen(other, rules, seat).tobytes() == before


def test_games_looked_at_show_all_that_may_be_hidden():
    """The games above have hands, unseen discards of several seats, active events, eliminated seats."""
    places, fallen = set(), 0
    for options, seats, policy in GAMES:
        for states in looked_at(options, seats, 7, policy):
            places |= set(states[0].event_where.tolist())
            fallen += int(states[0].alive[:seats].min()) == 0
    assert places >= {*range(5), 5, 6, 7, 8, 9, 10} and fallen


def test_hidden_points_are_not_told():
    """The points of a hand show nowhere: neither as a score nor in `leaders`, nor after a prevented card."""
    hands = ({0: [1, 9]}, {0: [0, 8]})  # 2 + 2 points, 0 + 0 points
    states = [given(hands=hand, seats=3, phase="spend").end_turn().states for hand in hands]
    for state in states:
        for name in ("stack", "event_deck", "event_where"):
            state[name] = states[0][name]
    views = [seen(state, rules_of(), 1) for state in states]
    assert views[0].tobytes() == views[1].tobytes()
    assert not views[0]["score"].any() and set(views[0]["leaders"].reshape(-1).tolist()) == {-1}
    prevented = [given(hands=hand).when("intel 5").states for hand in ({1: [2], 0: [1]}, {1: [2], 0: [9]})]
    for state in prevented:
        state["event_deck"] = prevented[0]["event_deck"]
    assert len({seen(state, rules_of(), 1).tobytes() for state in prevented}) == 1
    assert len({seen(state, rules_of(), 0).tobytes() for state in prevented}) == 2


def test_a_drawn_tile_and_offered_tiles_are_open():
    """LO-8.1, LO-8.8 tiles are drawn openly."""
    position = given(draw=[46, 47, 18], phase="place", options={"tile_choice": 3})
    for seat in (0, 1):
        view = seen(position.states, position.rules_array, seat)[0]
        assert view.offer.tolist() == [46, 47, 18]
        for number in range(5):
            copy = redealt(position.states, position.rules_array, seat, number)[0]
            assert sorted(copy.stack[: copy.stack_n]) == sorted(position.s.stack[: position.s.stack_n])
    position.when("tile 1")
    assert int(seen(position.states, position.rules_array, 1)[0].drawn) == 47


@pytest.mark.parametrize("number", range(len(GAMES)))
def test_redealt_states_are_sound(number):
    """A redeal looks the same, keeps what the seat knows, breaks no invariant; the choices are the same."""
    options, seats, policy = GAMES[number]
    rules, ids = rules_of(options), [np.zeros(game.max_actions, np.int64) for _ in range(2)]
    for n, states in enumerate(looked_at(options, seats, 29, policy)):
        seat = n % seats
        copy = redealt(states, rules, seat, n + 1)
        assert seen(copy, rules, seat).tobytes() == seen(states, rules, seat).tobytes()
        s, c = states[0], copy[0]
        tiles_known = [*s.tile_id[: s.n_tiles], s.drawn, *s.offer, *np.flatnonzero(s.tile_out)]
        unseen = set(range(len(TILES))) - {int(tile) for tile in tiles_known}
        in_stack = c.stack[: c.stack_n].tolist()
        assert len(set(in_stack)) == len(in_stack) and set(in_stack) <= unseen
        for card in range(32):
            if reference(int(s.event_where[card]), seat):
                assert c.event_where[card] == s.event_where[card]
            else:
                assert not reference(int(c.event_where[card]), seat) and c.event_where[card] != -1
        assert [int(n) for n in c.hand_n] == [int(n) for n in s.hand_n]
        who = int(s.seat)
        counts = [DRIVE.legal(x, rules, ids[i]) for i, x in enumerate((states, copy))]
        if who == seat:
            assert counts[0] == counts[1] and (ids[0][: counts[0]] == ids[1][: counts[0]]).all()
        copy["log"] = states["log"]
        assert game.problems(c, rules[0]) == []


def test_discards_of_others_are_redealt_among_others():
    """LO-16 the rest of the unseen cards are discards of any other seat; own discards stay what they are."""
    position = given(hands={0: [1], 1: [2, 3]}, seats=3).when("intel 5").to("intel", 1).when("intel 5")
    for number in range(20):
        mine = redealt(position.states, position.rules_array, 0, number)[0]
        assert int(mine.event_where[1]) == 7
        assert Counter(mine.event_where.tolist())[DECK] == int(position.s.event_n)
        assert sum(where in (8, 9, 10) for where in mine.event_where.tolist()) == 1
        third = redealt(position.states, position.rules_array, 2, number)[0]
        assert sum(where in (7, 8) for where in third.event_where.tolist()) == 2


def test_trimmed_tiles_are_unknown():
    """LO-2.3 the tiles at the bottom are put out of the game unseen: any of them may be in the stack."""
    options = {"tiles_trim": 20}
    walk = Walk(options, 2, 1).until("spend")
    names = set()
    for number in range(40):
        view = redealt(walk.states, walk.rules, 0, 31 * number + 1)[0]
        names |= set(view.stack[: view.stack_n].tolist())
    assert len(names) == 48 - 5


def chi_square(counts, places):
    expected = sum(counts.values()) / places
    return sum((counts[place] - expected) ** 2 for place in counts) / expected + expected * (
        places - len(counts)
    )


def test_redeals_are_uniform():
    """Every unseen tile is as likely next, every unseen card as likely next, in a hand, or discarded."""
    position = given(hands={0: [0], 1: [5, 6]}, events={9: 1}, seats=3, stack=30, phase="spend")
    tiles, deck, hand = Counter(), Counter(), Counter()
    for number in range(1200):
        view = redealt(position.states, position.rules_array, 0, 7919 * number + 1)[0]
        tiles[int(view.stack[view.stack_n - 1])] += 1
        deck[int(view.event_deck[view.event_n - 1])] += 1
        hand[int(view.hand[1, 1])] += 1
    assert chi_square(tiles, 30) < 60 and len(tiles) == 30
    assert chi_square(deck, 30) < 60 and chi_square(hand, 30) < 60
    assert {0, 9}.isdisjoint(deck) and {0, 9}.isdisjoint(hand)


@pytest.mark.parametrize("phase", ["discard_intel", "setup_dome"])
def test_starting_hands_are_hidden(phase):
    """LO-2.8 before the starting domes each seat sees its own cards alone."""
    walk = Walk(SPIES, 3, 1).until(phase)
    for seat in range(3):
        view = seen(walk.states, walk.rules, seat)[0]
        hands = [view.hand[q, : view.hand_n[q]].tolist() for q in range(3)]
        assert hands[seat] == walk.s.hand[seat, : walk.s.hand_n[seat]].tolist()
        assert all(set(hand) == {-1} for q, hand in enumerate(hands) if q != seat)


def test_fights_are_open():
    """LO-5 the seat that removes sees the same map as all others, whoever is active."""
    walk = Walk(FIGHT, 3, 5, busy)
    walk.until("remove")
    assert walk.now.phase == "remove"
    views = [seen(walk.states, walk.rules, seat)[0] for seat in range(3)]
    assert all((view[name] == walk.s[name]).all() for view in views for name in OPEN)
