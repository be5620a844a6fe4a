"""Lunar Outpost: the course of a turn, what is legal, what carries it out (LO-3, LO-11, LO-15)."""

from simkit.engine.compile.jit import rule
from simkit.engine.rule_helpers import OVER, offer, offer_set
from simkit.games.lunar_outpost import conflicts, events, spending, stores, tiles, troops, works
from simkit.games.lunar_outpost import setup as start
from simkit.games.lunar_outpost.facts import (
    DONE,
    EDGE,
    ENOUGH,
    ENOUGH_CUBES,
    HANDLED,
    NOBODY,
    PAY,
    Building,
    End,
    Phase,
)
from simkit.games.lunar_outpost.scoring import building_points, finish, note_leaders
from simkit.games.lunar_outpost.works import of_type


@rule
def setup(s, rules, rng):
    """Lay out the start and go on to the first decision (LO-2)."""
    start.lay_out(s, rules, rng)
    go_on(s, rules)


@rule
def go_on(s, rules):
    """Carry out all that needs no decision, until a seat must decide or the game is over (LO-3.1, LO-3.2)."""
    while s.seat != OVER:
        if s.phase == Phase.none:
            if s.turn_no == 0 and start.ask_setup(s, rules):
                return
            begin_turn(s)
        elif s.phase == Phase.conflict and conflicts.conflict_tiles(s, s.active) == 0:
            end_conflicts(s, rules)
        elif s.phase == Phase.pay and s.buy_left == 0:
            spending.take_effect(s)
        else:
            return


@rule
def begin_turn(s):
    """Begin a turn with intel, from the second turn of the seat on (LO-3.1, LO-4.1)."""
    s.seat = s.active
    s.turn_no += 1
    s.turns[s.active] += 1
    s.log.seat[s.active].turns += 1
    s.ext_used[:] = 0
    s.gen_used[:] = s.recruited[:] = 0
    if s.turns[s.active] > 1 and s.hand_n[s.active] > 0:
        s.phase = Phase.intel.value
    else:
        conflicts.begin_conflicts(s)


@rule
def end_conflicts(s, rules):
    """Eliminate players who control nothing; end the game, the turn or step 2 (LO-5.10, LO-11.2)."""
    if conflicts.eliminate(s) <= 1:
        s.log.game.turns += 1
        finish(s, rules, End.elimination.value)
    elif not s.alive[s.active]:
        end_turn(s, rules)
    else:
        mines = of_type(s, int(s.own[s.active]), Building.excavator.value)
        s.phase = Phase.extract.value if mines != 0 else Phase.generate.value


@rule
def end_turn(s, rules):
    """Carry out step 8: note the lead, end the game or pass to the next living seat (LO-3.3, LO-11)."""
    s.log.game.turns += 1
    note_leaders(s, rules)
    reason = reason_to_end(s, rules)
    if reason != End.unfinished:
        finish(s, rules, reason)
        return
    s.phase = Phase.none.value
    for _ in range(s.seats):
        s.active = (s.active + 1) % s.seats
        if s.alive[s.active]:
            return


@rule
def reason_to_end(s, rules):
    """Return why the game ends with this turn, `unfinished` if it does not (LO-11.1, LO-11.3)."""
    if rules.equal_turns and not is_last_of_round(s):
        return End.unfinished.value
    if s.stack_n == 0:
        return End.last_tile.value
    for seat in range(s.seats):
        if rules.vp_end > 0 and s.alive[seat] and building_points(s, rules, seat) >= rules.vp_end:
            return End.points.value
    return End.unfinished.value


@rule
def is_last_of_round(s):
    """Return whether no living seat with a higher number is left to move."""
    for seat in range(s.active + 1, s.seats):
        if s.alive[seat]:
            return False
    return True


@rule
def legal(s, rules, out):
    """Write the legal action ids of the seat to decide, ascending (LO-15)."""
    phase = s.phase
    if phase == Phase.spend:
        return spending.legal_spend(s, rules, out)
    if phase == Phase.extract:
        return works.legal_extract(s, rules, out)
    if phase == Phase.generate:
        return works.legal_generate(s, rules, out)
    if phase == Phase.store:
        return works.legal_store(s, rules, out)
    if phase == Phase.place_cell:
        return tiles.legal_cell(s, rules, out)
    if phase == Phase.place_rot:
        return offer_set(out, tiles.turns_in_cell(s, rules, s.drawn, s.cell))
    if phase == Phase.move:
        return troops.legal_move(s, out)
    if phase == Phase.tile:
        return tiles.legal_tile(s, rules, out)
    if phase == Phase.pay:
        return stores.legal_pay(s, rules, out)
    if phase == Phase.target:
        return offer_set(out, spending.target_set(s, rules))
    return legal_rare(s, rules, out)


@rule
def legal_rare(s, rules, out):
    """Write the ids of the setup, intel, conflicts and relocation."""
    phase = s.phase
    if phase == Phase.intel:
        return events.legal_intel(s, out)
    if phase == Phase.conflict:
        return conflicts.legal_conflict(s, rules, out)
    if phase == Phase.remove:
        return conflicts.legal_remove(s, out)
    if phase == Phase.reloc_src:
        cubes = stores.spendable(s, rules, s.active)
        return offer_set(out, spending.can_relocate(s, rules, s.active, cubes))
    if phase == Phase.setup_dome:
        return offer_set(out, start.start_tiles(s, rules))
    return offer(out, 0, s.hand_n[s.seat] - 1)


@rule
def apply(s, rules, action, rng):
    """Carry out one legal action, then all that follows from it (LO-15)."""
    phase = s.phase
    if phase == Phase.spend:
        if action != DONE:
            spending.choose_purchase(s, rules, action)
        elif s.manned[s.active] == 0:
            end_turn(s, rules)
        else:
            troops.begin_moving(s)
    elif phase == Phase.extract:
        extract(s, rules, action)
    elif phase == Phase.generate:
        generate(s, rules, action, rng)
    elif phase == Phase.store:
        works.store(s, action)
    elif phase == Phase.place_cell:
        tiles.choose_cell(s, action)
    elif phase == Phase.place_rot:
        tiles.place(s, rules, action)
    elif phase == Phase.tile:
        tiles.take_tile(s, rng, action)
    elif phase == Phase.pay:
        stores.take_cube(s, PAY.tile(action), PAY.kind(action))
        stores.pay_the_rest(s, rules)
    elif phase == Phase.target:
        spending.choose_target(s, rules, action)
    elif phase == Phase.move:
        move(s, rules, action)
    else:
        apply_rare(s, rules, action)
    go_on(s, rules)


@rule
def apply_rare(s, rules, action):
    """Apply actions of the setup, intel, conflicts and relocation."""
    phase = s.phase
    if phase == Phase.intel:
        if action == HANDLED:
            conflicts.begin_conflicts(s)
        else:
            events.handle_card(s, rules, action)
    elif phase == Phase.conflict:
        conflicts.begin_conflict(s, rules, action)
    elif phase == Phase.remove:
        conflicts.remove_pair(s, rules, action)
    elif phase == Phase.reloc_src:
        spending.choose_building(s, action)
    elif phase == Phase.setup_dome:
        start.place_dome(s, rules, action)
        s.phase = Phase.none.value
    else:
        start.discard_start(s, action)
        s.phase = Phase.none.value


@rule
def extract(s, rules, action):
    """Extract a cube with an excavator, or end step 3 (LO-6.1)."""
    if action == ENOUGH:
        works.note_unextracted(s, rules)
        s.phase = Phase.generate.value
    else:
        works.choose_producer(s, EDGE.tile(action), EDGE.direction(action))


@rule
def generate(s, rules, action, rng):
    """Generate a cube with a dome, or end step 4 and draw a tile (LO-7.1, LO-8.1)."""
    if action == ENOUGH_CUBES:
        works.note_ungenerated(s, rules)
        tiles.draw_offer(s, rules, rng)
    else:
        works.choose_producer(s, action, NOBODY)


@rule
def move(s, rules, action):
    """Move a troop, or end the turn (LO-10.1)."""
    if action == ENOUGH:
        end_turn(s, rules)
    else:
        troops.step(s, action)
