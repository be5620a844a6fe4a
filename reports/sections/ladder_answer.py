"""The brief of a ladder: the share of the first player, or of the team, rung by rung."""

from typing import Any

import polars as pl

from simkit.reporting.document import Figure, Stamp, Step, Table
from simkit.reporting.pages import Findings, Section, Show, charts, figure, table, takeaways_of
from simkit.reporting.pages.pictures import label_column
from simkit.reporting.text import seat_name
from simkit.reporting.text.commands import command_again, fresh_command, game_words
from simkit.reporting.text.ladder import ladder_stamp, perfect_share, skill_answer, usual_first
from simkit.reporting.text.stamps import CHANGE
from simkit.reporting.text.verdict_counts import NOT_SETTLED

LADDER_WORDS = {
    "Rung": "a player of the ladder. Each plays against itself, in all seats, and against the rung below it.",
    "Search": "plays the game on from each choice many times, with what is hidden dealt again, and takes the "
    "choice that ends best. Its budget is the number of games played on at each decision.",
}
RUNG_HEADS = {
    "at": Show("setting"),
    "strategy": Show("rung"),
    "elo": Show("Elo", "{:.0f}", "above the lowest rung"),
    "who": Show("player"),
    "share": Show("wins", "{:.1%}"),
    "turns": Show("turns", "{:.1f}"),
    "lead_changes": Show("lead changes", "{:.1f}"),
}


def ladder_answer(findings: Findings) -> Section:
    """Return the brief."""
    summary = skill_answer(findings)
    return Section(
        takeaways=takeaways_of(findings, summary, "rungs", "rung_answers"),
        stamp=_rungs_stamp(findings),
        picture=_rungs_figure(findings),
        glance=_rungs_table(findings),
        step=_ladder_step(findings),
        warnings=summary.warnings,
        words=LADDER_WORDS,
    )


def _rungs_stamp(findings: Findings) -> Stamp | None:
    answers, margin = usual_first(findings), findings.run.experiment.margin
    return ladder_stamp(answers, margin, findings.cached(perfect_share))


def _rungs_figure(findings: Findings) -> Figure:
    """Return the shares of the first player (the team) by rung and setting, with the fair line."""
    rows, who = findings.rung_answers.filter(seat=0), "team" if findings.run.team else seat_name(0)
    parts = {"label": pl.col("strategy"), "kind": "setting"}
    band: dict[str, Any] = {"margin": findings.run.experiment.margin} if findings.run.judged else {"aim": ""}
    alt = f"How often the {who} wins between players of each rung, with 95 % intervals"
    caption, unit = "The highest rung at the bottom.", f"The {who} wins, share of games"
    return figure(findings, ("ladder", charts.forest), rows, alt, caption, parts, unit=unit, **band)


def _rungs_table(findings: Findings) -> Table:
    """Return a row per setting, rung and, of more than two, seat."""
    rows, team = findings.rung_answers, findings.run.team
    rows = rows.filter(pl.lit(findings.run.cells[0].seats > 2) | (pl.col("seat") == 0))
    who = pl.lit("team") if team else label_column(findings, "seat")
    rows = rows.with_columns(at=label_column(findings, "setting"), who=who)
    shown = rows.join(findings.rungs.select("rung", "elo"), on="rung", maintain_order="left")
    order = rows["setting"].unique(maintain_order=True)
    shown = shown.sort(pl.col("setting").replace_strict(order, range(len(order))), "seat", "rung")
    names = f"{'at' if findings.run.ladder.vary else ''} strategy {'' if team else 'elo'} who share low high"
    names += f" verdict deals turns {'lead_changes' if rows['lead_changes'].count() else ''}"
    return table(findings, shown, names, "Every rung, the lowest first", **RUNG_HEADS)


def _ladder_step(findings: Findings) -> Step:
    """Return the next step: a verdict between players of the highest rung, or a game to watch."""
    run, answers = findings.run, findings.rung_answers
    players = [[run.ladder.rungs[-1].strategy] * run.cells[0].seats]
    if (answers.filter(rung=answers["rung"].max())["verdict"] == NOT_SETTLED).any():
        command = fresh_command(run, run.cells[0].index, players)
        return Step("Settle it between players of the highest rung.", command)
    if _rungs_stamp(findings) == CHANGE:
        command = command_again(run, "rules", run.experiment.game)
        return Step("See which options of the rules could be changed.", command)
    command = command_again(run, "play", run.experiment.game, *game_words(run, players))
    return Step("Watch a game between players of the highest rung.", command)
