"""Numbers on charts: at axes, beside marks, and in tooltips."""

from collections.abc import Callable, Mapping
from typing import Any

from simkit.reporting.document.tables import format_value

SHARE = "{:.0%}"  # format of shares


def with_interval(row: Mapping[str, Any], form: str) -> str:
    """Return the value of a row with its interval in brackets, where it is known.

    >>> with_interval({"value": 0.567, "low": 0.558, "high": 0.577}, "{:.1%}")
    '56.7 % (55.8 to 57.7 %)'
    """
    low, high = row.get("low"), row.get("high")
    if low is None or high is None or low == high:
        return format_value(row["value"], form)
    value, start, end = (format_value(number, form) for number in (row["value"], low, high))
    return f"{value} ({start.removesuffix(' %')} to {end})"


def axis_form(form: str) -> Callable[[float], str]:
    """Return the format of an axis of numbers written as `form`: as share or number, signed or not.

    >>> [axis_form(form)(0.2) for form in ("{:.0%}", "{:+.1%}", "{:.1f}", "{:+.1f}")]
    ['20 %', '+20 %', '0.2', '+0.2']
    >>> axis_form("{}")(1500.0), axis_form("{:+.1f}")(0.0)
    ('1,500', '0')
    """
    scale, unit = (100, "%") if "%" in form else (1, "")

    def write(value: float) -> str:
        scaled = round(scale * value, 10)
        return format_value(scaled, f"{{:{'+' if '+' in form and scaled > 0 else ''},.10g}}{unit}")

    return write


def tooltip(row: Mapping[str, Any], subject: str, form: str) -> str:
    """Return the numbers of a row as text, shares with one decimal.

    >>> tooltip({"value": 0.567, "low": 0.558, "high": 0.577, "n": 10000}, "plain player, keeps 16", SHARE)
    'plain player, keeps 16: 56.7 % (55.8 to 57.7 %), n = 10,000'
    """
    if row.get("tip"):
        return str(row["tip"])
    if row["value"] is None:
        return f"{subject}: not known"
    text = join_name(subject, with_interval(row, form.replace(".0%", ".1%")), by=": ")
    games = row.get("n", row.get("games"))
    return f"{text}, n = {games:,}" if isinstance(games, int) else text


def join_name(*parts: str, by: str = ", ") -> str:
    """Join the non-empty parts of a name."""
    return by.join(part for part in parts if part)
