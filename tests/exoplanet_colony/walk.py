"""Whole games of Exoplanet Colony, stepped through from outside with compiled rules.

`Walk` plays one game by a policy; `look` gives a state as plain Python numbers and lists, so that what tests
work out from it owes nothing to the rules.
"""

from types import SimpleNamespace
from typing import Any

import numpy as np

from simkit.games.exoplanet_colony import game
from simkit.games.exoplanet_colony.facts import DATA, Decision
from tests.of_games import stepping
from tests.of_games.stepping import copied as copied
from tests.of_games.walk import Walk as AnyWalk
from tests.of_games.walk import plain
from tests.of_games.walk import uniform as uniform  # EX-11.4 `random`

RESOURCES, COLOURS = DATA["resources"]["order"], DATA["resources"]["colours"]
MODULES = {card: row for row in DATA["modules"] for card in row["card_ids"]}
ITEMS = {row["card_ids"][0]: row["design"] for row in DATA["items"]}
PLANS = {row["card_ids"][0]: row["design"] for row in DATA["plans"]}
EVENTS = [*DATA["normal_events"], *DATA["critical_events"]]
ISSUES = [row["design"] for row in DATA["health_issues"]]
CHARACTERS = [row["design"] for row in DATA["characters"]]


def rules_of(options: dict[str, Any] | None = None) -> np.ndarray:
    """The rules in force, made once for each setting."""
    return stepping.rules_of(game, options)


class Walk(AnyWalk):
    """A game on its way; `now.kind` is the decision by name."""

    game, asks, ids_below = game, "kind", 112

    @staticmethod
    def look(state: Any) -> SimpleNamespace:
        result = plain(game, state)
        result.kind = Decision(result.decision).name
        return result
