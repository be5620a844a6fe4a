"""Deep mine: draw gems from a bag that everybody knows, and bank them before the second rock."""

from enum import IntEnum

from simkit import Field, Game, integer, rule, scalar
from simkit.engine.rng import below
from simkit.engine.rule_helpers import end, next_seat, rank_by_score

PUSH, BANK = range(2)
ROCK, SORTS = 0, 6  # a sort of gem is worth its number
LOST = 2  # rocks
PER_SEAT = (1, 2, 2, 1, 1, 1)  # tiles of each sort in the bag for each seat
MORE_ROCKS = 2
End = IntEnum("End", "unfinished rounds", start=0)


@rule
def setup(s, rules, rng):
    for sort in range(SORTS):
        s.bag[sort] = PER_SEAT[sort] * s.seats
    s.bag[ROCK] += MORE_ROCKS


@rule
def tiles(counts):
    total = 0
    for sort in range(SORTS):
        total += counts[sort]
    return total


@rule
def legal(s, rules, out):
    """Draw as long as the bag has tiles; bank from the first tile on."""
    n = 0
    if tiles(s.bag) > 0:
        out[n] = PUSH
        n += 1
    if tiles(s.drawn) > 0 or n == 0:
        out[n] = BANK
        n += 1
    return n


@rule
def apply(s, rules, action, rng):
    if action == BANK:
        s.score[s.seat] += s.haul
        s.bag[ROCK] += s.drawn[ROCK]
        end_turn(s, rules)
        return
    place, sort = below(rng.draw, tiles(s.bag)), 0
    while place >= s.bag[sort]:
        place -= s.bag[sort]
        sort += 1
    s.bag[sort] -= 1
    s.drawn[sort] += 1
    s.haul += sort
    if s.drawn[ROCK] == LOST:
        for lost in range(SORTS):
            s.bag[lost] += s.drawn[lost]
        end_turn(s, rules)


@rule
def end_turn(s, rules):
    s.drawn[:] = 0
    s.haul = 0
    s.seat = next_seat(s)
    if s.seat == 0:
        s.round_no += 1
        if s.round_no == rules.rounds:
            rank_by_score(s)
            end(s, End.rounds)


game = Game(
    name="deep_mine", title="Deep Mine", seats=(2, 5), summary="push your luck for gems from a known bag",
    end_reasons=End, options=[integer("rounds", 6, 1, 12, "MINE-1", "Turns of each seat", label="rounds")],
    state=[
        Field("bag", "i2", (SORTS,), "Tiles in the bag: rocks, then gems worth 1 to 5 [sort]"),
        Field("drawn", "i2", (SORTS,), "Tiles drawn in this turn [sort]"),
        scalar("haul", "i2", "Worth of the gems drawn in this turn"),
        scalar("round_no", "i1", "Rounds played"),
    ],
    streams=["nature/draw"], max_actions=2, max_steps=5_000, setup=setup, legal=legal, apply=apply,
)  # fmt: skip
