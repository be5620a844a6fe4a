"""The compiled loop that plays every game: built once per game, for any lineup, option or weight.

The rules are passed as a record and the strategies as addresses of functions, so that changing them does not
recompile the kernel.
"""

import enum
import warnings
from functools import cache
from typing import Any

import numba
import numpy as np
from numba import types
from numba.core.errors import NumbaExperimentalFeatureWarning

from simkit.engine.compile import jit
from simkit.engine.game import Game
from simkit.engine.rng import below, open_streams, start, uniform

# Numba calls first-class functions experimental; tests compare compiled with uncompiled play byte for byte.
warnings.filterwarnings("ignore", category=NumbaExperimentalFeatureWarning)

Ints = np.ndarray  # int64
SAME = 0  # luck after the forced decision: the streams go on
TURN, SEAT, CHOICES, CHOSEN = range(4)  # notes[row, .]: turns ended before, seat, legal actions, index chosen
SEARCH_STATES = 3  # lent to a search beside the scratch states, which its policy uses
WORK = 4_096  # numbers lent to strategies for arrays of their own: 32 KiB
NUMBERS, WORDS = types.Array(types.int64, 1, "C"), types.Array(types.uint64, 1, "C")


class Fault(enum.IntEnum):
    """Reason why a game cannot go on."""

    none, no_legal_action, illegal_action, too_many_steps, too_many_actions = range(5)


FAULT_MESSAGES = {
    Fault.no_legal_action: "has no legal action although the game is not over",
    Fault.illegal_action: "chose the illegal action {action}",
    Fault.too_many_steps: "is to decide in a game of more than {max_steps} actions: it does not end",
    Fault.too_many_actions: "has more legal actions than max_actions = {max_actions} of the game",
}
# Position of the kernel and the fault that stopped it; `deciding` is 1 while a strategy decides.
PLACE = np.dtype((np.record, [(name, "i8") for name in ("fault", "game", "seat", "action", "deciding")]))


@jit.rule
def is_legal(action, ids, n):  # type: ignore[no-untyped-def]
    """Return whether `action` is among the first n of `ids`."""
    legal = False  # for a few dozen actions a scan without branches is fastest
    for i in range(n):
        legal |= ids[i] == action
    return legal


@cache  # Numba takes 10 ms to make the types of a game, which every strategy needs
def arrays(game: Game) -> tuple[Any, Any, Any]:
    """Return the Numba types of arrays of states, of rules and of streams."""
    state, rules, rng = (numba.from_dtype(d) for d in (game.state_dtype, game.rules_dtype, game.rng_dtype))
    return types.Array(state, 1, "C"), types.Array(rules, 1, "C", readonly=True), types.Array(rng, 1, "C")


def strategy_signature(game: Game) -> Any:
    """Return the type of `decide(view, rules, legal, weights, rng, scratch, memo, work) -> action`."""
    states, rules, _ = arrays(game)
    legal, weights = (types.Array(kind, 1, "C", readonly=True) for kind in (types.int64, types.float64))
    return types.int64(states.dtype, rules.dtype, legal, weights, WORDS, states, NUMBERS, NUMBERS)


def search_signature(game: Game) -> Any:
    """Return the type of a search: a strategy that also takes what it plays on with.

    decide(..., luck, words, streams, memos, policy, policy_weights, ply) -> action, where `...` is as in
    `strategy_signature`.
    """
    (_, _, rng), strategy = arrays(game), strategy_signature(game)
    memos, weights = types.Array(types.int64, 2, "C"), strategy.args[3]
    policy = types.FunctionType(strategy)
    return types.int64(*strategy.args, rng.dtype, WORDS, WORDS, memos, policy, weights, types.int64)


def _play_signature(game: Game) -> Any:
    (states, rules, rng), number = arrays(game), types.int64
    weights, numbers = types.Array(types.float64, 2, "C"), types.Array(types.int64, 2, "C")
    blunders, flags = types.Array(types.float64, 1, "C"), types.Array(types.boolean, 1, "C")
    place = types.Array(numba.from_dtype(PLACE), 1, "C")
    return types.void(
        number, NUMBERS, NUMBERS, number, rules, NUMBERS, weights, blunders, flags,
        NUMBERS, weights, flags, states,
        states, rng, WORDS, WORDS, WORDS, WORDS, NUMBERS, numbers, NUMBERS, NUMBERS, numbers, numbers, place,
    )  # fmt: skip


@jit.rule
def _fault(n, max_actions, steps, max_steps):  # type: ignore[no-untyped-def]
    if n < 1:
        return Fault.no_legal_action
    if n > max_actions:
        return Fault.too_many_actions
    return Fault.too_many_steps if steps >= max_steps else Fault.none


@jit.rule
def random_error(luck, blunder, n):  # type: ignore[no-untyped-def]
    """Return the index of the random error action, or -1 to ask the strategy."""
    return below(luck, n) if blunder > 0.0 and uniform(luck) < blunder else -1


@jit.rule
def _open(seed, deal, words, names, choices, choosing):  # type: ignore[no-untyped-def]
    """Set the streams of the game and of the strategies to their start."""
    open_streams(words, seed, deal, names)
    open_streams(choices, seed, deal, choosing)


@jit.rule
def _change_luck(luck, seed, deal, decision, words, names, choices, choosing):  # type: ignore[no-untyped-def]
    """Open all streams anew for the luck after a forced decision, unless it is SAME."""
    if luck != SAME:
        _open(start(seed, decision, luck), deal, words, names, choices, choosing)


@jit.rule
def _note(notes, row, turn, seat, action, ids, n):  # type: ignore[no-untyped-def]
    """Note a decision in a row of `notes`, if there is such a row; return the number of the next row."""
    if row < notes.shape[0]:
        notes[row, TURN], notes[row, SEAT], notes[row, CHOICES] = turn, seat, n
        for i in range(n):
            if ids[i] == action:
                notes[row, CHOSEN] = i
    return row + 1


@cache
def build(game: Game) -> jit.Entry:
    """Return the kernel of a game, which plays one game per deal into `states`.

    `lent` holds the view and the scratch states, `choices` the streams of choices and of random errors. A
    seat that searches decides by `searches`; `players` has its policy, for which the second halves of
    `rng_array`, `words` and `memos` and the third part of `choices` are lent. At a forced decision the
    strategy still decides, so that its stream and memory advance. Other luck after it opens all streams anew
    for (seed, deal, decision, luck), alike for each action.
    """
    setup, legal, apply, observe, max_steps = game.setup, game.legal, game.step, game.observe, game.max_steps
    strategy, search = jit.function_at(strategy_signature(game)), jit.function_at(search_signature(game))

    def play(seed, deals, shifts, seats, rules_array, players, weights, blunders, takes_view,  # type: ignore[no-untyped-def]
             searches, search_weights, searching, states, lent, rng_array, words, names, choices, choosing,
             ids, memos, work, trail, forced, notes, place):  # fmt: skip
        rules, rng, view, scratch, at = rules_array[0], rng_array[0], lent[0], lent[1:], place[0]
        actions, row, is_noted = 0, 0, forced.shape[0] + notes.shape[0] > 0
        for i in range(deals.size):
            s, at.game, at.seat, first_action, turn = states[i], i, -1, actions, 0
            _open(seed, deals[i], words, names, choices, choosing)
            memos[:seats] = 0  # a search clears those of its policy
            jit.wipe(view)  # `observe` does not write to hidden fields
            s.seats = seats
            setup(s, rules, rng)
            while s.seat >= 0:
                at.seat = seat = s.seat
                n = legal(s, rules, ids)
                at.fault = _fault(n, ids.size, actions - first_action, max_steps)
                if at.fault != Fault.none:
                    return
                action, turns = ids[0], s.log.game.turns
                if n > 1:
                    k, luck = (seat + shifts[i]) % seats, choices[seat : seat + 1]
                    error_index = random_error(choices[seats + seat :], blunders[k], n)
                    decision = s.log.game.decisions
                    s.log.game.decisions += 1
                    action = ids[max(error_index, 0)]
                    if error_index < 0:
                        if takes_view[k]:
                            observe(s, rules, seat, view)
                        at.deciding = 1
                        if searching[k]:
                            action = search(searches[k])(
                                view, rules, ids[:n], search_weights[k], luck, scratch, memos[seat], work,
                                rng_array[1], words[names.size :], choices[2 * seats : 3 * seats],
                                memos[seats:],
                                strategy(players[k]), weights[k], decision,
                            )  # fmt: skip
                        else:
                            action = strategy(players[k])(
                                view, rules, ids[:n], weights[k], luck, scratch, memos[seat], work
                            )
                        at.deciding = 0
                    if not is_legal(action, ids, n):
                        at.fault, at.action = Fault.illegal_action, action
                        return
                    if is_noted:
                        if i < forced.shape[0] and forced[i, 0] == decision:
                            action = ids[forced[i, 1]]
                            _change_luck(
                                forced[i, 2], seed, deals[i], decision, words, names, choices, choosing
                            )
                        row = _note(notes, row, turn, seat, action, ids, n)
                if actions < trail.size:
                    trail[actions] = action
                actions += 1
                apply(s, rules, action, rng)
                turn += s.log.game.turns != turns

    return jit.Entry(play, _play_signature(game), f"kernel {game.name}", allocates=False)


@cache
def no_search(game: Game) -> jit.Entry:
    """Return what stands in for the search of a player that does not search."""

    def nothing(view, rules, legal, weights, rng, scratch, memo, work, luck, words, streams, memos,  # type: ignore[no-untyped-def]
                policy, policy_weights, ply):  # fmt: skip
        return legal[0]

    return jit.Entry(nothing, search_signature(game), f"no search {game.name}", allocates=False)
