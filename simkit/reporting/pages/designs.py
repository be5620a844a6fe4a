"""Figures of a search for rules: all tried settings by two wishes each."""

from collections.abc import Iterator
from itertools import combinations
from typing import Any

import polars as pl

from simkit.analysis import Findings
from simkit.analysis.goals import Goal, goals_of, worst
from simkit.reporting import charts
from simkit.reporting.document import Figure
from simkit.reporting.pages.pictures import figure
from simkit.reporting.text.designs import goal_words, setting_of
from simkit.reporting.text.labels import labels_of

TRIED_SETTING, FRONT, CHECKED, PRINTED = (
    "tried",
    "none tried is nearer in all wishes",
    "checked on fresh deals",
    "printed",
)
ORDER = (TRIED_SETTING, FRONT, CHECKED, PRINTED)
LOSS = "Distance from the wishes, in tolerances"


def pictures(findings: Findings) -> list[Figure]:
    """Return a figure for each pair of wishes; for a single wish, along the distance from it."""
    wishes = list(dict.fromkeys(goal.wish for goal in goals_of(findings.run)))
    points = _points(findings)
    pairs = list(combinations(range(len(wishes)), 2)) or [(0, -1)]
    return [_picture(findings, points, wishes, pair) for pair in pairs]


def _points(findings: Findings) -> list[dict[str, Any]]:
    """Return each setting with its values by wish; checked settings also with their values on fresh deals."""
    goals, labels = goals_of(findings.run), labels_of(findings)
    trials = findings.run.designed.trials
    points = []
    for trial, row in zip(trials, findings.tried_settings.rows(named=True), strict=True):
        kind = FRONT if row["front"] else TRIED_SETTING
        points.append({"kind": kind, "name": None, "tip": labels.short(trial.setting), **_places(row)})
    for place, row in enumerate(findings.checked_settings.rows(named=True)):
        measured = findings.wishes.filter(setting=row["setting_number"]).rows(named=True)
        fresh = worst(goals, measured)
        values = {"values": [x for _, x in fresh.values()], "loss": row["loss"]}
        kind, name = (PRINTED, "printed") if row["printed"] else (CHECKED, str(place + 1))
        point: dict[str, Any] = {
            "kind": kind,
            "name": name,
            "tip": setting_of(findings, row),
            **_places(values),
        }
        points.append(point | _intervals(measured, fresh))
    return sorted(points, key=lambda point: ORDER.index(point["kind"]))


def _places(row: dict[str, Any]) -> dict[str, float]:
    """Return the values by wish, and the distance last."""
    return {str(i): value for i, value in enumerate([*row["values"], row["loss"]])}


def _intervals(measured: list[dict[str, Any]], fresh: dict[str, tuple[float, float]]) -> dict[str, float]:
    """Return by wish the ends of the interval of the value that counts."""
    columns = dict[str, float]()
    for place, (wish, (_, value)) in enumerate(fresh.items()):
        (row, *_) = (row for row in measured if row["wish"] == wish and row["mean"] == value)
        columns |= {f"{place}_low": row["low"], f"{place}_high": row["high"]}
    return columns


def _picture(
    findings: Findings, points: list[dict[str, Any]], wishes: list[str], pair: tuple[int, int]
) -> Figure:
    goals = goals_of(findings.run)
    first, second = ([goal for goal in goals if i >= 0 and goal.wish == wishes[i]][:1] for i in pair)
    columns = [str(i if i >= 0 else len(wishes)) for i in pair]
    table = pl.DataFrame(points, infer_schema_length=None)
    axes = {"x": columns[0], "y": columns[1]}
    ends = {f"{axis}_{end}": f"{name}_{end}" for axis, name in axes.items() for end in ("low", "high")}
    drawn = {part: name for part, name in (axes | ends).items() if name in table.columns}
    table = table.select("kind", "name", "tip", **{part: pl.col(name) for part, name in drawn.items()})
    several = findings.wishes["lineup"].n_unique() > 1
    label, unit = _label(findings, first, several), _label(findings, second, several)
    options: dict[str, Any] = {
        "label": label,
        "unit": unit,
        "wanted_x": _wanted(first),
        "wanted_y": _wanted(second),
    }
    options["shares"] = tuple(
        any(goal.unit == "share" for goal in axis_goals) for axis_goals in (first, second)
    )
    along = f"{label[:1].lower()}{label[1:]}"
    alt = f"{unit}, along {along}, of {table.height} settings; the shaded ground is wished for."
    caption = "; ".join(_numbers(findings))
    parts = {"kind": pl.col("kind")}
    return figure(
        findings,
        (f"design-{columns[0]}-{columns[1]}", charts.setting_dots),
        table,
        alt,
        caption,
        parts,
        **options,
    )


def _numbers(findings: Findings) -> Iterator[str]:
    """Yield the meanings of the numbers beside dots."""
    for place, row in enumerate(findings.checked_settings.rows(named=True)):
        if not row["printed"]:
            yield f"{place + 1}: {setting_of(findings, row)}"


def _label(findings: Findings, goals: list[Goal], several: bool) -> str:
    if not goals:
        return LOSS
    text = goal_words(findings, goals[0]) + (" more than printed" if goals[0].printed else "")
    return f"{text[:1].upper()}{text[1:]}" + (", of the lineup farthest off" if several else "")


def _wanted(goals: list[Goal]) -> tuple[float | None, float | None]:
    return (goals[0].low, goals[0].high) if goals else (None, 0.0)
