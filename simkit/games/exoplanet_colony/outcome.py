"""Exoplanet Colony in words: what came of an action by itself (plain Python)."""

from typing import Any

from simkit.engine.rule_helpers import OVER
from simkit.games.exoplanet_colony.facts import (
    CARD,
    COLOUR_NAMES,
    EMERGENCY,
    EVENT_NAMES,
    EVENTS,
    FIRST_CRITICAL,
    ISSUE_NAMES,
    ISSUES,
    MOST_OPS,
    NOBODY,
    RESOURCE_NAMES,
    RESOURCES,
    SLOT,
    Act,
    Character,
    Decision,
    End,
    Key,
    Op,
    Plan,
    Step,
    Where,
    Who,
)
from simkit.games.exoplanet_colony.turn import takes_place
from simkit.games.exoplanet_colony.words import card_name, cards_of, changes, slot_name, token_name

ENDS = {
    End.self_sustaining: "all productions are at the goal",
    End.skull: "the emergency level is at the skull",
    End.events_out: "no event is left",
}
PLACES = {Where.hub: "the Hub", Where.here: "the own module", Where.any: "any module",
          Where.farthest: "the farthest module"}  # fmt: skip


PUBLIC = ["reshuffles", "event_draws", "events_cancelled", "loss_skipped", "emergencies_skipped"]


def outcome(s: Any, rules: Any, action: int, after: Any) -> list[str]:
    """Return what happened: modules, cards drawn, the update, the event and its strikes, the end."""
    parts = [
        f"{slot_name(after, slot)} works: {changes(rules.effect[after.slot_card[slot]])}"
        for slot in range(s.slots, after.slots)
    ]
    drawn = _drawn(s, action, after)
    drawn += ["the discard pile becomes the deck"] * int(after.log.game.reshuffles - s.log.game.reshuffles)
    by_event = after.log.game.event_draws > s.log.game.event_draws
    first, last = ([], drawn) if by_event and action != Act.draw else (drawn, [])
    parts += first + _updated(s, rules, action, after) + _revealed(s, rules, after) + last
    parts += _struck(s, action, after) + _ill(s, after)
    dry = [name for r, name in enumerate(RESOURCE_NAMES) if s.supply[r] > 0 == after.supply[r]]
    parts += [f"{name} has run out" for name in dry]
    return parts + ([ENDS[End(int(after.log.game.end_reason))]] if after.seat == OVER else [])


def _updated(s: Any, rules: Any, action: int, after: Any) -> list[str]:
    """Return, e.g., `update: oxygen -2, water -2`, by the productions before an event."""
    ended = after.seat == OVER and after.step == Step.update
    passed = (after.turn_no, after.step) > (s.turn_no, Step.update) or ended
    if s.step not in (Step.actions, Step.update) or not passed or not takes_place(s, rules.update_per):
        return []
    if s.skip_update or (s.decision == Decision.plan_window and action == CARD + Plan.rationing):
        return ["no update"]
    placed = (after.slot_loss - s.slot_loss).clip(0).sum(axis=0, dtype=int)
    sick = "" if ended or not _infected(s, after) else ", then oxygen -1, water -1 by the infection"
    return [f"update: {changes(after.production + placed)}{sick}"]


def _infected(s: Any, after: Any) -> bool:
    """Return whether the active seat has the infection before and after the action."""
    return bool(s.issues[s.active] & after.issues[s.active] & 1 << ISSUE_NAMES.index("Infection"))


def _revealed(s: Any, rules: Any, after: Any) -> list[str]:
    """Return, e.g., `event: Oxygen Leak (oxygen -2)`."""
    new = [event for event in range(EVENTS) if int(after.seen) & ~int(s.seen) & 1 << event]
    parts = [
        f"{'critical event' if event >= FIRST_CRITICAL else 'event'}: {EVENT_NAMES[event]}"
        f" ({contents(rules, event)})"
        for event in new
    ]
    cancelled = after.log.game.events_cancelled > s.log.game.events_cancelled
    return parts + (["the event has no effect"] if cancelled else [])


def contents(rules: Any, row: int) -> str:
    """Return the ops of an event, or of a list of the scenario, in words."""
    ops = [_op(rules, row, i) for i in range(MOST_OPS) if rules.op_kind[row, i] != Op.none]
    return ", ".join(ops) or "nothing happens"


def _op(rules: Any, row: int, i: int) -> str:
    kind, what, amount = Op(rules.op_kind[row, i]), int(rules.op_what[row, i]), int(rules.op_amount[row, i])
    if kind == Op.supply:
        return f"{RESOURCE_NAMES[what]} {amount:+d}"
    if kind in (Op.loss, Op.emergency):
        token = token_name(what if kind == Op.loss else EMERGENCY)
        return f"{token} on {_place(Where(rules.op_where[row, i]))}"
    if kind in (Op.draw, Op.discard):
        return f"{'each seat' if what == Who.each else 'the active seat'} {kind.name}s {amount}"
    if kind == Op.health:
        return "health issue"
    if kind == Op.pawns_home:
        return "all pawns to the Hub"
    return f"{Key(what).name}: {contents(rules, EVENTS + what)}"


def _place(where: Where) -> str:
    """Return, e.g., `a red module`, `a red module or the Hub`, `the farthest module`."""
    if where in PLACES:
        return PLACES[where]
    either = " or the Hub" if where >= RESOURCES else ""
    return f"a {COLOUR_NAMES[where % RESOURCES]} module{either}"


def _drawn(s: Any, action: int, after: Any) -> list[str]:
    """Return, e.g., `draws Greenhouse (green)`: cards in hands that were in no hand before."""
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
        who = "draws" if seat == s.seat else f"seat {seat} draws"
        parts += [f"{who} {', '.join(map(card_name, new))}"] if new and s.turn_no else []
    both = [card_name(card) for card in after.got.tolist() if card != NOBODY]
    return parts + ([f"draws {' and '.join(both)}"] if both else [])


def tokens_there(s: Any, slot: int, token: int) -> int:
    """Return the number of tokens of a kind on a slot."""
    return int(s.slot_emerg[slot] if token == EMERGENCY else s.slot_loss[slot, token])


def _struck(s: Any, action: int, after: Any) -> list[str]:
    """Return the tokens placed, without the one that the action itself placed."""
    parts = []
    chosen = (action - SLOT, int(s.strike)) if s.decision == Decision.event_place else None
    for slot in range(after.slots):
        for token in range(EMERGENCY + 1):
            n = tokens_there(after, slot, token) - tokens_there(s, slot, token) - ((slot, token) == chosen)
            parts += [f"{token_name(token)} on {slot_name(after, slot)}"] * n
    skipped = ("loss_skipped", "emergencies_skipped")
    none = any(after.log.game[name] > s.log.game[name] for name in skipped)
    return parts + (["no token is placed"] if none else [])


def _ill(s: Any, after: Any) -> list[str]:
    new = [(seat, int(after.issues[seat]) & ~int(s.issues[seat])) for seat in range(s.seats)]
    return [
        f"{'' if seat == s.seat else f'seat {seat} '}falls ill: {ISSUE_NAMES[issue]}"
        for seat, issues in new
        for issue in range(ISSUES)
        if issues >> issue & 1
    ]
