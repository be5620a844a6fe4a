"""A player of Red Outpost that plays rounds to their end (RO-15.10)."""

from collections import namedtuple

from simkit.engine.compile.jit import clone, rule
from simkit.engine.rng import below, keyed
from simkit.engine.rule_helpers import OVER
from simkit.engine.strategy import Weight
from simkit.games.red_outpost.facts import Decision
from simkit.games.red_outpost.play import apply
from simkit.games.red_outpost.play import legal as legal_now
from simkit.games.red_outpost.sight import redeal

from . import timed
from .oneply import OWN, is_among_best, weighing
from .player import player
from .reference import decides
from .values import VP, Measure, counts, totalling
from .whatif import LEAST

MOVES_COMPARED = 6  # best moves that are compared by playing on
RANDOM_ONE_IN = 5  # one decision in so many is random
MAX_STEPS = 1000  # more actions than any game has
PHASES, TURNS = 8, 128  # at least the phases of a round, and the turns of a phase
Luck = namedtuple(
    "Luck", "lake spaceship tokens location_cards worker_cards lake_reshuffle spaceship_reshuffle"
)
weigh_moves, total = weighing(Measure()), totalling(Measure())


@player(
    plays_out=True, samples=Weight(20, 1, 1000, "Times that the round is played to its end after each move")
)
def rollout(view, rules, legal, w, rng, scratch, work):
    """Play the round to its end after each of the best moves, many times, take the best (slow; RO-15.10)."""
    if view.decision != Decision.move:
        return decides(view, rules, legal, w, scratch, work)
    scores, stream = OWN(work).first[: legal.size], OWN(work).stream
    weigh_moves(view, rules, legal, 0, w, scratch[0], work, scores)
    first = keyed(rng, turn_of(view), view.decision)
    best, most = legal[0], LEAST
    for i in range(legal.size):
        if is_among_best(scores, i, MOVES_COMPARED):
            stream[0] = first  # the same luck for all moves
            worth = 0
            for _ in range(w.samples):
                worth += play_out(view, rules, legal[i], w, stream, scratch, work)
            if worth > most:
                best, most = legal[i], worth
    return best


@rule
def turn_of(view):
    """Return a number that identifies a turn of the game."""
    return (PHASES * int(view.round_no) + int(view.phase)) * TURNS + int(view.turn_no)


@rule
def play_out(view, rules, action, w, stream, scratch, work):
    """Return M at the end of the round, or of the game, after a MOVE and random play of the others."""
    s, ids = scratch[1], OWN(work).ids
    luck = Luck(stream, stream, stream, stream, stream, stream, stream)
    clone(s, view)
    redeal(s, rules, view.seat, stream)
    apply(s, rules, action, luck)
    for _ in range(MAX_STEPS):
        if s.seat == OVER or s.round_no != view.round_no:
            break
        n = legal_now(s, rules, ids)
        chosen = ids[below(stream, n)]
        if n > 1 and below(stream, RANDOM_ONE_IN) > 0:
            chosen = timed.decides(s, rules, ids[:n], w, scratch, work)
        apply(s, rules, chosen, luck)
    return final_worth(s, rules, view.seat, w)


@rule
def final_worth(s, rules, seat, w):
    """Return M between rounds; at the end of the game, in victory points alone."""
    if s.seat != OVER:
        s.seat = seat
        return total(s, rules, 0, w)
    s.seat, worth = seat, 0
    for other in range(s.seats):
        worth += counts(s, other, 0, w) * VP * int(s.score[other])
    return worth
