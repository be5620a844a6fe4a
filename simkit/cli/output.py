"""What commands print: tables, progress, JSON."""

import json
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import click
from rich.console import Console
from rich.progress import (
    BarColumn,
    Progress,
    ProgressColumn,
    Task,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)
from rich.table import Table
from rich.text import Text

LINE_SECONDS = 10.0  # between two progress lines where there is no terminal


def print_table(
    columns: list[str], rows: list[list[str]], title: str = "", numbers: tuple[int, ...] = ()
) -> None:
    """A table; on a terminal it uses its width, elsewhere nothing is cut off."""
    console = Console(highlight=False) if sys.stdout.isatty() else Console(highlight=False, width=200)
    table = Table(title=title or None, title_justify="left", box=None, pad_edge=False, header_style="bold")
    right = {place % len(columns) for place in numbers}
    for i, column in enumerate(columns):
        table.add_column(column, justify="right" if i in right else "left", no_wrap=i == 0, overflow="fold")
    for row in rows:
        table.add_row(*[Text(cell) for cell in row])
    console.print(table)


def print_rows(rows: list[dict[str, Any]], as_json: bool = False, numbers: tuple[str, ...] = ()) -> None:
    """Rows of the same keys as one JSON document or as a table; what is not there stays empty."""
    if as_json:
        print_json(rows)
        return
    heads = list(rows[0])
    cells = [["" if value is None else str(value) for value in row.values()] for row in rows]
    print_table(heads, cells, numbers=tuple(heads.index(name) for name in numbers))


def print_json(document: Any) -> None:
    """One JSON document."""
    click.echo(json.dumps(document, indent=2, ensure_ascii=False, default=str))


@contextmanager
def progress(label: str) -> Iterator[Callable[[int, int], None]]:
    """A function to report games done and games in all to: a bar on a terminal, plain lines elsewhere, on stderr."""
    if sys.stderr.isatty():
        with Progress(
            TextColumn(label), BarColumn(), _Rate(), TimeElapsedColumn(), TextColumn("left"), TimeRemainingColumn(),
            console=Console(stderr=True),
        ) as bar:  # fmt: skip
            task = bar.add_task(label, total=None)
            yield lambda done, total: bar.update(task, completed=done, total=total)
    else:
        yield _lines(label)


class _Rate(ProgressColumn):
    """Games done and games per second."""

    def render(self, task: Task) -> Text:
        speed = f"{task.speed:,.0f} games/s" if task.speed else ""
        return Text(f"{task.completed:,.0f}/{task.total or 0:,.0f} games  {speed}")


def _lines(label: str) -> Callable[[int, int], None]:
    began, last = time.monotonic(), [time.monotonic()]
    first: list[int] = []

    def report(done: int, total: int) -> None:
        first.append(done) if not first else None
        now = time.monotonic()
        if now - last[0] >= LINE_SECONDS and done > first[0]:
            last[0] = now
            rate = (done - first[0]) / (now - began)
            click.echo(
                f"{label}: {done:,}/{total:,} games, {rate:,.0f} games/s, {(total - done) / rate:,.0f} s left",
                err=True,
            )

    return report


def percent(share: float) -> str:
    """A share as percent with one decimal."""
    return f"{100 * share:.1f} %"


def interval(row: Mapping[str, Any]) -> str:
    """The interval of a share as percent."""
    return f"{percent(row['low'])} to {percent(row['high'])}"


def many(count: int, one: str, several: str = "") -> str:
    """A number of things.

    >>> many(1, "strategy", "strategies"), many(0, "strategy", "strategies"), many(1200, "game")
    ('1 strategy', '0 strategies', '1,200 games')
    """
    return f"{count:,} {one if count == 1 else several or f'{one}s'}"
