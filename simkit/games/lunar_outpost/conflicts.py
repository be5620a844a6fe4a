"""Lunar Outpost: troops against troops, troops against buildings, elimination (LO-5)."""

from simkit.engine.compile.jit import bit, bit_count, lowest_bit, rule
from simkit.engine.rule_helpers import next_seat, offer_set
from simkit.games.lunar_outpost.events import discard_hand
from simkit.games.lunar_outpost.facts import NOBODY, Building, Mod, Phase
from simkit.games.lunar_outpost.hexes import of_others
from simkit.games.lunar_outpost.options import ConflictOrder, Razed
from simkit.games.lunar_outpost.troops import lose_troops
from simkit.games.lunar_outpost.works import lift_building, of_type


@rule
def sieges(s, seat, several):
    """Return a seat's buildings without own troops where troops of one other seat (or of several) stand."""
    any_seat = two_seats = 0
    for other in range(s.seats):
        if other != seat:
            two_seats |= any_seat & int(s.manned[other])
            any_seat |= int(s.manned[other])
    besieged = two_seats if several else any_seat & ~two_seats
    return besieged & int(s.own[seat]) & ~int(s.manned[seat])


@rule
def conflict_tiles(s, seat):
    """Return the tiles in conflict in a turn of the seat (LO-5.1)."""
    return int(s.manned[seat]) & of_others(s, s.manned, seat) | sieges(s, seat, False)


@rule
def begin_conflicts(s):
    """Begin step 2 and count stand-offs (LO-5.9, LO-21.1)."""
    s.phase = Phase.conflict.value
    s.log.game.standoffs += bit_count(sieges(s, s.active, True))


@rule
def legal_conflict(s, rules, out):
    """Write the conflict tiles, or the one with the lowest board index (LO-5.2)."""
    n = offer_set(out, conflict_tiles(s, s.active))
    return min(n, 1) if rules.conflict_order == ConflictOrder.index else n


@rule
def present(s, t):
    """Return the seats with troops on a tile, bit s."""
    seats = 0
    for seat in range(s.seats):
        if s.troops[t, seat] > 0:
            seats |= bit(seat)
    return seats


@rule
def begin_conflict(s, rules, t):
    """Resolve a conflict tile: step one, then step two (LO-5.3, LO-5.4)."""
    game = s.log.game
    if game.conflict_tiles == 0:
        game.peaceful_turns = s.turn_no - 1
    game.conflict_tiles += 1
    s.ctile = t
    if s.troops[t, s.active] > 0:
        game.conflict_step1 += 1
        game.conflict_3way += bit_count(present(s, t)) >= 3
        s.seat = s.active
        s.phase = Phase.remove.value
    else:
        end_conflict(s, rules)


@rule
def legal_remove(s, out):
    """Write every other seat with troops on the tile (LO-15)."""
    return offer_set(out, present(s, s.ctile) & ~bit(s.seat))


@rule
def remove_pair(s, rules, victim):
    """Remove an own troop and one of another seat; the next remover follows (LO-5.3)."""
    t = s.ctile
    lose_troops(s, s.seat, t, 1)
    lose_troops(s, victim, t, 1)
    s.log.game.troops_lost_step1 += 2
    there = present(s, t)
    if bit_count(there) <= 1:
        end_conflict(s, rules)
        return
    for _ in range(s.seats):
        s.seat = next_seat(s)
        if there >> s.seat & 1:
            return


@rule
def towers_beside(s, t):
    """Return the number of the owner's towers next to a building, over any edge (LO-5.5)."""
    return bit_count(of_type(s, int(s.near[t] & s.own[s.bowner[t]]), Building.tower))


@rule
def total_defence(s, rules, t):
    """Return the total defence of the building on a tile, in troops (LO-5.5)."""
    towers = towers_beside(s, t)
    if not rules.tower_stack:
        towers = min(towers, 1)
    own = rules.defence[s.btype[t]] + rules.tile_defence[s.tile_id[t]]
    return max(0, own + s.mod[Mod.defence_all] + towers * s.mod[Mod.tower_support])


@rule
def end_conflict(s, rules):
    """Carry out step two if one other seat has troops at the active seat's building (LO-5.4)."""
    t, seat = int(s.ctile), int(s.active)
    s.phase, s.ctile = Phase.conflict.value, NOBODY
    s.seat = seat
    there = present(s, t)
    if s.bowner[t] == seat and bit_count(there) == 1 and there != bit(seat):
        besiege(s, rules, t, lowest_bit(there))


@rule
def besiege(s, rules, t, other):
    """Let troops besiege a building: it falls if there are enough of them (LO-5.6)."""
    game, n, defence = s.log.game, int(s.troops[t, other]), total_defence(s, rules, t)
    lost = min(n, defence)
    game.siege_with_tower += towers_beside(s, t) > 0
    game.siege_repelled += n < defence
    game.siege_equal += n == defence
    game.siege_won += n > defence
    game.troops_lost_step2 += lost
    lose_troops(s, other, t, lost)
    if n >= defence:
        raze(s, rules, t)
        s.log.seat[other].buildings_razed += 1


@rule
def raze(s, rules, t):
    """Remove the building, and the cubes in its slots, from the game (LO-5.7)."""
    game, kind, owner = s.log.game, int(s.btype[t]), int(s.bowner[t])
    if rules.razed_tokens == Razed.returned:
        s.supply[owner, kind] += 1
    else:
        s.removed[owner, kind] += 1
    game.razed += 1
    game.razed_of[kind] += 1
    game.razed_vp += rules.vp[kind]
    game.razed_cubes += s.st_b[t]
    s.log.seat[owner].buildings_lost += 1
    s.pile += s.st_b[t]
    s.st_b[t] = 0
    lift_building(s, t)


@rule
def eliminate(s):
    """Eliminate players who control nothing; return how many are left (LO-5.10)."""
    left = 0
    for seat in range(s.seats):
        if s.alive[seat] and s.own[seat] | s.manned[seat] == 0:
            s.alive[seat] = 0
            s.fallen_in[seat] = s.turn_no
            s.log.game.eliminated += 1
            s.log.seat[seat].eliminated = 1
            discard_hand(s, seat)
        left += s.alive[seat]
    return left
