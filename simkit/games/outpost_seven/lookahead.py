"""Outpost Seven: plans, and what is left of them after the opponent's best answer (O7-15, lookahead).

A plan is a salvage (its mask) or a repair (its pair) with a cell. The opponent is taken for a greedy player with one of
several hands that he may have. A plan's value is E after both turns minus E now; the cards that both take count in it
as in the greedy score (`cards` times), since E alone sees no use in a salvage.
"""

import numpy as np

from simkit.chance import uniform
from simkit.games.outpost_seven.cardmath import COUNT
from simkit.games.outpost_seven.facts import MAX_HAND, MAX_OFFER, PAIR, Phase
from simkit.games.outpost_seven.oneply import CUBES, NEVER
from simkit.games.outpost_seven.repair import cubes_paid, may_pay
from simkit.games.outpost_seven.sight import redeal
from simkit.games.outpost_seven.turns import legal_salvages
from simkit.games.outpost_seven.whatif import board_value, pair_cubes, pairs_gained, try_repair
from simkit.jit import clone, lowest_bit, rule

SIGN, CAP = 10, 4  # E of O7-11.2
PLAN_TURN, PLAN_PAIR, PLAN_CELL = (
    0,
    1,
    2,
)  # places in the memo: the turn of the plan (from 1), its pair, its cell
NO_CELL = np.int64(-1)


@rule(allocates=True)
def look_ahead(view, rules, legal, plans, samples, card, pair, cards, rng, scratch, memo):
    """The action that begins the plan of the highest mean value over sampled opposing hands, ties at random."""
    cell_chosen = view.phase == Phase.cell
    if cell_chosen and memo[PLAN_TURN] == view.turn + 1 and memo[PLAN_PAIR] == chosen_pair(view):
        return memo[PLAN_CELL]
    actions, cells, scores = np.empty(plans, np.int64), np.empty(plans, np.int64), np.empty(plans)
    found = best_plans(view, rules, legal, card, pair, rng, scratch[0], actions, cells, scores)
    hands, tops = sample_unseen(view, rules, samples, rng, scratch[0])
    still = unknown_gains(rules)  # the opponent's gains on the board as it is: the same for all salvages
    best, value = 0, 2 * NEVER
    for i in range(found):
        mean = plan_value(
            view, rules, actions[i], cells[i], card, pair, cards, hands, tops, still, scratch
        ) + 0.001 * uniform(rng)
        if mean > value:
            best, value = i, mean
    memo[PLAN_TURN], memo[PLAN_PAIR], memo[PLAN_CELL] = view.turn + 1, actions[best], cells[best]
    return cells[best] if cell_chosen else actions[best]


@rule
def chosen_pair(view):
    """The action id of the pair that waits for its cell."""
    return PAIR + 10 * np.int64(view.sel_module) + np.int64(view.sel_scrap)


@rule(allocates=True)
def best_plans(view, rules, legal, card, pair, rng, copy, actions, cells, scores):
    """The plans of the highest greedy scores, best first, ties at random; returns how many. Pairs that pay alike count once."""
    seat = np.int64(view.seat)
    before = board_value(view, rules, seat, SIGN, CAP)
    hand = view.hand[seat]
    done = np.zeros((MAX_HAND, CUBES), np.bool_)
    found = np.int64(0)
    for i in range(1 if view.phase == Phase.cell else legal.size):
        action = chosen_pair(view) if view.phase == Phase.cell else legal[i]
        if action < PAIR:
            score = card * COUNT[action] + pair * pairs_gained(
                view, rules, hand, np.int64(view.hand_n[seat]), action
            )
            found = insert(actions, cells, scores, found, action, NO_CELL, score + uniform(rng))
            continue
        slot = (action - PAIR) // 10
        n = pair_cubes(view, rules, slot, (action - PAIR) % 10)
        left = 0 if done[slot, n] else np.int64(view.frontier)
        done[slot, n] = True
        while left != 0:
            cell = lowest_bit(left)
            left &= left - 1
            try_repair(view, rules, copy, np.int64(hand[slot]), n, cell)
            score = board_value(copy, rules, seat, SIGN, CAP) - before
            found = insert(actions, cells, scores, found, action, cell, score + uniform(rng))
    return found


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


@rule(allocates=True)
def sample_unseen(view, rules, samples, rng, copy):
    """Hands that the opponent may have, and the cards that may come next from the deck: [sample, slot]."""
    hands, tops = np.empty((samples, MAX_HAND), np.int8), np.empty((samples, MAX_OFFER), np.int8)
    for k in range(samples):
        clone(copy, view)
        redeal(copy, rules, np.int64(view.seat), rng)
        for slot in range(MAX_HAND):
            hands[k, slot] = copy.hand[1 - view.seat, slot]
        for i in range(min(MAX_OFFER, np.int64(view.deck_n - view.deck_pos))):
            tops[k, i] = copy.deck[copy.deck_pos + i]
    return hands, tops


@rule(allocates=True)
def unknown_gains(rules):
    """gains[card, cubes], not looked into yet."""
    gains = np.empty((np.int64(rules.cards), CUBES))
    for card in range(rules.cards):
        for n in range(CUBES):
            gains[card, n] = np.nan
    return gains


@rule(allocates=True)
def plan_value(view, rules, action, cell, card, pair, cards, hands, tops, still, scratch):
    """E after the plan and the answers, minus E now, and the cards taken: the mean over the sampled hands."""
    seat = np.int64(view.seat)
    after, gains = scratch[0], still
    if action < PAIR:
        clone(after, view)
        taken = pairs_gained(view, rules, view.hand[seat], np.int64(view.hand_n[seat]), action)
        own = cards * (card * COUNT[action] + pair * taken)
    else:
        slot = (action - PAIR) // 10
        n = pair_cubes(view, rules, slot, (action - PAIR) % 10)
        try_repair(view, rules, after, np.int64(view.hand[seat, slot]), n, cell)
        own = 1.0 * (board_value(after, rules, seat, SIGN, CAP) - board_value(view, rules, seat, SIGN, CAP))
        gains = unknown_gains(rules)
    after.seat = 1 - seat
    after.turn += 1
    if after.stopped[1 - seat]:
        return own
    total = 0.0
    for k in range(hands.shape[0]):
        for slot in range(MAX_HAND):
            after.hand[1 - seat, slot] = hands[k, slot]
        if action < PAIR:
            take_from_offer(view, rules, after, action, tops[k])
        total += own - answer(after, rules, card, pair, cards, gains, scratch[1])
    return total / hands.shape[0]


@rule
def take_from_offer(view, rules, after, mask, top):
    """The offer after a salvage, refilled from the cards that may come."""
    n = 0
    for slot in range(np.int64(view.offer_n)):
        if not mask >> slot & 1:
            after.offer[n] = view.offer[slot]
            n += 1
    coming = min(np.int64(rules.faceup) - n, np.int64(view.deck_n - view.deck_pos))
    for i in range(coming):
        after.offer[n + i] = top[i]
    after.offer_n = n + coming


@rule(allocates=True)
def answer(s, rules, card, pair, cards, gains, copy):
    """What the seat to move gains with its best greedy plan (of salvages only `cards` times the score counts); 0 if it cannot play."""
    seat = np.int64(s.seat)
    best, worth = 2 * NEVER, 0.0
    masks = np.empty(1 << MAX_OFFER, np.int64)
    for i in range(legal_salvages(s, rules, masks)):
        score = card * COUNT[masks[i]] + pair * pairs_gained(
            s, rules, s.hand[seat], np.int64(s.hand_n[seat]), masks[i]
        )
        if score > best:
            best, worth = 1.0 * score, cards * score
    for module in range(np.int64(s.hand_n[seat])):
        for scrap in range(np.int64(s.hand_n[seat])):
            first, second = s.hand[seat, module], s.hand[seat, scrap]
            if module == scrap or not may_pay(rules, first, second):
                continue
            n = cubes_paid(rules, first, second)
            if np.isnan(gains[first, n]):
                gains[first, n] = best_gain(s, rules, np.int64(first), n, copy)
            if gains[first, n] > best:
                best = worth = gains[first, n]
    return worth


@rule
def best_gain(s, rules, module, n, copy):
    """Highest gain in E of a module with n cubes over all cells where it may go."""
    seat = np.int64(s.seat)
    best = 2 * NEVER
    left = np.int64(s.frontier)
    while left != 0:
        try_repair(s, rules, copy, module, n, lowest_bit(left))
        left &= left - 1
        best = max(best, 1.0 * board_value(copy, rules, seat, SIGN, CAP))
    return best - board_value(s, rules, seat, SIGN, CAP)
