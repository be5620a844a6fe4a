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
from simkit.engine.strategy import Named, parse_lineup
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

    Plays random games of GAME (or of all games) under random options, first as plain Python, so that a fault
    is reported with its line, then compiled. Checks that ranks, end reason and turns are set, invariants
    hold, views hide what they must, the log never influences play, and strategies play legally. Stops at the
    first broken promise of a game, with exit code 1.
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
@option("--deals", type=Whole(min=1_000), default=validation.PLAYS, help="Deals per cell with known answers.")
@shared("seed", "workers", "json")
def validate(given: Given, games: list[Game]) -> None:
    """Check that simkit's numbers can be believed.

    Plays games with known answers (GAME, or all of them) and compares what simkit logs and reports with
    these answers. Also checks the streams of luck, A/A tests, rule variants on the same deals, strategies
    that change seats, and how often 95 % intervals cover the true value. Exit code 1 if a value is 4
    standard errors off or an exact check fails.
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
        click.echo(f"\n{validation.PROMISE}\n")
        click.echo(
            f"With {deals:,} deals per cell, every second validation detects a bias of {100 * bias:.2f} "
            "points in a share of 50 %; four times as many deals halve it.\n"
        )
        done = f"{len(failed)} of {counted(len(results), 'check')} FAILED"
        click.echo(f"{done if failed else f'all {len(results)} checks passed'} (seed {given.seed})")
    if failed:
        raise click.exceptions.Exit(1)


def _report_progress(text: str) -> None:
    click.echo(f"validate: {text}", err=True)


def _finite(value: Any) -> Any:
    """Return None for an infinite number, which JSON cannot hold."""
    return None if isinstance(value, float) and not math.isfinite(value) else value


def _row(r: Result) -> dict[str, Any]:
    """Return the row of a result in the table."""
    allowed = f" ± {r.allowance:g}" if r.allowance else ""
    return {
        "game": r.subject,
        "cell": r.cell,
        "check": r.check,
        "expected": _digits(r.expected, r) + allowed,
        "measured": _digits(r.measured, r),
        "n": r.n,
        "z": f"{r.z:+.2f}" if r.error else "",
        "verdict": "passed" if r.passed else "FAILED",
    }


def _digits(value: float, r: Result) -> str:
    """Format a value to the digits that matter: two of its standard error, else those of the allowance."""
    step = r.error / 10 or r.allowance
    decimals = max(0, -math.floor(math.log10(step))) if step else 0
    return f"{value:z,.{decimals}f}" if step else f"{value:,.10g}"


@command
@game_or_all
@option("--seconds", type=Within(0.01, 60), default=0.5, help="Approximate seconds per round.")
@option("--no-compile", is_flag=True, help="Do not measure compile times.")
@option("--against", "ref", metavar="REF", help="Compare with another checkout: a folder or a git revision.")
@option("--record", type=click.Path(dir_okay=False), help="Also write the ratios to this Markdown file.")
@shared("lineups", "json")
def bench(
    given: Given, games: list[Game], seconds: float, no_compile: bool, ref: str | None, record: str | None
) -> None:
    """Measure speed and compile times.

    Prints games and decisions per second on one core (after warm-up, median of five rounds), and compile
    times, cold and cached. With --against, both checkouts play the same games alternately, nine rounds each,
    and the ratio of their speeds is printed: 2.00 means twice as fast here.
    """
    matchups = _matchups(given, games)
    if record is not None and ref is None:
        raise UsageError("--record writes ratios; add --against REF")
    if record is not None and not Path(record).absolute().parent.is_dir():
        raise UsageError(f"--record {record}: there is no folder {Path(record).parent}")
    if ref is not None:
        _compare(matchups, ref, seconds, record, given.as_json)
        return
    speeds = [speed for game, lineups in matchups for speed in benchmark.speeds(game, lineups, seconds)]
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


def _matchups(given: Given, games: list[Game]) -> list[tuple[Game, list[list[Named]]]]:
    """Return the lineups to time of each game: those given, or the mirror match of every strategy."""
    if given.lineups and len(games) > 1:
        raise UsageError(f"--lineup needs one game: simkit bench GAME --lineup {given.lineups[0]}")
    given_lineups = [parse_lineup(text) for text in given.lineups]
    matchups = [(game, given_lineups or benchmark.lineups(game)) for game in games]
    for game, lineups in matchups:
        for lineup in lineups:
            game.check_lineup(lineup)
    return matchups


def _compare(
    matchups: list[tuple[Game, list[list[Named]]]],
    ref: str,
    seconds: float,
    record: str | None,
    as_json: bool,
) -> None:
    """Print the ratios of this checkout to another one, and record them."""
    echo, ratios = partial(click.echo, err=True), list[bench_compare.Ratio]()
    for game, lineups in matchups:
        ratios += bench_compare.ratios(game, lineups, ref, echo, seconds)
    if not ratios:
        raise UsageError(f"--against {ref}: no lineup could be timed in both checkouts")
    if record is not None:
        atomic.put(Path(record), bench_compare.as_markdown(ratios, ref).encode())
    if as_json:
        print_json({"ratios": [ratio._asdict() for ratio in ratios]})
        return
    heads = ("game", "lineup", "games/s there", "here", "ratio", "from", "to")
    rows = [(*ratio[:2], *map(round, ratio[2:4]), *(f"{part:.2f}" for part in ratio[4:])) for ratio in ratios]
    print_table([dict(zip(heads, row, strict=True)) for row in rows])
