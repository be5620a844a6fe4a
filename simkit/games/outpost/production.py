"""Outpost: production, mega-cards, the opening hand, hand capacity and discarding (OP-4)."""

from simkit.games.outpost import facts, hands, holdings
from simkit.games.outpost.facts import Decision, Product, Upgrade
from simkit.games.outpost.options import StartHand
from simkit.jit import rule

MEGA_CARDS = 4  # cards that a mega-card replaces (OP-4.4)
MOST_REDRAWS = 10_000  # of an opening hand; others may hold the cards that would reach the floor (OP-4.5)


@rule
def entitlement(s, rules, seat, product):
    """Cards of a product that a player produces (OP-4.1)."""
    n = 0
    for site in range(facts.SITES):
        if rules.site_product[site] == product:
            n += s.operated[seat, site]
    if product == Product.research:
        n += s.upgrades[seat, Upgrade.scientists]
    elif product == Product.microbiotics:
        n += s.upgrades[seat, Upgrade.orbital_lab]
    return n


@rule
def go_on_producing(s, rules, rng):
    """The next player in purchase order produces; before that he may take mega-cards (OP-3.0, OP-4.4)."""
    seat = s.order[s.at]
    while s.mega_at < facts.MEGAS and rules.mega and s.turn > 1:
        if most_megas(s, rules, seat) > 0:
            s.decision, s.seat = Decision.mega, seat
            return
        s.mega_at += 1
    before, log = s.wealth[seat], s.log.seat[seat]
    if s.turn == 1:
        draw_opening(s, rules, seat, rng)
        log.opening_credits = s.wealth[seat] - before
    else:
        draw_production(s, rules, seat, rng)
    log.income += s.wealth[seat] - before
    s.mega_at = 0
    s.mega_take[:] = 0
    s.at += 1


@rule
def most_megas(s, rules, seat):
    """Most mega-cards of the product now asked about (OP-4.4)."""
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
            if m > 0 and rules.product_of[facts.MEGA + j] == product:
                n -= MEGA_CARDS * m
                hands.receive(s, rules, seat, facts.MEGA + j, m)
                s.log.game.megas += m
                s.log.game.cards_produced += m
        hands.draw_cards(s, rules, seat, product, n, rng)
        s.log.game.cards_produced += n


@rule
def draw_opening(s, rules, seat, rng):
    """The cards of turn 1, drawn again while they are worth less than the floor (OP-4.5)."""
    draw_hand(s, rules, seat, rng)
    floor, redraws = rules.start_hand_floor if rules.start_hand == StartHand.floor else 0, 0
    while s.wealth[seat] < floor and redraws < MOST_REDRAWS:
        put_back(s, rules, seat)
        draw_hand(s, rules, seat, rng)
        redraws += 1


@rule
def draw_hand(s, rules, seat, rng):
    """Ore and water cards, or IOUs of average value (OP-4.5)."""
    for product in (Product.ore, Product.water):
        given, more = rules.first_turn_water_cards, 0
        if product == Product.ore:
            given, more = rules.first_turn_ore_cards, rules.late_seat_ore_cards * s.at
        n = more + (entitlement(s, rules, seat, product) if given < 0 else given)
        s.log.game.cards_produced += n
        if rules.start_hand == StartHand.average:
            hands.receive(s, rules, seat, facts.IOU + product, n)
            s.log.game.ious += n
        else:
            hands.draw_cards(s, rules, seat, product, n, rng)


@rule
def put_back(s, rules, seat):
    """The whole hand back into the draw piles (OP-4.5)."""
    for kind in range(facts.KINDS):
        n = s.hand[seat, kind]
        hands.receive(s, rules, seat, kind, -n)
        s.log.game.cards_produced -= n
        if kind < facts.REAL:
            s.draw[kind] += n
            s.pile[rules.product_of[kind]] += n
        else:
            s.log.game.ious -= n


@rule
def go_on_discarding(s, rules):
    """The next player over his capacity discards a card (OP-4.8)."""
    seat = s.order[s.at]
    if s.load[seat] > holdings.capacity(s, rules, seat):
        s.decision, s.seat = Decision.discard, seat
    else:
        s.at += 1


@rule
def discard_one(s, rules, kind):
    """One card is discarded (OP-4.8)."""
    hands.give_up(s, rules, s.seat, kind, 1)
    s.log.game.cards_discarded += 1
    s.log.game.credits_discarded += rules.value[kind]
    s.log.seat[s.seat].discarded += rules.value[kind]
