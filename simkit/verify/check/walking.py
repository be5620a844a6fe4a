"""Random games stepped through from outside, compiled or as plain Python, and watched on the way.

Plain Python keeps to the bounds of arrays, the state is read-only for those who may only look, and a fault
has a line: a game is walked so before compiled code is trusted with it.
"""

import linecache
import random
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from simkit.engine.compile import traceback
from simkit.engine.compile.compile_errors import is_content
from simkit.engine.game import OVER, Game
from simkit.engine.kernel import Table
from simkit.engine.stepper import Driver, driver
from simkit.errors import PlayError, UsageError, brief

STEPS_LOOKED_AT = 4_000
GUARD, UNTOUCHED = 64, -(2**62)  # places behind the buffer of legal actions, and what stands there
SAID = {"start": "setup", "step": "apply"}  # as a game's author knows them
CHANGES = ("setup", "apply", "redeal")  # change a state; all others only look
FIRST, GARBAGE = 0, 0x5A  # bytes that a view is written over
Array = np.ndarray
Kept = list[tuple[Array, bytes]]  # arrays, and what they held


class Call(NamedTuple):
    """A call of a function of a game."""

    number: int
    name: str


last_call = Call(0, "")


def place(function: Any) -> str:
    """Where a function of a game stands, for the end of a line."""
    code = getattr(getattr(function, "py_func", function), "__code__", None)
    if code is None:
        return ""
    lines = linecache.getlines(code.co_filename)[code.co_firstlineno - 1 :]  # decorators stand before it
    before = next((i for i, text in enumerate(lines) if text.lstrip().startswith("def ")), 0)
    return f" ({code.co_filename}:{code.co_firstlineno + before})"


def line(error: BaseException) -> str:
    """The line of a game or strategy that failed, for the end of a line."""
    at = traceback.of(error)
    return f" ({at})" if at else ""


@contextmanager
def calling(name: str) -> Iterator[None]:
    """What goes wrong in a function of a game, in one line with its place."""
    global last_call
    last_call = Call(last_call.number + 1, name)
    try:
        yield
    except (PlayError, UsageError):
        raise
    except Exception as error:  # whatever a game's functions raise is what is looked for
        what = brief(error)
        if isinstance(error, ValueError) and "read-only" in what:
            changed = "the rules" if name in CHANGES else "the state or the rules"
            raise PlayError(f"{name} changes {changed}, which it may only read{line(error)}") from error
        if isinstance(error, OverflowError | FloatingPointError) and "divi" not in what:
            cure = "give the field more bits, or calculate with int(s.field)"
            raise PlayError(
                f"{name} lets a number outgrow its field ({error}): {cure}{line(error)}"
            ) from error
        raise PlayError(f"{name} fails: {what}{line(error)}") from error


def copied(states: Array) -> Array:
    """A copy, byte by byte (a hundred times faster than field by field)."""
    return np.frombuffer(bytearray(states.tobytes()), states.dtype)


def locked(states: Array) -> Array:
    """The same memory, read-only from Python."""
    view = states.view()
    view.flags.writeable = False
    return view


class Walk:
    """A game on its way at a table; `s` is the state, read-only."""

    def __init__(self, table: Table, compiled: bool = True) -> None:
        self.table, self.game, self.compiled = table, table.game, compiled
        plain: Any = [entry.function for entry in driver(self.game)]
        self.plain = Driver(*plain)
        self.states = np.zeros(1, self.game.state_dtype)
        self.s: Any = locked(self.states)[0]
        self.last: tuple[str, int, Kept] = ("start", self.game.seats[0], [])
        self.room = np.full(self.game.max_actions + GUARD, UNTOUCHED)

    def positions(self, deal: int, seats: int) -> Iterator[Array]:
        """The legal actions at each position of one random game, to its end (none at the end)."""
        luck = random.Random(deal)
        self.table.open_luck(1, deal)
        self.states.view(np.uint8)[:] = 0
        self._go("start", seats)
        self._check_seat("setup", seats)
        yield from self.onward(luck, STEPS_LOOKED_AT)

    def onward(self, luck: random.Random, steps: int) -> Iterator[Array]:
        """The legal actions at the position as it is and at each one after it, for at most so many steps."""
        game, seats = self.game, int(self.s.seats)
        for taken in range(steps):
            over = self.s.seat == OVER
            if taken == game.max_steps and not over:
                raise PlayError(f"the game goes on after max_steps = {taken} actions{place(game.apply)}")
            ids = self.room[:0].copy() if over else self.legal(self.states)
            yield ids
            if over:
                return
            action = int(luck.choice(ids))
            self._go("step", action)
            self._check_seat(f"apply (action {action})", seats)

    def legal(self, states: Array) -> Array:
        """The legal actions, of which there is at least one; to find them changes nothing else."""
        most, before = self.game.max_actions, states.tobytes()
        self.room[:] = UNTOUCHED
        n = int(self.call("legal", states, self.table.rules, self.room))
        if (self.room[most:] != UNTOUCHED).any():
            raise PlayError(f"legal writes beyond its end, max_actions = {most}{self._beyond(states)}")
        if states.tobytes() != before:
            raise PlayError(f"legal changes the state, which it may only read{place(self.game.legal)}")
        if not 1 <= n <= most:
            few = f"seat {states[0].seat} has no legal action although the game is not over"
            many = f"legal says {n} legal actions, max_actions = {most}"
            raise PlayError(f"{few if n < 1 else many}{place(self.game.legal)}")
        return self.room[:n].copy()

    def _beyond(self, states: Array) -> str:
        """The line that writes beyond the buffer of legal actions."""
        try:
            self.plain.legal(locked(states), self.table.rules, self.room[: self.game.max_actions])
        except IndexError as error:
            return line(error)
        return place(self.game.legal)

    def view(self, states: Array, seat: int, over: int = FIRST) -> Array:
        """What a seat sees, written over bytes of one value."""
        views = np.frombuffer(bytearray([over]) * states.itemsize, states.dtype)
        self.call("observe", states, self.table.rules, seat, views)
        return views

    def call(self, name: str, states: Array, *rest: Any) -> Any:
        """A function of the game; a fault of compiled code is repeated uncompiled, which knows its line."""
        said = SAID.get(name, name)
        looks = name in ("legal", "observe")
        with calling(said):
            if not self.compiled:
                with np.errstate(all="raise", under="ignore"):
                    return getattr(self.plain, name)(locked(states) if looks else states, *rest)
            before = self._kept(states)
            try:
                return getattr(driver(self.game), name)(states, *rest)
            except Exception:
                restore(before)
                getattr(self.plain, name)(states, *rest)
                raise

    def line_when(self, met: Callable[[Any], bool]) -> str:
        """The line of the setup or the last action after which the state was such, for the end of a line."""
        found, last = list[str](), ""

        def watch(frame: Any, event: str, argument: Any) -> Any:
            nonlocal last
            if not is_content(Path(frame.f_code.co_filename)):
                return None
            if met(self.s) and last:
                found.append(last)
            last = f" ({frame.f_code.co_filename}:{frame.f_lineno})"
            return watch

        name, argument, before = self.last
        restore(before)
        with tracing(watch):
            getattr(self.plain, name)(self.states, self.table.rules, self.table.rng, argument)
        return (found or [last])[0]

    def _go(self, name: str, argument: int) -> None:
        """The setup or an action, which may be repeated."""
        self.last = (name, argument, self._kept(self.states))
        self.call(name, self.states, self.table.rules, self.table.rng, argument)

    def _kept(self, states: Array) -> Kept:
        return [(array, array.tobytes()) for array in (states, self.table.rng)]

    def _check_seat(self, who: str, seats: int) -> None:
        """Somebody who sits there is to decide, or nobody."""
        s = self.s
        if s.seats != seats:
            at = self.line_when(lambda s: s.seats != seats)
            raise PlayError(f"{who} changes s.seats from {seats} to {s.seats}{at}")
        if not OVER <= s.seat < seats:
            at = self.line_when(lambda s: not OVER <= s.seat < seats)
            right = f"0 to {seats - 1}, or OVER"
            raise PlayError(f"{who} leaves s.seat = {s.seat} in a game of {seats} seats ({right}){at}")
        if not 0 <= s.first < seats:
            at = self.line_when(lambda s: not 0 <= s.first < seats)
            raise PlayError(f"{who} leaves s.first = {s.first} in a game of {seats} seats{at}")


def restore(kept: Kept) -> None:
    for array, raw in kept:
        array.view(np.uint8)[:] = np.frombuffer(raw, np.uint8)


@contextmanager
def tracing(watch: Callable[..., Any]) -> Iterator[None]:
    """Have the lines of Python watched, see `sys.settrace`."""
    before = sys.gettrace()
    sys.settrace(watch)
    try:
        yield
    finally:
        sys.settrace(before)


def positions(table: Table, deal: int, seats: int | None = None) -> Iterator[tuple[Any, Array]]:
    """States along one random game, compiled, with the legal actions of each, to its end."""
    walk = Walk(table)
    for ids in walk.positions(deal, seats or table.game.seats[0]):
        yield walk.s, ids


def walked(
    game: Game, setting: dict[str, Any], compiled: bool, games: int
) -> Iterator[tuple[Walk, Array, str]]:
    """All positions of some random games, of fewest to most seats, and which game it is."""
    walk, (low, high) = Walk(Table(game, game.rules(setting)), compiled), game.seats
    for deal in range(games):
        seats = low + deal % (high - low + 1)
        where = f"({setting or 'rulebook options'}, deal {deal}, {seats} seats)"
        try:
            for ids in walk.positions(deal, seats):
                yield walk, ids, where
        except PlayError as error:
            raise PlayError(f"{error} {where}") from error
