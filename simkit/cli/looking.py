"""The command that looks at a run: report."""

import gc
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace

import click
from click import option

from simkit import catalogue, runlog
from simkit import report as reports
from simkit.analysis import Findings
from simkit.cli.options import Given, command, shared
from simkit.cli.summary import print_rows
from simkit.errors import UsageError
from simkit.pages.choice import recipe_for
from simkit.wording import counted

SECONDS = click.FloatRange(0, 3600, min_open=True)


@contextmanager
def uncollected() -> Iterator[None]:
    """Without looking for garbage, of which a page makes little: that took 0.2 s of the 5.2 s of a page."""
    was = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was:
            gc.enable()


@command(75)
@click.argument("run_folder", metavar="RUN")
@option("--recipe", metavar="NAME", help="Another page than the one that suits the run; see reports/.")
@option("--format", "form", type=click.Choice(reports.FORMATS), help="Default: by the name of FILE, or html.")
@option("--figures", metavar="DIR", help="Write the figures as PNG into this folder, too.")
@option("--one-page", is_flag=True, help="A PDF of the first screen only.")
@option("--seconds-per-decision", "seconds", type=SECONDS, metavar="S", help="Adds minutes at the table.")
@option("-o", "--out", metavar="FILE", help="Default: report.html or RECIPE.html in the folder; - prints it.")
@shared("table")
def report(
    given: Given,
    run_folder: str,
    recipe: str | None,
    form: str | None,
    figures: str | None,
    one_page: bool,
    seconds: float | None,
) -> None:
    """Write the report of a run as one page, or for programs.

    The page suits the question: one setting, a sweep, rules compared, strategies that met, or what the
    experiment asks for (key report). Prints the answer, then its path. A PDF needs an installed Chromium or
    Chrome.
    """
    run, out = runlog.open_run(run_folder), given.out
    if seconds is not None:
        run = replace(run, experiment=run.experiment.model_copy(update={"seconds_per_decision": seconds}))
    with uncollected():
        made = catalogue.recipe(recipe or recipe_for(run)).build(run)
    form = form or ("pdf" if one_page else reports.format_of(out))
    if one_page and form != "pdf":
        raise UsageError(f"--one-page is for a PDF, not for {form}: leave out --format, or say --format pdf")
    pictures = {} if figures is None else reports.write_figures(made, figures)
    if out == "-":
        links = {name: file.as_posix() for name, file in pictures.items()}
        click.echo(reports.as_text(made, form, links), nl=False)
        return
    file = reports.write(made, out or run.folder / f"{recipe or 'report'}.{form}", form, pictures, one_page)
    told = [one.text for kind in ("answer", "advice") for one in made.told(kind)]
    click.echo(f"Answer: {' '.join(told)}")
    if given.whole:
        print_rows(Findings(run), whole=True)
    click.echo(f"Report: {file}")
    if pictures:
        click.echo(f"Figures: {counted(len(pictures), 'PNG file')} in {figures}")
