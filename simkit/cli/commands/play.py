"""The play command: narration of one game. It imports little, so that the output begins at once."""

from functools import partial
from pathlib import Path
from typing import Any

import click
from click import option

from simkit.api.requests import Deal, ask, say_files
from simkit.cli.options import COUNT, Given, command, ranged, shared
from simkit.cli.output import print_json, print_story
from simkit.runs import narrate
from simkit.runs.plan import make_plan

LINEUP = "Strategies by seat: name, name(weight=value), name@preset, name*4."
HUMAN = "Decide for SEAT yourself (the first seat is 0); the game is kept with those before it."
OUT = "Folder of the games with --human (default: people/ and the lineup)."


@command("Games")
@click.argument("game")
@option("--lineup", metavar="A,B,...", help=LINEUP)
@shared("seed", "set", "files", "story", "json")
@option("--deal", type=ranged(Deal), default=0, help="Number of the deal.")
@option("--as-seat", type=COUNT, metavar="SEAT", help="Show only what SEAT sees; the first seat is 0.")
@option("--human", type=COUNT, metavar="SEAT", help=HUMAN)
@option("-o", "--out", metavar="DIR", help=OUT)
def play(
    given: Given, game: str, lineup: str | None, deal: int, as_seat: int | None, human: int | None
) -> None:
    """Play one game and narrate it, or play it yourself.

    With --human you see what your seat sees, and choose by number. `simkit report` reads the folder of your
    games like any run.

    \b
    Example:  simkit play pig --lineup hold_at,random --seed 3 --brief
    """
    keys: dict[str, Any] = {"lineups": [lineup] if lineup else [], "seed": given.seed, "deals": deal + 1}
    keys |= {"options": given.settings, "files": given.files}
    request = ask(game, f"One game of {game}", keys)
    if human is not None:
        from simkit.cli.seat_of_person import play_with_person

        play_with_person(request, human, Path(given.out) if given.out else None)
        return
    plan = make_plan(request)
    cell = plan.cells[0]
    if given.as_json:
        print_json(narrate.document(request, cell, deal, as_seat))
        return
    telling = narrate.Telling(as_seat, given.brief, given.board or not given.brief)
    story = narrate.narrate(request, cell, deal, telling=telling)
    say_files(plan, partial(click.echo, err=True))
    print_story(story, given.brief)
