"""Exoplanet Colony: deploying modules and paying for them (EX-4.4, EX-11.3)."""

from simkit.engine.compile.jit import bit, bit_count, lowest_bit, rule
from simkit.games.exoplanet_colony.base import put_module, within
from simkit.games.exoplanet_colony.cards import discard
from simkit.games.exoplanet_colony.facts import (
    COLOUR,
    COLOURED,
    DIRECTIONS,
    ITEM_SET,
    MODULE_SET,
    MODULES,
    PLAN_SET,
    RESOURCES,
    Decision,
)
from simkit.games.exoplanet_colony.life import add_effect


@rule
def missing(rules, hand, card, substitutes):
    """Return the cards missing to pay a module, of which `substitutes` may be any other card (EX-11.3).

    No branches here and in `can_pay`, which are asked of every module of a hand at every action: they go
    either way (with those of `is_won_by` of the players, games take 4 % more time).
    """
    rest = hand & ~bit(card)
    short, extra = 0, bit_count(rest & ITEM_SET)
    for i in range(RESOURCES):
        more = bit_count(rest & COLOURED[i]) - int(rules.cost[card, i])
        short += max(0, -more)
        extra += max(0, more)
    return max(0, short - bit_count(rest & PLAN_SET) - min(substitutes, extra))


@rule
def can_pay(s, rules, hand, card, substitutes):
    """Return whether a module can be paid and keeps the productions within bounds (EX-4.4)."""
    return (missing(rules, hand, card, substitutes) == 0) & within(s, rules, card, 1)


@rule
def deployable(s, rules, hand, substitutes):
    """Return the modules of a hand that can be paid and keep the productions within bounds (EX-4.4)."""
    modules, left = 0, hand & MODULE_SET
    while left != 0:
        card = lowest_bit(left)
        left &= left - 1
        modules |= can_pay(s, rules, hand, card, substitutes) << card
    return modules


@rule
def has_space(s, rules, seat):
    """Return whether there is a cell where a seat may deploy (EX-4.4)."""
    return rules.deploy_anywhere != 0 or bit_count(s.near[s.pawn[seat]]) < DIRECTIONS


@rule
def can_deploy(s, rules, seat, substitutes):
    """Return whether a seat can deploy a module where it is (EX-4.4)."""
    hand = int(s.hand[seat])
    left = hand & MODULE_SET if has_space(s, rules, seat) else 0
    while left != 0:
        if can_pay(s, rules, hand, lowest_bit(left), substitutes):
            return True
        left &= left - 1
    return False


@rule
def begin_deploying(s, substitutes):
    """Ask for the module to deploy."""
    s.substitutes = substitutes
    s.decision = Decision.deploy_card


@rule
def choose_module(s, rules, card):
    """Choose the module; its place is asked next (EX-11.2)."""
    s.card, s.slot, s.left = card, s.pawn[s.active], 0
    for i in range(RESOURCES):
        s.need[i] = rules.cost[card, i]
        s.left += rules.cost[card, i]
    s.decision = Decision.deploy_slot.value if rules.deploy_anywhere else Decision.deploy_dir.value


@rule
def choose_cell(s, rules, direction):
    """Choose the cell; the payment is asked next."""
    s.direction = direction
    s.decision = Decision.deploy_pay
    if s.left == 0:
        place_module(s, rules)


@rule
def payments(s):
    """Return the cards that may pay next (EX-11.3).

    What can be paid at all stays payable after each of them: a colour asked for lowers need and cards of its
    colour by one, a plan the plans, any other card those to spare, and each the cards to pay.
    """
    hand = int(s.hand[s.active]) & ~bit(s.card)
    payable = PLAN_SET | (ITEM_SET if s.substitutes > 0 else 0)
    for i in range(RESOURCES):
        if s.need[i] > 0 or s.substitutes > 0:
            payable |= COLOURED[i]
    return hand & payable


@rule
def pay(s, rules, card):
    """Pay with a card: its own colour, a plan for any, or a substitute (EX-4.4, EX-4.10)."""
    if card < MODULES and s.need[COLOUR[card]] > 0:
        s.need[COLOUR[card]] -= 1
    elif bit(card) & PLAN_SET:
        s.log.game.wild_pays += 1
    else:
        s.substitutes -= 1
    discard(s, s.active, card)
    s.left -= 1
    if s.left == 0:
        place_module(s, rules)


@rule
def place_module(s, rules):
    """Add the paid module to the base, where it works at once (EX-4.4)."""
    card = int(s.card)
    s.hand[s.active] &= ~bit(card)
    put_module(s, card, s.slot, s.direction)
    s.log.game.deploys += 1
    s.log.game.deploy_of[COLOUR[card]] += 1
    s.log.seat[s.active].deploys += 1
    s.decision = Decision.none
    add_effect(s, rules, card, 1)
