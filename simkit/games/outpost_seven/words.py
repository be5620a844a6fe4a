"""Outpost Seven in words: the table drawn, actions told (plain Python)."""

from __future__ import annotations

from typing import Any

from simkit.games.outpost_seven.facts import NO_CARD, NOBODY, PAIR, Decision, Redraw, Use
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
    if s.decision < Decision.main:
        return _show_setup(s, rules)
    lines = [f"  offer: {card_list(rules, s.offer[: s.offer_n])}   (deck {s.deck_n - s.deck_pos})"]
    for seat in range(2):
        stopped = "  (stopped)" if s.stopped[seat] else ""
        lines.append(f"  {SEATS[seat]}'s hand: {card_list(rules, s.hand[seat, : s.hand_n[seat]])}{stopped}")
    return "\n".join([*lines, draw_grid(s, rules), f"  score: red {s.score[0]}, yellow {s.score[1]}"])


def _show_setup(s: Any, rules: Any) -> str:
    lines = [f"  offer: {card_list(rules, s.offer[: s.offer_n])}"]
    if s.decision == Decision.draft:
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
        Decision.side: _tell_side, Decision.mulligan: _tell_mulligan, Decision.keep: _tell_keep, Decision.draft: _tell_draft,
        Decision.bonuspop: _tell_bonuspop, Decision.main: _tell_main, Decision.cell: _tell_cell, Decision.bonus: _tell_bonus,
    }  # fmt: skip
    return told[Decision(s.decision)](s, rules, action, after)


def _tell_side(s: Any, rules: Any, action: int, after: Any) -> str:
    return "chooses to go second" if action else "chooses to go first"


def _tell_mulligan(s: Any, rules: Any, action: int, after: Any) -> str:
    return "redraws the dealt cards" if action == Redraw.yes else "keeps the deal"


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
    if action < Use.one:
        chosen = ["PLACE", "REMOVE"][action]
    else:
        cell, space = divmod(action - Use.one, 6)
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
