"""Games: Start a project of your own with a small game."""

import os
import shutil
from pathlib import Path

import click

from simkit.cli.options import command
from simkit.errors import UsageError
from simkit.system import DEBRIS, command_line

STARTER = Path(__file__).parents[1] / "starter"
NEXT = """\
{folder} is a project now, with a game, a strategy, an experiment and a README.md. Next:

  cd {folder}
  simkit play dice_race"""


@command(content=False)
@click.argument("folder", metavar="DIR")
def new(folder: str) -> None:
    """Start a project of your own with a small game.

    Writes a game, a strategy, an experiment and a README with commands to try into DIR, a new or empty
    folder.
    """
    try:
        if os.path.lexists(folder) and (not os.path.isdir(folder) or {*os.listdir(folder)} - DEBRIS):
            raise UsageError(f"{folder}: exists and is not an empty folder; name a new one")
        for path in STARTER.rglob("*"):
            if path.is_file() and path.suffix != ".pyc":
                copy = Path(folder) / path.relative_to(STARTER)
                copy.parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(path, copy)
    except OSError as error:
        raise UsageError(f"{folder}: cannot be written: {error.strerror or error}") from error
    click.echo(NEXT.format(folder=command_line([folder])))
