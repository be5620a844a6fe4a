"""Exoplanet Colony in words: names, the table and the base drawn (plain Python; `story` tells of actions)."""

from typing import Any

from simkit.engine.rule_helpers import OVER
from simkit.formatting import counted
from simkit.games.exoplanet_colony.facts import (
    CARD_NAMES,
    CARDS,
    CHARACTER_NAMES,
    COLOUR,
    COLOUR_NAMES,
    DATA,
    EMERGENCY,
    EVENT_NAMES,
    HUB,
    ISSUE_NAMES,
    ISSUES,
    MODULES,
    RESOURCE_NAMES,
    RESOURCES,
)

WIDE = 16  # letters of a module on the drawn base
ICONS = ("radiation", "pressure", "humidity")
LEGEND = (
    "base: slot and colour, x switched off, o w f e Loss tokens of oxygen, water, food, energy, ! emergency;"
    " below: name, pawns @seat"
)


def show(s: Any, rules: Any) -> str:
    """Return life support, base, decks and every seat in words."""
    life = ", ".join(f"{name} {s.supply[r]} ({s.production[r]:+d})" for r, name in enumerate(RESOURCE_NAMES))
    top = f", {card_name(s.discard[s.discard_n - 1])} on top" if s.discard_n else ""
    return "\n".join(
        [
            *([_scenario(rules), LEGEND] if s.turn_no <= 1 and s.seat != OVER else []),
            *draw_base(s),
            f"{_turn(s)}emergency level {s.level}, the skull is {rules.skull}; {life}",
            f"{counted(int(s.deck_n), 'card')} in the deck, {s.discard_n} discarded{top};"
            f" {counted(int(s.events_n), 'event')} to come{_next_events(s)}",
            *(_seat(s, seat) for seat in range(s.seats)),
        ]
    )


def _scenario(rules: Any) -> str:
    """Return, e.g., `scenario 1, Proxima Centauri b: radiation 2, ...; goal: all productions 0 or more`."""
    data = DATA["scenarios"][int(rules.scenario) - 1]
    icons = ", ".join(f"{icon} {data[icon]}" for icon in ICONS)
    goal = f"goal: all productions {rules.win_production} or more"
    return f"scenario {rules.scenario}, {data['name']}: {icons}; {goal}"


def _turn(s: Any) -> str:
    """Return, e.g., `turn 3: seat 2, 4 actions; `; actions are unknown before plans of the start."""
    if s.turn_no == 0 or s.seat == OVER:
        return ""
    left = f", {counted(int(s.actions_left), 'action')}" if s.actions_left else ""
    return f"turn {s.turn_no}: seat {s.active}{left}; "


def draw_base(s: Any) -> list[str]:
    """Return the modules where they lie, three lines each, north at the top."""
    cells = {(int(s.slot_x[slot]), int(s.slot_y[slot])): slot for slot in range(s.slots)}
    columns = range(min(x for x, _ in cells), max(x for x, _ in cells) + 1)
    rows = range(max(y for _, y in cells), min(y for _, y in cells) - 1, -1)
    lines = []
    for y in rows:
        drawn = [_cell(s, cells[x, y]) if (x, y) in cells else ("", "", "") for x in columns]
        lines += ["".join(cell[part].ljust(WIDE + 2) for cell in drawn).rstrip() for part in range(3)]
    return [line for line in lines if line]


def _cell(s: Any, slot: int) -> tuple[str, str, str]:
    """Return, e.g., `[3G xwf!]`, `Greenhouse` and `@0 @2`."""
    name = "Hub" if slot == HUB else f"{slot}{COLOUR_NAMES[COLOUR[s.slot_card[slot]]][0].upper()}"
    marks = "x" if int(s.off) >> slot & 1 else ""
    marks += "".join(RESOURCE_NAMES[r][0] * int(s.slot_loss[slot, r]) for r in range(RESOURCES))
    marks += "!" * int(s.slot_emerg[slot])
    pawns = " ".join(f"@{seat}" for seat in range(s.seats) if s.pawn[seat] == slot)
    called = "" if slot == HUB else short(CARD_NAMES[s.slot_card[slot]])
    return f"[{name}{marks and ' '}{marks}]", f" {called}", f" {pawns}"


def short(name: str) -> str:
    """Return a name as it fits on the drawn base: `Radioisotope Ge.`."""
    return name if len(name) <= WIDE else f"{name[: WIDE - 1]}."


def _next_events(s: Any) -> str:
    """Return, e.g., `, next: Mould, Quiet Sol`."""
    names = [EVENT_NAMES[s.events[s.events_n - 1 - place]] for place in range(s.events_known)]
    return f", next: {', '.join(names)}" if names else ""


def _seat(s: Any, seat: int) -> str:
    """Return, e.g., `seat 0, Medic, on slot 2: Greenhouse, Ice Drill; has Influenza`."""
    hand = ", ".join(map(card_name, cards_of(s.hand[seat]))) or "no card"
    ill = [ISSUE_NAMES[issue] for issue in range(ISSUES) if int(s.issues[seat]) >> issue & 1]
    place = slot_name(s, int(s.pawn[seat]))
    has = f"; has {', '.join(ill)}" if ill else ""
    return f"seat {seat}, {CHARACTER_NAMES[s.character[seat]]}, on {place}: {hand}{has}"


def cards_of(hand: int) -> list[int]:
    """Return the cards of a set."""
    return [card for card in range(CARDS) if int(hand) >> card & 1]


def card_name(card: int) -> str:
    """Return, e.g., `Greenhouse (green)`."""
    colour = f" ({COLOUR_NAMES[COLOUR[card]]})" if card < MODULES else ""
    return f"{CARD_NAMES[card]}{colour}"


def slot_name(s: Any, slot: int) -> str:
    """Return, e.g., `the Hub`, `2 Greenhouse`."""
    return "the Hub" if slot == HUB else f"{slot} {CARD_NAMES[s.slot_card[slot]]}"


def token_name(token: int) -> str:
    """Return the name of a token."""
    return "Emergency token" if token == EMERGENCY else f"{RESOURCE_NAMES[token]} Loss token"


def changes(amounts: Any) -> str:
    """Return, e.g., `oxygen +1, food -2`, `nothing`."""
    return ", ".join(f"{RESOURCE_NAMES[r]} {n:+d}" for r, n in enumerate(amounts) if n) or "nothing"
