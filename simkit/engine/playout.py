"""Play-outs: games played on from what a seat sees, with the hidden redealt and a policy in all seats.

Their worth is the share of the win, and the margin in its standard deviations.
"""

from functools import cache
from typing import Any

import numpy as np

from simkit.engine.compile import jit
from simkit.engine.game import Game
from simkit.engine.kernel import is_legal
from simkit.engine.rng import MASK, start
from simkit.engine.rule_helpers import OVER

REDEAL = MASK  # purpose of the stream that redeals; a negative number would start another in plain Python
STREAMS = 1 << 10  # purposes of a turn, at least the streams of a game and its policies
SOONER = 1e-6  # part of the worth of a win that each turn until then costs
NO_SCORE = -(1 << 40)  # lower than any score
# Places in the sums of results.
WIN, MARGIN, WIN_SQUARE, MARGIN_SQUARE, PRODUCT = range(5)
SUMS = 5


@cache
def redealing(game: Game) -> Any:
    """Return the rule `redealt(s, view, rules, key, sample, stream)`.

    It makes `s` a state that the view shows as possible, which depends on key and sample alone.

    >>> from simkit.games.pig import game
    >>> callable(redealing(game))  # compiled code calls it
    True
    """
    redeal = game.redeal

    @jit.rule
    def redealt(s, view, rules, key, sample, stream):  # type: ignore[no-untyped-def]
        jit.clone(s, view)
        stream[0] = start(key, sample, REDEAL)
        redeal(s, rules, view.seat, stream)

    return redealt


@jit.rule
def open_luck(lent, key, sample, turn):  # type: ignore[no-untyped-def]
    """Start the luck of a turn of a play-out, which depends on key, sample and turn alone.

    So play-outs of one sample meet the same luck in a turn, however much luck earlier turns used.

    >>> from types import SimpleNamespace
    >>> lent = SimpleNamespace(words=np.zeros(1, np.uint64), streams=np.zeros(2, np.uint64))
    >>> open_luck(lent, 1, 0, 0)
    >>> len({*lent.words.tolist(), *lent.streams.tolist()})
    3
    """
    first = STREAMS * turn
    for i in range(lent.words.size):
        lent.words[i] = start(key, sample, first + i)
    for seat in range(lent.streams.size):
        lent.streams[seat] = start(key, sample, first + lent.words.size + seat)


@cache
def playing_on(game: Game) -> Any:
    """Return the rule `play_on(s, rules, lent, ids, key, sample, horizon)`.

    It plays a state on with the policy in all seats, which sees views of the state alone, to the end of the
    game, or until `horizon` turns have ended since the redeal if this is not 0. `ids` has room for the legal
    actions.

    >>> from simkit.games.pig import game
    >>> callable(playing_on(game))  # compiled code calls it
    True
    """
    legal, choose, step, max_steps = game.legal, choosing(game), game.step, game.max_steps

    @jit.rule
    def play_on(s, rules, lent, ids, key, sample, horizon):  # type: ignore[no-untyped-def]
        turn = 0
        lent.memos[:] = 0
        for _ in range(max_steps):
            if s.seat == OVER or (horizon != 0 and s.log.game.turns >= horizon):
                break
            if s.log.game.turns != turn:
                turn = s.log.game.turns
                open_luck(lent, key, sample, turn)
            n = legal(s, rules, ids)
            action = ids[0]
            if n > 1:
                action = choose(s, rules, lent, ids[:n])
            step(s, rules, action, lent.luck)

    return play_on


@cache
def choosing(game: Game) -> Any:
    """Return the rule `choose(s, rules, lent, ids)`: the action of a policy that sees the view."""
    observe = game.observe

    @jit.rule
    def choose(s, rules, lent, ids):  # type: ignore[no-untyped-def]
        observe(s, rules, s.seat, lent.seen)
        return policy_action(lent, lent.seen, rules, ids, s.seat)

    return choose


@jit.rule
def policy_action(lent, view, rules, legal, seat):  # type: ignore[no-untyped-def]
    """Return the action that the policy takes in a seat, which is legal."""
    stream, memo = lent.streams[seat : seat + 1], lent.memos[seat]
    own = lent.weights, stream, lent.scratch, memo, lent.work, lent.net, lent.size
    action = lent.policy(view, rules, legal, *own)
    if not is_legal(action, legal, legal.size):
        raise ValueError("the policy chose an illegal action")
    return action


@jit.rule
def usual_choice(view, rules, legal, lent, key):  # type: ignore[no-untyped-def]
    """Return the action that the policy takes at the view, and make `lent` ready for play-outs."""
    jit.wipe(lent.seen)  # `observe` does not write to hidden fields
    open_luck(lent, key, 0, 0)
    lent.memos[:] = 0
    return policy_action(lent, view, rules, legal, view.seat)


@cache
def judging(game: Game) -> Any:
    """Return the rule `result(s, seat)`: the share of the win, 0 to 1, and the margin of scores, in points.

    The margin is over the best other seat, where sides win together over the best that does not share the
    rank; of a team it is the score. A game that was stopped counts as won
    by the seat that leads. A sooner win, and a later loss, count a trifle more, so that a sure win is taken.

    >>> from simkit.games.pig import game
    >>> callable(judging(game))  # compiled code calls it
    True
    """
    of_competition = _result_of_side if game.rival_sides else _result_of_seat
    share_and_margin = _result_of_team if game.team else of_competition

    @jit.rule
    def result(s, seat):  # type: ignore[no-untyped-def]
        share, margin = share_and_margin(s, seat)
        return 0.5 + (share - 0.5) * (1.0 - SOONER * s.log.game.turns), margin

    return result


@jit.rule
def _result_of_team(s, seat):  # type: ignore[no-untyped-def]
    won = s.rank[0] == 1 if s.seat == OVER else s.score[0] > 0
    return 1.0 * won, 1.0 * s.score[0]


@jit.rule
def _result_of_side(s, seat):  # type: ignore[no-untyped-def]
    """Return the share of the side of a seat; only ranks tell the sides, since a view has no log."""
    is_over, winners, rival = s.seat == OVER, 0, NO_SCORE
    for other in range(s.seats):
        winners += s.rank[other] == 1
        if other != seat and not (is_over and s.rank[other] == s.rank[seat]):
            rival = max(rival, int(s.score[other]))
    margin = 0.0 if rival == NO_SCORE else 1.0 * (s.score[seat] - rival)
    if not is_over:
        return (0.5 if margin == 0 else 1.0 * (margin > 0)), margin
    if s.rank[seat] != 1:
        return 0.0, margin
    return (0.5 if winners == s.seats else 1.0), margin


@jit.rule
def _result_of_seat(s, seat):  # type: ignore[no-untyped-def]
    winners, rival = 0, NO_SCORE
    for other in range(s.seats):
        winners += s.rank[other] == 1
        if other != seat:
            rival = max(rival, int(s.score[other]))
    margin = 1.0 * (s.score[seat] - rival)
    if s.seat != OVER:
        return (0.5 if margin == 0 else 1.0 * (margin > 0)), margin
    return (1.0 / winners if s.rank[seat] == 1 else 0.0), margin


@jit.rule
def note(sums, win, margin):  # type: ignore[no-untyped-def]
    """Add a result, in wins and in points, to its sums."""
    sums[WIN] += win
    sums[MARGIN] += margin
    sums[WIN_SQUARE] += win * win
    sums[MARGIN_SQUARE] += margin * margin
    sums[PRODUCT] += win * margin


@jit.rule
def worths(margins, squares, samples, mix):  # type: ignore[no-untyped-def]
    """Return the worth of a win and of a point: the margin counts in its standard deviations.

    `margins` and `squares` are the sums of the margins of the samples and of their squares.
    """
    mean = margins / samples
    deviation = np.sqrt(max(0.0, squares / samples - mean * mean))
    return mix, (1.0 - mix) / max(1.0, deviation)


@jit.rule
def mean_worth(sums, samples, win, margin):  # type: ignore[no-untyped-def]
    """Return the mean worth of the results, with the worth of a win and of a point."""
    return (win * sums[WIN] + margin * sums[MARGIN]) / samples


@jit.rule
def squared_error(sums, samples, win, margin):  # type: ignore[no-untyped-def]
    """Return the squared standard error of `mean_worth`."""
    squares = win * win * sums[WIN_SQUARE] + margin * margin * sums[MARGIN_SQUARE]
    squares += 2 * win * margin * sums[PRODUCT]
    mean = mean_worth(sums, samples, win, margin)
    return max(0.0, squares / samples - mean * mean) / max(1, samples - 1)
