"""Compiled code that crashes is reported in one line: what, in which game, at which deal and seat, the replay."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from simkit.engine import registry, stepper
from simkit.engine.compile import jit
from simkit.engine.table import GameTable
from simkit.errors import Crash

CRASHING = '''
from simkit.engine.compile import jit
from simkit.games.pig import HOLD, ROLL, game
from simkit.engine.strategy import strategy


@jit.rule
def count_on(n):
    return 1 if n < 0 else count_on(n + 1) * 3 + count_on(n + 2)


@strategy(game)
def recursive(view, rules, legal):
    """Recurse without end at 20 points."""
    if view.turn_total < 20:
        return ROLL
    return HOLD if count_on(1) != 7 else ROLL
'''
pytestmark = [
    pytest.mark.skipif(not jit.COMPILED, reason="plain Python ends a recursion by itself"),
    pytest.mark.posix,  # on Linux; elsewhere the process ends as it did
]
SLOW = pytest.mark.slow
RUN = "match pig recursive random --deals 20 -o run"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "p" / "strategies").mkdir(parents=True)
    (tmp_path / "p" / "strategies" / "crashing.py").write_text(CRASHING)
    return tmp_path


def simkit(folder: Path, *words: str, **flags: str) -> tuple[int, list[str]]:
    """Exit code and last lines on stderr."""
    own = os.environ | {"PYTHONPATH": str(registry.ROOT)} | flags
    command = [sys.executable, "-m", "simkit", "--project", "p", *words]
    done = subprocess.run(command, cwd=folder, env=own, capture_output=True, text=True)
    return done.returncode, done.stderr.splitlines()


@pytest.mark.slow
@pytest.mark.parametrize(
    "more",
    [
        "",
        pytest.param("--keep-going", marks=SLOW),
        pytest.param("--backend loky --jobs 2", marks=SLOW),
        pytest.param("--backend dask --jobs 2", marks=SLOW),
    ],
)
def test_a_crash_names_game_deal_seat_lineup_and_the_replay_that_finds_the_line(folder, more):
    if "dask" in more:
        pytest.importorskip("distributed")
    code, message = simkit(folder, *f"{RUN} {more}".split())
    line = "simkit: pig: seed 1, deal 0, rotation 0, seat 0, strategy recursive: crashed in compiled code (SIGSEGV)"
    start, _, replay = message[-1].partition("; replay it up to there: ")
    assert (code, start) == (2, f"{line} with lineup recursive, random"), message
    assert replay == "NUMBA_DISABLE_JIT=1 simkit --project p replay run 0"
    code, message = simkit(folder, "replay", "run", "0", NUMBA_DISABLE_JIT="1")
    assert code == 2 and "RecursionError" in message[-1] and "crashing.py:9)" in message[-1], message


@pytest.mark.slow
def test_a_crash_outside_a_run_names_the_same_command_uncompiled(folder):
    words = ["bench", "pig", "--no-compile", "--seconds", "0.01", "--lineup", "recursive,random"]
    code, message = simkit(folder, *words)
    assert code == 2 and "seat 0, strategy recursive: crashed in compiled code (SIGSEGV)" in message[-1], (
        message
    )
    repeated = "NUMBA_DISABLE_JIT=1 simkit --project p bench pig --no-compile --seconds 0.01 --lineup recursive,random"
    assert message[-1].endswith(f"; to find the line, run it uncompiled: {repeated}")


def crashes(*_):
    raise Crash("crashed in compiled code (SIGSEGV)")


def test_a_crash_of_a_trace_is_a_crash_with_its_place(monkeypatch):
    monkeypatch.setattr(stepper, "tracer", lambda game: crashes)
    of = registry.game("pig")
    lineup = [registry.strategy(of, "random").player(of)] * 2
    with pytest.raises(Crash) as crash:
        next(stepper.trace_games(GameTable(of, of.rules()), lineup, 1, np.array([5]), np.array([1])))
    where = "pig: seed 1, deal 5, rotation 1: the trace failed"
    assert str(crash.value) == f"{where}: crashed in compiled code (SIGSEGV)"


def test_a_crash_outside_of_tasks_is_left_to_the_handler_before(tmp_path):
    program = "import ctypes; from simkit.engine.tasks import Task; Task(int).result(); ctypes.string_at(0)"
    own = os.environ | {"PYTHONPATH": str(registry.ROOT)}
    words = [sys.executable, "-X", "faulthandler", "-c", program]
    done = subprocess.run(words, env=own, cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == -signal.SIGSEGV and "Fatal Python error: Segmentation fault" in done.stderr
