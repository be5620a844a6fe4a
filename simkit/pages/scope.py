"""Which cells of a run a section shows, and the words that say so."""

from typing import Any

import polars as pl

from simkit.analysis import Axis, Findings, axes, cells_to_look_at
from simkit.pages.columns import table
from simkit.pages.pictures import called
from simkit.report import Table
from simkit.words import distance
from simkit.words.labels import labels_of

MOST_CELLS = 12  # lineups that a picture with a row for each shows
SHORT = 12  # rows of a table that the page shows unfolded


def looked_at(found: Findings, frame: pl.DataFrame) -> pl.DataFrame:
    """The rows of the cells to look at."""
    return frame.filter(pl.col("cell").is_in(cells_to_look_at(found.run)))


def first_cell(found: Findings, frame: pl.DataFrame) -> pl.DataFrame:
    """The rows of the first cell to look at."""
    return frame.filter(pl.col("cell") == cells_to_look_at(found.run)[0])


def drawn_cells(found: Findings, frame: pl.DataFrame) -> pl.DataFrame:
    """The rows to draw: of many cells, those in which the first seat is farthest from fair."""
    first = looked_at(found, found.seat_shares).filter(pl.col("seat") == 0)
    off = (pl.col("share") - pl.col("fair")).abs()
    farthest = first.sort(off, descending=True, maintain_order=True)["cell"].head(MOST_CELLS)
    return frame.filter(pl.col("cell").is_in(farthest.to_list()))


def setting_looked_at(found: Findings) -> str:
    """The setting that pictures and sentences are about, as tables have it: the baseline, else the first."""
    return str(looked_at(found, found.cells)["setting"][0])


def looked_words(found: Findings, lineup: bool = True) -> str:
    """The setting, and the lineup, that a section is about, in labels where there are several."""
    shown = labels_of(found).named(looked_at(found, found.cells))
    setting = f"{shown['setting'][0]}{' (the baseline)' if shown['baseline'][0] else ''}"
    said = [setting] if found.cells["setting"].n_unique() > 1 else []
    return ", ".join(said + ([shown["lineup"][0]] if lineup and shown.height > 1 else []))


def where(found: Findings) -> str:
    """The setting that the pictures show, where there are several."""
    setting = looked_words(found, lineup=False)
    return f"Shown for {setting}; the table has every setting." if setting else ""


def where_drawn(found: Findings) -> str:
    """What of the run a picture of `drawn_cells` shows."""
    cells = len(cells_to_look_at(found.run))
    farthest = "in which the first seat is farthest from fair; the table has all."
    some = f"The {MOST_CELLS} of {cells} lineups {farthest}" if cells > MOST_CELLS else ""
    return f"{where(found)} {some}".strip()


def here(found: Findings) -> str:
    """What a section is about, where there are several settings or lineups."""
    words = looked_words(found)
    return f"Shown for {words}." if words else ""


def first_and_all(
    found: Findings, frame: pl.DataFrame, names: str, caption: str, most: int = 10**9, **shows: Any
) -> list[Table]:
    """The rows of the first cell to look at (at most so many), and, where there are more, all of them."""
    if frame.height <= SHORT:
        return [table(found, frame, f"cell {names}", caption, **shows)]
    few = first_cell(found, frame).head(most)
    tables = [table(found, few, names, caption, **shows)]
    tables.append(table(found, frame, f"cell {names}", f"{caption}: all", **shows))
    return tables if few.height < frame.height else tables[:1]


def margin(found: Findings) -> str:
    """How far from fair still is fair."""
    return distance(found.run.experiment.margin)


def values(found: Findings, *swept: Axis) -> pl.Expr:
    """The values that keys of the sweep have in a row."""
    names = [name for axis in swept for name in axis.options]
    return pl.concat_str([called(found, name) for name in names], separator=" / ")


def setting_values(found: Findings) -> pl.Expr:
    """The values of a setting, without the names."""
    return values(found, *axes(found.run)) if axes(found.run) else called(found, "setting")
