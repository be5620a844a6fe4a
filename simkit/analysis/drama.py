"""How dramatic games are, from the turn trace: who leads when, when it is decided, who comes back, whether leads grow.

x_t(s) is the score of seat s at the end of turn t of T; a seat leads at t if its score is the best and no other's. All figures rest on
the traced games (the first deals of every cell). Intervals are 95 %; plays of one deal count as one observation
(`simkit.stats.ratios`).
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Literal

import polars as pl

from simkit.analysis.table import with_cells
from simkit.analysis.turns import (
    added,
    band_ends,
    counts,
    for_every_cell,
    mean_of_rows,
    progress_band,
    quantiles,
    share_of_rows,
    standings,
    sums,
)
from simkit.stats import ratios

if TYPE_CHECKING:
    from simkit.runlog import Run

DEFICIT_BANDS = 5
FAN = (0.05, 0.25, 0.5, 0.75, 0.95)
At = Literal["progress", "turn"]


def traced_games(run: Run) -> Iterator[pl.DataFrame]:
    """Blocks of whole deals, one row per traced game: cell, deal, play, turns (T), winner (seat, null if not one alone), lead_changes,
    decided (t/T, null without a single winner), outscored (a single winner who does not lead at T).

    lead_changes: how often the lead passes from one seat to another; a tie between them, or at the start, is no change.
    decided: smallest t/T such that the winner leads at t and at every turn after it; 1 if it does not lead at T (it won by a tie-break
    or a handicap).
    """
    for block in standings(run):
        yield _games_of(block)


def _games_of(block: pl.DataFrame) -> pl.DataFrame:
    games = block.group_by("play", maintain_order=True).agg(pl.col("cell", "deal", "turns", "winner").first())
    passed = pl.col("seat") != pl.col("seat").shift(
        1
    )  # the first leader has nobody before it: null, not counted
    changes = block.filter("leads").group_by("play").agg(passed.sum().cast(pl.Int64).alias("lead_changes"))
    winners = block.filter(pl.col("seat") == pl.col("winner"))
    not_yet = winners.filter(~pl.col("leads")).group_by("play").agg(pl.col("turn").max().alias("not_yet"))
    table = games.join(changes, on="play", how="left", maintain_order="left").join(
        not_yet, on="play", how="left", maintain_order="left"
    )
    table = table.with_columns(pl.col("lead_changes", "not_yet").fill_null(0))
    turn = pl.min_horizontal(pl.col("not_yet") + 1, "turns")
    single = pl.when(pl.col("winner").is_not_null())
    decided = [
        single.then(turn / pl.col("turns")).alias("decided"),
        single.then(pl.col("not_yet") == pl.col("turns")).alias("outscored"),
    ]
    return table.with_columns(decided).drop("not_yet")


def lead_changes(run: Run) -> pl.DataFrame:
    """Per cell: how often the lead changes in a game.

    Definition: see `traced_games`. Columns: games, deals, mean, low, high, sd (over games), p50, p95 (the smallest number that 50 and
    95 % of the games do not exceed), none, none_low, none_high (share of games without a change).
    """
    changes = pl.col("lead_changes")
    counted, total, none = _by_cell(traced_games(run), changes, changes == 0)
    spread = quantiles(counted, ["cell"], "lead_changes", (0.5, 0.95))
    return with_cells(run, mean_of_rows(total).join(spread, on="cell").join(_share("none", none), on="cell"))


def decided_at(run: Run) -> pl.DataFrame:
    """Per cell: at which part of the game its winner takes the lead for good.

    Definition: `decided` of `traced_games`, over games with a single winner. Columns: games (all traced), single, without (games
    without a single winner: draws, co-operative games), outscored (winners who do not lead at the end: counted with 1), deals (with a
    single winner), mean, low, high, p25, p50, p75, early, early_low, early_high (share of the single winners decided before half).
    """
    decided = pl.col("decided")
    alone = (block.filter(pl.col("winner").is_not_null()) for block in traced_games(run))
    counted, total, early = _by_cell(alone, decided, decided < 0.5)
    spread = quantiles(counted, ["cell"], "decided", (0.25, 0.5, 0.75)).drop("sd")
    table = mean_of_rows(total).drop("games").join(spread, on="cell").join(_share("early", early), on="cell")
    return for_every_cell(run, _single_winners(run).join(table, on="cell", how="left"))


def _single_winners(run: Run) -> pl.DataFrame:
    """Per cell: games, those with and without a single winner, and winners who do not lead at the end."""
    single = pl.col("winner").is_not_null()
    kinds = {
        "games": pl.col("play").is_not_null(),
        "single": single,
        "without": ~single,
        "outscored": pl.col("outscored").fill_null(False),
    }
    found = [kind.cast(pl.Int64).sum().alias(name) for name, kind in kinds.items()]
    return added((block.group_by("cell").agg(found) for block in traced_games(run)), ["cell"])


def _by_cell(
    games: Iterable[pl.DataFrame], value: pl.Expr, happened: pl.Expr
) -> tuple[pl.DataFrame, pl.DataFrame, pl.DataFrame]:
    """Per cell, over blocks of games: how often each number of a column occurs; sums of it; sums of whether something happened."""
    name = value.meta.output_name()
    parts = [
        (counts(block, ["cell", name]), sums(block, ["cell"], value), sums(block, ["cell"], happened))
        for block in games
    ]
    counted, total, shares = zip(*parts, strict=True)
    return added(counted, ["cell", name]), added(total, ["cell"]), added(shares, ["cell"])


def _share(name: str, total: pl.DataFrame) -> pl.DataFrame:
    """A share per cell as columns of that name."""
    table = share_of_rows(total)
    return table.select(
        "cell",
        pl.col("share").alias(name),
        pl.col("low").alias(f"{name}_low"),
        pl.col("high").alias(f"{name}_high"),
    )


def predictability(run: Run, at: At = "progress", bands: int = 10) -> pl.DataFrame:
    """Per cell and moment: how often whoever leads then goes on to win.

    Definition: at a moment t of a game, the mean of the final shares of the win of the seats that have the best score then: of the
    leader alone, or 1/k of each of k who share the lead. at="progress": the moments are the last turns of each of `bands` equal bands
    of t/T, so a game counts once in a band (in none that no turn of it falls into); at="turn": every turn, over games that last as long.
    Columns: progress_low, progress_high or turn, games, single (games with one leader then), deals, share, low, high.
    """
    key = ["cell", "band" if at == "progress" else "turn"]
    moments = (_moments(block, at, bands) for block in standings(run))
    single = pl.col("single").cast(pl.Int64).sum()
    parts, alone = zip(
        *((sums(part, key, pl.col("value")), part.group_by(key).agg(single)) for part in moments), strict=True
    )
    table = (
        share_of_rows(added(parts, key)).drop("looks").join(added(alone, key), on=key, maintain_order="left")
    )
    found = table.with_columns(band_ends(bands)).drop("band") if at == "progress" else table
    first = ["cell", "progress_low", "progress_high"] if at == "progress" else key
    return with_cells(run, found.select(*first, "games", "single", "deals", "share", "low", "high"))


def _moments(block: pl.DataFrame, at: At, bands: int) -> pl.DataFrame:
    """One row per game and moment: the mean final share of those in the lead (`value`), and whether it is one seat (`single`)."""
    leading = block.filter(pl.col("score") == pl.col("best")).with_columns(progress_band(bands).alias("band"))
    if at == "progress":
        leading = leading.filter(pl.col("turn") == pl.col("turn").max().over("play", "band"))
    value = [pl.col("share").mean().alias("value"), (pl.len() == 1).alias("single")]
    return leading.group_by("cell", "deal", "play", "band", "turn").agg(value)


def comeback(run: Run, width: int | None = None, bands: int = 4) -> pl.DataFrame:
    """Per cell, band of progress and band of deficit: how often a seat that trails by so much then wins.

    Definition: every seat at the end of every turn but the last (t < T) whose score is below the best is a look; its deficit is the
    best score minus its own; the share is the mean of the final shares of the win over looks. Deficits fall into bands of `width`
    points (1 to width, width + 1 to 2 width ...), the fifth being open; without a width the smallest of 1, 2, 5, 10, 20 ... with which
    four bands hold 95 % of the looks of the run. Progress is t/T in `bands` equal bands. Bands without a look have no row.
    Columns: progress_low, progress_high, deficit_low, deficit_high (both included; null: open), looks, games, deals, share, low, high.
    """
    width = width or _width(run)
    key = ["cell", "band", "deficit_band"]
    deficit_band = (
        ((pl.col("deficit") - 1) // width).clip(upper_bound=DEFICIT_BANDS - 1).alias("deficit_band")
    )
    looks = (
        _trailing(block).with_columns(progress_band(bands).alias("band"), deficit_band)
        for block in standings(run)
    )
    table = share_of_rows(added((sums(part, key, pl.col("share")) for part in looks), key))
    low, open_end = pl.col("deficit_band") * width + 1, pl.col("deficit_band") == DEFICIT_BANDS - 1
    high = pl.when(~open_end).then(low + width - 1)
    ends = [*band_ends(bands), low.alias("deficit_low"), high.alias("deficit_high")]
    return with_cells(run, table.select("cell", *ends, "looks", "games", "deals", "share", "low", "high"))


def _trailing(block: pl.DataFrame) -> pl.DataFrame:
    """The looks at seats that trail before the end."""
    behind = block.filter((pl.col("score") < pl.col("best")) & (pl.col("turn") < pl.col("turns")))
    return behind.with_columns((pl.col("best") - pl.col("score")).alias("deficit"))


def _width(run: Run) -> int:
    """A round width of which four bands hold 95 % of the deficits."""
    counted = added((counts(_trailing(block), ["deficit"]) for block in standings(run)), ["deficit"])
    if not counted.height:
        return 1
    most = int(counted.filter(pl.col("rows").cum_sum() >= 0.95 * pl.col("rows").sum())["deficit"][0])
    ladder = (n * int(10**power) for power in range(20) for n in (1, 2, 5))
    return next(size for size in ladder if size * (DEFICIT_BANDS - 1) >= most)


def score_fan(
    run: Run, of: Literal["seat", "result"] = "seat", at: At = "turn", bands: int = 20
) -> pl.DataFrame:
    """Per cell, seat (or winners and others) and moment: how scores spread.

    Definition: quantiles of x_t(s) over games: the smallest score that this part of the rows does not exceed. of="result": seats that
    win or share the win ("winners") and all others ("others"). at="turn": over games that last as long; at="progress": at the last
    turn of each band of t/T. Columns: seat or result, turn or progress_low, progress_high, n (rows), p5, p25, p50, p75, p95.
    """
    moment = "turn" if at == "turn" else "band"
    key = ["cell", of, moment]
    counted = added(
        (counts(_scores(block, at, bands), [*key, "score"]) for block in standings(run)), [*key, "score"]
    )
    rows = counted.group_by(key).agg(pl.col("rows").sum().alias("n"))
    table = quantiles(counted, key, "score", FAN).drop("sd").join(rows, on=key, maintain_order="left")
    moments = band_ends(bands) if at == "progress" else [pl.col("turn")]
    return with_cells(
        run, table.select("cell", of, *moments, "n", *(f"p{round(100 * part)}" for part in FAN))
    )


def _scores(block: pl.DataFrame, at: At, bands: int) -> pl.DataFrame:
    result = pl.when(pl.col("share") > 0).then(pl.lit("winners")).otherwise(pl.lit("others")).alias("result")
    table = block.with_columns(progress_band(bands).alias("band"), result)
    return (
        table if at == "turn" else table.filter(pl.col("turn") == pl.col("turn").max().over("play", "band"))
    )


def runaway(run: Run, lag: int | None = None) -> pl.DataFrame:
    """Per cell: whether being ahead helps to get further ahead: the slope of later leads on present ones.

    Definition (simkit's own): d_t(s) = x_t(s) − mean over seats of x_t, how far a seat is ahead of the table. The slope is that of the
    least-squares line of d_{t+lag}(s) on d_t(s) over all games, seats and 1 <= t <= T − lag, with an intercept for each seat, strategy and
    t mod lag, so that a seat or strategy that gains steadily is no runaway, nor is the gain of whoever has just moved. lag: turns, by
    default the number of seats (once round the table).
    1: leads neither grow nor shrink (gains do not depend on the standing); above 1: leads grow (snowball); below 1: those behind catch
    up. Interval: clustered by deal. Where reaching a score ends the game, the gains that end it are missing from the pairs, which pulls the
    slope of mere luck a little below 1 (to 0.98 in Pig, both holding at 20).
    Columns: lag, pairs (of d), games and deals (that last long enough), slope, low, high; null where no d varies.
    """
    key = ["cell", "seat", "strategy", "phase"]
    x, y = pl.col("x"), pl.col("y")
    total = added(
        (_later(run, block, lag).group_by(key).agg(*_moment_sums(x, y)) for block in standings(run)), key
    )
    centred = total.with_columns(mean_x=pl.col("sx") / pl.col("n"), mean_y=pl.col("sy") / pl.col("n"))
    xx, xy = pl.col("xx") - pl.col("sx") * pl.col("mean_x"), pl.col("xy") - pl.col("sx") * pl.col("mean_y")
    cells = centred.group_by("cell").agg(
        xx.sum().alias("xx"), xy.sum().alias("xy"), pl.col("n").sum().alias("pairs")
    )
    cells = cells.with_columns(pl.when(pl.col("xx") > 1e-9).then(pl.col("xy") / pl.col("xx")).alias("b"))
    groups = centred.select(*key, "mean_x", "mean_y").join(cells.select("cell", "b"), on="cell")
    scores = added(
        (_scores_of_deals(_later(run, block, lag).join(groups, on=key)) for block in standings(run)), ["cell"]
    )
    return for_every_cell(
        run, _lags(run, lag).join(_slopes(cells.join(scores, on="cell")), on="cell", how="left")
    )


def _moment_sums(x: pl.Expr, y: pl.Expr) -> list[pl.Expr]:
    parts = {"sx": x, "sy": y, "xx": x * x, "xy": x * y}
    return [pl.len().cast(pl.Int64).alias("n"), *(value.sum().alias(name) for name, value in parts.items())]


def _lags(run: Run, lag: int | None) -> pl.DataFrame:
    return pl.DataFrame({"cell": [c.index for c in run.cells], "lag": [lag or c.seats for c in run.cells]})


def _later(run: Run, block: pl.DataFrame, lag: int | None) -> pl.DataFrame:
    """Each seat's d at a turn (x) and lag turns later (y)."""
    d = pl.col("score") - pl.col("score").mean().over("moment")
    now = (
        block.with_columns(d.alias("x"))
        .join(_lags(run, lag), on="cell")
        .with_columns((pl.col("turn") % pl.col("lag")).alias("phase"))
    )
    later = now.select("play", "seat", pl.col("turn") - pl.col("lag"), pl.col("x").alias("y"))
    return now.join(later, on=["play", "seat", "turn"])


def _scores_of_deals(pairs: pl.DataFrame) -> pl.DataFrame:
    """Per cell: deals, games, and the sum over deals of (Σ x̃e)²."""
    x = pl.col("x") - pl.col("mean_x")
    residual = pl.col("y") - pl.col("mean_y") - pl.col("b") * x
    deals = pairs.group_by("cell", "deal").agg(
        (x * residual).sum().alias("u"), pl.col("play").n_unique().cast(pl.Int64).alias("games")
    )
    squares = (pl.col("u") ** 2).sum().alias("scores")
    return deals.group_by("cell").agg(pl.len().cast(pl.Int64).alias("deals"), pl.col("games").sum(), squares)


def _slopes(table: pl.DataFrame) -> pl.DataFrame:
    rows = table.select("cell", "xx", "xy", "scores", "deals", "b").rows()
    unknown = ratios.Slope(math.nan, math.nan, math.nan, 0)
    found = [
        (c, *(unknown if b is None else ratios.slope_from_sums(xx, xy, u, n))[:3])
        for c, xx, xy, u, n, b in rows
    ]
    schema = {"cell": pl.Int64, "slope": pl.Float64, "low": pl.Float64, "high": pl.Float64}
    slopes = pl.DataFrame(found, schema=schema, orient="row").fill_nan(None)
    return table.select("cell", "pairs", "games", "deals").join(slopes, on="cell")
