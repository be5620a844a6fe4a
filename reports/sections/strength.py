"""The first screen about strategies: those that matter, the best one, and a picture of all matches."""

import polars as pl

from simkit.reporting.pages import Figure, Findings, Section, Show, Table, as_takeaways, at_setting, table
from simkit.reporting.pages.differences import stopped
from simkit.reporting.pages.scope import head_at, setting_looked_at
from simkit.reporting.pages.strengths import matrix, order, ranking_figures, team_figures
from simkit.reporting.text.meetings import met_at
from simkit.reporting.text.strength import strength, sureness
from simkit.reporting.text.teams import team_strength, team_sureness

MAX_ROWS = 8  # strategies in the small table


def section(findings: Findings) -> Section:
    """Return the first screen for opponents, or for teams of strategies."""
    setting = setting_looked_at(findings)
    if findings.run.team:
        return _team(findings)
    first, *rest = strength(findings, setting)
    advice = [sentence for sentence in rest if sentence.rests.startswith(("landscape", "matchups"))]
    others = [sentence for sentence in rest if sentence not in advice]
    takeaways = (
        as_takeaways(findings, [first], "answer")
        + as_takeaways(findings, advice, "advice")
        + as_takeaways(findings, others)
    )
    takeaways += as_takeaways(findings, sureness(findings, setting), "sure")
    return Section(takeaways=takeaways, picture=_picture(findings), glance=_glance(findings))


def _team(findings: Findings) -> Section:
    """Return the first screen about teams, led by the best team, or by the best member without teams."""
    setting, picture = setting_looked_at(findings), next(iter(team_figures(findings)), None)
    sentences = [*team_strength(findings, setting)]
    best = [sentence for sentence in sentences if sentence.rests == "team_strategies"] or sentences
    takeaways = [
        *as_takeaways(findings, best[:1], "answer"),
        *as_takeaways(findings, best[1:]),
        *as_takeaways(findings, team_sureness(findings), "sure"),
    ]  # fmt: skip
    return Section(takeaways=takeaways, picture=picture, warnings=stopped(findings))


def _picture(findings: Findings) -> Figure | None:
    """Return all matches, the best strategy on top; the ranking where tables have more than two seats."""
    return next(iter([*matrix(findings, "matches"), *ranking_figures(findings)]), None)


def _glance(findings: Findings) -> Table:
    """Return the best strategies: the share of each, and how many opponents it beats."""
    names, met = order(findings), at_setting(findings, findings.matchups)
    ranked = at_setting(findings, findings.ranking)
    first = ranked.filter(seats=ranked["seats"][0]).head(MAX_ROWS)
    size = f", of {ranked['seats'][0]} players" if ranked["seats"].n_unique() > 1 else ""
    if met.width and names:
        beats = met.group_by("strategy").agg(beaten=(pl.col("result") == "beats").sum(), rivals=pl.len())
        first = first.join(beats, on="strategy", how="left", maintain_order="left")
        words = pl.format("{} of {}", "beaten", "rivals")
        first = first.with_columns(beats=words)
    all_met = met_at(at_setting(findings, findings.meetings), ranked["seats"][0]).everybody
    caption = "The best plans" if all_met else "How often each plan wins against those that it met"
    shows = {"share": Show(f"wins{size}", "{:.0%}"), "beats": Show("beats beyond luck")}
    columns = f"strategy share {'beats' if met.width and names else ''}"
    return table(findings, first, columns, caption, strategy=head_at(findings, "strategy"), **shows)
