"""Sentences about components: the effect of changing each of them by its own coin, and on whom."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
import polars as pl

from simkit.analysis import Findings
from simkit.analysis.ablation import SHARE, STRATEGY, TURNS
from simkit.reporting.document import TileLine
from simkit.reporting.text.confidence import SURE
from simkit.reporting.text.labels import labels_of
from simkit.reporting.text.numbers import number, span
from simkit.reporting.text.perspective import side_of
from simkit.reporting.text.phrases import Sentence, TableRow, capital, join_names
from simkit.reporting.text.pieces import count_different, plural
from simkit.runs.folder import Run
from simkit.stats.coins import ROUNDING

FALLS = "falls"  # share of the seat that a component falls to


class MeasuredEffects(NamedTuple):
    """A measure, the wording of its effects, and its rows of one cell, most significant component first."""

    name: str
    heading: str  # over a column of effects
    subject: str  # "the first player wins"
    event: str  # "if “{}” is left out of the deck,"
    rows: pl.DataFrame
    scale: float = 100.0
    unit: str = "games of 100"
    digits: int = 1

    @property
    def outcome(self) -> str:
        """What the measure measures, as an object."""
        return "how long a game is" if self.name == TURNS else f"how often {self.subject}"

    @property
    def rests(self) -> str:
        """Finding that holds the rows."""
        return "ablation_owners" if self.name == FALLS else "ablation"

    @property
    def sure(self) -> pl.DataFrame:
        """Rows beyond luck, the greatest effect first."""
        beyond = self.rows.filter(pl.col("p_adjusted") < SURE)
        return beyond.sort(pl.col("effect").abs(), descending=True, maintain_order=True)

    def size(self, row: TableRow) -> str:
        """Return the subject and the effect with its direction.

        >>> turns = MeasuredEffects("", "", "a game takes", "", pl.DataFrame(), 1.0, "turns", 2)
        >>> turns.size({"effect": -0.25})
        'a game takes 0.25 turns less'
        """
        effect = self.scale * row["effect"]
        size = f"{number(abs(effect), self.digits)} {self.unit}"
        return f"{self.subject} {size} {'more' if effect > 0 else 'less'}"

    def ends(self, row: TableRow) -> str:
        """Return the joint interval; an effect that is the same in every deal has no width."""
        low, high = row["joint_low"], row["joint_high"]
        return span(low, high, self.digits, True, self.scale) if high - low > ROUNDING else "in every deal"


def effects_by_measure(findings: Findings, cell: int) -> list[MeasuredEffects]:
    """Return the measures of a cell, first those with effects beyond luck."""
    labels, ablation = labels_of(findings), findings.run.words.ablation
    event, measures = f"if “{{}}” is {ablation.meaning if ablation else 'changed'},", list[MeasuredEffects]()
    owners = findings.ablation_owners
    if owners.width and (fell := owners.filter(cell=cell).drop_nulls("effect")).height:
        falls = "seat that it falls to"
        measures.append(MeasuredEffects(FALLS, falls, f"the {falls} wins", event, fell))
    effects = findings.ablation.filter(cell=cell).drop_nulls("effect")
    for (name, strategy), part in effects.group_by("measure", "strategy", maintain_order=True):
        if (part["high"] - part["low"]).max() <= ROUNDING and not (part["effect"] != 0).any():  # type: ignore[operator]
            continue  # the same in every game
        winner = labels.strategy(str(strategy)) if strategy else f"the {side_of(findings.run).name}"
        measure = MeasuredEffects(str(name), winner.removeprefix("the "), f"{winner} wins", event, part)
        if name == TURNS:
            measure = MeasuredEffects(TURNS, "turns of a game", "a game takes", event, part, 1.0, "turns", 2)
        measures.append(measure)
    order = {FALLS: 0, SHARE: 1, STRATEGY: 2, TURNS: 3}
    return sorted(measures, key=lambda measure: (measure.sure.is_empty(), order[measure.name]))


def word_of(run: Run) -> str:
    """Return the noun for a component of the game."""
    return run.words.ablation.word if run.words.ablation else "component"


def changed_cells(findings: Findings) -> list[int]:
    """Return the cells in which components were changed."""
    return findings.ablation["cell"].unique(maintain_order=True).to_list() if findings.ablation.width else []


def ablation_sentence(run: Run) -> str:
    """Return the sentence that describes the ablation of a run; empty for runs without one."""
    if (ablation := run.words.ablation) is None:
        return ""
    parts = capital(count_different(len(ablation.parts), ablation.word))
    return f"{parts}: each is {ablation.meaning} in {100 * ablation.rate:g} % of the deals, by its own coin."


def effect_sentences(measures: Sequence[MeasuredEffects], word: str) -> Iterator[Sentence]:
    """Yield each measure's greatest effect, then in one sentence what no component changes beyond luck."""
    for measure in measures:
        for row in measure.sure.head(1).rows(named=True):
            count = plural(measure.sure.height, word)
            others = f"; in all {count} beyond luck" if measure.sure.height > 1 else ""
            effect = f"{measure.event.format(row['component'])} {measure.size(row)} ({measure.ends(row)})"
            yield Sentence(f"{capital(effect)}{others}.", measure.rests)
    if idle := [measure for measure in measures if measure.sure.is_empty()]:
        outcomes, first = join_names((measure.outcome for measure in idle), "or"), idle[0]
        half = float(np.median(first.rows["joint_high"] - first.rows["joint_low"])) * first.scale / 2
        luck = f"each effect is known to about ±{number(half, first.digits)} {first.unit}"
        yield Sentence(f"No {word} was shown to change {outcomes} ({luck}).", first.rests)


def effect_rows(measures: Sequence[MeasuredEffects], word: str) -> list[TableRow]:
    """Return a row per component with its effects, the most certain first."""
    rows, surest = dict[str, TableRow](), dict[str, float]()
    for measure in measures:
        for row in measure.rows.rows(named=True):
            name, adjusted = row["component"], row["p_adjusted"] if row["p_adjusted"] is not None else 1.0
            surest[name] = min(surest.get(name, 1.0), adjusted)
            effect = number(measure.scale * row["effect"], measure.digits, True)
            cell = f"{effect} ({measure.ends(row)})" if row["effect"] else "none"
            rows.setdefault(name, {word: name} | {other.heading: "" for other in measures})
            rows[name][measure.heading] = cell
    return [rows[name] for name in sorted(rows, key=surest.__getitem__)]


def strongest_lines(measures: Sequence[MeasuredEffects]) -> list[TileLine]:
    """Return the components whose changes cost most and help most, beyond luck."""
    for measure in measures:
        if measure.name != TURNS and not (sure := measure.sure.sort("effect")).is_empty():
            chosen = {row["component"]: row for row in (sure.row(0, named=True), sure.row(-1, named=True))}
            return [TileLine(name, f"if changed, {measure.size(row)}") for name, row in chosen.items()]
    return [TileLine("none surely changes who wins")]
