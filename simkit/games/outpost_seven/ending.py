"""Outpost Seven: the end of the game: who has won, and the last entries of the log (O7-8, O7-17)."""

from simkit.engine.compile.jit import bit_count, rule
from simkit.engine.rule_helpers import end

from .facts import NOBODY, NONE, Decided, FinalTie, TieBreak
from .votes import held

CUBES_IN_THE_BOX = 40  # of a player (O7-1.7)
POPULATION_IN_THE_BOX = 100  # (O7-1.8)


@rule
def finish(s, rules, reason):
    """End the game: ranks (O7-8) and log."""
    winner = decide_winner(s, rules)
    s.rank[0] = 2 if winner == 1 else 1
    s.rank[1] = 2 if winner == 0 else 1
    close_log(s, rules, winner)
    end(s, reason)


@rule
def decide_winner(s, rules):
    """Compare population with komi, then the tie-break, then the final tie (O7-8.2 to O7-8.5)."""
    second = 1 - s.first
    log = s.log.game
    log.decided_by = Decided.population
    lead = 2 * (int(s.score[second]) - int(s.score[s.first])) + int(rules.komi_half_points)
    if lead == 0:
        log.decided_by = Decided.tie_break
        lead = tie_break(s, rules, second) - tie_break(s, rules, s.first)
    if lead == 0 and rules.final_tie != FinalTie.draw:
        log.decided_by = Decided.final_tie
        lead = 1 if rules.final_tie == FinalTie.second else -1
    if lead == 0:
        log.decided_by = Decided.draw
        return NOBODY
    return second if lead > 0 else 1 - second


@rule
def tie_break(s, rules, seat):
    """Return the cubes, lines or modules of a player (O7-8.3)."""
    if rules.tie_break == TieBreak.cubes:
        return int(s.on_grid[seat])
    if rules.tie_break == TieBreak.lines:
        return held(s.vote[:], seat)
    if rules.tie_break == TieBreak.modules:
        return held(s.grid_owner[:], seat)
    return 0


@rule
def close_log(s, rules, winner):
    """Log what is known only at the end (O7-17)."""
    for seat in range(2):
        own = s.log.seat[seat]
        own.hand_left, own.cubes_on_grid = s.hand_n[seat], s.on_grid[seat]
        own.modules_owned, own.lines_won = held(s.grid_owner[:], seat), held(s.vote[:], seat)
        own.final_score = s.score[seat]
    s.log.seat[1 - s.first].final_score += rules.komi_half_points / 2
    log = s.log.game
    log.margin = abs(int(s.score[0]) - int(s.score[1]))
    log.modules_on_grid = bit_count(s.occupied)
    log.hand_cards_left = s.hand_n[0] + s.hand_n[1]
    log.cubes_max = max(s.log.seat[0].cubes_max, s.log.seat[1].cubes_max)
    log.cubes_over_40 = log.cubes_max > CUBES_IN_THE_BOX
    close_lines(s, rules)
    log.population_over_100 = log.population_total > POPULATION_IN_THE_BOX
    log.lead_quarter_1 = lead_at(s, s.turn // 4)
    log.lead_quarter_2 = lead_at(s, s.turn // 2)
    log.lead_quarter_3 = lead_at(s, 3 * s.turn // 4)
    behind = log.lead_quarter_2 if winner == 1 else -log.lead_quarter_2
    log.comeback = winner != NOBODY and behind > 0


@rule
def close_lines(s, rules):
    log = s.log.game
    for line in range(rules.lines):
        log.population_total += s.pop[line]
        cards = int(s.colours[line, 0]) + int(s.colours[line, 1]) + int(s.colours[line, 2])
        log.lines_without_module += cards == int(s.border_colour[line] != NONE)
        if s.contested >> line & 1 == 0:
            log.lines_uncontested += 1
            log.population_uncontested += s.pop[line]


@rule
def lead_at(s, turn):
    """Return the score lead of seat 0 after a turn, as of the last repair up to then or of the start."""
    lead = s.lead[0]
    for i in range(1, bit_count(s.occupied) + 1):
        if s.lead_turn[i] <= turn:
            lead = s.lead[i]
    return lead
