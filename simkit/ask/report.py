"""Pages of runs."""

from __future__ import annotations

import os
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Annotated, Literal

from pydantic import Field

from simkit.ask import luck
from simkit.ask.arguments import Location, Shell
from simkit.ask.dials import page_of
from simkit.ask.question import checked
from simkit.ask.results import AnyRun, findings
from simkit.engine import registry
from simkit.errors import UsageError
from simkit.page import document
from simkit.page.document.parts import Report
from simkit.page.recipe import recipe_for
from simkit.runs.experiment import Seconds
from simkit.runs.folder import Run, from_here, open_partly
from simkit.runs.storage import remote

Form = Literal["html", "md", "json", "pdf"]
PRINTED = "-"  # in place of a file


@dataclass
class Page:
    """A page: the report, the path of its file, and why it has no dials, if so."""

    report: Report
    path: Path
    no_dials: str = ""
    run: Run | None = None  # None for the page of a lock file
    pictures: dict[str, Path] = field(default_factory=dict)
    text: str = ""  # of a page without a file

    def __repr__(self) -> str:
        return str(from_here(self.path))

    def _repr_html_(self) -> str:
        from html import escape

        page = escape(document.as_text(replace(self.report, insert={}), "html", {}))
        return f'<iframe srcdoc="{page}" title="Report" width="100%" height="900" style="border:0"></iframe>'


@checked
def report(
    run: Annotated[AnyRun, Shell(metavar="RUN", positional=True)],
    file: Annotated[Location, Shell("-o --out", metavar="FILE", output=True)] | None = None,
    recipe: Annotated[str, Shell(metavar="NAME")] = "",
    all_strategies: bool = False,
    *,
    form: Annotated[Form, Shell("--format")] | None = None,
    figures: Annotated[Location, Shell(metavar="DIR")] | None = None,
    one_page: bool = False,
    seconds_per_decision: Annotated[Seconds, Shell(metavar="S")] | None = None,
    luck_study: Annotated[int, Field(ge=luck.FEWEST), Shell(metavar="N")] | None = None,
) -> Page:
    """Write the report page of a run.

    The page suits the question: one setting, a sweep, rules compared, strategies that met, or what the
    experiment asks for (key report). The page of an unfinished run covers the games played so far. A PDF
    needs Chromium or Chrome. The result of a luck study stays in the run folder, so later pages have it, too.

    Args:
        run: A run, its result, or its folder.
        file: File to write; by default report.html (or RECIPE.html) in the run folder. For - none is
            written: the command prints the page.
        recipe: Page to write, in place of the one that suits the run.
        all_strategies: Let the dials of an HTML page choose among all strategies of the game, and compile
            those that are not compiled yet.
        form: Format of the page; by default that of the file's name, else html.
        figures: Folder into which the figures are written as PNG files, too.
        one_page: Whether to write a PDF of the brief only.
        seconds_per_decision: Seconds that a decision takes; the page then has the minutes at the table.
        luck_study: Play so many deals again to measure how much of winning is luck, and which.

    Returns:
        The page, with the path of its file; a notebook shows it.

    Example:
        >>> page = report(match("pig", "hold_at(threshold=20)", "random", deals=200))
        >>> page.path.name
        'report.html'

    Command line::

        simkit report runs/pig --format md --figures pictures
    """
    played = open_partly(run) if isinstance(run, str | Path) else findings(run).run
    if seconds_per_decision is not None:
        keys = {"seconds_per_decision": seconds_per_decision}
        played = replace(played, experiment=played.experiment.model_copy(update=keys))
    if luck_study is not None:
        luck.write(played, luck_study)
        remote.upload(played.folder)
    out = str(file) if file else ""
    form_name = _form(form, out, one_page)
    if figures and remote.is_address(str(figures)):
        raise UsageError(f"--figures {figures}: figures are written on this machine; name a folder here")
    chosen = registry.recipe(recipe or recipe_for(played))
    page, no_dials = page_of(played, chosen, form_name, all_strategies)
    pictures = {} if figures is None else document.write_figures(page, str(figures))
    if out == PRINTED:
        links = {name: path.as_posix() for name, path in pictures.items()}
        text = document.as_text(page, form_name, links)
        return Page(page, Path(), no_dials, played, pictures, text)
    if os.path.islink(out):
        out = os.path.realpath(out)  # a link that somebody names stays a link
    out = out or str(played.folder / f"{recipe or 'report'}.{form_name}")
    with remote.page(out) as local:
        document.write(page, local, form_name, pictures, one_page)
    return Page(page, Path(out), no_dials, played, pictures)


def _form(form: str | None, out: str, one_page: bool) -> str:
    """Return the format of the page: the given one, else that of the file's name."""
    form = form or ("pdf" if one_page else document.format_of(out or None))
    if one_page and form != "pdf":
        raise UsageError(f"--one-page is for a PDF, not for {form}: leave out --format, or say --format pdf")
    return form
