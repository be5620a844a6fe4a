"""From an experiment to a finished run."""

import hashlib
import shlex
import sys
from pathlib import Path

from simkit import manifest, runlog, runner
from simkit.cli.asking import say_files
from simkit.cli.options import Given, Texts
from simkit.cli.output import progress
from simkit.experiment import Experiment
from simkit.runlog import Run


def carry_out(given: Given, asked: Experiment, kind: str, columns: Texts = ()) -> Run:
    """Play an experiment in the folder given, or in one that the same question, asked again, finds again."""
    say_files(asked)
    files = [manifest.file_digest(path) for path in asked.every_file().values()]
    key = "\n".join([asked.to_toml(), manifest.sources_digest(), *files])
    return play_in(given, asked, given.out or folder_of(kind, asked.game, key), columns=columns)


def play_in(given: Given, asked: Experiment, folder: str | Path, label: str = "", columns: Texts = ()) -> Run:
    """Play an experiment in a folder, or finish it there; `columns` of the log are asked for."""
    command = shlex.join(["simkit", *sys.argv[1:]])  # for the report
    with progress(label or Path(folder).name) as told:
        runner.run(asked, folder, given.jobs, given.backend, told, command, columns)
    return runlog.open_run(folder)


def folder_of(kind: str, game: str, key: str) -> str:
    """A folder under runs/ whose name differs where the key does."""
    return f"runs/{kind}-{game}-{hashlib.sha256(key.encode()).hexdigest()[:8]}"
