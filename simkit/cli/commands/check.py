"""Checks: Test a game's code: legality, hidden information, results."""

import click
from click import option

from simkit.cli.options import command, game_or_all, shared_options
from simkit.cli.output import print_json, print_table
from simkit.engine.game import Game
from simkit.verify import check as checks


@command()
@game_or_all
@option("--quick", is_flag=True, help="Look at a fifth of everything, for use while writing.")
@shared_options("json")
def check(games: list[Game], quick: bool, as_json: bool) -> None:
    """Test a game's code: legality, hidden information, results.

    Compiles the rules of GAME (or of all games), counts known chances, and carries out the positions of the
    game. Then plays random games under random options as plain Python, so that a fault is reported
    with its line. Checks that ranks, end reason and turns are set, invariants hold, views hide what
    they must and keep what a seat knows, the log never influences play, and strategies play legally. Stops at
    the first broken promise of a game, with exit code 1. Notes say what was never reached: clauses without a
    position, lines of the rules, actions, end reasons.
    """
    results = [result for game in games for result in checks.check(game, quick=quick)]
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
