"""Outpost: auctions and bids (OP-5.3 to OP-5.9), secret overbidding (OP-8.3)."""

from simkit.games.outpost.facts import (
    DEFAULT,
    FOR_PENALTY,
    FOR_UPGRADE,
    JUMP,
    MINIMUM,
    NOBODY,
    PASS,
    WIDEST_RAISE,
    Kind,
)
from simkit.games.outpost.holdings import discount
from simkit.games.outpost.payments import charge
from simkit.jit import rule


@rule
def may_bid(s, rules, seat):
    """Not barred by a default, nor by the number of upgrades won (OP-5.9, OP-8.3)."""
    return s.barred[seat] == 0 and (
        rules.max_upgrades_per_turn == 0 or s.won[seat] < rules.max_upgrades_per_turn
    )


@rule
def highest_bid(s, rules, seat, t):
    """Highest legal bid of a player (OP-5.4, OP-8.3)."""
    if rules.secret_overbidding:
        return int(rules.overbid_ceiling)
    return int(s.wealth[seat]) + discount(s, rules, seat, t)


@rule
def may_open(s, rules, seat, t):
    """Whether a player may open an auction for an upgrade on the market (OP-9.2)."""
    return may_bid(s, rules, seat) and highest_bid(s, rules, seat, t) >= rules.cost[t]


@rule
def open_auction(s, rules, seat, t):
    """Name a type; the opening bid follows (OP-5.3)."""
    s.lot = t
    s.bidder = NOBODY
    s.bid = 0
    s.passes = s.passed = 0
    s.bid_at = s.at
    s.kind, s.seat = Kind.bid, seat
    s.log.game.auctions += 1


@rule
def least_bid(s, rules):
    """Least legal bid now: the printed cost, then a raise (OP-9.4)."""
    if s.bidder == NOBODY:
        return int(rules.cost[s.lot])
    return int(s.bid) + int(rules.min_bid_increment)


@rule
def widest_raise(s, rules, seat):
    """How far above the least bid a player may go, negative if he cannot bid (OP-9.4)."""
    return min(highest_bid(s, rules, seat, int(s.lot)) - least_bid(s, rules), WIDEST_RAISE)


@rule
def legal_bid(s, rules, out):
    """Pass (not the opener), the least bid, a jump (OP-9.4)."""
    n = 0
    if s.bidder != NOBODY:
        out[n] = PASS
        n += 1
    out[n] = MINIMUM
    n += 1
    if widest_raise(s, rules, int(s.seat)) > 0:
        out[n] = JUMP
        n += 1
    return n


@rule
def legal_jump(s, rules, out):
    """The two parts of a jump: raise = 16 * first + second (OP-9.5)."""
    widest = widest_raise(s, rules, int(s.seat))
    n = 0
    if s.kind == Kind.jump_hi:
        for part in range(widest // 16 + 1):
            out[n] = part
            n += 1
        return n
    first = 16 * int(s.jump_hi)
    for part in range(16):
        if 1 <= first + part <= widest:
            out[n] = part
            n += 1
    return n


@rule
def answer_bid(s, rules, action):
    """Pass, bid the least, or go on to name a jump (OP-5.5)."""
    if action == JUMP:
        s.kind = Kind.jump_hi
        return
    if action == PASS:
        s.passed |= 1 << int(s.seat)
        s.passes += 1
        s.bid_at += 1
    else:
        place_bid(s, rules, 0)
    s.kind = Kind.none


@rule
def jump_on(s, rules, action):
    """The second part of a jump is named: the bid stands."""
    if s.kind == Kind.jump_hi:
        s.jump_hi = action
        s.kind = Kind.jump_lo
        return
    s.log.game.jump_bids += 1
    raised = 16 * int(s.jump_hi) + action
    s.jump_hi = NOBODY
    place_bid(s, rules, raised)
    s.kind = Kind.none


@rule
def place_bid(s, rules, raised):
    """A bid so much above the least one; the bidding goes on with the next player (OP-5.5)."""
    seat = int(s.seat)
    s.bid = least_bid(s, rules) + raised
    s.bidder = seat
    s.passes = 0
    s.bid_at += 1
    s.log.game.bids += 1
    s.log.game.reentries += int(s.passed) >> seat & 1


@rule
def go_on_bidding(s, rules):
    """Ask the next player who can raise; when all others have passed in a row, the auction ends (OP-5.5)."""
    while s.passes < s.seats - 1:
        if s.bid_at >= s.seats:
            s.bid_at = 0
        seat = int(s.order[s.bid_at])
        out = not rules.auction_reentry and int(s.passed) >> seat & 1
        if not out and may_bid(s, rules, seat) and widest_raise(s, rules, seat) >= 0:
            s.kind, s.seat = Kind.bid, seat
            return
        s.passes += 1
        s.bid_at += 1
    end_auction(s, rules)


@rule
def end_auction(s, rules):
    """The high bidder pays and takes the card; with overbidding he may default (OP-5.6, OP-8.3)."""
    seat = int(s.bidder)
    if not rules.secret_overbidding:
        sell(s, rules)
    elif int(s.wealth[seat]) + discount(s, rules, seat, int(s.lot)) < s.bid:
        default(s, rules)
    else:
        s.kind, s.seat = Kind.honor, seat


@rule
def answer_honor(s, rules, action):
    """Default or pay (OP-8.3)."""
    if action == DEFAULT:
        default(s, rules)
    else:
        sell(s, rules)


@rule
def sell(s, rules):
    """Bid less discount is paid, the card changes hands (OP-5.6)."""
    seat, t, bid, log = int(s.bidder), int(s.lot), int(s.bid), s.log.game
    due = max(0, bid - discount(s, rules, seat, t))
    log.sold += 1
    log.sold_by_type[t] += 1
    log.price[t] += bid
    log.printed[t] += rules.cost[t]
    log.sold_to_non_opener += seat != s.order[s.at]
    s.log.seat[seat].auction_credits += bid
    s.won[seat] += 1
    close_auction(s)
    charge(s, rules, seat, due, 0, FOR_UPGRADE, t, 1)


@rule
def default(s, rules):
    """A bid is not honoured: a penalty, no card, no more auctions this turn (OP-8.3)."""
    seat, t = int(s.bidder), int(s.lot)
    penalty = min(int(s.bid) - int(rules.cost[t]), int(s.wealth[seat]))
    s.barred[seat] = 1
    s.log.game.defaults += 1
    close_auction(s)
    charge(s, rules, seat, penalty, 0, FOR_PENALTY, t, 1)


@rule
def close_auction(s):
    s.lot = s.bidder = NOBODY
    s.bid = s.passes = s.passed = s.bid_at = 0
