"""Fair values of one option per seat, by straight lines for the log ratios of the shares near equality."""

import math
from collections.abc import Iterator
from itertools import combinations, product

import numpy as np

from simkit.analysis.fairness import POOLED
from simkit.runs.schemas.search import CurvePoint, FairValue
from simkit.stats import equalising
from simkit.studies.fair.measurement import (
    MAX_CLOSE_RUNS,
    MAX_WIDE_RUNS,
    Data,
    Measure,
    Solution,
    drawn_places,
    finite,
)
from simkit.studies.fair.request import Request
from simkit.studies.study import Setting

MAX_LOG_RATIO = 0.05  # largest log ratio to which lines are fitted, at 20,000 deals; fewer deals allow more


def many_options(request: Request, measure: Measure) -> Solution:
    """Return the fair setting of each lineup and of all together, with doubts and the curves to draw."""
    centre, radius = _nearby(request, measure)
    for number in range(MAX_CLOSE_RUNS):
        begin, end = _box(request, centre, radius)
        data = measure(request.close(_star(begin, end), number), f"close{number or ''}")
        solved = _solved(data, None, request)
        poor_fit = solved.lack < equalising.LACK
        if (begin <= solved.values).all() and (solved.values <= end).all() and not poor_fit:
            break
        centre, radius = solved.values, np.maximum(1.0, radius / 2) if poor_fit else radius
    fits = {data.label(lineup): _solved(data, lineup, request) for lineup in data.which}
    values = [row for label, fit in fits.items() for row in _values(label, fit, request)]
    curve = [row for label, fit in fits.items() for row in _curve(label, fit, request, (begin, end))]
    return Solution(values, _differing_pairs(fits), list(fits) if poor_fit else [], curve)


def _nearby(request: Request, measure: Measure) -> tuple[np.ndarray, np.ndarray]:
    """Return roughly where the seats are equal and the radius in which lines fit, found by cheap runs."""
    low, high = request.ranges
    centre, radius = (low + high) / 2, (high - low) / 2
    max_radius, max_log_ratio = np.maximum(1.0, radius), MAX_LOG_RATIO * (20_000 / request.deals) ** 0.25
    for number in range(MAX_WIDE_RUNS):
        experiment = request.wide(_star(*_box(request, centre, radius)), number)
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


def _star(low: np.ndarray, high: np.ndarray) -> list[Setting]:
    """Return the middle, and settings with one option each at its low or high end."""
    middle, axes = np.round((low + high) / 2), np.arange(len(low))
    ends = [np.where(axes == axis, end, middle) for axis in axes for end in (low, high)]
    return list(dict.fromkeys(tuple(int(x) for x in point) for point in [middle, *ends]))


def _solved(data: Data, lineup: int | None, request: Request) -> equalising.Setting:
    """Return the setting at which the seats of a lineup are equal."""
    means, covariance, _ = data.part(lineup)
    ranges = request.usual(request.vary), *request.ranges
    return equalising.equal_setting(data.settings, means, covariance, data.deals, ranges)


def _values(label: str, solved: equalising.Setting, request: Request) -> Iterator[FairValue]:
    """Yield the fair value of each option, and the whole numbers around them with the most equal seats."""
    corners = product(*(sorted({math.floor(x + 1e-9), math.ceil(x - 1e-9)}) for x in solved.values))
    best = min(corners, key=lambda x: float(np.ptp(solved.at(x))))  # seats expected nearest to equal
    for place, name in enumerate(request.vary):
        value, low, high = (finite(part[place]) for part in (solved.values, solved.low, solved.high))
        yield FairValue(lineup=label, option=name, value=value, low=low, high=high, best=best[place])


def _curve(
    label: str, solved: equalising.Setting, request: Request, box: tuple[np.ndarray, np.ndarray]
) -> Iterator[CurvePoint]:
    """Yield the shares of the seats along each option, with the others at their fair values."""
    for place, (name, *ends) in enumerate(zip(request.vary, *box, strict=True)):
        for x in drawn_places(*ends).tolist():
            setting = [*solved.values[:place], x, *solved.values[place + 1 :]]
            for seat, share in enumerate(solved.at(setting).tolist()):
                yield CurvePoint(lineup=label, option=name, seat=seat, x=x, share=share)


def _differing_pairs(fits: dict[str, equalising.Setting]) -> list[tuple[str, str]]:
    """Return pairs of lineups whose intervals do not overlap in some option."""
    pairs = combinations([label for label in fits if label != POOLED], 2)
    return [(a, b) for a, b in pairs if ((fits[a].low > fits[b].high) | (fits[b].low > fits[a].high)).any()]
