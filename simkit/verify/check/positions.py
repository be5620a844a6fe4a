"""Positions that a game brings: given a state, when something happens, then facts hold."""

import re
from collections.abc import Iterator
from typing import Any

import numpy as np

from simkit.engine.game import Game, Position
from simkit.engine.rule_helpers import OVER
from simkit.engine.table import GameTable
from simkit.errors import PlayError, UsageError, look_up
from simkit.verify.check.walking import Array, Walk, calling

PART = r"(\w+)(?:\[([\d, ]+)\])?"
LEGAL, END = "legal", "end"


def position_faults(game: Game, position: Position) -> tuple[list[str], Walk]:
    """Return what is wrong after a position, and the game in progress."""
    walk, where = _set_up(game, position), f"position of {position.clause}: "
    try:
        _edit(walk, position.given)
        _act(walk, position.when)
        with calling("problems"):
            faults = [f"breaks: {problem}" for problem in game.problems(walk.s, walk.table.rules[0])]
        faults += [
            fault for name, value in position.then.items() for fault in _fact_faults(walk, name, value)
        ]
    except (PlayError, UsageError) as error:
        faults = [str(error)]
    return [f"{where}{fault} ({vars(position)['line']})" for fault in faults], walk


def _set_up(game: Game, position: Position) -> Walk:
    """Return a game at its first position."""
    walk = Walk(GameTable(game, game.rules(position.options)))
    next(walk.positions(position.deal, position.seats or game.seats[0]))
    return walk


def _edit(walk: Walk, given: Any) -> None:
    """Change the state as it is given."""
    s = walk.states[0]
    if callable(given):
        with calling("given"):
            given(s, walk.table.rules[0])
        return
    for path, value in given.items():
        record, name, places = _reach(s, path)
        with calling(f"given {path}"):
            if places:
                record[name][places] = value
            elif np.ndim(value):
                record[name][: len(value)] = value
            else:
                record[name] = value


def _act(walk: Walk, when: Any) -> None:
    """Carry out actions, or let something happen."""
    if callable(when):
        with calling("when"), np.errstate(all="raise", under="ignore"):
            when(walk.states[0], walk.table.rules[0], walk.table.rng[0])
        return
    for action in () if when is None else np.atleast_1d(when).tolist():
        ids = [] if walk.s.seat == OVER else walk.legal(walk.states).tolist()
        if action not in ids:
            raise PlayError(f"action {action} is not legal, only {ids}")
        walk.call("apply", walk.states, action, walk.table.rng[0])


def _fact_faults(walk: Walk, name: str, expected: Any) -> Iterator[str]:
    """Yield what is wrong with a fact."""
    if callable(expected):
        with calling(name):
            if not expected(walk.s, walk.table.rules[0]):
                yield f"{name}: is not true"
        return
    with calling(name):
        actual, words = _fact(walk, name, expected)
    if actual != np.asarray(expected).tolist():
        yield f"{name} is {actual}, expected {words}"


def _fact(walk: Walk, name: str, expected: Any) -> tuple[Any, Any]:
    """Return a fact in a form to compare with what is expected, and what is expected in words."""
    if name == LEGAL:
        return ([] if walk.s.seat == OVER else walk.legal(walk.states).tolist()), expected
    if name == END:
        name = "log.game.end_reason"
    record: Any = walk.s
    if view := re.fullmatch(r"view\[(\d+)\]\.(.*)", name):
        record, name = walk.view(walk.states, int(view[1]))[0], view[2]
    inner, last, places = _reach(record, name)
    value = np.asarray(inner[last])[places] if places else np.asarray(inner[last])
    if value.ndim and np.ndim(expected) == value.ndim:
        value = value[tuple(slice(length) for length in np.shape(expected))]
    return value.tolist(), getattr(expected, "name", expected)


def _reach(record: Any, path: str) -> tuple[Any, str, tuple[int, ...]]:
    """Return the record that holds a field, its name, and places within it; UsageError if there is none."""
    *outer, last = path.split(".")
    for part in outer:
        name, places = _part(record, part, path)
        record = record[name][places] if places else record[name]
    return record, *_part(record, last, path)


def _part(record: Array | Any, part: str, path: str) -> tuple[str, tuple[int, ...]]:
    """Return name and places of a part of a path."""
    match = re.fullmatch(PART, part)
    if match is None or not record.dtype.names:
        raise UsageError(f"'{path}' is no field of the state, such as hand[0, 2] or log.game.turns")
    name = look_up(f"field in '{path}'", match[1], {n: n for n in record.dtype.names})
    return name, tuple(int(i) for i in match[2].split(",")) if match[2] else ()
