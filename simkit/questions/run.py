"""Questions: Play an experiment, or open its run if it is finished."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Unpack

from pydantic import Field

from simkit.ask.arguments import Changes, Shell
from simkit.ask.execution import Execution
from simkit.ask.question import question
from simkit.ask.results import Result, answer
from simkit.engine import registry
from simkit.errors import UsageError
from simkit.runs import experiment as experiments
from simkit.runs.experiment import Experiment
from simkit.runs.plan import load
from simkit.runs.storage import remote

Source = Annotated[
    str | Path | Mapping[str, Any] | Experiment,
    Field(union_mode="left_to_right"),
    Shell(metavar="EXPERIMENT.toml", positional=True),
]


def _folder(given: Mapping[str, Any]) -> str:
    """Return the run folder of a command, which is named after the file."""
    return f"runs/{Path(given['experiment']).stem.strip('.') or 'experiment'}"  # dots would lead out of runs/


@question(shell=("table", "page"), page="sweep", folder=_folder)
def run(execution: Execution, experiment: Source, **keywords: Unpack[Changes]) -> Result:
    """Play an experiment, or open its run if it is finished.

    You get each seat's share of wins. Every game is logged in the run folder. An experiment that comes with
    simkit or a project may be given by its name. The same question continues a run that was interrupted.
    Further arguments replace keys of the experiment; `options` and `files` are added to its own.

    Args:
        experiment: TOML file, name of a known experiment, or the keys of one.
        deals: Deals per cell, in place of the experiment's.
        seed: Seed, in place of the experiment's.
        margin: Shares this close to fair count as fair, in place of the experiment's margin.
        target: Win rate that a co-operative game aims at, in place of the experiment's target.
        lineups: Strategies by seat, each name, name(weight=value), name@preset or name*4, in place of the
            experiment's lineups.

    Returns:
        The findings of the run, with its answer. Every game is logged in `result.folder`.

    Raises:
        UsageError: The experiment has a mistake; nothing was played.

    Example:
        >>> run("pig_first_seat", deals=200, out="runs/pig").question
        'Is the first seat of Pig favoured, and does it depend on how daring the table is?'

    Command line::

        simkit run pig_first_seat --deals 2000 -o runs/pig
    """
    given: Any = experiment  # as a plain text or dictionary
    request = experiments.parse(given) if isinstance(given, dict) else load(_path(given))
    keys: dict[str, Any] = {**keywords}
    for name in keys.keys() & {"options", "files"}:
        keys[name] = getattr(request, name) | keys[name]
    return answer(execution, request.with_keys(**keys) if keys else request)


def _path(text: str) -> Path:
    """Return the path of an experiment file, which may be given by the name of a known experiment."""
    folder, _, name = text.rpartition("/")
    path = remote.local_folder(folder) / name if remote.is_address(text) else Path(text)
    experiments_by_name = registry.experiments()
    if path.suffix != ".toml" and not os.path.exists(path) and text in experiments_by_name:
        return experiments_by_name[text]
    if not os.path.isfile(path):
        names = ", ".join(sorted(experiments_by_name))
        raise UsageError(f"experiment file {text} does not exist; experiments known by name: {names}")
    return path
