"""Equilibrium of strategy choice for two seats: value for the first player, best mixes, payoff matrix."""

from typing import Any, NamedTuple

import numpy as np
import polars as pl

from simkit.analysis.deals import counts_of_deals, marked, shares_of
from simkit.analysis.findings import Findings, finding
from simkit.analysis.table import TWINS, setting_words
from simkit.runs.stopping import equilibrium_monitor
from simkit.runs.stopping.equilibrium_monitor import Pairings, Remaining
from simkit.stats import zero_sum
from simkit.stats.zero_sum import Mixes, Value

BOTH_SEATS = (0, 1)
MIN_DEALS = 20  # deals per pairing below which a setting is not solved


class Solved(NamedTuple):
    """Solution of a setting: remaining strategies, means over deals, value, and best mixes of all deals.

    Of strategies that decide alike only the first is solved, under the names of all.
    """

    pairings: Pairings
    names: dict[int, str]  # index in the pairings -> name, joined with those of its twins
    matrix: pl.DataFrame  # share of the first player in each pairing
    remaining: Remaining
    means: np.ndarray  # [first, second]: the share of the first player between strategies kept
    deals: int
    value: Value
    mixes: Mixes


def solutions(findings: Findings) -> list[Solved]:
    """Return the solved settings: those in which all pairings were played on at least MIN_DEALS deals.

    Every strategy meets every strategy in both seats; strategies ruled out early need no further deals.
    """
    run, solved = findings.run, []
    for pairings in equilibrium_monitor.pairings(run.cells):
        matrix = _pairing_matrix(findings, pairings)
        names = _distinct(findings, pairings, matrix)
        every = equilibrium_monitor.kept_of(run, pairings)
        remaining = Remaining(*([place for place in places if place in names] for places in every))
        deals = equilibrium_monitor.deals_of(pairings, remaining)
        if deals >= MIN_DEALS:
            units = equilibrium_monitor.units(run, pairings, remaining)
            value, means = zero_sum.cross_fitted(units), units.mean(axis=0)
            mixes = zero_sum.solve(means)
            solved.append(Solved(pairings, names, matrix, remaining, means, deals, value, mixes))
    return solved


def _distinct(findings: Findings, pairings: Pairings, matrix: pl.DataFrame) -> dict[int, str]:
    """Return by index the names of the strategies, twins under the index of the first.

    Twins played alike against each other (`same_players`) and have the same shares against everyone.
    """
    here, twins = setting_words(pairings.cells[0].varied), set[frozenset[str]]()
    if findings.same_players.width:
        rows = findings.same_players.filter(setting=here).select("strategy", "opponent")
        twins = {frozenset(pair) for pair in rows.iter_rows()}
    shares = {(row, column): share for row, column, share in matrix.select("row", "column", "share").rows()}
    groups: dict[int, list[str]] = {}
    for place, name in enumerate(pairings.names):
        for first, alike in groups.items():
            pairs = [((name, other), (alike[0], other)) for other in pairings.names]
            pairs += [((other, name), (other, alike[0])) for other in pairings.names]
            if {name, alike[0]} in twins and all(shares.get(own) == shares.get(his) for own, his in pairs):
                groups[first].append(name)
                break
        else:
            groups[place] = [name]
    return {place: TWINS.join(alike) for place, alike in groups.items()}


def _front(pairings: Pairings) -> dict[str, Any]:
    varied = pairings.cells[0].varied
    return {**varied, "setting": setting_words(varied)}


@finding
def equilibrium(findings: Findings) -> pl.DataFrame:
    """Per setting: value for the first player if both choose their strategies best, with 95 % interval.

    For runs of two seats in which every strategy met every strategy, itself included, in both seats.
    strategies: number of strategies that differ; mattered: number left after surely worse ones were ruled
    out. share, low, high: `stats.zero_sum.cross_fitted`; plain: value of mixes chosen and measured on the
    same deals. deals: of a pairing that mattered.
    """
    rows = []
    for solved in findings.cached(solutions):
        value = solved.value
        mattered = len({*solved.remaining.rows, *solved.remaining.columns})
        row = _front(solved.pairings) | {"strategies": len(solved.names), "mattered": mattered}
        row |= {"share": value.value}
        row |= {"low": value.low, "high": value.high, "plain": value.plain, "fair": 0.5}
        games = sum(cell.plays for cell in solved.pairings.cells)
        rows.append(row | {"deals": solved.deals, "games": games})
    table = pl.DataFrame(rows, infer_schema_length=None)
    return marked(table, findings.always and table.width > 0)  # stopping of pairings does not bias the value


@finding
def equilibrium_mixes(findings: Findings) -> pl.DataFrame:
    """Per setting, seat and strategy: weight in the best mix of all deals, the greatest first.

    often: fraction of resampled halves of the deals with the strategy in the best mix; against: its share in
    this seat against the best mix of the other seat; null: ruled out early as surely worse.
    """
    rows = [
        row
        for solved in findings.cached(solutions)
        for seat in BOTH_SEATS
        for row in _mix_of_seat(solved, seat)
    ]
    if not rows:
        return pl.DataFrame()
    kinds = dict.fromkeys(("weight", "often", "against"), pl.Float64)
    return pl.DataFrame(rows, schema_overrides=kinds, infer_schema_length=None)


def _mix_of_seat(solved: Solved, seat: int) -> list[dict[str, Any]]:
    mixes, value, places = solved.mixes, solved.value, solved.remaining[seat]
    against = solved.means @ mixes.columns if seat == 0 else 1 - mixes.rows @ solved.means
    numbers = [(mixes.rows, mixes.columns)[seat], (value.rows, value.columns)[seat], against]
    numbers_of = {place: mix for place, *mix in zip(places, *numbers, strict=True)}
    rows = []
    for place, name in solved.names.items():
        weight, often, against_best = numbers_of.get(place, (0.0, 0.0, None))
        front = _front(solved.pairings) | {"seat": seat, "strategy": name}
        rows.append(front | {"weight": weight, "often": often, "against": against_best})
    return sorted(rows, key=lambda row: (-row["weight"], -(row["against"] or 0.0)))


@finding
def equilibrium_matrix(findings: Findings) -> pl.DataFrame:
    """Per setting, strategy of the first player (`row`) and of the second (`column`): share of the first."""
    tables = []
    for solved in findings.cached(solutions):
        called = {solved.pairings.names[place]: name for place, name in solved.names.items()}
        rows = solved.matrix.filter(*(pl.col(side).is_in([*called]) for side in ("row", "column")))
        tables.append(rows.with_columns(pl.col("row", "column").replace(called)))
    return pl.concat(tables) if tables else pl.DataFrame()


def _pairing_matrix(findings: Findings, pairings: Pairings) -> pl.DataFrame:
    key, names, entries = ["cell", "rotation"], pairings.names, pairings.entries
    seats = findings.run.seats().filter(pl.col("cell").is_in([cell.index for cell in pairings.cells]))
    gains = equilibrium_monitor.gains(seats).with_columns(pl.col(key).cast(pl.Int64))
    value, rows = 2 * pl.col("gain").mean(), pl.lit(1, pl.Int64).first()
    counts = counts_of_deals(gains.group_by(*key, "deal").agg(value=value, rows=rows), key)
    table = shares_of(counts.collect(engine="streaming").sort(*key, "value"), key, findings.always)
    pairs = [entries[cell, turn] for cell, turn in table.select(key).iter_rows()]
    sides = {side: [names[pair[place]] for pair in pairs] for place, side in enumerate(("row", "column"))}
    front = [pl.lit(value).alias(name) for name, value in _front(pairings).items()]
    return pl.DataFrame(sides).with_columns(front).hstack(table.drop(key)).with_columns(fair=pl.lit(0.5))
