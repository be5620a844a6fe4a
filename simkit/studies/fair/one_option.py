"""One option: the shares of the first player, joined by straight lines over its values, meet what is fair."""

import itertools
import math
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from simkit.stats import crossing
from simkit.stats.crossing import Crossing, Polyline
from simkit.stats.quantiles import normal
from simkit.studies.fair.request import (
    MOST_CLOSE,
    MOST_WIDE,
    Asked,
    Data,
    Look,
    Row,
    Solution,
    Value,
    fine,
    pooled,
)

WIDE, FEW = 9, 5  # most values tried in a window, and in one of values that are not surely off fair
MOST_TIMES = 3.0  # how many times the deals a value gets where there are few
LOCAL = 0.7  # log odds from fair within which shares are near it: 33 to 67 % for two seats


class Window(NamedTuple):
    """The part of a range in which one lineup comes close to fair, and about where it is fair."""

    low: int
    high: int
    near: float
    local: bool  # whether the shares in it are near enough to fair

    def holds(self, x: np.ndarray) -> np.ndarray:
        return np.flatnonzero((self.low <= x) & (x <= self.high))


class Fitted(NamedTuple):
    """The shares of the first player at all values of the close looks, with their weights on all measured."""

    window: Window
    line: Polyline
    onto: np.ndarray
    found: Crossing | None


def one_option(asked: Asked, look: Look) -> Solution:
    """The fair value of each lineup and of all together, what to beware of, the shares that were measured."""
    windows = _windows(asked, look)
    known = _measured(asked, look, windows)
    pairs = zip(known.which, windows, strict=True)
    fitted = [(lineup, _fitted(known, lineup, window, asked)) for lineup, window in pairs]
    values = [_value(known, *one, asked) for one in fitted]
    curve = [row for one in fitted for row in _drawn(known, *one, asked)]
    return Solution(values, _apart(known, [fit for _, fit in fitted], asked), [], curve)


def _measured(asked: Asked, look: Look, windows: list[Window]) -> Data:
    """The close looks as one: each at the values that are not surely off fair after those before it.

    At least two, and more until one holds all whole numbers of its windows; fewer values have more deals, so
    that each look has about as many games.
    """
    looks: list[Data] = []
    most, still = WIDE, windows
    for number in range(MOST_CLOSE):
        grids = [_grid(asked, window, most) for window in still]
        values = _together(grids)
        times = min(MOST_TIMES, max(1.0, WIDE / len(values))) if number else 1.0
        wanted = asked.close_look(values, number, times)
        looks.append(look(wanted, f"close{number or ''}"))
        known = pooled(looks)
        every = all(np.diff(grid).max() == 1 for grid in grids)
        fits = [_fitted(known, *one, asked) for one in zip(known.which, windows, strict=True)]
        still, most = [_narrower(fit.line, fit.found, asked) for fit in fits if fit.found], FEW
        if not still or (number and every):
            break
    return known


def _windows(asked: Asked, look: Look) -> list[Window]:
    """For each lineup and all together the part of the range to measure, by cheap looks at ever less."""
    ((low, high),) = asked.vary.values()
    windows = [Window(low, high, math.nan, False)]
    for number in range(MOST_WIDE):
        still = [one for one in windows if not one.local]
        if not still:
            break
        tried = _together([_grid(asked, one, WIDE) for one in still])
        known = look(asked.first_look(tried, number), f"wide{number or ''}")
        before = windows if number else windows * len(known.which)
        pairs = zip(known.which, before, strict=True)
        windows = [old if old.local else _window(asked, known, lineup, old) for lineup, old in pairs]
    return windows


def _grid(asked: Asked, window: Window, most: int) -> list[int]:
    """Values from end to end of a window: every one, every second, fourth, ... from the low end of the range.

    So those of a coarse grid are in every finer one, and what was measured before counts on.
    """
    ((low, high),) = asked.vary.values()
    for power in itertools.count():
        step = 2**power
        places = range((window.low - low) // step, -((low - window.high) // step) + 1)
        if len(places) <= max(most, 2):
            return [min(high, low + step * place) for place in places]
    raise AssertionError("a grid of two values is always coarse enough")


def _together(grids: list[list[int]]) -> list[tuple[int, ...]]:
    return [(value,) for value in sorted({value for grid in grids for value in grid})]


def _window(asked: Asked, known: Data, lineup: int | None, within: Window) -> Window:
    """All values near fair around the change of sign nearest the rulebook's, or where to look again."""
    ((least, most),) = asked.vary.values()
    inside = within.holds(known.tried)
    tried, off = known.tried[inside], known.odds(lineup, inside).values - _fair_odds(asked)
    left, right, near = _bracket(tried, off, asked.usual()[0])
    step = int(tried[right] - tried[left])
    if step > 1 and max(abs(off[left]), abs(off[right])) > 2 * LOCAL:
        low, high = max(least, int(tried[left]) - step // 2), min(most, int(tried[right]) + step // 2)
        return Window(low, high, near, local=(low, high) == within[:2])
    ends = [_reach(tried, off, start, near, way) for start, way in ((left, -1), (right, 1))]
    low, high = max(least, math.floor(ends[0])), min(most, math.ceil(ends[1]))
    return Window(max(least, min(low, high - 1)), min(most, max(high, low + 1)), near, local=True)


def _bracket(tried: np.ndarray, off: np.ndarray, usual: float) -> tuple[int, int, float]:
    """The places of two neighbours on both sides of fair (else around it), and about where fair lies."""
    found = [i for i in range(len(tried) - 1) if off[i] * off[i + 1] <= 0]
    if not found:
        nearest = int(np.argmin(np.abs(off)))
        return max(0, nearest - 1), min(len(tried) - 1, nearest + 1), float(tried[nearest])
    i = min(found, key=lambda place: abs(tried[place] - usual))
    part = off[i] / (off[i] - off[i + 1]) if off[i] != off[i + 1] else 0.5
    return i, i + 1, float(tried[i] + part * (tried[i + 1] - tried[i]))


def _reach(tried: np.ndarray, off: np.ndarray, start: int, near: float, way: int) -> float:
    """How far from `start` the log odds stay within LOCAL of fair; between values on a straight line."""
    inner, inner_off, place = near, 0.0, start
    while 0 <= place < len(tried) and abs(off[place]) <= LOCAL:
        inner, inner_off, place = float(tried[place]), abs(float(off[place])), place + way
    if not 0 <= place < len(tried):
        return inner
    span, outer_off = float(tried[place]) - inner, abs(float(off[place]))
    return inner + span * (LOCAL - inner_off) / (outer_off - inner_off)


def _fair_odds(asked: Asked) -> float:
    return math.log(asked.fair / (1 - asked.fair))


def _fitted(known: Data, lineup: int | None, window: Window, asked: Asked) -> Fitted:
    line, onto = known.line(lineup)
    found = crossing.crossing(line, asked.fair, window.near)
    return Fitted(window, line, onto, found and _to_played(found, line.x))


def _to_played(found: Crossing, played: np.ndarray) -> Crossing:
    """Move the ends of the interval out to the values played around them."""
    low = played[played <= found.low].max(initial=-math.inf)
    high = played[played >= found.high].min(initial=math.inf)
    return Crossing(found.value, float(low), float(high))


def _narrower(line: Polyline, found: Crossing, asked: Asked) -> Window:
    """The whole numbers around the part that is not surely off fair; half as far again where that is open."""
    ((least, most),) = asked.vary.values()
    low, high = crossing.connected(line, asked.fair, found.value)
    first, last = line.x[[0, -1]]
    more = (last - first) / 2
    begin = max(least, math.floor(first - more if math.isinf(low) else low))
    end = min(most, math.ceil(last + more if math.isinf(high) else high))
    return Window(min(begin, most - 1), max(end, begin + 1), found.value, local=True)


def _value(known: Data, lineup: int | None, fit: Fitted, asked: Asked) -> Value:
    found = fit.found or Crossing(math.nan, math.nan, math.nan)
    best = _best(fit, _of_seats(known, lineup, fit, asked), asked)
    return Value(known.label(lineup), [found.value], [found.low], [found.high], (best,))


def _of_seats(known: Data, lineup: int | None, fit: Fitted, asked: Asked) -> list[Polyline]:
    """The shares of the first player (the team); of three and more seats those of each."""
    more = range(1, 0 if asked.team or asked.seats == 2 else asked.seats)
    return [fit.line, *(known.line(lineup, seat)[0] for seat in more)]


def _best(fit: Fitted, lines: list[Polyline], asked: Asked) -> int:
    """The whole number beside the fair value; of three and more seats, or without one, any in the window.

    Of these the one at which the seat that is farthest from fair is nearest to it.
    """
    whole = np.arange(fit.window.low, fit.window.high + 1)
    if fit.found and len(lines) == 1:
        whole = np.unique([math.floor(fit.found.value), math.ceil(fit.found.value)])
    off = np.abs([line.at(whole) - asked.fair for line in lines]).max(axis=0)
    return int(whole[np.argmin(off)])


def _drawn(known: Data, lineup: int | None, fit: Fitted, asked: Asked) -> Iterator[Row]:
    """The lines with their 95 % intervals, over the window and as far as the fair value."""
    ((name, _),) = asked.vary.items()
    ends = [fit.window.low, fit.window.high, *([fit.found.value] if fit.found else [])]
    begin, end = math.floor(min(ends)), math.ceil(max(ends))
    knots = fit.line.x[(begin <= fit.line.x) & (fit.line.x <= end)]
    places = np.unique(np.concatenate([fine(begin, end), knots]))
    for seat, line in enumerate(_of_seats(known, lineup, fit, asked)):
        shares, half = line.at(places), normal(0.95) * line.error(places)
        drawn = np.stack([shares, shares - half, shares + half]).clip(0, 1).T.tolist()
        for x, (share, low, high) in zip(places.tolist(), drawn, strict=True):
            front = {"lineup": known.label(lineup), "option": name, "seat": seat, "x": x}
            yield front | {"share": share, "low": low, "high": high}


def _apart(known: Data, fits: list[Fitted], asked: Asked) -> list[tuple[str, str]]:
    """Pairs of lineups whose fair values differ beyond noise (Bonferroni over the pairs)."""
    have = [i for i, fit in enumerate(fits[: len(known.labels)]) if fit.found]
    pairs, told = list(itertools.combinations(have, 2)), []
    for i, j in pairs:
        common, level = fits[i].onto @ known.covariance @ fits[j].onto.T, 1 - 0.05 / len(pairs)
        if crossing.apart(fits[i].line, fits[j].line, common, asked.fair, level):
            told.append((known.labels[i], known.labels[j]))
    return told
