"""No room on the disk or in memory: the run ends with a line, what was played is kept."""

import os
import shlex
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from simkit import cli
from simkit.engine import registry
from simkit.engine.compile import jit
from simkit.runs.experiment import parse
from tests.everyday import everyday

pytestmark = pytest.mark.posix
with suppress(ImportError):  # on Windows, where none of these tests is run
    import resource

HOG = '''
import numpy as np
from simkit.games.pig import HOLD, game
from simkit.engine.strategy import strategy


@strategy(game)
def hog(view):
    """Allocates without end."""
    kept = [np.ones(1 << 20)]
    while len(kept) > 0:
        kept.append(np.ones(1 << 20))
    return HOLD
'''


def run(folder: Path, lineup: str, deals: int, limit: int | None = None, most: int = 0) -> tuple[int, str]:
    """Exit code and errors of a run on the command line, with a limit of its process."""
    experiment = parse({"question": "?", "game": "pig", "seed": 3, "deals": deals, "lineups": [lineup]})
    (folder / "asked.toml").write_text(experiment.to_toml())
    words = [sys.executable, "-m", "simkit", "--project", "p", "run", "asked.toml", "-o", "run"]
    limited = (lambda: resource.setrlimit(limit, (most, most))) if limit is not None else None
    path = os.environ | {"PYTHONPATH": str(registry.ROOT)}
    done = subprocess.run(words, cwd=folder, env=path, capture_output=True, text=True, preexec_fn=limited)
    return done.returncode, done.stderr


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "p" / "strategies").mkdir(parents=True)
    (tmp_path / "p" / "strategies" / "hog.py").write_text(HOG)
    return tmp_path


@pytest.mark.slow
def test_a_disk_without_room_is_told_and_the_run_goes_on_when_there_is_some(folder: Path) -> None:
    quiet = folder / "quiet"
    (quiet / "p").mkdir(parents=True)
    assert run(quiet, "hold_at, random", 5_000)[0] == 0
    largest = max(path.stat().st_size for path in (quiet / "run").glob("*/*.parquet"))
    code, message = run(folder, "hold_at, random", 5_000, resource.RLIMIT_FSIZE, largest - 1)
    assert code == 2 and message.splitlines()[-1].startswith("simkit: run: cannot write there: ")
    assert run(folder, "hold_at, random", 5_000)[0] == 0
    assert (folder / "run/checksums.txt").read_text() == (quiet / "run/checksums.txt").read_text()
    assert not list((folder / "run").rglob("*.tmp"))


@pytest.mark.slow
@pytest.mark.skipif(not jit.COMPILED, reason="plain Python has other limits")
def test_a_strategy_that_allocates_without_end_is_told_with_its_line(folder: Path) -> None:
    code, message = run(folder, "hog, random", 3, resource.RLIMIT_AS, 4_000_000_000)
    assert code == 2 and "strategy hog: failed: MemoryError" in message and "hog.py:1" in message


@pytest.mark.slow
@pytest.mark.parametrize(
    ("gigabytes", "words"),
    [(1, ["run", "asked.toml"]), (1.75, ["report", "run"]), (2.5, ["run", "asked.toml"])],
)
def test_too_little_memory_is_refused_in_one_line(tmp_path: Path, gigabytes: float, words: list[str]) -> None:
    most = int(gigabytes * 2**30)
    done = simkit(tmp_path, *words, limited=lambda: resource.setrlimit(resource.RLIMIT_AS, (most, most)))
    message = f"simkit: memory is limited to {gigabytes:.3g} GB of addresses: simkit needs 3 GB"
    assert done.returncode == 2 and done.stderr == f"{message}; raise it (ulimit -v 3145728)\n"


@pytest.mark.parametrize("words", everyday([["games"], ["--help"]], 1))
def test_output_to_a_full_disk_is_told_in_one_line(tmp_path: Path, words: list[str]) -> None:
    with open("/dev/full", "w") as full:
        done = simkit(tmp_path, *words, stdout=full)
    assert (done.returncode, done.stderr) == (2, "simkit: output: No space left on device\n")


CLOSED = "simkit: output: is closed; to discard it, give: > /dev/null\n"
STREAMS = [
    ("simkit gate x.lock --accept why >&-", 2, CLOSED),
    ("simkit games >&- 2>&-", 2, ""),
    ("simkit games 2>&- >/dev/null", 0, ""),
    ("simkit gate nowhere.lock 2>/dev/full", 2, ""),
    ("simkit play pig --human 0 <&- >/dev/null", 130, "simkit: stopped\n"),
    ("simkit games --json > >(exec true)", 141, ""),  # a pipe without a reader
]


@pytest.mark.parametrize("line, code, message", everyday(STREAMS, 1))
def test_a_closed_stream_ends_a_command_at_once_or_is_not_missed(tmp_path, line, code, message):
    command = line.replace("simkit", shlex.join([sys.executable, "-m", "simkit"]))
    path = os.environ | {"PYTHONPATH": str(registry.ROOT)}
    done = subprocess.run(["bash", "-c", command], cwd=tmp_path, env=path, capture_output=True, text=True)
    assert (done.returncode, done.stderr.strip()) == (code, message.strip())


@pytest.mark.parametrize(
    ("error", "message"),
    [
        (RuntimeError("can't start new thread"), "RuntimeError: can't start new thread"),
        (OSError("the handle is invalid"), "OSError: the handle is invalid"),
        (OSError(24, "Too many open files"), "OSError: [Errno 24] Too many open files"),
        (OSError(13, "Permission denied", "/dev/shm/x"), "/dev/shm/x: Permission denied"),
    ],
)
def test_what_the_system_refuses_is_told_in_one_line(capfd, monkeypatch, error, message):
    def refuse(*_: object) -> None:
        raise error

    monkeypatch.setattr("simkit.engine.registry.games", refuse)
    with pytest.raises(SystemExit) as end:
        cli.main(["games"])
    assert end.value.code == 2
    assert capfd.readouterr().err == f"simkit: {message}\n"


def simkit(folder: Path, *words: str, limited: Any = None, stdout: Any = subprocess.PIPE) -> Any:
    path, command = os.environ | {"PYTHONPATH": str(registry.ROOT)}, [sys.executable, "-m", "simkit", *words]
    pipes = {"stdout": stdout, "stderr": subprocess.PIPE}
    return subprocess.run(command, cwd=folder, env=path, text=True, preexec_fn=limited, **pipes)
