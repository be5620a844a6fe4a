"""Outpost: the actions of a turn: auctions opened, factories, population, robots, the water deal (OP-5.1, OP-5.2, OP-5.15 to OP-5.23)."""

from simkit.games.outpost.auctions import may_open, open_auction
from simkit.games.outpost.facts import (
    ATTACK,
    BUY,
    ECOPLANTS,
    END,
    F_CHEMICALS,
    F_RESEARCH,
    F_TITANIUM,
    HEAVY,
    KINDS,
    LABORATORY,
    LIMIT,
    MOST_AT_ONCE,
    NOBODY,
    OPEN,
    POPULATION,
    RESEARCH,
    ROBOT,
    ROBOTS,
    TYPES,
    WATER,
    WATER_DEAL,
    Kind,
)
from simkit.games.outpost.hands import give_up
from simkit.games.outpost.holdings import add_factories, room
from simkit.games.outpost.payments import charge, purpose_of
from simkit.games.outpost.terror import begin_attack, may_attack
from simkit.jit import rule


@rule
def legal_main(s, rules, out):
    """End, open auctions, buy, the water deal, attack (OP-9.2)."""
    out[0] = END
    n = 1
    seat = int(s.seat)
    for t in range(TYPES):
        if s.market[t] > 0 and may_open(s, rules, seat, t):
            out[n] = OPEN + t
            n += 1
    for thing in range(ROBOT + 1):
        if most(s, rules, seat, thing) > 0:
            out[n] = BUY + thing
            n += 1
    if may_deal(s, rules, seat):
        out[n] = WATER_DEAL
        n += 1
    if rules.space_terrorism and may_attack(s, seat):
        out[n] = ATTACK
        n += 1
    return n


@rule
def most(s, rules, seat, thing):
    """Most pieces of a thing that one purchase may take (OP-5.15 to OP-5.21)."""
    if thing == POPULATION:
        limit = room(s, rules, seat)
    elif thing == ROBOT:
        limit = LIMIT - int(s.robots[seat]) if s.upgrades[seat, ROBOTS] > 0 else 0
    else:
        limit = most_factories(s, seat, thing)
    return min(limit, int(s.wealth[seat]) // price_of(s, rules, seat, thing), MOST_AT_ONCE)


@rule
def most_factories(s, seat, f):
    """Factories that technology and research cards allow (OP-5.16, OP-5.18)."""
    if f == F_TITANIUM and s.upgrades[seat, HEAVY] == 0:
        return 0
    if f == F_RESEARCH and s.upgrades[seat, LABORATORY] == 0:
        return 0
    limit = LIMIT - int(s.factories[seat, f])
    return min(limit, int(s.cards[seat, RESEARCH])) if f == F_CHEMICALS else limit


@rule
def price_of(s, rules, seat, thing):
    """Cost of one piece (OP-5.15, OP-5.19, OP-5.21)."""
    if thing == POPULATION:
        return int(rules.pop_cost_ecoplants) if s.upgrades[seat, ECOPLANTS] > 0 else int(rules.pop_cost)
    return int(rules.robot_cost) if thing == ROBOT else int(rules.factory_cost[thing])


@rule
def may_deal(s, rules, seat):
    """The water deal: turn 1, nothing bought yet, a card in hand (OP-5.23)."""
    return rules.first_turn_water_deal and s.turn == 1 and s.bought[seat] == 0 and s.wealth[seat] > 0


@rule
def act(s, rules, action):
    """One action of the active player (OP-5.2)."""
    seat = int(s.seat)
    if action == END:
        s.at += 1
        s.kind = Kind.none
    elif action < BUY:
        open_auction(s, rules, seat, action - OPEN)
    elif action == WATER_DEAL:
        deal(s, rules, seat)
    elif action == ATTACK:
        begin_attack(s)
    else:
        s.thing = action - BUY
        s.kind = Kind.qty


@rule
def deal(s, rules, seat):
    """All cards for a water factory (OP-5.23)."""
    for kind in range(KINDS):
        if s.hand[seat, kind] > 0:
            give_up(s, rules, seat, kind, int(s.hand[seat, kind]))
    add_factories(s, seat, WATER, 1)
    s.bought[seat] = 1
    s.log.game.water_deals += 1
    s.kind = Kind.none


@rule
def legal_quantities(s, rules, out):
    """1 to the most (OP-9.3)."""
    n = most(s, rules, int(s.seat), int(s.thing))
    for i in range(n):
        out[i] = i + 1
    return n


@rule
def buy(s, rules, pieces):
    """Pay for so many pieces of the chosen thing; new chemicals need a research card each (OP-5.11, OP-5.18)."""
    seat, thing = int(s.seat), int(s.thing)
    s.thing = NOBODY
    research = pieces if thing == F_CHEMICALS else 0
    due = pieces * price_of(s, rules, seat, thing)
    charge(s, rules, seat, due, research, purpose_of(thing), thing if thing < POPULATION else 0, pieces)
