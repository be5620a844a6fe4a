"""Outpost Seven in words: the table drawn, actions told (plain Python)."""

from typing import Any

from simkit.engine.game import HIDDEN, SECRET

from .facts import NO_CARD, NOBODY, PAIR, SINGLE, Bonus, Decision, Redraw, Side, Use
from .tables import COLOURS, LETTERS, SEATS

PUBLIC = ["bonus_A", "bonus_R", "bonus_P", "cubes_by_place", "cubes_removed", "population_added"]
MARKS = "RY"  # cubes of red and yellow


def card_name(rules: Any, card: int) -> str:
    """Return colour, value and layout of a card: `blue 5 A.P..`."""
    layout = "".join(LETTERS[rules.bonus[card, space]] for space in range(rules.value[card]))
    return f"{COLOURS[rules.colour[card]]} {rules.value[card]} {layout}"


def card_list(rules: Any, cards: Any) -> str:
    """Return the names of several cards."""
    return ", ".join("unseen" if card == NO_CARD else card_name(rules, card) for card in cards) or "nothing"


def in_mask(cards: Any, mask: int) -> list[int]:
    """Return the cards in a mask."""
    return [card for slot, card in enumerate(cards) if mask >> slot & 1]


def cell_name(rules: Any, cell: int) -> str:
    """Return row and column of a cell, counted from 1."""
    return f"row {cell // rules.cols + 1}, column {cell % rules.cols + 1}"


def line_name(rules: Any, line: int) -> str:
    """Return a row or a column, counted from 1."""
    return f"row {line + 1}" if line < rules.rows else f"column {line - rules.rows + 1}"


def show(s: Any, rules: Any) -> str:
    """Return offer, hands and the grid with population and votes on its border."""
    lines = [f"  offer: {card_list(rules, s.offer[: s.offer_n])}"]
    if s.decision < Decision.main:
        if s.decision == Decision.draft:
            lines.append(f"  pool: {card_list(rules, s.pool[: s.pool_n])}")
        for name, cards, n in zip(SEATS, s.dealt, s.dealt_n, strict=True):
            lines += [f"  {name} was dealt: {card_list(rules, cards[:n])}"] if n else []
        return "\n".join(lines)
    lines[0] += f"   (deck {s.deck_n - s.deck_pos})"
    for name, cards, n, stopped in zip(SEATS, s.hand, s.hand_n, s.stopped, strict=True):
        lines.append(f"  {name}'s hand: {card_list(rules, cards[:n])}{'  (stopped)' if stopped else ''}")
    return "\n".join([*lines, draw_grid(s, rules), f"  score: red {s.score[0]}, yellow {s.score[1]}"])


def draw_grid(s: Any, rules: Any) -> str:
    """Return the grid: colour letter, value, spaces; R and Y are cubes; population and votes outside."""
    rows, cols = int(rules.rows), int(rules.cols)
    edge = "        +" + "----------+" * cols
    out = [edge]
    for r in range(rows):
        cells = "|".join(f" {_draw_cell(s, rules, r * cols + c):9}" for c in range(cols))
        out += [f"  {_draw_line(s, r):>5} |{cells}|", edge]
    out.append("         " + " ".join(f"{_draw_line(s, rows + c):^10}" for c in range(cols)).rstrip())
    return "\n".join(out)


def _draw_line(s: Any, line: int) -> str:
    return f"{s.pop[line]} {'-' if s.vote[line] == NOBODY else MARKS[s.vote[line]]}"


def _draw_cell(s: Any, rules: Any, cell: int) -> str:
    card, mask = s.grid_card[cell], int(s.grid_mask[cell])
    if card == NO_CARD:
        return ""
    free = [LETTERS[kind].lower() for kind in rules.bonus[card, : rules.value[card]]]
    spaces = [MARKS[s.grid_owner[cell]] if mask >> space & 1 else letter for space, letter in enumerate(free)]
    return f"{COLOURS[rules.colour[card]][0]}{rules.value[card]} {''.join(spaces)}"


def describe(s: Any, rules: Any, action: int, after: Any) -> str:
    """Return the action and its outcome in words."""
    match Decision(s.decision):
        case Decision.keep if NO_CARD in s.dealt[s.seat, : s.dealt_n[s.seat]]:
            return f"keeps {after.hand_n[s.seat]} cards"
        case _ if action == HIDDEN:
            return SECRET
        case Decision.side:
            return "chooses to go second" if action == Side.second else "chooses to go first"
        case Decision.mulligan:
            return "redraws the dealt cards" if action == Redraw.yes else "keeps the deal"
        case Decision.keep:
            held = in_mask(s.dealt[s.seat], action)
            total = sum(int(rules.value[card]) for card in held)
            return f"keeps {card_list(rules, held)} (total {total})"
        case Decision.draft:
            return f"drafts {card_name(rules, s.pool[action])}"
        case Decision.bonuspop:
            return f"adds {rules.second_bonus_population} population to {line_name(rules, action)}"
        case Decision.main if action < PAIR:
            return f"salvages {card_list(rules, in_mask(s.offer, action))}"
        case Decision.main:
            module, scrap = (
                card_list(rules, [s.hand[s.seat, i]]) for i in (after.sel_module, after.sel_scrap)
            )
            return f"repairs with {module}, scrapping {scrap}: {_cubes(after.sel_cubes)}"
        case Decision.cell:
            sentence = f"places it at {cell_name(rules, action)}"
        case _:
            sentence = f"uses {_bonus_name(s, rules, action)} next"
    return "; ".join([sentence, *_effects(s, rules, after)])


def _bonus_name(s: Any, rules: Any, action: int) -> str:
    if not SINGLE.has(action):
        return Use(action).name.upper()
    cell = SINGLE.cell(action)
    kind = Bonus(rules.bonus[s.grid_card[cell], SINGLE.space(action)]).name.upper()
    return f"{kind} of the card at {cell_name(rules, cell)}"


def _cubes(n: int) -> str:
    return f"{n} cube" if n == 1 else f"{n} cubes"


def _effects(s: Any, rules: Any, after: Any) -> list[str]:
    """Return what bonuses and votes changed between two states."""
    more = {name: after.log.game[name] - s.log.game[name] for name in s.log.game.dtype.names}
    kinds = {"PLACE": more["bonus_A"], "REMOVE": more["bonus_R"], "POP": more["bonus_P"]}
    effects = {
        "bonuses " + ", ".join(f"{kind} x{n}" for kind, n in kinds.items() if n): sum(kinds.values()),
        f"{_cubes(more['cubes_by_place'])} placed by bonuses": more["cubes_by_place"],
        f"{_cubes(more['cubes_removed'])} removed": more["cubes_removed"],
        f"{more['population_added']} population added": more["population_added"],
    }
    for line in range(rules.lines):
        text = f"{line_name(rules, line)} ({after.pop[line]}) now votes {SEATS[after.vote[line]]}"
        effects[text] = after.vote[line] != s.vote[line]
    return [text for text, happened in effects.items() if happened]
