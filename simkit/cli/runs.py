"""The runs command: a list of runs."""

from textwrap import shorten

import click

from simkit.cli.options import Given, command, shared
from simkit.cli.output import print_json, print_table, say
from simkit.runs import status

ANSWER_WIDTH = 64  # letters


@command(72, content=False)
@click.argument("folder", metavar="[FOLDER]", default="runs")
@shared("json")
def runs(given: Given, folder: str) -> None:
    """List runs: what was asked, answered.

    Those in FOLDER (runs, unless given), each with its state: playing, stopped, finished, damaged, or foreign
    (no run). Their tables are not read: simkit status RUN checks those, too.
    """
    rows = [entry._asdict() for entry in status.entries(folder)]
    if given.as_json:
        print_json(rows)
    elif rows:
        for row in rows:
            row["answer"] = shorten(row["answer"], ANSWER_WIDTH, placeholder=" …")
        print_table(rows)
    else:
        say(f"No runs in {folder}.")
