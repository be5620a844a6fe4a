"""Exoplanet Colony: health issues, special abilities and items (EX-4.9 to EX-4.11, EX-7)."""

from simkit.engine.compile.jit import bit, lowest_bit, rule
from simkit.games.exoplanet_colony import cards, deploy, life, tokens
from simkit.games.exoplanet_colony.facts import (
    AMOUNTS,
    COLOUR,
    COLOURED,
    FIRST_ITEM,
    FIRST_PLAN,
    ITEM_SET,
    MOST_SUPPLY,
    NOBODY,
    PLAN_SET,
    RESOURCES,
    Act,
    Character,
    Decision,
    Issue,
    Item,
)
from simkit.games.exoplanet_colony.options import Range

BIOCHEMIST = AMOUNTS["biochemist_bonus"]
ARCHITECT = AMOUNTS["architect_substitutes"]


@rule
def is_ill(s, seat, issue):
    """Return whether a seat has a health issue."""
    return s.issues[seat] >> issue & 1 != 0


@rule
def fall_ill(s, seat, issue):
    """Put a Health Issue before a seat; a migraine lowers its hand limit (EX-7.1, EX-7.3)."""
    s.issues[seat] |= bit(issue)
    s.log.game.health_drawn += 1
    s.over = seat


@rule
def heal(s, seat, issue):
    """Remove a health issue of a seat."""
    s.issues[seat] &= ~bit(issue)
    s.log.game.health_removed += 1


@rule
def ill_seats(s, own_module):
    """Return the seats with an issue, anywhere or on the module of the active seat, bit s."""
    seats, own_slot = 0, s.pawn[s.active]
    for seat in range(s.seats):
        seats |= (s.issues[seat] != 0 and (not own_module or s.pawn[seat] == own_slot)) << seat
    return seats


@rule
def medic_is_near(rules):
    """Return whether the Medic reaches only the own module (EX-4.10)."""
    return rules.medic_range == Range.module


@rule
def choose_issue(s, issue):
    """Choose the issue; Recover is paid next (EX-4.9)."""
    s.issue = issue
    if s.to_discard > 0:
        s.decision = Decision.recover_card
    else:
        heal_chosen(s)


@rule
def heal_chosen(s):
    """Heal the chosen issue."""
    heal(s, s.partner, s.issue)
    s.decision = Decision.none


@rule
def pay_recovery(s, card):
    """Discard a card to recover (EX-4.9)."""
    cards.discard(s, s.active, card)
    s.to_discard -= 1
    if s.to_discard == 0:
        heal_chosen(s)


@rule
def generators(s, hand):
    """Return the cards that yield supply: modules of a resource below 20, and plans (EX-4.6)."""
    useful = 0
    for r in range(RESOURCES):
        useful |= (COLOURED[r] | PLAN_SET) * (s.supply[r] < MOST_SUPPLY)
    return hand & useful


@rule
def generate_with(s, rules, card):
    """Discard the card; with a plan ask for the resource that it stands for (EX-4.6)."""
    cards.discard(s, s.active, card)
    if card >= FIRST_PLAN:
        s.log.game.wild_gens += 1
        s.decision = Decision.gen_res
    else:
        generate(s, rules, COLOUR[card])


@rule
def generate(s, rules, r):
    """Raise the supply of the resource."""
    s.decision = Decision.none
    life.make_supply(s, rules, s.active, r, int(s.generated))


@rule
def begin_generating(s, rules, more):
    """Begin to Generate; the Biochemist gets more (EX-4.6, EX-4.10)."""
    s.generated = rules.generate_amount + more
    s.log.game.generates += 1
    s.log.seat[s.active].generates += 1
    s.decision = Decision.gen_card


@rule
def can_use_ability(s, rules, seat):
    """Return whether the special ability of a seat can be completed (EX-4.10)."""
    character = s.character[seat]
    if character == Character.none or is_ill(s, seat, Issue.anxiety.value):
        return False
    if character == Character.medic:
        return ill_seats(s, medic_is_near(rules)) != 0
    if character == Character.engineer:
        return tokens.removable(s) != 0
    if character == Character.architect:
        return deploy.can_deploy(s, rules, seat, ARCHITECT)
    if character == Character.pilot:
        return s.slots > 1
    if character == Character.scientist:
        return cards.can_draw(s)
    if character == Character.comms_officer:
        return relay_ways(s, rules, seat) != 0
    if character == Character.biochemist:
        return generators(s, int(s.hand[seat])) != 0
    return s.discard_n > 0


@rule
def relay_ways(s, rules, seat):
    """Return whether the Communications Officer can give and take, bit of the action id (EX-4.10)."""
    acts = (cards.givable(s, rules, seat, True) != 0) << Act.give
    return acts | (cards.takeable(s, rules, seat, True) != 0) << Act.take


@rule
def use_ability(s, rules, rng):
    """Begin the special ability of the active seat (EX-4.10)."""
    character = s.character[s.active]
    s.log.game.abilities += 1
    s.log.game.ability_of[character - 1] += 1
    s.log.seat[s.active].abilities += 1
    if character == Character.medic:
        s.decision = Decision.ability_seat
    elif character == Character.engineer or character == Character.pilot:
        s.decision = Decision.ability_slot
    elif character == Character.architect:
        deploy.begin_deploying(s, ARCHITECT)
    elif character == Character.scientist:
        draw_two(s, rng)
    elif character == Character.comms_officer:
        s.decision = Decision.ability_way
    elif character == Character.biochemist:
        begin_generating(s, rules, BIOCHEMIST)
    else:
        salvage(s)


@rule
def draw_two(s, rng):
    """Draw two cards, of which the Scientist keeps one (EX-4.10)."""
    s.got[0] = cards.take_top(s, rng)
    s.got[1] = cards.take_top(s, rng)
    if s.got[1] == NOBODY:
        keep_drawn(s, int(s.got[0]))
    else:
        s.decision = Decision.ability_card


@rule
def keep_drawn(s, card):
    """Keep one of the Scientist's cards and discard the other."""
    for place in range(2):
        if s.got[place] != card and s.got[place] != NOBODY:
            cards.on_pile(s, s.got[place])
        s.got[place] = NOBODY
    cards.receive(s, s.active, card)
    s.decision = Decision.none


@rule
def salvage(s):
    """Take the top card of the discard pile as the Quartermaster (EX-4.10)."""
    card = int(s.discard[s.discard_n - 1])
    cards.off_pile(s, card)
    cards.receive(s, s.active, card)


@rule
def usable_items(s, rules, seat):
    """Return the items of a hand that have an effect (EX-4.11)."""
    usable, left = 0, int(s.hand[seat]) & ITEM_SET
    while left != 0:
        card = lowest_bit(left)
        left &= left - 1
        if has_effect(s, card):
            usable |= bit(card)
    return usable


@rule
def has_effect(s, card):
    """Return whether an item has an effect."""
    if card == Item.first_aid_kit:
        return ill_seats(s, True) != 0
    if card == Item.tool_kit:
        return tokens.removable(s) != 0
    if card == Item.supply_capsule:
        return life.below_full(s) != 0
    return s.discard_n > 0


@rule
def use_item(s, card):
    """Discard an item and ask for its target; the Printer is discarded last (EX-4.11)."""
    s.card = card
    s.log.game.items += 1
    s.log.game.item_of[card - FIRST_ITEM] += 1
    s.log.seat[s.active].items += 1
    if card == Item.printer:
        s.decision = Decision.item_take
        return
    cards.discard(s, s.active, card)
    if card == Item.first_aid_kit:
        s.decision = Decision.item_seat
    elif card == Item.tool_kit:
        s.decision = Decision.item_slot
    else:
        s.decision = Decision.item_res


@rule
def print_card(s, card):
    """Take a card of the discard pile and discard the Printer (EX-4.11)."""
    cards.off_pile(s, card)
    cards.discard(s, s.active, s.card)
    cards.receive(s, s.active, card)
    s.decision = Decision.none
