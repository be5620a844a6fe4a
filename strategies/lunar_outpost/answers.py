"""All decisions of the reference player of Lunar Outpost, which other players use for the rest (LO-19)."""

from simkit.engine.compile.jit import rule
from simkit.games.lunar_outpost.facts import BUILDING_SLOT, HANDLED, OWN_TILE, STORE, Building, Buy, Phase

from .build import pays, site, spends
from .place import placing, reference_worth
from .war import moves, muster, victim

reference_places = placing(reference_worth)


@rule
def is_placing(phase):
    """Return whether a tile is being chosen or laid."""
    return phase == Phase.place_cell or phase == Phase.place_rot or phase == Phase.tile


@rule
def answers(view, rules, legal, recruits):
    """Decide everything as the reference player does; other players of its kind never recruit."""
    phase = view.phase
    if phase == Phase.spend:
        return spends(view, rules, legal, recruits)
    if phase == Phase.store:
        return stores(view, legal)
    if is_placing(phase):
        return reference_places(view, rules, legal, 0)
    if phase == Phase.move:
        return moves(view, rules, legal)
    if phase == Phase.pay:
        return pays(view, legal)
    if phase == Phase.target:
        return muster(view, legal) if view.buy_kind == Buy.recruit else site(view, rules, legal)
    if phase == Phase.intel:
        return discloses(view, rules)
    if phase == Phase.remove:
        return victim(view, legal)
    return poorest(view, rules, legal) if phase == Phase.discard_intel else legal[0]


@rule
def stores(view, legal):
    """Decide STORE: preferably not with a dome, then into a building slot."""
    best, most = legal[0], -1
    for i in range(legal.size):
        k, t = STORE.direction(legal[i]), view.prod_t
        u = t if k == OWN_TILE else view.nb[t, k]
        worth = 10 * (view.btype[u] != Building.dome) + 5 * (STORE.kind(legal[i]) == BUILDING_SLOT)
        if worth > most:
            best, most = legal[i], worth
    return best


@rule
def discloses(view, rules):
    """Decide INTEL: with a full hand the first card that does not replace an own event."""
    seat = view.seat
    if view.hand_n[seat] >= rules.intel_limit:
        for slot in range(view.hand_n[seat]):
            category = rules.event_category[view.hand[seat, slot]]
            if view.event_owner[category] != seat:
                return slot
    return HANDLED


@rule
def poorest(view, rules, legal):
    """Decide DISCARD_INTEL: the card with the fewest printed points."""
    best, least = legal[0], 0
    for i in range(legal.size):
        points = rules.event_points[view.hand[view.seat, legal[i]]]
        if i == 0 or points < least:
            best, least = legal[i], points
    return best
