"""From what stands on the command line to an experiment, and on to a finished run."""

from __future__ import annotations

import hashlib
import shlex
import sys
from pathlib import Path
from typing import Any

import click

from simkit import catalogue, experiment, manifest, runlog, runner
from simkit.cli.options import Given
from simkit.cli.output import progress
from simkit.experiment import Experiment
from simkit.runlog import Run
from simkit.strategy import parse_lineup

KEYS = ("deals", "seed", "files", "trace", "until_width", "until_verdict", "margin")  # of an experiment


def ask(given: Given, game: str, question: str, **keys: Any) -> Experiment:
    """An experiment on a game."""
    known = {"question": question, "game": game, "lineups": lineups_of(game, given.lineups)}
    return experiment.parse(known | {"options": given.settings} | given.keys(*KEYS) | keys)


def lineups_of(game: str, texts: tuple[str, ...]) -> list[list[str]]:
    """Lineups by seat; without any, of the game's reference strategy, its first own one, or random."""
    if texts:
        return [[str(named) for named in parse_lineup(text)] for text in texts]
    of = catalogue.game(game)
    own = [name for name, one in catalogue.strategies(of).items() if one.game is not None]
    name = "reference_greedy" if "reference_greedy" in own else own[0] if own else "random"
    return [[name] * of.seats_unless_told]


def carry_out(given: Given, asked: Experiment, kind: str) -> Run:
    """Play an experiment in the folder given, or in one of its own; first say what was read from files."""
    say_files(asked)
    return play_in(given, asked, given.out or folder_for(kind, asked))


def play_in(given: Given, asked: Experiment, folder: str | Path, label: str = "") -> Run:
    """Play an experiment in a folder, or finish it there."""
    command = shlex.join(["simkit", *sys.argv[1:]])  # for the report
    with progress(label or Path(folder).name) as told:
        made = runner.run(asked, folder, given.jobs, given.backend, told, command=command)
    return runlog.open_run(made)


def say_files(asked: Experiment) -> None:
    """What was read from the designer's files, and what was ignored; faults of the experiment come first."""
    if asked.files:
        experiment.check(asked)
    for table in experiment.read_files(catalogue.game(asked.game), asked.files).values():
        click.echo(table.said, err=True)


def folder_for(kind: str, asked: Experiment) -> str:
    """A folder under runs/ for each question, content of its files and state of the sources.

    The same question asked again finds its answer there.
    """
    files = [manifest.file_digest(path) for path in asked.files.values()]
    return folder_of(kind, asked.game, "\n".join([asked.to_toml(), manifest.sources_digest(), *files]))


def folder_of(kind: str, game: str, key: str) -> str:
    """A folder under runs/ whose name differs where the key does."""
    return f"runs/{kind}-{game}-{hashlib.sha256(key.encode()).hexdigest()[:8]}"
