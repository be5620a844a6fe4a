"""Exoplanet Colony in words: what is done at each decision (plain Python; `outcome` says what follows)."""

from collections.abc import Callable
from typing import Any

from simkit.engine.game import HIDDEN, SECRET
from simkit.formatting import counted
from simkit.games.exoplanet_colony.facts import (
    CARD,
    CARD_NAMES,
    CHARACTER_NAMES,
    COLOUR,
    DIR,
    DIRECTIONS,
    EVENT_NAMES,
    FIRST_PLAN,
    HEALTH,
    ISSUE_NAMES,
    MOST_SUPPLY,
    ORDERS,
    PERM,
    RES,
    RESOURCE_NAMES,
    SLOT,
    STEP_X,
    STEP_Y,
    TOKEN,
    Act,
    Character,
    Decision,
    Stage,
)
from simkit.games.exoplanet_colony.outcome import outcome
from simkit.games.exoplanet_colony.plans import looked_at
from simkit.games.exoplanet_colony.words import card_name, changes, slot_name, token_name

DIRECTION_NAMES = ("north", "east", "south", "west")


def describe(s: Any, rules: Any, action: int, after: Any) -> str:
    """Return the action, where it says something by itself, and its outcome."""
    if action == HIDDEN:
        return SECRET
    decision = Decision(int(s.decision))
    narrate = NARRATE.get(decision)
    done = narrate(s, rules, action) if narrate else ""
    came = outcome(s, rules, action, after)
    if came and not done and decision == Decision.plan_window:
        done = "plays no plan"
    return "; ".join(part for part in [done, *came] if part)


def _main(s: Any, rules: Any, action: int) -> str:
    """Return the action at once, or nothing where the next choice says more."""
    slot = int(s.pawn[s.active])
    if Act.move <= action < Act.move + DIRECTIONS:
        to = int(s.slot_nb[slot, action - Act.move])
        return f"moves {DIRECTION_NAMES[action - Act.move]} to {slot_name(s, to)}"
    if action == Act.switch:
        on = int(s.off) >> slot & 1
        effect = changes(rules.effect[s.slot_card[slot]] * (1 if on else -1))
        return f"switches {slot_name(s, slot)} {'on' if on else 'off'} ({effect})"
    if action == Act.ability:
        return _ability(s)
    left = f" with {counted(int(s.actions_left), 'action')} left" if s.actions_left else ""
    return f"stops{left}" if action == Act.pass_ else ""


def _ability(s: Any) -> str:
    """Return, e.g., `as Medic`; the next lines say more."""
    who = int(s.character[s.active])
    top = f" takes {card_name(s.discard[s.discard_n - 1])} from the discard pile" if s.discard_n else ""
    return f"as {CHARACTER_NAMES[who]}{top if who == Character.quartermaster else ''}"


def _pay(s: Any, rules: Any, action: int) -> str:
    return f"pays {card_name(action - CARD)} for {CARD_NAMES[s.card]}"


def _cell_chosen(s: Any, rules: Any, action: int) -> str:
    d, slot = action - DIR, int(s.slot)
    cell = f"({s.slot_x[slot] + STEP_X[d]},{s.slot_y[slot] + STEP_Y[d]})"
    return f"deploys {card_name(int(s.card))} at {cell}, {DIRECTION_NAMES[d]} of {slot_name(s, slot)}"


def _given(s: Any, rules: Any, action: int) -> str:
    return f"gives {card_name(action - CARD)} to seat {s.partner}"


def _taken(s: Any, rules: Any, action: int) -> str:
    return f"takes {card_name(action - CARD)} from seat {s.partner}"


def _generation(s: Any, r: int, amount: int) -> str:
    """Return, e.g., `2 water`, limited by the room on the track."""
    return f"{min(amount, MOST_SUPPLY - s.supply[r])} {RESOURCE_NAMES[r]}"


def _burnt(s: Any, rules: Any, action: int) -> str:
    card = action - CARD
    if card >= FIRST_PLAN:
        return f"discards {card_name(card)} to generate"
    return f"generates {_generation(s, COLOUR[card], int(s.generated))} with {card_name(card)}"


def _repaired(s: Any, rules: Any, action: int) -> str:
    """Return the repair, with the turns since the last token of its kind was placed there."""
    token, slot = action - TOKEN, int(s.slot)
    placed = int(s.since[slot, token])
    life = f" after {counted(int(s.turn_no) - placed, 'turn')}" if placed else ""
    return f"removes the {token_name(token)} from {slot_name(s, slot)}{life}"


def _healed(s: Any, rules: Any, action: int) -> str:
    who = "" if s.partner == s.active else f" of seat {s.partner}"
    return f"treats {ISSUE_NAMES[action - HEALTH]}{who}"


def _slot_chosen(s: Any, rules: Any, action: int) -> str:
    return "" if s.character[s.active] == Character.engineer else f"goes to {slot_name(s, action - SLOT)}"


def _struck(s: Any, rules: Any, action: int) -> str:
    return f"puts the {token_name(int(s.strike))} on {slot_name(s, action - SLOT)}"


def _plan(s: Any, rules: Any, action: int) -> str:
    return f"plays {CARD_NAMES[action - CARD]}"


def _plan_in_window(s: Any, rules: Any, action: int) -> str:
    """Return the plan with its window and, in another seat's turn, that seat."""
    against = f" against {EVENT_NAMES[s.event]}" if s.stage == Stage.event else ""
    if action == Act.pass_:
        return f"plays no plan{against}" if against else ""
    owner = "" if s.seat == s.active else f" of seat {s.active}"
    when = {
        Stage.start: f"at the start of the turn{owner}",
        Stage.act: f"between two actions{owner}",
        Stage.update: f"before the update in the turn{owner}" if owner else "before the update",
    }
    return f"plays {CARD_NAMES[action - CARD]}{against or ' ' + when[Stage(int(s.stage))]}"


def _reordered(s: Any, rules: Any, action: int) -> str:
    n = int(looked_at(s))
    order = [ORDERS[action - PERM][j] if n > 2 else (j + action - PERM) % n for j in range(n)]
    names = [EVENT_NAMES[s.events[s.events_n - 1 - place]] for place in order]
    return f"puts the next events in the order {', '.join(names)}"


def _card(says: str) -> Callable[[Any, Any, int], str]:
    return lambda s, rules, action: f"{says} {card_name(action - CARD)}"


NARRATE: dict[Decision, Callable[[Any, Any, int], str]] = {
    Decision.start_discard: _card("discards of the starting hand:"),
    Decision.main: _main,
    Decision.give_card: _given,
    Decision.take_card: _taken,
    Decision.deploy_dir: _cell_chosen,
    Decision.deploy_pay: _pay,
    Decision.gen_card: _burnt,
    Decision.gen_res: lambda s, rules, action: f"generates {_generation(s, action - RES, int(s.generated))}",
    Decision.repair_token: _repaired,
    Decision.issue: _healed,
    Decision.recover_card: _card("discards to recover:"),
    Decision.ability_slot: _slot_chosen,
    Decision.ability_card: _card("keeps"),
    Decision.item_card: _card("uses the"),
    Decision.item_res: (
        lambda s, rules, action: f"gains {_generation(s, action - RES, int(rules.item_supply_amount))}"
    ),
    Decision.item_take: _card("takes from the discard pile:"),
    Decision.plan_card: _plan,
    Decision.plan_window: _plan_in_window,
    Decision.plan_slot: (lambda s, rules, action: f"moves seat {s.partner} to {slot_name(s, action - SLOT)}"),
    Decision.plan_perm: _reordered,
    Decision.hand_discard: _card("discards for the hand limit:"),
    Decision.event_discard: _card("discards for the event:"),
    Decision.event_place: _struck,
}
