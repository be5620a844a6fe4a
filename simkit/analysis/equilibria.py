"""Equilibrium of strategy choice for two seats: value for the first player, best mixes, payoff matrix."""

from typing import Any, NamedTuple

import numpy as np
import polars as pl

from simkit.analysis.deals import counts_of_deals, marked, shares_of
from simkit.analysis.findings import Findings, finding
from simkit.analysis.table import setting_words
from simkit.runs.stopping import equilibrium_monitor
from simkit.runs.stopping.equilibrium_monitor import Pairings, Remaining
from simkit.stats import zero_sum
from simkit.stats.zero_sum import Mixes, Value

SIDES = (0, 1)
MIN_DEALS = 20  # deals per pairing below which a setting is not solved


class Solved(NamedTuple):
    """Solution of a setting: remaining strategies, means over deals, value, and best mixes of all deals."""

    pairings: Pairings
    remaining: Remaining
    means: np.ndarray  # [first, second]: the share of the first player between strategies kept
    deals: int
    value: Value
    mixes: Mixes


def solutions(findings: Findings) -> list[Solved]:
    """Return the solved settings: those in which all pairings were played on at least MIN_DEALS deals.

    Every strategy meets every strategy in both seats; strategies ruled out early need no further deals.
    """
    tables = [
        (pairings, equilibrium_monitor.kept_of(findings.run, pairings))
        for pairings in equilibrium_monitor.pairings(findings.run.cells)
    ]
    return [_solve(findings, *table) for table in tables if equilibrium_monitor.deals_of(*table) >= MIN_DEALS]


def _solve(findings: Findings, pairings: Pairings, remaining: Remaining) -> Solved:
    units = equilibrium_monitor.units(findings.run, pairings, remaining)
    means, deals = units.mean(axis=0), equilibrium_monitor.deals_of(pairings, remaining)
    return Solved(pairings, remaining, means, deals, zero_sum.cross_fitted(units), zero_sum.solve(means))


def _front(solved: Solved) -> dict[str, Any]:
    varied = solved.pairings.cells[0].varied
    return {**varied, "setting": setting_words(varied)}


@finding
def equilibrium(findings: Findings) -> pl.DataFrame:
    """Per setting: value for the first player if both choose their strategies best, with 95 % interval.

    For runs of two seats in which every strategy met every strategy, itself included, in both seats.
    strategies: number of strategies; mattered: number left after surely worse ones were ruled out. share,
    low, high: `stats.zero_sum.cross_fitted`; plain: value of mixes chosen and measured on the same deals.
    deals: of a pairing that mattered.
    """
    rows = []
    for solved in findings.cached(solutions):
        mattered = len({*solved.remaining.rows, *solved.remaining.columns})
        front = _front(solved) | {"strategies": len(solved.pairings.names), "mattered": mattered}
        value = {"share": solved.value.value, "low": solved.value.low, "high": solved.value.high}
        games = sum(cell.plays for cell in solved.pairings.cells)
        rows.append(
            front | value | {"plain": solved.value.plain, "fair": 0.5, "deals": solved.deals, "games": games}
        )
    table = pl.DataFrame(rows, infer_schema_length=None)
    return marked(table, findings.always and table.width > 0)  # stopping of pairings does not bias the value


@finding
def equilibrium_mixes(findings: Findings) -> pl.DataFrame:
    """Per setting, seat and strategy: weight in the best mix of all deals, the greatest first.

    often: fraction of resampled halves of the deals with the strategy in the best mix; against: its share in
    this seat against the best mix of the other seat; null: ruled out early as surely worse.
    """
    rows = [row for solved in findings.cached(solutions) for seat in SIDES for row in _mix(solved, seat)]
    if not rows:
        return pl.DataFrame()
    kinds = dict.fromkeys(("weight", "often", "against"), pl.Float64)
    return pl.DataFrame(rows, schema_overrides=kinds, infer_schema_length=None)


def _mix(solved: Solved, seat: int) -> list[dict[str, Any]]:
    places = solved.remaining[seat]
    weights = (solved.mixes.rows, solved.mixes.columns)[seat]
    often = (solved.value.rows, solved.value.columns)[seat]
    against = solved.means @ solved.mixes.columns if seat == 0 else 1 - solved.mixes.rows @ solved.means
    numbers_of = {place: numbers for place, *numbers in zip(places, weights, often, against, strict=True)}
    left_out, rows = [0.0, 0.0, None], list[dict[str, Any]]()
    for place, name in enumerate(solved.pairings.names):
        numbers = dict(zip(("weight", "often", "against"), numbers_of.get(place, left_out), strict=True))
        rows.append(_front(solved) | {"seat": seat, "strategy": name} | numbers)
    return sorted(rows, key=lambda row: (-row["weight"], -(row["against"] or 0.0)))


@finding
def equilibrium_matrix(findings: Findings) -> pl.DataFrame:
    """Per setting, strategy of the first player (`row`) and of the second (`column`): share of the first."""
    tables = [_matrix(findings, solved) for solved in findings.cached(solutions)]
    return pl.concat(tables) if tables else pl.DataFrame()


def _matrix(findings: Findings, solved: Solved) -> pl.DataFrame:
    key, entries = ["cell", "rotation"], solved.pairings.entries
    seats = findings.run.seats().filter(pl.col("cell").is_in([cell.index for cell in solved.pairings.cells]))
    gains = equilibrium_monitor.gains(seats).with_columns(pl.col("cell", "rotation").cast(pl.Int64))
    deals = gains.group_by(*key, "deal").agg(
        value=2 * pl.col("gain").mean(), rows=pl.lit(1, pl.Int64).first()
    )
    counts = counts_of_deals(deals, key).collect(engine="streaming").sort(*key, "value")
    table = shares_of(counts, key, findings.always)
    pairs = [entries[cell, turn] for cell, turn in table.select(key).iter_rows()]
    names = solved.pairings.names
    sides = {side: [names[pair[place]] for pair in pairs] for place, side in enumerate(("row", "column"))}
    front = [pl.lit(value).alias(name) for name, value in _front(solved).items()]
    return pl.DataFrame(sides).with_columns(front).hstack(table.drop(key)).with_columns(fair=pl.lit(0.5))
