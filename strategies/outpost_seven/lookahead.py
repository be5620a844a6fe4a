"""A player that looks one answer ahead: plans, and their worth after the opponent's best answer.

A plan is a salvage (its mask) or a repair (its pair) with a cell. The opponent is assumed to be greedy, with
one of several possible hands. A plan is worth E after both turns minus E now; the cards that both take count
as in the greedy score (`cards` times).
"""

import numpy as np

from simkit.engine.compile.jit import clone, lowest_bit, rule
from simkit.engine.rng import priority, uniform_of
from simkit.engine.strategy import Weight, record_of, workspace
from simkit.games.outpost_seven.cards import COUNT
from simkit.games.outpost_seven.facts import (
    MAX_CARDS,
    MAX_CELLS,
    MAX_HAND,
    MAX_OFFER,
    NONE,
    PAIR,
    REPAIR,
    SPACES,
    Decision,
)
from simkit.games.outpost_seven.repair import cubes_paid, may_pay, pair_cubes
from simkit.games.outpost_seven.salvage import legal_salvages, salvage
from simkit.games.outpost_seven.sight import redeal

from .oneply import BY_E, CARD, PAIR_OF_CARDS, e_now, key_of, usual_answer, weighted_cards
from .player import player
from .whatif import LENT, NEVER, OWN, TALLY, WORTHS, colours_in, held_by, try_repair

prepare, weigh = BY_E
PLAN_TURN, PLAN_PAIR, PLAN_CELL = range(3)  # places in the memo: turn of the plan (from 1), pair, cell
TIE_RANGE = 0.001  # plans whose means differ by less are tied
UNSEEN = -1  # content for the luck of unseen cards; no plan has this number


# Gains of repairs by card and cubes, NaN until computed, on two boards besides the player's own.
EVALUATION = record_of(gains=(float, MAX_CARDS, SPACES + 1), **WORTHS, **TALLY)
AHEAD = workspace(own=(record_of(**LENT),), still=(EVALUATION,), after=(EVALUATION,), luck=(np.uint64, 1))


@player(
    label="one answer ahead",
    allocates=True,
    plans=Weight(8, 1, 64, "Best own plans that are looked into"),
    samples=Weight(4, 1, 64, "Opposing hands sampled for each", "hands sampled"),
    card=Weight(CARD, 0, 1000, "Worth of a card taken, in its own points", "worth of a card"),
    pair=Weight(PAIR_OF_CARDS, 0, 1000, "Worth of a same-colour pair, in its own points", "worth of a pair"),
    cards=Weight(1.0, 0.0, 10.0, "How much the cards that both take count beside E", "cards of both"),
)
def lookahead(view, rules, legal, w, rng, scratch, memo, work):
    """Look one answer ahead: the plan that is worth most after the opponent's best reply (O7-15.9)."""
    if view.decision == Decision.main:
        return plan_ahead(view, rules, legal, w, rng, scratch, memo, AHEAD(work))[0]
    if view.decision != Decision.cell:
        return usual_answer(view, rules, legal, rng, OWN(work))
    if memo[PLAN_TURN] == view.turn + 1 and memo[PLAN_PAIR] == chosen_pair(view):
        return memo[PLAN_CELL]
    return plan_ahead(view, rules, legal, w, rng, scratch, memo, AHEAD(work))[1]


@rule(allocates=True)
def plan_ahead(view, rules, legal, w, rng, scratch, memo, ahead):
    """Return action and cell of the plan of the highest mean over sampled opposing hands, ties at random."""
    actions, cells, scores = np.empty(w.plans, np.int64), np.empty(w.plans, np.int64), np.empty(w.plans)
    key, luck = key_of(view, rng), ahead.luck
    plan_count = best_plans(view, rules, legal, w, key, scratch[0], actions, cells, scores, ahead.own)
    luck[0] = priority(key, UNSEEN)
    hands, decks = sample_unseen(view, rules, w.samples, luck, scratch[0])
    clone(scratch[0], view)
    scratch[0].seat = 1 - view.seat
    reset_evaluation(scratch[0], rules, w, ahead.still)  # on the present board: the same for all salvages
    best, value = 0, 2 * NEVER
    for i in range(plan_count):
        mean = plan_value(view, rules, actions[i], cells[i], w, hands, decks, ahead, scratch)
        mean += TIE_RANGE * uniform_of(key, plan_number(actions[i], cells[i], True))
        if mean > value:
            best, value = i, mean
    memo[PLAN_TURN], memo[PLAN_PAIR], memo[PLAN_CELL] = view.turn + 1, actions[best], cells[best]
    return actions[best], cells[best]


@rule(allocates=True)
def sample_unseen(view, rules, samples, luck, copy):
    """Return hands that the opponent may have, and decks that go with them, each [sample, slot]."""
    hands, decks = np.empty((samples, MAX_HAND), np.int8), np.empty((samples, copy.deck.size), np.int8)
    for k in range(samples):
        clone(copy, view)
        redeal(copy, rules, view.seat, luck)
        hands[k], decks[k] = copy.hand[1 - view.seat], copy.deck
    return hands, decks


@rule(allocates=True)
def plan_value(view, rules, action, cell, w, hands, decks, ahead, scratch):
    """Return the mean over the sampled hands of E after plan and answer minus E now, plus the cards taken."""
    after, evaluation, other = scratch[0], ahead.still, 1 - view.seat
    if action < PAIR:
        own = w.cards * worth_of_cards(view, rules, action, held_by(view, rules), w)
    else:
        module = view.hand[view.seat, REPAIR.module(action)]
        try_repair(view, rules, after, module, pair_cubes(view, rules, action), cell)
        own = 1.0 * (e_now(after, rules, w) - e_now(view, rules, w))
        after.seat = other
        evaluation = ahead.after
        reset_evaluation(after, rules, w, evaluation)
    if view.stopped[other]:
        return own
    total = 0.0
    for k in range(hands.shape[0]):
        if action < PAIR:
            clone(after, view)
            after.deck[:] = decks[k]
            salvage(after, rules, action)
        after.hand[other] = hands[k]
        after.seat, after.turn = other, view.turn + 1
        total += own - best_answer(after, rules, w, evaluation, scratch[1])
    return total / hands.shape[0]


@rule(allocates=True)
def best_plans(view, rules, legal, w, key, copy, actions, cells, scores, own):
    """Fill in the plans of the highest scores, best first, ties at random; return their number.

    Pairs with the same module and number of cubes count once.
    """
    count, held = 0, held_by(view, rules)
    prepare(view, rules, 0, w, own)
    done = np.zeros((MAX_HAND, SPACES + 1), np.bool_)
    for i in range(1 if view.decision == Decision.cell else legal.size):
        action = chosen_pair(view) if view.decision == Decision.cell else legal[i]
        if action < PAIR:
            score = worth_of_cards(view, rules, action, held, w)
            score += uniform_of(key, plan_number(action, NONE, False))
            count = insert(actions, cells, scores, count, action, NONE, score)
            continue
        slot, n = REPAIR.module(action), pair_cubes(view, rules, action)
        left = 0 if done[slot, n] else view.frontier
        done[slot, n] = True
        weigh(view, rules, left, 0, w, copy, view.hand[view.seat, slot], n, own)
        while left != 0:
            cell = lowest_bit(left)
            left &= left - 1
            score = own.worths[cell] + uniform_of(key, plan_number(action, cell, False))
            count = insert(actions, cells, scores, count, action, cell, score)
    return count


@rule
def plan_number(action, cell, evaluated):
    """Return a number for a plan, another one after its evaluation, so that ties are broken anew."""
    return 2 * ((MAX_CELLS + 1) * action + cell + 1) + evaluated


@rule
def worth_of_cards(s, rules, mask, held, w):
    """Return the worth of the cards of the offer in the mask to a seat that holds `held`."""
    return weighted_cards(s, rules, COUNT[mask], colours_in(rules, s.offer[:], mask), held, 0, w)


@rule
def chosen_pair(view):
    """Return the action id of the pair that waits for its cell."""
    return REPAIR.pack(view.sel_module, view.sel_scrap)


@rule
def insert(actions, cells, scores, count, action, cell, score):
    """Insert a plan among the best so far and return their number."""
    if count == scores.size and score <= scores[count - 1]:
        return count
    place = min(count, scores.size - 1)
    while place > 0 and scores[place - 1] < score:
        actions[place], cells[place], scores[place] = actions[place - 1], cells[place - 1], scores[place - 1]
        place -= 1
    actions[place], cells[place], scores[place] = action, cell, score
    return min(count + 1, scores.size)


@rule
def reset_evaluation(s, rules, w, evaluation):
    """Forget all gains and prepare the evaluation for the seat to move."""
    for card in range(rules.cards):
        for n in range(SPACES + 1):
            evaluation.gains[card, n] = np.nan
    prepare(s, rules, 0, w, evaluation)


@rule(allocates=True)
def best_answer(s, rules, w, evaluation, copy):
    """Return the gain of the seat to move by its best plan (a salvage: `cards` times), 0 without a plan."""
    best, value = 2 * NEVER, 0.0
    masks, held, gains = np.empty(1 << MAX_OFFER, np.int64), held_by(s, rules), evaluation.gains
    for i in range(legal_salvages(s, rules, masks)):
        score = worth_of_cards(s, rules, masks[i], held, w)
        if score > best:
            best, value = 1.0 * score, w.cards * score
    hand, size = s.hand[s.seat], int(s.hand_n[s.seat])
    for module in range(size):
        for scrap in range(size):
            first, second = hand[module], hand[scrap]
            if module == scrap or not may_pay(rules, first, second):
                continue
            n = cubes_paid(rules, first, second)
            if np.isnan(gains[first, n]):
                gains[first, n] = weigh(s, rules, s.frontier, 0, w, copy, first, n, evaluation)
            if gains[first, n] > best:
                best = value = gains[first, n]
    return value
