"""The history command: the timeline page of a lock file."""

import click
from click import option

from simkit.api.history import history as write
from simkit.cli.options import Output, command
from simkit.cli.output import say


@command("Checks")
@click.argument("lock_file", metavar="LOCK")
@option("-o", "--out", "file", type=Output(), metavar="FILE", help="Page to write (html, md, json, pdf).")
def history(lock_file: str, file: str | None) -> None:
    """Write the timeline page of a lock file.

    The page has every accepted state and a chart of each claim; by default it is beside the lock file.

    \b
    Example:  simkit history balance.lock
    """
    page = write(lock_file, file)
    say(f"{page.report.answer}\nHistory: {page}")
