"""Checks of views: `observe` changes nothing, and what `redeal` may vary is hidden from the seat."""

import random
from collections.abc import Iterator
from contextlib import AbstractContextManager, suppress
from typing import Any

import numpy as np

from simkit.engine.game import OVER, Game, redeal_nothing
from simkit.engine.table import Player
from simkit.errors import PlayError
from simkit.verify.check.walking import FIRST, GARBAGE, Array, Walk, calling, copied, place, tracing

CURE = 'observe may copy the fields before it: clone_before(view, s, "log")'
REDEALS = 4  # of each view
PROBES = 300  # most fields of views that are blanked
LINES = 20_000  # most lines of Python that a redeal of an impossible view may run


def faults(walk: Walk, ids: Array) -> Iterator[str]:
    """Yield the problems of the legal actions, and of the views of the seat to decide and a random one."""
    if (np.diff(ids) <= 0).any():
        yield f"legal actions are not ascending: {ids.tolist()}{place(walk.game.legal)}"
    some_seat = random.Random(walk.states.tobytes()).randrange(walk.s.seats)
    for seat in {int(walk.s.seat), some_seat} - {OVER}:
        yield from _view_faults(walk, seat)


def _view_faults(walk: Walk, seat: int) -> Iterator[str]:
    """Yield the problems of the view of a seat, and of states redealt from it."""
    game, view = walk.game, walk.view(walk.states, seat)
    if any(view["log"].tobytes()):
        yield f"seat {seat} sees the log: {CURE}{place(game.observe)}"
    for _ in range(REDEALS):
        copy = copied(view)
        walk.call("redeal", copy, seat, walk.stream)
        view_again = walk.view(copy, seat)
        if view_again.tobytes() != view.tobytes():
            field = difference(view[0], view_again[0])
            yield f"seat {seat} sees {field}, which redeal changes: observe must hide it{place(game.observe)}"
            return
        if copy[0].seat != OVER:
            walk.legal(copy)


def difference(record: Any, other: Any) -> str:
    """Return the first place at which two records differ, such as `hand[1][3]`."""
    for name in record.dtype.names:
        a, b = record[name], other[name]
        if a.tobytes() == b.tobytes():
            continue
        if a.dtype.names and not a.shape:
            return f"{name}.{difference(a, b)}"
        first = np.argwhere(np.asarray(a != b))
        return f"{name}{''.join(f'[{i}]' for i in first[0])}"
    return ""


def writes(walk: Walk, ids: Array, player: Player) -> bool:
    """Return whether a strategy that decides at a position changes its view."""
    view, stream = walk.view(walk.states, int(walk.s.seat)), np.array([7], np.uint64)
    before = view.tobytes()
    with calling(f"{player.label}, asked in a random game,"):
        walk.table.decide(player, view[0], ids, stream, 0)
    return view.tobytes() != before


class ViewWrites:
    """Tracker of the fields that `observe` writes.

    A view is zero when a game begins, and each observation overwrites the one before. So `observe` must write
    a field of the state always or never, and the fields common to all games always.
    """

    def __init__(self, game: Game) -> None:
        self.game, self.optional = game, {field.name for field in game.state}
        self.written: dict[str, set[str]] = {name: set() for name in game.state_fields}  # all, none, part

    def faults(self, walk: Walk, ids: Array) -> Iterator[str]:
        """Yield the first field that `observe` writes only in part, or in some views only."""
        for seat in range(walk.s.seats):
            first, over = (walk.view(walk.states, seat, fill) for fill in (FIRST, GARBAGE))
            for name, written in self.written.items():
                content = over[name].tobytes()
                untouched = content == bytes([GARBAGE]) * len(content)
                written.add("all" if content == first[name].tobytes() else "none" if untouched else "part")
                if written != {"all"} and (written != {"none"} or name not in self.optional):
                    fault = f"observe writes {name} of the view only in part, or only at times"
                    yield f"{fault}: write all of it each time{place(self.game.observe)}"
                    return


class Leaks:
    """Tracker of fields that `observe` always shows a seat, but `redeal` draws at random if blank."""

    def __init__(self, game: Game) -> None:
        self.game, self.left = game, PROBES
        self.names = [f.name for f in game.state if game.state_dtype[f.name].base.kind == "i"]
        self.hidden: set[tuple[str, int, int]] = set()  # field, seats, seat: hidden at least at times
        self.drawn: set[tuple[str, int, int]] = set()

    def look(self, walk: Walk, ids: Array) -> None:
        """Blank the view of the seat to decide, field by field, and redeal."""
        seats, seat = int(walk.s.seats), int(walk.s.seat)
        if seat == OVER or self.game.redeal is redeal_nothing:
            return
        view = walk.view(walk.states, seat)
        seen = [view, walk.states, *self._redealt(walk, view, seat)]
        for name in self.names:
            key = (name, seats, seat)
            if len({state[name].tobytes() for state in seen}) > 1:
                self.hidden.add(key)
            elif key not in self.hidden | self.drawn and self.left > 0:
                self.left -= 1
                if any(self._draws(walk, view, seat, name, blank) for blank in (-1, 0)):
                    self.drawn.add(key)

    def _draws(self, walk: Walk, view: Array, seat: int, name: str, blank: int) -> bool:
        """Return whether `redeal` puts different values into a field that is blank for all other seats."""
        blanked = copied(view)
        blanked[name] = blank
        if blanked[name].shape[1:2] == (self.game.max_seats,):
            blanked[name][0, seat] = view[name][0, seat]
        if blanked[name].tobytes() == view[name].tobytes():
            return False
        with suppress(Exception), lines_at_most(LINES):  # redeal may fail on an impossible view
            return len({copy[name].tobytes() for copy in self._redealt(walk, blanked, seat)}) > 1
        return False

    def _redealt(self, walk: Walk, view: Array, seat: int) -> list[Array]:
        """Return several states redealt from a view."""
        copies = [copied(view) for _ in range(REDEALS)]
        for copy in copies:
            walk.call("redeal", copy, seat, walk.stream)
        return copies

    def faults(self) -> list[str]:
        """Return the problems, after all positions have been observed."""
        fault = "which redeal draws at random where it is blank: observe must hide it"
        leaks = {name: seat for name, _, seat in sorted(self.drawn - self.hidden, reverse=True)}
        return [f"seat {seat} sees {name}, {fault}{place(self.game.observe)}" for name, seat in leaks.items()]


def lines_at_most(limit: int) -> AbstractContextManager[None]:
    """Stop Python code with a PlayError after so many lines."""
    remaining = limit

    def count(frame: Any, event: str, argument: Any) -> Any:
        nonlocal remaining
        remaining -= 1
        if remaining < 0:
            raise PlayError("does not end")
        return count

    return tracing(count)
