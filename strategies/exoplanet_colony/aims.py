"""Aims of a hand: the module that a seat saves for, and the worth of cards to their holder (EX-13.3)."""

from collections import namedtuple

from simkit.engine.compile.jit import bit, bit_count, lowest_bit, rule
from simkit.games.exoplanet_colony.base import within
from simkit.games.exoplanet_colony.crew import ARCHITECT, is_ill
from simkit.games.exoplanet_colony.deploy import can_pay, deployable, missing
from simkit.games.exoplanet_colony.facts import (
    COLOUR,
    COLOURED,
    FIRST_ITEM,
    FIRST_PLAN,
    MODULE_SET,
    MOST_SUPPLY,
    NOBODY,
    PLAN_SET,
    RESOURCES,
    Character,
    Issue,
)

from .sets import NEVER, best_set, next_of
from .values import POINT, WINS, gain, is_won_by, score

Aim = namedtuple("Aim", "card needed")  # module to save for, -1 for none; cards of the hand to pay for it
PLAN, ITEM, TARGET, NEEDED = 40 * POINT, 30 * POINT, 100 * POINT, 50 * POINT  # worth of cards
SHORT = POINT // 2  # worth of a module for each supply of its colour that is missing


@rule
def replaceable(s, seat):
    """Return the number of cards of a cost that a seat may replace by any cards."""
    is_architect = s.character[seat] == Character.architect
    return ARCHITECT if is_architect and not is_ill(s, seat, Issue.anxiety.value) else 0


@rule
def missing_cards(s, rules, seat, hand, card):
    """Return the number of cards that a seat with this hand lacks for a module."""
    return missing(rules, hand, card, replaceable(s, seat))


@rule
def target(s, rules, seat, hand, style):
    """Return the module that a seat with this hand saves for, -1 for none."""
    if style.planned >= 0:
        replaced = replaceable(s, seat)
        return next_of(s, rules, hand, best_set(s, rules, hand, replaced, style), replaced, style)
    best, most, left = NOBODY, NEVER, hand & MODULE_SET
    while left != 0:
        card = lowest_bit(left)
        left &= left - 1
        worth = gain(s, rules, card, style)
        if worth >= POINT and within(s, rules, card, 1):
            worth -= POINT * missing_cards(s, rules, seat, hand, card)
            if worth > most:
                best, most = card, worth
    return best


@rule
def plain_keep(s, rules, card, style):
    """Return the worth of a module to its holder, apart from any aim."""
    worth = SHORT * (MOST_SUPPLY - int(s.supply[COLOUR[card]]))
    return worth + max(0, gain(s, rules, card, style)) if within(s, rules, card, 1) else worth


@rule
def needed(s, rules, hand, card, style):
    """Return the cards of a hand that are to pay for a module: of each colour those of the lowest worth."""
    paying = 0
    for i in range(RESOURCES):
        cards, cost = hand & COLOURED[i] & ~bit(card), int(rules.cost[card, i])
        if bit_count(cards) <= cost:
            paying |= cards  # all of them are needed, whatever their worth
        else:
            paying |= of_lowest_worth(s, rules, cards, cost, style)
    return paying


@rule
def of_lowest_worth(s, rules, cards, n, style):
    """Return the n modules of the lowest worth; of equal ones the first."""
    chosen = 0
    for _ in range(n):
        cheapest, least, left = NOBODY, 0, cards & ~chosen
        while left != 0:
            card = lowest_bit(left)
            left &= left - 1
            worth = plain_keep(s, rules, card, style)
            if cheapest == NOBODY or worth < least:
                cheapest, least = card, worth
        chosen |= bit(cheapest)
    return chosen


@rule
def aim_with(s, rules, seat, hand, style):
    """Return the aim of a seat with this hand."""
    card = target(s, rules, seat, hand, style)
    return Aim(card, needed(s, rules, hand, card, style) if card != NOBODY else 0)


@rule
def aim_of(s, rules, seat, style):
    """Return the aim of a seat."""
    return aim_with(s, rules, seat, int(s.hand[seat]), style)


@rule
def keep(s, rules, card, aim, style):
    """Return the worth of a card to its holder."""
    if card >= FIRST_PLAN:
        return PLAN
    if card >= FIRST_ITEM:
        return ITEM
    if card == aim.card:
        return TARGET
    return plain_keep(s, rules, card, style) + (NEEDED if aim.needed & bit(card) else 0)


@rule
def cheapest(s, rules, cards, aim, style):
    """Return the card of a set that is worth least to its holder, -1 for an empty set, and its worth."""
    best, least = NOBODY, 0
    while cards != 0:
        card = lowest_bit(cards)
        cards &= cards - 1
        worth = keep(s, rules, card, aim, style)
        if best == NOBODY or worth < least:
            best, least = card, worth
    return best, least


@rule
def below(s, rules, cards, limit, aim, style):
    """Return the cards of a set that are worth less than a limit."""
    cheap = 0
    while cards != 0:
        card = lowest_bit(cards)
        cards &= cards - 1
        cheap |= (keep(s, rules, card, aim, style) < limit) << card
    return cheap


@rule
def best_deploy(s, rules, seat, replaced, style):
    """Return the best module for a seat to deploy of those it can pay for, -1 for none, and its score."""
    hand = int(s.hand[seat])
    cards = deployable(s, rules, hand, replaced)
    best, most = best_scored(s, rules, cards, style)
    if style.planned >= 0 and most < WINS:
        members = cards & best_set(s, rules, hand, replaceable(s, seat), style)
        member, worth = best_scored(s, rules, members, style)
        if worth >= POINT:
            return member, worth
    return best, most


@rule
def wins_by(s, rules, seat, replaced):
    """Return whether a module that a seat can deploy wins."""
    hand = int(s.hand[seat])
    left = hand & MODULE_SET
    while left != 0:
        card = lowest_bit(left)
        left &= left - 1
        if is_won_by(s, rules, card, 1) and can_pay(s, rules, hand, card, replaced):
            return True
    return False


@rule
def best_scored(s, rules, cards, style):
    """Return the best module to deploy of some modules, -1 for none, and its score."""
    best, most = NOBODY, NEVER
    while cards != 0:
        card = lowest_bit(cards)
        cards &= cards - 1
        worth = score(s, rules, card, style)
        if worth > most:
            best, most = card, worth
    return best, most


@rule
def gen_card(s, rules, hand, r, aim, style):
    """Return the card of a hand that feeds a resource, -1 for none."""
    modules = hand & COLOURED[r]
    if modules != 0:
        return cheapest(s, rules, modules, aim, style)[0]
    return lowest_bit(hand & PLAN_SET) if hand & PLAN_SET else NOBODY


@rule
def can_feed(hand, r):
    """Return whether a hand has a card that feeds a resource."""
    return hand & (COLOURED[r] | PLAN_SET) != 0


@rule
def is_on_edge(s, rules, style):
    """Return whether the update of this turn would reach the level at which supplies must not run dry."""
    level = int(rules.emergency_tokens - s.emerg_left)
    for r in range(RESOURCES):
        level += s.supply[r] + s.production[r] <= 0
    return level >= (style.edge if style.edge != 0 else int(rules.skull))


@rule
def urgent(s, rules, hand, amount, style):
    """Return the resource that this hand has to feed lest it run dry in this turn, -1 for none."""
    best, least = NOBODY, 0
    if style.edge >= 0 and not is_on_edge(s, rules, style):
        return best
    for r in range(RESOURCES):
        after = int(s.supply[r]) + int(s.production[r])
        saved = (s.production[r] < 0) & (after <= 0) & (after + amount > 0) & can_feed(hand, r)
        if saved and (best == NOBODY or after < least):
            best, least = r, after
    return best
