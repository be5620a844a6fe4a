"""Changes in a designer's own cards or tracks: the table files of a run, row by row."""

from collections.abc import Iterator
from difflib import SequenceMatcher
from typing import Any

import polars as pl

from simkit.engine.limits import WHOLE_NUMBER
from simkit.runs.table_files import is_file
from simkit.tables.findings import Findings, finding

Rows = list[list[str]]
CHANGES_SCHEMA = dict.fromkeys(("table", "file", "kind", "was", "now", "cells"), pl.String) | {
    "row": pl.Int64
}


@finding
def table_changes(findings: Findings) -> pl.DataFrame:
    """Per row added, removed or changed by a table file: the difference from the table of the baseline.

    kind: added, removed or changed; was, now: the cells of the row; cells: the changed cells; row: 1-based
    index of the row in its table (for a changed row: in the file). Rows are matched by the names in the
    first column, if every row has its own, else in order (`difflib`); a
    removed and an added row in the same place count as one changed row. No rows without own files.
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
    texts = {"was": " ".join(was.values()).strip(), "now": " ".join(now.values()).strip()}
    return {"kind": kind, **texts, "cells": "; ".join(cells)}
