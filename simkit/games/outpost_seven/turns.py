"""Outpost Seven: turns, stopping, salvage (O7-3, O7-4)."""

import numpy as np

from simkit.games.outpost_seven.cardmath import ONE_CARD, TOTAL_BITS, pack_all, subset_of
from simkit.games.outpost_seven.facts import NO_CARD, End, Phase
from simkit.games.outpost_seven.repair import has_pair, legal_pairs
from simkit.games.outpost_seven.scoring import count_scores, finish, note_leader
from simkit.jit import rule


@rule
def begin_play(s, rules):
    """The first player takes the first turn (O7-3.1); from here on scores are kept."""
    s.frontier = rules.first_cells
    count_scores(s, rules)
    for seat in range(2):
        s.log.seat[seat].initial_population = s.score[seat]
    s.lead[0] = s.score[0] - s.score[1]
    if s.deck_pos == s.deck_n:
        s.log.game.deck_empty_turn = 0
    next_turn(s, rules, 1 - np.int64(s.first))


@rule
def end_turn(s, rules):
    """Count the turn, see who leads, and pass on."""
    seat = np.int64(s.seat)
    s.turn += 1
    s.log.game.turns += 1
    s.log.seat[seat].turns += 1
    s.log.game.solo_turns += s.stopped[1 - seat]
    note_leader(s)
    next_turn(s, rules, seat)


@rule
def next_turn(s, rules, last):
    """The opponent moves, else the same player; who is tried and cannot play has stopped for good (O7-3.5, O7-3.6)."""
    for seat in (1 - last, last):
        if s.stopped[seat]:
            continue
        if can_play(s, rules, seat):
            begin_turn(s, rules, seat)
            return
        s.stopped[seat] = 1
        s.log.seat[seat].stop_turn = s.turn
        if not rules.play_on_after_stop:
            finish(s, rules, End.one_stopped)
            return
    finish(s, rules, End.both_stopped)


@rule
def begin_turn(s, rules, seat):
    s.seat = seat
    s.phase = Phase.main
    s.log.seat[seat].turns_at_hand_limit += s.hand_n[seat] >= rules.hand_limit


@rule
def can_play(s, rules, seat):
    """A player can play who has a legal non-empty salvage or a legal repair (O7-3.4)."""
    may_salvage = (
        s.offer_n > 0 and s.hand_n[seat] < rules.hand_limit
    )  # one card never exceeds a limit, which is 6 at least
    return may_salvage or has_pair(s, rules, seat)


@rule
def salvage_limit(s, rules):
    """Greatest total of a salvage; the very first turn may have its own (O7-4.1, O7-4.7)."""
    if s.turn == 0 and rules.first_turn_salvage_limit > 0:
        return int(rules.first_turn_salvage_limit)
    return int(rules.salvage_limit)


@rule
def legal_main(s, rules, out):
    """Salvages, then repair pairs (O7-3.2, O7-3.3)."""
    n = legal_salvages(s, rules, out)
    return legal_pairs(s, rules, out, n)


@rule
def legal_salvages(s, rules, out):
    """Masks over the offer within the limit and the room in hand (O7-4.1 to O7-4.3)."""
    low, middle, high = pack_all(rules, s.offer)
    room = int(rules.hand_limit) - int(s.hand_n[s.seat])
    limit = salvage_limit(s, rules)
    n = 0
    first = 0 if rules.allow_empty_salvage else 1
    if room <= 0:
        out[0] = 0
        return 1 - first
    for mask in range(first, 1 << int(s.offer_n)):
        subset = subset_of(low, middle, high, mask)
        out[n] = mask
        n += np.int64(subset < (room + 1) * ONE_CARD) & np.int64(subset & TOTAL_BITS <= limit)
    return n


@rule
def salvage(s, rules, mask):
    """Take the cards of the mask into the hand, openly, and refill (O7-4.1, O7-4.4, O7-4.6)."""
    if mask == 0:
        pass_turn(s, rules)
        return
    seat = np.int64(s.seat)
    count_salvage(s, rules, seat, mask)
    left = 0
    for slot in range(int(s.offer_n)):
        card = s.offer[slot]
        if mask >> slot & 1:
            s.hand[seat, s.hand_n[seat]] = card
            s.hand_n[seat] += 1
        else:
            s.offer[left] = card
            left += 1
    refill(s, rules, left)
    s.passes = 0
    end_turn(s, rules)


@rule
def refill(s, rules, left):
    """New cards go behind the remaining ones; an empty deck leaves the offer short (O7-4.4 to O7-4.6)."""
    for slot in range(left, int(s.offer_n)):
        s.offer[slot] = NO_CARD
    s.offer_n = left
    while s.offer_n < rules.faceup and s.deck_pos < s.deck_n:
        card = s.deck[s.deck_pos]
        s.deck_pos += 1
        s.offer[s.offer_n] = card
        s.offer_n += 1
        s.known[card] = 1
        if s.deck_pos == s.deck_n:
            s.log.game.deck_empty_turn = s.turn + 1


@rule
def count_salvage(s, rules, seat, mask):
    log, own = s.log.game, s.log.seat[seat]
    log.salvages += 1
    own.salvages += 1
    for slot in range(int(s.offer_n)):
        if mask >> slot & 1:
            value = int(rules.value[s.offer[slot]])
            log.salvaged_cards += 1
            log.salvaged_value += value
            own.salvaged_cards += 1
            own.salvaged_value += value


@rule
def pass_turn(s, rules):
    """An empty salvage; when all who are still in do so in direct succession, the game ends (O7-4.3)."""
    s.passes += 1
    s.log.game.empty_salvages += 1
    if s.passes >= 2 - s.stopped[0] - s.stopped[1]:
        s.turn += 1
        s.log.game.turns += 1
        s.log.seat[s.seat].turns += 1
        s.log.game.solo_turns += s.stopped[1 - s.seat]
        note_leader(s)
        finish(s, rules, End.empty_salvages)
    else:
        end_turn(s, rules)
