"""A player of Red Outpost that looks ahead to its next turn (RO-15.9)."""

import numpy as np

from simkit.engine.compile.jit import rule
from simkit.engine.strategy import Weight
from simkit.games.red_outpost.facts import MOVE, Decision
from simkit.games.red_outpost.moves import find_moves, legal_move
from simkit.games.red_outpost.turns import seat_of_turn, turns_of_phase

from .oneply import OWN, is_among_best, weighing
from .player import player
from .timed import TIMED, decides, timed_bonus
from .values import totalling
from .whatif import LEAST, carry_out, try_move

weigh_moves, total = weighing(TIMED), totalling(TIMED)


@player(width=Weight(5, 1, 72, "Best own moves that are looked into"))
def phase_planner(view, rules, legal, w, scratch, work):
    """Of the best moves take that after which the others' best moves leave most (RO-15.9)."""
    if view.decision != Decision.move:
        return decides(view, rules, legal, w, scratch, work)
    scores = OWN(work).first[: legal.size]
    weigh_moves(view, rules, legal, 0, w, scratch[0], work, scores)
    best, most = legal[0], LEAST
    for i in range(legal.size):
        if is_among_best(scores, i, w.width):
            worth = outcome(view, rules, legal[i], w, scratch[0], scratch[1], work)
            if worth > most:
                best, most = legal[i], worth
    return best


@rule
def outcome(view, rules, action, w, copy, s, work):
    """Return M at the own next turn or the end of the phase, with the bonuses of all moves until then."""
    me, hopes = view.seat, (view.seats - 1) * hope(view, rules, action, w)
    try_move(s, view, rules, action)
    ids, scores = OWN(work).ids, OWN(work).scores
    s.turn_no += 1
    while s.turn_no < turns_of_phase(s, rules):
        s.seat = seat_of_turn(s, rules)
        if s.seat == me:
            break
        if find_moves(s, rules) > 0:
            n = legal_move(s, ids)
            weigh_moves(s, rules, ids[:n], 0, w, copy, work, scores[:n])
            reply = ids[np.argmax(scores[:n])]
            hopes -= hope(s, rules, reply, w)
            carry_out(s, rules, reply)
        s.turn_no += 1
    s.seat = me
    return total(s, rules, 0, w) + hopes


@rule
def hope(s, rules, action, w):
    """Return the bonus of a MOVE."""
    return timed_bonus(s, rules, MOVE.worker(action), MOVE.location(action), 0, w)
