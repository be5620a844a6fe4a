"""Questions: Compare games that people played with simulated ones."""

import click

from simkit.cli.asking import Invocation, asks, print_result
from simkit.cli.options import shared_options
from simkit.engine import registry
from simkit.questions.playtests import columns_of, refuse_sides
from simkit.questions.playtests import playtests as question


@asks(question)
@shared_options("into", "json")
def playtests(ask: Invocation, as_json: bool) -> None:
    """Print the answer, or without a sheet its possible columns."""
    if ask.given["file"] is None:
        game = registry.game(ask.given["game"])
        refuse_sides(game)
        click.echo(",".join(columns_of(game)))
    else:
        print_result(ask, as_json)
