"""The first screen of a page about strategies: which plans matter, who is best, a picture of all matches."""

import polars as pl

from simkit.reporting.pages import Figure, Findings, Section, Show, Table, at_setting, table, told
from simkit.reporting.pages.differences import stopped
from simkit.reporting.pages.scope import head_at, setting_looked_at
from simkit.reporting.pages.strengths import matrix, order, ranking_figures, team_figures
from simkit.reporting.text.meetings import met_at
from simkit.reporting.text.strength import strength, sureness
from simkit.reporting.text.teams import team_strength, team_sureness

MOST_ROWS = 8  # plans in the small table


def section(found: Findings) -> Section:
    setting = setting_looked_at(found)
    if found.run.team:
        return _team(found)
    first, *rest = strength(found, setting)
    todo = [one for one in rest if one.rests.startswith(("landscape", "matchups"))]
    others = [one for one in rest if one not in todo]
    takeaways = told(found, [first], "answer") + told(found, todo, "advice") + told(found, others)
    takeaways += told(found, sureness(found, setting), "sure")
    return Section(takeaways=takeaways, picture=_picture(found), glance=_glance(found))


def _team(found: Findings) -> Section:
    """Which strategy makes the best team; what one of its players is worth stands below, unless it is all."""
    setting, picture = setting_looked_at(found), next(iter(team_figures(found)), None)
    said = [*team_strength(found, setting)]
    best = [one for one in said if one.rests == "team_strategies"] or said
    takeaways = [
        *told(found, best[:1], "answer"), *told(found, best[1:]), *told(found, team_sureness(found), "sure")
    ]  # fmt: skip
    return Section(takeaways=takeaways, picture=picture, warnings=stopped(found))


def _picture(found: Findings) -> Figure | None:
    """All matches, the best plan on top; of other tables than of two seats how often each plan wins."""
    return next(iter([*matrix(found, "matches"), *ranking_figures(found)]), None)


def _glance(found: Findings) -> Table:
    """The best plans: how often each wins, and whom it beats."""
    names, met = order(found), at_setting(found, found.matchups)
    ranked = at_setting(found, found.ranking)
    first = ranked.filter(seats=ranked["seats"][0]).head(MOST_ROWS)
    size = f", of {ranked['seats'][0]} players" if ranked["seats"].n_unique() > 1 else ""
    if met.width and names:
        beats = met.group_by("strategy").agg(beaten=(pl.col("result") == "beats").sum(), many=pl.len())
        first = first.join(beats, on="strategy", how="left", maintain_order="left")
        words = pl.format("{} of {}", "beaten", "many")
        first = first.with_columns(beats=words)
    all_met = met_at(at_setting(found, found.meetings), ranked["seats"][0]).everybody
    caption = "The best plans" if all_met else "How often each plan wins against those that it met"
    shows = {"share": Show(f"wins{size}", "{:.0%}"), "beats": Show("beats beyond luck")}
    columns = f"strategy share {'beats' if met.width and names else ''}"
    return table(found, first, columns, caption, strategy=head_at(found, "strategy"), **shows)
