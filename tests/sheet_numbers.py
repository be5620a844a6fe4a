"""Rows of a sheet as the numbers that the script of a page hands to compiled code."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from simkit.engine.game import Column


def encoded(columns: Sequence[Column], rows: Sequence[Sequence[str]]) -> np.ndarray:
    """Return rows of texts as int64[row, number]."""
    numbers = [
        [number for column, text in zip(columns, row, strict=True) for number in numbers_of(column, text)]
        for row in rows
    ]
    return np.array(numbers, np.int64)


def numbers_of(column: Column, text: str) -> list[int]:
    if column.letters:
        places = [column.letters.index(letter) + 1 for letter in text]
        return places + [0] * (column.high - len(places))
    return [column.names.index(text) if column.names else int(text)]
