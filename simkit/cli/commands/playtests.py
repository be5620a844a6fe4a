"""The playtests command: games of people beside simulated ones."""

import click
from click import option

from simkit.api import playtests as api
from simkit.cli.options import Given, command, shared
from simkit.cli.study import print_study
from simkit.engine import registry
from simkit.runs.extras.playtests import columns_of


@command("Questions")
@click.argument("game")
@click.argument("file", required=False)
@option("--strategies", default="", metavar="A,B,...", help="Simulated players (default: all).")
@shared("deals", "seed", "set", "files", "play", "json")
def playtests(given: Given, game: str, file: str | None, strategies: str) -> None:
    """Compare games that people played with simulated ones.

    FILE is a sheet (CSV, TSV or XLSX) with a row for each game; without FILE you get the columns that it may
    have. You get which simulated players play like these people, how often each seat wins beside the simulated
    share, and how many more games would tell more.

    \b
    Example:  simkit playtests pig > table.csv
    """
    if file is None:
        click.echo(",".join(columns_of(registry.game(game))))
        return
    result = api.playtests(game, file, strategies, **given.keywords())
    names = ["playtests", "playtest_seats", "playtest_fits"]
    print_study(
        result, given.as_json, lambda part: {name: getattr(part, name).rows(named=True) for name in names}
    )
