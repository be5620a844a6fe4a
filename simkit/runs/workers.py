"""Workers that play the shards of a run: threads, processes, or machines of a cluster, by joblib.

A thread of the runner hands out shards and notes checksums, since joblib blocks; the main thread receives
the outcomes through a queue. Each shard passes through these states:

| state | meaning | next state |
| --- | --- | --- |
| waiting | no worker has it | playing, when joblib takes its task; stays, once a shard has failed |
| playing | a worker plays it and counts its games in the progress file | any of those below |
| finished | its tables are in the run folder, or came with the outcome and were stored there | recorded |
| recorded | its checksums are noted; it is never played again | |
| failed | a game of it raised an error; shards that are being played are finished | |
| stopped | the runner removed the progress file; its tables are discarded | waiting, in the next run |

After it has removed the progress file, the runner waits GRACE seconds for the slices of games in hand, then
kills worker processes and leaves threads behind.
"""

import math
import os
import threading
from collections.abc import Generator, Iterator, Mapping
from concurrent.futures import wait
from contextlib import suppress
from functools import partial
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import Any, NamedTuple

from joblib import Parallel, delayed, parallel_config
from joblib.parallel import BACKENDS

from simkit import system
from simkit.engine import registry, watchdog
from simkit.engine.limits import MOST_JOBS
from simkit.engine.tasks import Task
from simkit.errors import Crash, PlayError, UsageError, unknown
from simkit.runs import cluster
from simkit.runs.experiment import Experiment
from simkit.runs.folder import Run
from simkit.runs.log import keep, remove_unfinished
from simkit.runs.plan import TURNS, Cell, Shard
from simkit.runs.play import write
from simkit.runs.progress import Board, Progress, Stopped
from simkit.runs.storage import checksums
from simkit.runs.warm_up import LOKY, processes

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


class Means(NamedTuple):
    """By what means games are played, and how many seconds a batch of games may take (None: any)."""

    jobs: int = 1
    backend: str = "threading"
    scheduler: str = ""
    batch_timeout: float | None = None

    def check(self) -> None:
        """Refuse a number of jobs, a backend or a scheduler that cannot play."""
        if self.jobs == 0 or abs(self.jobs) > MOST_JOBS:
            most = f"give 1 to {MOST_JOBS:,}, or -1 for one per processor"
            raise UsageError(f"{self.jobs} jobs cannot play: {most}")
        if self.backend in cluster.NAMES:
            return
        if self.scheduler:
            names = " or ".join(cluster.NAMES)
            cure = f"goes with the backend {names}, not '{self.backend}'"
            raise UsageError(f"scheduler {self.scheduler}: {cure}")
        usable = BACKENDS.keys() - {"multiprocessing"}  # it cannot yield results as they come
        if self.backend not in usable:
            raise unknown("backend", self.backend, [*usable, *cluster.NAMES])
        try:
            with parallel_config(backend=self.backend):
                Parallel(n_jobs=self.jobs, return_as="generator_unordered")
        except ValueError as error:
            reason = str(error).splitlines()[0]
            raise UsageError(f"backend '{self.backend}' cannot be used: {reason}") from error


class Workers:
    """The workers of a run; `backend` is the opened one that the means name."""

    def __init__(self, run: Run, means: Means, backend: str | cluster.Cluster, progress: Progress) -> None:
        self.run, self.jobs, self.backend = run, means.jobs, backend
        self.batch_timeout = math.inf if means.batch_timeout is None else means.batch_timeout
        self.notices = watchdog.Notices(progress.report_decision)
        # A process that played an earlier run of this program is in the folder that was current then.
        self.folder = run.folder.absolute()
        self.board = Board(self.folder / f".progress-{os.getpid()}")

    def outcomes(self, shards: list[Shard]) -> Generator[Outcome | None, None, None]:
        """Yield the outcomes of shards as they come, and None after TICK seconds without one.

        After a fault only the shards in hand are finished.
        """
        inbox, closed, task = SimpleQueue[Outcome | None](), threading.Event(), None
        try:
            self.board.begin(len(shards))
            task = Task(partial(self._hand_out, shards, inbox, closed))
            task.done.add_done_callback(lambda _: inbox.put(None))
            while not task.done.done() or not inbox.empty():
                outcome = None
                with suppress(Empty):
                    outcome = inbox.get(timeout=TICK)
                yield outcome
            task.result()
        finally:
            closed.set()
            self._stop(task)

    def check_batches(self) -> None:
        """Report slow decisions; raise a PlayError if a batch of games takes longer than the limit."""
        for slow in self.board.slow():
            self.notices(slow)
        if fault := _too_long(self.run.experiment.game, self.board, self.batch_timeout):
            raise PlayError(fault)

    def _stop(self, task: Task[None] | None) -> None:
        """Let workers finish their slice of games; after GRACE seconds kill processes, leave threads."""
        system.remove(self.board.path)
        if task and wait([task.done], GRACE).not_done:
            watchdog.kill_workers("LokyProcess")
            wait([task.done], GRACE / 2)
            remove_unfinished(self.run.folder)

    def _hand_out(
        self, shards: list[Shard], inbox: SimpleQueue[Outcome | None], closed: threading.Event
    ) -> None:
        """Let the workers play shards until one has a fault or `closed` is set.

        Note the checksums of finished shards; put all outcomes into `inbox`.
        """
        if self.backend != "threading":
            watchdog.keep_from_workers()
        with parallel_config(**processes() if self.backend == LOKY else {"backend": self.backend}):
            play = Parallel(n_jobs=self.jobs, return_as="generator_unordered")
            for outcome in play(self._tasks(shards, closed)):
                for name, content in outcome.tables.items():
                    keep(self.run.folder / name, content)
                if outcome.files:
                    checksums.note(self.run.folder, outcome.files)
                if outcome.fault:
                    closed.set()
                inbox.put(outcome)

    def _tasks(self, shards: list[Shard], closed: threading.Event) -> Iterator[Any]:
        run = self.run
        play = partial(play_shard, registry.projects(), self.board, self.folder, run.experiment)
        if isinstance(self.backend, cluster.Cluster):
            play = partial(_play_remotely, cluster.Order.of(run), self.batch_timeout)
        for position, shard in enumerate(shards):
            if not closed.is_set():
                yield delayed(play)(position, shard, [run.cells[part.cell] for part in shard.parts])


def play_shard(
    projects: list[str],
    board: Board,
    folder: Path,
    experiment: Experiment,
    position: int,
    shard: Shard,
    cells: list[Cell],
) -> Outcome:
    """Play a shard, with the cells of its parts, in this process; write its tables into the run folder."""
    registry.set_projects(projects)
    try:
        with watchdog.listen(partial(board.publish, position)):
            files = write(folder, experiment, cells, shard, partial(board.count, position))
    except Stopped:  # nobody waits for the outcome
        return Outcome(position)
    except PlayError as error:
        return Outcome(position, str(error), error.play, isinstance(error, Crash))
    return Outcome(position, files=files)


def _play_remotely(
    order: cluster.Order, batch_timeout: float, position: int, shard: Shard, cells: list[Cell]
) -> Outcome:
    """Play a shard on a machine that does not see the run folder; its tables come with the outcome.

    The progress file is in a temporary folder, where only this task reads it. If a batch of games takes too
    long, the thread that plays it is left behind.
    """
    with order.unpack() as (folder, experiment):
        order.prepare(experiment, TURNS in shard.tables)
        board = Board(folder / ".progress")
        board.begin(1 + position)
        task = Task(partial(play_shard, order.projects, board, folder, experiment, position, shard, cells))
        while not wait([task.done], TICK).done:
            if fault := _too_long(order.game, board, batch_timeout):
                return Outcome(position, f"{fault}; {cluster.worker()} has to be started again")
        outcome = task.result()
        return outcome._replace(tables={name: (folder / name).read_bytes() for name in outcome.files})


def _too_long(game: str, board: Board, batch_timeout: float) -> str:
    """Return a message about a batch of games that takes longer than the limit, or an empty text."""
    for slow in board.slow():
        if slow.batch > batch_timeout:
            limit = f"{batch_timeout:g} s (--batch-timeout)"
            return f"{game}: a batch of games took more than {limit}: {slow.doing}"
    return ""
