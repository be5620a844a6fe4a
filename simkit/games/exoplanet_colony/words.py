"""Exoplanet Colony in words: the base drawn, what is done and what comes of it (plain Python)."""

from collections.abc import Callable
from typing import Any

from simkit.game import OVER
from simkit.games.exoplanet_colony.facts import (
    CARD,
    CARD_NAMES,
    CARDS,
    CHARACTER_NAMES,
    COLOUR,
    COLOUR_NAMES,
    DIR,
    DIRECTIONS,
    EMERGENCY,
    EVENT_NAMES,
    EVENTS,
    FIRST_CRITICAL,
    HEALTH,
    HUB,
    ISSUE_NAMES,
    ISSUES,
    MODULES,
    NOBODY,
    ORDERS,
    PERM,
    RES,
    RESOURCE_NAMES,
    RESOURCES,
    SLOT,
    TOKEN,
    Act,
    Character,
    Decision,
)
from simkit.games.exoplanet_colony.plans import looked_at

DIRECTION_NAMES = ("north", "east", "south", "west")
WIDE = 12  # letters of a module on the drawn base
LEGEND = (
    "base: slot and colour, x switched off, o w f e Loss tokens of oxygen, water, food, energy, ! emergency;"
    " below: pawns @seat"
)


def show(s: Any, rules: Any) -> str:
    """Life support, base, decks, every seat."""
    life = ", ".join(f"{name} {s.supply[r]} ({s.production[r]:+d})" for r, name in enumerate(RESOURCE_NAMES))
    modules = [_module(s, rules, slot) for slot in range(1, s.slots)]
    top = f", {card_name(s.discard[s.discard_n - 1])} on top" if s.discard_n else ""
    head = f"turn {s.turn_no}: seat {s.active}; " if s.turn_no and s.seat != OVER else ""
    return "\n".join(
        [
            *([LEGEND] if s.turn_no <= 1 else []),
            *draw_base(s),
            *([f"modules: {'; '.join(modules)}"] if modules else []),
            f"{head}emergency level {s.level}, the skull is {rules.skull}; {life}",
            f"{counted(int(s.deck_n), 'card')} in the deck, {s.discard_n} discarded{top};"
            f" {counted(int(s.events_n), 'event')} to come{_known(s)}",
            *(_seat(s, seat) for seat in range(s.seats)),
        ]
    )


def draw_base(s: Any) -> list[str]:
    """The modules where they lie, two lines each, north at the top."""
    cells = {(int(s.slot_x[slot]), int(s.slot_y[slot])): slot for slot in range(s.slots)}
    columns = range(min(x for x, _ in cells), max(x for x, _ in cells) + 1)
    rows = range(max(y for _, y in cells), min(y for _, y in cells) - 1, -1)
    lines = []
    for y in rows:
        drawn = [_cell(s, cells[x, y]) if (x, y) in cells else ("", "") for x in columns]
        lines += ["".join(cell[part].ljust(WIDE + 1) for cell in drawn).rstrip() for part in (0, 1)]
    return [line for line in lines if line]


def _cell(s: Any, slot: int) -> tuple[str, str]:
    """`[3G xwf!]` and `@0 @2`."""
    name = "Hub" if slot == HUB else f"{slot}{COLOUR_NAMES[COLOUR[s.slot_card[slot]]][0].upper()}"
    marks = "x" * (int(s.off) >> slot & 1)
    marks += "".join(RESOURCE_NAMES[r][0] * int(s.slot_loss[slot, r]) for r in range(RESOURCES))
    marks += "!" * int(s.slot_emerg[slot])
    pawns = " ".join(f"@{seat}" for seat in range(s.seats) if s.pawn[seat] == slot)
    return f"[{name}{marks and ' '}{marks}]", f" {pawns}"


def _module(s: Any, rules: Any, slot: int) -> str:
    """`2 Greenhouse (food +2, water -1)`."""
    card = int(s.slot_card[slot])
    effect = [f"{RESOURCE_NAMES[r]} {n:+d}" for r, n in enumerate(rules.effect[card]) if n]
    return f"{slot} {CARD_NAMES[card]} ({', '.join(effect)})"


def _known(s: Any) -> str:
    """`, next: Mould, Quiet Sol`."""
    known = [EVENT_NAMES[s.events[s.events_n - 1 - place]] for place in range(s.events_known)]
    return f", next: {', '.join(known)}" if known else ""


def _seat(s: Any, seat: int) -> str:
    """`seat 0, Medic, on slot 2: Greenhouse, Ice Drill; has Influenza`."""
    hand = ", ".join(map(card_name, cards_of(s.hand[seat]))) or "no card"
    ill = [ISSUE_NAMES[issue] for issue in range(ISSUES) if int(s.issues[seat]) >> issue & 1]
    place = slot_name(s, int(s.pawn[seat]))
    has = f"; has {', '.join(ill)}" if ill else ""
    return f"seat {seat}, {CHARACTER_NAMES[s.character[seat]]}, on {place}: {hand}{has}"


def counted(n: int, one: str) -> str:
    """`1 card`, `2 cards`."""
    return f"{n} {one}{'' if n == 1 else 's'}"


def cards_of(hand: int) -> list[int]:
    return [card for card in range(CARDS) if int(hand) >> card & 1]


def card_name(card: int) -> str:
    """`Greenhouse (green)`."""
    colour = f" ({COLOUR_NAMES[COLOUR[card]]})" if card < MODULES else ""
    return f"{CARD_NAMES[card]}{colour}"


def slot_name(s: Any, slot: int) -> str:
    """`the Hub`, `2 Greenhouse`."""
    return "the Hub" if slot == HUB else f"{slot} {CARD_NAMES[s.slot_card[slot]]}"


def token_name(token: int) -> str:
    return "Emergency token" if token == EMERGENCY else f"{RESOURCE_NAMES[token]} Loss token"


def describe(s: Any, rules: Any, action: int, after: Any) -> str:
    """The action, where it says something by itself, and what came of it."""
    tell = TELL.get(Decision(int(s.decision)))
    done = tell(s, action) if tell else ""
    return "; ".join(part for part in [done, *_outcome(s, rules, action, after)] if part)


def _main(s: Any, action: int) -> str:
    """What is complete with the choice at MAIN; the others are told when they are."""
    slot = int(s.pawn[s.active])
    if Act.move <= action < Act.move + DIRECTIONS:
        to = int(s.slot_nb[slot, action - Act.move])
        return f"moves {DIRECTION_NAMES[action - Act.move]} to {slot_name(s, to)}"
    if action == Act.switch:
        return f"switches {slot_name(s, slot)} {'on' if int(s.off) >> slot & 1 else 'off'}"
    if action == Act.ability and s.character[s.active] == Character.quartermaster:
        return f"takes {card_name(s.discard[s.discard_n - 1])} from the discard pile"
    left = f" with {counted(int(s.actions_left), 'action')} left" if s.actions_left else ""
    return f"stops{left}" if action == Act.pass_ else ""


def _pay(s: Any, action: int) -> str:
    return f"pays {card_name(action - CARD)} for {CARD_NAMES[s.card]}"


def _cell_chosen(s: Any, action: int) -> str:
    return f"deploys {card_name(int(s.card))} {DIRECTION_NAMES[action - DIR]} of {slot_name(s, int(s.slot))}"


def _given(s: Any, action: int) -> str:
    return f"gives {card_name(action - CARD)} to seat {s.partner}"


def _taken(s: Any, action: int) -> str:
    return f"takes {card_name(action - CARD)} from seat {s.partner}"


def _repaired(s: Any, action: int) -> str:
    token, slot = action - TOKEN, int(s.slot)
    of = f" of turn {s.since[slot, token]}" if s.since[slot, token] else ""
    return f"removes the {token_name(token)}{of} from {slot_name(s, slot)}"


def _healed(s: Any, action: int) -> str:
    who = "" if s.partner == s.active else f" of seat {s.partner}"
    return f"treats {ISSUE_NAMES[action - HEALTH]}{who}"


def _slot_chosen(s: Any, action: int) -> str:
    if s.character[s.active] == Character.engineer:
        return ""
    return f"goes to {slot_name(s, action - SLOT)}"


def _plan(s: Any, action: int) -> str:
    return "" if action == Act.pass_ else f"plays {CARD_NAMES[action - CARD]}"


def _reordered(s: Any, action: int) -> str:
    n = int(looked_at(s))
    order = [ORDERS[action - PERM][j] if n > 2 else (j + action - PERM) % n for j in range(n)]
    names = [EVENT_NAMES[s.events[s.events_n - 1 - place]] for place in order]
    return f"puts the next events in the order {', '.join(names)}"


def _card(says: str) -> Callable[[Any, int], str]:
    return lambda s, action: f"{says} {card_name(action - CARD)}"


TELL: dict[Decision, Callable[[Any, int], str]] = {
    Decision.start_discard: _card("discards of the starting hand:"),
    Decision.main: _main,
    Decision.give_card: _given,
    Decision.take_card: _taken,
    Decision.deploy_dir: _cell_chosen,
    Decision.deploy_pay: _pay,
    Decision.gen_card: _card("generates with"),
    Decision.gen_res: lambda s, action: f"chooses {RESOURCE_NAMES[action - RES]}",
    Decision.repair_token: _repaired,
    Decision.issue: _healed,
    Decision.recover_card: _card("discards to recover:"),
    Decision.ability_slot: _slot_chosen,
    Decision.ability_card: _card("keeps"),
    Decision.item_card: _card("uses the"),
    Decision.item_res: lambda s, action: f"raises {RESOURCE_NAMES[action - RES]}",
    Decision.item_take: _card("takes from the discard pile:"),
    Decision.plan_card: _plan,
    Decision.plan_window: _plan,
    Decision.plan_slot: lambda s, action: f"moves seat {s.partner} to {slot_name(s, action - SLOT)}",
    Decision.plan_perm: _reordered,
    Decision.hand_discard: _card("discards for the hand limit:"),
    Decision.event_discard: _card("discards for the event:"),
    Decision.event_place: lambda s, action: f"chooses {slot_name(s, action - SLOT)}",
}


def _outcome(s: Any, rules: Any, action: int, after: Any) -> list[str]:
    """Cards drawn, the update, the event and what it strikes."""
    parts = _drawn(s, action, after)
    if after.log.game.reshuffles > s.log.game.reshuffles:
        parts.append("the discard pile becomes the deck")
    parts += [
        f"event: {EVENT_NAMES[event]}{' (critical)' * (event >= FIRST_CRITICAL)}"
        for event in range(EVENTS)
        if int(after.seen) >> event & ~int(s.seen) >> event & 1
    ]
    if after.log.game.events_cancelled > s.log.game.events_cancelled:
        parts.append("the event has no effect")
    return parts + _struck(s, after) + _ill(s, after)


def _drawn(s: Any, action: int, after: Any) -> list[str]:
    """`draws Greenhouse (green)`: cards that came into hands and were in no hand before."""
    held = 0
    for hand in s.hand[: s.seats].tolist():
        held |= hand
    salvaged = s.decision == Decision.main and action == Act.ability and s.discard_n > 0
    if salvaged and s.character[s.active] == Character.quartermaster:
        held |= 1 << int(s.discard[s.discard_n - 1])
    if s.decision in (Decision.item_take, Decision.ability_card):
        held |= 1 << action - CARD
    parts = []
    for seat in range(s.seats):
        new = cards_of(int(after.hand[seat]) & ~held)
        who = "draws" if seat == s.active else f"seat {seat} draws"
        parts += [f"{who} {', '.join(map(card_name, new))}"] if new and s.turn_no else []
    both = [card_name(card) for card in after.got.tolist() if card != NOBODY]
    return parts + ([f"draws {' and '.join(both)}"] if both else [])


def tokens_there(s: Any, slot: int, token: int) -> int:
    return int(s.slot_emerg[slot] if token == EMERGENCY else s.slot_loss[slot, token])


def _struck(s: Any, after: Any) -> list[str]:
    """Tokens placed, supplies run dry."""
    parts = []
    for slot in range(after.slots):
        for token in range(EMERGENCY + 1):
            before, now = (
                one.slot_emerg[slot] if token == EMERGENCY else one.slot_loss[slot, token]
                for one in (s, after)
            )
            parts += [f"{token_name(token)} on {slot_name(after, slot)}"] if now > before else []
    skipped = ("loss_skipped", "emergencies_skipped")
    if any(after.log.game[name] > s.log.game[name] for name in skipped):
        parts.append("no token is placed")
    dry = [name for r, name in enumerate(RESOURCE_NAMES) if s.supply[r] > 0 == after.supply[r]]
    return parts + [f"{name} has run out" for name in dry]


def _ill(s: Any, after: Any) -> list[str]:
    new = [(seat, int(after.issues[seat]) & ~int(s.issues[seat])) for seat in range(s.seats)]
    return [
        f"seat {seat} falls ill: {ISSUE_NAMES[issue]}"
        for seat, issues in new
        for issue in range(ISSUES)
        if issues >> issue & 1
    ]
