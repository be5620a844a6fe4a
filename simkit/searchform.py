"""What the answer of a search must hold before anybody reads it: run folders are handed on, and edited."""

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Annotated, Any, Self

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from simkit.designform import DesignForm
from simkit.errors import UsageError
from simkit.screenform import ScreenForm

Whole = Annotated[int, Field(ge=-(2**31), lt=2**31)]
Count = Annotated[int, Field(ge=1, lt=2**63)]
Number = Annotated[float, Field(allow_inf_nan=False)]
NEARLY = 1e-6  # how far rounding takes a number beyond its range, in parts of the range
Share = Annotated[float, Field(ge=-NEARLY, le=1 + NEARLY)]
FAIR = "fair"
CURE = "restore it from a copy, or search again in another folder"


class _Form(BaseModel):
    model_config = ConfigDict(strict=True, extra="forbid")


class _Interval(BaseModel):
    """Something with an interval, either end of which may be open."""

    low: Number | None
    high: Number | None

    @model_validator(mode="after")
    def rises(self) -> Self:
        if self.low is not None and self.high is not None and self.low > self.high:
            raise ValueError(f"an interval from {self.low:g} to {self.high:g}")
        return self


class ValueForm(_Form, _Interval):
    lineup: str
    option: str
    value: Number | None
    best: Whole

    @property
    def places(self) -> list[float | None]:
        return [self.value, self.low, self.high, self.best]


class PointForm(_Interval):
    """What a look measured; besides these keys a whole number for every option that was varied."""

    model_config = ConfigDict(strict=True, extra="allow")
    __pydantic_extra__: dict[str, Whole]

    look: str = Field(pattern=r"^[a-z]{1,9}\d{0,3}$")  # the name of a folder
    lineup: str
    seat: Whole
    share: Share
    low: Share
    high: Share
    deals: Count


class CurveForm(_Form, _Interval):
    lineup: str
    option: str
    seat: Whole
    x: Number
    share: Share
    low: Share | None
    high: Share | None

    @property
    def places(self) -> list[float | None]:
        return [self.x]


class SearchForm(_Form):
    vary: dict[str, Annotated[list[Whole], Field(min_length=2, max_length=2)]] = Field(min_length=1)
    usual: dict[str, Whole]
    fair: float = Field(gt=0, lt=1)
    values: list[ValueForm] = Field(min_length=1)
    points: list[PointForm] = Field(min_length=1)
    curve: list[CurveForm] = Field(min_length=1)
    apart: list[Annotated[list[str], Field(min_length=2, max_length=2)]]
    unfit: list[str]

    @model_validator(mode="after")
    def fits(self) -> Self:
        """Each lineup has a value and a curve of each option that was varied, within what was tried."""
        lineups, every = {row.lineup for row in self.values}, self.vary.keys()
        wanted = {(lineup, option) for lineup in lineups for option in every}
        options = [self.usual.keys(), *(row.__pydantic_extra__.keys() for row in self.points)]
        if any(one != every for one in options) or not {row.option for row in self._rows} <= every:
            raise ValueError("the options in it are not those in 'vary'")
        named = {row.lineup for row in self.points} | {row.lineup for row in self.curve}
        if not named | {*self.unfit, *(name for pair in self.apart for name in pair)} <= lineups:
            raise ValueError("a lineup in it has no fair value")
        if sorted((row.lineup, row.option) for row in self.values) != sorted(wanted):
            raise ValueError("a lineup has another number of values than one for each option")
        if {(row.lineup, row.option) for row in self.curve} != wanted:
            raise ValueError("a lineup has no curve")
        return self

    @model_validator(mode="after")
    def lies_within(self) -> Self:
        """Ranges rise, and all that was found lies within them."""
        for name, (low, high) in self.vary.items():
            if low >= high:
                raise ValueError(f"the range of {name} does not rise")
            spare = NEARLY * (high - low)
            places = [place for row in self._rows if row.option == name for place in row.places]
            places += [row.__pydantic_extra__[name] for row in self.points]
            if any(not low - spare <= place <= high + spare for place in places if place is not None):
                raise ValueError(f"a place beyond the range of {name}")
        return self

    @property
    def _rows(self) -> list[ValueForm | CurveForm]:
        return [*self.values, *self.curve]

    def check_run(self, varied: Iterable[str], seats: int) -> None:
        """Refuse the answer of a search of other options or seats than a run has."""
        if self.vary.keys() != set(varied):
            raise ValueError("'vary' has other options than the run")
        if not {row.seat for row in self.points} | {row.seat for row in self.curve} <= {*range(seats)}:
            raise ValueError("a seat that the run has not")


FORMS: dict[str, type[SearchForm | ScreenForm | DesignForm]] = {FAIR: SearchForm}
FORMS |= {"screen": ScreenForm, "design": DesignForm}


def kind_of(known: Any) -> str:
    """What kind of search an answer is of: the first kind there was does not say so."""
    return str(known.get("kind", FAIR)) if isinstance(known, dict) else FAIR


def read(path: Path, swept: Iterable[str], seats: int) -> dict[str, Any]:
    """The answer of a search for options and seats that a run has; refused if it cannot be one."""
    try:
        known = json.loads(path.read_text("utf-8"))
        form = FORMS.get(kind_of(known), SearchForm)
        form.model_validate(known).check_run(swept, seats)
    except ValidationError as error:
        first = error.errors()[0]
        key, said = ".".join(map(str, first["loc"])), first["msg"].removeprefix("Value error, ")
        what = f"{key}: {said}" if key else said
        raise UsageError(f"{path}: is not the answer of a search: {what}; {CURE}") from None
    except (ValueError, RecursionError, OSError) as error:
        raise UsageError(f"{path}: is not the answer of a search: {error}; {CURE}") from None
    return dict(known)
