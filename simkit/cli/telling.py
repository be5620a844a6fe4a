"""Commands that tell one game: play, replay. They import little, so that the story begins at once."""

from dataclasses import replace

import click
from click import option

from simkit import experiment, narrate, runlog
from simkit.cli.asking import ask, say_files
from simkit.cli.options import COUNT, Given, command, shared


@command(40)
@click.argument("game")
@option("--lineup", metavar="A,B,...", help="Strategies by seat: name, name(weight=value), name*4.")
@shared("seed", "set", "files")
@option("--deal", type=COUNT, default=0, help="Number of the deal.")
@option("--as-seat", type=COUNT, metavar="SEAT", help="Told as seen by SEAT, the first being 0.")
def play(given: Given, game: str, lineup: str | None, deal: int, as_seat: int | None) -> None:
    """Play one game, told in words."""
    given = replace(given, lineups=(lineup,) if lineup else (), deals=deal + 1)
    asked = ask(given, game, f"One game of {game}")
    told = narrate.tell(asked, experiment.cells(asked)[0], deal, as_seat=as_seat)
    say_files(asked)
    for line in told:
        click.echo(line)


@command(70)
@click.argument("run_folder", metavar="RUN")
@click.argument("play_number", metavar="PLAY", type=int)
def replay(run_folder: str, play_number: int) -> None:
    """Tell a logged game again.

    It is played again from its seed and must give its logged result.
    """
    for line in narrate.replay(runlog.open_run(run_folder), play_number):
        click.echo(line)
