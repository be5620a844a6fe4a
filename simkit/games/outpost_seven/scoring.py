"""Outpost Seven: votes, scores and the end of the game (O7-7, O7-8)."""

import numpy as np

from simkit.game import OVER
from simkit.games.outpost_seven.facts import NOBODY, Decided, FinalTie, Phase, TieBreak
from simkit.jit import bit_count, rule


@rule
def check_votes(s, rules):
    """After all bonuses, the player with strictly more cubes in a line gets its token (O7-7.1 to O7-7.3)."""
    for line in range(rules.lines):
        red, yellow = s.cubes[0, line], s.cubes[1, line]
        if red > 0 and yellow > 0:
            s.contested |= 1 << line
        if red != yellow:
            winner = 0 if red > yellow else 1
            s.log.game.vote_flips += s.vote[line] != winner
            s.vote[line] = winner


@rule
def count_scores(s, rules):
    """Score = population of the lines whose token shows the player (O7-8.2)."""
    s.score[0] = s.score[1] = 0
    for line in range(rules.lines):
        if s.vote[line] != NOBODY:
            s.score[s.vote[line]] += s.pop[line]


@rule
def trace(s, rules, seat, row):
    """Where a player stands after a turn; the score is kept up to date from the first turn on."""
    row.hand = s.hand_n[seat]
    row.cubes = s.on_grid[seat]
    row.modules = count_equal(s.grid_owner, np.int64(rules.cells), seat)
    row.lines = count_equal(s.vote, np.int64(rules.lines), seat)


@rule
def note_swing(s, before):
    """Note the score lead after a repair, for the story of the game."""
    lead = int(s.score[0]) - int(s.score[1])
    log = s.log.game
    log.largest_swing = max(log.largest_swing, abs(lead - before))
    s.lead_turn[log.repairs] = s.turn + 1
    s.lead[log.repairs] = lead


@rule
def note_leader(s):
    """After each turn the player with the higher score leads; equality keeps the leader (O7-17.1)."""
    leader = int(s.leader)
    if s.score[0] > s.score[1]:
        leader = 0
    elif s.score[1] > s.score[0]:
        leader = 1
    if s.leader != NOBODY and leader != s.leader:
        s.log.game.lead_changes += 1
        s.log.game.last_lead_change = s.turn
    s.leader = leader


@rule
def finish(s, rules, reason):
    """The game is over: ranks (O7-8) and the last entries of the log."""
    s.phase = Phase.over
    s.log.game.end_reason = reason
    winner = decide_winner(s, rules)
    s.rank[0] = 2 if winner == 1 else 1
    s.rank[1] = 2 if winner == 0 else 1
    close_log(s, rules, winner)
    s.seat = OVER


@rule
def decide_winner(s, rules):
    """More population, komi included; then the tie-break; then the final tie (O7-8.2 to O7-8.5)."""
    second = 1 - np.int64(s.first)
    log = s.log.game
    log.decided_by = Decided.population
    lead = 2 * (int(s.score[second]) - int(s.score[1 - second])) + int(rules.komi_half_points)
    if lead == 0:
        log.decided_by = Decided.tie_break
        lead = tie_break(s, rules, second) - tie_break(s, rules, 1 - second)
    if lead == 0 and rules.final_tie != FinalTie.draw:
        log.decided_by = Decided.final_tie
        lead = 1 if rules.final_tie == FinalTie.second else -1
    if lead == 0:
        log.decided_by = Decided.draw
        return NOBODY
    return second if lead > 0 else 1 - second


@rule
def tie_break(s, rules, seat):
    """Cubes, lines or modules of a player (O7-8.3)."""
    if rules.tie_break == TieBreak.cubes:
        return int(s.on_grid[seat])
    if rules.tie_break == TieBreak.lines:
        return count_equal(s.vote, np.int64(rules.lines), seat)
    if rules.tie_break == TieBreak.modules:
        return count_equal(s.grid_owner, np.int64(rules.cells), seat)
    return 0


@rule
def count_equal(values, n, wanted):
    total = 0
    for i in range(n):
        total += int(values[i] == wanted)
    return total


@rule
def close_log(s, rules, winner):
    """What is known only at the end (O7-17)."""
    for seat in range(2):
        close_seat_log(s, rules, seat)
    log = s.log.game
    log.margin = abs(int(s.score[0]) - int(s.score[1]))
    log.modules_on_grid = bit_count(s.occupied)
    log.hand_cards_left = s.hand_n[0] + s.hand_n[1]
    log.cubes_max = max(s.log.seat[0].cubes_max, s.log.seat[1].cubes_max)
    log.cubes_over_40 = log.cubes_max > 40
    close_lines(s, rules)
    log.population_over_100 = log.population_total > 100
    log.lead_quarter_1 = lead_at(s, s.turn // 4)
    log.lead_quarter_2 = lead_at(s, s.turn // 2)
    log.lead_quarter_3 = lead_at(s, 3 * s.turn // 4)
    behind = log.lead_quarter_2 if winner == 1 else -log.lead_quarter_2
    log.comeback = winner != NOBODY and behind > 0


@rule
def close_seat_log(s, rules, seat):
    log = s.log.seat[seat]
    log.hand_left = s.hand_n[seat]
    log.cubes_on_grid = s.on_grid[seat]
    log.modules_owned = count_equal(s.grid_owner, np.int64(rules.cells), seat)
    log.lines_won = count_equal(s.vote, np.int64(rules.lines), seat)


@rule
def close_lines(s, rules):
    log = s.log.game
    for line in range(rules.lines):
        log.population_total += s.pop[line]
        log.lines_without_module += int(s.colours[line].sum()) - int(s.border_colour[line] >= 0) == 0
        if s.contested >> line & 1 == 0:
            log.lines_uncontested += 1
            log.population_uncontested += s.pop[line]


@rule
def lead_at(s, turn):
    """Score lead of seat 0 after a turn: that of the last repair up to then, or of the start."""
    lead = s.lead[0]
    for i in range(1, s.log.game.repairs + 1):
        if s.lead_turn[i] <= turn:
            lead = s.lead[i]
    return lead
