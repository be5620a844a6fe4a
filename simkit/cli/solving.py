"""Commands that solve and plan: fair, plan."""

from pathlib import Path
from typing import Any

import click
from click import option

from simkit import catalogue, manifest, runlog
from simkit import fair as solver
from simkit import plan as planner
from simkit.cli.asking import lineups_of, say_files
from simkit.cli.carrying import folder_of, play_in
from simkit.cli.options import Given, by_option, command, shared, whole_numbers
from simkit.cli.output import duration, print_json, print_table
from simkit.cli.summary import interval, report_command
from simkit.errors import UsageError
from simkit.experiment import Experiment
from simkit.fair import Found
from simkit.fair.asking import Asked, check_asked
from simkit.runlog import Run
from simkit.words.answer import reconstructions
from simkit.words.labels import Labels
from simkit.words.phrases import percent


@command(90)
@click.argument("game")
@option("--vary", multiple=True, required=True, metavar="OPTION=LOW:HIGH", help="Once per seat but one.")
@option("--deals", type=click.IntRange(min=100), default=20_000, help="Deals per value near the fair one.")
@shared("margin", "target", "lineups", "seed", "set", "files", "out", "workers", "json")
def fair(given: Given, game: str, vary: tuple[str, ...]) -> None:
    """Find the value of a rule option at which the seats are equal.

    Of a co-operative game: at which the team wins as often as --target. Plays a grid on common deals, fits
    the share of the first player (of the team), and checks the best whole numbers on fresh deals until there
    is a verdict.
    """
    aim = given.keys("deals", "seed", "margin")
    more = {"options": given.settings, "files": given.files, **given.keys("target")}
    team, lineups = catalogue.game(game).team, lineups_of(game, given.lineups)
    asked = Asked(game, ranges_of(vary), lineups, more=more, team=team, **aim)
    check_asked(asked)
    say_files(asked.experiment("?", [asked.usual()], deals=1))
    folder = Path(given.out or folder_of("fair", game, repr(asked) + manifest.sources_digest()))

    def play(wanted: Experiment, name: str) -> Run:
        return play_in(given, wanted, folder / name, f"{folder.name}/{name}")

    found = solver.solve(asked, play)
    print_json(_document(asked, found)) if given.as_json else _print(asked, found)


def ranges_of(texts: tuple[str, ...]) -> dict[str, tuple[int, int]]:
    found: dict[str, tuple[int, int]] = {}
    for name, values in by_option(texts, "varied").items():
        ends = whole_numbers(values)
        if len(ends) != 2:
            raise UsageError(f"--vary {name}={values}: a range of whole numbers low:high is needed")
        found[name] = (ends[0], ends[1])
    return found


def _print(asked: Asked, found: Found) -> None:
    labels = Labels(found.runs[-1])
    lineup = labels.of_column("lineup") or str
    print_table([{"lineup": lineup(one.lineup), HEADS[asked.team]: one.said} for one in found.values])
    click.echo("\nThe best whole numbers, measured again on fresh deals until there is a verdict:\n")
    print_table([_checked(asked, row) for row in labels.named(found.checked).rows(named=True)])
    click.echo(f"\n{_sentence(asked, found)}")
    for warning in _warnings(found):
        click.echo(f"Beware: {warning}")
    for run in found.runs:
        click.echo(f"Run: {run.folder}   report: {report_command(run)}")


def _warnings(found: Found) -> list[str]:
    return [*found.warnings, *reconstructions(found.runs[-1])]


def _checked(asked: Asked, row: dict[str, Any]) -> dict[str, Any]:
    values = {asked.label(name): row[name] for name in asked.vary}
    side = "team" if asked.team else "first player"
    found = {side: percent(row["share"]), "95 % interval, any look": interval(row)}
    return values | {"lineup": row["lineup"]} | found | {"deals": row["deals"], "verdict": row["verdict"]}


def _sentence(asked: Asked, found: Found) -> str:
    lineup = Labels(found.runs[-1]).of_column("lineup") or str
    value, margin = found.values[-1], f"margin {100 * asked.margin:g} percentage points"
    words = ", ".join(f"{asked.label(name)} = {x}" for name, x in zip(asked.vary, found.best, strict=True))
    rows = found.best_verdicts
    verdicts = "; ".join(f"{lineup(r['lineup'])}: {percent(r['share'])}, {r['verdict']}" for r in rows)
    return f"{lineup(value.lineup)}: {value.said}. The best whole numbers: {words} ({verdicts}, {margin})."


def _document(asked: Asked, found: Found) -> dict[str, Any]:
    columns = [*asked.vary, "lineup", "share", "low", "high", "adjusted", "deals", "verdict"]
    return {
        "game": asked.game,
        "vary": {name: list(ends) for name, ends in asked.vary.items()},
        "margin": asked.margin,
        "confidence": 0.95,
        "answer": _sentence(asked, found),
        "fair_values": [one._asdict() for one in found.values],
        "best": dict(zip(asked.vary, found.best, strict=True)),
        "checked": found.checked.select(columns).rows(named=True),
        "warnings": _warnings(found),
        "runs": [str(run.folder) for run in found.runs],
    }


HEADS = {False: "fair value", True: "value"}
PART, POWER = click.FloatRange(0, 1, min_open=True, max_open=True), click.FloatRange(0.1, 0.999)


@command(100)
@click.argument("run_folder", metavar="[RUN]", required=False)
@option("--effect", type=PART, default=0.02, help="What is to be told apart, as a share: 0.02 = 2 points.")
@option("--seats", type=click.IntRange(min=2), default=2, help="Seats of the game, without a RUN.")
@option("--power", type=POWER, default=0.8, help="Chance of telling the effect if it is there.")
@shared("margin", "json")
def plan(given: Given, run_folder: str | None, effect: float, seats: int, power: float) -> None:
    """Say how many deals a question needs.

    Without a RUN for single games of equal strategies; with a (small) RUN from the scatter of its deals, cell
    by cell, and the time it would take.
    """
    aim = planner.Aim(effect, power=power, **given.keys("margin"))
    needs = planner.plan_from(runlog.open_run(run_folder), aim) if run_folder else planner.plan(seats, aim)
    if given.as_json:
        known = {"effect": effect, "power": power, "confidence": aim.level, "margin": aim.margin}
        print_json(known | {"needs": [need._asdict() for need in needs]})
        return
    click.echo(f"Deals needed (95 % confidence, {100 * power:g} % power):\n")
    rows = []
    for need in needs:
        row = {"to know that": need.question, "deals": need.deals or "none is enough"}
        if run_folder:  # without a run there are no cells, and no pace
            time = "" if need.seconds is None else duration(need.seconds)
            row = {"cell": need.cell, **row, "time": time}
        rows.append(row | {"": need.note})
    print_table(rows)
