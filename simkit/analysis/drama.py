"""Drama of games: leads, when games are decided, scores; terms: `simkit.analysis.turns`."""

import polars as pl

from simkit.analysis.findings import Findings, finding
from simkit.analysis.turns import TRACE, figure, figures, mean_of_rows, ratio_sums, share_of_rows

LEAD_BANDS = 10  # bands of progress for leaders
CELL = ["cell"]


def traced_games(standings: pl.LazyFrame) -> pl.LazyFrame:
    """Return one row per traced game: cell, deal, play, turns (T), winner, lead_changes, decided.

    winner, decided: null if no seat won alone. lead_changes: number of times that the lead passes from one
    seat to another; a tie is no change. decided: smallest t/T such that the winner leads from t on; 1 if the
    winner does not lead at T (a win by tie-break or handicap).
    """
    games = standings.group_by("play").agg(pl.col("cell", "deal", "turns", "winner").first())
    # The first leader has no predecessor: null, not counted.
    passed = (pl.col("seat") != pl.col("seat").shift(1)).sum().cast(pl.Int64)
    changes = standings.filter("leads").group_by("play", maintain_order=True).agg(lead_changes=passed)
    waiting = standings.filter((pl.col("seat") == pl.col("winner")) & ~pl.col("leads"))
    not_yet = waiting.group_by("play").agg(not_yet=pl.col("turn").max())
    table = games.join(changes, on="play", how="left").join(not_yet, on="play", how="left")
    table = table.with_columns(pl.col("lead_changes", "not_yet").fill_null(0)).sort("play")
    turn, single = pl.min_horizontal(pl.col("not_yet") + 1, "turns"), pl.col("winner").is_not_null()
    return table.with_columns(decided=pl.when(single).then(turn / pl.col("turns"))).drop("not_yet")


@TRACE("cell", "figure")
def story_sums(findings: Findings, standings: pl.LazyFrame) -> pl.LazyFrame:
    """Sum over deals the lead changes and decision times of games, one figure per quantity."""
    games, changes, decided = traced_games(standings), pl.col("lead_changes"), pl.col("decided")
    single = games.drop_nulls("decided")
    parts = {"changes": ratio_sums(games, CELL, changes), "none": ratio_sums(games, CELL, changes == 0)}
    parts |= {"decided": ratio_sums(single, CELL, decided), "early": ratio_sums(single, CELL, decided < 0.5)}
    return figures(parts)


@finding
def lead_changes(findings: Findings) -> pl.DataFrame:
    """Per cell: mean lead changes per game; none...: share of games without a change."""
    sums = story_sums(findings)
    none = share_of_rows(figure(sums, "none"), "none")
    return findings.with_cells(mean_of_rows(figure(sums, "changes")).join(none, on="cell"))


@finding
def decided_at(findings: Findings) -> pl.DataFrame:
    """Per cell: mean progress at which the winner takes the lead for good (`decided` of `traced_games`).

    games: all traced games; single, deals: those with a single winner; early...: share of these games that
    are decided before half of the game.
    """
    sums = story_sums(findings)
    table = mean_of_rows(figure(sums, "decided")).rename({"games": "single"})
    table = table.join(share_of_rows(figure(sums, "early"), "early"), on="cell")
    games = figure(sums, "changes").select("cell", "games").join(table, on="cell", how="left")
    return findings.with_cells(games.with_columns(pl.col("single").fill_null(0)))


@TRACE("cell", "band")
def leader_sums(findings: Findings, standings: pl.LazyFrame) -> pl.LazyFrame:
    """Sum over deals the mean final share of the leaders at each game's last turn in a band of progress."""
    # Band b = 1, 2, … of a turn t: (b − 1)/bands < t/T <= b/bands.
    band = (pl.col("turn") * LEAD_BANDS + pl.col("turns") - 1) // pl.col("turns")
    lead = standings.filter(pl.col("score") == pl.col("best")).with_columns(band=band.cast(pl.Int64))
    last = lead.filter(pl.col("turn") == pl.col("turn").max().over("play", "band"))
    leaders = last.group_by("cell", "deal", "play", "band").agg(pl.col("share").mean())
    return ratio_sums(leaders, ["cell", "band"], pl.col("share"))


@finding
def predictability(findings: Findings) -> pl.DataFrame:
    """Per cell and tenth of the game: share of games that the current leader goes on to win.

    Definition: the mean final share of the seats with the best score at the last turn of the band of t/T. A
    game counts once in each band into which one of its turns falls.
    """
    ends = {"progress_low": (pl.col("band") - 1) / LEAD_BANDS, "progress_high": pl.col("band") / LEAD_BANDS}
    table = share_of_rows(leader_sums(findings)).select(pl.exclude("observations"), **ends)
    return findings.with_cells(table.select(*ends, pl.exclude("band", *ends)))
