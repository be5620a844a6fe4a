"""Commands about simkit itself: check, validate, bench."""

from __future__ import annotations

import math
from typing import Any

import click

from simkit import bench as benchmark
from simkit import catalogue
from simkit import check as checks
from simkit import validate as validation
from simkit.cli.options import json_option, lineups_option, seed_option, workers
from simkit.cli.output import print_json, print_table
from simkit.strategy import parse_lineup
from simkit.validate import Result


@click.command()
@click.argument("game", required=False)
@json_option
def check(game: str | None, as_json: bool) -> None:
    """Check that games keep their promises.

    Exit code 1 if GAME (or any game) does not. Random games under random options: invariants after every action, looking changes nothing, strategies play legally.
    """
    results = [
        r for of in ([catalogue.game(game)] if game else catalogue.games().values()) for r in checks.check(of)
    ]
    if as_json:
        print_json([r._asdict() for r in results])
    else:
        rows = [[r.game, r.check, r.looked_at, "; ".join(r.problems) or "passed"] for r in results]
        print_table(["game", "check", "looked at", "result"], rows)
    if any(r.problems for r in results):
        raise click.exceptions.Exit(1)


@click.command()
@click.argument("game", required=False)
@click.option(
    "--plays",
    type=click.IntRange(min=1_000),
    default=validation.PLAYS,
    show_default=True,
    help="Deals for each cell with a known answer.",
)
@seed_option
@workers
@json_option
def validate(game: str | None, plays: int, seed: int, jobs: int, backend: str, as_json: bool) -> None:
    """Check that simkit's numbers can be believed.

    Games with known answers (GAME, or all) are played, logged and analysed as in any run. Then A/A tests, rule sets on the same deals, seats that
    change places, streams of luck, and how often 95 % intervals cover. Exit code 1 if a value is 4 standard errors off or an exact check has an
    exception.
    """
    games = [catalogue.game(game)] if game else list(catalogue.games().values())
    results = list(
        validation.validate(
            games, plays, seed, jobs, backend, lambda text: click.echo(f"validate: {text}", err=True)
        )
    )
    failed = [r for r in results if not r.passed]
    if as_json:
        rows = [{name: _finite(value) for name, value in r._asdict().items()} for r in results]
        print_json({"plays": plays, "seed": seed, "passed": not failed, "results": rows})
    else:
        columns = ["game", "cell", "check", "expected", "found", "n", "z", "verdict"]
        print_table(columns, [_validated(r) for r in results], numbers=(3, 4, 5, 6))
        click.echo(f"\n{validation.PROMISE}")
        click.echo(
            f"\n{f'{len(failed)} of {len(results)} checks FAILED' if failed else f'all {len(results)} checks passed'} (seed {seed})"
        )
    if failed:
        raise click.exceptions.Exit(1)


def _finite(value: Any) -> Any:
    """JSON knows no infinity."""
    return None if isinstance(value, float) and not math.isfinite(value) else value


def _validated(r: Result) -> list[str]:
    verdict = "passed" if r.passed else "FAILED"
    if r.error == 0:
        return [r.subject, r.cell, r.check, "none", f"{r.found:,.0f}", f"{r.n:,}", "", verdict]
    expected = f"{r.expected:.6g} ± {r.allowance:g}" if r.allowance else f"{r.expected:.6g}"
    return [r.subject, r.cell, r.check, expected, f"{r.found:.6g}", f"{r.n:,}", f"{r.z:+.2f}", verdict]


@click.command()
@click.argument("game", required=False)
@lineups_option
@click.option(
    "--seconds",
    type=click.FloatRange(min=0.01),
    default=0.5,
    show_default=True,
    help="Seconds per round, five rounds.",
)
@click.option("--no-compile", is_flag=True, help="Leave out the compile times.")
@json_option
def bench(
    game: str | None, lineups: tuple[str, ...], seconds: float, no_compile: bool, as_json: bool
) -> None:
    """Measure speed and compile times.

    Games and decisions per second on one core (single process, after warm-up), and compile times, cold and cached.
    """
    games = [catalogue.game(game)] if game else list(catalogue.games().values())
    found = []
    for of in games:
        some = [parse_lineup(text) for text in lineups] or benchmark.lineups(of)
        for lineup in some:
            of.check_seats(len(lineup))
        found += list(benchmark.speeds(of, some, seconds))
    compiled = {} if no_compile else {of.name: benchmark.compile_seconds(of) for of in games}
    if as_json:
        print_json({"speeds": [s._asdict() for s in found], "compile_seconds": compiled})
        return
    rows = [[s.game, s.lineup, f"{s.games:,.0f}", f"{s.decisions:,.0f}"] for s in found]
    print_table(["game", "lineup", "games/s", "decisions/s"], rows, numbers=(2, 3))
    for name, times in compiled.items():
        said = "; ".join(
            f"{state}: kernel {kernel:.1f} s, with all strategies {everything:.1f} s"
            for state, (kernel, everything) in times.items()
        )
        click.echo(f"\ncompile {name}: {said}")
