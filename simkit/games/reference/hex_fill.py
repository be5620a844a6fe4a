"""Hex: join your two sides of the board. Random play to the end gives the winner of a board filled at random.

Stones placed after the first connection cannot change who is connected, so the game stops there. Sides and
chains are sets of nodes that know their parent (union-find, Galler & Fischer, CACM 7, 1964).
"""

from enum import IntEnum

from simkit.engine.compile.jit import rule
from simkit.engine.fields import DERIVED, Field, seat
from simkit.engine.game import Game, KnownAnswer, Words
from simkit.engine.options import integer
from simkit.engine.rule_helpers import OVER, end, next_seat, rank_by_score

EMPTY, MOST = 0, 11
CELLS = MOST * MOST
SIDES, NODES = CELLS, CELLS + 4  # after the cells two sides for each seat: top, bottom, left, right
NEIGHBOURS = ((-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0))
STONES = "Stone in each cell, row by row: 0 = empty, 1 = seat 0, 2 = seat 1 [cell]"
JOINED = "Node that a cell or side (top, bottom, left, right) is joined to, itself if none [node]"
End = IntEnum("End", "unfinished connection", start=0)


@rule
def setup(s, rules, rng):
    """Clear the board; seat 0 begins (HEX-2)."""
    for node in range(NODES):
        s.parent[node] = node


@rule
def legal(s, rules, out):
    """Write the empty cells (HEX-2)."""
    n = 0
    for cell in range(rules.side * rules.side):
        out[n] = cell
        n += s.board[cell] == EMPTY
    return n


@rule
def apply(s, rules, action, rng):
    """Place a stone (HEX-2); joining one's two sides wins (HEX-3)."""
    s.board[action] = s.seat + 1
    join_around(s, rules.side, action)
    if is_connected(s, s.seat):
        s.score[s.seat] = 1
        rank_by_score(s)
        end(s, End.connection)
    else:
        s.seat = next_seat(s)


@rule
def join_around(s, side, cell):
    """Join a stone to the sides and stones of its seat that it touches."""
    place = cell // side if s.seat == 0 else cell % side
    if place == 0:
        join(s, cell, SIDES + 2 * s.seat)
    if place == side - 1:
        join(s, cell, SIDES + 2 * s.seat + 1)
    for down, right in NEIGHBOURS:
        row, column = cell // side + down, cell % side + right
        if 0 <= row < side and 0 <= column < side and s.board[row * side + column] == s.seat + 1:
            join(s, cell, row * side + column)


@rule
def join(s, a, b):
    s.parent[root(s, a)] = root(s, b)


@rule
def root(s, node):
    """Return the node that represents all that a node is joined to."""
    while s.parent[node] != node:
        node = s.parent[node]
    return node


@rule
def is_connected(s, seat):
    return root(s, SIDES + 2 * seat) == root(s, SIDES + 2 * seat + 1)


def problems(s, rules) -> list[str]:
    """Return broken promises: stones alternate; a connected seat ends the game."""
    stones = [int((s.board == seat + 1).sum()) for seat in (0, 1)]
    connected = [is_connected(s, seat) for seat in (0, 1)]
    broken = {
        "the stones do not alternate": stones[0] - stones[1] not in (0, 1),
        "both seats are connected": all(connected),
        "the game does not end with the connection": any(connected) != (s.seat == OVER),
    }
    return [problem for problem, holds in broken.items() if holds]


def show(s, rules) -> str:
    side = int(rules.side)
    stones = "".join(".XO"[stone] for stone in s.board[: side * side])
    return " / ".join(stones[row * side : (row + 1) * side] for row in range(side))


def describe(s, rules, action: int, after) -> str:
    return f"places a stone in row {action // rules.side + 1}, column {action % rules.side + 1}"


RULES = """\
HEX-1  The board is a rhombus of `side` by `side` hexagons. Seat 0 owns top and bottom, seat 1 left and right.
HEX-2  The seats take turns, beginning with seat 0, and place a stone on an empty cell.
HEX-3  Whoever joins the two own sides by a chain of own stones wins; exactly one seat can.
"""

BOARDS = "84 of the 126 boards with five first and four second stones"
HALF = "symmetry: both seats fill half of an even board"
KNOWN_ANSWERS = [
    KnownAnswer("share", share, why, "random*2", seat=0, options={"side": side})
    for side, share, why in ((3, 2 / 3, BOARDS), (4, 0.5, HALF), (6, 0.5, HALF))
]

game = Game(
    name="hex_fill", title="Hex", seats=(2, 2),
    summary="join your sides; filled at random, even boards are exactly fair", end_reasons=End,
    options=[integer("side", MOST, 2, MOST, "HEX-1", "Cells along each side of the board", label="side")],
    state=[Field("board", "i1", (CELLS,), STONES, value=seat(1)),
           Field("parent", "i2", (NODES,), JOINED, value=DERIVED)],
    max_actions=CELLS, max_steps=CELLS,
    setup=setup, legal=legal, apply=apply, problems=problems, show=show, describe=describe,
    words=Words(RULES), known_answers=KNOWN_ANSWERS,
)  # fmt: skip
