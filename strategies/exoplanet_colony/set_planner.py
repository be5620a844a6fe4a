"""A player of Exoplanet Colony that saves for modules that go together (EX-17, set_planner)."""

from simkit.engine.strategy import Weight, strategy
from simkit.games.exoplanet_colony import game

from .main import decides
from .style import AT_SKULL, style


@strategy(
    game,
    allocates=False,
    card=Weight(2, 0, 5, "What each card that a set of modules still lacks costs, in its gain"),
)
def set_planner(view, rules, legal, w):
    """A brinkman who saves for the best set of up to three modules of the hand (EX-17)."""
    return decides(view, rules, legal, style(edge=AT_SKULL, planned=w.card))
