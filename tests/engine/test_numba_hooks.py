"""The private parts of Numba that compilation uses: they fit this version, and one that they do not fit plays, too."""

import os
import subprocess
import sys
from pathlib import Path

import numba
import pytest
from numba import types

from simkit.engine.compile import jit
from tests.engine.test_jit import PLAY

ROOT = Path(__file__).parents[2]
pytestmark = pytest.mark.skipif(not jit.COMPILED, reason="without the compiler nothing is compiled")


@jit.rule
def fibonacci(n):
    """Call itself twice, so that LLVM cannot inline all of it."""
    return n if n < 2 else fibonacci(n - 1) + fibonacci(n - 2)


def test_the_hooks_fit_the_installed_version_of_numba():
    """A failure says that this Numba has other insides: mend `numba_hooks`, else games compile three times as long."""
    assert jit.Rule.__module__.endswith("numba_hooks"), f"the hooks do not fit Numba {numba.__version__}"
    entry = jit.EntryPoint(lambda i: fibonacci(i) + 1, types.int64(types.int64), f"hooked {os.getpid()}")
    assert entry(10) == 56 and entry.ready
    (part,) = fibonacci.overloads.values()
    assert part.library.get_pointer_to_function(part.fndesc.llvm_func_name) == 0, "a rule is compiled alone"
    (program,) = entry.compiled.overloads.values()
    code = program.library.get_llvm_str().splitlines()
    defined = [line for line in code if line.startswith("define ") and fibonacci.__name__ in line]
    assert all(line.startswith("define internal ") for line in defined) and defined, "a rule is not internal"
    assert list(fibonacci.signatures) == [(types.int64,)], "arguments are not widened"


@pytest.mark.slow
@pytest.mark.proof("engine", "games.pig", "strategies.pig")
def test_a_version_of_numba_that_the_hooks_do_not_fit_plays_the_same_games_by_plain_njit():
    newer = "import numba\nnumba.version_info = numba.version_info._replace(short=(99, 0))\n"
    check = "\nfrom simkit.engine.compile import jit\nassert jit.Rule.__module__.endswith('plain_njit')"
    digests = []
    for program in (PLAY, newer + PLAY + check):
        environment = os.environ | {"PYTHONPATH": str(ROOT)}
        words = [sys.executable, "-c", program]
        done = subprocess.run(words, cwd=ROOT, env=environment, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        digests.append(done.stdout)
    assert digests[0] == digests[1]
