"""Values of several actions of one decision, by play-outs of a policy with common luck."""

from collections.abc import Iterator
from functools import cache
from typing import Any, NamedTuple

import numpy as np

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
    strategy_signature,
)
from simkit.engine.playout import judging, open_luck, playing_on, redealing, usual_choice
from simkit.engine.positions import VIEWS, walk, walking
from simkit.engine.rng import priority, purpose, start, uniform_of
from simkit.engine.rule_helpers import OVER
from simkit.engine.strategy import Lent
from simkit.engine.table import GameTable, Player

Array = np.ndarray
ACTIONS, SAMPLES = 10, 3  # actions of a decision that are compared, and play-outs of each
CHOSEN = purpose("decisions")  # purpose of the luck that chooses decisions
VIEW, ROOT, AFTER, SEEN, SCRATCH = range(5)  # places in `Decisions.states`
GROUP, SEAT = range(2)  # columns of `Decisions.notes`
SHARE, MARGIN = range(2)  # columns of `Decisions.results`


class Decisions(NamedTuple):
    """Trails of played games for the comparison of actions, its memory and the arrays that it fills."""

    seed: Number  # this and the next eleven as in `positions.Replay`
    deals: Ints
    shifts: Ints
    seats: Number
    rules: Rules
    state: States
    rng: Streams  # streams of the game, then those of play-outs
    words: Words  # the same memory as `rng`
    names: Words
    trail: Ints
    ids: Ints
    done: Ints
    chance: Floats  # of each decision to be looked at
    states: States  # VIEW, ROOT, AFTER, SEEN, then scratch states of the policy
    legal: Ints  # room for the legal actions of play-outs
    streams: Words  # of the policy, by seat
    memos: IntTable
    work: Ints
    policy: Functions  # one
    weights: FloatTable
    net: Functions
    net_sizes: Ints
    views: States  # filled: what the seat sees after the action
    notes: IntTable  # filled: notes[view, .]; views of one group differ in the action alone
    groups: Ints  # groups so far, as one number
    results: FloatTable  # filled: results[view, .] of the play-out, the margin in points


class Outcomes(NamedTuple):
    """Views after actions, and what play-outs have led to."""

    views: Array
    seats: Array
    sizes: Array  # of the groups of views that differ in the action alone
    results: Array  # float64[view, (share, margin in points)]


@cache
def comparer(game: Game) -> jit.EntryPoint:
    """Return the function that walks along the trail of games and compares actions of some decisions."""
    observe, step, result = game.observe, game.step, judging(game)
    redealt, play_on, strategy = redealing(game), playing_on(game), jit.function_at(strategy_signature(game))

    @jit.rule
    def compare(replay, s, i, number, count, n):  # type: ignore[no-untyped-def]
        luck = start(replay.seed, replay.deals[i], CHOSEN)
        if uniform_of(luck, number) >= replay.chance[0]:
            return n
        names, seats, states = replay.names.size, s.seats, replay.states
        key, seat, rules, view = start(luck, number, CHOSEN), s.seat, replay.rules[0], states[VIEW]
        lent = Lent(
            replay.rng[1], replay.words[names:], replay.streams[:seats], states[SEEN], states[SCRATCH:],
            replay.memos[:seats], replay.work, strategy(replay.policy[0]), replay.weights[0],
            replay.net[0], replay.net_sizes[0],
        )  # fmt: skip
        jit.wipe(view)
        observe(s, rules, seat, view)
        usual = usual_choice(view, rules, replay.ids[:count], lent, key)
        most = _choose(replay.ids, count, usual, key)
        for sample in range(SAMPLES):
            if n + most > replay.views.size:
                return -1
            redealt(states[ROOT], view, rules, key, sample, lent.streams[:1])
            for k in range(most):
                after = states[AFTER]
                jit.clone(after, states[ROOT])
                open_luck(lent, key, sample, 0)
                step(after, rules, replay.ids[k], lent.luck)
                if after.seat == OVER:  # the result is known then, and no net is asked
                    continue
                jit.wipe(replay.views[n])
                observe(after, rules, seat, replay.views[n])
                play_on(after, rules, lent, replay.legal, key, sample, 0)
                replay.results[n, SHARE], replay.results[n, MARGIN] = result(after, seat)
                replay.notes[n, GROUP], replay.notes[n, SEAT] = replay.groups[0], seat
                n += 1
            replay.groups[0] += 1
        return n

    return walking(game, compare, Decisions, f"decisions {game.name}")


@jit.rule
def _choose(ids, count, usual, key):  # type: ignore[no-untyped-def]
    """Put the actions to compare first: the usual one, then others at random; return how many they are."""
    for place in range(min(count, ACTIONS)):
        best = place
        for k in range(place, count):
            if ids[k] == usual or (ids[best] != usual and priority(key, ids[k]) > priority(key, ids[best])):
                best = k
        ids[place], ids[best] = ids[best], ids[place]
    return min(count, ACTIONS)


def compare_actions(
    table: GameTable,
    lineup: list[Player],
    seed: int,
    deals: Array,
    shifts: Array,
    policy: Player,
    chance: float,
) -> Iterator[Outcomes]:
    """Play as `GameTable.play` does and compare actions of some decisions; yield what play-outs led to.

    Args:
        table, lineup, seed, deals, shifts: as for `GameTable.play`.
        policy: plays on in all seats; it does not search.
        chance: that a decision is looked at.
    """
    game, seats = table.game, len(lineup)
    net, handed = policy.net, (policy.decide.address if jit.COMPILED else policy.decide.function)
    pointer = np.array([handed]) if jit.COMPILED else (handed,)
    own: dict[str, Any] = {
        "chance": np.array([chance]), "states": np.zeros(SCRATCH + game.scratch, game.state_dtype),
        "legal": np.zeros(game.max_actions, np.int64), "streams": np.zeros(seats, np.uint64),
        "memos": np.zeros((seats, game.memo), np.int64), "work": np.zeros(policy.room, np.int64),
        "policy": pointer, "weights": np.atleast_2d(np.append(policy.weights, 0.0)),
        "net": np.array([jit.address_of(net)]) if jit.COMPILED else (net,), "net_sizes": np.array([net.size]),
        "groups": np.zeros(1, np.int64),
    }  # fmt: skip

    def prepare(common: dict[str, Any], room: int) -> Decisions:
        views, notes = np.zeros(room, game.state_dtype), np.zeros((room, 2), np.int64)
        return Decisions(**common, **own, views=views, notes=notes, results=np.zeros((room, 2)))

    for replay, _, _ in walk(table, lineup, seed, deals, shifts, comparer(game), prepare):
        n = int(replay.done[VIEWS])
        groups, seen_by = replay.notes[:n].T.copy()
        sizes = np.unique(groups, return_counts=True)[1]
        yield Outcomes(replay.views[:n], seen_by, sizes, replay.results[:n].copy())
