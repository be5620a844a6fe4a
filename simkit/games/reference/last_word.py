"""Last word: the last seat chooses which of the others wins, or chooses in vain.

The smallest game with a kingmaker: known answers for how often the last-placed seat decides the game.
"""

from enum import IntEnum

from simkit.engine.compile.jit import rule
from simkit.engine.fields import SEAT, scalar
from simkit.engine.game import Game, KnownAnswer, Words
from simkit.engine.options import flag
from simkit.engine.rng import below
from simkit.engine.rule_helpers import end, end_turn, offer, rank_by_score

SEATS, TURNS = 3, 6
LEADER, SECOND, LAST = 0, 1, 2  # counted from the seat that leads
POINTS, GIFT = (3, 2, 0), 2
End = IntEnum("End", "unfinished last_seat_spoke", start=0)


@rule
def setup(s, rules, rng):
    """Draw the seat that leads, and let it begin (WORD-1)."""
    s.leader = below(rng.leader, SEATS)
    s.seat = s.leader


@rule
def legal(s, rules, out):
    """Write one action in the first four turns, then two (WORD-2)."""
    return offer(out, 0, 1 if s.ply >= TURNS - 2 else 0)


@rule
def apply(s, rules, action, rng):
    """Give points in the first three turns; then the leader speaks, then the last seat (WORD-2, WORD-3)."""
    if s.ply < SEATS:
        s.score[s.seat] = POINTS[s.ply]
    if s.ply == TURNS - 1 and rules.heard:
        s.score[(s.leader + action) % SEATS] += GIFT
    s.ply += 1
    end_turn(s)
    if s.ply == TURNS:
        rank_by_score(s)
        end(s, End.last_seat_spoke)
    else:
        s.seat = (s.leader + (s.ply if s.ply < SEATS else LAST if s.ply == TURNS - 1 else LEADER)) % SEATS


def problems(s, rules) -> list[str]:
    """Return broken promises: no seat has more points than the leader with the gift."""
    return [] if max(s.score) <= POINTS[LEADER] + GIFT else ["too many points"]


def describe(s, rules, action: int, after) -> str:
    if s.ply < SEATS:
        return f"gets {POINTS[s.ply]} points"
    if s.ply == TURNS - 1:
        return f"speaks for seat {(s.leader + action) % SEATS}"
    return "says something"


RULES = """\
WORD-1  A seat is drawn. It begins and will lead.
WORD-2  Three turns: the first seat gets 3 points, the next 2, the last none. Then the leader speaks twice,
        which changes nothing: once as it must, once as it likes.
WORD-3  The last word is the last seat's. It names one of the two others, who gets 2 points if it is `heard`.
"""

DRAWN = "symmetry: every seat is drawn to lead as often"
KNOWN_ANSWERS = [
    *(KnownAnswer("share", 1 / 3, DRAWN, "random*3", seat=seat) for seat in range(SEATS)),
    KnownAnswer("share", 1 / 3, DRAWN, "random*3", seat=1, options={"heard": False}),
]

game = Game(
    name="last_word", title="Last word", seats=(3, 3),
    summary="the last seat makes the king; how often it decides is known", end_reasons=End,
    options=[flag("heard", True, "WORD-3", "Whether the last word counts")],
    state=[scalar("leader", "i1", "Seat that leads", SEAT), scalar("ply", "i1", "Turns taken")],
    streams=["deal/leader"], max_actions=2, max_steps=TURNS,
    setup=setup, legal=legal, apply=apply, problems=problems, describe=describe,
    words=Words(RULES), known_answers=KNOWN_ANSWERS,
)  # fmt: skip
