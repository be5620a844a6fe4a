"""Ctrl-C ends a command within seconds, whatever it does, and says how to go on; nothing hangs in silence.

Bounds of time are generous: the machine may be busy.
"""

import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

from simkit.ask.execution import Execution, conduct
from simkit.cli import interrupts
from simkit.engine import registry, watchdog
from simkit.engine.compile import jit
from simkit.engine.kernel import PLACE
from simkit.engine.lineups import parse_lineup
from simkit.questions.fair import FairStudy
from simkit.runs import manifest
from simkit.runs.experiment import parse
from simkit.runs.progress import Board
from tests.projects import project_of

BAD = '''
from simkit.games.pig import HOLD, game
from simkit.engine.strategy import strategy


@strategy(game)
def bad(view):
    """Never ends its first thought."""
    n = 1
    while n > 0:
        n = (n * 31 + 7) % 1_000_003 + 1
    return HOLD
'''
KEYS = {"question": "?", "game": "pig", "seed": 5}
compiled = pytest.mark.skipif(not jit.COMPILED, reason="no compiled loops without the compiler")
posix = pytest.mark.posix


@pytest.fixture
def project(tmp_path):
    with project_of(tmp_path / "p", {"strategies/bad.py": BAD}):
        yield tmp_path


def begun(project: Path, lineup: str, *options: str) -> subprocess.Popen[str]:
    """A run on the command line, in a group of processes of its own, as a terminal starts it."""
    experiment = parse({**KEYS, "deals": 20_000_000, "lineups": [lineup]})
    (project / "asked.toml").write_text(experiment.to_toml())
    words = ["-m", "simkit", "--project", "p", "run", "asked.toml", "-o", "run", "--jobs", "2", *options]
    path = os.environ | {"PYTHONPATH": str(registry.ROOT)}
    with open(project / "errors", "w") as errors:
        return subprocess.Popen(
            [sys.executable, *words], cwd=project, env=path, stderr=errors, start_new_session=True
        )


def wait_for_workers(folder: Path, running: subprocess.Popen[str], slow: bool) -> None:
    """Wait until shards are handed out; `slow`: until a strategy has been deciding for long."""
    until = time.monotonic() + 600
    while not any(Board(path).slow() or not slow for path in folder.glob("run/.progress-*")):
        assert running.poll() is None and time.monotonic() < until, (folder / "errors").read_text()
        time.sleep(0.05)


def alone(group: int) -> bool:
    """Whether no process of a group is left, at once or soon."""
    for _ in range(600):
        states = [path.read_text().rpartition(")")[2].split() for path in Path("/proc").glob("[0-9]*/stat")]
        if not [state for state in states if int(state[2]) == group and state[0] != "Z"]:
            return True
        time.sleep(0.1)
    return False


@pytest.mark.slow
@pytest.mark.proof("runs", "cli", "questions.run", "games.pig", "strategies.pig")
@compiled
@posix
@pytest.mark.parametrize(
    ("lineup", "backend"),
    [
        ("hold_at, random", "threading"),
        ("bad, random", "threading"),
        ("hold_at, random", "loky"),  # workers are only starting
        ("bad, random", "loky"),
    ],
)
def test_ctrl_c_ends_a_run_soon_with_the_command_that_goes_on(project, lineup, backend):
    running = begun(project, lineup, "--backend", backend)
    wait_for_workers(project, running, slow="bad" in lineup)
    os.killpg(running.pid, signal.SIGINT)
    assert running.wait(600) == 130  # its games would take hours, or never end
    command = f"simkit --project p run asked.toml -o run --jobs 2 --backend {backend}"
    lines = (project / "errors").read_text().strip().splitlines()
    assert f"simkit: stopped; what was played is kept, go on with: {command}" in lines
    unwanted = ("Traceback", "KeyboardInterrupt", "resource_tracker", "warn")
    assert not [line for line in lines if any(word in line for word in unwanted)]
    assert not list((project / "run").rglob(".*")) and alone(running.pid)
    assert manifest.read(project / "run").finished is None


@compiled
@posix
@pytest.mark.slow
@pytest.mark.proof("runs", "cli", "questions.run", "games.pig", "strategies.pig")
@pytest.mark.parametrize("more", [[], ["--jobs", "6", "--deals", "1"]], ids=["at work", "some wait for work"])
def test_workers_end_with_a_runner_that_is_killed_even_in_an_endless_loop(project, more):
    running = begun(project, "bad, random", "--backend", "loky", *more)
    wait_for_workers(project, running, slow=True)
    os.kill(running.pid, signal.SIGKILL)
    running.wait(600)
    assert alone(running.pid)


@posix
def test_a_second_ctrl_c_kills_a_command_that_does_not_stop(tmp_path):
    script = """if True:
        import signal, sys, time
        from simkit.cli.interrupts import Stop
        stop = Stop()
        with stop.listening():
            signal.signal(signal.SIGINT, lambda *_: None)  # as compiled code, it goes on
            print("ready", flush=True)
            time.sleep(float(sys.argv[1]))
            time.sleep(600)
    """
    words = [sys.executable, "-c", script, "600"]
    path = os.environ | {"PYTHONPATH": str(registry.ROOT)}
    running = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=path)
    assert running.stdout.readline() == "ready\n"
    running.send_signal(signal.SIGINT)
    running.send_signal(signal.SIGINT)
    _, message = running.communicate(timeout=600)
    assert running.returncode == 130 and message == "simkit: stopped\n"


@posix
def test_ctrl_c_while_libraries_load_ends_a_command_in_one_line(tmp_path):
    (tmp_path / "simkit" / "cli").mkdir(parents=True)
    (tmp_path / "simkit" / "__init__.py").touch()
    shutil.copy(registry.PACKAGE / "__main__.py", tmp_path / "simkit")
    script = "import os, signal, time; os.kill(os.getpid(), signal.SIGINT); time.sleep(60)"
    (tmp_path / "simkit" / "cli" / "__init__.py").write_text(script)
    done = subprocess.run([sys.executable, "-m", "simkit"], cwd=tmp_path, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (130, "simkit: stopped\n")


@compiled
@pytest.mark.slow
@pytest.mark.proof("runs", "cli", "questions.run", "games.pig", "strategies.pig")
@pytest.mark.parametrize("backend", ["threading", "loky", "dask"])
def test_a_slow_decision_is_told_and_a_batch_that_takes_too_long_ends_the_run(project, backend):
    experiment = parse({**KEYS, "deals": 50, "lineups": ["bad, random"]})
    script = """if True:
        import sys
        from contextlib import nullcontext
        from simkit import errors
        from simkit.engine import registry, watchdog
        from simkit.runs import cluster, plan, progress, runner
        from simkit.cli.interrupts import leave
        registry.add_project("p")
        watchdog.FIRST = 0.5  # in place of 10
        if sys.argv[1] == "dask":
            from test_cluster import Threads
            cluster.open_backend = lambda *_: nullcontext(Threads())
        class Tells(progress.Progress):
            def report_decision(self, what):
                print(what.rpartition(" for ")[0], flush=True)
        try:
            runner.run(plan.load("asked.toml"), "run", 2, sys.argv[1], Tells(), batch_timeout=8)
        except errors.PlayError as error:
            print(error, flush=True)
            leave(0)  # threads cannot be killed
    """
    (project / "asked.toml").write_text(experiment.to_toml())
    path = os.environ | {
        "PYTHONPATH": os.pathsep.join([str(registry.ROOT), str(Path(__file__).parents[1] / "runs")])
    }
    words = [sys.executable, "-c", script, backend]
    done = subprocess.run(words, cwd=project, capture_output=True, text=True, timeout=1_800, env=path)
    where = "strategy bad, deal 0, seat 0 has been deciding"
    *text, last = done.stdout.splitlines()
    assert last.startswith(f"pig: a batch of games took more than 8 s (--batch-timeout): {where}")
    afar = backend == "dask"  # whose workers tell nothing before they are done
    assert last.endswith("has to be started again" if afar else where) and (afar or where in text)
    assert all(line.startswith("strategy bad, deal ") for line in text)
    assert not list((project / "run").rglob(".*"))


def test_people_hear_of_a_decision_after_ten_seconds_and_after_twice_as_many(monkeypatch):
    message = list[str]()
    notices = watchdog.Notices(message.append)
    for seconds in (1.0, 9.9, 10.2, 15.0, 20.5, 39.0, 41.2):
        notices(watchdog.Slow("strategy bad, deal 0, seat 0 has been deciding", seconds, seconds))
    assert [line.partition(" for ")[2] for line in message] == ["10 s", "20 s", "41 s"]
    assert message[0] == "strategy bad, deal 0, seat 0 has been deciding for 10 s"


def test_a_decision_is_slow_while_nothing_moves_and_over_when_the_game_goes_on(monkeypatch):
    game, heard = registry.game("pig"), list[watchdog.Slow]()
    lineup = registry.players(game, parse_lineup("random, hold_at"))
    states, place = np.zeros(2, game.state_dtype), np.zeros(1, PLACE).view(np.recarray)
    place[0].game, place[0].seat, place[0].deciding = 1, 1, 1
    play = watchdog.Play("pig", lineup, np.array([7, 8]), np.array([0, 1]), states, place)
    monkeypatch.setattr(watchdog, "LONG", 0.0)
    with watchdog.watch(play), watchdog.listen(heard.append):
        until(lambda: heard and heard[-1].seconds > 0)
        assert heard[-1].doing == "strategy random, deal 8, seat 1 has been deciding"
        count = len(heard)
        states[1]["log"]["game"]["decisions"] += 1
        until(lambda: len(heard) > count + 1)
        assert min(slow.seconds for slow in heard[count:]) == 0 and heard[-1].batch > heard[-1].seconds
        place[0].deciding = 0
        until(lambda: heard[-1].doing == "the rules of pig, deal 8, seat 1 have been at work")


def until(true):
    """Wait until something is true."""
    for _ in range(6_000):
        if true():
            return
        time.sleep(0.05)
    raise AssertionError("it never came true")


def test_ctrl_c_between_the_runs_of_a_search_says_how_to_go_on(tmp_path, monkeypatch, capsys):
    command = ["simkit", "fair", "pig", "--vary", "goal=20:60"]
    monkeypatch.setattr(sys, "argv", command)
    monkeypatch.setattr(interrupts, "_command", "")

    def interrupted(self, play):
        play(self.wide([(20,), (60,)]), "wide")
        raise KeyboardInterrupt

    monkeypatch.setattr(FairStudy, "carry_out", interrupted)
    with pytest.raises(KeyboardInterrupt):
        study = FairStudy("pig", [["random*2"]], 10, 5, 0.02, {}, {"goal": (20, 60)})
        how = Execution(out=str(tmp_path / "search"), session=lambda: interrupts.resumable(" ".join(command)))
        conduct(how, study)
    interrupts.Stop().say()
    assert capsys.readouterr().err.endswith(
        f"stopped; what was played is kept, go on with: {' '.join(command)}\n"
    )
