"""Compilation of the games of everyday tests, one process per game, before tests share the cache.

Of published games these are the players of the specifications and those of the flagship experiment. Long
tests compile the others when they meet them.
"""

from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

from joblib import cpu_count
from of_games.driver import driver
from outpost_seven.engine import reach

from simkit.engine import registry
from simkit.engine.compile.jit import compile_seconds
from simkit.engine.kernel import build, no_search
from simkit.engine.lineups import Named
from simkit.engine.stepper import tracer

PLAYERS = ("random", "reference_greedy", "greedy")
SEARCHED = ("pig", "nim")  # games that everyday tests search


def compile_game(name: str) -> None:
    """Compile a game with its kernel, drivers and players."""
    game = registry.game(name)
    strategies = registry.scripted(game)
    names = [name for name in strategies if name in PLAYERS or "reference_greedy" not in strategies]
    players = [strategies[name].player(game).decide for name in names]
    tests = [reach()] if name == "outpost_seven" else []
    if name in SEARCHED:
        players += registry.player(game, Named("search", {}), game.default_seats).entries
    stepped = [tracer(game), driver(game).entry] if game.words.provenance else []  # in published games
    for entry in (build(game), no_search(game), *stepped, *players, *tests):
        _ = entry.compiled


if __name__ == "__main__":
    kernels = {name: build(registry.game(name)) for name in registry.games()}
    longest_first = sorted(kernels, key=lambda name: -compile_seconds([kernels[name]]))
    with ProcessPoolExecutor(cpu_count(), get_context("spawn"), max_tasks_per_child=1) as workers:
        list(workers.map(compile_game, longest_first))
