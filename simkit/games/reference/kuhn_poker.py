"""Kuhn poker: three cards, one bet; the smallest poker, with hidden cards and a known equilibrium.

Source: Kuhn, "A simplified two-person poker", Contributions to the Theory of Games I (1950), 97-103.
"""

from enum import IntEnum

from simkit.engine.compile.jit import rule
from simkit.engine.fields import SEAT, Field, category, scalar
from simkit.engine.game import Game, KnownAnswer, Words
from simkit.engine.rng import below
from simkit.engine.rule_helpers import end, next_seat, observe_open, offer, rank_by_score

PASS, BET = 0, 1
JACK, QUEEN, KING, CARDS = 0, 1, 2, 3
UNSEEN, NOBODY = -1, -1
NAMES = ["jack", "queen", "king"]
STATE = [
    Field(
        "card",
        "i1",
        (2,),
        "Card held: 0 = jack, 1 = queen, 2 = king, -1 = unseen [seat]",
        value=category("card"),
    ),
    Field("stake", "i1", (2,), "Points put in [seat]"),
    scalar("bettor", "i1", "Seat that has bet, -1 = nobody yet", SEAT),
]
End = IntEnum("End", "unfinished showdown fold", start=0)


@rule
def setup(s, rules, rng):
    """Put a point in and give a card to both seats; seat 0 begins (KUHN-1)."""
    s.card[0] = below(rng.deck, CARDS)
    s.card[1] = (s.card[0] + 1 + below(rng.deck, CARDS - 1)) % CARDS
    s.stake[:] = 1
    s.bettor = NOBODY


@rule
def legal(s, rules, out):
    """Write pass and bet; against a bet they mean fold and call (KUHN-2, KUHN-3)."""
    return offer(out, PASS, BET)


@rule
def apply(s, rules, action, rng):
    """Bet or call, check or fold: a fold, a call or a second check ends the hand (KUHN-2 to KUHN-4)."""
    answers = s.bettor != NOBODY
    if action == BET:
        s.stake[s.seat] += 1
    if answers and action == PASS:
        win(s, s.bettor, End.fold)
    elif answers or (action == PASS and s.seat == 1):
        win(s, 0 if s.card[0] > s.card[1] else 1, End.showdown)
    else:
        s.bettor = s.seat if action == BET else NOBODY
        s.seat = next_seat(s)


@rule
def win(s, seat, reason):
    """Give the winner what the other seat has put in (KUHN-4)."""
    lost = s.stake[1 - seat]
    s.score[seat] = lost
    s.score[1 - seat] = -lost
    rank_by_score(s)
    end(s, reason)


@rule
def observe(s, rules, seat, view):
    """Hide the other seat's card."""
    observe_open(s, rules, seat, view)
    view.card[1 - seat] = UNSEEN


@rule
def redeal(view, rules, seat, stream):
    """Give the other seat one of the two cards that the seat does not hold."""
    view.card[1 - seat] = (view.card[seat] + 1 + below(stream, CARDS - 1)) % CARDS


def problems(s, rules) -> list[str]:
    """Return broken promises: cards differ, points add up to 0, only a bet or its call raises a stake."""
    faults = []
    if s.card[0] == s.card[1] or min(s.card) < 0 or max(s.card) >= CARDS:
        faults.append("the two cards are not two of the three")
    if s.score[0] + s.score[1] != 0:
        faults.append("the scores do not add up to 0")
    if any(s.stake[seat] not in (1, 2) for seat in (0, 1)) or (s.bettor == NOBODY) != (max(s.stake) == 1):
        faults.append("the stakes do not fit the bets")
    return faults


def show(s, rules) -> str:
    held = [NAMES[card] if card != UNSEEN else "unseen" for card in s.card]
    return "  ".join(f"seat {seat}: {held[seat]}, {s.stake[seat]} in" for seat in (0, 1))


def describe(s, rules, action: int, after) -> str:
    if s.bettor == NOBODY:
        return "bets" if action == BET else "checks"
    return "calls" if action == BET else "folds"


RULES = """\
KUHN-1  Both seats put in 1 point and get one of three cards (jack, queen, king) in secret; seat 0 begins.
KUHN-2  In turn a seat passes or bets 1 point more; two passes end the hand.
KUHN-3  Against a bet a seat folds (passes) or calls (puts in 1 point more), which ends the hand.
KUHN-4  A fold loses; else the higher card wins what the other has put in: its score, for the loser below 0.
"""

EQUILIBRIUM = "Kuhn 1950: every equilibrium is worth -1/18 to the first"
COUNTED = "counted over the six deals: 25/54 + alpha/6, alpha the mean of the seat's over the rotations"
LINEUPS = {"nash*2": 0.2, "nash(alpha=0)*2": 0.0, "nash(alpha=0), nash(alpha=0.333333)": 0.333333 / 2}
KNOWN_ANSWERS = [
    *(KnownAnswer("score", -1 / 18, EQUILIBRIUM, lineup, seat=0) for lineup in LINEUPS),
    *(
        KnownAnswer("share", 25 / 54 + alpha / 6, COUNTED, lineup, seat=0)
        for lineup, alpha in LINEUPS.items()
    ),
]

game = Game(
    name="kuhn_poker", title="Kuhn poker", seats=(2, 2),
    summary="three cards and one bet; worth -1/18 to the first at the equilibrium",
    end_reasons=End, options=[], state=STATE, streams=["deal/deck"], max_actions=2, max_steps=3,
    setup=setup, legal=legal, apply=apply, observe=observe, redeal=redeal,
    problems=problems, show=show, describe=describe, words=Words(RULES), known_answers=KNOWN_ANSWERS,
)  # fmt: skip
