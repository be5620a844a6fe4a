"""Exoplanet Colony: the legal actions of each decision (EX-4, EX-11.2)."""

from simkit.engine.compile.jit import bit, bit_count, rule
from simkit.engine.rule_helpers import add, offer_set
from simkit.games.exoplanet_colony import base, cards, crew, deploy, life, plans, tokens
from simkit.games.exoplanet_colony.facts import (
    AMOUNTS,
    CARD,
    DIR,
    DIRECTIONS,
    HEALTH,
    PERM,
    RES,
    SEAT,
    SLOT,
    TOKEN,
    Act,
    Character,
    Decision,
    Issue,
)

ANKLE = AMOUNTS["ankle_extra_cost"]


@rule
def legal(s, rules, out):
    """Write the legal action ids of the seat to decide, ascending (EX-4.12, EX-11.2)."""
    decision = s.decision
    if decision == Decision.main:
        return offer_set(out, main_set(s, rules))
    if decision == Decision.plan_window:
        return add(out, offer_set(out, plans.usable_plans(s, s.seat), CARD), Act.pass_)
    first, members = options_of(s, rules)
    return offer_set(out, members, first)


@rule
def main_set(s, rules):
    """Return the legal actions of the active seat, bit of the action id (EX-11.2)."""
    acts = bit(Act.pass_) | free_choices(s, rules)
    return acts | actions(s, rules) if s.actions_left > 0 else acts


@rule
def free_choices(s, rules):
    """Return items and plans, which need no action left (EX-3.4)."""
    seat = s.active
    acts = (plans.usable_plans(s, seat) != 0) << Act.plan
    if s.actions_left >= rules.item_cost:
        acts |= (crew.usable_items(s, rules, seat) != 0) << Act.item
    return acts


@rule
def actions(s, rules):
    """Return the choices that cost an action, bit of the action id (EX-11.2)."""
    seat, slot = s.active, s.pawn[s.active]
    hand, near = int(s.hand[seat]), cards.partners(s, seat, False)
    acts = moves(s, seat)
    acts |= cards.can_draw(s) << Act.draw
    acts |= (cards.givable_to(s, rules, seat, near) != 0) << Act.give
    acts |= (cards.takeable_from(s, rules, near) != 0) << Act.take
    acts |= deploy.can_deploy(s, rules, seat, 0) << Act.deploy
    acts |= (crew.generators(s, hand) != 0) << Act.generate
    acts |= (tokens.tokens_on(s, slot) != 0) << Act.repair
    acts |= tokens.can_switch(s, rules, slot) << Act.switch
    acts |= ((s.issues[seat] != 0) & (bit_count(hand) >= rules.recover_cards)) << Act.recover
    return acts | crew.can_use_ability(s, rules, seat) << Act.ability


@rule
def move_price(s, seat):
    """Return the actions that a Move costs (EX-4.5, EX-7.3)."""
    return 1 + ANKLE if crew.is_ill(s, seat, Issue.ankle.value) else 1


@rule
def moves(s, seat):
    """Return the moves to a neighbour that can be paid, bit of the action id (EX-4.5)."""
    if s.actions_left < move_price(s, seat):
        return 0
    return (~base.free_directions(s, s.pawn[seat]) & bit(DIRECTIONS) - 1) << Act.move


@rule
def options_of(s, rules):
    """Return the first id of a decision after MAIN, and the set of legal ids from there (EX-11.2)."""
    decision, seat = s.decision, s.active
    hand = int(s.hand[s.seat])
    if decision == Decision.deploy_card:
        return CARD, deploy.deployable(s, rules, hand, int(s.substitutes))
    if decision == Decision.deploy_pay:
        return CARD, deploy.payments(s)
    if decision == Decision.deploy_dir:
        return DIR, base.free_directions(s, s.slot)
    if decision == Decision.gen_card:
        return CARD, crew.generators(s, hand)
    if decision == Decision.take_card:
        return CARD, int(s.hand[s.partner])
    if decision == Decision.take_partner:
        return SEAT, cards.takeable(s, rules, seat, s.relay)
    if decision == Decision.give_partner:
        return SEAT, cards.givable(s, rules, seat, s.relay)
    if decision == Decision.plan_card:
        return CARD, plans.usable_plans(s, seat)
    if decision == Decision.item_card:
        return CARD, crew.usable_items(s, rules, seat)
    if decision == Decision.gen_res or decision == Decision.item_res:
        return RES, life.below_full(s)
    if decision == Decision.repair_token:
        return TOKEN, tokens.tokens_on(s, s.slot)
    if decision == Decision.event_place:
        return SLOT, int(s.places)
    if decision >= Decision.plan_seat:
        return options_of_plans(s, decision, hand)
    return options_of_crew(s, rules, decision, hand)


@rule
def options_of_plans(s, decision, hand):
    """Return the options of plans, or the cards of the own hand."""
    if decision == Decision.plan_seat:
        return SEAT, bit(s.seats) - 1
    if decision == Decision.plan_slot:
        return SLOT, base.all_slots(s) & ~bit(s.pawn[s.partner])
    if decision == Decision.plan_perm:
        return PERM, bit(6 if plans.looked_at(s) == 3 else 2) - 1
    return CARD, hand


@rule
def options_of_crew(s, rules, decision, hand):
    """Return the options of abilities, items and health issues, or the cards of the own hand."""
    if decision == Decision.issue:
        return HEALTH, int(s.issues[s.partner])
    if decision == Decision.ability_seat:
        return SEAT, crew.ill_seats(s, crew.medic_is_near(rules))
    if decision == Decision.item_seat:
        return SEAT, crew.ill_seats(s, True)
    if decision == Decision.item_slot:
        return SLOT, tokens.removable(s)
    if decision == Decision.ability_slot:
        if s.character[s.active] == Character.engineer:
            return SLOT, tokens.removable(s)
        return SLOT, base.all_slots(s) & ~bit(s.pawn[s.active])
    if decision == Decision.ability_way:
        return 0, crew.relay_ways(s, rules, s.active)
    if decision == Decision.ability_card:
        return CARD, bit(s.got[0]) | bit(s.got[1])
    if decision == Decision.item_take:
        return CARD, cards.pile_set(s)
    if decision == Decision.deploy_slot:
        return SLOT, base.with_space(s)
    return CARD, hand
