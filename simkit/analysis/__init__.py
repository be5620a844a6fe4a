"""Tables that answer: each function takes a run and returns a tidy polars table; the unit of every interval is the deal."""

from simkit.analysis.answer import Answer, answer
from simkit.analysis.compare import compare_cells, comparison_sentences, comparisons
from simkit.analysis.drama import comeback, decided_at, lead_changes, predictability, runaway, score_fan
from simkit.analysis.interesting import interesting_games
from simkit.analysis.landscape import cycles, landscape
from simkit.analysis.ownership import ownership
from simkit.analysis.ratings import ratings
from simkit.analysis.seats import first_movers, first_player_advantage, seat_shares
from simkit.analysis.shape import draws, end_reasons, end_winners, length_bars, length_counts, lengths, scores
from simkit.analysis.strategies import ranking, strategy_shares, win_matrix
from simkit.analysis.table import Axis, axes, cells_table, cells_to_look_at, lineup_words, setting_words

__all__ = [
    "Answer",
    "Axis",
    "answer",
    "axes",
    "cells_table",
    "cells_to_look_at",
    "comeback",
    "compare_cells",
    "comparison_sentences",
    "comparisons",
    "cycles",
    "decided_at",
    "draws",
    "end_reasons",
    "end_winners",
    "first_movers",
    "first_player_advantage",
    "interesting_games",
    "landscape",
    "lead_changes",
    "length_bars",
    "length_counts",
    "lengths",
    "lineup_words",
    "ownership",
    "predictability",
    "ranking",
    "ratings",
    "runaway",
    "score_fan",
    "scores",
    "seat_shares",
    "setting_words",
    "strategy_shares",
    "win_matrix",
]
