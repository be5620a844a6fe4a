"""Narration from the perspective of one seat: states blanked by `observe`, and hidden choices."""

from collections.abc import Iterator
from contextlib import contextmanager
from itertools import takewhile
from typing import Any

import numpy as np

from simkit.engine.compile.messages import describe_error
from simkit.engine.game import HIDDEN, Game
from simkit.engine.rng import open_streams
from simkit.engine.rule_helpers import observe_open
from simkit.engine.table import GameTable
from simkit.errors import PlayError

REDEALS = 3  # redealt views where an action is forced, since the seat may not know that it is
OPEN_LOG = ("turns", "end_reason")  # of the game, in every game


class Perspective:
    """Knowledge of a narrator: everything (`seat` None), or what one seat sees.

    The log of a view is blank except for the fields in `Log(public=...)`. Nothing is blanked in a game
    without `observe`.
    """

    def __init__(self, table: GameTable, seat: int | None) -> None:
        self.table, self.game, self.rules = table, table.game, table.rules[0]
        self.seat = None if self.game.observe is observe_open else seat

    def state(self, s: Any) -> Any:
        """Return a copy of a state without what the seat cannot see."""
        return s.copy() if self.seat is None else self.with_log(self._view(s), s)

    def describe(self, s: Any, action: int, luck: Any, after: Any) -> tuple[int, str]:
        """Return the action as the seat knows it, and in words; arguments as of `action`."""
        with _name_location(self.game):
            visible = self.action(s, action, luck, after)
            words = self.game.describe(self.state(s), self.rules, visible, self.state(after))
        return visible, str(words)

    def offer(self, s: Any, action: int) -> str:
        """Return a legal action in words, as far as they do not depend on what its seat cannot know."""
        texts = [self._imagined(s, action, luck) for luck in (1, 2)]
        if texts[0] == texts[1]:
            return texts[0] or f"action {action}"
        words = zip(*(text.split() for text in texts), strict=False)
        return " ".join([*(word for word, _ in takewhile(lambda pair: pair[0] == pair[1], words)), "…"])

    def _imagined(self, s: Any, action: int, luck: int) -> str:
        """Return an action in words in a game that looks the same to its seat and has other luck."""
        state, rng = np.zeros(1, self.game.state_dtype)[0], np.zeros(1, self.game.rng_dtype)
        self.game.observe(s, self.rules, s.seat, state)
        self.game.redeal(state, self.rules, s.seat, np.array([luck], np.uint64))
        open_streams(rng.view(np.uint64), luck, 0, self.table.names)
        after = state.copy()
        self.game.step(after, self.rules, action, rng[0])
        return self.describe(state, action, rng[0], after)[1]

    def show(self, s: Any) -> str:
        """Return the table in words."""
        with _name_location(self.game):
            return str(self.game.show(self.state(s), self.rules))

    def action(self, s: Any, action: int, luck: Any, after: Any) -> int:
        """Return the action, or HIDDEN if the seat sees the same after another action that leads elsewhere.

        Args:
            s, after: states before and after the action.
            action: id of the action.
            luck: streams of luck before the action.
        """
        if self.seat is None or s.seat == self.seat or not self._hides(s, after):
            return action
        possible = [s] if len(self.legal(s)) > 1 else self._random_states(s)
        return HIDDEN if any(self._ambiguous(state, action, luck) for state in possible) else action

    def _view(self, s: Any) -> Any:
        """Return the state as the seat sees it, with a blank log."""
        view = np.zeros(1, self.game.state_dtype)[0]
        self.game.observe(s, self.rules, self.seat, view)
        return view

    def with_log(self, view: Any, s: Any) -> Any:
        """Copy the public fields of the log from the state to the view; return the view."""
        for part, every in (("game", OPEN_LOG), ("seat", ())):
            for name in {*every, *self.game.log.public} & {*s["log"][part].dtype.names}:
                view["log"][part][name] = s["log"][part][name]
        return view

    def _hides(self, s: Any, after: Any) -> bool:
        """Return whether the action changed anything that the seat does not see."""
        changed, unseen = (different_fields(self.game, state, after) for state in (s, self._view(after)))
        return not changed.isdisjoint(unseen)

    def _random_states(self, s: Any) -> list[Any]:
        """Return random states that look the same to the seat."""
        stream, states = np.array([1], np.uint64), [self._view(s) for _ in range(REDEALS)]
        for state in states:
            self.game.redeal(state, self.rules, self.seat, stream)
        return states

    def legal(self, s: Any) -> list[int]:
        """Return the legal actions."""
        ids = np.zeros(self.game.max_actions, np.int64)
        n = self.game.legal(s, self.rules, ids)
        return [int(action) for action in ids[:n]]

    def _ambiguous(self, s: Any, action: int, luck: Any) -> bool:
        """Return whether another legal action looks the same to the seat and leads to another state."""
        legal = self.legal(s)
        if action not in legal:
            return False
        taken = self._state_after(s, action, luck)
        seen = self._view(taken).tobytes()
        others = (self._state_after(s, other, luck) for other in legal if other != action)
        return any(
            self._view(other).tobytes() == seen and different_fields(self.game, other, taken)
            for other in others
        )

    def _state_after(self, s: Any, action: int, luck: Any) -> Any:
        """Return the state after an action."""
        after, rng = s.copy(), luck.copy()
        self.game.step(after, self.rules, action, rng)
        return after


@contextmanager
def _name_location(game: Game) -> Iterator[None]:
    """Report an error in a function of the game with its line."""
    try:
        yield
    except Exception as error:
        raise PlayError(f"{game.name}: the narration fails: {describe_error(error)}") from error


def different_fields(game: Game, state: Any, other: Any) -> set[str]:
    """Return the fields in which two states differ, except the log."""
    return {name for name in game.state_fields if state[name].tobytes() != other[name].tobytes()}
