"""Runs: Write the report page of a run."""

from simkit.ask.report import PRINTED
from simkit.ask.report import report as question
from simkit.cli.answer import print_brief, print_parts
from simkit.cli.asking import Invocation, asks
from simkit.cli.options import shared_options
from simkit.cli.output import print_file, say
from simkit.formatting import counted
from simkit.page.terminal import rows_of_run
from simkit.page.words.luck import luck_sentences
from simkit.page.words.numbers import prose
from simkit.runs.storage import remote
from simkit.tables.findings import Findings


@asks(question)
@shared_options("table")
def report(ask: Invocation, whole: bool) -> None:
    """Print the page, or its brief and where it is."""
    page, given = ask(), ask.given
    if given["file"] == PRINTED:
        print_file(page.text)
        return
    print_brief(page.report)
    if whole:
        print_parts(rows_of_run(Findings(page.run), whole=True))
    if given["luck_study"] is not None:
        say("\n".join(prose(sentence.text) for sentence in luck_sentences(Findings(page.run))))
    pictures = counted(len(page.pictures), "PNG file")
    written = f"\nFigures: {pictures} in {given['figures']}" if page.pictures else ""
    missing = f"\nThe page has no dials: {page.no_dials}" if page.no_dials else ""
    say(f"Report: {remote.show_addresses(str(page.path))}{written}{missing}")
