"""A designer's own cards or tracks: what changed row by row, and what became stronger by it."""

from collections.abc import Iterator
from typing import Any

import polars as pl

from simkit.pages import Findings, Section, Show, Table, labels_of, points, table
from simkit.pages.commands import trace_command
from simkit.words.phrases import listed
from simkit.words.sure import SURE

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
    text = list(_stronger(found))
    listed = table(
        found, rows.with_columns(pl.col(pl.String).fill_null("")), list(SHOWS), "Row by row", **SHOWS
    )
    return Section(_heading(rows), text, tables=[_strengths(found), listed])


def _heading(rows: pl.DataFrame) -> str:
    """How much changed, in a line."""
    parts, several = [], rows["file"].n_unique() > 1
    for (name, file), some in rows.group_by("table", "file", maintain_order=True):
        counts = [(kind, some.filter(kind=kind).height) for kind in KINDS]
        said = ", ".join(f"{many} {kind}" for kind, many in counts if many)
        thing = str(name).removeprefix(FILE).replace("_", " ")
        parts.append(f"{file}: {said}" if several else f"Your {thing}: {said}")
    return "; ".join(parts)


def _stronger(found: Findings) -> Iterator[str]:
    """Which components became stronger or weaker beyond luck."""
    rows, what = found.stronger_pieces, found.run.words.piece
    if not rows.width:
        traced = found.run.experiment.trace
        why = "" if traced else f" Games traced turn by turn say it: {trace_command(found.run)}"
        yield f"Which {what}s became stronger is not known.{why}"
        return
    named = labels_of(found).named(rows)
    for part in named.partition_by("cell", maintain_order=True):
        where = f"{part['setting'][0]}: " if named["cell"].n_unique() > 1 else ""
        told = list(_sure(part.filter(pl.col("p_adjusted") < SURE)))
        none = f"of {part.drop_nulls('change').height} {what}s none became stronger or weaker beyond luck"
        text = f"{where}{'; '.join(told) or none} (association, not cause)."
        yield text[0].upper() + text[1:]


def _sure(part: pl.DataFrame) -> Iterator[str]:
    """What became stronger and what weaker, by how many percentage points."""
    for way, of in (("stronger", pl.col("change") > 0), ("weaker", pl.col("change") < 0)):
        some = part.filter(of).select("piece", "change")
        if some.height:
            names = listed(
                f"{name} ({points(change)} percentage points)" for name, change in some.iter_rows()
            )
            yield f"{way} beyond luck: {names}"


def _strengths(found: Findings) -> Table:
    """What having a component is worth, before and now."""
    shows: dict[str, Any] = {
        "piece": found.run.words.piece,
        "before": Show("worth before", points, "share won at equal standing with it less without it"),
        "now": Show("worth now", points, "the same with your own"),
        "change": Show("change", points, "in percentage points"),
    }
    names = (
        f"{'setting ' * (len(found.run.cells) > 2)}piece before now change change_low change_high p_adjusted"
    )
    return table(found, found.stronger_pieces, names, "Which became stronger", **shows)
