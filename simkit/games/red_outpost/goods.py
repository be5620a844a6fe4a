"""Red Outpost: crystals, the production wheel, cubes and their export (RO-4.8 to RO-4.12)."""

from simkit.engine.compile.jit import rule
from simkit.games.red_outpost.facts import NOBODY, RESOURCES


@rule
def score(s, seat, points):
    """Score victory points at the location visited."""
    s.score[seat] += points
    s.log.game.vp_at[s.cur_loc] += points


@rule
def crystals_to_give(s, rules, n):
    """Return how many of n crystals the supply still has (RO-1.3)."""
    return n if rules.crystal_supply == 0 else min(n, s.crystals_left)


@rule
def gain_crystals(s, rules, seat, n):
    """Take crystals from the supply, as far as they last (RO-4.12)."""
    got = crystals_to_give(s, rules, n)
    s.crystals_left -= got
    s.crystals[seat] += got
    s.log.game.crystals_gained += got
    s.log.seat[seat].crystals_gained += got
    s.log.game.crystal_supply_empty += n - got


@rule
def pay_crystal(s, seat):
    """Return a crystal to the supply (RO-4.12)."""
    s.crystals[seat] -= 1
    s.crystals_left += 1
    s.log.game.crystals_paid += 1
    s.log.seat[seat].crystals_paid += 1


@rule
def donate(s, seat):
    """Give a crystal to the Palace (RO-5.2)."""
    s.crystals[seat] -= 1
    s.palace[seat] += 1
    s.log.game.palace_donations += 1


@rule
def turn_wheel(s, rules, steps):
    """Advance the active player's marker, with a reward for each full turn (RO-4.11)."""
    seat = s.seat
    for _ in range(steps):
        s.wheel[seat] += 1
        if s.wheel[seat] == rules.wheel_length:
            s.wheel[seat] = 0
            score(s, seat, rules.wheel_vp)
            s.log.game.wheel_rewards += 1
            s.log.seat[seat].wheel_rewards += 1
            s.log.seat[seat].vp_wheel += rules.wheel_vp
            gain_crystals(s, rules, seat, rules.wheel_crystals)


@rule
def produce(s, rules, resource, n):
    """Produce cubes of a type one by one: each is added, then the wheel turns (RO-4.8)."""
    for _ in range(n):
        put(s, rules, resource)
        s.made_mask |= 1 << int(resource)
        s.log.game.produced[resource] += 1
        s.log.seat[s.seat].cubes_produced += 1
        turn_wheel(s, rules, 1)


@rule
def add_cube(s, rules, resource):
    """Add a cube that nobody produced, without moving the wheel (RO-4.9)."""
    put(s, rules, resource)
    s.log.game.added[resource] += 1
    s.log.seat[s.seat].cubes_added += 1


@rule
def put(s, rules, resource):
    """Put a cube into the storehouse and export a complete set (RO-4.9, RO-4.10)."""
    s.put_by[resource, s.store[resource]] = s.seat
    s.store[resource] += 1
    if s.store[resource] == rules.export_threshold:
        for _ in range(rules.export_threshold):
            remove(s, resource, True)
        export(s, rules, resource)


@rule
def remove(s, resource, exported):
    """Remove the oldest cube of a type from the storehouse (RO-17.1)."""
    if exported and s.put_by[resource, 0] != s.seat:
        s.log.game.foreign_cubes_exported += 1
        s.log.seat[s.seat].foreign_cubes_exported += 1
    s.store[resource] -= 1
    left = s.store[resource]
    for place in range(left):
        s.put_by[resource, place] = s.put_by[resource, place + 1]
    s.put_by[resource, left] = NOBODY


@rule
def export_worth(s, rules, resource):
    """Return the victory points of the next export of a type (RO-4.10)."""
    return rules.export_value[resource, s.epos[resource]] + rules.export_bonus


@rule
def export(s, rules, resource):
    """Move one cube to the next space of its track and score it; the last space repeats (RO-4.10)."""
    points, log, own = export_worth(s, rules, resource), s.log.game, s.log.seat[s.seat]
    score(s, s.seat, points)
    log.exports += 1
    log.exports_of[resource] += 1
    log.export_vp += points
    own.exports += 1
    own.vp_export += points
    if s.epos[resource] < rules.export_spaces[resource]:
        s.epos[resource] += 1
    else:
        log.exports_repeat += 1


@rule
def has_all_types(s):
    """Return whether the storehouse holds a cube of each type (RO-6.7)."""
    for resource in range(RESOURCES):
        if s.store[resource] == 0:
            return False
    return True
