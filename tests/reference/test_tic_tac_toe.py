"""Tic-tac-toe: its clauses, and every game counted."""

from fractions import Fraction
from functools import cache

import pytest

from reference.positions import act, exact_answer, given, legal, problems
from simkit.games.reference import tic_tac_toe as toe

game = toe.game
ROWS = ["012", "345", "678", "036", "147", "258", "048", "246"]


def board(text, seat):
    return given(game, board=[".XO".index(mark) for mark in text], seat=seat)


def test_TTT_1_seats_mark_empty_cells_in_turn():
    s = act(game, given(game), 4)
    assert (s.seat, toe.show(s, None)) == (1, "... / .X. / ...")
    assert legal(game, s) == [0, 1, 2, 3, 5, 6, 7, 8]


@pytest.mark.parametrize("line", ROWS)
@pytest.mark.parametrize("seat", [0, 1])
def test_TTT_2_three_in_a_row_win(line, seat):
    cells = [int(cell) for cell in line]
    s = board("".join("XO"[seat] if i in cells[:2] else "." for i in range(9)), seat)
    act(game, s, cells[2])
    assert (s.seat, s.rank[seat], s.rank[1 - seat], s.score[seat], s.log.game.end_reason) == (
        -1,
        1,
        2,
        1,
        toe.End.line,
    )


def test_TTT_3_a_full_board_is_a_draw():
    s = act(game, given(game), 0, 4, 8, 1, 7, 6, 2, 5, 3)
    assert (s.seat, list(s.rank), list(s.score), s.log.game.end_reason) == (
        -1,
        [1, 1],
        [0, 0],
        toe.End.full_board,
    )


def test_problems_are_named():
    assert problems(game, board("OO.......", 0)) == ["the marks do not alternate"]
    assert problems(game, board("XXXOO....", 1)) == ["the game does not end with a line or a full board"]


@cache
def ways(cells):
    """Chances of (result, length) at uniform random play, by rules of our own; result: 0 or 1 for the winner,
    2 for a draw."""
    plies = sum(mark != "." for mark in cells)
    if any({cells[int(i)] for i in row} == {"XO"[1 - plies % 2]} for row in ROWS):
        return {(1 - plies % 2, plies): Fraction(1)}
    if plies == 9:
        return {(2, 9): Fraction(1)}
    results = {}
    for i in [i for i in range(9) if cells[i] == "."]:
        for end, chance in ways(cells[:i] + "XO"[plies % 2] + cells[i + 1 :]).items():
            results[end] = results.get(end, 0) + chance / (9 - plies)
    return results


def test_the_known_answers_are_those_of_the_whole_tree():
    ends = ways("." * 9)
    won = [sum(chance for (result, _), chance in ends.items() if result == who) for who in range(3)]
    assert won == [Fraction(737, 1260), Fraction(121, 420), Fraction(8, 63)]
    assert sum(chance * plies for (_, plies), chance in ends.items()) == Fraction(3203, 420)
    assert sum(chance for (_, plies), chance in ends.items() if plies == 5) == Fraction(2, 21)
    for seat in (0, 1):
        assert exact_answer(game, "score", seat=seat) == float(won[seat])
        assert exact_answer(game, "share", seat=seat) == pytest.approx(float(won[seat] + won[2] / 2))
    assert (
        exact_answer(game, "draw"),
        exact_answer(game, "turns"),
        exact_answer(game, "turns", equals=5),
    ) == (8 / 63, 3203 / 420, 2 / 21)


@cache
def best(cells):
    """The share of the first player between perfect players, by rules of our own."""
    plies = sum(mark != "." for mark in cells)
    if any({cells[int(i)] for i in row} == {"XO"[1 - plies % 2]} for row in ROWS):
        return plies % 2
    after = [best(cells[:i] + "XO"[plies % 2] + cells[i + 1 :]) for i in range(9) if cells[i] == "."]
    return (min if plies % 2 else max)(after) if after else 0.5


def test_perfect_play_is_a_draw():
    assert best("." * 9) == game.words.perfect
