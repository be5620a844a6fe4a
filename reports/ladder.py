"""The ladder page: how the answers change as players get better.

The brief has the share of the first player, or of the team, rung by rung; the chapter has the strength and
the cost of each rung. Its sentences are those of `simkit/page/words/skill.py`.
"""

from typing import Any

import polars as pl

from simkit.page import charts
from simkit.page.columns import table
from simkit.page.document.parts import Figure, Report, Section, Stamp, Step
from simkit.page.document.tables import Show, Table
from simkit.page.pictures import figure, label_column, takeaways_of
from simkit.page.recipe import Recipe
from simkit.page.terminal import study_document
from simkit.page.words.commands import command_again, fresh_command, game_words
from simkit.page.words.labels import labels_of
from simkit.page.words.numbers import TableRow, seat_name
from simkit.page.words.skill import ladder_stamp, perfect_share, skill_answer, usual_first
from simkit.page.words.stamps import CHANGE
from simkit.stats.verdicts import NOT_SETTLED
from simkit.tables.findings import Findings
from simkit.tables.rungs import Ladder, rung_answers, rungs

from .sections.components import components
from .sections.length import length
from .sections.luck import luck
from .sections.players import who
from .sections.seats import seats

# Figures, tables and the next step


def _rungs_stamp(findings: Findings) -> Stamp | None:
    answers, margin = usual_first(findings), findings.run.experiment.margin
    return ladder_stamp(answers, margin, findings.cached(perfect_share))


def _rungs_figure(findings: Findings) -> Figure:
    """Return the shares of the first player (the team) by rung and setting, with the fair line."""
    rows, who = rung_answers(findings).filter(seat=0), "team" if findings.run.team else seat_name(0)
    parts = {"label": pl.col("strategy"), "kind": "setting"}
    band: dict[str, Any] = {"margin": findings.run.experiment.margin} if findings.run.judged else {"aim": ""}
    alt = f"How often the {who} wins between players of each rung, with 95 % intervals"
    caption, unit = "The highest rung at the bottom.", f"The {who} wins, share of games"
    return figure(findings, ("ladder", charts.forest), rows, alt, caption, parts, unit=unit, **band)


RUNG_HEADS = {
    "at": Show("setting"),
    "strategy": Show("rung"),
    "elo": Show("Elo", "{:.0f}", "above the lowest rung"),
    "who": Show("player"),
    "share": Show("wins", "{:.1%}"),
    "turns": Show("turns", "{:.1f}"),
    "lead_changes": Show("lead changes", "{:.1f}"),
}


def _rungs_table(findings: Findings) -> Table:
    """Return a row per setting, rung and, of more than two, seat."""
    rows, team = rung_answers(findings), findings.run.team
    rows = rows.filter(pl.lit(findings.run.cells[0].seats > 2) | (pl.col("seat") == 0))
    who = pl.lit("team") if team else label_column(findings, "seat")
    rows = rows.with_columns(at=label_column(findings, "setting"), who=who)
    shown = rows.join(rungs(findings).select("rung", "elo"), on="rung", maintain_order="left")
    order = rows["setting"].unique(maintain_order=True)
    shown = shown.sort(pl.col("setting").replace_strict(order, range(len(order))), "seat", "rung")
    names = f"{'at' if findings.run.answer_of(Ladder).vary else ''} strategy {'' if team else 'elo'} who"
    names += " share low high"
    names += f" verdict deals turns {'lead_changes' if rows['lead_changes'].count() else ''}"
    return table(findings, shown, names, "Every rung, the lowest first", **RUNG_HEADS)


def _ladder_step(findings: Findings) -> Step:
    """Return the next step: a verdict between players of the highest rung, or a game to watch."""
    run, answers = findings.run, rung_answers(findings)
    players = [[run.answer_of(Ladder).rungs[-1].strategy] * run.cells[0].seats]
    if (answers.filter(rung=answers["rung"].max())["verdict"] == NOT_SETTLED).any():
        command = fresh_command(run, run.cells[0].index, players)
        return Step("Settle it between players of the highest rung.", command)
    if _rungs_stamp(findings) == CHANGE:
        command = command_again(run, "rules", run.experiment.game)
        return Step("See which options of the rules could be changed.", command)
    command = command_again(run, "play", run.experiment.game, *game_words(run, players))
    return Step("Watch a game between players of the highest rung.", command)


# Sections

LADDER_WORDS = {
    "Rung": "a player of the ladder. Each plays against itself, in all seats, and against the rung below it.",
    "Search": "plays the game on from each choice many times, with what is hidden dealt again, and takes the "
    "choice that ends best. Its budget is the number of games played on at each decision.",
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


def rung_by_rung(findings: Findings) -> Section:
    """Return a row per rung."""
    rows = rungs(findings)
    shows = {"strategy": Show("rung", "{}"), "rival": Show("met", "{}", "the rung below, in all other seats")}
    shows |= {"share": Show("wins", "{:.1%}", "against it"), "elo": Show("Elo", "{:.0f}", "above the lowest")}
    shows["milliseconds"] = Show("µs per decision", lambda time: f"{1000 * time:,.2f}", "processor time")
    shows |= {"agreement": Show("decides like the highest", "{:.0%}", "in positions of its games")}
    strength = "" if findings.run.team else "rival share share_low share_high elo elo_low elo_high"
    names = f"strategy {strength} milliseconds agreement"
    if option := rows["option"].drop_nulls().unique().to_list():
        label = f"first player's share is fair at {labels_of(findings).option(option[0])}"
        shows["fair"] = Show(label, "{:.1f}", "an empty end lies beyond the values tried")
        names += " fair fair_low fair_high"
    listed = table(findings, rows, names, "The rungs, the lowest first", **shows)
    return Section("How strong each rung is", tables=[listed])


# The JSON document and the page


def document(findings: Findings, brief: Report) -> TableRow:
    """Return the JSON document."""
    ladder = findings.run.answer_of(Ladder).model_dump(include={"vary", "rungs"})
    for rung, milliseconds in zip(ladder["rungs"], rungs(findings)["milliseconds"], strict=True):
        rung["milliseconds"] = milliseconds
    return study_document(findings, brief) | ladder


recipe = Recipe(
    "how the answers change with skill",
    brief=[ladder_answer],
    chapters={
        "Rung by rung": [rung_by_rung],
        "The highest rung": [seats, length, components],
        "Players": [who, luck],
    },
    needs="a run of simkit ladder",
    fits=lambda findings: findings.run.kind == "ladder",
    document=document,
)
