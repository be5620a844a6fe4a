"""Runs: Show what differs between two sheets, two runs or two locks."""

import click

from simkit.ask import diff as api
from simkit.cli.options import command, shared_options
from simkit.cli.output import print_json, say
from simkit.engine.limits import one_line


@command()
@click.argument("a")
@click.argument("b")
@shared_options("json")
def diff(a: str, b: str, as_json: bool) -> None:
    """Show what differs between two sheets, two runs or two locks.

    Nothing is played: you get changed cells, options and versions in words.

    \b
    Example:  simkit diff cards.csv new_cards.xlsx
    """
    differences = api.diff(a, b)
    if as_json:
        print_json([difference._asdict() for difference in differences])
        return
    lines = [one_line(str(difference)) for difference in differences]
    say("\n".join(lines) or "They do not differ")
