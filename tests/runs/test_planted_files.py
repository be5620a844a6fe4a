"""Python files in the current folder are not imported, neither by a command nor by the processes it starts."""

import os
import subprocess
import sys
from importlib.util import find_spec
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


@pytest.mark.slow
@pytest.mark.proof("cli", "runs", "games.pig", "strategies.pig")
@pytest.mark.skipif(not jit.COMPILED, reason="starts processes only to compile")
def test_files_planted_in_the_current_folder_are_never_imported(tmp_path: Path) -> None:
    """Neither by the command, nor by those that compile, nor by workers."""
    for name in PLANTED:
        (tmp_path / f"{name}.py").write_text(MARKS)
    (tmp_path / "asked.toml").write_text(REQUEST)
    own = {name: text for name, text in os.environ.items() if name != "PYTHONSAFEPATH"}
    own |= {"PYTHONPATH": str(registry.ROOT), "NUMBA_CACHE_DIR": str(tmp_path / "cold")}
    for backend, module in (("loky", "joblib"), ("dask", "distributed"), ("ray", "ray")):
        if find_spec(module):
            words = f"run asked.toml -o {backend} --backend {backend} --jobs 2"
            command = [sys.executable, "-c", COMMAND, *words.split()]
            done = subprocess.run(command, cwd=tmp_path, env=own, capture_output=True, text=True)
            assert not (tmp_path / "imported").exists() and done.returncode == 0, done.stderr
