"""Outpost: the actions of a turn: auctions opened, purchases, the water deal (OP-5.1, OP-5.2, OP-5.15 on)."""

import numpy as np

from simkit.games.outpost import facts
from simkit.games.outpost.auctions import highest_bid, may_bid, open_auction
from simkit.games.outpost.facts import Decision, Main, Product, Purpose, Thing, Upgrade
from simkit.games.outpost.hands import give_up
from simkit.games.outpost.holdings import add_factories, room
from simkit.games.outpost.payments import charge
from simkit.games.outpost.terror import may_attack
from simkit.jit import rule

MOST_AT_ONCE = 64  # pieces of one purchase (OP-5.17)
NEEDS = np.array(
    [-1, -1, Upgrade.heavy_equipment, Upgrade.laboratory, -1, -1, Upgrade.robots]
)  # OP-5.16, OP-5.21


@rule
def legal_main(s, rules, out):
    """End, open auctions, buy, the water deal, attack (OP-9.2)."""
    out[0] = Main.end
    n, seat = 1, s.seat
    may_open = may_bid(s, rules, seat)
    for t in range(facts.TYPES):
        out[n] = Main.open + t
        n += may_open and s.market[t] > 0 and highest_bid(s, rules, seat, t) >= rules.cost[t]
    for thing in range(Thing.robot + 1):
        out[n] = Main.buy + thing
        n += most(s, rules, seat, thing) > 0
    out[n] = Main.water_deal
    n += may_deal(s, rules, seat)
    out[n] = Main.attack
    return n + (rules.space_terrorism and may_attack(s, seat))


@rule
def most(s, rules, seat, thing):
    """Most pieces of a thing that one purchase may take (OP-5.15 to OP-5.21)."""
    if NEEDS[thing] >= 0 and s.upgrades[seat, NEEDS[thing]] == 0:
        return 0
    if thing < facts.FACTORIES:
        limit = facts.LIMIT - s.factories[seat, thing]
    else:
        limit = facts.LIMIT - s.robots[seat] if thing == Thing.robot else room(s, rules, seat)
    if thing == Thing.new_chemicals:
        limit = min(limit, s.cards[seat, Product.research])
    return min(limit, s.wealth[seat] // price_of(s, rules, seat, thing), MOST_AT_ONCE)


@rule
def price_of(s, rules, seat, thing):
    """Cost of one piece (OP-5.15, OP-5.19, OP-5.21)."""
    if thing == Thing.population:
        return rules.pop_cost_ecoplants if s.upgrades[seat, Upgrade.ecoplants] > 0 else rules.pop_cost
    return rules.robot_cost if thing == Thing.robot else rules.factory_cost[thing]


@rule
def may_deal(s, rules, seat):
    """The water deal: turn 1, nothing bought yet, a card in hand (OP-5.23)."""
    return rules.first_turn_water_deal and s.turn == 1 and s.bought[seat] == 0 and s.wealth[seat] > 0


@rule
def act(s, rules, action):
    """One action of the active player (OP-5.2)."""
    if action == Main.end:
        s.at += 1
        s.decision = Decision.none
    elif action < Main.buy:
        open_auction(s, rules, s.seat, action - Main.open)
    elif action == Main.water_deal:
        deal(s, rules)
    elif action == Main.attack:
        s.decision = Decision.t_player
        s.log.game.attacks += 1
    else:
        s.thing = action - Main.buy
        s.decision = Decision.qty


@rule
def deal(s, rules):
    """All cards for a water factory (OP-5.23)."""
    seat = s.seat
    for kind in range(facts.KINDS):
        if s.hand[seat, kind] > 0:
            give_up(s, rules, seat, kind, s.hand[seat, kind])
    add_factories(s, seat, Thing.water, 1)
    s.bought[seat] = 1
    s.log.game.water_deals += 1
    s.decision = Decision.none


@rule
def buy(s, rules, pieces):
    """Pay for so many pieces; new chemicals need a research card each (OP-5.11, OP-5.18)."""
    thing, goods, purpose = s.thing, 0, Purpose.population
    s.thing = facts.NOBODY
    if thing < facts.FACTORIES:
        goods, purpose = thing, Purpose.factory
    elif thing == Thing.robot:
        purpose = Purpose.robots
    research = pieces if thing == Thing.new_chemicals else 0
    due = pieces * price_of(s, rules, s.seat, thing)
    charge(s, rules, s.seat, due, research, purpose, goods, pieces)
