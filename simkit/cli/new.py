"""The new command: the start of a project."""

import os
import shlex
import shutil
from pathlib import Path
from tempfile import TemporaryDirectory

import click

from simkit.engine.projects import MARK
from simkit.errors import UsageError

STARTER = Path(__file__).parent / "starter"
NEXT = """\
{folder} holds a project: a game, a strategy, an experiment and a README.md. Next:

  cd {folder}
  simkit play dice_race"""


@click.command
@click.argument("folder", metavar="DIR")
def new(folder: str) -> None:
    """Begin a project: a small game of your own.

    Writes a game, a strategy, an experiment and a README with commands to try into a new or empty folder.
    """
    try:
        if os.path.lexists(folder) and (not os.path.isdir(folder) or os.listdir(folder)):
            raise UsageError(f"{folder}: exists and is not an empty folder; name a new one")
        os.makedirs(folder, exist_ok=True)
        _fill(Path(folder))
    except OSError as error:
        raise UsageError(f"{folder}: cannot be written: {error.strerror or error}") from error
    click.echo(NEXT.format(folder=shlex.quote(folder)))


def _fill(folder: Path) -> None:
    """Copy the starter project, its marker file last; if a file cannot be written, the folder stays empty."""
    with TemporaryDirectory(dir=folder, prefix=".new-") as draft:
        for path in filter(os.path.isfile, STARTER.rglob("*")):
            if path.suffix != ".pyc":
                copy = Path(draft) / path.relative_to(STARTER)
                copy.parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(path, copy)
        for part in sorted(Path(draft).iterdir(), key=lambda part: part.name == MARK):
            part.rename(folder / part.name)
