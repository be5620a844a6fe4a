"""Values of the alternatives of decisions: what a seat may expect after each of its legal actions.

A played game is stepped through by its actions. At each decision the view of the seat that decides is redealt
many times, with the same luck for all its actions, so that nothing counts that the seat cannot see. What
follows an action is worth its expected share of the win: what a net says of it, or the result of a play-out.
"""

from functools import cache
from typing import Any, NamedTuple

import numpy as np
from numba import types

from simkit.engine.compile import jit
from simkit.engine.game import Game
from simkit.engine.kernel import (
    Floats,
    FloatTable,
    Functions,
    Ints,
    IntTable,
    Number,
    Rules,
    States,
    Streams,
    Words,
    argument_type,
    strategy_signature,
)
from simkit.engine.learned.actions import Luck, expectation
from simkit.engine.learned.net import room_of
from simkit.engine.playout import judging, open_luck, playing_on, redealing
from simkit.engine.rng import open_streams, purpose, start
from simkit.engine.rule_helpers import OVER
from simkit.engine.strategy import Lent
from simkit.engine.table import GameTable, Player

Array = np.ndarray
VALUING = purpose("alternatives")  # purpose of the luck of redeals
VIEW, ROOT, AFTER, SEEN, SCRATCH = range(5)  # places in `imagined`
DECISION, STEP, SEAT, ACTION, SAMPLES = range(5)  # columns of `alternatives`
ROWS, WHOLE = range(2)  # places in `done`
ROOM = 1 << 12  # alternatives of a game for which there is room at first
REDEALS = 64  # most samples of a decision that a net values
PLAY_OUTS, MOST_PLAY_OUTS, FEWEST_PLAY_OUTS = 2_000, 400, 40  # of a decision; of each action


class ByNet(NamedTuple):
    """Trail of a played game for values by a net, memory, and the arrays that are filled."""

    seed: Number
    deal: Number
    shift: Number
    seats: Number
    rules: Rules
    state: States  # room for one state
    rng: Streams  # streams of the game, then those of what follows an action
    words: Words  # the same memory as `rng`
    names: Words  # purposes of the streams of the game
    trail: Ints  # the actions of the game, or the first of them
    ids: Ints  # room for the legal actions
    done: Ints  # filled with the number of alternatives, and whether there was room for all
    earliest: Ints  # number of the first decision that is valued
    imagined: States  # VIEW, ROOT, AFTER, SEEN, then scratch states
    redeals: Words  # stream of the redeals, then one of each seat
    alternatives: IntTable  # filled with DECISION, STEP, SEAT, ACTION, SAMPLES
    values: FloatTable  # filled: values[alternative, sample], the share of the win
    judge: Functions  # net
    judge_size: Ints
    work: Ints


class ByPlayOuts(NamedTuple):
    """The same for values by play-outs of a policy in all seats."""

    seed: Number
    deal: Number
    shift: Number
    seats: Number
    rules: Rules
    state: States
    rng: Streams
    words: Words
    names: Words
    trail: Ints
    ids: Ints
    done: Ints
    earliest: Ints
    imagined: States
    redeals: Words
    alternatives: IntTable
    values: FloatTable
    legal: Ints  # room for the legal actions of play-outs
    memos: IntTable
    work: Ints
    policy: Functions  # one
    weights: Floats
    net: Functions
    net_size: Ints


def _comparing(game: Game, value: Any) -> Any:
    """Return the rule `compare(replay, lent)`, which steps through a game and values its decisions.

    value(replay, lent, s, key, sample) is the share that the seat may expect which saw replay.imagined[VIEW].
    """
    begin, legal, step = game.begin, game.legal, game.step
    redealt, observe, judge = redealing(game), game.observe, judging(game)

    @jit.rule
    def compare_actions(replay, lent, s, number, count, n):  # type: ignore[no-untyped-def]
        values, states, rules = replay.values, replay.imagined, replay.rules[0]
        view, root, after = states[VIEW], states[ROOT], states[AFTER]
        key = start(start(replay.seed, replay.deal, VALUING), number, VALUING)
        samples = min(values.shape[1], max(FEWEST_PLAY_OUTS, PLAY_OUTS // count))
        jit.wipe(view)
        jit.wipe(states[SEEN])  # `observe` does not write to hidden fields
        observe(s, rules, s.seat, view)
        for sample in range(samples):
            redealt(root, view, rules, key, sample, replay.redeals[:1])
            for k in range(count):
                jit.clone(after, root)
                open_luck(lent, key, sample, 0)
                step(after, rules, replay.ids[k], lent.luck)
                if after.seat == OVER:
                    values[n + k, sample] = judge(after, view.seat)[0]
                else:
                    values[n + k, sample] = value(replay, lent, after, key, sample)
        return samples

    @jit.rule
    def compare(replay, lent):  # type: ignore[no-untyped-def]
        s, rules, rng, done = replay.state[0], replay.rules[0], replay.rng[0], replay.done
        open_streams(replay.words, replay.seed, replay.deal, replay.names)
        jit.wipe(s)
        s.seats = replay.seats
        begin(s, rules, rng, replay.shift)
        number, done[ROWS], done[WHOLE] = 0, 0, 0
        for action in range(replay.trail.size):
            if s.seat == OVER:
                break
            count, n = legal(s, rules, replay.ids), done[ROWS]
            if count > 1 and number >= replay.earliest[0]:
                if n + count > replay.values.shape[0]:
                    return
                samples = compare_actions(replay, lent, s, number, count, n)
                for k in range(count):
                    row = replay.alternatives[n + k]
                    row[DECISION], row[STEP], row[SEAT] = number, action, s.seat
                    row[ACTION], row[SAMPLES] = replay.ids[k], samples
                done[ROWS] = n + count
            number += count > 1
            step(s, rules, replay.trail[action], rng)
        done[WHOLE] = 1

    return compare


@cache
def valuer(game: Game) -> jit.EntryPoint:
    """Return the function that values alternatives by a net."""
    observe = game.observe

    @jit.rule
    def value(replay, lent, s, key, sample):  # type: ignore[no-untyped-def]
        net, seat = jit.array_at(replay.judge[0], replay.judge_size[0]), replay.imagined[VIEW].seat
        seen = replay.imagined[SEEN]
        observe(s, replay.rules[0], seat, seen)
        return expectation(net, seen, replay.rules[0], seat, replay.work.view(np.int32))[0]

    compare = _comparing(game, value)

    def value_by_net(replay):  # type: ignore[no-untyped-def]
        words, streams = replay.words[replay.names.size :], replay.redeals[1 : 1 + replay.seats]
        compare(replay, Luck(replay.rng[1], words, streams))

    signature = types.void(argument_type(game, ByNet))
    return jit.EntryPoint(value_by_net, signature, f"alternatives {game.name}", allocates=False)


@cache
def player_out(game: Game) -> jit.EntryPoint:
    """Return the function that values alternatives by play-outs."""
    play_on, judge, strategy = playing_on(game), judging(game), jit.function_at(strategy_signature(game))

    @jit.rule
    def value(replay, lent, s, key, sample):  # type: ignore[no-untyped-def]
        play_on(s, replay.rules[0], lent, replay.legal, key, sample, 0)
        return judge(s, replay.imagined[VIEW].seat)[0]

    compare = _comparing(game, value)

    def value_by_play_outs(replay):  # type: ignore[no-untyped-def]
        states, words, seats = replay.imagined, replay.words[replay.names.size :], replay.seats
        lent = Lent(
            replay.rng[1], words, replay.redeals[1 : 1 + seats], states[SEEN], states[SCRATCH:],
            replay.memos[:seats], replay.work, strategy(replay.policy[0]), replay.weights,
            replay.net[0], replay.net_size[0],
        )  # fmt: skip
        compare(replay, lent)

    signature = types.void(argument_type(game, ByPlayOuts))
    return jit.EntryPoint(value_by_play_outs, signature, f"play-outs {game.name}", allocates=False)


def value_alternatives(
    table: GameTable,
    judge: Player,
    seats: int,
    seed: int,
    deal: int,
    trail: Array,
    earliest: int = 0,
    shift: int = 0,
) -> tuple[Array, Array]:
    """Return the alternatives of the decisions of a game, and their values in samples with common luck.

    Args:
        table: rules of the game, and memory.
        judge: learned player whose net values what follows; of another player, play-outs of it do.
        seats, seed, deal: of the game.
        trail: its actions so far.
        earliest: number of the first decision that counts.
        shift: rotation of the game.

    Returns:
        int64[alternative, (DECISION, STEP, SEAT, ACTION, SAMPLES)], and float64[alternative, sample]: the
        expected share of the win of the seat that decides, in the first SAMPLES columns.
    """
    game, net_size = table.game, judge.net.size
    declaration, entry = (ByNet, valuer(game)) if net_size else (ByPlayOuts, player_out(game))
    most = MOST_PLAY_OUTS if not net_size else 1 if game.is_certain else REDEALS
    memory = _memory(table, seats) | (_net_memory(judge) if net_size else _policy_memory(game, judge, seats))
    memory |= {"seed": seed, "deal": deal, "shift": shift, "trail": np.ascontiguousarray(trail, np.int64)}
    room = ROOM
    while True:
        done, notes, values = np.zeros(2, np.int64), np.zeros((room, 5), np.int64), np.zeros((room, most))
        filled: dict[str, Any] = {"done": done, "alternatives": notes, "values": values}
        entry(declaration(**memory, **filled, earliest=np.array([earliest])))
        if done[WHOLE]:
            return notes[: done[ROWS]], values[: done[ROWS]]
        room *= 4


def _memory(table: GameTable, seats: int) -> dict[str, Any]:
    """Return what both ways to value take of a table, with streams of their own."""
    game, rng = table.game, np.zeros_like(table.rng)
    return {
        "seats": seats, "rules": table.rules, "state": np.zeros(1, game.state_dtype), "rng": rng,
        "words": rng.view(np.uint64), "names": table.names, "ids": np.zeros(game.max_actions, np.int64),
        "imagined": np.zeros(SCRATCH + game.scratch, game.state_dtype),
        "redeals": np.zeros(1 + game.max_seats, np.uint64),
    }  # fmt: skip


def _net_memory(judge: Player) -> dict[str, Any]:
    work = np.zeros(room_of(judge.net), np.int64)
    return {"judge": _handed(judge.net), "judge_size": np.array([judge.net.size]), "work": work}


def _policy_memory(game: Game, judge: Player, seats: int) -> dict[str, Any]:
    decide = judge.decide
    return {
        "legal": np.zeros(game.max_actions, np.int64), "weights": judge.weights,
        "policy": np.array([decide.address]) if jit.COMPILED else (decide.function,),
        "memos": np.zeros((seats, game.memo), np.int64), "work": np.zeros(judge.room, np.int64),
        "net": _handed(judge.net), "net_size": np.array([judge.net.size]),
    }  # fmt: skip


def _handed(net: Array) -> Any:
    """Return a net as compiled code takes several: by their addresses; in plain Python themselves."""
    return np.array([jit.address_of(net)]) if jit.COMPILED else (net,)
