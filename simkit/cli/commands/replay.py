"""Runs: Narrate a logged game.

The command imports little, so that the output begins at once.
"""

import click

from simkit.cli.options import command, shared_options
from simkit.cli.output import print_story
from simkit.runs import narrate
from simkit.runs.folder import open_play


@command()
@click.argument("run_folder", metavar="RUN")
@click.argument("play_number", metavar="PLAY", type=int)
@shared_options("brief", "board")
def replay(run_folder: str, play_number: int, brief: bool, board: bool) -> None:
    """Narrate a logged game.

    The game is played again from its seed and must end as logged. A game that failed is narrated up to its
    fault.

    \b
    Example:  simkit replay runs/pig 17 --brief
    """
    telling = narrate.Telling(brief=brief, board=board or not brief)
    print_story(narrate.replay(open_play(run_folder, play_number), play_number, telling), brief)
