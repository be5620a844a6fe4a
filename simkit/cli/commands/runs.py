"""Runs: List the runs in a folder (default: runs) with their answers."""

from textwrap import shorten

import click

from simkit.cli.options import command, shared_options
from simkit.cli.output import print_json, print_table, say
from simkit.runs import status

ANSWER_WIDTH = 64  # letters


@command(content=False)
@click.argument("folder", metavar="[FOLDER]", default="runs")
@shared_options("json")
def runs(folder: str, as_json: bool) -> None:
    """List the runs in a folder (default: runs) with their answers.

    A run is playing, stopped, finished or damaged; a folder that holds no run is foreign. The tables are not
    read (simkit status RUN checks them).

    \b
    Example:  simkit runs
    """
    rows = [entry._asdict() for entry in status.entries(folder)]
    if as_json:
        print_json(rows)
    elif rows:
        for row in rows:
            row["answer"] = shorten(row["answer"], ANSWER_WIDTH, placeholder=" …")
        print_table(rows)
    else:
        say(f"No runs in {folder}.")
