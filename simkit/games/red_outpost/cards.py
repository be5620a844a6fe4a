"""Red Outpost: special cards before and after a turn, and how cards are dealt (RO-2.8 to RO-2.11, RO-6)."""

from simkit.engine.compile.jit import bit, rule
from simkit.engine.rng import shuffle
from simkit.engine.rule_helpers import add, offer_set
from simkit.games.red_outpost.facts import (
    BARRACKS,
    CARDS,
    EVERYONE,
    LOCATION_CARDS,
    MOST_DEALT,
    NO,
    NOBODY,
    ORDINARY,
    WORKERS,
    Card,
    Decision,
    Resource,
    Stage,
    Worker,
)
from simkit.games.red_outpost.goods import donate, produce
from simkit.games.red_outpost.moods import shift_mood
from simkit.games.red_outpost.moves import blocked_now, occupied, owns
from simkit.games.red_outpost.options import ChoiceOrder, Where

KINDS = 2  # of special cards: location cards, worker cards


@rule
def give_cards(s, rules):
    """Give a seat the cards that it owns from the start (RO-2.11)."""
    for card in range(CARDS):
        seat = rules.card_where[card] - Where.seat_0
        s.card_owner[card] = seat if 0 <= seat < s.seats else NOBODY


@rule
def go_on_keeping(s, rules, rng):
    """Deal location cards, then worker cards; ask seats with a choice (RO-2.8, RO-2.9)."""
    if s.keep_kind == KINDS:
        s.stage = Stage.phase
    elif s.keep_at == NOBODY:
        s.keep_at = deal_cards(s, rules, rng)
    elif s.keep_at == s.seats:
        s.keep_kind += 1
        s.keep_at = NOBODY
        s.dealt[:] = 0
    else:
        last_first = rules.card_choice_order == ChoiceOrder.last_to_first
        s.seat = s.seats - 1 - s.keep_at if last_first else s.keep_at
        s.decision = Decision.card_keep


@rule
def deal_cards(s, rules, rng):
    """Deal the cards of a kind; return the first seat to choose, or the number of seats if none chooses."""
    workers = s.keep_kind == 1
    choice = rules.special_worker_choice if workers else rules.special_location_choice
    rounds = rules.special_worker_cards if workers else rules.special_location_cards
    n = fill_card_deck(s, rules)
    if workers:
        shuffle(rng.worker_cards, s.card_deck, n)
    else:
        shuffle(rng.location_cards, s.card_deck, n)
    laps = min(choice if choice > 1 else rounds, n // s.seats)
    to_choose = choice > 1 and laps > 1
    for lap in range(laps):
        for seat in range(s.seats):
            n -= 1
            card = s.card_deck[n]
            if to_choose:
                s.dealt[seat, lap] = card
            else:
                s.card_owner[card - 1] = seat
    return 0 if to_choose else s.seats


@rule
def fill_card_deck(s, rules):
    """Write the cards of a kind that are to be dealt by number, and return how many there are."""
    first = LOCATION_CARDS if s.keep_kind == 1 else 0
    n = 0
    for card in range(first, CARDS if s.keep_kind == 1 else LOCATION_CARDS):
        if rules.card_where[card] == Where.dealt:
            s.card_deck[n] = card + 1
            n += 1
    return n


@rule
def legal_keep(s, out):
    """Write the cards dealt to the seat, ascending (RO-2.9)."""
    n = 0
    for place in range(MOST_DEALT):
        if s.dealt[s.seat, place] > 0:
            n = add(out, n, s.dealt[s.seat, place] - 1)
    return n


@rule
def keep(s, action):
    """Keep a card (RO-2.9)."""
    s.card_owner[action] = s.seat
    s.keep_at += 1


@rule
def go_on_laying_down(s):
    """Ask about card 9 before the first turn of Lunch (RO-6.9)."""
    owner = s.card_owner[Card.field_kitchen - 1]
    if owner == NOBODY or s.down_left == 0:
        s.stage = Stage.turn
    else:
        s.seat = owner
        s.decision = Decision.lunch_down


@rule
def legal_standing(s, out):
    """Write stop and the workers who stand (RO-6.9)."""
    n = add(out, 0, NO)
    for worker in range(WORKERS):
        if not s.tired[worker]:
            n = add(out, n, 1 + worker)
    return n


@rule
def lay_down(s, action):
    """Lay a worker down by card 9 (RO-6.9)."""
    s.down_left -= 1
    if action == 0:
        s.down_left = 0
    else:
        s.tired[action - 1] = 1
        s.log.game.card_uses[Card.field_kitchen - 1] += 1


@rule
def go_on_extra(s):
    """Ask about card 16 when the Miner's turn produced another type than coal (RO-6.16)."""
    s.stage = Stage.donate
    if s.cur_w == Worker.miner and other_goods(s) != 0 and owns(s, Card.miner):
        s.decision = Decision.miner_extra


@rule
def other_goods(s):
    """Return the types but coal that the turn produced, bit t (RO-6.16)."""
    return s.made_mask & ~bit(Resource.coal)


@rule
def legal_extra(s, out):
    """Write nothing and the types produced (RO-6.16)."""
    return offer_set(out, bit(NO) | other_goods(s) << 1)


@rule
def produce_extra(s, rules, action):
    """Produce one more cube by card 16; the Miner's mood falls (RO-6.16)."""
    if action > 0:
        produce(s, rules, action - 1, 1)
        shift_mood(s, rules, Worker.miner.value, -1)
        s.log.game.card_uses[Card.miner - 1] += 1


@rule
def go_on_donating(s):
    """Ask about card 17 after a turn with the Commissar (RO-6.17)."""
    s.stage = Stage.fisher
    if s.cur_w == Worker.commissar and owns(s, Card.commissar) and s.crystals[s.seat] > 0:
        s.decision = Decision.commissar_donate


@rule
def donate_extra(s, action):
    """Give a crystal to the Palace by card 17 (RO-6.17)."""
    if action > 0:
        donate(s, s.seat)
        s.log.game.card_uses[Card.commissar - 1] += 1


@rule
def free_places(s):
    """Return ordinary locations without a worker that are not blocked now (RO-6.15)."""
    return ORDINARY & ~(blocked_now(s) | occupied(s, False))


@rule
def go_on_fishing(s):
    """Ask about card 15 after a turn with the Fisherman (RO-6.15)."""
    s.stage = Stage.end_turn
    if s.cur_w == Worker.fisherman and owns(s, Card.fisherman) and free_places(s) != 0:
        s.decision = Decision.fish_worker


@rule
def choose_moved(s, action):
    """Choose the worker that card 15 moves (RO-6.15)."""
    if action > 0:
        s.fish_w = action - 1
        s.decision = Decision.fish_loc


@rule
def legal_fish_worker(out):
    """Write nobody and all workers but the Fisherman."""
    return offer_set(out, bit(NO) | (EVERYONE & ~bit(Worker.fisherman)) << 1)


@rule
def move_other(s, location):
    """Move the worker by card 15, without disk, mood or action (RO-6.15)."""
    s.wloc[s.fish_w] = location
    s.log.game.card_uses[Card.fisherman - 1] += 1


@rule
def asleep(s):
    """Return the workers in the Barracks, bit w."""
    workers = 0
    for worker in range(WORKERS):
        if bit(s.wloc[worker]) == BARRACKS:
            workers |= bit(worker)
    return workers


@rule
def legal_barr_from(s, seat, out):
    """Write no, and workers with a disk of the seat while another sleeps in the Barracks (RO-6.12)."""
    n, sleepers = add(out, 0, NO), asleep(s)
    for worker in range(WORKERS):
        if s.infl[seat, worker] > 0 and sleepers & ~bit(worker) != 0:
            n = add(out, n, 1 + worker)
    return n


@rule
def go_on_sleepers(s):
    """Ask about card 12 at the end of the Morning (RO-6.12)."""
    s.stage = Stage.close_phase
    owner = s.card_owner[Card.barracks - 1]
    if owner != NOBODY:
        s.seat = owner
        s.decision = Decision.barr_from


@rule
def choose_source(s, action):
    """Choose the portrait that a disk leaves by card 12 (RO-6.12)."""
    if action > 0:
        s.adm_w = action - 1
        s.decision = Decision.barr_to


@rule
def move_own_disk(s, worker):
    """Move the disk to a sleeper by card 12 (RO-6.12)."""
    s.infl[s.seat, s.adm_w] -= 1
    s.infl[s.seat, worker] += 1
    s.log.game.card_uses[Card.barracks - 1] += 1
