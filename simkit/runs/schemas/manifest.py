"""Schema of the manifest of a run folder, which may be damaged although its checksum is valid."""

from datetime import datetime
from typing import Annotated, Any, Self

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationError, model_validator

from simkit.runs import table_files
from simkit.runs.experiment import Experiment, lineups_of, parse
from simkit.runs.run_metadata import RunWords
from simkit.runs.shards import Layout

Count = Annotated[int, Field(ge=1, lt=2**63)]
OptionValue = bool | Annotated[int, Field(ge=-(2**31), lt=2**31)] | str
Stamp = Annotated[str, AfterValidator(lambda text: datetime.fromisoformat(text) and text)]
MOST_SHARDS = 1_000_000


class CellForm(BaseModel):
    """A cell of the run."""

    model_config = ConfigDict(strict=True, extra="forbid")

    index: int
    game: str
    seats: Count
    options: dict[str, OptionValue]
    varied: dict[str, OptionValue]
    lineup: list[str]
    rotations: Count
    deals: Count
    first_play: int
    stride: Count
    baseline: bool
    target: Annotated[float, Field(gt=0, lt=1)] | None


class RunForm(BaseModel):
    """The keys of a manifest that are read."""

    model_config = ConfigDict(strict=True)

    simkit: str
    python: str
    numpy: str
    numba: str
    sources: dict[str, str]
    experiment: dict[str, Any]
    files: dict[str, str]
    cells: list[CellForm] = Field(min_length=1)
    layout: list[Count] = Field(min_length=2, max_length=2)
    spans: list[Count] = Field(min_length=1)
    columns: dict[str, dict[str, str]]
    asked_columns: list[str]
    tables: dict[str, dict[str, list[list[str]]]] = {}
    words: RunWords
    command: str | None
    started: Stamp
    finished: Stamp | None
    seed: int
    seconds: float = Field(ge=0, allow_inf_nan=False)
    games: int = Field(ge=0)
    answer: str | None = None

    @model_validator(mode="after")
    def fits(self) -> Self:
        """Refuse cells, deals or texts that do not belong to the experiment."""
        experiment = parse(self.experiment)
        if self.seed != experiment.seed:
            raise ValueError(f"'seed' is {self.seed}, that of the experiment {experiment.seed}")
        if sorted({*self.spans}) != self.spans or experiment.deals not in self.spans:
            raise ValueError("the deals in 'spans' do not rise to those of the experiment")
        self._check_cells(experiment)
        self._check_words(experiment)
        deals = [cell.deals if experiment.adaptive else self.spans[-1] for cell in self.cells]
        rows = sum(most * cell.rotations * cell.seats for most, cell in zip(deals, self.cells, strict=True))
        if rows / Layout(*self.layout).size(rows) > MOST_SHARDS:
            raise ValueError(f"'layout' asks for more than {MOST_SHARDS:,} shards")
        return self

    def _check_cells(self, experiment: Experiment) -> None:
        """Refuse cells that are not those of the experiment, and swept values of mixed types."""
        lineups = [list(map(str, lineup)) for lineup in lineups_of(experiment)]
        swept = {name.strip() for key in experiment.sweep for name in key.split(",")}
        if any(len({type(cell.varied.get(name)) for cell in self.cells}) > 1 for name in swept):
            raise ValueError("an option that is swept has values of several kinds")
        stride, play = sum(cell.rotations for cell in self.cells), 0
        for place, cell in enumerate(self.cells):
            lineup = lineups[place % len(lineups)]
            expected = {"index": place, "game": experiment.game, "lineup": lineup, "seats": len(lineup)}
            expected |= {"first_play": play, "stride": stride}
            matches = cell.model_dump(include={*expected}) == expected and cell.rotations in (1, cell.seats)
            if not matches or cell.varied.keys() != swept or cell.deals > self.spans[-1]:
                raise ValueError(f"cell {place} is not that of the experiment")
            play += cell.rotations

    def _check_words(self, experiment: Experiment) -> None:
        played = {named.name for lineup in lineups_of(experiment) for named in lineup}
        given = {name for cell in self.cells for name in (*cell.options, *cell.varied)}
        options = {name for name in given if not table_files.is_file(name)}
        for name in sorted(played - self.words.strategies.keys() | options - self.words.options.keys()):
            raise ValueError(f"'words' has none for {name}")


def first_fault(error: Exception) -> str:
    """Return the message of an error; for a `ValidationError` its first key and reason."""
    if not isinstance(error, ValidationError):
        return str(error)
    fault = error.errors()[0]
    key, message = ".".join(map(str, fault["loc"])), fault["msg"].removeprefix("Value error, ")
    return f"{key}: {message}" if key else message
