"""Random games stepped through from outside, in plain Python, and observed on the way.

Plain Python respects array bounds, keeps the state read-only for functions that must not change it, and names
the line of a fault.
"""

import random
import sys
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from pathlib import Path
from typing import Any

import numpy as np

from simkit.engine.compile.fingerprint import sets_field
from simkit.engine.compile.messages import author_line, beginning, is_content
from simkit.engine.game import Game
from simkit.engine.rule_helpers import OVER
from simkit.engine.table import GameTable
from simkit.errors import PlayError, UsageError, brief, suggestion

MAX_STEPS = 2_000  # most positions of one game
LONG = 20_000  # actions after which a game that has no end so far is left alone
CHANGES = ("setup", "apply", "redeal")  # functions that change a state; all others only read it
LINES = 20_000  # most lines of Python that a call with an impossible state or action may run
FIRST, GARBAGE = 0, 0x5A  # bytes of a buffer before a view is written into it
Array = np.ndarray
Saved = list[tuple[Array, bytes]]  # arrays with their saved contents

calls = 0  # of functions of a game by this process: the progress of a check


def place(function: Any) -> str:
    """Return file and line of a function of a game in brackets, to end a message with."""
    return f" ({beginning(function)})" if hasattr(getattr(function, "py_func", function), "__code__") else ""


@contextmanager
def calling(name: str) -> Iterator[None]:
    """Turn an exception in a function of a game into a PlayError of one line with its place."""
    global calls
    calls += 1
    try:
        yield
    except (PlayError, UsageError):
        raise
    except Exception as error:  # a game's functions may raise anything
        location = author_line(error)
        raise PlayError(_fault(name, error) + (f" ({location})" if location else "")) from error


def _fault(name: str, error: Exception) -> str:
    """Return what a function of a game did wrong, to judge by its exception."""
    message = brief(error)
    if isinstance(error, ValueError) and "read-only" in message:
        changed = "the rules" if name in CHANGES else "the state or the rules"
        return f"{name} changes {changed}, which it may only read"
    if isinstance(error, OverflowError | FloatingPointError) and "divi" not in message:
        cure = "give the field more bits, or calculate with int(s.field)"
        return f"{name} lets a number outgrow its field ({error}): {cure}"
    if "_clone_before_python() missing" in message:
        return f'{name} calls clone_before without a field: say clone_before(view, s, "log")'
    if isinstance(error, AttributeError) and hasattr(error.obj, "dtype"):
        names = list(error.obj.dtype.names or ())
        return f"{name} fails: there is no field '{error.name}'{suggestion(str(error.name), names)}"
    if "setting an array element" in message or "invalid literal" in message:
        return f"{name} writes what does not fit into a field ({message}): write a whole number"
    return f"{name} fails: {message}"


def copy_state(states: Array) -> Array:
    """Return a copy, byte by byte (a hundred times faster than field by field)."""
    return np.frombuffer(bytearray(states.tobytes()), states.dtype)


def read_only(states: Array) -> Array:
    """Return a read-only view of the same memory."""
    view = states.view()
    view.flags.writeable = False
    return view


class Walk:
    """A game in progress at a table; `s` is its state, read-only. States are arrays of length 1."""

    def __init__(self, table: GameTable, coverage: Any = None) -> None:
        self.table, self.game, self.coverage = table, table.game, coverage
        self.ended = 0  # games that have come to their end
        self.states = np.zeros(1, self.game.state_dtype)
        self.s: Any = read_only(self.states)[0]
        self.last: tuple[str, list[Any], Saved] = ("setup", [], [])
        self.room = np.zeros(self.game.max_actions, np.int64)
        self.stream = np.array([7], np.uint64)  # luck of redeals

    def positions(self, deal: int, seats: int) -> Iterator[Array]:
        """Yield the legal actions at each position of one random game, to its end (none at the end)."""
        self.states.view(np.uint8)[:] = 0
        self.states[0].seats = seats
        self._go("setup", self.table.open_luck(1, deal))
        self._check_seats("setup", seats)
        yield from self.onward(random.Random(deal), MAX_STEPS)

    def branch(self, states: Array) -> "Walk":
        """Return a game that goes on from a state with the same luck, and leaves this one as it is."""
        walk = Walk(GameTable(self.game, self.table.rules))
        walk.states[:], walk.table.rng[:] = states, self.table.rng
        return walk

    def onward(self, rng: random.Random, steps: int) -> Iterator[Array]:
        """Yield the legal actions at the current position and each later one, for at most so many steps."""
        game, seats = self.game, int(self.s.seats)
        for taken in range(steps):
            over = self.s.seat == OVER
            if taken == game.max_steps and not over:
                raise PlayError(f"the game goes on after max_steps = {taken} actions{place(game.apply)}")
            with self._covering():
                ids = self.room[:0].copy() if over else self.legal(self.states)
            if self.coverage:
                self.coverage.look(self, ids)
            yield ids
            if over:
                self.ended += 1
                return
            action = int(rng.choice(ids))
            self._go("apply", action, self.table.rng[0])
            self._check_seats(f"apply (action {action})", seats)

    def legal(self, states: Array) -> Array:
        """Return the legal actions; PlayError if there are none, or more than there may be."""
        n = _whole(self.call("legal", states, self.room), self.game)
        if n < 1:
            none = f"seat {states[0].seat} has no legal action although the game is not over"
            raise PlayError(f"{none}{place(self.game.legal)}")
        if n > self.room.size:
            too_many = f"legal returns {n} legal actions, more than max_actions = {self.room.size}"
            raise PlayError(f"{too_many}{place(self.game.legal)}")
        return self.room[:n].copy()

    def view(self, states: Array, seat: int, over: int = FIRST) -> Array:
        """Return the view of a seat, written into a buffer full of one byte."""
        views = np.frombuffer(bytearray([over]) * states.itemsize, states.dtype)
        self.call("observe", states, seat, views[0])
        return views

    def call(self, name: str, states: Array, *arguments: Any) -> Any:
        """Call a function of the game with a state, the rules and more arguments."""
        function = self.game.step if name == "apply" else getattr(self.game, name)
        s = (states if name in CHANGES else read_only(states))[0]
        with calling(name), np.errstate(all="raise", under="ignore"):
            return function(s, self.table.rules[0], *arguments)

    def line_when(self, condition: Callable[[Any], object]) -> str:
        """Return the line of the setup or the last action after which the condition holds, in brackets."""
        lines, last = list[str](), ""

        def watch(frame: Any, event: str, argument: Any) -> Any:
            nonlocal last
            if not is_content(Path(frame.f_code.co_filename)):
                return None
            if condition(self.s) and last:
                lines.append(last)
            last = f" ({frame.f_code.co_filename}:{frame.f_lineno})"
            return watch

        name, arguments, before = self.last
        restore(before)
        with tracing(watch):
            self.call(name, self.states, *arguments)
        return (lines or [last])[0]

    def _go(self, name: str, *arguments: Any) -> None:
        """Play the setup or an action, saving state and luck so that it can be repeated."""
        self.last = (name, list(arguments), save(self.states, self.table.rng))
        with self._covering():
            self.call(name, self.states, *arguments)

    def _covering(self) -> AbstractContextManager[None]:
        """Note the lines that run, where somebody wants to know."""
        return self.coverage.lines() if self.coverage else nullcontext()

    def find_end(self) -> None:
        """Play on without inspections, if no game has ended so far; PlayError if this has no end either."""
        if not sets_field(self.game.apply, "end_reason"):
            cure = "say end(s, REASON) where the rules end it"
            raise PlayError(f"no game has ended, and apply never ends it: {cure}{place(self.game.apply)}")
        for _ in self.onward(random.Random(1), min(self.game.max_steps - MAX_STEPS, LONG)):
            if self.s.seat == OVER:
                return
        if self.game.max_steps <= LONG:
            most = f"max_steps = {self.game.max_steps} actions"
            raise PlayError(f"the game goes on after {most}{place(self.game.apply)}")

    def _check_seats(self, caller: str, seats: int) -> None:
        """Check that the seat to decide and the first seat exist; otherwise raise PlayError."""
        if fault := _seat_fault(self.s, seats):
            raise PlayError(f"{caller} {fault}{self.line_when(lambda s: _seat_fault(s, seats))}")


def _whole(n: Any, game: Game) -> int:
    """Return the number of legal actions; PlayError if `legal` returns something else."""
    if isinstance(n, int | np.integer) and not isinstance(n, bool):
        return int(n)
    result = "is a generator" if isinstance(n, Iterator) else f"returns {'nothing' if n is None else repr(n)}"
    cure = "write the actions to out[0], out[1], ... and return their number, as offer(out, 1, 3) does"
    raise PlayError(f"legal {result}: {cure}{place(game.legal)}")


def _seat_fault(s: Any, seats: int) -> str:
    """Return what is wrong with the seats of a state, or an empty text."""
    if s.seats != seats:
        return f"changes s.seats from {seats} to {s.seats}"
    if not OVER <= s.seat < seats:
        return f"leaves s.seat = {s.seat} in a game of {seats} seats (0 to {seats - 1}, or OVER)"
    if not 0 <= s.first < seats:
        return f"leaves s.first = {s.first} in a game of {seats} seats"
    return ""


def save(*arrays: Array) -> Saved:
    """Return arrays with their contents, for `restore`."""
    return [(array, array.tobytes()) for array in arrays]


def restore(saved: Saved) -> None:
    """Write saved contents back into their arrays."""
    for array, raw in saved:
        array.view(np.uint8)[:] = np.frombuffer(raw, np.uint8)


@contextmanager
def tracing(watch: Callable[..., Any]) -> Iterator[None]:
    """Trace the lines of Python with a function, see `sys.settrace`."""
    before = sys.gettrace()
    sys.settrace(watch)
    try:
        yield
    finally:
        sys.settrace(before)


@contextmanager
def lines_at_most(limit: int) -> Iterator[Callable[[], int]]:
    """Stop Python code with a PlayError after so many lines; yield a function that returns their number."""
    count = 0

    def watch(frame: Any, event: str, argument: Any) -> Any:
        nonlocal count
        count += 1
        if count > limit:
            raise PlayError("does not end")
        return watch

    with tracing(watch):
        yield lambda: count


def walk_positions(
    game: Game, setting: dict[str, Any], positions: int, deal: int = 0, coverage: Any = None
) -> Iterator[tuple[Walk, Array, str]]:
    """Yield walk, legal actions and a name of the game for all positions of random games with a setting.

    Whole games are played until there are so many positions. The number of seats changes from deal to deal.
    `coverage` notes what the games reach.
    """
    walk, (low, high), count = Walk(GameTable(game, game.rules(setting)), coverage), game.seats, 0
    while count < positions:
        seats = low + deal % (high - low + 1)
        where = f"({setting or 'rulebook options'}, deal {deal}, {seats} seats)"
        try:
            for ids in walk.positions(deal, seats):
                count += 1
                yield walk, ids, where
            if not setting and walk.ended == 0:
                walk.find_end()
        except PlayError as error:
            raise PlayError(f"{error} {where}") from error
        deal += 1
