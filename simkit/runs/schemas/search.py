"""Results of searches (fair value, screening, rule design), as studies write and pages read them."""

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from simkit.errors import UsageError
from simkit.runs.schemas.manifest import first_fault

Value = bool | int | str
Stage = Annotated[str, Field(pattern=r"^[a-z]{1,9}\d{0,4}$")]  # name of a side run, which is a folder
SUGGESTION = "restore it from a copy, or search again in another folder"


class _Form(BaseModel):
    model_config = ConfigDict(allow_inf_nan=False)


class FairValue(_Form):
    """The fair value of an option for a lineup, with its interval and the best whole number."""

    lineup: str
    option: str
    value: float | None  # None: the range holds none
    low: float | None  # None: the interval is open beyond the range
    high: float | None
    best: int


class Point(_Form):
    """The measured share of a seat; the extra keys are the values of the varied options."""

    model_config = ConfigDict(extra="allow")
    __pydantic_extra__: dict[str, int]

    look: Stage
    lineup: str
    seat: int
    share: float
    low: float
    high: float
    deals: int


class CurvePoint(_Form):
    """A point of a fitted curve, with its 95 % band where there is one."""

    lineup: str
    option: str
    seat: int
    x: float
    share: float
    low: float | None = None
    high: float | None = None


class FairSearch(_Form):
    """The results of a search for a fair value."""

    kind: Literal["fair"] = "fair"
    vary: dict[str, tuple[int, int]]  # option -> range
    usual: dict[str, int]
    fair: float
    values: list[FairValue] = Field(min_length=1)
    points: list[Point]
    curve: list[CurvePoint]
    differing_lineups: list[tuple[str, str]]
    unfit: list[str]  # lineups that straight lines fit badly

    @property
    def side_runs(self) -> list[str]:
        """The names of the side runs."""
        return list(dict.fromkeys(point.look for point in self.points))


class Effect(_Form):
    """The effect of an option on a measure, with its verdict."""

    how: Literal["alone", "averaged"]
    lineup: str
    measure: str
    seat: int | None
    unit: str
    option: str
    effect: float
    low: float
    high: float
    margin: float
    verdict: Literal["matters", "slight", "nothing", "open"]


class SobolIndex(_Form):
    """The first-order and total Sobol indices of an option, with their intervals."""

    lineup: str
    measure: str
    seat: int | None
    option: str
    first: float
    first_low: float
    first_high: float
    total: float
    total_low: float
    total_high: float
    luck: float  # part of the variance between settings that is luck of the deals


class MeasureMargin(_Form):
    """The smallest effect on a measure that matters."""

    measure: str
    margin: float


class Screening(_Form):
    """The results of a screening of many options."""

    kind: Literal["screen"] = "screen"
    rows: int  # settings of the design
    deals: int
    alone: int  # deals of a setting that changes one option
    notes: list[str]
    levels: dict[str, tuple[Value, Value]]
    margins: list[MeasureMargin]
    effects: list[Effect] = Field(min_length=1)
    strongest: list[str] = Field(min_length=1)
    sobol: list[SobolIndex]
    sample: int
    side_runs: list[Stage]


class Goal(_Form):
    """A measure and the range in which it should lie; one wish may have several goals."""

    wish: str  # as written in the request
    measure: str  # share, or a column of the games table
    seat: int | None
    unit: str
    low: float | None
    high: float | None
    printed: bool  # whether the ends are differences from the printed rules
    scale: float = Field(default=1.0, gt=0)  # one tolerance, in the unit of the measure


class GoalEstimate(_Form):
    """The mean of a goal's measure for a lineup, with its interval."""

    lineup: str
    goal: int  # index
    value: float
    mean: float  # of the value, or of its difference from the printed rules
    low: float
    high: float


class Trial(_Form):
    """A setting that was played, with its distance from the wishes."""

    setting: dict[str, Value]
    deals: int
    loss: float
    rows: list[GoalEstimate]


class RuleDesign(_Form):
    """The results of a search for rules that meet wishes."""

    kind: Literal["design"] = "design"
    vary: dict[str, list[Value]]
    goals: list[Goal] = Field(min_length=1)
    trials: list[Trial] = Field(min_length=1)
    printed: dict[str, Value]
    refused: int  # number of settings that the game refuses
    deals: int
    side_runs: list[Stage]


Search = FairSearch | Screening | RuleDesign
FORMS: dict[str, type[Search]] = {"fair": FairSearch, "screen": Screening, "design": RuleDesign}


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
