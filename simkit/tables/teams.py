"""Teams of co-operative games: strategies in all seats and mixed; what each seat and member contributes."""

import itertools
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
import polars as pl

from simkit.runs.plan import Cell
from simkit.stats import ratios
from simkit.stats.comparisons import difference_p_value, holm, interval_p_value
from simkit.stats.deals import (
    Share,
    difference_from_moments,
    difference_of_shares,
    mean_from_moments,
    share_from_moments,
)
from simkit.tables.compare import paired, usual_measures
from simkit.tables.findings import (
    Findings,
    add_holm_p,
    as_text,
    cells,
    cells_by,
    columns_of_names,
    finding,
    setting_words,
)
from simkit.tables.pieces import DIFFERENCE_ENDS
from simkit.tables.players import by_table, sat_evenly
from simkit.tables.reading import (
    LOG,
    OWN,
    Block,
    SumsRow,
    deal_counts,
    deal_sums,
    every_pair,
    looked_at,
    moment,
    moments,
    products,
    reals,
    shares,
    sums_of_deals,
    text_columns,
    whole,
)
from simkit.tables.seats import seat_shares

TEAM_SHARE = usual_measures(1)[0]  # share of seat 0, which is the team's
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
    won = seat_shares(findings).select("cell", "share", "low", "high", "games", "deals")
    table = pl.DataFrame(rows, schema_overrides={"cell": won.schema["cell"]}, infer_schema_length=None)
    table = add_holm_p(table.join(won, on="cell"), "p_value").drop("p_value")
    front = cells(findings).select("cell", "setting", "seats", "fair")
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


def _shares_of_mixes(findings: Findings, block: Block) -> list[pl.LazyFrame]:
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
    parts = [deal_counts(rows, MIX, pl.col("share").mean()) for rows in _shares_of_mixes(findings, block)]
    return pl.concat(parts) if parts else None


@LOG(*MIX)
def replacements(findings: Findings, block: Block) -> pl.LazyFrame | None:
    """Sum over common deals the team's share with some seats of a strategy, and with the next fewer."""
    parts, name, single = [], TEAM_SHARE.name, pl.lit(1, pl.Int64)
    for mix, rows in zip(findings.cached(mixes), _shares_of_mixes(findings, block), strict=True):
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
    steps = add_holm_p(gaps, "p_value").drop("p_value")
    front = [
        {"mix": place, "setting": setting_words(cell.varied), "seats": mix.seats, "fair": cell.fair}
        | {"one": mix.first, "other": mix.second}
        for place, mix in enumerate(pairs)
        for cell in [next(iter(mix.cells.values()))[0]]
    ]
    table = pl.DataFrame(front, schema_overrides={"mix": pl.Int64}).join(won, on="mix", maintain_order="left")
    return table.join(steps, on=MIX, how="left", maintain_order="left")


# What each seat contributes, such as its share of actions, of progress made, of tokens repaired.

CONTRIBUTION_KEY = ["cell", "seat", "column"]
TURNS_COLUMN = "turns"
CONTRIBUTION_SUMS = ["own", "all", "own_turns", "all_turns"]
MIN_CONTRIBUTION_DEALS = 10  # deals with a non-zero column below which its parts have no interval
MORE = ["more", "more_low", "more_high"]
CONTRIBUTIONS_SCHEMA = (
    whole("cell", "seat") | text_columns("column") | reals("per_game", "part", "low", "high")
)
CONTRIBUTIONS_SCHEMA |= reals(*MORE) | whole("games", "deals")


def parts(findings: Findings) -> list[str]:
    """Return the seats columns that the game names as contributions, as far as they are logged."""
    logged = findings.run.seats().collect_schema()
    return [name for name in findings.run.words.parts if name in logged]


@OWN(*CONTRIBUTION_KEY)
def contribution_sums(findings: Findings, block: Block) -> pl.LazyFrame | None:
    """Sum over deals a seat's amount of each column, the amount of all seats, and the same for turns."""
    names = findings.cached(parts)
    if not names:
        return None
    rows = looked_at(findings, block.seats)
    turns = TURNS_COLUMN if TURNS_COLUMN in findings.run.seats().collect_schema() else names[0]
    values = {name: pl.col(name).cast(pl.Float64).sum() for name in dict.fromkeys([*names, turns])}
    deals = rows.group_by("cell", "deal", "seat").agg(rows=pl.len().cast(pl.Int64), **values)
    sums = []
    for name in names:
        columns = {"own": pl.col(name), "own_turns": pl.col(turns)}
        columns |= {f"all{part[3:]}": value.sum().over("cell", "deal") for part, value in columns.items()}
        nonzero = pl.col(name).ne(0).any().over("cell", "deal").cast(pl.Float64)
        each = deals.select("cell", "deal", "seat", "rows", column=pl.lit(name), some=nonzero, **columns)
        sums.append(
            sums_of_deals(each, CONTRIBUTION_KEY, [*CONTRIBUTION_SUMS, "some"], every_pair(CONTRIBUTION_SUMS))
        )
    return pl.concat(sums)


@finding
def contributions(findings: Findings) -> pl.DataFrame:
    """Per cell to look at, seat and column that the game names: the seat's part of the total of all seats.

    per_game: mean of the seat; part: its sum over all games divided by that of all seats (a ratio of sums);
    more: part less the seat's part of the turns, 0 if all seats contribute equally per turn; null where the
    game logs no `turns` of seats. Formula and source: `simkit.stats.ratios`; no interval with fewer than
    LEAST_DEALS deals in which the total is not 0. Columns without a total above 0 are left out.
    """
    sums = contribution_sums(findings)
    if not sums.width:
        return pl.DataFrame()
    rows = [_contribution_row(row) for row in sums.filter(pl.col("all") > 0).rows(named=True)]
    table = pl.DataFrame(rows, schema=CONTRIBUTIONS_SCHEMA, orient="row")
    place = pl.col("column").cast(pl.Enum(findings.cached(parts)))
    if TURNS_COLUMN not in findings.run.seats().collect_schema():
        table = table.with_columns(pl.lit(None, pl.Float64).alias(name) for name in MORE)
    return findings.with_cells(table.sort("cell", place, "seat", maintain_order=True))


def _contribution_row(row: SumsRow) -> tuple[object, ...]:
    """Return the values of one row of `contributions`."""
    deals, of_all = row["deals"], products(row, CONTRIBUTION_SUMS)
    sums = row["own"], row["all"], of_all[0, 0], of_all[0, 1], of_all[1, 1]
    part = mean_from_moments(*ratios.ratio_from_sums(*sums, deals))
    more = ratios.ratio_difference([row[name] for name in CONTRIBUTION_SUMS], of_all, deals)
    ends = [
        (*estimate[1:3],) if row["some"] >= MIN_CONTRIBUTION_DEALS else (None, None)
        for estimate in (part, more)
    ]
    estimates = part.mean, *ends[0], more.mean, *ends[1]
    return *(row[name] for name in CONTRIBUTION_KEY), row["own"] / row["rows"], *estimates, row["rows"], deals


# Members of teams: roles such as characters.

MEMBERS_SCHEMA = (
    whole("cell") | text_columns("column", "name") | reals("share", "low", "high", "without_share")
)
MEMBERS_SCHEMA |= reals(*DIFFERENCE_ENDS) | whole("games", "deals")


def member_columns(findings: Findings) -> dict[str, list[str]]:
    """Return a team's columns of roles, and their names in the cells to look at."""
    seats, names = findings.run.seats(), findings.run.words.roles
    names = names or [name for name in columns_of_names(seats) if name != "strategy"]  # of older runs
    if not (names and findings.run.team):
        return {}
    rows = looked_at(findings, seats)
    held = rows.select(as_text(name).unique().sort().implode() for name in names).collect(engine="streaming")
    return {name: held[name][0].to_list() for name in names if len(held[name][0]) > 1}


def _turns(findings: Findings) -> list[int]:
    """Return the rotations of all cells."""
    return sorted({turn for cell in findings.run.cells for turn in cell.turns})


@LOG("cell", "column", "name")
def member_sums(findings: Findings, block: Block) -> pl.LazyFrame | None:
    """Sum over deals, by rotation, the games won and played with a name among the seats, and without it."""
    values, parts = dict[str, pl.Expr](), []
    for turn in _turns(findings):
        for side, has in (("with", pl.col("has")), ("without", ~pl.col("has"))):
            own = has & (pl.col("rotation") == turn)
            values |= {f"won {side} {turn}": (pl.col("share") * own).sum(), f"{side} {turn}": own.sum()}
    for column, names in findings.cached(member_columns).items():
        game = looked_at(findings, block.seats).group_by("cell", "deal", "play")
        games = game.agg(pl.col("share", "rotation").first(), names=as_text(column))
        for name in names:
            rows = games.with_columns(has=pl.col("names").list.contains(name))
            sums = deal_sums(rows, ["cell"], values, every_pair(list(values)))
            parts.append(sums.with_columns(column=pl.lit(column), name=pl.lit(name)))
    return pl.concat(parts) if parts else None


@finding
def members(findings: Findings) -> pl.DataFrame:
    """Per cell to look at, column of names and name: win share of the teams that include it, best first.

    games, deals: with the name; without_share: win share of the other games of the cell; difference: share −
    without_share (`simkit.stats.deals.difference_of_shares`), null where no game or every game was won;
    p_adjusted: Holm's adjustment over all rows. Where strategies change seats, both shares are Σ w_r p_r / Σ
    w_r over the rotations r, with p_r the win share of the n₁ games with the name or of the n₀ without, w_r =
    n₁n₀/(n₁ + n₀) (Mantel-Haenszel, see `simkit.tables.components.Divided`), so that the seating is the same
    on both sides.
    """
    sums = member_sums(findings)
    if not sums.width:
        return pl.DataFrame()
    turns, key = _turns(findings), ["cell", "column", "name"]
    rows = [row for row in sums.rows(named=True) if any(row[f"with {turn}"] for turn in turns)]
    table = pl.DataFrame([tuple(_member(row, turns)) for row in rows], schema=MEMBERS_SCHEMA, orient="row")
    tested = table.filter(pl.col("difference").is_not_null())
    chances = [interval_p_value(*ends) for ends in tested.select(DIFFERENCE_ENDS).iter_rows()]
    adjusted = tested.select(*key, p_adjusted=pl.Series(holm(chances), dtype=pl.Float64))
    return _best_first(findings, table.join(adjusted, on=key, how="left", maintain_order="left"))


def _best_first(findings: Findings, table: pl.DataFrame) -> pl.DataFrame:
    order = ["cell", "column", "share"]
    return findings.with_cells(table.sort(order, descending=[False, False, True], maintain_order=True))


def _member(row: SumsRow, turns: list[int]) -> Iterator[object]:
    """Yield the values of one row of `members`."""
    parts = ("won with", "with", "won without", "without")
    won, played, won_without, without = np.array(
        [[row[f"{part} {turn}"] for turn in turns] for part in parts]
    )
    varied = 0 < won.sum() + won_without.sum() < row["rows"]
    compared = varied and bool((played * without).any())
    weights = played * without / (played + without).clip(1) if compared else played
    share_with, share_without = (_share(row, side, weights) for side in ("with", "without"))
    yield from (row["cell"], row["column"], row["name"], *share_with[:3])
    yield share_without.share if compared else None
    yield from difference_of_shares(share_with, share_without)[:3] if compared else [None] * 3
    yield from (share_with.games, share_with.deals)


def _share(row: SumsRow, side: str, weights: np.ndarray) -> Share:
    """Return the win share of some games of a cell, with weighted rotations; [0, 1] if there are no games."""
    turns = range(len(weights))
    names = [f"{name}{side} {turn}" for name in ("won ", "") for turn in turns]
    y, n = np.array([row[name] for name in names]).reshape(2, -1)
    games = round(n.sum())
    if not games or not (weights * n).any():
        return Share(0.0, 0.0, 1.0, 0, 0, 0.0)
    part, deals = np.where(n > 0, weights, 0) / weights[n > 0].sum(), row["deals"]
    shares = y / n.clip(1)
    away = deals * np.concatenate([part / n.clip(1), -part * shares / n.clip(1)])
    variance = float(away @ products(row, names) @ away) / max(1, deals - 1)
    having = max(1, round(games * deals / row["rows"]))  # deals with such games
    return share_from_moments(float(part @ shares), max(0.0, variance) * having / deals, having, games)
