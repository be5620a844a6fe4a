"""From an experiment to a finished run."""

import hashlib
import shlex
import sys
from pathlib import Path
from typing import Any

from simkit import mirror, projects, runlog, runner, sources
from simkit.cli.asking import say_files
from simkit.cli.options import Given
from simkit.cli.output import progress
from simkit.cli.stopping import resumable
from simkit.errors import OtherRun
from simkit.experiment import Experiment, cells
from simkit.runlog import Run


def carry_out(given: Given, asked: Experiment, kind: str) -> Run:
    """Play an experiment in the folder given, or in one that the same question, asked again, finds again."""
    say_files(asked)
    folder = given.out or folder_of(kind, asked, asked.to_toml())
    if runlog.is_of_search(mirror.opened(folder)):
        if given.into is None:
            cure = "go on with its command, or choose another folder (--into DIR)"
            raise OtherRun(f"{folder}: holds a search, whose answer another run would throw away; {cure}")
        folder = given.into
    return play_in(given, asked, folder)


def play_in(given: Given, asked: Experiment, folder: str | Path, label: str = "") -> Run:
    """Play an experiment in a folder, or finish it there."""
    command = this_command()  # for the report
    with resumable(command), progress(label or Path(folder).name) as told:
        keys: dict[str, Any] = {"progress": told, "command": command, "scheduler": given.scheduler}
        keys["batch_timeout"] = given.batch_timeout
        try:
            place = runner.run(asked, folder, given.jobs, given.backend, **keys)
        except OtherRun:
            if given.into is None:
                raise
            place = runner.run(asked, given.into, given.jobs, given.backend, **keys)
    return runlog.open_run(place)


def this_command() -> str:
    """Return the command as it was given, with its projects in front."""
    return shlex.join(["simkit", *projects.command_words(), *projects.without_projects(sys.argv[1:])])


def folder_of(kind: str, asked: Experiment, key: str) -> str:
    """A folder under runs/ whose name differs where the key does, or what decides the games asked for."""
    files = [sources.file_digest(path) for path in asked.every_file().values()]
    whole = "\n".join([key, sources.short(sources.digests(asked, cells(asked))), *files])
    return f"runs/{kind}-{asked.game}-{hashlib.sha256(whole.encode()).hexdigest()[:8]}"
