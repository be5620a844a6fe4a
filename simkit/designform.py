"""What the answer of a search for rules that meet wishes must hold before anybody reads it."""

from collections.abc import Iterable
from typing import Annotated, Self

from pydantic import BaseModel, ConfigDict, Field, model_validator

Number = Annotated[float, Field(allow_inf_nan=False)]
Count = Annotated[int, Field(ge=1, lt=2**63)]
Place = Annotated[int, Field(ge=0, lt=2**31)]
Value = bool | int | str
Look = Annotated[str, Field(pattern=r"^[a-z]{1,9}\d{0,4}$")]  # the name of a folder


class _Form(BaseModel):
    model_config = ConfigDict(strict=True, extra="forbid")


class GoalForm(_Form):
    wish: str
    measure: str
    seat: Place | None
    unit: str
    low: Number | None
    high: Number | None
    printed: bool
    scale: Annotated[Number, Field(gt=0)]

    @model_validator(mode="after")
    def rises(self) -> Self:
        if self.low is None and self.high is None:
            raise ValueError("a wish without an end")
        if self.low is not None and self.high is not None and self.low >= self.high:
            raise ValueError(f"a wish from {self.low:g} to {self.high:g}")
        return self


class RowForm(_Form):
    lineup: str
    goal: Place
    value: Number
    mean: Number
    low: Number
    high: Number

    @model_validator(mode="after")
    def rises(self) -> Self:
        if not self.low <= self.mean <= self.high:
            raise ValueError(f"a mean outside its interval from {self.low:g} to {self.high:g}")
        return self


class TriedForm(_Form):
    setting: dict[str, Value]
    deals: Count
    loss: Number
    rows: list[RowForm] = Field(min_length=1)


class DesignForm(_Form):
    kind: str
    vary: dict[str, Annotated[list[Value], Field(min_length=2)]] = Field(min_length=1)
    goals: list[GoalForm] = Field(min_length=1)
    tried: list[TriedForm] = Field(min_length=1)
    printed: dict[str, Value]
    refused: Place
    deals: Count
    looks: list[Look] = Field(min_length=1)

    @model_validator(mode="after")
    def fits(self) -> Self:
        """Every setting has the options that were varied, every row one of the wishes."""
        if any(
            one.keys() != self.vary.keys() for one in (self.printed, *(one.setting for one in self.tried))
        ):
            raise ValueError("the options in it are not those in 'vary'")
        lineups = {row.lineup for one in self.tried for row in one.rows}
        every = sorted((lineup, goal) for lineup in lineups for goal in range(len(self.goals)))
        if any(sorted((row.lineup, row.goal) for row in one.rows) != every for one in self.tried):
            raise ValueError("a setting without a number for each wish and lineup, or with more of them")
        if all(one.deals < self.deals for one in self.tried):
            raise ValueError("no setting that was measured on all deals")
        return self

    def check_run(self, varied: Iterable[str], seats: int) -> None:
        """Refuse the answer of a search of other options or seats than a run has."""
        if self.vary.keys() != set(varied):
            raise ValueError("'vary' has other options than the run")
        if any(goal.seat is not None and goal.seat >= seats for goal in self.goals):
            raise ValueError("a seat that the run has not")
