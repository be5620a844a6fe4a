"""The diff command: what differs between two sheets, runs or locks."""

import click

from simkit.api import diff as api
from simkit.cli.options import Given, command, shared
from simkit.cli.output import print_json, say
from simkit.engine.limits import shown


@command("Runs")
@click.argument("a")
@click.argument("b")
@shared("json")
def diff(given: Given, a: str, b: str) -> None:
    """Show what differs between two sheets, two runs or two locks.

    Nothing is played: you get changed cells, options and versions in words.

    \b
    Example:  simkit diff cards.csv new_cards.xlsx
    """
    differences = api.diff(a, b)
    if given.as_json:
        print_json([difference._asdict() for difference in differences])
        return
    for difference in differences:
        say(shown(str(difference)))
    if not differences:
        say("They do not differ")
