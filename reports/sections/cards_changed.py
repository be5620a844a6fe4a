"""A designer's own cards or tracks: is it still fair, and what changed, row by row."""

import polars as pl

from simkit.pages import Findings, Section, Show, Table, table
from simkit.pages.commands import trace_command
from simkit.words.answer import side_of

KINDS = ("changed", "added", "removed")
FILE = "files."
SHOWS = {
    "file": Show("file"),
    "row": Show("row", "{:,}", "place in the table, from 1; of a removed row in the old one"),
    "kind": Show("what"),
    "was": Show("before"),
    "now": Show("now"),
    "cells": Show("cells changed"),
}


def section(found: Findings) -> Section | None:
    rows = found.table_changes
    if rows.is_empty():
        return None
    text = [] if found.run.experiment.trace else [_stronger(found)]
    listed = table(
        found, rows.with_columns(pl.col(pl.String).fill_null("")), list(SHOWS), "Row by row", **SHOWS
    )
    return Section(_heading(rows), text, tables=[_fairness(found), listed])


def _heading(rows: pl.DataFrame) -> str:
    """How much changed, in a line."""
    parts, several = [], rows["file"].n_unique() > 1
    for (name, file), some in rows.group_by("table", "file", maintain_order=True):
        counts = [(kind, some.filter(kind=kind).height) for kind in KINDS]
        said = ", ".join(f"{many} {kind}" for kind, many in counts if many)
        thing = str(name).removeprefix(FILE).replace("_", " ")
        parts.append(f"{file}: {said}" if several else f"Your {thing}: {said}")
    return "; ".join(parts)


def _fairness(found: Findings) -> Table:
    """The verdict on the baseline and on every rule set with other cards."""
    cells = found.run.cells
    base = next((cell for cell in cells if cell.baseline), cells[0]).varied
    files = [name for name in base if name.startswith(FILE)]
    moved = [
        cell.index
        for cell in cells
        if cell.baseline or any(cell.varied[name] != base[name] for name in files)
    ]
    rows = found.first_player_advantage.filter(pl.col("cell").is_in(moved))
    rows = rows.sort(~pl.col("baseline"), maintain_order=True)
    names = "cell share low high verdict n"
    return table(found, rows, names, "Is it still fair?", share=side_of(found.run).name)


def _stronger(found: Findings) -> str:
    return f"Which cards became stronger is seen in games traced turn by turn: {trace_command(found.run)}"
