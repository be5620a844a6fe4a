"""Questions: Find the best mix of strategies for each side, and its value.

The function, the rule that stops pairings early, and the tables of the solution.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations, combinations_with_replacement, compress
from typing import Annotated, Any, NamedTuple, Unpack

import numpy as np
import polars as pl
from pydantic import Field

from simkit.ask import texts
from simkit.ask.arguments import Common, Shell, Strategies, Values, Word
from simkit.ask.execution import Execution
from simkit.ask.question import question
from simkit.ask.requests import along
from simkit.ask.results import Result, answer
from simkit.engine import limits, registry
from simkit.engine.lineups import parse_lineup
from simkit.errors import UsageError
from simkit.runs import experiment as experiments
from simkit.runs.experiment import Experiment
from simkit.runs.folder import Run
from simkit.runs.plan import Cell
from simkit.stats import zero_sum
from simkit.stats.zero_sum import Mixes, Value
from simkit.tables.findings import TWINS, Findings, finding, setting_words
from simkit.tables.players import same_players
from simkit.tables.reading import counts_of_deals, mark_always, shares_of

SEARCH = "search(budget=50)"  # added to the strategies of an equilibrium
MIN_DEALS = 20  # deals per pairing below which a setting is not solved
DealsOfPairing = Annotated[int, Field(ge=MIN_DEALS, le=limits.DEALS["le"])]
SWEPT = Shell(metavar="OPTION=VALUES", parse=texts.sweep, repeatable=True, note="Form: A,B or LOW:HIGH:STEP.")


@question(hidden=("target",))  # of teams, which cannot play against each other
def equilibrium(
    execution: Execution,
    game: Word,
    strategies: Strategies | None = None,
    *,
    with_search: bool = False,
    sweep: Annotated[Mapping[str, Values], SWEPT] = {},
    even: bool = False,
    deals: DealsOfPairing = 5_000,
    question: Annotated[str, Shell(hidden=True)] = "",
    **keywords: Unpack[Common],
) -> Result:
    """Find the best mix of strategies for each side, and its value.

    You get the value of the game with its interval, and the mix of strategies that secures it for each side.
    For games of two seats: every strategy meets every other and itself, in both seats, on the same deals.
    Pairings that the mixes do not depend on stop early.

    Args:
        game: Name of the game.
        strategies: Strategies to choose from; by default all of the game.
        with_search: Whether to add search(budget=50), which plays on from each choice.
        sweep: Values of an option at each of which the game is solved.
        even: Whether to play all pairings equally often, also those of weak strategies.
        deals: Most deals of a pairing.
        question: Title of the page.

    Returns:
        The findings of the run, with `result.equilibrium` (value) and `result.equilibrium_mixes`.

    Raises:
        UsageError: A co-operative game, fewer than two strategies, or two that are the same.

    Example:
        >>> plans = ["hold_at(threshold=20)", "hold_at(threshold=25)"]
        >>> equilibrium("pig", plans, deals=200).equilibrium.height
        1

    Command line::

        simkit equilibrium outpost_seven --strategies reference_greedy,hoarder
    """
    names = _chosen_strategies(game, strategies) + ([SEARCH] if with_search else [])
    usual = "How often does the first player win if both choose their best strategies"
    usual += f"{along(registry.game(game), sweep)}?"
    keys = {**keywords, "game": game, "question": question or usual, "sweep": sweep}
    keys |= {"deals": deals, "round_robin": names, "mirrors": True, "report": "equilibrium"}
    return answer(execution, experiments.parse(keys | {"until_outclassed": not even}))


def _chosen_strategies(game: str, given: Sequence[str] | None) -> list[str]:
    """Return the strategies that may be chosen, by default the game's own."""
    definition = registry.game(game)
    if definition.team or not definition.seats[0] <= 2 <= definition.seats[1]:
        reason = "is co-operative" if definition.team else "has no table of two seats"
        raise UsageError(f"{game} {reason}: only games of two seats against each other have an equilibrium")
    if given is None:
        strategies = registry.strategies(definition).items()
        names = [name for name, strategy in strategies if strategy.game is not None]
        if len(names) < 2:
            example = ",".join([*(names or ["NAME"]), "random"])
            problem = f"{game} has fewer than two strategies of its own"
            raise UsageError(f"{problem}: name two or more strategies, such as {example}")
        return names
    chosen = [named for text in given for named in parse_lineup(text)]
    if len(chosen) < 2:
        raise UsageError(f"strategies {', '.join(given)}: two or more strategies are needed")
    for first, second in combinations(chosen, 2):
        if registry.same_player(definition, first, second, SIDES):
            raise UsageError(f"strategies: {first} and {second} are the same strategy; leave one out")
    return list(map(str, chosen))


# The stopping rule: pairings that the value of the game of choosing strategies does not depend on.
# With two seats one player's gain is the other's loss, so that best mixes have one value. With three or more
# there are many equilibria, and a seat's share may differ between them.

FAR = 3.0  # divided by the root of the games: strategies below the value by more are dropped
SIDES = 2
MAX_UNITS = 20_000  # deals, or bundles of deals, to resample
Pairing = tuple[int, int]  # indices of the strategies of the first and the second player


class Remaining(NamedTuple):
    """Indices of strategies that may still matter: rows for the first player, columns for the second."""

    rows: list[int]
    columns: list[int]


class Pairings(NamedTuple):
    """The cells of one setting, where every strategy meets every one, itself included, in either seat."""

    cells: list[Cell]
    names: list[str]

    @property
    def entries(self) -> dict[tuple[int, int], Pairing]:
        """(cell, rotation) -> indices of the strategies of both seats."""
        entries = dict[tuple[int, int], Pairing]()
        for cell in self.cells:
            for turn in range(cell.rotations):
                first, second = (self.names.index(cell.labels[(seat + turn) % SIDES]) for seat in (0, 1))
                entries[cell.index, turn] = first, second
        return entries

    def mattering(self, remaining: Remaining) -> list[Cell]:
        """Return the cells in which both strategies may still matter, in one of the rotations."""
        entries = self.entries.items()
        cells = {cell for (cell, _), (i, j) in entries if i in remaining.rows and j in remaining.columns}
        return [cell for cell in self.cells if cell.index in cells]


def pairings_by_setting(cells: Sequence[Cell]) -> list[Pairings]:
    """Return the pairings of each setting, in the order of cells; [] unless all are round robins."""
    settings = []
    for varied in dict.fromkeys(repr(cell.varied) for cell in cells):
        mine = [cell for cell in cells if repr(cell.varied) == varied]
        names = strategies_of([cell.labels for cell in mine])
        rotated = all(cell.rotations == len(set(cell.labels)) for cell in mine)
        if names is None or len(names) < 2 or not rotated or mine[0].target is not None:
            return []
        settings.append(Pairings(mine, names))
    return settings


def strategies_of(played: Sequence[Sequence[str]]) -> list[str] | None:
    """Return the strategies of a round robin of two seats with mirrors; None for other lineups.

    >>> strategies_of([["a", "a"], ["a", "b"], ["b", "b"]]), strategies_of([["a", "b"]])
    (['a', 'b'], None)
    """
    if any(len(lineup) != 2 for lineup in played):
        return None
    names = list(dict.fromkeys(name for lineup in played for name in lineup))
    wanted = sorted(sorted(pair) for pair in combinations_with_replacement(names, 2))
    return names if sorted(sorted(lineup) for lineup in played) == wanted else None


def with_gains(seats: pl.LazyFrame) -> pl.LazyFrame:
    """Return the seats table with `gain`, what a row adds to the share of the first player.

    A game that nobody won counts half, so that the shares of both seats add up to 1.
    """
    side, share = 1 - 2 * pl.col("seat").cast(pl.Int64), pl.col("share").cast(pl.Float64)
    return seats.with_columns(gain=0.25 + side * share / 2)


def _sums(rows: pl.LazyFrame, setting: Pairings, ends: list[int]) -> np.ndarray:
    """Return the total share of the first player and the number of games in the deals before each end.

    float[end, 2, first, second]
    """
    mine = rows.filter(pl.col("cell").is_in([cell.index for cell in setting.cells]))
    end = pl.lit(pl.Series(ends)).search_sorted(pl.col("deal"), side="right")
    groups = with_gains(mine).group_by("cell", "rotation", end=end)
    counted = groups.agg(total=pl.col("gain").sum(), rows=pl.len()).collect(engine="streaming")
    entries, sums = setting.entries, np.zeros((len(ends), 2, len(setting.names), len(setting.names)))
    for cell, turn, place, total, count in counted.iter_rows():
        sums[place, :, *entries[cell, turn]] = total, count // SIDES
    return sums.cumsum(axis=0)


def drop_worse(sums: np.ndarray, remaining: Remaining) -> Remaining:
    """Drop strategies that are worse against the other side's best mix than luck allows.

    A strategy is dropped if its share is below the value by more than FAR/√n, with n the games of a pairing:
    over four standard errors of such a difference, whatever the shares. `sums` holds the total shares of the
    first player and the numbers of games.
    """
    totals, games = sums[:, remaining.rows][:, :, remaining.columns]
    shares = totals / games
    solution = zero_sum.solve(shares)
    slack = FAR / np.sqrt(games.min())
    rows = shares @ solution.columns >= solution.value - slack
    columns = solution.rows @ shares <= solution.value + slack
    return Remaining([*compress(remaining.rows, rows)], [*compress(remaining.columns, columns)])


def everything(setting: Pairings) -> Remaining:
    """Return all strategies of a setting."""
    every = [*range(len(setting.names))]
    return Remaining(every, every)


class Outclassed:
    """The stopping rule for round robins: stops pairings with a strategy outside the best mixes."""

    progress_line = ""  # no progress line

    def __init__(self, run: Run) -> None:
        self.tables, self.most = pairings_by_setting(run.cells), run.experiment.deals
        self.remaining = [everything(setting) for setting in self.tables]
        self.sums = [np.zeros(1) for _ in self.tables]

    @staticmethod
    def check(experiment: Experiment, lineups: list[list[str]], rotated: bool) -> None:
        """Refuse an experiment that is no round robin, or cannot be solved; `rotated` as in a match."""
        if not rotated or strategies_of(lineups) is None:
            requirement = "every strategy has to meet every one, itself too, in both of two seats"
            raise UsageError(f"key 'until_outclassed': {requirement}: give round_robin with mirrors = true")
        if experiment.deals < MIN_DEALS:
            problem = f"until_outclassed needs {MIN_DEALS} or more, not {experiment.deals}"
            raise UsageError(f"key 'deals': {problem}")

    def enough(self, more: pl.LazyFrame) -> set[int]:
        """Return the cells to stop after the rows of one more analysis: no value depends on them."""
        stopped = set[int]()
        for place, setting in enumerate(self.tables):
            self.sums[place] = self.sums[place] + _sums(more, setting, [self.most])[0]
            self.remaining[place] = drop_worse(self.sums[place], self.remaining[place])
            mattering = {cell.index for cell in setting.mattering(self.remaining[place])}
            stopped |= {cell.index for cell in setting.cells} - mattering
        return stopped


def kept_of(run: Run, setting: Pairings) -> Remaining:
    """Return the strategies that still mattered after the last analysis of a setting."""
    remaining, last = everything(setting), max(cell.deals for cell in setting.cells)
    if run.experiment.until_outclassed:
        for sums in _sums(run.seats(), setting, [deals for deals in run.analyses if deals <= last]):
            remaining = drop_worse(sums, remaining)
    return remaining


def deals_of(setting: Pairings, remaining: Remaining) -> int:
    """Return the number of deals that all remaining pairings have."""
    return min(cell.deals for cell in setting.mattering(remaining))


def shares_by_deal(run: Run, setting: Pairings, remaining: Remaining) -> np.ndarray:
    """Return the share of the first player by deal: float[deal, first strategy, second strategy].

    If there are more than MAX_UNITS deals, even and odd deals are bundled separately. As every deal has all
    remaining pairings, bundling changes no mean.
    """
    deals = deals_of(setting, remaining)
    bundle = -(-deals // MAX_UNITS)
    end = deals - deals % (2 * bundle) or deals
    unit = 2 * (pl.col("deal") // (2 * bundle)) + pl.col("deal") % 2
    in_cells = pl.col("cell").is_in([cell.index for cell in setting.cells])
    mine = run.seats().filter(in_cells & (pl.col("deal") < end)).with_columns(unit=unit)
    counted = with_gains(mine).group_by("unit", "cell", "rotation").agg(share=SIDES * pl.col("gain").mean())
    table = counted.collect(engine="streaming").sort("unit")
    shares = np.full((table["unit"].n_unique(), len(setting.names), len(setting.names)), np.nan)
    for (cell, turn), (first, second) in setting.entries.items():
        means = table.filter(cell=cell, rotation=turn)["share"].to_numpy()
        shares[: len(means), first, second] = means
    return shares[:, remaining.rows][:, :, remaining.columns]


# Tables: value for the first player, best mixes, payoff matrix.

BOTH_SEATS = (0, 1)


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
    for pairings in pairings_by_setting(run.cells):
        matrix = _pairing_matrix(findings, pairings)
        names = _distinct(findings, pairings, matrix)
        every = kept_of(run, pairings)
        remaining = Remaining(*([place for place in places if place in names] for places in every))
        deals = deals_of(pairings, remaining)
        if deals >= MIN_DEALS:
            units = shares_by_deal(run, pairings, remaining)
            value, means = zero_sum.cross_fitted(units), units.mean(axis=0)
            mixes = zero_sum.solve(means)
            solved.append(Solved(pairings, names, matrix, remaining, means, deals, value, mixes))
    return solved


def _distinct(findings: Findings, pairings: Pairings, matrix: pl.DataFrame) -> dict[int, str]:
    """Return by index the names of the strategies, twins under the index of the first.

    Twins played alike against each other (`same_players`) and have the same shares against everyone.
    """
    here, twins = setting_words(pairings.cells[0].varied), set[frozenset[str]]()
    if same_players(findings).width:
        rows = same_players(findings).filter(setting=here).select("strategy", "opponent")
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
def equilibrium_table(findings: Findings) -> pl.DataFrame:
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
    # The stopping of pairings does not bias the value.
    return mark_always(table, findings.always and table.width > 0)


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
    gains = with_gains(seats).with_columns(pl.col(key).cast(pl.Int64))
    value, rows = 2 * pl.col("gain").mean(), pl.lit(1, pl.Int64).first()
    counts = counts_of_deals(gains.group_by(*key, "deal").agg(value=value, rows=rows), key)
    table = shares_of(counts.collect(engine="streaming").sort(*key, "value"), key, findings.always)
    pairs = [entries[cell, turn] for cell, turn in table.select(key).iter_rows()]
    sides = {side: [names[pair[place]] for pair in pairs] for place, side in enumerate(("row", "column"))}
    front = [pl.lit(value).alias(name) for name, value in _front(pairings).items()]
    return pl.DataFrame(sides).with_columns(front).hstack(table.drop(key)).with_columns(fair=pl.lit(0.5))
