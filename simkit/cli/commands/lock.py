"""The lock command: write the balance targets of a game into a lock file."""

import click
from click import option

from simkit.api import gate as api
from simkit.cli.gated import print_gated
from simkit.cli.options import Given, Texts, command, ranged, shared
from simkit.runs.schemas.lock import DealsOfTest

CLAIM = 'Target, such as "first player wins 48 to 52" or "turns 25 to 35 with PLAYER"; repeatable.'
LINEUP = "Players of claims that name none, by seat (default: the game's reference strategy)."


@command("Questions")
@click.argument("game", metavar="GAME_OR_EXPERIMENT")
@option("-o", "--out", "file", default="balance.lock", metavar="FILE", help="Lock file to write.")
@option("--claim", "claims", multiple=True, metavar="TEXT", help=CLAIM)
@option("--lineup", default="", show_default=False, metavar="A,B,...", help=LINEUP)
@option("--deals", type=ranged(DealsOfTest), default=20_000, help="Deals that a test may take.")
@shared("seed", "set", "files", "workers", "json")
def lock(given: Given, game: str, file: str, claims: Texts, lineup: str) -> None:
    """Write down the balance targets of a game.

    You get a lock file with each claim, its measured value and interval, the players, the seed, and digests
    of rules, players and cards. Edit its claims as you like; `simkit gate` tests changed rules against them.

    \b
    Example:  simkit lock pig --claim "first player wins 50 to 60" --claim "turns 10 to 40"
    """
    print_gated(api.lock(game, claims, file=file, lineup=lineup, **given.keywords()), given.as_json)
