"""The run command: the games of an experiment."""

import os
from dataclasses import replace
from pathlib import Path

import click
from click import option

from simkit.cli.build import KEYS
from simkit.cli.execute import carry_out
from simkit.cli.options import COUNT, DEALS, Given, command, shared
from simkit.cli.summary import print_summary
from simkit.engine import registry
from simkit.errors import UsageError
from simkit.runs import experiment
from simkit.runs.storage import remote


@command("Questions")
@click.argument("experiment_file", metavar="EXPERIMENT.toml")
@option("--deals", type=DEALS, help="Deals per cell, in place of the file's.")
@option("--seed", type=COUNT, help="Seed, in place of the file's.")
@shared("until", "target", "set", "files", "play", "extras", "confirm", "table", "json")
def run(given: Given, experiment_file: str) -> None:
    """Play an experiment and print each seat's share of wins.

    Every game is logged in the run folder. The same command continues a run that was interrupted. An
    experiment that comes with simkit or a project may be given by its name.

    \b
    Example:  simkit run pig_first_seat --deals 2000 -o runs/pig
    """
    request = experiment.load(_path(experiment_file))
    changes = given.keys(*KEYS)
    for name, values in (("options", given.settings), ("files", given.files)):
        if values:
            changes[name] = getattr(request, name) | values
    request = request.changed(**changes) if changes else request
    name = Path(experiment_file).stem.strip(".") or "experiment"  # a name of dots leads out of runs/
    given = replace(given, out=given.out or f"runs/{name}")
    print_summary(carry_out(given, request), given.as_json, given.whole)


def _path(text: str) -> Path:
    """Return the path of an experiment file, which may be given by the name of a known experiment."""
    folder, _, name = text.rpartition("/")
    path = remote.opened(folder) / name if remote.is_address(text) else Path(text)
    experiments = registry.experiments()
    if path.suffix != ".toml" and not os.path.exists(path) and text in experiments:
        return experiments[text]
    if not os.path.isfile(path):
        names = ", ".join(sorted(experiments))
        raise UsageError(f"experiment file {text} does not exist; experiments known by name: {names}")
    return path
