"""Positions that a game brings: given a state, when something happens, then facts hold."""

import re
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

import numpy as np

from simkit.engine.fields import Field, scalar
from simkit.engine.game import Game, Position, describe_number
from simkit.engine.perspective import Perspective
from simkit.engine.rule_helpers import OVER
from simkit.engine.table import GameTable
from simkit.errors import PlayError, UsageError, look_up
from simkit.verify.check.coverage import SHOWN, first_names
from simkit.verify.check.walking import LINES, Array, Walk, calling, copy_state, lines_at_most, read_only

PART = r"(\w+)(?:\[([\d, ]+)\])?"
LEGAL, END = "legal", "end"
MOST_PLACES = 3  # of a field that a message compares


def position_faults(game: Game, position: Position) -> tuple[list[str], Walk | None]:
    """Return what is wrong after a position, and the game in progress if it can be set up."""
    walk, where = None, f"position of {position.clause}"
    try:
        walk = _set_up(game, position)
        _edit(walk, position.given)
        impossible = _broken(walk)
        where += _act(walk, position.when)
        faults = [
            f"{'given' if problem in impossible else 'the state'} breaks an invariant: {problem}"
            for problem in _broken(walk)
        ]
        faults += [
            fault for name, value in position.then.items() for fault in _fact_faults(walk, name, value)
        ]
    except (PlayError, UsageError) as error:
        faults = [str(error)]
    return [f"{where}: {fault} ({vars(position)['line']})" for fault in faults], walk


def _broken(walk: Walk) -> list[str]:
    """Return the broken invariants."""
    with calling("problems"):
        return list(walk.game.problems(walk.s, walk.table.rules[0]))


def _set_up(game: Game, position: Position) -> Walk:
    """Return a game at its first position."""
    seats, (low, high) = position.seats or game.seats[0], game.seats
    if not low <= seats <= high:
        raise UsageError(f"seats = {seats}, but the game has {low} to {high}")
    walk = Walk(GameTable(game, game.rules(position.options)))
    next(walk.positions(position.deal, seats))
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


def _act(walk: Walk, when: Any) -> str:
    """Carry out actions, or let something happen; return the last action in words."""
    if callable(when):
        with calling("when"), np.errstate(all="raise", under="ignore"):
            when(walk.states[0], walk.table.rules[0], walk.table.rng[0])
        return ", after when"
    before, actions = walk.states, [] if when is None else np.atleast_1d(when).tolist()
    for action in actions:
        if action not in (ids := _legal(walk)):
            if not ids:
                raise PlayError(f"action {action} cannot be taken, since the game is over")
            possible = f"seat {walk.s.seat}, only {_list_actions(walk, ids)}"
            raise PlayError(f"{_action(walk, action)} is not legal for {possible}")
        before = copy_state(walk.states)
        walk.call("apply", walk.states, action, walk.table.rng[0])
    return f", after {_describe(walk, before, actions[-1])}" if actions else ""


def _legal(walk: Walk) -> list[int]:
    """Return the legal actions, none once the game is over."""
    return [] if walk.s.seat == OVER else list(map(int, walk.legal(walk.states)))


def _action(walk: Walk, action: int) -> str:
    """Return an action that could be taken now by its number and in words, which do not depend on luck."""
    words = ""
    with suppress(Exception), lines_at_most(LINES):  # the rules need not stand an illegal action
        words = Perspective(walk.table, None).offer(walk.s, action)
    return _with_words(walk, action, words)


def _describe(walk: Walk, before: Array, action: int) -> str:
    """Return the last action, which was taken in an earlier state, by its number and in words."""
    with calling("describe"), lines_at_most(LINES):
        words = walk.game.describe(read_only(before)[0], walk.table.rules[0], action, walk.s)
    return _with_words(walk, action, words)


def _with_words(walk: Walk, action: int, words: str) -> str:
    described = words and walk.game.describe is not describe_number
    return f"action {action}" + (f" ({words})" if described else "")


def _list_actions(walk: Walk, ids: list[int]) -> str:
    """Return the first of some actions by number and in words."""
    shown = [_action(walk, action).removeprefix("action ") for action in ids[:SHOWN]]
    return first_names([*shown, *map(str, ids[SHOWN:])])


def _fact_faults(walk: Walk, name: str, expected: Any) -> Iterator[str]:
    """Yield what is wrong with a fact."""
    if callable(expected):
        with calling(name):
            if not expected(walk.s, walk.table.rules[0]):
                yield f"'{name}' is not true"
    elif name == LEGAL:
        legal, wanted = _legal(walk), np.atleast_1d(expected).tolist()
        missing = [action for action in wanted if action not in legal]
        surplus = [action for action in legal if action not in wanted]
        texts = [f"lacks {_list_actions(walk, missing)}, which is expected"] if missing else []
        texts += [f"has {_list_actions(walk, surplus)}, which is not expected"] if surplus else []
        if texts:
            yield f"legal {'; '.join(texts)}"
    else:
        with calling(name):
            yield from _differences(walk, "log.game.end_reason" if name == END else name, expected, name)


def _differences(walk: Walk, path: str, expected: Any, name: str) -> Iterator[str]:
    """Yield how a field, or what a seat sees of it, differs from what is expected."""
    record, says = walk.s, "is"
    if view := re.fullmatch(r"view\[(\d+)\]\.(.*)", path):
        if (seat := int(view[1])) >= walk.s.seats:
            raise UsageError(f"'{name}': there is no seat {seat}, only 0 to {walk.s.seats - 1}")
        record, path = walk.view(walk.states, seat)[0], view[2]
        name, says = path, f"is seen by seat {seat} as"
    inner, last, places = _reach(record, path)
    value = np.asarray(inner[last])[places] if places else np.asarray(inner[last])
    if value.ndim and np.ndim(expected) == value.ndim:
        value = value[tuple(slice(length) for length in np.shape(expected))]
    if value.tolist() == np.asarray(expected).tolist():
        return
    if value.shape != np.shape(expected):
        yield f"{name} {says} {value.tolist()}, expected {expected}"
        return
    field, bare = _field(walk.game, path, last), re.sub(r"\[[\d, ]+\]$", "", name)
    wrong = [(*places, *map(int, place)) for place in np.argwhere(value != np.asarray(expected))]
    texts = [
        f"{bare}{_place(field, place)} {says} {_number(field, inner[last][place])}, "
        f"expected {_number(field, np.asarray(expected)[place[len(places) :]])}"
        for place in wrong[:MOST_PLACES]
    ]
    more = len(wrong) - MOST_PLACES
    yield "; ".join(texts) + (f"; and {more} more places differ" if more > 0 else "")


def _field(game: Game, path: str, name: str) -> Field:
    """Return the declaration of a field."""
    fields = [*game.game_fields, *game.log.seat] if path.startswith("log.") else game.fields
    return next((field for field in fields if field.name == name), scalar(name, "i8", ""))


def _place(field: Field, place: tuple[int, ...]) -> str:
    """Return a place in a field, with the names of its axes.

    >>> _place(Field("hand", "i1", (2, 5), "Cards held [seat, card]"), (1, 4))
    '[1, 4] (seat 1, card 4)'
    """
    named = ", ".join(f"{axis} {i}" for axis, i in zip(field.axes, place, strict=False))
    return f"{list(place)}" + (f" ({named})" if named else "") if place else ""


def _number(field: Field, number: Any) -> str:
    """Return a number of a field, with its name if it has one."""
    members: Any = field.kind if isinstance(field.kind, type) else ()
    name = next((member.name for member in members if member == number), "")
    return f"{name} ({number})" if name else str(number)


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
    name = look_up("field", match[1], {n: n for n in record.dtype.names})
    return name, tuple(int(i) for i in match[2].split(",")) if match[2] else ()
