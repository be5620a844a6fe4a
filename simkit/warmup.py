"""Compiling before play: the kernel of a game and the strategies of its lineups, beside each other."""

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
    each = [sum(_entry(game, part).seconds for part in group) for group in missing]
    seconds = round(max(0.0, *each, sum(each) / cpu_count()))  # beside each other
    if progress and seconds > AT_ONCE:
        progress.compiling(f"compiling {game.name} (once, about {seconds} s)")
    if len(missing) > 1:
        workers = Parallel(n_jobs=min(len(missing), cpu_count()), backend="loky")
        workers(delayed(_compile)(catalogue.projects(), game.name, group) for group in missing)
    for group in groups:
        _compile(catalogue.projects(), game.name, group)


def _compile(projects: list[str], game: str, group: list[str]) -> None:
    """Leave the machine code in the cache on disk, in whatever process."""
    catalogue.set_projects(projects)
    for part in group:
        _ = _entry(catalogue.game(game), part).compiled


def _entry(game: Game, part: str) -> Entry:
    if part in (KERNEL, TRACER):
        return build(game) if part == KERNEL else tracer(game)
    return catalogue.strategy(game, part).player(game).decide
