"""Compiling before play: the kernel of a game and the strategies of its lineups, in processes beside each
other.
"""

from collections.abc import Iterable

from joblib import Parallel, cpu_count, delayed

from simkit import catalogue
from simkit.game import Game
from simkit.jit import Entry
from simkit.kernel import build
from simkit.progress import Progress
from simkit.steps import tracer

KERNEL, TRACER = "the kernel", "the tracer"
AT_ONCE = 3  # seconds that nobody need be told of


def warm_up(
    game: Game, strategies: Iterable[str], traced: bool = False, progress: Progress | None = None
) -> None:
    """Compile what playing (and tracing) with these strategies needs, as far as that was not done before."""
    kernel = [KERNEL, TRACER] if traced else [KERNEL]  # they share the rules: one process compiles both
    groups = [kernel, *([name] for name in sorted(set(strategies)))]
    missing = [group for group in groups if not all(_entry(game, part).ready for part in group)]
    if progress and (seconds := _seconds(game, missing)) > AT_ONCE:
        progress.compiling(f"compiling {game.name} (once, about {seconds} s)")
    if len(missing) > 1:
        workers = Parallel(n_jobs=min(len(missing), cpu_count()), backend="loky")
        workers(delayed(_compile)(catalogue.projects(), game.name, group) for group in missing)
    for group in groups:
        _compile_here(game, group)


def _seconds(game: Game, groups: list[list[str]]) -> int:
    """About how long the groups take, beside each other."""
    each = [sum(_entry(game, part).seconds for part in group) for group in groups]
    seconds: float = max(0.0, *each, sum(each) / cpu_count())
    return round(seconds)


def _compile(projects: list[str], game: str, group: list[str]) -> None:
    """In a process of its own: leave the machine code in the cache on disk."""
    catalogue.set_projects(projects)
    _compile_here(catalogue.game(game), group)


def _compile_here(game: Game, group: list[str]) -> None:
    for part in group:
        _ = _entry(game, part).compiled


def _entry(game: Game, part: str) -> Entry:
    if part in (KERNEL, TRACER):
        return build(game) if part == KERNEL else tracer(game)
    return catalogue.strategy(game, part).player(game).decide
