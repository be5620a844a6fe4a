"""What people call things: options, values, strategies, lineups, settings; data and commands say names."""

import re
from collections.abc import Callable, Mapping
from typing import Any

import polars as pl

from simkit.analysis import Findings
from simkit.analysis.table import Axis, lineup_words, setting_words, typed
from simkit.runlog import Run
from simkit.words.phrases import seat_name, seats_named

STRATEGIES = ("strategy", "opponent", "row", "column", "best", "worst", "first", "second", "third")  # columns
SEATS = ("seat", "farthest", "winner")


class Labels:
    """The labels of a run; a name that has none is said as it is."""

    def __init__(self, run: Run) -> None:
        self.run, self.words = run, run.words
        self._strategies = {str(one): self._strategy(one) for cell in run.cells for one in cell.lineup}
        self._lineups = {lineup_words(cell.labels): self.lineup(cell.labels) for cell in run.cells}
        varied = [*(cell.varied for cell in run.cells), *rule_sets(run).values()]
        self._settings = {setting_words(one): self.setting(one) for one in varied}

    @property
    def baseline(self) -> str:
        return self.setting(next(cell.varied for cell in self.run.cells if cell.baseline))

    def option(self, name: str) -> str:
        known = self.words.options.get(name)
        return known.label if known else name

    def value(self, name: str, value: Any) -> str:
        """The value of an option: a choice or flag by its label, a number as it is."""
        known = self.words.options.get(name)
        return known.value_label(value) if known and known.kind != "integer" else typed(value)

    def meaning(self, name: str) -> str:
        """What an option means, to stand after its label; nothing where the label says it."""
        meaning = lowered(seats_named(self.words.options[name].meaning)) if name in self.words.options else ""
        return meaning if meaning != self.option(name) else ""

    def setting(self, varied: Mapping[str, Any]) -> str:
        return ", ".join(f"{self.option(name)} = {self.value(name, value)}" for name, value in varied.items())

    def strategy(self, name: str) -> str:
        return self._strategies.get(name, str(name))

    def lineup(self, names: list[str]) -> str:
        return lineup_words([self.strategy(name) for name in names])

    def _strategy(self, named: Any) -> str:
        known = self.words.strategies.get(named.name)
        if known is None:
            return str(named)
        weights = [f"{known.weights[name].label} {value}" for name, value in named.weights.items()]
        return f"{known.label} ({', '.join(weights)})" if weights else known.label

    def of_column(self, column: str) -> Callable[[Any], str] | None:
        """How the values of a column of a table are called; None where they are read as they are."""
        if column in self.words.options:
            return lambda value: self.value(column, value)
        if column in SEATS:
            return seat_name
        if column == "option":
            return self.option
        if column in STRATEGIES:
            return self.strategy
        if column == "lineup":
            return lambda text: self._lineups.get(text, text)
        return self.at if column in ("setting", "rules") else None

    def values(self, axis: Axis) -> list[str]:
        return ["/".join(map(self.value, axis.options, value)) for value in axis.values]

    def axis_meaning(self, axis: Axis) -> str:
        """What the option of a key of the sweep means; nothing of options that are tied."""
        return self.meaning(axis.options[0]) if len(axis.options) == 1 else ""

    def axis_words(self, axis: Axis) -> str:
        """The options of a key of the sweep, with the meaning where there is one."""
        meaning = self.axis_meaning(axis)
        return f"{self.axis(axis)}\n({meaning})" if meaning else self.axis(axis)

    def named(self, table: pl.DataFrame) -> pl.DataFrame:
        """A table with labels in place of the names of strategies, lineups and settings."""
        for name in (*STRATEGIES, "setting", "lineup"):
            label = self.of_column(name)
            if label and table.schema.get(name) == pl.String:
                table = table.with_columns(pl.col(name).map_elements(label, return_dtype=pl.String))
        return table

    def at(self, setting: str) -> str:
        """A setting as tables have it, in labels."""
        return self._settings.get(setting, setting)

    def axis(self, axis: Axis) -> str:
        return " / ".join(map(self.option, axis.options))


def labels_of(found: Findings) -> Labels:
    """The labels of the run that findings are of, looked up once."""
    return found.kept(_labels)


def _labels(found: Findings) -> Labels:
    return Labels(found.run)


def rule_sets(run: Run) -> dict[int, dict[str, Any]]:
    """Cell -> the options, with their values, in which it differs from the baseline."""
    base: Mapping[str, Any] = next((cell.varied for cell in run.cells if cell.baseline), {})
    return {
        cell.index: {name: value for name, value in cell.varied.items() if base.get(name) != value}
        for cell in run.cells
    }


def plain(meaning: str) -> str:
    """A meaning for readers: seats by name, without the clauses of the specification.

    >>> plain("Seat 1 collects one colour (O7-15.6).")
    'The second seat collects one colour.'
    >>> plain("The reference player (OP-S0)"), plain("Worth a lot (OP-13.8); more later")
    ('The reference player', 'Worth a lot; more later')
    """
    return seats_named(re.sub(r" \([A-Z][A-Z0-9]*-S?[\d.]+\)", "", meaning))


def lowered(text: str) -> str:
    """A text that begins with a small letter, unless it begins with a name in capitals.

    >>> lowered("Value of the cards"), lowered("PLACE also")
    ('value of the cards', 'PLACE also')
    """
    return text if text[:2].isupper() else text[:1].lower() + text[1:]
