"""Outpost: cards in hand and in the piles; drawing, reshuffling, IOUs (OP-1.3, OP-4.2, OP-4.3, OP-4.6)."""

from simkit.chance import below
from simkit.games.outpost.facts import DONE, IOU, KINDS, MEGA, REAL, Decision, Product
from simkit.games.outpost.options import Values
from simkit.jit import rule


@rule
def receive(s, rules, seat, kind, n):
    """n cards of a kind into a hand."""
    s.hand[seat, kind] += n
    s.cards[seat, rules.product_of[kind]] += n
    s.wealth[seat] += n * rules.value[kind]
    s.load[seat] += n * rules.units[kind]
    if MEGA <= kind < IOU:
        s.mega_out[kind - MEGA] += n


@rule
def give_up(s, rules, seat, kind, n):
    """n cards of a kind out of a hand: to the discard pile; mega-cards and IOUs vanish (OP-4.3, OP-5.10)."""
    receive(s, rules, seat, kind, -n)
    if kind < REAL:
        s.discard[kind] += n


@rule
def legal_cards(s, rules, out):
    """Cards in hand: those that count to discard (OP-4.8); research, if only that is due (OP-5.13)."""
    n, counting = 0, s.decision == Decision.discard
    only_research = s.decision == Decision.pay and s.paid >= s.due
    for kind in range(KINDS):
        left_out = counting and rules.units[kind] == 0
        left_out |= only_research and rules.product_of[kind] != Product.research
        out[n] = kind
        n += s.hand[s.seat, kind] > 0 and not left_out
    out[n] = DONE  # after the first card the spending may end (OP-9.11)
    return n + (s.decision == Decision.t_card and s.spent > 0)


@rule
def hand_value(rules, hand):
    """Value of cards counted by kind, credits."""
    value = 0
    for kind in range(KINDS):
        value += hand[kind] * rules.value[kind]
    return value


@rule
def draw_cards(s, rules, seat, product, n, rng):
    """Draw n cards of a product, each uniform over the pile; IOUs where there is none (OP-4.2, OP-4.3)."""
    for _ in range(n):
        if rules.production_values == Values.average or not has_card(s, rules, product):
            receive(s, rules, seat, IOU + product, 1)
            s.log.game.ious += 1
            continue
        left = luck(rng, product, s.pile[product], s.turn == 1)
        kind = rules.start[product]
        while left >= s.draw[kind]:
            left -= s.draw[kind]
            kind += 1
        s.draw[kind] -= 1
        s.pile[product] -= 1
        receive(s, rules, seat, kind, 1)


@rule
def has_card(s, rules, product):
    """Whether the pile has a card; the discard pile becomes the pile where it is empty (OP-4.2)."""
    if s.pile[product] > 0:
        return True
    for kind in range(rules.start[product], rules.start[product + 1]):
        s.draw[kind] = s.discard[kind]
        s.pile[product] += s.discard[kind]
        s.discard[kind] = 0
    s.log.game.reshuffles += s.pile[product] > 0
    return s.pile[product] > 0


@rule
def luck(rng, product, n, opening):
    """One of n cards; each product has its own stream, the opening hands too."""
    if opening:
        return below(rng.opening_ore if product == Product.ore else rng.opening_water, n)
    basic = (rng.ore, rng.water, rng.titanium, rng.research, rng.microbiotics, rng.new_chemicals)
    return below((*basic, rng.orbital_medicine, rng.ring_ore, rng.moon_ore)[product], n)
