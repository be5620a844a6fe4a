"""Sentences about components: the effect of changing each of them by its own coin, and on whom."""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
import polars as pl

from simkit.analysis import Findings
from simkit.analysis.ablation import SHARE, STRATEGY, TURNS
from simkit.reporting.text.confidence import SURE
from simkit.reporting.text.labels import labels_of
from simkit.reporting.text.perspective import side_of
from simkit.reporting.text.phrases import Row, Sentence, number, prose, span
from simkit.reporting.text.pieces import plural
from simkit.reporting.text.rules import capital
from simkit.runs.run import Run
from simkit.stats.coins import ROUNDING

FALLS, LOT = "falls", "lot"  # share of the seat that a component falls to; of the seat that is dealt it
HUNDRED, UNSCALED = 100.0, 1.0
EXACTLY = "in every deal"
KEYS = ("component", "effect", "low", "high", "p", "p_adjusted")


class Measured(NamedTuple):
    """A measure, the wording of its effects, and its rows of one cell, most significant component first."""

    name: str
    heading: str  # over a column of effects
    subject: str  # "the first player wins"
    event: str  # "if “{}” is left out of the deck,"
    scale: float
    rows: pl.DataFrame
    rests: str  # finding that holds the rows

    @property
    def unit(self) -> str:
        """Unit of the effects."""
        return "games of 100" if self.scale == HUNDRED else "turns"

    def sentence(self, row: Row) -> str:
        """Return the effect of changing a component as a sentence without a full stop."""
        return f"{self.event.format(row['component'])} {self.subject} {self.amount(row)}"

    @property
    def sure(self) -> pl.DataFrame:
        """Rows beyond luck, the greatest effect first."""
        beyond = self.rows.filter(pl.col("p_adjusted") < SURE)
        return beyond.sort(pl.col("effect").abs(), descending=True, maintain_order=True)

    def amount(self, row: Row) -> str:
        """Return the effect with its direction and interval.

        >>> turns = Measured("turns", "", "a game takes", "", 1.0, pl.DataFrame(), "")
        >>> turns.amount({"effect": -0.25, "low": -0.31, "high": -0.19})
        '0.25 turns less (95 % interval −0.31 to −0.19)'
        """
        effect = self.scale * row["effect"]
        more, ends = "more" if effect > 0 else "less", self.ends(row["low"], row["high"])
        sure = ends if ends == EXACTLY else f"95 % interval {ends}"
        return f"{number(abs(effect), self.digits)} {self.unit} {more} ({sure})"

    @property
    def digits(self) -> int:
        """Decimals of the effects."""
        return 1 if self.scale == HUNDRED else 2

    def ends(self, low: float, high: float) -> str:
        """Return the interval as text; an effect that is the same in every deal has no width."""
        return span(low, high, self.digits, True, self.scale) if high - low > ROUNDING else EXACTLY


def measured(findings: Findings, cell: int) -> list[Measured]:
    """Return the measures of a cell, first (where known) that of the seat that a component falls to."""
    side, labels = side_of(findings.run).name, labels_of(findings)
    measures, changed = [*_seats_concerned(findings, cell)], _if_changed(findings)
    effects = findings.ablation.filter(cell=cell).drop_nulls("effect")
    for (name, strategy), part in effects.group_by("measure", "strategy", maintain_order=True):
        if (part["high"] - part["low"]).max() <= ROUNDING and not (part["effect"] != 0).any():  # type: ignore[operator]
            continue  # the same in every game
        winner = labels.strategy(str(strategy)) if strategy else f"the {side}"
        if name == TURNS:
            kind = ("turns of a game", "a game takes", changed, UNSCALED)
        else:
            kind = (winner.removeprefix("the "), f"{winner} wins", changed, HUNDRED)
        measures.append(Measured(str(name), *kind, part, "ablation"))
    order = {FALLS: 0, LOT: 0, SHARE: 1, STRATEGY: 2, TURNS: 3}
    return sorted(measures, key=lambda measure: order[measure.name])


def _if_changed(findings: Findings) -> str:
    """Return the clause "if … is changed," with a placeholder for the component."""
    ablation = findings.run.words.ablation
    return f"if “{{}}” is {ablation.meaning}," if ablation else "if “{}” is changed,"


def _seats_concerned(findings: Findings, cell: int) -> Iterator[Measured]:
    """Yield the measure of the seat that a component falls to, else of the seat that is dealt it."""
    owners = findings.ablation_owners
    if not owners.width:
        return
    cell_owners = owners.filter(cell=cell)
    rows, rests = cell_owners.drop_nulls("effect"), "ablation_owners"
    if rows.height:
        words = ("seat that it falls to", "the seat that it falls to wins", _if_changed(findings), HUNDRED)
        yield Measured(FALLS, *words, rows, rests)
        return
    gap = {
        "effect": "gap",
        "low": "gap_low",
        "high": "gap_high",
        "p": "gap_p",
        "p_adjusted": "gap_p_adjusted",
    }
    lots = cell_owners.filter("lot").with_columns(
        pl.col(gap_name).alias(name) for name, gap_name in gap.items()
    )
    if lots.drop_nulls("effect").height:
        words = ("seat that is dealt it", "wins", "the seat that is dealt “{}”", HUNDRED)
        ordered = lots.drop_nulls("effect").sort("p_adjusted", maintain_order=True)
        yield Measured(LOT, *words, ordered, rests)


def cells_told(findings: Findings) -> list[int]:
    """Return the cells in which components were changed."""
    return findings.ablation["cell"].unique(maintain_order=True).to_list() if findings.ablation.width else []


def done(run: Run) -> str:
    """Return the sentence that describes the ablation of a run; empty for runs without one."""
    ablation = run.words.ablation
    if ablation is None:
        return ""
    count = len(ablation.parts)
    subject = f"Each of {plural(count, ablation.word)}" if count > 1 else f"“{ablation.parts[0].label}”"
    return prose(f"""{subject} is {ablation.meaning} in
        {100 * ablation.rate:g} % of the deals, by a coin of its own; all coins fall at once.""")


def sentences(findings: Findings, cell: int) -> Iterator[Sentence]:
    """Yield each measure's greatest effect or that none is beyond luck; significant measures come first."""
    ablation = findings.run.words.ablation
    word = ablation.word if ablation else "component"
    parts = sorted(measured(findings, cell), key=lambda part: part.sure.is_empty())
    for part in parts:
        sure = part.sure
        if sure.is_empty():
            yield Sentence(_nothing(part, word), part.rests)
            continue
        row, more = sure.row(0, named=True), sure.height - 1
        matter = "matters" if more == 1 else "matter"
        others = f"; {plural(more, word)} more {matter} beyond luck" if more else ""
        yield Sentence(f"{capital(part.sentence(row))}{others}.", part.rests)


def _nothing(measure: Measured, word: str) -> str:
    """Return the sentence that no component matters, with the smallest effect that would have been seen."""
    half = measure.scale * float(np.median(measure.rows["high"] - measure.rows["low"])) / 2
    outcomes = {FALLS: "how often the seat wins that it falls to", TURNS: "how long a game is"}
    outcomes[LOT] = "how often the seat wins that is dealt it"
    outcome = outcomes.get(measure.name, f"how often {measure.subject}")
    sure = f"95 % intervals: about ±{number(half, measure.digits)} {measure.unit}"
    return f"No {word} changes {outcome} beyond luck ({sure})."


def headline(findings: Findings) -> str:
    """Return the first cell's greatest effect: on the seat concerned, else the winner, else the length."""
    measures = measured(findings, cells_told(findings)[0])
    sure = next((measure for measure in measures if measure.sure.height), None)
    if sure is None:
        ablation = findings.run.words.ablation
        return f"No {ablation.word if ablation else 'component'} matters beyond luck in these deals"
    return capital(sure.sentence(sure.sure.row(0, named=True)))


def side_by_side(findings: Findings, cell: int) -> pl.DataFrame:
    """Return a row per component of a cell with the effects of all measures, most significant first."""
    parts = measured(findings, cell)
    table = pl.concat([part.rows.select("component") for part in parts]).unique(maintain_order=True)
    for place, part in enumerate(parts):
        rows = part.rows.select(KEYS).rename({name: f"{name}_{place}" for name in KEYS[1:]})
        table = table.join(rows, on="component", how="left", maintain_order="left")
    adjusted = pl.min_horizontal(f"p_adjusted_{place}" for place in range(len(parts)))
    return table.with_columns(surest=adjusted).sort("surest", nulls_last=True, maintain_order=True)
