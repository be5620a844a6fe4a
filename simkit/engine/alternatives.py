"""Values of the alternatives of decisions: what a seat may expect after each of its legal actions.

A played game is stepped through by its actions. At each decision the view of the seat that decides is redealt
many times, with the same luck for all its actions, so that nothing counts that the seat cannot see. What
follows an action is worth its expected share of the win: what a net says of it, or the result of a play-out.
"""

from functools import cache
from typing import Any, NamedTuple

import numpy as np

from simkit.engine.compile import jit
from simkit.engine.game import OVER, Game
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
    strategy_signature,
)
from simkit.engine.learned.actions import Luck, expectation
from simkit.engine.learned.net import room_of
from simkit.engine.playout import judging, open_luck, playing_on, redealing
from simkit.engine.positions import FULL, VIEWS, walking
from simkit.engine.rng import purpose, start
from simkit.engine.strategy import Lent
from simkit.engine.table import GameTable, Player

Array = np.ndarray
VALUING = purpose("alternatives")  # purpose of the luck of redeals
VIEW, ROOT, AFTER, SEEN, SCRATCH = range(5)  # places in `imagined`
DECISION, ACTION, SAMPLES = range(3)  # columns of `alternatives`
ROOM = 1 << 12  # alternatives of a game for which there is room at first
REDEALS = 64  # most samples of a decision that a net values
PLAY_OUTS, MOST_PLAY_OUTS, FEWEST_PLAY_OUTS = 2_000, 400, 40  # of a decision; of each action


class ByNet(NamedTuple):
    """Trail of a played game for values by a net, memory, and the arrays that are filled."""

    seed: Number  # this and the next ten as in `positions.Replay`
    deals: Ints
    seats: Number
    rules: Rules
    state: States
    rng: Streams  # streams of the game, then those of what follows an action
    words: Words  # the same memory as `rng`
    names: Words
    trail: Ints
    ids: Ints
    done: Ints
    earliest: Ints  # number of the first decision that is valued
    imagined: States  # VIEW, ROOT, AFTER, SEEN, then scratch states
    redeals: Words  # stream of the redeals, then one of each seat
    alternatives: IntTable  # filled with DECISION, ACTION, SAMPLES
    values: FloatTable  # filled: values[alternative, sample], the share of the win
    judge: Functions  # net
    judge_size: Ints
    work: Ints


class ByPlayOuts(NamedTuple):
    """The same for values by play-outs of a policy in all seats."""

    seed: Number
    deals: Ints
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
    """Return the rule `compare(replay, lent, s, i, number, count, n)`, which values a decision if it is asked to.

    value(replay, lent, s, key, sample) is the share that the seat may expect which saw replay.imagined[VIEW].
    """
    redealt, step, observe, judge = redealing(game), game.step, game.observe, judging(game)

    @jit.rule
    def compare(replay, lent, s, i, number, count, n):  # type: ignore[no-untyped-def]
        if number < replay.earliest[0]:
            return n
        values, alternatives, states = replay.values, replay.alternatives, replay.imagined
        if n + count > values.shape[0]:
            return -1
        view, root, after, rules = states[VIEW], states[ROOT], states[AFTER], replay.rules[0]
        key = start(start(replay.seed, replay.deals[i], VALUING), number, VALUING)
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
        for k in range(count):
            note = alternatives[n + k]
            note[DECISION], note[ACTION], note[SAMPLES] = number, replay.ids[k], samples
        replay.done[VIEWS] = n + count
        return n + count

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

    @jit.rule
    def visit(replay, s, i, number, count, n):  # type: ignore[no-untyped-def]
        words = replay.words[replay.names.size :]
        lent = Luck(replay.rng[1], words, replay.redeals[1 : 1 + s.seats])
        return compare(replay, lent, s, i, number, count, n)

    return walking(game, visit, ByNet, f"alternatives {game.name}")


@cache
def player_out(game: Game) -> jit.EntryPoint:
    """Return the function that values alternatives by play-outs."""
    play_on, judge, strategy = playing_on(game), judging(game), jit.function_at(strategy_signature(game))

    @jit.rule
    def value(replay, lent, s, key, sample):  # type: ignore[no-untyped-def]
        play_on(s, replay.rules[0], lent, replay.legal, key, sample, 0)
        return judge(s, replay.imagined[VIEW].seat)[0]

    compare = _comparing(game, value)

    @jit.rule
    def visit(replay, s, i, number, count, n):  # type: ignore[no-untyped-def]
        states, words, seats = replay.imagined, replay.words[replay.names.size :], s.seats
        lent = Lent(
            replay.rng[1], words, replay.redeals[1 : 1 + seats], states[SEEN], states[SCRATCH:],
            replay.memos[:seats], replay.work, strategy(replay.policy[0]), replay.weights,
            replay.net[0], replay.net_size[0],
        )  # fmt: skip
        return compare(replay, lent, s, i, number, count, n)

    return walking(game, visit, ByPlayOuts, f"play-outs {game.name}")


def value_alternatives(
    table: GameTable, judge: Player, seats: int, seed: int, deal: int, trail: Array, earliest: int = 0
) -> tuple[Array, Array]:
    """Return the alternatives of the decisions of a game, and their values in samples with common luck.

    Args:
        table: rules of the game, and memory.
        judge: learned player whose net values what follows; of another player, play-outs of it do.
        seats, seed, deal: of the game.
        trail: its actions so far.
        earliest: number of the first decision that counts.

    Returns:
        int64[alternative, (DECISION, ACTION, SAMPLES)], and float64[alternative, sample]: the expected share
        of the win of the seat that decides, in the first SAMPLES columns.
    """
    game = table.game
    handed: Any = (lambda net: np.array([jit.address_of(net)])) if jit.COMPILED else (lambda net: (net,))
    rng, scratch = np.zeros_like(table.rng), SCRATCH + game.scratch
    common: dict[str, Any] = {
        "seed": seed, "deals": np.array([deal]), "seats": seats, "rules": table.rules,
        "state": np.zeros(1, game.state_dtype), "rng": rng, "words": rng.view(np.uint64), "names": table.names,
        "trail": np.ascontiguousarray(trail, np.int64), "ids": np.zeros(game.max_actions, np.int64),
        "earliest": np.array([earliest]), "imagined": np.zeros(scratch, game.state_dtype),
        "redeals": np.zeros(1 + game.max_seats, np.uint64),
    }  # fmt: skip
    if judge.net.size:
        entry, most = valuer(game), 1 if game.is_certain else REDEALS
        own = {"judge": handed(judge.net), "judge_size": np.array([judge.net.size])}
        own["work"] = np.zeros(room_of(judge.net), np.int64)
    else:
        entry, most, decide = player_out(game), MOST_PLAY_OUTS, judge.decide
        pointer = np.array([decide.address]) if jit.COMPILED else (decide.function,)
        own = {
            "legal": np.zeros(game.max_actions, np.int64), "policy": pointer, "weights": judge.weights,
            "memos": np.zeros((seats, game.memo), np.int64), "work": np.zeros(judge.room, np.int64),
            "net": handed(judge.net), "net_size": np.array([judge.net.size]),
        }  # fmt: skip
    declaration, room = (ByNet if judge.net.size else ByPlayOuts), ROOM
    while True:
        done, notes, values = np.zeros(4, np.int64), np.zeros((room, 3), np.int64), np.zeros((room, most))
        entry(declaration(**common, **own, done=done, alternatives=notes, values=values))
        if not done[FULL]:
            return notes[: done[VIEWS]], values[: done[VIEWS]]
        room *= 4
