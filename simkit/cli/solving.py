"""Commands that solve: fair."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import click

from simkit import fair as solver
from simkit import manifest, runlog, runner
from simkit.cli.options import (
    WHOLE_NUMBER,
    cards_option,
    json_option,
    lineups_of,
    lineups_option,
    out_option,
    seed_option,
    set_option,
    setting,
    settings_of,
    workers,
)
from simkit.cli.output import percent, print_json, print_table, progress
from simkit.cli.playing import command_line, folder_name, say_files
from simkit.cli.summary import report_command
from simkit.errors import UsageError
from simkit.experiment import Experiment
from simkit.fair import Asked, Found


@click.command()
@click.argument("game")
@click.option(
    "--vary", multiple=True, required=True, metavar="OPTION=LOW:HIGH", help="The option to make fair, and its range; once per seat."
)
@lineups_option
@click.option("--deals", type=click.IntRange(min=100), default=20_000, show_default=True, help="Deals per value near the fair one.")
@click.option(
    "--margin",
    type=click.FloatRange(0, 0.5, min_open=True, max_open=True),
    default=0.02,
    show_default=True,
    help="A share this close to the fair one is fair.",
)
@seed_option
@set_option
@cards_option
@out_option
@workers
@json_option
def fair(
    game: str, vary: tuple[str, ...], lineups: tuple[str, ...], deals: int, margin: float, seed: int, settings: tuple[str, ...],
    cards: str | None, out: str | None, jobs: int, backend: str, as_json: bool,
) -> None:  # fmt: skip
    """Find the value of a rule option at which the seats are equal.

    Plays a grid on common deals, fits the share of the first seat, and checks the best whole numbers on fresh deals until there is a verdict.
    """
    more: dict[str, Any] = {"options": settings_of(settings)} | ({"cards": cards} if cards else {})
    asked = Asked(game, ranges_of(vary), lineups_of(game, lineups), deals, seed, margin, more)
    folder = Path(out or f"runs/{folder_name('fair', game, repr(asked) + manifest.sources_digest())}")
    files = asked.experiment("?", [asked.usual()], deals=1)
    say_files(files)

    def play(experiment: Experiment, name: str) -> runlog.Run:
        with progress(f"{folder.name}/{name}") as told:
            return runlog.open_run(runner.run(experiment, folder / name, jobs, backend, told, command=command_line()))

    found = solver.solve(asked, play)
    print_json(document(asked, found)) if as_json else _print(asked, found)


def ranges_of(texts: tuple[str, ...]) -> dict[str, tuple[int, int]]:
    """Ranges from texts `option=low:high`."""
    found: dict[str, tuple[int, int]] = {}
    for text in texts:
        name, values = setting(text)
        ends = [part.strip() for part in values.split(":")]
        if name in found:
            raise UsageError(f"option {name} is varied twice")
        if len(ends) != 2 or not all(re.fullmatch(WHOLE_NUMBER, end) for end in ends):
            raise UsageError(f"--vary {text}: a range of whole numbers low:high is needed")
        found[name] = (int(ends[0]), int(ends[1]))
    return found


def _print(asked: Asked, found: Found) -> None:
    values = [[one.lineup, one.said] for one in found.values]
    print_table(["lineup", "fair value"], values)
    click.echo("\nThe best whole numbers, measured again on fresh deals until there is a verdict:\n")
    names = list(asked.vary)
    rows = [
        [*(str(row[name]) for name in names), row["lineup"], percent(row["share"]), f"{percent(row['low'])} to {percent(row['high'])}",
         f"{row['deals']:,}", row["verdict"]] for row in found.checked.iter_rows(named=True)
    ]  # fmt: skip
    print_table([*names, "lineup", "first seat", "95 % interval, any look", "deals", "verdict"], rows, numbers=tuple(range(len(names))))
    click.echo(f"\n{sentence(asked, found)}")
    for warning in found.warnings:
        click.echo(f"Beware: {warning}")
    for folder in found.folders:
        click.echo(f"Run: {folder}   report: {report_command(runlog.open_run(folder))}")


def sentence(asked: Asked, found: Found) -> str:
    """The answer in one sentence."""
    value = found.values[-1]
    words = ", ".join(f"{name} = {x}" for name, x in zip(asked.vary, found.best, strict=True))
    checked = "; ".join(f"{row['lineup']}: {percent(row['share'])}, {row['verdict']}" for row in found.best_verdicts)
    return f"{value.lineup}: {value.said}. The best whole numbers: {words} ({checked}, margin {100 * asked.margin:g} points)."


def document(asked: Asked, found: Found) -> dict[str, Any]:
    """The answer for programs."""
    return {
        "game": asked.game,
        "vary": {name: list(ends) for name, ends in asked.vary.items()},
        "margin": asked.margin,
        "confidence": 0.95,
        "answer": sentence(asked, found),
        "fair_values": [one._asdict() for one in found.values],
        "best": dict(zip(asked.vary, found.best, strict=True)),
        "checked": found.checked.select(*asked.vary, "lineup", "share", "low", "high", "adjusted", "deals", "verdict").rows(named=True),
        "warnings": found.warnings,
        "runs": [str(folder) for folder in found.folders],
    }
