"""Text of the moves of a turn: all of a short turn, the ones that made the points of a long one."""

import re
from collections.abc import Sequence
from itertools import groupby
from operator import itemgetter

from simkit.formatting import counted

MAX_LETTERS = 200  # length of the text of a turn
MAX_MOVES = 3  # shown of a longer turn
Moves = Sequence[tuple[str, str]]  # (mover, move)


def moves_text(moves: Moves, gains: Sequence[float], player: str) -> str:
    """Return the text of a turn of `player`; `gains` holds what each move was worth to this player.

    The player's name is not repeated. Of a long turn, moves that gained points are shown, else the player's.

    >>> long = "repairs the old pump with what is left of the ship " * 4
    >>> moves_text([("red", "digs"), ("red", "builds")], [0, 2], "red")
    'digs; builds'
    >>> some = [("red", long), ("yellow", "sells"), ("red", "builds"), ("red", "rests")]
    >>> moves_text(some, [0, 0, 2, 0], "red"), moves_text(some, [0, 0, 0, 0], "yellow")
    ('builds; and 3 more moves', 'sells; and 3 more moves')
    """
    if len(text := _join_moves(moves, player)) <= MAX_LETTERS:
        return text
    best = sorted((place for place, gain in enumerate(gains) if gain > 0), key=lambda place: -gains[place])
    own = [place for place, (mover, _) in enumerate(moves) if mover == player]
    shown = sorted((best or own or range(len(moves)))[:MAX_MOVES])
    text = _join_moves([(moves[place][0], re.sub("; .*", "; …", moves[place][1])) for place in shown], player)
    left = len(moves) - len(shown)
    return f"{text}; and {counted(left, 'more move')}" if left else text


def _join_moves(moves: Moves, player: str) -> str:
    """Join the moves, those of each mover after the name unless it is `player` at the start."""
    texts, current = list[str](), player
    for mover, streak in groupby(moves, key=itemgetter(0)):
        named = "" if mover == current else f"{mover}: "
        texts.append(f"{named}{'; '.join(once([move for _, move in streak]))}")
        current = mover
    return "; ".join(texts)


def once(moves: list[str]) -> list[str]:
    """Shorten runs of three and more moves that differ only in numbers to the first and the last.

    >>> once(["passes", "bids 40", "bids 44", "bids 48", "passes", "passes", "passes"])
    ['passes', 'bids 40 …', 'bids 48', 'passes 3 times']
    """
    texts = list[str]()
    for _, similar in groupby(moves, lambda move: re.sub(r"\d+", "0", move)):
        first, *more = similar
        if len(more) < 2:
            texts += [first, *more]
        elif set(more) == {first}:
            texts.append(f"{first} {len(more) + 1} times")
        else:
            texts += [f"{first} …", more[-1]]
    return texts
