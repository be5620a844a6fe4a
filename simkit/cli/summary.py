"""Summary of a run: the answer and its tables as text, or one JSON document."""

import shlex

import polars as pl

from simkit.analysis import Findings
from simkit.analysis.confirmed import check_findings
from simkit.analysis.ladder import ladder_findings
from simkit.api.results import Result
from simkit.cli.output import print_json, print_table, say
from simkit.cli.tables import everything, rotated, screen
from simkit.engine import projects
from simkit.formatting import counted
from simkit.reporting.document import Report
from simkit.reporting.text.phrases import TableRow, join_names
from simkit.runs.folder import Run
from simkit.stats.verdicts import NOT_SETTLED

SEAT_KEYS = ("seat", "share", "adjusted", "low", "high", "ever_low", "ever_high", "games", "failed", "deals")
MATCH_KEYS = ("strategy", "share", "low", "high", "games", "failed", "deals")


def print_summary(result: Result, as_json: bool, whole: bool = False) -> None:
    """Print the answer, the rows of a screen (or all rows), and the command that writes the page."""
    if as_json:
        print_json(summary(result))
        return
    run, brief = result.run, result.brief
    print_brief(brief)
    for text in _stopped(result):
        say(text)
    print_rows(result, whole)
    print_step(brief)
    say(f"\nRun: {run.place}   report: {report_command(run)}")
    for name, follow_up in (("Ladder", ladder_findings), ("Fresh deals", check_findings)):
        if not run.kind and (played := result.cached(follow_up)):
            say(f"{name}: {played.run.place}   report: {report_command(played.run)}")


def print_brief(brief: Report) -> None:
    """Print the answer, the decision, what to do next, and what the run cannot tell."""
    say(brief.sentence)
    if brief.stamp:
        say(f"{brief.stamp.text}.")
    for warning in brief.warnings:
        say(f"Beware: {warning}")
    say(brief.source)
    say("\n".join(["What this cannot tell you:", *(f"- {limit}" for limit in brief.limits)]))


def print_step(brief: Report) -> None:
    """Print the next step with its command."""
    if brief.step:
        say(f"\nNext: {brief.step.text}\n  {brief.step.command}".rstrip())


def brief_document(brief: Report) -> TableRow:
    """Return the brief as part of a JSON document."""
    step = brief.step._asdict() if brief.step else None
    stamp = brief.stamp.text if brief.stamp else None
    document = {"question": brief.question, "answer": brief.sentence, "stamp": stamp, "step": step}
    return document | {"limits": brief.limits, "warnings": brief.warnings}


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
    stopped = f"Stopped by itself: {join_names(parts)}."
    if first["adjusted"].count():
        stopped += " Adjusted: the share without the bias of stopping."
    return [stopped]


def report_command(run: Run) -> str:
    """Return the command that writes the page that suits a run."""
    return simkit_command("report", run.place)


def simkit_command(*words: str) -> str:
    """Return a command with the project folders of this process."""
    return shlex.join(["simkit", *projects.command_words(), *words])


def summary(findings: Result) -> TableRow:
    """Return the JSON document: the answer, and the shares of seats and strategies by cell."""
    run, seats = findings.run, findings.seat_shares.partition_by("cell", as_dict=True)
    met = any(map(rotated, run.cells))
    matches = findings.strategy_shares.partition_by("cell", as_dict=True) if met else {}
    verdicts = dict(findings.first_player_advantage.select("cell", "verdict").iter_rows())
    cells = [
        {"cell": cell.index, "options": cell.varied, "lineup": ", ".join(cell.labels), "n": cell.plays}
        | {"deals": cell.deals, "verdict": verdicts[cell.index]}
        | {"strategies": _rows(matches[cell.index,], MATCH_KEYS) if rotated(cell) else []}
        | {"seats": _rows(seats[cell.index,], SEAT_KEYS)}
        for cell in run.cells
    ]
    front = {"run": run.place, "game": run.experiment.game, "seed": run.experiment.seed, "confidence": 0.95}
    confirmed = findings.confirmed.rows(named=True)
    return brief_document(findings.brief) | front | {"cells": cells, "confirmed": confirmed}


def _rows(table: pl.DataFrame, keys: tuple[str, ...]) -> list[TableRow]:
    return table.select(name for name in keys if name in table.columns).rows(named=True)
