"""Words and numbers that games and pages share."""

import math
import re
from decimal import ROUND_HALF_UP, Decimal
from typing import Any

EXACT = 9  # digits after the point; beyond them a sum of shares is not the same twice
MINUS_ZERO = re.compile(r"^-(?=0[.0]*%?$)")
MOST = 1e15  # from here on a number has no digits after the point to round


def rounded(value: float, digits: int = 0) -> float:
    """A number with so many digits after the point; halves go away from zero, as people round.

    >>> rounded(58.5), rounded(59.5), rounded(-0.125, 2), rounded(100 * 0.285)
    (59.0, 60.0, -0.13, 29.0)
    """
    if not math.isfinite(value) or abs(value) >= MOST:
        return value
    exact = Decimal(str(round(float(value), EXACT)))
    return float(exact.quantize(Decimal(1).scaleb(-digits), ROUND_HALF_UP))


def formed(form: str, value: Any) -> str:
    """A value by a format of Python; halves of a number go away from zero.

    A zero has no minus.

    >>> formed("{:.0%}", 0.585), formed("{:+.1f}", -0.25), formed("{:,}", 1200), formed("{}", "goal")
    ('59%', '-0.3', '1,200', 'goal')
    >>> formed("{:+.2f}", -0.001), formed("{:.0%}", -0.001)
    ('0.00', '0%')
    """
    said = re.search(r"\.(\d+)([f%])}", form)
    if said is None:
        return form.format(value)
    return MINUS_ZERO.sub("", form.format(rounded(value, int(said[1]) + 2 * (said[2] == "%"))))


def counted(many: int, name: str, more: str = "") -> str:
    """A number of things; `more`: what several are called, where that is not the name with an s.

    >>> counted(1, "setting"), counted(1200, "game"), counted(2, "robot colony", "robot colonies")
    ('1 setting', '1,200 games', '2 robot colonies')
    """
    return f"{many:,} {name if many == 1 else more or name + 's'}"
