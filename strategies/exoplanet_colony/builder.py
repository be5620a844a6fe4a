"""A player of Exoplanet Colony that races (EX-17, builder)."""

from simkit.engine.compile.jit import rule
from simkit.engine.strategy import strategy
from simkit.games.exoplanet_colony import game
from simkit.games.exoplanet_colony.facts import Decision

from . import actions
from .actions import NONE
from .answers import answers, offered
from .style import style


@rule
def builds(s, rules, legal, way):
    """Decide MAIN: M1, M2, M3, M6, M9, else draw."""
    can = offered(legal, 0)
    action = actions.wins_now(s, rules, can, way)
    if action == NONE:
        action = actions.uses_item(s, rules, can, way)
    if action == NONE:
        action = actions.repairs(s, rules, can, way)
    if action == NONE:
        action = actions.deploys(s, rules, can, way)
    if action == NONE:
        action = actions.draws(s, rules, can, way)
    return action if action != NONE else actions.ends(can)


@strategy(game, allocates=False)
def builder(view, rules, legal):
    """Deploys and draws; never walks to repair, generates, heals or trades (EX-17)."""
    way = style()
    if view.decision == Decision.main:
        return builds(view, rules, legal, way)
    return answers(view, rules, legal, way)
