"""Outpost Seven: after the starting hands: population for the second player (O7-2.14)."""

from simkit.games.outpost_seven.facts import Decision
from simkit.games.outpost_seven.piles import value_of
from simkit.games.outpost_seven.turns import begin_play
from simkit.jit import rule


@rule
def after_hands(s, rules):
    """The second player may add population; then play begins (O7-2.14)."""
    for seat in range(2):
        note_hand(s, rules, seat)
    if rules.second_bonus_population > 0:
        s.decision, s.seat = Decision.bonuspop, 1 - s.first
    else:
        begin_play(s, rules)


@rule
def note_hand(s, rules, seat):
    log, hand = s.log.seat[seat], s.hand[seat]
    n = int(s.hand_n[seat])
    log.kept_cards = n
    log.kept_total = value_of(rules, hand, n)
    for i in range(n):
        for j in range(i):
            log.kept_pairs += rules.colour[hand[i]] == rules.colour[hand[j]]


@rule
def legal_bonuspop(s, rules, out):
    """Lines whose token shows the second player's colour, or any line if none does (O7-2.14)."""
    n = 0
    for line in range(rules.lines):
        if s.vote[line] == s.seat:
            out[n] = line
            n += 1
    if n == 0:
        for line in range(rules.lines):
            out[line] = line
        n = int(rules.lines)
    return n


@rule
def add_bonuspop(s, rules, line):
    s.pop[line] += rules.second_bonus_population
    begin_play(s, rules)
