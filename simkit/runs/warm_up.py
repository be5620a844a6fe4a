"""Compilation of all that a run needs, in parallel processes, before its workers start.

Workers of this machine find the machine code in the cache on disk. Each worker of a cluster compiles for
itself, with `compile_parts`.
"""

import os
from collections import deque
from collections.abc import Iterable, Iterator
from contextlib import suppress
from itertools import chain
from typing import Any

from joblib import Parallel, cpu_count, delayed, parallel_config

from simkit.engine import alternatives, kernel, registry, stepper, watchdog
from simkit.engine.compile import jit
from simkit.engine.game import Game
from simkit.engine.lineups import Seated, parse_strategy
from simkit.engine.tasks import Task
from simkit.runs.progress import Progress

# Parts to compile; any other part is a player.
KERNEL, TRACER, VALUER = "the kernel", "the tracer", "the values of alternatives"
Part = str | Seated
LOKY = "loky"  # joblib's backend of processes
MIN_REPORTED_SECONDS = 3  # shorter compilations are not reported


def warm_up(game: Game, players: Iterable[Seated], progress: Progress, traced: bool = False) -> None:
    """Compile what playing (and tracing) these players needs and the cache does not hold.

    Runs in a thread so that Ctrl-C works while Numba compiles.
    """
    rules: list[Part] = [KERNEL, TRACER] if traced else [KERNEL]  # one process, as they share the rules
    players = list(players)
    learned = (registry.player(game, parse_strategy(label)[0], seats).net.size for label, seats in players)
    rules += [VALUER] if traced and any(learned) else []  # pages with dials say why
    different = {tuple(_entries(game, player)): player for player in sorted(set(players), reverse=True)}
    groups = [rules]
    groups += [[player] for player in sorted(different.values())]
    parts = {tuple(group): [e for part in group for e in _entries(game, part)] for group in groups}
    missing = [group for group in groups if not all(entry.ready for entry in parts[tuple(group)])]
    uncompiled = [[entry for entry in parts[tuple(group)] if not entry.ready] for group in missing]
    estimates = list(map(jit.compile_seconds, uncompiled))
    seconds = round(max(0.0, *estimates, sum(estimates) / cpu_count()))
    if seconds > MIN_REPORTED_SECONDS:
        progress.report_compilation(f"compiling {game.name} (once, about {seconds} s)")
    Task(lambda: _compile_all(game.name, groups, missing)).result()


def _compile_all(game: str, groups: list[list[Part]], missing: list[list[Part]]) -> None:
    """Compile the missing groups, then load all groups in this process."""
    projects = registry.projects()
    if min(len(missing), cpu_count()) > 1:
        _compile_in_processes(projects, game, missing)
    for group in groups:
        compile_parts(projects, game, group)


def _compile_in_processes(projects: list[str], game: str, groups: list[list[Part]]) -> None:
    """Compile groups in one process per processor, of which this one is the first: it need not start."""
    waiting, count = deque(groups[1:]), min(len(groups), cpu_count())
    watchdog.keep_from_workers()
    with parallel_config(**processes()):
        others = Parallel(n_jobs=count, pre_dispatch=count - 1, return_as="generator_unordered")
        tasks = (delayed(compile_parts)(projects, game, group) for group in _take(waiting))
        outcomes = others(tasks)
        try:
            for group in chain(groups[:1], _take(waiting)):
                compile_parts(projects, game, group)
        finally:
            waiting.clear()  # after an error the others only finish what they have begun
            deque(outcomes, maxlen=0)  # waits for them: joblib warns of tasks that are cancelled


def _take(groups: deque[list[Part]]) -> Iterator[list[Part]]:
    """Yield the groups that nobody else has taken."""
    with suppress(IndexError):
        while True:
            yield groups.popleft()


def processes() -> dict[str, Any]:
    """Return joblib's settings for worker processes, which ignore Ctrl-C and end with this process."""
    return {"backend": LOKY, "initializer": watchdog.serve, "initargs": (os.getpid(),)}


def compile_parts(projects: list[str], game: str, parts: list[Part]) -> None:
    """Compile parts of a game in this process, or load them from the cache on disk."""
    registry.set_projects(projects)
    for part in parts:
        for entry in _entries(registry.game(game), part):
            _ = entry.compiled


def _entries(game: Game, part: Part) -> list[jit.EntryPoint]:
    if isinstance(part, Seated):
        return registry.player(game, parse_strategy(part.label)[0], part.seats).entries
    if part == VALUER:
        return [alternatives.valuer(game)]
    return [stepper.tracer(game)] if part == TRACER else [kernel.build(game), kernel.no_search(game)]
