"""A player of Exoplanet Colony that keeps supplies up (EX-17, survivor)."""

from simkit.engine.compile.jit import rule
from simkit.engine.strategy import Weight, strategy
from simkit.games.exoplanet_colony import game
from simkit.games.exoplanet_colony.facts import CARD, MOST_SUPPLY, NOBODY, RESOURCES, Act, Character, Decision

from . import actions
from .actions import NONE
from .aims import NEEDED, aim_of, gen_card, keep
from .answers import answers, offered
from .main import finishes
from .style import style


@rule
def filling(s, rules, aim, reserve, way):
    """Return the cheap card for the supply that runs dry first within `reserve` turns, NOBODY for none."""
    best, least = NOBODY, 0
    for r in range(RESOURCES):
        now = int(s.production[r])
        after = int(s.supply[r]) + reserve * now
        if now < 0 and after <= 0 and s.supply[r] < MOST_SUPPLY and (best == NOBODY or after < least):
            card = gen_card(s, rules, int(s.hand[s.active]), r, aim, way)
            if card != NOBODY and keep(s, rules, card, aim, way) < NEEDED:
                best, least = card, after
    return best


@rule
def fills(s, rules, can, reserve, way):
    """Feed a supply long before it runs dry, as the Biochemist by the ability."""
    best = actions.has_ability(s, can, Character.biochemist.value)
    if not best and not actions.is_legal(can, Act.generate.value):
        return NONE
    if filling(s, rules, aim_of(s, rules, s.active, way), reserve, way) == NOBODY:
        return NONE
    return Act.ability.value if best else Act.generate.value


@rule
def survives(s, rules, legal, reserve, way):
    """Decide MAIN: as the reference player, but fill after M2 in place of M5."""
    can = offered(legal, 0)
    action = actions.wins_now(s, rules, can, way)
    if action == NONE:
        action = actions.uses_item(s, rules, can, way)
    if action == NONE:
        action = fills(s, rules, can, reserve, way)
    if action == NONE:
        action = actions.repairs(s, rules, can, way)
    if action == NONE:
        action = actions.walks_to_repair(s, rules, can, way)
    if action == NONE:
        action = actions.deploys(s, rules, can, way)
    return action if action != NONE else ends_turn(s, rules, can, way)


@rule
def ends_turn(s, rules, can, way):
    """Apply M7 to M10."""
    action = actions.heals(s, rules, can, way)
    if action == NONE:
        action = actions.takes(s, rules, can, way)
    return action if action != NONE else finishes(s, rules, can, way)


@strategy(game, allocates=False, reserve=Weight(3, 1, 6, "Turns for which supplies are to last"))
def survivor(view, rules, legal, w):
    """Fills up supplies that would run dry within some turns, then repairs and deploys (EX-17)."""
    way = style()
    if view.decision == Decision.main:
        return survives(view, rules, legal, w.reserve, way)
    if view.decision == Decision.gen_card:
        card = filling(view, rules, aim_of(view, rules, view.seat, way), w.reserve, way)
        if card != NOBODY:
            return CARD + card
    return answers(view, rules, legal, way)
