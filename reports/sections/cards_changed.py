"""A designer's own cards or tracks: what changed row by row, and what became stronger by it."""

from collections.abc import Iterator
from typing import Any

import polars as pl

from simkit.analysis.stronger import NEW, TOO_RARE
from simkit.reporting.document import Step
from simkit.reporting.pages import Findings, Section, Show, Table, labels_of, points, table
from simkit.reporting.pages.commands import trace_command
from simkit.reporting.text.confidence import SURE
from simkit.reporting.text.phrases import headed, listed, number
from simkit.reporting.text.pieces import several

KINDS = ("changed", "added", "removed")
FILE = "files."
MOST_NAMED = 3  # changed rows that a sentence names
SHOWS = {
    "file": Show("file"),
    "row": Show("row", "{:,}", "place in the table, from 1; of a removed row in the old one"),
    "kind": Show("what"),
    "was": Show("before"),
    "now": Show("now"),
    "cells": Show("cells changed"),
}


def section(findings: Findings) -> Section | None:
    rows = findings.table_changes
    if rows.is_empty():
        return None
    text = list(_stronger(findings))
    listed = table(
        findings, rows.with_columns(pl.col(pl.String).fill_null("")), list(SHOWS), "Row by row", **SHOWS
    )
    steps = []
    if not findings.stronger_pieces.width and not findings.run.experiment.trace:
        steps = [
            Step(
                f"Trace games to see which {several(findings.run.words.piece)} became stronger.",
                trace_command(findings.run),
            )
        ]
    return Section(_heading(rows), text, tables=[_strengths(findings), listed], steps=steps)


def _heading(rows: pl.DataFrame) -> str:
    """How much changed, in a line."""
    parts, several = [], rows["file"].n_unique() > 1
    for (name, file), some in rows.group_by("table", "file", maintain_order=True):
        counts = [(kind, some.filter(kind=kind).height) for kind in KINDS]
        said = ", ".join(f"{many} {kind}" for kind, many in counts if many)
        thing = str(name).removeprefix(FILE).replace("_", " ")
        parts.append(f"{file}: {said}" if several else f"Your {thing}: {said}")
    return "; ".join(parts)


def _stronger(findings: Findings) -> Iterator[str]:
    """Which components became stronger or weaker beyond luck."""
    rows, what = findings.stronger_pieces, findings.run.words.piece
    if not rows.width:
        traced = findings.run.experiment.trace
        why = "" if traced else " Games traced turn by turn say it."
        yield f"Which {several(what)} became stronger is not known.{why}"
        return
    named = labels_of(findings).named(rows)
    for part in named.partition_by("cell", maintain_order=True):
        told = list(_sure(part.filter(pl.col("p_adjusted") < SURE))) or [_none(part, what)]
        text = f"{'; '.join([*told, *_rest(part), *_unsure(part)])} (association, not cause)."
        text = headed(part["setting"][0], text) if named["cell"].n_unique() > 1 else text
        yield text[0].upper() + text[1:]


def _none(part: pl.DataFrame, what: str) -> str:
    many = part["change"].count()
    if not many:
        return f"no {what} is had often enough to compare"
    compared = f"{many} {what if many == 1 else several(what)}"
    return f"of {compared} compared none became stronger or weaker beyond luck"


def _rest(part: pl.DataFrame) -> Iterator[str]:
    """How many could not be compared, and why."""
    counts = [(part.filter(why=why).height, why) for why in (NEW, TOO_RARE)]
    if said := ", ".join(f"{many} {why}" for many, why in counts if many):
        yield f"not compared: {said}"


def _sure(part: pl.DataFrame) -> Iterator[str]:
    """What became stronger and what weaker, by how many percentage points."""
    for way, of in (("stronger", pl.col("change") > 0), ("weaker", pl.col("change") < 0)):
        some = part.filter(of)
        if some.height:
            yield f"{way} beyond luck: {_named(some)}"


def _unsure(part: pl.DataFrame) -> Iterator[str]:
    """What the changed rows themselves are worth more or less, where it may be luck."""
    some = part.filter(pl.col("piece") != pl.col("was"), pl.col("p_adjusted") >= SURE)
    if some.height:
        yield f"the change of {_named(some.head(MOST_NAMED))}, may be luck"


def _named(some: pl.DataFrame) -> str:
    rows = some.select("piece", "was", "change").iter_rows()
    return listed(
        f"{_who(piece, was)} ({number(100 * change, sign=True)} percentage points)"
        for piece, was, change in rows
    )


def _who(piece: str, was: str) -> str:
    return piece if piece == was else f"{piece}, which was {was}"


def _strengths(findings: Findings) -> Table:
    """What having a component is worth, before and now."""
    shows: dict[str, Any] = {
        "piece": findings.run.words.piece,
        "was": Show("was", "{}", "what it was called before, where its row changed"),
        "why": Show("not compared", "{}", "new, or too rare in the traced games to compare"),
        "before": Show("worth before", points, "share won at equal standing with it less without it"),
        "now": Show("worth now", points, "the same with your own"),
        "change": Show("change", points, "in percentage points"),
        "change_low": Show("from", points, "lower end of the interval, allowing for all that are compared"),
        "change_high": Show("to", points, "upper end of the interval, allowing for all that are compared"),
    }
    where = "setting " * (len(findings.run.cells) > 2)
    names = f"{where}piece was before now change change_low change_high p_adjusted why"
    rows = findings.stronger_pieces
    if rows.width:
        rows = rows.with_columns(was=pl.when(pl.col("was") != pl.col("piece")).then("was").fill_null(""))
    return table(findings, rows, names, "Which became stronger", **shows)
