"""Compiled code that crashes is reported in one line: what, in which game, at which deal and seat, the replay."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from simkit import catalogue, jit

CRASHING = '''
from simkit import jit
from simkit.games.pig import HOLD, ROLL, game
from simkit.strategy import strategy


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
    pytest.mark.skipif(sys.platform != "linux", reason="elsewhere the process ends as it did"),
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
    own = os.environ | {"PYTHONPATH": str(catalogue.ROOT)} | flags
    command = [sys.executable, "-m", "simkit", "--project", "p", *words]
    done = subprocess.run(command, cwd=folder, env=own, capture_output=True, text=True)
    return done.returncode, done.stderr.splitlines()


@pytest.mark.parametrize(
    "more",
    [
        "",
        "--keep-going",
        pytest.param("--backend loky", marks=SLOW),
        pytest.param("--backend dask --jobs 2", marks=SLOW),
    ],
)
def test_a_crash_names_game_deal_seat_lineup_and_the_replay_that_finds_the_line(folder, more):
    if "dask" in more:
        pytest.importorskip("distributed")
    code, said = simkit(folder, *f"{RUN} {more}".split())
    line = "simkit: pig: seed 1, deal 0, rotation 0, seat 0, strategy recursive: crashed in compiled code (SIGSEGV)"
    start, _, replay = said[-1].partition("; told up to there: ")
    assert (code, start) == (2, f"{line} with lineup recursive, random"), said
    assert replay == "NUMBA_DISABLE_JIT=1 simkit --project p replay run 0"
    code, said = simkit(folder, "replay", "run", "0", NUMBA_DISABLE_JIT="1")
    assert code == 2 and "RecursionError" in said[-1] and "crashing.py:9)" in said[-1], said


def test_a_crash_outside_a_run_names_the_same_command_uncompiled(folder):
    words = ["bench", "pig", "--no-compile", "--seconds", "0.01", "--lineup", "recursive,random"]
    code, said = simkit(folder, *words)
    assert code == 2 and "seat 0, strategy recursive: crashed in compiled code (SIGSEGV)" in said[-1], said
    again = "NUMBA_DISABLE_JIT=1 simkit --project p bench pig --no-compile --seconds 0.01 --lineup recursive,random"
    assert said[-1].endswith(f"; uncompiled it names its line: {again}")
