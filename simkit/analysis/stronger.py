"""Which components a designer's own cards or tracks made stronger: `pieces` with them and before."""

import math

import polars as pl

from simkit.analysis.deals import reals, texts, whole
from simkit.analysis.findings import Findings, finding
from simkit.experiment import Cell
from simkit.ownfiles import is_file
from simkit.stats.comparisons import holm
from simkit.stats.quantiles import normal

SCHEMA = whole("cell") | texts("piece") | reals("before", "now", "change", "change_low", "change_high", "p")
ENDS = ["difference", "difference_low", "difference_high"]


@finding
def stronger_pieces(found: Findings) -> pl.DataFrame:
    """Per cell with other files than the baseline and component: what having it was worth before, and is now.

    before, now: `difference` of `pieces` (share won at equal standing with it less without it) in the cell of
    the baseline with the same lineup and in this one; before is null for a component that is new. change: now
    less before; 95 % interval and p-value from both standard errors as if the cells were independent: they
    share their deals, so that it is rather too wide. p_adjusted: Holm, over the components of the cell. The
    greatest change first, new components before. Association, not cause; needs a trace.
    """
    if not found.run.experiment.trace or not found.run.has_pieces:
        return pl.DataFrame()
    base = {tuple(cell.labels): cell for cell in found.run.cells if cell.baseline}
    pairs = [(cell, base[key]) for cell in found.run.cells if (key := tuple(cell.labels)) in base]
    tables = [_compared(found, cell, old) for cell, old in pairs if _files(cell) != _files(old)]
    return found.with_cells(pl.concat(tables)) if tables else pl.DataFrame()


def _files(cell: Cell) -> dict[str, str]:
    return {name: value for name, value in cell.varied.items() if is_file(name)}


def _compared(found: Findings, cell: Cell, base: Cell) -> pl.DataFrame:
    now, old = (found.only([one.index]).pieces.select("piece", *ENDS) for one in (cell, base))
    known = dict(zip(old["piece"], old.select(ENDS).rows(), strict=True))
    rows = []
    for piece, *here in now.rows():
        if here[0] is None:
            continue
        before = known.get(piece, (None,) * 3)
        rows.append((cell.index, piece, before[0], here[0], *_change(tuple(here), before)))
    table = pl.DataFrame(rows, schema=SCHEMA, orient="row")
    adjusted = table.drop_nulls("p").select("piece", p_adjusted=pl.Series(holm(table["p"].drop_nulls())))
    table = table.drop("p").join(adjusted, on="piece", how="left", maintain_order="left")
    return table.sort("change", "now", "piece", descending=[True, True, False])


def _change(now: tuple[float, ...], before: tuple[float | None, ...]) -> tuple[float | None, ...]:
    """The change, its interval and p-value; nothing of a component that was not there."""
    mean, low, high = before
    if mean is None or low is None or high is None:
        return (None,) * 4
    z = normal(0.975)
    error = math.hypot(now[2] - now[1], high - low) / (2 * z)
    change = now[0] - mean
    p = math.erfc(abs(change) / error / math.sqrt(2)) if error else float(change == 0)
    return change, change - z * error, change + z * error, p
