"""From what stands on the command line to an experiment."""

from typing import Any

import click

from simkit.cli.options import Given
from simkit.engine import registry
from simkit.engine.strategy import parse_lineup
from simkit.runs import experiment
from simkit.runs.experiment import Experiment

USUAL = ("deals", "seed", "files", "trace", "beginners", "kingmaking")
KEYS = (*USUAL, "until_width", "until_verdict", "margin", "target", "keep_going")


def ask(given: Given, game: str, question: str, **keys: Any) -> Experiment:
    known = {"question": question, "game": game, "lineups": lineups_of(game, given.lineups)}
    return experiment.parse(known | {"options": given.settings} | given.keys(*KEYS) | keys)


def lineups_of(game: str, texts: tuple[str, ...]) -> list[list[str]]:
    """Lineups by seat; without any, of the game's reference strategy, its first own one, or random."""
    if texts:
        return [[str(named) for named in parse_lineup(text)] for text in texts]
    of = registry.game(game)
    own = [name for name, one in registry.strategies(of).items() if one.game is not None]
    name = "reference_greedy" if "reference_greedy" in own else own[0] if own else "random"
    return [[name] * of.seats_unless_told]


def say_files(asked: Experiment) -> None:
    """What was read from the designer's files, and what was ignored; faults of the experiment come first."""
    if asked.every_file():
        cells = experiment.check(asked)
        read = [experiment.read_files(asked, cell.varied).values() for cell in cells]
        for line in dict.fromkeys(table.said for tables in read for table in tables):
            click.echo(line, err=True)
