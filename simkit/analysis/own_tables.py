"""Changes in a designer's own cards or tracks: the table files of a run, row by row."""

from collections.abc import Iterator
from difflib import SequenceMatcher
from typing import Any

import polars as pl

from simkit.analysis.findings import Findings, finding
from simkit.engine.limits import WHOLE_NUMBER
from simkit.runs.table_files import is_file

Rows = list[list[str]]
SCHEMA = dict.fromkeys(("table", "file", "kind", "was", "now", "cells"), pl.String) | {"row": pl.Int64}


@finding
def table_changes(findings: Findings) -> pl.DataFrame:
    """Per row added, removed or changed by a table file: the difference from the table of the baseline.

    kind: added, removed or changed; was, now: the cells of the row; cells: the changed cells; row: 1-based
    index of the row in its table (for a changed row: in the file). Rows are matched in order (`difflib`); a
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
    return pl.DataFrame(rows, schema=SCHEMA) if tables else pl.DataFrame()


def changes(old: Rows, new: Rows) -> Iterator[dict[str, Any]]:
    """Yield the differences between two tables with headers.

    >>> [(one["kind"], one["cells"]) for one in changes([["n", "at"], ["1", "A"]], [["n", "at"], ["1", "B"]])]
    [('changed', 'at: A → B')]
    """
    was, now = ([tuple(zip(table[0], row, strict=True)) for row in table[1:]] for table in (old, new))
    if keyed(old) and keyed(new) and old[0][0] == new[0][0]:
        places = {row[0]: number for number, row in enumerate(now)}
        removed = [(number, row, ()) for number, row in enumerate(was) if row[0] not in places]
        before = {row[0]: row for row in was}
        changed = [(number, before.get(row[0], ()), row) for number, row in enumerate(now)]
        for number, row, other in [*changed, *removed]:
            if row != other:
                yield {"row": number + 1, **_change(dict(row), dict(other))}
        return
    for kind, i1, i2, j1, j2 in SequenceMatcher(a=was, b=now, autojunk=False).get_opcodes():
        if kind == "equal":
            continue
        for place in range(max(i2 - i1, j2 - j1)):
            before = dict(was[i1 + place]) if i1 + place < i2 else {}
            after = dict(now[j1 + place]) if j1 + place < j2 else {}
            yield {"row": (j1 if after else i1) + place + 1, **_change(before, after)}


def keyed(table: Rows) -> bool:
    """Return whether the first column names the rows: every name is there once, and none is a number.

    >>> keyed([["id", "value"], ["a", "1"], ["b", "1"]]), keyed([["value"], ["1"], ["2"]])
    (True, False)
    """
    names = [row[0] for row in table[1:]]
    return len({*names}) == len(names) and not any(map(WHOLE_NUMBER.fullmatch, names))


def _change(was: dict[str, str], now: dict[str, str]) -> dict[str, str]:
    kind = "changed" if was and now else "added" if now else "removed"
    names = dict.fromkeys([*was, *now]) if kind == "changed" else ()
    changed = [name for name in names if was.get(name, "") != now.get(name, "")]
    cells = [f"{name}: {was.get(name) or 'none'} → {now.get(name) or 'none'}" for name in changed]
    texts = {"was": " ".join(was.values()).strip(), "now": " ".join(now.values()).strip()}
    return {"kind": kind, **texts, "cells": "; ".join(cells)}
