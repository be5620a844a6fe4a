"""A person at the terminal: the table, the legal actions in words, and a prompt."""

import re
from pathlib import Path

import click

from simkit.cli.output import say
from simkit.engine import registry
from simkit.engine.strategy import PERSON
from simkit.errors import UsageError
from simkit.runs import people
from simkit.runs.experiment import Experiment
from simkit.runs.plan import make_plan

MAX_LISTED = 20  # actions on a screen


def play_with_person(request: Experiment, seat: int, folder: Path | None) -> None:
    """Play a game with a person in a seat, say how it ended, and where it is kept."""
    labels = make_plan(request).cells[0].labels
    if seat >= len(labels):
        raise UsageError(f"there is no seat {seat}: the seats of this game are 0 to {len(labels) - 1}")
    labels[seat] = PERSON.name
    folder = folder or Path("people", re.sub(r"[^\w.-]+", "-", "-".join([request.game, *labels])))
    request = request.with_keys(lineups=[labels], rotate=False)
    state = people.play(request, folder, seat, _ask, say)[0]
    game = registry.game(request.game)
    say("\n" + game.show(state, game.rules(request.options)[0]))
    scores = " to ".join(str(score) for score in state.score[: len(labels)])
    words = "you win" if state.rank[seat] == 1 else "you do not win"
    say(f"Over: {words}, {scores} {game.words.score}.")
    say(f"Kept in {folder}   report: simkit report {folder}")


def _ask(table: list[str], actions: list[str], may_undo: bool) -> int:
    """Show the table and the legal actions, and return the index of the one that is chosen, or UNDO."""
    say("\n" + "\n".join(f"    {line}" for line in table))
    listed = list(range(len(actions)))
    while True:
        for place in listed[:MAX_LISTED]:
            say(f"{place + 1:>4}  {actions[place]}")
        if len(listed) > MAX_LISTED:
            say(f"      and {len(listed) - MAX_LISTED} more: type words that an action has, to list it")
        text = click.prompt(
            f"number, words{', u to undo' if may_undo else ''}, q to leave", prompt_suffix=" > "
        )
        if text == "q":
            raise click.Abort
        if text == "u" and may_undo:
            return people.UNDO
        if text.isdigit() and 1 <= int(text) <= len(actions):
            return int(text) - 1
        listed = [place for place, words in enumerate(actions) if text.lower() in words.lower()]
        listed = listed or list(range(len(actions)))
