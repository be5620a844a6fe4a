"""Numbers on charts: at axes, beside marks, and in tooltips."""

import re
from collections.abc import Callable, Mapping
from typing import Any

from simkit.formatting import formed

Form = Callable[[float], str]


def percent(share: float, form: str = "{:.0f}") -> str:
    """Return a share in percent.

    >>> percent(0.5), percent(0.5671, "{:.1f}")
    ('50 %', '56.7 %')
    """
    return signed(formed(form, 100 * share)) + " %"


def exact(share: float) -> str:
    """Return a share in percent with one decimal."""
    return percent(share, "{:.1f}")


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
    value = round(value, 10)
    return f"+{number(value)}" if value > 0 else number(value)


def points(value: float) -> str:
    """Return a difference of shares in percentage points.

    >>> points(0.0123), points(-0.2)
    ('+1.2', '−20')
    """
    return more_or_less(round(100 * value, 1))


def plain(value: float) -> str:
    """Return a number with at most four significant digits."""
    return signed(f"{value:,.4g}" if abs(value) < 1000 else f"{value:,.0f}")


def written(value: float | None, form: str) -> str:
    """Return a number in its format, or a dash where it is unknown."""
    return "–" if value is None else signed(formed(form, value).replace("%", " %"))


def axis_form(form: str) -> Form:
    """Return the format of an axis of numbers written as `form`: as share or number, signed or not.

    >>> [axis_form(form)(0.2) for form in ("{:.0%}", "{:+.1%}", "{:.1f}", "{:+.1f}")]
    ['20 %', '+20 %', '0.2', '+0.2']
    """
    scale, unit = (100, " %") if "%" in form else (1, "")
    say = more_or_less if "+" in form else number
    return lambda value: f"{say(round(scale * value, 10))}{unit}"


def tooltip(row: Mapping[str, Any], subject: str, value: str = "share", form: Form = exact) -> str:
    """Return the numbers of a row as text.

    >>> tooltip({"share": 0.567, "low": 0.558, "high": 0.577, "n": 10000}, "plain player, keeps 16")
    'plain player, keeps 16: 56.7 % (55.8 to 57.7 %), n = 10,000'
    """
    if row.get("tip"):
        return str(row["tip"])
    if row[value] is None:
        return f"{subject}: not known"
    text = f"{subject}: {form(row[value])}" if subject else form(row[value])
    low, high = row.get("low"), row.get("high")
    if low is not None and high is not None:
        text += f" ({form(low).removesuffix(' %')} to {form(high)})"
    games = row.get("n", row.get("games"))
    return f"{text}, n = {games:,}" if isinstance(games, int) else text


def named(*parts: str) -> str:
    """Join the non-empty parts of a name."""
    return ", ".join(part for part in parts if part)
