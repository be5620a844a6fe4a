"""Other operating systems, by what is told here: what Windows and macOS lack, refuse or keep elsewhere."""

import errno
import hashlib
import os
import signal
import subprocess
import sys
import threading
from pathlib import Path

import like_windows
import pytest

from simkit import system
from simkit.cli import interrupts, streams
from simkit.engine import watchdog
from simkit.engine.compile import messages
from simkit.engine.registry import ROOT
from simkit.page.document import files
from simkit.runs.progress import Board, Stopped
from simkit.runs.storage import atomic, lock
from simkit.web import llvm

EXPERIMENT = 'question = "?"\ngame = "pig"\ndeals = 200\nlineups = ["hold_at*2", "hold_at, random"]\n'
COMMANDS = ("run pig.toml -o run --jobs 2", "report run", "status run", "replay run 3", "rules pig")


@pytest.fixture
def windows(monkeypatch):
    """Windows, as far as `simkit.system` goes: files that are open are neither renamed nor deleted."""
    monkeypatch.setattr(system, "WINDOWS", True)
    for name, paths in (("replace", 2), ("unlink", 1)):
        monkeypatch.setattr(os, name, like_windows.refusing(getattr(os, name), paths))


@pytest.mark.posix
@pytest.mark.slow
@pytest.mark.proof("runs", "cli", "system", "tests.like_windows", "games.pig", "strategies.pig")
def test_a_run_without_the_calls_that_windows_lacks_has_the_same_tables(tmp_path):
    digests = []
    for name, program in (("usual", ["-m", "simkit"]), ("like", [str(Path(like_windows.__file__))])):
        (folder := tmp_path / name).mkdir()
        (folder / "pig.toml").write_text(EXPERIMENT, "utf-8")
        environment = os.environ | {"PYTHONPATH": str(ROOT), "PYTHONIOENCODING": "cp1252"}
        for words in COMMANDS:
            line = [sys.executable, "-X", "warn_default_encoding", "-W", "ignore", *program, *words.split()]
            done = subprocess.run(line, cwd=folder, env=environment, capture_output=True, encoding="cp1252")
            assert done.returncode == 0 and "Traceback" not in done.stderr, done.stderr
        assert not list(folder.rglob(".*"))
        digests.append(hashlib.sha256((folder / "run" / "checksums.txt").read_bytes()).hexdigest())
    assert digests[0] == digests[1]


@pytest.mark.posix
def test_the_hooks_into_numba_do_without_forks():
    program = (
        "import os; del os.fork, os.register_at_fork; from simkit.engine.compile import jit; print(jit.Rule)"
    )
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    line = [sys.executable, "-c", program]
    done = subprocess.run(line, env=environment, capture_output=True, encoding="utf-8")
    assert "numba_hooks" in done.stdout, done.stderr


@pytest.mark.posix  # what is open is read from /proc
def test_a_file_is_replaced_when_its_reader_closes_it(windows, tmp_path):
    path = tmp_path / "report.html"
    path.write_bytes(b"old")
    with path.open("rb") as reader:
        timer = threading.Timer(0.2, reader.close)
        timer.start()
        atomic.put(path, b"new")
    assert path.read_bytes() == b"new" and os.listdir(tmp_path) == ["report.html"]


@pytest.mark.posix
def test_a_file_that_stays_open_is_named_and_nothing_is_left_beside_it(windows, tmp_path, monkeypatch):
    monkeypatch.setattr(system, "PATIENCE", 0.1)
    path = tmp_path / "report.html"
    path.write_bytes(b"old")
    with path.open("rb"), pytest.raises(PermissionError) as refused:
        atomic.put(path, b"new")
    assert str(path) in str(refused.value) and "is it open in another program?" in str(refused.value)
    assert path.read_bytes() == b"old" and os.listdir(tmp_path) == ["report.html"]


@pytest.mark.posix
def test_a_temporary_file_that_stays_open_is_left_to_the_next_command(windows, tmp_path, monkeypatch):
    monkeypatch.setattr(system, "PATIENCE", 0.1)
    path = tmp_path / ".progress-1"
    path.write_bytes(b"")
    with path.open("rb"):
        system.remove(path)
        assert path.exists()
    system.remove(path)
    system.remove(path)
    assert not path.exists()


def test_elsewhere_a_refusal_is_final(monkeypatch, tmp_path):
    attempts = []

    def refuse(source, target):
        attempts.append(source)
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(system, "WINDOWS", False)
    monkeypatch.setattr(os, "replace", refuse)
    with pytest.raises(PermissionError, match="Permission denied"):
        system.replace(tmp_path / "a", tmp_path / "b")
    assert len(attempts) == 1


def test_a_worker_takes_a_progress_file_that_is_about_to_be_deleted_for_none(tmp_path, monkeypatch):
    board = Board(tmp_path / ".progress-1")
    board.begin(1)
    board.count(0, 5)
    assert board.games() == 5

    def refuse(*_):
        raise PermissionError(13, "Access is denied")

    monkeypatch.setattr("numpy.memmap", refuse)
    with pytest.raises(Stopped):
        board.count(0, 5)


def test_a_lock_is_held_and_released_without_shared_locks(tmp_path, monkeypatch):
    monkeypatch.setattr(lock, "fcntl", None)
    with lock.hold(tmp_path):
        assert lock.is_held(tmp_path)
    (tmp_path / lock.FILE).unlink(missing_ok=True)  # which Windows does with the release
    assert not lock.is_held(tmp_path)


WORDS = [
    ("simkit run runs/a/experiment.toml", "simkit run runs/a/experiment.toml"),
    ("--lineup 'hold_at, random'", '--lineup "hold_at, random"'),
    ("--lineup hold_at,random", '--lineup "hold_at,random"'),
    ("--lineup 'greedy(caution=1)*2'", '--lineup "greedy(caution=1)*2"'),
    ("--cards 'C:\\my cards\\a.csv'", r'--cards "C:\my cards\a.csv"'),
    ("--cards 'C:\\cards\\a.csv'", r"--cards C:\cards\a.csv"),
    ("""--claim 'say "no"'""", r'--claim "say \"no\""'),
    ("--set ''", '--set ""'),
]


@pytest.mark.parametrize(("stored", "typed"), WORDS)
def test_commands_are_quoted_for_the_shells_of_windows(monkeypatch, stored, typed):
    monkeypatch.setattr(system, "DOUBLE_QUOTES", True)
    assert system.typed_here(stored) == typed


def test_a_path_on_another_drive_stays_whole(monkeypatch, tmp_path):
    def refuse(path, start):
        raise ValueError("path is on mount 'D:', start on mount 'C:'")

    monkeypatch.setattr(os.path, "relpath", refuse)
    assert system.relative(tmp_path / "a", tmp_path) == (tmp_path / "a").as_posix()


@pytest.mark.parametrize("variable", files.PROGRAM_FOLDERS)
def test_browsers_are_looked_for_where_windows_installs_them(monkeypatch, tmp_path, variable):
    for name in files.PROGRAM_FOLDERS:
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv(variable, str(tmp_path))
    places = [place for place in files._browsers() if place.startswith(str(tmp_path))]
    assert places[0].endswith("chrome.exe") and places[1].endswith("msedge.exe")


def test_a_reader_that_leaves_is_an_invalid_argument_to_windows(monkeypatch):
    monkeypatch.setattr(streams, "WINDOWS", True)
    monkeypatch.setattr(streams, "WRITERS", (__name__,))
    monkeypatch.setattr(os, "dup2", lambda *_: None)
    for number, code in ((errno.EINVAL, streams.NO_READER), (errno.ENOSPC, 2)):
        with pytest.raises(OSError) as error:
            raise OSError(number, "words of the system")
        assert streams.end_of(error.value)[0] == code


class Parent:
    """The process that started a worker."""

    def __init__(self, alive):
        self.is_alive = lambda: alive


def test_a_worker_sees_by_a_handle_that_its_runner_has_ended(monkeypatch):
    monkeypatch.setattr(watchdog, "WINDOWS", True)
    for parent, ended in ((None, False), (Parent(True), False), (Parent(False), True)):
        monkeypatch.setattr(watchdog.multiprocessing, "parent_process", lambda parent=parent: parent)
        assert watchdog._has_ended(-1) == ended


def test_hours_end_without_a_signal_that_would_kill_the_process(monkeypatch):
    raised = threading.Event()
    monkeypatch.setattr(os, "kill", lambda *_: pytest.fail("on Windows this ends the process"))
    before = signal.signal(signal.SIGINT, lambda *_: raised.set())
    try:
        with interrupts.paused_after(0.05 / 3600):
            while not raised.wait(0.01):
                pass
    finally:
        signal.signal(signal.SIGINT, before)


@pytest.mark.parametrize("file", ["/home/a b/games/x.py", r"C:\Users\a b\games\x.py"])
def test_lines_in_reports_of_numba_have_paths_of_each_system(file):
    report = f'File "{file}", line 3:\n  ...\nDuring: typing of call at {file} (12)'
    assert messages.REPORTED_LINE.findall(report) == [(file, "3", "", ""), ("", "", file, "12")]
    assert messages.PLACE.sub("", f"wrong, see {file.replace(' ', '')}:12") == "wrong, see "


def test_functions_of_other_processors_are_missing_in_webassembly():
    assert llvm._missing("llvm.aarch64.neon.uminv.i32.v16i8") and not llvm._missing("llvm.umin.i32")
