"""How far a run is: what people are told, and what the runner and its workers tell each other."""

from collections.abc import Callable
from pathlib import Path

import numpy as np

NUMBER = np.dtype("<i8")


class Progress:
    """Who is told how far a run is; this one keeps it to itself."""

    def compiling(self, what: str) -> None:
        """What is being compiled, and about how long it takes."""

    def played(self, done: int, total: int) -> None:
        """How many games of all have been played."""


class Further(Progress):
    """Tells of more games after those that are played already."""

    def __init__(self, progress: Progress, before: int) -> None:
        self.progress, self.before = progress, before

    def compiling(self, what: str) -> None:
        self.progress.compiling(what)

    def played(self, done: int, total: int) -> None:
        self.progress.played(self.before + done, self.before + total)


class Stopped(Exception):
    """The runner asked its workers to stop."""


class Board:
    """How many games of each shard are played, and whether to stop: numbers in a file, for all workers."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / ".progress"

    def begin(self, shards: int) -> None:
        self.path.write_bytes(bytes(NUMBER.itemsize * (1 + shards)))

    def teller(self, shard: int) -> Callable[[int], None]:
        """What the worker of a shard calls with the games just played; raises `Stopped` if it is to stop."""
        played = 0

        def tell(games: int) -> None:
            nonlocal played
            played += games
            self._write(1 + shard, played)
            if np.fromfile(self.path, NUMBER, count=1)[0]:
                raise Stopped

        return tell

    def stop(self) -> None:
        self._write(0, 1)

    def games(self) -> np.ndarray:
        return np.fromfile(self.path, NUMBER)[1:]

    def remove(self) -> None:
        self.path.unlink(missing_ok=True)

    def _write(self, place: int, number: int) -> None:
        with open(self.path, "r+b") as file:
            file.seek(NUMBER.itemsize * place)
            file.write(np.array(number, NUMBER).tobytes())
