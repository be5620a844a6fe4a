"""All decisions of the players of Exoplanet Colony except MAIN (EX-13.3)."""

from simkit.engine.compile.jit import bit, lowest_bit, rule
from simkit.games.exoplanet_colony.base import with_space
from simkit.games.exoplanet_colony.facts import (
    CARD,
    DIR,
    NOBODY,
    RES,
    SEAT,
    SLOT,
    STEP_X,
    STEP_Y,
    TOKEN,
    Character,
    Decision,
)

from .actions import good_items
from .aims import aim_of, aim_with, best_deploy, cheapest, gen_card, keep, target, urgent
from .plans import best_order, plays
from .trade import printer_choice, wanted
from .values import best_token, token_gain
from .ways import nearest

DISCARDS = sum(
    1 << decision
    for decision in (
        Decision.hand_discard, Decision.event_discard, Decision.start_discard, Decision.deploy_pay,
        Decision.recover_card, Decision.give_card,
    )
)  # fmt: skip


@rule
def offered(legal, first):
    """Return the legal ids, counted from the first id of their kind, as a set."""
    ids = 0
    for i in range(legal.size):
        ids |= bit(legal[i] - first)
    return ids


@rule
def answers(s, rules, legal, style):
    """Decide everything but MAIN."""
    decision = int(s.decision)
    if DISCARDS >> decision & 1:
        aim = aim_of(s, rules, s.seat, style)
        return CARD + cheapest(s, rules, offered(legal, CARD), aim, style)[0]
    if decision == Decision.deploy_card:
        return CARD + best_deploy(s, rules, s.seat, s.substitutes, style)[0]
    if decision == Decision.deploy_dir:
        return most_neighbours(s, legal)
    if decision == Decision.gen_card:
        return CARD + feeds_with(s, rules, offered(legal, CARD), style)
    if decision == Decision.gen_res or decision == Decision.item_res:
        return neediest(s, legal, decision == Decision.gen_res)
    if decision == Decision.plan_window:
        return plays(s, rules, legal, style)
    if decision == Decision.plan_perm:
        return best_order(s, rules, legal)
    if decision == Decision.repair_token:
        return best_repair(s, rules, legal, style)
    if decision == Decision.issue or decision == Decision.ability_way:
        return legal[legal.size - 1]
    slot = goes_for(s, rules, offered(legal, SLOT), style) if legal[0] >= SLOT else NOBODY
    return SLOT + slot if slot != NOBODY else seeks(s, rules, legal, style)


@rule
def seeks(s, rules, legal, style):
    """Choose cards of partners, of the discard pile, of the deck, or items; else the lowest id."""
    decision, seat = s.decision, int(s.seat)
    if decision == Decision.ability_card:
        return CARD + best_drawn(s, rules, seat, style)
    if decision == Decision.item_card:
        good = good_items(s, rules, style)
        return CARD + lowest_bit(good) if good != 0 else legal[0]
    chosen, saved = NOBODY, target(s, rules, seat, int(s.hand[seat]), style)
    if decision == Decision.take_partner:
        chosen = SEAT + wanted(s, rules, offered(legal, SEAT), saved, style)[0]
        return chosen if chosen >= SEAT else legal[0]
    if decision == Decision.take_card:
        chosen = wanted(s, rules, bit(s.partner), saved, style)[1]
    elif decision == Decision.item_take:
        chosen = printer_choice(s, rules, seat, saved, style)
    return CARD + chosen if chosen != NOBODY else legal[0]


@rule
def goes_for(s, rules, slots, style):
    """Return the slot chosen of some slots, NOBODY where the choice does not matter."""
    decision = s.decision
    if decision == Decision.event_place:
        return nearest(s, s.pawn[(s.active + 1) % s.seats], slots)[0]
    pilot = s.character[s.active] == Character.pilot
    if decision == Decision.ability_slot and pilot:
        return flies_to(s, slots)
    if decision == Decision.ability_slot or decision == Decision.item_slot:
        return lowest_bit(best_token(s, rules, slots, style)[1])
    return NOBODY


@rule
def flies_to(s, slots):
    """Return the Pilot's goal: the nearest Emergency, else the nearest slot with room; NOBODY for none."""
    alarm = nearest(s, s.pawn[s.active], slots & int(s.alarmed))[0]
    return alarm if alarm != NOBODY else nearest(s, s.pawn[s.active], slots & with_space(s))[0]


@rule
def most_neighbours(s, legal):
    """Return the cell with the most adjacent modules."""
    best, most = legal[0], 0
    for i in range(legal.size):
        x, y = s.slot_x[s.slot] + STEP_X[legal[i] - DIR], s.slot_y[s.slot] + STEP_Y[legal[i] - DIR]
        n = 0
        for slot in range(s.slots):
            n += abs(s.slot_x[slot] - x) + abs(s.slot_y[slot] - y) == 1
        if n > most:
            best, most = legal[i], n
    return best


@rule
def feeds_with(s, rules, cards, style):
    """Return the card for the resource that would run dry, else the card that is worth least."""
    aim, hand = aim_of(s, rules, s.seat, style), int(s.hand[s.seat])
    r = urgent(s, rules, hand, int(s.generated), style)
    if r != NOBODY:
        return gen_card(s, rules, hand, r, aim, style)
    return cheapest(s, rules, cards, aim, style)[0]


@rule
def neediest(s, legal, after):
    """Return the resource of the lowest supply, now or after the update."""
    best, least = legal[0], 0
    for i in range(legal.size):
        r = legal[i] - RES
        supply = int(s.supply[r]) + (int(s.production[r]) if after else 0)
        if i == 0 or supply < least:
            best, least = legal[i], supply
    return best


@rule
def best_repair(s, rules, legal, style):
    """Return the token that is worth most."""
    best, most = legal[0], token_gain(s, rules, legal[0] - TOKEN, style)
    for i in range(1, legal.size):
        worth = token_gain(s, rules, legal[i] - TOKEN, style)
        if worth > most:
            best, most = legal[i], worth
    return best


@rule
def best_drawn(s, rules, seat, style):
    """Return the card that the Scientist keeps: the one worth more in the hand with both cards."""
    first, second = min(int(s.got[0]), int(s.got[1])), max(int(s.got[0]), int(s.got[1]))
    aim = aim_with(s, rules, seat, int(s.hand[seat]) | bit(first) | bit(second), style)
    prefers_second = keep(s, rules, second, aim, style) > keep(s, rules, first, aim, style)
    return second if prefers_second else first
