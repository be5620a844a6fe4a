"""Commands that play many games: run, sweep."""

import os
from dataclasses import replace
from pathlib import Path
from typing import Any

import click
from click import option

from simkit.cli.build import KEYS, ask
from simkit.cli.execute import carry_out
from simkit.cli.options import COUNT, DEALS, Given, command, shared, sweep_of
from simkit.cli.summary import print_summary
from simkit.engine import registry
from simkit.engine.game import Game
from simkit.errors import UsageError
from simkit.runs import experiment, table_files
from simkit.runs.storage import remote


@command(50)
@click.argument("experiment_file", metavar="EXPERIMENT.toml")
@option("--deals", type=DEALS, help="Deals per cell, instead of the file's.")
@option("--seed", type=COUNT, help="Seed, instead of the file's.")
@shared("out", "until", "target", "set", "files", "trace", "workers", "going", "cluster", "table", "json")
def run(given: Given, experiment_file: str) -> None:
    """Carry out an experiment and print the shares.

    Every game is logged in the run folder. An interrupted run goes on where it was.
    """
    request = experiment.load(_file(experiment_file))
    changes = given.keys(*KEYS)
    for name, more in (("options", given.settings), ("files", given.files)):
        if more:
            changes[name] = getattr(request, name) | more
    request = request.changed(**changes) if changes else request
    given = replace(given, out=given.out or _folder(experiment_file))
    print_summary(carry_out(given, request), given.as_json, given.whole)


def _file(text: str) -> Path:
    """Return the path of an experiment file, which may be given by the name of a known experiment."""
    folder, _, name = text.rpartition("/")
    path = remote.opened(folder) / name if remote.is_address(text) else Path(text)
    experiments = registry.experiments()
    if path.suffix != ".toml" and not os.path.exists(path) and text in experiments:
        return experiments[text]
    if not os.path.isfile(path):
        names = ", ".join(sorted(experiments))
        raise UsageError(f"experiment file {text} does not exist; the experiments known by name: {names}")
    return path


def _folder(file: str) -> str:
    """Return the run folder of an experiment file: runs/ and the name of the file."""
    name = Path(file).stem
    if not name.strip("."):
        raise UsageError(f"{file}: runs/{name} is no folder of its own; name one with -o DIR")
    return f"runs/{name}"


def _usual_value(game: Game, name: str, settings: dict[str, Any]) -> Any:
    """Return the default of an option, or the printed table that a file may replace."""
    return (
        table_files.PRINTED if table_files.is_file(name) else game.resolve(settings)[game.option(name).name]
    )


@command(60)
@click.argument("game")
@click.argument("ranges", nargs=-1, metavar="OPTION=START:STOP[:STEP]|A,B,C ...")
@shared(
    "lineups",
    "deals",
    "until",
    "target",
    "seed",
    "set",
    "files",
    "out",
    "trace",
    "workers",
    "going",
    "cluster",
    "table",
    "json",
)
def sweep(given: Given, game: str, ranges: tuple[str, ...]) -> None:
    """Sweep rule options on the same deals.

    Prints the share of each seat with n and interval for every value. Ranges include both ends; several
    options are crossed. A game without options is played as it is.
    """
    definition, swept = registry.game(game), sweep_of(ranges)
    if definition.options and not swept:
        names = ", ".join(option.name for option in definition.options)
        raise UsageError(f"sweep what? Give OPTION=START:STOP or OPTION=A,B,C (options of {game}: {names})")
    asked_of = f"How {'hard' if definition.team else 'fair'} is {game}"
    question = f"{asked_of} along {', '.join(ranges)}?" if ranges else f"{asked_of}?"
    usual = {name: _usual_value(definition, name, given.settings) for name in swept}
    includes_usual = all(value in swept[name] for name, value in usual.items())
    request = ask(given, game, question, sweep=swept, baseline=usual if includes_usual else {})
    print_summary(carry_out(given, request), given.as_json, given.whole)
