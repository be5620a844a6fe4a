"""Partners: two against two, each with a card that may be exchanged; exact at random play.

At random play, whether a card is exchanged does not depend on the card. So the four cards at the end are any
four of the deck, in any order, and counting these hands gives the chances of both sides.
"""

import itertools
from enum import IntEnum

from simkit.engine.compile.jit import rule
from simkit.engine.fields import Field, category, scalar
from simkit.engine.game import Game, KnownAnswer, Log, Words
from simkit.engine.options import integer
from simkit.engine.rng import below
from simkit.engine.rule_helpers import end, next_seat, observe_open, offer, rank_by_score

KEEP, EXCHANGE = 0, 1
SEATS, CARDS, MOST = 4, 8, 20
NONE, UNSEEN = 0, -1
End = IntEnum("End", "unfinished cards_shown", start=0)
Side = IntEnum("Side", "first_pair second_pair", start=0)


@rule
def setup(s, rules, rng):
    """Deal a card to each seat (PARTNERS-2); partners sit opposite each other (PARTNERS-1)."""
    for seat in range(SEATS):
        s.card[seat] = drawn(s, rules, rng.deck)
        s.log.seat[seat].side = seat % 2


@rule
def drawn(s, rules, stream):
    """Return a card that no seat has or had."""
    left = rules.cards
    for seat in range(SEATS):
        left -= int(s.card[seat] > NONE) + int(s.exchanged[seat] > NONE)
    place = below(stream, left)
    for card in range(1, rules.cards + 1):
        taken = False
        for seat in range(SEATS):
            taken = taken or s.card[seat] == card or s.exchanged[seat] == card
        if not taken:
            if place == 0:
                return card
            place -= 1
    return NONE


@rule
def legal(s, rules, out):
    """Write keep and exchange (PARTNERS-3)."""
    return offer(out, KEEP, EXCHANGE)


@rule
def apply(s, rules, action, rng):
    """Keep the card or exchange it (PARTNERS-3); after the last seat compare the sums (PARTNERS-4)."""
    if action == EXCHANGE:
        card, s.swapped[s.seat] = drawn(s, rules, rng.deck), 1
        s.exchanged[s.seat], s.card[s.seat] = s.card[s.seat], card
    if s.seat < SEATS - 1:
        s.seat = next_seat(s)
    else:
        compare_sums(s, rules)


@rule
def compare_sums(s, rules):
    """Let the side with the higher sum win, or both (PARTNERS-4)."""
    lead = s.card[0] + s.card[2] - s.card[1] - s.card[3] - rules.handicap
    for seat in range(SEATS):
        s.score[seat] = lead if seat % 2 == Side.first_pair else -lead
    rank_by_score(s)
    end(s, End.cards_shown)


@rule
def observe(s, rules, seat, view):
    """Hide the cards of the other seats; everybody sees who has exchanged one."""
    observe_open(s, rules, seat, view)
    for other in range(SEATS):
        if other != seat:
            view.card[other] = view.exchanged[other] = UNSEEN


@rule
def redeal(view, rules, seat, stream):
    """Give the other seats cards that the seat has not seen."""
    for other in range(SEATS):
        if other != seat:
            view.card[other] = drawn(view, rules, stream)
            view.exchanged[other] = drawn(view, rules, stream) if view.swapped[other] else NONE


def problems(s, rules) -> list[str]:
    """Return broken promises: no card is dealt twice."""
    cards = [int(card) for card in (*s.card, *s.exchanged) if card != NONE]
    return ["a card is there twice"] if len(cards) > len(set(cards)) else []


def show(s, rules) -> str:
    return "  ".join(f"seat {seat}: {show_card(int(s.card[seat]))}" for seat in range(SEATS))


def show_card(card: int) -> str:
    """Return a card in words."""
    return "unseen" if card == UNSEEN else str(card)


def describe(s, rules, action: int, after) -> str:
    return "keeps the card" if action == KEEP else "exchanges the card"


RULES = """\
PARTNERS-1  Seats 0 and 2 play together, and seats 1 and 3.
PARTNERS-2  Each seat gets one of the cards 1 to `cards`, unseen by the others.
PARTNERS-3  In turn each seat keeps its card or exchanges it once for one that nobody has had.
PARTNERS-4  The higher sum of both partners wins, less `handicap` for seats 0 and 2; equal sums share the win.
"""


def first_side(cards: int = CARDS, handicap: int = 0) -> float:
    """Return the share of the win of seats 0 and 2, which are partners, at random play."""
    hands = list(itertools.permutations(range(1, cards + 1), SEATS))
    leads = [a + c - b - d - handicap for a, b, c, d in hands]
    return sum((lead > 0) + (lead == 0) / 2 for lead in leads) / len(hands)


COUNTED = "counted over all hands of four cards, which are equally likely at random play"
UNEVEN = {"cards": 10, "handicap": 3}
KNOWN_ANSWERS = [
    KnownAnswer("share", first_side(), COUNTED, "random*4", seat=0),
    KnownAnswer("share", 1 - first_side(10, 3), COUNTED, "random*4", seat=3, options=UNEVEN),
]

game = Game(
    name="partners", title="Partners", seats=(SEATS, SEATS), sides=Side,
    summary="two against two with a card each; chances of both sides known", end_reasons=End,
    options=[integer("cards", CARDS, 8, MOST, "PARTNERS-2", "Cards of the deck"),
             integer("handicap", 0, -20, 20, "PARTNERS-4", "Points taken from seats 0 and 2")],
    state=[Field("card", "i1", (SEATS,), "Card of the seat, -1 = unseen [seat]", value=category("card")),
           Field("exchanged", "i1", (SEATS,), "Card that the seat gave away, 0 = none, -1 = unseen [seat]",
                 value=category("card")),
           Field("swapped", "i1", (SEATS,), "Whether the seat has exchanged its card [seat]")],
    log=Log(seat=[scalar("side", Side, "Side of the seat"),
                  scalar("turns", "i4", "Turns taken by the seat")]),
    streams=["deal/deck"], max_actions=2, max_steps=SEATS,
    setup=setup, legal=legal, apply=apply, observe=observe, redeal=redeal,
    problems=problems, show=show, describe=describe,
    words=Words(RULES, score="points ahead"),
    known_answers=KNOWN_ANSWERS,
)  # fmt: skip
