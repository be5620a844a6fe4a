"""The command that lists runs: runs."""

import click

from simkit import status
from simkit.cli.options import Given, command, shared
from simkit.cli.output import print_json, print_table, say

MOST_WORDS = 10  # of an answer


@command(72, content=False)
@click.argument("folder", metavar="[FOLDER]", default="runs")
@shared("json")
def runs(given: Given, folder: str) -> None:
    """List runs: what was asked, answered.

    Those in FOLDER (runs, unless given), each with its state: playing, stopped, finished, damaged, or foreign
    (no run). Their tables are not read: simkit status RUN checks those, too.
    """
    rows = [one._asdict() for one in status.entries(folder)]
    if given.as_json:
        print_json(rows)
    elif rows:
        print_table([row | {"answer": first_words(row["answer"])} for row in rows])
    else:
        say(f"No runs in {folder}.")


def first_words(text: str, most: int = MOST_WORDS) -> str:
    """The beginning of a text.

    >>> first_words("Neither seat is ahead.", 4), first_words("Neither seat is ahead.", 3)
    ('Neither seat is ahead.', 'Neither seat is …')
    """
    words = text.split()
    return " ".join(words if len(words) <= most else [*words[:most], "…"])
