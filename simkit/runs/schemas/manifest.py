"""The manifest of a run folder as a model: experiment, cells, versions and digests, progress, answer."""

from typing import Annotated, Any

from pydantic import BeforeValidator, ConfigDict, Field, PlainSerializer, ValidationError

from simkit.errors import UsageError
from simkit.runs.experiment import Experiment, stored
from simkit.runs.plan import Cell, Layout
from simkit.runs.run_metadata import RunWords
from simkit.runs.source_digests import Origin

FORMAT = 3  # of run folders; a folder whose manifest has no number has format 1
Count = Annotated[int, Field(ge=1, lt=2**63)]


def _experiment(keys: Any) -> Experiment:
    """Return the experiment of a run; refuse one whose files are not copies in the run folder."""
    experiment: Experiment = stored(keys) if isinstance(keys, dict) else keys
    for path in experiment.every_file().values():
        if not path.startswith("files/") or ".." in path.split("/"):
            raise UsageError(f"its file {path} does not lie in the run folder")
    return experiment


class Manifest(Origin):
    """All that explains a run, except source code."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    format: int = FORMAT
    experiment: Annotated[Experiment, BeforeValidator(_experiment), PlainSerializer(Experiment.keys)]
    files: dict[str, str]  # designer's file -> SHA-256
    cells: list[Cell] = Field(min_length=1)
    layout: Layout
    spans: list[Count] = Field(min_length=1)  # numbers of deals at which the run was or will be analysed
    columns: dict[str, dict[str, str]]  # table -> column -> meaning, in the order of the columns
    types: dict[str, dict[str, str]]  # table -> column -> Arrow type
    asked_columns: list[str] = []  # columns of the log to compare
    tables: dict[str, dict[str, list[list[str]]]]  # swept table -> file -> its rows
    words: RunWords
    machine: dict[str, Any]
    command: str | None
    started: str
    finished: str | None = None
    seconds: float = 0.0
    games: int = 0
    answer: str | None = None  # in a sentence


def first_fault(error: Exception) -> str:
    """Return the message of an error; for a `ValidationError` its first key and reason."""
    if not isinstance(error, ValidationError):
        return str(error)
    fault = error.errors()[0]
    key, message = ".".join(map(str, fault["loc"])), fault["msg"].removeprefix("Value error, ")
    return f"{key}: {message}" if key else message
