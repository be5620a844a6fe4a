"""Play-outs: games played on from what a seat sees, with the hidden redealt and a policy in all seats."""

from functools import cache
from typing import Any

from simkit.engine.compile import jit
from simkit.engine.game import OVER, Game
from simkit.engine.kernel import is_legal
from simkit.engine.rng import start

REDEAL = -1  # purpose of the stream that redeals
STREAMS = 1 << 10  # purposes of a turn, at least the streams of a game and its policies
NO_SCORE = -(1 << 40)  # lower than any score


@cache
def redealing(game: Game) -> Any:
    """Return the rule `redealt(s, view, rules, key, sample, stream)`.

    It makes `s` a state that the view shows as possible, which depends on key and sample alone.
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
    """
    legal, observe, step, max_steps = game.legal, game.observe, game.step, game.max_steps

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
            n, seat = legal(s, rules, ids), s.seat
            action = ids[0]
            if n > 1:
                observe(s, rules, seat, lent.seen)
                action = policy_action(lent, lent.seen, rules, ids[:n], seat)
                if not is_legal(action, ids, n):
                    raise ValueError("the policy chose an illegal action")
            step(s, rules, action, lent.luck)

    return play_on


@jit.rule
def policy_action(lent, view, rules, legal, seat):  # type: ignore[no-untyped-def]
    """Return the action that the policy takes in a seat."""
    stream, memo = lent.streams[seat : seat + 1], lent.memos[seat]
    return lent.policy(view, rules, legal, lent.weights, stream, lent.scratch, memo, lent.work)


@jit.rule
def usual_choice(lent, view, rules, legal, key):  # type: ignore[no-untyped-def]
    """Return the policy's own choice at the decision that is searched."""
    jit.wipe(lent.seen)  # `observe` does not write to hidden fields
    open_luck(lent, key, 0, 0)
    lent.memos[:] = 0
    return policy_action(lent, view, rules, legal, view.seat)


@cache
def judging(game: Game) -> Any:
    """Return the rule `result(s, seat)`: the share of the win, 0 to 1, and the margin of scores, in points.

    The margin is over the best other seat; of a team it is the score. A game that was stopped counts as won
    by the seat that leads.
    """
    return _result_of_team if game.team else _result_of_seat


@jit.rule
def _result_of_team(s, seat):  # type: ignore[no-untyped-def]
    won = s.rank[0] == 1 if s.seat == OVER else s.score[0] > 0
    return 1.0 * won, 1.0 * s.score[0]


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
