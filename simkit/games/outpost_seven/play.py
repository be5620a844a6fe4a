"""Outpost Seven: the table of contents: which decision is legal now, and what carries it out (O7-10)."""

import numpy as np

from simkit.games.outpost_seven.bonuses import choose_bonus, legal_orders, note_chain, use_bonuses
from simkit.games.outpost_seven.facts import PAIR, Phase
from simkit.games.outpost_seven.hands import (
    add_bonuspop,
    choose_mulligan,
    choose_side,
    keep,
    legal_bonuspop,
    legal_draft,
    legal_keep,
    next_hand,
    pick,
)
from simkit.games.outpost_seven.repair import choose_pair, lay_module, legal_cells, pay_cubes, take_pair
from simkit.games.outpost_seven.scoring import check_votes, count_scores, note_swing
from simkit.games.outpost_seven.turns import end_turn, legal_main, salvage
from simkit.jit import rule


@rule
def legal(s, rules, out):
    """Write the legal action ids of the seat to decide, ascending (O7-10)."""
    if s.phase == Phase.main:
        return legal_main(s, rules, out)
    if s.phase == Phase.cell:
        return legal_cells(s, out)
    if s.phase == Phase.keep:
        return legal_keep(s, rules, out)
    if s.phase == Phase.draft:
        return legal_draft(s, rules, out)
    if s.phase == Phase.bonuspop:
        return legal_bonuspop(s, rules, out)
    if s.phase == Phase.bonus:
        return legal_orders(s, rules, out)
    out[0], out[1] = 0, 1  # SIDE: first or second; MULLIGAN: keep or redraw
    return 2


@rule
def apply(s, rules, action, rng):
    """Carry out one legal action (O7-10)."""
    if s.phase == Phase.main:
        if action < PAIR:
            salvage(s, rules, action)
        else:
            choose_pair(s, rules, action)
            s.phase = Phase.cell
    elif s.phase == Phase.cell:
        repair(s, rules, action)
    elif s.phase == Phase.bonus:
        choose_bonus(s, rules, action)
        go_on_with_bonuses(s, rules)
    elif s.phase == Phase.keep:
        keep(s, rules, np.int64(s.seat), action)
        next_hand(s, rules, rng)
    elif s.phase == Phase.draft:
        pick(s, rules, action)
    elif s.phase == Phase.bonuspop:
        add_bonuspop(s, rules, action)
    elif s.phase == Phase.mulligan:
        choose_mulligan(s, rules, action, rng)
    else:
        choose_side(s, rules, action, rng)


@rule
def repair(s, rules, cell):
    """Connect the module, pay, place the cubes; then bonuses and votes (O7-5, O7-6, O7-7)."""
    seat = np.int64(s.seat)
    module = take_pair(s, rules, seat)
    if s.log.game.repairs == 1:
        s.log.game.first_module_cell = cell
    start_repair(s, rules, seat, np.int64(module), np.int64(s.sel_cubes), cell)
    s.sel_module = s.sel_scrap = -1
    s.sel_cubes = 0
    go_on_with_bonuses(s, rules)


@rule
def start_repair(s, rules, seat, module, n, cell):
    """Module and paid cubes onto the grid; also what look-ahead tries on a copy."""
    s.chain = s.moved = 0
    lay_module(s, rules, module, cell)
    pay_cubes(s, rules, seat, cell, n)


@rule
def go_on_with_bonuses(s, rules):
    """Use bonuses until the order is a decision; when none is left, check votes and end the turn (O7-6.2, O7-7.1)."""
    if use_bonuses(s, rules, np.int64(s.seat)):
        s.phase = Phase.bonus
        return
    note_chain(s)
    before = int(s.score[0]) - int(s.score[1])
    check_votes(s, rules)
    count_scores(s, rules)
    note_swing(s, before)
    s.played_cell = -1
    s.passes = 0
    end_turn(s, rules)
