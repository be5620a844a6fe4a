"""A game told before anything is compiled, and all compiled at once before many are played."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from simkit import jit

pytestmark = pytest.mark.skipif(not jit.COMPILED, reason="without the compiler nothing is compiled")

READY = """
from simkit import catalogue
from simkit.kernel import build
from simkit.warmup import warm_up
game = catalogue.game("pig")
entries = [build(game), *(catalogue.strategy(game, name).player(game).decide for name in ("random", "hold_at"))]
before = [entry.ready for entry in entries]
warm_up(game, ["random", "hold_at"])
print(before, [entry.ready for entry in entries])
"""


def python(cache: Path, *words: str) -> str:
    environment = {k: v for k, v in os.environ.items() if k != "NUMBA_BOUNDSCHECK"}
    done = subprocess.run(
        [sys.executable, *words],
        env=environment | {"NUMBA_CACHE_DIR": str(cache), "PYTHONPATH": str(Path(__file__).parents[1])},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def compiled(cache: Path) -> list[Path]:
    return list(cache.rglob("*.nbc"))


def test_a_game_is_told_uncompiled_where_nothing_is_compiled_and_is_the_same_game(tmp_path):
    story = ["-m", "simkit", "play", "pig", "--lineup", "hold_at,random"]
    cold = python(tmp_path, *story)
    assert not compiled(tmp_path) and "rank 1" in cold
    assert python(tmp_path, "-c", READY) == "[False, False, False] [True, True, True]\n"
    assert len(compiled(tmp_path)) == 3
    assert python(tmp_path, *story) == cold
    assert len(compiled(tmp_path)) == 3, "telling a game compiles nothing more"


def test_what_was_compiled_is_ready_in_another_process(tmp_path):
    python(tmp_path, "-c", READY)
    times = [path.stat().st_mtime_ns for path in compiled(tmp_path)]
    assert python(tmp_path, "-c", READY) == "[True, True, True] [True, True, True]\n"
    assert times == [path.stat().st_mtime_ns for path in compiled(tmp_path)]
