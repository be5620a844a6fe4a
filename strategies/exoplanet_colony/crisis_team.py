"""A player of Exoplanet Colony that repairs and heals first (EX-17, crisis_team)."""

from simkit.engine.compile.jit import rule
from simkit.engine.strategy import Weight, strategy
from simkit.games.exoplanet_colony import game
from simkit.games.exoplanet_colony.facts import Decision

from . import actions
from .actions import NONE
from .answers import answers, offered
from .main import begins, finishes
from .style import ANY_WAY, style


@rule
def attends(s, rules, legal, way):
    """Decide MAIN: M1 to M4, M7, then M5, M6, M8, M9, M10."""
    can = offered(legal, 0)
    action = begins(s, rules, can, way)
    if action == NONE:
        action = actions.heals(s, rules, can, way)
    if action == NONE:
        action = actions.feeds(s, rules, can, way)
    if action == NONE:
        action = actions.deploys(s, rules, can, way)
    if action == NONE:
        action = actions.takes(s, rules, can, way)
    return action if action != NONE else finishes(s, rules, can, way)


@strategy(game, allocates=False, junk=Weight(50, 0, 100, "Worth below which cards are discarded to recover"))
def crisis_team(view, rules, legal, w):
    """Walks any way to repair, recovers before it builds (EX-17)."""
    way = style(distance=ANY_WAY, junk=w.junk, reaches=0)
    if view.decision == Decision.main:
        return attends(view, rules, legal, way)
    return answers(view, rules, legal, way)
