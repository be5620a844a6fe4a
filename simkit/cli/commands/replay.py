"""Runs: Narrate a logged game.

The command imports little, so that the output begins at once.
"""

import click

from simkit.cli.options import command, shared_options
from simkit.cli.output import print_json, print_story
from simkit.runs import narrate
from simkit.runs.folder import open_play


@command()
@click.argument("run_folder", metavar="RUN")
@click.argument("play_number", metavar="PLAY", type=int)
@shared_options("brief", "board", "why", "json")
def replay(run_folder: str, play_number: int, brief: bool, board: bool, why: bool, as_json: bool) -> None:
    """Narrate a logged game.

    The game is played again from its seed and must end as logged. A game that failed is narrated up to its
    fault. With --why, a strong player values each decision by what its seat can see; the decision that cost
    most is the turning point.

    \b
    Example:  simkit replay runs/pig 17 --brief --why
    """
    run = open_play(run_folder, play_number)
    if as_json:
        print_json(narrate.replayed(run, play_number, why))
        return
    telling = narrate.Telling(brief=brief, board=board or not brief, why=why)
    print_story(narrate.replay(run, play_number, telling), brief)
