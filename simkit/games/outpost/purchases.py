"""Outpost: the actions of a turn: auctions opened, purchases, the water deal (OP-5.1, OP-5.2, OP-5.15 on)."""

import numpy as np

from simkit.engine.compile.jit import rule
from simkit.engine.rule_helpers import add
from simkit.games.outpost import auctions, facts, hands, holdings, payments, terror
from simkit.games.outpost.facts import Decision, Main, Product, Purpose, Thing, Upgrade

MOST_AT_ONCE = 64  # pieces of one purchase (OP-5.17)
# The upgrade that a thing needs, -1 none (OP-5.16, OP-5.21).
NEEDS = np.array([-1, -1, Upgrade.heavy_equipment, Upgrade.laboratory, -1, -1, Upgrade.robots])


@rule
def legal_main(s, rules, out):
    """Write end, auctions to open, purchases, the water deal on turn 1 only, attack (OP-5.23, OP-9.2)."""
    n, seat = add(out, 0, Main.end), s.seat
    may_open = auctions.may_bid(s, rules, seat)
    for t in range(facts.TYPES):
        if may_open and s.market[t] > 0 and auctions.highest_bid(s, rules, seat, t) >= rules.cost[t]:
            n = add(out, n, Main.open + t)
    for thing in range(Thing.robot + 1):
        if may_buy(s, rules, seat, thing):
            n = add(out, n, Main.buy + thing)
    if rules.first_turn_water_deal and s.turn == 1 and s.bought[seat] == 0 and s.wealth[seat] > 0:
        n = add(out, n, Main.water_deal)
    return add(out, n, Main.attack) if rules.space_terrorism and terror.may_attack(s, seat) else n


@rule
def most(s, rules, seat, thing):
    """Return the most pieces of a thing that one purchase may take (OP-5.15 to OP-5.21)."""
    limit = limit_of(s, rules, seat, thing)
    return min(limit, s.wealth[seat] // price_of(s, rules, seat, thing), MOST_AT_ONCE)


@rule
def may_buy(s, rules, seat, thing):
    """Return whether one piece of a thing can be bought, without the slow division of `most`."""
    return s.wealth[seat] >= price_of(s, rules, seat, thing) and limit_of(s, rules, seat, thing) > 0


@rule
def limit_of(s, rules, seat, thing):
    """Return the pieces for which there is room, technology and research (OP-1.5, OP-5.16 to OP-5.21)."""
    if NEEDS[thing] >= 0 and s.upgrades[seat, NEEDS[thing]] == 0:
        return 0
    if thing < facts.FACTORIES:
        limit = facts.LIMIT - s.factories[seat, thing]
    else:
        limit = facts.LIMIT - s.robots[seat] if thing == Thing.robot else holdings.room(s, rules, seat)
    if thing == Thing.new_chemicals:
        limit = min(limit, s.cards[seat, Product.research])
    return limit


@rule
def price_of(s, rules, seat, thing):
    """Return the cost of one piece (OP-5.15, OP-5.19, OP-5.21)."""
    if thing == Thing.population:
        return rules.pop_cost_ecoplants if s.upgrades[seat, Upgrade.ecoplants] > 0 else rules.pop_cost
    return rules.robot_cost if thing == Thing.robot else rules.factory_cost[thing]


@rule
def act(s, rules, action):
    """Carry out one action of the active player; opening an auction bids first (OP-5.2, OP-5.3)."""
    if action == Main.end:
        s.at += 1
    elif action < Main.buy:
        s.lot, s.bid_at, s.decision = action - Main.open, s.at, Decision.bid
        s.log.game.auctions += 1
    elif action < Main.water_deal:
        s.thing, s.decision = action - Main.buy, Decision.qty
    elif action == Main.water_deal:
        deal(s, rules)
    else:
        s.decision = Decision.t_player
        s.log.game.attacks += 1


@rule
def deal(s, rules):
    """Exchange all cards for a water factory (OP-5.23)."""
    seat = s.seat
    for kind in range(facts.KINDS):
        hands.give_up(s, rules, seat, kind, s.hand[seat, kind])
    holdings.add_factories(s, seat, Thing.water, 1)
    s.bought[seat] = 1
    s.log.game.water_deals += 1


@rule
def buy(s, rules, pieces):
    """Pay for a number of pieces; new chemicals need a research card each (OP-5.11, OP-5.18)."""
    thing, purpose = s.thing, Purpose.factory
    s.thing = facts.NOBODY
    if thing >= facts.FACTORIES:
        purpose = Purpose.robots if thing == Thing.robot else Purpose.population
    research = pieces if thing == Thing.new_chemicals else 0
    due = pieces * price_of(s, rules, s.seat, thing)
    payments.charge(s, rules, s.seat, due, research, purpose, thing, pieces)
