"""Actions that every seat sees, without a field of the game: `Game(public_actions=True)`.

The engine writes the last action of each seat into the state, where views, strategies, learned players and
narrations for one seat find it.
"""

from collections.abc import Callable
from typing import Any

from simkit.engine.compile.jit import rule
from simkit.engine.fields import CATEGORY, Field

NONE = -1  # the last action of a seat that has not acted yet


def last_action(seats: int) -> Field:
    """Return the field of the state for the last action of each seat.

    >>> last_action(4).shape
    (4,)
    """
    return Field(
        "last_action", "i4", (seats,), "Last action of each seat, -1 = none yet [seat]", value=CATEGORY
    )


def clear_before(setup: Callable[..., Any]) -> Any:
    """Return `setup`, begun without any last action."""

    @rule
    def begin(s, rules, rng):  # type: ignore[no-untyped-def]
        s.last_action[:] = NONE
        setup(s, rules, rng)

    return begin


def record_after(apply: Callable[..., Any]) -> Any:
    """Return `apply`, followed by a note of the action as the last one of its seat."""

    @rule
    def carry_out(s, rules, action, rng):  # type: ignore[no-untyped-def]
        seat = s.seat
        apply(s, rules, action, rng)
        s.last_action[seat] = action

    return carry_out
