"""Tables that a page edits cell by cell, where the game has no function to fill them (`TableFile.fill`).

A number of the rules record that such a table fills must be a cell plus a constant. This is tried out with
tables of random numbers; a table for which it is not so is not edited in the page.
"""

import csv
import random
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from simkit.engine.components import Column, TableFile
from simkit.engine.game import Game
from simkit.errors import UsageError

TRIALS = 32  # tables of random numbers; one with two cells that agree in all of them is not edited
Place = tuple[int, str]  # offset and type of a number in the record
Rows = list[list[str]]


class CellTable(NamedTuple):
    """A table, and for each of its cells the numbers of the record that follow it."""

    name: str
    columns: list[Column]  # those that are not edited have no values
    rows: Rows
    places: list[list[list[Place]]]


def cell_table(game: Game, options: Mapping[str, Any], files: Mapping[str, Any]) -> CellTable | None:
    """Return a table that can be edited cell by cell, if there is one; those made of options come last."""
    for name, file in sorted(game.components.files.items(), key=lambda each: len(each[1].replaced)):
        if not (file.columns and file.printed and file.rows):
            continue
        header, *rows = file.rows(files.get(name) or file.printed(game.resolve(options)))
        numbers = {
            column.name: column for column in file.columns if column.low < column.high and not column.letters
        }
        columns = [numbers.get(title, Column(title)) for title in header]
        tables = [[header, *_shuffled(columns, rows, random.Random(trial))] for trial in range(TRIALS)]
        if places := _places(game, options, files, name, tables):
            return CellTable(name, columns, rows, places)
    return None


def _shuffled(columns: list[Column], rows: Rows, rng: random.Random) -> Rows:
    """Return the rows with other numbers in the cells that are edited."""
    pairs = [zip(columns, row, strict=True) for row in rows]
    return [
        [str(rng.randint(its.low, its.high)) if its.low < its.high else text for its, text in row]
        for row in pairs
    ]


def _places(
    game: Game, options: Mapping[str, Any], files: Mapping[str, Any], name: str, tables: list[Rows]
) -> list[list[list[Place]]] | None:
    """Return by row and column what follows a cell; None if a number is no cell plus a constant."""
    try:
        read = [_read(game.components.files[name], table) for table in tables]
        records = [game.rules(options, {**files, name: table}) for table in read]
    except UsageError:  # the rules refuse some numbers: the page could not say which
        return None
    cells = dict[tuple[int, ...], tuple[int, int]]()
    for r in range(1, len(tables[0])):
        for c in range(len(tables[0][0])):
            changes = _changes([_whole(table[r][c]) for table in tables])
            if any(changes) and changes in cells:
                return None
            cells[changes] = (r - 1, c)
    places: list[list[list[Place]]] = [[[] for _ in row] for row in tables[0][1:]]
    for place, values in _numbers(game.rules_dtype, records).items():
        if any(changes := _changes(values)):
            if changes not in cells:
                return None
            row, column = cells[changes]
            places[row][column].append(place)
    return places


def _read(file: TableFile, rows: Rows) -> Any:
    with tempfile.TemporaryDirectory(prefix="simkit-") as folder:
        path = Path(folder, "table.csv")
        with path.open("w", encoding="utf-8", newline="") as stream:
            csv.writer(stream).writerows(rows)
        return file.read(path)


def _whole(text: str) -> int:
    return int(text) if text.removeprefix("-").isdecimal() else 0


def _changes(values: list[int]) -> tuple[int, ...]:
    return tuple(value - values[0] for value in values)


def _numbers(kind: np.dtype, records: list[np.ndarray]) -> dict[Place, list[int]]:
    """Return the whole numbers of some records by their places."""
    numbers = dict[Place, list[int]]()
    for name in kind.names or ():
        of, offset = kind.fields[name][:2]  # type: ignore[index]
        columns = np.array([np.ravel(record[name]) for record in records]).T.tolist()
        for i, values in enumerate(columns):
            numbers[offset + i * of.base.itemsize, of.base.str.lstrip("<|")] = [
                int(value) for value in values
            ]
    return numbers
