"""Dice race: roll one die or two and move on; a double sends you back to the start."""

from enum import IntEnum

from simkit import Game, below, end, integer, next_seat, offer, rank_by_score, rule

ONE_DIE, TWO_DICE = 1, 2  # dice

End = IntEnum("End", "unfinished goal", start=0)  # why a game ended


@rule
def setup(s, rules, rng):
    """Start all seats on space 0; seat 0 begins (DR-1)."""


@rule
def legal(s, rules, out):
    """Offer one die or two (DR-2)."""
    return offer(out, ONE_DIE, TWO_DICE)


@rule
def apply(s, rules, action, rng):
    """Move by the sum, or back to the start after a double (DR-3); the first at the goal wins (DR-4)."""
    first = below(rng.die, 6) + 1
    second = below(rng.die, 6) + 1 if action == TWO_DICE else 0
    s.score[s.seat] = 0 if first == second else s.score[s.seat] + first + second
    s.log.game.turns += 1
    if s.score[s.seat] >= rules.goal:
        rank_by_score(s)
        end(s, End.goal)
    else:
        s.seat = next_seat(s)


def describe(s, rules, action, after):
    """Describe a roll and where it leads."""
    dice = "one die" if action == ONE_DIE else "two dice"
    return f"rolls {dice}: from space {s.score[s.seat]} to {after.score[s.seat]}"


game = Game(
    name="dice_race", title="Dice race", seats=(2, 4), summary="the first at the goal wins", end_reasons=End,
    options=[integer("goal", 30, 10, 100, "DR-4", "Space of the goal")],
    state=[], streams=["nature/die"], max_actions=2, max_steps=100_000,
    setup=setup, legal=legal, apply=apply, describe=describe,
)  # fmt: skip
