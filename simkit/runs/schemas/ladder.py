"""The results of a ladder as a model: players of rising strength, and what each of them says of the game."""

from typing import Annotated, Literal

from pydantic import BaseModel, Field

MILLISECONDS = "milliseconds"  # in the manifest, under machine: strategy -> processor time per decision
Value = bool | int | float | str


class Estimate(BaseModel):
    """A number with its 95 % interval."""

    value: float
    low: float
    high: float


class Answers(BaseModel):
    """What the mirror of a rung says of a setting."""

    setting: dict[str, Value]
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
