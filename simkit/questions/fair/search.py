"""The search for a fair value: along one option by lines through the shares, along several by log ratios."""

import math
from collections.abc import Iterator
from itertools import combinations, product
from typing import NamedTuple

import numpy as np

from simkit.ask.study import SettingValues
from simkit.questions.fair.measurement import (
    Data,
    FairRequest,
    MeasureRun,
    Solution,
    drawn_places,
    finite,
    pool,
)
from simkit.questions.fair.result import POOLED, CurvePoint, FairValue
from simkit.stats import crossing, equalising
from simkit.stats.crossing import Crossing, Polyline
from simkit.stats.quantiles import normal

MAX_WIDE_RUNS = 8  # cheap rounds that find where the shares are near fair
MAX_CLOSE_RUNS = 4  # closer rounds, each narrower than the one before


# One option: where the first player's shares, joined by straight lines, are fair.

MAX_VALUES = 9  # values measured in a window
MAX_OPEN_VALUES = 5  # values measured in a window of values that are not surely off fair
MAX_DEALS_FACTOR = 3.0  # most deals per value of a look at few values, in deals of the request
NEAR_FAIR = 0.7  # distance from fair in log odds that counts as near: 33 to 67 % for two seats


class Window(NamedTuple):
    """The part of a range in which one lineup comes close to fair, and roughly where it is fair."""

    low: int
    high: int
    near: float
    local: bool  # whether its shares are near enough to fair

    def holds(self, x: np.ndarray) -> np.ndarray:
        """Return the indices of the values that lie in the window."""
        return np.flatnonzero((self.low <= x) & (x <= self.high))


class Fitted(NamedTuple):
    """The shares of a lineup at all values of the close runs, and the point at which it is fair."""

    lineup: str
    window: Window
    lines: list[Polyline]  # of the first player (the team); with three or more seats of every seat
    onto: np.ndarray  # weights of the first line on all measurements
    fair_point: Crossing | None


def one_option(request: FairRequest, measure: MeasureRun) -> Solution:
    """Return the fair value of each lineup and of all together, with doubts and the curves to draw."""
    data, fits = _play_close_runs(request, measure, _windows(request, measure))
    curve = [row for fit in fits for row in _curve(fit, request)]
    return Solution([_value(fit, request) for fit in fits], _differing_pairs(data, fits, request), [], curve)


def _play_close_runs(
    request: FairRequest, measure: MeasureRun, windows: list[Window]
) -> tuple[Data, list[Fitted]]:
    """Play the close runs, and return them pooled, with a fit per lineup.

    Each plays the values that are not surely off fair so far. There are at least two runs, and more until one
    plays all whole numbers of its windows. A run at fewer values has more deals, so that all runs have about
    the same number of games.
    """
    parts: list[Data] = []
    max_values, open_windows = MAX_VALUES, windows
    for number in range(MAX_CLOSE_RUNS):
        grids = [_grid(request, window, max_values) for window in open_windows]
        values = _together(grids)
        times = min(MAX_DEALS_FACTOR, max(1.0, MAX_VALUES / len(values))) if number else 1.0
        parts.append(measure(request.close(values, number, times), f"close{number or ''}"))
        data = pool(parts)
        fits = [_fit_lineup(data, *pair, request) for pair in zip(data.which, windows, strict=True)]
        open_windows = [_narrower(fit.lines[0], fit.fair_point, request) for fit in fits if fit.fair_point]
        max_values = MAX_OPEN_VALUES
        complete = all(np.diff(grid).max() == 1 for grid in grids)
        if not open_windows or (number and complete):
            break
    return data, fits


def _windows(request: FairRequest, measure: MeasureRun) -> list[Window]:
    """Return the part of the range to measure for each lineup and all together, narrowed by cheap runs."""
    ((low, high),) = request.vary.values()
    windows = [Window(low, high, math.nan, False)]
    for number in range(MAX_WIDE_RUNS):
        open_windows = [window for window in windows if not window.local]
        if not open_windows:
            break
        values = _together([_grid(request, window, MAX_VALUES) for window in open_windows])
        data = measure(request.wide(values, number), f"wide{number or ''}")
        previous = windows if number else windows * len(data.which)
        pairs = zip(data.which, previous, strict=True)
        windows = [old if old.local else _window(request, data, lineup, old) for lineup, old in pairs]
    return windows


def _grid(request: FairRequest, window: Window, max_values: int) -> list[int]:
    """Return values across a window: every whole number, or every second, fourth, ... from the low end.

    The values of a coarse grid are part of every finer one, so that earlier measurements remain useful.
    """
    ((low, high),) = request.vary.values()
    step, places = 1, range(window.low - low, window.high - low + 1)
    while len(places) > max(max_values, 2):
        step *= 2
        places = range((window.low - low) // step, -((low - window.high) // step) + 1)
    return [min(high, low + step * place) for place in places]


def _together(grids: list[list[int]]) -> list[SettingValues]:
    """Return the values of several grids as settings, in order."""
    return [(value,) for value in sorted({value for grid in grids for value in grid})]


def _window(request: FairRequest, data: Data, lineup: int | None, previous: Window) -> Window:
    """Return all values near fair around the sign change nearest the usual value, or a part to refine."""
    ((lowest, highest),) = request.vary.values()
    inside = previous.holds(data.values)
    values, off = data.values[inside], data.odds(lineup, inside).values - _fair_odds(request)
    left, right, near = _bracket(values, off, request.usual(request.vary)[0])
    step = int(values[right] - values[left])
    if step > 1 and max(abs(off[left]), abs(off[right])) > 2 * NEAR_FAIR:
        low, high = max(lowest, int(values[left]) - step // 2), min(highest, int(values[right]) + step // 2)
        return Window(low, high, near, local=(low, high) == previous[:2])
    ends = [_reach(values, off, start, near, direction) for start, direction in ((left, -1), (right, 1))]
    low, high = max(lowest, math.floor(ends[0])), min(highest, math.ceil(ends[1]))
    return Window(max(lowest, min(low, high - 1)), min(highest, max(high, low + 1)), near, local=True)


def _bracket(values: np.ndarray, off: np.ndarray, usual: float) -> tuple[int, int, float]:
    """Return the indices of two neighbours around fair (else of the nearest), and roughly where fair lies."""
    sign_changes = [i for i in range(len(values) - 1) if off[i] * off[i + 1] <= 0]
    if not sign_changes:
        nearest = int(np.argmin(np.abs(off)))
        return max(0, nearest - 1), min(len(values) - 1, nearest + 1), float(values[nearest])
    i = min(sign_changes, key=lambda place: abs(values[place] - usual))
    fraction = off[i] / (off[i] - off[i + 1]) if off[i] != off[i + 1] else 0.5
    return i, i + 1, float(values[i] + fraction * (values[i + 1] - values[i]))


def _reach(values: np.ndarray, off: np.ndarray, start: int, near: float, direction: int) -> float:
    """Return how far from `start` the log odds, joined by straight lines, stay within NEAR_FAIR of fair."""
    inner, inner_off, place = near, 0.0, start
    while 0 <= place < len(values) and abs(off[place]) <= NEAR_FAIR:
        inner, inner_off, place = float(values[place]), abs(float(off[place])), place + direction
    if not 0 <= place < len(values):
        return inner
    span, outer_off = float(values[place]) - inner, abs(float(off[place]))
    return inner + span * (NEAR_FAIR - inner_off) / (outer_off - inner_off)


def _fair_odds(request: FairRequest) -> float:
    """Return the log odds of the fair share."""
    return math.log(request.fair / (1 - request.fair))


def _fit_lineup(data: Data, lineup: int | None, window: Window, request: FairRequest) -> Fitted:
    """Return the lines of a lineup and the point at which it is fair."""
    line, onto = data.line(lineup)
    further_seats = range(1, 0 if request.one_share or request.seats == 2 else request.seats)
    lines = [line, *(data.line(lineup, seat)[0] for seat in further_seats)]
    fair_point = crossing.crossing(line, request.fair, window.near)
    fair_point = fair_point and _extend_to_played(fair_point, line.x)
    return Fitted(data.label(lineup), window, lines, onto, fair_point)


def _extend_to_played(fair_point: Crossing, played: np.ndarray) -> Crossing:
    """Return the fair point with the ends of its interval moved out to the nearest values played."""
    low = played[played <= fair_point.low].max(initial=-math.inf)
    high = played[played >= fair_point.high].min(initial=math.inf)
    return Crossing(fair_point.value, float(low), float(high))


def _narrower(line: Polyline, fair_point: Crossing, request: FairRequest) -> Window:
    """Return the part that is not surely off fair, half the line's length beyond its end where it is open."""
    ((lowest, highest),) = request.vary.values()
    low, high = crossing.connected(line, request.fair, fair_point.value)
    first, last = line.x[[0, -1]]
    margin = (last - first) / 2
    begin = max(lowest, math.floor(first - margin if math.isinf(low) else low))
    end = min(highest, math.ceil(last + margin if math.isinf(high) else high))
    return Window(min(begin, highest - 1), max(end, begin + 1), fair_point.value, local=True)


def _value(fit: Fitted, request: FairRequest) -> FairValue:
    """Return the fair value of a lineup with its interval and the best whole number."""
    (name,), point = request.vary, fit.fair_point
    value, low, high = map(finite, point or (math.nan, math.nan, math.nan))
    best = _best(fit, request)
    return FairValue(lineup=fit.lineup, option=name, value=value, low=low, high=high, best=best)


def _best(fit: Fitted, request: FairRequest) -> int:
    """Return the whole number next to the fair value at which the farthest seat is closest to fair.

    With three or more seats, or without a fair value, any whole number of the window qualifies.
    """
    whole = np.arange(fit.window.low, fit.window.high + 1)
    if fit.fair_point and len(fit.lines) == 1:
        whole = np.unique([math.floor(fit.fair_point.value), math.ceil(fit.fair_point.value)])
    off = np.abs([line.at(whole) - request.fair for line in fit.lines]).max(axis=0)
    return int(whole[np.argmin(off)])


def _curve(fit: Fitted, request: FairRequest) -> Iterator[CurvePoint]:
    """Yield the lines with their 95 % intervals, over the window and as far as the fair value."""
    (name,) = request.vary
    ends = [fit.window.low, fit.window.high, *([fit.fair_point.value] if fit.fair_point else [])]
    begin, end = math.floor(min(ends)), math.ceil(max(ends))
    knots = fit.lines[0].x[(begin <= fit.lines[0].x) & (fit.lines[0].x <= end)]
    places = np.unique(np.concatenate([drawn_places(begin, end), knots]))
    for seat, line in enumerate(fit.lines):
        shares, half = line.at(places), normal(0.95) * line.error(places)
        curve = np.stack([shares, shares - half, shares + half]).clip(0, 1).T.tolist()
        for x, (share, low, high) in zip(places.tolist(), curve, strict=True):
            yield CurvePoint(lineup=fit.lineup, option=name, seat=seat, x=x, share=share, low=low, high=high)


def _differing_pairs(data: Data, fits: list[Fitted], request: FairRequest) -> list[tuple[str, str]]:
    """Return pairs of lineups whose fair values differ beyond noise (Bonferroni over the pairs)."""
    fitted = [i for i, fit in enumerate(fits[: len(data.labels)]) if fit.fair_point]
    pairs, differing = list(combinations(fitted, 2)), []
    for i, j in pairs:
        common, level = fits[i].onto @ data.covariance @ fits[j].onto.T, 1 - 0.05 / len(pairs)
        if crossing.crossings_differ(fits[i].lines[0], fits[j].lines[0], common, request.fair, level):
            differing.append((data.labels[i], data.labels[j]))
    return differing


# One option per seat: straight lines for the log ratios of the shares near equality.

MAX_LOG_RATIO = 0.05  # largest log ratio to which lines are fitted, at 20,000 deals; fewer deals allow more


def many_options(request: FairRequest, measure: MeasureRun) -> Solution:
    """Return the fair setting of each lineup and of all together, with doubts and the curves to draw."""
    centre, radius = _nearby(request, measure)
    for number in range(MAX_CLOSE_RUNS):
        begin, end = _box(request, centre, radius)
        data = measure(request.close(_star(begin, end), number), f"close{number or ''}")
        solved = _fair_setting(data, None, request)
        poor_fit = solved.lack < equalising.LACK
        if (begin <= solved.values).all() and (solved.values <= end).all() and not poor_fit:
            break
        centre, radius = solved.values, np.maximum(1.0, radius / 2) if poor_fit else radius
    fits = {data.label(lineup): _fair_setting(data, lineup, request) for lineup in data.which}
    values = [row for label, fit in fits.items() for row in _values(label, fit, request)]
    curve = [
        row for label, fit in fits.items() for row in _curves_by_option(label, fit, request, (begin, end))
    ]
    return Solution(values, _disjoint_pairs(fits), list(fits) if poor_fit else [], curve)


def _nearby(request: FairRequest, measure: MeasureRun) -> tuple[np.ndarray, np.ndarray]:
    """Return roughly where the seats are equal and the radius in which lines fit, found by cheap runs."""
    low, high = request.ranges
    centre, radius = (low + high) / 2, (high - low) / 2
    max_radius, max_log_ratio = np.maximum(1.0, radius), MAX_LOG_RATIO * (20_000 / request.deals) ** 0.25
    for number in range(MAX_WIDE_RUNS):
        experiment = request.wide(_star(*_box(request, centre, radius)), number)
        solved = _fair_setting(measure(experiment, f"wide{number or ''}"), None, request)
        slopes = np.maximum(np.abs(solved.coefficients[1:]).max(axis=1), 1e-9)
        half_width = np.where(np.isfinite(solved.high - solved.low), solved.high - solved.low, 0.0) / 2
        target = np.clip(np.maximum(half_width, max_log_ratio / slopes), 1.0, max_radius)
        central = (np.abs(solved.values - centre) <= np.maximum(1.0, radius / 2)).all()
        if central and (radius <= 1.5 * target).all():
            break
        centre, radius = solved.values, np.maximum(np.minimum(radius, target), radius / 2)
    return solved.values, target


def _box(request: FairRequest, centre: np.ndarray, radius: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the ends of the settings within a radius of the centre, inside the ranges."""
    low, high = request.ranges
    return np.maximum(low, np.floor(centre - radius)), np.minimum(high, np.ceil(centre + radius))


def _star(low: np.ndarray, high: np.ndarray) -> list[SettingValues]:
    """Return the middle, and settings with one option each at its low or high end."""
    middle, axes = np.round((low + high) / 2), np.arange(len(low))
    ends = [np.where(axes == axis, end, middle) for axis in axes for end in (low, high)]
    return list(dict.fromkeys(tuple(int(x) for x in point) for point in [middle, *ends]))


def _fair_setting(data: Data, lineup: int | None, request: FairRequest) -> equalising.Setting:
    """Return the setting at which the seats of a lineup are equal."""
    means, covariance, _ = data.part(lineup)
    ranges = request.usual(request.vary), *request.ranges
    return equalising.equal_setting(data.settings, means, covariance, data.deals, ranges)


def _values(label: str, solved: equalising.Setting, request: FairRequest) -> Iterator[FairValue]:
    """Yield the fair value of each option, and the whole numbers around them with the most equal seats."""
    corners = product(*(sorted({math.floor(x + 1e-9), math.ceil(x - 1e-9)}) for x in solved.values))
    best = min(corners, key=lambda x: float(np.ptp(solved.at(x))))  # seats expected nearest to equal
    for place, name in enumerate(request.vary):
        value, low, high = (finite(part[place]) for part in (solved.values, solved.low, solved.high))
        yield FairValue(lineup=label, option=name, value=value, low=low, high=high, best=best[place])


def _curves_by_option(
    label: str, solved: equalising.Setting, request: FairRequest, box: tuple[np.ndarray, np.ndarray]
) -> Iterator[CurvePoint]:
    """Yield the shares of the seats along each option, with the others at their fair values."""
    for place, (name, *ends) in enumerate(zip(request.vary, *box, strict=True)):
        for x in drawn_places(*ends).tolist():
            setting = [*solved.values[:place], x, *solved.values[place + 1 :]]
            for seat, share in enumerate(solved.at(setting).tolist()):
                yield CurvePoint(lineup=label, option=name, seat=seat, x=x, share=share)


def _disjoint_pairs(fits: dict[str, equalising.Setting]) -> list[tuple[str, str]]:
    """Return pairs of lineups whose intervals do not overlap in some option."""
    pairs = combinations([label for label in fits if label != POOLED], 2)
    return [(a, b) for a, b in pairs if ((fits[a].low > fits[b].high) | (fits[b].low > fits[a].high)).any()]
