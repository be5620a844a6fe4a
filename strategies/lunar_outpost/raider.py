"""A player of Lunar Outpost that makes war as soon as it can (LO-19, raider)."""

from simkit.engine.compile.jit import bit_count, lowest_bit, rule
from simkit.engine.strategy import Weight, strategy
from simkit.games.lunar_outpost import game
from simkit.games.lunar_outpost.conflicts import total_defence
from simkit.games.lunar_outpost.facts import CONSTRUCT, NOBODY, RECRUIT, Building, Buy, Mod, Phase
from simkit.games.lunar_outpost.hexes import of_others
from simkit.games.lunar_outpost.scoring import troops_on_map
from simkit.games.lunar_outpost.spending import price, target_set

from .answers import answers
from .build import SETTLED, is_legal, spends
from .campaign import has_barracks, marches, nearest_to
from .closing import best_points
from .features import FAR, is_last_turn, leader, next_to, points_of

BARRACKS = CONSTRUCT + Building.barracks
PREFERRED = 2  # extra worth of an excavator, and of a building of the leader
LEAST = -1e9  # less than any worth


@rule
def is_due(view, w):
    """Return whether the first barracks comes before all other purchases."""
    early = bit_count(int(view.own[view.seat])) >= SETTLED or view.turns[view.seat] >= w.turn
    return early and not has_barracks(view)


@rule
def arms(view, rules, legal, w):
    """Decide SPEND: the barracks, then troops, then as the reference."""
    if is_last_turn(view):
        return best_points(view, rules, legal)
    if is_due(view, w) and is_legal(legal, BARRACKS):
        return BARRACKS
    if troops_on_map(view, rules, view.seat) < w.troops and is_legal(legal, RECRUIT):
        return RECRUIT
    return spends(view, rules, legal, True)


@rule
def prize(s, rules, t, steps, rival, w):
    """Return the worth of another player's building to the raider."""
    kind = s.btype[t]
    worth = points_of(s, rules, kind) + price(s, rules, kind) - w.defence * total_defence(s, rules, t)
    preferred = int(kind == Building.excavator) + int(s.bowner[t] == rival)  # NumPy booleans do not add up
    return worth + PREFERRED * preferred - steps


@rule
def best_prize(s, rules, tiles, steps, rival, w):
    """Return the building of the highest worth on some tiles, all `steps` from own troops, and its worth."""
    best, most = NOBODY, LEAST
    while tiles != 0:
        t = lowest_bit(tiles)
        tiles &= tiles - 1
        worth = prize(s, rules, t, steps, rival, w)
        if worth > most:
            best, most = t, worth
    return best, most


@rule
def quarry(s, rules, w):
    """Return the goal: another player's building of the highest worth, the lowest tile among equals."""
    left, seen, rival = of_others(s, s.own, s.seat), int(s.manned[s.seat]), leader(s, rules)
    best, most, steps, before = NOBODY, LEAST, 0, 0
    while left != 0:
        if seen == before:
            steps, seen = FAR, left
        t, worth = best_prize(s, rules, left & seen, steps, rival, w)
        if worth > most or (worth == most and t < best):
            best, most = t, worth
        left &= ~seen
        before = seen
        seen |= next_to(s, seen, s.mod[Mod.move_rough])
        steps += 1
    return best


@rule
def strikes(view, rules, legal):
    """Decide REMOVE: a troop of the leader if there is one, else as the reference."""
    rival = leader(view, rules)
    return rival if is_legal(legal, rival) else answers(view, rules, legal, True)


@strategy(
    game,
    allocates=False,
    turn=Weight(4, 1, 22, "Own turn from which the barracks is due, with however few buildings"),
    troops=Weight(5, 0, 10, "Troops to recruit before anything else"),
    defence=Weight(2.0, 0.0, 10.0, "What a point of defence counts against a goal"),
)
def raider(view, rules, legal, w):
    """A barracks and five troops first; then march on what is worth most and is defended least (LO-19)."""
    phase = view.phase
    if phase == Phase.spend:
        return arms(view, rules, legal, w)
    if phase == Phase.target and view.buy_kind == Buy.construct and view.buy_type == Building.barracks:
        enemies = of_others(view, view.own, view.seat)
        return nearest_to(view, target_set(view, rules), enemies)
    if phase == Phase.move:
        return marches(view, rules, legal, quarry(view, rules, w))
    if phase == Phase.remove:
        return strikes(view, rules, legal)
    return answers(view, rules, legal, True)
