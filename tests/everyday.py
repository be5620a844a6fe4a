"""Which rows of a long table of cases `make test` takes; `make test-rest` takes the others."""

from collections.abc import Iterable
from itertools import islice
from typing import Any

import pytest


def everyday(rows: Iterable[Any], first: int, step: int = 1) -> list[Any]:
    """Return the rows as parameters of a test, all but the first ones (each `step`-th of them) marked slow."""
    every = list(rows)
    chosen = set(islice(range(0, len(every), step), first))
    return [row if place in chosen else _slow(row) for place, row in enumerate(every)]


def _slow(row: Any) -> Any:
    return pytest.param(*(row if type(row) is tuple else (row,)), marks=pytest.mark.slow)
