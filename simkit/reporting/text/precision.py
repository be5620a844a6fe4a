"""Detection of verdicts that shares in whole percent would hide."""

from collections.abc import Iterable
from typing import NamedTuple

from simkit.formatting import rounded
from simkit.stats.verdicts import BORDERLINE, FAIR, FAULTY, NOT_SETTLED, ON_TARGET

GOOD, OPEN = (FAIR, ON_TARGET), (NOT_SETTLED, FAULTY)  # OPEN cases may end on either side


class Judged(NamedTuple):
    """A share, or a distance from fair, with its fair value and its verdict."""

    share: float | None  # None where there is no verdict
    fair: float
    verdict: str


def whole_hides(judged: Iterable[Judged], margin: float) -> bool:
    """Return whether whole percents hide differing verdicts, or a wrong side of the margin.

    >>> whole_hides([Judged(0.518, 0.5, "FAIR"), Judged(0.522, 0.5, "BORDERLINE")], 0.02)
    True
    >>> whole_hides([Judged(0.524, 0.5, "UNFAIR")], 0.02), whole_hides([Judged(0.53, 0.5, "UNFAIR")], 0.02)
    (True, False)
    >>> whole_hides([Judged(None, 0.5, "FAIR")], 0.02)
    False
    """
    verdicts: dict[tuple[float, float], str] = {}
    for share, fair, verdict in judged:
        if share is None or verdict in OPEN:
            continue
        rounded_share = rounded(100 * share)
        if verdicts.setdefault((rounded_share, fair), verdict) != verdict:
            return True
        near = abs(rounded_share - 100 * fair) <= 100 * margin + 1e-9
        if verdict != BORDERLINE and near != (verdict in GOOD):
            return True
    return False
