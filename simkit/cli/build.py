"""Experiments from the options of the command line."""

from dataclasses import replace
from typing import Any

import click

from simkit.cli.options import Given, Texts, sweep_of
from simkit.engine import registry
from simkit.engine.lineups import parse_lineup
from simkit.runs import experiment
from simkit.runs.experiment import Experiment
from simkit.runs.player_counts import with_players

USUAL = ("deals", "seed", "files", "trace", "beginners", "kingmaking")
KEYS = (*USUAL, "confirm", "until_width", "until_verdict", "margin", "target", "keep_going")


def ask(given: Given, game: str, question: str, **keys: Any) -> Experiment:
    """Return the experiment that the shared options describe, with further keys."""
    defaults = {"question": question, "game": game, "lineups": lineups_of(game, given.lineups)}
    return experiment.parse(defaults | {"options": given.settings} | given.keys(*KEYS) | keys)


def lineups_of(game: str, texts: tuple[str, ...]) -> list[list[str]]:
    """Return the lineups by seat; the default is the game's reference, its first own strategy, or random."""
    if texts:
        return [[str(named) for named in parse_lineup(text)] for text in texts]
    definition = registry.game(game)
    own = [name for name, strategy in registry.strategies(definition).items() if strategy.game is not None]
    name = "reference_greedy" if "reference_greedy" in own else own[0] if own else "random"
    return [[name] * definition.default_seats]


def seated(given: Given, game: str, sweep: dict[str, Any]) -> tuple[Given, dict[str, Any]]:
    """Return the options and the sweep with the number of players, if they have one, turned into lineups."""
    front = {"game": game, "lineups": lineups_of(game, given.lineups), "options": given.settings}
    keys = with_players(front | {"sweep": sweep})
    lineups = tuple(", ".join(lineup) for lineup in keys["lineups"])
    return replace(given, lineups=lineups, settings=keys["options"]), keys["sweep"]


def say_files(request: Experiment) -> None:
    """Report on stderr what was read from the designer's files; faults of the experiment come first."""
    if request.every_file():
        cells = experiment.check(request)
        read = [experiment.read_files(request, cell.varied).values() for cell in cells]
        for line in dict.fromkeys(table.summary for tables in read for table in tables):
            click.echo(line, err=True)


def values_of(game: str, texts: Texts) -> dict[str, list[Any]]:
    """Return the values of each option from texts `option=low:high`, `option=low:high:step`, `option=a/b`."""
    options = dict[str, list[Any]]()
    for name, swept in sweep_of(tuple(text.replace("/", ",") for text in texts)).items():
        option = registry.game(game).option(name)
        values = [option.shown(option.number(value)) for value in swept]
        options[name] = values if option.names else sorted(values)
    return options
