"""Outpost: space terrorism (OP-8.4, OP-8.5)."""

from simkit.engine.compile.jit import rule
from simkit.engine.rule_helpers import add, offer
from simkit.games.outpost import facts, hands, holdings
from simkit.games.outpost.facts import Decision, Response, Side


@rule
def vulnerable(s, owner, item):
    """Return whether a player has a copy that is not immune this turn (OP-8.4)."""
    own = s.upgrades[owner, item] if item < facts.TYPES else s.factories[owner, item - facts.ITEM_FACTORY]
    return own > s.immune[owner, item]


@rule
def is_target(s, owner):
    for item in range(facts.ITEMS):
        if vulnerable(s, owner, item):
            return True
    return False


@rule
def may_attack(s, seat):
    """Return whether a player has a card to spend and another player a target (OP-8.4)."""
    for owner in range(s.seats):
        if s.wealth[seat] > 0 and owner != seat and is_target(s, owner):
            return True
    return False


@rule
def legal_terror(s, out):
    """Write owners, items, cards to spend, or answers (OP-9.11)."""
    if s.decision == Decision.t_response:
        return offer(out, Response.keep_out, Response.defend)
    n = 0
    if s.decision == Decision.t_player:
        for owner in range(s.seats):
            if owner != s.seat and is_target(s, owner):
                n = add(out, n, owner)
    else:
        for item in range(facts.ITEMS):
            if vulnerable(s, s.victim, item):
                n = add(out, n, item)
    return n


@rule
def answer_terror(s, rules, decision, action):
    """Carry out one decision of an attack (OP-8.4)."""
    if decision == Decision.t_player:
        s.victim, s.decision = action, Decision.t_item
    elif decision == Decision.t_item:
        s.target, s.answer_at = action, facts.NOBODY
        s.side, s.decision = Side.attack, Decision.t_card
    elif decision == Decision.t_card:
        spend(s, rules, action)
    elif action == Response.keep_out:
        s.answer_at += 1
    else:
        s.side = Side.attack if action == Response.join else Side.defence
        s.decision = Decision.t_card


@rule
def spend(s, rules, action):
    """Spend a card, or end the spending (OP-8.4, OP-9.11)."""
    seat = s.seat
    if action != facts.DONE:
        hands.give_up(s, rules, seat, action, 1)
        s.bought[seat] = 1
        s.force[s.side] += rules.value[action]
        s.spent += 1
        if s.side == Side.attack:
            s.log.game.credits_on_attack += rules.value[action]
        else:
            s.log.game.credits_on_defence += rules.value[action]
        if s.wealth[seat] > 0:
            s.decision = Decision.t_card
            return
    s.spent = 0
    s.answer_at += 1


@rule
def go_on_attacking(s, rules):
    """Let every other player with a card answer once, then judge the attack (OP-8.4)."""
    while s.answer_at < s.seats:
        seat = s.order[s.answer_at]
        if s.answer_at != s.at and s.wealth[seat] > 0:
            s.decision, s.seat = Decision.t_response, seat
            return
        s.answer_at += 1
    if missing(s, rules) <= 0:
        destroy(s, rules, s.victim, s.target)
    else:
        s.immune[s.victim, s.target] += 1
    s.victim = s.target = facts.NOBODY
    s.side = Side.attack
    s.force[:] = 0


@rule
def needed(rules, item):
    """Return the credits that an attack must spend net of the defence (OP-8.4)."""
    cost = rules.cost[item] if item < facts.TYPES else rules.factory_cost[item - facts.ITEM_FACTORY]
    return rules.terrorism_destroy_factor * cost


@rule
def missing(s, rules):
    """Return the credits that the attack lacks; with 0 or less the target is destroyed (OP-8.4)."""
    net = s.force[Side.attack] - rules.terrorism_defence_factor * s.force[Side.defence]
    return needed(rules, s.target) - net


@rule
def destroy(s, rules, owner, item):
    """Destroy the item; no more sites are operated than owned (OP-8.4, OP-8.5)."""
    s.log.game.items_destroyed += 1
    if item < facts.TYPES:
        s.upgrades[owner, item] -= 1
        s.destroyed[item] += 1
    else:
        s.factories[owner, item - facts.ITEM_FACTORY] -= 1
    for site in range(facts.SITES):
        s.operated[owner, site] = min(s.operated[owner, site], holdings.owned(s, owner, site))
    holdings.count_vp(s, rules, owner)
