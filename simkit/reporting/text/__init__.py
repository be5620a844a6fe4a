"""Sentences in English, built from the findings of `simkit.analysis`, for the terminal and the pages."""

from simkit.reporting.text.answer import balance_answer
from simkit.reporting.text.numbers import distance, span
from simkit.reporting.text.phrases import seat_name, seats_named
