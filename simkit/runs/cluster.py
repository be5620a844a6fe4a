"""Clusters as joblib backends: tasks go to the workers of dask or ray, which may be on other machines.

A task whose worker is lost is played again by another one; the others are not touched.
"""

import asyncio
import logging
from abc import abstractmethod
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import ExitStack, contextmanager
from typing import Any
from uuid import uuid4

from joblib import cpu_count
from joblib.parallel import ParallelBackendBase

from simkit.errors import UsageError

NAMES = ("dask", "ray")
PATIENCE = 10  # seconds to wait for a scheduler, and for its first worker
GREETING = 4  # seconds within which a scheduler says that it is one
LOST = "workers were lost again and again at the same games (out of memory?); the same command goes on"


class Cluster(ParallelBackendBase):  # type: ignore[misc]
    """What joblib hands tasks to."""

    supports_retrieve_callback = True

    def __init__(self) -> None:
        super().__init__(nesting_level=0)
        self.sent = set[Any]()

    @abstractmethod
    def workers(self) -> int:
        """How many tasks are played at a time."""

    @abstractmethod
    def send(self, task: Callable[[], Any]) -> Any:
        """Let a worker play; returns a future."""

    @abstractmethod
    def result(self, future: Any) -> Any:
        """What became of a task; what goes wrong with the cluster is said in one line."""

    def abandon(self) -> None:
        """Nobody waits for the tasks any longer."""
        for future in list(self.sent):
            future.cancel()

    def effective_n_jobs(self, n_jobs: int) -> int:
        return max(2, self.workers())  # of one worker joblib would think that it is this process

    def submit(self, func: Callable[[], Any], callback: Callable[[Any], None] | None = None) -> Any:
        future = self.send(func)
        self.sent.add(future)
        future.add_done_callback(self.sent.discard)
        future.add_done_callback(callback)
        return future

    def retrieve_result_callback(self, out: Any) -> Any:
        return self.result(out)


class Dask(Cluster):
    """The workers of a dask scheduler, or as many of its own on this machine."""

    def __init__(self, scheduler: str, jobs: int, closing: ExitStack) -> None:
        super().__init__()
        from distributed import Client, LocalCluster

        of: Any = scheduler
        if not scheduler:
            many = {"n_workers": _many(jobs), "threads_per_worker": 1, "dashboard_address": None}
            of = closing.enter_context(LocalCluster(**many, silence_logs=logging.ERROR))
        try:
            if scheduler:
                asyncio.run(_greet(scheduler))
            self.client = closing.enter_context(Client(of, timeout=PATIENCE, set_as_default=False))
        except Exception as error:  # another server than dask's may send anything
            raise UsageError(f"--scheduler {scheduler}: no dask scheduler answers there") from error
        try:
            self.client.wait_for_workers(1, timeout=PATIENCE)
        except TimeoutError as error:
            raise UsageError(f"--scheduler {scheduler}: has no worker; start some (dask worker)") from error

    def workers(self) -> int:
        return sum(self.client.ncores().values())

    def send(self, task: Callable[[], Any]) -> Any:
        return self.client.submit(task, key=f"simkit-{uuid4().hex}")

    def result(self, future: Any) -> Any:
        from distributed import KilledWorker
        from distributed.client import FutureCancelledError
        from distributed.comm import CommClosedError

        try:
            return future.result()
        except (CommClosedError, FutureCancelledError) as error:
            raise UsageError("dask: the scheduler is gone; the same command goes on") from error
        except KilledWorker as error:
            raise UsageError(f"dask: {LOST}") from error
        except ModuleNotFoundError as error:
            raise UsageError(_uninstalled("dask", error)) from error


async def _greet(address: str) -> None:
    """Ask a dask scheduler who it is; a client would wait for ever for the answer of another server."""
    from distributed import Security, rpc

    async with rpc(address, connection_args=Security().get_connection_args("client")) as server:
        answer = await asyncio.wait_for(server.identity(), GREETING)
    if answer["type"] != "Scheduler":
        raise ValueError(f"a {answer['type']} answers")


class Ray(Cluster):
    """The workers of a ray cluster, or as many of its own on this machine."""

    def __init__(self, scheduler: str, jobs: int, closing: ExitStack) -> None:
        super().__init__()
        import ray

        how: dict[str, Any] = {"address": scheduler} if scheduler else {"num_cpus": _many(jobs)}
        if not scheduler:
            how |= {"address": "local", "include_dashboard": False}
        try:
            ray.init(**how, logging_level=logging.ERROR, log_to_driver=False)
        except (OSError, ValueError) as error:
            raise UsageError(f"--scheduler {scheduler}: no ray cluster answers there") from error
        closing.callback(ray.shutdown)
        self.play = ray.remote(num_cpus=1, max_retries=3)(_call)

    def workers(self) -> int:
        import ray

        return int(ray.cluster_resources()["CPU"])

    def send(self, task: Callable[[], Any]) -> Future[Any]:
        found: Future[Any] = self.play.remote(task).future()
        return found

    def result(self, future: Any) -> Any:
        from ray.exceptions import RayTaskError, WorkerCrashedError

        try:
            return future.result()
        except WorkerCrashedError as error:
            raise UsageError(f"ray: {LOST}") from error
        except RayTaskError as error:
            if isinstance(error.cause, ModuleNotFoundError):
                raise UsageError(_uninstalled("ray", error.cause)) from error
            raise error.cause from error


def _call(task: Callable[[], Any]) -> Any:
    return task()


def _many(jobs: int) -> int:
    return jobs if jobs > 0 else max(1, cpu_count() + 1 + jobs)


def _uninstalled(name: str, error: ModuleNotFoundError) -> str:
    return f"{name}: a worker says '{error}': install the same simkit for every worker"


@contextmanager
def opened(name: str, scheduler: str, jobs: int) -> Iterator[str | Cluster]:
    """The backend of this name, as joblib takes it; a cluster of our own ends with the block."""
    if name not in NAMES:
        yield name
        return
    with ExitStack() as closing:
        try:
            made = (Dask if name == "dask" else Ray)(scheduler, jobs, closing)
        except ModuleNotFoundError as error:
            cure = f"pip install 'simkit[{name}]'"
            raise UsageError(f"backend '{name}' is not installed ({error}): {cure}") from error
        yield made


def check(name: str, scheduler: str) -> None:
    """Refuse a scheduler for workers that have none."""
    if scheduler and name not in NAMES:
        raise UsageError(f"--scheduler {scheduler}: goes with --backend {' or '.join(NAMES)}, not '{name}'")
