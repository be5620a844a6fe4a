"""From numbers to places on the paper, and which numbers stand at an axis."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from math import ceil, floor, log10

from simkit.formatting import formed

STEPS = (1, 2, 2.5, 5, 10)


@dataclass
class Scale:
    """Numbers from `low` to `high` lie from `start` to `end`."""

    low: float
    high: float
    start: float
    end: float

    def __call__(self, value: float) -> float:
        return self.start + (value - self.low) / (self.high - self.low) * (self.end - self.start)


def nice(low: float, high: float, most: int, least: float = 0.0) -> list[float]:
    """Round numbers from low to high, at most so many, at least `least` apart.

    >>> nice(0.46, 0.63, 5, 0.01), nice(0, 37, 4)
    ([0.5, 0.55, 0.6], [0.0, 10.0, 20.0, 30.0])
    """
    if high <= low:
        return [low]
    for power in range(floor(log10((high - low) / most)), 300):
        for step in (lead * 10.0**power for lead in STEPS):
            if step < least * 0.999 or (least and round(step / least) != round(step / least, 6)):
                continue
            found = [step * place for place in range(ceil(low / step - 1e-9), floor(high / step + 1e-9) + 1)]
            if len(found) <= most:
                return [round(one, 12) for one in found]
    raise ValueError(f"no step from {low} to {high}")


def around(values: Iterable[float | None], least: float = 0.0, room: float = 0.05) -> tuple[float, float]:
    """From the least to the greatest of the values and a little farther, at least so wide."""
    known = [value for value in values if value is not None]
    low, high = min(known, default=0.0), max(known, default=1.0)
    short = max(0.0, least - (high - low)) / 2 or (0.5 if high == low else 0.0)
    spare = room * (high - low + 2 * short)
    return low - short - spare, high + short + spare


def percent(share: float, form: str = "{:.0f}") -> str:
    """A share as a reader sees it.

    >>> percent(0.5), percent(0.5671, "{:.1f}")
    ('50 %', '56.7 %')
    """
    return signed(formed(form, 100 * share)) + " %"


def signed(text: str) -> str:
    """A number with a sign that can be read; what rounds to nothing has none.

    >>> signed("-0.5"), signed("-0.00"), signed("-0 %")
    ('−0.5', '0.00', '0 %')
    """
    return re.sub(r"^-(?=0[.0]*( ?%)?$)", "", text).replace("-", "\N{MINUS SIGN}")


def number(value: float) -> str:
    """A number at an axis.

    >>> number(1500.0), number(-2.5), number(0.0)
    ('1,500', '−2.5', '0')
    """
    return signed(f"{value:,.10g}" if abs(value) < 1e10 else f"{value:g}")


def more_or_less(value: float) -> str:
    """A number about zero.

    >>> more_or_less(0.05), more_or_less(-2.0), more_or_less(0.0)
    ('+0.05', '−2', '0')
    """
    return f"+{number(value)}" if value > 0 else number(value)
