"""Progress of a run: callbacks for users, and the files by which runner and workers communicate.

All files lie in the run folder and carry the runner's process id, so that workers of a runner that was killed
cannot disturb the next one.

| file | written by | read by |
| --- | --- | --- |
| `.progress-PID`, row 0: stop flag | runner, `stop` | workers, after each slice of games |
| `.progress-PID`, row 1 + shard: games played, worker's process id | that worker | runner |
| `.progress-PID-SHARD`: strategy that has been deciding for long | that worker's watchdog | runner |

The runner writes the first file (`begin`) and removes all of them at the end (`remove`). A worker stops
after its slice of games (`Stopped`) if the flag is set or the file is missing: then the runner has left.
"""

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
    """Callbacks that report the progress of a run; this base class ignores them."""

    def compiling(self, what: str) -> None:
        """Report what is being compiled and about how long it takes."""

    def played(self, done: int, total: int) -> None:
        """Report the number of games played, and of all games."""

    def damaged(self, tables: list[str]) -> None:
        """Report tables that are missing or have changed since they were written, and are played again."""

    def deciding(self, what: str) -> None:
        """Report a strategy that has been deciding for long, and where."""


class Further(Progress):
    """Progress of further games, counted on top of games played before."""

    def __init__(self, progress: Progress, before: int) -> None:
        self.progress, self.before = progress, before

    def compiling(self, what: str) -> None:
        """Forward to the wrapped progress."""
        self.progress.compiling(what)

    def played(self, done: int, total: int) -> None:
        """Report the number of games with those played before."""
        self.progress.played(self.before + done, self.before + total)

    def damaged(self, tables: list[str]) -> None:
        """Forward to the wrapped progress."""
        self.progress.damaged(tables)

    def deciding(self, what: str) -> None:
        """Forward to the wrapped progress."""
        self.progress.deciding(what)


class Stopped(Exception):
    """Raised in a worker when the runner has told it to stop or has left."""


class Board:
    """Shared progress file: games per shard, worker process ID, stop flag.

    `runner` is the runner's process id.
    """

    def __init__(self, folder: Path, runner: int) -> None:
        self.runner = runner
        self.path = folder / f".progress-{runner}"  # of this runner alone

    def begin(self, shards: int) -> None:
        """Write the file for this many shards, all without games."""
        self.path.write_bytes(bytes(ROW.itemsize * (1 + shards)))

    def teller(self, shard: int) -> Callable[[int], None]:
        """Return the function that a shard's worker calls with the number of games just played.

        It raises `Stopped` if the worker is to stop.
        """
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
        """Record how many games of a shard are played."""
        self._write(1 + shard, games)

    @contextmanager
    def watched(self, shard: int) -> Iterator[None]:
        """Publish strategies that have been deciding for long, while a worker plays a shard."""
        path = self.path.with_name(f"{self.path.name}-{shard}")
        unfinished = path.with_name(f"{path.name}.tmp")

        def write(slow: Slow) -> None:
            with suppress(OSError):  # a full disk must not end the watchdog
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
        """Return the strategies that have been deciding for long at this moment."""
        decisions = []
        for path in sorted(self.path.parent.glob(f"{self.path.name}-*[0-9]")):
            with suppress(FileNotFoundError):  # the decision has ended meanwhile
                decisions.append(Slow(*json.loads(path.read_bytes())))
        return decisions

    def stop(self) -> None:
        """Set the stop flag."""
        self._write(0, 1)

    def games(self) -> np.ndarray:
        """Return the number of games played, by shard."""
        return np.fromfile(self.path, ROW)["games"][1:]

    def processes(self) -> set[int]:
        """Return the ids of the processes that have written, workers' among them; unused rows count as 0."""
        return set(np.fromfile(self.path, ROW)["process"].tolist())

    def remove(self) -> None:
        """Remove all files of this runner."""
        for path in (self.path, *self.path.parent.glob(f"{self.path.name}-*")):
            path.unlink(missing_ok=True)

    def _write(self, place: int, games: int) -> None:
        with open(self.path, "r+b") as file:
            file.seek(ROW.itemsize * place)
            file.write(np.array((games, os.getpid()), ROW).tobytes())
