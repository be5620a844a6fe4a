"""Games: Print the guide to writing a game from a rulebook."""

import click

from simkit.cli.options import command
from simkit.content import FOLDER


@command(content=False)
def guide() -> None:
    """Print the guide to writing a game from a rulebook.

    It is one text for a person or a language model: with it and a rulebook a game can be written, checked
    and played. `simkit guide > guide.md` writes it into a file.
    """
    click.echo((FOLDER / "docs/guide.md").read_text(encoding="utf-8"), nl=False)
