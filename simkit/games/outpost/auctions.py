"""Outpost: auctions and bids (OP-5.3 to OP-5.9), secret overbidding (OP-8.3)."""

from simkit.engine.compile.jit import bit, rule
from simkit.engine.rule_helpers import offer
from simkit.games.outpost.facts import JUMP, NOBODY, Bid, Decision, Purpose
from simkit.games.outpost.holdings import discount
from simkit.games.outpost.payments import charge

WIDEST_RAISE = JUMP.stop - 1  # a bid is at most so much above the least one (OP-9.4)


@rule
def may_bid(s, rules, seat):
    """Return whether no default and no limit of upgrades won bars a player (OP-5.9, OP-8.3)."""
    limit = rules.max_upgrades_per_turn
    return s.barred[seat] == 0 and (limit == 0 or s.won[seat] < limit)


@rule
def highest_bid(s, rules, seat, t):
    """Return the highest legal bid of a player (OP-5.4, OP-8.3)."""
    return rules.overbid_ceiling if rules.secret_overbidding else s.wealth[seat] + discount(s, rules, seat, t)


@rule
def least_bid(s, rules):
    """Return the least legal bid now: the printed cost, then a raise (OP-9.4)."""
    return rules.cost[s.lot] if s.bidder == NOBODY else s.bid + rules.min_bid_increment


@rule
def widest_raise(s, rules, seat):
    """Return how far above the least bid a player may go, negative if the player cannot bid (OP-9.4)."""
    return min(highest_bid(s, rules, seat, s.lot) - least_bid(s, rules), WIDEST_RAISE)


@rule
def legal_bid(s, rules, out):
    """Write pass (not the opener), the least bid, a jump (OP-9.4), or a part of a jump (OP-9.5)."""
    widest = widest_raise(s, rules, s.seat)
    if s.decision == Decision.bid:
        first = Bid.least if s.bidder == NOBODY else Bid.drop
        return offer(out, first, Bid.jump if widest > 0 else Bid.least)
    if s.decision == Decision.jump_hi:
        return offer(out, 0, JUMP.high(widest))
    most = JUMP.low(widest if s.jump_hi == JUMP.high(widest) else WIDEST_RAISE)
    return offer(out, 0 if s.jump_hi > 0 else 1, most)


@rule
def answer_bid(s, rules, action):
    """Pass, bid the least, or go on to name a jump (OP-5.5)."""
    if action == Bid.jump:
        s.decision = Decision.jump_hi
    elif action == Bid.least:
        place_bid(s, rules, 0)
    else:
        s.passed |= bit(s.seat)
        s.passes += 1
        s.bid_at += 1


@rule
def place_bid(s, rules, raised):
    """Raise the least bid by a number; the bidding goes on with the next player (OP-5.5)."""
    s.bid = least_bid(s, rules) + raised
    s.bidder = s.seat
    s.jump_hi = NOBODY
    s.passes = 0
    s.bid_at += 1
    s.log.game.bids += 1
    s.log.game.jump_bids += raised > 0
    s.log.game.reentries += s.passed >> s.seat & 1


@rule
def go_on_bidding(s, rules):
    """Ask the next player who can raise; after passes of all others the auction ends (OP-5.5, OP-5.6)."""
    while s.passes < s.seats - 1:
        if s.bid_at >= s.seats:
            s.bid_at = 0
        seat = s.order[s.bid_at]
        out = not rules.auction_reentry and s.passed >> seat & 1
        if not out and may_bid(s, rules, seat) and widest_raise(s, rules, seat) >= 0:
            s.decision, s.seat = Decision.bid, seat
            return
        s.passes += 1
        s.bid_at += 1
    if rules.secret_overbidding and s.wealth[s.bidder] + discount(s, rules, s.bidder, s.lot) >= s.bid:
        s.decision, s.seat = Decision.honor, s.bidder
    else:
        end_auction(s, rules, not rules.secret_overbidding)


@rule
def end_auction(s, rules, honoured):
    """Let the winner pay for the card (OP-5.6), or a penalty and be barred this turn (OP-8.3)."""
    seat, t, bid, log = s.bidder, s.lot, s.bid, s.log.game
    due, purpose = min(bid - rules.cost[t], s.wealth[seat]), Purpose.penalty
    if honoured:
        due, purpose = max(0, bid - discount(s, rules, seat, t)), Purpose.upgrade
        log.sold += 1
        log.sold_by_type[t] += 1
        log.price[t] += bid
        log.printed[t] += rules.cost[t]
        log.sold_to_non_opener += seat != s.order[s.at]
        s.log.seat[seat].auction_credits += bid
        s.won[seat] += 1
    else:
        log.defaults += 1
        s.barred[seat] = 1
    s.lot = s.bidder = NOBODY
    s.bid = s.passes = s.passed = s.bid_at = 0
    charge(s, rules, seat, due, 0, purpose, t, 1)
