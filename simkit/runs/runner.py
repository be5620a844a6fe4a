"""The cells of an experiment, played over joblib workers into a run folder; a stopped run goes on."""

import os
import shlex
import threading
import time
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping
from concurrent.futures import wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import closing, suppress
from functools import cache
from getpass import getuser
from pathlib import Path
from queue import Empty, SimpleQueue
from tempfile import gettempdir
from typing import Any, NamedTuple

from filelock import FileLock
from joblib import Parallel, cpu_count, delayed, parallel_config

from simkit.engine import kernel, registry, stepper, watchdog
from simkit.engine.compile import jit
from simkit.engine.game import Game
from simkit.engine.limits import MOST_JOBS
from simkit.engine.projects import command_words
from simkit.engine.strategy import parse_strategy
from simkit.engine.tasks import Task
from simkit.errors import UNCOMPILED, Crash, OtherRun, PlayError, UsageError
from simkit.runs import cluster, manifest, remote_worker, source_digests
from simkit.runs import experiment as experiments
from simkit.runs.experiment import Cell, Experiment
from simkit.runs.extras import beginners, kingmaking
from simkit.runs.progress import Board, Further, Progress, Stopped
from simkit.runs.run import LUCK_STUDY, SEARCH, Run, open_unfinished
from simkit.runs.shards import TURNS, Layout, Shard, keep, missing, remove_unfinished, usual_layout, write
from simkit.runs.stopping import sequential_stopping
from simkit.runs.storage import checksums, lock, remote

KERNEL, TRACER = "the kernel", "the tracer"
LOKY = "loky"  # joblib's backend of processes
AT_ONCE = 3  # seconds of compiling that nobody need be told of
MOST_LOST = 3  # workers one after the other without a shard finished between
CURE = "out of memory? Fewer --jobs need less"
TICK = 0.25  # seconds between two looks at how far the workers are
GRACE = 0.7  # seconds that workers have to stop, and then a killed one half as many to end
OURS = {"experiment.toml", "files", remote.LOOKS, ".manifest.json.tmp", lock.FILE}  # without a manifest


class Outcome(NamedTuple):
    """A worker is done with a shard, or stopped by a fault."""

    place: int  # of the shard among those to play
    fault: str = ""
    play: int | None = None  # the game that failed
    crashed: bool = False  # in compiled code
    files: Mapping[str, str] = {}  # the tables written, and their digests
    tables: Mapping[str, bytes] = {}  # what is in them, where the worker does not see the run folder


def run(
    experiment: Experiment,
    folder: str | Path,
    jobs: int = 1,
    backend: str = "threading",
    progress: Progress | None = None,
    command: str | None = None,
    layout: Layout | None = None,
    scheduler: str = "",
    batch_timeout: float | None = None,
) -> Path:
    """Carry out an experiment in a folder, or finish it there; returns the (local) folder.

    `batch_timeout`: give up when a batch of games (about 0.2 seconds, one game at least) takes more seconds.
    """
    progress = progress or Progress()
    _check_workers(jobs, backend, scheduler)
    game, cells = registry.game(experiment.game), _checked(experiment)
    players = source_digests.players_of(cells)
    names = {parse_strategy(label)[0].name for label in players}
    layout = layout or usual_layout(game, [registry.strategy(game, name) for name in names])
    made = manifest.new(experiment, cells, layout, command)
    warm_up(game, players, progress, traced=bool(experiment.trace))
    with remote.writing(folder, command) as place:
        try:
            _make(place)
            with lock.alone(place):
                known = _there(place, made)
                with cluster.opened(backend, scheduler, jobs) as workers:
                    _prepare(place, experiment, made, known)
                    remote.upload(place)
                    work = _Work(open_unfinished(place), jobs, workers, progress, batch_timeout)
                    _play_missing(work)
                if experiment.kingmaking:
                    kingmaking.write(experiment, place, progress)
                if experiment.beginners:
                    asked, beside = beginners.experiment_of(experiment), place / beginners.FOLDER
                    how: dict[str, Any] = {"scheduler": scheduler, "batch_timeout": batch_timeout}
                    run(asked, beside, jobs, backend, Further(progress, work.done), command, **how)
                _finish(work)
        except OSError as error:
            raise UsageError(f"{place}: cannot write there: {error.strerror or error}") from error
    return place


def _checked(experiment: Experiment) -> list[Cell]:
    """The cells, after all that is played beside them was checked, too; the manifest needs their rules."""
    cells = experiments.cells(experiment)
    if experiment.beginners:
        experiments.check(beginners.experiment_of(experiment))
    if experiment.kingmaking:
        kingmaking.looked_at(experiment)
    return cells


def warm_up(game: Game, players: Iterable[str], progress: Progress, traced: bool = False) -> None:
    """Compile what playing (and tracing) these players needs, side by side, unless it was before."""
    kernel = [KERNEL, TRACER] if traced else [KERNEL]  # they share the rules: one process compiles both
    different = {_entry(game, label): label for label in sorted(set(players), reverse=True)}
    groups = [kernel, *([label] for label in sorted(different.values()))]
    missing = [group for group in groups if not all(_entry(game, part).ready for part in group)]
    each = [sum(_entry(game, part).seconds for part in group) for group in missing]
    seconds = round(max(0.0, *each, sum(each) / cpu_count()))
    if seconds > AT_ONCE:
        progress.compiling(f"compiling {game.name} (once, about {seconds} s)")
    Task(lambda: _compile_all(game, groups, missing)).result()


def _compile_all(game: Game, groups: list[list[str]], missing: list[list[str]]) -> None:
    """What is missing in as many processes as there are processors, then all of it in this one."""
    if len(missing) > 1:
        watchdog.keep_from_workers()
        workers = Parallel(n_jobs=min(len(missing), cpu_count()), backend=LOKY)
        workers(delayed(_compile)(registry.projects(), game.name, group, os.getpid()) for group in missing)
    for group in groups:
        _compile(registry.projects(), game.name, group, os.getpid())


def _compile(projects: list[str], game: str, group: list[str], runner: int) -> None:
    """Leave the machine code in the cache on disk, in whatever process."""
    watchdog.serve(runner)
    registry.set_projects(projects)
    for part in group:
        _ = _entry(registry.game(game), part).compiled


def _entry(game: Game, part: str) -> jit.Entry:
    if part in (KERNEL, TRACER):
        return kernel.build(game) if part == KERNEL else stepper.tracer(game)
    return registry.player(game, parse_strategy(part)[0]).decide


def _check_workers(jobs: int, backend: str, scheduler: str) -> None:
    if jobs == 0 or abs(jobs) > MOST_JOBS:
        raise UsageError(f"{jobs} jobs cannot play: give 1 to {MOST_JOBS:,}, or -1 for one per processor")
    cluster.check(backend, scheduler)
    if backend in cluster.NAMES:
        return
    try:
        with parallel_config(backend=backend):
            Parallel(n_jobs=jobs, return_as="generator_unordered")
    except (ValueError, ImportError) as error:
        raise UsageError(f"backend '{backend}' cannot be used: {str(error).splitlines()[0]}") from error


def _make(folder: Path) -> None:
    """Make a folder; refuse one with links, which may lead anywhere: only a table takes the place of one."""
    _refuse_file(folder)
    folder.mkdir(parents=True, exist_ok=True)
    for place, folders, files in os.walk(folder):
        for name in (*folders, *files):
            path, table = Path(place, name), name.endswith(".parquet") and Path(place) != folder
            if path.is_symlink() and not table:
                cure = "remove it, or play into another folder (--into DIR)"
                raise UsageError(f"{path}: is a link, and a run is played into files of its own; {cure}")


def _refuse_file(folder: Path) -> None:
    if os.path.exists(folder) and not os.path.isdir(folder):
        raise UsageError(f"{folder}: is a file, and a run is played into a folder; choose another")


def refuse_strangers(folder: Path) -> None:
    """Refuse what is neither a run nor the beginning of one: a file, a folder with something else in it."""
    _refuse_file(folder)
    try:
        there = set(os.listdir(folder)) if os.path.isdir(folder) else set()
    except OSError as error:
        raise UsageError(f"{folder}: cannot be read: {error.strerror or error}") from error
    if remote.MANIFEST not in there and not there <= OURS:
        raise UsageError(f"{folder}: the folder is not empty and not a run; choose another")


def _there(folder: Path, made: dict[str, Any]) -> dict[str, Any] | None:
    """The manifest of the part of this very run that a folder holds, if it holds any; others are refused."""
    refuse_strangers(folder)
    if not os.path.lexists(folder / remote.MANIFEST):
        return None
    known = manifest.read(folder)
    if differs := manifest.differences(known, made):
        cure = "choose another folder (--into DIR)"
        raise OtherRun(f"{folder}: holds another run: {'; '.join(differs)}; {cure}")
    return known


def _prepare(
    folder: Path, experiment: Experiment, made: dict[str, Any], known: dict[str, Any] | None
) -> None:
    """Make the folder ready: begin the run, or mend what is there of it; more deals lengthen a run."""
    if known is None:
        manifest.begin(folder, experiment, made)
        return
    manifest.restore(folder, experiment, known)
    if known["experiment"]["deals"] != made["experiment"]["deals"]:
        _change_deals(folder, known, made)
        manifest.restore(folder, experiment, made)


def _change_deals(folder: Path, known: dict[str, Any], made: dict[str, Any]) -> None:
    """Lengthen a run, or go back; what the longer one left is kept until another length is asked for."""
    changed = manifest.with_deals(known, made)
    gone = {kingmaking.FILE}  # it is of all deals
    if not set(known["spans"]) <= set(changed["spans"]):
        gone |= open_unfinished(folder).spare
    left = {name: of for name, of in checksums.told(folder).items() if name not in gone}
    checksums.settle(folder, left)
    for name in gone:
        (folder / name).unlink(missing_ok=True)
    manifest.write(folder, changed)


def _play_missing(work: "_Work") -> None:
    """Play the shards that are not there yet; on a fault, finish what has begun and then say it."""
    run = work.run
    if gone := run.gone(work.there):
        for name in gone:
            if (run.folder / name).is_dir():
                raise UsageError(f"{run.folder / name}: a folder lies where a table belongs; remove it")
        work.progress.damaged(gone)
    if SEARCH not in work.there:  # it is written after the games
        (run.folder / SEARCH).unlink(missing_ok=True)
    again = run.manifest["finished"] is None or bool(missing(work.there, run.shards))
    try:
        if run.experiment.adaptive:
            work.play_adaptive(work.progress.deciding if again else lambda said: None)
        else:
            work.play(run.shards)
    finally:
        if again:
            took = max(0.0, time.perf_counter() - work.began)
            seconds = round(run.manifest["seconds"] + took, 3)
            manifest.note(run.folder, seconds=seconds, games=work.done, finished=None, answer=None)


def _finish(work: "_Work") -> None:
    """Note that all is there, the games and what stands beside them."""
    folder = work.run.folder
    beside = checksums.whole(folder, [kingmaking.FILE, LUCK_STUDY, *work.run.spare])
    checksums.settle(folder, work.there | beside)
    manifest.finish(folder)


class _Work:
    """Playing shards with some workers, and how far it has come."""

    def __init__(
        self,
        run: Run,
        jobs: int,
        backend: str | cluster.Cluster,
        progress: Progress,
        batch_timeout: float | None,
    ) -> None:
        remove_unfinished(run.folder)
        self.run, self.jobs, self.backend, self.progress = run, jobs, backend, progress
        self.batch_timeout, self.notices = batch_timeout, watchdog.Notices(progress.deciding)
        self.began, self.done, self.told = time.perf_counter(), 0, -1
        self.most, self.board = sum(cell.plays for cell in run.cells), Board(run.folder, os.getpid())
        self.there = run.whole()  # files, by name

    def play(self, shards: list[Shard]) -> None:
        """Play the shards that are missing; what a worker that was killed had in hand is played again."""
        before, lost = self.done, 0
        self._note(shards, before)
        while left := missing(self.there, shards):
            had = len(self.there)
            try:
                self._play_once(shards, left, before)
            except BrokenProcessPool as error:
                lost = 1 if len(self.there) > had else lost + 1
                if lost == MOST_LOST:
                    raise PlayError(
                        f"{lost} times a worker ended in the middle of its games: {CURE}"
                    ) from error
                remove_unfinished(self.run.folder)

    def _note(self, shards: list[Shard], before: int) -> None:
        self.done = before + self._games(shards) - self._games(missing(self.there, shards))
        self._tell(self.done)

    def _play_once(self, shards: list[Shard], left: list[Shard], before: int) -> None:
        faults, there = list[Outcome](), self.done
        try:
            with closing(self._outcomes(left)) as outcomes:
                for outcome in outcomes:
                    if outcome and outcome.fault:
                        faults.append(outcome)
                    elif outcome:
                        self._keep(outcome)
                    self._tell(there + int(self.board.games().sum()))
                    self._look()
        finally:
            self._note(shards, before)
        if faults:
            first = min(faults)
            raise PlayError(f"{first.fault}{_replay(self.run.folder, first.play, first.crashed)}")

    def _keep(self, outcome: Outcome) -> None:
        checksums.note(self.run.folder, outcome.files)
        remote.upload_tables(self.run.folder, outcome.files)
        self.there.update(outcome.files)

    def play_adaptive(self, tell: Callable[[str], None]) -> None:
        """Play look by look until all cells know enough; note where each stopped, `tell` where they stand."""
        cells = list(self.run.cells)
        for shards in sequential_stopping.rounds(self.run, cells, tell):
            self._note_stops(cells)  # who stops decides how the next look is cut into shards
            self.play(shards)
        self._note_stops(cells)
        self.progress.played(self.done, self.done)

    def _note_stops(self, cells: list[Cell]) -> None:
        manifest.note(self.run.folder, cells=[cell.keys() for cell in cells])

    def _games(self, shards: list[Shard]) -> int:
        return sum(shard.games(self.run.cells) for shard in shards)

    def _tell(self, done: int) -> None:
        if done > self.told:
            self.told = done
            self.progress.played(done, self.most)

    def _look(self) -> None:
        """Tell of slow decisions; give up on a batch of games that takes too long."""
        for slow in self.board.slow():
            self.notices(slow)
            if self.batch_timeout is not None and slow.batch > self.batch_timeout:
                raise PlayError(_too_long(self.run.experiment, self.batch_timeout, slow))

    def _outcomes(self, left: list[Shard]) -> Generator[Outcome | None, None, None]:
        """What the workers say, whom a thread hands shards; None where they keep silent for TICK seconds."""
        heard, closed = SimpleQueue[Outcome | BaseException](), threading.Event()
        told = (left, heard, closed)
        thread = threading.Thread(target=self._hand_out, args=told, name=watchdog.PLAYS, daemon=True)
        try:
            self.board.begin(len(left))
            thread.start()
            while thread.is_alive() or not heard.empty():
                said = None
                with suppress(Empty):
                    said = heard.get(timeout=TICK)
                if isinstance(said, BaseException):
                    raise said
                yield said
        finally:
            closed.set()
            self._leave(thread)
            self._keep_late(heard)

    def _keep_late(self, heard: SimpleQueue[Outcome | BaseException]) -> None:
        """Note the tables that were whole before the workers stopped, though nobody listens any more."""
        while not heard.empty():
            said = heard.get()
            if isinstance(said, Outcome) and not said.fault:
                self._keep(said)

    def _leave(self, thread: threading.Thread) -> None:
        """Workers stop after the games that they are playing, or else processes are killed, threads left."""
        if thread.is_alive():
            self.board.stop()
            if isinstance(self.backend, cluster.Cluster):
                self.backend.abandon()
            thread.join(GRACE)
        if late := thread.is_alive():
            watchdog.kill_workers(self.board.processes())
            thread.join(GRACE / 2)
        self.board.remove()
        if late:
            remove_unfinished(self.run.folder)

    def _hand_out(self, left: list[Shard], heard: SimpleQueue[Any], closed: threading.Event) -> None:
        """Let the workers play the shards until one of them has a fault or `closed` is set."""
        try:
            if self.backend != "threading":
                watchdog.keep_from_workers()
            serving: dict[str, Any] = {"initializer": watchdog.serve, "initargs": (os.getpid(),)}
            with parallel_config(backend=self.backend, **(serving if self.backend == LOKY else {})):
                workers = Parallel(n_jobs=self.jobs, return_as="generator_unordered")
                for outcome in workers(self._tasks(left, closed)):
                    if outcome.fault:
                        closed.set()
                    heard.put(self._received(outcome, left))
        except BaseException as error:  # raised again in the main thread
            heard.put(error)

    def _tasks(self, left: list[Shard], closed: threading.Event) -> Iterator[object]:
        run, projects = self.run, registry.projects()
        order = remote_worker.Order.of(run) if isinstance(self.backend, cluster.Cluster) else None
        for place, shard in enumerate(left):
            if closed.is_set():
                return
            cells = [run.cells[part.cell] for part in shard.parts]
            if order:
                yield delayed(_work_afar)(order, place, cells, shard, self.batch_timeout)
            else:
                yield delayed(_work)(projects, place, self.board, run.folder, run.experiment, cells, shard)

    def _received(self, outcome: Outcome, left: list[Shard]) -> Outcome:
        """Put the tables that came with an outcome where the worker could not put them, and count them."""
        if outcome.tables:
            for name, content in outcome.tables.items():
                keep(self.run.folder / name, content)
            self.board.count(outcome.place, left[outcome.place].games(self.run.cells))
        return outcome._replace(tables={})


def _too_long(experiment: Experiment, most: float, slow: watchdog.Slow) -> str:
    took = f"a batch of games took more than {most:g} s"
    return f"{experiment.game}: {took} (--batch-timeout): {slow.doing}"


def _work_afar(
    order: remote_worker.Order, place: int, cells: list[Cell], shard: Shard, batch_timeout: float | None
) -> Outcome:
    """As `_work`, on a machine that does not see the run folder: the tables come with the outcome."""
    with order.unpacked() as (folder, experiment):
        order.check(experiment, lambda: _warm_afar(order.game, order.players, TURNS in shard.tables))
        unseen = Board(folder, os.getpid())
        unseen.begin(1 + place)
        asked = (list(order.projects), place, unseen, folder, experiment, cells, shard)
        if batch_timeout is None:
            outcome = _work(*asked)
        else:
            outcome = _work_at_most(batch_timeout, unseen, place, experiment, lambda: _work(*asked))
        return outcome._replace(tables={name: (folder / name).read_bytes() for name in outcome.files})


def _work_at_most(
    most: float, board: Board, place: int, experiment: Experiment, work: Callable[[], Outcome]
) -> Outcome:
    """Give up on a shard one batch of which takes too long; the thread of compiled code cannot be ended."""
    task = Task(work)
    while not wait([task.done], TICK).done:
        for slow in board.slow():
            if slow.batch > most:
                said = _too_long(experiment, most, slow)
                return Outcome(place, f"{said}; {remote_worker.worker()} has to be started again")
    return task.result()


@cache
def _warm_afar(game: str, players: tuple[str, ...], traced: bool) -> None:
    """Compile once per machine: its first worker does, the others wait and load."""
    parts = [KERNEL, *([TRACER] if traced else []), *players]
    with FileLock(Path(gettempdir()) / f"simkit-{getuser()}-compiles-{game}.lock"):
        _compile(registry.projects(), game, parts, os.getpid())


def _work(
    projects: list[str],
    place: int,
    board: Board,
    folder: Path,
    experiment: Experiment,
    cells: list[Cell],
    shard: Shard,
) -> Outcome:
    watchdog.serve(board.runner)
    registry.set_projects(projects)
    try:
        tell = board.teller(place)
        tell(0)
        with board.watched(place):
            return Outcome(place, files=write(folder, experiment, cells, shard, tell))
    except Stopped:  # nobody waits for the outcome
        return Outcome(place)
    except PlayError as error:
        return Outcome(place, str(error), error.play, isinstance(error, Crash))


def _replay(folder: Path, play: int | None, crashed: bool) -> str:
    """How to see the game that failed."""
    if play is None:
        return ""
    command = shlex.join(["simkit", *command_words(), "replay", str(folder), str(play)])
    return f"; told up to there: {UNCOMPILED if crashed else ''}{command}"
