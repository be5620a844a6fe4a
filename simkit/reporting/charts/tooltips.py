"""Tooltips: the subject of a point, its number with the interval, and the number of games."""

from collections.abc import Callable, Mapping
from typing import Any

from simkit.reporting.charts.scales import percent, signed

Form = Callable[[float], str]


def exact(share: float) -> str:
    """Return a share in percent with one decimal."""
    return percent(share, "{:.1f}")


def plain(value: float) -> str:
    """Return a number with at most four significant digits."""
    return signed(f"{value:,.4g}" if abs(value) < 1000 else f"{value:,.0f}")


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
