"""Checks: Check the statistics against known answers."""

import math
from typing import Any

import click
from click import option

from simkit.ask.progress import progress
from simkit.cli.options import command, game_or_all, shared_options, within
from simkit.cli.output import print_json, print_table
from simkit.engine import limits
from simkit.engine.game import Game
from simkit.formatting import counted
from simkit.verify import validate as validation
from simkit.verify.validate.runs import Comparison, smallest_bias

PLAYS = within(limits.DEALS | {"ge": 1_000})


@command()
@game_or_all
@option("--deals", type=PLAYS, default=validation.PLAYS, help="Deals per cell with known answers.")
@shared_options("json", seed=1, jobs=-1, backend="threading")
def validate(games: list[Game], deals: int, seed: int, jobs: int, backend: str, as_json: bool) -> None:
    """Check the statistics against known answers.

    Plays games with known answers (GAME, or all of them) and compares what simkit logs and reports with
    these answers. Also checks the streams of luck, A/A tests, rule variants on the same deals, strategies
    that change seats, and how often 95 % intervals cover the true value. Exit code 1 if a value is 4
    standard errors off or an exact check fails.
    """
    with progress("validate") as shown:
        how = (seed, jobs, backend, shown.report_compilation)
        results = list(validation.validate(games, deals, *how))
    failed, bias = [r for r in results if not r.passed], smallest_bias(deals)
    if as_json:
        rows = [{name: _finite(value) for name, value in r._asdict().items()} for r in results]
        whole = {"deals": deals, "seed": seed, "passed": not failed, "smallest_bias": bias}
        print_json(whole | {"results": rows})
    else:
        print_table([_row(r) for r in results])
        click.echo(f"\n{validation.PROMISE}\n")
        click.echo(
            f"With {deals:,} deals per cell, every second validation detects a bias of {100 * bias:.2f} "
            "points in a share of 50 %; four times as many deals halve it.\n"
        )
        done = f"{len(failed)} of {counted(len(results), 'check')} FAILED"
        click.echo(f"{done if failed else f'all {len(results)} checks passed'} (seed {seed})")
    if failed:
        raise click.exceptions.Exit(1)


def _finite(value: Any) -> Any:
    """Return None for an infinite number, which JSON cannot hold."""
    return None if isinstance(value, float) and not math.isfinite(value) else value


def _row(r: Comparison) -> dict[str, Any]:
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


def _digits(value: float, r: Comparison) -> str:
    """Format a value to the digits that matter: two of its standard error, else those of the allowance."""
    step = r.error / 10 or r.allowance
    decimals = max(0, -math.floor(math.log10(step))) if step else 0
    return f"{value:z,.{decimals}f}" if step else f"{value:,.10g}"
