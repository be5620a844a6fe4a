"""Progress of a run: callbacks for users, and the file in which workers count their games.

The runner creates `.progress-PID` (with its process ID) in the run folder, with a row for each shard that it
hands out. The worker of a shard writes to its row: the number of games played, after each slice of games;
and the strategy that has been deciding for long, at every check of the worker's watchdog. The runner reads
the file at every tick. It removes the file to stop the workers: a worker that does not find the file stops
(`Stopped`) after its slice of games. A later runner removes files of runners that were killed.
"""

from pathlib import Path

import numpy as np

from simkit.engine.watchdog import Slow

SLOW = np.dtype([("doing", "U300"), ("seconds", "<f8"), ("batch", "<f8")])
ROW = np.dtype([("games", "<i8"), ("slow", SLOW)])


class Progress:
    """Callbacks that report the progress of a run; this base class ignores them."""

    def report_compilation(self, what: str) -> None:
        """Report what is being compiled and about how long it takes."""

    def report_search(self, seconds: float) -> None:
        """Report the processor time that players who search will take, before the games begin."""

    def report_games(self, done: int, total: int) -> None:
        """Report the number of games played, and of all games."""

    def report_look(self, what: str) -> None:
        """Report how strong a player in training is; the next report of games shows it, too."""

    def report_damage(self, tables: list[str]) -> None:
        """Report tables that are missing or have changed since they were written, and are played again."""

    def report_decision(self, what: str) -> None:
        """Report a strategy that has been deciding for long, and where."""


class Stopped(Exception):
    """Raised in a worker when the runner has told it to stop or has left."""


class Board:
    """Shared progress file, with one row per shard."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def begin(self, shards: int) -> None:
        """Write the file for this many shards, all without games."""
        self.path.write_bytes(bytes(ROW.itemsize * shards))

    def count(self, shard: int, games: int) -> None:
        """Add games that were just played to those of a shard; raise `Stopped` if the file is gone."""
        self._row(shard)["games"] += games

    def publish(self, shard: int, slow: Slow) -> None:
        """Record the slow decision that the worker of a shard is at."""
        self._row(shard)["slow"] = slow

    def _row(self, shard: int) -> np.ndarray:
        """Return the row of a shard, mapped from the file."""
        try:
            return np.memmap(self.path, ROW, "r+", ROW.itemsize * shard, (1,))
        except (FileNotFoundError, PermissionError):  # Windows refuses a file that is about to be deleted
            raise Stopped from None

    def games(self) -> int:
        """Return the number of games played in all shards."""
        return int(np.fromfile(self.path, ROW)["games"].sum())

    def slow(self) -> list[Slow]:
        """Return the last slow decision of each shard that had one."""
        rows = np.fromfile(self.path, ROW)["slow"]
        return [Slow(*row) for row in rows[rows["doing"] != ""].tolist()]
