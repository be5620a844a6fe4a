"""The split of long tables of cases: `make test` takes some rows, `make test-rest` the others."""

from collections.abc import Iterable
from itertools import islice
from typing import Any

import pytest


def everyday(rows: Iterable[Any], first: int, step: int = 1) -> list[Any]:
    """Return the rows as parameters of a test, all but the first (each `step`-th of them) marked slow."""
    cases = list(rows)
    chosen = set(islice(range(0, len(cases), step), first))
    return [row if place in chosen else _slow(row) for place, row in enumerate(cases)]


def _slow(row: Any) -> Any:
    return pytest.param(*(row if type(row) is tuple else (row,)), marks=pytest.mark.slow)
