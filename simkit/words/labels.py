"""What people call things: options, their values, strategies, lineups, settings; data and commands keep identifiers."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from simkit.analysis.table import lineup_words, setting_words
from simkit.runlog import Run
from simkit.words.spans import seat_name, seats_named


class Labels:
    """The labels of a run; a name that has none is said as it is."""

    def __init__(self, run: Run) -> None:
        self.words, self.run = run.words, run

    def option(self, name: str) -> str:
        """The label of an option."""
        known = self.words.options.get(name)
        return known.label if known else name

    def value(self, name: str, value: Any) -> str:
        """The value of an option: a choice or flag by its label, a number as it is."""
        known = self.words.options.get(name)
        text = str(value).lower() if isinstance(value, bool) else str(value)
        return known.values.get(text, text) if known and isinstance(known.values, Mapping) else text

    def meaning(self, name: str) -> str:
        """What an option means, to stand after its label."""
        known = self.words.options.get(name)
        return lowered(seats_named(known.meaning)) if known else ""

    def setting(self, varied: Mapping[str, Any]) -> str:
        """What the sweep sets."""
        return ", ".join(f"{self.option(name)} = {self.value(name, value)}" for name, value in varied.items())

    def strategy(self, label: str) -> str:
        """A strategy as written in a lineup: its label, and its weights where they are given."""
        name, bracket, weights = label.partition("(")
        known = self.words.strategies.get(name)
        return f"{known.label} {bracket}{weights}".strip() if known else label
