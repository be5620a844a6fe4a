"""Execution of a command: where it plays, what it shows meanwhile, how it is repeated."""

import shlex
import sys
from typing import TYPE_CHECKING

import click

from simkit.cli.interrupts import resumable

if TYPE_CHECKING:
    from simkit.api.execution import Execution
    from simkit.cli.options import Given

# Parameters that say how a run is carried out and shown; they are not part of the question.
EXECUTION_PARAMETERS = {"out", "into", "jobs", "backend", "scheduler", "batch_timeout"}
EXECUTION_PARAMETERS |= {"as_json", "whole", "save", "no_confirm"}


def execution_of(given: "Given") -> "Execution":
    """Return the execution that the options of a command describe."""
    from simkit.api.execution import Execution
    from simkit.api.progress import progress

    command = this_command()
    return Execution(
        out=given.out or "",
        into=given.into or "",
        name=_name_of_question(),
        command=command,
        jobs=given.jobs,
        backend=given.backend,
        scheduler=given.scheduler,
        batch_timeout=given.batch_timeout,
        session=lambda: resumable(command),
        reporter=progress,
        say=lambda line: click.echo(line, err=True),
    )


def this_command() -> str:
    """Return the command as it was given, with its projects first."""
    from simkit.engine import projects
    from simkit.runs.storage import remote

    words = map(remote.hide_passwords, projects.without_projects(sys.argv[1:]))
    return shlex.join(["simkit", *projects.command_words(), *words])


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
    return "-".join(parts)
