"""Red Outpost: rounds, phases and the order of turns (RO-3)."""

from simkit.engine.compile.jit import rule
from simkit.games.red_outpost.cards import asleep
from simkit.games.red_outpost.facts import NOBODY, WORKERS, Card, Decision, Phase, Stage
from simkit.games.red_outpost.moods import shift_mood
from simkit.games.red_outpost.moves import find_moves
from simkit.games.red_outpost.options import Blocking, DayOrder, DayTurns, Pass
from simkit.games.red_outpost.scoring import finish, note_lead, reset_round, score_workers
from simkit.games.red_outpost.setup import draw_tokens


@rule
def is_day(s):
    """Return whether this is a Day phase: a turn for each worker (RO-3.2)."""
    return s.phase == Phase.day1 or s.phase == Phase.day2


@rule
def turns_of_phase(s, rules):
    """Return the turns of the phase (RO-3.2)."""
    if not is_day(s):
        return s.seats
    return WORKERS // s.seats * s.seats if rules.day_turns == DayTurns.equal else WORKERS


@rule
def seat_of_turn(s, rules):
    """Return the seat of a turn: clockwise; every other lap of a Day backwards by option (RO-3.2)."""
    lap, place = s.turn_no // s.seats, s.turn_no % s.seats
    if rules.day_order == DayOrder.snake and is_day(s) and lap % 2 == 1:
        place = s.seats - 1 - place
    return (s.token + place) % s.seats


@rule
def begin_phase(s, rules, rng):
    """Begin a phase: at Lunch with card 9; blocking tokens may be drawn anew (RO-2.7, RO-6.9)."""
    s.turn_no = 0
    s.stage = Stage.turn
    if s.phase == Phase.lunch and s.card_owner[Card.field_kitchen - 1] != NOBODY:
        s.stage, s.down_left = Stage.lay_down, 2
    if s.phase == Phase.morning and s.round_no > 0 and rules.blocking == Blocking.random_each_round:
        draw_tokens(s, rules, rng)


@rule
def begin_turn(s, rules):
    """Let the next seat move; without a legal move its turn is forfeited (RO-3.10)."""
    if s.turn_no == turns_of_phase(s, rules):
        s.stage = Stage.end_phase
        return
    s.seat = seat_of_turn(s, rules)
    moves = find_moves(s, rules)
    if moves > 0:
        s.log.game.legal_moves += moves
        s.decision = Decision.move
    else:
        s.log.game.no_legal_move += 1
        s.turn_no += 1


@rule
def end_turn(s):
    """End the turn."""
    s.turn_no += 1
    s.log.game.turns += 1
    s.log.seat[s.seat].turns += 1
    s.stage = Stage.turn


@rule
def end_phase(s, rules):
    """Raise the mood of workers who slept in, in the Morning (RO-3.9); then card 12 may be used."""
    s.stage = Stage.close_phase
    if s.phase == Phase.morning:
        s.stage = Stage.sleepers
        sleepers = asleep(s)
        for worker in range(WORKERS):
            if sleepers >> worker & 1:
                shift_mood(s, rules, worker, rules.barracks_bonus)
                s.log.game.slept_in += 1


@rule
def close_phase(s, rules):
    """Let workers stand up, pass the token and, in the Evening, score moods (RO-3.8)."""
    s.tired[:] = 0
    evening = s.phase == Phase.evening
    if rules.first_player_pass == Pass.phase or (evening and rules.first_player_pass == Pass.round):
        s.token = (s.token + 1) % s.seats
    if evening:
        score_workers(s, rules)
        reset_round(s, rules)
        s.round_no += 1
    note_lead(s)
    if s.round_no == rules.rounds:
        finish(s, rules)
        return
    s.phase = Phase.morning.value if evening else s.phase + 1
    s.stage = Stage.phase
