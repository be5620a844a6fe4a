"""Games: Print a game's cards, or another of its tables, as CSV."""

import csv
import io
from typing import Any

import click

from simkit.cli.options import command, shared_options
from simkit.cli.output import print_file
from simkit.engine import registry
from simkit.errors import UsageError, look_up
from simkit.runs import table_files


@command()
@click.argument("game")
@click.argument("table", required=False)
@shared_options("options")
def cards(game: str, table: str | None, options: dict[str, Any]) -> None:
    """Print a game's cards, or another of its tables, as CSV.

    Change the file as you like, then play with it: simkit compare GAME --to files.TABLE=FILE. With --set,
    print another set of cards that comes with the game.
    """
    definition = registry.game(game)
    tables = {name: file for name, file in definition.components.files.items() if file.printed and file.rows}
    if not tables:
        raise UsageError(f"{game} has no table that a file can replace; see its options: simkit rules {game}")
    name, *others = [table] if table else tables
    look_up(f"table of {game}", name, tables)
    rows = table_files.rows(definition, table_files.HEAD + name, {}, options)
    csv.writer(text := io.StringIO(), lineterminator="\n").writerows(rows)
    print_file(text.getvalue())
    if others:
        click.echo(f"This is {name}; other tables: {', '.join(others)}", err=True)
