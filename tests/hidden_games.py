"""A right card game in which seats learn about hidden cards, and variants that a newcomer would write."""

from tests.broken_games import Fault

SPIES = '''"""Spies: hold a card, draw one, play one of the two; spies look at a card, couriers may change theirs."""

from enum import IntEnum

from simkit import OVER, Field, Game, end, integer, next_seat, rank_by_score, rule, scalar
from simkit.engine.compile.jit import clone_before
from simkit.engine.fields import SEAT, category
from simkit.engine.rng import below, shuffle

SPY, COURIER, HIGHEST, SEATS = 1, 2, 6, 3
COPIES = (0, 4, 3, 2, 1, 1, 1)
CARDS = 12
NONE, KEEP, CHANGE = -1, 0, 7
End = IntEnum("End", "unfinished deck_empty", start=0)


@rule
def setup(s, rules, rng):
    """Shuffle; each seat gets a card (SPY-1)."""
    n = 0
    for card in range(1, HIGHEST + 1):
        for _ in range(COPIES[card]):
            s.deck[n] = card
            n += 1
    shuffle(rng.deck, s.deck, CARDS)
    s.deck_n = CARDS
    s.hand[:] = NONE
    s.known[:, :] = NONE
    s.bottom[:] = NONE
    for seat in range(s.seats):
        s.hand[seat] = take(s)
    s.drawn = take(s)


@rule
def take(s):
    """Take the next card of the deck."""
    s.deck_n -= 1
    card = s.deck[s.deck_n]
    s.deck[s.deck_n] = NONE
    return card


@rule
def legal(s, rules, out):
    """Play either card (SPY-2); after a courier keep the card or change it (SPY-4)."""
    if s.changes:
        out[0], out[1] = KEEP, CHANGE
        return 2
    held, drawn = s.hand[s.seat], s.drawn
    out[0] = min(held, drawn)
    if held == drawn:
        return 1
    out[1] = max(held, drawn)
    return 2


@rule
def apply(s, rules, action, rng):
    """Play a card (SPY-2) with its effect (SPY-3, SPY-4)."""
    if s.changes:
        change(s, action)
        go_on(s)
        return
    play(s, action)
    if action == SPY and s.played[COURIER] == 0:
        look(s)
    if action == COURIER:
        s.changes = True
    else:
        go_on(s)


@rule
def play(s, card):
    """Lay a card open; who knew it knows nothing now (SPY-2)."""
    if s.hand[s.seat] == card:
        s.hand[s.seat] = s.drawn
    for other in range(s.seats):
        if s.known[other, s.seat] == card:
            s.known[other, s.seat] = NONE
    s.drawn = NONE
    s.played[card] += 1
    s.last_played = card


@rule
def look(s):
    """Look at the card of the next seat, unless couriers are under way (SPY-3)."""
    s.known[s.seat, next_seat(s)] = s.hand[next_seat(s)]


@rule
def change(s, action):
    """Change the card for the lowest of the deck in secret, or do not (SPY-4)."""
    for other in range(s.seats):
        if s.known[other, s.seat] != NONE and s.known[other, s.seat] == s.bottom[other]:
            continue  # who knows that both are the same still knows both
        s.known[other, s.seat] = NONE
        if other != s.seat:
            s.bottom[other] = NONE
    if action == CHANGE:
        s.bottom[s.seat] = s.hand[s.seat]
        s.hand[s.seat] = s.deck[0]
        s.deck[0] = s.bottom[s.seat]
    s.changes = False


@rule
def go_on(s):
    """The next seat draws; when only the lowest card is left, the highest card wins (SPY-5)."""
    if s.deck_n == 1:
        for seat in range(s.seats):
            s.score[seat] = s.hand[seat]
        rank_by_score(s)
        end(s, End.deck_empty)
    else:
        s.seat = next_seat(s)
        s.drawn = take(s)


@rule
def observe(s, rules, seat, view):
    clone_before(view, s, "log")
    view.deck[:] = NONE
    if seat != s.seat:
        view.drawn = NONE
    for other in range(s.seats):
        if other != seat:
            view.hand[other] = NONE
            view.known[other, :] = NONE
            view.bottom[other] = NONE


@rule(allocates=True)
def redeal(view, rules, seat, stream):
    """Deal what the seat has not seen, after the cards that it knows."""
    left = unseen(view, seat)
    for other in range(view.seats):
        if other != seat and view.hand[other] == NONE and view.known[seat, other] != NONE:
            view.hand[other] = view.known[seat, other]
            left[view.hand[other]] -= 1
    if view.bottom[seat] != NONE:
        left[view.bottom[seat]] -= 1
    for other in range(view.seats):
        if view.hand[other] == NONE:
            view.hand[other] = draw(left, stream)
    if view.seat != OVER and view.seat != seat and not view.changes:
        view.drawn = draw(left, stream)
    view.deck[0] = view.bottom[seat] if view.bottom[seat] != NONE else draw(left, stream)
    for place in range(1, view.deck_n):
        view.deck[place] = draw(left, stream)


@rule(allocates=True)
def unseen(view, seat):
    """Return how many cards of each kind the seat has not seen."""
    left = np.zeros(HIGHEST + 1, np.int64)
    for card in range(1, HIGHEST + 1):
        left[card] = COPIES[card] - view.played[card]
    left[view.hand[seat]] -= 1
    if view.drawn != NONE:
        left[view.drawn] -= 1
    return left


@rule
def draw(left, stream):
    """Draw one of the cards that are left."""
    total = 0
    for card in range(1, HIGHEST + 1):
        total += max(0, left[card])
    place, card = below(stream, max(1, total)), 1
    while card < HIGHEST and place >= max(0, left[card]):
        place -= max(0, left[card])
        card += 1
    left[card] -= 1
    return card


def problems(s, rules):
    held = [int(card) for card in [*s.hand[: s.seats], s.drawn, *s.deck[: s.deck_n]] if card != NONE]
    counts = [held.count(card) + int(s.played[card]) for card in range(1, HIGHEST + 1)]
    return [] if counts == list(COPIES[1:]) else [f"cards are missing or doubled: {counts}"]


game = Game(
    name="spies", title="Spies", seats=(2, SEATS), summary="cards that others may have seen", end_reasons=End,
    options=[integer("unused", 0, 0, 1, "SPY-1", "Nothing")], max_actions=2, action_ids=8, max_steps=40,
    state=[
        Field("hand", "i1", (SEATS,), "Card held, -1 unseen [seat]", value=category("card")),
        Field("known", "i1", (SEATS, SEATS), "Card of another seat that a seat has seen [seat, other]", value=category("card")),
        Field("bottom", "i1", (SEATS,), "Lowest card of the deck if the seat knows it [seat]", value=category("card")),
        scalar("drawn", "i1", "Card drawn, -1 none or unseen", category("card")),
        Field("deck", "i1", (CARDS,), "Deck, drawn from its end [place]", value=category("card")),
        scalar("deck_n", "i1", "Cards in the deck"),
        scalar("last_played", "i1", "Card played last", category("card")),
        scalar("changes", "i1", "Whether the seat may change its card"),
        Field("played", "i1", (HIGHEST + 1,), "Cards played [card]"),
    ],
    streams=["deal/deck"], setup=setup, legal=legal, apply=apply, observe=observe, redeal=redeal,
    problems=problems,
)
'''.replace("from enum import IntEnum\n", "from enum import IntEnum\n\nimport numpy as np\n", 1)  # fmt: skip

SILENT = SPIES.replace("    problems=problems,\n", "")  # without invariants of its own

KNOWN_CARDS = """        if other != seat and view.hand[other] == NONE and view.known[seat, other] != NONE:
            view.hand[other] = view.known[seat, other]
            left[view.hand[other]] -= 1
"""
FAULTS = [
    Fault(
        "a redeal ignores the discards", "COPIES[card] - view.played[card]", "COPIES[card]",
        "a state redealt from what seat", "def redeal",
    ),
    Fault(
        "a redeal ignores what the seat knows", KNOWN_CARDS, "        pass\n", "seat ", "def ",
    ),
    Fault(
        "the knowledge of others is visible", "            view.known[other, :] = NONE\n", "",
        "where known", "def redeal",
    ),
    Fault(
        "a view leaks by what it forgets",
        """        s.known[other, s.seat] = NONE
        if other != s.seat:
            s.bottom[other] = NONE
""",
        """        if action == CHANGE:
            s.known[other, s.seat] = NONE
        if other != s.seat:
            s.bottom[other] = NONE
""",
        "which its view hides only if it has changed", "def observe",
    ),
    Fault(
        "a view forgets", "            view.known[other, :] = NONE\n",
        "            view.known[other, :] = NONE\n        elif seat != s.seat:\n            view.known[seat, :] = NONE\n",
        "which it still is, but redeal draws it at random", "def observe",
    ),
    Fault(
        "knowledge is stale", "            s.known[other, s.seat] = NONE\n    s.drawn", "            pass\n    s.drawn",
        "redeal", "def redeal",
    ),
]  # fmt: skip
