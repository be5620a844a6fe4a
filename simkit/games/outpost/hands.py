"""Outpost: cards in hand and in the piles; drawing, reshuffling, IOUs (OP-1.3, OP-4.2, OP-4.3, OP-4.6)."""

from simkit.chance import below
from simkit.games.outpost.facts import IOU, MEGA, REAL, Values
from simkit.jit import rule


@rule
def receive(s, rules, seat, kind, n):
    """n cards of a kind into a hand."""
    product = rules.product_of[kind]
    s.hand[seat, kind] += n
    s.cards[seat, product] += n
    s.wealth[seat] += n * int(rules.value[kind])
    s.load[seat] += n * int(rules.units[kind])
    if MEGA <= kind < IOU:
        s.mega_out[kind - MEGA] += n


@rule
def give_up(s, rules, seat, kind, n):
    """n cards of a kind out of a hand: real ones to the discard pile, mega-cards and IOUs vanish (OP-4.3, OP-5.10)."""
    receive(s, rules, seat, kind, -n)
    if kind < REAL:
        s.discard[kind] += n


@rule
def draw_cards(s, rules, seat, product, n, rng, opening):
    """Draw n cards of a product, each uniform over the pile; IOUs where there is none (OP-4.2, OP-4.3)."""
    for _ in range(n):
        if rules.production_values == Values.average or not has_card(s, rules, product):
            receive(s, rules, seat, IOU + product, 1)
            s.log.game.ious += 1
            continue
        left = luck(rng, product, int(s.pile[product]), opening)
        kind = int(rules.start[product])
        while left >= s.draw[kind]:
            left -= int(s.draw[kind])
            kind += 1
        s.draw[kind] -= 1
        s.pile[product] -= 1
        receive(s, rules, seat, kind, 1)


@rule
def has_card(s, rules, product):
    """Whether the pile has a card; the discard pile becomes the pile where it is empty (OP-4.2)."""
    if s.pile[product] > 0:
        return True
    for kind in range(int(rules.start[product]), int(rules.start[product + 1])):
        s.draw[kind] = s.discard[kind]
        s.pile[product] += s.discard[kind]
        s.discard[kind] = 0
    if s.pile[product] > 0:
        s.log.game.reshuffles += 1
    return s.pile[product] > 0


@rule
def luck(rng, product, n, opening):
    """One of n cards; each product has its own stream, the opening hands too."""
    if opening:
        return below(rng.opening_ore if product == 0 else rng.opening_water, n)
    if product < 3:
        return below(rng.ore if product == 0 else rng.water if product == 1 else rng.titanium, n)
    if product < 6:
        return below(
            rng.research if product == 3 else rng.microbiotics if product == 4 else rng.new_chemicals, n
        )
    return below(rng.orbital_medicine if product == 6 else rng.ring_ore if product == 7 else rng.moon_ore, n)
