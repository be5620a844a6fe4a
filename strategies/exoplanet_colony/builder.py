"""A player of Exoplanet Colony who races (EX-17, builder)."""

from simkit.games.exoplanet_colony import game
from simkit.games.exoplanet_colony.facts import Decision
from simkit.jit import rule
from simkit.strategy import strategy

from . import actions
from .actions import NONE
from .aims import aim_of
from .answers import answers, offered
from .style import style


@rule
def builds(s, rules, legal, way):
    """MAIN: M1, M2, M3, M6, M9, else draws."""
    can, aim = offered(legal, 0), aim_of(s, rules, s.active, way)
    action = actions.wins_now(s, rules, can, aim, way)
    if action == NONE:
        action = actions.uses_item(s, rules, can, aim, way)
    if action == NONE:
        action = actions.repairs(s, rules, can, aim, way)
    if action == NONE:
        action = actions.deploys(s, rules, can, aim, way)
    if action == NONE:
        action = actions.draws(s, rules, can, aim, way)
    return action if action != NONE else actions.ends(can)


@strategy(game)
def builder(view, rules, legal):
    """Deploys and draws; never walks to repair, generates, heals or trades (EX-17)."""
    way = style()
    if view.decision == Decision.main:
        return builds(view, rules, legal, way)
    return answers(view, rules, legal, way)
