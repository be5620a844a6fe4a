"""Output of commands: tables, stories, JSON."""

import json
import re
import sys
from collections.abc import Iterable
from typing import Any

import click

from simkit.engine.limits import escape_controls

NUMBER = re.compile(r"([-+]|< )?[\d,.]+( %| x| points)?|-|")  # as cells of a table show one


def say(text: str, end: str = "\n", err: bool = False) -> None:
    """Print text that may contain words of a run folder, without control characters; `err`: on stderr."""
    click.echo(escape_controls(text) + end, nl=False, err=err)


def print_table(rows: list[dict[str, Any]]) -> None:
    """Print rows with the same keys as a table, fitted to a terminal; elsewhere nothing is cut off."""
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    console = Console(highlight=False, width=None if sys.stdout.isatty() else 200)
    table = Table(box=None, pad_edge=False, header_style="bold")
    for place, name in enumerate(rows[0]):
        number = all(NUMBER.fullmatch(_cell(row[name])) for row in rows)
        table.add_column(name, justify="right" if number else "left", no_wrap=place == 0, overflow="fold")
    for row in rows:
        table.add_row(*[Text(escape_controls(_cell(value))) for value in row.values()])
    console.print(table)


def _cell(value: Any) -> str:
    """Return the text of a cell in a table.

    >>> _cell(12_000), _cell(True), _cell(None)
    ('12,000', 'true', '')
    """
    if value is None or isinstance(value, bool):
        return "" if value is None else str(value).lower()
    return f"{value:,}" if isinstance(value, int) else str(value)


def print_json(document: Any) -> None:
    """Print a document as JSON."""
    print_file(json.dumps(document, indent=2, ensure_ascii=False, default=str) + "\n")


def print_file(text: str) -> None:
    """Print a text that programs read: in UTF-8, as a file has it, unless it goes to a terminal."""
    click.echo(escape_controls(text) if sys.stdout.isatty() else escape_controls(text).encode(), nl=False)


def print_story(lines: Iterable[str], brief: bool) -> None:
    """Print the lines of a narrated game; a brief story names players by seat."""
    from simkit.page.words.numbers import name_seats

    for line in lines:
        click.echo(name_seats(line) if brief else line)
