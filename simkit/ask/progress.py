"""Progress of a run: a bar on a terminal and in a notebook, plain lines elsewhere."""

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

import click

from simkit.engine.limits import escape_controls
from simkit.runs.progress import Progress

if TYPE_CHECKING:
    from rich.progress import Progress as Bars  # rich is imported where it draws: most commands need it not

LINE_SECONDS = 10.0  # between two progress lines where there is no terminal
MIN_REPORTED_SECONDS = 10  # of players that search


@contextmanager
def progress(label: str) -> Iterator[Progress]:
    """Report the progress of a run on stderr: with a bar on a terminal and in a notebook, else in lines."""
    from rich.console import Console
    from rich.progress import BarColumn, TextColumn
    from rich.progress import Progress as Bars

    console = Console(stderr=True)
    in_notebook = console.is_jupyter and find_spec("ipywidgets")  # without which rich only warns there
    if not (in_notebook or sys.stderr.isatty()):
        yield _Lines(label)
        return
    columns = (TextColumn("{task.description}"), BarColumn(), TextColumn("{task.fields[progress]}"))
    with Bars(*columns, console=console) as bars:
        bar = _Bar(bars, label)
        yield bar
        bar.finish()


@contextmanager
def quiet(label: str) -> Iterator[Progress]:
    """Report nothing."""
    yield Progress()


class _Lines(Progress):
    """Progress in plain lines."""

    def __init__(self, label: str) -> None:
        self.label, self.look = label, ""
        self.began, self.first, self.last = 0.0, -1, 0.0  # clock and games where play began; last line

    def report_compilation(self, activity: str) -> None:
        click.echo(f"{self.label}: {activity}", err=True)

    def report_games(self, done: int, total: int) -> None:
        words = self.status(done, total)
        if time.monotonic() - self.last >= LINE_SECONDS:
            self.last = time.monotonic()
            click.echo(f"{self.label}: {words}", err=True)

    def report_damage(self, tables: list[str]) -> None:
        others = f" and {len(tables) - 1} more tables" if len(tables) > 1 else ""
        click.echo(
            escape_controls(f"{self.label}: {tables[0]}{others} gone or changed: played again"), err=True
        )

    def report_look(self, what: str) -> None:
        self.look, self.last = f"; {what}", 0.0

    def report_decision(self, notice: str) -> None:
        click.echo(f"{self.label}: {notice}", err=True)

    def report_search(self, seconds: float) -> None:
        if seconds >= MIN_REPORTED_SECONDS:
            self.report_decision(f"players that search will take about {duration(seconds)} of processor time")

    def status(self, done: int, total: int) -> str:
        """Return the number of games played and, after a second of play, the pace and the time left."""
        if self.first < 0:
            self.began, self.first, self.last = time.monotonic(), done, time.monotonic()
        seconds, games = time.monotonic() - self.began, f"{done:,}/{total:,} games"
        if done == self.first or seconds < 1:
            return f"{games}{self.look}"
        rate = (done - self.first) / seconds
        left = f", {duration((total - done) / rate)} left" if done < total else ""
        return f"{games}, {rate:,.0f} games/s{left}{self.look}"


class _Bar(_Lines):
    """A progress bar that pulses while compiling and fills while playing."""

    def __init__(self, bars: "Bars", label: str) -> None:
        super().__init__(label)
        self.bars, self.task = bars, bars.add_task(label, total=None, progress="", visible=False)

    def report_compilation(self, activity: str) -> None:
        self.bars.update(self.task, description=activity, visible=True)

    def finish(self) -> None:
        """Hide a bar that has counted no games: what was done last is over."""
        self.bars.update(self.task, visible=self.bars.tasks[0].total is not None)

    def report_decision(self, notice: str) -> None:
        self.bars.console.print(f"{self.label}: {notice}", highlight=False, markup=False)

    def report_games(self, done: int, total: int) -> None:
        fields: dict[str, Any] = {"completed": done, "total": total, "progress": self.status(done, total)}
        self.bars.update(self.task, description=self.label, visible=True, **fields)


def duration(seconds: float) -> str:
    """Return a time as a person would say it.

    >>> duration(0.4), duration(75), duration(3000), duration(7300)
    ('< 1 s', '75 s', '50 min', '2.0 h')
    """
    if seconds < 120:
        return "< 1 s" if seconds < 1 else f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 7200 else f"{seconds / 3600:,.1f} h"
