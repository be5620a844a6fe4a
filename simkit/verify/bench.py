"""Benchmarks: games and decisions per second on one core, and compile times."""

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from simkit.engine import registry
from simkit.engine.game import Game
from simkit.engine.lineups import Named, parse_lineup
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
        players = [registry.player(game, named) for named in lineup]
        _timed(table, players, 1)  # loads compiled code, which does not count
        games = 4
        while (elapsed := _timed(table, players, games)[0]) < seconds / 5:
            games *= 2
        batch = max(4, int(games * seconds / elapsed))
        rounds = [_timed(table, players, batch) for _ in range(ROUNDS)]
        elapsed, decisions = sorted(rounds)[ROUNDS // 2]
        yield Speed(game.name, ", ".join(map(str, lineup)), batch / elapsed, decisions / elapsed)


def _timed(table: GameTable, players: list[Any], games: int) -> tuple[float, int]:
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
            process = subprocess.run(command, env=environment, capture_output=True, text=True)
            if process.returncode:
                raise UsageError(f"{game.name} cannot be compiled: {process.stderr.strip().splitlines()[-1]}")
            kernel, everything = map(float, process.stdout.split())
            seconds[state] = kernel, everything
    return seconds
