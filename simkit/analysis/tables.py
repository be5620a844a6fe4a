"""The findings, each from the function of the same name, until these are findings themselves."""

from __future__ import annotations

import shlex
from itertools import pairwise

import polars as pl

from simkit.analysis.compare import comparisons as old_comparisons
from simkit.analysis.components import component_seats as old_component_seats
from simkit.analysis.components import components as old_components
from simkit.analysis.components import game_counters as old_game_counters
from simkit.analysis.components import telling_columns as old_telling_columns
from simkit.analysis.drama import comeback as old_comeback
from simkit.analysis.drama import decided_at as old_decided_at
from simkit.analysis.drama import lead_changes as old_lead_changes
from simkit.analysis.drama import predictability as old_predictability
from simkit.analysis.drama import runaway as old_runaway
from simkit.analysis.drama import score_fan as old_score_fan
from simkit.analysis.findings import Findings, finding
from simkit.analysis.interesting import interesting_games as old_interesting_games
from simkit.analysis.landscape import cycles as old_cycles
from simkit.analysis.landscape import landscape as old_landscape
from simkit.analysis.landscape import matchups as old_matchups
from simkit.analysis.load import load as old_load
from simkit.analysis.ownership import ownership as old_ownership
from simkit.analysis.ownership import things as old_things
from simkit.analysis.ratings import ratings as old_ratings
from simkit.analysis.seats import first_movers as old_first_movers
from simkit.analysis.seats import first_player_advantage as old_first_player_advantage
from simkit.analysis.seats import seat_shares as old_seat_shares
from simkit.analysis.settling import deals_to_settle as old_deals_to_settle
from simkit.analysis.shape import draws as old_draws
from simkit.analysis.shape import end_reasons as old_end_reasons
from simkit.analysis.shape import end_winners as old_end_winners
from simkit.analysis.shape import length_bars as old_length_bars
from simkit.analysis.shape import length_counts as old_length_counts
from simkit.analysis.shape import lengths as old_lengths
from simkit.analysis.shape import scores as old_scores
from simkit.analysis.skill import favourites as old_favourites
from simkit.analysis.skill import ladder as old_ladder
from simkit.analysis.skill import mirrors as old_mirrors
from simkit.analysis.spread import deal_luck as old_deal_luck
from simkit.analysis.spread import seat_spread as old_seat_spread
from simkit.analysis.strategies import ranking as old_ranking
from simkit.analysis.strategies import strategy_shares as old_strategy_shares
from simkit.analysis.strategies import win_matrix as old_win_matrix
from simkit.analysis.table import cells_table as old_cells_table
from simkit.analysis.tornado import one_step as old_one_step

MEASURES = {"first-player advantage": "fpa", "drawn games": "draw"}


@finding
def cells(found: Findings) -> pl.DataFrame:
    """Per cell: the varied options, setting and lineup in words, seats, fair share, baseline, balanced, deals, games."""
    return old_cells_table(found.run)


@finding
def seat_shares(found: Findings) -> pl.DataFrame:
    """Per cell and seat: its share with intervals and evidence."""
    if found.whole:
        return found.whole.seat_shares.filter(pl.col("cell").is_in([cell.index for cell in found.run.cells]))
    return old_seat_shares(found.run)


@finding
def first_player_advantage(found: Findings) -> pl.DataFrame:
    """Per cell: share and advantage of the first seat, verdict on all seats."""
    return old_first_player_advantage(found.run, found.seat_shares)


@finding
def first_movers(found: Findings) -> pl.DataFrame:
    """Per cell: how often another seat than the first moved first."""
    return old_first_movers(found.run)


@finding
def deals_to_settle(found: Findings) -> pl.DataFrame:
    """Per cell that is UNDECIDED: the deals that would settle it."""
    return old_deals_to_settle(found.run, found.seat_shares)


@finding
def comparisons(found: Findings) -> pl.DataFrame:
    """Each rule set against the baseline, deal by deal; empty where there is nothing to compare.

    measure: share, fpa, score, draw, turns, decisions or a column of the log that the command asked for; seat: 0-based, null where the
    measure is not of a seat; unit: share, or the measure's own.
    """
    run = found.run
    if not any(cell.baseline for cell in run.cells) or all(cell.baseline for cell in run.cells):
        return pl.DataFrame()
    return _as_facts(old_comparisons(run, _columns_asked(found)), _columns_asked(found))


def _columns_asked(found: Findings) -> list[str]:
    words = shlex.split(str(found.run.manifest.get("command") or ""))
    return [after for word, after in pairwise(words) if word == "--column"]


def _as_facts(told: pl.DataFrame, asked: list[str]) -> pl.DataFrame:
    """The measure with its seat and unit in place of its name in words."""
    seat = pl.col("measure").str.extract(r" of seat (\d+)$").cast(pl.Int64)
    fpa = pl.when(pl.col("measure") == "first-player advantage").then(pl.lit(0, pl.Int64))
    name = pl.col("measure").str.replace(r" of seat \d+$", "").replace(MEASURES)
    share = pl.col("measure").is_in(["share", "fpa", "draw"]) | pl.col("measure").str.contains(
        "=", literal=True
    )
    table = told.with_columns(name.alias("measure"), fpa.otherwise(seat).alias("seat"))
    unit = pl.when(share).then(pl.lit("share")).otherwise(pl.col("measure")).alias("unit")
    front = told.columns[: told.columns.index("measure") + 1]
    return table.with_columns(unit).select(*front, "seat", "unit", pl.exclude(*front, "seat", "unit"))


@finding
def one_step(found: Findings) -> pl.DataFrame:
    """The rows of `comparisons` one step of one option away from the baseline; empty where there is nothing to compare."""
    return old_one_step(found.run, found.comparisons) if found.comparisons.height else pl.DataFrame()


@finding
def lengths(found: Findings) -> pl.DataFrame:
    """Per cell and measure (turns, decisions): mean with interval, sd, quantiles."""
    return old_lengths(found.run)


@finding
def length_counts(found: Findings) -> pl.DataFrame:
    """Per cell: how many games took so many turns."""
    return old_length_counts(found.run, "turns")


@finding
def length_bars(found: Findings) -> pl.DataFrame:
    """Per cell: the share of games by number of turns, in bars."""
    return old_length_bars(found.run, "turns")


@finding
def draws(found: Findings) -> pl.DataFrame:
    """Per cell: the share of games whose win was shared."""
    return old_draws(found.run)


@finding
def end_reasons(found: Findings) -> pl.DataFrame:
    """Per cell and end reason: its share of the games."""
    return old_end_reasons(found.run)


@finding
def end_winners(found: Findings) -> pl.DataFrame:
    """Per cell, end reason and winning seat: games."""
    return old_end_winners(found.run)


@finding
def scores(found: Findings) -> pl.DataFrame:
    """Per cell and seat: mean score with interval, sd."""
    return old_scores(found.run)


@finding
def seat_spread(found: Findings) -> pl.DataFrame:
    """Per cell: how far apart the seats are beyond luck."""
    return old_seat_spread(found.run)


@finding
def deal_luck(found: Findings) -> pl.DataFrame:
    """Per cell of several plays per deal: how much the deal decides."""
    return old_deal_luck(found.run)


@finding
def strategy_shares(found: Findings) -> pl.DataFrame:
    """Per cell and strategy: its share."""
    return old_strategy_shares(found.run)


@finding
def win_matrix(found: Findings) -> pl.DataFrame:
    """Per pair of strategies at tables of two: share of the row against the column."""
    return old_win_matrix(found.run)


@finding
def ranking(found: Findings) -> pl.DataFrame:
    """Per setting, number of seats and strategy: its share against all others, best first."""
    return old_ranking(found.run)


@finding
def ratings(found: Findings) -> pl.DataFrame:
    """Elo of strategies and seats."""
    return old_ratings(found.run)


@finding
def ladder(found: Findings) -> pl.DataFrame:
    """How many steps of 60:40 lie between the weakest and the strongest strategy."""
    return old_ladder(found.run, found.ratings)


@finding
def favourites(found: Findings) -> pl.DataFrame:
    """How often the stronger of two strategies finishes ahead."""
    return old_favourites(found.run)


@finding
def mirrors(found: Findings) -> pl.DataFrame:
    """The first seat where one strategy sits everywhere, the strongest first."""
    return old_mirrors(found.run, found.first_player_advantage, found.ratings)


@finding
def landscape(found: Findings) -> pl.DataFrame:
    """Per strategy: which matter (Nash, α-rank), which are superfluous."""
    return old_landscape(found.run)


@finding
def cycles(found: Findings) -> pl.DataFrame:
    """Three strategies of which each beats the next."""
    return old_cycles(found.run)


@finding
def matchups(found: Findings) -> pl.DataFrame:
    """Per pair of strategies: `result` is beats, loses to or not settled."""
    met = old_matchups(found.run)
    return met.with_columns(pl.col("result").replace({"even": "not settled"}))


@finding
def components(found: Findings) -> pl.DataFrame:
    """Per column of the log: how it goes with winning."""
    return old_components(found.run)


@finding
def component_seats(found: Findings) -> pl.DataFrame:
    """Per column of the log and seat: its mean."""
    return old_component_seats(found.run)


@finding
def game_counters(found: Findings) -> pl.DataFrame:
    """Per column of the game's own in the games table: mean, sd, quantiles."""
    return old_game_counters(found.run)


@finding
def telling_columns(found: Findings) -> pl.DataFrame:
    """The columns (`column`) that `components` leaves out, since they say who won or are fixed by the seat."""
    return pl.DataFrame({"column": old_telling_columns(found.run)}, schema={"column": pl.String})


@finding
def ownership(found: Findings) -> pl.DataFrame:
    """Per kind of thing that is sold and owned: prices, and how often its owners win; empty where no such thing is logged."""
    return old_ownership(found.run) if old_things(found.run) else pl.DataFrame()


@finding
def interesting_games(found: Findings) -> pl.DataFrame:
    """For each cell to look at: a representative, a median and the wildest game."""
    return old_interesting_games(found.run)


@finding
def load(found: Findings) -> pl.DataFrame:
    """Per cell: how much there is to decide, and how long one waits; empty without a trace that counts it."""
    return old_load(found.run)


@finding
def load_by_seat(found: Findings) -> pl.DataFrame:
    """`load` per cell and seat."""
    return old_load(found.run, by_seat=True)


@finding
def lead_changes(found: Findings) -> pl.DataFrame:
    """Per cell of a traced run: how often the lead changes in a game."""
    return old_lead_changes(found.run)


@finding
def decided_at(found: Findings) -> pl.DataFrame:
    """Per cell of a traced run: at which part of the game its winner takes the lead for good."""
    return old_decided_at(found.run)


@finding
def predictability(found: Findings) -> pl.DataFrame:
    """Per cell of a traced run and tenth of the game: how often whoever leads goes on to win."""
    return old_predictability(found.run)


@finding
def comeback(found: Findings) -> pl.DataFrame:
    """Per cell of a traced run, progress and deficit: how often a seat that trails then wins."""
    return old_comeback(found.run)


@finding
def score_fan(found: Findings) -> pl.DataFrame:
    """Per cell of a traced run, seat and turn: quantiles of the score."""
    return old_score_fan(found.run)


@finding
def result_fan(found: Findings) -> pl.DataFrame:
    """Per cell of a traced run, winners or others, and progress: quantiles of the score."""
    return old_score_fan(found.run, of="result", at="progress")


@finding
def runaway(found: Findings) -> pl.DataFrame:
    """Per cell of a traced run: whether being ahead helps to get further ahead."""
    return old_runaway(found.run)
