"""Dice race: roll one die or two and move on; a double sends you back to the start."""

from enum import IntEnum

from simkit import Game, KnownAnswer, Position, below, end, integer, next_seat, offer, rank_by_score, rule

ONE_DIE, TWO_DICE = 0, 1  # actions
End = IntEnum("End", "goal", start=1)  # why a game ended


@rule
def setup(s, rules, rng):
    """Start all seats on space 0; seat 0 begins (DR-1)."""


@rule
def legal(s, rules, out):
    """Offer one die or two (DR-2)."""
    return offer(out, ONE_DIE, TWO_DICE)


@rule
def apply(s, rules, action, rng):
    """Roll the dice (DR-2)."""
    move(s, rules, below(rng.die, 6) + 1, below(rng.die, 6) + 1 if action == TWO_DICE else 0)


@rule
def move(s, rules, first, second):
    """Move by the sum, or back to the start after a double (DR-3); the first at the goal wins (DR-4)."""
    s.score[s.seat] = 0 if first == second else s.score[s.seat] + first + second
    if s.score[s.seat] >= rules.goal:
        rank_by_score(s)
        end(s, End.goal)
    else:
        s.seat = next_seat(s)


def describe(s, rules, action, after):
    """Describe a roll and where it leads."""
    dice = "one die" if action == ONE_DIE else "two dice"
    return f"rolls {dice}: from space {s.score[s.seat]} to {after.score[s.seat]}"


POSITIONS = [
    Position("DR-1", then={"score": [0, 0], "seat": 0}),
    Position("DR-2", then={"legal": [ONE_DIE, TWO_DICE]}),
    Position("DR-3", {"score": [9, 0]}, lambda s, rules, rng: move(s, rules, 4, 2),
             {"score": [15, 0], "seat": 1}),
    Position("DR-3", {"score": [9, 0]}, lambda s, rules, rng: move(s, rules, 4, 4),
             {"score": [0, 0], "seat": 1}),
    Position("DR-4", {"score": [27, 29]}, lambda s, rules, rng: move(s, rules, 3, 0),
             {"end": End.goal, "rank": [1, 2]}),
]  # fmt: skip
DOUBLE = KnownAnswer(
    "two dice are equal", 1 / 6, "counted", holds=lambda s, rules, rng: below(rng.die, 6) == below(rng.die, 6)
)

game = Game(
    name="dice_race", title="Dice race", seats=(2, 4), summary="the first at the goal wins", end_reasons=End,
    options=[integer("goal", 30, 10, 100, "DR-4", "Space of the goal")],
    state=[], streams=["nature/die"], max_actions=2, max_steps=100_000,
    setup=setup, legal=legal, apply=apply, describe=describe, positions=POSITIONS, known_answers=[DOUBLE],
)  # fmt: skip
