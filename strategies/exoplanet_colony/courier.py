"""A player of Exoplanet Colony that gives cards (EX-17, courier)."""

from simkit.engine.compile.jit import bit, bit_count, rule
from simkit.engine.strategy import Weight, strategy
from simkit.games.exoplanet_colony import game
from simkit.games.exoplanet_colony.cards import givable, hand_limit
from simkit.games.exoplanet_colony.facts import CARD, ITEM_SET, NOBODY, SEAT, Act, Decision

from . import actions
from .actions import NONE
from .aims import aim_of, below, cheapest, missing_cards, target
from .answers import answers, offered
from .main import begins, finishes, goes_on
from .style import AT_SKULL, style
from .trade import completing
from .values import POINT


@rule
def gift(s, rules, partners, cheap, way):
    """Return the partner to give a card to, the next seat first, and the card; NOBODY for none."""
    aim = aim_of(s, rules, s.active, way)
    spared = below(s, rules, int(s.hand[s.active]) & ~ITEM_SET, POINT * cheap, aim, way)
    for place in range(1, s.seats):
        other = (s.active + place) % s.seats
        if partners & bit(other) and bit_count(s.hand[other]) < hand_limit(s, rules, other):
            cards = welcome(s, rules, other, spared, way)
            if cards != 0:
                return other, cheapest(s, rules, cards, aim, way)[0]
    return NOBODY, NOBODY


@rule
def welcome(s, rules, other, cards, way):
    """Return those of some cards with any of which a seat could deploy the module that it saves for."""
    hand = int(s.hand[other])
    module = target(s, rules, other, hand, way)
    if module == NOBODY or missing_cards(s, rules, other, hand, module) != 1:
        return 0
    return completing(s, rules, other, cards, module)


@rule
def carries(s, rules, legal, cheap, way):
    """Decide MAIN: as the reference player, with a gift before M9."""
    can = offered(legal, 0)
    action = begins(s, rules, can, way)
    if action == NONE:
        action = goes_on(s, rules, can, way)
    if action == NONE and actions.is_legal(can, Act.give.value):
        partners = givable(s, rules, s.active, False)
        action = Act.give.value if gift(s, rules, partners, cheap, way)[0] != NOBODY else NONE
    return action if action != NONE else finishes(s, rules, can, way)


@strategy(game, allocates=False, cheap=Weight(20, 0, 100, "Worth below which a card is given away"))
def courier(view, rules, legal, w):
    """A brinkman who gives the card that a partner on the same module lacks for deploying (EX-17)."""
    way, chosen = style(edge=AT_SKULL), NOBODY
    if view.decision == Decision.main:
        return carries(view, rules, legal, w.cheap, way)
    if view.decision == Decision.give_partner:
        other = gift(view, rules, offered(legal, SEAT), w.cheap, way)[0]
        chosen = SEAT + other if other != NOBODY else NOBODY
    elif view.decision == Decision.give_card:
        card = gift(view, rules, bit(view.partner), w.cheap, way)[1]
        chosen = CARD + card if card != NOBODY else NOBODY
    return chosen if chosen != NOBODY else answers(view, rules, legal, way)
