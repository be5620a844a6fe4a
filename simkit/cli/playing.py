"""Commands that play: play, run, sweep, replay."""

from __future__ import annotations

import hashlib
import shlex
import sys
from pathlib import Path
from typing import Any

import click

from simkit import catalogue, experiment, manifest, narrate, runlog, runner
from simkit.cli.options import (
    cards_option,
    deals_option,
    json_option,
    lineup_option,
    lineups_of,
    lineups_option,
    out_option,
    seed_option,
    set_option,
    settings_of,
    sweep_of,
    trace_option,
    until_of,
    until_options,
    workers,
)
from simkit.cli.output import progress
from simkit.cli.summary import print_summary
from simkit.errors import UsageError
from simkit.experiment import Experiment


@click.command()
@click.argument("game")
@lineup_option
@seed_option
@click.option("--deal", type=click.IntRange(min=0), default=0, show_default=True, help="Number of the deal.")
@set_option
@cards_option
def play(
    game: str, lineup: str | None, seed: int, deal: int, settings: tuple[str, ...], files: dict[str, str]
) -> None:
    """Play one game, told in words."""
    lineups = lineups_of(game, (lineup,) if lineup else ())
    asked = _experiment(f"One game of {game}", game, lineups, seed, deal + 1, settings, files)
    told = narrate.tell(asked, experiment.cells(asked)[0], deal)
    say_files(asked)
    for line in told:
        click.echo(line)


@click.command()
@click.argument("experiment_file", metavar="EXPERIMENT.toml")
@out_option
@click.option("--deals", type=int, help="Deals per cell, instead of the file's.")
@click.option("--seed", type=click.IntRange(min=0), help="Seed, instead of the file's.")
@until_options
@set_option
@cards_option
@trace_option
@workers
@json_option
def run(
    experiment_file: str, out: str | None, deals: int | None, seed: int | None, until_width: float | None, until_verdict: bool,
    margin: float | None, settings: tuple[str, ...], files: dict[str, str], trace: int | None, jobs: int, backend: str, as_json: bool,
) -> None:  # fmt: skip
    """Carry out an experiment and print the shares.

    Every game is logged in the run folder. An interrupted run goes on where it was.
    """
    asked = experiment.load(_experiment_path(experiment_file))
    changes: dict[str, Any] = {"deals": deals, "seed": seed, "trace": trace}
    given = {name: value for name, value in changes.items() if value is not None} | until_of(
        until_width, until_verdict, margin
    )
    if files:
        given["files"] = {**asked.files, **files}
    if settings:
        given["options"] = {**asked.options, **settings_of(settings)}
    asked = asked.changed(**given) if given else asked
    _carry_out(asked, out or f"runs/{Path(experiment_file).stem}", jobs, backend, as_json)


def _experiment_path(text: str) -> Path:
    """A file, or the name of an experiment that comes with simkit or a project."""
    path = Path(text)
    known = catalogue.experiments()
    if path.suffix != ".toml" and not path.exists() and text in known:
        return known[text]
    if not path.is_file():
        hint = f"; the experiments known by name: {', '.join(sorted(known))}"
        raise UsageError(f"experiment file {text} does not exist{hint}")
    return path


@click.command()
@click.argument("game")
@click.argument("ranges", nargs=-1, required=True, metavar="OPTION=START:STOP[:STEP]|A,B,C ...")
@lineups_option
@deals_option
@until_options
@seed_option
@set_option
@cards_option
@out_option
@trace_option
@workers
@json_option
def sweep(
    game: str, ranges: tuple[str, ...], lineups: tuple[str, ...], deals: int, until_width: float | None, until_verdict: bool,
    margin: float | None, seed: int, settings: tuple[str, ...], files: dict[str, str], trace: int | None, out: str | None, jobs: int, backend: str, as_json: bool,
) -> None:  # fmt: skip
    """Sweep rule options on the same deals.

    Prints the share of each seat with n and interval for every value. Ranges include both ends; several options are crossed.
    """
    question = f"How fair is {game} along {', '.join(ranges)}?"
    swept = sweep_of(ranges)
    more = {
        "sweep": swept,
        "baseline": _rulebook(game, swept, settings_of(settings)),
        "trace": trace or 0,
        **until_of(until_width, until_verdict, margin),
    }
    asked = _experiment(question, game, lineups_of(game, lineups), seed, deals, settings, files, **more)
    _carry_out(asked, out or folder_for("sweep", asked), jobs, backend, as_json, "sweep")


@click.command()
@click.argument("run_folder", metavar="RUN")
@click.argument("play_number", metavar="PLAY", type=int)
def replay(run_folder: str, play_number: int) -> None:
    """Tell a logged game again.

    It is played again from its seed and must give its logged result.
    """
    for line in narrate.replay(runlog.open_run(run_folder), play_number):
        click.echo(line)


def _rulebook(game: str, swept: dict[str, list[Any]], fixed: dict[str, Any]) -> dict[str, Any]:
    """The usual values of the swept options under the fixed ones, if they are among those tried."""
    of = catalogue.game(game)
    usual = {of.option(name).name: of.resolve(fixed)[name] for name in swept}
    return usual if all(usual[name] in values for name, values in swept.items()) else {}


def _experiment(
    question: str,
    game: str,
    lineups: list[list[str]],
    seed: int,
    deals: int,
    settings: tuple[str, ...],
    files: dict[str, str],
    **more: Any,
) -> Experiment:
    """An experiment from what stands on the command line."""
    keys: dict[str, Any] = {
        "question": question,
        "game": game,
        "lineups": lineups,
        "seed": seed,
        "deals": deals,
        "options": settings_of(settings),
        "files": files,
        **more,
    }
    return experiment.parse(keys)


def folder_for(kind: str, asked: Experiment) -> str:
    """A folder under runs/ for each question, card file and state of the sources, so that asking again finds the answer there."""
    files = [manifest.file_digest(path) for path in asked.files.values()]
    return f"runs/{folder_name(kind, asked.game, chr(10).join([asked.to_toml(), manifest.sources_digest(), *files]))}"


def folder_name(kind: str, game: str, key: str) -> str:
    """A name that differs where the key does."""
    return f"{kind}-{game}-{hashlib.sha256(key.encode()).hexdigest()[:8]}"


def _carry_out(
    asked: Experiment, out: str, jobs: int, backend: str, as_json: bool, recipe: str = "balance"
) -> None:
    say_files(asked)
    with progress(Path(out).name) as report:
        folder = runner.run(asked, out, jobs, backend, report, command=command_line())
    print_summary(runlog.open_run(folder), as_json, recipe)


def command_line() -> str:
    """The command that was given, for the report."""
    return shlex.join(["simkit", *sys.argv[1:]])


def say_files(asked: Experiment) -> None:
    """What was read from the designer's files, and what was ignored."""
    if asked.files:
        experiment.check(asked)  # first what is wrong, if anything is
    for table in experiment.read_files(catalogue.game(asked.game), asked.files).values():
        click.echo(table.said, err=True)
