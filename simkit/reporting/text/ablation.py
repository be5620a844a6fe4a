"""What components do, in words: what changing each by a coin of its own does, and to whom."""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
import polars as pl

from simkit.analysis import Findings
from simkit.analysis.ablation import SHARE, STRATEGY, TURNS
from simkit.reporting.text.confidence import SURE
from simkit.reporting.text.labels import labels_of
from simkit.reporting.text.perspective import side_of
from simkit.reporting.text.phrases import Row, Said, number, prose, span
from simkit.reporting.text.pieces import plural
from simkit.reporting.text.rules import capital
from simkit.runs.run import Run
from simkit.stats.coins import ROUNDING

FALLS, LOT = "falls", "lot"  # the share of the seat that a component falls to; of the one that is dealt it
HUNDRED, ONE = 100.0, 1.0
EXACTLY = "in every deal"
KEYS = ("component", "effect", "low", "high", "p", "p_adjusted")


class Measured(NamedTuple):
    """A measure, how its effects are told, and its rows of one cell: the surest component first."""

    name: str
    heading: str  # over a column of effects
    subject: str  # "the first player wins"
    event: str  # "if “{}” is left out of the deck,"
    scale: float
    rows: pl.DataFrame
    rests: str  # the finding behind it

    @property
    def unit(self) -> str:
        return "games of 100" if self.scale == HUNDRED else "turns"

    def told(self, row: Row) -> str:
        """What changing a component does, without a full stop."""
        return f"{self.event.format(row['component'])} {self.subject} {self.amount(row)}"

    @property
    def sure(self) -> pl.DataFrame:
        """Beyond luck, the greatest effect first."""
        beyond = self.rows.filter(pl.col("p_adjusted") < SURE)
        return beyond.sort(pl.col("effect").abs(), descending=True, maintain_order=True)

    def amount(self, row: Row) -> str:
        """How much more or less, with the interval.

        >>> one = Measured("turns", "", "a game takes", "", 1.0, pl.DataFrame(), "")
        >>> one.amount({"effect": -0.25, "low": -0.31, "high": -0.19})
        '0.25 turns less (95 % interval −0.31 to −0.19)'
        """
        effect = self.scale * row["effect"]
        more, ends = "more" if effect > 0 else "less", self.ends(row["low"], row["high"])
        sure = ends if ends == EXACTLY else f"95 % interval {ends}"
        return f"{number(abs(effect), self.digits)} {self.unit} {more} ({sure})"

    @property
    def digits(self) -> int:
        return 1 if self.scale == HUNDRED else 2

    def ends(self, low: float, high: float) -> str:
        """The interval; where every deal says the same it has no width."""
        return span(low, high, self.digits, True, self.scale) if high - low > ROUNDING else EXACTLY


def measured(findings: Findings, cell: int) -> list[Measured]:
    """What was measured in a cell, the seat that a component falls to first, where it is known."""
    side, labels = side_of(findings.run).name, labels_of(findings)
    told, changed = [*_seats_concerned(findings, cell)], _if_changed(findings)
    effects = findings.ablation.filter(cell=cell).drop_nulls("effect")
    for (name, strategy), part in effects.group_by("measure", "strategy", maintain_order=True):
        if (part["high"] - part["low"]).max() <= ROUNDING and not (part["effect"] != 0).any():  # type: ignore[operator]
            continue  # the same in every game
        who = labels.strategy(str(strategy)) if strategy else f"the {side}"
        if name == TURNS:
            kind = ("turns of a game", "a game takes", changed, ONE)
        else:
            kind = (who.removeprefix("the "), f"{who} wins", changed, HUNDRED)
        told.append(Measured(str(name), *kind, part, "ablation"))
    order = {FALLS: 0, LOT: 0, SHARE: 1, STRATEGY: 2, TURNS: 3}
    return sorted(told, key=lambda one: order[one.name])


def _if_changed(findings: Findings) -> str:
    """The beginning of a sentence on what changing a component does, with a place for its name."""
    known = findings.run.words.ablation
    return f"if “{{}}” is {known.meaning}," if known else "if “{}” is changed,"


def _seats_concerned(findings: Findings, cell: int) -> Iterator[Measured]:
    """The seat that a component falls to; where none falls when changed, the one that luck deals it to."""
    owners = findings.ablation_owners
    if not owners.width:
        return
    mine = owners.filter(cell=cell)
    rows, rests = mine.drop_nulls("effect"), "ablation_owners"
    if rows.height:
        told = ("seat that it falls to", "the seat that it falls to wins", _if_changed(findings), HUNDRED)
        yield Measured(FALLS, *told, rows, rests)
        return
    gap = {
        "effect": "gap",
        "low": "gap_low",
        "high": "gap_high",
        "p": "gap_p",
        "p_adjusted": "gap_p_adjusted",
    }
    lots = mine.filter("lot").with_columns(pl.col(of).alias(name) for name, of in gap.items())
    if lots.drop_nulls("effect").height:
        told = ("seat that is dealt it", "wins", "the seat that is dealt “{}”", HUNDRED)
        ordered = lots.drop_nulls("effect").sort("p_adjusted", maintain_order=True)
        yield Measured(LOT, *told, ordered, rests)


def cells_told(findings: Findings) -> list[int]:
    """The cells with components that were changed."""
    return findings.ablation["cell"].unique(maintain_order=True).to_list() if findings.ablation.width else []


def done(run: Run) -> str:
    """What was done to what; nothing of other runs."""
    known = run.words.ablation
    if known is None:
        return ""
    many = len(known.parts)
    which = f"Each of {plural(many, known.word)}" if many > 1 else f"“{known.parts[0].label}”"
    return prose(f"""{which} is {known.meaning} in
        {100 * known.rate:g} % of the deals, by a coin of its own; all coins fall at once.""")


def sentences(findings: Findings, cell: int) -> Iterator[Said]:
    """What matters most by each measure, or that nothing does; what matters beyond luck first."""
    known = findings.run.words.ablation
    word = known.word if known else "component"
    parts = sorted(measured(findings, cell), key=lambda one: one.sure.is_empty())
    for one in parts:
        sure = one.sure
        if sure.is_empty():
            yield Said(_nothing(one, word), one.rests)
            continue
        row, more = sure.row(0, named=True), sure.height - 1
        matter = "matters" if more == 1 else "matter"
        others = f"; {plural(more, word)} more {matter} beyond luck" if more else ""
        yield Said(f"{capital(one.told(row))}{others}.", one.rests)


def _nothing(one: Measured, word: str) -> str:
    """That nothing is beyond luck, and how large an effect would have been seen."""
    half = one.scale * float(np.median(one.rows["high"] - one.rows["low"])) / 2
    how = {FALLS: "how often the seat wins that it falls to", TURNS: "how long a game is"}
    how[LOT] = "how often the seat wins that is dealt it"
    what = how.get(one.name, f"how often {one.subject}")
    sure = f"95 % intervals: about ±{number(half, one.digits)} {one.unit}"
    return f"No {word} changes {what} beyond luck ({sure})."


def headline(findings: Findings) -> str:
    """The first cell's greatest effect, on the seat concerned before who wins before the length of a game."""
    told = measured(findings, cells_told(findings)[0])
    sure = next((one for one in told if one.sure.height), None)
    if sure is None:
        known = findings.run.words.ablation
        return f"No {known.word if known else 'component'} matters beyond luck in these deals"
    return capital(sure.told(sure.sure.row(0, named=True)))


def side_by_side(findings: Findings, cell: int) -> pl.DataFrame:
    """A row per component of a cell with the effects of all measures, what is beyond luck first."""
    parts = measured(findings, cell)
    table = pl.concat([one.rows.select("component") for one in parts]).unique(maintain_order=True)
    for place, one in enumerate(parts):
        rows = one.rows.select(KEYS).rename({name: f"{name}_{place}" for name in KEYS[1:]})
        table = table.join(rows, on="component", how="left", maintain_order="left")
    adjusted = pl.min_horizontal(f"p_adjusted_{place}" for place in range(len(parts)))
    return table.with_columns(surest=adjusted).sort("surest", nulls_last=True, maintain_order=True)
