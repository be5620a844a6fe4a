"""What the answer of a screen of many options must hold before anybody reads it."""

from collections.abc import Iterable
from typing import Annotated, Self

from pydantic import BaseModel, ConfigDict, Field, model_validator

Number = Annotated[float, Field(allow_inf_nan=False)]
Count = Annotated[int, Field(ge=1, lt=2**63)]
Value = bool | int | str
Look = Annotated[str, Field(pattern=r"^[a-z]{1,9}\d{0,3}$")]  # the name of a folder


class _Form(BaseModel):
    model_config = ConfigDict(strict=True, extra="forbid")


class _Whose(_Form):
    lineup: str
    measure: str
    seat: Annotated[int, Field(ge=0, lt=2**31)] | None
    option: str


class EffectForm(_Whose):
    unit: str
    effect: Number
    low: Number
    high: Number
    margin: Annotated[Number, Field(ge=0)]
    verdict: str = Field(pattern="^(matters|slight|nothing|open)$")
    how: str = Field(pattern="^(alone|averaged)$")

    @model_validator(mode="after")
    def rises(self) -> Self:
        if not self.low <= self.effect <= self.high:
            raise ValueError(f"a change outside its interval from {self.low:g} to {self.high:g}")
        return self


class IndexForm(_Whose):
    first: Number
    first_low: Number
    first_high: Number
    total: Number
    total_low: Number
    total_high: Number
    luck: Annotated[Number, Field(ge=0, le=1)]

    @model_validator(mode="after")
    def rises(self) -> Self:
        if not (
            self.first_low <= self.first <= self.first_high
            and self.total_low <= self.total <= self.total_high
        ):
            raise ValueError("an index outside its interval")
        return self


class MarginForm(_Form):
    measure: str
    margin: Annotated[Number, Field(ge=0)]


class ScreenForm(_Form):
    kind: str
    rows: Count
    deals: Count
    alone: Count
    told: list[str]
    levels: dict[str, Annotated[list[Value], Field(min_length=2, max_length=2)]] = Field(min_length=1)
    effects: list[EffectForm] = Field(min_length=1)
    margins: list[MarginForm] = Field(min_length=1)
    strongest: list[str] = Field(min_length=1)
    sobol: list[IndexForm]
    looks: list[Look] = Field(min_length=1)
    sample: Annotated[int, Field(ge=0, lt=2**31)]

    @model_validator(mode="after")
    def fits(self) -> Self:
        """Every option that was screened has its changes, every measure a margin."""
        options = {row.option for row in self.effects}
        if options != self.levels.keys() or not set(self.strongest) <= options:
            raise ValueError("the options in it are not those in 'levels'")
        if not {row.option for row in self.sobol} <= options:
            raise ValueError("an index of an option that is not in 'levels'")
        keys = [(row.how, row.lineup, row.measure, row.seat, row.option) for row in self.effects]
        groups = {key[1:4] for key in keys}
        if len(set(keys)) < len(keys) or len(keys) != 2 * len(groups) * len(options):
            raise ValueError("an option without its changes, alone and averaged, or with more of them")
        known = {row.measure for row in self.margins}
        if not {row.measure for row in (*self.effects, *self.sobol)} <= known:
            raise ValueError("a measure in it has no margin")
        return self

    def check_run(self, varied: Iterable[str], seats: int) -> None:
        """Refuse the answer of a screen whose strongest options are not those of the run."""
        if set(self.strongest) != set(varied):
            raise ValueError("'strongest' has other options than the run")
        if any(row.seat is not None and row.seat >= seats for row in (*self.effects, *self.sobol)):
            raise ValueError("a seat that the run has not")
