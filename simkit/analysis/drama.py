"""How dramatic games are, from the trace: who leads, when it is decided, who comes back, how scores spread.

Definitions of x_t(s), leading and intervals: `simkit.analysis.turns`.
"""

import polars as pl

from simkit.analysis.cells import for_every_cell, with_cells
from simkit.analysis.deals import MANY
from simkit.analysis.findings import Findings, finding
from simkit.analysis.shape import spread_of
from simkit.analysis.turns import (
    AGAIN,
    TRACE,
    band_ends,
    figure,
    figures,
    mean_of_rows,
    progress_band,
    ratio_sums,
    row_counts,
    share_of_rows,
)

LEAD_BANDS, FAN_BANDS = 10, 20  # bands of progress in which the leader, and the scores, are looked at
BACK_BANDS, DEFICIT_BANDS = 4, 5  # bands of progress and of deficit in which trailing seats are looked at
FAN = (0.05, 0.25, 0.5, 0.75, 0.95)
CELL = ["cell"]


def traced_games(standings: pl.LazyFrame) -> pl.LazyFrame:
    """One row per traced game: cell, deal, play, turns (T), winner, lead_changes, decided, outscored.

    winner: a seat, null if no seat won alone; then decided and outscored are null, too.
    lead_changes: how often the lead passes from one seat to another; a tie between them, or at the start, is
    no change. decided: smallest t/T such that the winner leads at t and at every turn after it; 1 if it does
    not lead at T (it won by a tie-break or a handicap): then it is outscored.
    """
    games = standings.group_by("play").agg(pl.col("cell", "deal", "turns", "winner").first())
    # the first leader has nobody before it: null, not counted
    passed = (pl.col("seat") != pl.col("seat").shift(1)).sum().cast(pl.Int64)
    changes = standings.filter("leads").group_by("play", maintain_order=True).agg(lead_changes=passed)
    waiting = standings.filter((pl.col("seat") == pl.col("winner")) & ~pl.col("leads"))
    not_yet = waiting.group_by("play").agg(not_yet=pl.col("turn").max())
    table = games.join(changes, on="play", how="left").join(not_yet, on="play", how="left")
    table = table.with_columns(pl.col("lead_changes", "not_yet").fill_null(0)).sort("play")
    turn, single = pl.min_horizontal(pl.col("not_yet") + 1, "turns"), pl.when(pl.col("winner").is_not_null())
    outscored = single.then(pl.col("not_yet") == pl.col("turns"))
    table = table.with_columns(decided=single.then(turn / pl.col("turns")), outscored=outscored)
    return table.drop("not_yet")


def _single(standings: pl.LazyFrame) -> pl.LazyFrame:
    """The games that one seat won alone."""
    return traced_games(standings).filter(pl.col("winner").is_not_null())


@TRACE("cell", "figure")
def story_sums(found: Findings, standings: pl.LazyFrame) -> pl.LazyFrame:
    games, single = traced_games(standings), _single(standings)
    changes, decided = pl.col("lead_changes"), pl.col("decided")
    parts = {"changes": ratio_sums(games, CELL, changes), "none": ratio_sums(games, CELL, changes == 0)}
    parts |= {"decided": ratio_sums(single, CELL, decided), "early": ratio_sums(single, CELL, decided < 0.5)}
    return figures(parts)


@TRACE("cell", "value")
def change_counts(found: Findings, standings: pl.LazyFrame) -> pl.LazyFrame:
    return row_counts(traced_games(standings), CELL, "lead_changes")


@TRACE("cell", "value")
def decided_counts(found: Findings, standings: pl.LazyFrame) -> pl.LazyFrame:
    return row_counts(_single(standings), CELL, "decided")


@finding
def lead_changes(found: Findings) -> pl.DataFrame:
    """Per cell: how often the lead changes in a game.

    Definition: see `traced_games`. Columns: games, deals, mean, low, high, sd (over games), p50, p95 (the
    smallest number that 50 and 95 % of the games do not exceed), none, none_low, none_high (share of games
    without a change).
    """
    sums = story_sums(found)
    spread = spread_of(change_counts(found), CELL, (0.5, 0.95)).drop("mean", "games")
    none = share_of_rows(figure(sums, "none"), "none")
    table = mean_of_rows(figure(sums, "changes"))
    return with_cells(found, table.join(spread, on="cell").join(none, on="cell"))


@TRACE("cell")
def single_winners(found: Findings, standings: pl.LazyFrame) -> pl.LazyFrame:
    """Games, those with and without a single winner, and winners who do not lead at the end."""
    single = pl.col("winner").is_not_null()
    counts = {"single": single.sum(), "without": (~single).sum(), "outscored": pl.col("outscored").sum()}
    games = traced_games(standings).group_by("cell").agg(games=MANY, **counts)
    return games.with_columns(pl.col(list(counts)).cast(pl.Int64))


@finding
def decided_at(found: Findings) -> pl.DataFrame:
    """Per cell: at which part of the game its winner takes the lead for good.

    Definition: `decided` of `traced_games`, over games with a single winner. Columns: games (all traced),
    single, without (games without a single winner: draws, co-operative games), outscored (winners who do not
    lead at the end: counted with 1), deals (with a single winner), mean, low, high, p25, p50, p75, early,
    early_low, early_high (share of the single winners decided before half).
    """
    sums = story_sums(found)
    spread = spread_of(decided_counts(found), CELL, (0.25, 0.5, 0.75)).drop("mean", "sd", "games")
    table = mean_of_rows(figure(sums, "decided")).drop("games").join(spread, on="cell")
    table = table.join(share_of_rows(figure(sums, "early"), "early"), on="cell")
    return for_every_cell(found, single_winners(found).join(table, on="cell", how="left"))


def leading(standings: pl.LazyFrame) -> pl.LazyFrame:
    """One row per game and band of progress, at the last turn of the band: value, single.

    value: the mean final share of those in the lead; single: whether one seat is.
    """
    lead = standings.filter(pl.col("score") == pl.col("best")).with_columns(progress_band(LEAD_BANDS))
    last = lead.filter(pl.col("turn") == pl.col("turn").max().over("play", "band"))
    leaders = last.group_by("cell", "deal", "play", "band")
    return leaders.agg(value=pl.col("share").mean(), single=pl.len() == 1)


@TRACE("cell", "band")
def leader_sums(found: Findings, standings: pl.LazyFrame) -> pl.LazyFrame:
    return ratio_sums(leading(standings), ["cell", "band"], pl.col("value"))


@TRACE("cell", "band")
def single_leaders(found: Findings, standings: pl.LazyFrame) -> pl.LazyFrame:
    return leading(standings).group_by("cell", "band").agg(pl.col("single").sum().cast(pl.Int64))


@finding
def predictability(found: Findings) -> pl.DataFrame:
    """Per cell and tenth of the game: how often whoever leads then goes on to win.

    Definition: at a moment t of a game, the mean of the final shares of the win of the seats that have the
    best score then: of the leader alone, or 1/k of each of k who share the lead. The moments are the last
    turns of each of ten equal bands of t/T, so a game counts once in a band (in none that no turn of it falls
    into). Columns: progress_low, progress_high, games, single (games with one leader then), deals, share,
    low, high.
    """
    table, single = share_of_rows(leader_sums(found)), single_leaders(found)
    table = table.join(single, on=["cell", "band"], maintain_order="left")
    return with_cells(found, table.select(*band_ends(LEAD_BANDS), pl.exclude("band", "looks")))


def trailing(standings: pl.LazyFrame) -> pl.LazyFrame:
    """The looks at seats that trail before the end, with their deficit."""
    behind = standings.filter((pl.col("score") < pl.col("best")) & (pl.col("turn") < pl.col("turns")))
    return behind.with_columns(deficit=pl.col("best") - pl.col("score"))


@TRACE("value")
def deficit_counts(found: Findings, standings: pl.LazyFrame) -> pl.LazyFrame:
    return row_counts(trailing(standings), [], "deficit")


def deficit_width(found: Findings) -> int:
    """A round width of which four bands hold 95 % of the deficits."""
    counted, games = deficit_counts(found), pl.col("games")
    if counted.is_empty():
        return 1
    most = int(counted.filter(games.cum_sum() >= 0.95 * games.sum())["value"][0])
    round_numbers = (n * int(10**power) for power in range(20) for n in (1, 2, 5))
    return next(size for size in round_numbers if size * (DEFICIT_BANDS - 1) >= most)


@AGAIN("cell", "band", "deficit_band")
def comeback_sums(found: Findings, standings: pl.LazyFrame) -> pl.LazyFrame:
    band = ((pl.col("deficit") - 1) // deficit_width(found)).clip(upper_bound=DEFICIT_BANDS - 1)
    looks = trailing(standings).with_columns(progress_band(BACK_BANDS), deficit_band=band)
    return ratio_sums(looks, ["cell", "band", "deficit_band"], pl.col("share"))


@finding
def comeback(found: Findings) -> pl.DataFrame:
    """Per cell, quarter of the game and band of deficit: how often a seat that trails by so much then wins.

    Definition: every seat at the end of every turn but the last (t < T) whose score is below the best is a
    look; its deficit is the best score minus its own; the share is the mean of the final shares of the win
    over looks. Deficits fall into bands of equal width w (1 to w points, w + 1 to 2 w ...), the fifth being
    open; w is the smallest of 1, 2, 5, 10, 20 ... with which four bands hold 95 % of the looks of the run.
    Progress is t/T in four equal bands. Bands without a look have no row. Columns: progress_low,
    progress_high, deficit_low, deficit_high (both included; null: open), looks, games, deals, share, low,
    high.
    """
    table, width, band = share_of_rows(comeback_sums(found)), deficit_width(found), pl.col("deficit_band")
    high = pl.when(band < DEFICIT_BANDS - 1).then((band + 1) * width)
    ends = table.with_columns(*band_ends(BACK_BANDS), deficit_low=band * width + 1, deficit_high=high)
    return with_cells(found, ends.drop("band", "deficit_band"))


@TRACE("cell", "seat", "turn", "value")
def seat_scores(found: Findings, standings: pl.LazyFrame) -> pl.LazyFrame:
    return row_counts(standings, ["cell", "seat", "turn"], "score")


@TRACE("cell", "result", "band", "value")
def result_scores(found: Findings, standings: pl.LazyFrame) -> pl.LazyFrame:
    result = pl.when(pl.col("share") > 0).then(pl.lit("winners")).otherwise(pl.lit("others"))
    rows = standings.with_columns(progress_band(FAN_BANDS), result=result)
    last = rows.filter(pl.col("turn") == pl.col("turn").max().over("play", "band"))
    return row_counts(last, ["cell", "result", "band"], "score")


@finding
def score_fan(found: Findings) -> pl.DataFrame:
    """Per cell, seat and turn: how scores spread.

    Definition: quantiles of x_t(s) over the games that last as long: the smallest score that this part of the
    rows does not exceed. Columns: seat, turn, n (rows), p5, p25, p50, p75, p95.
    """
    return _fan(found, spread_of(seat_scores(found), ["cell", "seat", "turn"], FAN))


@finding
def result_fan(found: Findings) -> pl.DataFrame:
    """Per cell, result and twentieth of the game: how scores spread.
    "others" spread.

    Definition: quantiles of x_t(s) at the last turn of each of twenty bands of t/T. Columns: result,
    progress_low, progress_high, n (rows), p5, p25, p50, p75, p95.
    """
    table = spread_of(result_scores(found), ["cell", "result", "band"], FAN)
    return _fan(found, table.with_columns(band_ends(FAN_BANDS)).drop("band"))


def _fan(found: Findings, table: pl.DataFrame) -> pl.DataFrame:
    return with_cells(found, table.rename({"games": "n"}).drop("mean", "sd"))
