"""Positions of played games, for training: views of seats at decisions, along the trail of the games.

Games are played as always, then stepped through once more by their actions (`walking`, `walk`), with a visit
to each decision.
"""

from collections.abc import Callable, Iterator
from functools import cache
from typing import Any, NamedTuple

import numpy as np
from numba import types

from simkit.engine.compile import jit
from simkit.engine.game import Game
from simkit.engine.kernel import Floats, Ints, IntTable, Number, Rules, States, Streams, Words, argument_type
from simkit.engine.rng import open_streams, purpose, start, uniform_of
from simkit.engine.rule_helpers import OVER
from simkit.engine.table import GameTable, Player

Array = np.ndarray
TRAIL = 1 << 18  # actions in memory at one time
BYTES = 1 << 24  # of views in memory at one time
GAMES, ACTIONS, VIEWS, FULL = range(4)  # places in `Replay.done`
GAME, DECIDER, SEAT, NUMBER = range(4)  # columns of `Replay.notes`
CHOSEN = purpose("positions")  # purpose of the luck that chooses positions


class Positions(NamedTuple):
    """Views of seats at decisions of whole games, in the order of play, and how the games ended."""

    views: Array  # state_dtype[position]
    games: Array  # index of the game of each position, from 0
    deciders: Array  # seat that decides there
    seats: Array  # seat that sees the view
    numbers: Array  # number of the decision in its game, from 0
    shares: Array  # float32[game, seat]: share of the win
    margins: Array  # float32[game, seat]: points ahead of the best other seat; of a team its score


class Replay(NamedTuple):
    """Trails of played games for the recorder, its memory and the arrays that it fills.

    Declared once for all who call it, as `kernel.Batch` is. What `walk` needs has these names in all trails.
    """

    seed: Number
    deals: Ints  # deal number of each game
    shifts: Ints  # rotation of each game
    seats: Number
    rules: Rules
    state: States  # room for one state
    rng: Streams  # streams of the game
    words: Words  # the same memory as `rng`
    names: Words  # purposes of the streams of the game
    trail: Ints  # the actions of one game after the other
    ids: Ints  # room for the legal actions
    chances: Floats  # for the view of the decider and for that of each other seat
    views: States  # filled, as far as they reach
    notes: IntTable  # filled: notes[view, .]
    done: Ints  # games and actions so far, views of this call, whether more have no room


@cache
def recorder(game: Game) -> jit.EntryPoint:
    """Return the function that walks along the trail of games and copies views of decisions."""
    observe = game.observe

    @jit.rule
    def copy_views(replay, s, i, number, count, n):  # type: ignore[no-untyped-def]
        key, decider = start(replay.seed, replay.deals[i], CHOSEN), s.seat
        for seat in range(s.seats):
            chance = replay.chances[0] if seat == decider else replay.chances[1]
            if uniform_of(key, number * s.seats + seat) >= chance:
                continue
            if n == replay.views.size:
                return -1
            jit.wipe(replay.views[n])
            observe(s, replay.rules[0], seat, replay.views[n])
            note = replay.notes[n]
            note[GAME], note[DECIDER], note[SEAT], note[NUMBER] = i, decider, seat, number
            n += 1
        return n

    return walking(game, copy_views, Replay, f"positions {game.name}")


def walking(game: Game, visit: Any, declaration: type, name: str) -> jit.EntryPoint:
    """Return the function that steps through games along their trail, for an argument as declared.

    `visit(replay, s, i, number, count, n)` is called at each decision of game i with more than one legal
    action, which are the first `count` of `replay.ids`. It returns the number of views so far, n before it,
    or -1 if more have no room. The function goes on where `done` says, and stops before a game whose actions
    or views have no room.
    """
    begin, legal, step = game.begin, game.legal, game.step

    def walk(replay):  # type: ignore[no-untyped-def]
        s, rules, rng = replay.state[0], replay.rules[0], replay.rng[0]
        trail, done = replay.trail, replay.done
        actions, n = done[ACTIONS], 0
        done[VIEWS] = done[FULL] = 0
        for i in range(done[GAMES], replay.deals.size):
            open_streams(replay.words, replay.seed, replay.deals[i], replay.names)
            jit.wipe(s)
            s.seats = replay.seats
            begin(s, rules, rng, replay.shifts[i])
            number = 0
            while s.seat != OVER:
                if actions == trail.size:
                    return
                count = legal(s, rules, replay.ids)
                if count > 1:
                    n = visit(replay, s, i, number, count, n)
                    if n < 0:
                        done[FULL] = 1
                        return
                    number += 1
                step(s, rules, trail[actions], rng)
                actions += 1
            done[GAMES], done[ACTIONS], done[VIEWS] = i + 1, actions, n

    return jit.EntryPoint(walk, types.void(argument_type(game, declaration)), name, allocates=False)


def walk(
    table: GameTable,
    lineup: list[Player],
    seed: int,
    deals: Array,
    shifts: Array,
    walker: jit.EntryPoint,
    prepare: Callable[[dict[str, Any], int], Any],
) -> Iterator[tuple[Any, int, Array]]:
    """Play as `GameTable.play` does and walk along the trails, whole games at a time.

    Args:
        table, lineup, seed, deals, shifts: as for `GameTable.play`.
        walker: what `walking` has returned.
        prepare: returns its argument, from the fields that all have and the number of views to make room for.

    Returns:
        The argument of the walker with what it has filled, the index of the first game there since the last
        play, and the final states of the games.
    """
    game, first = table.game, 0
    trail = np.empty(max(TRAIL, game.max_steps), np.int64)  # the longest game fits
    while first < len(deals):
        states = table.play(lineup, seed, deals[first:], shifts[first:], trail)
        room, done = max(1, BYTES // game.state_dtype.itemsize), np.zeros(4, np.int64)
        common = {
            "seed": seed, "deals": deals[first:], "shifts": shifts[first:], "seats": len(lineup),
            "rules": table.rules, "state": np.zeros(1, game.state_dtype), "rng": table.rng,
            "words": table.rng.view(np.uint64), "names": table.names, "trail": trail, "ids": table.ids,
            "done": done,
        }  # fmt: skip
        replay = prepare(common, room)
        while not done[GAMES] or done[FULL]:
            before = int(done[GAMES])
            walker(replay)
            if done[GAMES] > before:
                yield replay, before, states[before : done[GAMES]]
            else:
                room *= 2
                replay = prepare(common, room)
        first += int(done[GAMES])


def record_positions(
    table: GameTable,
    lineup: list[Player],
    seed: int,
    deals: Array,
    shifts: Array,
    keep: float = 1.0,
    others: float = 0.0,
) -> Iterator[Positions]:
    """Play as `GameTable.play` does and record views of decisions; yield them, whole games at a time.

    Args:
        table, lineup, seed, deals, shifts: as for `GameTable.play`.
        keep: chance that the view of the seat that decides is recorded.
        others: the same for each other seat.

    Returns:
        Positions, whose views are overwritten by the next ones.
    """
    game, chances = table.game, np.array([keep, others], np.float64)

    def prepare(common: dict[str, Any], room: int) -> Replay:
        views, notes = np.zeros(room, game.state_dtype), np.zeros((room, 4), np.int64)
        return Replay(**common, chances=chances, views=views, notes=notes)

    for replay, before, states in walk(table, lineup, seed, deals, shifts, recorder(game), prepare):
        n = int(replay.done[VIEWS])
        games, deciders, seats, numbers = replay.notes[:n].T.copy()
        columns = games - before, deciders, seats, numbers
        yield Positions(replay.views[:n], *columns, *results(game, states))


def results(game: Game, states: Array) -> tuple[Array, Array]:
    """Return the share of the win and the margin of every seat at the end of games, float32[game, seat].

    The margin is over the best other seat; of a team it is the score. Where sides win together a seat has the
    share of its side, and the margin is over those that do not share its rank.
    """
    seats = int(states[0]["seats"])
    won = states["rank"][:, :seats] == 1
    scores = states["score"][:, :seats].astype(np.float32)
    if game.team:
        return won.astype(np.float32), scores
    shares = won / np.maximum(1, won.sum(axis=1, keepdims=True))
    own, ranks = np.eye(seats, dtype=bool), states["rank"][:, :seats]
    if game.rival_sides:
        shares = np.where(won.all(axis=1, keepdims=True), 0.5, won)
        own = ranks[:, :, np.newaxis] == ranks[:, np.newaxis, :]
    others = np.where(own, -np.inf, scores[:, np.newaxis, :])
    rivals = others.max(axis=2) if seats > 1 else np.zeros_like(scores)
    rivals = np.where(np.isinf(rivals), scores, rivals)  # all seats share the rank
    return shares.astype(np.float32), (scores - rivals).astype(np.float32)
