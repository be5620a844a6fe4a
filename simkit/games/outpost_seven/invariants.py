"""Outpost Seven: what must hold in every state, each under the options for which it holds (O7-12; plain Python)."""

from __future__ import annotations

from typing import Any

from simkit.games.outpost_seven.facts import NO_CARD, NOBODY, Adjacency, Decision, InitialVotes, RemovalRule
from simkit.games.outpost_seven.tables import SEATS
from simkit.games.outpost_seven.words import line_name


def problems(s: Any, rules: Any) -> list[str]:
    """Broken invariants (O7-12), each with the option conditions under which it holds."""
    return [
        *_card_problems(s, rules),
        *_grid_problems(s, rules),
        *_line_problems(s, rules),
        *_end_problems(s, rules),
    ]


def _card_problems(s: Any, rules: Any) -> list[str]:
    """O7-12.1, .2: the cards are partitioned; hand and offer keep their limits."""
    places = [
        *s.deck[s.deck_pos : s.deck_n],
        *s.pool[: s.pool_n],
        *s.offer[: s.offer_n],
        *s.discard[: s.discard_n],
    ]
    places += [card for card in s.grid_card[: rules.cells] if card != NO_CARD]
    for seat in range(2):
        places += [*s.hand[seat, : s.hand_n[seat]], *s.dealt[seat, : s.dealt_n[seat]]]
    found = []
    if sorted(int(c) for c in places) != list(range(rules.cards)):
        found.append("O7-12.1 the places of the cards do not partition the cards")
    if max(s.hand_n) > rules.hand_limit:
        found.append("O7-12.2 a hand exceeds its limit")
    if s.decision >= Decision.main and s.offer_n != rules.faceup and s.deck_pos < s.deck_n:
        found.append("O7-12.2 the offer is short although the deck is not empty")
    return found


def _grid_problems(s: Any, rules: Any) -> list[str]:
    """O7-12.3, .4, .7, .8, .9: cubes, owners, pending bonuses, connection."""
    found, cubes = [], [0, 0]
    for cell in range(rules.cells):
        card, mask, owner = int(s.grid_card[cell]), int(s.grid_mask[cell]), int(s.grid_owner[cell])
        if (owner == NOBODY) != (mask == 0) or (card == NO_CARD and mask):
            found.append(f"O7-12.3 cell {cell}: cubes and owner do not fit")
        if card != NO_CARD and mask >> int(rules.value[card]):
            found.append(f"O7-12.3 cell {cell}: a cube outside the card's spaces")
        if rules.removal_rule == RemovalRule.lock and mask & (mask + 1):
            found.append(f"O7-12.3 cell {cell}: a gap between cubes")
        if s.pending[cell] & ~mask:
            found.append(f"O7-12.7 cell {cell}: a bonus is pending without a cube")
        if owner != NOBODY:
            cubes[owner] += mask.bit_count()
    log = [s.log.seat[seat] for seat in range(2)]
    for seat in range(2):
        flow = log[seat].cubes_by_payment + log[seat].cubes_by_place - log[1 - seat].cubes_removed
        if not cubes[seat] == s.on_grid[seat] == flow:
            found.append(f"O7-12.4 {SEATS[seat]}: cubes on the grid, counted and logged differ")
        if rules.cube_supply and cubes[seat] > rules.cube_supply:
            found.append(f"O7-1.7 {SEATS[seat]} has more cubes than the supply")
    if s.decision != Decision.bonus and (s.pending_cells or s.pending.any() or s.pending_n.any()):
        found.append("O7-12.7 a bonus is pending between turns")
    plain_top = any(rules.bonus[card, 0] == 0 for card in range(rules.cards))
    if not plain_top and s.log.game.neutralised:
        found.append("O7-12.8 a card became neutral in a set without plain top spaces")
    return found + _connection_problems(s, rules)


def _connection_problems(s: Any, rules: Any) -> list[str]:
    """O7-12.9: modules = repairs, and they are connected."""
    occupied = {cell for cell in range(rules.cells) if s.grid_card[cell] != NO_CARD}
    found = [] if len(occupied) == s.log.game.repairs else ["O7-12.9 modules on the grid and repairs differ"]
    reached, waiting = set(), list(occupied)[:1]
    while waiting:
        cell = waiting.pop()
        reached.add(cell)
        waiting += [c for c in occupied - reached if int(rules.neighbours[cell]) >> c & 1]
    if reached != occupied and rules.adjacency != Adjacency.none:
        found.append("O7-12.9 the modules are not connected")
    return found


def _line_problems(s: Any, rules: Any) -> list[str]:
    """O7-12.5, .6: population and votes of the lines."""
    found: list[str] = []
    if s.decision < Decision.main:
        return found
    total = (
        sum(int(p) for p in s.pop_initial)
        + int(s.log.game.population_added)
        + int(rules.second_bonus_population)
    )
    if sum(int(p) for p in s.pop) != total:
        found.append("O7-12.5 population does not add up")
    if s.decision == Decision.bonus:
        return found
    for line in range(rules.lines):
        red, yellow = (
            sum(int(s.grid_mask[c]).bit_count() for c in _cells_of(rules, line) if s.grid_owner[c] == seat)
            for seat in range(2)
        )
        if (red, yellow) != (s.cubes[0, line], s.cubes[1, line]):
            found.append(f"O7-7.1 {line_name(rules, line)}: cubes counted and kept differ")
        if red != yellow and s.vote[line] != (0 if red > yellow else 1):
            found.append(f"O7-12.6 {line_name(rules, line)} votes for the player with fewer cubes")
    if rules.initial_votes != InitialVotes.none and sum(int(x) for x in s.score) != sum(
        int(p) for p in s.pop
    ):
        found.append("O7-12.6 the scores do not add up to the population")
    return found


def _cells_of(rules: Any, line: int) -> list[int]:
    return [c for c in range(rules.cells) if line in (rules.row_of[c], rules.col_of[c])]


def _end_problems(s: Any, rules: Any) -> list[str]:
    """O7-12.9, .10: discards and the bound on turns."""
    found: list[str] = []
    log, kept = s.log.game, [s.log.seat[seat].kept_cards for seat in range(2)]
    if s.decision < Decision.main:
        return found
    if s.discard_n != rules.initial_discards + 2 * rules.deal_size - sum(int(k) for k in kept) + log.repairs:
        found.append("O7-12.9 the discard pile does not add up")
    supply = int(rules.cards) - int(rules.initial_discards) - 2 * int(rules.deal_size)
    bound = supply + (supply + sum(int(k) for k in kept)) // 2
    if rules.allow_empty_salvage:
        bound = 2 * bound + 2
    if log.turns > bound or log.salvages > supply:
        found.append(f"O7-12.10 more turns than the bound {bound}")
    return found
