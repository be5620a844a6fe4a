"""What a finished run says in short: the answer and the share of each seat, as a table or as JSON."""

from __future__ import annotations

import os
import shlex
from typing import Any

import click

from simkit import analysis, catalogue
from simkit.cli.output import percent, print_json, print_table
from simkit.runlog import Run

SEAT_KEYS = ("seat", "share", "adjusted", "low", "high", "ever_low", "ever_high", "games", "deals")


def print_summary(run: Run, as_json: bool, recipe: str = "balance") -> None:
    """Shares of every cell and seat with n and interval, and the answer in a sentence."""
    document = summary(run)
    if as_json:
        print_json(document)
        return
    names = list(document["cells"][0]["options"])
    words = [analysis.lineup_words(cell.labels) for cell in run.cells]
    rows = [
        row
        for cell, lineup in zip(document["cells"], words, strict=True)
        for row in _rows(cell, names, lineup)
    ]
    adjusted = ["adjusted"] if run.experiment.adaptive else []
    columns = [*names, "lineup", "seat", "share", *adjusted, "95 % interval", "games"]
    print_table(columns, rows, numbers=(len(names) + 2, len(columns) - 1))
    if adjusted:
        click.echo(
            "\nEach cell stopped by itself: the intervals hold at every look; adjusted = the share without the bias of stopping."
        )
    click.echo(f"\n{document['answer']}")
    for warning in document["warnings"]:
        click.echo(f"Beware: {warning}")
    click.echo(f"Run: {run.folder}   report: {report_command(run, recipe)}")


def report_command(run: Run, recipe: str = "balance") -> str:
    """The command that writes the report of a run by a recipe, with the project folders that it needs."""
    projects = [word for folder in catalogue.projects() for word in ("--project", os.path.relpath(folder))]
    chosen = [] if recipe == "balance" else ["--recipe", recipe]
    return shlex.join(["simkit", *projects, "report", str(run.folder), *chosen])


def _rows(cell: dict[str, Any], names: list[str], lineup: str) -> list[list[str]]:
    front = [str(cell["options"][name]) for name in names]
    return [
        [*front, lineup, str(s["seat"]), percent(s["share"]), *_adjusted(s), f"{percent(s['low'])} to {percent(s['high'])}",
         f"{s['games']:,}"] for s in cell["seats"]
    ]  # fmt: skip


def _adjusted(seat: dict[str, Any]) -> list[str]:
    """The stopping-adjusted share, in runs that have one."""
    if "adjusted" not in seat:
        return []
    return ["-" if seat["adjusted"] is None else percent(seat["adjusted"])]


def summary(run: Run) -> dict[str, Any]:
    """The document: question, answer, cells with the share of each seat, n and interval."""
    seats = analysis.seat_shares(run)
    answer = analysis.answer(run, seats=seats)
    rows = seats.rows(named=True)
    return {
        "question": answer.question,
        "answer": answer.sentence,
        "details": answer.details,
        "warnings": answer.warnings,
        "run": str(run.folder),
        "game": run.experiment.game,
        "seed": run.experiment.seed,
        "confidence": 0.95,
        "cells": [
            {
                "cell": cell.index,
                "options": cell.varied,
                "lineup": ", ".join(cell.labels),
                "n": cell.plays,
                "deals": cell.deals,
                "seats": [
                    {key: row[key] for key in SEAT_KEYS if key in row}
                    for row in rows
                    if row["cell"] == cell.index
                ],
            }
            for cell in run.cells
        ],
    }
