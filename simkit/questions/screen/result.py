"""Results of a screening: effects of options alone and averaged over the others, and their tables."""

import itertools
from collections.abc import Mapping, Sequence
from typing import Any, Literal, Self

import numpy as np
import polars as pl
from numpy.typing import NDArray
from pydantic import BaseModel, Field, model_validator

from simkit.runs.answers import Count, Number, SettingValue, Share, Stage, StudyResults
from simkit.runs.folder import Run
from simkit.stats import factorial
from simkit.stats.quantiles import Floats
from simkit.tables.compare import Measure, logged_measures, means_by_deal, shares_won
from simkit.tables.findings import Findings, finding

EffectRow = dict[str, Any]
USUAL = ("turns", "lead_changes")  # measures besides the shares: length and drama of games


class Effect(BaseModel):
    """The effect of an option on a measure, with its verdict."""

    how: Literal["alone", "averaged"]
    lineup: str
    measure: str
    seat: Count | None
    unit: str
    option: str
    effect: Number
    low: Number
    high: Number
    margin: Number
    verdict: Literal["matters", "slight", "nothing", "open"]


class SobolIndex(BaseModel):
    """The first-order and total Sobol indices of an option, with their intervals."""

    lineup: str
    measure: str
    seat: Count | None
    option: str
    first: Number
    first_low: Number
    first_high: Number
    total: Number
    total_low: Number
    total_high: Number
    luck: Share  # part of the variance between settings that is luck of the deals


class MeasureMargin(BaseModel):
    """The smallest effect on a measure that matters."""

    measure: str
    margin: Number


class Screening(StudyResults):
    """The results of a screening of many options."""

    kind: Literal["screen"] = "screen"
    rows: Count  # settings of the design
    deals: Count
    alone: Count  # deals of a setting that changes one option
    notes: list[str]
    levels: dict[str, tuple[SettingValue, SettingValue]]
    margins: list[MeasureMargin]
    effects: list[Effect] = Field(min_length=1)
    strongest: list[str] = Field(min_length=1)
    sobol: list[SobolIndex]
    sample: Count
    side_runs: list[Stage]

    @property
    def stages(self) -> list[str]:
        """Names of the side runs."""
        return self.side_runs

    @property
    def options(self) -> list[str]:
        """Options that the final run varies: the strongest."""
        return self.strongest

    @model_validator(mode="after")
    def check_options(self) -> Self:
        """Refuse effects of options without two values."""
        if {row.option for row in self.effects} != {*self.levels} or not {*self.strongest} <= {*self.levels}:
            raise ValueError("the options in it are not those in 'levels'")
        return self


def measures_to_screen(run: Run, columns: Sequence[str] = ()) -> list[Measure]:
    """Return the share measures and log columns: the given ones, else turns and, if logged, lead changes."""
    seats, logged = run.cells[0].seats, run.meanings("games")
    shares = shares_won(run, 1 if run.team or seats == 2 else seats)
    names = dict.fromkeys(columns or [name for name in USUAL if name in logged or name == "turns"])
    return [*shares, *(measure for name in names for measure in logged_measures(run, seats, name))]


def effects_table(
    run: Run, weights: Floats, which: Sequence[tuple[str, ...]], every: Sequence[Measure], families: int = 1
) -> list[EffectRow]:
    """Return effects with intervals for each column of weights [setting, column], by lineup and measure.

    which: the option of each column, or two options of an interaction; families: number of tables like this
    one whose intervals all hold simultaneously at 95 %.
    """
    values, by_name = means_by_deal(run, every), {measure.name: measure for measure in every}
    tests, rows = families * weights.shape[1] * len(values), list[EffectRow]()
    for (lineup, name), seen in values.items():
        measure, estimate = by_name[name], factorial.effects(weights, seen, tests)
        front = {"lineup": lineup, "measure": measure.measure, "seat": measure.seat, "unit": measure.unit}
        ends = zip(which, *(part.tolist() for part in estimate[:3]), strict=True)
        for names, effect, low, high in ends:
            numbers = {"effect": effect, "low": low, "high": high}
            rows.append(front | {"option": names[0], "with": (*names, None)[1], **numbers})
    return rows


def negligible_changes(run: Run, every: Sequence[Measure], margin: float, small: float) -> dict[str, float]:
    """Return by measure the largest negligible change: `margin` for shares, else relative to the mean.

    small: negligible fraction of the usual mean. The usual mean is that of the first setting, over all
    lineups.
    """
    limits = {measure.measure: margin for measure in every if measure.unit == "share"}
    rest = {measure.name: measure.measure for measure in every if measure.unit != "share"}
    usual: dict[str, list[float]] = {}
    for (_, name), values in means_by_deal(
        run, [measure for measure in every if measure.name in rest]
    ).items():
        usual.setdefault(rest[name], []).append(float(values[0].mean()))
    return limits | {name: small * abs(float(np.mean(means))) for name, means in usual.items()}


def judge_effects(rows: list[EffectRow], margins: Mapping[str, float]) -> list[EffectRow]:
    """Return rows with the margin of their measure, and a verdict on whether the effect matters."""
    kinds = [factorial.kind(row["low"], row["high"], margins[row["measure"]]) for row in rows]
    return [
        row | {"margin": margins[row["measure"]], "verdict": kind}
        for row, kind in zip(rows, kinds, strict=True)
    ]


@finding
def dials(findings: Findings) -> pl.DataFrame:
    """Per lineup, measure and option of a screen: effect with interval, and a verdict on whether it matters.

    effect, low, high: alone, from the usual rules; averaged...: over both values of all other options. All
    intervals hold simultaneously at 95 %. verdict: matters where either effect does, nothing where both are
    negligible, slight where either differs from 0, else open.
    """
    if findings.run.kind != "screen":
        return pl.DataFrame()
    table = pl.DataFrame(list(map(dict, findings.run.answer_of(Screening).effects)), infer_schema_length=None)
    alone, averaged = (table.filter(how=kind).drop("how") for kind in ("alone", "averaged"))
    numbers = {name: f"averaged_{name}" for name in ("low", "high", "verdict")} | {"effect": "averaged"}
    key = ["lineup", "measure", "seat", "option"]
    other = averaged.select(*key, *numbers).rename(numbers)
    both = alone.rename({"verdict": "alone_verdict"})
    both = both.join(other, on=key, how="left", nulls_equal=True, maintain_order="left")
    pairs = both.select("alone_verdict", "averaged_verdict").iter_rows()
    return both.with_columns(verdict=pl.Series(itertools.starmap(_joint_verdict, pairs)))


def _joint_verdict(alone: str, averaged: str) -> str:
    """Return the verdict on an option from those on its effect alone and its averaged effect."""
    if alone == averaged:
        return alone
    strongest = (kind for kind in (factorial.MATTERS, factorial.SLIGHT) if kind in (alone, averaged))
    return next(strongest, factorial.OPEN)


@finding
def together(findings: Findings) -> pl.DataFrame:
    """Per lineup, measure and one or two (`with`) of a screen's strongest options: effects on fresh deals.

    All other options are as in the rulebook. The effect of two options is half the difference between the
    effects of one at the two values of the other. All intervals hold simultaneously at 95 %.
    """
    if findings.run.kind != "screen":
        return pl.DataFrame()
    high, names = _second_values(findings), findings.run.answer_of(Screening).strongest
    design, which = factorial.with_pairs(np.where(high, 1, -1).astype(np.int8))
    pairs = [tuple(names[i] for i in indices) for indices in which]
    return _fresh_table(findings, factorial.balanced(design), pairs)


@finding
def alone_again(findings: Findings) -> pl.DataFrame:
    """Per lineup, measure and strongest option of a screen: effect alone on fresh deals, all others as usual.

    All intervals hold simultaneously at 95 %.
    """
    if findings.run.kind != "screen":
        return pl.DataFrame()
    high, names = _second_values(findings), findings.run.answer_of(Screening).strongest
    ones = [np.all(high == own, axis=1) for own in np.eye(len(names), dtype=bool)]
    usual = np.all(~high, axis=1, keepdims=True)
    weights = np.stack(ones, axis=1).astype(float) - usual
    return _fresh_table(findings, weights, [(name,) for name in names]).drop("with")


def _second_values(findings: Findings) -> NDArray[np.bool_]:
    """Return a mask [setting, option] of the strongest options that have their second value.

    The settings are those of the folder's own run.
    """
    screen, run = findings.run.answer_of(Screening), (findings.whole or findings).run
    names, levels = screen.strongest, screen.levels
    settings = {repr(cell.varied): cell.varied for cell in run.cells}.values()
    return np.array([[levels[name].index(setting[name]) for name in names] for setting in settings]) > 0


def _fresh_table(findings: Findings, weights: Floats, which: Sequence[tuple[str, ...]]) -> pl.DataFrame:
    """Return a table of the folder's own run, judged by the margins of the screen."""
    screen, run = findings.run.answer_of(Screening), (findings.whole or findings).run
    limits = {row.measure: row.margin for row in screen.margins}
    every = measures_to_screen(run, [name for name in limits if name != "share"])
    return pl.DataFrame(
        judge_effects(effects_table(run, weights, which, every), limits), infer_schema_length=None
    )


@finding
def sobol_indices(findings: Findings) -> pl.DataFrame:
    """Per strongest option of a screen: Sobol indices, first order and total, with 95 % intervals."""
    rows = findings.run.answer_of(Screening).sobol if findings.run.kind == "screen" else []
    return pl.DataFrame(list(map(dict, rows)), infer_schema_length=None)
