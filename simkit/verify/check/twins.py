"""Checks by twin games: play does not depend on the log, and goes on from a view to a legal end."""

import random
from collections.abc import Iterator
from typing import Any

from simkit.engine.game import OVER, redeal_nothing
from simkit.engine.table import GameTable
from simkit.engine.tasks import Endless
from simkit.errors import PlayError
from simkit.verify.check.sight import difference
from simkit.verify.check.walking import Array, Walk, copied, place, restore

LOGS = (0, 1)  # values written over every number of the log; views show 0
STEPS = 100  # most actions that are played on from a view


def log_faults(walk: Walk, ids: Array) -> Iterator[str]:
    """Yield a problem for each function of the game that depends on the log at this position."""
    if walk.s.seat == OVER:
        return
    action = int(random.Random(walk.states.tobytes()).choice(ids))
    for name, arguments in (("legal", [walk.room]), ("apply", [action, walk.table.rng[0]])):
        outcomes = {_outcome(walk, name, walk.states, arguments)}
        for number in LOGS:
            other = copied(walk.states)
            other["log"] = number
            outcomes.add(_outcome(walk, name, other, arguments))
        if len(outcomes) > 1:
            cure = "which must not influence play: count in the state what it needs"
            yield f"{name} reads the log, {cure}{place(getattr(walk.game, name))}"


def _outcome(walk: Walk, name: str, states: Array, arguments: list[Any]) -> bytes:
    """Return the result of a call and the state without the log as bytes, or its error message."""
    after, buffers = copied(states), (walk.room, walk.table.rng)
    before = [(buffer, buffer.tobytes()) for buffer in buffers]
    try:
        returned = walk.call(name, after, *arguments)
        results = [_played(after), *(buffer.tobytes() for buffer in buffers), repr(returned).encode()]
        return b"".join(results)
    except PlayError as error:
        if isinstance(error.__cause__, Endless):
            raise
        return str(error).encode()
    finally:
        restore(before)


def _played(states: Array) -> bytes:
    """Return the bytes of the state without its log, but with the end reason once the game is over."""
    reason = states["log"]["game"]["end_reason"] if states[0].seat == OVER else states[:0]
    return states.tobytes()[: states.dtype.fields["log"][1]] + reason.tobytes()  # type: ignore[index]


def view_faults(walk: Walk, ids: Array) -> Iterator[str]:
    """Yield the problems of play that goes on from the redealt view of the seat to decide."""
    game, seat = walk.game, int(walk.s.seat)
    if seat == OVER:
        return
    view = walk.view(walk.states, seat)
    where, unseen = f"played on from what seat {seat} sees", difference(view[0], walk.s)
    walk.call("redeal", view, seat, walk.stream)
    try:
        original, redealt = _played_on(walk, walk.states), _played_on(walk, view)
    except PlayError as error:
        yield f"{where}: {error}"
        return
    if game.redeal is redeal_nothing and redealt != original:
        reason = f"it does not see {unseen}, which redeal must deal"
        yield f"{where}, the game takes another course: {reason}{place(game.observe)}"


def _played_on(walk: Walk, states: Array) -> list[bytes]:
    """Return the legal actions at each further position, then ranks, scores and end reason, as bytes."""
    twin = Walk(GameTable(walk.game, walk.table.rules))
    twin.states[:], twin.table.rng[:] = states, walk.table.rng
    course = list(twin.onward(random.Random(1), STEPS))
    results = [twin.s.rank, twin.s.score, twin.s.log.game.end_reason]
    return [part.tobytes() for part in [*course, *results]]
