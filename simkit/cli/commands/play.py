"""Games: Play one game and narrate it, or play it yourself.

The command imports little, so that the output begins at once.
"""

from functools import partial
from pathlib import Path
from typing import Any

import click
from click import option

from simkit.ask.requests import ask, say_inputs
from simkit.cli.options import Whole, command, shared_options, within
from simkit.cli.output import print_json, print_story
from simkit.engine import limits
from simkit.runs import narrate
from simkit.runs.plan import make_plan

LINEUP = "Strategies by seat: name, name(weight=value), name@preset, name*4."
DEAL = within({"ge": 0, "lt": limits.DEALS["le"]})
COUNT = Whole(min=0)
HUMAN = "Decide for SEAT yourself (the first seat is 0); the game is kept with those before it."
OUT = "Folder of the games with --human (default: people/ and the lineup)."


@command()
@click.argument("game")
@option("--lineup", metavar="A,B,...", help=LINEUP)
@shared_options("options", "files", "brief", "board", "why", "json", seed=1)
@option("--deal", type=DEAL, default=0, help="Number of the deal.")
@option("--as-seat", type=COUNT, metavar="SEAT", help="Show only what SEAT sees; the first seat is 0.")
@option("--human", type=COUNT, metavar="SEAT", help=HUMAN)
@option("-o", "--out", metavar="DIR", help=OUT)
def play(
    game: str,
    lineup: str | None,
    seed: int,
    deal: int,
    as_seat: int | None,
    human: int | None,
    out: str | None,
    options: dict[str, Any],
    files: dict[str, str],
    brief: bool,
    board: bool,
    why: bool,
    as_json: bool,
) -> None:
    """Play one game and narrate it, or play it yourself.

    With --human you see what your seat sees, and choose by number; ? says what your choices are worth.
    `simkit report` reads the folder of your games like any run. With --why, a strong player values decisions.

    \b
    Example:  simkit play pig --lineup hold_at,random --seed 3 --brief
    """
    keys: dict[str, Any] = {"lineups": [lineup] if lineup else [], "seed": seed, "deals": deal + 1}
    keys |= {"options": options, "files": files}
    request = ask(game, f"One game of {game}", keys)
    if human is not None:
        from simkit.cli.seat_of_person import play_with_person

        play_with_person(request, human, Path(out) if out else None, why)
        return
    plan = make_plan(request)
    cell, telling = plan.cells[0], narrate.Telling(as_seat, brief, board or not brief, why)
    if as_json:
        print_json(narrate.document(request, cell, deal, telling))
        return
    story = narrate.narrate(request, cell, deal, telling=telling)
    say_inputs(plan, partial(click.echo, err=True))
    print_story(story, brief)
