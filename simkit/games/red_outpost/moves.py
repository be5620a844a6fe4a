"""Red Outpost: legal moves of workers, and the move itself (RO-3.4 to RO-3.7, RO-4.1, RO-4.2)."""

from simkit.engine.compile.jit import bit, bit_count, lowest_bit, rule
from simkit.engine.rule_helpers import add
from simkit.games.red_outpost.facts import (
    BARRACKS,
    KITCHEN,
    MOVE,
    ORDINARY,
    WORKERS,
    Card,
    Decision,
    Disk,
    Location,
    Phase,
    Stage,
    Worker,
)


@rule
def owns(s, card):
    """Return whether the seat to decide owns a special card."""
    return s.card_owner[card - 1] == s.seat


@rule
def blocked_now(s):
    """Return the locations with a token that has an effect in this phase (RO-3.4, RO-3.7)."""
    if s.phase == Phase.morning:
        return s.block_morning
    return s.block_evening if s.phase == Phase.evening else 0


@rule
def available(s):
    """Return the locations open to workers in this phase (RO-3.4 to RO-3.7)."""
    if s.phase == Phase.lunch:
        return KITCHEN
    open_now = ORDINARY & ~blocked_now(s)
    return open_now | BARRACKS if s.phase == Phase.evening else open_now


@rule
def occupied(s, upright):
    """Return the locations with a worker, or with a standing one (`upright`)."""
    locations = 0
    for worker in range(WORKERS):
        if not (upright and s.tired[worker]):
            locations |= bit(s.wloc[worker])
    return locations


@rule
def find_moves(s, rules):
    """Write where each worker may be moved; return the number of moves (RO-4.1)."""
    open_now, taken, moves = available(s), occupied(s, False) & ORDINARY, 0
    for worker in range(WORKERS):
        s.moves[worker] = 0
        if not s.tired[worker]:
            s.moves[worker] = open_now & ~(taken | bit(s.wloc[worker]))
    add_card_moves(s, rules, open_now, taken)
    for worker in range(WORKERS):
        moves += bit_count(s.moves[worker])
    return moves


@rule
def add_card_moves(s, rules, open_now, taken):
    """Add the moves that cards 13, 14 and 18 allow (RO-6.13, RO-6.14, RO-6.18)."""
    lunch = s.phase == Phase.lunch
    if owns(s, Card.shepherd) and not s.tired[Worker.shepherd]:
        stays = open_now | ORDINARY if lunch and rules.shepherd_card_lunch else open_now
        s.moves[Worker.shepherd] |= stays & bit(s.wloc[Worker.shepherd])
    if owns(s, Card.farmer) and not s.tired[Worker.farmer]:
        lying = taken & ~(occupied(s, True) | bit(s.wloc[Worker.farmer]))
        s.moves[Worker.farmer] |= open_now & lying
    if owns(s, Card.bureaucrat) and not s.tired[Worker.bureaucrat]:
        tokens = (
            s.block_morning | s.block_evening if lunch and rules.bureaucrat_card_lunch else blocked_now(s)
        )
        s.moves[Worker.bureaucrat] |= tokens & ~taken


@rule
def legal_move(s, out):
    """Write every legal move, by worker (RO-10.2)."""
    n = 0
    for worker in range(WORKERS):
        left = s.moves[worker] + 0
        while left != 0:
            out[n] = MOVE.pack(worker, lowest_bit(left))
            left &= left - 1
            n += 1
    return n


@rule
def move(s, action):
    """Lay a worker down at a location (RO-4.1)."""
    worker, location = MOVE.worker(action), MOVE.location(action)
    note_card_move(s, worker, location)
    s.cur_w, s.cur_loc = worker, location
    s.wloc[worker], s.tired[worker] = location, 1
    s.made_mask = s.forgone = 0
    s.log.game.visits[location] += 1
    s.log.seat[s.seat].visits[location] += 1
    s.log.game.moved[worker] += 1
    s.log.seat[s.seat].moved[worker] += 1
    s.stage = Stage.disk


@rule
def note_card_move(s, worker, location):
    """Count a move that only card 13, 14 or 18 allows (RO-17.1)."""
    here, uses = bit(location), s.log.game.card_uses
    if worker == Worker.shepherd and s.wloc[worker] == location:
        uses[Card.shepherd - 1] += 1
    elif worker == Worker.farmer and here & ORDINARY & occupied(s, False):
        uses[Card.farmer - 1] += 1
    elif worker == Worker.bureaucrat and here & ~available(s):
        uses[Card.bureaucrat - 1] += 1


@rule
def legal_disk(s, out):
    """Write the options for the disk of the turn (RO-10.2)."""
    n = add(out, 0, Disk.normal)
    at_card = s.cur_loc == Location.administration and owns(s, Card.administration)
    if at_card and s.card_disk[s.seat] == 0 and s.reserve[s.seat] > 0:
        n = add(out, n, Disk.store)
    if s.card_disk[s.seat] > 0:
        n = add(out, n, Disk.release)
    if s.cur_loc == Location.labor_camp and owns(s, Card.labor_camp):
        n = add(out, n, Disk.forgo)
    return n


@rule
def go_on_disk(s):
    """Ask about the disk where a card leaves a choice, else place it (RO-4.2)."""
    at_card = s.cur_loc == Location.administration and owns(s, Card.administration)
    if s.card_disk[s.seat] > 0 or at_card or (s.cur_loc == Location.labor_camp and owns(s, Card.labor_camp)):
        s.decision = Decision.disk
    else:
        place_disk(s, Disk.normal.value)


@rule
def place_disk(s, action):
    """Place the disk of the turn on the portrait, on card 6 or nowhere (RO-4.2, RO-6.6, RO-6.11)."""
    seat, worker = s.seat, s.cur_w
    s.stage = Stage.alt
    if action == Disk.forgo:
        s.forgone = 1
        s.log.game.card_uses[Card.labor_camp - 1] += 1
        return
    if action == Disk.store:
        s.reserve[seat] -= 1
        s.card_disk[seat] = 1
        s.log.game.card_uses[Card.administration - 1] += 1
        return
    if s.reserve[seat] > 0:
        s.reserve[seat] -= 1
        s.infl[seat, worker] += 1
    else:
        s.log.game.no_disk_left += 1
    if action == Disk.release:
        s.card_disk[seat] = 0
        s.infl[seat, worker] += 1
