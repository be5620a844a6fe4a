"""Which cells of a run a section shows, and the words that say so."""

from typing import Any

import polars as pl

from simkit.analysis import Axis, Findings, cells_to_look_at
from simkit.reporting.document import Table
from simkit.reporting.pages.columns import table
from simkit.reporting.pages.pictures import called
from simkit.reporting.text import distance
from simkit.reporting.text.labels import Labels, labels_of
from simkit.reporting.text.perspective import side_of

MOST_CELLS = 12  # lineups that a picture with a row for each shows
SHORT = 12  # rows of a table that the page shows unfolded


def looked_at(findings: Findings, frame: pl.DataFrame) -> pl.DataFrame:
    return frame.filter(pl.col("cell").is_in(cells_to_look_at(findings.run)))


def first_cell(findings: Findings, frame: pl.DataFrame) -> pl.DataFrame:
    return frame.filter(pl.col("cell") == cells_to_look_at(findings.run)[0])


def drawn_cells(findings: Findings, frame: pl.DataFrame) -> pl.DataFrame:
    """The rows to draw: of many cells, those in which the first player is farthest from fair."""
    first = looked_at(findings, findings.seat_shares).filter(pl.col("seat") == 0)
    off = (pl.col("share") - pl.col("fair")).abs()
    farthest = first.sort(off, descending=True, maintain_order=True)["cell"].head(MOST_CELLS)
    return frame.filter(pl.col("cell").is_in(farthest.to_list()))


def setting_looked_at(findings: Findings) -> str:
    """The setting that pictures and sentences are about, as tables have it: the baseline, else the first."""
    return str(looked_at(findings, findings.cells)["setting"][0])


def at_setting(findings: Findings, table: pl.DataFrame) -> pl.DataFrame:
    return table.filter(pl.col("setting") == setting_looked_at(findings)) if table.width else table


def looked_words(findings: Findings, lineup: bool = True) -> str:
    """The setting, and the lineup, that a section is about, in labels where there are several."""
    shown = labels_of(findings).named(looked_at(findings, findings.cells))
    setting = labels_of(findings).with_base(shown["setting"][0], shown["baseline"][0])
    said = [setting] if findings.cells["setting"].n_unique() > 1 else []
    return ", ".join(said + ([shown["lineup"][0]] if lineup and shown.height > 1 else []))


def head_at(findings: Findings, head: str) -> str:
    """A head of a small table with the setting that it shows, where there are several."""
    shown = labels_of(findings).named(looked_at(findings, findings.cells))
    setting = labels_of(findings).base if shown["baseline"][0] else shown["setting"][0]
    return f"{head} ({setting})" if findings.cells["setting"].n_unique() > 1 else head


def where(findings: Findings, some: str = "") -> str:
    """The setting that a picture shows, where there are several; then, which of the lineups."""
    setting = looked_words(findings, lineup=False)
    shown = f"Shown for {setting}." if setting else ""
    return f"{shown} {some}".strip()


def where_drawn(findings: Findings) -> str:
    """What of the run a picture of `drawn_cells` shows."""
    cells = len(cells_to_look_at(findings.run))
    side = side_of(findings.run)
    farthest = f"in which the {side.name} is farthest from {side.aim}."
    return where(findings, f"The {MOST_CELLS} of {cells} lineups {farthest}" if cells > MOST_CELLS else "")


def here(findings: Findings) -> str:
    words = looked_words(findings)
    return f"Shown for {words}." if words else ""


def first_and_all(
    findings: Findings, frame: pl.DataFrame, names: str, caption: str, **shows: Any
) -> list[Table]:
    """The rows of the first cell to look at, and, where there are more, all of them."""
    every = table(findings, frame, f"cell {names}", caption, **shows)
    if frame.height <= SHORT:
        return [every]
    few = first_cell(findings, frame)
    first = [table(findings, few, names, caption, **shows)]
    return [*first, every._replace(caption=f"{caption}: all")] if few.height < frame.height else first


def margin(findings: Findings) -> str:
    return distance(findings.run.experiment.margin)


def values(findings: Findings, *swept: Axis) -> pl.Expr:
    """What each row has on some keys of the sweep, in labels; where nothing is swept its setting."""
    if not swept:
        return called(findings, "setting")
    return pl.concat_str([_value(labels_of(findings), axis) for axis in swept], separator=" / ")


def _value(labels: Labels, axis: Axis) -> pl.Expr:
    def said(row: dict[str, Any]) -> str:
        return labels.on_axis(axis.options, [row[name] for name in axis.options])

    return pl.struct(axis.options).map_elements(said, return_dtype=pl.String)
