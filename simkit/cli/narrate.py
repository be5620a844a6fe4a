"""Commands that narrate one game: play, replay. They import little, so that the story begins quickly."""

from dataclasses import replace

import click
from click import option

from simkit.cli.build import ask, say_files
from simkit.cli.options import COUNT, Given, command, shared
from simkit.cli.output import print_json
from simkit.reporting.text.phrases import seats_named
from simkit.runs import experiment, narrate
from simkit.runs.run import open_play


@command
@click.argument("game")
@option("--lineup", metavar="A,B,...", help="Strategies by seat: name, name(weight=value), name*4.")
@shared("seed", "set", "files", "story", "json")
@option("--deal", type=COUNT, default=0, help="Number of the deal.")
@option("--as-seat", type=COUNT, metavar="SEAT", help="Show only what SEAT sees; the first seat is 0.")
def play(given: Given, game: str, lineup: str | None, deal: int, as_seat: int | None) -> None:
    """Play one game and narrate it.

    \b
    Example:  simkit play pig --lineup hold_at,random --seed 3 --brief
    """
    given = replace(given, lineups=(lineup,) if lineup else (), deals=deal + 1)
    request = ask(given, game, f"One game of {game}")
    cell = experiment.cells(request)[0]
    if given.as_json:
        print_json(narrate.document(request, cell, deal, as_seat))
        return
    telling = narrate.Telling(as_seat, given.brief, given.board or not given.brief)
    story = narrate.narrate(request, cell, deal, telling=telling)
    say_files(request)
    _print_story(story, given.brief)


@command
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
    _print_story(narrate.replay(open_play(run_folder, play_number), play_number, telling), given.brief)


def _print_story(story: narrate.Story, brief: bool) -> None:
    """Print the lines of a story; a brief story names players by seat."""
    for line in story:
        click.echo(seats_named(line) if brief else line)
