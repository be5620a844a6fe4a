"""The results of a ladder as a model: players of rising strength, and what each of them says of the game."""

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Annotated, Any, ClassVar, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, model_validator

from simkit.errors import UsageError
from simkit.runs.manifest import first_fault

MILLISECONDS = "milliseconds"  # in the manifest, under machine: strategy -> processor time per decision
RungValue = bool | int | float | str


class Estimate(BaseModel):
    """A number with its 95 % interval."""

    value: float
    low: float
    high: float


class Answers(BaseModel):
    """What the mirror of a rung says of a setting."""

    setting: dict[str, RungValue]
    deals: Annotated[int, Field(ge=1)]
    shares: list[Estimate]  # by seat; of a team, one
    verdict: str | None  # None: a team without a target
    turns: Estimate
    lead_changes: Estimate | None
    components: list[str]  # that go most with winning, the strongest first


class FairAt(BaseModel):
    """The value of an option at which the first player's share is fair; None where no value tried is."""

    option: str
    value: float | None
    low: float | None
    high: float | None


class Rung(BaseModel):
    """A player of the ladder: its strength and its answers; its cost is measured, and in the manifest."""

    strategy: str
    searches: bool  # whether it plays on with a policy
    run: str = ""  # name of its side run; empty for the run of the folder itself
    rival: str | None = None  # that it met; None for the lowest rung and for teams
    share: Estimate | None = None  # against the rival in all other seats
    elo: Estimate | None = None  # above the lowest rung
    agreement: float = 1.0  # part of the decisions of the highest rung that it would take, too
    answers: list[Answers] = []
    fair: FairAt | None = None  # where one whole-number option is varied


class Ladder(BaseModel):
    """The results of a ladder."""

    kind: Literal["ladder"] = "ladder"
    vary: list[str]  # options
    rungs: list[Rung] = Field(min_length=2)  # the weakest first

    @property
    def side_runs(self) -> list[str]:
        """The names of the side runs."""
        return [rung.run for rung in self.rungs if rung.run]


# Results of searches (fair value, screening, rule design, tuning), as studies write and pages read them.

Whole = Annotated[int, Field(ge=-(2**31), lt=2**31)]
Count = Annotated[int, Field(ge=0, lt=2**31)]
Number = Annotated[float, Field(ge=-1e100, le=1e100)]
Share = Annotated[float, Field(ge=-1e-6, le=1 + 1e-6)]  # with room for rounding
SettingValue = bool | int | str
Stage = Annotated[str, Field(pattern=r"^[a-z]{1,9}\d{0,4}$")]  # name of a side run, which is a folder
SUGGESTION = "restore it from a copy, or search again in another folder"


class FairValue(BaseModel):
    """The fair value of an option for a lineup, with its interval and the best whole number."""

    lineup: str
    option: str
    value: Number | None  # None: the range holds none
    low: Number | None  # None: the interval is open beyond the range
    high: Number | None
    best: Whole


class Point(BaseModel):
    """The measured share of a seat; the extra keys are the values of the varied options."""

    model_config = ConfigDict(extra="allow")
    __pydantic_extra__: dict[str, Whole]

    look: Stage
    lineup: str
    seat: Count
    share: Share
    low: Share
    high: Share
    deals: Count


class CurvePoint(BaseModel):
    """A point of a fitted curve, with its 95 % band where there is one."""

    lineup: str
    option: str
    seat: Count
    x: Number
    share: Share
    low: Share | None = None
    high: Share | None = None


class FairSearch(BaseModel):
    """The results of a search for a fair value."""

    kind: Literal["fair"] = "fair"
    vary: dict[str, tuple[Whole, Whole]]  # option -> range
    usual: dict[str, Whole]
    fair: Share
    values: list[FairValue] = Field(min_length=1)
    points: list[Point]
    curve: list[CurvePoint]
    differing_lineups: list[tuple[str, str]]
    unfit: list[str]  # lineups that straight lines fit badly

    @property
    def side_runs(self) -> list[str]:
        """The names of the side runs."""
        return list(dict.fromkeys(point.look for point in self.points))

    @model_validator(mode="after")
    def check_options(self) -> Self:
        """Refuse values without a curve, and values or measurements of other options."""
        valued = {(row.lineup, row.option) for row in self.values}
        if {(row.lineup, row.option) for row in self.curve} != valued:
            raise ValueError("a lineup has no curve")
        settings = [self.usual, *(point.__pydantic_extra__ for point in self.points)]
        if any({*names} != {*self.vary} for names in (*settings, [option for _, option in valued])):
            raise ValueError("the options in it are not those in 'vary'")
        return self


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


class Screening(BaseModel):
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

    @model_validator(mode="after")
    def check_options(self) -> Self:
        """Refuse effects of options without two values."""
        if {row.option for row in self.effects} != {*self.levels} or not {*self.strongest} <= {*self.levels}:
            raise ValueError("the options in it are not those in 'levels'")
        return self


class Goal(BaseModel):
    """A measure and the range in which it should lie; one wish may have several goals."""

    wish: str  # as written in the request
    measure: str  # share, or a column of the games table
    seat: Count | None
    unit: str
    low: Number | None
    high: Number | None
    printed: bool  # whether the ends are differences from the printed rules
    scale: Number = Field(default=1.0, gt=0)  # one tolerance, in the unit of the measure


class GoalEstimate(BaseModel):
    """The mean of a goal's measure for a lineup, with its interval."""

    lineup: str
    goal: Count  # index
    value: Number
    mean: Number  # of the value, or of its difference from the printed rules
    low: Number
    high: Number


class Trial(BaseModel):
    """A setting that was played, with its distance from the wishes."""

    setting: dict[str, SettingValue]
    deals: Count
    loss: Number
    rows: list[GoalEstimate]


class RuleDesign(BaseModel):
    """The results of a search for rules that meet wishes."""

    kind: Literal["design"] = "design"
    vary: dict[str, list[SettingValue]]
    goals: list[Goal] = Field(min_length=1)
    trials: list[Trial] = Field(min_length=1)
    printed: dict[str, SettingValue]
    refused: Count  # number of settings that the game refuses
    deals: Count
    side_runs: list[Stage]

    @model_validator(mode="after")
    def check_trials(self) -> Self:
        """Refuse settings of other options, and settings without a row for each goal."""
        if any({*trial.setting} != {*self.vary} for trial in self.trials):
            raise ValueError("the options in it are not those in 'vary'")
        if any({row.goal for row in trial.rows} != {*range(len(self.goals))} for trial in self.trials):
            raise ValueError("a setting without a number for each wish")
        return self


class Candidate(BaseModel):
    """Weights that were played, with their gain over the defaults in points of share, and its interval."""

    strategy: str  # as written in a lineup
    weights: dict[str, str]  # the tuned ones
    deals: Count
    gain: Number
    low: Number
    high: Number


class Tuning(BaseModel):
    """The results of a search for the weights of a strategy."""

    vary: ClassVar = ()  # it varies no options

    kind: Literal["tune"] = "tune"
    strategy: str  # the defaults, as written in a lineup
    tuned: str  # the best weights, as written in a lineup
    panel: list[str] = Field(min_length=1)  # opponents of the search; empty text: the strategy itself
    holdout: list[str]  # opponents of the check alone
    sampler: str
    trials: list[Candidate] = Field(min_length=1)  # the defaults first
    deals: Count
    side_runs: list[Stage]


Search = FairSearch | Screening | RuleDesign | Ladder | Tuning
FORMS: dict[str, type[Search]] = {"fair": FairSearch, "screen": Screening, "design": RuleDesign}
FORMS |= {"ladder": Ladder, "tune": Tuning}


def read(path: Path, varied: Iterable[str]) -> Search:
    """Read the results of a search; raise UsageError for results of other options than the run varies."""
    try:
        content: Any = json.loads(path.read_text("utf-8"))
        kind = content.get("kind", "fair") if isinstance(content, dict) else "fair"
        search = FORMS.get(kind, FairSearch).model_validate(content)
        if {*(search.strongest if isinstance(search, Screening) else search.vary)} != {*varied}:
            raise ValueError("it has other options than the run")
    except (ValueError, TypeError, RecursionError, OSError) as error:
        why = first_fault(error)
        raise UsageError(f"{path}: is not the answer of a search: {why}; {SUGGESTION}") from None
    return search
