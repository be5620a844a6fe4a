"""Plans: a salvage (its mask) or a repair (its pair) with a cell, by the reference player's reckoning (O7-15.9)."""

import numpy as np

from simkit.chance import uniform
from simkit.games.outpost_seven.facts import MAX_HAND, MAX_OFFER, NONE, PAIR, SPACES, Decision
from simkit.games.outpost_seven.repair import cubes_paid, may_pay, module_slot, pair_action, pair_cubes
from simkit.games.outpost_seven.salvage import legal_salvages
from simkit.games.outpost_seven.subsets import COUNT
from simkit.jit import lowest_bit, rule

from .whatif import CAP, NEVER, SIGN, best_gain, board_value, pairs_taken, try_repair


@rule
def salvage_worth(s, rules, mask, w):
    """What the greedy player sees in a salvage, as E sees no use in it."""
    return w.card * COUNT[mask] + w.pair * pairs_taken(s, rules, mask)


@rule(allocates=True)
def best_plans(view, rules, legal, w, rng, copy, actions, cells, scores):
    """The plans of the highest scores, best first, ties at random; how many. Pairs that pay alike count once."""
    before = board_value(view, rules, SIGN, CAP)
    done = np.zeros((MAX_HAND, SPACES + 1), np.bool_)
    found = 0
    for i in range(1 if view.decision == Decision.cell else legal.size):
        action = chosen_pair(view) if view.decision == Decision.cell else legal[i]
        if action < PAIR:
            score = salvage_worth(view, rules, action, w)
            found = insert(actions, cells, scores, found, action, NONE, score + uniform(rng))
            continue
        slot, n = module_slot(action), pair_cubes(view, rules, action)
        left = 0 if done[slot, n] else view.frontier
        done[slot, n] = True
        while left != 0:
            cell = lowest_bit(left)
            left &= left - 1
            try_repair(view, rules, copy, view.hand[view.seat, slot], n, cell)
            score = board_value(copy, rules, SIGN, CAP) - before
            found = insert(actions, cells, scores, found, action, cell, score + uniform(rng))
    return found


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


@rule(allocates=True)
def unknown_gains(rules):
    """gains[card, cubes], not looked into yet."""
    return np.full((int(rules.cards), SPACES + 1), np.nan)


@rule(allocates=True)
def best_answer(s, rules, w, gains, copy):
    """What the seat to move gains with its best plan (a salvage counts `cards` times); 0 if it cannot play."""
    best, worth = 2 * NEVER, 0.0
    masks = np.empty(1 << MAX_OFFER, np.int64)
    for i in range(legal_salvages(s, rules, masks)):
        score = salvage_worth(s, rules, masks[i], w)
        if score > best:
            best, worth = 1.0 * score, w.cards * score
    hand, size = s.hand[s.seat], int(s.hand_n[s.seat])
    for module in range(size):
        for scrap in range(size):
            first, second = hand[module], hand[scrap]
            if module == scrap or not may_pay(rules, first, second):
                continue
            n = cubes_paid(rules, first, second)
            if np.isnan(gains[first, n]):
                gains[first, n] = best_gain(s, rules, s.frontier, first, n, copy)
            if gains[first, n] > best:
                best = worth = gains[first, n]
    return worth
