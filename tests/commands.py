"""Commands of simkit in this process."""

import shlex

from click.testing import CliRunner, Result

from simkit.cli import cli


def invoke(line: str, *words: object) -> Result:
    """Carry out a command, and raise what it raises; the first text may hold several words."""
    return CliRunner().invoke(cli, [*shlex.split(line), *map(str, words)], catch_exceptions=False)
