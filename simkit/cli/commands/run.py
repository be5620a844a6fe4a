"""The run command: the games of an experiment."""

from dataclasses import replace
from pathlib import Path

import click
from click import option

from simkit.api import runs as api
from simkit.cli.options import DEALS, SEED, Given, command, shared
from simkit.cli.summary import print_summary


@command("Questions")
@click.argument("experiment_file", metavar="EXPERIMENT.toml")
@option("--deals", type=DEALS, help="Deals per cell, in place of the file's.")
@option("--seed", type=SEED, help="Seed, in place of the file's.")
@shared("until", "target", "set", "files", "play", "extras", "confirm", "table", "json")
def run(given: Given, experiment_file: str) -> None:
    """Play an experiment and print each seat's share of wins.

    Every game is logged in the run folder. The same command continues a run that was interrupted. An
    experiment that comes with simkit or a project may be given by its name.

    \b
    Example:  simkit run pig_first_seat --deals 2000 -o runs/pig
    """
    name = Path(experiment_file).stem.strip(".") or "experiment"  # a name of dots leads out of runs/
    given = replace(given, out=given.out or f"runs/{name}")
    print_summary(api.run(experiment_file, **given.keywords()), given.as_json, given.whole)
