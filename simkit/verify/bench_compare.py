"""Two checkouts of simkit timed in turn: how many times as fast the same games are in this one.

A machine that others use is faster and slower from one minute to the next; what is measured in turn, in one
run, shares that. So a speed is told as a ratio, with the range over the rounds.
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
        players, deals = [registry.player(game, one) for one in parse_lineup(lineup)], np.arange(int(games))
    except UsageError as why:
        print("cannot:", " ".join(str(why).split()), flush=True)
        continue
    if table is None:
        table = Table(game, game.rules())
    began = time.process_time()
    table.play(players, 1, deals, np.zeros_like(deals))
    print(time.process_time() - began, flush=True)
"""


class Ratio(NamedTuple):
    """One lineup of one game: games a second there and here, and here by there with its range."""

    game: str
    lineup: str
    there: float
    here: float
    ratio: float  # median over rounds
    least: float
    most: float


class Unknown(UsageError):
    """A checkout does not know a game or a strategy."""


def ratios(
    game: Game, lineups: list[list[Named]], ref: str, told: Callable[[str], None], seconds: float = 0.5
) -> Iterator[Ratio]:
    """Each lineup in turn there and here, about `seconds` a round; `ref`: a folder, or a revision of git.

    told: hears which lineup is left out because one of the two does not know it.
    """
    with ExitStack() as open_now:
        folder = open_now.enter_context(_checkout(ref))
        there, here = (
            open_now.enter_context(_worker(game, one, name))
            for one, name in ((folder, ref), (registry.ROOT, "here"))
        )
        for lineup in lineups:
            text = ", ".join(map(str, lineup))
            try:
                for one in (there, here):
                    one.seconds(1, text)  # compiles, or loads what was compiled
            except Unknown as why:
                told(f"{game.name}: {text} is left out: {why}")
                continue
            games = 4
            while max(one.seconds(games, text) for one in (there, here)) < seconds / 2:
                games *= 2
            rounds = [_round(there, here, games, text, swapped) for swapped in [False, True] * ROUNDS][
                :ROUNDS
            ]
            by = sorted(before / now for before, now in rounds)
            before, now = (games / min(side) for side in zip(*rounds, strict=True))
            yield Ratio(game.name, text, before, now, statistics.median(by), by[0], by[-1])


def as_markdown(found: list[Ratio], ref: str, here: str) -> str:
    """A page with a table per game: how many times as fast it is `here`, a revision, as at `ref`."""
    lines = ["# How fast, against an earlier revision", ""]
    lines += [f"Games a second of one core at `{ref}` and at `{here}`, which play in turn, {ROUNDS} rounds;"]
    lines += ["the median of the ratios, and their range. Written by `make bench`."]
    for game, ratios in itertools.groupby(found, lambda one: one.game):
        lines += ["", f"## {registry.game(game).title}", ""]
        lines += ["| lineup | games/s before | now | ratio | from | to |"]
        lines += ["| --- | --: | --: | --: | --: | --: |"]
        lines += [f"| {_row(one)} |" for one in ratios]
    return "\n".join([*lines, ""])


def _row(one: Ratio) -> str:
    speeds = (f"{round(speed):,}" for speed in (one.there, one.here))
    return " | ".join([f"`{one.lineup}`", *speeds, *(f"{part:.2f}" for part in one[4:])])


def revision() -> str:
    """The revision of git that simkit here is at, `-dirty` behind it where files were changed since."""
    words = ["git", "-C", str(registry.ROOT), "describe", "--always", "--dirty"]
    done = subprocess.run(words, capture_output=True, text=True)
    return done.stdout.strip() or "here"


class _Worker(NamedTuple):
    """A process that plays games of one checkout when told to."""

    process: "subprocess.Popen[str]"
    name: str

    def seconds(self, games: int, lineup: str) -> float:
        """Processor time of so many games."""
        assert self.process.stdin and self.process.stdout and self.process.stderr
        with suppress(BrokenPipeError):  # it ended, and what it said last tells why
            print(games, lineup, file=self.process.stdin, flush=True)
        said = self.process.stdout.readline()
        if said.startswith("cannot:"):
            raise Unknown(f"{self.name}: {said.removeprefix('cannot:').strip()}")
        if not said:
            why = (self.process.stderr.read().strip().splitlines() or ["it ended"])[-1]
            raise UsageError(f"{self.name}: cannot play {lineup}: {why}")
        return float(said)


def _round(there: _Worker, here: _Worker, games: int, lineup: str, swapped: bool) -> tuple[float, float]:
    """Seconds there and here; who comes first changes from round to round."""
    if swapped:
        now = here.seconds(games, lineup)
        return there.seconds(games, lineup), now
    return there.seconds(games, lineup), here.seconds(games, lineup)


@contextmanager
def _worker(game: Game, folder: Path, name: str) -> Iterator[_Worker]:
    words = [sys.executable, "-c", PLAYS, game.name, *map(os.path.abspath, registry.projects())]
    pipes = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.PIPE)
    own = {**os.environ, "PYTHONPATH": str(folder)}
    with subprocess.Popen(words, cwd=folder, env=own, text=True, **pipes) as process:  # type: ignore[call-overload]
        try:
            yield _Worker(process, name)
        finally:
            process.kill()


@contextmanager
def _checkout(ref: str) -> Iterator[Path]:
    """A folder with simkit in it as it is there, or was at a revision."""
    if (Path(ref) / "simkit" / "__init__.py").is_file():
        yield Path(ref).resolve()
        return
    words = ["git", "-C", str(registry.ROOT), "archive", "--format=tar", "--end-of-options", ref]
    done = subprocess.run(words, capture_output=True)
    if done.returncode:
        raise UsageError(
            f"--against {ref}: neither a folder with simkit in it nor a revision of {registry.ROOT}"
        )
    with tempfile.TemporaryDirectory(prefix="simkit-") as folder:
        with tarfile.open(fileobj=io.BytesIO(done.stdout)) as files:
            files.extractall(folder, filter="data")
        yield Path(folder)
