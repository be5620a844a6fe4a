"""The compiled loop that plays every game: built once per game, for any lineup, option or weight.

The rules are passed as a record and the strategies as addresses of functions, so that changing them does not
recompile the kernel.
"""

import enum
import warnings
from functools import cache
from typing import Annotated, Any, NamedTuple

import numba
import numpy as np
from numba import types
from numba.core.errors import NumbaExperimentalFeatureWarning

from simkit.engine.compile import jit
from simkit.engine.game import Game
from simkit.engine.rng import below, open_streams, start, uniform

# Numba calls first-class functions experimental; tests compare compiled with uncompiled play byte for byte.
warnings.filterwarnings("ignore", category=NumbaExperimentalFeatureWarning)

SAME = 0  # luck after the forced decision: the streams go on
TURN, SEAT, CHOICES, CHOSEN = range(4)  # notes[row, .]: turns ended before, seat, legal actions, index chosen
SEARCH_STATES = 3  # lent to a search beside the scratch states, which its policy uses
WORK = 4_096  # numbers lent to every strategy for arrays of its own, if it needs no more: 32 KiB
NUMBERS, WORDS = types.Array(types.int64, 1, "C"), types.Array(types.uint64, 1, "C")
NET = types.int64, types.int64  # address and size of what a player has learned; an array would take longer


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

# Arguments of compiled code: the type of the elements and the number of axes, 0 for a number. The name of a
# record of the game stands for its type.
Number = Annotated[int, types.int64, 0]
Ints = Annotated[np.ndarray, types.int64, 1]
IntTable = Annotated[np.ndarray, types.int64, 2]
Floats = Annotated[np.ndarray, types.float64, 1]
FloatTable = Annotated[np.ndarray, types.float64, 2]
Flags = Annotated[np.ndarray, types.boolean, 1]
Words = Annotated[np.ndarray, types.uint64, 1]
# Addresses of machine code or of arrays; in plain Python a tuple of functions or of arrays.
Functions = Annotated[Any, types.int64, 1]
States = Annotated[np.ndarray, "state", 1]
Rules = Annotated[np.ndarray, "rules", 1]
Streams = Annotated[np.ndarray, "rng", 1]
Places = Annotated[np.ndarray, PLACE, 1]


class Batch(NamedTuple):
    """Games for the kernel, the memory to play them in, and the arrays that it fills.

    This declaration is the only one of the kernel's argument: its Numba type (`argument_type`), the call in
    `GameTable` and the call in WebAssembly (`simkit.web.glue`) follow from it. With shift r, entry
    (i + r) % seats of the lineup plays seat i, and roles are moved on by r // seats seats. A player that
    searches decides by its search, and `players` and `weights` have its policy, for which the second halves
    of `rng`, `words` and `memos`, the third part of `choices`, and `work` are lent.
    """

    seed: Number
    deals: Ints  # deal number of each game
    shifts: Ints  # rotation of each game
    seats: Number
    rules: Rules
    players: Functions  # by entry of the lineup, as the next eight
    weights: FloatTable
    blunders: Floats  # probability of a random error
    takes_view: Flags
    searches: Functions
    search_weights: FloatTable
    nets: Functions  # what the player of each entry has learned, then what its search has
    net_sizes: Ints  # numbers of each of `nets`
    searching: Flags
    states: States  # one per game, zero: the final states
    lent: States  # the view, then the scratch states
    rng: Streams  # streams of the game, those of play-outs
    words: Words  # the same memory as `rng`
    names: Words  # purposes of the streams of the game
    choices: Words  # streams of each seat: choices, random errors, choices of the policy
    choosing: Words  # purposes of `choices`
    ids: Ints  # room for the legal actions
    memos: IntTable
    work: Ints
    search_work: Ints
    trail: Ints  # filled with the actions of one game after the other as far as it reaches
    forced: IntTable  # empty, or per game a decision, the index of its action, and the luck from then on
    notes: IntTable  # filled with TURN, SEAT, CHOICES, CHOSEN of each decision
    place: Places  # where the kernel is, and its fault


@jit.rule
def is_legal(action, ids, n):  # type: ignore[no-untyped-def]
    """Return whether `action` is among the first n of `ids`."""
    legal = False  # for a few dozen actions a scan without branches is fastest
    for i in range(n):
        legal |= ids[i] == action
    return legal


@cache  # Numba takes 10 ms to make the types of a game, which every strategy needs
def _record_type(game: Game, name: str) -> Any:
    """Return the Numba type of a record of a game: state, rules, rng, turn or piece."""
    return numba.from_dtype(getattr(game, f"{name}_dtype"))


def _numba_type(game: Game, elements: Any, axes: int) -> Any:
    """Return the Numba type of an argument as declared; only the rules are read-only."""
    kind = elements
    if isinstance(elements, str):
        kind = _record_type(game, elements)
    elif isinstance(elements, np.dtype):
        kind = numba.from_dtype(elements)
    return types.Array(kind, axes, "C", readonly=elements == "rules") if axes else kind


def argument_type(game: Game, declaration: type) -> Any:
    """Return the Numba type of a named tuple of arguments, such as `Batch`, for a game."""
    declared = [kind.__metadata__ for kind in declaration.__annotations__.values()]
    return types.NamedTuple([_numba_type(game, *argument) for argument in declared], declaration)


def arrays(game: Game) -> tuple[Any, Any, Any]:
    """Return the Numba types of arrays of states, of rules and of streams."""
    states, rules, rng = (_numba_type(game, name, 1) for name in ("state", "rules", "rng"))
    return states, rules, rng


def strategy_signature(game: Game) -> Any:
    """Return the type of a strategy.

    decide(view, rules, legal, weights, rng, scratch, memo, work, net, size) -> action, where `net` is the
    address of what the player has learned, and `size` the length of this array.
    """
    states, rules, _ = arrays(game)
    legal, weights = (types.Array(kind, 1, "C", readonly=True) for kind in (types.int64, types.float64))
    return types.int64(states.dtype, rules.dtype, legal, weights, WORDS, states, NUMBERS, NUMBERS, *NET)


def search_signature(game: Game) -> Any:
    """Return the type of a search: a strategy that also takes what it plays on with.

    decide(..., luck, words, streams, memos, policy, policy_weights, policy_work, policy_net, policy_size,
    ply) -> action, where `...` is as in `strategy_signature`.
    """
    (_, _, rng), strategy = arrays(game), strategy_signature(game)
    memos, weights = types.Array(types.int64, 2, "C"), strategy.args[3]
    policy = types.FunctionType(strategy), weights, NUMBERS, *NET
    return types.int64(*strategy.args, rng.dtype, WORDS, WORDS, memos, *policy, types.int64)


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
def _open(batch, seed, deal):  # type: ignore[no-untyped-def]
    """Set the streams of the game and of the strategies to their start."""
    open_streams(batch.words, seed, deal, batch.names)
    open_streams(batch.choices, seed, deal, batch.choosing)


@jit.rule
def _change_luck(batch, luck, deal, decision):  # type: ignore[no-untyped-def]
    """Open all streams anew for the luck after a forced decision, unless it is SAME."""
    if luck != SAME:
        _open(batch, start(batch.seed, decision, luck), deal)


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
def build(game: Game) -> jit.EntryPoint:
    """Return the kernel of a game, which plays a `Batch`: one game per deal into `states`.

    At a forced decision the strategy still decides, so that its stream and memory advance. Other luck after
    it opens all streams anew for (seed, deal, decision, luck), alike for each action.
    """
    begin, legal, apply, observe, max_steps = game.begin, game.legal, game.step, game.observe, game.max_steps
    strategy, search = jit.function_at(strategy_signature(game)), jit.function_at(search_signature(game))

    def play(batch):  # type: ignore[no-untyped-def]
        seats, deals, shifts, ids, memos = batch.seats, batch.deals, batch.shifts, batch.ids, batch.memos
        rules, rng, view, scratch = batch.rules[0], batch.rng[0], batch.lent[0], batch.lent[1:]
        choices, forced, notes, trail, at = (
            batch.choices, batch.forced, batch.notes, batch.trail, batch.place[0]
        )  # fmt: skip
        nets, sizes = batch.nets, batch.net_sizes
        actions, row, is_noted = 0, 0, forced.shape[0] + notes.shape[0] > 0
        for i in range(deals.size):
            s, at.game, at.seat, first_action, turn = batch.states[i], i, -1, actions, 0
            _open(batch, batch.seed, deals[i])
            memos[:seats] = 0  # a search clears those of its policy
            jit.wipe(view)  # `observe` does not write to hidden fields
            s.seats = seats
            begin(s, rules, rng, shifts[i])
            while s.seat >= 0:
                at.seat = seat = s.seat
                n = legal(s, rules, ids)
                at.fault = _fault(n, ids.size, actions - first_action, max_steps)
                if at.fault != Fault.none:
                    return
                action, turns = ids[0], s.log.game.turns
                if n > 1:
                    k, luck = (seat + shifts[i]) % seats, choices[seat : seat + 1]
                    error_index = random_error(choices[seats + seat :], batch.blunders[k], n)
                    decision = s.log.game.decisions
                    s.log.game.decisions += 1
                    action = ids[max(error_index, 0)]
                    if error_index < 0:
                        if batch.takes_view[k]:
                            observe(s, rules, seat, view)
                        policy, weights = strategy(batch.players[k]), batch.weights[k]
                        memo, work, net, size = memos[seat], batch.work, nets[2 * k], sizes[2 * k]
                        at.deciding = 1
                        if batch.searching[k]:
                            action = search(batch.searches[k])(
                                view, rules, ids[:n], batch.search_weights[k], luck, scratch, memo,
                                batch.search_work, nets[2 * k + 1], sizes[2 * k + 1],
                                batch.rng[1], batch.words[batch.names.size :],
                                choices[2 * seats : 3 * seats], memos[seats:],
                                policy, weights, work, net, size, decision,
                            )  # fmt: skip
                        else:
                            action = policy(
                                view, rules, ids[:n], weights, luck, scratch, memo, work, net, size
                            )  # fmt: skip
                        at.deciding = 0
                    if not is_legal(action, ids, n):
                        at.fault, at.action = Fault.illegal_action, action
                        return
                    if is_noted:
                        if i < forced.shape[0] and forced[i, 0] == decision:
                            action = ids[forced[i, 1]]
                            _change_luck(batch, forced[i, 2], deals[i], decision)
                        row = _note(notes, row, turn, seat, action, ids, n)
                if actions < trail.size:
                    trail[actions] = action
                actions += 1
                apply(s, rules, action, rng)
                turn += s.log.game.turns != turns

    signature = types.void(argument_type(game, Batch))
    return jit.EntryPoint(play, signature, f"kernel {game.name}", allocates=False)


@cache
def no_search(game: Game) -> jit.EntryPoint:
    """Return what stands in for the search of a player that does not search."""

    def nothing(view, rules, legal, weights, rng, scratch, memo, work, net, size, luck, words, streams,  # type: ignore[no-untyped-def]
                memos, policy, policy_weights, policy_work, policy_net, policy_size, ply):  # fmt: skip
        return legal[0]

    return jit.EntryPoint(nothing, search_signature(game), f"no search {game.name}", allocates=False)
