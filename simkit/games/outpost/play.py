"""Outpost: the table of contents: what goes on by itself, what is legal, what carries it out (OP-9)."""

from simkit.engine.compile.jit import rule
from simkit.engine.rule_helpers import OVER, offer
from simkit.games.outpost import auctions, hands, operators, payments, purchases, terror, turns
from simkit.games.outpost.facts import JUMP, NOBODY, Decision, Honor, Step
from simkit.games.outpost.setup import lay_out


@rule
def setup(s, rules, rng):
    """Lay out the start and go on to the first decision (OP-2, OP-3.0)."""
    lay_out(s, rules, rng)
    turns.begin_turn(s, rules, rng)
    go_on(s, rules, rng)


@rule
def go_on(s, rules, rng):
    """Carry out all that needs no decision, until a seat must decide or the game is over (OP-3.0)."""
    while s.decision == Decision.none and s.seat != OVER:
        if s.step == Step.actions and s.target != NOBODY:
            terror.go_on_attacking(s, rules)
        elif s.step == Step.actions and s.lot != NOBODY:
            auctions.go_on_bidding(s, rules)
        elif s.at >= s.seats:
            turns.next_step(s, rules, rng)
        elif s.step == Step.actions:
            s.decision, s.seat = Decision.main, s.order[s.at]
        elif s.step == Step.production:
            hands.go_on_producing(s, rules, rng)
        elif s.step == Step.operators:
            operators.go_on_assigning(s, rules)
        else:
            hands.go_on_discarding(s, rules)


@rule
def legal(s, rules, out):
    """Write the legal action ids of the seat to decide, ascending (OP-9)."""
    decision = s.decision
    if decision == Decision.main:
        return purchases.legal_main(s, rules, out)
    if decision in (Decision.bid, Decision.jump_hi, Decision.jump_lo):
        return auctions.legal_bid(s, rules, out)
    if decision == Decision.qty:
        return offer(out, 1, purchases.most(s, rules, s.seat, s.thing))
    if decision in (Decision.pay, Decision.discard, Decision.t_card):
        return hands.legal_cards(s, rules, out)
    if decision == Decision.mega:
        return offer(out, 0, hands.most_megas(s, rules, s.seat))
    if decision == Decision.assign:
        return offer(out, *operators.assign_range(s, s.seat))
    if decision == Decision.honor:
        return offer(out, Honor.default, Honor.pay)
    return terror.legal_terror(s, out)


@rule
def apply(s, rules, action, rng):
    """Carry out one legal action, then all that follows from it (OP-9)."""
    decision = s.decision
    s.decision = Decision.none
    if decision == Decision.main:
        purchases.act(s, rules, action)
    elif decision == Decision.bid:
        auctions.answer_bid(s, rules, action)
    elif decision == Decision.qty:
        purchases.buy(s, rules, action)
    elif decision == Decision.jump_hi:
        s.jump_hi, s.decision = action, Decision.jump_lo
    elif decision == Decision.jump_lo:
        auctions.place_bid(s, rules, JUMP.pack(s.jump_hi, action))
    elif decision == Decision.pay:
        payments.pay_one(s, rules, action)
    elif decision == Decision.mega:
        s.mega_take[s.mega_at] = action
        s.mega_at += 1
    elif decision == Decision.discard:
        hands.discard_one(s, rules, action)
    elif decision == Decision.assign:
        operators.operate(s, rules, s.seat, action)
    elif decision == Decision.honor:
        auctions.end_auction(s, rules, action == Honor.pay)
    else:
        terror.answer_terror(s, rules, decision, action)
    go_on(s, rules, rng)


@rule
def note(s, rules, seat, row):
    """Write what a seat has at the end of a turn to the trace, after the next turn's production."""
    for place in range(s.seats):
        if s.order[place] == seat:
            row.place = place
    row.cards_held, row.credits = s.cards[seat].sum(), s.wealth[seat]
    row.upgrades_owned, row.sites = s.upgrades[seat].sum(), s.operated[seat].sum()
