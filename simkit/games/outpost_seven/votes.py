"""Outpost Seven: votes, scores and who leads (O7-7, O7-8.2)."""

from simkit.engine.compile.jit import bit_count, rule

from .facts import NOBODY


@rule
def check_votes(s, rules):
    """Give a line's token to the player with strictly more cubes, after all bonuses (O7-7.1 to O7-7.3)."""
    contested, flips = 0, 0
    for line in range(rules.lines):  # without branches random play is a tenth faster
        red, yellow, before = int(s.cubes[0, line]), int(s.cubes[1, line]), int(s.vote[line])
        contested |= int(red > 0 and yellow > 0) << line
        winner = int(red < yellow)
        after = before if red == yellow else winner
        flips += int(after != before)
        s.vote[line] = after
    s.contested |= contested
    s.log.game.vote_flips += flips


@rule
def count_scores(s, rules):
    """Set scores to the population of the lines whose token shows the player (O7-8.2)."""
    first, second = 0, 0
    for line in range(rules.lines):
        vote, pop = int(s.vote[line]), int(s.pop[line])
        first += pop if vote == 0 else 0
        second += pop if vote == 1 else 0
    s.score[0], s.score[1] = first, second


@rule
def count_votes(s, rules):
    """Update votes and scores after a repair, and log them."""
    log, before = s.log.game, int(s.score[0]) - int(s.score[1])
    check_votes(s, rules)
    count_scores(s, rules)
    lead = int(s.score[0]) - int(s.score[1])
    log.largest_swing = max(log.largest_swing, abs(lead - before))
    repairs = bit_count(s.occupied)
    s.lead_turn[repairs], s.lead[repairs] = s.turn + 1, lead
    if s.chain > log.chain_max:
        log.chain_max, log.chain_cubes = s.chain, s.moved


@rule
def note_leader(s):
    """Note the player with the higher score after each turn; a tie keeps the leader (O7-17.1)."""
    if s.score[0] == s.score[1]:
        return
    leader = 0 if s.score[0] > s.score[1] else 1
    if s.leader != NOBODY and s.leader != leader:
        s.log.game.lead_changes += 1
        s.log.game.last_lead_change = s.turn
    s.leader = leader


@rule
def held(by, seat):
    """Return what the player holds: lines won (`s.vote`) or modules owned (`s.grid_owner`)."""
    total = 0
    for owner in by:
        total += int(owner == seat)
    return total


@rule
def trace(s, rules, seat, row):
    """Write where a player stands after a turn; the score is current from the first turn on."""
    row.hand, row.cubes = s.hand_n[seat], s.on_grid[seat]
    row.modules, row.lines = held(s.grid_owner[:], seat), held(s.vote[:], seat)
