"""Outpost: the table of contents: what goes on by itself, which decision is legal now, what carries it out (OP-3.0, OP-9)."""

from simkit.game import OVER
from simkit.games.outpost.auctions import (
    answer_bid,
    answer_honor,
    go_on_bidding,
    jump_on,
    legal_bid,
    legal_jump,
)
from simkit.games.outpost.facts import NOBODY, Kind, Step
from simkit.games.outpost.operators import go_on_assigning, legal_assign, operate
from simkit.games.outpost.payments import legal_pay, pay_one
from simkit.games.outpost.production import (
    discard_one,
    go_on_discarding,
    go_on_producing,
    legal_discards,
    legal_megas,
    take_megas,
)
from simkit.games.outpost.purchases import act, buy, legal_main, legal_quantities
from simkit.games.outpost.terror import answer_terror, go_on_attacking, legal_terror
from simkit.games.outpost.turns import begin_turn, lay_out, next_step
from simkit.jit import rule


@rule
def setup(s, rules, rng):
    """Lay out the start and go on to the first decision (OP-2, OP-3.0)."""
    lay_out(s, rules, rng)
    begin_turn(s, rules, rng)
    go_on(s, rules, rng)


@rule
def go_on(s, rules, rng):
    """Carry out what nobody decides, until somebody decides or the game is over (OP-3.0)."""
    while s.kind == Kind.none and s.seat != OVER:
        if s.step == Step.actions and s.target != NOBODY:
            go_on_attacking(s, rules)
        elif s.step == Step.actions and s.lot != NOBODY:
            go_on_bidding(s, rules)
        elif s.at >= s.seats:
            next_step(s, rules, rng)
        elif s.step == Step.actions:
            s.kind, s.seat = Kind.main, s.order[s.at]
        elif s.step == Step.production:
            go_on_producing(s, rules, rng)
        elif s.step == Step.operators:
            go_on_assigning(s, rules)
        else:
            go_on_discarding(s, rules)


@rule
def legal(s, rules, out):
    """Write the legal action ids of the seat to decide, ascending (OP-9)."""
    kind = s.kind
    if kind == Kind.main:
        return legal_main(s, rules, out)
    if kind == Kind.bid:
        return legal_bid(s, rules, out)
    if kind == Kind.qty:
        return legal_quantities(s, rules, out)
    if kind == Kind.jump_hi or kind == Kind.jump_lo:
        return legal_jump(s, rules, out)
    if kind == Kind.pay:
        return legal_pay(s, rules, out)
    if kind == Kind.mega:
        return legal_megas(s, rules, out)
    if kind == Kind.discard:
        return legal_discards(s, rules, out)
    if kind == Kind.assign:
        return legal_assign(s, out)
    if kind == Kind.honor:
        out[0], out[1] = 0, 1
        return 2
    return legal_terror(s, out)


@rule
def apply(s, rules, action, rng):
    """Carry out one legal action, then all that follows from it (OP-9)."""
    kind = s.kind
    if kind == Kind.main:
        act(s, rules, action)
    elif kind == Kind.bid:
        answer_bid(s, rules, action)
    elif kind == Kind.qty:
        buy(s, rules, action)
    elif kind == Kind.jump_hi or kind == Kind.jump_lo:
        jump_on(s, rules, action)
    elif kind == Kind.pay:
        pay_one(s, rules, action)
    elif kind == Kind.mega:
        take_megas(s, action)
    elif kind == Kind.discard:
        discard_one(s, rules, action)
    elif kind == Kind.assign:
        operate(s, rules, int(s.seat), action)
        s.kind = Kind.none
    elif kind == Kind.honor:
        answer_honor(s, rules, action)
    else:
        answer_terror(s, rules, action)
    go_on(s, rules, rng)


@rule
def trace(s, rules, seat, row):
    """What a seat has at the end of a turn; the next turn's production is already done."""
    for place in range(s.seats):
        if s.order[place] == seat:
            row.place = place
    held, upgrades, sites = 0, 0, 0
    for product in range(s.cards.shape[1]):
        held += int(s.cards[seat, product])
    for t in range(s.upgrades.shape[1]):
        upgrades += int(s.upgrades[seat, t])
    for site in range(s.operated.shape[1]):
        sites += int(s.operated[seat, site])
    row.cards_held, row.credits, row.upgrades_owned, row.sites = held, s.wealth[seat], upgrades, sites
