"""Factions: each seat gets a faction, rolls a die and adds a bonus; with exact chances.

Whether a seat keeps its roll or rolls again decides nothing if it is decided at random: both are one roll of
a die. The chances of the factions at a table are then those of independent rolls with different bonuses.
"""

from enum import IntEnum

from simkit.engine.compile.jit import rule
from simkit.engine.components import Components, Tables
from simkit.engine.fields import CATEGORY, Field, scalar
from simkit.engine.game import Game, KnownAnswer, Log, Role, Words
from simkit.engine.options import Option, integer
from simkit.engine.rng import below
from simkit.engine.rule_helpers import deal_roles, end, offer, rank_by_score

SEATS, KEEP, REROLL = 4, 0, 1
End = IntEnum("End", "unfinished all_rolled", start=0)
Faction = IntEnum("Faction", "miners traders pilots guards", start=0)
FACTIONS = len(Faction)


@rule
def setup(s, rules, rng):
    """Deal the factions (FACTIONS-1); the first seat rolls (FACTIONS-2)."""
    deal_roles(s, rng.factions, s.faction, FACTIONS)
    for seat in range(s.seats):
        s.log.seat[seat].faction = s.faction[seat]
    roll(s, rules, rng)


@rule
def roll(s, rules, rng):
    s.roll[s.seat] = 1 + below(rng.die, rules.faces)


@rule
def legal(s, rules, out):
    """Write whether to keep the roll or to roll again (FACTIONS-2)."""
    return offer(out, KEEP, REROLL)


@rule
def apply(s, rules, action, rng):
    """Keep the roll or roll again (FACTIONS-2); after the last seat the highest total wins (FACTIONS-4)."""
    if action == REROLL:
        roll(s, rules, rng)
    if s.seat < s.seats - 1:
        s.seat += 1
        roll(s, rules, rng)
        return
    for seat in range(s.seats):
        s.score[seat] = s.roll[seat] + bonus(s, rules, seat)
    rank_by_score(s)
    end(s, End.all_rolled)


@rule
def bonus(s, rules, seat):
    """Return what a seat adds to its roll (FACTIONS-3)."""
    own = s.faction[seat]
    points = rules.bonus[own] + (rules.first_bonus if seat == 0 else 0)
    for other in range(s.seats):
        if s.faction[other] == (own + 1) % FACTIONS:
            points += rules.counter
    return points


def problems(s, rules) -> list[str]:
    """Return broken promises: two seats never have the same faction."""
    held = s.faction[: s.seats].tolist()
    return ["two seats have the same faction"] if len(set(held)) < len(held) else []


def show(s, rules) -> str:
    """Return the factions and their rolls."""
    return "  ".join(f"{Faction(int(s.faction[seat])).name} {s.roll[seat]}" for seat in range(s.seats))


def describe(s, rules, action: int, after) -> str:
    """Return an action in words."""
    return f"keeps {s.roll[s.seat]}" if action == KEEP else f"rolls again: {after.roll[s.seat]}"


RULES = """\
FACTIONS-1  Each seat gets a different one of the four factions by lot.
FACTIONS-2  In turn, each seat rolls a die of `faces` faces, and keeps the roll or rolls again once.
FACTIONS-3  A seat adds the bonus of its faction (`bonus_miners`, `bonus_traders`, `bonus_pilots` or
            `bonus_guards`), `counter` if the faction after its own in this order is at the table (after the
            guards the miners), and `first_bonus` if it is the first seat.
FACTIONS-4  The highest total wins; seats that share it share the win.
"""

MOST = 20


def _bonus(faction: Faction) -> Option:
    meaning = f"Bonus of the {faction.name}"
    return integer(f"bonus_{faction.name}", 0, -MOST, MOST, "FACTIONS-3", meaning, treats=(faction.name,))


OPTIONS = [
    integer("faces", 6, 2, MOST, "FACTIONS-2", "Faces of the die"),
    *(_bonus(faction) for faction in Faction),
    integer("counter", 0, 0, MOST, "FACTIONS-3", "Bonus with the faction after the own one at the table"),
    integer("first_bonus", 0, 0, MOST, "FACTIONS-3", "Bonus of the first seat", treats=(0,)),
]


def tables(options, files) -> Tables:
    """Return the bonuses by faction."""
    return {"bonus": [options[f"bonus_{faction.name}"] for faction in Faction]}


SOURCE = "chances of independent rolls"
KNOWN_ANSWERS = [
    KnownAnswer("draw", 1 / 6, SOURCE, "random*2"),
    KnownAnswer("draw", 1 / 3, SOURCE, "random*2", options={"faces": 2, "counter": 1}),
    KnownAnswer("share", 1 / 4, "symmetry", "random*4", seat=3, options={"counter": 2}),
]

game = Game(
    name="factions", title="Factions", seats=(2, SEATS), roles=[Role("faction")],
    summary="roll a die and add the bonus of a faction dealt by lot; chances of the factions known",
    end_reasons=End, options=OPTIONS, max_actions=2, max_steps=SEATS,
    state=[Field("faction", "i1", (SEATS,), "Faction [seat]", value=CATEGORY),
           Field("roll", "i2", (SEATS,), "Roll of the die, 0 before it [seat]")],
    log=Log(seat=[scalar("faction", Faction, "Faction of the seat"),
                  scalar("turns", "i4", "Turns taken by the seat")]),
    streams=["deal/factions", "nature/die"],
    components=Components([Field("bonus", "i2", (FACTIONS,), "Bonus of each faction [faction]")], tables),
    setup=setup, legal=legal, apply=apply, problems=problems, show=show, describe=describe,
    words=Words(RULES), known_answers=KNOWN_ANSWERS,
)  # fmt: skip
