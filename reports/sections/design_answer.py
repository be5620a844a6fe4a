"""The brief of a design search: the setting that meets all wishes on fresh deals, or comes nearest."""

import math
from typing import Any

import polars as pl

from simkit.analysis.goals import goals_of
from simkit.reporting import charts, document
from simkit.reporting.pages import Figure, Findings, Section, Show, Step, Takeaway, figure, query
from simkit.reporting.text import designs
from simkit.reporting.text.commands import command_again, game_words, lineups, more_command, setting_texts
from simkit.reporting.text.numbers import about
from simkit.reporting.text.perspective import side_of
from simkit.reporting.text.phrases import TableRow, capital, join_names

DESIGN_WORDS = {
    "Tolerance": "how distances from wishes are made comparable: half a range (of fairness the margin), "
    "of a wish with one end a tenth of that number. The distance from several wishes is the sum over those "
    "that are not met."
}


def design_answer(findings: Findings) -> Section:
    """Return the brief."""
    settings, source = designs.label_settings(findings), query(findings, "checked_settings", "wishes")
    rows = pl.DataFrame(designs.setting_rows(settings))
    heads = {name: Show(name) for name in rows.columns}
    answer = Takeaway(designs.design_headline(settings), source, "answer")
    return Section(
        takeaways=[answer, Takeaway(designs.design_advice(settings), source, "advice")],
        picture=_wish_figure(findings, settings),
        glance=document.table(rows, heads, "On fresh deals, the nearest to the wishes first"),
        step=_design_step(findings, designs.best_setting(settings)),
        words=DESIGN_WORDS,
    )


def _design_step(findings: Findings, best: TableRow) -> Step:
    """Return the next step: settle what is open, else see all that the rules change, or search longer."""
    run = findings.run
    if wishes := designs.open_wishes(best):
        deals = about(designs.deals_to_settle(best, run.experiment.deals))
        open_words = join_names(map(designs.wish_words, wishes))
        return Step(f"Settle {open_words} with more fresh deals.", more_command(run, "--confirm", deals))
    if best["printed"] or not designs.meets(best):
        command = more_command(run, "--trials", 4 * len(run.designed.trials))
        return Step("More deals would settle nothing. Search longer, or widen the ranges.", command)
    rules = ["--to", ",".join(setting_texts(best["varied"]))]
    command = command_again(run, "compare", run.experiment.game, *rules, *game_words(run, lineups(run)))
    return Step("No wish is open. See everything else that these rules change.", command)


def _wish_figure(findings: Findings, settings: list[TableRow]) -> Figure:
    """Return the measure of the first wish at each checked setting, with the range that was wished for."""
    goal, search = goals_of(findings.run)[0], findings.run.designed
    ends = [end for end in (goal.low, goal.high) if end is not None]
    measured = [row | {"name": own["name"]} for own in settings for row in own["measured"]]
    rows = pl.DataFrame(measured, infer_schema_length=None).filter(goal=0)
    rows = rows.select("name", "lineup", "mean", "low", "high", fair=sum(ends) / len(ends))
    form, wish = "{:.1%}" if goal.unit == "share" else "{:.1f}", designs.wish_words(goal.wish)
    name = designs.goal_words(goal, side_of(findings.run).name)
    unit = f"{name} more than printed" if goal.printed else name
    alt = f"How the checked settings meet {wish}, with 95 % intervals on fresh deals"
    all_tried = len(search.trials) + search.refused >= math.prod(map(len, search.vary.values()))
    coverage = (
        "All settings were tried"
        if all_tried
        else f"{len(search.trials)} settings were tried, chosen by Optuna"
    )
    how = f"{coverage}; the game refused {search.refused}" if search.refused else coverage
    parts = {"label": pl.col("name"), "kind": pl.col("lineup"), "value": pl.col("mean")}
    options: dict[str, Any] = {"form": form, "margin": (ends[-1] - ends[0]) / 2, "aim": f"wished: {wish}"}
    return figure(findings, ("design", charts.forest), rows, alt, how, parts, unit=capital(unit), **options)
