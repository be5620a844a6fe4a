"""What a run says in short: who beats whom, the share of each seat, the answer; as tables or as JSON."""

import os
import shlex
from typing import Any

import click
import polars as pl

from simkit import catalogue
from simkit.analysis import Findings
from simkit.cli.output import print_json, print_table
from simkit.experiment import Cell
from simkit.runlog import Run
from simkit.words import answer as answer_of
from simkit.words import seat_name
from simkit.words.labels import Labels
from simkit.words.phrases import percent

SEAT_KEYS = ("seat", "share", "adjusted", "low", "high", "ever_low", "ever_high", "games", "deals")
MATCH_KEYS = ("strategy", "share", "low", "high", "games", "deals")

Row = dict[str, Any]


def print_summary(run: Run, as_json: bool) -> None:
    """Matches and seat shares of every cell with n and interval, and the answer in a sentence."""
    document = summary(run)
    if as_json:
        print_json(document)
        return
    labels, cells = Labels(run), list(zip(run.cells, document["cells"], strict=True))
    matches = [line for cell, known in cells for line in _matches(cell, known["strategies"], labels)]
    if matches and not run.team:
        print_table(matches)
        click.echo("\nSeats, whoever sits there:\n")
    of_cell = _team if run.team else _seats
    print_table([line for cell, known in cells for line in of_cell(cell, known["seats"], labels)])
    if run.experiment.adaptive:
        click.echo("\nCells stopped by themselves: intervals hold at every look; adjusted: without its bias.")
    click.echo(f"\n{document['answer']}")
    for warning in document["warnings"]:
        click.echo(f"Beware: {warning}")
    click.echo(f"Run: {run.folder}   report: {report_command(run)}")


def interval(row: Row) -> str:
    return f"{percent(row['low'])} to {percent(row['high'])}"


def report_command(run: Run) -> str:
    """The command that writes the page that suits a run, with the project folders that it needs."""
    projects = [word for folder in catalogue.projects() for word in ("--project", os.path.relpath(folder))]
    return shlex.join(["simkit", *projects, "report", str(run.folder)])


def _matches(cell: Cell, strategies: list[Row], labels: Labels) -> list[Row]:
    """Who beats whom, of strategies that sat in every seat as often; the best first."""
    ranked = sorted(strategies, key=lambda row: -row["share"])
    names = [labels.strategy(row["strategy"]) for row in ranked]
    said = [f"{name} among {labels.lineup(cell.labels)}" for name in names]
    if len(names) == cell.seats == 2:
        settled = ranked[0]["low"] > 0.5
        said = [f"{names[0]} beats {names[1]}" if settled else f"{names[0]} against {names[1]}: not settled"]
    front = _front(cell, labels)
    return [front | {"match": text} | _columns(row) for text, row in zip(said, ranked, strict=False)]


def _seats(cell: Cell, seats: list[Row], labels: Labels) -> list[Row]:
    """The share of each seat; where strategies did not change seats, with the one that sat there."""
    front = _front(cell, labels) | {"lineup": labels.lineup(cell.labels)}
    fixed = len(set(cell.labels)) > 1 and not _rotated(cell)
    who = [f" ({labels.strategy(name)})" if fixed else "" for name in cell.labels]
    return [front | {"seat": seat_name(row["seat"]) + who[row["seat"]]} | _columns(row) for row in seats]


def _team(cell: Cell, sides: list[Row], labels: Labels) -> list[Row]:
    """How often the team wins."""
    front = _front(cell, labels) | {"lineup": labels.lineup(cell.labels)}
    rows = [_columns(row) for row in sides]
    return [front | {"team wins": row.pop("share")} | row for row in rows]


def _columns(row: Row) -> Row:
    shares = {name: row[name] for name in ("share", "adjusted") if name in row}
    told = {name: "-" if share is None else percent(share) for name, share in shares.items()}
    return told | {"95 % interval": interval(row), "games": row["games"]}


def _rotated(cell: Cell) -> bool:
    """Whether strategies met, and each sat in every seat as often."""
    return cell.rotations == cell.seats


def _front(cell: Cell, labels: Labels) -> Row:
    return {labels.option(name): labels.value(name, value) for name, value in cell.varied.items()}


def summary(run: Run) -> dict[str, Any]:
    """The document: the answer; of each cell the shares of seats, of strategies that sat in every seat."""
    found = Findings(run)
    answer, seats, cells = answer_of(found), found.seat_shares, list[Row]()
    matches = found.strategy_shares if any(map(_rotated, run.cells)) else pl.DataFrame()
    for cell in run.cells:
        known = {"cell": cell.index, "options": cell.varied, "lineup": ", ".join(cell.labels)}
        strategies = _rows(matches, cell, MATCH_KEYS) if _rotated(cell) else []
        shares = {"strategies": strategies, "seats": _rows(seats, cell, SEAT_KEYS)}
        cells.append(known | {"n": cell.plays, "deals": cell.deals} | shares)
    said = {"question": answer.question, "answer": answer.sentence, "sure": answer.sure}
    asked = {"run": str(run.folder), "game": run.experiment.game, "seed": run.experiment.seed}
    return said | {"warnings": answer.warnings} | asked | {"confidence": 0.95, "cells": cells}


def _rows(table: pl.DataFrame, cell: Cell, keys: tuple[str, ...]) -> list[Row]:
    of_cell = table.filter(cell=cell.index) if table.height else table
    return of_cell.select(name for name in keys if name in table.columns).rows(named=True)
