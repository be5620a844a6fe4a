"""The cells of an experiment, played over joblib workers into a run folder; a stopped run goes on."""

import os
import threading
import time
from collections.abc import Generator, Iterable, Iterator
from contextlib import closing, suppress
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import Any, NamedTuple

from joblib import Parallel, cpu_count, delayed, parallel_config

from simkit import adaptive, beginners, catalogue, jit, kernel, kingmaking, manifest, runlog, steps
from simkit import experiment as experiments
from simkit.errors import PlayError, UsageError
from simkit.experiment import Cell, Experiment
from simkit.game import Game
from simkit.progress import Board, Further, Progress, Stopped
from simkit.shards import Layout, Shard, missing, remove_unfinished, usual_layout, write

KERNEL, TRACER = "the kernel", "the tracer"
AT_ONCE = 3  # seconds of compiling that nobody need be told of
TICK = 0.25  # seconds between two looks at how far the workers are
SAME = {  # parts of a manifest in which a run that goes on must not differ
    "experiment": "the folder holds another experiment",
    "files": "the folder was played with other contents of the designer's files",
    "sources": "the sources have changed since this run began, and old and new games do not mix",
}


class Outcome(NamedTuple):
    """A worker is done with a shard, or stopped by a fault."""

    place: int  # of the shard among those to play
    fault: str = ""


def run(
    experiment: Experiment,
    folder: str | Path,
    jobs: int = 1,
    backend: str = "threading",
    progress: Progress | None = None,
    command: str | None = None,
    columns_asked: tuple[str, ...] = (),
    layout: Layout | None = None,
) -> Path:
    """Carry out an experiment in a folder, or finish it there; returns the folder."""
    folder, progress = Path(folder), progress or Progress()
    _check_workers(jobs, backend)
    game, cells = catalogue.game(experiment.game), experiments.check(experiment)
    if experiment.beginners:
        experiments.check(beginners.experiment_of(experiment))
    if experiment.kingmaking:
        kingmaking.looked_at(experiment)
    names = {named.name for cell in cells for named in cell.lineup}
    layout = layout or usual_layout(game, [catalogue.strategy(game, name) for name in names])
    made = manifest.new(experiment, cells, layout, command)
    warm_up(game, names, progress, traced=bool(experiment.trace))
    _prepare(folder, experiment, made)
    manifest.ask(folder, columns_asked)
    _play_missing(runlog.open_unfinished(folder), jobs, backend, progress)
    if experiment.kingmaking:
        kingmaking.write(experiment, folder, progress)
    if experiment.beginners:
        further = Further(progress, int(manifest.read(folder)["games"]))
        run(beginners.experiment_of(experiment), folder / beginners.FOLDER, jobs, backend, further, command)
    return folder


def warm_up(game: Game, strategies: Iterable[str], progress: Progress, traced: bool = False) -> None:
    """Compile what playing (and tracing) these strategies needs, side by side, unless it was before."""
    kernel = [KERNEL, TRACER] if traced else [KERNEL]  # they share the rules: one process compiles both
    groups = [kernel, *([name] for name in sorted(set(strategies)))]
    missing = [group for group in groups if not all(_entry(game, part).ready for part in group)]
    each = [sum(_entry(game, part).seconds for part in group) for group in missing]
    seconds = round(max(0.0, *each, sum(each) / cpu_count()))
    if seconds > AT_ONCE:
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


def _entry(game: Game, part: str) -> jit.Entry:
    if part in (KERNEL, TRACER):
        return kernel.build(game) if part == KERNEL else steps.tracer(game)
    return catalogue.strategy(game, part).player(game).decide


def _check_workers(jobs: int, backend: str) -> None:
    if jobs == 0:
        raise UsageError("0 jobs cannot play: give 1 or more, or -1 for one per processor")
    try:
        with parallel_config(backend=backend):
            Parallel(n_jobs=jobs, return_as="generator_unordered")
    except (ValueError, ImportError) as error:
        raise UsageError(f"backend '{backend}' cannot be used: {str(error).splitlines()[0]}") from error


def _prepare(folder: Path, experiment: Experiment, made: dict[str, Any]) -> None:
    """Make the folder ready, or see that it holds a part of this very run."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        there = set(os.listdir(folder))
        if "manifest.json" in there:
            known = manifest.read(folder)
            if differs := [said for part, said in SAME.items() if known[part] != made[part]]:
                raise UsageError(f"{folder}: {differs[0]}; choose another folder")
        elif there <= {"files", "experiment.toml", ".manifest.json.tmp", runlog.LOOKS}:
            manifest.begin(folder, experiment, made)
        else:
            raise UsageError(f"{folder}: the folder is not empty and not a run; choose another")
    except OSError as error:
        raise UsageError(f"{folder}: cannot write there: {error.strerror}") from error


def _play_missing(run: runlog.Run, jobs: int, backend: str, progress: Progress) -> None:
    """Play the shards that are not there yet; on a fault, finish what has begun and then say it."""
    remove_unfinished(run.folder)
    work, finished = _Work(run, jobs, backend, progress), None
    try:
        if run.experiment.adaptive:
            work.play_adaptive()
        else:
            work.play(run.shards)
        finished = manifest.now()
    finally:
        if run.manifest["finished"] is None:
            seconds = round(run.manifest["seconds"] + time.perf_counter() - work.began, 3)
            manifest.note(run.folder, seconds=seconds, games=work.done, finished=finished)


class _Work:
    """Playing shards with some workers, and how far it has come."""

    def __init__(self, run: runlog.Run, jobs: int, backend: str, progress: Progress) -> None:
        self.run, self.jobs, self.backend, self.progress = run, jobs, backend, progress
        self.began, self.done, self.told = time.perf_counter(), 0, -1
        self.most, self.board = sum(cell.plays for cell in run.cells), Board(run.folder)

    def play(self, shards: list[Shard]) -> None:
        left, faults, before = missing(self.run.folder, shards), list[Outcome](), self.done
        self.done = there = before + self._games(shards) - self._games(left)
        self._tell(there)
        try:
            with closing(self._outcomes(left)) as outcomes:
                for outcome in outcomes:
                    if outcome and outcome.fault:
                        faults.append(outcome)
                    self._tell(there + int(self.board.games().sum()))
        finally:
            self.done = before + self._games(shards) - self._games(missing(self.run.folder, shards))
        if faults:
            raise PlayError(min(faults).fault)

    def play_adaptive(self) -> None:
        """Play look by look until every cell knows enough; note where each has stopped."""
        cells = list(self.run.cells)
        for shards in adaptive.rounds(self.run, cells):
            self.play(shards)
        self.progress.played(self.done, self.done)
        manifest.note(self.run.folder, cells=[cell.keys() for cell in cells])

    def _games(self, shards: list[Shard]) -> int:
        return sum(shard.games(self.run.cells) for shard in shards)

    def _tell(self, done: int) -> None:
        if done > self.told:
            self.told = done
            self.progress.played(done, self.most)

    def _outcomes(self, left: list[Shard]) -> Generator[Outcome | None, None, None]:
        """What the workers say, whom a thread hands shards; None where they keep silent for TICK seconds."""
        heard, closed = SimpleQueue[Outcome | BaseException](), threading.Event()
        thread = threading.Thread(target=self._hand_out, args=(left, heard, closed), daemon=True)
        self.board.begin(len(left))
        thread.start()
        try:
            while thread.is_alive() or not heard.empty():
                said = None
                with suppress(Empty):
                    said = heard.get(timeout=TICK)
                if isinstance(said, BaseException):
                    raise said
                yield said
        finally:  # the workers stop after the games that they are playing
            closed.set()
            self.board.stop()
            thread.join()
            self.board.remove()

    def _hand_out(self, left: list[Shard], heard: SimpleQueue[Any], closed: threading.Event) -> None:
        """Let the workers play the shards until one of them has a fault or `closed` is set."""
        try:
            with parallel_config(backend=self.backend):
                workers = Parallel(n_jobs=self.jobs, return_as="generator_unordered")
                for outcome in workers(self._tasks(left, closed)):
                    if outcome.fault:
                        closed.set()
                    heard.put(outcome)
        except BaseException as error:  # raised again in the main thread
            heard.put(error)

    def _tasks(self, left: list[Shard], closed: threading.Event) -> Iterator[object]:
        run, projects = self.run, catalogue.projects()
        for place, shard in enumerate(left):
            if closed.is_set():
                return
            cells = [run.cells[part.cell] for part in shard.parts]
            yield delayed(_work)(projects, place, run.folder, run.experiment, cells, shard)


def _work(
    projects: list[str], place: int, folder: Path, experiment: Experiment, cells: list[Cell], shard: Shard
) -> Outcome:
    catalogue.set_projects(projects)
    try:
        with suppress(Stopped):  # then nobody waits for the outcome
            write(folder, experiment, cells, shard, Board(folder).teller(place))
    except PlayError as error:
        return Outcome(place, str(error))
    return Outcome(place)
