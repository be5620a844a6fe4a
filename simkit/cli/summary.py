"""Summary of a run: the answer and its tables as text, or one JSON document."""

import shlex
from itertools import islice

import polars as pl

from simkit.analysis import Findings
from simkit.analysis.confirmed import check_findings
from simkit.analysis.ladder import ladder_findings
from simkit.cli.output import print_json, print_table, say
from simkit.cli.tables import everything, rotated, screen
from simkit.engine import projects
from simkit.formatting import counted
from simkit.reporting.pages.recipe_choice import recipe_for
from simkit.reporting.pages.scope import looked_at, setting_looked_at
from simkit.reporting.text import answer as answer_of
from simkit.reporting.text.ablation import cells_told
from simkit.reporting.text.ablation import sentences as ablation_sentences
from simkit.reporting.text.answer import NOT_SETTLED
from simkit.reporting.text.confidence import sureness as seats_sureness
from simkit.reporting.text.designs import design_answer
from simkit.reporting.text.equilibrium import equilibrium_answer
from simkit.reporting.text.fairness import fair_answer
from simkit.reporting.text.ladder import ladder_answer, skill_sentence
from simkit.reporting.text.match import match_answer
from simkit.reporting.text.perspective import named
from simkit.reporting.text.phrases import Row, Summary, listed, prose
from simkit.reporting.text.player_counts import sizes_answer
from simkit.reporting.text.rules import Rules, rules_answer
from simkit.reporting.text.screens import screen_answer
from simkit.reporting.text.strength import strength, sureness
from simkit.reporting.text.teams import team_strength, team_sureness
from simkit.reporting.text.tuning import tune_answer
from simkit.runs import manifest
from simkit.runs.run import Run
from simkit.runs.storage import remote

SEAT_KEYS = ("seat", "share", "adjusted", "low", "high", "ever_low", "ever_high", "games", "failed", "deals")
MATCH_KEYS = ("strategy", "share", "low", "high", "games", "failed", "deals")
SEARCHES = {"fair": fair_answer, "screen": screen_answer, "design": design_answer}
SEARCHES |= {"ladder": ladder_answer, "tune": tune_answer}
MAX_SENTENCES = 2  # about the strength of strategies


def print_summary(run: Run, as_json: bool, whole: bool = False) -> None:
    """Print the answer, the rows of a screen (or all rows), and the command that writes the page."""
    findings = record_answer(run)
    if as_json:
        print_json(summary(findings))
        return
    print_answer(findings)
    print_rows(findings, whole)
    say(f"\nRun: {run.place}   report: {report_command(run)}")
    for name, follow_up in (("Ladder", ladder_findings), ("Fresh deals", check_findings)):
        if not run.kind and (played := findings.cached(follow_up)):
            say(f"{name}: {played.run.place}   report: {report_command(played.run)}")


def record_answer(run: Run) -> Findings:
    """Record the answer of a run in its manifest, and return the findings."""
    findings = Findings(run)
    record(findings)
    return findings


def record(findings: Findings) -> None:
    """Write the answer into the manifest, where `simkit runs` reads it."""
    manifest.note(findings.run.folder, answer=headline(findings))
    remote.upload(findings.run.folder)


def headline(findings: Findings) -> str:
    """Return the answer in one sentence, as the page that suits the run gives it."""
    if findings.run.kind:
        return SEARCHES[findings.run.kind](findings).headline
    for cell in cells_told(findings)[:1]:
        for sentence in ablation_sentences(findings, cell):
            return sentence.text
    page_sentences, _ = findings.cached(_page_answer)
    return page_sentences[0] if page_sentences else findings.cached(answer_of).headline


def print_answer(findings: Findings) -> None:
    """Print the answer, its confidence, why cells stopped, and warnings."""
    answer = findings.cached(answer_of)
    sentences, sure = findings.cached(_page_answer)
    say(" ".join(filter(None, sentences)) or answer.sentence)
    say(f"How sure: {'; '.join(sure or answer.sure)}.")
    for text in (*_stopped(findings), *(f"Beware: {warning}" for warning in answer.warnings)):
        say(text)


def _page_answer(findings: Findings) -> tuple[list[str], list[str]]:
    """Return the answer of a page with another question (such as who plays best), and its confidence."""
    run, page, setting = findings.run, recipe_for(findings.run), setting_looked_at(findings)
    if page == "seats" and not run.team:
        rows = named(findings, looked_at(findings, findings.first_player_advantage))
        return [sizes_answer(findings, setting), skill_sentence(findings)], seats_sureness(findings, rows)
    if page == "strategies":
        sentences = (team_strength if run.team else strength)(findings, setting)
        sure = team_sureness(findings) if run.team else sureness(findings, setting)
        texts = [prose(sentence.text) for sentence in islice(sentences, MAX_SENTENCES)]
        return texts, [prose(sentence.text) for sentence in sure]
    summary: Summary | Rules | None = None
    if run.answer:
        summary = SEARCHES[run.kind](findings)
    elif page == "compare" and findings.comparisons.width:
        summary = rules_answer(findings)
    elif page == "match" and findings.match.width:
        summary = match_answer(findings)
    elif page == "equilibrium" and findings.equilibrium.width:
        summary = equilibrium_answer(findings)
    return ([summary.headline, summary.advice], summary.sure) if summary else ([], [])


def print_rows(findings: Findings, whole: bool) -> None:
    """Print the tables: all rows (`whole`), or those of a screen."""
    for listing in everything(findings) if whole else screen(findings):
        say(f"\n{listing.head}\n" if listing.head else "")
        print_table(listing.rows)
        left_out(listing.left)
    explain_brackets(findings)


def left_out(rows: int) -> None:
    """Print the number of rows that were left out, if any."""
    if rows:
        say(f"… {counted(rows, 'more row')}: --table")


def explain_brackets(findings: Findings) -> None:
    """Print what the numbers in brackets mean, if there are any."""
    if findings.first_player_advantage["needed"].count():
        say("(In brackets: the deals that would settle it.)")


def _stopped(findings: Findings) -> list[str]:
    """Return how the cells of a sequentially stopped run ended."""
    experiment, first = findings.run.experiment, findings.first_player_advantage
    if not experiment.adaptive:
        return []
    open_still = first.filter(pl.col("deals") >= experiment.deals)
    if experiment.until_verdict:
        open_still = first.filter(verdict=NOT_SETTLED)
    parts = [f"{first.height - open_still.height} of {counted(first.height, 'case')} stopped early"]
    parts += [f"{open_still.height} at the limit of {experiment.deals:,} deals"] if open_still.height else []
    stopped = f"Stopped by itself: {listed(parts)}."
    if first["adjusted"].count():
        stopped += " Adjusted: the share without the bias of stopping."
    return [stopped]


def report_command(run: Run) -> str:
    """Return the command that writes the page that suits a run."""
    return simkit_command("report", run.place)


def simkit_command(*words: str) -> str:
    """Return a command with the project folders of this process."""
    return shlex.join(["simkit", *projects.command_words(), *words])


def summary(findings: Findings) -> Row:
    """Return the JSON document: the answer, and the shares of seats and strategies by cell."""
    run, answer, cells = findings.run, findings.cached(answer_of), list[Row]()
    seats = findings.seat_shares.partition_by("cell", as_dict=True)
    met = any(map(rotated, run.cells))
    matches = findings.strategy_shares.partition_by("cell", as_dict=True) if met else {}
    verdicts = dict(findings.first_player_advantage.select("cell", "verdict").iter_rows())
    for cell in run.cells:
        cells.append(
            {
                "cell": cell.index,
                "options": cell.varied,
                "lineup": ", ".join(cell.labels),
                "n": cell.plays,
                "deals": cell.deals,
                "verdict": verdicts[cell.index],
                "strategies": _rows(matches[cell.index,], MATCH_KEYS) if rotated(cell) else [],
                "seats": _rows(seats[cell.index,], SEAT_KEYS),
            }
        )
    return {
        "question": answer.question,
        "answer": answer.sentence,
        "sure": answer.sure,
        "warnings": answer.warnings,
        "run": run.place,
        "game": run.experiment.game,
        "seed": run.experiment.seed,
        "confidence": 0.95,
        "cells": cells,
        "confirmed": findings.confirmed.rows(named=True),
    }


def _rows(table: pl.DataFrame, keys: tuple[str, ...]) -> list[Row]:
    return table.select(name for name in keys if name in table.columns).rows(named=True)
