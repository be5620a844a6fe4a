"""Speed of this checkout of simkit relative to another one, from games timed alternately in both.

The speed of a shared machine changes from one minute to the next, but measurements that alternate within one
run share these changes. So speeds are reported as ratios, with their range over the rounds.
"""

import os
import shutil
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import NamedTuple

from simkit.engine import registry
from simkit.engine.game import Game
from simkit.engine.lineups import Named
from simkit.errors import UsageError

ROUNDS = 9
WORKER = """
import sys, time
import numpy as np
try:
    from simkit.engine import registry
except ImportError:
    from simkit import catalogue as registry
try:
    from simkit.engine import table
    from simkit.engine.lineups import parse_lineup
except ImportError:  # a checkout from before they had files of their own, or folders
    try:
        from simkit.engine import kernel as table
        from simkit.engine.strategy import parse_lineup
    except ImportError:
        from simkit import kernel as table
        from simkit.strategy import parse_lineup
Table = getattr(table, "GameTable", None) or table.Table
name, lineup, *projects = sys.argv[1:]
for folder in projects:
    registry.add_project(folder)
game = registry.game(name)
players = [registry.player(game, named) for named in parse_lineup(lineup)]
memory = Table(game, game.rules())
for games in map(int, sys.stdin):
    start = time.process_time()
    for first in range(0, games, 5_000):  # a few megabytes: larger batches measure the memory of the machine
        deals = np.arange(first, min(games, first + 5_000))
        memory.play(players, 1, deals, np.zeros_like(deals))
    print(time.process_time() - start, flush=True)
"""


class Ratio(NamedTuple):
    """Games per second of one lineup in the other checkout and here, and the ratio with its range."""

    game: str
    lineup: str
    there: float
    here: float
    ratio: float  # here ÷ there, median over rounds
    least: float
    most: float


class _Worker(NamedTuple):
    """A process that plays games of one lineup in one checkout, on request."""

    process: "subprocess.Popen[str]"
    name: str

    def seconds(self, games: int) -> float:
        """Return the processor time of so many games; UsageError if the checkout cannot play them."""
        assert self.process.stdin and self.process.stdout and self.process.stderr
        with suppress(BrokenPipeError):  # it has ended; the error is read below
            print(games, file=self.process.stdin, flush=True)
        if answer := self.process.stdout.readline():
            return float(answer)
        *_, reason = ["the process ended", *self.process.stderr.read().strip().splitlines()]
        raise UsageError(f"{self.name}: {reason.removeprefix('simkit.errors.UsageError: ')}")


def ratios(
    game: Game, lineups: list[list[Named]], ref: str, report: Callable[[str], None], seconds: float = 0.5
) -> Iterator[Ratio]:
    """Yield the ratio of each lineup, timed alternately in both checkouts for about `seconds` per round.

    ref: folder or git revision of the other checkout; report: called with a sentence for each lineup that is
    left out because one of the two cannot play it.
    """
    with _checkout(ref) as folder:
        for lineup in lineups:
            text = ", ".join(map(str, lineup))
            with (
                _worker(game, text, folder, ref) as there,
                _worker(game, text, registry.ROOT, "this checkout") as here,
            ):
                try:
                    ratio = _measure(there, here, seconds)
                except UsageError as error:
                    report(f"{game.name}: {text} is left out: {error}")
                else:
                    yield Ratio(game.name, text, *ratio)


def _measure(there: _Worker, here: _Worker, seconds: float) -> tuple[float, ...]:
    """Return games per second there and here, and the ratio: its median, smallest and largest value."""
    before, now = list[float](), list[float]()
    for worker in (there, here):
        worker.seconds(1)  # compiles, or loads compiled code
    games = 4
    while max(there.seconds(games), here.seconds(games)) < seconds / 2:
        games *= 2
    turns = [(there, before), (here, now)]
    for _ in range(ROUNDS):
        for worker, times in turns:
            times.append(worker.seconds(games))
        turns.reverse()
    factors = sorted(old / new for old, new in zip(before, now, strict=True))
    median = statistics.median(factors)
    return games / min(before), games / min(now), median, factors[0], factors[-1]


@contextmanager
def _worker(game: Game, lineup: str, folder: Path, name: str) -> Iterator[_Worker]:
    """Start a worker with simkit from a folder, and kill it at the end."""
    projects = map(os.path.abspath, registry.projects())
    command = [sys.executable, "-c", WORKER, game.name, lineup, *projects]
    pipes = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.PIPE)
    environment = {**os.environ, "PYTHONPATH": str(folder)}
    with subprocess.Popen(command, cwd=folder, env=environment, text=True, **pipes) as process:  # type: ignore[call-overload]
        try:
            yield _Worker(process, name)
        finally:
            process.kill()


@contextmanager
def _checkout(ref: str) -> Iterator[Path]:
    """Yield a folder with simkit: `ref` itself, or a temporary one with simkit as at the revision `ref`."""
    if (Path(ref) / "simkit" / "__init__.py").is_file():
        yield Path(ref).resolve()
        return
    with tempfile.TemporaryDirectory(prefix="simkit-") as folder:
        archive = Path(folder, "simkit.tar")
        command = ["git", "-C", str(registry.ROOT), "archive", "-o", str(archive), "--end-of-options", ref]
        if subprocess.run(command, capture_output=True).returncode:
            neither = "neither a folder with simkit in it nor a revision of"
            raise UsageError(f"--against {ref}: {neither} {registry.ROOT}")
        shutil.unpack_archive(archive, folder, filter="data")
        yield Path(folder)
