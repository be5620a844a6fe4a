"""Exoplanet Colony: the state (EX-12), the log (EX-19.1) and the trace (EX-19.2).

Sets are numbers: of cards bit c = card c, of slots bit s = slot s, of issues bit i = issue i. The sets of
slots say again what stands in the arrays by slot (`invariants` compares them), so that most questions about
the base are answered at once.
"""

from enum import IntEnum

from simkit.engine.fields import CATEGORY, DERIVED, SEAT, Field, category, counters, members, place, scalar
from simkit.games.exoplanet_colony.facts import (
    CARDS,
    CHARACTER_NAMES,
    COLOUR_NAMES,
    DIRECTIONS,
    EVENTS,
    MOST,
    RESOURCE_NAMES,
    RESOURCES,
    SLOTS,
    Character,
    Decision,
    Defeat,
    Item,
    Key,
    Plan,
    Stage,
    Step,
)

STATE = [
    # Life support.
    Field("production", "i1", (RESOURCES,), "Production [resource]"),
    Field("supply", "i1", (RESOURCES,), "Supply [resource]"),
    scalar("level", "i1", "Emergency level: supplies of 0 and emergencies"),
    Field("loss_left", "i1", (RESOURCES,), "Loss tokens on the board [resource]"),
    scalar("shut_left", "i1", "Shutdown tokens on the board"),
    scalar("emerg_left", "i1", "Emergency tokens on the board"),
    # The cards.
    Field("hand", "i8", (MOST,), "Hands, bit c = card c [seat]", value=members("card")),
    Field("hand_keep", "i1", (MOST,), "Cards that a starting hand keeps [seat]"),
    scalar("removed", "i8", "Cards that left the game, bit c = card c", members("card")),
    scalar("deck_n", "i1", "Cards in the player deck"),
    scalar("discard_n", "i1", "Cards in the discard pile"),
    Field("discard", "i1", (CARDS,), "Discard pile, the last one on top, -1 none [place]",
          value=category("card"), unordered="place"),
    # The base.
    scalar("slots", "i1", "Modules of the base, the Hub among them"),
    Field("slot_card", "i1", (SLOTS,), "Card of the module, -1 the Hub or none [slot]",
          value=category("card"), unordered="slot"),
    Field("slot_x", "i1", (SLOTS,), "Column, east of the Hub [slot]", unordered="slot"),
    Field("slot_y", "i1", (SLOTS,), "Row, north of the Hub [slot]", unordered="slot"),
    Field("slot_nb", "i1", (SLOTS, DIRECTIONS), "Neighbour to the N, E, S, W, -1 none [slot, direction]",
          value=DERIVED, unordered="slot"),
    Field("slot_loss", "i1", (SLOTS, RESOURCES), "Loss tokens [slot, resource]", unordered="slot"),
    Field("slot_emerg", "i1", (SLOTS,), "Emergency tokens [slot]", unordered="slot"),
    Field("near", "i4", (SLOTS,), "Neighbours, bit s = slot s [slot]", value=DERIVED, unordered="slot"),
    scalar("off", "i4", "Modules switched off, bit s = slot s", members("slot")),
    Field("coloured", "i4", (RESOURCES,), "Modules of a colour, bit s = slot s [colour]",
          value=members("slot")),
    Field("damaged", "i4", (RESOURCES,), "Modules with Loss tokens, bit s = slot s [resource]",
          value=members("slot")),
    scalar("alarmed", "i4", "Modules with Emergency tokens, bit s = slot s", members("slot")),
    # The crew.
    Field("pawn", "i1", (MOST,), "Slot of the pawn [seat]", value=place("slot_card")),
    Field("character", "i1", (MOST,), "Character, 0 none [seat]", value=CATEGORY),
    Field("issues", "i1", (MOST,), "Health issues, bit i = issue i [seat]", value=members("issue")),
    # The event deck, as far as it is public.
    scalar("events_n", "i1", "Cards in the event deck"),
    scalar("events_known", "i1", "Its top cards that everybody knows"),
    scalar("seen", "i8", "Events revealed, bit e = event e", members("event")),
    # The turn in progress.
    scalar("active", "i1", "Seat whose turn it is", SEAT),
    scalar("turn_no", "i2", "Turn in progress, 1-based"),
    scalar("step", Step, "Step of the turn"),
    scalar("stage", Stage, "What comes next when nobody decides"),
    scalar("decision", Decision, "What is being decided"),
    scalar("actions_left", "i1", "Actions left in the turn"),
    scalar("price", "i1", "Actions that the choice in progress costs"),
    scalar("seats_asked", "i1", "Seats already passed over in the plan window or by an op, or in the setup"),
    scalar("over", "i1", "Seat whose hand may be above its limit, -1 none", SEAT),
    scalar("skip_update", "i1", "1 = no update this turn"),
    scalar("cancelled", "i1", "1 = the event has no effect"),
    scalar("event", "i1", "Event being carried out, -1 none", CATEGORY),
    scalar("op_i", "i1", "Its next op"),
    scalar("key", "i1", "List of the scenario being carried out, -1 none", CATEGORY),
    scalar("key_i", "i1", "Next op of that list"),
    scalar("to_draw", "i1", "Cards still to be drawn"),
    scalar("to_discard", "i1", "Cards still to be discarded by an op or to recover"),
    scalar("drawer", "i1", "Seat that draws or discards", SEAT),
    # The choice in progress.
    scalar("card", "i1", "Card chosen", category("card")),
    scalar("slot", "i1", "Slot chosen", place("slot_card")),
    scalar("partner", "i1", "Seat chosen", SEAT),
    scalar("issue", "i1", "Issue chosen", CATEGORY),
    scalar("direction", "i1", "Direction chosen", CATEGORY),
    scalar("relay", "i1", "1 = the transfer is a Relay"),
    scalar("generated", "i1", "Supply of the Generate in progress"),
    Field("need", "i1", (RESOURCES,), "Cost still open [colour]"),
    scalar("left", "i1", "Cards still to be paid"),
    scalar("substitutes", "i1", "Cards of the cost that any card may replace"),
    Field("got", "i1", (2,), "Cards drawn by the Scientist, -1 none [place]",
          value=category("card"), unordered="place"),
    scalar("strike", "i1", "Token that an event places: a resource's Loss token, 4 an Emergency token",
           CATEGORY),
    scalar("places", "i4", "Modules on which it may be placed, bit s = slot s", members("slot")),
    # From here on a strategy sees nothing but the known events: `observe` copies what stands before.
    Field("deck", "i1", (CARDS,), "Player deck, the next card last, -1 none [place]"),
    Field("events", "i1", (EVENTS,), "Event deck, the next card last, -1 none [place]",
          value=category("event")),
    Field("since", "i2", (SLOTS, RESOURCES + 1), "Turn in which its last token was placed [slot, token]",
          unordered="slot"),
]  # fmt: skip


def _each(name: str, parts: list[str], words: list[str], meaning: str) -> Field:
    """Return a field with a number for each part: columns `name_part`."""
    columns = {f"{name}_{part}": word for part, word in zip(parts, words, strict=True)}
    return Field(f"{name}_of", "i4", (len(parts),), f"{meaning}: {{}}", columns)


def _designs(kind: type[IntEnum]) -> list[str]:
    return [design.name for design in kind]


GAME_LOG = [
    scalar("won", "i4", "1 = victory"),
    scalar("end_step", Step, "Step of the turn in which the game ended"),
    scalar("defeat", Defeat, "How the game was lost"),
    *counters(
        end_seat="Seat whose turn was the last",
        margin="1 + events left on victory, else minus the deficit",
        final_deficit="Production missing for victory at the end",
        events_left="Event cards in the deck at the end",
        end_depleted="Supplies of 0 at the end",
        end_emergencies="Emergency tokens on the base at the end",
        allowance="Actions allowed, all turns together",
        actions="Actions spent",
        idle_actions="Actions left when a seat stopped",
        draws="Draw actions",
        cards_drawn="Cards taken from the player deck after the setup",
        gives="Cards given by Transfer and Relay",
        takes="Cards taken by Transfer and Relay",
        deploys="Modules deployed",
    ),
    _each("deploy", COLOUR_NAMES, COLOUR_NAMES, "Modules deployed, by colour"),
    *counters(
        deficit_cut="Deficit removed by deploying, switching and repairing",
        deficit_events="Deficit added by Loss tokens",
        generates="Generate actions, the Biochemist's among them",
        supply_made="Supply gained by Generate, Biochemist and Supply Capsule",
        wild_pays="Plans paid for modules",
        wild_gens="Plans discarded to generate",
        moves="Move actions",
        repairs="Repair actions",
        switch_off="Modules switched off",
        switch_on="Modules switched on again",
        recovers="Recover actions",
        abilities="Special abilities used",
    ),
    _each("ability", _designs(Character)[1:], CHARACTER_NAMES[1:], "Special abilities used, by character"),
    *counters(items="Items used"),
    _each("item", _designs(Item), [name.replace("_", " ") for name in _designs(Item)], "Items used"),
    *counters(plans="Plans played for their effect"),
    _each("plan", _designs(Plan), _designs(Plan), "Plans played for their effect"),
    *counters(
        plans_offturn="Plans played in another seat's turn",
        limit_discards="Cards discarded for the hand limit",
        event_draws="Cards drawn by events",
        event_discards="Cards discarded by events",
        reshuffles="Times the discard pile became the deck",
        normal_events="Normal events revealed",
        critical_events="Critical events revealed",
        events_cancelled="Events without effect by Contingency Plans",
    ),
    _each("scenario", _designs(Key), _designs(Key), "Effects of the scenario carried out"),
    *counters(
        loss_placed="Loss tokens placed",
        loss_fixed="Loss tokens removed",
        loss_skipped="Losses that placed no token",
        emergencies_placed="Emergency tokens placed",
        emergencies_fixed="Emergency tokens removed",
        emergencies_skipped="Emergencies that placed no token",
        loss_turns="Loss tokens on the base, added up over the ends of turns",
        emergency_turns="Emergency tokens on the base, added up over the ends of turns",
        health_drawn="Health issues put before a player",
        health_removed="Health issues removed",
        sick_turns="Turns begun with a health issue",
        depletions="Times a supply fell to 0",
        replenishments="Times a supply rose from 0",
        max_level="Highest emergency level",
        turns_in_emergency="Turns with fewer actions for an emergency level of 1 or more",
        turns_on_brink="Turns begun at the last level before the skull",
    ),
    Field("alarm_turn", "i4", (), "Turn in which the level first was 1 or more", never=0),
    *counters(
        comeback="1 = won although the last level before the skull was reached",
        supply_low="Lowest supply of the game",
        deficit_low="Lowest deficit of the game",
        modules="Modules on the base at the end, without the Hub",
        modules_off="Modules switched off at the end",
        base_radius="Greatest walking distance from the Hub at the end",
        hand_cards_left="Cards in all hands at the end",
    ),
    _each("final_production", RESOURCE_NAMES, RESOURCE_NAMES, "Production at the end"),
    _each("final_supply", RESOURCE_NAMES, RESOURCE_NAMES, "Supply at the end"),
]

SEAT_LOG = [
    scalar("character", Character, "Character of the seat"),
    *counters(
        turns="Turns begun by the seat",
        actions="Actions spent",
        idle_actions="Actions left when the seat stopped",
        draws="Draw actions",
        gives="Cards given by Transfer and Relay",
        takes="Cards taken by Transfer and Relay",
        transfers="Cards given or taken",
        deploys="Modules deployed",
        deficit_cut="Deficit removed by deploying, switching and repairing",
        generates="Generate actions, the Biochemist's among them",
        supply_made="Supply gained by Generate, Biochemist and Supply Capsule",
        moves="Move actions",
        repairs="Repair actions",
        recovers="Recover actions",
        abilities="Special abilities used",
        items="Items used",
        plans="Plans played for their effect",
        tokens_fixed="Loss and Emergency tokens removed",
        limit_discards="Cards discarded for the hand limit",
        event_discards="Cards discarded by events",
        sick_turns="Turns begun with a health issue",
        hand_cards_left="Cards in hand at the end",
    ),
]

TRACE_LOG = [
    scalar("deficit", "i1", "Production missing for victory"),
    scalar("level", "i1", "Emergency level"),
    scalar("supply_least", "i1", "Lowest supply"),
    scalar("modules_built", "i1", "Modules on the base, without the Hub"),
    scalar("events_to_come", "i1", "Cards in the event deck"),
    scalar("cards_held", "i1", "Cards in the hand of the seat"),
    scalar("issues", "i1", "Health issues of the seat"),
]
