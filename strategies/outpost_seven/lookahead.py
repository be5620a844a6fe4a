"""Does the advantage shrink or grow with skill? Plans, and what the opponent's best answer leaves of them.

A plan is a salvage (its mask) or a repair (its pair) with a cell. The opponent is taken for a greedy player
with one of several hands that he may have. A plan is worth E after both turns minus E now; the cards that
both take count as in the greedy score (`cards` times).
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
    SPACES,
    Decision,
)
from simkit.games.outpost_seven.repair import cubes_paid, may_pay, pair_action, pair_cubes, pair_slots
from simkit.games.outpost_seven.salvage import legal_salvages, salvage
from simkit.games.outpost_seven.sight import redeal

from .oneply import BY_E, CARD, PAIR_OF_CARDS, e_now, key_of, usual_answer, weighted_cards
from .player import player
from .whatif import LENT, NEVER, OWN, TALLY, WORTHS, colours_in, held_by, try_repair

prepare, weigh = BY_E
PLAN_TURN, PLAN_PAIR, PLAN_CELL = range(3)  # places in the memo: turn of the plan (from 1), pair, cell
TIES = 0.001  # decided at random within so much
UNSEEN = -1  # under the key of a choice, what is not a plan


# What repairs gain, by card, NaN where not looked into yet, on two boards besides the player's own.
LOOKED = record_of(gains=(float, MAX_CARDS, SPACES + 1), **WORTHS, **TALLY)
AHEAD = workspace(own=(record_of(**LENT),), still=(LOOKED,), after=(LOOKED,), luck=(np.uint64, 1))


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
    """Action and cell of the plan of the highest mean value over sampled opposing hands, ties at random."""
    actions, cells, scores = np.empty(w.plans, np.int64), np.empty(w.plans, np.int64), np.empty(w.plans)
    key, luck = key_of(view, rng), ahead.luck
    found = best_plans(view, rules, legal, w, key, scratch[0], actions, cells, scores, ahead.own)
    luck[0] = priority(key, UNSEEN)
    hands, decks = sample_unseen(view, rules, w.samples, luck, scratch[0])
    clone(scratch[0], view)
    scratch[0].seat = 1 - view.seat
    look_anew(scratch[0], rules, w, ahead.still)  # on the board as it is: the same for all salvages
    best, value = 0, 2 * NEVER
    for i in range(found):
        mean = plan_value(view, rules, actions[i], cells[i], w, hands, decks, ahead, scratch)
        mean += TIES * uniform_of(key, about(actions[i], cells[i], True))
        if mean > value:
            best, value = i, mean
    memo[PLAN_TURN], memo[PLAN_PAIR], memo[PLAN_CELL] = view.turn + 1, actions[best], cells[best]
    return actions[best], cells[best]


@rule(allocates=True)
def sample_unseen(view, rules, samples, luck, copy):
    """Hands that the opponent may have, and decks that go with them: [sample, slot]."""
    hands, decks = np.empty((samples, MAX_HAND), np.int8), np.empty((samples, copy.deck.size), np.int8)
    for k in range(samples):
        clone(copy, view)
        redeal(copy, rules, view.seat, luck)
        hands[k], decks[k] = copy.hand[1 - view.seat], copy.deck
    return hands, decks


@rule(allocates=True)
def plan_value(view, rules, action, cell, w, hands, decks, ahead, scratch):
    """E after the plan and the answers, minus E now, and the cards taken: the mean over the sampled hands."""
    after, looked, other = scratch[0], ahead.still, 1 - view.seat
    if action < PAIR:
        own = w.cards * worth_of_cards(view, rules, action, held_by(view, rules), w)
    else:
        module = view.hand[view.seat, pair_slots(action)[0]]
        try_repair(view, rules, after, module, pair_cubes(view, rules, action), cell)
        own = 1.0 * (e_now(after, rules, w) - e_now(view, rules, w))
        after.seat = other
        looked = ahead.after
        look_anew(after, rules, w, looked)
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
        total += own - best_answer(after, rules, w, looked, scratch[1])
    return total / hands.shape[0]


@rule(allocates=True)
def best_plans(view, rules, legal, w, key, copy, actions, cells, scores, own):
    """The plans of the highest scores, best first, ties at random; how many. Like pairs count once."""
    found, held = 0, held_by(view, rules)
    prepare(view, rules, 0, w, own)
    done = np.zeros((MAX_HAND, SPACES + 1), np.bool_)
    for i in range(1 if view.decision == Decision.cell else legal.size):
        action = chosen_pair(view) if view.decision == Decision.cell else legal[i]
        if action < PAIR:
            score = worth_of_cards(view, rules, action, held, w)
            score += uniform_of(key, about(action, NONE, False))
            found = insert(actions, cells, scores, found, action, NONE, score)
            continue
        slot, n = pair_slots(action)[0], pair_cubes(view, rules, action)
        left = 0 if done[slot, n] else view.frontier
        done[slot, n] = True
        weigh(view, rules, left, 0, w, copy, view.hand[view.seat, slot], n, own)
        while left != 0:
            cell = lowest_bit(left)
            left &= left - 1
            score = own.worths[cell] + uniform_of(key, about(action, cell, False))
            found = insert(actions, cells, scores, found, action, cell, score)
    return found


@rule
def about(action, cell, looked):
    """A number for a plan before and after it is looked into: ties are broken anew."""
    return 2 * ((MAX_CELLS + 1) * action + cell + 1) + looked


@rule
def worth_of_cards(s, rules, mask, held, w):
    """Of the cards of the offer in the mask, to who holds `held`."""
    return weighted_cards(s, rules, COUNT[mask], colours_in(rules, s.offer[:], mask), held, 0, w)


@rule
def chosen_pair(view):
    """The action id of the pair that waits for its cell."""
    return pair_action(int(view.sel_module), int(view.sel_scrap))


@rule
def insert(actions, cells, scores, found, action, cell, score):
    """Put a plan in its place among the best so far; returns how many there are."""
    if found == scores.size and score <= scores[found - 1]:
        return found
    place = min(found, scores.size - 1)
    while place > 0 and scores[place - 1] < score:
        actions[place], cells[place], scores[place] = actions[place - 1], cells[place - 1], scores[place - 1]
        place -= 1
    actions[place], cells[place], scores[place] = action, cell, score
    return min(found + 1, scores.size)


@rule
def look_anew(s, rules, w, looked):
    """Of the seat to move: nothing is looked into yet, all is prepared for it."""
    for card in range(rules.cards):
        for n in range(SPACES + 1):
            looked.gains[card, n] = np.nan
    prepare(s, rules, 0, w, looked)


@rule(allocates=True)
def best_answer(s, rules, w, looked, copy):
    """What the seat to move gains with its best plan (a salvage: `cards` times); 0 if it cannot play."""
    best, value = 2 * NEVER, 0.0
    masks, held, gains = np.empty(1 << MAX_OFFER, np.int64), held_by(s, rules), looked.gains
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
                gains[first, n] = weigh(s, rules, s.frontier, 0, w, copy, first, n, looked)
            if gains[first, n] > best:
                best = value = gains[first, n]
    return value
