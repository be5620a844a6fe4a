"""Figures of a search for rules: all tried settings by two wishes each."""

import math
from typing import Any

import polars as pl

from simkit.analysis import Findings
from simkit.analysis.goals import Goal, goals_of, worst
from simkit.reporting import charts
from simkit.reporting.document import Figure
from simkit.reporting.pages.pictures import figure
from simkit.reporting.text.designs import goal_words, setting_of, wish_words, wishes_of
from simkit.reporting.text.labels import labels_of
from simkit.reporting.text.perspective import side_of
from simkit.reporting.text.phrases import capital, listed

TRIED_SETTING, FRONT, CHECKED, PRINTED = (
    "tried",
    "none tried is nearer in all wishes",
    "checked on fresh deals",
    "printed",
)
ORDER = (TRIED_SETTING, FRONT, CHECKED, PRINTED)
PROPOSED, EXHAUSTIVE = "Proposed by Bayesian optimisation (Optuna)", "All settings were tried"
LOSS = "Distance from the wishes, in tolerances"


def picture(findings: Findings) -> Figure:
    """Return all settings by the first two wishes; for a single wish, along the distance from it."""
    goals, wishes = goals_of(findings.run), wishes_of(goals_of(findings.run))
    first, second = (next((goal for goal in goals if goal.wish == wish), None) for wish in (*wishes, "")[:2])
    table = pl.DataFrame(_points(findings), infer_schema_length=None)
    columns = {"x": "0", "y": "1" if second else str(len(wishes))}
    ends = {f"{axis}_{end}": f"{name}_{end}" for axis, name in columns.items() for end in ("low", "high")}
    drawn = {part: name for part, name in (columns | ends).items() if name in table.columns}
    table = table.select("kind", "name", "tip", **{part: pl.col(name) for part, name in drawn.items()})
    label, unit = _label(findings, first), _label(findings, second)
    goals_drawn = first, second
    options: dict[str, Any] = {"label": label, "unit": unit, "wanted": tuple(map(_wanted, goals_drawn))}
    options["forms"] = tuple("{:.0%}" if goal and goal.unit == "share" else "{}" for goal in goals_drawn)
    search, checked = findings.run.designed, findings.checked_settings.rows(named=True)
    met = listed(map(wish_words, wishes[:2]))
    alt = f"How {len(search.trials)} settings meet {met}, with the wished ranges shaded."
    all_tried = len(search.trials) + search.refused >= math.prod(map(len, search.vary.values()))
    notes = [
        EXHAUSTIVE if all_tried else PROPOSED,
        *([f"{search.refused} refused by the game"] if search.refused else []),
    ]
    notes += [
        f"{place + 1}: {setting_of(findings, row)}" for place, row in enumerate(checked) if not row["printed"]
    ]
    return figure(
        findings,
        ("design", charts.setting_dots),
        table,
        alt,
        "; ".join(notes),
        {"kind": pl.col("kind")},
        **options,
    )


def _points(findings: Findings) -> list[dict[str, Any]]:
    """Return each setting with its values by wish; checked settings also with their values on fresh deals."""
    goals, labels = goals_of(findings.run), labels_of(findings)
    trials = findings.run.designed.trials
    points = list[dict[str, Any]]()
    for trial, row in zip(trials, findings.tried_settings.rows(named=True), strict=True):
        kind = FRONT if row["front"] else TRIED_SETTING
        points.append({"kind": kind, "name": None, "tip": labels.short(trial.setting), **_places(row)})
    for place, row in enumerate(findings.checked_settings.rows(named=True)):
        measured = findings.wishes.filter(setting=row["setting_number"]).rows(named=True)
        fresh = worst(goals, measured)
        values = {"values": [x for _, x in fresh.values()], "loss": row["loss"]}
        kind, name = (PRINTED, "printed") if row["printed"] else (CHECKED, str(place + 1))
        words: dict[str, Any] = {"kind": kind, "name": name, "tip": setting_of(findings, row)}
        points.append(words | _places(values) | _intervals(measured, fresh))
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


def _label(findings: Findings, goal: Goal | None) -> str:
    if goal is None:
        return LOSS
    text = goal_words(goal, side_of(findings.run).name) + (" more than printed" if goal.printed else "")
    several = findings.wishes["lineup"].n_unique() > 1
    return capital(text) + (", of the lineup farthest off" if several else "")


def _wanted(goal: Goal | None) -> tuple[float | None, float | None]:
    return (goal.low, goal.high) if goal else (None, 0.0)
