"""High card: three shuffled cards, face down in a row; every seat takes one, the highest card wins.

Exact answers for what shuffles (`chance.shuffle`) and what picks among equal actions (`chance.below`,
`best_of`, `any_of`): each of the six orders of the cards has the chance 1/6, and each of the six ways to take
them; dealt in order, every seat wins 1/3.

The naive shuffle swaps each of the three cards with any of the three. Its 27 equally likely ways lead to
six orders, and 27 is no multiple of 6: 4 ways lead to each of 1 2 3, 3 1 2 and 3 2 1, and 5 ways to each of
1 3 2, 2 1 3 and 2 3 1. The highest card is then first in 4 + 4 ways, second in 5 + 5, third in 4 + 5: dealt
in order, the seats win 8/27, 10/27 and 9/27.
"""

from enum import IntEnum

from simkit.engine.compile.jit import rule
from simkit.engine.fields import CATEGORY, SEAT, Field, scalar
from simkit.engine.game import Game, KnownAnswer, Log, Words
from simkit.engine.options import flag
from simkit.engine.rng import shuffle
from simkit.engine.rule_helpers import add, end, next_seat, observe_open, rank_by_score

CARDS = 3  # as many as seats
ORDERS = 6
UNSEEN, NO_SEAT = 0, -1
STATE = [
    Field("card", "i1", (CARDS,), "Card in the row, 1 to 3, 0 = unseen [place]", value=CATEGORY),
    Field("taker", "i1", (CARDS,), "Seat that has taken the card, -1 = none yet [place]", value=SEAT),
]
LOG = [
    scalar("shuffled", "i1", "Order of the cards in the row: 0 = 1 2 3, 1 = 1 3 2, ... 5 = 3 2 1"),
    scalar("taken", "i1", "Order of the seats along the row: 0 = 0 1 2, 1 = 0 2 1, ... 5 = 2 1 0"),
]
End = IntEnum("End", "unfinished cards_shown", start=0)


@rule
def setup(s, rules, rng):
    """Shuffle the cards into a row; seat 0 begins (HIGH-1)."""
    lay_out(s)
    shuffle(rng.row, s.card, CARDS)
    s.log.game.shuffled = order_of(s.card)
    s.taker[:] = NO_SEAT


@rule
def lay_out(s):
    for place in range(CARDS):
        s.card[place] = place + 1


@rule
def order_of(values):
    """Return the number of an order of three different values, 0 = ascending, 5 = descending."""
    lower = int(values[1] < values[0]) + int(values[2] < values[0])
    return 2 * lower + int(values[1] > values[2])


@rule
def legal(s, rules, out):
    """Write the cards left in the row, or the next one if cards are dealt (HIGH-2)."""
    n = 0
    for place in range(CARDS):
        if s.taker[place] == NO_SEAT and (place == s.seat or not rules.dealt):
            n = add(out, n, place)
    return n


@rule
def apply(s, rules, action, rng):
    """Take a card (HIGH-2); after the last one show all cards (HIGH-3)."""
    s.taker[action] = s.seat
    if s.seat < CARDS - 1:
        s.seat = next_seat(s)
    else:
        show_cards(s)


@rule
def show_cards(s):
    """Score every seat's card; the highest wins (HIGH-3)."""
    for place in range(CARDS):
        s.score[s.taker[place]] = s.card[place]
    s.log.game.taken = order_of(s.taker)
    rank_by_score(s)
    end(s, End.cards_shown)


@rule
def observe(s, rules, seat, view):
    """Hide all cards until all are taken (HIGH-2)."""
    observe_open(s, rules, seat, view)
    view.card[:] = UNSEEN


@rule
def redeal(view, rules, seat, stream):
    """Lay out the cards in a random order."""
    lay_out(view)
    shuffle(stream, view.card, CARDS)


def problems(s, rules) -> list[str]:
    """Return broken promises: the row has each card once; a seat takes one card."""
    takers = [int(seat) for seat in s.taker if seat != NO_SEAT]
    broken = {
        "the row does not have each card once": sorted(s.card) != list(range(1, CARDS + 1)),
        "a seat has taken two cards": len(takers) > len(set(takers)),
    }
    return [problem for problem, holds in broken.items() if holds]


def show(s, rules) -> str:
    return ", ".join(show_card(int(s.card[place]), int(s.taker[place])) for place in range(CARDS))


def show_card(card: int, seat: int) -> str:
    """Describe a card in the row, and who has taken it.

    >>> show_card(3, 1)
    '3 (seat 1)'
    """
    face = "face down" if card == UNSEEN else str(card)
    return face if seat == NO_SEAT else f"{face} (seat {seat})"


def describe(s, rules, action: int, after) -> str:
    return f"takes card {action + 1} of the row"


RULES = """\
HIGH-1  Three cards, 1 to 3, are shuffled and laid out in a row, face down. Seat 0 begins.
HIGH-2  In turn each seat takes a card without looking at it: any card that is left or, if cards are `dealt`,
        the next one in the row.
HIGH-3  Then all cards are shown. Each seat scores its card; the highest card wins.
"""

SHUFFLED = "symmetry: every order of shuffled cards is equally likely"
CHOSEN = "symmetry: every choice among equal cards is equally likely"
DEALT = {"dealt": True}
KNOWN_ANSWERS = [
    *(
        KnownAnswer("share", 1 / CARDS, SHUFFLED, "random*3", seat=seat, options=DEALT)
        for seat in range(CARDS)
    ),
    *(KnownAnswer("shuffled", 1 / ORDERS, SHUFFLED, "random*3", equals=order, options=DEALT)
      for order in range(ORDERS)),
    *(KnownAnswer("taken", 1 / ORDERS, CHOSEN, lineup, equals=order)
      for lineup in ("random*3", "tied*3", "indifferent*3") for order in range(ORDERS)),
]  # fmt: skip

game = Game(
    name="high_card", title="High card", seats=(CARDS, CARDS),
    summary="take one of three shuffled cards; exact chances of shuffles and of choices among equals",
    end_reasons=End,
    options=[flag("dealt", False, "HIGH-2", "Whether cards are dealt in the order of the row, else chosen",
                  label="cards", values={"false": "chosen", "true": "dealt in order"})],
    state=STATE, log=Log(game=LOG), streams=["deal/row"], max_actions=CARDS, max_steps=CARDS,
    setup=setup, legal=legal, apply=apply, observe=observe, redeal=redeal,
    problems=problems, show=show, describe=describe, words=Words(RULES), known_answers=KNOWN_ANSWERS,
)  # fmt: skip
