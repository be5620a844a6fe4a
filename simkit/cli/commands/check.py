"""Checks: Test a game's code: legality, hidden information, results."""

import click

from simkit.cli.options import command, game_or_all, shared_options
from simkit.cli.output import print_json, print_table
from simkit.engine.game import Game
from simkit.verify import check as checks


@command()
@game_or_all
@shared_options("json")
def check(games: list[Game], as_json: bool) -> None:
    """Test a game's code: legality, hidden information, results.

    Plays random games of GAME (or of all games) under random options, first as plain Python, so that a fault
    is reported with its line, then compiled. Checks that ranks, end reason and turns are set, invariants
    hold, views hide what they must, the log never influences play, and strategies play legally. Stops at the
    first broken promise of a game, with exit code 1.
    """
    results = [result for game in games for result in checks.check(game)]
    if as_json:
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
