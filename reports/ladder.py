"""The ladder page: how the answers depend on who plays.

The brief has the share of the first player, or of the team, rung by rung; the chapters have the strength and
the cost of each rung, what the rungs win against each other, and what a seat is worth between them. Pages
share the sentence on how an advantage changes with skill, which stands in `simkit/page/words/skill.py`.
"""

from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Any

import polars as pl

from simkit.formatting import counted
from simkit.page import charts
from simkit.page.columns import table
from simkit.page.document.parts import Figure, Report, Section, Stamp, Step, Story
from simkit.page.document.tables import Show, Table
from simkit.page.pictures import figure, label_column, takeaways_of
from simkit.page.recipe import Recipe
from simkit.page.terminal import study_document
from simkit.page.words.commands import command_again, fresh_command, game_words
from simkit.page.words.labels import labels_of
from simkit.page.words.numbers import Summary, TableRow, join_names, prose
from simkit.page.words.skill import (
    KINDS,
    agreed_settings,
    judged_side,
    labelled_answers,
    open_answer,
    perfect,
    perfect_share,
    player_names,
    skill,
    skill_sentence,
)
from simkit.page.words.verdicts import CHANGE, open_setting, side_of, stamp_of_rungs
from simkit.questions.ladder import rung_matrix, rung_seat_effects
from simkit.tables.findings import Findings, setting_words
from simkit.tables.rungs import Ladder, deciding_rows, rung_answers, rungs

from .sections.components import components
from .sections.length import length
from .sections.luck import luck
from .sections.pairings import seats_by_pairing, wins_figure, wins_table
from .sections.players import who
from .sections.seats import seats

# Sentences


def skill_answer(findings: Findings) -> Summary:
    """Return how the answer changes with skill, what the best rungs agree on, and doubtful rungs."""
    answers, called, team = labelled_answers(findings), labels_of(findings).at, findings.run.team
    parts = [perfect(findings), skill_advice(answers, called, team), skill_sentence(findings)]
    text = skill(answers, called, team, findings.run.experiment.margin, judged_side(findings.run))
    weak = not_stronger(rungs(findings).rows(named=True), answers)
    return Summary(text, " ".join(filter(None, parts)), [], weak)


def ladder_stamp(
    answers: Sequence[TableRow], margin: float, perfect_share: float | None = None
) -> Stamp | None:
    """Return the decision about the first setting by the rungs that decide; none without a target.

    Rungs that err do not change a game that is known to be fair between perfect players.
    """
    rows = [row for row in deciding_rows(answers) if row["setting"] == answers[0]["setting"]]
    if rows[0]["verdict"] is None:
        return None
    stamp, fair = stamp_of_rungs(rows, margin), rows[0]["fair"]
    is_fair = perfect_share is not None and abs(perfect_share - fair) < margin
    return None if is_fair and stamp == CHANGE else stamp


def not_stronger(rungs: Sequence[TableRow], answers: Sequence[TableRow] = ()) -> list[str]:
    """Return a warning on the rungs not surely stronger than the one below, or that win less as a team."""
    weak = [row["strategy"] for row in rungs if row["share"] is not None and row["share_low"] <= row["even"]]
    if all(row["share"] is None for row in rungs):
        teams = [row for row in answers if row["setting"] == answers[0]["setting"] and row["seat"] == 0]
        weak = [team["strategy"] for below, team in pairwise(teams) if team["share"] < below["share"]]
    return [f"Not shown to be stronger than the rung below: {join_names(weak)}."] if weak else []


def skill_advice(answers: list[TableRow], called: Callable[[str], str], team: bool) -> str:
    """Return of several settings those that both rungs that decide find surely near fair."""
    rows = deciding_rows(answers)
    if len({row["setting"] for row in rows}) == 1 or rows[0]["verdict"] is None:
        return ""
    aim, who = "on target" if team else "fair", f"the strongest players ({player_names(rows)})"
    if good := agreed_settings(answers):
        return f"Near {'the target' if team else 'fair'} for {who}: {join_names(map(called, good))}."
    return f"No setting was shown to be {aim} for {who}, so none is recommended."


def unplayed_pairings(findings: Findings) -> int:
    """Return how many pairings of the rungs the ladder has not played; none where nobody meets another."""
    met, count, seats = rung_matrix(findings).height, rungs(findings).height, findings.run.cells[0].seats
    ways = 2 if seats == 2 else 1  # of two seats, a game has both ordered pairs
    return (count * (count - 1) - met) // ways if met else 0


# Figures, tables and the next step

MIN_SKILL_DEALS = 100  # that `simkit skill` plays


def _rungs_stamp(findings: Findings) -> Stamp | None:
    answers, margin = labelled_answers(findings), findings.run.experiment.margin
    return ladder_stamp(answers, margin, findings.cached(perfect_share))


def _rungs_figure(findings: Findings) -> Figure:
    """Return the shares of the first player (the team) by rung and setting, with the fair line."""
    rows, who = rung_answers(findings).filter(seat=0), side_of(findings.run).name
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
    run = findings.run
    who = pl.lit(side_of(run).name) if run.one_share else label_column(findings, "seat")
    rows = rows.with_columns(at=label_column(findings, "setting"), who=who)
    shown = rows.join(rungs(findings).select("rung", "elo"), on="rung", maintain_order="left")
    order = rows["setting"].unique(maintain_order=True)
    shown = shown.sort(pl.col("setting").replace_strict(order, range(len(order))), "seat", "rung")
    names = f"{'at' if findings.run.answer_of(Ladder).vary else ''} strategy {'' if team else 'elo'} who"
    names += " share low high"
    names += f" verdict deals turns {'lead_changes' if rows['lead_changes'].count() else ''}"
    return table(findings, shown, names, "Every rung, the lowest first", **RUNG_HEADS)


def _ladder_step(findings: Findings) -> Step:
    """Return the next step: a verdict between players of a rung that decides, or what skill is worth."""
    run = findings.run
    if row := open_answer(labelled_answers(findings)):
        (cell, *_) = (cell for cell in run.cells if setting_words(cell.varied) == row["setting"])
        command = fresh_command(run, cell.index, [[row["strategy"]] * cell.seats])
        return Step(f"Settle it where all play {row['strategy']}.", command)
    if _rungs_stamp(findings) == CHANGE:
        command = command_again(run, "rules", run.experiment.game)
        return Step("See which options of the rules could be changed.", command)
    quick = [rung.strategy for rung in run.answer_of(Ladder).rungs if not rung.searches]
    if run.team or len(quick) < 2:
        players = [[run.answer_of(Ladder).rungs[-1].strategy] * run.cells[0].seats]
        command = command_again(run, "play", run.experiment.game, *game_words(run, players))
        return Step("Watch a game between players of the highest rung.", command)
    if unplayed_pairings(findings):
        return Step("Let the rungs meet that have not met.", _every_pairing_command(findings))
    words = ["--levels", ", ".join(quick), "--seats", str(run.cells[0].seats), *game_words(run, [])]
    text = "See how often the better of these players wins, and what a seat is worth between them."
    return Step(text, command_again(run, "skill", run.experiment.game, *words))


def _every_pairing_command(findings: Findings) -> str:
    """Return the command that plays all pairings of the rungs, each on as few deals as any was played on."""
    run, deals = findings.run, max(MIN_SKILL_DEALS, min(rung_matrix(findings)["deals"].to_list()))
    words = ["--levels", ", ".join(rungs(findings)["strategy"]), "--seats", str(run.cells[0].seats)]
    words += ["--deals", str(deals), *game_words(run, [])]
    return command_again(run, "skill", run.experiment.game, *words)


# Sections

LADDER_WORDS = {
    "Rung": "a player of the ladder. Each plays against itself, in all seats, and against the rung below it. "
    "The order is that of their wins against the same opponents.",
    "Family": "players of one kind. Scripted players follow rules that somebody wrote, searching players "
    "play the game on from each choice, learned players value positions as games taught them. Players of one "
    "family share habits, so that what only one family shows may be due to these.",
    "Search": "plays the game on from each choice many times, with what is hidden dealt again, and takes the "
    "choice that ends best. Its budget is the number of games played on at each decision.",
}


def ladder_answer(findings: Findings) -> Section:
    """Return the brief."""
    summary, stamp = skill_answer(findings), _rungs_stamp(findings)
    return Section(
        takeaways=takeaways_of(findings, summary, "rungs", "rung_answers"),
        stamp=stamp,
        plays_on=open_setting(findings.run, stamp, [labelled_answers(findings)[0]["setting"]]),
        picture=_rungs_figure(findings),
        glance=_rungs_table(findings),
        step=_ladder_step(findings),
        warnings=summary.warnings,
        words=LADDER_WORDS,
    )


FAMILY = Show("family", lambda name: KINDS.get(name, "–"))


def rung_by_rung(findings: Findings) -> Section:
    """Return a row per rung."""
    rows = rungs(findings)
    shows = {"strategy": Show("rung", "{}"), "family": FAMILY}
    head, note = ("wins", "by the usual rules") if findings.run.team else ("panel", "wins against it")
    shows |= {"panel": Show(head, "{:.1%}", note)}
    shows |= {"share": Show("rung below", "{:.1%}", "wins against it in all other seats")}
    shows |= {"elo": Show("Elo", "{:.0f}", "above the lowest")}
    shows["milliseconds"] = Show("µs per decision", lambda time: f"{1000 * time:,.2f}", "processor time")
    shows |= {"agreement": Show("decides like the highest", "{:.0%}", "in positions of its games")}
    panel = "panel panel_low panel_high" if rows["panel"].count() else ""
    strength = "" if findings.run.team else "share share_low share_high elo elo_low elo_high"
    names = f"strategy family {panel} {strength} milliseconds agreement"
    listed = table(findings, rows, names, "The rungs, the lowest first", **shows)
    return Section("How strong each rung is", _panel_words(findings), tables=[listed])


def _panel_words(findings: Findings) -> list[str]:
    """Return whom all rungs met; a team meets nobody."""
    panel = findings.run.answer_of(Ladder).panel
    if not panel:
        return []
    met = f"All rungs met the same panel in all other seats: {join_names(panel)}"
    return [f"{met}. What they won against it is their order."]


MEETINGS_TEXT = prose("""Neighbouring rungs met on deals of their own, the others in the games with the panel,
    by the usual rules. The player of the row sits alone, in each seat on the same deals.""")


def rung_against_rung(findings: Findings) -> Section | None:
    """Return the matrix of what the rungs won against each other, and how to fill it; None for a team."""
    if rung_matrix(findings).is_empty():
        return None
    texts, stories = [MEETINGS_TEXT], list[Story]()
    if unplayed := unplayed_pairings(findings):
        texts.append(f"{counted(unplayed, 'pairing')} {'was' if unplayed == 1 else 'were'} not played.")
        stories.append(Story("Command that plays all pairings", _every_pairing_command(findings)))
    figures, tables = [wins_figure(findings)], [wins_table(findings)]
    return Section("What the rungs win against each other", texts, figures, tables, stories)


# The JSON document and the page


def document(findings: Findings, brief: Report) -> TableRow:
    """Return the JSON document."""
    ladder = findings.run.answer_of(Ladder).model_dump(include={"vary", "panel", "rungs"})
    for rung, milliseconds in zip(ladder["rungs"], rungs(findings)["milliseconds"], strict=True):
        rung["milliseconds"] = milliseconds
    tables = {"matrix": rung_matrix(findings), "seat_effects": rung_seat_effects(findings)}
    return study_document(findings, brief) | ladder | {name: t.rows(named=True) for name, t in tables.items()}


recipe = Recipe(
    "how the answers change with skill",
    brief=[ladder_answer],
    chapters={
        "Rung by rung": [rung_by_rung],
        "Rung against rung": [rung_against_rung],
        "What a seat is worth": [seats_by_pairing],
        "The highest rung": [seats, length, components],
        "Players": [who, luck],
    },
    needs="a run of simkit ladder",
    fits=lambda findings: findings.run.kind == "ladder",
    document=document,
)
