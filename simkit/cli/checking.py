"""Commands that test simkit itself: check, validate, bench."""

import math
from functools import partial
from pathlib import Path
from typing import Any

import click
from click import option

from simkit.cli.options import Given, Whole, Within, command, game_or_all, shared
from simkit.cli.output import print_json, print_table
from simkit.engine.game import Game
from simkit.engine.strategy import parse_lineup
from simkit.errors import UsageError
from simkit.formatting import counted
from simkit.runs.storage import atomic
from simkit.verify import bench as benchmark
from simkit.verify import bench_compare
from simkit.verify import check as checks
from simkit.verify import validate as validation
from simkit.verify.validate.result import Result, smallest_bias


@command
@game_or_all
@shared("json")
def check(given: Given, games: list[Game]) -> None:
    """Check that games keep their promises.

    Exit code 1 if GAME (or any game) breaks one. Random games under random options: first as plain Python,
    where a fault has its line (ranks, end reason and turns set, arrays kept to, hidden fields hidden), then
    compiled: invariants after every action, looking changes nothing, strategies play legally. Of each game
    the first promise broken is told.
    """
    results = [result for game in games for result in checks.check(game)]
    if given.as_json:
        print_json([result._asdict() for result in results])
    else:
        heads = ("game", "check", "looked at", "result")
        rows = [(*result[:3], "BROKEN" if result.problems else "passed") for result in results]
        print_table([dict(zip(heads, row, strict=True)) for row in rows])
        for result in results:
            for problem in result.problems:
                click.echo(f"{result.game}: {problem.removeprefix(f'{result.game}: ')}")
    if any(result.problems for result in results):
        raise click.exceptions.Exit(1)


@command
@game_or_all
@option("--deals", type=Whole(min=1_000), default=validation.PLAYS, help="Deals per known cell.")
@shared("seed", "workers", "json")
def validate(given: Given, games: list[Game]) -> None:
    """Check that simkit's numbers can be believed.

    Games with known answers (GAME, or all) are played, logged and analysed as in any run. Then A/A tests,
    rule sets on the same deals, seats that change places, streams of luck, and how often 95 % intervals
    cover. Exit code 1 if a value is 4 standard errors off or an exact check has an exception.
    """
    deals = given.deals or validation.PLAYS
    keys = given.keys("seed", "jobs", "backend")
    results = list(validation.validate(games, deals, report=_report_progress, **keys))
    failed, bias = [r for r in results if not r.passed], smallest_bias(deals)
    if given.as_json:
        rows = [{name: _finite(value) for name, value in r._asdict().items()} for r in results]
        whole = {"deals": deals, "seed": given.seed, "passed": not failed, "smallest_bias": bias}
        print_json(whole | {"results": rows})
    else:
        print_table([_row(r) for r in results])
        done = f"{len(failed)} of {counted(len(results), 'check')} FAILED"
        click.echo(f"\n{validation.PROMISE}\n")
        click.echo(
            f"A bias of {100 * bias:.2f} points in a share of 50 % is detected in half of all validations "
            f"({deals:,} deals per cell); four times as many deals halve it.\n"
        )
        click.echo(f"{done if failed else f'all {len(results)} checks passed'} (seed {given.seed})")
    if failed:
        raise click.exceptions.Exit(1)


def _report_progress(text: str) -> None:
    click.echo(f"validate: {text}", err=True)


def _finite(value: Any) -> Any:
    """Return None for an infinite number, which JSON cannot hold."""
    return None if isinstance(value, float) and not math.isfinite(value) else value


def _row(r: Result) -> dict[str, Any]:
    allowed = f" ± {r.allowance:g}" if r.allowance else ""
    labels = {
        "game": r.subject,
        "cell": r.cell,
        "check": r.check,
        "expected": _digits(r.expected, r) + allowed,
    }
    measured = {"measured": _digits(r.measured, r), "n": r.n}
    verdict = "passed" if r.passed else "FAILED"
    return labels | measured | {"z": f"{r.z:+.2f}" if r.error else "", "verdict": verdict}


def _digits(value: float, r: Result) -> str:
    """Format a value to the digits that matter: two of its standard error, else those of the allowance."""
    step = r.error / 10 or r.allowance
    decimals = max(0, -math.floor(math.log10(step))) if step else 0
    return f"{value:z,.{decimals}f}" if step else f"{value:,.10g}"


@command
@game_or_all
@option("--seconds", type=Within(0.01, 60), default=0.5, help="Seconds per round, five rounds.")
@option("--no-compile", is_flag=True, help="Leave out the compile times.")
@option(
    "--against", "ref", metavar="REF", help="As a ratio to another checkout: a folder or a revision of git."
)
@option("--record", type=click.Path(dir_okay=False), help="Write the ratios to a Markdown file, too.")
@shared("lineups", "json")
def bench(
    given: Given, games: list[Game], seconds: float, no_compile: bool, ref: str | None, record: str | None
) -> None:
    """Measure speed and compile times.

    Games and decisions per second on one core (after warm-up), and compile times, cold and cached.
    With --against both checkouts play in turn, nine rounds: how many times as fast the same games are here.
    """
    if given.lineups and len(games) > 1:
        raise UsageError(f"--lineup is for one game: simkit bench GAME --lineup {given.lineups[0]}")
    given_lineups = [parse_lineup(text) for text in given.lineups]
    lineups = {game.name: given_lineups or benchmark.lineups(game) for game in games}
    for game in games:
        for lineup in lineups[game.name]:
            game.check_lineup(lineup)
    if record is not None and ref is None:
        raise UsageError("--record is for ratios: give --against REF, too")
    if record is not None and not Path(record).absolute().parent.is_dir():
        raise UsageError(f"--record {record}: there is no folder {Path(record).parent}")
    if ref is not None:
        echo, ratios = partial(click.echo, err=True), list[bench_compare.Ratio]()
        for game in games:
            ratios += bench_compare.ratios(game, lineups[game.name], ref, echo, seconds)
        if not ratios:
            raise UsageError(f"--against {ref}: none of the lineups could be timed there and here")
        if record is not None:
            page = bench_compare.as_markdown(ratios, ref, bench_compare.revision())
            atomic.put(Path(record), page.encode())
        _print_ratios(ratios, given.as_json)
        return
    speeds = [speed for game in games for speed in benchmark.speeds(game, lineups[game.name], seconds)]
    compiled = {} if no_compile else {game.name: benchmark.compile_seconds(game) for game in games}
    if given.as_json:
        print_json({"speeds": [speed._asdict() for speed in speeds], "compile_seconds": compiled})
        return
    heads = ("game", "lineup", "games/s", "decisions/s")
    rows = [(s.game, s.lineup, round(s.games), round(s.decisions)) for s in speeds]
    print_table([dict(zip(heads, row, strict=True)) for row in rows])
    form = "{}: kernel {:.1f} s, with all strategies {:.1f} s"
    for name, times in compiled.items():
        times_text = "; ".join(form.format(state, *both) for state, both in times.items())
        click.echo(f"\ncompile {name}: {times_text}")


def _print_ratios(ratios: list[bench_compare.Ratio], as_json: bool) -> None:
    if as_json:
        print_json({"ratios": [ratio._asdict() for ratio in ratios]})
        return
    heads = ("game", "lineup", "games/s there", "here", "ratio", "from", "to")
    rows = [(*ratio[:2], *map(round, ratio[2:4]), *(f"{part:.2f}" for part in ratio[4:])) for ratio in ratios]
    print_table([dict(zip(heads, row, strict=True)) for row in rows])
