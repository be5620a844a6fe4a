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

TRIED_SETTING, FRONT = "tried", "none tried is nearer in all wishes"
CHECKED, PRINTED = "checked on fresh deals", "printed"
ORDER = (TRIED_SETTING, FRONT, CHECKED, PRINTED)
PROPOSED, EXHAUSTIVE = "Proposed by Bayesian optimisation (Optuna)", "All settings were tried"
LOSS = "Distance from the wishes, in tolerances"


def picture(findings: Findings) -> Figure:
    """Return all settings by the first two wishes; for a single wish, along the distance from it."""
    goals, wishes = goals_of(findings.run), wishes_of(goals_of(findings.run))
    drawn = [next((goal for goal in goals if goal.wish == wish), None) for wish in (*wishes, "")[:2]]
    table = pl.DataFrame(_points(findings), infer_schema_length=None)
    columns = {"x": "0", "y": "1" if drawn[1] else str(len(wishes))}
    columns |= {f"{axis}_{end}": f"{name}_{end}" for axis, name in columns.items() for end in ("low", "high")}
    parts = {part: pl.col(name) for part, name in columns.items() if name in table.columns}
    label, unit = (_label(findings, goal) for goal in drawn)
    options: dict[str, Any] = {"label": label, "unit": unit}
    options["wanted"] = tuple((goal.low, goal.high) if goal else (None, 0.0) for goal in drawn)
    options["forms"] = tuple("{:.0%}" if goal and goal.unit == "share" else "{}" for goal in drawn)
    count = len(findings.run.designed.trials)
    alt = f"How {count} settings meet {listed(map(wish_words, wishes[:2]))}, with the wished ranges shaded."
    shown = table.select("kind", "name", "tip", **parts)
    chart, kind = ("design", charts.setting_dots), {"kind": pl.col("kind")}
    return figure(findings, chart, shown, alt, "; ".join(_notes(findings)), kind, **options)


def _notes(findings: Findings) -> list[str]:
    """Return how settings were chosen, and which ones the numbers in the figure mean."""
    search, checked = findings.run.designed, findings.checked_settings.rows(named=True)
    all_tried = len(search.trials) + search.refused >= math.prod(map(len, search.vary.values()))
    refused = [f"{search.refused} refused by the game"] if search.refused else []
    names = [
        f"{place}: {setting_of(findings, row)}" for place, row in enumerate(checked, 1) if not row["printed"]
    ]
    return [EXHAUSTIVE if all_tried else PROPOSED, *refused, *names]


def _points(findings: Findings) -> list[dict[str, Any]]:
    """Return each setting with its values by wish; checked settings also with their values on fresh deals."""
    goals, labels, points = goals_of(findings.run), labels_of(findings), list[dict[str, Any]]()
    trials = findings.run.designed.trials
    for trial, row in zip(trials, findings.tried_settings.rows(named=True), strict=True):
        kind = FRONT if row["front"] else TRIED_SETTING
        values = enumerate([*row["values"], row["loss"]])
        points.append({"kind": kind, "name": None, "tip": labels.short(trial.setting)})
        points[-1] |= {str(place): value for place, value in values}
    for number, row in enumerate(findings.checked_settings.rows(named=True), 1):
        measured = findings.wishes.filter(setting=row["setting_number"]).rows(named=True)
        kind, name = (PRINTED, "printed") if row["printed"] else (CHECKED, str(number))
        points.append({"kind": kind, "name": name, "tip": setting_of(findings, row)})
        fresh = worst(goals, measured)
        points[-1][str(len(fresh))] = row["loss"]
        for place, (wish, (_, mean)) in enumerate(fresh.items()):
            own = next(own for own in measured if own["wish"] == wish and own["mean"] == mean)
            points[-1] |= {f"{place}": mean, f"{place}_low": own["low"], f"{place}_high": own["high"]}
    return sorted(points, key=lambda point: ORDER.index(point["kind"]))


def _label(findings: Findings, goal: Goal | None) -> str:
    if goal is None:
        return LOSS
    text = goal_words(goal, side_of(findings.run).name) + (" more than printed" if goal.printed else "")
    several = findings.wishes["lineup"].n_unique() > 1
    return capital(text) + (", of the lineup farthest off" if several else "")
