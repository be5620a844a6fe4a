"""Columns that the tables of every run have, and the names that a game cannot use because of them."""

import re
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from simkit.engine.fields import Field
from simkit.engine.options import PLAYERS
from simkit.engine.trace_rows import TURN_FIELDS, TURN_KEY
from simkit.errors import UsageError

FAULT = ("fault", "fault_seat", "fault_line")
MEANINGS = {
    "play": "Play id: `simkit replay RUN PLAY` plays this game again",
    "cell": "Cell of the experiment",
    "deal": "Deal: number of the luck of the game",
    "rotation": "Rotation: seat i is played by strategy (i + rotation) of the lineup",
    "game": "Name of the rules",
    "seats": "Number of seats",
    "lineup": "Strategies by seat in rotation 0",
    "winner": "Seat of the only winner, null in draws and where nobody wins: a mean of it skips those games",
    "draw": "Whether two seats or more share the first rank",
    "fault": "What was wrong in a game that failed, null in others",
    "fault_seat": "Seat whose turn it was then, null before the first turn",
    "fault_line": "FILE:LINE of the fault within its project, where it is known",
    "seat": "Seat, 0-based in the order of play",
    "strategy": "Strategy of the seat",
    "first": "Seat that moves first",
    "rank": "Final rank, 1 = winner, ties share it, 0 = lost to the game",
    "share": "Share of the win: 1/k for a win shared by k seats, 1 for all of a team that wins, else 0",
    "score": "Final score, points",
}
# Columns that findings have beside the options of a cell; tests/conftest.py compares them with this file.
RESULTS = Path(__file__).with_name("result_columns.txt").read_text("utf-8").split()
PLAYTESTS = re.compile("(seat|score)_[0-9]+")  # columns of a sheet of playtests, besides those above


def check_names(game: Any) -> None:
    """Refuse options and log fields of a game with the name of another column of the same table."""
    logged = _columns(game.game_fields)
    names = {
        "option": ([own.name for own in game.options], {*MEANINGS, *RESULTS, *PLAYERS, *logged}),
        "field of the log": (logged, {*MEANINGS}),
        "field of the log of a seat": (_columns(game.log.seat), {*MEANINGS}),
        "field of the trace": (_columns(game.log.trace), {*TURN_KEY, *_columns(TURN_FIELDS)}),
    }
    for kind, (own, taken) in names.items():
        for name, times in Counter(own).items():
            if name in taken or times > 1 or (kind == "option" and PLAYTESTS.fullmatch(name)):
                raise UsageError(
                    f"{game.name}: rename the {kind} '{name}': results have a column of that name"
                )


def _columns(fields: Iterable[Field]) -> list[str]:
    return [name for field in fields for name in field.column_names]
