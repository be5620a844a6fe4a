"""A run is the same on a cluster: tables come back from workers that do not see its folder, a lost worker
costs only what it was playing, and one with other sources is refused.
"""

import os
import shutil
import signal
import socket
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from importlib.util import find_spec
from pathlib import Path

import pytest

from simkit.engine import registry
from simkit.engine.lineups import Seated
from simkit.errors import PlayError, UsageError
from simkit.runs import cluster, experiment, runner, source_digests, workers
from simkit.runs.folder import open_unfinished
from simkit.runs.plan import Layout
from simkit.runs.progress import Progress
from simkit.runs.storage import checksums

pytestmark = pytest.mark.slow

EXPERIMENT = experiment.parse({
    "question": "?", "game": "pig", "deals": 60, "seed": 5, "trace": 3, "sweep": {"goal": [30, 60]},
    "lineups": ["hold_at(threshold=10), hold_at, random", "hold_at*2"],
})  # fmt: skip
SMALL = Layout(11, 11)
LIBRARIES = {"dask": "distributed", "ray": "ray"}
ROOT = Path(__file__).parents[2]


class Threads(cluster.Cluster):
    """A cluster of one machine, one process, two threads."""

    def __init__(self):
        super().__init__(ThreadPoolExecutor(2).submit, lambda: 2)


@pytest.fixture(scope="module")
def alone(tmp_path_factory):
    return runner.run(EXPERIMENT, tmp_path_factory.mktemp("alone") / "run", layout=SMALL)


def same(left, right):
    return (
        checksums.read_digests(left)
        == checksums.read_digests(right)
        == checksums.valid_files(right, checksums.read_digests(left))
    )


def on_threads(monkeypatch):
    @contextmanager
    def opened(name, scheduler, jobs):
        yield Threads()

    monkeypatch.setattr(cluster, "open_backend", opened)


def test_tables_from_workers_that_do_not_see_the_run_folder_are_the_same(alone, tmp_path, monkeypatch):
    on_threads(monkeypatch)
    counts = []

    class Hears(Progress):
        def report_games(self, done, total):
            counts.append((done, total))

    folder = runner.run(EXPERIMENT, tmp_path / "run", backend="dask", layout=SMALL, progress=Hears())
    assert same(alone, folder)
    assert counts == sorted(counts) and len(counts) > 3 and counts[-1] == (480, 480)


def test_a_fault_on_a_worker_of_a_cluster_is_told_as_from_any_other(alone, tmp_path, monkeypatch):
    def lost(*_):
        raise UsageError("worker far, process 1, has other sources: the rules of pig")

    on_threads(monkeypatch)
    monkeypatch.setattr(cluster.Order, "prepare", lost)
    with pytest.raises(UsageError, match="has other sources: the rules of pig"):
        runner.run(EXPERIMENT, tmp_path / "run", backend="dask", layout=SMALL)
    monkeypatch.undo()
    assert same(alone, runner.run(EXPERIMENT, tmp_path / "run", layout=SMALL))  # the same command goes on


def test_a_game_that_fails_on_a_cluster_is_told_with_the_command_that_shows_it(tmp_path, monkeypatch):
    def fails(*_):
        fault = PlayError("pig: seed 5, deal 0: no such luck", 0)
        fault.play = 3
        raise fault

    on_threads(monkeypatch)
    monkeypatch.setattr(workers, "write", fails)
    with pytest.raises(PlayError) as caught:
        runner.run(EXPERIMENT, tmp_path / "run", backend="dask", layout=SMALL)
    assert str(caught.value).endswith(
        f"no such luck; replay it up to there: simkit replay {tmp_path / 'run'} 3"
    )


@pytest.mark.parametrize(
    "name",
    [
        "the rules of pig",
        "the options and tables of pig",
        "strategy hold_at",
        "simkit's way to play pig",
        "simkit's own modules",
    ],
)
def test_a_worker_with_other_sources_is_refused_before_it_compiles(alone, name, monkeypatch):
    monkeypatch.setattr(cluster, "compile_parts", None)
    order = cluster.Order.of(open_unfinished(alone))
    assert name in order.expected.sources
    sources = order.expected.sources | {name: "another"}
    other = order._replace(expected=order.expected.model_copy(update={"sources": sources}))
    with pytest.raises(UsageError, match=rf"^worker .* has other sources: {name}; give every worker the"):
        other.prepare(EXPERIMENT, traced=False)
    other = order._replace(expected=order.expected.model_copy(update={"numba": "0.1"}))
    with pytest.raises(UsageError, match=r"has other sources: Numba [\d.]+ instead of 0\.1; give every"):
        other.prepare(EXPERIMENT, traced=False)


def test_rules_edited_after_a_worker_loaded_them_do_not_pass_for_the_new_ones(tmp_path):
    path, source = tmp_path / "games" / "my_pig.py", Path(ROOT / "simkit/games/pig.py").read_text("utf-8")
    path.parent.mkdir()
    path.write_text(source.replace('"pig"', '"my_pig"'))
    registry.add_project(tmp_path)
    before = source_digests.code("my_pig", [Seated("random", 2)])
    path.write_text(path.read_text().replace("turn_total += ", "turn_total += 1 + "))
    edited = source_digests.code("my_pig", [Seated("random", 2)])
    registry.set_projects([])
    registry.add_project(tmp_path)
    after = source_digests.code("my_pig", [Seated("random", 2)])
    registry.set_projects([])
    assert len({digests["the rules of my_pig"] for digests in (before, edited, after)}) == 3


@pytest.mark.parametrize(
    ("how", "message"),
    [
        ({"scheduler": "tcp://far:8786"}, "goes with the backend dask or ray, not 'threading'"),
        ({"backend": "dask", "jobs": 0}, "0 jobs cannot play"),
    ],
)
def test_a_cluster_that_cannot_be_is_refused_and_nothing_is_written(tmp_path, how, message):
    with pytest.raises(UsageError, match=message):
        runner.run(EXPERIMENT, tmp_path / "run", **how)
    assert not (tmp_path / "run").exists()


@pytest.mark.parametrize(("name", "module"), LIBRARIES.items())
def test_a_cluster_that_is_not_installed_says_what_to_install(tmp_path, monkeypatch, name, module):
    monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(
        UsageError, match=rf"'{name}' is not installed .*pip install 'simkit-tabletop\[{name}\]'"
    ):
        runner.run(EXPERIMENT, tmp_path / "run", backend=name)


@contextmanager
def dask_cluster(folder, roots):
    """A scheduler and a worker for each checkout, as processes that talk over TCP."""
    pytest.importorskip("distributed")
    file = folder / "scheduler.json"
    dask = [sys.executable, "-m", "dask"]
    commands = [([*dask, "scheduler", "--port", "0", "--no-dashboard"], ROOT)]
    worker = [*dask, "worker", "--nthreads", "1", "--no-nanny", "--no-dashboard"]
    commands += [([*worker, "--name", f"w{n}"], root) for n, root in enumerate(roots)]
    started = []
    try:
        for command, root in commands:
            place = folder / f"place{len(started)}"
            place.mkdir()
            started.append(
                subprocess.Popen(
                    [*command, "--scheduler-file", str(file)],
                    cwd=place,
                    env={**os.environ, "PYTHONPATH": str(root)},
                    stderr=subprocess.DEVNULL,
                )
            )
        yield wait_for(file, len(roots)), started
    finally:
        for process in started:
            process.kill()
            process.wait()


def wait_for(file, workers):
    """The address of the scheduler, once all of its workers are there."""
    from distributed import Client

    until = time.monotonic() + 600
    while not file.exists() and time.monotonic() < until:
        time.sleep(0.1)
    with Client(scheduler_file=str(file), set_as_default=False) as client:
        client.wait_for_workers(workers, timeout=600)
        return client.scheduler.address


@pytest.mark.posix
@pytest.mark.proof("runs", "games.pig", "strategies.pig")
def test_a_dask_worker_killed_in_the_middle_costs_only_its_batch(tmp_path):
    longer = EXPERIMENT.model_copy(update={"deals": 3_000})
    whole = runner.run(longer, tmp_path / "alone", layout=Layout(300, 300))
    with dask_cluster(tmp_path, [ROOT, ROOT]) as (address, (*_, second)):
        done = []

        class Kills(Progress):
            def report_games(self, now, total):
                done.append(now)
                if second.poll() is None and now > 1_000:
                    second.send_signal(signal.SIGKILL)

        how = {"layout": Layout(300, 300), "progress": Kills(), "scheduler": address}
        folder = runner.run(longer, tmp_path / "run", backend="dask", **how)
        assert second.wait() == -signal.SIGKILL and max(done) == 24_000
    assert same(whole, folder)


@pytest.mark.proof("runs", "cli", "questions.run", "games.pig", "strategies.pig")
def test_a_scheduler_that_is_lost_is_told_in_one_line(tmp_path):
    path = tmp_path / "asked.toml"
    path.write_text(EXPERIMENT.model_copy(update={"deals": 10**6}).to_toml())
    words = ["run", path, "-o", tmp_path / "run", "--backend", "dask", "--scheduler"]
    with dask_cluster(tmp_path, [ROOT]) as (address, (scheduler, _)):
        command = [sys.executable, "-m", "simkit", *words, address]
        soon = os.environ | {"DASK_DISTRIBUTED__COMM__TIMEOUTS__CONNECT": "10s"}
        pipes = {"stderr": subprocess.PIPE, "stdout": subprocess.DEVNULL}
        running = subprocess.Popen(command, cwd=ROOT, env=soon, **pipes)
        until = time.monotonic() + 600
        while not [*tmp_path.glob("run/games/*.parquet")] and time.monotonic() < until:
            time.sleep(0.1)
        scheduler.kill()
        lines = running.communicate(timeout=600)[1].decode().replace("\r", "\n").splitlines()
    assert running.returncode == 2
    assert lines[-1] == "simkit: dask: the scheduler is gone; the same command goes on"
    assert not [line for line in lines if not line.startswith(("run: ", "simkit: "))]


@pytest.mark.proof("runs", "games.pig", "strategies.pig")
def test_a_dask_worker_with_an_edited_strategy_is_refused(tmp_path):
    copy = tmp_path / "copy"
    for part in ("simkit", "strategies"):
        shutil.copytree(ROOT / part, copy / part, ignore=shutil.ignore_patterns("__pycache__"))
    path = copy / "strategies" / "pig.py"
    edited = path.read_text("utf-8").replace("turn_total >= ", "turn_total > ")
    assert edited != path.read_text("utf-8")
    path.write_text(edited, encoding="utf-8")
    refused = pytest.raises(UsageError, match="has other sources: strategy hold_at")
    with dask_cluster(tmp_path, [copy]) as (address, _), refused:
        runner.run(EXPERIMENT, tmp_path / "run", backend="dask", scheduler=address)


def test_a_scheduler_that_does_not_answer_is_told_of(tmp_path):
    pytest.importorskip("distributed")
    with pytest.raises(UsageError, match="no dask scheduler answers there"):
        runner.run(EXPERIMENT, tmp_path / "run", backend="dask", scheduler="tcp://127.0.0.1:9")
    assert not list((tmp_path / "run").iterdir())


@pytest.mark.parametrize(
    "answer", [None, b"", b"SSH-2.0-OpenSSH_9.2p1\r\n", b"HTTP/1.1 400 Bad Request\r\n" + 80 * b"x"]
)
def test_a_port_that_is_not_a_dask_scheduler_is_refused(monkeypatch, answer):
    pytest.importorskip("distributed")
    monkeypatch.setattr(cluster, "PATIENCE", 0.5)
    with socket.create_server(("127.0.0.1", 0)) as server, ThreadPoolExecutor(1) as pool:
        pool.submit(answers, server, answer)
        address = "tcp://{}:{}".format(*server.getsockname())
        refused = pytest.raises(UsageError, match=f"scheduler {address}: no dask scheduler answers there")
        with refused, cluster.open_backend("dask", address, 1):
            pass


def answers(server, answer):
    """Accept a connection, send an answer (None: none at all), and hang up after two seconds at most."""
    connection, _ = server.accept()
    connection.settimeout(2)
    with connection, suppress(TimeoutError):
        connection.sendall(answer or b"")
        while answer != b"" and connection.recv(1_000):
            pass


@pytest.mark.proof("runs", "games.pig", "strategies.pig")
@pytest.mark.parametrize("name", [name for name, module in LIBRARIES.items() if find_spec(module)])
def test_a_cluster_of_its_own_gives_the_same_tables(alone, tmp_path, name):
    assert same(alone, runner.run(EXPERIMENT, tmp_path / "run", jobs=2, backend=name, layout=SMALL))
