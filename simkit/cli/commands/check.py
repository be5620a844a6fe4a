"""Checks: Test a game's code: legality, hidden information, results."""

import sys

import click
from click import option

from simkit.ask.progress import progress, quiet
from simkit.cli.options import command, game_or_all, shared_options
from simkit.cli.output import print_json, print_table
from simkit.engine.game import Game
from simkit.verify import check as checks


@command()
@game_or_all
@option("--quick", is_flag=True, help="Look at a fifth of the positions and half of the redealt views.")
@shared_options("json")
def check(games: list[Game], quick: bool, as_json: bool) -> None:
    """Test a game's code: legality, hidden information, results.

    Compiles the rules of GAME (or of all games), counts known chances, and carries out the positions of the
    game. Then plays random games under random options as plain Python, so that a fault is reported
    with its line. Checks that ranks, end reason and turns are set, invariants hold, views hide what
    they must and keep what a seat knows, the log never influences play, and strategies play legally. Stops at
    the first broken promise of a game, with exit code 1. Notes say what was never reached: clauses and
    rulings without a position, lines of the rules, actions, end reasons.
    """
    with (progress if sys.stderr.isatty() else quiet)("check") as shown:
        reports = [checks.check(game, quick=quick, report=shown.report_compilation) for game in games]
    results = [result for report in reports for result in report]
    if as_json:
        print_json([result._asdict() for result in results])
    else:
        heads = ("game", "check", "looked at", "result")
        rows = [(*result[:3], "BROKEN" if result.problems else "passed") for result in results]
        print_table([dict(zip(heads, row, strict=True)) for row in rows])
        for result in results:
            for problem in result.problems:
                click.echo(f"{result.game}: {problem.removeprefix(f'{result.game}: ')}")
            for note in result.notes:
                click.echo(f"{result.game}: note: {note}")
    if any(result.problems for result in results):
        raise click.exceptions.Exit(1)
