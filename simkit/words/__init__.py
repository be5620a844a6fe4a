"""Sentences in English, built from the numbers of `simkit.analysis`: the terminal and the pages say the same."""

from __future__ import annotations

from simkit.analysis import answer as _of_run
from simkit.analysis import (
    comparison_sentences,
    distance,
    ends,
    places,
    seat_name,
    seats_named,
    span,
    tally,
    when_played,
)
from simkit.analysis.answer import Answer, interval_words
from simkit.analysis.findings import Findings

__all__ = [
    "Answer",
    "answer",
    "comparison_sentences",
    "distance",
    "ends",
    "interval_words",
    "places",
    "seat_name",
    "seats_named",
    "span",
    "tally",
    "when_played",
]


def answer(found: Findings) -> Answer:
    """What the run says to its question."""
    return _of_run(found.run, found.seat_shares)
