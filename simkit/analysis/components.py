"""Association of a game's own log columns with winning and with the seat. Correlational, not causal."""

import numpy as np
import polars as pl

from simkit.analysis.deals import reals, texts, whole
from simkit.analysis.findings import Findings, finding
from simkit.analysis.table import cells_to_look_at, text
from simkit.analysis.within import CELL_COLUMN, Divided
from simkit.runs.folder import Run

SAMPLE_DEALS = 2_000  # deals per cell that decide which columns are counted, and how they are split
KNOWN_SEATS = {"play", "cell", "deal", "rotation", "seat", "strategy", "rank", "share", "score"}
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
    seen = rows.select(*columns, text("strategy"), won=won).collect(engine="streaming")
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
    return pl.DataFrame({"column": [name for name in names if name in excluded]}, schema=texts("column"))


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
def divided(findings: Findings) -> pl.DataFrame:
    """Split points by cell and column that does not tell the winner; null where all values are equal."""
    excluded = set(findings.telling_columns["column"])
    names = [name for name in seat_columns(findings.run) if name not in excluded]
    seen = findings.cached(samples)
    rows = [(part["cell"][0], name, *split(part[name])) for part in seen for name in names]
    kinds = whole("cell") | texts("column") | {"has": pl.Boolean()} | reals("low", "high")
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
    value fills the middle third and more, it goes with the smaller side. Formula and source:
    `simkit.analysis.within`. difference: share won with much less that with little, adjusted for seat and
    strategy, null where nothing can be compared. The shares themselves: `component_shares`. Left out:
    `telling_columns`. Correlational, not causal.
    """
    splits = findings.cached(divided.splits)
    if not splits.height:
        return pl.DataFrame()
    table = splits.join(divided.compared(findings), on=CELL_COLUMN, how="left", maintain_order="left")
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
    shares = divided.seat_shares(findings)
    return findings.with_cells(shares) if shares.width else shares
