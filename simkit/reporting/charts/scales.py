"""Scales from numbers to positions on paper, and the numbers at an axis."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from math import ceil, floor, log10

from simkit.formatting import formed

STEPS = (1, 2, 2.5, 5, 10)


@dataclass
class Scale:
    """Linear map from numbers between `low` and `high` to positions between `start` and `end`."""

    low: float
    high: float
    start: float
    end: float

    def __call__(self, value: float) -> float:
        return self.start + (value - self.low) / (self.high - self.low) * (self.end - self.start)


def nice(low: float, high: float, most: int, least: float = 0.0) -> list[float]:
    """Return at most `most` round numbers from low to high, at least `least` apart.

    >>> nice(0.46, 0.63, 5, 0.01), nice(0, 37, 4)
    ([0.5, 0.55, 0.6], [0.0, 10.0, 20.0, 30.0])
    """
    if high <= low:
        return [low]
    for power in range(floor(log10((high - low) / most)), 300):
        for step in (lead * 10.0**power for lead in STEPS):
            if step < least * 0.999 or (least and round(step / least) != round(step / least, 6)):
                continue
            ticks = [step * place for place in range(ceil(low / step - 1e-9), floor(high / step + 1e-9) + 1)]
            if len(ticks) <= most:
                return [round(tick, 12) for tick in ticks]
    raise ValueError(f"no step from {low} to {high}")


def around(values: Iterable[float | None], least: float = 0.0, room: float = 0.05) -> tuple[float, float]:
    """Return a span around the values with padding, at least `least` wide."""
    present = [value for value in values if value is not None]
    low, high = min(present, default=0.0), max(present, default=1.0)
    missing = max(0.0, least - (high - low)) / 2 or (0.5 if high == low else 0.0)
    padding = room * (high - low + 2 * missing)
    return low - missing - padding, high + missing + padding


def percent(share: float, form: str = "{:.0f}") -> str:
    """Return a share in percent.

    >>> percent(0.5), percent(0.5671, "{:.1f}")
    ('50 %', '56.7 %')
    """
    return signed(formed(form, 100 * share)) + " %"


def signed(text: str) -> str:
    """Return a number with a typographic minus sign; a rounded zero has no sign.

    >>> signed("-0.5"), signed("-0.00"), signed("-0 %")
    ('−0.5', '0.00', '0 %')
    """
    return re.sub(r"^-(?=0[.0]*( ?%)?$)", "", text).replace("-", "\N{MINUS SIGN}")


def number(value: float) -> str:
    """Return a number for an axis.

    >>> number(1500.0), number(-2.5), number(0.0)
    ('1,500', '−2.5', '0')
    """
    return signed(f"{value:,.10g}" if abs(value) < 1e10 else f"{value:g}")


def more_or_less(value: float) -> str:
    """Return a signed number for an axis about zero.

    >>> more_or_less(0.05), more_or_less(-2.0), more_or_less(0.0)
    ('+0.05', '−2', '0')
    """
    return f"+{number(value)}" if value > 0 else number(value)
