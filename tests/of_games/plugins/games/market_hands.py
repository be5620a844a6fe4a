"""Market hands: four rounds of five hidden cards each, exchanged with an open row for sets of a kind."""

from enum import IntEnum

from simkit import Field, Game, integer, rule, scalar
from simkit.engine.compile.jit import clone_before
from simkit.engine.rng import below
from simkit.engine.rule_helpers import end, next_seat, rank_by_score

KINDS, ROW, HAND, CYCLES, MOST = 6, 4, 5, 4, 4
COPIES = (12, 10, 8, 8, 6, 6)
PASS = ROW * KINDS
UNSEEN = -1
End = IntEnum("End", "unfinished rounds", start=0)


@rule
def draw(pool, stream):
    """Take a card of a pool."""
    total, kind = 0, 0
    for other in range(KINDS):
        total += pool[other]
    place = below(stream, total)
    while place >= pool[kind]:
        place -= pool[kind]
        kind += 1
    pool[kind] -= 1
    return kind


@rule
def deal(s, rng):
    """Shuffle all cards; deal the hands and the row."""
    s.hand[:, :] = 0
    s.left[:] = 0
    for kind in range(KINDS):
        s.pool[kind] = COPIES[kind]
    for seat in range(s.seats):
        for _ in range(HAND):
            s.hand[seat, draw(s.pool, rng.deck)] += 1
    for slot in range(ROW):
        s.row[slot] = draw(s.pool, rng.deck)
    s.plies = 0


@rule
def setup(s, rules, rng):
    deal(s, rng)


@rule
def legal(s, rules, out):
    """Give a card of the hand for one of the row, or pass."""
    n = 0
    for slot in range(ROW):
        for kind in range(KINDS):
            if s.hand[s.seat, kind] > 0 and s.row[slot] != kind:
                out[n] = slot * KINDS + kind
                n += 1
    out[n] = PASS
    return n + 1


@rule
def apply(s, rules, action, rng):
    if action != PASS:
        slot, kind = action // KINDS, action % KINDS
        s.hand[s.seat, kind] -= 1
        s.hand[s.seat, s.row[slot]] += 1
        s.row[slot] = kind
    s.seat = next_seat(s)
    s.plies += 1
    if s.plies % s.seats == 0:
        slot = (s.plies // s.seats) % ROW
        s.left[s.row[slot]] += 1
        s.row[slot] = draw(s.pool, rng.deck)
        if s.plies == CYCLES * s.seats:
            end_round(s, rules, rng)


@rule
def end_round(s, rules, rng):
    """Score the squares of the sets; deal anew, or end the game."""
    for seat in range(s.seats):
        for kind in range(KINDS):
            s.score[seat] += int(s.hand[seat, kind]) * int(s.hand[seat, kind])
    s.round_no += 1
    if s.round_no == rules.rounds:
        rank_by_score(s)
        end(s, End.rounds)
    else:
        deal(s, rng)
        s.seat = s.round_no % s.seats


@rule
def observe(s, rules, seat, view):
    clone_before(view, s, "log")
    view.pool[:] = UNSEEN
    for other in range(s.seats):
        if other != seat:
            view.hand[other, :] = UNSEEN


@rule
def redeal(view, rules, seat, stream):
    """Deal the unseen cards to the other hands; the rest is the pool."""
    for kind in range(KINDS):
        view.pool[kind] = COPIES[kind] - view.left[kind] - view.hand[seat, kind]
    for slot in range(ROW):
        view.pool[view.row[slot]] -= 1
    for other in range(view.seats):
        if other != seat:
            view.hand[other, :] = 0
            for _ in range(HAND):
                view.hand[other, draw(view.pool, stream)] += 1


game = Game(
    name="market_hands", title="Market Hands", seats=(2, MOST), summary="exchange hidden cards for sets",
    end_reasons=End, options=[integer("rounds", 4, 1, 9, "MARKET-1", "Rounds of the game", label="rounds")],
    state=[
        Field("hand", "i1", (MOST, KINDS), "Cards in hand, -1 = unseen [seat, kind]"),
        Field("row", "i1", (ROW,), "Kind of the card in the row [slot]"),
        Field("pool", "i1", (KINDS,), "Cards in the deck, -1 = unseen [kind]"),
        Field("left", "i1", (KINDS,), "Cards that left the row [kind]"),
        scalar("plies", "i1", "Turns taken in this round"),
        scalar("round_no", "i1", "Rounds played"),
    ],
    streams=["deal/deck"], max_actions=PASS + 1, max_steps=200, setup=setup, legal=legal, apply=apply,
    observe=observe, redeal=redeal,
)  # fmt: skip
