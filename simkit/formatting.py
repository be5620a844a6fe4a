"""Number and noun formatting shared by games and pages."""

import math
import re
from decimal import ROUND_HALF_UP, Decimal
from typing import Any

EXACT_DIGITS = 9  # decimals; beyond them a sum of shares depends on the order of its terms
MINUS_ZERO = re.compile(r"^-(?=0[.0]*%?$)")
MAX_ROUNDED = 1e15  # from here on a float has no decimals to round


def rounded(value: float, digits: int = 0) -> float:
    """Round to a number of decimals; halves go away from zero, as people round.

    >>> rounded(58.5), rounded(59.5), rounded(-0.125, 2), rounded(100 * 0.285)
    (59.0, 60.0, -0.13, 29.0)
    """
    if not math.isfinite(value) or abs(value) >= MAX_ROUNDED:
        return value
    exact = Decimal(str(round(float(value), EXACT_DIGITS)))
    return float(exact.quantize(Decimal(1).scaleb(-digits), ROUND_HALF_UP))


def formed(form: str, value: Any) -> str:
    """Format a value by a Python format string; halves of a number go away from zero.

    A zero has no minus sign.

    >>> formed("{:.0%}", 0.585), formed("{:+.1f}", -0.25), formed("{:,}", 1200), formed("{}", "goal")
    ('59%', '-0.3', '1,200', 'goal')
    >>> formed("{:+.2f}", -0.001), formed("{:.0%}", -0.001)
    ('0.00', '0%')
    """
    spec = re.search(r"\.(\d+)([f%])}", form)
    if spec is None:
        return form.format(value)
    return MINUS_ZERO.sub("", form.format(rounded(value, int(spec[1]) + (2 if spec[2] == "%" else 0))))


def counted(count: int, name: str, plural: str = "") -> str:
    """Return a count with its noun; `plural` is needed where the plural is not the name with an s.

    >>> counted(1, "setting"), counted(1200, "game"), counted(2, "robot colony", "robot colonies")
    ('1 setting', '1,200 games', '2 robot colonies')
    """
    return f"{count:,} {name if count == 1 else plural or name + 's'}"
