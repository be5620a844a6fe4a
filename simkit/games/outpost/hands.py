"""Outpost: hands: cards and piles, production, mega-cards, the opening hand, discarding (OP-1.3, OP-4)."""

from simkit.engine.compile.jit import rule
from simkit.engine.rng import below
from simkit.games.outpost import facts
from simkit.games.outpost.facts import IOU, KINDS, MEGA, REAL, Decision, Product, Upgrade
from simkit.games.outpost.holdings import capacity
from simkit.games.outpost.options import StartHand, Values

MEGA_CARDS = 4  # cards that a mega-card replaces (OP-4.4)
MOST_REDRAWS = 10_000  # of an opening hand; others may hold the cards that would reach the floor (OP-4.5)


@rule
def receive(s, rules, seat, kind, n):
    """Put n cards of a kind into a hand."""
    s.hand[seat, kind] += n
    s.cards[seat, rules.product_of[kind]] += n
    s.wealth[seat] += n * rules.value[kind]
    s.load[seat] += n * rules.units[kind]
    if MEGA <= kind < IOU:
        s.mega_out[kind - MEGA] += n


@rule
def give_up(s, rules, seat, kind, n):
    """Move n cards from a hand to the discard pile; mega-cards and IOUs vanish (OP-4.3, OP-5.10)."""
    receive(s, rules, seat, kind, -n)
    if kind < REAL:
        s.discard[kind] += n


@rule
def legal_cards(s, rules, out):
    """Write the cards that count to discard (OP-4.8), or research, if only that is due (OP-5.13)."""
    n, counting = 0, s.decision == Decision.discard
    only_research = s.decision == Decision.pay and s.paid >= s.due
    for kind in range(KINDS):
        left_out = counting and rules.units[kind] == 0
        left_out |= only_research and rules.product_of[kind] != Product.research
        out[n] = kind
        n += s.hand[s.seat, kind] > 0 and not left_out
    out[n] = facts.DONE  # after the first card the spending may end (OP-9.11)
    return n + (s.decision == Decision.t_card and s.spent > 0)


@rule
def hand_value(rules, hand):
    """Return the value of cards counted by kind, in credits."""
    value = 0
    for kind in range(KINDS):
        value += hand[kind] * rules.value[kind]
    return value


@rule
def draw_cards(s, rules, seat, product, n, rng):
    """Draw n cards of a product, each uniform over the pile; else IOUs (OP-4.2, OP-4.3, OP-4.5)."""
    ious = rules.production_values == Values.average
    ious |= s.turn == 1 and rules.start_hand == StartHand.average
    for _ in range(n):
        if ious or not has_card(s, rules, product):
            receive(s, rules, seat, IOU + product, 1)
            s.log.game.ious += 1
            continue
        place, end = luck(rng, product, s.pile[product], s.turn == 1), 0
        kind = rules.start[product]
        for other in range(rules.start[product], rules.start[product + 1]):  # all: to stop costs more
            end += s.draw[other]
            kind += place >= end
        s.draw[kind] -= 1
        s.pile[product] -= 1
        receive(s, rules, seat, kind, 1)


@rule
def has_card(s, rules, product):
    """Return whether the pile has a card, refilling it from the discard pile if empty (OP-4.2)."""
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
    """Return one of n cards; each product, and the opening hands, have streams of their own."""
    if opening:
        return below(rng.opening_ore if product == Product.ore else rng.opening_water, n)
    basic = (rng.ore, rng.water, rng.titanium, rng.research, rng.microbiotics, rng.new_chemicals)
    return below((*basic, rng.orbital_medicine, rng.ring_ore, rng.moon_ore)[product], n)


@rule
def entitlement(s, rules, seat, product):
    """Return the cards of a product that a player gets: those produced (OP-4.1), or by option (OP-4.5)."""
    n = 0
    for site in range(facts.SITES):
        if rules.site_product[site] == product:
            n += s.operated[seat, site]
    if product == Product.research:
        n += s.upgrades[seat, Upgrade.scientists]
    elif product == Product.microbiotics:
        n += s.upgrades[seat, Upgrade.orbital_lab]
    elif s.turn == 1 and product == Product.ore:
        n = n if rules.first_turn_ore_cards < 0 else rules.first_turn_ore_cards
        n += rules.late_seat_ore_cards * s.at
    elif s.turn == 1 and product == Product.water and rules.first_turn_water_cards >= 0:
        n = rules.first_turn_water_cards
    return n


@rule
def go_on_producing(s, rules, rng):
    """Let the next player in purchase order take mega-cards, then produce (OP-3.0, OP-4.4)."""
    seat = s.order[s.at]
    while s.mega_at < facts.MEGAS and rules.mega and s.turn > 1:
        if most_megas(s, rules, seat) > 0:
            s.decision, s.seat = Decision.mega, seat
            return
        s.mega_at += 1
    before, log = s.wealth[seat], s.log.seat[seat]
    draw_production(s, rules, seat, rng)
    if s.turn == 1:
        redraw(s, rules, seat, rng)
        log.opening_credits = s.wealth[seat]
    log.income += s.wealth[seat] - before
    s.mega_at = 0
    s.mega_take[:] = 0
    s.at += 1


@rule
def most_megas(s, rules, seat):
    """Return the most mega-cards of the product in question (OP-4.4)."""
    n = s.operated[seat, rules.mega_site[s.mega_at]]
    if n < rules.mega_min_factories:
        return 0
    m = n // MEGA_CARDS
    return m if rules.mega_supply == 0 else min(m, rules.mega_supply - s.mega_out[s.mega_at])


@rule
def draw_production(s, rules, seat, rng):
    """Draw by operated sites and free producers; a mega-card instead of four (OP-4.1, OP-4.2, OP-4.4)."""
    for product in range(facts.PRODUCTS):
        n = entitlement(s, rules, seat, product)
        for j in range(facts.MEGAS):
            m = s.mega_take[j]
            if m > 0 and rules.product_of[MEGA + j] == product:
                n -= MEGA_CARDS * m
                receive(s, rules, seat, MEGA + j, m)
                s.log.game.megas += m
                s.log.game.cards_produced += m
        draw_cards(s, rules, seat, product, n, rng)
        s.log.game.cards_produced += n


@rule
def redraw(s, rules, seat, rng):
    """Put the cards of turn 1 back and draw again while they are worth less than the floor (OP-4.5)."""
    redraws, floor = 0, rules.start_hand_floor if rules.start_hand == StartHand.floor else 0
    while s.wealth[seat] < floor and redraws < MOST_REDRAWS:
        for kind in range(KINDS):
            n = s.hand[seat, kind]
            receive(s, rules, seat, kind, -n)
            s.log.game.cards_produced -= n
            if kind < REAL:
                s.draw[kind] += n
                s.pile[rules.product_of[kind]] += n
            else:
                s.log.game.ious -= n
        draw_production(s, rules, seat, rng)
        redraws += 1


@rule
def go_on_discarding(s, rules):
    """Let the next player over capacity discard a card (OP-4.8)."""
    seat = s.order[s.at]
    if s.load[seat] > capacity(s, rules, seat):
        s.decision, s.seat = Decision.discard, seat
    else:
        s.at += 1


@rule
def discard_one(s, rules, kind):
    """Discard one card (OP-4.8)."""
    give_up(s, rules, s.seat, kind, 1)
    s.log.game.cards_discarded += 1
    s.log.game.credits_discarded += rules.value[kind]
    s.log.seat[s.seat].discarded += rules.value[kind]
