"""A game told before anything is compiled, and all compiled at once before many are played."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from simkit.engine.compile import jit

pytestmark = pytest.mark.skipif(not jit.COMPILED, reason="without the compiler nothing is compiled")

READY = """
from simkit.engine import registry
from simkit.engine.kernel import build
from simkit.engine.lineups import Seated
from simkit.runs.progress import Progress
from simkit.runs.warm_up import warm_up
game = registry.game("pig")
entries = [build(game), *(registry.strategy(game, name).player(game).decide for name in ("random", "hold_at"))]
before = [entry.ready for entry in entries]
warm_up(game, [Seated("random", 2), Seated("hold_at", 2)], Progress())
print(before, [entry.ready for entry in entries])
"""

FAULTY = """
import os, time
from pathlib import Path
from simkit.engine import registry
from simkit.engine.lineups import Seated
from simkit.errors import UsageError
from simkit.runs import warm_up
from simkit.runs.progress import Progress
main, busy = os.getpid(), Path(os.environ["NUMBA_CACHE_DIR"]) / "busy"
def compile_parts(projects, game, parts):
    if os.getpid() != main:
        busy.touch()
        time.sleep(1)
        return
    while not busy.exists():
        time.sleep(0.01)
    raise UsageError("the rules do not compile")
warm_up.compile_parts = compile_parts
try:
    warm_up.warm_up(registry.game("pig"), [Seated("random", 2), Seated("hold_at", 2)], Progress())
except UsageError as error:
    print(error)
"""


def python(cache: Path, *words: str) -> str:
    environment = {k: v for k, v in os.environ.items() if k != "NUMBA_BOUNDSCHECK"}
    done = subprocess.run(
        [sys.executable, *words],
        env=environment
        | {
            "NUMBA_CACHE_DIR": str(cache),
            "PYTHONPATH": str(Path(__file__).parents[2]),
            "LOKY_MAX_CPU_COUNT": "2",  # compiles in processes
        },
        capture_output=True,
        text=True,
    )
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


def compiled(cache: Path) -> dict[Path, int]:
    return {path: path.stat().st_mtime_ns for path in cache.rglob("*.nbc")}


@pytest.mark.slow
@pytest.mark.proof("engine", "runs", "cli.commands.play", "games.pig", "strategies.pig")
def test_a_game_is_told_before_anything_is_compiled_and_what_is_compiled_is_ready_elsewhere(tmp_path):
    story = ["-m", "simkit", "play", "pig", "--lineup", "hold_at,random"]
    cold = python(tmp_path, *story)
    assert not compiled(tmp_path) and "rank 1" in cold
    assert python(tmp_path, "-c", READY) == "[False, False, False] [True, True, True]\n"
    times = compiled(tmp_path)
    assert len(times) == 4  # the kernel, what stands in for a search, two strategies
    assert python(tmp_path, *story) == cold, "compiled, the game is the same"
    assert python(tmp_path, "-c", READY) == "[True, True, True] [True, True, True]\n"
    assert compiled(tmp_path) == times, "nothing is compiled twice"


@pytest.mark.slow
def test_rules_that_do_not_compile_are_one_line_while_another_process_compiles(tmp_path):
    assert python(tmp_path, "-c", FAULTY) == "the rules do not compile\n"
