"""Hex: its clauses, and boards filled at random."""

import itertools
from fractions import Fraction

import pytest

from reference.positions import act, exact_answer, given, legal, play, problems
from simkit.games.reference import hex_fill

game = hex_fill.game


def connected(stones, side, seat):
    """Whether the stones of a seat join its sides: cells (row, column) reached one after the other."""
    axis = 0 if seat == 0 else 1
    reached = {cell for cell in stones if cell[axis] == 0}
    waiting = list(reached)
    while waiting:
        row, column = waiting.pop()
        around = {
            (row - 1, column),
            (row - 1, column + 1),
            (row, column - 1),
            (row, column + 1),
            (row + 1, column - 1),
            (row + 1, column),
        }
        waiting += (around & stones) - reached
        reached |= around & stones
    return any(cell[axis] == side - 1 for cell in reached)


def test_HEX_1_the_board_has_as_many_cells_as_the_option_says():
    assert len(legal(game, given(game))) == 121 and len(legal(game, given(game), side=3)) == 9


def test_HEX_2_seats_place_stones_on_empty_cells_in_turn():
    s = act(game, given(game), 4, 0, side=3)
    assert s.seat == 0 and hex_fill.show(s, game.rules({"side": 3})[0]) == "O.. / .X. / ..."
    assert legal(game, s, side=3) == [1, 2, 3, 5, 6, 7, 8]


@pytest.mark.parametrize(
    ("cells", "winner"),
    [
        ([1, 0, 4, 2, 7], 0),  # straight down
        ([2, 0, 4, 1, 6], 0),  # down and to the left: the short diagonal is a chain
        ([0, 3, 1, 4, 8, 5], 1),  # straight across
        ([0, 6, 3, 4, 7, 2], 1),  # across along the short diagonal
    ],
)
def test_HEX_3_a_chain_between_the_own_sides_wins(cells, winner):
    s = act(game, given(game), *cells, side=3)
    assert (s.seat, s.rank[winner], s.rank[1 - winner], s.log.game.end_reason) == (
        -1,
        1,
        2,
        hex_fill.End.connection,
    )


def test_HEX_3_the_long_diagonal_is_no_chain():
    assert act(game, given(game), 0, 1, 4, 2, 8, side=3).seat == 1


def test_problems_are_named():
    assert "the stones do not alternate" in problems(game, given(game, board=[2] + [0] * 120))
    s = given(game)
    hex_fill.join(s, hex_fill.SIDES, hex_fill.SIDES + 1)
    assert problems(game, s) == ["the game does not end with the connection"]


@pytest.mark.parametrize("side", [2, 3, 4, 6, 11])
def test_exactly_the_winner_is_connected_and_would_stay_so_on_the_full_board(side):
    cells = [divmod(cell, side) for cell in range(side * side)]
    for s in play(game, "random*2", 40, side=side):
        stones = [{cell for i, cell in enumerate(cells) if s["board"][i] == seat + 1} for seat in (0, 1)]
        winner = 0 if s["rank"][0] == 1 else 1
        assert connected(stones[winner], side, winner) and not connected(stones[1 - winner], side, 1 - winner)
        full = set(cells) - stones[winner]
        assert not connected(full, side, 1 - winner)


@pytest.mark.parametrize(("side", "share"), [(2, Fraction(1, 2)), (3, Fraction(2, 3)), (4, Fraction(1, 2))])
def test_the_share_of_the_first_is_that_of_all_full_boards(side, share):
    cells = set(itertools.product(range(side), range(side)))
    boards = list(itertools.combinations(sorted(cells), (side * side + 1) // 2))
    wins = [connected(set(first), side, 0) for first in boards]
    assert Fraction(sum(wins), len(boards)) == share
    if side > 2:
        assert exact_answer(game, "share", seat=0, options={"side": side}) == float(share)
