"""Who sits where in a match of two strategies, and in games of all against all; which experiments are one."""

from collections.abc import Sequence
from itertools import combinations_with_replacement

MOST_ELO = 2_000.0


def lineups(first: str, second: str, seats: int) -> list[list[str]]:
    """One against the other in all rotations; of more seats each alone against a table of the other.

    >>> lineups("a", "b", 2), lineups("a", "b", 3)
    ([['a', 'b']], [['a', 'b', 'b'], ['b', 'a', 'a']])
    """
    alone = [first, *[second] * (seats - 1)]
    return [alone] if seats == 2 else [alone, [second, *[first] * (seats - 1)]]


def sides(played: Sequence[Sequence[str]]) -> tuple[str, str] | None:
    """The two strategies of the lineups of a match; None of others.

    >>> sides([["a", "b", "b"], ["b", "a", "a"]]), sides([["a", "a"]]), sides([["a", "b", "b"]])
    (('a', 'b'), None, None)
    """
    first = list(played[0])
    if len(first) < 2 or first[0] == first[-1]:
        return None
    wanted = lineups(first[0], first[-1], len(first))
    return (first[0], first[-1]) if [list(lineup) for lineup in played] == wanted else None


def everybody(played: Sequence[Sequence[str]]) -> list[str] | None:
    """The strategies of lineups of two seats in which each meets each, itself too, once; None of others.

    >>> everybody([["a", "a"], ["a", "b"], ["b", "b"]]), everybody([["a", "b"]])
    (['a', 'b'], None)
    """
    if any(len(lineup) != 2 for lineup in played):
        return None
    names = list(dict.fromkeys(name for lineup in played for name in lineup))
    wanted = sorted(sorted(pair) for pair in combinations_with_replacement(names, 2))
    return names if sorted(sorted(lineup) for lineup in played) == wanted else None
