"""Turning points of a game: lasting leads and the largest swings, from the scores at the end of each turn."""

from collections.abc import Sequence
from itertools import takewhile
from typing import NamedTuple

from simkit.errors import UsageError

Scores = Sequence[Sequence[float]]  # [turn][seat], at the end of each turn
MOST_LEADS, MOST_SWINGS = 3, 2


class TurningPoint(NamedTuple):
    """A decisive turn: a seat takes a lasting lead, or gains most on the others."""

    turn: int  # 1-based
    seat: int
    kind: str  # "lead" or "swing"
    turns: int  # turns until another seat leads, this one included; 0 for a swing
    gain: float  # points gained in the turn on the mean of the other seats
    for_good: bool  # whether the seat leads alone at every turn from here to the end
    alone: int = 0  # number of consecutive turns for which it leads alone


def turning_points(scores: Scores) -> list[TurningPoint]:
    """Return at most MOST_LEADS lasting changes of the lead and MOST_SWINGS swings, in order of the turns.

    Definition (simkit's own): a seat leads if its score is the best and no other's; a tie does not change the
    lead. A lead lasts if it is held for as many turns as there are seats (one round of the table), or to the
    end; the first lead is no change. Of more leads the last one counts, and the longest. The gain of a seat
    in a turn is that of its score less the mean score of the others; a swing is one of the turns with the
    largest gains, each at least twice the mean over turns of the largest gain in a turn.

    >>> [(point.turn, point.seat, point.kind) for point in
    ...  turning_points([(1, 0), (2, 0), (2, 9), (2, 9), (4, 9), (4, 10)])]
    [(3, 1, 'lead')]
    """
    if not scores or len({len(row) for row in scores}) != 1 or len(scores[0]) < 2:
        raise UsageError("turning points need the scores of two seats or more, the same seats at every turn")
    changes = _leads(scores)[1:]
    lasting = [lead for lead in changes[:-1] if lead[2] >= len(scores[0])]
    chosen = sorted(lasting, key=lambda lead: -lead[2])[: MOST_LEADS - 1] + changes[-1:]
    leads = [_lead(scores, *lead) for lead in chosen]
    return sorted([*leads, *_swings(scores, {turn for turn, _, _ in chosen})])


def _leads(scores: Scores) -> list[tuple[int, int, int]]:
    """Return every lead: the turn in which it is taken, the seat, and for how many turns it is held."""
    taken: list[tuple[int, int]] = []
    for turn, row in enumerate(scores, 1):
        best = [seat for seat, score in enumerate(row) if score == max(row)]
        if len(best) == 1 and (not taken or taken[-1][1] != best[0]):
            taken.append((turn, best[0]))
    ends = [turn for turn, _ in taken[1:]] + [len(scores) + 1]
    return [(turn, seat, end - turn) for (turn, seat), end in zip(taken, ends, strict=True)]


def _lead(scores: Scores, turn: int, seat: int, turns: int) -> TurningPoint:
    rows = scores[turn - 1 : turn - 1 + turns]
    alone = len(list(takewhile(lambda row: row[seat] > max(_others(row, seat)), rows)))
    for_good = turn - 1 + alone == len(scores)
    return TurningPoint(turn, seat, "lead", turns, _gain(scores, turn, seat), for_good, alone)


def _others(row: Sequence[float], seat: int) -> list[float]:
    return [score for place, score in enumerate(row) if place != seat]


def _gain(scores: Scores, turn: int, seat: int) -> float:
    def ahead(row: Sequence[float]) -> float:
        return row[seat] - (sum(row) - row[seat]) / (len(row) - 1)

    return ahead(scores[turn - 1]) - ahead(scores[turn - 2]) if turn > 1 else 0.0


def _swings(scores: Scores, lead_turns: set[int]) -> list[TurningPoint]:
    """Return the turns with the largest gains, except turns in which a listed lead is taken."""
    turns, seats = range(2, len(scores) + 1), range(len(scores[0]))
    gains = [max((_gain(scores, turn, seat), -seat) for seat in seats) for turn in turns]
    usual = sum(gain for gain, _ in gains) / max(1, len(gains))
    swings = [
        (-gain, turn, -seat)
        for turn, (gain, seat) in zip(turns, gains, strict=True)
        if gain >= 2 * usual > 0 and turn not in lead_turns
    ]
    largest = sorted(swings)[:MOST_SWINGS]
    return [TurningPoint(turn, seat, "swing", 0, -gain, False) for gain, turn, seat in largest]
