"""Games played again with one decision forced, before it the same luck; after it the same or another."""

from functools import cache, partial
from typing import Any

import numba
import numpy as np
from numba import types

from simkit.engine.compile import jit
from simkit.engine.game import Game
from simkit.engine.kernel import (
    NUMBERS,
    PLACE,
    SAID,
    WORDS,
    Fault,
    Lineup,
    Table,
    _fault,
    _slip,
    arrays,
    strategy_signature,
)
from simkit.engine.rng import open_streams, purposes, start
from simkit.engine.tasks import Task
from simkit.errors import Crash, PlayError

Array = np.ndarray
NEVER = -1  # a game in which nothing is forced
SAME = 0  # luck: goes on as it was
TURN, SEAT, CHOICES, CHOSEN = range(4)  # what is noted of a decision: turns ended before it, who, of how many


@jit.rule
def _place_of(action, ids, n):  # type: ignore[no-untyped-def]
    """The place of an action among the first n of `ids`, -1 if it is not there."""
    found = -1
    for i in range(n):
        if ids[i] == action:
            found = i
    return found


@jit.rule
def _note(notes, told, turn, seat, n, chosen):  # type: ignore[no-untyped-def]
    """Note a decision in row `told`, if there is one; the next row."""
    if told < notes.shape[0]:
        notes[told, TURN], notes[told, SEAT] = turn, seat
        notes[told, CHOICES], notes[told, CHOSEN] = n, chosen
    return told + 1


@jit.rule
def _open(seed, deal, words, names, choices, choosing):  # type: ignore[no-untyped-def]
    """All streams at their start: those of the game and those of the strategies."""
    open_streams(words, seed, deal, names)
    open_streams(choices, seed, deal, choosing)


@cache
def build(game: Game) -> jit.Entry:
    """As the kernel, with the decision `forced[i, 0]` of game i taken out of the strategy's hands.

    The strategy is asked all the same, so that its own luck and memory go on; then the legal action at the
    place `forced[i, 1]` is carried out, with the luck `forced[i, 2]` from then on: SAME goes on as it was,
    any other opens all streams anew, for (seed, deal, decision, luck), so alike for each action. Each
    decision gets a row of `notes`, as far as they reach.
    """
    setup, legal, apply, observe, max_steps = game.setup, game.legal, game.step, game.observe, game.max_steps

    def play(seed, deals, shifts, forced, seats, rules_array, players,  # type: ignore[no-untyped-def]
             weights, blunders, looks, states, lent, rng_array, words, names, choices, choosing,
             ids, memos, work, notes, place):  # fmt: skip
        rules, rng, view, scratch, at, told = rules_array[0], rng_array[0], lent[0], lent[1:], place[0], 0
        for i in range(deals.size):
            s, at.game, at.seat, made, turn, steps = states[i], i, -1, 0, 0, 0
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
                    slip = _slip(choices[seats + seat :], blunders[k], n)
                    s.log.game.decisions += 1
                    action = ids[max(slip, 0)]
                    if slip < 0:
                        if looks[k]:
                            observe(s, rules, seat, view)
                        action = players[k](
                            view, rules, ids[:n], weights[k], luck, scratch, memos[seat], work
                        )
                    chosen = forced[i, 1] if made == forced[i, 0] else _place_of(action, ids, n)
                    if chosen < 0:
                        at.fault, at.action = Fault.illegal_action, action
                        return
                    action = ids[chosen]
                    if made == forced[i, 0] and forced[i, 2] != SAME:
                        other = start(seed, made, forced[i, 2])
                        _open(other, deals[i], words, names, choices, choosing)
                    told, made = _note(notes, told, turn, seat, n, chosen), made + 1
                steps += 1
                apply(s, rules, action, rng)
                turn += s.log.game.turns != turns

    return jit.Entry(play, _signature(game), f"branches {game.name}", allocates=False)


def _signature(game: Game) -> Any:
    (states, rules, rng), number = arrays(game), types.int64
    strategies = types.UniTuple(types.FunctionType(strategy_signature(game)), game.max_seats)
    reals, weights = types.Array(types.float64, 1, "C"), types.Array(types.float64, 2, "C")
    numbers, place = types.Array(number, 2, "C"), types.Array(numba.from_dtype(PLACE), 1, "C")
    looks = types.Array(types.boolean, 1, "C")
    return types.void(
        number, NUMBERS, NUMBERS, numbers, number, rules, strategies, weights, reals, looks, states,
        states, rng, WORDS, WORDS, WORDS, WORDS, NUMBERS, numbers, NUMBERS, numbers, place,
    )  # fmt: skip


def play(table: Table, lineup: Lineup, seed: int, games: Array, forced: Array, notes: Array) -> Array:
    """The final states of games (deals and rotations) in which decisions are forced.

    forced[game]: which decision, counted from 0 (or NEVER), the place of the action among the legal ones, and
    the luck from then on (SAME, or 1, 2, … for others).
    """
    deals, shifts = (np.ascontiguousarray(one, np.int64) for one in games)
    states, place = np.zeros(len(deals), table.game.state_dtype), np.zeros(1, PLACE)
    blunders = np.array([player.blunder for player in lineup])
    looks = np.array([player.looks for player in lineup])
    kinds = ["choice", "blunder"] if blunders.any() else ["choice"]
    names = purposes([f"{kind}/{seat}" for kind in kinds for seat in range(len(lineup))])
    functions = tuple(entry.compiled for entry in table.entries(lineup)[1:])
    given = (
        seed, deals, shifts, np.ascontiguousarray(forced, np.int64), len(lineup), table.rules, functions,
        table._weights(lineup), blunders, looks, states, table.lent, table.rng, table.rng.view(np.uint64),
        table.names, table.choices, names, table.ids, table.memos, table.work, notes, place,
    )  # fmt: skip
    try:
        Task(partial(build(table.game), *given)).result()
    except Crash as crash:
        raise Crash(f"{_where(table, seed, deals, place[0])}: {crash}") from crash
    if place[0].fault:
        said = SAID[place[0].fault].format(action=place[0].action, **vars(table.game))
        raise PlayError(f"{_where(table, seed, deals, place[0])} {said}")
    return states


def _where(table: Table, seed: int, deals: Array, at: Any) -> str:
    who = f"seat {at.seat}" if at.seat >= 0 else "the setup"
    return f"{table.game.name}: seed {seed}, deal {deals[at.game]}, played again, {who}"
