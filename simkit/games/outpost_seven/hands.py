"""Outpost Seven: setup and starting hands (O7-2)."""

import numpy as np

from simkit.chance import below, shuffle
from simkit.games.outpost_seven.cardmath import ONE_CARD, TOTAL_BITS, pack_all, remove_at, subset_of, value_of
from simkit.games.outpost_seven.facts import (
    GO_SECOND,
    NO_CARD,
    NOBODY,
    REDRAW,
    Infeasible,
    InitialVotes,
    Mulligan,
    Phase,
    StartChoice,
    StartOrder,
    StartRule,
)
from simkit.games.outpost_seven.turns import begin_play
from simkit.jit import rule

MAX_REDRAWS = 20


@rule
def setup(s, rules, rng):
    """Border, votes, deal, discards and offer; then the starting hands are chosen (O7-2.1 to O7-2.8)."""
    clear(s)
    lay_border(s, rules, rng)
    place_votes(s, rules, rng)
    shuffle_deck(s, rules, rng)
    deal(s, rules)
    if rules.start_choice == StartChoice.player0_chooses:
        ask(s, Phase.side, 0)
    else:
        begin_hands(s, rules, rng)


@rule
def clear(s):
    """Empty places hold -1."""
    s.hand[:] = NO_CARD
    s.dealt[:] = NO_CARD
    s.pool[:] = NO_CARD
    s.offer[:] = NO_CARD
    s.discard[:] = NO_CARD
    s.deck[:] = NO_CARD
    s.grid_card[:] = NO_CARD
    s.grid_owner[:] = NOBODY
    s.border_colour[:] = -1
    s.vote[:] = NOBODY
    s.mulliganed[:] = -1
    s.keep_total = -1
    s.played_cell = s.sel_module = s.sel_scrap = -1
    s.leader = NOBODY
    s.log.game.first_module_cell = -1
    s.log.game.deck_empty_turn = -1
    s.log.seat[0].stop_turn = s.log.seat[1].stop_turn = -1


@rule
def lay_border(s, rules, rng):
    """The i-th shuffled population card goes to line i (O7-2.2, O7-2.3)."""
    n = rules.population_cards
    for i in range(n):
        s.deck[i] = i
    shuffle(rng.population, s.deck, n)
    for line in range(rules.lines):
        icons = rules.icons[s.deck[line]]
        if rules.uniform_population > 0:
            icons = rules.uniform_population
        s.pop[line] = s.pop_initial[line] = icons
        if rules.border_colours:
            s.border_colour[line] = below(rng.colours, 3)
            s.colours[line, s.border_colour[line]] += 1


@rule
def place_votes(s, rules, rng):
    """Tokens alternate along the border (O7-2.4)."""
    if rules.initial_votes == InitialVotes.none:
        return
    start = 1 if rules.initial_votes == InitialVotes.swapped else 0
    for line in range(rules.lines):
        s.vote[line] = (line + start) % 2
    if rules.initial_votes == InitialVotes.random:
        shuffle(rng.votes, s.vote, rules.lines)


@rule
def shuffle_deck(s, rules, rng):
    """One fixed permutation of the module cards covers all later draws (O7-2.5)."""
    n = rules.cards
    for i in range(n):
        s.deck[i] = i
    shuffle(rng.deck, s.deck, n)
    s.deck_pos = 0
    s.deck_n = n


@rule
def deal(s, rules):
    """Hands, initial discards, offer (O7-2.5 to O7-2.7)."""
    for seat in range(2):
        deal_hand(s, rules, seat)
    for _ in range(rules.initial_discards):
        discard(s, take_top(s))
    for _ in range(rules.faceup):
        turn_up(s)


@rule
def deal_hand(s, rules, seat):
    for slot in range(rules.deal_size):
        s.dealt[seat, slot] = take_top(s)
    s.dealt_n[seat] = rules.deal_size


@rule
def take_top(s):
    card = s.deck[s.deck_pos]
    s.deck_pos += 1
    return card


@rule
def discard(s, card):
    """Lay a card face up on the discard pile (O7-2.6)."""
    s.discard[s.discard_n] = card
    s.discard_n += 1
    s.known[card] = 1


@rule
def turn_up(s):
    """Turn up the next card into the offer (O7-2.7)."""
    card = take_top(s)
    s.offer[s.offer_n] = card
    s.offer_n += 1
    s.known[card] = 1


@rule
def ask(s, phase, seat):
    s.phase = phase
    s.seat = seat


@rule
def choose_side(s, rules, action, rng):
    """Player 0 takes a role; targets and all first/second rules follow the roles (O7-2.13)."""
    if action == GO_SECOND:
        s.first = 1
    begin_hands(s, rules, rng)


@rule
def begin_hands(s, rules, rng):
    """The starting hands arise by `start_rule` (O7-2.9 to O7-2.11)."""
    if rules.start_rule == StartRule.draft:
        begin_draft(s, rules)
    elif rules.start_rule == StartRule.deal_count:
        for _ in range(2):
            seat = chooser(s, rules)
            count = count_target(s, rules, seat)
            keep(s, rules, seat, (1 << count) - 1)
        after_hands(s, rules)
    else:
        next_hand(s, rules, rng)


@rule
def next_hand(s, rules, rng):
    """Go on to the next decision about starting hands (O7-2.8, O7-2.12)."""
    while s.hands_chosen < 2:
        seat = chooser(s, rules)
        if may_redraw(s, rules, seat) and s.mulliganed[seat] < 0:
            ask(s, Phase.mulligan, seat)
            return
        if rules.start_rule == StartRule.keep_exact or rules.start_rule == StartRule.random_exact:
            find_total(s, rules, seat, rng)
        if rules.start_rule != StartRule.random_exact:
            ask(s, Phase.keep, seat)
            return
        keep(s, rules, seat, random_subset(s, rules, seat, rng))
    after_hands(s, rules)


@rule
def chooser(s, rules):
    """The seat that chooses next: in order of play, or the other way round (O7-2.8)."""
    second_next = s.hands_chosen if rules.start_order == StartOrder.first_then_second else 1 - s.hands_chosen
    return 1 - s.first if second_next else np.int64(s.first)


@rule
def may_redraw(s, rules, seat):
    """Whether the seat has a mulligan (O7-2.12)."""
    return rules.mulligan == Mulligan.both or (rules.mulligan == Mulligan.second and seat != s.first)


@rule
def choose_mulligan(s, rules, action, rng):
    """Keep the dealt cards, or shuffle them into the deck for as many new ones (O7-2.12)."""
    s.mulliganed[s.seat] = action
    if action == REDRAW:
        s.log.seat[s.seat].mulligan = 1
        redraw(s, np.int64(s.seat), rng.redraw)
    next_hand(s, rules, rng)


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
    """The total that the seat is to keep, lowered by a mulligan (O7-2.9, O7-2.12)."""
    target = int(rules.start_total_first if seat == s.first else rules.start_total_second)
    if s.mulliganed[seat] == REDRAW:
        return max(0, target - int(rules.mulligan_cost))
    return target


@rule
def count_target(s, rules, seat):
    """How many cards the seat keeps with keep_count and deal_count; a mulligan's cost is a total and does not touch it (O7-2.11)."""
    count = int(rules.start_count_first if seat == s.first else rules.start_count_second)
    return min(count, int(s.dealt_n[seat]), int(rules.hand_limit))


@rule
def find_total(s, rules, seat, rng):
    """Note the total to keep exactly; where no subset has the target, the nearest one allowed (O7-2.10)."""
    target = total_target(s, rules, seat)
    total = nearest_total(s, rules, seat, target)
    redraws = 0
    while (
        rules.start_infeasible == Infeasible.redraw
        and total != target
        and redraws < MAX_REDRAWS
        and s.dealt_n[seat] > 0
    ):
        redraw(s, seat, rng.redraw)
        redraws += 1
        total = nearest_total(s, rules, seat, target)
    s.keep_total = total
    s.log.seat[seat].redraws = redraws
    s.log.seat[seat].infeasible = total != target or redraws > 0


@rule
def nearest_total(s, rules, seat, target):
    """The reachable total nearest to the target from below (or, with `closest`, from either side, the lower on ties)."""
    low, middle, high = pack_all(rules, s.dealt[seat])
    best = 0
    above = rules.start_infeasible == Infeasible.closest
    for mask in range(1 << int(s.dealt_n[seat])):
        subset = subset_of(low, middle, high, mask)
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
def legal_keep(s, rules, out):
    """Masks over the dealt cards that the starting-hand rule allows, ascending (O7-2.9, O7-2.11)."""
    seat = np.int64(s.seat)
    low, middle, high = pack_all(rules, s.dealt[seat])
    fewest, most = 0, int(rules.hand_limit)
    least, greatest = 0, 1000
    if rules.start_rule == StartRule.keep_at_most:
        greatest = total_target(s, rules, seat)
    elif rules.start_rule == StartRule.keep_count:
        fewest = most = count_target(s, rules, seat)
    else:
        least = greatest = int(s.keep_total)
    n = 0
    for mask in range(1 << int(s.dealt_n[seat])):
        subset = subset_of(low, middle, high, mask)
        count, total = subset // ONE_CARD, subset & TOTAL_BITS
        out[n] = mask
        n += (
            np.int64(fewest <= count)
            & np.int64(count <= most)
            & np.int64(least <= total)
            & np.int64(total <= greatest)
        )
    return n


@rule
def random_subset(s, rules, seat, rng):
    """A uniformly random one of the subsets that keep_exact would allow (O7-2.11)."""
    low, middle, high = pack_all(rules, s.dealt[seat])
    chosen, seen = 0, 0
    for mask in range(1 << int(s.dealt_n[seat])):
        subset = subset_of(low, middle, high, mask)
        if subset < (rules.hand_limit + 1) * ONE_CARD and subset & TOTAL_BITS == s.keep_total:
            seen += 1
            if below(rng.hands, seen) == 0:
                chosen = mask
    return chosen


@rule
def keep(s, rules, seat, mask):
    """Keep the cards of the mask unseen, discard the others face up (O7-2.8)."""
    for slot in range(int(s.dealt_n[seat])):
        card = s.dealt[seat, slot]
        s.log.seat[seat].dealt_total += rules.value[card]
        if mask >> slot & 1:
            s.hand[seat, s.hand_n[seat]] = card
            s.hand_n[seat] += 1
        else:
            discard(s, card)
        s.dealt[seat, slot] = NO_CARD
    s.dealt_n[seat] = 0
    s.keep_total = -1
    s.hands_chosen += 1


@rule
def begin_draft(s, rules):
    """The dealt cards of both form one open pool, player 0's first (O7-2.11)."""
    for seat in range(2):
        for slot in range(int(s.dealt_n[seat])):
            card = s.dealt[seat, slot]
            s.log.seat[seat].dealt_total += rules.value[card]
            s.pool[s.pool_n] = card
            s.pool_n += 1
            s.known[card] = 1
            s.dealt[seat, slot] = NO_CARD
        s.dealt_n[seat] = 0
    next_pick(s, rules, np.int64(s.first))


@rule
def next_pick(s, rules, last):
    """The other player picks; who cannot is passed over; when neither can, the rest is discarded (O7-2.11)."""
    for seat in (1 - last, last):
        if can_pick(s, rules, seat):
            ask(s, Phase.draft, seat)
            return
    for slot in range(int(s.pool_n)):
        discard(s, s.pool[slot])
        s.pool[slot] = NO_CARD
    s.pool_n = 0
    after_hands(s, rules)


@rule
def can_pick(s, rules, seat):
    for slot in range(int(s.pool_n)):
        if may_pick(s, rules, seat, slot):
            return True
    return False


@rule
def may_pick(s, rules, seat, slot):
    """A pick keeps the total within the target and the hand within its limit (O7-2.11)."""
    total = value_of(rules, s.hand[seat], s.hand_n[seat]) + int(rules.value[s.pool[slot]])
    return total <= total_target(s, rules, seat) and s.hand_n[seat] < rules.hand_limit


@rule
def legal_draft(s, rules, out):
    n = 0
    for slot in range(int(s.pool_n)):
        if may_pick(s, rules, np.int64(s.seat), slot):
            out[n] = slot
            n += 1
    return n


@rule
def pick(s, rules, slot):
    """Take one card of the pool, openly; the slots close up (O7-2.11)."""
    seat = np.int64(s.seat)
    s.hand[seat, s.hand_n[seat]] = s.pool[slot]
    s.hand_n[seat] += 1
    remove_at(s.pool, np.int64(s.pool_n), np.int64(slot))
    s.pool_n -= 1
    next_pick(s, rules, seat)


@rule
def after_hands(s, rules):
    """The second player may add population (O7-2.14); then play begins."""
    for seat in range(2):
        note_hand(s, rules, seat)
    if rules.second_bonus_population > 0:
        ask(s, Phase.bonuspop, 1 - np.int64(s.first))
    else:
        begin_play(s, rules)


@rule
def note_hand(s, rules, seat):
    log = s.log.seat[seat]
    n = int(s.hand_n[seat])
    log.kept_cards = n
    log.kept_total = value_of(rules, s.hand[seat], n)
    for i in range(n):
        for j in range(i):
            log.kept_pairs += rules.colour[s.hand[seat, i]] == rules.colour[s.hand[seat, j]]


@rule
def legal_bonuspop(s, rules, out):
    """Lines whose token shows the second player's colour, or any line if none does (O7-2.14)."""
    n = 0
    for line in range(rules.lines):
        if s.vote[line] == s.seat:
            out[n] = line
            n += 1
    if n == 0:
        for line in range(rules.lines):
            out[line] = line
        n = int(rules.lines)
    return n


@rule
def add_bonuspop(s, rules, line):
    s.pop[line] += rules.second_bonus_population
    begin_play(s, rules)
