"""The sweep command: values of rule options on the same deals."""

import click

from simkit.api import runs as api
from simkit.cli.options import Given, command, shared, sweep_of
from simkit.cli.summary import print_summary
from simkit.engine import registry

QUESTION = ("lineups", "deals", "until", "target", "seed", "set", "files")
PLAY = ("play", "extras", "confirm", "table", "json")


@command("Questions")
@click.argument("game")
@click.argument("ranges", nargs=-1, metavar="OPTION=START:STOP[:STEP]|A,B,C ...")
@shared(*QUESTION, *PLAY)
def sweep(given: Given, game: str, ranges: tuple[str, ...]) -> None:
    """Try values of a rule option on the same deals.

    Prints the share of each seat with its number of games and interval for every value. Ranges include both
    ends; several options are crossed, and players=2:4 plays with two to four players. A game without options
    is played as it is.

    \b
    Example:  simkit sweep pig goal=20:60:20 faces=6,8 --deals 5000
    """
    question = f"How {'hard' if registry.game(game).team else 'fair'} is {game} along {', '.join(ranges)}?"
    result = api.sweep(game, sweep_of(ranges), question=question if ranges else "", **given.keywords())
    print_summary(result, given.as_json, given.whole)
