"""Python files in the current folder are not imported, neither by a command nor by the processes it starts."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from simkit.engine import registry
from simkit.engine.compile import jit

PLANTED = ("joblib", "lazy_loader", "numba", "numpy", "pickle", "pyarrow", "random", "socket", "struct")
PLANTED += ("tokenize",)
MARKS = """
from pathlib import Path
Path(__file__).with_name("imported").touch()
raise SystemExit("planted")
"""
REQUEST = """
question = "?"
game = "pig"
deals = 20
lineups = ["hold_at, random"]
"""
COMMAND = "import sys; sys.path.remove(''); from simkit.__main__ import main; main()"  # as the installed script starts
compiled = pytest.mark.skipif(not jit.COMPILED, reason="starts processes only to compile")


@pytest.mark.slow
@compiled
@pytest.mark.parametrize(
    "words",
    [
        "run asked.toml -o run",
        "run asked.toml -o run --backend loky --jobs 2",
        "run asked.toml -o run --backend dask --jobs 2",
        "run asked.toml -o run --backend ray --jobs 2",
        "validate pig --deals 1000",
    ],
)
def test_files_planted_in_the_current_folder_are_never_imported(tmp_path: Path, words: str) -> None:
    for backend, module in (("dask", "distributed"), ("ray", "ray")):
        if backend in words:
            pytest.importorskip(module)
    for name in PLANTED:
        (tmp_path / f"{name}.py").write_text(MARKS)
    (tmp_path / "asked.toml").write_text(REQUEST)
    own = {name: text for name, text in os.environ.items() if name != "PYTHONSAFEPATH"}
    own |= {"PYTHONPATH": str(registry.ROOT), "NUMBA_CACHE_DIR": str(tmp_path / "cold")}
    command = [sys.executable, "-c", COMMAND, *words.split()]
    done = subprocess.run(command, cwd=tmp_path, env=own, capture_output=True, text=True)
    assert not (tmp_path / "imported").exists(), done.stderr
    assert done.returncode == 0, done.stderr
