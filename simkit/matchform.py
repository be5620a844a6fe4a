"""What a match of two strategies is: who sits where, and which experiments are one."""

from collections.abc import Sequence

MOST_ELO = 2_000.0


def lineups(one: str, other: str, seats: int) -> list[list[str]]:
    """One against the other in all rotations; of more seats each alone against a table of the other.

    >>> lineups("a", "b", 2), lineups("a", "b", 3)
    ([['a', 'b']], [['a', 'b', 'b'], ['b', 'a', 'a']])
    """
    alone = [one, *[other] * (seats - 1)]
    return [alone] if seats == 2 else [alone, [other, *[one] * (seats - 1)]]


def sides(played: Sequence[Sequence[str]]) -> tuple[str, str] | None:
    """The two strategies of the lineups of a match; None of others.

    >>> sides([["a", "b", "b"], ["b", "a", "a"]]), sides([["a", "a"]]), sides([["a", "b", "b"]])
    (('a', 'b'), None, None)
    """
    first = list(played[0])
    if len(first) < 2 or first[0] == first[-1]:
        return None
    wanted = lineups(first[0], first[-1], len(first))
    return (first[0], first[-1]) if [list(one) for one in played] == wanted else None
