"""The order of the rules of MAIN, and all decisions of a player (EX-13.3)."""

from simkit.engine.compile.jit import rule
from simkit.games.exoplanet_colony.facts import Decision

from . import actions
from .actions import NONE
from .answers import answers, offered


@rule
def begins(s, rules, can, style):
    """Apply M1 to M4."""
    action = actions.wins_now(s, rules, can, style)
    if action == NONE:
        action = actions.uses_item(s, rules, can, style)
    if action == NONE:
        action = actions.repairs(s, rules, can, style)
    return action if action != NONE else actions.walks_to_repair(s, rules, can, style)


@rule
def goes_on(s, rules, can, style):
    """Apply M5 to M8."""
    action = actions.feeds(s, rules, can, style)
    if action == NONE:
        action = actions.deploys(s, rules, can, style)
    if action == NONE:
        action = actions.heals(s, rules, can, style)
    return action if action != NONE else actions.takes(s, rules, can, style)


@rule
def finishes(s, rules, can, style):
    """Apply M9 and M10."""
    action = actions.draws(s, rules, can, style)
    if action == NONE:
        action = actions.generates(s, rules, can, style)
    return action if action != NONE else actions.ends(can)


@rule
def acts(s, rules, legal, style):
    """Decide MAIN by the first rule that fires."""
    can = offered(legal, 0)
    action = begins(s, rules, can, style)
    if action == NONE:
        action = goes_on(s, rules, can, style)
    return action if action != NONE else finishes(s, rules, can, style)


@rule
def decides(s, rules, legal, style):
    """Decide everything."""
    if s.decision == Decision.main:
        return acts(s, rules, legal, style)
    return answers(s, rules, legal, style)
