"""Exoplanet Colony: hands, deck, discard pile; drawing, trading (EX-4.2, EX-4.3, EX-4.13, EX-4.14)."""

from simkit.engine.compile.jit import bit, bit_count, lowest_bit, rule
from simkit.engine.rng import shuffle
from simkit.games.exoplanet_colony.facts import AMOUNTS, NOBODY, Decision, Issue
from simkit.games.exoplanet_colony.options import Transfer

MIGRAINE = AMOUNTS["migraine_hand"]


@rule
def hand_limit(s, rules, seat):
    """Return the most cards that a seat may hold (EX-4.13)."""
    return int(rules.hand_limit) - (MIGRAINE if s.issues[seat] >> Issue.migraine & 1 else 0)


@rule
def receive(s, seat, card):
    """Put a card into a hand, which may then be above its limit."""
    s.hand[seat] |= bit(card)
    s.over = seat


@rule
def discard(s, seat, card):
    """Put a card of a hand on top of the discard pile."""
    s.hand[seat] &= ~bit(card)
    on_pile(s, card)


@rule
def on_pile(s, card):
    """Put a card on top of the discard pile."""
    s.discard[s.discard_n] = card
    s.discard_n += 1


@rule
def off_pile(s, card):
    """Take a card out of the discard pile; the others keep their order."""
    s.discard_n -= 1
    position = 0
    while s.discard[position] != card:
        position += 1
    for place in range(position, s.discard_n):
        s.discard[place] = s.discard[place + 1]
    s.discard[s.discard_n] = NOBODY


@rule
def pile_set(s):
    """Return the cards of the discard pile, bit c = card c."""
    pile = 0
    for place in range(s.discard_n):
        pile |= bit(s.discard[place])
    return pile


@rule
def can_draw(s):
    """Return whether there is a card to draw."""
    return s.deck_n + s.discard_n > 0


@rule
def take_top(s, rng):
    """Take the top card of the deck, -1 where there is none; an empty deck is refilled (EX-4.14)."""
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
    """Shuffle the discard pile, if there is one, into a new deck (EX-4.14)."""
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
    """Draw the next of several cards; cards that do not exist are forgone (EX-4.2, EX-6.8)."""
    card = take_top(s, rng)
    s.to_draw = s.to_draw - 1 if card != NOBODY else 0
    if card != NOBODY:
        s.log.game.event_draws += s.event != NOBODY
        receive(s, s.drawer, card)


@rule
def draw_cards(s, seat, n):
    """Let a seat draw n cards one after the other."""
    s.drawer, s.to_draw = seat, n


@rule
def is_over(s, rules, seat):
    """Return whether a hand is above its limit."""
    return bit_count(s.hand[seat]) > hand_limit(s, rules, seat)


@rule
def ask_limit(s, rules):
    """Ask the seat that got a card to discard down to the limit; return whether it must (EX-4.13)."""
    seat = s.over
    if not is_over(s, rules, seat):
        s.over = NOBODY
        return False
    s.seat, s.decision = seat, Decision.hand_discard
    return True


@rule
def limit_discard(s, card):
    """Discard a card above the limit (EX-4.13)."""
    discard(s, s.seat, card)
    s.log.game.limit_discards += 1
    s.log.seat[s.seat].limit_discards += 1
    s.decision = Decision.none


@rule
def partners(s, seat, relay):
    """Return the seats on the same module (for a Relay on other modules) that may trade (EX-4.3, EX-7.3)."""
    if s.issues[seat] >> Issue.flu & 1:
        return 0
    seats, own_slot = 0, s.pawn[seat]
    for other in range(s.seats):
        healthy = s.issues[other] >> Issue.flu & 1 == 0
        seats |= (((s.pawn[other] != own_slot) == relay) & healthy) << other
    return seats & ~bit(seat)


@rule
def givable(s, rules, seat, relay):
    """Return the seats to which a seat may give a card."""
    return givable_to(s, rules, seat, partners(s, seat, relay))


@rule
def givable_to(s, rules, seat, near):
    """Return those of some partners to which a seat may give a card."""
    allowed = rules.transfer == Transfer.both or rules.transfer == Transfer.give
    return near if allowed and s.hand[seat] != 0 else 0


@rule
def takeable(s, rules, seat, relay):
    """Return the seats from which a seat may take a card."""
    return takeable_from(s, rules, partners(s, seat, relay))


@rule
def takeable_from(s, rules, near):
    """Return those of some partners from which a card may be taken."""
    if rules.transfer != Transfer.both and rules.transfer != Transfer.take:
        return 0
    seats, left = 0, near
    while left != 0:
        other = lowest_bit(left)
        seats |= (s.hand[other] != 0) << other
        left &= left - 1
    return seats


@rule
def give(s, card):
    """Give a card of the active seat to its partner (EX-4.3)."""
    s.hand[s.active] &= ~bit(card)
    receive(s, s.partner, card)
    s.log.game.gives += 1
    s.log.seat[s.active].gives += 1


@rule
def take(s, card):
    """Take a card of the partner into the hand of the active seat (EX-4.3)."""
    s.hand[s.partner] &= ~bit(card)
    receive(s, s.active, card)
    s.log.game.takes += 1
    s.log.seat[s.active].takes += 1
