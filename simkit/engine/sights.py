"""What one seat sees along a game, and what it may expect to see after each of its legal actions.

For a person at the table who plays where Python is not: the page of a run. All that is shown comes from the
views that `observe` writes, as for strategies.
"""

from functools import cache
from typing import Annotated, NamedTuple

import numpy as np
from numba import types

from simkit.engine.compile import jit
from simkit.engine.game import Game
from simkit.engine.kernel import Ints, IntTable, Number, Rules, States, Streams, Words, argument_type
from simkit.engine.rng import open_streams
from simkit.engine.rule_helpers import OVER
from simkit.engine.table import GameTable

LUCKS = 2  # redeals of a view, with other luck each: what an action does for sure is alike in all of them
MOVER, CHOICES, LUCK, OPEN = range(4)  # columns of `steps`
VIEWS, ACTIONS = range(2)  # places in `shown`
TRUE, OTHER, AFTER, LIKE = range(4)  # places in `imagined`
IMAGINED = 4


class Sights(NamedTuple):
    """Trail of a game, memory, and the arrays that are filled; declared once, as `kernel.Batch` is."""

    seed: Number
    deal: Number
    shift: Number
    seats: Number
    seat: Number  # that sees
    first: Number  # actions before the first view; more where there is no room, or fewer actions
    rules: Rules
    rng: Streams  # streams of the game, then those of what may be
    words: Words  # the same memory as `rng`
    names: Words  # purposes of the streams of the game
    trail: Ints  # the actions of the game, -1 behind the last
    ids: Ints  # filled with the legal actions at its end
    redeals: Words
    imagined: States  # TRUE, OTHER, AFTER, LIKE
    bytes: Annotated[np.ndarray, types.uint8, 1]  # the same memory as `imagined`
    steps: IntTable  # filled per action with MOVER, CHOICES, LUCK drawn, OPEN to the seat
    views: States  # filled with the view before the first action shown, then after each
    futures: States  # filled per legal action at the end with the views after it, LUCKS each
    shown: Ints  # filled with the numbers of VIEWS and of ACTIONS
    truth: States  # filled with the state before each action, and at the end, if there is room


@jit.rule
def _length(trail):  # type: ignore[no-untyped-def]
    """Return the number of actions in a trail."""
    n = 0
    while n < trail.size and trail[n] >= 0:
        n += 1
    return n


@jit.rule
def _differ(content, place, other):  # type: ignore[no-untyped-def]
    """Return whether two of the states in an array differ."""
    size = content.size // IMAGINED
    for i in range(size):
        if content[place * size + i] != content[other * size + i]:
            return True
    return False


@jit.rule
def _keep_luck(words, streams):  # type: ignore[no-untyped-def]
    """Copy the streams of the game over those of what may be."""
    for i in range(streams):
        words[streams + i] = words[i]


@jit.rule
def _is_drawn(words, streams):  # type: ignore[no-untyped-def]
    """Return whether a stream of the game has changed since `_keep_luck`."""
    drawn = False
    for i in range(streams):
        drawn |= words[streams + i] != words[i]
    return drawn


@cache
def sights(game: Game) -> jit.EntryPoint:
    """Return the function that fills the views of a seat along a trail, and after its next actions."""
    begin, legal, step, observe, redeal = game.begin, game.legal, game.step, game.observe, game.redeal

    @jit.rule
    def see(view, s, rules, seat):  # type: ignore[no-untyped-def]
        jit.wipe(view)  # `observe` does not write to hidden fields
        observe(s, rules, seat, view)

    @jit.rule
    def act(look, target, action):  # type: ignore[no-untyped-def]
        """Carry out an action in the other state, with other luck, and write what the seat then sees."""
        other, rules = look.imagined[OTHER], look.rules[0]
        step(other, rules, action, look.rng[1])
        see(target, other, rules, look.seat)

    @jit.rule
    def is_open(look, chosen, n):  # type: ignore[no-untyped-def]
        """Return whether every other legal action would look another way to the seat."""
        states, streams = look.imagined, look.names.size
        for k in range(-1, n):
            action = chosen if k < 0 else look.ids[k]
            if k >= 0 and action == chosen:
                continue
            _keep_luck(look.words, streams)
            jit.clone(states[OTHER], states[TRUE])
            act(look, states[AFTER if k < 0 else LIKE], action)
            if k >= 0 and not _differ(look.bytes, AFTER, LIKE):
                return False
        return n > 1

    @jit.rule
    def foresee(look, view, n):  # type: ignore[no-untyped-def]
        for i in range(n * LUCKS):
            luck = 1 + i % LUCKS
            jit.clone(look.imagined[OTHER], view)
            look.redeals[0] = luck
            redeal(look.imagined[OTHER], look.rules[0], look.seat, look.redeals)
            open_streams(look.words[look.names.size :], luck, 0, look.names)
            act(look, look.futures[i], look.ids[i // LUCKS])

    def show(look):  # type: ignore[no-untyped-def]
        s, rules, rng, ids, shown = look.imagined[TRUE], look.rules[0], look.rng[0], look.ids, look.shown
        streams, total = look.names.size, _length(look.trail)
        first = min(max(look.first, total + 1 - look.views.size), total)
        open_streams(look.words, look.seed, look.deal, look.names)
        jit.wipe(s)
        s.seats = look.seats
        begin(s, rules, rng, look.shift)
        shown[VIEWS] = shown[ACTIONS] = 0
        for k in range(total + 1):
            if k < look.truth.size:
                jit.clone(look.truth[k], s)
            if k >= first:
                see(look.views[k - first], s, rules, look.seat)
                shown[VIEWS] += 1
            n = legal(s, rules, ids) if s.seat != OVER else 0
            if k == total or n == 0:
                shown[ACTIONS] = n if s.seat == look.seat else 0
                break
            row, action = look.steps[k], look.trail[k]
            row[MOVER], row[CHOICES] = s.seat, n
            row[OPEN] = s.seat == look.seat or (k >= first and is_open(look, action, n))
            _keep_luck(look.words, streams)
            step(s, rules, action, rng)
            row[LUCK] = _is_drawn(look.words, streams)
        foresee(look, look.views[shown[VIEWS] - 1], shown[ACTIONS])

    signature = types.void(argument_type(game, Sights))
    return jit.EntryPoint(show, signature, f"sights {game.name}", allocates=False)


class Sight(NamedTuple):
    """What a seat has seen of a game."""

    steps: np.ndarray  # int64[action, (MOVER, CHOICES, LUCK, OPEN)]
    views: np.ndarray  # states: before the first action, and after each
    legal: list[int]  # actions of the seat at the end of the trail
    futures: np.ndarray  # states[action, luck]: what the seat may see after each of these
    truth: np.ndarray  # states: what is so, before the first action, and after each


def look(table: GameTable, seats: int, seat: int, seed: int, deal: int, trail: np.ndarray) -> Sight:
    """Return what a seat sees along the trail of a game of a table, and after its next actions."""
    game, total, rng = table.game, len(trail), np.zeros_like(table.rng)
    imagined = np.zeros(IMAGINED, game.state_dtype)
    room = (total + 1, LUCKS * game.max_actions, total + 1)
    views, futures, truth = (np.zeros(n, game.state_dtype) for n in room)
    steps, ids, shown = (np.zeros(shape, np.int64) for shape in ((total, 4), game.max_actions, 2))
    sights(game)(Sights(
        seed=seed, deal=deal, shift=0, seats=seats, seat=seat, first=0, rules=table.rules, rng=rng,
        words=rng.view(np.uint64), names=table.names, trail=np.ascontiguousarray(trail, np.int64), ids=ids,
        redeals=np.zeros(1, np.uint64), imagined=imagined, bytes=imagined.view(np.uint8),
        steps=steps, views=views, futures=futures, shown=shown, truth=truth,
    ))  # fmt: skip
    n = int(shown[ACTIONS])
    futures = futures[: LUCKS * n].reshape(n, LUCKS)
    return Sight(steps, views[: shown[VIEWS]], ids[:n].tolist(), futures, truth)
