"""Race to six: the seats roll one die in turn, the first six wins. The shares are a geometric series."""

from enum import IntEnum

from simkit.engine.compile.jit import rule
from simkit.engine.fields import scalar
from simkit.engine.game import Game, KnownAnswer, Words
from simkit.engine.options import integer
from simkit.engine.rng import below
from simkit.engine.rule_helpers import OVER, end, next_seat, offer, rank_by_score

ROLL = 0
End = IntEnum("End", "unfinished highest_face", start=0)


@rule
def setup(s, rules, rng):
    """Let seat 0 begin (RACE-1)."""


@rule
def legal(s, rules, out):
    """Write the only action, a roll (RACE-1)."""
    return offer(out, ROLL, ROLL)


@rule
def apply(s, rules, action, rng):
    """Roll the die (RACE-2)."""
    roll(s, rules, below(rng.die, rules.faces) + 1)


@rule
def roll(s, rules, face):
    """Let the highest face win (RACE-3); any other passes the die on (RACE-1)."""
    s.last_roll = face
    if face == rules.faces:
        s.score[s.seat] = 1
        rank_by_score(s)
        end(s, End.highest_face)
    else:
        s.seat = next_seat(s)


def problems(s, rules) -> list[str]:
    """Return broken promises: the race lasts exactly until the highest face is rolled."""
    rolled = s.last_roll == rules.faces
    return [] if rolled == (s.seat == OVER) else ["the race does not end with the highest face"]


def show(s, rules) -> str:
    rolled = f"last roll {s.last_roll}" if s.last_roll else "no roll yet"
    return f"{rolled}, game over" if s.seat == OVER else f"{rolled}, seat {s.seat} has the die"


def describe(s, rules, action: int, after) -> str:
    return f"rolls a {after.last_roll}"


RULES = """\
RACE-1  The seats roll the die in turn, once each, beginning with seat 0.
RACE-2  The die has `faces` faces.
RACE-3  The first to roll the highest face wins; all others share the second rank.
"""


def share(seat: int, seats: int, faces: int = 6) -> float:
    """Return the chance of a seat, whose first turn comes after `seat` misses and then once a round."""
    miss = 1 - 1 / faces
    return miss**seat / faces / (1 - miss**seats)


SERIES = "geometric series: (1/f) q^s / (1 - q^n) with q = 1 - 1/f"
KNOWN_ANSWERS = [
    *(KnownAnswer("share", share(seat, seats), SERIES, f"random*{seats}", seat=seat)
      for seats in (2, 3, 10) for seat in range(seats)),
    KnownAnswer("turns", 6.0, "mean of the geometric distribution", "random*2"),
    KnownAnswer("turns", 1 / 6, "the first roll", "random*2", equals=1),
    KnownAnswer("share", share(0, 2, 20), SERIES, "random*2", seat=0, options={"faces": 20}),
]  # fmt: skip

game = Game(
    name="race_to_six", title="Race to six", seats=(2, 10),
    summary="the first six wins; shares of every seat known", end_reasons=End,
    options=[integer("faces", 6, 2, 100, "RACE-2", "Faces of the die")],
    state=[scalar("last_roll", "i1", "Last face rolled, 0 = none yet")],
    streams=["nature/die"], max_actions=1, max_steps=1_000_000,
    setup=setup, legal=legal, apply=apply, problems=problems, show=show, describe=describe,
    words=Words(RULES), known_answers=KNOWN_ANSWERS,
)  # fmt: skip
