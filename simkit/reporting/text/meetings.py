"""Strategies that met at a table; only strategies linked by games can be ranked together."""

from itertools import combinations
from typing import NamedTuple

import polars as pl

DIFFERENT = "Not all of these plans met: each share is against the opponents that the plan had."


class Met(NamedTuple):
    """Strategies at tables of one size, in groups linked by games, and the pairs that met."""

    groups: list[list[str]]
    pairs: frozenset[frozenset[str]]

    @property
    def everybody(self) -> bool:
        """True if every strategy met every other."""
        return len(self.groups) < 2 and all(
            frozenset(pair) in self.pairs for group in self.groups for pair in combinations(group, 2)
        )

    def met(self, strategy: str, opponent: str) -> bool:
        """Return whether two strategies met."""
        return frozenset((strategy, opponent)) in self.pairs


def met_at(meetings: pl.DataFrame, seats: int) -> Met:
    """Return which strategies met at tables of a size; `meetings`: rows of one setting."""
    rows = meetings.filter(seats=seats) if meetings.width else meetings
    parts = rows.partition_by("group", maintain_order=True) if rows.width else []
    groups = [part["strategy"].unique(maintain_order=True).to_list() for part in parts]
    pairs = rows.select("strategy", "opponent").iter_rows() if rows.width else ()
    return Met(groups, frozenset(map(frozenset, pairs)))


def everybody_met(meetings: pl.DataFrame) -> bool:
    """Return whether at every setting and size each strategy met every other."""
    if not meetings.width:
        return True
    parts = meetings.partition_by("setting", "seats", maintain_order=True)
    return all(met_at(part, part["seats"][0]).everybody for part in parts)
