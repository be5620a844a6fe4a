"""Strategies for Dice race."""

from games.dice_race import ONE_DIE, TWO_DICE, game

from simkit import Weight, strategy


@strategy(game, safe_from=Weight(14, 0, 100, "Roll one die from this space on"))
def careful(view, rules, w):
    """Roll two dice until there is much to lose, then one."""
    return ONE_DIE if view.score[view.seat] >= w.safe_from else TWO_DICE
