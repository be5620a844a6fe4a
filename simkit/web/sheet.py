"""Sheets: a designer's table that a page edits, as numbers that compiled code writes into the rules."""

from functools import cache
from typing import Any, NamedTuple

from numba import types

from simkit.engine.compile import jit
from simkit.engine.game import Column, Game, TableFile
from simkit.engine.kernel import arrays

MAX_ROWS = 256


class Sheet(NamedTuple):
    """Table of a game that a page can edit."""

    name: str
    file: TableFile

    @property
    def columns(self) -> tuple[Column, ...]:
        """Columns of the table."""
        return self.file.columns

    def printed(self, options: dict[str, Any]) -> list[list[str]]:
        """Return the rows of the printed table."""
        assert self.file.printed
        return self.rows(self.file.printed(options))

    def rows(self, table: Any) -> list[list[str]]:
        """Return the rows of a table that was read from a file, without its header."""
        assert self.file.rows
        return self.file.rows(table)[1:]


def sheet_of(game: Game) -> Sheet | None:
    """Return the first table of a game that a page can edit; None if there is none."""
    files = game.components.files.items()
    return next((Sheet(name, file) for name, file in files if file.fill and file.printed and file.rows), None)


def width(game: Game) -> int:
    """Return how many numbers a row has, at least one."""
    sheet = sheet_of(game)
    return sum(column.width for column in sheet.columns) if sheet else 1


@cache
def filler(game: Game) -> jit.Entry | None:
    """Return what writes n rows of a sheet into the rules record; None if the game has no sheet."""
    sheet = sheet_of(game)
    if sheet is None:
        return None
    fill: Any = sheet.file.fill
    _, rules, _ = arrays(game)

    def fill_rules(rules_array, rows, n):  # type: ignore[no-untyped-def]
        return fill(rules_array[0], rows, n)

    signature = types.int64(rules.copy(readonly=False), types.Array(types.int64, 2, "C"), types.int64)
    return jit.Entry(fill_rules, signature, f"sheet {game.name}", allocates=False)
