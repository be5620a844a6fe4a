"""Red Outpost: what may be done to a special card to see what it does: it is out of the game."""

from typing import Any

from simkit.engine.game import Way
from simkit.games.red_outpost.named import named_cards
from simkit.games.red_outpost.options import Where


def leave_out(rules: Any, chosen: list[int]) -> None:
    """Nobody gets these cards (RO-2.11)."""
    rules.card_where[chosen] = Where.out


WAYS = [Way("out", "left out of the game", named_cards, leave_out, gone=True)]
