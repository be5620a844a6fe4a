"""Outpost Seven in words: the table drawn, actions told, broken invariants named (plain Python)."""

from __future__ import annotations

from typing import Any

from simkit.games.outpost_seven.facts import (
    BONUS_AT,
    NO_CARD,
    NOBODY,
    PAIR,
    REDRAW,
    Adjacency,
    InitialVotes,
    Phase,
    RemovalRule,
)
from simkit.games.outpost_seven.tables import COLOURS, LETTERS, SEATS

MARKS = "RY"  # cubes of red and yellow
KINDS = {"A": "PLACE", "R": "REMOVE", "P": "POP"}


def card_name(rules: Any, card: int) -> str:
    """Colour, value and layout of a card: `blue 5 A.P..`."""
    layout = "".join(LETTERS[rules.bonus[card, space]] for space in range(rules.value[card]))
    return f"{COLOURS[rules.colour[card]]} {rules.value[card]} {layout}"


def card_list(rules: Any, cards: Any) -> str:
    """Several cards; unseen ones as "unseen"."""
    return ", ".join("unseen" if card == NO_CARD else card_name(rules, card) for card in cards) or "nothing"


def cell_name(rules: Any, cols: int, cell: int) -> str:
    """Row and column of a cell, counted from 1."""
    return f"row {cell // cols + 1}, column {cell % cols + 1}"


def line_name(rules: Any, line: int) -> str:
    """A row or a column, counted from 1."""
    return f"row {line + 1}" if line < rules.rows else f"column {line - rules.rows + 1}"


def show(s: Any, rules: Any) -> str:
    """Offer, hands and the grid with population and votes on its border."""
    if s.phase < Phase.main:
        return _show_setup(s, rules)
    lines = [f"  offer: {card_list(rules, s.offer[: s.offer_n])}   (deck {s.deck_n - s.deck_pos})"]
    for seat in range(2):
        stopped = "  (stopped)" if s.stopped[seat] else ""
        lines.append(f"  {SEATS[seat]}'s hand: {card_list(rules, s.hand[seat, : s.hand_n[seat]])}{stopped}")
    return "\n".join([*lines, draw_grid(s, rules), f"  score: red {s.score[0]}, yellow {s.score[1]}"])


def _show_setup(s: Any, rules: Any) -> str:
    lines = [f"  offer: {card_list(rules, s.offer[: s.offer_n])}"]
    if s.phase == Phase.draft:
        lines.append(f"  pool: {card_list(rules, s.pool[: s.pool_n])}")
    for seat in range(2):
        if s.dealt_n[seat]:
            lines.append(f"  {SEATS[seat]} was dealt: {card_list(rules, s.dealt[seat, : s.dealt_n[seat]])}")
    return "\n".join(lines)


def draw_grid(s: Any, rules: Any) -> str:
    """The grid: a card as colour letter, value and spaces; R and Y are cubes; the border shows population and vote."""
    rows, cols = int(rules.rows), int(rules.cols)
    rule_line = "        +" + "----------+" * cols
    out = [rule_line]
    for r in range(rows):
        cells = "|".join(f" {_draw_cell(s, rules, r * cols + c):9}" for c in range(cols))
        out += [f"  {_draw_line(s, r):>5} |{cells}|", rule_line]
    out.append("         " + " ".join(f"{_draw_line(s, rows + c):^10}" for c in range(cols)).rstrip())
    return "\n".join(out)


def _draw_line(s: Any, line: int) -> str:
    owner = "-" if s.vote[line] == NOBODY else MARKS[s.vote[line]]
    return f"{s.pop[line]} {owner}"


def _draw_cell(s: Any, rules: Any, cell: int) -> str:
    card = s.grid_card[cell]
    if card == NO_CARD:
        return ""
    spaces = [
        MARKS[s.grid_owner[cell]]
        if int(s.grid_mask[cell]) >> space & 1
        else LETTERS[rules.bonus[card, space]].lower()
        for space in range(rules.value[card])
    ]
    return f"{COLOURS[rules.colour[card]][0]}{rules.value[card]} {''.join(spaces)}"


def describe(s: Any, rules: Any, action: int, after: Any) -> str:
    """The action and what came of it, in words."""
    told = {
        Phase.side: _tell_side, Phase.mulligan: _tell_mulligan, Phase.keep: _tell_keep, Phase.draft: _tell_draft,
        Phase.bonuspop: _tell_bonuspop, Phase.main: _tell_main, Phase.cell: _tell_cell, Phase.bonus: _tell_bonus,
    }  # fmt: skip
    return told[Phase(s.phase)](s, rules, action, after)


def _tell_side(s: Any, rules: Any, action: int, after: Any) -> str:
    return "chooses to go second" if action else "chooses to go first"


def _tell_mulligan(s: Any, rules: Any, action: int, after: Any) -> str:
    return "redraws the dealt cards" if action == REDRAW else "keeps the deal"


def _tell_keep(s: Any, rules: Any, action: int, after: Any) -> str:
    kept = [s.dealt[s.seat, slot] for slot in range(s.dealt_n[s.seat]) if action >> slot & 1]
    total = sum(int(rules.value[card]) for card in kept)
    return f"keeps {card_list(rules, kept)} (total {total})"


def _tell_draft(s: Any, rules: Any, action: int, after: Any) -> str:
    return f"drafts {card_name(rules, s.pool[action])}"


def _tell_bonuspop(s: Any, rules: Any, action: int, after: Any) -> str:
    return f"adds {rules.second_bonus_population} population to {line_name(rules, action)}"


def _tell_main(s: Any, rules: Any, action: int, after: Any) -> str:
    if action == 0:
        return "salvages nothing"
    if action < PAIR:
        return (
            f"salvages {card_list(rules, [s.offer[slot] for slot in range(s.offer_n) if action >> slot & 1])}"
        )
    module, scrap = s.hand[s.seat, after.sel_module], s.hand[s.seat, after.sel_scrap]
    return f"repairs with {card_name(rules, module)}, scrapping {card_name(rules, scrap)}: {_cubes(after.sel_cubes)}"


def _cubes(n: int) -> str:
    return f"{n} cube" if n == 1 else f"{n} cubes"


def _tell_cell(s: Any, rules: Any, action: int, after: Any) -> str:
    where = cell_name(rules, int(rules.cols), action)
    return "; ".join([f"places it at {where}", *_effects(s, rules, after)])


def _tell_bonus(s: Any, rules: Any, action: int, after: Any) -> str:
    if action < BONUS_AT:
        chosen = ["PLACE", "REMOVE"][action]
    else:
        cell, space = divmod(action - BONUS_AT, 6)
        kind = KINDS[LETTERS[rules.bonus[s.grid_card[cell], space]]]
        chosen = f"{kind} of the card at {cell_name(rules, int(rules.cols), cell)}"
    return "; ".join([f"uses {chosen} next", *_effects(s, rules, after)])


def _effects(s: Any, rules: Any, after: Any) -> list[str]:
    """What bonuses and votes changed between two states."""
    told = []
    b, a = s.log.game, after.log.game
    used = [
        f"{name} x{n}"
        for name, n in (
            ("PLACE", a.bonus_A - b.bonus_A),
            ("REMOVE", a.bonus_R - b.bonus_R),
            ("POP", a.bonus_P - b.bonus_P),
        )
        if n
    ]
    if used:
        told.append("bonuses " + ", ".join(used))
    placed, removed, people = (
        a.cubes_by_place - b.cubes_by_place,
        a.cubes_removed - b.cubes_removed,
        a.population_added - b.population_added,
    )
    told += [f"{_cubes(n)} {what}" for n, what in ((placed, "placed by bonuses"), (removed, "removed")) if n]
    told += [f"{people} population added"] if people else []
    for line in range(rules.lines):
        if after.vote[line] != s.vote[line]:
            told.append(f"{line_name(rules, line)} ({after.pop[line]}) now votes {SEATS[after.vote[line]]}")
    return told


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
    if s.phase >= Phase.main and s.offer_n != rules.faceup and s.deck_pos < s.deck_n:
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
    if s.phase != Phase.bonus and (s.pending_cells or s.pending.any() or s.pending_n.any()):
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
    if s.phase < Phase.main:
        return found
    total = (
        sum(int(p) for p in s.pop_initial)
        + int(s.log.game.population_added)
        + int(rules.second_bonus_population)
    )
    if sum(int(p) for p in s.pop) != total:
        found.append("O7-12.5 population does not add up")
    if s.phase == Phase.bonus:
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
    if s.phase < Phase.main:
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
