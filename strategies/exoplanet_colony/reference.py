"""The player with whom the games of other implementations are compared (EX-13.3)."""

from simkit.engine.strategy import strategy
from simkit.games.exoplanet_colony import game

from .main import decides
from .style import FEEDS, WEIGHTS, weighted


@strategy(game, allocates=False, label="reference player", **WEIGHTS)
def reference_greedy(view, rules, legal, w):
    """Repairs what is near, feeds what would run dry, deploys whatever helps, then draws (EX-13.3)."""
    return decides(view, rules, legal, weighted(w, FEEDS))
