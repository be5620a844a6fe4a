"""Lunar Outpost: how a game begins (LO-2)."""

from simkit.engine.compile.jit import bit, lowest_bit, rule
from simkit.engine.rng import shuffle
from simkit.games.lunar_outpost.events import draw_event, leave_hand, set_modifiers
from simkit.games.lunar_outpost.facts import (
    CUBES,
    EVENTS,
    FACE_DOWN,
    NOBODY,
    TILES,
    TYPES,
    Building,
    Kind,
    Phase,
)
from simkit.games.lunar_outpost.hexes import put_tile
from simkit.games.lunar_outpost.options import StartChoice
from simkit.games.lunar_outpost.stores import building_slots, put_cube
from simkit.games.lunar_outpost.troops import place_troops
from simkit.games.lunar_outpost.works import fill_deposit, put_building


@rule
def lay_out(s, rules, rng):
    """Lay out map, stack, deck, tokens and hands; domes are placed after that (LO-2.1 to LO-2.8)."""
    s.first = s.active = 0
    s.pile = CUBES
    s.phase = Phase.none.value
    s.drawn = s.ctile = s.prod_t = s.prod_d = s.buy_src = s.buy_dst = NOBODY
    s.tile_id[:] = s.btype[:] = s.bowner[:] = s.nb[:] = NOBODY
    s.stack[:] = s.offer[:] = s.hand[:] = NOBODY
    s.active_event[:] = s.event_owner[:] = NOBODY
    for seat in range(s.seats):
        for kind in range(TYPES):
            s.supply[seat, kind] = rules.tokens[kind]
        s.figures[seat] = rules.troop_limit
        s.alive[seat] = 1
    set_modifiers(s, rules)
    lay_tiles(s, rules)
    stack_tiles(s, rules, rng)
    deal_events(s, rules, rng)
    order_choice(s, rules, rng)


@rule
def lay_tiles(s, rules):
    """Lay the map for this number of seats, with the cubes of its deposits (LO-2.2, LO-2.4)."""
    for i in range(2 * s.seats):
        its = rules.layout[s.seats, i]
        fill_deposit(s, rules, put_tile(s, rules, its[0], its[1], its[2], its[3]), 0)


@rule
def stack_tiles(s, rules, rng):
    """Shuffle all other tiles; some at the bottom may be left out (LO-2.3)."""
    on_map, n = 0, 0
    for t in range(s.n_tiles):
        on_map |= bit(s.tile_id[t])
    for tile in range(TILES):
        if not on_map >> tile & 1:
            s.stack[n] = tile
            n += 1
    shuffle(rng.tiles, s.stack, n)
    s.stack_n = n - rules.tiles_trim
    for i in range(n):
        s.stack[i] = s.stack[i + rules.tiles_trim] if i < s.stack_n else NOBODY


@rule
def deal_events(s, rules, rng):
    """Shuffle the events and deal starting hands card by card (LO-2.6, LO-2.8)."""
    s.event_n = EVENTS
    for event in range(EVENTS):
        s.event_deck[event] = event
    shuffle(rng.events, s.event_deck, EVENTS)
    for _ in range(rules.hand_dealt):
        for seat in range(s.seats):
            draw_event(s, seat)


@rule
def order_choice(s, rules, rng):
    """Set the order in which seats place their starting domes (LO-2.7)."""
    for i in range(s.seats):
        s.setup_order[i] = s.seats - 1 - i if rules.start_choice == StartChoice.reverse else i
    if rules.start_choice == StartChoice.random:
        shuffle(rng.order, s.setup_order, s.seats)


@rule
def ask_setup(s, rules):
    """Ask for discards, then for starting domes; return whether a seat was asked (LO-2.7, LO-2.8)."""
    if s.discard_i < s.seats * rules.starting_intel_extra and rules.hand_dealt > 0:
        s.seat = s.discard_i // rules.starting_intel_extra
        s.phase = Phase.discard_intel.value
        return True
    if s.setup_i < s.seats:
        s.seat = s.setup_order[s.setup_i]
        s.phase = Phase.setup_dome.value
        return True
    return False


@rule
def start_tiles(s, rules):
    """Return the starting tiles without a building (LO-2.7)."""
    tiles, left = 0, int(s.sites)
    while left != 0:
        t = lowest_bit(left)
        left &= left - 1
        if rules.tile_kind[s.tile_id[t]] == Kind.start:
            tiles |= bit(t)
    return tiles


@rule
def discard_start(s, slot):
    """Discard a starting card unseen (LO-2.8)."""
    leave_hand(s, s.seat, slot, FACE_DOWN + s.seat)
    s.discard_i += 1


@rule
def place_dome(s, rules, t):
    """Place a starting dome, with cubes and troops by option (LO-2.5, LO-2.7)."""
    seat = s.seat
    put_building(s, seat, Building.dome.value, t)
    s.supply[seat, Building.dome] -= 1
    for _ in range(min(rules.seat_cubes[seat], building_slots(s, rules, t), s.pile)):
        s.pile -= 1
        put_cube(s, t, 0)
    place_troops(s, seat, t, min(rules.starting_troops, rules.troop_limit))
    s.log.seat[seat].start_tile = t
    s.setup_i += 1
