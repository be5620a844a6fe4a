"""Sentences in English, built from the findings of `simkit.analysis`, for the terminal and the pages."""

from simkit.words.answer import Answer as Answer
from simkit.words.answer import answer as answer
from simkit.words.answer import interval_words as interval_words
from simkit.words.answer import tally as tally
from simkit.words.answer import when_played as when_played
from simkit.words.compare import comparison_sentences as comparison_sentences
from simkit.words.names import distance as distance
from simkit.words.names import places as places
from simkit.words.names import seat_name as seat_name
from simkit.words.names import seats_named as seats_named
from simkit.words.names import span as span
