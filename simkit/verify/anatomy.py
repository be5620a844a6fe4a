"""The parts of a game that a strategy deals with: fields of its view, action ids, streams of luck."""

from itertools import islice
from typing import Any

import numpy as np

from simkit.engine.fields import Field
from simkit.engine.game import Game
from simkit.engine.perspective import Perspective, different_fields
from simkit.engine.table import GameTable
from simkit.errors import UsageError
from simkit.verify.check.walking import Walk

GAMES, POSITIONS = 3, 200  # random games, and positions of each at which the views of all seats are compared
DRAWN = {"deal": "when the game is set up", "nature": "during play"}
STEP = "(a step of a choice that later steps complete)"
Row = dict[str, Any]


def fields(game: Game, rules: np.ndarray) -> list[Row]:
    """Return the fields of the state, except the log, and the seats that see them according to random games.

    seen_by: "all"; "own" if each seat sees its own part, or only some seats see it; else "none".
    """
    hidden = {name: set[str]() for name in game.state_fields}
    for deal in range(GAMES):
        walk = Walk(GameTable(game, rules))
        for ids in islice(walk.positions(deal, game.default_seats), POSITIONS):
            if len(ids):
                _note_hidden(walk, hidden)
    return [_described(game, field, hidden[field.name]) for field in game.fields]


def _note_hidden(walk: Walk, hidden: dict[str, set[str]]) -> None:
    """Record for each field whether it is hidden from the seat that decides or only from others.

    If a seat sees its own row of a field, the field is hidden from others.
    """
    by_seats = {field.name for field in walk.game.fields if field.axes[:1] == ["seat"]}
    for seat in range(walk.s.seats):
        view = walk.view(walk.states, seat)[0]
        for name in different_fields(walk.game, view, walk.s):
            by_seat = name in by_seats
            own = not by_seat or view[name][seat].tobytes() != walk.s[name][seat].tobytes()
            hidden[name].add("decider" if own and seat == walk.s.seat else "others")


def _described(game: Game, field: Field, hidden: set[str]) -> Row:
    """Return the row that describes a field."""
    stored: Any = game.state_dtype.fields
    is_enum = isinstance(field.kind, type)
    return {
        "field": field.name,
        "type": field.kind.__name__ if is_enum else stored[field.name][0].base.name,
        "shape": list(field.shape),
        "axes": field.axes,
        "values": field.content.words,
        "meaning": field.words,
        "seen_by": "none" if "decider" in hidden else "own" if hidden else "all",
    }


def actions(game: Game, rules: np.ndarray, seed: int, position: int) -> list[Row]:
    """Return the legal actions at a position (counted from 1) of a random game, and the effect of each."""
    walk = Walk(GameTable(game, rules))
    positions = walk.positions(seed, game.default_seats)
    ids = next(islice(positions, position - 1, None), np.zeros(0, np.int64)).tolist()
    if not ids:
        raise UsageError(f"the random game with seed {seed} ends before position {position}")
    return [{"seat": int(walk.s.seat), "action": action, "meaning": _meaning(walk, action)} for action in ids]


def _meaning(walk: Walk, action: int) -> str:
    """Return the description of an action at the position of a walk."""
    s, after, luck = walk.s.copy(), walk.s.copy(), walk.table.rng[0].copy()
    walk.game.step(after, walk.table.rules[0], action, walk.table.rng[0].copy())
    return Perspective(walk.table, None).describe(s, action, luck, after)[1] or STEP


def streams(game: Game) -> list[Row]:
    """Return the streams of luck by their names in the rules."""
    parts = [name.partition("/") for name in game.streams]
    return [{"stream": f"rng.{name}", "drawn": DRAWN[purpose]} for purpose, _, name in parts]
