"""Workers that play the shards of a run: threads, processes, or machines of a cluster, by joblib.

A thread of the runner hands out shards, since joblib blocks; the main thread receives the outcomes through a
queue. Each shard passes through these states:

| state | meaning | next state |
| --- | --- | --- |
| waiting | no worker has it | playing, when joblib takes its task; stays, once a shard has failed |
| playing | a worker plays it and counts its games in the progress file (`Board`) | any of those below |
| finished | its tables are in the run folder, or came with the outcome and were stored there | recorded |
| recorded | the runner has noted its checksums; it is never played again | |
| failed | a game of it raised an error; shards that are being played are finished | |
| stopped | the runner set the stop flag; its tables are discarded | waiting, in the next run |

To stop, the runner sets the flag, waits GRACE seconds for the slices of games in hand, then kills worker
processes and leaves threads behind. Shards that were finished by then are still recorded.
"""

import os
import threading
from collections.abc import Callable, Generator, Iterator, Mapping
from concurrent.futures import wait
from contextlib import suppress
from functools import cache
from getpass import getuser
from pathlib import Path
from queue import Empty, SimpleQueue
from tempfile import gettempdir
from typing import Any, NamedTuple

from filelock import FileLock
from joblib import Parallel, delayed, parallel_config

from simkit.engine import registry, watchdog
from simkit.engine.limits import MOST_JOBS
from simkit.engine.tasks import Task
from simkit.errors import Crash, PlayError, UsageError
from simkit.runs import cluster, remote_worker
from simkit.runs.experiment import Cell, Experiment
from simkit.runs.progress import Board, Stopped
from simkit.runs.run import Run
from simkit.runs.shards import TURNS, Shard, keep, remove_unfinished, write
from simkit.runs.warm_up import KERNEL, LOKY, TRACER, compile_parts

TICK = 0.25  # seconds between two reports of progress
GRACE = 0.7  # seconds for workers to stop; killed ones get half as many to end


class Outcome(NamedTuple):
    """The end of a worker's task: a finished shard, or a fault."""

    position: int  # among the shards handed out
    fault: str = ""
    play: int | None = None  # the game that failed
    crashed: bool = False  # whether compiled code failed
    files: Mapping[str, str] = {}  # digests of the tables written, by file name
    tables: Mapping[str, bytes] = {}  # their contents, if the worker does not see the run folder


def check(jobs: int, backend: str, scheduler: str) -> None:
    """Refuse a number of jobs, a backend or a scheduler that cannot play."""
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


class Workers:
    """The workers of a run; `batch_timeout` limits the seconds of a batch of games."""

    def __init__(
        self, run: Run, jobs: int, backend: str | cluster.Cluster, batch_timeout: float | None
    ) -> None:
        self.run, self.jobs, self.backend, self.batch_timeout = run, jobs, backend, batch_timeout
        self.board = Board(run.folder, os.getpid())

    def outcomes(
        self, shards: list[Shard], record: Callable[[Outcome], None]
    ) -> Generator[Outcome | None, None, None]:
        """Yield the outcomes of shards as they come, and None after TICK seconds without one.

        `record` is called for each finished shard, also for those that finish while the workers stop because
        the generator was closed.
        """
        inbox, closed = SimpleQueue[Outcome | BaseException](), threading.Event()
        work = (shards, inbox, closed)
        thread = threading.Thread(target=self._hand_out, args=work, name=watchdog.PLAYS, daemon=True)
        try:
            self.board.begin(len(shards))
            thread.start()
            while thread.is_alive() or not inbox.empty():
                message = None
                with suppress(Empty):
                    message = inbox.get(timeout=TICK)
                if isinstance(message, BaseException):
                    raise message
                if message and not message.fault:
                    record(message)
                yield message
        finally:
            closed.set()
            self._stop(thread)
            while not inbox.empty():
                late = inbox.get()
                if isinstance(late, Outcome) and not late.fault:
                    record(late)

    def check_batches(self, notices: watchdog.Notices) -> None:
        """Report slow decisions; raise a PlayError if a batch of games takes longer than the limit."""
        for slow in self.board.slow():
            notices(slow)
            if self.batch_timeout is not None and slow.batch > self.batch_timeout:
                raise PlayError(_too_long(self.run.experiment, self.batch_timeout, slow))

    def _stop(self, thread: threading.Thread) -> None:
        """Let workers finish their slice of games; after GRACE seconds kill processes, leave threads."""
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

    def _hand_out(self, shards: list[Shard], inbox: SimpleQueue[Any], closed: threading.Event) -> None:
        """Let the workers play shards until one has a fault or `closed` is set; put outcomes into `inbox`."""
        try:
            if self.backend != "threading":
                watchdog.keep_from_workers()
            serving: dict[str, Any] = {"initializer": watchdog.serve, "initargs": (os.getpid(),)}
            with parallel_config(backend=self.backend, **(serving if self.backend == LOKY else {})):
                workers = Parallel(n_jobs=self.jobs, return_as="generator_unordered")
                for outcome in workers(self._tasks(shards, closed)):
                    if outcome.fault:
                        closed.set()
                    inbox.put(self._store_tables(outcome, shards))
        except BaseException as error:  # the main thread raises it
            inbox.put(error)

    def _tasks(self, shards: list[Shard], closed: threading.Event) -> Iterator[object]:
        run, projects = self.run, registry.projects()
        order = remote_worker.Order.of(run) if isinstance(self.backend, cluster.Cluster) else None
        for position, shard in enumerate(shards):
            if closed.is_set():
                return
            cells = [run.cells[part.cell] for part in shard.parts]
            if order:
                yield delayed(_play_remotely)(order, position, cells, shard, self.batch_timeout)
            else:
                task = (projects, position, self.board, run.folder, run.experiment, cells, shard)
                yield delayed(play_shard)(*task)

    def _store_tables(self, outcome: Outcome, shards: list[Shard]) -> Outcome:
        """Store tables that came with an outcome and count their games, which the worker could not do."""
        if outcome.tables:
            for name, content in outcome.tables.items():
                keep(self.run.folder / name, content)
            self.board.count(outcome.position, shards[outcome.position].games(self.run.cells))
        return outcome._replace(tables={})


def play_shard(
    projects: list[str],
    position: int,
    board: Board,
    folder: Path,
    experiment: Experiment,
    cells: list[Cell],
    shard: Shard,
) -> Outcome:
    """Play a shard, with the cells of its parts, in this process; write its tables into the run folder."""
    watchdog.serve(board.runner)
    registry.set_projects(projects)
    try:
        report = board.teller(position)
        report(0)
        with board.watched(position):
            return Outcome(position, files=write(folder, experiment, cells, shard, report))
    except Stopped:  # nobody waits for the outcome
        return Outcome(position)
    except PlayError as error:
        return Outcome(position, str(error), error.play, isinstance(error, Crash))


def _play_remotely(
    order: remote_worker.Order, position: int, cells: list[Cell], shard: Shard, batch_timeout: float | None
) -> Outcome:
    """Play a shard on a machine that does not see the run folder; its tables come with the outcome.

    The progress file is in a temporary folder, where only this task reads it.
    """
    with order.unpacked() as (folder, experiment):
        order.check(experiment, lambda: _compile_on_machine(order.game, order.players, TURNS in shard.tables))
        board = Board(folder, os.getpid())
        board.begin(1 + position)
        task = (list(order.projects), position, board, folder, experiment, cells, shard)
        if batch_timeout is None:
            outcome = play_shard(*task)
        else:
            outcome = _play_within(batch_timeout, board, position, experiment, lambda: play_shard(*task))
        return outcome._replace(tables={name: (folder / name).read_bytes() for name in outcome.files})


def _play_within(
    seconds: float, board: Board, position: int, experiment: Experiment, play: Callable[[], Outcome]
) -> Outcome:
    """Play in a thread; return a fault if a batch of games takes longer, since its thread cannot be ended."""
    task = Task(play)
    while not wait([task.done], TICK).done:
        for slow in board.slow():
            if slow.batch > seconds:
                fault = _too_long(experiment, seconds, slow)
                return Outcome(position, f"{fault}; {remote_worker.worker()} has to be started again")
    return task.result()


def _too_long(experiment: Experiment, seconds: float, slow: watchdog.Slow) -> str:
    took = f"a batch of games took more than {seconds:g} s"
    return f"{experiment.game}: {took} (--batch-timeout): {slow.doing}"


@cache
def _compile_on_machine(game: str, players: tuple[str, ...], traced: bool) -> None:
    """Compile once per machine: the first worker compiles, the others wait and load."""
    parts = [KERNEL, *([TRACER] if traced else []), *players]
    with FileLock(Path(gettempdir()) / f"simkit-{getuser()}-compiles-{game}.lock"):
        compile_parts(registry.projects(), game, parts, os.getpid())
