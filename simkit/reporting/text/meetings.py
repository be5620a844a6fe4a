"""Strategies that met at a table; only strategies linked by games can be ranked together."""

from math import comb
from typing import NamedTuple

import polars as pl

DIFFERENT = "Not all of these plans met: each share is against the opponents that the plan had."


class Met(NamedTuple):
    """Strategies at tables of one size in groups linked by games, and whether every one met every other."""

    groups: list[list[str]]
    everybody: bool


def met_at(meetings: pl.DataFrame, seats: int) -> Met:
    """Return which strategies met at tables of a size; `meetings`: rows of one setting."""
    if not meetings.width:
        return Met([], True)
    rows = meetings.filter(seats=seats)
    parts = rows.partition_by("group", maintain_order=True)
    groups = [part["strategy"].unique(maintain_order=True).to_list() for part in parts]
    pairs = set(map(frozenset, rows.select("strategy", "opponent").iter_rows()))
    return Met(groups, len(pairs) == comb(sum(map(len, groups)), 2))
