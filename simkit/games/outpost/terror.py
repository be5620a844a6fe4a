"""Outpost: space terrorism (OP-8.4, OP-8.5)."""

from simkit.games.outpost.facts import (
    DEFEND,
    DONE,
    ITEM_FACTORY,
    JOIN,
    KINDS,
    LET_BE,
    NOBODY,
    ORDINARY,
    TYPES,
    Kind,
)
from simkit.games.outpost.hands import give_up
from simkit.games.outpost.holdings import count_vp
from simkit.jit import rule

ITEMS = ITEM_FACTORY + 5


@rule
def vulnerable(s, owner, item):
    """Whether a player has a copy that is not immune this turn (OP-8.4)."""
    owned = s.upgrades[owner, item] if item < TYPES else s.factories[owner, item - ITEM_FACTORY]
    return int(owned) > s.immune[owner, item]


@rule
def is_target(s, owner):
    """Whether a player has anything that can be attacked."""
    for item in range(ITEMS):
        if vulnerable(s, owner, item):
            return True
    return False


@rule
def may_attack(s, seat):
    """A card to spend, and something of another player to attack (OP-8.4)."""
    if s.wealth[seat] == 0:
        return False
    for owner in range(s.seats):
        if owner != seat and is_target(s, owner):
            return True
    return False


@rule
def begin_attack(s):
    """The attacker names owner and item, then spends (OP-8.4)."""
    s.force[0] = s.force[1] = 0
    s.kind = Kind.t_player
    s.log.game.attacks += 1


@rule
def legal_terror(s, out):
    """Owners, items, cards to spend, or answers (OP-9.11)."""
    n = 0
    if s.kind == Kind.t_player:
        for owner in range(s.seats):
            if owner != s.seat and is_target(s, owner):
                out[n] = owner
                n += 1
    elif s.kind == Kind.t_item:
        for item in range(ITEMS):
            if vulnerable(s, int(s.victim), item):
                out[n] = item
                n += 1
    elif s.kind == Kind.t_card:
        for kind in range(KINDS):
            if s.hand[s.seat, kind] > 0:
                out[n] = kind
                n += 1
        if s.spent > 0:
            out[n] = DONE
            n += 1
    else:
        out[0], out[1], out[2] = LET_BE, JOIN, DEFEND
        n = 3
    return n


@rule
def answer_terror(s, rules, action):
    """One decision of an attack (OP-8.4)."""
    if s.kind == Kind.t_player:
        s.victim = action
        s.kind = Kind.t_item
    elif s.kind == Kind.t_item:
        s.target = action
        s.answer_at = NOBODY
        begin_spending(s, 0)
    elif s.kind == Kind.t_response:
        if action == LET_BE:
            s.answer_at += 1
            s.kind = Kind.none
        else:
            begin_spending(s, 0 if action == JOIN else 1)
    else:
        spend(s, rules, action)


@rule
def begin_spending(s, side):
    s.side = side
    s.spent = 0
    s.kind = Kind.t_card


@rule
def spend(s, rules, action):
    """A card is spent, or the spending is over (OP-8.4, OP-9.11)."""
    seat = int(s.seat)
    if action != DONE:
        give_up(s, rules, seat, action, 1)
        s.bought[seat] = 1
        s.force[s.side] += rules.value[action]
        s.spent += 1
        if s.side == 0:
            s.log.game.credits_on_attack += rules.value[action]
        else:
            s.log.game.credits_on_defence += rules.value[action]
        if s.wealth[seat] > 0:
            return
    s.spent = 0
    s.answer_at += 1
    s.kind = Kind.none


@rule
def go_on_attacking(s, rules):
    """Every other player with a card answers once, in purchase order; then the attack is judged (OP-8.4)."""
    while s.answer_at < s.seats:
        seat = int(s.order[s.answer_at])
        if s.answer_at != s.at and s.wealth[seat] > 0:
            s.kind, s.seat = Kind.t_response, seat
            return
        s.answer_at += 1
    judge(s, rules)
    s.victim = s.target = NOBODY
    s.side = 0
    s.force[0] = s.force[1] = 0


@rule
def judge(s, rules):
    """Destroyed if the attack less the defence is costly enough, else immune for the turn (OP-8.4)."""
    owner, item = int(s.victim), int(s.target)
    cost = int(rules.cost[item]) if item < TYPES else int(rules.factory_cost[item - ITEM_FACTORY])
    net = int(s.force[0]) - int(rules.terrorism_defence_factor) * int(s.force[1])
    if net >= int(rules.terrorism_destroy_factor) * cost:
        destroy(s, rules, owner, item)
    else:
        s.immune[owner, item] += 1


@rule
def destroy(s, rules, owner, item):
    """The item is gone; no more sites are operated than owned (OP-8.4, OP-8.5)."""
    s.log.game.items_destroyed += 1
    if item < TYPES:
        s.upgrades[owner, item] -= 1
        s.destroyed[item] += 1
        if item >= ORDINARY:
            site = item - ORDINARY + 5
            s.operated[owner, site] = min(s.operated[owner, site], s.upgrades[owner, item])
    else:
        f = item - ITEM_FACTORY
        s.factories[owner, f] -= 1
        s.operated[owner, f] = min(s.operated[owner, f], s.factories[owner, f])
    count_vp(s, rules, owner)
