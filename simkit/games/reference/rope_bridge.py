"""Rope bridge: all cross together or not at all. At random play a turn moves on as two fair coins do."""

import math
from enum import IntEnum

from simkit.engine.compile.jit import rule
from simkit.engine.fields import scalar
from simkit.engine.game import Game, KnownAnswer, Log, Role, Team, Words
from simkit.engine.options import integer
from simkit.engine.rng import below
from simkit.engine.rule_helpers import OVER, end, next_seat, offer

WALK, RUN = 0, 1
PLANKS, TURNS, HATS = 7, 6, 3
End = IntEnum("End", "unfinished across rope_torn", start=0)
Hat = IntEnum("Hat", "red blue green", start=0)  # worn for nothing: no hat can win more than another


@rule
def setup(s, rules, rng):
    """Let seat 0 begin (BRIDGE-1) and give everybody a hat (BRIDGE-4)."""
    for seat in range(s.seats):
        s.log.seat[seat].hat = below(rng.hats, HATS)


@rule
def legal(s, rules, out):
    """Write walk and run (BRIDGE-2)."""
    return offer(out, WALK, RUN)


@rule
def apply(s, rules, action, rng):
    """Walk a plank, or run two or none by a coin (BRIDGE-2), perhaps to the other side (BRIDGE-3)."""
    planks = 1 if action == WALK else 2 * below(rng.coin, 2)
    s.walked += planks
    s.log.seat[s.seat].planks += planks
    s.ply += 1
    if s.walked >= rules.planks:
        s.rank[:] = 1
        s.score[:] = 1 + rules.rope - s.ply
        end(s, End.across)
    elif s.ply == rules.rope:
        s.score[:] = s.walked - rules.planks
        end(s, End.rope_torn)
    else:
        s.seat = next_seat(s)


def problems(s, rules) -> list[str]:
    """Return broken promises: the game ends when the team is across or the rope is torn."""
    done = s.walked >= rules.planks or s.ply == rules.rope
    return [] if done == (s.seat == OVER) else ["the game does not end with the last plank or turn"]


def show(s, rules) -> str:
    return f"{s.walked} of {rules.planks} planks, turn {s.ply} of {rules.rope}"


def describe(s, rules, action: int, after) -> str:
    if action == WALK:
        return "walks a plank"
    return "runs two planks" if after.walked > s.walked else "runs and gets nowhere"


RULES = """\
BRIDGE-1  A bridge has `planks` planks; its rope holds for `rope` turns. The seats take turns, seat 0 begins.
BRIDGE-2  In a turn the team gets on by one plank (walk), or by two or none as a fair coin says (run).
BRIDGE-3  All win as soon as the last plank is behind them; all lose with the last turn.
BRIDGE-4  Each seat wears a hat of one of three colours, drawn. It does nothing.
"""


def across(turns: int, planks: int = PLANKS, runs: int = 0) -> float:
    """Return the chance to be across after the given random turns and runs.

    A random turn moves on by the heads of two fair coins, a run by two planks if one coin is heads.
    """
    ways = sum(
        math.comb(2 * turns, heads) * math.comb(runs, ran)
        for heads in range(2 * turns + 1)
        for ran in range(runs + 1)
        if heads + 2 * ran >= planks
    )
    return ways / float(2 ** (2 * turns + runs))


COINS = "binomial: a random turn moves on by the heads of two fair coins"
KNOWN_ANSWERS = [
    *(
        KnownAnswer("share", across(TURNS), COINS, f"random*{seats}", seat=seat)
        for seats, seat in ((2, 0), (5, 4))
    ),
    KnownAnswer("share", across(9, 10), COINS, "random*3", seat=1, options={"rope": 9, "planks": 10}),
    KnownAnswer("turns", sum(1 - across(turn) for turn in range(TURNS)), COINS, "random*2"),
    KnownAnswer("draw", 0.0, "a team has no draws", "random*2"),
]

game = Game(
    name="rope_bridge", title="Rope bridge", seats=(2, 5), sides=Team, roles=[Role("hat")],
    summary="cross together or not at all; chances of the team known", end_reasons=End,
    options=[integer("planks", PLANKS, 1, 60, "BRIDGE-1", "Planks of the bridge"),
             integer("rope", TURNS, 1, 30, "BRIDGE-1", "Turns for which the rope holds")],
    state=[scalar("walked", "i2", "Planks behind the team"), scalar("ply", "i1", "Turns taken")],
    log=Log(seat=[scalar("hat", Hat, "Colour of the hat"), scalar("turns", "i4", "Turns taken by the seat"),
                  scalar("planks", "i4", "Planks walked by the seat")]),
    streams=["deal/hats", "nature/coin"], max_actions=2, max_steps=30,
    setup=setup, legal=legal, apply=apply, problems=problems, show=show, describe=describe,
    words=Words(RULES, score="turns to spare", parts=["planks", "turns"]), known_answers=KNOWN_ANSWERS,
)  # fmt: skip
