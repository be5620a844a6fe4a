"""From an experiment to a finished run."""

import hashlib
import re
import shlex
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import click

from simkit.cli.build import say_files
from simkit.cli.interrupts import resumable
from simkit.cli.options import Given
from simkit.cli.output import progress
from simkit.engine import projects
from simkit.errors import OtherRun
from simkit.runs import runner, source_digests
from simkit.runs.experiment import Experiment, cells
from simkit.runs.run import Run, is_of_search, open_run
from simkit.runs.storage import remote

LONGEST = 80  # letters of the name of a run folder, before a digest
NO_NAME = re.compile(r"[^A-Za-z0-9_.]+")  # is written as a dash in it
# How a run is carried out and shown, which is no part of the question.
HOW = {"out", "into", "jobs", "backend", "scheduler", "batch_timeout", "as_json", "whole"}


def carry_out(given: Given, asked: Experiment) -> Run:
    """Play an experiment in the folder given, or in one that the same question, asked again, finds again."""
    say_files(asked)
    given = placed(given, asked, asked.to_toml())

    def play(folder: str) -> Run:
        with remote.writing(folder, this_command()) as place:
            if is_of_search(place):
                cure = "go on with its command, or choose another folder (--into DIR)"
                raise OtherRun(f"{folder}: holds a search, whose answer another run would throw away; {cure}")
            return play_in(given, asked, str(place))

    return in_folder(given, play)


def in_folder(given: Given, play: Callable[[str], Run]) -> Run:
    """Play in the folder of --out, or in that of --into if it holds another run."""
    try:
        return play(str(given.out))
    except OtherRun:
        if given.into is None:
            raise
        return play(given.into)


def play_in(given: Given, asked: Experiment, folder: str, label: str = "") -> Run:
    """Play an experiment in a folder, or finish it there."""
    command = this_command()  # for the report
    with resumable(command), progress(label or Path(folder).name) as told:
        keys: dict[str, Any] = {"progress": told, "command": command, "scheduler": given.scheduler}
        keys["batch_timeout"] = given.batch_timeout
        return open_run(runner.run(asked, folder, given.jobs, given.backend, **keys))


def this_command() -> str:
    """Return the command as it was given, with its projects in front."""
    words = map(remote.public, projects.without_projects(sys.argv[1:]))
    return shlex.join(["simkit", *projects.command_words(), *words])


def placed(given: Given, asked: Experiment, key: str) -> Given:
    """Return the options with a run folder: without --out the one under runs/ that is named by the question.

    The same question has the same name. If its folder holds a run of other rules, strategies or files, a
    digest of these and of the key (all that is asked) is added.
    """
    if given.out:
        return given
    files = [source_digests.file_digest(path) for path in asked.every_file().values()]
    whole = "\n".join([key, source_digests.short(source_digests.digests(asked, cells(asked))), *files])
    digest, name = hashlib.sha256(whole.encode()).hexdigest()[:8], _name_of_question()
    if len(name) > LONGEST:
        name = f"{name[:LONGEST]}-{digest}"
    return replace(given, out=f"runs/{name}", into=given.into or f"runs/{name}-{digest}")


def _name_of_question() -> str:
    """Return what is asked on the command line, as the name of a folder; what is as usual is left out."""
    context = click.get_current_context()
    parts = [str(context.info_name)]
    for param in context.command.params:
        name = str(param.name)
        value = context.params.get(name)
        if name in HOW or value == param.get_default(context) or value in (None, (), {}):
            continue
        if isinstance(value, int | float):
            parts.append(name)
        if value is not True:
            parts.append(str(value))
    return NO_NAME.sub("-", "-".join(parts)).strip("-")
