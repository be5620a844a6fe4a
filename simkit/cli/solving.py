"""Commands that solve and plan: fair, plan."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import click

from simkit import fair as solver
from simkit import manifest, runlog, runner
from simkit import plan as planner
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
    "--vary",
    multiple=True,
    required=True,
    metavar="OPTION=LOW:HIGH",
    help="The option to make fair, and its range; once per seat.",
)
@lineups_option
@click.option(
    "--deals",
    type=click.IntRange(min=100),
    default=20_000,
    show_default=True,
    help="Deals per value near the fair one.",
)
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
    files: dict[str, str], out: str | None, jobs: int, backend: str, as_json: bool,
) -> None:  # fmt: skip
    """Find the value of a rule option at which the seats are equal.

    Plays a grid on common deals, fits the share of the first seat, and checks the best whole numbers on fresh deals until there is a verdict.
    """
    more: dict[str, Any] = {"options": settings_of(settings), "files": files}
    asked = Asked(game, ranges_of(vary), lineups_of(game, lineups), deals, seed, margin, more)
    folder = Path(out or f"runs/{folder_name('fair', game, repr(asked) + manifest.sources_digest())}")
    wanted = asked.experiment("?", [asked.usual()], deals=1)
    say_files(wanted)

    def play(experiment: Experiment, name: str) -> runlog.Run:
        with progress(f"{folder.name}/{name}") as told:
            return runlog.open_run(
                runner.run(experiment, folder / name, jobs, backend, told, command=command_line())
            )

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
    print_table(
        [*names, "lineup", "first seat", "95 % interval, any look", "deals", "verdict"],
        rows,
        numbers=tuple(range(len(names))),
    )
    click.echo(f"\n{sentence(asked, found)}")
    for warning in found.warnings:
        click.echo(f"Beware: {warning}")
    for folder in found.folders:
        click.echo(f"Run: {folder}   report: {report_command(runlog.open_run(folder), 'sweep')}")


def sentence(asked: Asked, found: Found) -> str:
    """The answer in one sentence."""
    value = found.values[-1]
    words = ", ".join(f"{name} = {x}" for name, x in zip(asked.vary, found.best, strict=True))
    checked = "; ".join(
        f"{row['lineup']}: {percent(row['share'])}, {row['verdict']}" for row in found.best_verdicts
    )
    return f"{value.lineup}: {value.said}. The best whole numbers: {words} ({checked}, margin {100 * asked.margin:g} percentage points)."


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
        "checked": found.checked.select(
            *asked.vary, "lineup", "share", "low", "high", "adjusted", "deals", "verdict"
        ).rows(named=True),
        "warnings": found.warnings,
        "runs": [str(folder) for folder in found.folders],
    }


@click.command()
@click.argument("run_folder", metavar="[RUN]", required=False)
@click.option(
    "--effect",
    type=click.FloatRange(0, 1, min_open=True, max_open=True),
    default=0.02,
    show_default=True,
    help="What is to be told apart, as a share: 0.02 = 2 percentage points.",
)
@click.option(
    "--seats",
    type=click.IntRange(min=2),
    default=2,
    show_default=True,
    help="Seats of the game, without a RUN.",
)
@click.option(
    "--power",
    type=click.FloatRange(0.1, 0.999),
    default=0.8,
    show_default=True,
    help="Chance of telling the effect if it is there.",
)
@click.option(
    "--margin",
    type=click.FloatRange(0, 0.5, min_open=True, max_open=True),
    default=0.02,
    show_default=True,
    help="A share this close to the fair one is fair.",
)
@json_option
def plan(
    run_folder: str | None, effect: float, seats: int, power: float, margin: float, as_json: bool
) -> None:
    """Say how many deals a question needs.

    Without a RUN for single games of equal strategies; with a (small) RUN from the scatter of its deals, cell by cell, and the time it would take.
    """
    aim = planner.Aim(effect, power=power, margin=margin)
    needs = planner.plan_from(runlog.open_run(run_folder), aim) if run_folder else planner.plan(seats, aim)
    if as_json:
        print_json(
            {
                "effect": effect,
                "power": power,
                "confidence": aim.level,
                "margin": margin,
                "needs": [need._asdict() for need in needs],
            }
        )
        return
    click.echo(f"Deals needed (95 % confidence, {100 * power:g} % power):\n")
    front = ["cell"] if run_folder else []
    time = ["time"] if run_folder else []
    rows = [
        [
            *([need.cell] if run_folder else []),
            need.question,
            "none is enough" if need.deals is None else f"{need.deals:,}",
            *([_time(need.seconds)] if run_folder else []),
            need.note,
        ]
        for need in needs
    ]
    print_table(
        [*front, "to know that", "deals", *time, ""],
        rows,
        numbers=(1 + len(front), 2 + len(front)) if run_folder else (1,),
    )


def _time(seconds: float | None) -> str:
    """A duration as a person says it.

    >>> _time(0.4), _time(75), _time(7300), _time(None)
    ('< 1 s', '75 s', '2.0 h', '')
    """
    if seconds is None:
        return ""
    if seconds < 1:
        return "< 1 s"
    return (
        f"{seconds:.0f} s"
        if seconds < 120
        else f"{seconds / 60:.0f} min"
        if seconds < 7200
        else f"{seconds / 3600:,.1f} h"
    )
