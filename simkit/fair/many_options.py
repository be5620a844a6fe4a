"""One option per seat: the log ratios of the seats' shares are straight lines near the setting at which all are equal."""

from __future__ import annotations

import itertools
import math

import numpy as np

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
from simkit.stats import crossing, equalising

NEARER = 0.05  # log ratios from equal within which straight lines are fitted, at 20,000 deals; fewer deals show bends less and reach further


def many_options(asked: Asked, look: Look) -> tuple[list[Value], list[str]]:
    centre, radius = _nearby(asked, look)
    for number in range(MOST_CLOSE):
        begin, end = _box(asked, centre, radius)
        known = look(close_look(asked, _star(begin, end), number), f"close{number or ''}")
        found = _solved(known, None, asked)
        if (begin <= found.values).all() and (found.values <= end).all() and not found.lack < crossing.LACK:
            break
        centre, radius = found.values, np.maximum(1.0, radius / 2) if found.lack < crossing.LACK else radius
    which: list[int | None] = [*range(len(known.labels)), *([None] if len(known.labels) > 1 else [])]
    values = [_setting_value(known, lineup, asked) for lineup in which]
    doubt = [
        "The shares do not fit the model well there: trust the check more than the fair setting and its intervals."
    ]
    return values, _apart(values) + (doubt if found.lack < crossing.LACK else [])


def _nearby(asked: Asked, look: Look) -> tuple[np.ndarray, np.ndarray]:
    """About where the seats are equal, and how far each option may go from there for a straight line: by cheap looks."""
    low, high = (np.array(ends, float) for ends in zip(*asked.vary.values(), strict=True))
    centre, radius = (low + high) / 2, (high - low) / 2
    for number in range(MOST_WIDE):
        found = _solved(
            look(first_look(asked, _star(*_box(asked, centre, radius)), number), f"wide{number or ''}"),
            None,
            asked,
        )
        slopes = np.maximum(np.abs(found.coefficients[1:]).max(axis=1), 1e-9)
        known = np.where(np.isfinite(found.high - found.low), found.high - found.low, 0.0) / 2
        wanted = np.clip(
            np.maximum(known, NEARER * (20_000 / asked.deals) ** 0.25 / slopes),
            1.0,
            np.maximum(1.0, (high - low) / 2),
        )
        central = (np.abs(found.values - centre) <= np.maximum(1.0, radius / 2)).all()
        if central and (radius <= 1.5 * wanted).all():
            break
        centre, radius = found.values, np.maximum(np.minimum(radius, wanted), radius / 2)
    return found.values, wanted


def _box(asked: Asked, centre: np.ndarray, radius: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    low, high = (np.array(ends, float) for ends in zip(*asked.vary.values(), strict=True))
    return np.maximum(low, np.floor(centre - radius)), np.minimum(high, np.ceil(centre + radius))


def _star(low: np.ndarray, high: np.ndarray) -> list[tuple[int, ...]]:
    """The middle, and from there each option at its low and its high end."""
    middle = np.round((low + high) / 2)
    ends = [
        np.where(np.arange(len(low)) == axis, end, middle) for axis in range(len(low)) for end in (low, high)
    ]
    return list(dict.fromkeys(tuple(int(x) for x in point) for point in [middle, *ends]))


def _solved(known: Data, lineup: int | None, asked: Asked) -> equalising.Setting:
    low, high = zip(*asked.vary.values(), strict=True)
    means, covariance, _ = known.part(lineup)
    ranges = asked.usual(), low, high
    return equalising.equal_setting(known.settings, means, covariance, known.deals, ranges)


def _setting_value(known: Data, lineup: int | None, asked: Asked) -> Value:
    found = _solved(known, lineup, asked)
    label = POOLED if lineup is None else known.labels[lineup]
    parts = [
        f"{name} = {x:.2f} ({interval_words(a, b)})"
        for name, x, a, b in zip(asked.vary, found.values, found.low, found.high, strict=True)
    ]
    off = 100 * float(np.abs(found.shares - found.shares.mean()).max())
    said = (
        f"{', '.join(parts)} comes nearest to equal seats (expected: all within {off:.1f} percentage points)"
    )
    return Value(
        label,
        found.values.tolist(),
        found.low.tolist(),
        found.high.tolist(),
        _best_corner(found, asked),
        said,
    )


def _best_corner(found: equalising.Setting, asked: Asked) -> tuple[int, ...]:
    """Of the whole-numbered settings around the values the one whose seats are expected to be nearest to equal."""
    sides = [{math.floor(x + 1e-9), math.ceil(x - 1e-9)} for x in found.values]
    return min(itertools.product(*map(sorted, sides)), key=lambda x: float(np.ptp(found.at(x))))


def _apart(values: list[Value]) -> list[str]:
    """Lineups whose intervals do not meet in some option."""
    said = []
    for a, b in itertools.combinations([value for value in values if value.lineup != POOLED], 2):
        if any(a.low[i] > b.high[i] or b.low[i] > a.high[i] for i in range(len(a.values))):
            said.append(f"{a.lineup} and {b.lineup}")
    return (
        [f"Lineups disagree on the fair setting: {'; '.join(said)}. Judge by the players you expect."]
        if said
        else []
    )
