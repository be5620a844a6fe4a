"""How a run folder stands: played by somebody, stopped, damaged or finished, and how far."""

from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

import polars as pl

from simkit import lock, mirror
from simkit.beginners import FOLDER as BEGINNERS
from simkit.errors import UsageError
from simkit.runlog import Run, open_unfinished
from simkit.shards import missing

PLAYING, FINISHED, STOPPED, DAMAGED = "is being played", "is finished", "was stopped", "is damaged"


class Status(NamedTuple):
    """state: one of the words above; games: those there; gone: files that were there, or must be, by name.

    failed: how many of the games failed, of a run that keeps going; search: whether it is that of a search.
    """

    folder: str
    state: str
    games: int
    of: int
    gone: list[str]
    command: str | None
    failed: int | None = None
    search: bool = False


def status(folder: str | Path) -> Status:
    run = open_unfinished(folder)
    there = run.whole()
    left, gone = set(missing(there, run.shards)), run.gone(there)
    if run.manifest["finished"]:
        gone = sorted({*gone, *run.lacking(there), *_gone_of_beginners(run)})
    done = [shard for shard in run.shards if shard not in left]
    games = sum(shard.games(run.cells) for shard in done)
    state = _state(run, bool(left), bool(gone))
    command = run.manifest["command"]
    every = sum(cell.plays for cell in run.cells)
    failed, search = _failed(replace(run, every=done)), run.answers_search
    return Status(str(folder), state, games, every, gone, command, failed, search)


def _failed(run: Run) -> int | None:
    """How many of the games that are there failed."""
    if not run.experiment.keep_going:
        return None
    run.check_tables()
    return run.games().select(pl.col("fault").count()).collect().item() if run.shards else 0


def _gone_of_beginners(run: Run) -> list[str]:
    """What a finished run lacks of the games of beginners."""
    if not run.experiment.beginners:
        return []
    try:
        known = status(run.folder / BEGINNERS)
    except UsageError:  # nothing there that could be read
        return [BEGINNERS]
    return [] if known.state == FINISHED else [f"{BEGINNERS}/{name}" for name in known.gone] or [BEGINNERS]


def _state(run: Run, left: bool, gone: bool) -> str:
    if lock.held(run.folder) or mirror.held(run.folder):
        return PLAYING
    if run.manifest["finished"]:
        return DAMAGED if left or gone else FINISHED
    return STOPPED
