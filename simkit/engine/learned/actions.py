"""What a net expects after each action, and of any position, as the seat to decide would see it."""

from collections import namedtuple
from functools import cache
from typing import Any

from simkit.engine.compile import jit
from simkit.engine.game import Game
from simkit.engine.learned.blocks import int64_at
from simkit.engine.learned.net import POINTS, POINTS_SHIFT, WIN, begin, change, head, sums_of, value, worth
from simkit.engine.playout import open_luck, redealing
from simkit.engine.rng import priority
from simkit.engine.rule_helpers import OVER

ROOT, NEXT, SEEN = range(3)  # scratch states: the redealt position, the one after an action, its view
WHOLE = 1024  # `mix` of a net where only winning counts
Luck = namedtuple("Luck", "luck words streams")  # of the game, as a record and as words; of redeals


@jit.rule
def _copy(target, source):  # type: ignore[no-untyped-def]
    for i in range(source.size):  # an assignment of arrays would make a third one
        target[i] = source[i]


@cache
def valuing(game: Game) -> Any:
    """Return the rule `add_worths(view, rules, legal, key, sample, net, mix, luck, scratch, sums, scores)`.

    It adds to the score of each legal action what it is worth in one redeal, with the same luck for all.
    `sums` are those that `open_sums` has written for the view.
    """
    redealt, step, observe = redealing(game), game.step, game.observe

    @jit.rule
    def add_worths(view, rules, legal, key, sample, net, mix, luck, scratch, sums, scores):  # type: ignore[no-untyped-def]
        root, s, seen, seat = scratch[ROOT], scratch[NEXT], scratch[SEEN], view.seat
        usual, own = sums[: sums_of(net)], sums[sums_of(net) : 2 * sums_of(net)]
        redealt(root, view, rules, key, sample, luck.streams[:1])
        for i in range(legal.size):
            jit.clone(s, root)
            open_luck(luck, key, sample, 0)
            step(s, rules, legal[i], luck.luck)
            if s.seat != OVER:
                observe(s, rules, seat, seen)
                _copy(own, usual)
                change(net, view, seen, seat, own)
            scores[i] += worth(net, s, seat, own, mix)

    return add_worths


@jit.rule
def open_sums(view, rules, net, seen, sums):  # type: ignore[no-untyped-def]
    """Write the sums of a view, and make a state ready for the views that are compared with it."""
    jit.wipe(seen)  # `observe` does not write to hidden fields
    begin(net, view, rules, view.seat, sums[: sums_of(net)])


@jit.rule
def expectation(net, view, rules, seat, sums):  # type: ignore[no-untyped-def]
    """Return what a seat expects at a view: its share of the win, 0 to 1, and its margin in points."""
    begin(net, view, rules, seat, sums[: sums_of(net)])
    win, margin = value(net, sums)
    return win / WIN, (1 << head(net, POINTS_SHIFT)) * margin / head(net, POINTS)


@jit.rule
def whole_mix(mix):  # type: ignore[no-untyped-def]
    """Return the worth of winning as a net takes it.

    >>> whole_mix(0.6)
    614
    """
    return int(WHOLE * mix + 0.5)


@cache
def digesting(game: Game) -> Any:
    """Return the rule `digest(view)`: a number for luck; the log and up to 7 bytes before it do not count."""
    before_log = game.state_dtype.fields["log"][1]  # type: ignore[index]

    @jit.rule
    def digest(view):  # type: ignore[no-untyped-def]
        number = 0
        for place in range(0, before_log - 7, 8):
            number = priority(number, int64_at(view, place))
        return number

    return digest


@cache
def identifying(game: Game) -> Any:
    """Return the rule `identity(s)`: a number that differs between positions; the log does not count."""
    digest, last = digesting(game), game.state_dtype.fields["log"][1] - 8  # type: ignore[index]

    @jit.rule
    def identity(s):  # type: ignore[no-untyped-def]
        return priority(digest(s), int64_at(s, last))

    return identity
