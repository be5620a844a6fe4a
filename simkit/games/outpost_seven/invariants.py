"""Outpost Seven: what holds in every state, under the options for which it holds (O7-12; plain Python)."""

from collections.abc import Iterator
from typing import Any

import numpy as np

from .facts import NO_CARD, NOBODY, Adjacency, Decision, InitialVotes, RemovalRule
from .tables import SEATS
from .words import line_name

Problems = Iterator[tuple[str, Any]]  # what would be broken, and whether it is


def problems(s: Any, rules: Any) -> list[str]:
    checks = [_cards, _cubes, _connection, _cells]
    if s.decision >= Decision.main:
        checks += [_sums] if s.decision == Decision.bonus else [_sums, _lines]
    return [problem for check in checks for problem, broken in check(s, rules) if broken]


def _cards(s: Any, rules: Any) -> Problems:
    """O7-12.1, .2: the cards are partitioned; hand and offer keep their limits."""
    laid = s.grid_card[: rules.cells]
    places = [s.deck[s.deck_pos : s.deck_n], s.pool[: s.pool_n], s.offer[: s.offer_n], laid[laid != NO_CARD]]
    places += [cards[:n] for cards, n in zip([*s.hand, *s.dealt], [*s.hand_n, *s.dealt_n], strict=True)]
    cards = np.sort(np.concatenate([*places, s.discard[: s.discard_n]]))
    short = s.decision >= Decision.main and s.offer_n != rules.faceup and s.deck_pos < s.deck_n
    yield "O7-12.1 the places of the cards do not partition the cards", [*cards] != [*range(rules.cards)]
    yield "O7-12.2 a hand exceeds its limit", max(s.hand_n) > rules.hand_limit
    yield "O7-12.2 the offer is short although the deck is not empty", short


def _cells(s: Any, rules: Any) -> Problems:
    """O7-12.3, .7: cubes, their owner, pending bonuses."""
    card, mask, owner = (cells[: rules.cells] for cells in (s.grid_card, s.grid_mask, s.grid_owner))
    unowned = ((owner == NOBODY) != (mask == 0)) | ((card == NO_CARD) & (mask != 0))
    outside = (card != NO_CARD) & (mask >> rules.value[card] != 0)
    gap = (mask & (mask + 1) != 0) & (rules.removal_rule == RemovalRule.lock)
    for cell in range(rules.cells):
        yield f"O7-12.3 cell {cell}: cubes and owner do not fit", unowned[cell]
        yield f"O7-12.3 cell {cell}: a cube outside the card's spaces", outside[cell]
        yield f"O7-12.3 cell {cell}: a gap between cubes", gap[cell]
        yield f"O7-12.7 cell {cell}: a bonus is pending without a cube", s.pending[cell] & ~mask[cell]


def _cubes(s: Any, rules: Any) -> Problems:
    """O7-1.7, O7-12.4, .7, .8: cubes of both players, bonuses between turns, neutral cards."""
    waiting = s.pending_cells or s.pending.any() or s.pending_n.any()
    plain_top = (rules.bonus[: rules.cards, 0] == 0).any()
    neutral = s.log.game.neutralised and not plain_top
    yield "O7-12.7 a bonus is pending between turns", s.decision != Decision.bonus and waiting
    yield "O7-12.8 a card became neutral in a set without plain top spaces", neutral
    for seat, cubes in enumerate(_on_grid(s, rules).sum(axis=1)):
        log = s.log.seat
        flow = log[seat].cubes_by_payment + log[seat].cubes_by_place - log[1 - seat].cubes_removed
        differ = not cubes == s.on_grid[seat] == flow
        yield f"O7-12.4 {SEATS[seat]}: cubes on the grid, counted and logged differ", differ
        yield f"O7-1.7 {SEATS[seat]} has more cubes than the supply", 0 < rules.cube_supply < cubes


def _on_grid(s: Any, rules: Any) -> Any:
    """The cubes [seat, cell]."""
    owned = np.array([s.grid_owner[: rules.cells] == seat for seat in range(2)])
    return owned * np.bitwise_count(s.grid_mask[: rules.cells]).astype(int)


def _connection(s: Any, rules: Any) -> Problems:
    """O7-12.9: modules = repairs, and they are connected."""
    occupied = {cell for cell in range(rules.cells) if s.grid_card[cell] != NO_CARD}
    reached, waiting = set(), list(occupied)[:1]
    while waiting:
        cell = waiting.pop()
        reached.add(cell)
        waiting += [c for c in occupied - reached if int(rules.neighbours[cell]) >> c & 1]
    disconnected = reached != occupied and rules.adjacency != Adjacency.none
    yield "O7-12.9 modules on the grid and repairs differ", len(occupied) != s.log.game.repairs
    yield "O7-12.9 the modules are not connected", disconnected


def _sums(s: Any, rules: Any) -> Problems:
    """O7-12.5, .6, .9, .10: population, scores, discards, and the bound on turns."""
    log, kept_cards, people = s.log.game, sum(int(seat.kept_cards) for seat in s.log.seat), int(s.pop.sum())
    came = int(s.pop_initial.sum()) + log.population_added + rules.second_bonus_population
    scored = s.decision != Decision.bonus and rules.initial_votes != InitialVotes.none
    removed = int(rules.initial_discards) + 2 * int(rules.deal_size)
    supply = int(rules.cards) - removed
    bound = supply + (supply + kept_cards) // 2
    if rules.allow_empty_salvage:
        bound = 2 * bound + 2
    yield "O7-12.5 population does not add up", people != came
    yield "O7-12.6 the scores do not add up to the population", scored and s.score.sum() != people
    yield "O7-12.9 the discard pile does not add up", s.discard_n != removed - kept_cards + log.repairs
    yield f"O7-12.10 more turns than the bound {bound}", log.turns > bound or log.salvages > supply


def _lines(s: Any, rules: Any) -> Problems:
    """O7-7.1, O7-12.6: cubes and token of a line."""
    on_grid, row_of, col_of = _on_grid(s, rules), rules.row_of[: rules.cells], rules.col_of[: rules.cells]
    for line in range(rules.lines):
        red, yellow = on_grid[:, (row_of == line) | (col_of == line)].sum(axis=1)
        name, ahead = line_name(rules, line), 0 if red > yellow else 1
        wrong = red != yellow and s.vote[line] != ahead
        yield f"O7-7.1 {name}: cubes counted and kept differ", (red, yellow) != tuple(s.cubes[:, line])
        yield f"O7-12.6 {name} votes for the player with fewer cubes", wrong
