"""Players that take the action of the highest worth, the reference player's or their own; ties at random."""

import numpy as np

from simkit.engine.compile.jit import rule
from simkit.engine.rng import keyed
from simkit.engine.strategy import best_of
from simkit.games.outpost_seven import facts
from simkit.games.outpost_seven.cards import COUNT
from simkit.games.outpost_seven.facts import MAX_DEALT, PAIR, REPAIR, SPACES, BonusOrigin, Decision
from simkit.games.outpost_seven.repair import pair_cubes

from .counting import counted
from .whatif import CAP, OWN, SIGN, board_value, colours_in, held_by, line_value, pairs_added, removal_first

PREPARED = 0  # place in the memo: the turn (from 1) in which repairs were prepared to choose the pair
MAX_POOL = 2 * MAX_DEALT + 1  # more than the cards in the pool of the draft
CARD, PAIR_OF_CARDS = 60, 2  # worth of a card, and of two cards of one colour (O7-11.2)


@rule
def e_now(view, rules, w):
    """Return E before the repair."""
    return board_value(view, rules, SIGN, CAP)


@rule
def e_line(rules, line, pop, lead, token, mind, w):
    """Return what a line counts in E."""
    return line_value(pop, lead, token, SIGN, CAP)


@rule
def as_it_is(rise, view, rules, mind, w):
    """Return the rise unchanged."""
    return rise


BY_E = counted(e_line, as_it_is)


@rule
def cards_and_pairs(view, rules, n, taken, held, mind, w):
    """Return the worth of cards taken: CARD for each, PAIR_OF_CARDS for each pair of one colour."""
    return CARD * n + PAIR_OF_CARDS * pairs_added(held, taken)


@rule
def weighted_cards(view, rules, n, taken, held, mind, w):
    """Return the same with the weights `card` and `pair`."""
    return w.card * n + w.pair * pairs_added(held, taken)


@rule
def nothing(view, rules, w):
    """Return an empty outlook."""
    return 0


def one_ply(outlook=nothing, repair=BY_E, salvage=cards_and_pairs, keep=cards_and_pairs):
    """Return a decorator that gives a function its body: the action of the highest worth, ties at random.

    outlook(view, rules, w)                     `mind` for the other functions: a number or a tuple
    repair                                      weigher of repairs: `counting.counted` or `.by_trial`
    salvage(view, rules, n, taken, held, mind, w)  worth of taking n cards of the offer; `taken` and `held`
                                                count the colours (`colours_in`) of these and of the hand
    keep                                        worth of keeping n dealt cards, likewise
    """
    weigh_main = weighing_main(salvage, repair.weigh)
    prepare, weigh_cells = repair

    def decide(view, rules, legal, w, rng, scratch, memo, work):
        own = OWN(work)
        mind, held = outlook(view, rules, w), held_by(view, rules)
        if view.decision == Decision.main:
            prepare(view, rules, mind, w, own)
            memo[PREPARED] = view.turn + 1
            weigh_main(view, rules, legal, held, mind, w, scratch[0], own)
        elif view.decision == Decision.cell:
            if memo[PREPARED] != view.turn + 1:
                prepare(view, rules, mind, w, own)
            module, n = view.hand[view.seat, view.sel_module], view.sel_cubes
            weigh_cells(view, rules, view.frontier, mind, w, scratch[0], module, n, own)
            for i in range(legal.size):
                own.scores[i] = own.worths[legal[i]]
        elif view.decision == Decision.keep:
            for i in range(legal.size):
                taken = colours_in(rules, view.dealt[view.seat], legal[i])
                own.scores[i] = keep(view, rules, COUNT[legal[i]], taken, held, mind, w)
        else:
            return usual_answer(view, rules, legal, rng, own)
        return best_of(legal, own.scores, key_of(view, rng))

    def named(strategy):
        decide.__name__, decide.__doc__ = strategy.__name__, strategy.__doc__
        return decide

    return named


def weighing_main(salvage, weigh_cells):
    """Return the rule that scores the legal actions of MAIN."""

    @rule
    def weigh_main(view, rules, legal, held, mind, w, copy, own):
        """Score the legal actions; a pair's worth depends only on the module and its cubes."""
        scores, gains = own.scores, own.gains
        for slot in range(view.hand_n[view.seat]):
            for n in range(SPACES + 1):
                gains[slot, n] = np.nan
        for i in range(legal.size):
            if legal[i] < PAIR:
                taken = colours_in(rules, view.offer[:], legal[i])
                scores[i] = salvage(view, rules, COUNT[legal[i]], taken, held, mind, w)
                continue
            slot, n = REPAIR.module(legal[i]), pair_cubes(view, rules, legal[i])
            if np.isnan(gains[slot, n]):
                module = view.hand[view.seat, slot]
                gains[slot, n] = weigh_cells(view, rules, view.frontier, mind, w, copy, module, n, own)
            scores[i] = gains[slot, n]

    return weigh_main


@rule
def key_of(view, rng):
    """Return the key of this choice (`rng.keyed`); only the draft, whose pool shrinks, recurs in a turn."""
    return keyed(rng, view.turn, MAX_POOL * view.decision + view.pool_n)


@rule
def usual_answer(view, rules, legal, rng, own):
    """Decide as the reference player before the first turn, and the order of bonuses (O7-11.2)."""
    if view.decision == Decision.bonus:
        played = rules.bonus_origin == BonusOrigin.played
        return legal[facts.Use.remove] if played else removal_first(view, rules)
    if view.decision == Decision.side:
        return legal[facts.Side.second]
    if view.decision == Decision.mulligan:
        return legal[facts.Redraw.no]
    scores = own.scores
    for i in range(legal.size):
        if view.decision == Decision.keep:
            taken = colours_in(rules, view.dealt[view.seat], legal[i])
            scores[i] = cards_and_pairs(view, rules, COUNT[legal[i]], taken, held_by(view, rules), 0, 0)
        elif view.decision == Decision.draft:
            scores[i] = -rules.value[view.pool[legal[i]]]
        else:
            scores[i] = view.pop[legal[i]]
    return best_of(legal, scores, key_of(view, rng))
