"""Results: a finished run with its findings, its answer and its page."""

from __future__ import annotations

import os
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import Annotated, Any, TypeAlias

from pydantic import PlainValidator

from simkit.analysis import Findings
from simkit.api.dials import page_of
from simkit.api.requests import Location, arguments
from simkit.engine import registry
from simkit.reporting import document
from simkit.reporting.document import Report
from simkit.reporting.pages.recipe_choice import recipe_for
from simkit.reporting.text.fairness import best_of_all
from simkit.runs import folder as runs
from simkit.runs import manifest
from simkit.runs.experiment import resolve_files
from simkit.runs.folder import Run, from_here
from simkit.runs.storage import remote

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
        'Which is stronger, hold_at(threshold=20) or random?'
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

    @property
    def value(self) -> Any:
        """The fair value that `fair` found, by option if several vary; None where there is none."""
        if not self.fair_values.height:
            return None
        values = best_of_all(self).values
        by_option = {row["option"]: row["value"] for row in values}
        return by_option if len(values) > 1 else values[0]["value"]

    def __repr__(self) -> str:
        return f"{self.question}\n{self.answer}\n{self.run.place}"

    def _repr_html_(self) -> str:
        from jinja2 import Template
        from markupsafe import Markup

        stamp = self.brief.stamp.text if self.brief.stamp else ""
        shares = Markup(self.seat_shares._repr_html_())
        card = Template(CARD, autoescape=True)
        return str(card.render(result=self, stamp=stamp, shares=shares))


def recorded(run: Run | Result) -> Result:
    """Return the result of a run; record its answer in the manifest, where `simkit runs` reads it."""
    result = run if isinstance(run, Result) else Result(run)
    manifest.note(result.folder, answer=result.brief.answer)
    remote.upload(result.folder)
    return result


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
    place = arguments(open_run, locals())["folder"]
    return Result((runs.open_partly if partial else runs.open_run)(place))


def findings(run: AnyRun) -> Result:
    """Return the findings of a run: tables that answer, each computed once, on first access.

    Args:
        run: A run, its result, or its folder.

    Example:
        >>> pig = match("pig", "hold_at(threshold=20)", "random", deals=200)
        >>> findings(pig).match.columns[:3]
        ['strategy', 'opponent', 'seats']
    """
    given: Run | Findings | str = arguments(findings, locals())["run"]
    if isinstance(given, str):
        return open_run(given)
    return given if isinstance(given, Result) else Result(given.run if isinstance(given, Findings) else given)


class Page:
    """A page that was written: the report, the path of its file, and why it has no dials, if so."""

    def __init__(self, report: Report, path: Path, no_dials: str = "") -> None:
        self.report, self.path, self.no_dials = report, path, no_dials

    def __repr__(self) -> str:
        return str(from_here(self.path))

    def _repr_html_(self) -> str:
        from html import escape

        page = escape(document.as_text(replace(self.report, insert={}), "html", {}))
        return f'<iframe srcdoc="{page}" title="Report" width="100%" height="900" style="border:0"></iframe>'


def report(run: AnyRun, file: Location | None = None, recipe: str = "", all_strategies: bool = False) -> Page:
    """Write the page of a run; a notebook shows it.

    Args:
        run: A run, its result, or its folder.
        file: File to write; its ending (html, md, json, pdf) is the format. By default report.html in the
            run folder.
        recipe: Page to write, in place of the one that suits the run.
        all_strategies: Let the dials of an HTML page choose among all strategies of the game, and compile
            those that are not compiled yet.

    Returns:
        The page, with the path of its file.

    Example:
        >>> page = report(match("pig", "hold_at(threshold=20)", "random", deals=200))
        >>> page.path.name
        'report.html'
    """
    file = arguments(report, locals())["file"]
    result = findings(run)
    path = Path(file or result.folder / f"{recipe or 'report'}.html")
    form, chosen = document.format_of(str(path)), registry.recipe(recipe or recipe_for(result.run))
    page, no_dials = page_of(result.run, chosen, form, all_strategies)
    with remote.page(str(path)) as local:
        document.write(page, local, form, {}, False)
    return Page(page, path, no_dials)
