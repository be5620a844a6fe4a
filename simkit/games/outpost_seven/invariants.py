"""Outpost Seven: what holds in every state, under the options for which it holds (O7-12; plain Python)."""

from typing import Any

from .facts import NO_CARD, NOBODY, Adjacency, Decision, InitialVotes, RemovalRule
from .tables import SEATS
from .words import line_name

Problems = dict[str, Any]  # what would be broken -> whether it is


def problems(s: Any, rules: Any) -> list[str]:
    """Broken invariants."""
    tried = _card_problems(s, rules) | _cube_problems(s, rules) | _connection_problems(s, rules)
    for cell in range(rules.cells):
        tried |= _cell_problems(s, rules, cell)
    if s.decision >= Decision.main:
        tried |= _play_problems(s, rules)
        if s.decision != Decision.bonus:
            for line in range(rules.lines):
                tried |= _line_problems(s, rules, line)
    return [problem for problem, broken in tried.items() if broken]


def _card_problems(s: Any, rules: Any) -> Problems:
    """O7-12.1, .2: the cards are partitioned; hand and offer keep their limits."""
    places = [*s.deck[s.deck_pos : s.deck_n], *s.pool[: s.pool_n], *s.offer[: s.offer_n]]
    places += [*s.discard[: s.discard_n], *(card for card in s.grid_card[: rules.cells] if card != NO_CARD)]
    for seat in range(2):
        places += [*s.hand[seat, : s.hand_n[seat]], *s.dealt[seat, : s.dealt_n[seat]]]
    parted = sorted(int(card) for card in places) == list(range(rules.cards))
    short = s.decision >= Decision.main and s.offer_n != rules.faceup and s.deck_pos < s.deck_n
    return {
        "O7-12.1 the places of the cards do not partition the cards": not parted,
        "O7-12.2 a hand exceeds its limit": max(s.hand_n) > rules.hand_limit,
        "O7-12.2 the offer is short although the deck is not empty": short,
    }


def _cell_problems(s: Any, rules: Any, cell: int) -> Problems:
    """O7-12.3, .7: cubes, their owner, pending bonuses."""
    card, mask, owner = int(s.grid_card[cell]), int(s.grid_mask[cell]), int(s.grid_owner[cell])
    unowned = (owner == NOBODY) != (mask == 0) or (card == NO_CARD and mask)
    locked = rules.removal_rule == RemovalRule.lock
    return {
        f"O7-12.3 cell {cell}: cubes and owner do not fit": unowned,
        f"O7-12.3 cell {cell}: a cube outside the card's spaces": card >= 0
        and mask >> int(rules.value[card]),
        f"O7-12.3 cell {cell}: a gap between cubes": locked and mask & (mask + 1),
        f"O7-12.7 cell {cell}: a bonus is pending without a cube": s.pending[cell] & ~mask,
    }


def _cube_problems(s: Any, rules: Any) -> Problems:
    """O7-1.7, O7-12.4, .7, .8: cubes of both players, bonuses between turns, neutral cards."""
    waiting = s.pending_cells or s.pending.any() or s.pending_n.any()
    plain_top = any(rules.bonus[card, 0] == 0 for card in range(rules.cards))
    neutral = s.log.game.neutralised and not plain_top
    found = {
        "O7-12.7 a bonus is pending between turns": s.decision != Decision.bonus and waiting,
        "O7-12.8 a card became neutral in a set without plain top spaces": neutral,
    }
    for seat, name in enumerate(SEATS):
        cubes, log = _cubes(s, range(rules.cells), seat), s.log.seat
        flow = log[seat].cubes_by_payment + log[seat].cubes_by_place - log[1 - seat].cubes_removed
        differ = not cubes == s.on_grid[seat] == flow
        found[f"O7-12.4 {name}: cubes on the grid, counted and logged differ"] = differ
        found[f"O7-1.7 {name} has more cubes than the supply"] = 0 < rules.cube_supply < cubes
    return found


def _cubes(s: Any, cells: Any, seat: int) -> int:
    return sum(int(s.grid_mask[cell]).bit_count() for cell in cells if s.grid_owner[cell] == seat)


def _connection_problems(s: Any, rules: Any) -> Problems:
    """O7-12.9: modules = repairs, and they are connected."""
    occupied = {cell for cell in range(rules.cells) if s.grid_card[cell] != NO_CARD}
    reached, waiting = set(), list(occupied)[:1]
    while waiting:
        cell = waiting.pop()
        reached.add(cell)
        waiting += [c for c in occupied - reached if int(rules.neighbours[cell]) >> c & 1]
    apart = reached != occupied and rules.adjacency != Adjacency.none
    return {
        "O7-12.9 modules on the grid and repairs differ": len(occupied) != s.log.game.repairs,
        "O7-12.9 the modules are not connected": apart,
    }


def _play_problems(s: Any, rules: Any) -> Problems:
    """O7-12.5, .6, .9, .10: population, scores, discards, and the bound on turns."""
    log, kept = s.log.game, sum(int(s.log.seat[seat].kept_cards) for seat in range(2))
    people = sum(int(n) for n in s.pop)
    came = sum(int(n) for n in s.pop_initial) + log.population_added + rules.second_bonus_population
    scored = s.decision == Decision.bonus or rules.initial_votes == InitialVotes.none
    gone = int(rules.initial_discards) + 2 * int(rules.deal_size)
    supply = int(rules.cards) - gone
    bound = supply + (supply + kept) // 2
    if rules.allow_empty_salvage:
        bound = 2 * bound + 2
    return {
        "O7-12.5 population does not add up": people != came,
        "O7-12.6 the scores do not add up to the population": not scored and sum(map(int, s.score)) != people,
        "O7-12.9 the discard pile does not add up": s.discard_n != gone - kept + log.repairs,
        f"O7-12.10 more turns than the bound {bound}": log.turns > bound or log.salvages > supply,
    }


def _line_problems(s: Any, rules: Any, line: int) -> Problems:
    """O7-7.1, O7-12.6: cubes and token of a line."""
    cells = [cell for cell in range(rules.cells) if line in (rules.row_of[cell], rules.col_of[cell])]
    red, yellow = (_cubes(s, cells, seat) for seat in range(2))
    name, ahead = line_name(rules, line), 0 if red > yellow else 1
    return {
        f"O7-7.1 {name}: cubes counted and kept differ": (red, yellow) != tuple(s.cubes[:, line]),
        f"O7-12.6 {name} votes for the player with fewer cubes": red != yellow and s.vote[line] != ahead,
    }
