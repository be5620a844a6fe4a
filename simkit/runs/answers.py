"""The results of a study, `search.json`: what those of all questions have in common, and how they are read.

The results of a question are a subclass of `StudyResults` whose `kind` is the name of the question, so that
the import of `simkit.questions.KIND` defines it.
"""

import json
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Annotated, Any

from pydantic import BaseModel, Field

from simkit.errors import UsageError
from simkit.runs.manifest import first_fault

Whole = Annotated[int, Field(ge=-(2**31), lt=2**31)]
Count = Annotated[int, Field(ge=0, lt=2**31)]
Number = Annotated[float, Field(ge=-1e100, le=1e100)]
Share = Annotated[float, Field(ge=-1e-6, le=1 + 1e-6)]  # with room for rounding
SettingValue = bool | int | str
Stage = Annotated[str, Field(pattern=r"^[a-z]{1,9}\d{0,4}$")]  # name of a side run, which is a folder
FIRST_KIND = "fair"  # of files without a kind
SUGGESTION = "restore it from a copy, or search again in another folder"


class StudyResults(BaseModel, ABC):
    """The results of a study."""

    kind: str  # name of the question, and of its page

    @property
    @abstractmethod
    def stages(self) -> list[str]:
        """Names of the side runs."""

    @property
    def options(self) -> Iterable[str]:
        """Options that the final run varies."""
        return []

    @property
    def tried_settings(self) -> list[dict[str, SettingValue]]:
        """Settings tried before the final run, where pages list them."""
        return []

    def facts(self, label_of: Callable[[str], str]) -> Iterable[tuple[str, str]]:
        """Return how the study was carried out, as terms and texts; `label_of` labels an option."""
        return []


def read(path: Path, varied: Iterable[str]) -> StudyResults:
    """Read the results of a study; raise UsageError for results of other options than the run varies."""
    try:
        content: Any = json.loads(path.read_text("utf-8"))
        kind = str(content.get("kind", FIRST_KIND)) if isinstance(content, dict) else FIRST_KIND
        search = _model(kind).model_validate(content)
        if {*search.options} != {*varied}:
            raise ValueError("it has other options than the run")
    except (ValueError, TypeError, RecursionError, OSError) as error:
        why = first_fault(error)
        raise UsageError(f"{path}: is not the answer of a search: {why}; {SUGGESTION}") from None
    return search


def _model(kind: str) -> type[StudyResults]:
    """Return the class of the results of a question; ValueError if there is none."""
    if kind.isidentifier() and find_spec(module := f"simkit.questions.{kind}"):
        import_module(module)  # defines the class
    for model in StudyResults.__subclasses__():
        if model.model_fields["kind"].default == kind:
            return model
    raise ValueError(f"kind: no question '{kind}' has results")
