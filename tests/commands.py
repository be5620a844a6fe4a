"""Commands of simkit in this process."""

import shlex

from click.testing import CliRunner, Result

from simkit.cli import cli
from simkit.system import WINDOWS


def words_of(line: str) -> list[str]:
    """Return the words of a line; paths may have the backslashes of Windows."""
    return shlex.split(line.replace("\\", "/") if WINDOWS else line)


def invoke(line: str, *words: object) -> Result:
    """Carry out a command, and raise what it raises; the first text may hold several words."""
    return CliRunner().invoke(cli, [*words_of(line), *map(str, words)], catch_exceptions=False)
