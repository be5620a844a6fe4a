"""Strength of strategies in a co-operative game: teams of one strategy, and mixed teams by seats."""

import itertools
from typing import Any, NamedTuple

import polars as pl

from simkit.analysis import measures
from simkit.analysis.compare import paired
from simkit.analysis.deals import SumsRow, deal_counts, moment, moments, shares, sums_of_deals
from simkit.analysis.findings import Findings, finding
from simkit.analysis.reading import LOG, Block
from simkit.analysis.strategies import by_table, sat_evenly
from simkit.analysis.table import cells_by, holm_adjusted, setting_words
from simkit.runs.plan import Cell
from simkit.stats.comparisons import difference_p_value
from simkit.stats.deals import difference_from_moments

TEAM_SHARE = measures.usual(1)[0]  # share of seat 0, which is the team's
MIX = ["mix", "with_it"]


def alike(findings: Findings) -> list[list[Cell]]:
    """Return groups of cells with one strategy in every seat, by setting and number of seats, if several."""
    cells = [cell for cell in findings.run.cells if len(set(cell.labels)) == 1] if findings.run.team else []
    return [group for group in by_table(cells) if len(group) > 1]


@LOG("cell")
def team_differences(findings: Findings, block: Block) -> pl.LazyFrame | None:
    """Sum over common deals the share of each team, of the group's first team, and their difference."""
    base_of = {cell.index: group[0].index for group in findings.cached(alike) for cell in group[1:]}
    return paired(block.seats, base_of, [TEAM_SHARE]) if base_of else None


@finding
def team_strategies(findings: Findings) -> pl.DataFrame:
    """Per setting, number of seats and strategy in every seat of a team: win share, best first.

    against: the first strategy listed, with which `difference` compares it deal by deal; low, high (95 %);
    factor: variance on independent deals ÷ variance on common deals; p_adjusted: Holm's adjustment over all
    rows.
    """
    groups = findings.cached(alike)
    if not groups:
        return pl.DataFrame()
    gaps = {row["cell"]: _team_gap(row) for row in team_differences(findings).rows(named=True)}
    rows = []
    for first, *others in groups:
        rows.append({"cell": first.index, "strategy": first.labels[0], "against": None})
        for cell in others:
            names = {"strategy": cell.labels[0], "against": first.labels[0]}
            rows.append({"cell": cell.index, **names, **gaps[cell.index]})
    won = findings.seat_shares.select("cell", "share", "low", "high", "games", "deals")
    table = pl.DataFrame(rows, schema_overrides={"cell": won.schema["cell"]}, infer_schema_length=None)
    table = holm_adjusted(table.join(won, on="cell"), "p_value").drop("p_value")
    front = findings.cells.select("cell", "setting", "seats", "fair")
    every = front.join(table, on="cell", maintain_order="left")
    group = pl.col("cell").min().over("setting", "seats")
    return every.sort(group, "share", descending=[False, True], maintain_order=True)


def _team_gap(row: SumsRow) -> dict[str, Any]:
    """Return the paired difference of two cells, from `compare.paired`."""
    (gap, d), (_, a), (_, b) = (moment(row, f"{part} {TEAM_SHARE.name}") for part in "dab")
    estimate = difference_from_moments(gap, d, a + b, row["deals"], TEAM_SHARE.bound)
    p_value = difference_p_value(gap, d, row["deals"], TEAM_SHARE.bound)
    ends = {"difference_low": estimate.low, "difference_high": estimate.high}
    return {"difference": gap, **ends, "factor": estimate.factor, "p_value": p_value}


class Mix(NamedTuple):
    """Two strategies of a team, and the cells with no others, by number of seats of the second strategy."""

    first: str  # named first in the experiment
    second: str
    cells: dict[int, list[Cell]]  # by number of seats of the second strategy, ascending

    @property
    def seats(self) -> int:
        """Number of seats of the team."""
        return next(iter(self.cells.values()))[0].seats


def mixes(findings: Findings) -> list[Mix]:
    """Return the pairs of strategies that sat in one team, by setting and number of seats.

    Left out are numbers of seats of the second strategy with which it did not sit in each seat equally often.
    """
    every = []
    for table in by_table(list(findings.run.cells)) if findings.run.team else []:
        names = dict.fromkeys(label for cell in table for label in cell.labels)
        every += [_mixed_team(table, *pair) for pair in itertools.combinations(names, 2)]
    return [mix for mix in every if len(mix.cells) > 1 and any(0 < n < mix.seats for n in mix.cells)]


def _mixed_team(table: list[Cell], first: str, second: str) -> Mix:
    of_both = [cell for cell in table if {first, second} >= set(cell.labels)]
    counts = cells_by(of_both, lambda cell: cell.labels.count(second))
    groups = {group[0].labels.count(second): group for group in counts if sat_evenly(group, second)}
    return Mix(first, second, dict(sorted(groups.items())))


def _mixed(findings: Findings, block: Block) -> list[pl.LazyFrame]:
    """Return per mix the team's share on deals that all its cells played: cell, deal, mix, with_it."""
    parts = []
    for place, mix in enumerate(findings.cached(mixes)):
        count = {cell.index: n for n, cells in mix.cells.items() for cell in cells}
        common = min(cell.deals for cells in mix.cells.values() for cell in cells)
        inside = pl.col("cell").is_in(list(count)) & (pl.col("deal") < common)
        rows = block.seats.filter(inside & (pl.col("seat") == 0))
        with_it = pl.col("cell").replace_strict(count, return_dtype=pl.Int64)
        parts.append(rows.with_columns(mix=pl.lit(place, pl.Int64), with_it=with_it))
    return parts


@LOG(*MIX, "value")
def mixed_counts(findings: Findings, block: Block) -> pl.LazyFrame | None:
    """Count the deals by mix, number of seats of the second strategy and share."""
    parts = [deal_counts(rows, MIX, pl.col("share").mean()) for rows in _mixed(findings, block)]
    return pl.concat(parts) if parts else None


@LOG(*MIX)
def replacements(findings: Findings, block: Block) -> pl.LazyFrame | None:
    """Sum over common deals the team's share with some seats of a strategy, and with the next fewer."""
    parts, name, single = [], TEAM_SHARE.name, pl.lit(1, pl.Int64)
    for mix, rows in zip(findings.cached(mixes), _mixed(findings, block), strict=True):
        means = rows.group_by(*MIX, "deal").agg(pl.col("share").mean().alias(f"a {name}"))
        fewer = dict(itertools.pairwise(mix.cells))
        next_one = pl.col("with_it").replace_strict(fewer, default=None, return_dtype=pl.Int64)
        lower = means.select("mix", "deal", pl.col(f"a {name}").alias(f"b {name}"), with_it=next_one)
        gap = (pl.col(f"a {name}") - pl.col(f"b {name}")).alias(f"d {name}")
        both = means.join(lower.drop_nulls("with_it"), on=[*MIX, "deal"]).with_columns(gap, rows=single)
        parts.append(sums_of_deals(both, MIX, [f"{part} {name}" for part in "abd"]))
    return pl.concat(parts) if parts else None


@finding
def mixed_teams(findings: Findings) -> pl.DataFrame:
    """Per setting, number of seats and two strategies: win share by number of seats of the second.

    mix: index of the pair; one, other: the strategies; with_it: seats of `other`, the rest have `one`;
    difference: to the next fewer seats that were played, deal by deal (the worth of the replacement), low and
    high (95 %); p_adjusted: Holm's adjustment over all rows.
    """
    pairs = findings.cached(mixes)
    if not pairs:
        return pl.DataFrame()
    won = shares(moments(mixed_counts(findings), MIX))
    sums = replacements(findings).rows(named=True)
    gaps = pl.DataFrame([{name: row[name] for name in MIX} | _team_gap(row) for row in sums])
    steps = holm_adjusted(gaps, "p_value").drop("p_value")
    front = [
        {"mix": place, "setting": setting_words(cell.varied), "seats": mix.seats, "fair": cell.fair}
        | {"one": mix.first, "other": mix.second}
        for place, mix in enumerate(pairs)
        for cell in [next(iter(mix.cells.values()))[0]]
    ]
    table = pl.DataFrame(front, schema_overrides={"mix": pl.Int64}).join(won, on="mix", maintain_order="left")
    return table.join(steps, on=MIX, how="left", maintain_order="left")
