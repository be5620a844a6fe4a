"""Families of players: scripted, searching and learned ones.

Players of one family share habits and blind spots, however strong they are. A statement about skill that
rests on one family may therefore be one about that family.
"""

from simkit.engine.lineups import parse_strategy
from simkit.engine.strategy import PERSON, RANDOM
from simkit.engine.table import Player

SCRIPTED, SEARCH, LEARNED = "scripted", "search", "learned"


def family_of(player: Player) -> str:
    """Return the family of a player; empty for random moves and for a person.

    A search is learned if its policy or the values of its leaves are.
    """
    if any(net.size for net in player.nets):
        return LEARNED
    if player.search:
        return SEARCH
    (named,) = parse_strategy(player.label)
    return "" if named.name in (RANDOM, PERSON.name) else SCRIPTED
