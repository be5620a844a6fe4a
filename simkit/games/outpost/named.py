"""Outpost: what is bought by name, upgrades and factories, and where it is (OP-5.15 to OP-5.22)."""

from typing import Any

from simkit.engine.compile.jit import rule
from simkit.engine.game import Piece
from simkit.engine.options import to_words
from simkit.games.outpost.facts import FACTORIES, FACTORY_NAMES, TYPES, UPGRADE_NAMES, Step


def named_things(rules: Any) -> list[Piece]:
    """Return the upgrades and factories as pieces."""
    upgrades = [Piece(to_words(name), (("sort", "upgrade"),)) for name in UPGRADE_NAMES]
    return upgrades + [Piece(f"{to_words(name)} factory", (("sort", "factory"),)) for name in FACTORY_NAMES]


@rule
def count_things(s, rules, offer, used, held):
    """Count upgrades on the market as offered, and factories whenever seats act (OP-5.1, OP-5.15)."""
    for t in range(TYPES):
        offer[t] = s.market[t]
    for f in range(FACTORIES):
        offer[TYPES + f] = int(s.step == Step.actions)
    for seat in range(s.seats):
        for t in range(TYPES):
            held[seat, t] = s.upgrades[seat, t]
        for f in range(FACTORIES):
            held[seat, TYPES + f] = s.factories[seat, f]
