"""Labels of options, values, strategies, lineups and settings; data and commands keep their names."""

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import polars as pl

from simkit.page.words.numbers import join_names, name_seats, seat_name
from simkit.runs.folder import Run
from simkit.tables import findings as findings_tables
from simkit.tables.compare import SIDE_WINS
from simkit.tables.findings import TWINS, Axis, Findings, axes, lineup_words, setting_words, written_value

STRATEGIES = ("strategy", "opponent", "row", "column", "best", "worst", "first", "second", "third")  # columns
WHOM = (*STRATEGIES, "dominated_by")
MAX_TIED_OPTIONS = 3  # tied options named side by side
SEAT_LABEL = "seat {}"  # values of an option that is a seat
YES_NO = {"true": "yes", "false": "no"}  # for options whose values have no labels
SEATS = ("seat", "farthest", "winner")
MEASURE_NAMES = {"fpa": "first-player advantage", "draw": "drawn games"}
MEASURE_NAMES |= {"decided": "part of the game until the winner leads for good"}


class Labels:
    """Labels of a run; a name without a label is shown as it is."""

    def __init__(self, run: Run) -> None:
        self.run, self.words = run, run.words
        self._sizes = {cell.seats for cell in run.cells}
        self._tables = {tuple(cell.labels) for cell in run.cells}  # who sits where
        self.all_alike = all(len(set(table)) == 1 for table in self._tables)  # one strategy in each cell
        self._leaders = {table[0] for table in self._tables}
        self._players = {str(player): player for cell in run.cells for player in cell.lineup}
        self._strategies = {name: self._strategy(player) for name, player in self._players.items()}
        self._lineups = {lineup_words(table): self.lineup(table) for table in map(list, self._tables)}
        self._base: Mapping[str, Any] = next((cell.varied for cell in run.cells if cell.baseline), {})
        self.baseline = self.setting(self._base)  # as text
        # The default options; only a published game, whose data have sources, has a rulebook.
        self.book = "rulebook" if self.words.provenance else "usual rules"
        self._cells = {cell.index: cell for cell in run.cells}
        self.swept = axes(run)
        self.columns = _columns(run, self.swept)  # options
        self._varied = {setting_words(cell.varied): cell.varied for cell in run.cells}
        self._settings = {setting: self.short(varied) for setting, varied in self._varied.items()}

    @property
    def base(self) -> str:
        """Name of the baseline: the rulebook if its options are as printed."""
        options = next((cell.options for cell in self.run.cells if cell.baseline), {})
        return self.book if self.is_printed(options) and not self.run.experiment.files else "baseline"

    def is_printed(self, options: Mapping[str, Any]) -> bool:
        """Return whether all options have their default values."""
        words = self.words.options
        return all(name in words and words[name].default == value for name, value in options.items())

    def kin(self) -> list[list[str]]:
        """Return groups of strategies that share a program and differ in weights."""
        families: dict[str, list[str]] = {}
        for label, player in self._players.items():
            families.setdefault(player.name, []).append(self.strategy(label))
        return [alike for alike in families.values() if len(alike) > 1]

    def option(self, name: str) -> str:
        """Return the label of an option."""
        option = self.words.options.get(name)
        return option.label if option else name

    def value(self, name: str, value: Any) -> str:
        """Return the label of an option's value: choices, flags and seats by name, numbers as they are.

        A number has a label only where its option names it, such as `values={"0": "7, as printed"}`.
        """
        option = self.words.options.get(name)
        if option and type(value) is int and isinstance(option.values, dict) and str(value) in option.values:
            return option.value_label(value)
        if self.is_seat(name) and value >= 0:
            return seat_name(value).replace("player", "seat")
        if type(value) is int and value < 0:
            return f"−{-value}"
        label = option.value_label(value) if option and option.kind != "integer" else written_value(value)
        return YES_NO.get(label, label) if isinstance(value, bool) else label

    def rule(self, setting: str) -> str:
        """Return a setting of a table as part of a sentence; names of choices are quoted."""
        varied = self._varied[setting]
        text = self.short(varied, quoted=True)
        return self.with_base(text, varied == self._base) if len(varied) == 1 else text

    def is_seat(self, name: str) -> bool:
        """Return whether the values of an option are seats, counted from 0 in commands."""
        return name in self.words.options and self.words.options[name].form == SEAT_LABEL

    def name(self, name: Any, column: str = "") -> str:
        """Return the label of a name in the log, such as an end reason."""
        called, spaced = self.words.called, str(name).replace("_", " ")
        return called.get(f"{column}.{name}", called.get(str(name), spaced))

    def meaning(self, name: str) -> str:
        """Return the meaning of an option, to follow its label; empty if it equals the label."""
        meaning = (
            lower_first(name_seats(self.words.options[name].meaning)) if name in self.words.options else ""
        )
        return meaning if meaning != self.option(name) else ""

    def setting(self, varied: Mapping[str, Any], quoted: bool = False) -> str:
        """Return a setting as text: a number follows its option directly; a choice has a colon or quotes."""
        return ", ".join(self._set(*item, quoted) for item in varied.items())

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

    def short(self, varied: Mapping[str, Any], quoted: bool = False) -> str:
        """Return a setting by its differences from the baseline, where several options vary."""
        if len(varied) < 2 or not self._base:
            return self.setting(varied, quoted)
        differing = {name: value for name, value in varied.items() if self._base.get(name, value) != value}
        if not self._alike:
            return self.setting(differing, quoted) or self.base
        values = map(self.value, differing, differing.values())
        return " + ".join(f"“{value}”" if quoted else value for value in values) or self.base

    @property
    def _alike(self) -> bool:
        """Whether all options that vary choose from the same names, so that these say enough."""
        options = [self.words.options.get(name) for name in self.columns]
        choices = {tuple(option.values) if option and option.kind == "choice" else () for option in options}
        return len(options) > 1 and len(choices) == 1 and choices != {()}

    def _set(self, name: str, value: Any, quoted: bool) -> str:
        label = self.value(name, value)
        if type(value) is int and not self.is_seat(name):
            return f"{self.option(name)} {label}"
        if not quoted:
            return f"{self.option(name)}: {label}"
        return f"{self.option(name)} “{label}”" if name in self.words.options else label

    def settings(self, names: list[str], word: str = "or") -> str:
        """Join settings of tables by `word`; a common prefix appears only once."""
        texts = [self.at(setting) for setting in names]
        front, _, _ = texts[0].rpartition(" ")
        if front and all(text.rpartition(" ")[0] == front for text in texts):
            return f"{front} {join_names((text.rpartition(' ')[2] for text in texts), word)}"
        if len(texts) > 1 and any(", " in text for text in texts):
            return f"{'; '.join(texts[:-1])}; {word} {texts[-1]}"
        return join_names(texts, word)

    def strategy(self, name: str) -> str:
        """Return the label of a strategy, or of strategies that made the same moves."""
        return TWINS.join(self._strategies.get(each, each) for each in str(name).split(TWINS))

    def in_text(self, text: str) -> str:
        """Replace the names of strategies in a text by their labels."""
        names = "|".join(map(re.escape, sorted(self._strategies, key=len, reverse=True)))
        return re.sub(rf"(?<!\w)(?:{names})(?!\w)", lambda name: self.strategy(name[0]), text)

    def lineup(self, names: list[str]) -> str:
        """Return the label of a lineup: if all lineups are uniform, its strategy and, if needed, its size."""
        called = [self.strategy(name) for name in names]
        if not self.all_alike:
            return lineup_words(called)
        if len(self._sizes) == 1:
            return called[0]
        size = f"{len(names)} players"
        return size if len(self._leaders) == 1 else f"{size}, {called[0]}"

    def when(self, lineup: str) -> str:
        """Return a lineup (given by its label) as part of a sentence."""
        for cell in self.run.cells:
            if self.lineup(cell.labels) == lineup and len(set(cell.labels)) == 1:
                both = "both" if cell.seats == 2 else f"all {cell.seats}"
                return f"when {both} play {self.strategy(cell.labels[0])}"
        return f"in games of {lineup}"

    def _strategy(self, player: Any) -> str:
        if called := self.run.experiment.called.get(str(player)):
            return called
        words = self.words.strategies.get(player.name)
        if words is None:
            return str(player)
        preset = [player.preset.replace("_", " ")] if player.preset else []
        weights = preset + [f"{words.weights[name].label} {value}" for name, value in player.weights.items()]
        return f"{words.label} ({', '.join(weights)})" if weights else words.label

    def of_column(self, column: str) -> Callable[[Any], str] | None:
        """Return the function that labels a column's values; None where they need no labels."""
        if column in self.words.options:
            return lambda value: self.value(column, value)
        labellers: dict[str, Callable[[Any], str]] = dict.fromkeys(SEATS, seat_name)
        labellers |= dict.fromkeys(WHOM, self.strategy) | {"option": self.option, "end_reason": self.name}
        labellers |= {"setting": self.at, "lineup": lambda text: self._lineups.get(text, text)}
        return labellers.get(column)

    def values(self, axis: Axis) -> list[str]:
        """Return the labels of the values of a sweep key."""
        return [self.on_axis(axis, dict(zip(axis.options, value, strict=True))) for value in axis.values]

    def on_axis(self, axis: Axis, row: Mapping[str, Any]) -> str:
        """Return the label of a row on a sweep key; for tied options their difference from the baseline."""
        values = {name: row[name] for name in axis.options}
        if len(values) > 1 and self._base:
            return self.short(values)
        return "/".join(map(self.value, values, values.values()))

    def span(self, axis: Axis) -> str:
        """Return a sweep key and its values for a title, such as "cards dealt 5 to 7"."""
        if len(axis.options) > 1:
            return "each rule set"
        values = self.values(axis)
        ranged = axis.whole_numbers and len(values) > 2
        return f"{self.axis(axis)} {f'{values[0]} to {values[-1]}' if ranged else join_names(values, 'or')}"

    def label(self, table: pl.DataFrame) -> pl.DataFrame:
        """Replace the names of strategies, lineups and settings in a table by labels."""
        for name in (*STRATEGIES, "setting", "lineup"):
            label = self.of_column(name)
            if label and table.schema.get(name) == pl.String:
                table = table.with_columns(pl.col(name).map_elements(label, return_dtype=pl.String))
        return table

    def at(self, setting: str) -> str:
        """Return the label of a setting of a table."""
        return self._settings.get(setting, setting)

    def axis(self, axis: Axis) -> str:
        """Return the label of a sweep key; many tied options are just "rules"."""
        return "rules" if len(axis.options) > MAX_TIED_OPTIONS else " / ".join(map(self.option, axis.options))

    def place(self, setting: str) -> str:
        """Return the label of a setting of a table, without the option where only one key is swept."""
        at, swept = self.at(setting), self.swept
        return at.removeprefix(self.axis(swept[0])).lstrip(": ") if len(swept) == 1 else at

    def with_base(self, setting: str, baseline: bool) -> str:
        """Return a setting's label, marked where it is the baseline."""
        return f"{setting} ({self.base})" if baseline and setting != self.base else setting


def labels_of(findings: Findings) -> Labels:
    """Return the (cached) labels of the run of some findings."""
    return findings.cached(_labels)


def _labels(findings: Findings) -> Labels:
    return Labels(findings.run)


def _columns(run: Run, swept: Sequence[Axis]) -> list[str]:
    """Return the options that vary, each a column in tables of settings; none where too many are tied."""
    if any(len(axis.options) > MAX_TIED_OPTIONS for axis in swept):
        return []
    tried_settings = run.answer.tried_settings if run.answer else []
    settings = tried_settings or [cell.varied for cell in run.cells]
    return [name for name in settings[0] if len({setting[name] for setting in settings}) > 1]


def plain(meaning: str) -> str:
    """Return a meaning for readers: seats by name, without the clauses of the specification.

    >>> plain("Seat 1 collects one colour (O7-15.6).")
    'The second player collects one colour.'
    >>> plain("The reference player (OP-S0)"), plain("Worth a lot (OP-13.8); more later")
    ('The reference player', 'Worth a lot; more later')
    """
    return name_seats(re.sub(r" \([A-Z][A-Z0-9]*-S?[\d.]+\)", "", meaning))


def lower_first(text: str) -> str:
    """Return a text with a small first letter, unless it begins with a name in capitals.

    >>> lower_first("Value of the cards"), lower_first("PLACE also")
    ('value of the cards', 'PLACE also')
    """
    return text if text[:2].isupper() else text[:1].lower() + text[1:]


def measure_name(measure: str, seat: int | None, side: str = "") -> str:
    """Return the name of what is compared; `side` is that whose wins a run between two sides compares.

    >>> measure_name("share", 0), measure_name("fpa", 0), measure_name("turns", None)
    ('share of the first player', 'first-player advantage', 'turns')
    """
    if measure == SIDE_WINS:
        return f"{side} wins"
    name = MEASURE_NAMES.get(measure, measure.replace("_", " "))
    return name if seat is None or measure == "fpa" else f"{name} of the {seat_name(seat)}"


# The scope of a number: a range over all groups that were played, or one of them by name.


def over(findings: Findings, cells: list[int]) -> str:
    """Return the scope of a range over cells as a suffix: `, whoever plays, at every setting`."""
    rows = findings_tables.cells(findings).filter(pl.col("cell").is_in(cells))
    sizes, settings = sorted(set(rows["seats"])), rows["setting"].n_unique()
    parts = [f"with {sizes[0]} to {sizes[-1]} players"] if len(sizes) > 1 else []
    several = rows.group_by("setting", "seats").len()["len"]
    parts += ["whoever plays"] if (several > 1).any() else []
    if settings > 1:
        parts.append("at every setting")
    elif findings_tables.cells(findings)["setting"].n_unique() > 1:
        parts.append(place(findings, rows["setting"][0]))
    return "".join(f", {part}" for part in parts)


def place(findings: Findings, setting: str) -> str:
    """Return a setting as part of a sentence: `at the rulebook`, `at goal 8`."""
    labels = labels_of(findings)
    at = labels.at(setting)
    return f"at the {at}" if at == labels.base else f"at {at}"
