"""What the tables of teams say of strategies, in sentences for a designer."""

from collections.abc import Iterator

import polars as pl

from simkit.analysis import Findings
from simkit.words.labels import labels_of
from simkit.words.phrases import Row, Said, deal_interval, listed, number, percent, span


def team_strength(found: Findings, setting: str) -> Iterator[Said]:
    """Which strategy makes the best team at a setting, and what one of its players is worth to others."""
    for name, say in {"team_strategies": _best, "mixed_teams": _worth}.items():
        table: pl.DataFrame = getattr(found, name)
        here = table.filter(setting=setting) if table.width else table
        key = "seats" if name == "team_strategies" else "mix"
        for part in here.partition_by(key, maintain_order=True) if here.width else ():
            yield Said(say(found, part.rows(named=True)), name)


def _best(found: Findings, rows: list[Row]) -> str:
    """`selective does best as a team of 3: it wins 72.4 % (...)`; rows: the best first."""
    called, best = labels_of(found).strategy, rows[0]
    text = f"{called(best['strategy'])} does best as a team of {best['seats']}: it wins"
    text += f" {percent(best['share'])} of its games ({deal_interval(best)})"
    if best["against"] is not None:
        less = "more" if best["difference"] > 0 else "less"
        text += f", {_points(best)} {less} than {called(best['against'])} on the same deals"
    close = [called(row["strategy"]) for row in rows[1:] if row["high"] > best["low"]]
    if close:
        text += f". Its interval overlaps with that of {listed(close)}: which of them is best is not settled"
    return f"{text}."


def _worth(found: Findings, rows: list[Row]) -> str:
    """`The first brinkman is worth +5.1 percentage points (...) to a team of 3 of reference player ...`."""
    called, first = labels_of(found).strategy, rows[1]
    one, other = called(first["one"]), called(first["other"])
    seats = first["with_it"] - rows[0]["with_it"]
    who = f"The first {other} is" if seats == 1 else f"{seats} seats of {other} are"
    text = f"{who} worth {_points(first, sign=True)} to a team of {first['seats']} of {one}, which then wins"
    text += f" {percent(first['share'])} ({deal_interval(first)})"
    last = rows[-1]
    if len(rows) > 2 and last["difference"] is not None:
        text += f"; the last to come {_points(last, sign=True)}"
    return f"{text}."


def _points(row: Row, sign: bool = False) -> str:
    """`18.4 percentage points (16.8 to 19.9)`."""
    value = 100 * (row["difference"] if sign else abs(row["difference"]))
    low, high = row["difference_low"], row["difference_high"]
    if not sign:
        low, high = sorted((abs(low), abs(high)))
    return f"{number(value, sign=sign)} percentage points ({span(low, high, sign=sign, scale=100)})"
