"""One option per seat: log ratios of the shares are straight lines near the setting where all are equal."""

import math
from itertools import combinations, product

import numpy as np

from simkit.fair import asking
from simkit.fair.asking import POOLED, Asked, Data, Look, Value, interval_words
from simkit.stats import crossing, equalising

NEARER = 0.05  # log ratios from equal that lines are fitted to, at 20,000 deals; fewer show bends less


def many_options(asked: Asked, look: Look) -> tuple[list[Value], list[str]]:
    """The fair setting for each lineup and for all together, and what to beware of."""
    centre, radius = _nearby(asked, look)
    for number in range(asking.MOST_CLOSE):
        begin, end = _box(asked, centre, radius)
        known = look(asked.close_look(_star(begin, end), number), f"close{number or ''}")
        found = _solved(known, None, asked)
        lacking = found.lack < crossing.LACK
        if (begin <= found.values).all() and (found.values <= end).all() and not lacking:
            break
        centre, radius = found.values, np.maximum(1.0, radius / 2) if lacking else radius
    values = [_value(known, lineup, asked) for lineup in known.which]
    doubt = "trust the check more than the fair setting and its intervals"
    unfit = [f"The shares do not fit the model well there: {doubt}."] if lacking else []
    return values, _apart(values) + unfit


def _nearby(asked: Asked, look: Look) -> tuple[np.ndarray, np.ndarray]:
    """About where the seats are equal, and how far from there straight lines reach: by cheap looks."""
    low, high = asked.ranges
    centre, radius = (low + high) / 2, (high - low) / 2
    most, near = np.maximum(1.0, radius), NEARER * (20_000 / asked.deals) ** 0.25
    for number in range(asking.MOST_WIDE):
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


def _value(known: Data, lineup: int | None, asked: Asked) -> Value:
    found = _solved(known, lineup, asked)
    rows = zip(asked.vary, found.values, found.low, found.high, strict=True)
    parts = [f"{asked.label(name)} = {x:.2f} ({interval_words(*ends)})" for name, x, *ends in rows]
    off = 100 * float(np.abs(found.shares - found.shares.mean()).max())
    near = f"comes nearest to equal seats (expected: all within {off:.1f} percentage points)"
    values, low, high = (part.tolist() for part in (found.values, found.low, found.high))
    corners = product(*(sorted({math.floor(x + 1e-9), math.ceil(x - 1e-9)}) for x in found.values))
    best = min(corners, key=lambda x: float(np.ptp(found.at(x))))  # seats expected nearest to equal
    return Value(known.label(lineup), values, low, high, best, f"{', '.join(parts)} {near}")


def _apart(values: list[Value]) -> list[str]:
    """Lineups whose intervals do not meet in some option."""
    alone = [value for value in values if value.lineup != POOLED]
    said = []
    for a, b in combinations(alone, 2):
        if (np.greater(a.low, b.high) | np.greater(b.low, a.high)).any():
            said.append(f"{a.lineup} and {b.lineup}")
    return asking.disagreeing("fair setting", said)
