"""Card duel: lay a card from a hidden hand, the highest card takes the trick; most tricks win."""

from enum import IntEnum

from simkit import (
    Field,
    Game,
    Position,
    add,
    below,
    end,
    integer,
    next_seat,
    observe_open,
    rank_by_score,
    rule,
)

SEATS, CARDS = 4, 24  # at most four seats; cards 0 to 23, the higher number wins
UNSEEN, DECK, OUT, HELD = -1, 0, 1, 2  # places of a card: HELD + seat is a hand
End = IntEnum("End", "hands_empty", start=1)

STATE = [
    Field("place", "i1", (CARDS,), "-1 unseen, 0 deck, 1 laid, 2 and more: hand of seat 0, 1, ... [card]"),
    Field("cards", "i1", (SEATS,), "Cards in hand [seat]"),
    Field("laid", "i1", (SEATS,), "Card laid in this trick, -1 = none yet [seat]"),
]


@rule
def setup(s, rules, rng):
    """Deal a hidden hand to each seat (CD-1)."""
    for seat in range(s.seats):
        s.cards[seat] = rules.hand
        s.laid[seat] = -1
        for _ in range(rules.hand):
            take_card(s, seat, DECK, rng.deck)


@rule
def take_card(s, seat, place, stream):
    """Give a seat a random card from a place."""
    n = 0
    for card in range(CARDS):
        n += s.place[card] == place
    skip = below(stream, n)
    for card in range(CARDS):
        if s.place[card] == place:
            if skip == 0:
                s.place[card] = HELD + seat
                return
            skip -= 1


@rule
def legal(s, rules, out):
    """Offer the cards in hand (CD-2)."""
    n = 0
    for card in range(CARDS):
        if s.place[card] == HELD + s.seat:
            n = add(out, n, card)
    return n


@rule
def apply(s, rules, action, rng):
    """Lay a card (CD-2); after the last seat the trick is taken (CD-3)."""
    s.place[action] = OUT
    s.laid[s.seat] = action
    s.cards[s.seat] -= 1
    s.seat = next_seat(s)
    if s.laid[s.seat] != -1:
        take_trick(s)


@rule
def take_trick(s):
    """The highest card takes the trick (CD-3); when the hands are empty, most tricks win (CD-4)."""
    winner = 0
    for seat in range(s.seats):
        if s.laid[seat] > s.laid[winner]:
            winner = seat
    s.score[winner] += 1
    s.laid[:] = -1
    if s.cards[0] == 0:
        rank_by_score(s)
        end(s, End.hands_empty)


@rule
def observe(s, rules, seat, view):
    """Hide the deck and the hands of others."""
    observe_open(s, rules, seat, view)
    for card in range(CARDS):
        if s.place[card] != OUT and s.place[card] != HELD + seat:
            view.place[card] = UNSEEN


@rule
def redeal(view, rules, seat, stream):
    """Deal the other hands from the cards that the seat does not see; the rest is the deck."""
    for other in range(view.seats):
        if other != seat:
            for _ in range(view.cards[other]):
                take_card(view, other, UNSEEN, stream)
    for card in range(CARDS):
        if view.place[card] == UNSEEN:
            view.place[card] = DECK


def problems(s, rules):
    """Return broken invariants in words."""
    held = [sum(s.place == HELD + seat) for seat in range(s.seats)]
    return [] if held == list(s.cards[: s.seats]) else [f"hands have {held} cards, not {s.cards[: s.seats]}"]


def describe(s, rules, action, after):
    """Describe an action."""
    return f"lays card {action}"


LAST = {"place": [DECK] * 20 + [HELD, DECK, DECK, HELD + 1], "cards": [1, 1], "score": [3, 1]}
POSITIONS = [
    Position(
        "CD-1", then={"cards": [5, 5], "view[0].place is hidden": lambda s, rules: sum(s.place == HELD) == 5}
    ),
    Position("CD-2", LAST, 20, {"place[20]": OUT, "laid": [20, -1], "seat": 1, "view[0].place[23]": UNSEEN}),
    Position("CD-3, CD-4", LAST, [20, 23], {"score": [3, 2], "rank": [1, 2], "end": End.hands_empty}),
]

game = Game(
    name="card_duel", title="Card duel", seats=(2, SEATS), summary="most tricks win", end_reasons=End,
    options=[integer("hand", 5, 1, 6, "CD-1", "Cards dealt to each player")],
    state=STATE, streams=["deal/deck"], max_actions=6, action_ids=CARDS,
    setup=setup, legal=legal, apply=apply, observe=observe, redeal=redeal,
    problems=problems, describe=describe, positions=POSITIONS,
)  # fmt: skip
