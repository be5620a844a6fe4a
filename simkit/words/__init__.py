"""Sentences in English, built from the findings of `simkit.analysis`, for the terminal and the pages."""

from simkit.words.answer import Answer as Answer
from simkit.words.answer import answer as answer
from simkit.words.changes import comparison_sentences as comparison_sentences
from simkit.words.phrases import distance as distance
from simkit.words.phrases import seat_name as seat_name
from simkit.words.phrases import seats_named as seats_named
from simkit.words.phrases import span as span
