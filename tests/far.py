"""What tests of runs at addresses share: a small run, an empty file system, other machines, other writers."""

import hashlib
import json
import time

import pytest

from simkit import checksums, cli, experiment, mirror, runner
from simkit.progress import Progress
from simkit.shards import Layout

fsspec = pytest.importorskip("fsspec")

KEYS = {
    "question": "?",
    "game": "pig",
    "deals": 30,
    "seed": 5,
    "trace": 3,
    "lineups": ["hold_at(threshold=10), hold_at"],
    "sweep": {"goal": [30, 60]},
}
ASKED = experiment.parse(KEYS)
SMALL = Layout(11, 11)
THERE = "memory://runs/x"


def alone(tmp_path_factory):
    """The same run, undisturbed in a folder on this machine."""
    return runner.run(ASKED, tmp_path_factory.mktemp("alone") / "run", layout=SMALL)


def memory(tmp_path, monkeypatch):
    """The file system behind memory://, empty, and this machine."""
    fs = fsspec.filesystem("memory")
    fs.rm("/", recursive=True)
    another_machine(tmp_path / "first", monkeypatch)
    yield fs
    fs.store.clear()


def another_machine(folder, monkeypatch):
    """From now on as on another machine: with copies of its own."""
    monkeypatch.setenv("SIMKIT_CACHE", str(folder))
    monkeypatch.setattr(mirror, "_opened", {})


def digests(fs, root):
    """SHA-256 of the tables and of the list of their checksums, by name."""
    names = [name for name in fs.find(root) if name.endswith((".parquet", checksums.FILE))]
    return {name.removeprefix(root): hashlib.sha256(fs.cat_file(name)).hexdigest() for name in names}


def of(folder):
    return digests(fsspec.filesystem("file"), str(folder))


class StopsAfter(Progress):
    """As somebody who presses Ctrl-C after so many games."""

    def __init__(self, games):
        self.games, self.first = games, None

    def played(self, done, total):
        self.first = done if self.first is None else self.first
        if done >= self.games:
            raise KeyboardInterrupt


def stopped(address=THERE, games=40):
    with pytest.raises(KeyboardInterrupt):
        runner.run(ASKED, address, layout=SMALL, progress=StopsAfter(games))


def command(*words):
    with pytest.raises(SystemExit) as end:
        cli.main(list(words))
    return end.value.code


def sign(memory, copy, age, pipe=None):
    """The lock of somebody else at the address, who gave the last sign of life `age` seconds ago."""
    known = {"copy": copy, "session": "?", "time": time.time() - age, "host": "far", "process": 7}
    (pipe or type(memory).pipe_file)(memory, "/runs/x/.lock", json.dumps(known).encode())


def manifest_there(memory):
    return json.loads(memory.cat_file("/runs/x/manifest.json"))
