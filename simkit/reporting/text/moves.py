"""The moves of a turn that a sentence tells: of a short turn all, of a long one what made the points."""

import re
from collections.abc import Iterator, Sequence
from itertools import groupby
from operator import itemgetter

from simkit.formatting import counted

MOST_LETTERS = 200  # of the moves that are told of a turn
Moves = Sequence[tuple[str, str]]  # who, what


def moves_told(moves: Moves, gains: Sequence[float], name: str) -> str:
    """The moves of a turn, of which `gains` says what each was worth to `name`, who is not named again.

    Of a long turn in which nobody can say which move made the points, the first ones of `name`.

    >>> long = "repairs the old pump with what is left of the ship " * 4
    >>> moves_told([("red", "digs"), ("red", "builds")], [0, 2], "red")
    'digs; builds'
    >>> some = [("red", long), ("yellow", "sells"), ("red", "builds"), ("red", "rests")]
    >>> moves_told(some, [0, 0, 2, 0], "red")
    'builds; and 3 more moves'
    >>> moves_told(some, [0, 0, 0, 0], "yellow")
    'sells; and 3 more moves'
    >>> moves_told([("red", f"trades; {long}; sails"), ("red", "falls")], [1, 0], "yellow")
    'red: trades; …; and 1 more move'
    """
    if len(said := _said(moves, name)) <= MOST_LETTERS:
        return said
    best = sorted((at for at, gain in enumerate(gains) if gain > 0), key=lambda at: -gains[at])
    own = [at for at, (who, _) in enumerate(moves) if who == name]
    kept, room = dict[int, str](), MOST_LETTERS
    for at in best or own or range(len(moves)):
        what = moves[at][1]
        if kept and len(what.split("; ")[0]) > room:
            break
        kept[at] = _shortened(what, room)
        room -= len(kept[at])
    said, left = _said([(moves[at][0], kept[at]) for at in sorted(kept)], name), len(moves) - len(kept)
    return f"{said}; and {counted(left, 'more move')}" if left else said


def _shortened(what: str, room: int) -> str:
    """The first parts of a move, as many as there is room for."""
    first, *more = what.split("; ")
    while more and len(first) + len(more[0]) <= room:
        first += f"; {more.pop(0)}"
    return f"{first}; …" if more else first


def _said(moves: Moves, name: str) -> str:
    return "; ".join(_by_mover(moves, name))


def _by_mover(moves: Moves, name: str) -> Iterator[str]:
    """What each does in a row; who does it is named, but for `name` at the start."""
    now = name
    for who, some in groupby(moves, key=itemgetter(0)):
        named = "" if who == now else f"{who}: "
        yield f"{named}{'; '.join(once([what for _, what in some]))}"
        now = who


def once(moves: list[str]) -> list[str]:
    """Of three and more moves in a row that differ in numbers alone the first and the last.

    >>> once(["passes", "bids 40", "bids 44", "bids 48", "passes", "passes", "passes"])
    ['passes', 'bids 40 …', 'bids 48', 'passes 3 times']
    """
    said = list[str]()
    for _, some in groupby(moves, lambda move: re.sub(r"\d+", "0", move)):
        first, *more = some
        if len(more) < 2:
            said += [first, *more]
        elif set(more) == {first}:
            said.append(f"{first} {len(more) + 1} times")
        else:
            said += [f"{first} …", more[-1]]
    return said
