"""The replay command: narration of a logged game. It imports little, so that the output begins at once."""

import click

from simkit.cli.options import Given, command, shared
from simkit.cli.output import print_story
from simkit.runs import narrate
from simkit.runs.folder import open_play


@command("Runs")
@click.argument("run_folder", metavar="RUN")
@click.argument("play_number", metavar="PLAY", type=int)
@shared("story")
def replay(given: Given, run_folder: str, play_number: int) -> None:
    """Narrate a logged game.

    The game is played again from its seed and must end as logged. A game that failed is narrated up to its
    fault.

    \b
    Example:  simkit replay runs/pig 17 --brief
    """
    telling = narrate.Telling(brief=given.brief, board=given.board or not given.brief)
    print_story(narrate.replay(open_play(run_folder, play_number), play_number, telling), given.brief)
