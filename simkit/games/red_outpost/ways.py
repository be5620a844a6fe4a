"""Red Outpost: the way to change a special card to measure its effect: leave it out of the game."""

from typing import Any

from simkit.engine.game import Way
from simkit.games.red_outpost.named import named_cards
from simkit.games.red_outpost.options import Where


def leave_out(rules: Any, chosen: list[int]) -> None:
    """Leave these cards out of the game (RO-2.11)."""
    rules.card_where[chosen] = Where.out


WAYS = [Way("out", "left out of the game", named_cards, leave_out, unownable=True)]
