"""Tic-tac-toe: three in a row on a board of nine. Small enough to count every game at random play."""

from enum import IntEnum

from simkit.engine.compile.jit import rule
from simkit.engine.fields import Field, scalar, seat
from simkit.engine.game import Game, KnownAnswer, Words
from simkit.engine.rule_helpers import OVER, end, next_seat, rank_by_score

EMPTY, CELLS = 0, 9
LINES = ((0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6))
MARKS = "Mark in each cell, row by row: 0 = empty, 1 = seat 0, 2 = seat 1 [cell]"
End = IntEnum("End", "unfinished line full_board", start=0)


@rule
def setup(s, rules, rng):
    """Clear the board; seat 0 begins (TTT-1)."""


@rule
def legal(s, rules, out):
    """Write the empty cells (TTT-1)."""
    n = 0
    for cell in range(CELLS):
        out[n] = cell
        n += s.board[cell] == EMPTY
    return n


@rule
def apply(s, rules, action, rng):
    """Mark a cell (TTT-1); a line wins (TTT-2), a full board without one is a draw (TTT-3)."""
    s.board[action] = s.seat + 1
    s.ply += 1
    line = has_line(s, s.seat + 1)
    if not line and s.ply < CELLS:
        s.seat = next_seat(s)
    else:
        s.score[s.seat] = line
        rank_by_score(s)
        end(s, End.line if line else End.full_board)


@rule
def has_line(s, mark):
    """Return whether a mark fills a row, column or diagonal."""
    for a, b, c in LINES:
        if s.board[a] == mark and s.board[b] == mark and s.board[c] == mark:
            return True
    return False


def problems(s, rules) -> list[str]:
    """Return broken promises: marks alternate; a line or a full board ends the game."""
    marks = [int((s.board == mark).sum()) for mark in (1, 2)]
    faults = ["the marks do not alternate"] if marks[0] - marks[1] not in (0, 1) else []
    if (has_line(s, 1) or has_line(s, 2) or sum(marks) == CELLS) != (s.seat == OVER):
        faults.append("the game does not end with a line or a full board")
    return faults


def show(s, rules) -> str:
    marks = "".join(".XO"[mark] for mark in s.board)
    return " / ".join(marks[row : row + 3] for row in (0, 3, 6))


def describe(s, rules, action: int, after) -> str:
    return f"marks row {action // 3 + 1}, column {action % 3 + 1}"


RULES = """\
TTT-1  The seats take turns, beginning with seat 0, and mark an empty cell of the board of 3 by 3.
TTT-2  Three marks of one seat in a row, column or diagonal win at once.
TTT-3  A full board without such a line is a draw: the win is shared.
"""

COUNTED = "all games counted, each weighted with its chance at uniform random play"
KNOWN_ANSWERS = [
    KnownAnswer("share", 737 / 1260 + 4 / 63, COUNTED, "random*2", seat=0),
    KnownAnswer("share", 121 / 420 + 4 / 63, COUNTED, "random*2", seat=1),
    KnownAnswer("score", 737 / 1260, f"{COUNTED}: the first wins alone", "random*2", seat=0),
    KnownAnswer("score", 121 / 420, f"{COUNTED}: the second wins alone", "random*2", seat=1),
    KnownAnswer("draw", 8 / 63, COUNTED, "random*2"),
    KnownAnswer("turns", 3203 / 420, COUNTED, "random*2"),
    KnownAnswer("turns", 2 / 21, COUNTED, "random*2", equals=5),
]

game = Game(
    name="tic_tac_toe", title="Tic-tac-toe", seats=(2, 2),
    summary="three in a row; wins, draws and length of random play known", end_reasons=End, options=[],
    state=[Field("board", "i1", (CELLS,), MARKS, value=seat(1)), scalar("ply", "i1", "Marks on the board")],
    max_actions=CELLS, max_steps=CELLS,
    setup=setup, legal=legal, apply=apply, problems=problems, show=show, describe=describe,
    words=Words(RULES, perfect=0.5), known_answers=KNOWN_ANSWERS,
)  # fmt: skip
