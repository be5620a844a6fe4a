"""The playtests command: games of people beside simulated ones."""

import click
from click import option

from simkit.api import playtests as api
from simkit.cli.options import Given, command, shared
from simkit.cli.study import print_study
from simkit.engine import registry
from simkit.runs.extras.playtests import columns_of

NAMES = ("playtests", "playtest_seats", "playtest_fits")


@command("Questions")
@click.argument("game")
@click.argument("file", required=False)
@option("--strategies", metavar="A,B,...", help="Simulated players (default: all that do not search).")
@shared("deals", "seed", "set", "files", "play", "json")
def playtests(given: Given, game: str, file: str | None, strategies: str | None) -> None:
    """Compare games that people played with simulated ones.

    FILE is a sheet (CSV, TSV or XLSX) with a row for each game; without FILE you get its possible columns.
    You get the simulated players that fit, the share of each seat, and how many more games would tell more.

    \b
    Example:  simkit playtests pig > table.csv
    """
    if file is None:
        click.echo(",".join(columns_of(registry.game(game))))
        return
    result = api.playtests(game, file, strategies or "", **given.keywords())
    print_study(result, given.as_json, lambda run: {name: getattr(run, name).to_dicts() for name in NAMES})
