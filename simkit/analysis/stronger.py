"""Components strengthened by a designer's own cards or tracks: `pieces` with and without the own files."""

import math

import polars as pl

from simkit.analysis.deals import reals, texts, whole
from simkit.analysis.findings import Findings, finding
from simkit.analysis.matched import DIFFERENCE_ENDS
from simkit.analysis.table import holm_adjusted
from simkit.runs.plan import Cell
from simkit.runs.table_files import is_file
from simkit.stats.comparisons import holm_level
from simkit.stats.quantiles import normal

STRONGER_SCHEMA = whole("cell") | texts("piece", "was")
STRONGER_SCHEMA |= reals("before", "now", "change", "change_low", "change_high", "p") | texts("why")
NEW, TOO_RARE = "new", "too rare"
Worth = tuple[float | None, ...]  # the values of ENDS
UNKNOWN_WORTH: Worth = (None, None, None)


@finding
def stronger_pieces(findings: Findings) -> pl.DataFrame:
    """Per cell with other files than the baseline and component: worth of having it before and now.

    before, now: `difference` of `pieces` (share won at equal standing with the component less without it) in
    the baseline cell with the same lineup and in this cell; was: its former name, for a changed row of
    `table_changes` from its old cells; why there is no change: new (no former component became it), or too
    rare (too few seats take it in one of the cells for a comparison). change: now less before; interval and
    p-value from both standard errors as if the cells were independent: they share their deals, so that the
    interval is too wide where luck that helps a component helps it in both cells, else too narrow.
    p_adjusted: Holm's adjustment over the components of the cell; the interval has the corresponding level
    (`stats.comparisons.holm_level`). The greatest change first, components without one last. Association, not
    cause; needs a trace.
    """
    if not findings.run.experiment.trace or not findings.run.has_pieces:
        return pl.DataFrame()
    base = {tuple(cell.labels): cell for cell in findings.run.cells if cell.baseline}
    pairs = [(cell, base[key]) for cell in findings.run.cells if (key := tuple(cell.labels)) in base]
    tables = [_compare_cells(findings, cell, old) for cell, old in pairs if _files(cell) != _files(old)]
    return findings.with_cells(pl.concat(tables)) if tables else pl.DataFrame()


def _files(cell: Cell) -> dict[str, str]:
    return {name: value for name, value in cell.varied.items() if is_file(name)}


def _compare_cells(findings: Findings, cell: Cell, base: Cell) -> pl.DataFrame:
    now, old = (_worth_in_cell(findings, side) for side in (cell, base))
    before = _before(findings, cell, now, old)
    rows = [
        (cell.index, piece, was, *_change_row(worth, UNKNOWN_WORTH if was is None else old[was], was is None))
        for piece, worth in now.items()
        for was in [before.get(piece)]
    ]
    table = holm_adjusted(pl.DataFrame(rows, schema=STRONGER_SCHEMA, orient="row"), "p").drop("p")
    wider, change = normal(holm_level(table["p_adjusted"].drop_nulls())) / normal(0.95), pl.col("change")
    table = table.with_columns((pl.col("change_low", "change_high") - change) * wider + change)
    return table.sort("change", "now", "piece", descending=[True, True, False], nulls_last=True)


def _worth_in_cell(findings: Findings, cell: Cell) -> dict[str, Worth]:
    table = findings.only([cell.index]).pieces
    return dict(zip(table["piece"], table.select(DIFFERENCE_ENDS).rows(), strict=True)) if table.width else {}


def _before(findings: Findings, cell: Cell, now: dict[str, Worth], old: dict[str, Worth]) -> dict[str, str]:
    """Return the former name of each component: the same, else the one row that became it."""
    origins: dict[str, set[str]] = {}
    changed = findings.table_changes.filter(kind="changed").select("table", "file", "was", "now")
    for name, file, was, piece in changed.rows():
        if _files(cell).get(name) == file and was in old:
            origins.setdefault(piece, set()).add(was)
    only = {piece: min(names) for piece, names in origins.items() if len(names) == 1}
    return {piece: piece if piece in old else only[piece] for piece in now if piece in old or piece in only}


def _change_row(now: Worth, before: Worth, new: bool) -> tuple[float | str | None, ...]:
    """Return before, now, the change with interval and p-value, and the reason if there is none."""
    bounds = [end for end in (*now, *before) if end is not None]
    if len(bounds) < len(now) + len(before):
        return before[0], now[0], None, None, None, None, NEW if new else TOO_RARE
    value, low, high, old_value, old_low, old_high = bounds
    return old_value, value, *_worth_change(value, high - low, old_value, old_high - old_low), ""


def _worth_change(now: float, width: float, before: float, old_width: float) -> tuple[float, ...]:
    """Return the change, its 95 % interval and p-value, from the widths of both intervals."""
    z = normal(0.95)
    error, change = math.hypot(width, old_width) / (2 * z), now - before
    p = math.erfc(abs(change) / error / math.sqrt(2)) if error else float(change == 0)
    return change, change - z * error, change + z * error, p
