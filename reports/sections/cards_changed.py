"""A designer's own cards or tracks: the rows that changed, and the components that became stronger."""

from collections.abc import Iterator
from typing import Any

import polars as pl

from simkit.analysis.stronger import NEW, TOO_RARE
from simkit.reporting.document import Figure, Story
from simkit.reporting.pages import Findings, Section, Show, Table, charts, figure, labels_of, points, table
from simkit.reporting.pages.commands import trace_command
from simkit.reporting.text.confidence import SURE
from simkit.reporting.text.phrases import headed, in_words, listed, number
from simkit.reporting.text.pieces import different, several

CHANGE_KINDS = ("changed", "added", "removed")
FILE_PREFIX = "files."
MAX_ROWS_NAMED = 3  # changed rows that a sentence names
SHOWS = {
    "file": Show("file"),
    "row": Show("row", "{:,}", "place in the table, from 1; of a removed row in the old one"),
    "kind": Show("what"),
    "was": Show("before"),
    "now": Show("now"),
    "cells": Show("cells changed"),
}


def section(findings: Findings) -> Section | None:
    """Return the changed rows and their effect on strength, or None for a run without changed tables."""
    rows = findings.table_changes
    if rows.is_empty():
        return None
    text = list(_stronger(findings))
    listed = table(
        findings, rows.with_columns(pl.col(pl.String).fill_null("")), list(SHOWS), "Row by row", **SHOWS
    )
    stories = []
    if not findings.stronger_pieces.width and not findings.run.experiment.trace:
        title = f"Trace games to see which {several(findings.run.words.piece)} became stronger"
        stories = [Story(title, command=trace_command(findings.run))]
    tables, changes = [listed, _strengths(findings)], findings.stronger_pieces
    if changes.width and (changes["p_adjusted"] < SURE).any():
        tables.reverse()
    pictures = [_kinds(findings)] if changes.width and findings.piece_kinds.width else []
    return Section(_heading(rows), text, pictures, tables, stories)


def _kinds(findings: Findings) -> Figure:
    """Return the worth of each kind of component, as printed and with the first changed tables."""
    cells = {cell.index: cell for cell in findings.run.cells}
    own = cells[findings.stronger_pieces["cell"][0]]
    base = next(cell for cell in cells.values() if cell.baseline and cell.labels == own.labels)
    tables = [
        findings.only([cell.index]).piece_kinds.with_columns(when=pl.lit(when))
        for cell, when in ((base, "before"), (own, "with your own"))
    ]
    rows = pl.concat(tables, how="diagonal").drop_nulls("difference")
    ends = {"value": "difference", "low": "difference_low", "high": "difference_high"}
    parts = {part: 100 * pl.col(name) for part, name in ends.items()}
    parts |= {"label": pl.format("{}: {}", "kind", "of"), "kind": pl.col("when")}
    rows = rows.sort("kind", "of", maintain_order=True)
    piece = findings.run.words.piece
    alt = (
        f"What each kind of {piece} is worth at equal standing, before and with your own, with 95 % intervals"
    )
    how = {"unit": f"Games won more by those who take the {piece}, of 100", "form": "{:+.1f}"}
    return figure(findings, ("kinds", charts.forest), rows, alt, "", parts, **how)


def _heading(rows: pl.DataFrame) -> str:
    """Count the changed, added and removed rows of each table."""
    parts, several_files = [], rows["file"].n_unique() > 1
    for (name, file), changes in rows.group_by("table", "file", maintain_order=True):
        counts = [(kind, changes.filter(kind=kind).height) for kind in CHANGE_KINDS]
        change_counts = ", ".join(f"{count} {kind}" for kind, count in counts if count)
        table_label = str(name).removeprefix(FILE_PREFIX).replace("_", " ")
        parts.append(f"{file}: {change_counts}" if several_files else f"Your {table_label}: {change_counts}")
    return "; ".join(parts)


def _stronger(findings: Findings) -> Iterator[str]:
    """Yield, cell by cell, the components that became significantly stronger or weaker."""
    rows, piece = findings.stronger_pieces, findings.run.words.piece
    if not rows.width:
        traced = findings.run.experiment.trace
        hint = "" if traced else " Games traced turn by turn say it."
        yield f"Which {several(piece)} became stronger is not known.{hint}"
        return
    named = labels_of(findings).named(rows)
    for part in named.partition_by("cell", maintain_order=True):
        changes = list(_beyond_luck(part.filter(pl.col("p_adjusted") < SURE)))
        changes = [*(changes or [_none_stronger(part, piece)]), *_not_compared(part)]
        text = f"{'; '.join([*changes, *_uncertain_changes(part)])} (association, not cause)."
        text = headed(part["setting"][0], text) if named["cell"].n_unique() > 1 else text
        yield text[0].upper() + text[1:]


def _none_stronger(part: pl.DataFrame, piece: str) -> str:
    """Return the sentence for a cell in which no component became stronger or weaker."""
    count = part["change"].count()
    if not count:
        return f"no {piece} is had often enough to compare"
    if count == part.height:
        return f"none of {different(count, piece)} became stronger or weaker beyond luck"
    both = f"of {different(part.height, piece)} {in_words(count)} could be compared"
    return f"{both}, and none became stronger or weaker beyond luck"


def _not_compared(part: pl.DataFrame) -> Iterator[str]:
    """Yield the numbers of components that could not be compared, by reason."""
    counts = [(part.filter(why=reason).height, reason) for reason in (NEW, TOO_RARE)]
    if reason_counts := ", ".join(f"{count} {reason}" for count, reason in counts if count):
        yield f"not compared: {reason_counts}"


def _beyond_luck(part: pl.DataFrame) -> Iterator[str]:
    """Yield the components that became stronger and those that became weaker, in percentage points."""
    for direction, condition in (("stronger", pl.col("change") > 0), ("weaker", pl.col("change") < 0)):
        pieces = part.filter(condition)
        if pieces.height:
            yield f"{direction} beyond luck: {_with_changes(pieces)}"


def _uncertain_changes(part: pl.DataFrame) -> Iterator[str]:
    """Yield the change in worth of the changed rows themselves where it may be luck."""
    pieces = part.filter(pl.col("piece") != pl.col("was"), pl.col("p_adjusted") >= SURE)
    if pieces.height:
        yield f"the change of {_with_changes(pieces.head(MAX_ROWS_NAMED))}, may be luck"


def _with_changes(pieces: pl.DataFrame) -> str:
    rows = pieces.select("piece", "was", "change").iter_rows()
    return listed(
        f"{_piece_label(piece, former_name)} ({number(100 * change, sign=True)} percentage points)"
        for piece, former_name, change in rows
    )


def _piece_label(piece: str, former_name: str) -> str:
    return piece if piece == former_name else f"{piece}, which was {former_name}"


def _strengths(findings: Findings) -> Table:
    """Return the worth of having each component, before and now."""
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
    setting = "setting " if len(findings.run.cells) > 2 else ""
    names = f"{setting}piece was before now change change_low change_high p_adjusted why"
    rows = findings.stronger_pieces
    if rows.width:
        rows = rows.with_columns(was=pl.when(pl.col("was") != pl.col("piece")).then("was").fill_null(""))
    return table(findings, rows, names, "Which became stronger", **shows)
