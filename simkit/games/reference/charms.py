"""Charms: one draw of 100 decides who wins; things on the table move it by known amounts.

So what each of them does is known exactly, and what goes with winning is known to be something else: a
planted effect for `simkit ablate`.
"""

from enum import IntEnum
from typing import Any

from simkit.engine.compile.jit import rule
from simkit.engine.fields import SEAT, Field, scalar
from simkit.engine.game import Components, Game, KnownAnswer, Piece, Pieces, Way, Words
from simkit.engine.rng import below
from simkit.engine.rule_helpers import end, next_seat, offer, rank_by_score

WAIT = 0
CROWN, CHARM, CLOCK, STONE = range(4)
NAMES = ["crown", "charm", "clock", "stone"]
PARTS = len(NAMES)
NOBODY = -1
WORTH = [10, 8, 1, 0]  # draws of 100 for its owner; of the clock turns
HUNDRED, EVEN, TURNS = 100, 50, 2
End = IntEnum("End", "unfinished drawn", start=0)
TABLES = [
    Field("worth", "i2", (PARTS,), "Draws of 100, of the clock turns [thing]"),
    Field("there", "i1", (PARTS,), "1 = in the game [thing]"),
]


@rule
def setup(s, rules, rng):
    """Give the crown to the first seat; charm and stone go to a random seat, if they exist (CHA-1)."""
    s.owner[:] = NOBODY
    s.owner[CROWN] = 0
    s.owner[CHARM], s.owner[STONE] = below(rng.charm, 2), below(rng.stone, 2)
    for part in range(PARTS):
        if not rules.there[part]:
            s.owner[part] = NOBODY


@rule
def legal(s, rules, out):
    """Write the only action (CHA-2)."""
    return offer(out, WAIT, WAIT)


@rule
def apply(s, rules, action, rng):
    """Pass a turn; after the last one the draw decides (CHA-2, CHA-3)."""
    s.ply += 1
    if s.ply < TURNS + rules.worth[CLOCK]:
        s.seat = next_seat(s)
        return
    s.score[0 if below(rng.draw, HUNDRED) < chances(s, rules) else 1] = 1
    rank_by_score(s)
    end(s, End.drawn)


@rule
def chances(s, rules):
    """Return the draws of 100 with which the first seat wins (CHA-3)."""
    draws = EVEN
    for part in range(PARTS):
        if part != CLOCK and s.owner[part] != NOBODY:
            draws += rules.worth[part] if s.owner[part] == 0 else -rules.worth[part]
    return draws


def problems(s, rules) -> list[str]:
    """Return broken promises: missing things have no owner."""
    lost = any(s.owner[part] != NOBODY and not rules.there[part] for part in range(PARTS))
    return ["somebody owns what is not there"] if lost else []


def build(options: dict[str, Any], files: dict[str, Any]) -> dict[str, Any]:
    return {"worth": WORTH, "there": [1] * PARTS}


def named(rules: Any) -> list[Piece]:
    return [Piece(name) for name in NAMES]


@rule
def count(s, rules, offer, used, held):
    """Count owned things as held from the start (CHA-1)."""
    for part in range(PARTS):
        if s.owner[part] != NOBODY:
            held[s.owner[part], part] = 1


def strike(rules: Any, chosen: list[int]) -> None:
    rules.worth[chosen] = 0


def leave_out(rules: Any, chosen: list[int]) -> None:
    strike(rules, chosen)
    rules.there[chosen] = 0


WAYS = [
    Way("blank", "worth nothing", named, strike),
    Way("out", "not there", named, leave_out, unownable=True),
]

RULES = """\
CHA-1  The crown is the first seat's. The charm and the stone are dealt to any seat, each by itself.
CHA-2  The seats take turns, two in all and one more for the clock. Nothing is chosen.
CHA-3  A number of 100 is drawn. The first seat wins with 50 of them, 10 more for the crown, 8 more for the
       charm if it has it, 8 fewer if the other has it.
"""

COUNTED = "counted: 50 + 10 of 100"
KNOWN_ANSWERS = [
    KnownAnswer("share", 0.6, COUNTED, "random*2", seat=0),
    KnownAnswer("turns", 3.0, "CHA-2", "random*2"),
]

game = Game(
    name="charms", title="Charms", seats=(2, 2),
    summary="one draw decides, moved by things of known worth: what each does is known", end_reasons=End,
    options=[],
    state=[Field("owner", "i1", (PARTS,), "Owner, -1 = none [thing]", value=SEAT),
           scalar("ply", "i1", "Turns taken")],
    components=Components(TABLES, build, ways=WAYS),
    pieces=Pieces(named, count, played=False, word="thing"),
    streams=["deal/charm", "deal/stone", "nature/draw"], max_actions=1, max_steps=TURNS + 1,
    setup=setup, legal=legal, apply=apply, problems=problems, words=Words(RULES),
    known_answers=KNOWN_ANSWERS,
)  # fmt: skip
