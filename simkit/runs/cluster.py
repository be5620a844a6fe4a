"""Clusters as joblib backends: tasks go to the workers of dask or ray, which may be on other machines.

A task whose worker is lost is played again by another. Joblib's own dask backend waits forever for a task
that dask gives up (`KilledWorker`: joblib 1.6 calls no callback then), and ray's yields no results as they
finish. A worker on another machine needs the same sources, compiled code and the designer's files.
"""

import hashlib
import json
import logging
import os
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, chdir, contextmanager
from functools import lru_cache, partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple, Self

import pyarrow as pa
from joblib import effective_n_jobs
from joblib.parallel import ParallelBackendBase

from simkit.engine import registry
from simkit.engine.lineups import Seated
from simkit.engine.tasks import Task
from simkit.errors import DISTRIBUTION, UsageError
from simkit.runs import source_digests
from simkit.runs.experiment import Experiment, parse, resolve_files
from simkit.runs.folder import Run
from simkit.runs.plan import existing_file, make_plan
from simkit.runs.storage import checksums
from simkit.runs.warm_up import KERNEL, TRACER, Part, compile_parts

NAMES = ("dask", "ray")
LOGGERS = ("distributed", "distributed.client", "distributed.core", "tornado", "asyncio")
PATIENCE = 10  # seconds to wait for a scheduler, and for its first worker
LOST = "workers were lost again and again at the same games (out of memory?); the same command goes on"


class Cluster(ParallelBackendBase):  # type: ignore[misc]
    """Backend that sends tasks with a function, which returns a future.

    workers: function that returns how many tasks are played at a time.
    explain: function that turns an error of the cluster into one for the user.
    """

    supports_retrieve_callback = True

    def __init__(
        self,
        send: Callable[[Callable[[], Any]], Any],
        workers: Callable[[], float],
        explain: Callable[[Exception], Exception] = lambda error: error,
    ) -> None:
        super().__init__(nesting_level=0)
        self.send, self.workers, self.explain = send, workers, explain

    def effective_n_jobs(self, n_jobs: int) -> int:
        with self._explain_errors():
            return max(2, int(self.workers()))  # joblib plays the tasks of a single worker in this process

    def submit(self, func: Callable[[], Any], callback: Callable[[Any], None] | None = None) -> Any:
        with self._explain_errors():
            future = self.send(func)
        future.add_done_callback(callback)
        return future

    def retrieve_result_callback(self, out: Any) -> Any:
        with self._explain_errors():
            return out.result()

    @contextmanager
    def _explain_errors(self) -> Iterator[None]:
        try:
            yield
        except Exception as failure:
            error = self.explain(failure)
            if isinstance(error, ModuleNotFoundError):
                cure = "install the same simkit for every worker"
                raise UsageError(f"a worker of the cluster says '{error}': {cure}") from failure
            raise error from failure


def _dask(scheduler: str, jobs: int, closing: ExitStack) -> Cluster:
    """Return the workers of a dask scheduler, or start as many on this machine."""
    from distributed import Client, KilledWorker, LocalCluster
    from distributed.client import FutureCancelledError
    from distributed.comm import CommClosedError

    def explain(error: Exception) -> Exception:
        if isinstance(error, CommClosedError | FutureCancelledError):
            return UsageError("dask: the scheduler is gone; the same command goes on")
        return UsageError(f"dask: {LOST}") if isinstance(error, KilledWorker) else error

    server: Any = scheduler
    for name in LOGGERS:  # their tracebacks would precede the one line about a lost scheduler
        logger = logging.getLogger(name)
        closing.callback(logger.setLevel, logger.level)
        logger.setLevel(logging.CRITICAL)
    if not scheduler:
        size = {"n_workers": effective_n_jobs(jobs), "threads_per_worker": 1, "dashboard_address": None}
        server = closing.enter_context(LocalCluster(**size, silence_logs=logging.ERROR))
    connecting = Task(partial(Client, server, timeout=PATIENCE, set_as_default=False))
    try:
        client = closing.enter_context(connecting.done.result(PATIENCE))  # another server may never answer
    except Exception as error:  # or send anything
        raise UsageError(f"scheduler {scheduler}: no dask scheduler answers there") from error
    try:
        client.wait_for_workers(1, timeout=PATIENCE)
    except TimeoutError as error:
        raise UsageError(f"scheduler {scheduler}: has no worker; start some (dask worker)") from error
    return Cluster(partial(client.submit, pure=False), lambda: sum(client.ncores().values()), explain)


def _ray(scheduler: str, jobs: int, closing: ExitStack) -> Cluster:
    """Return the workers of a ray cluster, or start as many on this machine."""
    import ray
    from ray.exceptions import RayTaskError, WorkerCrashedError

    def explain(error: Exception) -> Exception:
        if isinstance(error, WorkerCrashedError):
            return UsageError(f"ray: {LOST}")
        return error.cause if isinstance(error, RayTaskError) else error

    where: dict[str, Any] = {"address": scheduler}
    if not scheduler:
        where = {"address": "local", "num_cpus": effective_n_jobs(jobs), "include_dashboard": False}
    try:
        with chdir(registry.ROOT):  # Ray's workers import from the folder in which `ray.init` is called
            ray.init(**where, logging_level=logging.ERROR, log_to_driver=False)
    except (OSError, ValueError) as error:
        raise UsageError(f"scheduler {scheduler}: no ray cluster answers there") from error
    closing.callback(ray.shutdown)
    play = ray.remote(num_cpus=1, max_retries=3)(_call)
    return Cluster(lambda task: play.remote(task).future(), lambda: ray.cluster_resources()["CPU"], explain)


def _call(task: Callable[[], Any]) -> Any:
    return task()


@contextmanager
def open_backend(name: str, scheduler: str, jobs: int) -> Iterator[str | Cluster]:
    """Yield the backend of this name, as joblib takes it; a cluster started here ends with the block."""
    if name not in NAMES:
        yield name
        return
    with ExitStack() as closing:
        try:
            backend = (_dask if name == "dask" else _ray)(scheduler, jobs, closing)
        except ModuleNotFoundError as error:
            cure = f"pip install '{DISTRIBUTION}[{name}]'"
            raise UsageError(f"backend '{name}' is not installed ({error}): {cure}") from error
        yield backend


_LOADING = threading.Lock()  # threads of a worker load and compile sources one after the other
_FILES = sorted(path for layer in ("engine", "runs") for path in (registry.PACKAGE / layer).rglob("*.py"))
# Digests of what else decides which bytes are written, as this process loaded it.
OWN = {
    "simkit's own modules": hashlib.sha256(b"".join(path.read_bytes() for path in _FILES)).hexdigest(),
    f"pyarrow {pa.__version__}": "",
}


class Order(NamedTuple):
    """What a worker that does not see the run folder needs to know of a run."""

    projects: list[str]
    game: str
    players: tuple[Seated, ...]
    expected: source_digests.Origin  # versions and digests of all that decides what is written
    experiment: Experiment  # as the run folder keeps it
    files: dict[str, bytes]  # the designer's, by path in the run folder

    @classmethod
    def of(cls, run: Run) -> Self:
        """Return the order for the shards of a run."""
        experiment, players = run.manifest.experiment, run.plan.players
        versions = run.manifest.model_dump(include=set(source_digests.VERSIONS))
        expected = source_digests.Origin(**versions, sources=OWN | run.manifest.sources)
        files = {path: (run.folder / path).read_bytes() for path in experiment.every_file().values()}
        return cls(registry.projects(), experiment.game, players, expected, experiment, files)

    def prepare(self, experiment: Experiment, traced: bool) -> None:
        """Refuse to play with other sources than those of the run; then compile.

        `experiment` has its files where this process sees them. Digests of code that was edited after this
        process loaded it equal neither those before the edit nor those after it.
        """
        with _LOADING:
            registry.set_projects(self.projects)
            try:
                sources = source_digests.code(self.game, self.players)
                sources |= source_digests.tables(self.game, _rules_digest(experiment))
            except UsageError as error:
                raise UsageError(f"{worker()}: {error}") from error
            current = source_digests.Origin(sources=sources | OWN)
            for name, expected, actual in source_digests.others(self.expected, current):
                other = f"{name} {actual} instead of {expected}" if expected else name
                cure = "give every worker the same sources and start it again"
                raise UsageError(f"{worker()} has other sources: {other}; {cure}")
            parts: list[Part] = [KERNEL, *([TRACER] if traced else []), *self.players]
            compile_parts(self.projects, self.game, parts)

    @contextmanager
    def unpack(self) -> Iterator[tuple[Path, Experiment]]:
        """Yield a temporary folder to write in, and the experiment with its files there."""
        with TemporaryDirectory(prefix="simkit-", ignore_cleanup_errors=True) as name:
            folder = Path(name)
            for path, content in self.files.items():
                (folder / path).parent.mkdir(parents=True, exist_ok=True)
                (folder / path).write_bytes(content)
            yield folder, resolve_files(self.experiment, folder)


def _rules_digest(experiment: Experiment) -> str:
    """Return the digest of the rules of a run, which a worker computes once for all shards of the run."""
    files = (existing_file(name.partition(":")[0], path) for name, path in experiment.every_file().items())
    return _rules_digest_of(json.dumps(experiment.keys()), tuple(map(checksums.digest, files)))


@lru_cache(4)
def _rules_digest_of(keys: str, files: tuple[str, ...]) -> str:
    """Return the digest of the rules; `files` tells other contents of the designer's files apart."""
    return make_plan(parse(json.loads(keys))).rules_digest


def worker() -> str:
    """Return host and process of this worker."""
    return f"worker {socket.gethostname()} (process {os.getpid()})"
