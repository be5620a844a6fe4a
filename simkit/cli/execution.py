"""Execution of a command: where it plays, what it shows meanwhile, how it is repeated."""

import shlex
import sys
from collections.abc import Mapping
from typing import Any

import click

from simkit.ask.arguments import How
from simkit.ask.execution import Execution
from simkit.ask.progress import progress
from simkit.cli.interrupts import resumable
from simkit.engine import projects
from simkit.runs.experiment import Experiment
from simkit.runs.storage import remote
from simkit.system import typed_here

# Parameters that say how a run is carried out and shown; they are not part of the question.
EXECUTION_PARAMETERS = {*How.__annotations__, "into", "as_json", "whole", "save"}


def execution_of(how: Mapping[str, Any]) -> Execution:
    """Return the execution of a command that gives these values of `How`, and `into`."""
    command = this_command()
    return Execution(
        name=_name_of_question(),
        command=command,
        session=lambda: resumable(typed_here(command)),
        reporter=progress,
        say=lambda line: click.echo(line, err=True),
        **how,
    )


def this_command() -> str:
    """Return the command as it was given, with its projects first."""
    words = map(remote.hide_passwords, projects.without_projects(sys.argv[1:]))
    return shlex.join(["simkit", *projects.command_words(), *words])


def _name_of_question() -> str:
    """Return the parameters of the command line that are not at their defaults, as the name of a folder."""
    context = click.get_current_context()
    parts = [str(context.info_name)]
    for parameter in context.command.params:
        name = str(parameter.name)
        value = context.params.get(name)
        if name in EXECUTION_PARAMETERS or value == parameter.get_default(context):
            continue
        if name == "seed" and value == Experiment.model_fields[name].default:
            continue
        if value is False or value in (None, ()):
            continue
        if isinstance(value, int | float):
            parts.append(name)
        if value is not True:
            parts.append(str(value))
    return "-".join(parts)
