"""One option: the log odds of the first seat are a curve over its values, and fair is where it crosses 1 against the other seats."""

from __future__ import annotations

import itertools
import math
from typing import NamedTuple

import numpy as np
from scipy import special

from simkit.fair.asking import (
    MOST_CLOSE,
    MOST_WIDE,
    POOLED,
    Asked,
    Data,
    Look,
    Value,
    close_look,
    first_look,
    interval_words,
)
from simkit.stats import crossing
from simkit.stats.crossing import Crossing, Curve

WIDE = 9  # most values tried over a range
FEW = 3  # settings nearest to the crossing that a straight line is laid through as a second opinion
LOCAL = 0.7  # log odds from fair within which one curve is fitted: shares of 33 to 67 % for two seats


class Window(NamedTuple):
    """The part of a range in which one lineup comes close to fair, and about where it is fair."""

    low: int
    high: int
    near: float
    local: bool  # whether the shares in it are near enough to fair for one curve


class Fitted(NamedTuple):
    """A curve of the first seat's log odds, and the weights of its means on everything that was measured."""

    curve: Curve
    onto: np.ndarray


def one_option(asked: Asked, look: Look) -> tuple[list[Value], list[str]]:
    which, windows = _windows(asked, look)
    known: Data | None = None
    for number in range(MOST_CLOSE):
        known = _joined(known, look(close_look(asked, _grid(windows), number), f"close{number or ''}"))
        fits = [_fitted(known, lineup, window) for lineup, window in zip(which, windows, strict=True)]
        narrower = [_narrower(one.curve, window, asked) for one, window in zip(fits, windows, strict=True)]
        if narrower == windows or number == MOST_CLOSE - 1:
            break
        windows = narrower
    assert known is not None
    labels = [POOLED if lineup is None else known.labels[lineup] for lineup in which]
    lines = [
        _straight(known, lineup, fit, window, asked)
        for lineup, fit, window in zip(which, fits, windows, strict=True)
    ]
    values = [
        _value(fit.curve, line, window, label, asked)
        for fit, line, window, label in zip(fits, lines, windows, labels, strict=True)
    ]
    lacking = [label for label, fit in zip(labels, fits, strict=True) if fit.curve.lack < crossing.LACK]
    doubt = f"The curve does not fit well ({', '.join(lacking)}): trust the check more than the fair value and its interval."
    return values, _disagreeing(known, fits, values) + ([doubt] if lacking else [])


def _joined(before: Data | None, new: Data) -> Data:
    """Two looks on deals of their own as one; a setting may come twice."""
    if before is None:
        return new
    apart = np.zeros((len(before.covariance), len(new.covariance)))
    covariance = np.block([[before.covariance, apart], [apart.T, new.covariance]])
    return Data(
        [*before.settings, *new.settings],
        new.labels,
        np.concatenate([before.means, new.means]),
        covariance,
        new.deals,
    )


def _windows(asked: Asked, look: Look) -> tuple[list[int | None], list[Window]]:
    """Of each lineup, and of all together, the part of the range to measure: found by cheap looks, each at a quarter of the last."""
    ((low, high),) = asked.vary.values()
    whole = Window(low, high, math.nan, False)
    known = look(first_look(asked, _grid([whole])), "wide")
    which: list[int | None] = [*range(len(known.labels)), *([None] if len(known.labels) > 1 else [])]
    windows = [_window(asked, known, lineup, whole) for lineup in which]
    for number in range(1, MOST_WIDE):
        open_ones = [window for window in windows if not window.local]
        if not open_ones:
            break
        known = look(first_look(asked, _grid(open_ones), number), f"wide{number}")
        windows = [
            old if old.local else _window(asked, known, lineup, old)
            for old, lineup in zip(windows, which, strict=True)
        ]
    return which, windows


def _grid(windows: list[Window]) -> list[tuple[int, ...]]:
    """The values to try: those of all windows, taken as one where they nearly are."""
    low, high = min(one.low for one in windows), max(one.high for one in windows)
    alike = high - low <= 1.5 * min(one.high - one.low for one in windows)
    parts = [(low, high)] if alike else [(one.low, one.high) for one in windows]
    return [(x,) for x in sorted({x for part in parts for x in _spaced(*part, WIDE)})]


def _spaced(low: int, high: int, most: int) -> list[int]:
    """At most so many whole numbers from low to high, both included, as evenly spaced as they can be."""
    many = min(most, high - low + 1)
    return sorted({round(low + (high - low) * i / (many - 1)) for i in range(many)})


def _window(asked: Asked, known: Data, lineup: int | None, within: Window) -> Window:
    """All values near fair around the change of sign nearest to the rulebook's value; or, seen too coarsely, where to look again."""
    ((least, most),) = asked.vary.values()
    tried, off = _off_fair(asked, known, lineup, within)
    left, right, near = _bracket(tried, off, asked.usual()[0])
    step = int(tried[right] - tried[left])
    if step > 1 and max(abs(off[left]), abs(off[right])) > 2 * LOCAL:
        found = Window(
            max(least, int(tried[left]) - step // 2), min(most, int(tried[right]) + step // 2), near, False
        )
        return found._replace(local=found[:2] == within[:2])
    low, high = (_reach(tried, off, start, near, way) for start, way in ((left, -1), (right, 1)))
    low, high = max(least, math.floor(low)), min(most, math.ceil(high))
    return Window(max(least, min(low, high - 1)), min(most, max(high, low + 1)), near, True)


def _off_fair(asked: Asked, known: Data, lineup: int | None, within: Window) -> tuple[np.ndarray, np.ndarray]:
    """The values tried within a window, and by how much the log odds of the first seat are off fair there."""
    tried = np.array([x for (x,) in known.settings])
    inside = (within.low <= tried) & (tried <= within.high)
    means, covariance, _ = known.part(lineup)
    seats = means.shape[1]
    logits = crossing.log_odds(means[:, 0], covariance[::seats, ::seats], known.deals).values
    return tried[inside], logits[inside] - math.log(1 / (asked.seats - 1))


def _bracket(tried: np.ndarray, off: np.ndarray, usual: float) -> tuple[int, int, float]:
    """The places of two neighbouring values on both sides of fair, and about where fair lies; else those around the value nearest to it."""
    found = [i for i in range(len(tried) - 1) if off[i] * off[i + 1] <= 0]
    if not found:
        nearest = int(np.argmin(np.abs(off)))
        return max(0, nearest - 1), min(len(tried) - 1, nearest + 1), float(tried[nearest])
    i = min(found, key=lambda place: abs(tried[place] - usual))
    part = off[i] / (off[i] - off[i + 1]) if off[i] != off[i + 1] else 0.5
    return i, i + 1, float(tried[i] + part * (tried[i + 1] - tried[i]))


def _reach(tried: np.ndarray, off: np.ndarray, start: int, near: float, way: int) -> float:
    """How far from `start` the log odds stay within LOCAL of fair; between values tried, on a straight line."""
    inner, inner_off, place = near, 0.0, start
    while 0 <= place < len(tried) and abs(off[place]) <= LOCAL:
        inner, inner_off, place = float(tried[place]), abs(float(off[place])), place + way
    if not 0 <= place < len(tried):
        return inner
    return inner + (float(tried[place]) - inner) * (LOCAL - inner_off) / (abs(float(off[place])) - inner_off)


def _narrower(curve: Curve, window: Window, asked: Asked) -> Window:
    """A window of half the width, around the crossing, where the curve lacks something in this one."""
    if not curve.lack < crossing.LACK:
        return window
    found = _crossing_of(curve, window, asked)
    near = found.value if found and window.low <= found.value <= window.high else window.near
    half = max(1.0, (window.high - window.low) / 4)
    return Window(
        max(window.low, math.floor(near - half)), min(window.high, math.ceil(near + half)), near, True
    )


def _fitted(known: Data, lineup: int | None, window: Window) -> Fitted:
    """The curve of the first seat's log odds over the values in a window."""
    tried = np.array([x for (x,) in known.settings])
    inside = np.flatnonzero((window.low <= tried) & (tried <= window.high))
    means, covariance, onto = known.part(lineup)
    first = inside * means.shape[1]
    odds = crossing.log_odds(means[inside, 0], covariance[np.ix_(first, first)], known.deals)
    return Fitted(
        crossing.local(tried[inside], odds.values, odds.covariance), odds.slopes[:, np.newaxis] * onto[first]
    )


def _straight(known: Data, lineup: int | None, fit: Fitted, window: Window, asked: Asked) -> Crossing | None:
    """A second opinion: where a straight line through the few settings nearest to the curve's crossing is fair."""
    found = _crossing_of(fit.curve, window, asked)
    if found is None:
        return None
    tried = np.array([x for (x,) in known.settings])
    reach = np.sort(np.abs(np.unique(tried) - found.value))[: min(FEW, np.unique(tried).size)][-1]
    near = np.flatnonzero(np.abs(tried - found.value) <= reach + 1e-9)
    means, covariance, _ = known.part(lineup)
    first = near * means.shape[1]
    odds = crossing.log_odds(means[near, 0], covariance[np.ix_(first, first)], known.deals)
    if np.unique(tried[near]).size < 2:
        return None
    line = crossing.fit(tried[near], odds.values, odds.covariance, 1)
    return min(
        crossing.crossings(line, _fair_odds(asked), *_ends(window, asked)),
        key=lambda one: abs(one.value - found.value),
        default=None,
    )


def _ends(window: Window, asked: Asked) -> tuple[float, float]:
    """Half a window more to both sides, within the range."""
    ((low, high),) = asked.vary.values()
    more = (window.high - window.low) / 2
    return max(low, window.low - more), min(high, window.high + more)


def _both(found: Crossing, line: Crossing | None) -> Crossing:
    """The curve's crossing; where the straight line puts it elsewhere by more than half the interval, an interval that holds both."""
    if line is None or abs(line.value - found.value) <= (found.high - found.low) / 2:
        return found
    return Crossing(found.value, min(found.low, line.low), max(found.high, line.high))


def _crossing_of(curve: Curve, window: Window, asked: Asked) -> Crossing | None:
    """Where the curve crosses the fair share, up to half a window outside; of several places the one expected."""
    found = crossing.crossings(curve, _fair_odds(asked), *_ends(window, asked))
    return min(found, key=lambda one: abs(one.value - window.near), default=None)


def _fair_odds(asked: Asked) -> float:
    return math.log(1 / (asked.seats - 1))


def _value(curve: Curve, line: Crossing | None, window: Window, label: str, asked: Asked) -> Value:
    ((name, _),) = asked.vary.items()
    found = _crossing_of(curve, window, asked)
    whole = np.arange(window.low, window.high + 1)
    best = (int(whole[np.argmin(np.abs(curve.at(whole) - _fair_odds(asked)))]),)
    if found is None:
        return Value(label, [math.nan], [math.nan], [math.nan], best, _none(curve, name, asked, best[0]))
    found = _both(found, line)
    what = "makes the seats equal" if asked.seats == 2 else "gives the first seat its fair share"
    said = f"{name} = {found.value:.2f} {what} ({interval_words(found.low, found.high)}, if shares change smoothly along it)"
    return Value(label, [found.value], [found.low], [found.high], best, said)


def _none(curve: Curve, name: str, asked: Asked, best: int) -> str:
    """What is known where the fitted curve does not cross the fair share."""
    odds, half = float(curve.at(best)), 1.96 * float(curve.error(best))
    share, least, most = (100 * float(special.expit(x)) for x in (odds, odds - half, odds + half))
    there = f"at {best} the first seat wins {share:.1f} % (95 % interval {least:.1f} to {most:.1f} %)"
    ((low, high),) = asked.vary.values()
    if abs(odds - _fair_odds(asked)) <= half:
        return (
            f"not settled whether a value of {name} from {low} to {high} is fair; {there}, which may be fair"
        )
    return f"no value of {name} from {low} to {high} was found to be fair; nearest is {best}: {there}"


def _disagreeing(known: Data, fits: list[Fitted], values: list[Value]) -> list[str]:
    """Pairs of lineups whose fair values differ beyond noise (Bonferroni over the pairs)."""
    have = [i for i in range(len(known.labels)) if not math.isnan(values[i].values[0])]
    pairs, said = list(itertools.combinations(have, 2)), []
    for i, j in pairs:
        common = fits[i].onto @ known.covariance @ fits[j].onto.T
        places = values[i].values[0], values[j].values[0]
        apart = crossing.difference_of_crossings(
            fits[i].curve, places[0], fits[j].curve, places[1], common, 1 - 0.05 / len(pairs)
        )
        if not apart[1] <= 0 <= apart[2]:
            said.append(f"{known.labels[i]} ({places[0]:.1f}) and {known.labels[j]} ({places[1]:.1f})")
    if len(have) < len(known.labels):
        said += [
            f"{known.labels[i]} (none in the range)"
            for i in range(len(known.labels))
            if i not in have and have
        ]
    return (
        [f"Lineups disagree on the fair value: {'; '.join(said)}. Judge by the players you expect."]
        if said
        else []
    )
