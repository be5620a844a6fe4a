"""Lineups of matches and of round robins, and how to recognise them."""

from collections.abc import Sequence
from itertools import combinations_with_replacement


def lineups(first: str, second: str, seats: int) -> list[list[str]]:
    """Return the lineups of a match, apart from rotations; with more than two seats, each plays alone once.

    >>> lineups("a", "b", 2), lineups("a", "b", 3)
    ([['a', 'b']], [['a', 'b', 'b'], ['b', 'a', 'a']])
    """
    alone = [first, *[second] * (seats - 1)]
    return [alone] if seats == 2 else [alone, [second, *[first] * (seats - 1)]]


def sides(played: Sequence[Sequence[str]]) -> tuple[str, str] | None:
    """Return the two strategies of the lineups of a match; None if they are not those of a match.

    >>> sides([["a", "b", "b"], ["b", "a", "a"]]), sides([["a", "a"]]), sides([["a", "b", "b"]])
    (('a', 'b'), None, None)
    """
    first = list(played[0])
    if len(first) < 2 or first[0] == first[-1]:
        return None
    wanted = lineups(first[0], first[-1], len(first))
    return (first[0], first[-1]) if [list(lineup) for lineup in played] == wanted else None


def everybody(played: Sequence[Sequence[str]]) -> list[str] | None:
    """Return the strategies of a round robin of two seats with mirrors; None for other lineups.

    >>> everybody([["a", "a"], ["a", "b"], ["b", "b"]]), everybody([["a", "b"]])
    (['a', 'b'], None)
    """
    if any(len(lineup) != 2 for lineup in played):
        return None
    names = list(dict.fromkeys(name for lineup in played for name in lineup))
    wanted = sorted(sorted(pair) for pair in combinations_with_replacement(names, 2))
    return names if sorted(sorted(lineup) for lineup in played) == wanted else None
