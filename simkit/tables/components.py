"""What goes with winning: columns of a game's own log, and things that are sold and owned. Correlational."""

from collections.abc import Callable
from typing import Any

import numpy as np
import polars as pl

from simkit.runs.folder import Run
from simkit.stats.ratios import slope_from_sums
from simkit.tables.course import share_of_rows
from simkit.tables.findings import Findings, as_text, cells, cells_to_look_at, finding
from simkit.tables.reading import (
    COUNT,
    OWN,
    SECOND_OWN,
    Block,
    SumsRow,
    deal_sums,
    every_pair,
    reals,
    text_columns,
    whole,
)

CELL_COLUMN = ["cell", "column"]
COLUMN_SEAT = [*CELL_COLUMN, "seat"]
GROUP = [*COLUMN_SEAT, "strategy"]
SIDE_NUMBERS = {"with": 1, "without": 0}
LEAST = 0.01  # fraction of a group's seats; a rarer side is too small for a comparison


class Divided:
    """Association with having much or little of something, within groups of the same seat and strategy.

    splits: per cell and column `low` and `high`: little is at most `low`, much at least `high`.

    Formula: with n₁ seats of group g that have much and n₀ that have little, p₁ and p₀ the shares that they
    win, w_g = n₁n₀/(n₁ + n₀): difference = Σ w_g (p₁ − p₀) / Σ w_g (Mantel-Haenszel). Interval:
    `stats.ratios.slope_from_sums` with u_d = Σ (z − z̄_g)(y − ȳ_g − difference · (z − z̄_g)) over the seats
    of a deal, z = 1 with much and 0 with little, y the share won. Left out: groups in which one side is rarer
    than LEAST. Source: Mantel & Haenszel 1959, J. Natl. Cancer Inst. 22, 719-748; Greenland & Robins 1985,
    Biometrics 41, 55-68 (difference of shares); Liang & Zeger 1986, Biometrika 73, 13-22 (clusters).
    Correlational, not causal.
    """

    def __init__(self, splits: Callable[[Findings], pl.DataFrame]) -> None:
        self.splits = splits
        self.totals = OWN(*GROUP, "side")(self._totals)
        self.by_seat = OWN(*COLUMN_SEAT, "side")(self._by_seat)
        self.scores = SECOND_OWN(*CELL_COLUMN)(self._scores)

    def _totals(self, findings: Findings, block: Block) -> pl.LazyFrame | None:
        """Sum by group and side (1 much, 0 little): n seats, their share y."""
        if not findings.cached(self.splits).height:
            return None
        groups = _rows_with_side(block.seats, findings.cached(self.splits)).group_by(*GROUP, "side")
        return groups.agg(n=COUNT, y=pl.col("share").sum())

    def _by_seat(self, findings: Findings, block: Block) -> pl.LazyFrame | None:
        """Sum over deals the games and the shares won, by cell, column, seat and side."""
        if not findings.cached(self.splits).height:
            return None
        rows = _rows_with_side(block.seats, findings.cached(self.splits))
        sums = deal_sums(
            rows, [*COLUMN_SEAT, "side"], {"n": COUNT, "y": pl.col("share").sum()}, every_pair(["n", "y"])
        )
        return sums.rename({"rows": "games"})

    def _scores(self, findings: Findings, block: Block) -> pl.LazyFrame | None:
        """Sum over deals, by cell and column, u of the difference."""
        if not findings.cached(self.splits).height:
            return None
        expected = _expected_shares(self.totals(findings)).lazy()
        rows = _rows_with_side(block.seats, findings.cached(self.splits)).join(expected, on=[*GROUP, "side"])
        return deal_sums(
            rows, CELL_COLUMN, {"u": (pl.col("away") * (pl.col("share") - pl.col("expected"))).sum()}
        )

    def compared(self, findings: Findings) -> pl.DataFrame:
        """Return the difference with its ends, and deals, per cell and column that has both sides."""
        w, over_deals = pl.col("w"), self.scores(findings)
        groups = _strata_of_totals(self.totals(findings)).group_by(CELL_COLUMN)
        sums = groups.agg(w.sum(), total=(w * (pl.col("p1") - pl.col("p0"))).sum())
        rows = sums.join(over_deals, on=CELL_COLUMN).rows(named=True) if over_deals.width else []
        kinds = {"cell": sums.schema["cell"]} | text_columns("column") | whole("deals")
        kinds |= reals("difference", "difference_low", "difference_high")
        return pl.DataFrame([_compare_sides(row) for row in rows], schema=kinds)

    def seat_shares(self, findings: Findings) -> pl.DataFrame:
        """Return the raw shares won in each seat per cell, column and seat, with much and with little.

        For NAME with and without: NAME_games, NAME_share, NAME_low, NAME_high (95 %, over deals); null for a
        side without games.
        """
        sums = self.by_seat(findings)
        shares = share_of_rows(sums.filter(pl.col("side").is_not_null())) if sums.width else sums
        if not shares.width:
            return pl.DataFrame()
        table = shares.select(*COLUMN_SEAT).unique(maintain_order=True)
        for name, side in SIDE_NUMBERS.items():
            columns = {f"{name}_{column}": column for column in ("games", "share", "low", "high")}
            own = shares.filter(side=side).select(*COLUMN_SEAT, **columns)
            table = table.join(own, on=COLUMN_SEAT, how="left", maintain_order="left")
        return table


def _rows_with_side(rows: pl.LazyFrame, splits: pl.DataFrame) -> pl.LazyFrame:
    """Return one row per seat of a game and column: its value and side, null between low and high."""
    names, index = splits["column"].unique().to_list(), ["cell", "deal", "seat", "strategy", "share"]
    rows_of_cells = rows.filter(pl.col("cell").is_in(splits["cell"].unique().to_list()))
    wide = rows_of_cells.with_columns(as_text("strategy"), pl.col(names).cast(pl.Float64)).select(
        *index, *names
    )
    bounds = splits.lazy().select(pl.col("cell").cast(pl.Int32), "column", "low", "high")
    long = wide.unpivot(names, index=index, variable_name="column").join(bounds, on=CELL_COLUMN)
    much, little = pl.col("value") >= pl.col("high"), pl.col("value") <= pl.col("low")
    return long.with_columns(side=pl.when(much).then(1).when(little).then(0).cast(pl.Int64))


def _strata_of_totals(totals: pl.DataFrame) -> pl.DataFrame:
    """Return from totals, per compared group: n1, p1 (with much), n0, p0 (with little), and its weight w."""
    side, n1, n0 = pl.col("side"), pl.col("n1"), pl.col("n0")
    sums = {f"{name}{z}": pl.col(name).filter(side == z).sum() for name in "ny" for z in (0, 1)}
    thin = pl.min_horizontal(n1, n0) < (LEAST * (n1 + n0)).clip(1)
    both = totals.group_by(GROUP).agg(**sums).filter(~thin).sort(GROUP)
    return both.with_columns(p1=pl.col("y1") / n1, p0=pl.col("y0") / n0, w=n1 * n0 / (n1 + n0))


def _expected_shares(totals: pl.DataFrame) -> pl.DataFrame:
    """Return by group and side: away (z − z̄) and the expected share."""
    part, gap = pl.col("w") / pl.col("w").sum().over(CELL_COLUMN), pl.col("p1") - pl.col("p0")
    z = pl.col("n1") / (pl.col("n1") + pl.col("n0"))
    groups = _strata_of_totals(totals).with_columns(gap=(part * gap).sum().over(CELL_COLUMN), z=z)
    middle = pl.col("z") * pl.col("p1") + (1 - pl.col("z")) * pl.col("p0")
    sides = []
    for side in SIDE_NUMBERS.values():
        away = side - pl.col("z")
        columns = {"side": pl.lit(side, pl.Int64), "away": away, "expected": middle + pl.col("gap") * away}
        sides.append(groups.select(*GROUP, **columns))
    return pl.concat(sides)


def _compare_sides(row: SumsRow) -> dict[str, Any]:
    deals = row["deals"]
    estimate = slope_from_sums(row["w"], row["total"], row["u*u"], deals)
    low, high = (max(-1.0, estimate.low), min(1.0, estimate.high)) if deals > 1 else (None, None)
    columns = {"cell": row["cell"], "column": row["column"], "deals": deals}
    return columns | {"difference": estimate.slope, "difference_low": low, "difference_high": high}


# Columns of a game's own log.

SAMPLE_DEALS = 2_000  # deals per cell that decide which columns are counted, and how they are split
KNOWN_SEATS = {"play", "cell", "deal", "rotation", "seat", "strategy", "rank", "share", "side_seats", "score"}
ENOUGH_SEATS = 100  # seats with a thing; if none of them wins, having it means having lost
TELLS = 0.85  # fraction of games with the winner ahead (or behind): the column follows from winning
FEW_WINS = 20  # wins in the sample below which a strategy cannot show associations with winning
RARE, COMMON = 0.1, 0.9  # fractions of seats with a thing between which seats are split by having it


def seat_columns(run: Run) -> list[str]:
    """Return the game's own numeric columns of the seats table."""
    return [name for name in _numeric(run.seats()) if name not in KNOWN_SEATS]


def _numeric(rows: pl.LazyFrame) -> list[str]:
    return [name for name, kind in rows.collect_schema().items() if kind.is_numeric() or kind == pl.Boolean]


def samples(findings: Findings) -> list[pl.DataFrame]:
    """Return the seats rows of the first deals of each cell to look at, one table per cell."""
    chosen = cells_to_look_at(findings.run)
    part = findings.run.only(chosen).between(0, SAMPLE_DEALS)
    rows = part.seats().filter(pl.col("cell").is_in(chosen) & (pl.col("deal") < SAMPLE_DEALS))
    columns = ["cell", "play", "seat", "share", "score", *seat_columns(findings.run)]
    won = pl.col("share") > 0
    seen = rows.select(*columns, as_text("strategy"), won=won).collect(engine="streaming")
    return seen.sort("cell", maintain_order=True).partition_by("cell", maintain_order=True)


@finding
def telling_columns(findings: Findings) -> pl.DataFrame:
    """Per column (`column`) left out of `components`: columns that are consequences of winning, not causes.

    In the first deals of a cell to look at, the column is the score, or orders winners and others the same
    way in 85 % of the games in which they differ (at least half of the games), whichever strategy wins; or no
    seat wins among many seats that have it (above 0). Cells in which some strategy hardly ever wins are used
    only if there are no others.
    """
    names, seen = seat_columns(findings.run), findings.cached(samples)
    informative = [rows for rows in seen if all_win(rows)] or seen
    excluded = {name for rows in informative for name in telling(rows, names)}
    return pl.DataFrame(
        {"column": [name for name in names if name in excluded]}, schema=text_columns("column")
    )


def all_win(rows: pl.DataFrame) -> bool:
    """Return whether every strategy wins at least FEW_WINS games; true for a single strategy."""
    wins = rows.group_by("strategy").agg(pl.col("won").sum())["won"]
    return len(wins) == 1 or bool((wins >= FEW_WINS).all())


def telling(rows: pl.DataFrame, names: list[str]) -> list[str]:
    """Return the columns that are the score, order winners in nearly all games, or rule out a win."""
    index = ["play", "strategy", "score", "won"]
    long = rows.select(*index, pl.col(names).cast(pl.Float64)).unpivot(names, index=index)
    value, score, won = pl.col("value"), pl.col("score"), pl.col("won")
    is_score = (value == score).all() & (score.n_unique() > 1)
    barred = ((value > 0).sum() >= ENOUGH_SEATS) & ~(won & (value > 0)).any()
    alone = long.group_by("variable").agg(tells=is_score | barred).filter("tells")["variable"]
    own, others = value.filter(won), value.filter(~won)
    who = pl.col("strategy").filter(won).first() if all_win(rows) else pl.lit("all")
    sides = {"more": own.min() > others.max(), "less": own.max() < others.min()}
    games = long.group_by("variable", "play").agg(who=who, **sides).drop_nulls()
    more, less = pl.col("more").sum().cast(pl.Int64), pl.col("less").sum().cast(pl.Int64)
    often, nearly_all = 2 * (more + less) >= pl.len().cast(pl.Int64), TELLS * (more + less)
    always = {"more": often & (more >= nearly_all), "less": often & (less >= nearly_all)}
    kinds = games.group_by("variable", "who").agg(**always)
    whoever_wins = kinds.group_by("variable").agg(tells=pl.col("more").all() | pl.col("less").all())
    tells = {*alone, *whoever_wins.filter("tells")["variable"]}
    return [name for name in names if name in tells]


@Divided
def split_points(findings: Findings) -> pl.DataFrame:
    """Split points by cell and column that does not tell the winner; null where all values are equal."""
    excluded = set(telling_columns(findings)["column"])
    names = [name for name in seat_columns(findings.run) if name not in excluded]
    seen = findings.cached(samples)
    rows = [(part["cell"][0], name, *split(part[name])) for part in seen for name in names]
    kinds = whole("cell") | text_columns("column") | {"has": pl.Boolean()} | reals("low", "high")
    return pl.DataFrame(rows, schema=kinds, orient="row")


def split(column: pl.Series) -> tuple[bool | None, float | None, float | None]:
    """Return whether to split by having any, the upper limit of little and the lower limit of much.

    All three are None if all values are equal.

    >>> split(pl.Series([None, float("nan")], dtype=pl.Float64)), split(pl.Series([0, 1, 1, 2, 3, 4]))
    ((None, None, None), (True, 0.0, 1.0))
    """
    values = np.sort(column.cast(pl.Float64).fill_nan(None).drop_nulls().to_numpy())
    if not len(values) or values[0] == values[-1]:
        return None, None, None
    if values[0] >= 0 and RARE <= float((values > 0).mean()) <= COMMON:
        return True, 0.0, float(values[values > 0][0])
    low, high = (float(values[int(part * (len(values) - 1))]) for part in (1 / 3, 2 / 3))
    if low < high:
        return False, low, high
    # Both thirds end at the same common value, which goes with the smaller side.
    below, above = values[values < low], values[values > high]
    return (False, float(below[-1]), low) if len(below) > len(above) else (False, low, float(above[0]))


@finding
def components(findings: Findings) -> pl.DataFrame:
    """Per cell to look at and column of the seats table: association with winning, most certain first.

    Seats are divided by the column: by having it (above 0; `has`) if a tenth to nine tenths do; else into the
    third with least (at most `low`) and with most (at least `high`) in the cell's first deals; where one
    value fills the middle third and more, it goes with the smaller side. Formula and source: `Divided`.
    difference: share won with much less that with little, adjusted for seat and strategy, null where nothing
    can be compared. The shares themselves: `component_shares`. Left out: `telling_columns`. Correlational,
    not causal.
    """
    splits = findings.cached(split_points.splits)
    if not splits.height:
        return pl.DataFrame()
    table = splits.join(split_points.compared(findings), on=CELL_COLUMN, how="left", maintain_order="left")
    gap, low, high = (pl.col(f"difference{end}") for end in ("", "_low", "_high"))
    surely = pl.when(gap > 0).then(low).otherwise(-high)
    order = ["cell", surely.round(9), gap.abs().round(9)]  # equal up to rounding
    ordered = table.sort(order, descending=[False, True, True], nulls_last=True, maintain_order=True)
    return findings.with_cells(ordered)


@finding
def component_shares(findings: Findings) -> pl.DataFrame:
    """Per cell to look at, column of `components` and seat: share of the games won with much and with little.

    Counted, not adjusted. with_..., without_...: games, share, low, high (95 %, over deals); null without
    games.
    """
    shares = split_points.seat_shares(findings)
    return findings.with_cells(shares) if shares.width else shares


# Things that are sold and owned, of games that log sold_KIND, price_KIND, printed_KIND (totals of a game) and
# own_KIND (of a seat at the end).

SALES = ("sold", "price", "printed")
FRONT = ["cell", "sold", "price", "printed", "premium", "over", "owners", "deals", "difference"]
FRONT += ["difference_low", "difference_high"]


def things(findings: Findings) -> list[str]:
    """Return the kinds of things whose sales and owners are logged, in the order of the log."""
    games, seats = findings.run.games().collect_schema(), findings.run.seats().collect_schema()
    kinds = [name.removeprefix("own_") for name in seats if name.startswith("own_")]
    return [kind for kind in kinds if all(f"{part}_{kind}" in games for part in SALES)]


@OWN("cell", "column")
def sales(findings: Findings, block: Block) -> pl.LazyFrame | None:
    """Sum games, and per kind the number sold, their prices and their printed costs."""
    parts, games = [], block.games.group_by("cell")
    for kind in findings.cached(things):
        sums = {part: pl.col(f"{part}_{kind}").cast(pl.Float64).sum() for part in SALES}
        parts.append(games.agg(games=COUNT, column=pl.lit(f"own_{kind}"), **sums))
    return pl.concat(parts) if parts else None


@Divided
def owners(findings: Findings) -> pl.DataFrame:
    """Split points that separate seats with at least one thing from seats with none."""
    names = pl.DataFrame({"column": [f"own_{kind}" for kind in findings.cached(things)]})
    every = cells(findings).select("cell").join(names, how="cross")
    return every.with_columns(low=pl.lit(0.0), high=pl.lit(1.0))


@finding
def ownership(findings: Findings) -> pl.DataFrame:
    """Per cell and kind of thing: number sold per game, price and printed cost, win share of owners.

    premium: price less printed; over: premium / printed; owners: share of the seats that own one;
    difference: share won by owners less that won by seats of the same place and strategy that own none.
    Formula and source: `Divided`. Correlational, not causal.
    """
    names = [f"own_{kind}" for kind in findings.cached(things)]
    if not names:
        return pl.DataFrame()
    own = pl.col("n").filter(pl.col("side") == 1).sum() / pl.col("n").sum()
    owner_shares = owners.totals(findings).group_by(CELL_COLUMN).agg(owners=own)
    sold, price, printed = (pl.col(part) for part in SALES)
    each = {name: pl.when(sold > 0).then(pl.col(name) / sold) for name in ("price", "printed")}
    table = sales(findings).with_columns(sold / pl.col("games"), **each)
    table = table.with_columns(premium=price - printed, over=price / printed - 1)
    table = table.join(owner_shares, on=CELL_COLUMN).join(
        owners.compared(findings), on=CELL_COLUMN, how="left"
    )
    ordered = table.sort("cell", pl.col("column").cast(pl.Enum(names)))
    thing = pl.col("column").str.strip_prefix("own_").str.replace_all("_", " ")
    return findings.with_cells(ordered.select(*FRONT, thing=thing))
