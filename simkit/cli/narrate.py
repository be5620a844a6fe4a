"""Commands that narrate one game: play, replay. They import little, so that the story begins quickly."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import click
from click import option

from simkit.cli.build import ask, say_files
from simkit.cli.options import COUNT, Given, command, shared
from simkit.cli.output import print_json
from simkit.reporting.text.phrases import seats_named
from simkit.runs import experiment, narrate
from simkit.runs.run import open_play


def briefly(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options --brief and --board to a command."""
    board = option("--board", is_flag=True, help="With --brief: the table after every turn, too.")
    return option("--brief", is_flag=True, help="A line per turn, the table at the end.")(board(command))


@command(40)
@click.argument("game")
@option("--lineup", metavar="A,B,...", help="Strategies by seat: name, name(weight=value), name*4.")
@shared("seed", "set", "files", "json")
@option("--deal", type=COUNT, default=0, help="Number of the deal.")
@option("--as-seat", type=COUNT, metavar="SEAT", help="Told as seen by SEAT, the first being 0.")
@briefly
def play(
    given: Given, game: str, lineup: str | None, deal: int, as_seat: int | None, brief: bool, board: bool
) -> None:
    """Play one game, told in words."""
    given = replace(given, lineups=(lineup,) if lineup else (), deals=deal + 1)
    request = ask(given, game, f"One game of {game}")
    cell = experiment.cells(request)[0]
    if given.as_json:
        print_json(narrate.document(request, cell, deal, as_seat))
        return
    telling = narrate.Telling(as_seat, brief, board or not brief)
    story = narrate.narrate(request, cell, deal, telling=telling)
    say_files(request)
    _print_story(story, brief)


@command(70)
@click.argument("run_folder", metavar="RUN")
@click.argument("play_number", metavar="PLAY", type=int)
@briefly
def replay(run_folder: str, play_number: int, brief: bool, board: bool) -> None:
    """Tell a logged game again.

    It is played again from its seed and must give its logged result. Of a game that failed all is told up to
    its fault.
    """
    telling = narrate.Telling(brief=brief, board=board or not brief)
    _print_story(narrate.replay(open_play(run_folder, play_number), play_number, telling), brief)


def _print_story(story: narrate.Story, brief: bool) -> None:
    """Print the lines of a story; a brief story names players by seat."""
    for line in story:
        click.echo(seats_named(line) if brief else line)
