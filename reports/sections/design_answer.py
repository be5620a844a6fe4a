"""The brief of a design search: the setting that meets all wishes on fresh deals, or comes nearest."""

import math
from typing import Any

import polars as pl

from simkit.analysis.goals import Goal, goals_of, worst
from simkit.reporting import charts, document
from simkit.reporting.document import Figure, Step
from simkit.reporting.pages import Findings, Section, Show, Takeaway, figure, labels_of, query
from simkit.reporting.text import designs
from simkit.reporting.text.commands import command_again, game_words, lineups, more_command, setting_texts
from simkit.reporting.text.numbers import about
from simkit.reporting.text.perspective import side_of
from simkit.reporting.text.phrases import Row, capital, listed

TRIED_SETTING, FRONT = "tried", "none tried is nearer in all wishes"
CHECKED, PRINTED = "checked on fresh deals", "printed"
ORDER = (TRIED_SETTING, FRONT, CHECKED, PRINTED)
EXHAUSTIVE = "All settings were tried"
WORDS = {
    "Tolerance": "how distances from wishes are made comparable: half a range (of fairness the margin), "
    "of a wish with one end a tenth of that number. The distance from several wishes is the sum over those "
    "that are not met."
}


def section(findings: Findings) -> Section:
    """Return the brief."""
    settings, source = designs.labelled(findings), query(findings, "checked_settings", "wishes")
    rows = pl.DataFrame(designs.setting_rows(settings))
    heads = {name: Show(name) for name in rows.columns}
    answer = Takeaway(designs.design_headline(settings), source, "answer")
    return Section(
        takeaways=[answer, Takeaway(designs.design_advice(settings), source, "advice")],
        picture=_picture(findings),
        glance=document.table(rows, heads, "On fresh deals, the nearest to the wishes first"),
        step=_step(findings, designs.chosen(settings)),
        words=WORDS,
    )


def _step(findings: Findings, best: Row) -> Step:
    """Return the next step: settle what is open, else see all that the rules change, or search longer."""
    run = findings.run
    if wishes := designs.open_wishes(best):
        deals = about(designs.deals_to_settle(best, run.experiment.deals))
        open_words = listed(map(designs.wish_words, wishes))
        return Step(f"Settle {open_words} with more fresh deals.", more_command(run, "--confirm", deals))
    if best["printed"] or not designs.meets(best):
        command = more_command(run, "--trials", 4 * len(run.designed.trials))
        return Step("More deals would settle nothing. Search longer, or widen the ranges.", command)
    cells = (findings.whole or findings).run.cells
    varied = next(cell.varied for cell in cells if cell.index == best["cell"])
    rules = ["--to", ",".join(setting_texts(varied))]
    command = command_again(run, "compare", run.experiment.game, *rules, *game_words(run, lineups(run)))
    return Step("No wish is open. See everything that these rules change.", command)


def _picture(findings: Findings) -> Figure:
    """Return all settings by the first two wishes; for a single wish, a row for each checked setting."""
    goals, wishes = goals_of(findings.run), designs.wishes_of(goals_of(findings.run))
    points = pl.DataFrame(_points(findings), infer_schema_length=None)
    if len(wishes) == 1:
        return _checked(findings, goals[0], points.filter(pl.col("name").is_not_null()))
    drawn = [next(goal for goal in goals if goal.wish == wish) for wish in wishes[:2]]
    columns = {"x": "0", "y": "1"}
    columns |= {f"{axis}_{end}": f"{name}_{end}" for axis, name in columns.items() for end in ("low", "high")}
    shown = {part: pl.col(name) for part, name in columns.items() if name in points.columns}
    label, unit = (_label(findings, goal) for goal in drawn)
    options: dict[str, Any] = {"label": label, "unit": unit}
    options["wanted"] = tuple((goal.low, goal.high) for goal in drawn)
    options["forms"] = tuple("{:.0%}" if goal.unit == "share" else "{}" for goal in drawn)
    met = listed(map(designs.wish_words, wishes[:2]))
    alt = f"How {len(findings.run.designed.trials)} settings meet {met}, with the wished ranges shaded."
    frame, parts = points.select("kind", "name", "tip", **shown), {"kind": pl.col("kind")}
    chart = ("design", charts.setting_dots)
    return figure(findings, chart, frame, alt, "; ".join(_notes(findings)), parts, **options)


def _checked(findings: Findings, goal: Goal, points: pl.DataFrame) -> Figure:
    """Return the value of a single wish at each checked setting, in the band that was wished for."""
    limits = [end for end in (goal.low, goal.high) if end is not None]
    middle = sum(limits) / len(limits)
    wish, form = designs.wish_words(goal.wish), "{:.1%}" if goal.unit == "share" else "{:.1f}"
    rows, parts = points.with_columns(fair=middle), {"label": pl.col("tip"), "kind": pl.lit("")}
    parts |= {"value": pl.col("0"), "low": pl.col("0_low"), "high": pl.col("0_high")}
    options: dict[str, Any] = {"unit": _label(findings, goal), "form": form, "margin": limits[-1] - middle}
    options["aim"] = f"wished: {wish}"
    alt = f"How the checked settings meet {wish}, with 95 % intervals on fresh deals"
    return figure(findings, ("design", charts.forest), rows, alt, _notes(findings)[0], parts, **options)


def _notes(findings: Findings) -> list[str]:
    """Return how settings were chosen, and which ones the numbers in the figure mean."""
    search, checked = findings.run.designed, findings.checked_settings.rows(named=True)
    all_tried = len(search.trials) + search.refused >= math.prod(map(len, search.vary.values()))
    numbered = [(place, row) for place, row in enumerate(checked, 1) if not row["printed"]]
    names = [f"{place}: {designs.setting_of(findings, row)}" for place, row in numbered]
    coverage = EXHAUSTIVE if all_tried else f"{len(search.trials)} settings were tried, chosen by Optuna"
    how = f"{coverage}; the game refused {search.refused}" if search.refused else coverage
    lineups = {tuple(cell.labels) for cell in findings.run.cells}
    return [how, *(["of several lineups the farthest off"] if len(lineups) > 1 else []), *names]


def _points(findings: Findings) -> list[dict[str, Any]]:
    """Return each setting with its values by wish; checked settings also with their values on fresh deals."""
    goals, labels, points = goals_of(findings.run), labels_of(findings), list[dict[str, Any]]()
    trials = findings.run.designed.trials
    for trial, row in zip(trials, findings.tried_settings.rows(named=True), strict=True):
        kind, values = FRONT if row["front"] else TRIED_SETTING, enumerate([*row["values"], row["loss"]])
        points.append({"kind": kind, "name": None, "tip": labels.short(trial.setting)})
        points[-1] |= {str(place): value for place, value in values}
    for number, row in enumerate(findings.checked_settings.rows(named=True), 1):
        measured = findings.wishes.filter(setting=row["setting_number"]).rows(named=True)
        kind, name = (PRINTED, "printed") if row["printed"] else (CHECKED, str(number))
        points.append({"kind": kind, "name": name, "tip": designs.setting_of(findings, row)})
        fresh = worst(goals, measured)
        points[-1][str(len(fresh))] = row["loss"]
        for place, (wish, (_, mean)) in enumerate(fresh.items()):
            own = next(own for own in measured if own["wish"] == wish and own["mean"] == mean)
            points[-1] |= {f"{place}": mean, f"{place}_low": own["low"], f"{place}_high": own["high"]}
    return sorted(points, key=lambda point: ORDER.index(point["kind"]))


def _label(findings: Findings, goal: Goal) -> str:
    """Return the label of an axis; values are those of the lineup that is farthest off."""
    name = designs.goal_words(goal, side_of(findings.run).name)
    return capital(f"{name} more than printed" if goal.printed else name)
