"""Results: a finished run with its findings, its answer and its page."""

from __future__ import annotations

import os
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import Annotated, Any, TypeAlias

from pydantic import PlainValidator

from simkit.ask.arguments import Location
from simkit.ask.execution import Execution, carry_out, conduct
from simkit.ask.question import checked
from simkit.ask.study import Study
from simkit.engine import registry
from simkit.page.document.parts import Report
from simkit.page.recipe import recipe_for
from simkit.runs import folder as runs
from simkit.runs import manifest
from simkit.runs.experiment import Experiment, resolve_files
from simkit.runs.folder import Run
from simkit.runs.storage import remote
from simkit.tables.findings import Findings
from simkit.tables.seats import seat_shares

CARD = """<p><em>{{ result.question }}</em><br><strong>{{ result.answer }}</strong> {{ stamp }}</p>
{{ shares }}<p>Run: <code>{{ result.run.place }}</code></p>"""


def _any_run(value: Any) -> Any:
    if not isinstance(value, Run | Findings | str):
        raise ValueError("must be a run, its result or its folder")
    return os.path.expanduser(value) if isinstance(value, str) else value


AnyRun: TypeAlias = Annotated[Run | Findings | str | Path, PlainValidator(_any_run)]


class Result(Findings):
    """Findings of a run, each a Polars frame (`result.seat_shares`), with the answer to its question.

    `print(result)` shows the answer, `dir(result)` lists the findings.

    Example:
        >>> match("pig", "hold_at(threshold=20)", "random", deals=200).question
        'Which is stronger, “hold_at(threshold=20)” or “random”?'
    """

    def __init__(self, run: Run) -> None:
        """Hold the absolute paths of the run, which stay right when the program changes its folder."""
        experiment = resolve_files(run.experiment, Path.cwd())
        super().__init__(replace(run, folder=run.folder.absolute(), experiment=experiment))

    @cached_property
    def brief(self) -> Report:
        """The first screen of the page, with answer, stamp, picture, tiles and next step."""
        brief: Report = registry.recipe(recipe_for(self.run)).build_brief(self)
        return brief

    @property
    def question(self) -> str:
        """The question that was asked."""
        return self.run.experiment.question

    @property
    def answer(self) -> str:
        """The answer with the advice, as on the page."""
        brief: Report = self.brief
        return brief.sentence

    @property
    def folder(self) -> Path:
        """The run folder."""
        return self.run.folder

    def __repr__(self) -> str:
        return f"{self.question}\n{self.answer}\n{self.run.place}"

    def _repr_html_(self) -> str:
        from jinja2 import Template
        from markupsafe import Markup

        stamp = self.brief.stamp.text if self.brief.stamp else ""
        shares = Markup(seat_shares(self)._repr_html_())
        card = Template(CARD, autoescape=True)
        return str(card.render(result=self, stamp=stamp, shares=shares))


def answer(execution: Execution, request: Experiment | Study) -> Result:
    """Play an experiment or a study, and return its result."""
    if isinstance(request, Study):
        return record(Result(conduct(execution, request)))
    return record(Result(carry_out(execution, request)))


def record(result: Result) -> Result:
    """Record the answer of a result in the manifest, where `simkit runs` reads it; return the result."""
    manifest.note(result.folder, answer=result.brief.answer)
    remote.upload(result.folder)
    return result


@checked
def open_run(folder: Location, partial: bool = False) -> Result:
    """Open a run folder.

    Args:
        folder: Folder or address of the run.
        partial: Whether to open an unfinished run with the games that were played so far.

    Returns:
        The findings of the run, its answer and its tables.

    Raises:
        UsageError: The folder holds no run, or one that is damaged or unfinished.

    >>> open_run("runs/nowhere")
    Traceback (most recent call last):
    simkit.errors.UsageError: runs/nowhere: not a run folder (it has no manifest.json)
    """
    return Result((runs.open_partly if partial else runs.open_run)(folder))


@checked
def findings(run: AnyRun) -> Result:
    """Return the findings of a run: tables that answer, each computed once, on first access.

    Args:
        run: A run, its result, or its folder.

    Example:
        >>> pig = match("pig", "hold_at(threshold=20)", "random", deals=200)
        >>> findings(pig).match.columns[:3]
        ['strategy', 'opponent', 'seats']
    """
    if isinstance(run, str | Path):
        return open_run(run)
    return run if isinstance(run, Result) else Result(run.run if isinstance(run, Findings) else run)
