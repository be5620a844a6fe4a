"""Folders for temporary files and for caches."""

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from simkit.errors import UsageError

# Creates the folder, waits until its standard input is closed, and removes it; workers of a process
# that was killed may still be writing for a moment.
KEEPER = """
import shutil, sys, tempfile, time
from pathlib import Path
folder = tempfile.mkdtemp(prefix=sys.argv[1])
print(folder, flush=True)
sys.stdin.read()
for _ in range(20):
    shutil.rmtree(folder, ignore_errors=True)
    if not Path(folder).exists():
        break
    time.sleep(0.5)
"""


def cache_folder() -> Path:
    """Return the folder for what can be made or fetched again: SIMKIT_CACHE, else ~/.cache/simkit."""
    usual = Path(os.environ.get("XDG_CACHE_HOME") or "~/.cache") / "simkit"
    return Path(os.environ.get("SIMKIT_CACHE") or usual).expanduser()


@contextmanager
def scratch_folder(prefix: str) -> Iterator[Path]:
    """Yield a folder that a separate process removes at the end, also if this process is killed."""
    command, pipe = [sys.executable, "-I", "-S", "-c", KEEPER, prefix], subprocess.PIPE
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, text=True, start_new_session=True) as keeper:
        assert keeper.stdin is not None and keeper.stdout is not None, "they were asked for"
        folder = keeper.stdout.readline().rstrip("\n")
        if not folder:
            raise UsageError(f"no temporary folder can be made in {tempfile.gettempdir()}")
        yield Path(folder)
