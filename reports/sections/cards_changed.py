"""A designer's own cards or tracks: the rows that changed, and the components that became stronger."""

from typing import Any

import polars as pl

from simkit.reporting.document import Figure, Story
from simkit.reporting.pages import Findings, Section, Show, Table, charts, figure, points, prose, table
from simkit.reporting.pages.pictures import in_points
from simkit.reporting.text.commands import trace_command
from simkit.reporting.text.confidence import SURE
from simkit.reporting.text.pieces import several

CHANGED_ROWS = {
    "file": Show("file"),
    "row": Show("row", "{:,}", "place in the table, from 1; of a removed row in the old one"),
    "kind": Show("what"),
    "was": Show("before"),
    "now": Show("now"),
    "cells": Show("cells changed"),
}
STRENGTHS = {
    "was": Show("was", "{}", "what it was called before, where its row changed"),
    "why": Show("not compared", "{}", "new, or too rare in the traced games to compare"),
    "before": Show("worth before", points, "share won at equal standing with it less without it"),
    "now": Show("worth now", points, "the same with your own"),
    "change": Show("change", points, "in percentage points"),
    "change_low": Show("from", points, "lower end of the interval, allowing for all that are compared"),
    "change_high": Show("to", points, "upper end of the interval, allowing for all that are compared"),
}
WORTH_NOTE = prose("""Worth is an association, not a cause. Changes with an adjusted p-value below 0.05 are
    beyond luck.""")


def cards_changed(findings: Findings) -> Section | None:
    """Return the changed rows, or the changes in worth beyond luck; None without own tables."""
    rows, changes = findings.table_changes, findings.stronger_pieces
    if rows.is_empty():
        return None
    filled = rows.with_columns(pl.col(pl.String).fill_null(""))
    listed = table(findings, filled, list(CHANGED_ROWS), "Row by row", **CHANGED_ROWS)
    if not changes.width:
        title = f"Trace games to see which {several(findings.run.words.piece)} became stronger"
        stories = [] if findings.run.experiment.trace else [Story(title, command=trace_command(findings.run))]
        return Section("What you changed", tables=[listed], stories=stories)
    figures, stories = [_kinds_figure(findings)] if findings.piece_kinds.width else [], list[Story]()
    if (changes["p_adjusted"] < SURE).any():
        lines = (
            f"row {row['row']}: {row['was'] or 'new'} → {row['now'] or 'removed'}"
            for row in filled.rows(named=True)
        )
        listed, stories = _strengths_table(findings, changes), [Story("Every changed row", "\n".join(lines))]
    return Section("What you changed, and what became stronger", [WORTH_NOTE], figures, [listed], stories)


def _kinds_figure(findings: Findings) -> Figure:
    """Return the worth of each kind of component, as printed and with the first changed tables."""
    cells, piece = {cell.index: cell for cell in findings.run.cells}, findings.run.words.piece
    own = cells[findings.stronger_pieces["cell"][0]]
    base = next(cell for cell in cells.values() if cell.baseline and cell.labels == own.labels)
    both = [
        findings.only([cell.index]).piece_kinds.with_columns(when=pl.lit(when))
        for cell, when in ((base, "before"), (own, "with your own"))
    ]
    rows = pl.concat(both, how="diagonal").drop_nulls("difference").sort("kind", "of", maintain_order=True)
    parts = in_points("difference") | {"label": pl.format("{}: {}", "kind", "of"), "kind": pl.col("when")}
    alt = f"What each kind of {piece} is worth, before and with your own, with 95 % intervals"
    how = {"unit": f"Games won more by those who take the {piece}, of 100", "form": "{:+.1f}"}
    return figure(findings, ("kinds", charts.forest), rows, alt, "", parts, **how)


def _strengths_table(findings: Findings, rows: pl.DataFrame) -> Table:
    """Return the worth of having each component, before and now."""
    shows: dict[str, Any] = STRENGTHS | {"piece": findings.run.words.piece}
    setting = "setting " if len(findings.run.cells) > 2 else ""
    names = f"{setting}piece was before now change change_low change_high p_adjusted why"
    rows = rows.with_columns(was=pl.when(pl.col("was") != pl.col("piece")).then("was").fill_null(""))
    return table(findings, rows, names, "Which became stronger", **shows)
