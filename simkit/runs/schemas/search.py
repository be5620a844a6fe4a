"""Schemas of search.json, the answer of a search for a fair value, of a screen, or of a design.

A run folder may be damaged although its checksums are valid; without these checks a page would fail.
"""

import itertools
import json
from collections.abc import Iterable
from pathlib import Path
from typing import Annotated, Any, ClassVar, Self

from pydantic import BaseModel, ConfigDict, Field, model_validator

from simkit.errors import UsageError
from simkit.runs.schemas.manifest import Count, first_fault

Whole = Annotated[int, Field(ge=-(2**31), lt=2**31)]
Place = Annotated[int, Field(ge=0, lt=2**31)]
Number = Annotated[float, Field(ge=-1e100, le=1e100)]
Share = Annotated[float, Field(ge=-1e-6, le=1 + 1e-6)]  # with room for rounding
Value = bool | int | str
Look = Annotated[str, Field(pattern=r"^[a-z]{1,9}\d{0,4}$")]  # name of a folder
FAIR = "fair"
CURE = "restore it from a copy, or search again in another folder"


class _Form(BaseModel):
    model_config = ConfigDict(strict=True, extra="forbid")


class _Answer(_Form):
    OPTIONS: ClassVar[str] = "vary"  # field with the options that the run varies
    SEATED: ClassVar[tuple[str, ...]]  # fields whose rows have a seat

    def check_run(self, varied: set[str], seats: int) -> None:
        """Refuse an answer with options or seats that the run does not have."""
        if {*getattr(self, self.OPTIONS)} != varied:
            raise ValueError(f"'{self.OPTIONS}' has other options than the run")
        if any((row.seat or 0) >= seats for name in self.SEATED for row in getattr(self, name)):
            raise ValueError("a seat that the run has not")


class ValueForm(_Form):
    """The fair value of an option for a lineup, with its interval."""

    lineup: str
    option: str
    value: Number | None
    low: Number | None
    high: Number | None
    best: Whole


class PointForm(_Form):
    """A measurement; its extra keys are the values of all options that were varied."""

    model_config = ConfigDict(strict=True, extra="allow")
    __pydantic_extra__: dict[str, Whole]

    look: Look
    lineup: str
    seat: Place
    share: Share
    low: Share
    high: Share
    deals: Count


class CurveForm(_Form):
    """A point of a fitted curve."""

    lineup: str
    option: str
    seat: Place
    x: Number
    share: Share
    low: Share | None
    high: Share | None


class SearchForm(_Answer):
    """The answer of a search for a fair value."""

    SEATED = ("points", "curve")

    vary: dict[str, Annotated[list[Whole], Field(min_length=2, max_length=2)]] = Field(min_length=1)
    usual: dict[str, Whole]
    fair: float = Field(gt=0, lt=1)
    values: list[ValueForm] = Field(min_length=1)
    points: list[PointForm] = Field(min_length=1)
    curve: list[CurveForm] = Field(min_length=1)
    differing_lineups: list[Annotated[list[str], Field(min_length=2, max_length=2)]]
    unfit: list[str]

    @model_validator(mode="after")
    def fits(self) -> Self:
        """Refuse options that were not varied, and values without a curve."""
        valued = {(row.lineup, row.option) for row in self.values}
        if {(row.lineup, row.option) for row in self.curve} != valued:
            raise ValueError("a lineup has no curve")
        settings = [self.usual, *(row.__pydantic_extra__ for row in self.points)]
        if any({*setting} != {*self.vary} for setting in (*settings, [option for _, option in valued])):
            raise ValueError("the options in it are not those in 'vary'")
        return self


class _Measured(_Form):
    lineup: str
    measure: str
    seat: Place | None
    option: str


class EffectForm(_Measured):
    """The effect of an option on a measure, with its verdict."""

    unit: str
    effect: Number
    low: Number
    high: Number
    margin: Annotated[Number, Field(ge=0)]
    verdict: str = Field(pattern="^(matters|slight|nothing|open)$")
    how: str = Field(pattern="^(alone|averaged)$")


class IndexForm(_Measured):
    """The first-order and total Sobol indices of an option."""

    first: Number
    first_low: Number
    first_high: Number
    total: Number
    total_low: Number
    total_high: Number
    luck: Annotated[Number, Field(ge=0, le=1)]


class MarginForm(_Form):
    """The smallest effect on a measure that matters."""

    measure: str
    margin: Annotated[Number, Field(ge=0)]


class ScreenForm(_Answer):
    """The answer of a screen of many options."""

    OPTIONS = "strongest"
    SEATED = ("effects", "sobol")

    kind: str
    rows: Count
    deals: Count
    alone: Count
    notes: list[str]
    levels: dict[str, Annotated[list[Value], Field(min_length=2, max_length=2)]] = Field(min_length=1)
    effects: list[EffectForm] = Field(min_length=1)
    margins: list[MarginForm] = Field(min_length=1)
    strongest: list[str] = Field(min_length=1)
    sobol: list[IndexForm]
    side_runs: list[Look] = Field(min_length=1)
    sample: Place

    @model_validator(mode="after")
    def fits(self) -> Self:
        """Refuse options without effects, and measures without a margin."""
        keys = [(row.how, row.lineup, row.measure, row.seat, row.option) for row in self.effects]
        groups, options = {key[1:4] for key in keys}, {row.option for row in self.effects}
        if len({*keys}) < len(keys) or len(keys) != 2 * len(groups) * len(options):
            raise ValueError("an option without its changes, alone and averaged, or with more of them")
        if options != self.levels.keys() or not options.issuperset(self.strongest):
            raise ValueError("the options in it are not those in 'levels'")
        if not {row.measure for row in self.effects} <= {row.measure for row in self.margins}:
            raise ValueError("a measure in it has no margin")
        return self


class GoalForm(_Form):
    """A goal of a design: a measure and its range."""

    wish: str
    measure: str
    seat: Place | None
    unit: str
    low: Number | None
    high: Number | None
    printed: bool
    scale: Annotated[Number, Field(gt=0)]


class RowForm(_Form):
    """The estimate of a goal's measure for a lineup."""

    lineup: str
    goal: Place
    value: Number
    mean: Number
    low: Number
    high: Number


class TriedForm(_Form):
    """A setting that was played, with its loss."""

    setting: dict[str, Value]
    deals: Count
    loss: Number
    rows: list[RowForm] = Field(min_length=1)


class DesignForm(_Answer):
    """The answer of a search for rules that meet goals."""

    SEATED = ("goals",)

    kind: str
    vary: dict[str, Annotated[list[Value], Field(min_length=2)]] = Field(min_length=1)
    goals: list[GoalForm] = Field(min_length=1)
    trials: list[TriedForm] = Field(min_length=1)
    printed: dict[str, Value]
    refused: Place
    deals: Count
    side_runs: list[Look] = Field(min_length=1)

    @model_validator(mode="after")
    def fits(self) -> Self:
        """Refuse settings of options that were not varied, or without a row for each goal and lineup."""
        if any(trial.setting.keys() != self.vary.keys() for trial in self.trials):
            raise ValueError("the options in it are not those in 'vary'")
        lineups = {row.lineup for trial in self.trials for row in trial.rows}
        wanted = sorted(itertools.product(lineups, range(len(self.goals))))
        if any(sorted((row.lineup, row.goal) for row in trial.rows) != wanted for trial in self.trials):
            raise ValueError("a setting without a number for each wish and lineup, or with more of them")
        if any(goal.low is None and goal.high is None for goal in self.goals):
            raise ValueError("a wish without an end")
        return self


FORMS: dict[str, type[_Answer]] = {FAIR: SearchForm, "screen": ScreenForm, "design": DesignForm}


def kind_of(answer: Any) -> str:
    """Return the kind of search of an answer; an answer without `kind` is that of a fair value."""
    return str(answer.get("kind", FAIR)) if isinstance(answer, dict) else FAIR


def read(path: Path, varied: Iterable[str], seats: int) -> dict[str, Any]:
    """Read the answer of a search; refuses one with options or seats that the run does not have."""
    try:
        answer = json.loads(path.read_text("utf-8"))
        form = FORMS.get(kind_of(answer), SearchForm)
        form.model_validate(answer).check_run({*varied}, seats)
    except (ValueError, RecursionError, OSError) as error:
        why = first_fault(error)
        raise UsageError(f"{path}: is not the answer of a search: {why}; {CURE}") from None
    return dict(answer)
