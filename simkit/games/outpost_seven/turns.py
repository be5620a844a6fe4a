"""Outpost Seven: the start of play, whose turn it is, and who has stopped (O7-2.14, O7-3)."""

from simkit.engine.compile.jit import rule
from simkit.engine.rule_helpers import add, offer

from .cards import value_of
from .ending import finish
from .facts import Decision, End
from .repair import has_pair
from .votes import count_scores, note_leader


@rule
def after_hands(s, rules):
    """Let the second player add population, then begin play (O7-2.14)."""
    for seat in range(2):
        log, hand, n = s.log.seat[seat], s.hand[seat], int(s.hand_n[seat])
        log.kept_cards, log.kept_total = n, value_of(rules, hand, n)
        for i in range(n):
            for j in range(i):
                log.kept_pairs += rules.colour[hand[i]] == rules.colour[hand[j]]
    if rules.second_bonus_population > 0:
        s.decision, s.seat = Decision.bonuspop, 1 - s.first
    else:
        begin_play(s, rules)


@rule
def legal_bonuspop(s, rules, out):
    """Write the lines with the second player's token, or any line if there is none (O7-2.14)."""
    n = 0
    for line in range(rules.lines):
        if s.vote[line] == s.seat:
            n = add(out, n, line)
    return n if n > 0 else offer(out, 0, rules.lines - 1)


@rule
def add_bonuspop(s, rules, line):
    s.pop[line] += rules.second_bonus_population
    begin_play(s, rules)


@rule
def begin_play(s, rules):
    """Give the first player the first turn (O7-3.1); from here on scores are kept."""
    s.frontier = rules.first_cells
    count_scores(s, rules)
    for seat in range(2):
        s.log.seat[seat].initial_population = s.score[seat]
    s.lead[0] = s.score[0] - s.score[1]
    if s.deck_pos == s.deck_n:
        s.log.game.deck_empty_turn = 0
    s.seat = 1 - s.first


@rule
def count_turn(s):
    s.turn += 1
    s.log.game.turns += 1
    s.log.seat[s.seat].turns += 1
    s.log.game.solo_turns += s.stopped[1 - s.seat]
    note_leader(s)


@rule
def next_turn(s, rules):
    """Begin the next turn, or end the game."""
    reason = pass_on(s, rules)
    if reason != End.unfinished:
        finish(s, rules, reason)


@rule
def pass_on(s, rules):
    """Pass to the opponent, or back; return why the game ends if neither can move (O7-3.4 to O7-3.6)."""
    if s.passes > 0 and s.passes >= 2 - s.stopped[0] - s.stopped[1]:
        return End.empty_salvages
    for seat in (1 - s.seat, s.seat):
        if s.stopped[seat]:
            continue
        may_salvage = s.offer_n > 0 and s.hand_n[seat] < rules.hand_limit  # one card never exceeds a limit
        if may_salvage or has_pair(s, rules, seat):
            s.decision, s.seat = Decision.main, seat
            s.log.seat[seat].turns_at_hand_limit += s.hand_n[seat] >= rules.hand_limit
            return End.unfinished
        s.stopped[seat] = 1
        s.log.seat[seat].stop_turn = s.turn
        if not rules.play_on_after_stop:
            return End.one_stopped
    return End.both_stopped
