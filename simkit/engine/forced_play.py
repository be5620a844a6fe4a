"""Replays of games with one decision forced: the same luck before it, the same or another luck after it."""

from functools import cache, partial
from typing import Any

import numba
import numpy as np
from numba import types

from simkit.engine.compile import jit
from simkit.engine.game import Game
from simkit.engine.kernel import (
    FAULT_MESSAGES,
    NUMBERS,
    PLACE,
    WORDS,
    Fault,
    Lineup,
    Table,
    _fault,
    _random_error,
    arrays,
    strategy_signature,
)
from simkit.engine.rng import open_streams, purposes, start
from simkit.engine.tasks import Task
from simkit.errors import Crash, PlayError

Array = np.ndarray
NEVER = -1  # number of the forced decision in a game where none is forced
SAME = 0  # luck after the forced decision: the streams go on
TURN, SEAT, CHOICES, CHOSEN = range(4)  # notes[row, .]: turns ended before, seat, legal actions, index chosen


@jit.rule
def _index_of(action, ids, n):  # type: ignore[no-untyped-def]
    """Return the index of an action among the first n of `ids`, -1 if it is not among them."""
    index = -1
    for i in range(n):
        if ids[i] == action:
            index = i
    return index


@jit.rule
def _note(notes, row, turn, seat, n, chosen):  # type: ignore[no-untyped-def]
    """Note a decision in a row of `notes`, if there is such a row; return the number of the next row."""
    if row < notes.shape[0]:
        notes[row, TURN], notes[row, SEAT] = turn, seat
        notes[row, CHOICES], notes[row, CHOSEN] = n, chosen
    return row + 1


@jit.rule
def _open(seed, deal, words, names, choices, choosing):  # type: ignore[no-untyped-def]
    """Set the streams of the game and of the strategies to their start."""
    open_streams(words, seed, deal, names)
    open_streams(choices, seed, deal, choosing)


@cache
def build(game: Game) -> jit.Entry:
    """Return a kernel that forces the decision `forced[i, 0]` of game i.

    The strategy still decides, so that its stream and memory advance; then the legal action at index
    `forced[i, 1]` is carried out. `forced[i, 2]` is the luck after it: with SAME the streams go on, any other
    number opens all streams anew for (seed, deal, decision, luck), alike for each action. Each decision fills
    a row of `notes`, as long as there are rows.
    """
    setup, legal, apply, observe, max_steps = game.setup, game.legal, game.step, game.observe, game.max_steps

    def play(seed, deals, shifts, forced, seats, rules_array, players,  # type: ignore[no-untyped-def]
             weights, blunders, takes_view, states, lent, rng_array, words, names, choices, choosing,
             ids, memos, work, notes, place):  # fmt: skip
        rules, rng, view, scratch, at, row = rules_array[0], rng_array[0], lent[0], lent[1:], place[0], 0
        for i in range(deals.size):
            s, at.game, at.seat, decision, turn, steps = states[i], i, -1, 0, 0, 0
            _open(seed, deals[i], words, names, choices, choosing)
            memos[:] = 0
            jit.wipe(view)
            s.seats = seats
            setup(s, rules, rng)
            while s.seat >= 0:
                at.seat = seat = s.seat
                n = legal(s, rules, ids)
                at.fault = _fault(n, ids.size, steps, max_steps)
                if at.fault != Fault.none:
                    return
                action, chosen, turns = ids[0], 0, s.log.game.turns
                if n > 1:
                    k, luck = (seat + shifts[i]) % seats, choices[seat : seat + 1]
                    error_index = _random_error(choices[seats + seat :], blunders[k], n)
                    s.log.game.decisions += 1
                    action = ids[max(error_index, 0)]
                    if error_index < 0:
                        if takes_view[k]:
                            observe(s, rules, seat, view)
                        action = players[k](
                            view, rules, ids[:n], weights[k], luck, scratch, memos[seat], work
                        )
                    chosen = forced[i, 1] if decision == forced[i, 0] else _index_of(action, ids, n)
                    if chosen < 0:
                        at.fault, at.action = Fault.illegal_action, action
                        return
                    action = ids[chosen]
                    if decision == forced[i, 0] and forced[i, 2] != SAME:
                        other = start(seed, decision, forced[i, 2])
                        _open(other, deals[i], words, names, choices, choosing)
                    row, decision = _note(notes, row, turn, seat, n, chosen), decision + 1
                steps += 1
                apply(s, rules, action, rng)
                turn += s.log.game.turns != turns

    return jit.Entry(play, _signature(game), f"branches {game.name}", allocates=False)


def _signature(game: Game) -> Any:
    (states, rules, rng), number = arrays(game), types.int64
    strategies = types.UniTuple(types.FunctionType(strategy_signature(game)), game.max_seats)
    reals, weights = types.Array(types.float64, 1, "C"), types.Array(types.float64, 2, "C")
    numbers, place = types.Array(number, 2, "C"), types.Array(numba.from_dtype(PLACE), 1, "C")
    flags = types.Array(types.boolean, 1, "C")
    return types.void(
        number, NUMBERS, NUMBERS, numbers, number, rules, strategies, weights, reals, flags, states,
        states, rng, WORDS, WORDS, WORDS, WORDS, NUMBERS, numbers, NUMBERS, numbers, place,
    )  # fmt: skip


def play(table: Table, lineup: Lineup, seed: int, games: Array, forced: Array, notes: Array) -> Array:
    """Play games with forced decisions and return their final states.

    Args:
        table, lineup, seed: as for `Table.play`.
        games: deals and rotations of the games, int64[2, game].
        forced: int64[game, 3]: number of the decision, from 0 (or NEVER), index of the action among the legal
            ones, and luck from then on (SAME, or 1, 2, … for other luck).
        notes: int64[row, 4], filled with TURN, SEAT, CHOICES, CHOSEN of each decision.
    """
    deals, shifts = (np.ascontiguousarray(array, np.int64) for array in games)
    states, place = np.zeros(len(deals), table.game.state_dtype), np.zeros(1, PLACE)
    blunders = np.array([player.blunder for player in lineup])
    takes_view = np.array([player.takes_view for player in lineup])
    kinds = ["choice", "blunder"] if blunders.any() else ["choice"]
    names = purposes([f"{kind}/{seat}" for kind in kinds for seat in range(len(lineup))])
    functions = tuple(entry.compiled for entry in table.entries(lineup)[1:])
    arguments = (
        seed, deals, shifts, np.ascontiguousarray(forced, np.int64), len(lineup), table.rules, functions,
        table._weights(lineup), blunders, takes_view, states, table.lent, table.rng,
        table.rng.view(np.uint64), table.names, table.choices, names, table.ids, table.memos, table.work,
        notes, place,
    )  # fmt: skip
    try:
        Task(partial(build(table.game), *arguments)).result()
    except Crash as crash:
        raise Crash(f"{_where(table, seed, deals, place[0])}: {crash}") from crash
    if place[0].fault:
        message = FAULT_MESSAGES[place[0].fault].format(action=place[0].action, **vars(table.game))
        raise PlayError(f"{_where(table, seed, deals, place[0])} {message}")
    return states


def _where(table: Table, seed: int, deals: Array, at: Any) -> str:
    """Return the game, seed, deal and seat of a position, for a message."""
    decider = f"seat {at.seat}" if at.seat >= 0 else "the setup"
    return f"{table.game.name}: seed {seed}, deal {deals[at.game]}, played again, {decider}"
