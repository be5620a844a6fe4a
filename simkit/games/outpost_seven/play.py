"""Outpost Seven: the table of contents: which decision is legal now, and what carries it out (O7-10)."""

from simkit.engine.compile.jit import rule
from simkit.engine.rule_helpers import offer

from . import starting_hands as hands
from .bonuses import choose_bonus, legal_orders, use_bonuses
from .facts import NONE, PAIR, Decision, StartChoice, StartRule
from .repair import choose_pair, legal_cells, legal_pairs, repair
from .salvage import legal_salvages, salvage
from .setup import clear, deal, lay_border, place_votes
from .turns import add_bonuspop, after_hands, count_turn, legal_bonuspop, next_turn
from .votes import count_votes


@rule
def setup(s, rules, rng):
    """Lay out the table and go on to the first decision (O7-2)."""
    clear(s)
    lay_border(s, rules, rng)
    place_votes(s, rules, rng)
    deal(s, rules, rng)
    if rules.start_choice == StartChoice.player0_chooses:
        s.decision, s.seat = Decision.side, 0
    else:
        prepare(s, rules, rng)
    if s.decision == Decision.none:
        next_turn(s, rules)


@rule
def prepare(s, rules, rng):
    """Go on to the next decision before the first turn, or begin play (O7-2.8 to O7-2.14)."""
    if rules.start_rule == StartRule.draft:
        hands.go_on_drafting(s, rules)
    else:
        hands.go_on_keeping(s, rules, rng)
    if s.decision == Decision.none:
        after_hands(s, rules)


@rule
def legal(s, rules, out):
    """Write the legal action ids of the seat to decide, ascending (O7-10)."""
    if s.decision == Decision.main:
        return legal_pairs(s, rules, out, legal_salvages(s, rules, out))
    if s.decision == Decision.cell:
        return legal_cells(s, out)
    if s.decision == Decision.keep:
        return hands.legal_keep(s, rules, out)
    if s.decision == Decision.draft:
        return hands.legal_draft(s, rules, out)
    if s.decision == Decision.bonuspop:
        return legal_bonuspop(s, rules, out)
    if s.decision == Decision.bonus:
        return legal_orders(s, rules, out)
    return offer(out, 0, 1)  # the actions of Side and of Redraw


@rule
def apply(s, rules, action, rng):
    """Carry out one legal action, then what follows from it (O7-10)."""
    decision = s.decision
    s.decision = Decision.none
    if decision >= Decision.main:
        play_on(s, rules, decision, action)
    elif decision == Decision.bonuspop:
        add_bonuspop(s, rules, action)
    else:
        choose_start(s, rules, decision, action, rng)
        prepare(s, rules, rng)
    if s.decision == Decision.none:
        next_turn(s, rules)


@rule
def choose_start(s, rules, decision, action, rng):
    if decision == Decision.keep:
        hands.keep(s, rules, s.seat, action)
    elif decision == Decision.draft:
        hands.pick(s, action)
    elif decision == Decision.mulligan:
        hands.choose_mulligan(s, action, rng)
    else:
        s.first = action  # player 0 takes a role; targets and all first/second rules follow it (O7-2.13)


@rule
def play_on(s, rules, decision, action):
    """Carry out a choice in a turn, and end the turn if nothing is left to choose."""
    if decision == Decision.main and action < PAIR:
        salvage(s, rules, action)
    elif decision == Decision.main:
        choose_pair(s, rules, action)
    else:
        if decision == Decision.cell:
            repair(s, rules, action)
        else:
            choose_bonus(s, rules, action)
        go_on_with_bonuses(s, rules)
    if s.decision == Decision.none:
        count_turn(s)


@rule
def go_on_with_bonuses(s, rules):
    """Use bonuses until the order is a decision; when none is left, check the votes (O7-6.2, O7-7.1)."""
    if use_bonuses(s, rules):
        s.decision = Decision.bonus
        return
    count_votes(s, rules)
    s.played_cell = NONE
    s.passes = 0
