"""Sheets: a designer's table that a page edits, as numbers that compiled code writes into the rules."""

from functools import cache
from typing import Any

from numba import types

from simkit.engine.compile import jit
from simkit.engine.game import Game, TableFile
from simkit.engine.kernel import arrays

MAX_ROWS = 256


def sheet_of(game: Game) -> tuple[str, TableFile] | None:
    """Return the first table of a game that a page can edit, with its name; None if there is none."""
    files = game.components.files.items()
    return next(((name, file) for name, file in files if file.fill and file.printed and file.rows), None)


def width(game: Game) -> int:
    """Return how many numbers a row has, at least one."""
    sheet = sheet_of(game)
    return sum(column.width for column in sheet[1].columns) if sheet else 1


@cache
def filler(game: Game) -> jit.Entry | None:
    """Return what writes n rows of a sheet into the rules record; None if the game has no sheet."""
    sheet = sheet_of(game)
    if sheet is None:
        return None
    fill: Any = sheet[1].fill
    _, rules, _ = arrays(game)

    def fill_rules(rules_array, rows, n):  # type: ignore[no-untyped-def]
        return fill(rules_array[0], rows, n)

    signature = types.int64(rules.copy(readonly=False), types.Array(types.int64, 2, "C"), types.int64)
    return jit.Entry(fill_rules, signature, f"sheet {game.name}", allocates=False)
