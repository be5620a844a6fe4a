"""One option: the log odds of the first player are a curve over its values, and fair is a place on it."""

import itertools
import math
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from scipy import linalg, special

from simkit.fair.asking import MOST_CLOSE, MOST_WIDE, Asked, Data, Look, Row, Solution, Value, fine
from simkit.stats import crossing
from simkit.stats.crossing import Crossing, Curve
from simkit.stats.quantiles import normal

WIDE = 9  # most values tried over a range
FEW = 3  # settings nearest to the crossing that a straight line is laid through as a second opinion
LOCAL = 0.7  # log odds from fair within which one curve is fitted: shares of 33 to 67 % for two seats


class Window(NamedTuple):
    """The part of a range in which one lineup comes close to fair, and about where it is fair."""

    low: int
    high: int
    near: float
    local: bool  # whether the shares in it are near enough to fair for one curve

    def holds(self, x: np.ndarray) -> np.ndarray:
        return np.flatnonzero((self.low <= x) & (x <= self.high))


class Fitted(NamedTuple):
    """A curve of the first player's log odds in a window, with its weights on everything measured."""

    window: Window
    curve: Curve
    onto: np.ndarray
    found: Crossing | None  # up to half a window outside


def one_option(asked: Asked, look: Look) -> Solution:
    """The fair value of each lineup and of all together, what to beware of, the curves."""
    windows, looks = _windows(asked, look), []
    for number in range(MOST_CLOSE):
        looks.append(look(asked.close_look(_grid(windows), number), f"close{number or ''}"))
        known = _joined(looks)
        fits = [_fitted(known, *one, asked) for one in zip(known.which, windows, strict=True)]
        narrower = [_narrower(fit) for fit in fits]
        if narrower == windows:
            break
        windows = narrower
    pairs = list(zip(known.which, fits, strict=True))
    fitted = [(*pair, _of_seats(known, *pair, asked)) for pair in pairs]
    values = [_value(known, *one, asked) for one in fitted]
    curve = [row for one in fitted for row in _drawn(known, *one, asked)]
    unfit = [one.lineup for one, fit in zip(values, fits, strict=True) if fit.curve.lack < crossing.LACK]
    return Solution(values, _apart(known, fits, values), unfit, curve)


def _joined(looks: list[Data]) -> Data:
    """Looks on deals of their own as one; a setting may come twice."""
    settings = [setting for one in looks for setting in one.settings]
    means, covariance = np.concatenate([one.means for one in looks]), [one.covariance for one in looks]
    return looks[-1]._replace(settings=settings, means=means, covariance=linalg.block_diag(*covariance))


def _windows(asked: Asked, look: Look) -> list[Window]:
    """For each lineup and all together the part of the range to measure, by cheap looks at ever less."""
    ((low, high),) = asked.vary.values()
    windows = [Window(low, high, math.nan, False)]
    for number in range(MOST_WIDE):
        still = [one for one in windows if not one.local]
        if not still:
            break
        known = look(asked.first_look(_grid(still), number), f"wide{number or ''}")
        before = windows if number else windows * len(known.which)
        pairs = zip(known.which, before, strict=True)
        windows = [old if old.local else _window(asked, known, lineup, old) for lineup, old in pairs]
    return windows


def _grid(windows: list[Window]) -> list[tuple[int, ...]]:
    """The values to try: at most WIDE, evenly spaced, in each window; in one where they nearly are one."""
    low, high = min(one.low for one in windows), max(one.high for one in windows)
    alike = high - low <= 1.5 * min(one.high - one.low for one in windows)
    parts = [(low, high)] if alike else [(one.low, one.high) for one in windows]
    spaced = [np.linspace(*part, min(WIDE, part[1] - part[0] + 1)).round() for part in parts]
    return [(int(x),) for x in np.unique(np.concatenate(spaced))]


def _window(asked: Asked, known: Data, lineup: int | None, within: Window) -> Window:
    """All values near fair around the change of sign nearest the rulebook's, or where to look again."""
    ((least, most),) = asked.vary.values()
    inside = within.holds(known.tried)
    tried, off = known.tried[inside], known.odds(lineup, inside)[0].values - _fair_odds(asked)
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


def _narrower(fit: Fitted) -> Window:
    """A window of half the width, around the crossing, where the curve lacks something in this one."""
    window, found = fit.window, fit.found
    if not fit.curve.lack < crossing.LACK:
        return window
    near = found.value if found and window.low <= found.value <= window.high else window.near
    half = max(1.0, (window.high - window.low) / 4)
    low, high = max(window.low, math.floor(near - half)), min(window.high, math.ceil(near + half))
    return Window(low, high, near, local=True)


def _fitted(known: Data, lineup: int | None, window: Window, asked: Asked) -> Fitted:
    inside = window.holds(known.tried)
    odds, onto = known.odds(lineup, inside)
    curve = crossing.local(known.tried[inside], odds.values, odds.covariance)
    return Fitted(window, curve, onto, _crossing_of(curve, window, window.near, asked))


def _crossing_of(curve: Curve, window: Window, near: float, asked: Asked) -> Crossing | None:
    """Where a curve crosses the fair share, up to half a window outside; of several places the nearest."""
    ((low, high),) = asked.vary.values()
    more = (window.high - window.low) / 2
    ends = max(low, window.low - more), min(high, window.high + more)
    found = crossing.crossings(curve, _fair_odds(asked), *ends)
    return min(found, key=lambda one: abs(one.value - near), default=None)


def _fair_odds(asked: Asked) -> float:
    return math.log(asked.fair / (1 - asked.fair))


def _widened(found: Crossing, known: Data, lineup: int | None, window: Window, asked: Asked) -> Crossing:
    """The crossing; its interval holds a second opinion too that is off by more than half the interval.

    The second opinion is where a straight line through the few settings nearest to the crossing is fair.
    """
    tried, values = known.tried, np.unique(known.tried)
    reach = np.sort(np.abs(values - found.value))[: min(FEW, values.size)][-1]
    near = np.flatnonzero(np.abs(tried - found.value) <= reach + 1e-9)
    if np.unique(tried[near]).size < 2:
        return found
    odds, _ = known.odds(lineup, near)
    line = crossing.fit(tried[near], odds.values, odds.covariance, 1)
    other = _crossing_of(line, window, found.value, asked)
    if other is None or abs(other.value - found.value) <= (found.high - found.low) / 2:
        return found
    return Crossing(found.value, min(found.low, other.low), max(found.high, other.high))


def _of_seats(known: Data, lineup: int | None, fit: Fitted, asked: Asked) -> list[Curve]:
    """The curve of the first player (the team); of three and more seats one for each."""
    inside, curves = fit.window.holds(known.tried), [fit.curve]
    for seat in range(1, 0 if asked.team or asked.seats == 2 else asked.seats):
        odds, _ = known.odds(lineup, inside, seat)
        curves.append(crossing.local(known.tried[inside], odds.values, odds.covariance))
    return curves


def _value(known: Data, lineup: int | None, fit: Fitted, curves: list[Curve], asked: Asked) -> Value:
    label = known.label(lineup)
    if fit.found is None:
        return Value(label, [math.nan], [math.nan], [math.nan], (_best(fit, curves, asked),))
    found = _widened(fit.found, known, lineup, fit.window, asked)
    return Value(label, [found.value], [found.low], [found.high], (_best(fit, curves, asked),))


def _best(fit: Fitted, curves: list[Curve], asked: Asked) -> int:
    """The whole number beside the fair value; of three and more seats, or without one, any in the window.

    Of these the one at which the seat that is farthest from fair is nearest to it.
    """
    whole = np.arange(fit.window.low, fit.window.high + 1)
    if fit.found and len(curves) == 1:
        whole = np.unique([math.floor(fit.found.value), math.ceil(fit.found.value)])
    off = np.abs(special.expit([curve.at(whole) for curve in curves]) - asked.fair).max(axis=0)
    return int(whole[np.argmin(off)])


def _drawn(known: Data, lineup: int | None, fit: Fitted, curves: list[Curve], asked: Asked) -> Iterator[Row]:
    """The curves in shares with their 95 % intervals, over the window and as far as the fair value."""
    ((name, _),) = asked.vary.items()
    ends = [fit.window.low, fit.window.high, *([fit.found.value] if fit.found else [])]
    places = fine(math.floor(min(ends)), math.ceil(max(ends)))
    for seat, curve in enumerate(curves):
        odds, half = curve.at(places), normal(0.95) * curve.error(places)
        shares = special.expit([odds, odds - half, odds + half]).T.tolist()
        for x, (share, low, high) in zip(places.tolist(), shares, strict=True):
            front = {"lineup": known.label(lineup), "option": name, "seat": seat, "x": x}
            yield front | {"share": share, "low": low, "high": high}


def _apart(known: Data, fits: list[Fitted], values: list[Value]) -> list[tuple[str, str]]:
    """Pairs of lineups whose fair values differ beyond noise (Bonferroni over the pairs)."""
    places = [one.values[0] for one in values[: len(known.labels)]]
    have = [i for i, place in enumerate(places) if not math.isnan(place)]
    pairs, told = list(itertools.combinations(have, 2)), []
    for i, j in pairs:
        common, level = fits[i].onto @ known.covariance @ fits[j].onto.T, 1 - 0.05 / len(pairs)
        curves = fits[i].curve, places[i], fits[j].curve, places[j]
        _, low, high = crossing.difference_of_crossings(*curves, common, level)
        if not low <= 0 <= high:
            told.append((known.labels[i], known.labels[j]))
    return told
