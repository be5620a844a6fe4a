"""The one compiled loop that plays every game: built once per game, for any lineup, option or weight.

The rules come in as a record, the strategies as first-class functions, so neither recompiles the kernel.
"""

import enum
import traceback
import warnings
from dataclasses import dataclass
from functools import cache
from typing import Any, cast

import numba
import numpy as np
from numba import types
from numba.core.errors import NumbaExperimentalFeatureWarning

from simkit import jit
from simkit.chance import below, open_streams, purposes, uniform
from simkit.errors import PlayError
from simkit.game import Game

# Numba calls first-class functions experimental; tests compare compiled with uncompiled play byte for byte.
warnings.filterwarnings("ignore", category=NumbaExperimentalFeatureWarning)

Ints = np.ndarray  # int64
NONE = np.zeros(0, np.int64)
NUMBERS, WORDS = types.Array(types.int64, 1, "C"), types.Array(types.uint64, 1, "C")


class Fault(enum.IntEnum):
    """Why a game cannot go on."""

    none, no_legal_action, illegal_action, too_many_steps, too_many_actions = range(5)


SAID = {
    Fault.no_legal_action: "has no legal action although the game is not over",
    Fault.illegal_action: "chose the illegal action {action}",
    Fault.too_many_steps: "is to decide in a game of more than {max_steps} actions: it does not end",
    Fault.too_many_actions: "has more legal actions than max_actions = {max_actions} of the game",
}
# Where the kernel is, and what is wrong; `asked`: a strategy is deciding.
PLACE = np.dtype((np.record, [(name, "i8") for name in ("fault", "game", "seat", "action", "asked")]))


@jit.rule
def is_legal(action, ids, n):  # type: ignore[no-untyped-def]
    """Whether `action` is among the first n of `ids`; for some dozens a scan without branches is fastest."""
    found = False
    for i in range(n):
        found |= ids[i] == action
    return found


def arrays(game: Game) -> tuple[Any, Any, Any]:
    """The compiled types of state, rules and luck, as arrays."""
    state, rules, rng = (numba.from_dtype(d) for d in (game.state_dtype, game.rules_dtype, game.rng_dtype))
    return types.Array(state, 1, "C"), types.Array(rules, 1, "C", readonly=True), types.Array(rng, 1, "C")


def strategy_signature(game: Game) -> Any:
    """decide(view, rules, legal, weights, rng, scratch, memo) -> action."""
    states, rules, _ = arrays(game)
    legal, weights = (types.Array(kind, 1, "C", readonly=True) for kind in (types.int64, types.float64))
    return types.int64(states.dtype, rules.dtype, legal, weights, WORDS, states, NUMBERS)


def _play_signature(game: Game) -> Any:
    (states, rules, rng), number = arrays(game), types.int64
    strategies = types.UniTuple(types.FunctionType(strategy_signature(game)), game.max_seats)
    weights, memos = types.Array(types.float64, 2, "C"), types.Array(types.int64, 2, "C")
    blunders = types.Array(types.float64, 1, "C")
    place = types.Array(numba.from_dtype(PLACE), 1, "C")
    return types.void(
        number, NUMBERS, NUMBERS, number, rules, strategies, weights, blunders, states,
        states, rng, WORDS, WORDS, WORDS, WORDS, NUMBERS, memos, NUMBERS, place,
    )  # fmt: skip


@jit.rule
def _fault(n, most, steps, max_steps):  # type: ignore[no-untyped-def]
    if n < 1:
        return Fault.no_legal_action
    if n > most:
        return Fault.too_many_actions
    return Fault.too_many_steps if steps >= max_steps else Fault.none


@jit.rule
def _slip(luck, blunder, n):  # type: ignore[no-untyped-def]
    """The place of a legal action that is taken by mistake, -1 where the strategy is asked."""
    return below(luck, n) if blunder > 0.0 and uniform(luck) < blunder else -1


@cache
def build(game: Game) -> jit.Entry:
    """The kernel of a game: `lent` holds view and scratch, `choices` the luck of choices and blunders."""
    setup, legal, apply, observe, max_steps = game.setup, game.legal, game.apply, game.observe, game.max_steps

    def play(seed, deals, shifts, seats, rules_array, players, weights, blunders,  # type: ignore[no-untyped-def]
             states, lent, rng_array, words, names, choices, choosing, ids, memos, trail, place):  # fmt: skip
        rules, rng, view, scratch, at, told = rules_array[0], rng_array[0], lent[0], lent[1:], place[0], 0
        for i in range(deals.size):
            s, at.game, at.seat, began = states[i], i, -1, told
            open_streams(words, seed, deals[i], names)
            open_streams(choices, seed, deals[i], choosing)
            memos[:] = 0
            s.seats = seats
            setup(s, rules, rng)
            while s.seat >= 0:
                at.seat = seat = s.seat
                n = legal(s, rules, ids)
                at.fault = _fault(n, ids.size, told - began, max_steps)
                if at.fault != Fault.none:
                    return
                action = ids[0]
                if n > 1:
                    k, luck = (seat + shifts[i]) % seats, choices[seat : seat + 1]
                    slip = _slip(choices[seats + seat :], blunders[k], n)
                    s.log.game.decisions += 1
                    action = ids[max(slip, 0)]
                    if slip < 0:
                        observe(s, rules, seat, view)
                        at.asked = 1
                        action = players[k](view, rules, ids[:n], weights[k], luck, scratch, memos[seat])
                        at.asked = 0
                    if not is_legal(action, ids, n):
                        at.fault, at.action = Fault.illegal_action, action
                        return
                if told < trail.size:
                    trail[told] = action
                told += 1
                apply(s, rules, action, rng)

    return jit.Entry(play, _play_signature(game), f"kernel {game.name}", allocates=False)


@dataclass(frozen=True)
class Player:
    """A strategy ready to play one game: its function and its weights."""

    label: str  # as written in a lineup
    decide: jit.Entry
    weights: np.ndarray  # float64[number of weights]
    blunder: float = 0.0  # probability of a random legal action at a decision


Lineup = list[Player]  # by seat


def _line(error: Exception) -> str:
    """The line of the rules or the strategy that failed."""
    machinery = (__file__, jit.__file__, *np.__path__)
    frames = [f for f in traceback.extract_tb(error.__traceback__) if not f.filename.startswith(machinery)]
    return f" ({frames[-1].filename}:{frames[-1].lineno})" if frames else ""


class Table:
    """The memory for playing one game with one set of rules; not shared between threads."""

    def __init__(self, game: Game, rules: np.ndarray) -> None:
        self.game, self.rules = game, rules
        self.rng = np.zeros(1, game.rng_dtype)
        self.names = purposes(game.purposes)
        self.choices = np.zeros(2 * game.max_seats, np.uint64)
        self.lent = np.zeros(1 + game.scratch, game.state_dtype)
        self.ids = np.zeros(game.max_actions, np.int64)
        self.memos = np.zeros((game.max_seats, game.memo), np.int64)
        self.kernel = build(game)

    def open_luck(self, seed: int, deal: int) -> np.record:
        """The luck of one deal, for stepping through it outside the kernel."""
        open_streams(self.rng.view(np.uint64), seed, deal, self.names)
        return cast(np.record, self.rng[0])

    def play(
        self, lineup: Lineup, seed: int, deals: Ints, shifts: Ints, trail: Ints = NONE, compiled: bool = True
    ) -> np.ndarray:
        """The final states of one game per deal; with shift r, lineup[(i + r) % seats] plays seat i.

        `trail` is filled with the actions of one game after the other, as far as it reaches. Not `compiled`:
        as plain Python, to the same result.
        """
        states, place = np.zeros(len(deals), self.game.state_dtype), np.zeros(1, PLACE)
        before, blunders = self.rules.tobytes(), np.array([player.blunder for player in lineup])
        kinds = ["choice", "blunder"] if blunders.any() else ["choice"]
        names = purposes([f"{kind}/{seat}" for kind in kinds for seat in range(len(lineup))])
        play, *functions = [entry.compiled if compiled else entry.function for entry in self.entries(lineup)]
        try:
            play(
                seed, np.ascontiguousarray(deals, np.int64), np.ascontiguousarray(shifts, np.int64),
                len(lineup), self.rules, tuple(functions), self._weights(lineup), blunders, states, self.lent,
                self.rng, self.rng.view(np.uint64), self.names, self.choices, names, self.ids, self.memos,
                trail, place,
            )  # fmt: skip
        except Exception as error:
            who = "failed" if place[0].asked else "the rules failed"
            what = f"{type(error).__name__}: {error}".splitlines()[0] + _line(error)
            raise PlayError(f"{self._where(lineup, seed, deals, shifts, place[0])} {who}: {what}") from error
        if place[0].fault:
            said = SAID[place[0].fault].format(action=place[0].action, **vars(self.game))
            raise PlayError(f"{self._where(lineup, seed, deals, shifts, place[0])} {said}")
        if self.rules.tobytes() != before:
            raise PlayError(f"{self.game.name}: the rules record changed during play; it is read-only")
        return states

    def entries(self, lineup: Lineup) -> list[jit.Entry]:
        """What is compiled: the kernel, and a strategy for every seat that the game can have."""
        return [self.kernel, *(lineup[k % len(lineup)].decide for k in range(self.game.max_seats))]

    def _weights(self, lineup: Lineup) -> np.ndarray:
        widest = max(1, *(len(p.weights) for p in lineup))
        return np.array([np.pad(p.weights, (0, widest - len(p.weights))) for p in lineup])

    def _where(self, lineup: Lineup, seed: int, deals: Any, shifts: Any, at: Any) -> str:
        place = f"{self.game.name}: seed {seed}, deal {deals[at.game]}, rotation {shifts[at.game]}"
        if at.seat < 0:
            return f"{place}: the setup"
        player = lineup[(at.seat + int(shifts[at.game])) % len(lineup)]
        return f"{place}, seat {at.seat}, strategy {player.label}:"
