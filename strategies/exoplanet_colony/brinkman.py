"""Players of Exoplanet Colony that let supplies run dry (EX-17, brinkman, division, selective)."""

from simkit.engine.strategy import Weight, strategy
from simkit.games.exoplanet_colony import game

from .main import decides
from .style import AT_SKULL, WEIGHTS, style, weighted


@strategy(
    game,
    allocates=False,
    plays_on=True,
    edge=Weight(AT_SKULL, 0, 8, "Level from which supplies are fed, 0 = the skull"),
    **WEIGHTS,
)
def brinkman(view, rules, legal, w):
    """Feeds supplies only where the update would bring the skull (EX-17)."""
    return decides(view, rules, legal, weighted(w, w.edge))


@strategy(game, allocates=False)
def division(view, rules, legal):
    """A brinkman who leaves repairs, healing and generating to who has the character for it (EX-17)."""
    return decides(view, rules, legal, style(edge=AT_SKULL, divides=1))


@strategy(
    game,
    allocates=False,
    patience=Weight(5, 1, 12, "Gain from which a module is deployed, but for a full hand"),
)
def selective(view, rules, legal, w):
    """A brinkman who waits for modules that help much, unless the hand is full (EX-17)."""
    return decides(view, rules, legal, style(threshold=w.patience, edge=AT_SKULL))
