"""Lunar Outpost: points, leaders, ranks, what the log and the trace say at the end (LO-11, LO-12, LO-21)."""

from simkit.engine.compile.jit import bit, bit_count, lowest_bit, rule
from simkit.engine.rule_helpers import end
from simkit.games.lunar_outpost.facts import CATEGORIES, NOBODY, End, Mod
from simkit.games.lunar_outpost.options import EventPoints, TieBreak
from simkit.games.lunar_outpost.stores import room, spendable, stored
from simkit.games.lunar_outpost.works import income


@rule
def building_points(s, rules, seat):
    """Return the victory points of the buildings on the map (LO-12.1)."""
    points, left = 0, int(s.own[seat])
    while left != 0:
        kind = s.btype[lowest_bit(left)]
        points += int(rules.vp[kind] + s.mod[Mod.vp_dome + kind])
        left &= left - 1
    return points


@rule
def hand_points(s, rules, seat):
    """Return the printed points of the cards in hand."""
    points = 0
    for slot in range(s.hand_n[seat]):
        points += rules.event_points[s.hand[seat, slot]]
    return points


@rule
def active_points(s, rules, seat):
    """Return the printed points of the active events that a seat disclosed."""
    points = 0
    for category in range(CATEGORIES):
        if s.event_owner[category] == seat:
            points += rules.event_points[s.active_event[category]]
    return points


@rule
def event_points(s, rules, seat):
    """Return the victory points of event cards under the option in force (LO-12.2)."""
    if rules.event_vp == EventPoints.none:
        return 0
    points = hand_points(s, rules, seat)
    if rules.event_vp == EventPoints.hand_and_active:
        points += active_points(s, rules, seat)
    elif rules.event_vp == EventPoints.all_disclosed:
        points += s.disclosed_vp[seat]
    return points


@rule
def score(s, rules, seat):
    """Return the points of a seat now; an eliminated one has none (LO-12.1 to LO-12.3)."""
    if not s.alive[seat]:
        return 0
    return building_points(s, rules, seat) + event_points(s, rules, seat) + rules.seat_vp[seat]


@rule
def troops_on_map(s, rules, seat):
    """Return the troops of a seat on the map."""
    return rules.troop_limit - s.figures[seat]


@rule
def tie_value(s, rules, seat):
    """Return the value that decides between equal points (LO-12.3)."""
    if rules.tie_break == TieBreak.none:
        return 0
    if rules.tie_break == TieBreak.buildings:
        return bit_count(s.own[seat])
    return spendable(s, rules, seat) + troops_on_map(s, rules, seat)


@rule
def note_leaders(s, rules):
    """Note scores at the end of a turn, and the living seats with the highest (LO-21.3)."""
    best, leaders = -1, 0
    for seat in range(s.seats):
        s.score[seat] = score(s, rules, seat)
        if s.alive[seat] and s.score[seat] > best:
            best, leaders = s.score[seat], 0
        if s.alive[seat] and s.score[seat] == best:
            leaders |= bit(seat)
    s.leaders[s.leaders_n] = leaders
    s.leaders_n += 1


@rule
def is_better(s, rules, seat, other):
    """Return whether a seat is ranked before another (LO-12.4)."""
    if s.alive[seat] != s.alive[other]:
        return s.alive[seat] > s.alive[other]
    if not s.alive[seat]:
        return s.fallen_in[seat] > s.fallen_in[other]
    if s.score[seat] != s.score[other]:
        return s.score[seat] > s.score[other]
    return tie_value(s, rules, seat) > tie_value(s, rules, other)


@rule
def finish(s, rules, reason):
    """End the game: ranks and the rest of the log (LO-11, LO-12.4, LO-21)."""
    for seat in range(s.seats):
        s.score[seat] = score(s, rules, seat)
    for seat in range(s.seats):
        s.rank[seat] = 1
        for other in range(s.seats):
            s.rank[seat] += is_better(s, rules, other, seat)
    note_seats(s, rules)
    note_map(s)
    note_result(s, reason)
    end(s, reason)


@rule
def note_seats(s, rules):
    """Log what every seat has at the end (LO-21.2), and its sums (LO-21.1)."""
    game = s.log.game
    for seat in range(s.seats):
        own = s.log.seat[seat]
        own.vp_buildings = building_points(s, rules, seat)
        own.vp_events = event_points(s, rules, seat) if s.alive[seat] else 0
        own.buildings_end = bit_count(s.own[seat])
        own.cubes_end = spendable(s, rules, seat)
        own.troops_end = troops_on_map(s, rules, seat)
        own.hand_end = s.hand_n[seat]
        game.vp_buildings += own.vp_buildings
        game.event_vp_total += own.vp_events
        game.buildings_end += own.buildings_end
        game.troops_end += own.troops_end
        game.hand_end += own.hand_end
    if game.conflict_tiles == 0:
        game.peaceful_turns = game.turns


@rule
def note_map(s):
    """Log the map at the end (LO-21.1)."""
    game = s.log.game
    for t in range(s.n_tiles):
        game.cubes_left_in_deposits += s.cubes[t]
        game.edges_shared += bit_count(s.near[t])
        game.edges_passable += bit_count(s.link[t])
    game.edges_shared //= 2  # each pair was met from both sides
    game.edges_passable //= 2
    game.frontier_end = s.n_cells
    game.pile_end = s.pile
    game.cubes_stored_end = stored(s)
    for category in range(CATEGORIES):
        game.active_events_end += s.active_event[category] != NOBODY


@rule
def note_result(s, reason):
    """Log margin, ties and changes of the lead (LO-21.1, LO-21.3)."""
    game, best, second, tops, winners = s.log.game, -1, -1, 0, 0
    for seat in range(s.seats):
        if s.score[seat] > best:
            best, second = s.score[seat], best
        else:
            second = max(second, s.score[seat])
        winners |= (s.rank[seat] == 1) << seat
    for seat in range(s.seats):
        tops += s.alive[seat] and s.score[seat] == best
    game.winner_margin = best - second
    game.tiebreak_used = reason != End.elimination and tops >= 2
    before = 0
    for turn in range(s.leaders_n):
        leaders = int(s.leaders[turn])
        if bit_count(leaders) == 1:
            game.lead_changes += before != 0 and leaders != before
            before = leaders
    if s.leaders_n > 0:
        game.halfway_leader_wins = s.leaders[(s.leaders_n - 1) // 2] & winners != 0


@rule
def note_turn(s, rules, seat, row):
    """Write a row of the trace (LO-21); `s.score` is that of the end of the last turn."""
    row.score = score(s, rules, seat)
    row.spendable = spendable(s, rules, seat)
    row.buildings = bit_count(s.own[seat])
    row.troops = troops_on_map(s, rules, seat)
    row.cards = s.hand_n[seat]
    row.income = income(s, rules, seat)
    row.stack = s.stack_n
    row.free_slots = room(s, rules, seat)
