"""Stack, event deck, other hands, what others discarded unseen and what follows from them is hidden; redeals
fit what a seat sees (LO-16)."""

from collections import Counter

from simkit.games.lunar_outpost import game
from tests.of_games import sight

from .positions import given
from .walk import Walk


def redealt(states, rules, seat, number):
    return sight.redealt(game, states, rules, seat, number)


def test_discards_of_others_are_redealt_among_others():
    """LO-16 the rest of the unseen cards are discards of any other seat; own discards stay what they are."""
    position = given(hands={0: [1], 1: [2, 3]}, seats=3).when("intel 5").to("intel", 1).when("intel 5")
    for number in range(20):
        mine = redealt(position.states, position.rules_array, 0, number)[0]
        assert int(mine.event_where[1]) == 7
        assert Counter(mine.event_where.tolist())[0] == int(position.s.event_n)
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
