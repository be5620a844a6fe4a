"""How fast: games and decisions per second on one core, and compile times."""

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
from simkit.engine.kernel import Table
from simkit.engine.strategy import Named, parse_lineup
from simkit.errors import UsageError

ROUNDS = 5


class Speed(NamedTuple):
    """One lineup of one game: medians over rounds, single process, after warm-up, processor time."""

    game: str
    lineup: str
    games: float  # per second
    decisions: float  # per second


def lineups(game: Game) -> list[list[Named]]:
    """The mirror match of every strategy of a game."""
    return [parse_lineup(f"{name}*{game.seats_unless_told}") for name in registry.strategies(game)]


def speeds(game: Game, some: list[list[Named]], seconds: float = 0.5) -> Iterator[Speed]:
    """Play each lineup for about `seconds` a round."""
    table = Table(game, game.rules())
    for lineup in some:
        players = [registry.player(game, named) for named in lineup]
        _timed(table, players, 1)  # loads what was compiled, which is no part of the speed
        games = 4
        while (took := _timed(table, players, games)[0]) < seconds / 5:
            games *= 2
        batch = max(4, int(games * seconds / took))
        rounds = [_timed(table, players, batch) for _ in range(ROUNDS)]
        took, decisions = sorted(rounds)[ROUNDS // 2]
        yield Speed(game.name, ", ".join(map(str, lineup)), batch / took, decisions / took)


def _timed(table: Table, players: list[Any], games: int) -> tuple[float, int]:
    began, decisions = time.process_time(), 0
    for first in range(0, games, 5_000):
        deals = np.arange(first, min(games, first + 5_000))
        states = table.play(players, 1, deals, np.zeros(len(deals), np.int64))
        decisions += int(states["log"]["game"]["decisions"].sum())
    return time.process_time() - began, decisions


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
for name in registry.strategies(game):
    registry.strategy(game, name).player(game).decide.compiled
print(kernel, time.perf_counter() - began)
"""


def compile_seconds(game: Game) -> dict[str, tuple[float, float]]:
    """Seconds to compile the kernel, and it with all strategies, in new processes: cold, then cached."""
    words, found = [sys.executable, "-c", COMPILE, game.name, *registry.projects()], {}
    with tempfile.TemporaryDirectory() as folder:
        own = {**os.environ, "NUMBA_CACHE_DIR": folder}
        for state in ("cold", "cached"):
            done = subprocess.run(words, env=own, capture_output=True, text=True)
            if done.returncode:
                raise UsageError(f"{game.name} cannot be compiled: {done.stderr.strip().splitlines()[-1]}")
            kernel, everything = map(float, done.stdout.split())
            found[state] = kernel, everything
    return found
