"""A person at the terminal: the table, the legal actions in words, and a prompt."""

import re
from pathlib import Path
from typing import Any

import click

from simkit.cli.output import say
from simkit.engine import registry
from simkit.engine.game import Game
from simkit.engine.strategy import PERSON
from simkit.errors import UsageError
from simkit.page.words.numbers import capital, name_seats
from simkit.runs import narrate, people
from simkit.runs.experiment import Experiment
from simkit.runs.plan import make_plan

MAX_LISTED = 20  # actions on a screen


def play_with_person(request: Experiment, seat: int, folder: Path | None, explains: bool) -> None:
    """Play a game with a person in a seat, say how it ended, and where it is kept.

    With `explains`, also what the person's decisions were worth.
    """
    labels = make_plan(request).cells[0].labels
    if seat >= len(labels):
        raise UsageError(f"there is no seat {seat}: the seats of this game are 0 to {len(labels) - 1}")
    game, others = registry.game(request.game), labels[:seat] + labels[seat + 1 :]
    say(welcome(game, seat, others))
    labels[seat] = PERSON.name
    folder = folder or Path("people", re.sub(r"[^\w.-]+", "-", "-".join([request.game, *labels])))
    request = request.with_keys(lineups=[labels], rotate=False)
    state = people.play(request, folder, seat, _ask, lambda line: say(name_seats(line)), explains)[0]
    say("\n" + game.show(state, game.rules(request.options)[0]))
    say(f"Over: {ending(game, state, seat)}.")
    say(f"Kept in {folder}   report: simkit report {folder}")


def welcome(game: Game, seat: int, others: list[str]) -> str:
    """Return who the person is, against whom, and what the game is about."""
    names, number = game.words.seats, f"seat {seat + 1} of {len(others) + 1}"
    who = f"{names[seat]}, {number}" if seat < len(names) else number
    against = f" {'with' if game.team else 'against'} {' and '.join(others)}" if others else ""
    about = f" {capital(game.summary)}." if game.summary else ""
    return f"{game.title}: you are {who},{against}.{about}"


def ending(game: Game, state: Any, seat: int) -> str:
    """Return whether the person in a seat won: the side of the seat, or with which scores."""
    won = state.rank[seat] == 1
    if sides := narrate.sides_of(game, state):
        own = f"your side, the {sides[seat]},"
        return f"{own} won" if won else f"{narrate.winners_in_words(game, state)} won, and {own} did not"
    scores = " to ".join(str(score) for score in state.score[: state.seats])
    return f"{'you win' if won else 'you do not win'}, {scores} {game.words.score}"


def _ask(table: list[str], actions: list[str], may_undo: bool) -> int:
    """Show the table and the legal actions, and return the index of the one that is chosen, UNDO or WHY."""
    say("\n" + "\n".join(f"    {line}" for line in table))
    listed = list(range(len(actions)))
    while True:
        for place in listed[:MAX_LISTED]:
            say(f"{place + 1:>4}  {actions[place]}")
        if len(listed) > MAX_LISTED:
            say(f"      and {len(listed) - MAX_LISTED} more: type words that an action has, to list it")
        text = click.prompt(
            f"number, words, ? for what they are worth{', u to undo' if may_undo else ''}, q to leave",
            prompt_suffix=" > ",
        )
        if text == "q":
            raise click.Abort
        if text == "?":
            return people.WHY
        if text == "u" and may_undo:
            return people.UNDO
        if text.isdigit() and 1 <= int(text) <= len(actions):
            return int(text) - 1
        listed = [place for place, words in enumerate(actions) if text.lower() in words.lower()]
        listed = listed or list(range(len(actions)))
