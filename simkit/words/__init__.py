"""Sentences in English, built from the findings of `simkit.analysis`, for the terminal and the pages."""

from simkit.words.answer import Answer, answer
from simkit.words.changes import comparison_sentences
from simkit.words.phrases import distance, seat_name, seats_named, span
