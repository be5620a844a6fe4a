"""Strategies for Pig."""

from simkit import Weight, strategy
from simkit.games.pig import HOLD, ROLL, game


@strategy(
    game,
    label="hold at a total",
    threshold=Weight(20, 1, 1000, "Hold from this turn total on, points", label="hold from"),
)
def hold_at(view, rules, w):
    """Roll until the turn total reaches the threshold or the goal, then hold."""
    enough = view.turn_total >= w.threshold or view.score[view.seat] + view.turn_total >= rules.goal
    return HOLD if enough else ROLL
