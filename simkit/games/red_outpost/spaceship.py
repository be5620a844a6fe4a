"""Red Outpost: the spaceship: its deck, and card 7 (RO-5.7, RO-6.7)."""

from simkit.engine.compile.jit import rule
from simkit.engine.rng import shuffle
from simkit.games.red_outpost.facts import CHOICE, NOBODY, RESOURCES, SHIP_KINDS, Card, Decision, Stage
from simkit.games.red_outpost.goods import add_cube, export, gain_crystals, has_all_types, remove
from simkit.games.red_outpost.moves import owns


@rule
def draw_ship(s, rules, rng):
    """Turn up a card, which lies in the discard pile from now on (RO-5.7)."""
    if s.ship_n == 0:
        for kind in range(SHIP_KINDS):
            for _ in range(s.ship_disc[kind]):
                s.ship_deck[s.ship_n] = kind
                s.ship_n += 1
            s.ship_disc[kind] = 0
        shuffle(rng.spaceship_reshuffle, s.ship_deck, s.ship_n)
        s.log.game.ship_reshuffles += 1
    s.ship_n -= 1
    kind = s.ship_deck[s.ship_n]
    s.ship_card = kind
    s.ship_disc[kind] += 1
    if rules.ship_resource[kind] == CHOICE:
        s.decision = Decision.ship_res
    else:
        take_ship(s, rules, rules.ship_resource[kind])


@rule
def take_ship(s, rules, resource):
    """Take the resource of the card in force, then its crystal (RO-5.7)."""
    if resource == NOBODY:
        s.log.game.ship_blanks_drawn += 1
    else:
        add_cube(s, rules, resource)
    gain_crystals(s, rules, s.seat, rules.ship_crystal[s.ship_card])
    s.ship_card = NOBODY
    s.stage = Stage.export


@rule
def go_on_exporting(s):
    """Ask about card 7 where the storehouse holds all types (RO-6.7)."""
    s.stage = Stage.extra
    if owns(s, Card.spaceship) and has_all_types(s):
        s.decision = Decision.ship_export


@rule
def export_one_of_four(s, rules, action):
    """Remove one cube of each type and export one of them (RO-6.7)."""
    if action == 0:
        return
    for resource in range(RESOURCES):
        remove(s, resource, True)
    export(s, rules, action - 1)
    s.log.game.card_uses[Card.spaceship - 1] += 1
