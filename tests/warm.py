"""Compiles what everyday tests play, each game in a process of its own, before tests share the cache.

Of published games these are the players of the specifications and those of the flagship experiment. Long
tests compile the others when they meet them.
"""

from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

from joblib import cpu_count
from outpost_seven.engine import reach

from simkit.engine import registry
from simkit.engine.kernel import build
from simkit.engine.stepper import driver, tracer

PLAYERS = ("random", "reference_greedy", "greedy")


def compile_game(name: str) -> None:
    game = registry.game(name)
    strategies = registry.strategies(game)
    names = [one for one in strategies if one in PLAYERS or "reference_greedy" not in strategies]
    players = [strategies[one].player(game).decide for one in names]
    tests = [reach()] if name == "outpost_seven" else []
    for entry in (build(game), tracer(game), *driver(game), *players, *tests):
        _ = entry.compiled


if __name__ == "__main__":
    longest_first = sorted(registry.games(), key=lambda name: -build(registry.game(name)).seconds)
    with ProcessPoolExecutor(cpu_count(), get_context("spawn"), max_tasks_per_child=1) as workers:
        list(workers.map(compile_game, longest_first))
