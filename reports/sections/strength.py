"""The brief about strategies: those that matter, the best one, and a picture of all matches."""

import polars as pl

from simkit.reporting.document import Step
from simkit.reporting.pages import Findings, Section, Show, Table, as_takeaways, at_setting, margin, table
from simkit.reporting.pages.differences import stopping_cautions
from simkit.reporting.pages.scope import head_at, setting_looked_at
from simkit.reporting.pages.strengths import strength_figures, team_figures
from simkit.reporting.text.commands import command_again, game_words, more_command
from simkit.reporting.text.labels import labels_of
from simkit.reporting.text.phrases import join_names
from simkit.reporting.text.strength import (
    deals_to_decide,
    meetings_at,
    needs,
    strategy_standing,
    strength_sentences,
    tables_at,
)
from simkit.reporting.text.teams import team_strength

STRATEGIES_WORDS = {
    "Needed": "one of the plans that rivals would pick who know all matches and may pick anew for each game, "
    "so that nobody gains by another pick. A match that is not settled counts as even.",
    "Never right": "another plan, or a mix of others, does better against every opponent beyond luck. "
    "Doubtful: another was nowhere worse, which may be luck.",
}
WINS = Show("wins", "{:.1%}")
PICKED = Show("picked", "{:.0%}", "how often perfect rivals would pick it: the Nash weight")
NO_MIRRORS = (
    "Whether first place is worth more to strong players: no game had one plan in all seats (key mirrors)."
)


def strength(findings: Findings) -> Section:
    """Return the brief for opponents, or for teams of strategies."""
    setting = setting_looked_at(findings)
    if findings.run.team:
        return _team_brief(findings, setting)
    first, *rest = strength_sentences(findings, setting)
    advice = [sentence for sentence in rest if sentence.rests.startswith(("landscape", "matchups"))]
    advice = [*(rest[:1] if first.rests == "matchups" else []), *advice]
    others = [sentence for sentence in rest if sentence not in advice]
    takeaways = as_takeaways(findings, [first], "answer") + as_takeaways(findings, advice, "advice")
    return Section(
        takeaways=takeaways + as_takeaways(findings, others),
        picture=next(iter(strength_figures(findings)), None),
        glance=_strategies_table(findings),
        step=_strategies_step(findings, setting),
        limits=[NO_MIRRORS] if findings.mirrors.is_empty() else [],
        words=STRATEGIES_WORDS,
    )


def _team_brief(findings: Findings, setting: str) -> Section:
    """Return the brief about teams: the best team, else what one member is worth."""
    first, *rest = team_strength(findings, setting)
    takeaways = [*as_takeaways(findings, [first], "answer"), *as_takeaways(findings, rest, "advice")]
    step = Step("Play more deals.", more_command(findings.run, "--deals", 4 * findings.run.experiment.deals))
    picture = next(iter(team_figures(findings)), None)
    return Section(takeaways=takeaways, picture=picture, step=step, warnings=stopping_cautions(findings))


def _strategies_table(findings: Findings) -> Table | None:
    """Return the strategies at tables of one size: wins, rating, and which are needed; None if not ranked."""
    ranked = at_setting(findings, findings.ranking).filter("balanced")
    if ranked.is_empty():
        return None
    seats, names = ranked["seats"][0], "strategy share low high games"
    first, rated = ranked.filter(seats=seats), at_setting(findings, findings.ratings)
    elo = rated.filter(kind="strategy", seats=seats).drop_nulls("elo")
    plans = at_setting(findings, findings.landscape).filter(pl.col("nash").is_not_null())
    for part in (
        elo.select("elo", strategy="name", elo_low="low", elo_high="high"),
        plans.select("strategy", "nash", "dominated_by", needed=needs()),
    ):
        if part.height:
            first = first.join(part, on="strategy", how="left", maintain_order="left")
            names += " elo elo_low elo_high" if "elo" in part else " nash needed dominated_by"
    all_met = meetings_at(at_setting(findings, findings.meetings), seats).everybody
    caption = "All plans, the best first" if all_met else "How often each plan wins against those that it met"
    shows = {"share": WINS, "needed": Show("is"), "nash": PICKED, "dominated_by": "better is"}
    return table(findings, first, names, caption, strategy=head_at(findings, "strategy"), **shows)


def _strategies_step(findings: Findings, setting: str) -> Step:
    """Return the next step: more deals where plans are not told apart, else the best mix."""
    run, at = findings.run, strategy_standing(tables_at(findings, setting))
    if deals := deals_to_decide(findings, setting):
        text = f"Settle the open matches: about {deals:,} deals each narrow them to ±{margin(findings)}."
        return Step(text, more_command(run, "--deals", deals))
    weights, met_in_pairs = at_setting(findings, findings.landscape), at_setting(findings, findings.matchups)
    if (at.needed and not at.settled) or not met_in_pairs.height:
        text = "The best plans are not told apart: play four times as many deals."
        return Step(text, more_command(run, "--deals", 4 * run.experiment.deals))
    plans = weights.filter(pl.col("nash") > 0) if at.needed else met_in_pairs
    words = ["--strategies", ",".join(plans["strategy"].unique(maintain_order=True)), *game_words(run, [])]
    command = command_again(run, "equilibrium", run.experiment.game, *words)
    names = join_names(map(labels_of(findings).strategy, plans["strategy"].unique(maintain_order=True)))
    open_words = "" if at.needed else f"Let {names} all meet in every seat, and s"
    return Step(f"{open_words or 'S'}ee what the first player wins if both pick the best mix.", command)
