"""Commands that play many games: run, sweep."""

import os
from dataclasses import replace
from pathlib import Path

import click
from click import option

from simkit.cli.build import KEYS, ask
from simkit.cli.execute import carry_out
from simkit.cli.options import COUNT, DEALS, Given, command, shared, sweep_of
from simkit.cli.summary import print_summary
from simkit.engine import registry
from simkit.errors import UsageError
from simkit.runs import experiment, table_files
from simkit.runs.storage import remote


@command
@click.argument("experiment_file", metavar="EXPERIMENT.toml")
@option("--deals", type=DEALS, help="Deals per cell, in place of the file's.")
@option("--seed", type=COUNT, help="Seed, in place of the file's.")
@shared("until", "target", "set", "files", "play", "extras", "table", "json")
def run(given: Given, experiment_file: str) -> None:
    """Play an experiment and print the shares.

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


@command
@click.argument("game")
@click.argument("ranges", nargs=-1, metavar="OPTION=START:STOP[:STEP]|A,B,C ...")
@shared("lineups", "deals", "until", "target", "seed", "set", "files", "play", "extras", "table", "json")
def sweep(given: Given, game: str, ranges: tuple[str, ...]) -> None:
    """Play the values of rule options on the same deals.

    Prints the share of each seat with its number of games and interval for every value. Ranges include both
    ends; several options are crossed. A game without options is played as it is.

    \b
    Example:  simkit sweep pig goal=20:60:20 faces=6,8 --deals 5000
    """
    definition, swept = registry.game(game), sweep_of(ranges)
    if definition.options and not swept:
        names = ", ".join(option.name for option in definition.options)
        raise UsageError(
            f"nothing to sweep: give OPTION=START:STOP or OPTION=A,B,C (options of {game}: {names})"
        )
    along = f" along {', '.join(ranges)}" if ranges else ""
    question = f"How {'hard' if definition.team else 'fair'} is {game}{along}?"
    defaults = definition.resolve(given.settings)
    baseline = {
        name: table_files.PRINTED if table_files.is_file(name) else defaults[definition.option(name).name]
        for name in swept
    }
    is_swept = all(value in swept[name] for name, value in baseline.items())
    request = ask(given, game, question, sweep=swept, baseline=baseline if is_swept else {})
    print_summary(carry_out(given, request), given.as_json, given.whole)
