"""Cells of a run that a section shows, and the texts that name them."""

from functools import partial

import polars as pl

from simkit.analysis import Axis, Findings, cells_to_look_at
from simkit.reporting.pages.pictures import label_column
from simkit.reporting.text import distance
from simkit.reporting.text.labels import labels_of
from simkit.reporting.text.perspective import side_of
from simkit.runs.table_files import has_own_files

MAX_RULE_SETS = 3  # rule sets that are shown next to the baseline
MOST_CELLS = 12  # lineups in a figure with a row for each


def looked_at(findings: Findings, frame: pl.DataFrame) -> pl.DataFrame:
    """Return the rows of the cells in view."""
    return frame.filter(pl.col("cell").is_in(cells_to_look_at(findings.run)))


def first_cell(findings: Findings, frame: pl.DataFrame) -> pl.DataFrame:
    """Return the rows of the first cell in view."""
    return frame.filter(pl.col("cell") == cells_to_look_at(findings.run)[0])


def with_other_rules(findings: Findings) -> Findings:
    """Return the findings of the first cell in view and of the same lineup under the few rule sets compared.

    Without other rule sets, or with more than MAX_RULE_SETS, those of the cells in view.
    """
    cells = {cell.index: cell for cell in findings.run.cells}
    base = cells[cells_to_look_at(findings.run)[0]]
    others = [place for place, cell in cells.items() if cell.labels == base.labels and not cell.baseline]
    own = [place for place in others if has_own_files(cells[place].varied)] or others
    few = base.baseline and 1 <= len(own) <= MAX_RULE_SETS
    return findings.only([base.index, *own]) if few else findings.at_baseline()


def drawn_cells(findings: Findings, frame: pl.DataFrame) -> pl.DataFrame:
    """Return the rows to draw: of many cells, those in which the first player is farthest from fair."""
    first = looked_at(findings, findings.seat_shares).filter(pl.col("seat") == 0)
    off = (pl.col("share") - pl.col("fair")).abs()
    farthest = first.sort(off, descending=True, maintain_order=True)["cell"].head(MOST_CELLS)
    return frame.filter(pl.col("cell").is_in(farthest.to_list()))


def setting_looked_at(findings: Findings) -> str:
    """Return the setting in view (as in tables): the baseline, else the first."""
    return str(looked_at(findings, findings.cells)["setting"][0])


def at_setting(findings: Findings, table: pl.DataFrame) -> pl.DataFrame:
    """Return the rows of the setting in view."""
    return table.filter(pl.col("setting") == setting_looked_at(findings)) if table.width else table


def head_at(findings: Findings, head: str) -> str:
    """Return a heading of a small table with the setting shown, where there are several."""
    shown = labels_of(findings).label(looked_at(findings, findings.cells))
    setting = labels_of(findings).base if shown["baseline"][0] else shown["setting"][0]
    return f"{head} ({setting})" if findings.cells["setting"].n_unique() > 1 else head


def here(findings: Findings, lineup: bool = True) -> str:
    """Return a note on the setting, and on the lineup, in view where there are several."""
    shown = labels_of(findings).label(looked_at(findings, findings.cells))
    setting = labels_of(findings).with_base(shown["setting"][0], shown["baseline"][0])
    parts = [setting] if findings.cells["setting"].n_unique() > 1 else []
    parts += [shown["lineup"][0]] if lineup and shown.height > 1 else []
    return f"Shown for {', '.join(parts)}." if parts else ""


def where(findings: Findings, lineups: str = "") -> str:
    """Return a note on the setting of a figure, where there are several, and on its lineups."""
    return f"{here(findings, lineup=False)} {lineups}".strip()


def where_drawn(findings: Findings) -> str:
    """Return a note on the cells that a figure of `drawn_cells` shows."""
    cells, side = len(cells_to_look_at(findings.run)), side_of(findings.run)
    farthest = f"in which the {side.name} is farthest from {side.aim}."
    return where(findings, f"The {MOST_CELLS} of {cells} lineups {farthest}" if cells > MOST_CELLS else "")


def margin(findings: Findings) -> str:
    """Return the margin of the run in percentage points."""
    return distance(findings.run.experiment.margin)


def values(findings: Findings, *swept: Axis) -> pl.Expr:
    """Return the label of each row on some sweep keys; without keys, of its setting."""
    if not swept:
        return label_column(findings, "setting")

    def on(axis: Axis) -> pl.Expr:
        label = partial(labels_of(findings).on_axis, axis)
        return pl.struct(axis.options).map_elements(label, return_dtype=pl.String)

    return pl.concat_str(list(map(on, swept)), separator=" / ")
