"""What the parts of a game go with: its own log columns, found in the tables themselves, by seat, by result, by who has them.

Correlational, not causal: a component may go with winning because winners come to have it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import polars as pl

from simkit.analysis.table import BLOCK_GAMES, blocks, cells_to_look_at, deal_sums, text, with_cells
from simkit.stats import deals as by_deal
from simkit.stats import ratios

if TYPE_CHECKING:
    from simkit.runlog import Run

SAMPLE_DEALS = 2_000  # deals of a cell in which columns are looked at before all are counted
KNOWN_SEATS = {"play", "cell", "deal", "rotation", "seat", "strategy", "rank", "share", "score"}
KNOWN_GAMES = {
    "play",
    "cell",
    "deal",
    "rotation",
    "game",
    "seats",
    "lineup",
    "winner",
    "draw",
    "first",
    "decisions",
    "turns",
    "end_reason",
}
TELLS = 0.85  # a column in which the winner is ahead, or behind, in so many games says who won, not why
FEW_WINS = 20  # a strategy that wins fewer games of the sample cannot show what winning goes with
OF_SEAT = 0.5  # a column of which the seats explain half the variance is a matter of the seat
RARE, COMMON = 0.1, 0.9  # between them "has it or not" is the question
PARTS = ("y1", "n1", "y0", "n0")


class Split(NamedTuple):
    """How the seats of a cell are divided by a column: those with at most `low` against those with at least `high`."""

    column: str
    low: float
    high: float
    has: bool  # whether the question is having it at all


def seat_columns(run: Run) -> list[str]:
    """The game's own numeric columns of the seats table."""
    return [name for name in _numeric(run.seats()) if name not in KNOWN_SEATS]


def game_columns(run: Run) -> list[str]:
    """The game's own numeric columns of the games table."""
    varied = {name for cell in run.cells for name in cell.varied}
    return [name for name in _numeric(run.games()) if name not in KNOWN_GAMES | varied]


def _numeric(rows: pl.LazyFrame) -> list[str]:
    return [name for name, kind in rows.collect_schema().items() if kind.is_numeric() or kind == pl.Boolean]


def telling_columns(run: Run, cells: list[int] | None = None) -> list[str]:
    """The columns left out of `components`, since "goes with winning" would say nothing: those that say who won in any of the cells.

    Found by themselves in the first deals of a cell: the column is the score; or it orders winners and others the same way in 85 % of
    the games in which they differ (in half of the games at least), whichever strategy wins, so that it says who won, not why; or the
    seats explain half of its variance or more (the number of cards that the rules give to each seat). Cells in which a strategy hardly
    ever wins are asked only where there are no others: there everything that the stronger does goes with winning.
    """
    chosen, names = cells or cells_to_look_at(run), seat_columns(run)
    samples = [_sample(run, cell).with_columns((pl.col("share") > 0).alias("won")) for cell in chosen]
    balanced = [rows for rows in samples if _all_win(rows)]
    found = [_left_out(rows, names) for rows in balanced or samples]
    return [name for name in names if any(name in one for one in found)]


def _all_win(rows: pl.DataFrame) -> bool:
    """Whether every strategy wins some games; one alone does."""
    wins = rows.group_by("strategy").agg(pl.col("won").sum())["won"]
    return len(wins) == 1 or int(wins.cast(pl.Int64).min() or 0) >= FEW_WINS  # type: ignore[arg-type]


def _left_out(rows: pl.DataFrame, names: list[str]) -> set[str]:
    return {name for name in names if _tells(rows, name) or _of_seat(rows, name)}


def _of_seat(rows: pl.DataFrame, name: str) -> bool:
    """Whether it is mostly a matter of the seat."""
    value = pl.col(name).cast(pl.Float64)
    whole, between = rows.select(
        value.var(ddof=0).alias("whole"), value.mean().over("seat").var(ddof=0).alias("between")
    ).row(0)
    return bool(whole and between >= OF_SEAT * whole)


def _tells(rows: pl.DataFrame, name: str) -> bool:
    value = pl.col(name).cast(pl.Float64)
    if rows.select((value == pl.col("score")).all() & (pl.col("score").n_unique() > 1)).item():
        return True
    won, lost = value.filter("won"), value.filter(~pl.col("won"))
    ends = [
        won.min().alias("won_least"),
        won.max().alias("won_most"),
        lost.min().alias("lost_least"),
        lost.max().alias("lost_most"),
    ]
    who = pl.col("strategy").filter("won").first().alias("who")
    games = rows.group_by("play").agg(who, *ends).drop_nulls()
    more, less = pl.col("won_least") > pl.col("lost_most"), pl.col("won_most") < pl.col("lost_least")
    counted = games.group_by("who").agg(
        more.sum().alias("more"), less.sum().alias("less"), pl.len().alias("games")
    )
    if not _all_win(rows):
        counted = counted.select(pl.exclude("who").sum())
    kinds = counted.select(pl.col("more", "less", "games").cast(pl.Int64)).rows()
    return bool(kinds) and any(
        all(_orders(row[side], row[0] + row[1], row[2]) for row in kinds) for side in (0, 1)
    )


def _orders(ahead: int, differ: int, games: int) -> bool:
    """Whether the winner is on one side in nearly all games in which the column differs, and it differs in most."""
    return bool(games) and 2 * differ >= games and ahead >= TELLS * differ


def components(run: Run, cells: list[int] | None = None) -> pl.DataFrame:
    """Per cell and column of the seats table: how it goes with winning; the difference largest beyond doubt first. Correlational, not causal.

    Seats are divided by the column: those that have it (above 0) and those that do not, where a tenth to nine tenths have it; else the
    third with least and the third with most (thirds of the cell's first deals; where one value makes up the middle and more, those up to
    it against those above, or those below it against the rest, whichever is more even). Columns: column, has, low, high (at most `low` against
    at least `high`), mean (all seats), winners, others (means of seats with and without a share of the win, winners_games and others_games of them), with_games, with_share,
    with_low, with_high (games and share won by those that have it, or most of it), without_... (the others), difference (with −
    without), difference_low, difference_high, deals. Null where a column cannot divide. Left out: `telling_columns`.
    `cells`: by default those to look at.
    """
    chosen, names = cells_to_look_at(run) if cells is None else cells, seat_columns(run)
    left_out = set(telling_columns(run, chosen))
    kept = [name for name in names if name not in left_out]
    rows = [row for cell in chosen for row in _of_cell(run.only([cell]), cell, kept)] if kept else []
    return (
        with_cells(run, pl.DataFrame(rows, schema_overrides={"cell": pl.Int32}, infer_schema_length=None))
        if rows
        else pl.DataFrame()
    )


def _of_cell(run: Run, cell: int, names: list[str]) -> list[dict[str, Any]]:
    sample = _sample(run, cell)
    splits = {name: _split(sample, name) for name in names}
    total = _totals(run, cell, splits) if splits else {}
    rows = [{"cell": cell, "column": name, **_figures(total, name, split)} for name, split in splits.items()]
    return sorted(rows, key=_certain, reverse=True)


def _certain(row: dict[str, Any]) -> tuple[float, float]:
    """How large a difference is beyond doubt, then how large it looks."""
    if row["difference"] is None or row["difference_low"] is None:
        return -2.0, abs(row["difference"] or 0.0)
    side = 1 if row["difference"] > 0 else -1
    return min(side * row["difference_low"], side * row["difference_high"]), abs(row["difference"])


def _sample(run: Run, cell: int) -> pl.DataFrame:
    inside = (pl.col("cell") == cell) & (pl.col("deal") < SAMPLE_DEALS)
    part = run.only([cell]).between(0, SAMPLE_DEALS)
    return (
        part.seats()
        .filter(inside)
        .select("play", "seat", text("strategy"), "share", "score", *seat_columns(run))
        .collect(engine="streaming")
    )


def _split(rows: pl.DataFrame, name: str) -> Split | None:
    """Where to divide by a column; None if all have the same."""
    values = np.sort(rows[name].cast(pl.Float64).to_numpy())
    if not len(values) or values[0] == values[-1]:
        return None
    if values[0] >= 0 and RARE <= float((values > 0).mean()) <= COMMON:
        return Split(name, 0.0, float(values[values > 0][0]), True)
    low, high = (float(values[int(part * (len(values) - 1))]) for part in (1 / 3, 2 / 3))
    if low < high:
        return Split(name, low, high, False)
    below, above = (
        values[values < low],
        values[values > high],
    )  # both thirds end at a usual value, which goes with the smaller side
    if len(below) > len(above):
        return Split(name, float(below[-1]), low, False)
    return Split(name, low, float(above[0]), False)


def _totals(run: Run, cell: int, splits: dict[str, Split | None]) -> dict[str, float]:
    """Sums over the deals of a cell, all columns in one pass: counts and shares of both groups, their products, means by result."""
    by_column = {name: _parts(name, split) for name, split in splits.items()}
    made = [expr.alias(f"{name}|{part}") for name, parts in by_column.items() for part, expr in parts.items()]
    sums = [expr for name in splits for expr in _sums(name)]
    parts = []
    for low, high in blocks(run, max(1, BLOCK_GAMES // (1 + len(splits)))):
        inside = (pl.col("cell") == cell) & pl.col("deal").is_between(low, high, closed="left")
        deals = run.between(low, high).seats().filter(inside).group_by("deal").agg(*made, *_counts())
        parts.append(
            deals.select(pl.len().alias("deals"), pl.col("won", "lost").sum(), *sums).collect(
                engine="streaming"
            )
        )
    return pl.concat(parts).sum().row(0, named=True)


def _counts() -> Iterator[pl.Expr]:
    yield (pl.col("share") > 0).sum().cast(pl.Float64).alias("won")
    yield (pl.col("share") == 0).sum().cast(pl.Float64).alias("lost")


def _parts(name: str, split: Split | None) -> dict[str, pl.Expr]:
    """Of one deal: shares and seats of both groups, and the column added up over winners and others."""
    value, share = pl.col(name).cast(pl.Float64), pl.col("share")
    much, little = (value >= split.high, value <= split.low) if split else (pl.lit(False), pl.lit(False))
    groups = {
        "y1": share.filter(much).sum(),
        "n1": much.sum(),
        "y0": share.filter(little).sum(),
        "n0": little.sum(),
    }
    by_result = {"winners": value.filter(share > 0).sum(), "others": value.filter(share == 0).sum()}
    return {part: expr.cast(pl.Float64) for part, expr in (groups | by_result).items()}


def _sums(name: str) -> Iterator[pl.Expr]:
    for part in (*PARTS, "winners", "others"):
        yield pl.col(f"{name}|{part}").sum()
    for i, a in enumerate(PARTS):
        for b in PARTS[i:]:
            yield (pl.col(f"{name}|{a}") * pl.col(f"{name}|{b}")).sum().alias(f"{name}|{a}{b}")


def _figures(total: dict[str, float], name: str, split: Split | None) -> dict[str, Any]:
    """One row of `components`."""
    of = {part: total[f"{name}|{part}"] for part in ("winners", "others")}
    row: dict[str, Any] = {
        "has": split.has if split else None,
        "low": split.low if split else None,
        "high": split.high if split else None,
    }
    row["mean"] = (of["winners"] + of["others"]) / (total["won"] + total["lost"])
    row["winners"] = of["winners"] / total["won"] if total["won"] else None
    row["others"] = of["others"] / total["lost"] if total["lost"] else None
    row |= {"winners_games": int(total["won"]), "others_games": int(total["lost"])}
    for head, part in (("with", "1"), ("without", "0")):
        row |= _group(total, name, head, part)
    return row | _difference(total, name) | {"deals": int(total["deals"])}


def _group(total: dict[str, float], name: str, head: str, part: str) -> dict[str, Any]:
    """Games and share won of one of the two groups."""
    y, n, yy, yn, nn = (
        total[f"{name}|{kind}"]
        for kind in (f"y{part}", f"n{part}", f"y{part}y{part}", f"y{part}n{part}", f"n{part}n{part}")
    )
    deals = int(total["deals"])
    if not n:
        return {f"{head}_games": 0, f"{head}_share": None, f"{head}_low": None, f"{head}_high": None}
    found = by_deal.share_from_moments(*ratios.ratio_from_sums(y, n, yy, yn, nn, deals), max(deals, round(n)))
    return {
        f"{head}_games": round(n),
        f"{head}_share": found.share,
        f"{head}_low": found.low,
        f"{head}_high": found.high,
    }


def _difference(total: dict[str, float], name: str) -> dict[str, Any]:
    if not total[f"{name}|n1"] or not total[f"{name}|n0"]:
        return dict.fromkeys(("difference", "difference_low", "difference_high"))
    pairs = [
        [f"{name}|{a}{b}" if f"{name}|{a}{b}" in total else f"{name}|{b}{a}" for b in PARTS] for a in PARTS
    ]
    products = np.array([[total[pair] for pair in row] for row in pairs])
    found = ratios.difference_from_sums(
        [total[f"{name}|{part}"] for part in PARTS], products, int(total["deals"])
    )
    low, high = (None if np.isnan(end) else end for end in (found.low, found.high))
    return {"difference": found.difference, "difference_low": low, "difference_high": high}


def component_seats(run: Run, cells: list[int] | None = None) -> pl.DataFrame:
    """Per cell, column of the seats table and seat: games, deals, mean, low, high (95 %); all columns, the telling ones too."""
    names = seat_columns(run)
    if not names:
        return pl.DataFrame()
    chosen = cells_to_look_at(run) if cells is None else cells
    sums = deal_sums(
        run,
        lambda part: part.only(chosen).seats().filter(pl.col("cell").is_in(chosen)),
        ["cell", "seat"],
        {name: pl.col(name) for name in names},
    )
    parts = [
        sums.select(
            "cell", "seat", pl.lit(name).alias("column"), "deals", pl.col("rows").alias("games"), _m(name)
        )
        for name in names
    ]
    table = pl.concat(parts)
    found = [
        by_deal.mean_from_moments(*row)
        for row in table.select(pl.col("m").struct.unnest(), "deals").iter_rows()
    ]
    ends = pl.DataFrame(
        [one[:3] for one in found], schema=dict.fromkeys(("mean", "low", "high"), pl.Float64), orient="row"
    ).fill_nan(None)
    return with_cells(run, table.drop("m").hstack(ends))


def _m(name: str) -> pl.Expr:
    return pl.struct(pl.col(name).alias("mean"), pl.col(f"{name}_var").alias("var")).alias("m")


def game_counters(run: Run, cells: list[int] | None = None) -> pl.DataFrame:
    """Per cell and column of the game's own in the games table: games, mean, sd, p5, p50, p95 (over games)."""
    names, chosen = game_columns(run), cells_to_look_at(run) if cells is None else cells
    if not names:
        return pl.DataFrame()
    parts = []
    for low, high in blocks(run, max(1, BLOCK_GAMES // (1 + len(names)))):
        inside = pl.col("cell").is_in(chosen) & pl.col("deal").is_between(low, high, closed="left")
        rows = (
            run.only(chosen)
            .between(low, high)
            .games()
            .filter(inside)
            .select("cell", *(pl.col(name).cast(pl.Float64) for name in names))
        )
        long = rows.unpivot(names, index="cell", variable_name="column")
        parts.append(
            long.group_by("cell", "column", "value")
            .agg(pl.len().cast(pl.Int64).alias("games"))
            .collect(engine="streaming")
        )
    counted = (
        pl.concat(parts)
        .group_by("cell", "column", "value")
        .agg(pl.col("games").sum())
        .sort("cell", "column", "value")
    )
    games, value = pl.col("games"), pl.col("value")
    mean = (games * value).sum() / games.sum()
    variance = (games * (value - mean) ** 2).sum() / (games.sum() - 1).clip(1)
    ends = [
        value.filter(games.cum_sum() >= part * games.sum()).first().alias(f"p{round(100 * part)}")
        for part in (0.05, 0.5, 0.95)
    ]
    table = counted.group_by("cell", "column", maintain_order=True).agg(
        mean.alias("mean"), variance.sqrt().alias("sd"), *ends, games.sum()
    )
    place = pl.col("column").replace_strict({name: i for i, name in enumerate(names)}, return_dtype=pl.Int64)
    return with_cells(run, table.sort("cell", place))
