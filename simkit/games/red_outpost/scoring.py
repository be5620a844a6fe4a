"""Red Outpost: moods at the end of a round, the Palace, crystals, ranks (RO-7, RO-8)."""

from simkit.engine.compile.jit import rule
from simkit.engine.rule_helpers import end
from simkit.games.red_outpost.facts import CARDS, LOCATION_CARDS, NOBODY, WORKERS, End, Location
from simkit.games.red_outpost.options import Carry, FinalTie, PalaceTie, WorkerTie


@rule
def influence(s, seat, worker):
    """Return the disks and crystals of a seat on a portrait (RO-7.1)."""
    return s.infl[seat, worker] + s.pcry[seat, worker]


@rule
def leaders(s, worker):
    """Return the highest influence on a worker and the number of seats with it, none if 0 (RO-7.1)."""
    most = count = 0
    for seat in range(s.seats):
        has = influence(s, seat, worker)
        if has > most:
            most, count = has, 1
        elif has == most and has > 0:
            count += 1
    return most, count


@rule
def mood_worth(s, rules, worker):
    """Return the victory points of a worker's mood (RO-7.1)."""
    return rules.mood_value[s.mood[worker]] * rules.mood_multiplier


@rule
def scored_for(rules, worth, tied):
    """Return what each of some tied leaders scores (RO-7.2)."""
    if tied == 1 or rules.worker_tie == WorkerTie.full:
        return worth
    if rules.worker_tie == WorkerTie.none:
        return 0
    share = abs(worth) // tied
    return share if worth > 0 else -share


@rule
def score_workers(s, rules):
    """Score the moods of workers for their leaders, good or bad (RO-7.1, RO-7.2)."""
    log = s.log.game
    for worker in range(WORKERS):
        most, tied = leaders(s, worker)
        worth = mood_worth(s, rules, worker)
        log.mood[worker] += worth
        log.round_mood_vp += worth
        log.workers_unled += tied == 0
        log.workers_tied += tied > 1
        for seat in range(s.seats):
            if most > 0 and influence(s, seat, worker) == most:
                points = scored_for(rules, worth, tied)
                s.score[seat] += points
                s.log.seat[seat].vp_mood += points
                s.log.seat[seat].workers_led += 1
                s.log.seat[seat].workers_led_alone += tied == 1


@rule
def reset_round(s, rules):
    """Reset moods, disks, crystals and workers (RO-7.3); round 1 is noted."""
    for worker in range(WORKERS):
        s.wloc[worker] = Location.barracks
        if rules.mood_reset:
            s.mood[worker] = rules.mood_start
        for seat in range(s.seats):
            s.reserve[seat] += s.infl[seat, worker]
            s.crystals_left += s.pcry[seat, worker]
    s.infl[:] = 0
    s.pcry[:] = 0
    if rules.admin_card_carry == Carry.returns:
        for seat in range(s.seats):
            s.reserve[seat] += s.card_disk[seat]
        s.card_disk[:] = 0
    if s.round_no == 0:
        note_first_round(s)


@rule
def note_first_round(s):
    """Log victory points after round 1 (RO-17.1)."""
    s.log.game.leader_vp_after_round_1 = s.score[0]
    for seat in range(s.seats):
        s.log.seat[seat].vp_after_round_1 = s.score[seat]
        s.log.game.leader_vp_after_round_1 = max(s.log.game.leader_vp_after_round_1, s.score[seat])


@rule
def note_lead(s):
    """Count a change of the sole leader; a tied lead does not count (RO-17.1)."""
    leader, most, tied = NOBODY, 0, False
    for seat in range(s.seats):
        if leader == NOBODY or s.score[seat] > most:
            leader, most, tied = seat, s.score[seat], False
        elif s.score[seat] == most:
            tied = True
    if tied:
        return
    if s.last_leader != NOBODY and s.last_leader != leader:
        s.log.game.lead_changes += 1
    s.last_leader = leader


@rule
def palace_points(s, rules, seat):
    """Return the victory points of a seat at the Palace as it stands (RO-8.1)."""
    if s.palace[seat] == 0:
        return 0
    place = 0
    for other in range(s.seats):
        if s.palace[other] > s.palace[seat]:
            place += 1
            if rules.palace_tie == PalaceTie.dense:
                for before in range(other):
                    if s.palace[before] == s.palace[other]:
                        place -= 1
                        break
    return rules.palace_vp[place]


@rule
def finish(s, rules):
    """Score the Palace and the crystals left; the most victory points win (RO-8)."""
    for seat in range(s.seats):
        palace, crystals = palace_points(s, rules, seat), s.crystals[seat] // rules.crystals_per_vp
        s.score[seat] += palace + crystals
        own = s.log.seat[seat]
        own.vp_palace, own.vp_crystals = palace, crystals
        own.crystals_end, own.donated = s.crystals[seat], s.palace[seat]
        note_cards(s, seat)
    note_lead(s)
    rank(s, rules)
    note_result(s)
    end(s, End.rounds_played)


@rule
def note_cards(s, seat):
    """Log the special cards of a seat (RO-17.1)."""
    own = s.log.seat[seat]
    for card in range(CARDS - 1, -1, -1):
        if s.card_owner[card] == seat:
            own.cards |= 1 << card
            if card < LOCATION_CARDS:
                own.location_card = card + 1
            else:
                own.worker_card = card + 1


@rule
def is_better(s, rules, seat, other):
    """Return whether a seat is ranked before another: points, then crystals (RO-8.3, RO-8.4)."""
    if s.score[seat] != s.score[other]:
        return s.score[seat] > s.score[other]
    return rules.final_tie == FinalTie.crystals and s.crystals[seat] > s.crystals[other]


@rule
def rank(s, rules):
    """Set ranks: 1 plus the number of strictly better seats (RO-8.4)."""
    for seat in range(s.seats):
        s.rank[seat] = 1
        for other in range(s.seats):
            s.rank[seat] += is_better(s, rules, other, seat)


@rule
def note_result(s):
    """Log the margin, the need of the tie-break, and whether the winner came back (RO-17.1)."""
    log, best, second, tops = s.log.game, s.score[0], -(1 << 30), 0
    for seat in range(s.seats):
        best = max(best, s.score[seat])
    log.comeback = 1
    for seat in range(s.seats):
        if s.score[seat] == best:
            tops += 1
        else:
            second = max(second, s.score[seat])
        if s.rank[seat] == 1 and s.log.seat[seat].vp_after_round_1 == log.leader_vp_after_round_1:
            log.comeback = 0
    log.tiebreak_needed = tops > 1
    log.winning_margin = 0 if tops > 1 else best - second


@rule
def projected(s, rules, seat):
    """Return the points of a seat if round and game ended now (RO-7.1, RO-8.1, RO-8.2)."""
    points = s.score[seat] + palace_points(s, rules, seat) + s.crystals[seat] // rules.crystals_per_vp
    for worker in range(WORKERS):
        most, tied = leaders(s, worker)
        if most > 0 and influence(s, seat, worker) == most:
            points += scored_for(rules, mood_worth(s, rules, worker), tied)
    return points


@rule
def note_turn(s, rules, seat, row):
    """Write a row of the trace (RO-17)."""
    row.worker, row.location, row.crystals = s.cur_w, s.cur_loc, s.crystals[seat]
    row.projected = s.score[seat] if s.seat < 0 else projected(s, rules, seat)
    row.disks = s.infl[seat].sum()
