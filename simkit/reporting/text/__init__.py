"""Sentences in English, built from the findings of `simkit.analysis`, for the terminal and the pages."""

from simkit.reporting.text.answer import answer
from simkit.reporting.text.phrases import distance, seat_name, seats_named, span
