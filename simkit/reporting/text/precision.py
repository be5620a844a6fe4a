"""Whether whole percents would hide what a verdict rests upon."""

from collections.abc import Iterable
from typing import NamedTuple

from simkit.formatting import rounded
from simkit.stats.verdicts import BORDERLINE, FAIR, FAULTY, NOT_SETTLED, ON_TARGET

GOOD, OPEN = (FAIR, ON_TARGET), (NOT_SETTLED, FAULTY)  # of open cases no share says which they will be


class Judged(NamedTuple):
    """A share, or a distance from fair, with what would be fair and its verdict."""

    share: float | None  # not known where nobody is judged
    fair: float
    verdict: str


def whole_hides(every: Iterable[Judged], margin: float) -> bool:
    """Whether in whole percent shares of unlike verdicts look alike, or one seems to be across the margin.

    >>> whole_hides([Judged(0.518, 0.5, "FAIR"), Judged(0.522, 0.5, "BORDERLINE")], 0.02)
    True
    >>> whole_hides([Judged(0.524, 0.5, "UNFAIR")], 0.02), whole_hides([Judged(0.53, 0.5, "UNFAIR")], 0.02)
    (True, False)
    >>> whole_hides([Judged(None, 0.5, "FAIR")], 0.02)
    False
    """
    looks: dict[tuple[float, float], str] = {}
    for share, fair, verdict in every:
        if share is None or verdict in OPEN:
            continue
        seen = rounded(100 * share)
        if looks.setdefault((seen, fair), verdict) != verdict:
            return True
        near = abs(seen - 100 * fair) <= 100 * margin + 1e-9
        if verdict != BORDERLINE and near != (verdict in GOOD):
            return True
    return False
