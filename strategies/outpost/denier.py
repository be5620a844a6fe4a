"""A player of Outpost that drives up prices (OP-13.6)."""

from simkit.engine.compile.jit import rule
from simkit.engine.strategy import Weight, strategy
from simkit.games.outpost import auctions, game, holdings
from simkit.games.outpost.facts import JUMP, Bid, Decision

from .estimates import exact_price, expected_hand
from .reference import decides, reference_worth

MAX_JUMP = 1000  # highest bid of a jump, credits
JUMP_BY, JUMP_OVER = 5, 6  # places in the memo: the chosen raise, and the bid that it raises


@rule
def limit_of(view, rules, seat, hand, w, memo):
    """Return the highest bid of the reference player with a hand of that value."""
    worth = min(reference_worth(view, rules, seat, view.lot, w, memo), hand)
    return worth + holdings.discount(view, rules, seat, view.lot)


@rule
def denies(view, rules, w, memo):
    """Return whether to raise on what the high bidder wants more, if winning costs the denier little."""
    seat, t, bidder, least = view.seat, view.lot, view.bidder, auctions.least_bid(view, rules)
    due = max(0, least - holdings.discount(view, rules, seat, t))
    if due > view.wealth[seat] or exact_price(view, rules, seat, due) - due > w.loss:
        return False
    theirs = limit_of(view, rules, bidder, expected_hand(view, rules, bidder), w, memo)
    own = reference_worth(view, rules, seat, t, w, memo)
    return theirs > view.bid + w.margin and 100 * own >= w.own * least


@rule
def jump_of(view, rules, w, memo):
    """Return the size of a jump at once to what the strongest of the others may bid, 0 if not worth it."""
    second, least = 0, auctions.least_bid(view, rules)
    for other in range(view.seats):
        if other != view.seat:
            hand = int(expected_hand(view, rules, other))
            second = max(second, limit_of(view, rules, other, hand, w, memo))
    own = limit_of(view, rules, view.seat, view.wealth[view.seat], w, memo)
    raised = min(second, MAX_JUMP) - least
    return raised if raised > 0 and least + raised <= own else 0


@strategy(
    game,
    allocates=False,
    loss=Weight(3, 0, 50, "Most credits of surplus when a raise wins"),
    own=Weight(80, 0, 300, "Least own worth in percent of the raise"),
    margin=Weight(3, 0, 100, "Credits that the high bidder is thought to have left"),
    jumps=Weight(1, 0, 1, "1 = jumps to the estimated highest bid of the others"),
)
def denier(view, rules, legal, w, memo):
    """The reference player, but nobody gets a card cheaply (OP-13.6)."""
    if view.decision == Decision.jump_hi or view.decision == Decision.jump_lo:
        high = view.decision == Decision.jump_hi
        place = JUMP.high(memo[JUMP_BY]) if high else JUMP.low(memo[JUMP_BY])
        return place if place in legal else legal[0]  # after a blunder there is no such jump
    if view.decision != Decision.bid or legal[0] != Bid.drop:
        return decides(view, rules, legal, w, memo)
    if w.jumps and Bid.jump.value in legal and memo[JUMP_OVER] != view.bid:
        memo[JUMP_BY], memo[JUMP_OVER] = jump_of(view, rules, w, memo), view.bid
        if memo[JUMP_BY] > 0:
            return Bid.jump
    wants = decides(view, rules, legal, w, memo) == Bid.least or denies(view, rules, w, memo)
    return Bid.least if wants else Bid.drop
