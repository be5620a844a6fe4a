"""Benchmarks: games, decisions and play-outs per second on one core, compile times, other checkouts."""

import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from simkit.engine import registry
from simkit.engine.compile.jit import clone
from simkit.engine.game import Game
from simkit.engine.lineups import Named, parse_lineup, parse_strategy
from simkit.engine.playout import open_luck, playing_on, redealing, usual_choice
from simkit.engine.rng import keyed
from simkit.engine.strategy import Policy, Weight, searching
from simkit.engine.table import GameTable
from simkit.errors import UsageError

ROUNDS = 5


class Speed(NamedTuple):
    """Speed of one lineup of one game: median over rounds, single process, after warm-up, processor time."""

    game: str
    lineup: str
    games: float  # per second
    decisions: float  # per second


def lineups(game: Game) -> list[list[Named]]:
    """Return the mirror match of every strategy of a game."""
    return [parse_lineup(f"{name}*{game.default_seats}") for name in registry.scripted(game)]


def speeds(game: Game, matchups: list[list[Named]], seconds: float = 0.5) -> Iterator[Speed]:
    """Yield the speed of each lineup, played for about `seconds` per round."""
    table = GameTable(game, game.rules())
    for lineup in matchups:
        players = registry.players(game, lineup)
        _time_games(table, players, 1)  # loads compiled code, which does not count
        games = 4
        while (elapsed := _time_games(table, players, games)[0]) < seconds / 5:
            games *= 2
        batch = max(4, int(games * seconds / elapsed))
        rounds = [_time_games(table, players, batch) for _ in range(ROUNDS)]
        elapsed, decisions = sorted(rounds)[ROUNDS // 2]
        yield Speed(game.name, ", ".join(map(str, lineup)), batch / elapsed, decisions / elapsed)


def _time_games(table: GameTable, players: list[Any], games: int) -> tuple[float, int]:
    """Play so many games; return the processor time in seconds and the number of decisions."""
    start, decisions = time.process_time(), 0
    for first in range(0, games, 5_000):
        deals = np.arange(first, min(games, first + 5_000))
        states = table.play(players, 1, deals, np.zeros(len(deals), np.int64))
        decisions += int(states["log"]["game"]["decisions"].sum())
    return time.process_time() - start, decisions


COMPILE = """
import sys, time
from simkit.engine import registry
from simkit.engine.kernel import build
for folder in sys.argv[2:]:
    registry.add_project(folder)
game = registry.game(sys.argv[1])
began = time.perf_counter()
build(game).compiled
kernel = time.perf_counter() - began
for name in registry.scripted(game):
    registry.strategy(game, name).player(game).decide.compiled
print(kernel, time.perf_counter() - began)
"""


def import_seconds() -> float:
    """Return the processor time of `import simkit`, the least of five new processes."""
    code = "import time; t = time.process_time(); import simkit; print(time.process_time() - t)"
    return min(float(subprocess.check_output([sys.executable, "-c", code])) for _ in range(5))


def compile_seconds(game: Game) -> dict[str, tuple[float, float]]:
    """Return the seconds that kernel, and kernel and strategies, take in new processes: cold, then cached."""
    command, seconds = [sys.executable, "-c", COMPILE, game.name, *registry.projects()], {}
    with tempfile.TemporaryDirectory() as folder:
        environment = {**os.environ, "NUMBA_CACHE_DIR": folder}
        for state in ("cold", "cached"):
            process = subprocess.run(command, env=environment, capture_output=True, encoding="utf-8")
            if process.returncode:
                raise UsageError(f"{game.name} cannot be compiled: {process.stderr.strip().splitlines()[-1]}")
            kernel, everything = map(float, process.stdout.split())
            seconds[state] = kernel, everything
    return seconds


# Play-outs per second, on which the strength of searches at a given time depends.

SAMPLES = 20  # redeals at each decision, each played on once
DEALS = 4  # at first; more if they take less than a round


class PlayOuts(NamedTuple):
    """Play-outs per second in one game with its default policy: the most of several rounds."""

    game: str
    seats: int
    policy: str
    per_second: float


@searching(
    room=lambda game, w: game.max_actions,
    policy=Policy("Plays on in all seats, and decides"),
    samples=Weight(SAMPLES, 1, 1_000, "Play-outs at each decision"),
)
def play_outs(game: Game) -> Any:
    """Plays on after the policy's own choice, and takes it, to time the play-outs."""
    redealt, play_on, step = redealing(game), playing_on(game), game.step

    def decide(view, rules, legal, w, rng, scratch, work, lent, ply):  # type: ignore[no-untyped-def]
        key, root, s, ids = keyed(rng, ply, 0), scratch[0], scratch[1], work
        usual = usual_choice(view, rules, legal, lent, key)
        for sample in range(w.samples):
            redealt(root, view, rules, key, sample, lent.streams[:1])
            clone(s, root)
            open_luck(lent, key, sample, 0)
            step(s, rules, usual, lent.luck)
            play_on(s, rules, lent, ids, key, sample, 0)
        return usual

    return decide


def playout_speed(game: Game, seconds: float = 0.5) -> PlayOuts:
    """Return the speed of play-outs from all decisions of games of the default policy."""
    policy, seats = registry.default_policy(game), game.default_seats
    player = play_outs.player(game, policy=registry.player(game, parse_strategy(policy)[0], seats))
    table, deals = GameTable(game, game.rules()), DEALS
    _time_play_outs(table, [player] * seats, 1)  # loads compiled code, which does not count
    while (timed := _time_play_outs(table, [player] * seats, deals))[0] < seconds:
        deals *= 2
    rounds = [timed, *(_time_play_outs(table, [player] * seats, deals) for _ in range(ROUNDS - 1))]
    return PlayOuts(game.name, seats, policy, max(count / elapsed for elapsed, count in rounds))


def _time_play_outs(table: GameTable, players: list[Any], deals: int) -> tuple[float, int]:
    """Play so many games; return the processor time in seconds and the number of play-outs."""
    start = time.process_time()
    states = table.play(players, 1, np.arange(deals), np.zeros(deals, np.int64))
    return time.process_time() - start, SAMPLES * int(states["log"]["game"]["decisions"].sum())


# Speed relative to another checkout, from games timed alternately in both: the speed of a shared machine
# changes from one minute to the next, but measurements that alternate within one run share these changes. So
# speeds are reported as ratios, with their range over the rounds.

ROUNDS_AGAINST = 9
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
lineup = parse_lineup(lineup)
if hasattr(registry, "players"):
    players = registry.players(game, lineup)
else:
    players = [registry.player(game, named) for named in lineup]
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
    for _ in range(ROUNDS_AGAINST):
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
    with subprocess.Popen(command, cwd=folder, env=environment, encoding="utf-8", **pipes) as process:  # type: ignore[call-overload]
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
