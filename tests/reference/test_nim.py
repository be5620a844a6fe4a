"""Nim: its clauses, and the share of the first player at random play."""

import itertools
from fractions import Fraction
from functools import cache

import pytest

from reference.positions import act, given, legal, problems, start
from simkit.errors import UsageError
from simkit.games.reference import nim

game = nim.game


def take(heap, taken):
    return (heap - 1) * nim.MOST + taken - 1


def test_NIM_1_the_heaps_are_those_of_the_options():
    assert list(start(game).heap) == [3, 4, 5, 0]
    assert list(start(game, heap_1=0, heap_4=20).heap) == [0, 4, 5, 20]


def test_NIM_1_a_start_with_nothing_to_take_is_refused():
    with pytest.raises(UsageError, match="nim needs an object to take"):
        game.rules({"heap_1": 0, "heap_2": 0, "heap_3": 0})


def test_NIM_2_a_turn_takes_one_or_more_from_one_heap():
    s = given(game, heap=[2, 0, 1, 0])
    assert legal(game, s) == [take(1, 1), take(1, 2), take(3, 1)]
    assert list(act(game, s, take(1, 2)).heap) == [0, 0, 1, 0] and s.seat == 1


@pytest.mark.parametrize(("misere", "ranks"), [(False, [2, 1]), (True, [1, 2])])
def test_NIM_3_the_last_object_decides(misere, ranks):
    s = act(game, given(game, heap=[0, 3, 0, 0], seat=1), take(2, 3), misere=misere)
    assert (s.seat, list(s.rank), s.log.game.end_reason) == (-1, ranks, nim.End.nothing_left)


def test_problems_are_named():
    assert "a heap is below zero" in problems(game, given(game, heap=[-1, 2, 0, 0]))
    assert problems(game, given(game, heap=[0, 0, 0, 0])) == ["the game does not end with the last object"]


@cache
def first_wins(heaps, misere):
    """The chance of the seat to move at uniform random play."""
    if not sum(heaps):
        return Fraction(int(misere))
    after = [(*heaps[:i], left, *heaps[i + 1 :]) for i, heap in enumerate(heaps) for left in range(heap)]
    return sum(1 - first_wins(tuple(sorted(then)), misere) for then in after) / Fraction(len(after))


@pytest.mark.parametrize("misere", [False, True])
def test_random_play_is_fair_from_every_start_with_a_heap_of_two(misere):
    for heaps in itertools.combinations_with_replacement(range(6), 4):
        if max(heaps) >= 2:
            assert first_wins(heaps, misere) == Fraction(1, 2), heaps
    assert first_wins((0, 0, 0, 1), misere) == (0 if misere else 1)


def test_the_known_answers_are_those_of_their_starts():
    for known_answer in game.known_answers:
        rules = game.rules(known_answer.options)[0]
        heaps = tuple(sorted(int(rules[f"heap_{i}"]) for i in range(1, 5)))
        assert first_wins(heaps, bool(rules.misere)) == known_answer.value == Fraction(1, 2)


@cache
def is_won(heaps):
    """Whether the seat to move wins between perfect players."""
    after = [(*heaps[:i], left, *heaps[i + 1 :]) for i, heap in enumerate(heaps) for left in range(heap)]
    return any(not is_won(tuple(sorted(then))) for then in after)


def test_perfect_play_from_the_usual_heaps_is_won_by_the_first():
    assert is_won(tuple(sorted(option.default for option in game.options[:4]))) == game.words.perfect
