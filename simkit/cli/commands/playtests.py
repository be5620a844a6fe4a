"""Questions: Compare games that people played with simulated ones."""

import click

from simkit.cli.asking import Invocation, asks, print_result
from simkit.cli.options import shared_options
from simkit.engine import registry
from simkit.questions.playtests import columns_of
from simkit.questions.playtests import playtests as question


@asks(question)
@shared_options("into", "json")
def playtests(ask: Invocation, as_json: bool) -> None:
    """Print the answer, or without a sheet its possible columns."""
    if ask.given["file"] is None:
        click.echo(",".join(columns_of(registry.game(ask.given["game"]))))
    else:
        print_result(ask, as_json)
