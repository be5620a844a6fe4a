"""Games: Start a project of your own with a small game."""

import os
import shutil
from pathlib import Path

import click

from simkit.cli.options import command
from simkit.errors import UsageError
from simkit.system import DEBRIS, command_line

# Its folders are the kinds of games, with a game, a strategy and an experiment each; its files are for all.
STARTER = Path(__file__).parents[1] / "starter"
KINDS = sorted(path.name for path in STARTER.iterdir() if path.is_dir())
FIRST = "dice_race"  # the game that the README.md of a project speaks of, until it is written
NEXT = """\
{folder} is a project now, with a game, a strategy, an experiment and a README.md. Next:

  cd {folder}
  simkit play {game}"""


@command(content=False)
@click.argument("folder", metavar="DIR")
@click.option("--kind", type=click.Choice(KINDS), default="dice", help="Kind of the game to begin with.")
def new(folder: str, kind: str) -> None:
    """Start a project of your own with a small game.

    Writes a game, a strategy, an experiment and a README with commands to try into DIR, a new or empty
    folder. The game is one of dice, of cards with hidden hands, or on a board. `simkit guide` explains how to
    write your own.
    """
    (game,) = (path.stem for path in (STARTER / kind / "games").glob("*.py"))
    try:
        if os.path.lexists(folder) and (not os.path.isdir(folder) or {*os.listdir(folder)} - DEBRIS):
            raise UsageError(f"{folder}: exists and is not an empty folder; name a new one")
        for source in (STARTER, STARTER / kind):
            for path in source.glob("*" if source == STARTER else "*/*"):
                if path.is_file() and path.suffix != ".pyc":
                    copy = Path(folder) / path.relative_to(source)
                    copy.parent.mkdir(parents=True, exist_ok=True)
                    shutil.copyfile(path, copy)
        readme = Path(folder) / "README.md"
        readme.write_text(readme.read_text(encoding="utf-8").replace(FIRST, game), encoding="utf-8")
    except OSError as error:
        raise UsageError(f"{folder}: cannot be written: {error.strerror or error}") from error
    click.echo(NEXT.format(folder=command_line([folder]), game=game))
