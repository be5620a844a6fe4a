"""A game of one sealed bid each: simultaneous choice, as in the manual, described whatever the state."""

from enum import IntEnum

from simkit.engine.compile.jit import rule
from simkit.engine.fields import Field
from simkit.engine.game import Game
from simkit.engine.rule_helpers import end, next_seat, observe_open, offer, rank_by_score

SEATS, MOST, UNSEEN = 3, 20, -1
End = IntEnum("End", "unfinished opened", start=0)


@rule
def setup(s, rules, rng):
    s.bid[:] = UNSEEN
    s.seat = 0


@rule
def legal(s, rules, out):
    return offer(out, 0, MOST)


@rule
def apply(s, rules, action, rng):
    s.log.game.turns += 1
    s.bid[s.seat] = action
    if s.seat < SEATS - 1:
        s.seat = next_seat(s)
        return
    s.score[:] = s.bid
    rank_by_score(s)
    end(s, End.opened)


@rule
def observe(s, rules, seat, view):
    observe_open(s, rules, seat, view)
    if s.seat >= 0:
        for other in range(SEATS):
            if other != seat:
                view.bid[other] = UNSEEN


def describe(s, rules, action, after):
    return f"bids {action}"


game = Game(
    name="sealed_bids", title="Sealed bids", seats=(SEATS, SEATS), summary="the highest bid wins",
    end_reasons=End, options=[], state=[Field("bid", "i1", (SEATS,), "Bid, -1 = none or unseen [seat]")],
    max_actions=MOST + 1, max_steps=SEATS, setup=setup, legal=legal, apply=apply, observe=observe,
    describe=describe,
)  # fmt: skip
