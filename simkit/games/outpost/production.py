"""Outpost: production, mega-cards, hand capacity and discarding (OP-4)."""

from simkit.games.outpost.facts import (
    IOU,
    KINDS,
    MEGA,
    MICROBIOTICS,
    ORBITAL,
    ORE,
    PRODUCTS,
    REAL,
    RESEARCH,
    SCIENTISTS,
    SITES,
    WATER,
    Kind,
    StartHand,
)
from simkit.games.outpost.hands import draw_cards, give_up, receive
from simkit.games.outpost.holdings import capacity
from simkit.jit import rule

MEGA_CARDS = 4  # cards that a mega-card replaces, and its capacity units (OP-4.4, OP-4.6)
MOST_REDRAWS = 10_000  # of an opening hand; others may hold the cards that would reach the floor (OP-4.5)


@rule
def entitlement(s, rules, seat, product):
    """Cards of a product that a player produces (OP-4.1)."""
    total = 0
    for site in range(SITES):
        if rules.site_product[site] == product:
            total += int(s.operated[seat, site])
    if product == RESEARCH:
        total += int(s.upgrades[seat, SCIENTISTS])
    elif product == MICROBIOTICS:
        total += int(s.upgrades[seat, ORBITAL])
    return total


@rule
def go_on_producing(s, rules, rng):
    """The next player in purchase order produces; before that he may take mega-cards (OP-3.0, OP-4.4)."""
    seat = int(s.order[s.at])
    while s.mega_at < 3 and rules.mega and s.turn > 1:
        if most_megas(s, rules, seat) > 0:
            s.kind, s.seat = Kind.mega, seat
            return
        s.mega_at += 1
    before = int(s.wealth[seat])
    if s.turn == 1:
        draw_opening(s, rules, seat, rng)
        s.log.seat[seat].opening_credits = s.wealth[seat] - before
    else:
        draw_production(s, rules, seat, rng)
    s.log.seat[seat].income += s.wealth[seat] - before
    s.mega_at = 0
    s.mega_take[:] = 0
    s.at += 1


@rule
def most_megas(s, rules, seat):
    """Most mega-cards of the product now asked about (OP-4.4)."""
    n = int(s.operated[seat, rules.mega_product[s.mega_at] if rules.mega_product[s.mega_at] < 3 else 4])
    if n < rules.mega_min_factories:
        return 0
    m = n // MEGA_CARDS
    return m if rules.mega_supply == 0 else min(m, int(rules.mega_supply) - int(s.mega_out[s.mega_at]))


@rule
def legal_megas(s, rules, out):
    """0 to the most (OP-9.7)."""
    n = most_megas(s, rules, int(s.seat)) + 1
    for m in range(n):
        out[m] = m
    return n


@rule
def take_megas(s, m):
    """So many mega-cards of the product asked about; on to the next product (OP-4.4)."""
    s.mega_take[s.mega_at] = m
    s.mega_at += 1
    s.kind = Kind.none


@rule
def draw_production(s, rules, seat, rng):
    """Draw by operated sites and free producers; each mega-card instead of four cards (OP-4.1, OP-4.2, OP-4.4)."""
    for product in range(PRODUCTS):
        n = entitlement(s, rules, seat, product)
        for j in range(3):
            m = int(s.mega_take[j])
            if rules.mega_product[j] == product and m > 0:
                n -= MEGA_CARDS * m
                receive(s, rules, seat, MEGA + j, m)
                s.log.game.megas += m
                s.log.game.cards_produced += m
        draw_cards(s, rules, seat, product, n, rng, False)
        s.log.game.cards_produced += n


@rule
def opening_cards(s, rules, seat, product):
    """Cards of turn 1 (OP-4.5)."""
    given = int(rules.first_turn_ore_cards) if product == ORE else int(rules.first_turn_water_cards)
    n = entitlement(s, rules, seat, product) if given < 0 else given
    return n + int(rules.late_seat_ore_cards) * int(s.at) if product == ORE else n


@rule
def draw_opening(s, rules, seat, rng):
    """The cards of turn 1, drawn again while they are worth less than the floor (OP-4.5)."""
    ore, water = opening_cards(s, rules, seat, ORE), opening_cards(s, rules, seat, WATER)
    s.log.game.cards_produced += ore + water
    if rules.start_hand == StartHand.average:
        receive(s, rules, seat, IOU + ORE, ore)
        receive(s, rules, seat, IOU + WATER, water)
        s.log.game.ious += ore + water
        return
    draw_cards(s, rules, seat, ORE, ore, rng, True)
    draw_cards(s, rules, seat, WATER, water, rng, True)
    redraws = 0
    while (
        rules.start_hand == StartHand.floor
        and s.wealth[seat] < rules.start_hand_floor
        and redraws < MOST_REDRAWS
    ):
        put_back(s, rules, seat)
        draw_cards(s, rules, seat, ORE, ore, rng, True)
        draw_cards(s, rules, seat, WATER, water, rng, True)
        redraws += 1


@rule
def put_back(s, rules, seat):
    """The whole hand back into the draw piles (OP-4.5)."""
    for kind in range(KINDS):
        n = int(s.hand[seat, kind])
        if n > 0:
            receive(s, rules, seat, kind, -n)
            if kind < REAL:
                s.draw[kind] += n
                s.pile[rules.product_of[kind]] += n
            else:
                s.log.game.ious -= n


@rule
def go_on_discarding(s, rules):
    """The next player over his capacity discards a card (OP-4.8)."""
    seat = int(s.order[s.at])
    if s.load[seat] > capacity(s, rules, seat):
        s.kind, s.seat = Kind.discard, seat
    else:
        s.at += 1


@rule
def legal_discards(s, rules, out):
    """Cards that count for the capacity (OP-4.8)."""
    n = 0
    for kind in range(KINDS):
        if s.hand[s.seat, kind] > 0 and rules.units[kind] > 0:
            out[n] = kind
            n += 1
    return n


@rule
def discard_one(s, rules, kind):
    """One card is discarded (OP-4.8)."""
    seat = int(s.seat)
    give_up(s, rules, seat, kind, 1)
    s.log.game.cards_discarded += 1
    s.log.game.credits_discarded += rules.value[kind]
    s.log.seat[seat].discarded += rules.value[kind]
    s.kind = Kind.none
