"""What people call things: options, values, strategies, lineups, settings; data and commands say names."""

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import polars as pl

from simkit.analysis import Findings
from simkit.analysis.table import Axis, axes, lineup_words, setting_words, typed
from simkit.reporting.text.phrases import listed, seat_name, seats_named
from simkit.runs.run import Run

STRATEGIES = ("strategy", "opponent", "row", "column", "best", "worst", "first", "second", "third")  # columns
WHOM = (*STRATEGIES, "dominated_by")
MOST_TIED = 3  # options whose names stand beside each other
NAMES = ("end_reason",)
OF_SEATS = "seat {}"  # values of an option that is a seat
YES_NO = {"true": "yes", "false": "no"}  # of options whose values have no labels
SEATS = ("seat", "farthest", "winner")


class Labels:
    """The labels of a run; a name that has none is said as it is."""

    def __init__(self, run: Run) -> None:
        self.run, self.words = run, run.words
        self._sizes = {cell.seats for cell in run.cells}
        self._tables = {tuple(cell.labels) for cell in run.cells}  # who sits where
        self.all_alike = all(len(set(table)) == 1 for table in self._tables)  # one strategy in each cell
        self._leaders = {table[0] for table in self._tables}
        self._strategies = {str(one): self._strategy(one) for cell in run.cells for one in cell.lineup}
        self._lineups = {lineup_words(table): self.lineup(table) for table in map(list, self._tables)}
        self._base: Mapping[str, Any] = next((cell.varied for cell in run.cells if cell.baseline), {})
        self._cells = {cell.index: cell for cell in run.cells}
        self.swept = axes(run)
        self.columns = _columns(run, self.swept)  # options
        self._settings = {setting_words(cell.varied): self.short(cell.varied) for cell in run.cells}

    @property
    def baseline(self) -> str:
        return self.setting(self._base)

    @property
    def base(self) -> str:
        """What the baseline is called: the rulebook, where it is as printed."""
        options = next((cell.options for cell in self.run.cells if cell.baseline), {})
        known = self.words.options
        printed = all(name in known and known[name].default == value for name, value in options.items())
        return self.book if printed and not self.run.experiment.files else "baseline"

    @property
    def book(self) -> str:
        """Where the default options stand: only a published game, whose data have sources, has a rulebook."""
        return "rulebook" if self.words.provenance else "usual rules"

    def kin(self) -> list[list[str]]:
        """Strategies that are one program with different weights: that they agree says less."""
        families: dict[str, list[str]] = {}
        for named in {str(one): one for cell in self.run.cells for one in cell.lineup}.values():
            families.setdefault(named.name, []).append(self.strategy(str(named)))
        return [alike for alike in families.values() if len(alike) > 1]

    def option(self, name: str) -> str:
        known = self.words.options.get(name)
        return known.label if known else name

    def value(self, name: str, value: Any) -> str:
        """The value of an option: a choice, flag or seat by its label, a number as it is."""
        known = self.words.options.get(name)
        if self.is_seat(name) and value >= 0:
            return seat_name(value).replace("player", "seat")
        if type(value) is int and value < 0:
            return f"−{-value}"
        label = known.value_label(value) if known and known.kind != "integer" else typed(value)
        return YES_NO.get(label, label) if isinstance(value, bool) else label

    def quoted(self, name: str, value: Any) -> str:
        """An option with its value as part of a sentence: names stand in quotes, after the option."""
        if type(value) is int:
            return self.setting({name: value})
        label = self.value(name, value)
        return f"{self.option(name)} “{label}”" if name in self.words.options else label

    def is_seat(self, name: str) -> bool:
        """Whether the numbers of an option are those of seats, from 0 in commands."""
        return name in self.words.options and self.words.options[name].values == OF_SEATS

    def name(self, name: Any, column: str = "") -> str:
        """What a name in the log, as of an end reason, is called."""
        called, spaced = self.words.called, str(name).replace("_", " ")
        return called.get(f"{column}.{name}", called.get(str(name), spaced))

    def meaning(self, name: str) -> str:
        """What an option means, to stand after its label; nothing where the label says it."""
        meaning = lowered(seats_named(self.words.options[name].meaning)) if name in self.words.options else ""
        return meaning if meaning != self.option(name) else ""

    def setting(self, varied: Mapping[str, Any]) -> str:
        """A setting as a person says it: a number right after its option, a choice after a colon."""
        return ", ".join(self._set(name, value) for name, value in varied.items())

    def in_columns(self, index: int, marked: bool = True) -> dict[str, str]:
        """Return the setting of a cell as columns of a table: label of an option -> value.

        marked: if several options vary, one more column says which cells are of the baseline.
        """
        cell = self._cells[index]
        if not self.columns:
            return {"rules": self.short(cell.varied)} if self.swept else {}
        columns = {self.option(name): self.in_column(name, cell.varied[name]) for name in self.columns}
        if marked and self._base and len(columns) > 1:
            columns[self.base] = "yes" if cell.baseline else ""
        return columns

    def in_column(self, name: str, value: Any) -> str:
        """Return the value of an option in its column; the only option varied marks the baseline's value."""
        baseline = self.columns == [name] and self._base.get(name) == value
        return self.with_base(self.value(name, value), baseline)

    def short(self, varied: Mapping[str, Any]) -> str:
        """A setting by what differs from the baseline, where several options are varied."""
        apart = {name: value for name, value in varied.items() if self._base.get(name, value) != value}
        if len(varied) < 2 or not self._base:
            return self.setting(varied)
        return self.setting(apart) or self.base

    def _set(self, name: str, value: Any) -> str:
        number = type(value) is int and not self.is_seat(name)
        return f"{self.option(name)}{'' if number else ':'} {self.value(name, value)}"

    def settings(self, some: list[str], word: str = "or") -> str:
        """Settings as tables have them, joined by `word`; what they share in front is said once."""
        texts = [self.at(one) for one in some]
        front, _, _ = texts[0].rpartition(" ")
        if front and all(text.rpartition(" ")[0] == front for text in texts):
            return f"{front} {listed((text.rpartition(' ')[2] for text in texts), word)}"
        if len(texts) > 1 and any(", " in text for text in texts):
            return f"{'; '.join(texts[:-1])}; {word} {texts[-1]}"
        return listed(texts, word)

    def strategy(self, name: str) -> str:
        return self._strategies.get(name, str(name))

    def in_text(self, text: str) -> str:
        """A text with the labels of the strategies that it names."""
        some = "|".join(map(re.escape, sorted(self._strategies, key=len, reverse=True)))
        return re.sub(rf"(?<!\w)({some})(?!\w)", lambda name: self.strategy(name[0]), text)

    def lineup(self, names: list[str]) -> str:
        """A lineup; where all are of one strategy each, by its name, and by the number of seats if needed."""
        called = [self.strategy(name) for name in names]
        if not self.all_alike:
            return lineup_words(called)
        if len(self._sizes) == 1:
            return called[0]
        size = f"{len(names)} players"
        return size if len(self._leaders) == 1 else f"{size}, {called[0]}"

    def when(self, lineup: str) -> str:
        """Who plays, as part of a sentence, of a lineup by its label."""
        for cell in self.run.cells:
            if self.lineup(cell.labels) == lineup and len(set(cell.labels)) == 1:
                both = "both" if cell.seats == 2 else f"all {cell.seats}"
                return f"when {both} play {self.strategy(cell.labels[0])}"
        return f"in games of {lineup}"

    def _strategy(self, named: Any) -> str:
        if called := self.run.experiment.called.get(str(named)):
            return called
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
        if column in NAMES:
            return self.name
        if column == "option":
            return self.option
        if column in WHOM:
            return self.strategy
        if column == "lineup":
            return lambda text: self._lineups.get(text, text)
        return self.at if column == "setting" else None

    def values(self, axis: Axis) -> list[str]:
        return [self.on_axis(axis.options, value) for value in axis.values]

    def on_axis(self, options: Sequence[str], values: Sequence[Any]) -> str:
        """A value of a key of the sweep; of tied options what differs from the baseline."""
        if len(options) > 1 and self._base:
            return self.short(dict(zip(options, values, strict=True)))
        return "/".join(map(self.value, options, values))

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
        """What a key of the sweep turns; many tied options have no better name."""
        return "rules" if len(axis.options) > MOST_TIED else " / ".join(map(self.option, axis.options))

    def place(self, setting: str) -> str:
        """A setting as tables have it, by its value alone where one key is swept."""
        at, swept = self.at(setting), self.swept
        return at.removeprefix(self.axis(swept[0])).lstrip(": ") if len(swept) == 1 else at

    def places(self, some: list[str]) -> str:
        """Settings as tables have them, one or another, by their values alone where one key is swept."""
        return listed(map(self.place, some), "or")

    def with_base(self, setting: str, baseline: bool) -> str:
        """A setting as it is called, marked where it is the baseline."""
        return f"{setting} ({self.base})" if baseline and setting != self.base else setting


def labels_of(findings: Findings) -> Labels:
    """The labels of the run that findings are of, looked up once."""
    return findings.kept(_labels)


def _labels(findings: Findings) -> Labels:
    return Labels(findings.run)


def _columns(run: Run, swept: Sequence[Axis]) -> list[str]:
    """Return the options that vary, each a column in tables of settings; none where too many are tied."""
    if any(len(axis.options) > MOST_TIED for axis in swept):
        return []
    tried = [one["setting"] for one in run.designed.get("tried", [])]
    settings = tried or [cell.varied for cell in run.cells]
    return [name for name in settings[0] if len({one[name] for one in settings}) > 1]


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
    'The second player collects one colour.'
    >>> plain("The reference player (OP-S0)"), plain("Worth a lot (OP-13.8); more later")
    ('The reference player', 'Worth a lot; more later')
    """
    return seats_named(re.sub(r" \([A-Z][A-Z0-9]*-S?[\d.]+\)", "", meaning))


def titled(meaning: str) -> str:
    """What a column of the log means, as a title: what 1 says of a yes or no, other codes in brackets.

    >>> titled("1 = no subset had the exact total"), titled("Score of seat 0")
    ('No subset had the exact total', 'Score of the first player')
    >>> titled("Turn in which the deck ran out, 0 = before play, -1 = never")
    'Turn in which the deck ran out (0: before play; −1: never)'
    """
    text = seats_named(re.sub(r"^1 = (\w)", lambda first: first[1].upper(), meaning))
    what, *codes = re.split(r", (?=-?\d+ = )", text)
    told = "; ".join(code.replace(" = ", ": ", 1).replace("-", "−", 1) for code in codes)
    return f"{what} ({told})" if told else what


def lowered(text: str) -> str:
    """A text that begins with a small letter, unless it begins with a name in capitals.

    >>> lowered("Value of the cards"), lowered("PLACE also")
    ('value of the cards', 'PLACE also')
    """
    return text if text[:2].isupper() else text[:1].lower() + text[1:]
