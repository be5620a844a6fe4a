"""A designer's own cards or tracks: what their files change row by row, and which components get stronger."""

import math
from collections.abc import Iterable, Iterator, Mapping
from difflib import SequenceMatcher
from typing import Any

import polars as pl

from simkit.engine.limits import WHOLE_NUMBER
from simkit.runs.plan import Cell
from simkit.runs.table_files import is_file
from simkit.stats.comparisons import holm_level
from simkit.stats.quantiles import normal
from simkit.tables.findings import Findings, add_holm_p, finding
from simkit.tables.pieces import DIFFERENCE_ENDS, pieces
from simkit.tables.reading import reals, text_columns, whole

Rows = list[list[str]]
CHANGES_SCHEMA = text_columns("table", "file", "kind", "name", "was", "now", "cells") | whole("row")
STRONGER_SCHEMA = whole("cell") | text_columns("piece", "was")
STRONGER_SCHEMA |= reals("before", "now", "change", "change_low", "change_high", "p") | text_columns("why")
NEW, TOO_RARE = "new", "too rare"
Worth = tuple[float | None, ...]  # the values of DIFFERENCE_ENDS
UNKNOWN_WORTH: Worth = (None, None, None)


@finding
def table_changes(findings: Findings) -> pl.DataFrame:
    """Per row added, removed or changed by a table file: the difference from the table of the baseline.

    kind: added, removed or changed; name: the first cell of the row now; was, now: all its cells; cells: the
    changed cells; row: 1-based index of the row in its table (for a changed row: in the file). Rows are
    matched by the names in the first column, if every row has its own, else in order (`difflib`); a removed
    and an added row in the same place count as one changed row. No rows without own files.
    """
    tables = findings.run.manifest.tables
    base = next((cell.varied for cell in findings.run.cells if cell.baseline), findings.run.cells[0].varied)
    rows = [
        {"table": name, "file": file} | change
        for name, files in tables.items()
        for file, table in files.items()
        if is_file(name) and file != base[name] and base[name] in files
        for change in changes(files[base[name]], table)
    ]
    return pl.DataFrame(rows, schema=CHANGES_SCHEMA) if tables else pl.DataFrame()


def changes(old: Rows, new: Rows) -> Iterator[dict[str, Any]]:
    """Yield the differences between two tables with headers.

    >>> [(one["kind"], one["cells"]) for one in changes([["n", "at"], ["1", "A"]], [["n", "at"], ["1", "B"]])]
    [('changed', 'at: A → B')]
    """
    for row, before, after in pairs(old, new):
        yield {"row": row, **_row_change(before, after)}


def pairs(old: Rows, new: Rows) -> Iterator[tuple[int, dict[str, str], dict[str, str]]]:
    """Yield the rows that differ: number, cells before, cells now (empty where the row is missing)."""
    was, now = ([tuple(zip(table[0], row, strict=True)) for row in table[1:]] for table in (old, new))
    if all(map(_is_keyed, (old, new))):
        lefts, rights = ({row[0]: (at, dict(row)) for at, row in enumerate(rows, 1)} for rows in (was, now))
        for name in dict.fromkeys([*rights, *lefts]):
            (i, left), (j, right) = lefts.get(name, (0, {})), rights.get(name, (0, {}))
            if left != right:
                yield j or i, left, right
        return
    for kind, i1, i2, j1, j2 in SequenceMatcher(a=was, b=now, autojunk=False).get_opcodes():
        for place in range(max(i2 - i1, j2 - j1) if kind != "equal" else 0):
            left = dict(was[i1 + place]) if i1 + place < i2 else {}
            right = dict(now[j1 + place]) if j1 + place < j2 else {}
            yield (j1 if right else i1) + place + 1, left, right


def _is_keyed(table: Rows) -> bool:
    """Return whether the first column names the rows: every name is there once, and none is a number."""
    names = [row[0] for row in table[1:]]
    return len({*names}) == len(names) and not any(map(WHOLE_NUMBER.fullmatch, names))


def _row_change(was: dict[str, str], now: dict[str, str]) -> dict[str, str]:
    kind = "changed" if was and now else "added" if now else "removed"
    names = dict.fromkeys([*was, *now]) if kind == "changed" else ()
    changed = [name for name in names if was.get(name, "") != now.get(name, "")]
    cells = [f"{name}: {was.get(name) or 'none'} → {now.get(name) or 'none'}" for name in changed]
    texts = {"name": next(iter(now.values()), "").strip()}
    texts |= {"was": " ".join(was.values()).strip(), "now": " ".join(now.values()).strip()}
    return {"kind": kind, **texts, "cells": "; ".join(cells)}


def changed_pieces(changed: Iterable[Mapping[str, Any]], pieces: Iterable[str]) -> list[str | None]:
    """Return the component of each row of `table_changes`, by all its cells, else by its name, or None.

    >>> rows = [{"name": "Data_library", "now": "Data_library 15 1"}, {"name": "", "now": ""}]
    >>> changed_pieces(rows, ["data library", "library"])
    ['data library', None]
    """
    called = {_plain(piece): piece for piece in pieces}
    return [called.get(_plain(row["now"])) or called.get(_plain(row["name"])) for row in changed]


def _plain(name: str) -> str:
    return name.replace("_", " ").casefold()


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
    table = add_holm_p(pl.DataFrame(rows, schema=STRONGER_SCHEMA, orient="row"), "p").drop("p")
    wider, change = normal(holm_level(table["p_adjusted"].drop_nulls())) / normal(0.95), pl.col("change")
    table = table.with_columns((pl.col("change_low", "change_high") - change) * wider + change)
    return table.sort("change", "now", "piece", descending=[True, True, False], nulls_last=True)


def _worth_in_cell(findings: Findings, cell: Cell) -> dict[str, Worth]:
    table = pieces(findings.only([cell.index]))
    return dict(zip(table["piece"], table.select(DIFFERENCE_ENDS).rows(), strict=True)) if table.width else {}


def _before(findings: Findings, cell: Cell, now: dict[str, Worth], old: dict[str, Worth]) -> dict[str, str]:
    """Return the former name of each component: the same, else the one row that became it."""
    origins: dict[str, set[str]] = {}
    changed = table_changes(findings).filter(kind="changed").select("table", "file", "was", "now")
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
