"""Exoplanet Colony: hands, deck, discard pile; drawing, trading (EX-4.2, EX-4.3, EX-4.13, EX-4.14)."""

from simkit.engine.compile.jit import bit, bit_count, lowest_bit, rule
from simkit.engine.rng import shuffle
from simkit.games.exoplanet_colony.facts import AMOUNTS, NOBODY, Decision, Issue
from simkit.games.exoplanet_colony.options import Transfer

MIGRAINE = AMOUNTS["migraine_hand"]


@rule
def hand_limit(s, rules, seat):
    """Most cards that a seat may hold (EX-4.13)."""
    return int(rules.hand_limit) - (MIGRAINE if s.issues[seat] >> Issue.migraine & 1 else 0)


@rule
def receive(s, seat, card):
    """A card comes into a hand, which may then be above its limit."""
    s.hand[seat] |= bit(card)
    s.over = seat


@rule
def discard(s, seat, card):
    """A card of a hand goes on top of the discard pile."""
    s.hand[seat] &= ~bit(card)
    on_pile(s, card)


@rule
def on_pile(s, card):
    s.discard[s.discard_n] = card
    s.discard_n += 1


@rule
def off_pile(s, card):
    """A card is taken out of the discard pile, the others keep their order."""
    s.discard_n -= 1
    here = 0
    while s.discard[here] != card:
        here += 1
    for place in range(here, s.discard_n):
        s.discard[place] = s.discard[place + 1]
    s.discard[s.discard_n] = NOBODY


@rule
def pile_set(s):
    """The cards of the discard pile, bit c = card c."""
    found = 0
    for place in range(s.discard_n):
        found |= bit(s.discard[place])
    return found


@rule
def can_draw(s):
    return s.deck_n + s.discard_n > 0


@rule
def take_top(s, rng):
    """The top card of the deck, -1 where there is none; the pile becomes the deck in time (EX-4.14)."""
    if s.deck_n == 0:
        reshuffle(s, rng)
    if s.deck_n == 0:
        return NOBODY
    s.deck_n -= 1
    card = int(s.deck[s.deck_n])
    s.deck[s.deck_n] = NOBODY
    s.log.game.cards_drawn += 1
    if s.deck_n == 0:
        reshuffle(s, rng)
    return card


@rule
def reshuffle(s, rng):
    """The discard pile, if there is one, is shuffled and becomes the deck (EX-4.14)."""
    if s.discard_n == 0:
        return
    shuffle(rng.reshuffle, s.discard, s.discard_n)
    for place in range(s.discard_n):
        s.deck[place] = s.discard[place]
        s.discard[place] = NOBODY
    s.deck_n, s.discard_n = s.discard_n, 0
    s.log.game.reshuffles += 1


@rule
def draw_next(s, rng):
    """One of several cards to be drawn; those that are not there are forgone (EX-4.2, EX-6.8)."""
    card = take_top(s, rng)
    s.to_draw = s.to_draw - 1 if card != NOBODY else 0
    if card != NOBODY:
        s.log.game.event_draws += s.event != NOBODY
        receive(s, s.drawer, card)


@rule
def draw_cards(s, seat, n):
    """A seat is to draw so many cards one after the other."""
    s.drawer, s.to_draw = seat, n


@rule
def is_over(s, rules, seat):
    return bit_count(s.hand[seat]) > hand_limit(s, rules, seat)


@rule
def ask_limit(s, rules):
    """Ask whoever got a card to discard down to the limit; whether there is anything to ask (EX-4.13)."""
    seat = s.over
    if not is_over(s, rules, seat):
        s.over = NOBODY
        return False
    s.seat, s.decision = seat, Decision.hand_discard
    return True


@rule
def limit_discard(s, card):
    """A card too many is discarded (EX-4.13)."""
    discard(s, s.seat, card)
    s.log.game.limit_discards += 1
    s.log.seat[s.seat].limit_discards += 1
    s.decision = Decision.none


@rule
def partners(s, seat, relay):
    """Seats on the same module, for a Relay on other ones, with whom a seat may trade (EX-4.3, EX-7.3)."""
    if s.issues[seat] >> Issue.flu & 1:
        return 0
    found, here = 0, s.pawn[seat]
    for other in range(s.seats):
        healthy = s.issues[other] >> Issue.flu & 1 == 0
        found |= (((s.pawn[other] != here) == relay) & healthy) << other
    return found & ~bit(seat)


@rule
def givable(s, rules, seat, relay):
    """Seats to whom a seat may give a card."""
    return givable_to(s, rules, seat, partners(s, seat, relay))


@rule
def givable_to(s, rules, seat, near):
    """Of some partners those to whom a seat may give a card."""
    allowed = rules.transfer == Transfer.both or rules.transfer == Transfer.give
    return near if allowed and s.hand[seat] != 0 else 0


@rule
def takeable(s, rules, seat, relay):
    """Seats of whom a seat may take a card."""
    return takeable_from(s, rules, partners(s, seat, relay))


@rule
def takeable_from(s, rules, near):
    """Of some partners those of whom a card may be taken."""
    if rules.transfer != Transfer.both and rules.transfer != Transfer.take:
        return 0
    found, left = 0, near
    while left != 0:
        other = lowest_bit(left)
        found |= (s.hand[other] != 0) << other
        left &= left - 1
    return found


@rule
def give(s, card):
    """The active seat gives a card to its partner (EX-4.3)."""
    s.hand[s.active] &= ~bit(card)
    receive(s, s.partner, card)
    s.log.game.gives += 1
    s.log.seat[s.active].gives += 1


@rule
def take(s, card):
    """The active seat takes a card of its partner (EX-4.3)."""
    s.hand[s.partner] &= ~bit(card)
    receive(s, s.active, card)
    s.log.game.takes += 1
    s.log.seat[s.active].takes += 1
