"""Outpost Seven: starting hands, kept from dealt cards or drafted from an open pool (O7-2.8 to O7-2.13)."""

from simkit.engine.compile.jit import rule
from simkit.engine.rng import below, shuffle
from simkit.engine.rule_helpers import add

from .cards import (
    COUNT,
    ONE_CARD,
    TOTAL_BITS,
    discard,
    pack_all,
    remove_at,
    subset_of,
    subsets,
    take,
    take_top,
    value_of,
)
from .facts import NO_CARD, NONE, Decision, Infeasible, Mulligan, Redraw, StartOrder, StartRule

MAX_REDRAWS = 20
ANY_TOTAL = 1000


@rule
def go_on_keeping(s, rules, rng):
    """Go on to the next decision about starting hands, if there is one (O7-2.8)."""
    while s.hands_chosen < 2 and s.decision == Decision.none:
        in_order = rules.start_order == StartOrder.first_then_second
        next_hand(s, rules, s.first if in_order == (s.hands_chosen == 0) else 1 - s.first, rng)


@rule
def next_hand(s, rules, seat, rng):
    """Ask the player for a starting hand, or give one (O7-2.9 to O7-2.12)."""
    if rules.start_rule == StartRule.deal_count:
        keep(s, rules, seat, (1 << count_target(s, rules, seat)) - 1)
        return
    redraws = rules.mulligan == Mulligan.both or (rules.mulligan == Mulligan.second and seat != s.first)
    if redraws and s.mulliganed[seat] == NONE:
        s.decision, s.seat = Decision.mulligan, seat
        return
    if rules.start_rule == StartRule.keep_exact or rules.start_rule == StartRule.random_exact:
        find_total(s, rules, seat, rng)
    if rules.start_rule == StartRule.random_exact:
        keep(s, rules, seat, random_subset(s, rules, seat, rng))
    else:
        s.decision, s.seat = Decision.keep, seat


@rule
def choose_mulligan(s, action, rng):
    """Keep the dealt cards, or redraw them (O7-2.12)."""
    s.mulliganed[s.seat] = s.log.seat[s.seat].mulligan = action
    if action == Redraw.yes:
        redraw(s, s.seat, rng.redraw)


@rule
def redraw(s, seat, stream):
    """Shuffle the dealt cards into the deck and deal as many new ones (O7-2.10, O7-2.12)."""
    n = int(s.dealt_n[seat])
    start = int(s.deck_pos) - n
    for slot in range(n):
        s.deck[start + slot] = s.dealt[seat, slot]
    shuffle(stream, s.deck[start : s.deck_n], s.deck_n - start)
    s.deck_pos = start
    for slot in range(n):
        s.dealt[seat, slot] = take_top(s)


@rule
def total_target(s, rules, seat):
    """Return the total that the seat is to keep, lowered by a mulligan (O7-2.9, O7-2.12)."""
    target = int(rules.start_total_first if seat == s.first else rules.start_total_second)
    if s.mulliganed[seat] == Redraw.yes:
        return max(0, target - int(rules.mulligan_cost))
    return target


@rule
def count_target(s, rules, seat):
    """Return the cards that keep_count and deal_count keep; a mulligan costs none (O7-2.11)."""
    count = int(rules.start_count_first if seat == s.first else rules.start_count_second)
    return min(count, int(s.dealt_n[seat]), int(rules.hand_limit))


@rule
def nearest_total(rules, dealt, n, target):
    """Return the total nearest the target that some of n dealt cards have, from below (O7-2.10).

    `closest` takes the nearest from either side, the lower of two.
    """
    packed = pack_all(rules, dealt)
    best = 0
    above = rules.start_infeasible == Infeasible.closest
    for mask in range(1 << int(n)):
        subset = subset_of(packed, mask)
        total = subset & TOTAL_BITS
        if subset >= (rules.hand_limit + 1) * ONE_CARD or (total > target and not above):
            continue
        if total == target:
            return target
        nearer = abs(total - target) - abs(best - target)
        if nearer < 0 or (nearer == 0 and total < best):
            best = total
    return best


@rule
def find_total(s, rules, seat, rng):
    """Note the total to keep exactly, or the nearest allowed where no subset has it (O7-2.10)."""
    target = total_target(s, rules, seat)
    total = nearest_total(rules, s.dealt[seat], s.dealt_n[seat], target)
    redraws = 0
    if rules.start_infeasible == Infeasible.redraw and s.dealt_n[seat] > 0:
        while total != target and redraws < MAX_REDRAWS:
            redraw(s, seat, rng.redraw)
            redraws += 1
            total = nearest_total(rules, s.dealt[seat], s.dealt_n[seat], target)
    s.keep_total = total
    s.log.seat[seat].redraws = redraws
    s.log.seat[seat].infeasible = total != target or redraws > 0


@rule
def legal_keep(s, rules, out):
    """Write masks over the dealt cards that the rule allows, ascending (O7-2.9, O7-2.11)."""
    packed = pack_all(rules, s.dealt[s.seat])
    fewest, most = 0, int(rules.hand_limit)
    least, greatest = 0, ANY_TOTAL
    if rules.start_rule == StartRule.keep_at_most:
        greatest = total_target(s, rules, s.seat)
    elif rules.start_rule == StartRule.keep_count:
        fewest = most = count_target(s, rules, s.seat)
    else:
        least = greatest = int(s.keep_total)
    return subsets(packed, int(s.dealt_n[s.seat]), least, greatest, fewest, most, out)


@rule
def random_subset(s, rules, seat, rng):
    """Return a uniformly random one of the subsets that keep_exact would allow (O7-2.11)."""
    packed = pack_all(rules, s.dealt[seat])
    chosen, seen = 0, 0
    for mask in range(1 << int(s.dealt_n[seat])):
        subset = subset_of(packed, mask)
        if subset < (rules.hand_limit + 1) * ONE_CARD and subset & TOTAL_BITS == s.keep_total:
            seen += 1
            if below(rng.hands, seen) == 0:
                chosen = mask
    return chosen


@rule
def keep(s, rules, seat, mask):
    """Keep the cards of the mask unseen, discard the others face up (O7-2.8)."""
    note_start(s, seat, mask)
    for slot in range(int(s.dealt_n[seat])):
        card = s.dealt[seat, slot]
        s.log.seat[seat].dealt_total += rules.value[card]
        if mask >> slot & 1:
            take(s, seat, card)
        else:
            discard(s, card)
        s.dealt[seat, slot] = NO_CARD
    s.dealt_n[seat] = 0
    s.keep_total = NONE
    s.hands_chosen += 1


@rule
def note_start(s, seat, mask):
    """Note the cards of the mask, then the other dealt ones: `redeal` fits unseen cards to their total."""
    n = 0
    for chosen in (1, 0):
        for slot in range(int(s.dealt_n[seat])):
            if mask >> slot & 1 == chosen:
                s.start_cards[seat, n] = s.dealt[seat, slot]
                n += 1
    s.start_n[seat] = COUNT[mask]


@rule
def go_on_drafting(s, rules):
    """Let the other player pick, if possible; discard the rest when neither can (O7-2.11)."""
    if s.dealt_n[0] > 0:
        open_pool(s, rules)
        s.seat = s.first
    for seat in (1 - s.seat, s.seat):
        for slot in range(int(s.pool_n)):
            if may_pick(s, rules, seat, slot):
                s.decision, s.seat = Decision.draft, seat
                return
    for slot in range(int(s.pool_n)):
        discard(s, s.pool[slot])
        s.pool[slot] = NO_CARD
    s.pool_n = 0


@rule
def open_pool(s, rules):
    """Put the dealt cards of both players into one open pool, player 0's first."""
    for seat in range(2):
        for slot in range(int(s.dealt_n[seat])):
            card = s.dealt[seat, slot]
            s.log.seat[seat].dealt_total += rules.value[card]
            s.pool[s.pool_n] = card
            s.pool_n += 1
            s.revealed[card] = 1
            s.dealt[seat, slot] = NO_CARD
        s.dealt_n[seat] = 0


@rule
def may_pick(s, rules, seat, slot):
    """Return whether a pick keeps the total within the target and the hand within its limit."""
    n = int(s.hand_n[seat])
    total = value_of(rules, s.hand[seat], n) + int(rules.value[s.pool[slot]])
    return total <= total_target(s, rules, seat) and n < rules.hand_limit


@rule
def legal_draft(s, rules, out):
    """Write the cards of the pool that may be picked."""
    n = 0
    for slot in range(int(s.pool_n)):
        if may_pick(s, rules, s.seat, slot):
            n = add(out, n, slot)
    return n


@rule
def pick(s, slot):
    """Take one card of the pool openly and close the gap."""
    take(s, s.seat, s.pool[slot])
    remove_at(s.pool[:], int(s.pool_n), slot)
    s.pool_n -= 1
