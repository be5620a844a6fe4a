"""Exact play of small games without luck and hidden things: values of all positions, and players by them."""

from collections.abc import Iterator
from functools import cache
from typing import Any

import numpy as np

from simkit.engine.game import Game
from simkit.engine.rng import keyed
from simkit.engine.rule_helpers import OVER
from simkit.engine.strategy import Strategy, best_of, strategy, workspace
from simkit.games.reference import nim, tic_tac_toe

CELLS = 9
POWERS = np.array([3**cell for cell in range(CELLS)])
OWN = workspace(scores=(int, 20 * 4))


class Positions:
    """All positions of a game for two, with what each legal action is worth to the seat that decides.

    The worth is 1 for a win between perfect players, 0 for a draw and -1 for a loss.
    """

    def __init__(self, game: Game) -> None:
        self.game, self.rules = game, game.rules()[0]
        self.worths = dict[bytes, dict[int, int]]()
        self.states = list[Any]()
        state = np.zeros(1, game.state_dtype)[0]
        state.seats = 2
        game.setup(state, self.rules, None)
        self._worth(state)

    def of(self, state: Any) -> dict[int, int]:
        """Return the worth of each legal action in a position."""
        return self.worths[self._key(state)]

    def not_lost(self) -> Iterator[tuple[Any, dict[int, int]]]:
        """Yield the positions with a choice that are not lost, and the worth of their actions."""
        for state in self.states:
            worths = self.of(state)
            if len(worths) > 1 and max(worths.values()) >= 0:
                yield state, worths

    def _key(self, state: Any) -> bytes:
        place = self.game.state_dtype.fields["log"][1]  # type: ignore[index]
        return bytes(state.tobytes()[:place])

    def _worth(self, state: Any) -> int:
        """Return the worth of a position to the seat that decides."""
        key = self._key(state)
        if key not in self.worths:
            ids = np.zeros(self.game.max_actions, np.int64)
            legal = ids[: self.game.legal(state, self.rules, ids)].tolist()
            self.worths[key] = {action: self._after(state, action) for action in legal}
            self.states.append(state)
        return max(self.worths[key].values())

    def _after(self, state: Any, action: int) -> int:
        after, seat = state.copy(), int(state.seat)
        self.game.step(after, self.rules, action, None)
        if after.seat == OVER:
            return int(after["rank"][1 - seat] != 1) - int(after["rank"][seat] != 1)
        return self._worth(after) * (1 if after.seat == seat else -1)


@cache
def positions(game: Game) -> Positions:
    """Return the positions of a game."""
    return Positions(game)


@cache
def exact_player(game: Game) -> Strategy:
    """Return the strategy that plays perfectly, by chance among actions of the same worth."""
    return {tic_tac_toe.game: _of_tic_tac_toe, nim.game: _of_nim}[game]()


def _of_tic_tac_toe() -> Strategy:
    best = np.full(3**CELLS, -2, np.int8)  # of a board: what it is worth to the seat that decides
    for state in positions(tic_tac_toe.game).states:
        best[POWERS @ state.board] = max(positions(tic_tac_toe.game).of(state).values())
    best.flags.writeable = False
    has_line, played_by = tic_tac_toe.has_line, tic_tac_toe.CELLS

    @strategy(tic_tac_toe.game)
    def exact(view, legal, rng, scratch, work):  # type: ignore[no-untyped-def]
        """Play tic-tac-toe perfectly."""
        scores, code = OWN(work).scores, 0
        for cell in range(CELLS):
            code += POWERS[cell] * view.board[cell]
        s = scratch[0]
        for i in range(legal.size):
            s.board[:] = view.board
            s.board[legal[i]] = view.seat + 1
            if has_line(s, view.seat + 1):
                scores[i] = 1
            elif view.ply == played_by - 1:
                scores[i] = 0
            else:
                scores[i] = -best[code + POWERS[legal[i]] * (view.seat + 1)]
        return best_of(legal, scores, keyed(rng, view.ply, 0))

    return exact


def _of_nim() -> Strategy:
    @strategy(nim.game)
    def exact(view, legal, rng, work):  # type: ignore[no-untyped-def]
        """Play Nim perfectly: leave heaps whose exclusive or is zero."""
        scores, total = OWN(work).scores, 0
        for heap in range(4):
            total ^= view.heap[heap]
        for i in range(legal.size):
            size = view.heap[legal[i] // 20]
            scores[i] = (total ^ size ^ (size - legal[i] % 20 - 1)) == 0
        return best_of(legal, scores, keyed(rng, view.heap.sum(), 0))

    return exact
