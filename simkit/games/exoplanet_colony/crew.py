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
    return s.issues[seat] >> issue & 1 != 0


@rule
def fall_ill(s, seat, issue):
    """A Health Issue is put before a seat; with a migraine its hand may be too large (EX-7.1, EX-7.3)."""
    s.issues[seat] |= bit(issue)
    s.log.game.health_drawn += 1
    s.over = seat


@rule
def heal(s, seat, issue):
    s.issues[seat] &= ~bit(issue)
    s.log.game.health_removed += 1


@rule
def ill_seats(s, own_module):
    """Seats with an issue, anywhere or on the module of the active seat, bit s."""
    found, here = 0, s.pawn[s.active]
    for seat in range(s.seats):
        found |= (s.issues[seat] != 0 and (not own_module or s.pawn[seat] == here)) << seat
    return found


@rule
def medic_is_near(rules):
    """Whether the Medic reaches the own module only (EX-4.10)."""
    return rules.medic_range == Range.module


@rule
def choose_issue(s, issue):
    """The issue is chosen; Recover is then to be paid (EX-4.9)."""
    s.issue = issue
    if s.to_discard > 0:
        s.decision = Decision.recover_card
    else:
        heal_chosen(s)


@rule
def heal_chosen(s):
    heal(s, s.partner, s.issue)
    s.decision = Decision.none


@rule
def pay_recovery(s, card):
    """A card is discarded to recover (EX-4.9)."""
    cards.discard(s, s.active, card)
    s.to_discard -= 1
    if s.to_discard == 0:
        heal_chosen(s)


@rule
def generators(s, hand):
    """Cards that can be discarded for supply: modules of a resource below 20, plans (EX-4.6)."""
    found = 0
    for r in range(RESOURCES):
        found |= (COLOURED[r] | PLAN_SET) * (s.supply[r] < MOST_SUPPLY)
    return hand & found


@rule
def generate_with(s, rules, card):
    """The card is discarded; a plan asks which resource it stands for (EX-4.6)."""
    cards.discard(s, s.active, card)
    if card >= FIRST_PLAN:
        s.log.game.wild_gens += 1
        s.decision = Decision.gen_res
    else:
        generate(s, rules, COLOUR[card])


@rule
def generate(s, rules, r):
    s.decision = Decision.none
    life.make_supply(s, rules, s.active, r, int(s.made))


@rule
def begin_generating(s, rules, more):
    """Generate, the Biochemist with more (EX-4.6, EX-4.10)."""
    s.made = rules.generate_amount + more
    s.log.game.generates += 1
    s.log.seat[s.active].generates += 1
    s.decision = Decision.gen_card


@rule
def can_use_ability(s, rules, seat):
    """Whether the special ability of the active seat can be completed (EX-4.10)."""
    who = s.character[seat]
    if who == Character.none or is_ill(s, seat, Issue.anxiety.value):
        return False
    if who == Character.medic:
        return ill_seats(s, medic_is_near(rules)) != 0
    if who == Character.engineer:
        return tokens.removable(s) != 0
    if who == Character.architect:
        return deploy.can_deploy(s, rules, seat, ARCHITECT)
    if who == Character.pilot:
        return s.slots > 1
    if who == Character.scientist:
        return cards.can_draw(s)
    if who == Character.comms_officer:
        return relay_ways(s, rules, seat) != 0
    if who == Character.biochemist:
        return generators(s, int(s.hand[seat])) != 0
    return s.discard_n > 0


@rule
def relay_ways(s, rules, seat):
    """Give and take, bit of the action id, as the Communications Officer can (EX-4.10)."""
    found = (cards.givable(s, rules, seat, True) != 0) << Act.give
    return found | (cards.takeable(s, rules, seat, True) != 0) << Act.take


@rule
def use_ability(s, rules, rng):
    """The special ability of the active seat begins (EX-4.10)."""
    who = s.character[s.active]
    s.log.game.abilities += 1
    s.log.game.ability_of[who - 1] += 1
    s.log.seat[s.active].abilities += 1
    if who == Character.medic:
        s.decision = Decision.ability_seat
    elif who == Character.engineer or who == Character.pilot:
        s.decision = Decision.ability_slot
    elif who == Character.architect:
        deploy.begin_deploying(s, ARCHITECT)
    elif who == Character.scientist:
        draw_two(s, rng)
    elif who == Character.comms_officer:
        s.decision = Decision.ability_way
    elif who == Character.biochemist:
        begin_generating(s, rules, BIOCHEMIST)
    else:
        salvage(s)


@rule
def draw_two(s, rng):
    """The Scientist draws two cards to keep one (EX-4.10)."""
    s.got[0] = cards.take_top(s, rng)
    s.got[1] = cards.take_top(s, rng)
    if s.got[1] == NOBODY:
        keep_drawn(s, int(s.got[0]))
    else:
        s.decision = Decision.ability_card


@rule
def keep_drawn(s, card):
    """The Scientist keeps one of the cards drawn, the other is discarded."""
    for place in range(2):
        if s.got[place] != card and s.got[place] != NOBODY:
            cards.on_pile(s, s.got[place])
        s.got[place] = NOBODY
    cards.receive(s, s.active, card)
    s.decision = Decision.none


@rule
def salvage(s):
    """The Quartermaster takes the top card of the discard pile (EX-4.10)."""
    card = int(s.discard[s.discard_n - 1])
    cards.off_pile(s, card)
    cards.receive(s, s.active, card)


@rule
def usable_items(s, rules, seat):
    """Items of a hand that have an effect (EX-4.11)."""
    found, left = 0, int(s.hand[seat]) & ITEM_SET
    while left != 0:
        card = lowest_bit(left)
        left &= left - 1
        if has_effect(s, card):
            found |= bit(card)
    return found


@rule
def has_effect(s, card):
    if card == Item.first_aid_kit:
        return ill_seats(s, True) != 0
    if card == Item.tool_kit:
        return tokens.removable(s) != 0
    if card == Item.supply_capsule:
        return life.below_full(s) != 0
    return s.discard_n > 0


@rule
def use_item(s, card):
    """An item is discarded and asks for what it acts on; the Printer is discarded last (EX-4.11)."""
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
    """A card of the discard pile comes into the hand, the Printer onto the pile (EX-4.11)."""
    cards.off_pile(s, card)
    cards.discard(s, s.active, s.card)
    cards.receive(s, s.active, card)
    s.decision = Decision.none
