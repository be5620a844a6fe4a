"""Three lines: place stones on a small board; three in a row, column or diagonal win."""

from enum import IntEnum

from simkit import Field, Game, Position, add, end, integer, next_seat, rank_by_score, rule, scalar, seat

SIDE = 5  # of the largest board; a cell is row * SIDE + column
End = IntEnum("End", "line board_full", start=1)

STATE = [
    Field(
        "board", "i1", (SIDE, SIDE), "0 empty, else the seat of the stone + 1 [row, column]", value=seat(1)
    ),
    scalar("stones", "i1", "Stones on the board"),
]


@rule
def setup(s, rules, rng):
    """The board is empty; seat 0 begins (TL-1)."""


@rule
def legal(s, rules, out):
    """Offer the empty cells (TL-2)."""
    n = 0
    for row in range(rules.side):
        for column in range(rules.side):
            if s.board[row, column] == 0:
                n = add(out, n, row * SIDE + column)
    return n


@rule
def apply(s, rules, action, rng):
    """Place a stone (TL-2); a line wins (TL-3), a full board is a draw (TL-4)."""
    row, column = action // SIDE, action % SIDE
    s.board[row, column] = s.seat + 1
    s.stones += 1
    if has_line(s, rules, row, column):
        s.score[s.seat] = 1
        rank_by_score(s)
        end(s, End.line)
    elif s.stones == rules.side * rules.side:
        rank_by_score(s)
        end(s, End.board_full)
    else:
        s.seat = next_seat(s)


@rule
def has_line(s, rules, row, column):
    """Return whether a stone is part of three in a line (TL-3)."""
    for down, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
        if 1 + run(s, rules, row, column, down, right) + run(s, rules, row, column, -down, -right) >= 3:
            return True
    return False


@rule
def run(s, rules, row, column, down, right):
    """Return how many stones of the same seat follow in one direction."""
    n, r, c = 0, row + down, column + right
    while 0 <= r < rules.side and 0 <= c < rules.side and s.board[r, c] == s.board[row, column]:
        n, r, c = n + 1, r + down, c + right
    return n


def problems(s, rules):
    """Return broken invariants in words."""
    return [] if (s.board > 0).sum() == s.stones else ["the number of stones is wrong"]


def show(s, rules):
    """Return the board."""
    return "\n".join("".join(".XO"[stone] for stone in row[: rules.side]) for row in s.board[: rules.side])


def describe(s, rules, action, after):
    """Describe an action."""
    return f"places a stone in row {action // SIDE + 1}, column {action % SIDE + 1}"


TWO = {"board[0]": [1, 1, 0, 0, 0], "board[1]": [2, 2, 0, 0, 0], "stones": 4}
FULL = {"board[0]": [1, 2, 1, 0, 0], "board[1]": [1, 2, 2, 0, 0], "board[2]": [2, 1, 0, 0, 0], "stones": 8}
POSITIONS = [
    Position("TL-1, TL-2", then={"seat": 0, "legal": [r * SIDE + c for r in range(4) for c in range(4)]}),
    Position("TL-2", TWO, 3, {"board[0, 3]": 1, "seat": 1, "stones": 5}),
    Position("TL-3", TWO, 2, {"end": End.line, "rank": [1, 2]}),
    Position("TL-4", FULL, 2 * SIDE + 2, {"end": End.board_full, "rank": [1, 1]}, {"side": 3}),
]

game = Game(
    name="three_lines", title="Three lines", seats=(2, 2), summary="three in a line win", end_reasons=End,
    options=[integer("side", 4, 3, SIDE, "TL-1", "Cells of a side of the board")],
    state=STATE, max_actions=SIDE * SIDE,
    setup=setup, legal=legal, apply=apply, problems=problems, show=show, describe=describe,
    positions=POSITIONS,
)  # fmt: skip
