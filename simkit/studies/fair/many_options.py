"""Fair values of one option per seat, by straight lines for the log ratios of the shares near equality."""

import math
from collections.abc import Iterator
from itertools import combinations, product

import numpy as np

from simkit.stats import equalising
from simkit.studies.fair.request import (
    MAX_CLOSE_LOOKS,
    MAX_WIDE_LOOKS,
    POOLED,
    Data,
    Look,
    Request,
    Row,
    Solution,
    Value,
    fine,
)

MAX_LOG_RATIO = 0.05  # largest log ratio to which lines are fitted, at 20,000 deals; fewer deals allow more


def many_options(request: Request, measure: Look) -> Solution:
    """Return the fair setting of each lineup and of all together, with doubts and the curves to draw."""
    centre, radius = _nearby(request, measure)
    for number in range(MAX_CLOSE_LOOKS):
        begin, end = _box(request, centre, radius)
        data = measure(request.close_look(_star(begin, end), number), f"close{number or ''}")
        solved = _solved(data, None, request)
        poor_fit = solved.lack < equalising.LACK
        if (begin <= solved.values).all() and (solved.values <= end).all() and not poor_fit:
            break
        centre, radius = solved.values, np.maximum(1.0, radius / 2) if poor_fit else radius
    fits = [(data.label(lineup), _solved(data, lineup, request)) for lineup in data.which]
    values, box = [_value(*fit) for fit in fits], (begin, end)
    curve = [row for fit in fits for row in _curve_rows(*fit, request, box)]
    unfit = [value.lineup for value in values] if poor_fit else []
    return Solution(values, _differing_pairs(values), unfit, curve)


def _nearby(request: Request, measure: Look) -> tuple[np.ndarray, np.ndarray]:
    """Return roughly where the seats are equal and the radius in which lines fit, found by cheap runs."""
    low, high = request.ranges
    centre, radius = (low + high) / 2, (high - low) / 2
    max_radius, max_log_ratio = np.maximum(1.0, radius), MAX_LOG_RATIO * (20_000 / request.deals) ** 0.25
    for number in range(MAX_WIDE_LOOKS):
        experiment = request.first_look(_star(*_box(request, centre, radius)), number)
        solved = _solved(measure(experiment, f"wide{number or ''}"), None, request)
        slopes = np.maximum(np.abs(solved.coefficients[1:]).max(axis=1), 1e-9)
        half_width = np.where(np.isfinite(solved.high - solved.low), solved.high - solved.low, 0.0) / 2
        target = np.clip(np.maximum(half_width, max_log_ratio / slopes), 1.0, max_radius)
        central = (np.abs(solved.values - centre) <= np.maximum(1.0, radius / 2)).all()
        if central and (radius <= 1.5 * target).all():
            break
        centre, radius = solved.values, np.maximum(np.minimum(radius, target), radius / 2)
    return solved.values, target


def _box(request: Request, centre: np.ndarray, radius: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the ends of the settings within a radius of the centre, inside the ranges."""
    low, high = request.ranges
    return np.maximum(low, np.floor(centre - radius)), np.minimum(high, np.ceil(centre + radius))


def _star(low: np.ndarray, high: np.ndarray) -> list[tuple[int, ...]]:
    """Return the middle, and settings with one option each at its low or high end."""
    middle, axes = np.round((low + high) / 2), np.arange(len(low))
    ends = [np.where(axes == axis, end, middle) for axis in axes for end in (low, high)]
    return list(dict.fromkeys(tuple(int(x) for x in point) for point in [middle, *ends]))


def _solved(data: Data, lineup: int | None, request: Request) -> equalising.Setting:
    """Return the setting at which the seats of a lineup are equal."""
    means, covariance, _ = data.part(lineup)
    ranges = request.usual(), *request.ranges
    return equalising.equal_setting(data.settings, means, covariance, data.deals, ranges)


def _value(label: str, solved: equalising.Setting) -> Value:
    """Return the fair values of a lineup, and the whole numbers around them with the most equal seats."""
    corners = product(*(sorted({math.floor(x + 1e-9), math.ceil(x - 1e-9)}) for x in solved.values))
    best = min(corners, key=lambda x: float(np.ptp(solved.at(x))))  # seats expected nearest to equal
    return Value(label, solved.values.tolist(), solved.low.tolist(), solved.high.tolist(), best)


def _curve_rows(
    label: str, solved: equalising.Setting, request: Request, box: tuple[np.ndarray, np.ndarray]
) -> Iterator[Row]:
    """Yield the shares of the seats along each option, with the others at their fair values."""
    for place, (name, *ends) in enumerate(zip(request.vary, *box, strict=True)):
        for x in fine(*ends).tolist():
            setting = [*solved.values[:place], x, *solved.values[place + 1 :]]
            for seat, share in enumerate(solved.at(setting).tolist()):
                front = {"lineup": label, "option": name, "seat": seat, "x": x}
                yield front | {"share": share, "low": None, "high": None}


def _differing_pairs(values: list[Value]) -> list[tuple[str, str]]:
    """Return pairs of lineups whose intervals do not overlap in some option."""
    pairs = combinations([value for value in values if value.lineup != POOLED], 2)
    return [
        (a.lineup, b.lineup)
        for a, b in pairs
        if (np.greater(a.low, b.high) | np.greater(b.low, a.high)).any()
    ]
