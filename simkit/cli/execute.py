"""Execution of experiments: from an experiment to a finished run."""

import hashlib
import re
import shlex
import sys
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import click

from simkit.analysis import confirmed, ladder
from simkit.cli.build import say_files
from simkit.cli.confirm import check_confirm, confirmation_of
from simkit.cli.interrupts import resumable
from simkit.cli.options import Given
from simkit.cli.output import progress
from simkit.cli.skill import check_ladder, ladder_of
from simkit.engine import projects
from simkit.errors import OtherRun, UsageError
from simkit.runs import runner, source_digests
from simkit.runs.experiment import Experiment, cells
from simkit.runs.run import Run, is_of_search, open_run
from simkit.runs.storage import checksums, remote
from simkit.studies.study import Study

MAX_NAME_LETTERS = 80  # of a run folder, before a digest
NOT_IN_NAMES = re.compile(r"[^A-Za-z0-9_.]+")  # replaced by a dash in the name of a run folder
# Parameters that say how a run is carried out and shown; they are not part of the question.
EXECUTION_PARAMETERS = {"out", "into", "jobs", "backend", "scheduler", "batch_timeout"}
EXECUTION_PARAMETERS |= {"as_json", "whole", "save", "no_confirm"}
# What is played after a run, by folder; the check does not play what the ladder finds unfair.
FOLLOW_UPS: dict[str, Callable[[Run], Study | None]]
FOLLOW_UPS = {ladder.FOLDER: ladder_of, confirmed.FOLDER: confirmation_of}


def carry_out(given: Given, experiment: Experiment) -> Run:
    """Play an experiment in the given folder, or in the one that is named by the question."""
    check_ladder(experiment)
    check_confirm(experiment)
    say_files(experiment)
    given = placed(given, experiment, experiment.to_toml())

    def play(place: Path) -> Run:
        if is_of_search(place):
            cure = "go on with its command, or choose another folder (--into DIR)"
            raise OtherRun(f"{place}: holds a search, whose answer another run would throw away; {cure}")
        run = play_in(given, experiment, place, place.name)
        # The folder may have been played without a check, whose key says nothing about its games.
        keys = run.experiment.model_copy(update={"confirm": experiment.confirm})
        run = replace(run, experiment=keys)
        for name, study_of in FOLLOW_UPS.items():
            if study := study_of(run):
                study.solve(partial(_play_follow_up, given, run, name))
        return run

    return in_folder(given, play)


def _play_follow_up(given: Given, run: Run, follow_up: str, experiment: Experiment, name: str) -> Run:
    """Play a part of a follow-up of a run; UsageError if its settings were others before."""
    place = Path(follow_up) / name
    try:
        return play_in(given, experiment, run.folder / place, f"{run.folder.name}/{place}")
    except OtherRun as error:
        cure = "remove it, or move it away, and give the command again"
        raise UsageError(f"{run.folder / follow_up}: holds games of other settings; {cure}") from error


def in_folder(given: Given, play: Callable[[Path], Run]) -> Run:
    """Play in the folder or at the address of --out, or in that of --into if it holds another run."""

    def play_at(address: str) -> Run:
        with remote.writing(address, this_command()) as place, resumable(this_command()):
            return play(place)

    try:
        return play_at(str(given.out))
    except OtherRun:
        if given.into is None:
            raise
        return play_at(given.into)


def play_in(given: Given, experiment: Experiment, folder: Path, label: str) -> Run:
    """Play an experiment in a folder, or finish it there; the label names it in the progress."""
    with progress(label) as reporter:
        keys: dict[str, Any] = {"progress": reporter, "command": this_command()}
        keys |= {"scheduler": given.scheduler, "batch_timeout": given.batch_timeout}
        return open_run(runner.run(experiment, folder, given.jobs, given.backend, **keys))


def this_command() -> str:
    """Return the command as it was given, with its projects first."""
    words = map(remote.public, projects.without_projects(sys.argv[1:]))
    return shlex.join(["simkit", *projects.command_words(), *words])


def placed(given: Given, experiment: Experiment, key: str) -> Given:
    """Return the options with a run folder, by default the one under runs/ that is named by the question.

    The same question has the same name. If its folder holds a run of other rules, strategies or files, a
    digest of these and of the key (the whole request) is appended.
    """
    if given.out:
        return given
    files = [checksums.digest(Path(path)) for path in experiment.every_file().values()]
    sources = source_digests.digests(experiment, cells(experiment))
    identity = "\n".join([key, source_digests.short(sources), *files])
    digest, name = hashlib.sha256(identity.encode()).hexdigest()[:8], _name_of_question()
    if len(name) > MAX_NAME_LETTERS:
        name = f"{name[:MAX_NAME_LETTERS]}-{digest}"
    return replace(given, out=f"runs/{name}", into=given.into or f"runs/{name}-{digest}")


def _name_of_question() -> str:
    """Return the parameters of the command line that are not at their defaults, as the name of a folder."""
    context = click.get_current_context()
    parts = [str(context.info_name)]
    for parameter in context.command.params:
        name = str(parameter.name)
        value = context.params.get(name)
        if name in EXECUTION_PARAMETERS or value == parameter.get_default(context) or value in (None, (), {}):
            continue
        if isinstance(value, int | float):
            parts.append(name)
        if value is not True:
            parts.append(str(value))
    return NOT_IN_NAMES.sub("-", "-".join(parts)).strip("-")
