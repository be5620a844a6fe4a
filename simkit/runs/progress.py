"""How far a run is: what people are told, and what the runner and its workers tell each other."""

import json
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import numpy as np

from simkit.engine import watchdog
from simkit.engine.watchdog import Slow

ROW = np.dtype([("games", "<i8"), ("process", "<i8")])


class Progress:
    """Who is told how far a run is; this one keeps it to itself."""

    def compiling(self, what: str) -> None:
        """What is being compiled, and about how long it takes."""

    def played(self, done: int, total: int) -> None:
        """How many games of all have been played."""

    def damaged(self, tables: list[str]) -> None:
        """Tables of the run that are gone or have another content, and are played again."""

    def deciding(self, what: str) -> None:
        """Which strategy has been deciding for long, where."""


class Further(Progress):
    """Tells of more games after those that are played already."""

    def __init__(self, progress: Progress, before: int) -> None:
        self.progress, self.before = progress, before

    def compiling(self, what: str) -> None:
        self.progress.compiling(what)

    def played(self, done: int, total: int) -> None:
        self.progress.played(self.before + done, self.before + total)

    def damaged(self, tables: list[str]) -> None:
        self.progress.damaged(tables)

    def deciding(self, what: str) -> None:
        self.progress.deciding(what)


class Stopped(Exception):
    """The runner asked its workers to stop."""


class Board:
    """How many games of each shard are played, by which process, and whether to stop: a file of all workers.

    Beside it stands a file for each shard whose worker has been at a decision for long. Workers whose runner
    has left find no file and stop.

    runner: process id of the runner.
    """

    def __init__(self, folder: Path, runner: int) -> None:
        self.runner = runner
        self.path = folder / f".progress-{runner}"  # workers of a runner that was killed write elsewhere

    def begin(self, shards: int) -> None:
        self.path.write_bytes(bytes(ROW.itemsize * (1 + shards)))

    def teller(self, shard: int) -> Callable[[int], None]:
        """What the worker of a shard calls with the games just played; raises `Stopped` if it is to stop."""
        played = 0

        def report(games: int) -> None:
            nonlocal played
            played += games
            try:
                self.count(shard, played)
                stopped = np.fromfile(self.path, ROW, count=1)["games"][0]
            except FileNotFoundError:  # the runner has left
                raise Stopped from None
            if stopped:
                raise Stopped

        return report

    def count(self, shard: int, games: int) -> None:
        """Note how many games of a shard are played."""
        self._write(1 + shard, games)

    @contextmanager
    def watched(self, shard: int) -> Iterator[None]:
        """While a worker plays a shard, whoever decides for long is told to the runner."""
        path = self.path.with_name(f"{self.path.name}-{shard}")
        unfinished = path.with_name(f"{path.name}.tmp")

        def write(slow: Slow) -> None:
            with suppress(OSError):  # a full disk does not end the watch
                if slow.doing and self.path.exists():
                    unfinished.write_text(json.dumps(slow), encoding="utf-8")
                    os.replace(unfinished, path)
                else:
                    path.unlink(missing_ok=True)

        try:
            with watchdog.heard_by(write):
                yield
        finally:
            path.unlink(missing_ok=True)

    def slow(self) -> list[Slow]:
        """Who has been deciding for long, just now."""
        decisions = []
        for path in sorted(self.path.parent.glob(f"{self.path.name}-*[0-9]")):
            with suppress(FileNotFoundError):  # it is over
                decisions.append(Slow(*json.loads(path.read_bytes())))
        return decisions

    def stop(self) -> None:
        self._write(0, 1)

    def games(self) -> np.ndarray:
        return np.fromfile(self.path, ROW)["games"][1:]

    def processes(self) -> set[int]:
        """The processes that have played."""
        return set(np.fromfile(self.path, ROW)["process"].tolist())

    def remove(self) -> None:
        for path in (self.path, *self.path.parent.glob(f"{self.path.name}-*")):
            path.unlink(missing_ok=True)

    def _write(self, place: int, games: int) -> None:
        with open(self.path, "r+b") as file:
            file.seek(ROW.itemsize * place)
            file.write(np.array((games, os.getpid()), ROW).tobytes())
