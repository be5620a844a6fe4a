"""The report command: the page of a run."""

import os
from dataclasses import replace

import click
from click import option

from simkit.analysis import Findings
from simkit.api.dials import page_of
from simkit.cli.options import Given, Output, Whole, command, ranged, shared
from simkit.cli.output import print_file, say
from simkit.cli.summary import print_brief, print_rows
from simkit.engine import registry
from simkit.errors import UsageError
from simkit.formatting import counted
from simkit.reporting import document as reports
from simkit.reporting.pages.recipe_choice import recipe_for
from simkit.reporting.text.luck import luck_said
from simkit.reporting.text.phrases import prose
from simkit.runs.experiment import Seconds
from simkit.runs.folder import open_partly
from simkit.runs.storage import remote
from simkit.studies import luck_study as study

RECIPE = "Page to write, in place of the one that suits the run."
FORMAT = "Default: by the name of FILE, else html."
SECONDS = ranged(Seconds)
LUCK = "Play N deals again to measure how much of winning is luck, and which."
ALL = "Let the dials of the page choose among all strategies of the game, and compile those that are not yet."
OUT = "Default: report.html (or RECIPE.html) in the run folder; - prints the page."


@command("Runs")
@click.argument("run_folder", metavar="RUN")
@option("--recipe", metavar="NAME", help=RECIPE)
@option("--format", "form", type=click.Choice(reports.FORMATS), help=FORMAT)
@option("--figures", metavar="DIR", help="Also write the figures as PNG files into this folder.")
@option("--one-page", is_flag=True, help="Write a PDF of the brief only.")
@option("--seconds-per-decision", "seconds", type=SECONDS, metavar="S", help="Add minutes at the table.")
@option("--luck-study", type=Whole(min=study.FEWEST), metavar="N", help=LUCK)
@option("--all-strategies", is_flag=True, help=ALL)
@option("-o", "--out", type=Output(), metavar="FILE", help=OUT)
@shared("table")
def report(
    given: Given,
    run_folder: str,
    recipe: str | None,
    form: str | None,
    figures: str | None,
    one_page: bool,
    seconds: float | None,
    luck_study: int | None,
    all_strategies: bool,
) -> None:
    """Write the report page of a run, and print its answer.

    The page suits the question: one setting, a sweep, rules compared, strategies that met, or what the
    experiment asks for (key report). The page of an unfinished run covers the games played so far. A PDF
    needs Chromium or Chrome. The result of --luck-study stays in the run folder, so later pages have it, too.

    \b
    Example:  simkit report runs/pig --format md --figures pictures
    """
    run, out = open_partly(run_folder), given.out
    if seconds is not None:
        run = replace(run, experiment=run.experiment.model_copy(update={"seconds_per_decision": seconds}))
    if luck_study is not None:
        study.write(run, luck_study)
        remote.upload(run.folder)
    form = _format(form, out, one_page)
    if figures and remote.is_address(figures):
        raise UsageError(f"--figures {figures}: figures are written on this machine; name a folder here")
    page, no_dials = page_of(run, registry.recipe(recipe or recipe_for(run)), form, all_strategies)
    pictures = {} if figures is None else reports.write_figures(page, figures)
    if out == "-":
        links = {name: file.as_posix() for name, file in pictures.items()}
        print_file(reports.as_text(page, form, links))
        return
    if out and os.path.islink(out):
        out = os.path.realpath(out)  # a link that somebody names stays a link
    out = out or str(run.folder / f"{recipe or 'report'}.{form}")
    with remote.page(out) as file:
        reports.write(page, file, form, pictures, one_page)
    print_brief(page)
    if given.whole:
        print_rows(Findings(run), whole=True)
    if luck_study is not None:
        say("\n".join(prose(sentence.text) for sentence in luck_said(Findings(run))))
    written = f"\nFigures: {counted(len(pictures), 'PNG file')} in {figures}" if pictures else ""
    missing = f"\nThe page has no dials: {no_dials}" if no_dials else ""
    say(f"Report: {remote.show_addresses(out)}{written}{missing}")


def _format(form: str | None, out: str | None, one_page: bool) -> str:
    """Return the format of the page: the given one, else that of the file's name."""
    form = form or ("pdf" if one_page else reports.format_of(out))
    if one_page and form != "pdf":
        raise UsageError(f"--one-page is for a PDF, not for {form}: leave out --format, or say --format pdf")
    return form
