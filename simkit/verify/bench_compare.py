"""Speed of this checkout of simkit relative to another one, from games timed alternately in both.

The speed of a shared machine changes from one minute to the next, but measurements that alternate within one
run share these changes. So speeds are reported as ratios, with their range over the rounds.
"""

import io
import itertools
import os
import statistics
import subprocess
import sys
import tarfile
import tempfile
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import NamedTuple

from simkit.engine import registry
from simkit.engine.game import Game
from simkit.engine.strategy import Named
from simkit.errors import UsageError

ROUNDS = 9
PLAYS = """
import sys, time
import numpy as np
from simkit.errors import UsageError
try:
    from simkit.engine import registry
    from simkit.engine.kernel import Table
    from simkit.engine.strategy import parse_lineup
except ImportError:  # a checkout from before simkit had layers
    from simkit import catalogue as registry
    from simkit.kernel import Table
    from simkit.strategy import parse_lineup
for folder in sys.argv[2:]:
    registry.add_project(folder)
table = None
for line in sys.stdin:
    games, lineup = line.strip().split(" ", 1)
    try:
        game = registry.game(sys.argv[1])
        players = [registry.player(game, named) for named in parse_lineup(lineup)]
    except UsageError as error:
        print("cannot:", " ".join(str(error).split()), flush=True)
        continue
    if table is None:
        table = Table(game, game.rules())
    deals = np.arange(int(games))
    start = time.process_time()
    table.play(players, 1, deals, np.zeros_like(deals))
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


class Unknown(UsageError):
    """The error of a checkout that lacks a game or a strategy."""


def ratios(
    game: Game, lineups: list[list[Named]], ref: str, report: Callable[[str], None], seconds: float = 0.5
) -> Iterator[Ratio]:
    """Yield the ratio of each lineup, timed alternately in both checkouts for about `seconds` per round.

    ref: folder or git revision of the other checkout; report: called with a sentence for each lineup that is
    left out because one of the two does not know it.
    """
    with ExitStack() as open_now:
        folder = open_now.enter_context(_checkout(ref))
        there, here = (
            open_now.enter_context(_worker(game, path, name))
            for path, name in ((folder, ref), (registry.ROOT, "here"))
        )
        for lineup in lineups:
            text = ", ".join(map(str, lineup))
            try:
                for worker in (there, here):
                    worker.seconds(1, text)  # compiles, or loads compiled code
            except Unknown as error:
                report(f"{game.name}: {text} is left out: {error}")
                continue
            games = 4
            while max(worker.seconds(games, text) for worker in (there, here)) < seconds / 2:
                games *= 2
            rounds = [_round(there, here, games, text, swapped) for swapped in [False, True] * ROUNDS][
                :ROUNDS
            ]
            factors = sorted(before / now for before, now in rounds)
            before, now = (games / min(side) for side in zip(*rounds, strict=True))
            yield Ratio(game.name, text, before, now, statistics.median(factors), factors[0], factors[-1])


def as_markdown(rows: list[Ratio], ref: str, here: str) -> str:
    """Return a page with a table per game: the speed at revision `here` relative to that at `ref`."""
    lines = ["# How fast, against an earlier revision", ""]
    lines += [f"Games a second of one core at `{ref}` and at `{here}`, which play in turn, {ROUNDS} rounds;"]
    lines += ["the median of the ratios, and their range. Written by `make bench`."]
    for game, game_rows in itertools.groupby(rows, lambda ratio: ratio.game):
        lines += ["", f"## {registry.game(game).title}", ""]
        lines += ["| lineup | games/s before | now | ratio | from | to |"]
        lines += ["| --- | --: | --: | --: | --: | --: |"]
        lines += [f"| {_row(ratio)} |" for ratio in game_rows]
    return "\n".join([*lines, ""])


def _row(ratio: Ratio) -> str:
    """Return the cells of a table row."""
    speeds = (f"{round(speed):,}" for speed in (ratio.there, ratio.here))
    return " | ".join([f"`{ratio.lineup}`", *speeds, *(f"{part:.2f}" for part in ratio[4:])])


def revision() -> str:
    """Return the git revision of this checkout, followed by `-dirty` if files have changed since."""
    command = ["git", "-C", str(registry.ROOT), "describe", "--always", "--dirty"]
    process = subprocess.run(command, capture_output=True, text=True)
    return process.stdout.strip() or "here"


class _Worker(NamedTuple):
    """A process that plays games of one checkout on request."""

    process: "subprocess.Popen[str]"
    name: str

    def seconds(self, games: int, lineup: str) -> float:
        """Return the processor time of so many games."""
        assert self.process.stdin and self.process.stdout and self.process.stderr
        with suppress(BrokenPipeError):  # it has ended; the error is read below
            print(games, lineup, file=self.process.stdin, flush=True)
        answer = self.process.stdout.readline()
        if answer.startswith("cannot:"):
            raise Unknown(f"{self.name}: {answer.removeprefix('cannot:').strip()}")
        if not answer:
            reason = (self.process.stderr.read().strip().splitlines() or ["it ended"])[-1]
            raise UsageError(f"{self.name}: cannot play {lineup}: {reason}")
        return float(answer)


def _round(there: _Worker, here: _Worker, games: int, lineup: str, swapped: bool) -> tuple[float, float]:
    """Return the seconds there and here; `swapped`: play here first."""
    if swapped:
        now = here.seconds(games, lineup)
        return there.seconds(games, lineup), now
    return there.seconds(games, lineup), here.seconds(games, lineup)


@contextmanager
def _worker(game: Game, folder: Path, name: str) -> Iterator[_Worker]:
    """Start a worker with simkit from a folder, and kill it at the end."""
    command = [sys.executable, "-c", PLAYS, game.name, *map(os.path.abspath, registry.projects())]
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
    command = ["git", "-C", str(registry.ROOT), "archive", "--format=tar", "--end-of-options", ref]
    process = subprocess.run(command, capture_output=True)
    if process.returncode:
        raise UsageError(
            f"--against {ref}: neither a folder with simkit in it nor a revision of {registry.ROOT}"
        )
    with tempfile.TemporaryDirectory(prefix="simkit-") as folder:
        with tarfile.open(fileobj=io.BytesIO(process.stdout)) as files:
            files.extractall(folder, filter="data")
        yield Path(folder)
