"""Tables that answer: each function takes a run and returns a tidy polars table; the unit of every interval is the deal."""

from simkit.analysis.answer import Answer, answer, tally, when_played
from simkit.analysis.compare import compare_cells, comparison_sentences, comparisons
from simkit.analysis.components import component_seats, components, game_counters, telling_columns
from simkit.analysis.drama import comeback, decided_at, lead_changes, predictability, runaway, score_fan
from simkit.analysis.findings import Findings, finding, findings
from simkit.analysis.interesting import interesting_games
from simkit.analysis.landscape import cycles, landscape, matchups
from simkit.analysis.load import has_load, load
from simkit.analysis.ownership import ownership
from simkit.analysis.ratings import ratings
from simkit.analysis.seats import first_movers, first_player_advantage, seat_shares
from simkit.analysis.settling import deals_to_settle
from simkit.analysis.shape import draws, end_reasons, end_winners, length_bars, length_counts, lengths, scores
from simkit.analysis.skill import favourites, ladder, mirrors, share_of
from simkit.analysis.spread import deal_luck, seat_spread
from simkit.analysis.strategies import ranking, strategy_shares, win_matrix
from simkit.analysis.table import Axis, axes, cells_table, cells_to_look_at, lineup_words, setting_words
from simkit.analysis.tornado import one_step
from simkit.analysis.words import distance, ends, places, seat_name, seats_named, span

__all__ = [
    "Answer",
    "Axis",
    "Findings",
    "answer",
    "axes",
    "cells_table",
    "cells_to_look_at",
    "comeback",
    "compare_cells",
    "comparison_sentences",
    "comparisons",
    "component_seats",
    "components",
    "cycles",
    "deal_luck",
    "deals_to_settle",
    "decided_at",
    "distance",
    "draws",
    "end_reasons",
    "end_winners",
    "ends",
    "favourites",
    "finding",
    "findings",
    "first_movers",
    "first_player_advantage",
    "game_counters",
    "has_load",
    "interesting_games",
    "ladder",
    "landscape",
    "lead_changes",
    "length_bars",
    "length_counts",
    "lengths",
    "lineup_words",
    "load",
    "matchups",
    "mirrors",
    "one_step",
    "ownership",
    "places",
    "predictability",
    "ranking",
    "ratings",
    "runaway",
    "score_fan",
    "scores",
    "seat_name",
    "seat_shares",
    "seat_spread",
    "seats_named",
    "setting_words",
    "share_of",
    "span",
    "strategy_shares",
    "tally",
    "telling_columns",
    "when_played",
    "win_matrix",
]
