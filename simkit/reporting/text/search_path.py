"""Description of a search for a fair value before the check on fresh deals."""

import math
from typing import Any

import polars as pl

from simkit.analysis import Findings
from simkit.formatting import counted
from simkit.reporting.text.labels import Labels
from simkit.reporting.text.phrases import listed
from simkit.runs.run import Run

CURVE = "straight lines from each value’s share to the next meet the fair share at the fair value"
LINES = "lines through the log ratios of the shares meet at the values at which all are equal"


def searched(run: Run) -> str:
    """Return the ranges, settings and method of a search; empty for other runs."""
    if run.kind != "fair":
        return ""
    options, labels, points = run.search.vary, Labels(run), run.search.points
    ranges = listed(f"{labels.option(name)} from {low} to {high}" for name, (low, high) in options.items())
    settings = {tuple(dict(point)[name] for name in options) for point in points}
    stages = counted(len({point.look for point in points}), "look")
    played = f"{counted(len(settings), 'setting')} in {stages}, each on deals of its own"
    return f"{ranges}; {played}; {CURVE if len(options) == 1 else LINES}"


def unplayed(findings: Findings) -> list[str]:
    """Return a note on values inside the interval of the only option that were not played.

    A lineup without a fair value has the whole range as its interval, measured in all stages.
    """
    if len(findings.run.search.vary) > 1:
        return []
    (option,) = findings.run.search.vary
    close, gaps = pl.col("look").str.starts_with("close"), dict[tuple[int, int], list[int]]()
    for row in findings.fair_values.rows(named=True):
        points = findings.fair_points.filter(close | pl.lit(row["value"] is None))
        gaps |= _gap(row, sorted(set(points[option])))
    return [_straight(*ends, inside) for ends, inside in sorted(gaps.items())]


def _gap(row: dict[str, Any], played: list[int]) -> dict[tuple[int, int], list[int]]:
    """Return the values played around an interval, keyed by its ends, unless they are all whole numbers."""
    low = row["least"] if row["low"] is None else row["low"]
    high = row["most"] if row["high"] is None else row["high"]
    begin = max((x for x in played if x <= low), default=math.floor(low))
    end = min((x for x in played if x >= high), default=math.ceil(high))
    inside = [x for x in played if begin <= x <= end]
    return {(begin, end): inside} if 0 < len(inside) <= end - begin else {}


def _straight(begin: int, end: int, played: list[int]) -> str:
    values = listed(map(str, played))
    return f"from {begin} to {end} only {values} were played, and straight lines stand for the shares between"
