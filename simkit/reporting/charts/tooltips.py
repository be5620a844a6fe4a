"""What a point says when it is asked: whose it is, the number with its interval, how many games."""

from collections.abc import Callable, Mapping
from typing import Any

from simkit.reporting.charts.scales import percent, signed

Form = Callable[[float], str]


def exact(share: float) -> str:
    return percent(share, "{:.1f}")


def plain(value: float) -> str:
    return signed(f"{value:,.4g}" if abs(value) < 1000 else f"{value:,.0f}")


def told(row: Mapping[str, Any], whose: str, value: str = "share", form: Form = exact) -> str:
    """The numbers of a row in words.

    >>> told({"share": 0.567, "low": 0.558, "high": 0.577, "n": 10000}, "plain player, keeps 16")
    'plain player, keeps 16: 56.7 % (55.8 to 57.7 %), n = 10,000'
    """
    if row.get("tip"):
        return str(row["tip"])
    if row[value] is None:
        return f"{whose}: not known"
    said = f"{whose}: {form(row[value])}" if whose else form(row[value])
    low, high = row.get("low"), row.get("high")
    if low is not None and high is not None:
        said += f" ({form(low).removesuffix(' %')} to {form(high)})"
    games = row.get("n", row.get("games"))
    return f"{said}, n = {games:,}" if isinstance(games, int) else said


def named(*parts: str) -> str:
    return ", ".join(part for part in parts if part)
