"""One option per seat: log ratios of the shares are straight lines near the setting where all are equal."""

import math
from collections.abc import Iterator
from itertools import combinations, product

import numpy as np

from simkit.stats import equalising
from simkit.studies.fair import request
from simkit.studies.fair.request import POOLED, Asked, Data, Look, Row, Solution, Value, fine

NEARER = 0.05  # log ratios from equal that lines are fitted to, at 20,000 deals; fewer show bends less


def many_options(asked: Asked, look: Look) -> Solution:
    """The fair setting for each lineup and for all together, what to beware of, the curves."""
    centre, radius = _nearby(asked, look)
    for number in range(request.MOST_CLOSE):
        begin, end = _box(asked, centre, radius)
        known = look(asked.close_look(_star(begin, end), number), f"close{number or ''}")
        found = _solved(known, None, asked)
        lacking = found.lack < equalising.LACK
        if (begin <= found.values).all() and (found.values <= end).all() and not lacking:
            break
        centre, radius = found.values, np.maximum(1.0, radius / 2) if lacking else radius
    fits = [(known.label(lineup), _solved(known, lineup, asked)) for lineup in known.which]
    values, box = [_value(*fit) for fit in fits], (begin, end)
    curve = [row for fit in fits for row in _drawn(*fit, asked, box)]
    return Solution(values, _apart(values), [value.lineup for value in values] if lacking else [], curve)


def _nearby(asked: Asked, look: Look) -> tuple[np.ndarray, np.ndarray]:
    """About where the seats are equal, and how far from there straight lines reach: by cheap looks."""
    low, high = asked.ranges
    centre, radius = (low + high) / 2, (high - low) / 2
    most, near = np.maximum(1.0, radius), NEARER * (20_000 / asked.deals) ** 0.25
    for number in range(request.MOST_WIDE):
        nearby = asked.first_look(_star(*_box(asked, centre, radius)), number)
        found = _solved(look(nearby, f"wide{number or ''}"), None, asked)
        slopes = np.maximum(np.abs(found.coefficients[1:]).max(axis=1), 1e-9)
        known = np.where(np.isfinite(found.high - found.low), found.high - found.low, 0.0) / 2
        wanted = np.clip(np.maximum(known, near / slopes), 1.0, most)
        central = (np.abs(found.values - centre) <= np.maximum(1.0, radius / 2)).all()
        if central and (radius <= 1.5 * wanted).all():
            break
        centre, radius = found.values, np.maximum(np.minimum(radius, wanted), radius / 2)
    return found.values, wanted


def _box(asked: Asked, centre: np.ndarray, radius: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    low, high = asked.ranges
    return np.maximum(low, np.floor(centre - radius)), np.minimum(high, np.ceil(centre + radius))


def _star(low: np.ndarray, high: np.ndarray) -> list[tuple[int, ...]]:
    """The middle, and from there each option at its low and its high end."""
    middle, axes = np.round((low + high) / 2), np.arange(len(low))
    ends = [np.where(axes == axis, end, middle) for axis in axes for end in (low, high)]
    return list(dict.fromkeys(tuple(int(x) for x in point) for point in [middle, *ends]))


def _solved(known: Data, lineup: int | None, asked: Asked) -> equalising.Setting:
    means, covariance, _ = known.part(lineup)
    ranges = asked.usual(), *asked.ranges
    return equalising.equal_setting(known.settings, means, covariance, known.deals, ranges)


def _value(label: str, found: equalising.Setting) -> Value:
    corners = product(*(sorted({math.floor(x + 1e-9), math.ceil(x - 1e-9)}) for x in found.values))
    best = min(corners, key=lambda x: float(np.ptp(found.at(x))))  # seats expected nearest to equal
    return Value(label, found.values.tolist(), found.low.tolist(), found.high.tolist(), best)


def _drawn(
    label: str, found: equalising.Setting, asked: Asked, box: tuple[np.ndarray, np.ndarray]
) -> Iterator[Row]:
    """The shares of the seats along each option, the others at their fair values; without intervals."""
    for place, (name, *ends) in enumerate(zip(asked.vary, *box, strict=True)):
        for x in fine(*ends).tolist():
            setting = [*found.values[:place], x, *found.values[place + 1 :]]
            for seat, share in enumerate(found.at(setting).tolist()):
                front = {"lineup": label, "option": name, "seat": seat, "x": x}
                yield front | {"share": share, "low": None, "high": None}


def _apart(values: list[Value]) -> list[tuple[str, str]]:
    """Lineups whose intervals do not meet in some option."""
    pairs = combinations([value for value in values if value.lineup != POOLED], 2)
    return [
        (a.lineup, b.lineup)
        for a, b in pairs
        if (np.greater(a.low, b.high) | np.greater(b.low, a.high)).any()
    ]
