"""Red Outpost: the state of a game (RO-11), and what is logged of it (RO-17.1)."""

from simkit.engine.fields import CATEGORY, SEAT, Field, category, counters, members, place, scalar
from simkit.engine.options import to_words
from simkit.games.red_outpost import facts
from simkit.games.red_outpost.facts import CARDS, MOST, RESOURCES, WORKERS

STATE = [
    scalar("decision", facts.Decision, "What is being decided"),
    scalar("stage", facts.Stage, "What comes next when nobody decides"),
    scalar("phase", facts.Phase, "Phase of the round"),
    scalar("round_no", "i1", "Round, from 0"),
    scalar("turn_no", "i1", "Turn of the phase, from 0"),
    scalar("token", "i1", "Seat with the first-player token", SEAT),
    Field("wloc", "i1", (WORKERS,), "Location of each worker [worker]", value=category("location")),
    Field("tired", "i1", (WORKERS,), "1 = lies flat [worker]"),
    Field("mood", "i1", (WORKERS,), "Place on the mood track, from 0 [worker]"),
    Field(
        "moves",
        "i2",
        (WORKERS,),
        "Where each worker may move in this turn, bit L = location L [worker]",
        value=members("location"),
    ),
    Field("infl", "i1", (MOST, WORKERS), "Disks on portraits [seat, worker]"),
    Field("pcry", "i1", (MOST, WORKERS), "Crystals on portraits, of card 2 [seat, worker]"),
    Field("reserve", "i1", (MOST,), "Disks in the reserve [seat]"),
    Field("card_disk", "i1", (MOST,), "1 = a disk lies on card 6 [seat]"),
    Field("crystals", "i2", (MOST,), "Crystals in the reserve [seat]"),
    Field("palace", "i2", (MOST,), "Crystals donated to the Palace [seat]"),
    Field("wheel", "i1", (MOST,), "Place on the production wheel, from 0 [seat]"),
    scalar("crystals_left", "i2", "Crystals in the supply; without meaning where there is no limit"),
    Field("store", "i1", (RESOURCES,), "Cubes in the storehouse [resource]"),
    Field("epos", "i1", (RESOURCES,), "Cubes on the export track [resource]"),
    scalar("block_morning", "i2", "Blocked in the Morning, bit L = location L", members("location")),
    scalar("block_evening", "i2", "Blocked in the Evening, bit L = location L", members("location")),
    scalar("lake_n", "i1", "Cards in the lake deck"),
    Field("lake_disc", "i1", (facts.LAKE_KINDS,), "Discarded lake cards [kind]"),
    scalar("ship_n", "i1", "Cards in the spaceship deck"),
    Field("ship_disc", "i1", (facts.SHIP_KINDS,), "Discarded spaceship cards [kind]"),
    Field("card_owner", "i1", (CARDS,), "Owner of a special card, -1 nobody [card]", value=SEAT),
    Field(
        "dealt",
        "i1",
        (MOST, facts.MOST_DEALT),
        "Cards dealt to choose from, 0 none [seat, place]",
        value=category("card"),
        unordered="place",
    ),
    Field(
        "put_by",
        "i1",
        (RESOURCES, 4),
        "Seat that put each cube, oldest first, -1 none [resource, place]",
        value=SEAT,
    ),
    scalar("last_leader", "i1", "Seat that led alone when the lead was last looked at, -1 none", SEAT),
    # The turn in progress.
    scalar("cur_w", "i1", "Worker moved", place("wloc")),
    scalar("cur_loc", "i1", "Location visited", category("location")),
    scalar("forgone", "i1", "1 = card 11 was used: no disk, no loss of mood"),
    scalar("gain_w", "i1", "Worker who gains mood in a swap", place("wloc")),
    scalar("adm_q", "i1", "Owner of the disk to be moved", SEAT),
    scalar("adm_w", "i1", "Worker whose disk is to be moved", place("wloc")),
    scalar("store_left", "i1", "Uses of the Storehouse left"),
    scalar("store_first", "i1", "1 = the first use of the Storehouse"),
    scalar("made_mask", "i1", "Types produced in this turn, bit t = type t", members("resource")),
    scalar("lake_pre", "i1", "1 = the lake was reshuffled before the draw"),
    scalar("lake_from", "i1", "1 = the first lake card came from the discard pile"),
    Field("lake_held", "i1", (2,), "Lake cards in hand, -1 none [place]", value=CATEGORY, unordered="place"),
    scalar("ship_card", "i1", "Spaceship card being carried out, -1 none", CATEGORY),
    scalar("down_left", "i1", "Workers that card 9 may still lay down"),
    scalar("fish_w", "i1", "Worker that card 15 moves", place("wloc")),
    scalar("keep_at", "i1", "Seats that have been asked to keep a card"),
    scalar("keep_kind", "i1", "Cards being kept: 0 location cards, 1 worker cards", CATEGORY),
    # From here on nothing is seen by a strategy: `observe` copies what stands before the decks.
    Field("lake_deck", "i1", (facts.LAKE_CARDS,), "Lake deck, the next card last [place]"),
    Field("ship_deck", "i1", (facts.MOST_SHIP_CARDS,), "Spaceship deck, the next card last [place]"),
    Field("card_deck", "i1", (facts.LOCATION_CARDS,), "Special cards of a kind, being dealt [place]"),
]


def _each(name: str, names: list[str], meaning: str) -> Field:
    """Return a field with a number for each of several things: columns `name_thing`."""
    columns = {f"{name}_{thing}": to_words(thing).replace("labor camp", "Labor Camp") for thing in names}
    return Field(name, "i4", (len(names),), f"{meaning}: {{}}", columns)


_USES = {f"card_{n}_uses": f"{n}" for n in range(1, CARDS + 1)}
VISITS = _each("visits", facts.LOCATION_NAMES, "Visits")
MOVED = _each("moved", facts.WORKER_NAMES, "Turns with a worker")

GAME_LOG = [
    *counters(
        legal_moves="Legal moves of all turns, added up",
        no_legal_move="Turns forfeited for want of a legal move",
        no_disk_left="Turns without a disk left to place",
        tokens_morning="Locations blocked in the first Morning, bit L = location L",
        tokens_evening="Locations blocked in the first Evening, bit L = location L",
    ),
    VISITS,
    _each("vp_at", facts.LOCATION_NAMES, "Victory points from wheel and exports in visits"),
    MOVED,
    _each("produced", facts.RESOURCE_NAMES, "Cubes produced"),
    _each("added", facts.RESOURCE_NAMES, "Cubes added without production"),
    scalar("exports", "i4", "Exports"),
    Field("exports_of", "i4", (RESOURCES,), "Exports: {}", {f"exports_{r}": r for r in facts.RESOURCE_NAMES}),
    *counters(
        export_vp="Victory points from exports",
        exports_repeat="Exports scored on the last space, which repeats",
        foreign_cubes_exported="Cubes exported that another seat had put into the storehouse",
        wheel_rewards="Rewards of the production wheel",
        crystals_gained="Crystals gained during play",
        crystal_supply_empty="Crystals lost because the supply was empty",
        crystals_paid="Crystals paid at Beer House and Storehouse",
        palace_donations="Crystals donated to the Palace",
        beer_swaps="Swaps of mood at the Beer House",
        store_mood="Cubes discarded at the Storehouse for mood",
        store_to_crystal="Cubes discarded at the Storehouse for crystals",
        store_from_crystal="Crystals paid at the Storehouse for cubes",
        admin_moves="Disks moved at the Administration",
        lake_cards="Cards drawn from the lake deck",
        lake_fish="Fish caught in the lake",
        lake_auto_shuffles="Lake shuffled because all fish were caught",
        lake_voluntary_shuffles="Lake shuffled by the Fisherman",
        lake_forced_shuffles="Lake shuffled because the deck was empty",
        ship_blanks_drawn="Spaceship cards drawn with nothing",
        ship_reshuffles="Spaceship deck shuffled because it was empty",
        mood_up="Steps of mood up",
        mood_down="Steps of mood down",
        mood_clamped="Steps of mood lost at the ends of the track",
    ),
    _each("mood", facts.WORKER_NAMES, "Victory points of moods at the ends of rounds"),
    *counters(
        round_mood_vp="Victory points of all moods at the ends of rounds, led or not",
        workers_unled="Workers without influence at the ends of rounds",
        workers_tied="Workers with several leaders at the ends of rounds",
        slept_in="Workers left in the Barracks in Mornings",
        tiebreak_needed="1 = the most victory points are those of several seats",
        winning_margin="Victory points between the first and the second seat",
        leader_vp_after_round_1="Most victory points after round 1",
        comeback="1 = no winner led after round 1",
        lead_changes="Changes of the sole leader from phase to phase",
    ),
    Field("card_uses", "i4", (CARDS,), "Uses of special card {}", _USES),
]

SEAT_LOG = [
    scalar("turns", "i4", "Turns taken by the seat"),
    VISITS,
    MOVED,
    *counters(
        exports="Exports",
        foreign_cubes_exported="Cubes exported that another seat had put into the storehouse",
        wheel_rewards="Rewards of the production wheel",
        crystals_gained="Crystals gained during play",
        crystals_paid="Crystals paid at Beer House and Storehouse",
        vp_wheel="Victory points from the production wheel",
        vp_export="Victory points from exports",
        vp_mood="Victory points from moods",
        vp_palace="Victory points from the Palace",
        vp_crystals="Victory points from crystals left over",
        vp_after_round_1="Victory points after round 1",
        crystals_end="Crystals at the end",
        donated="Crystals donated to the Palace",
        cubes_produced="Cubes produced",
        cubes_added="Cubes added without production",
        workers_led="Workers led at the ends of rounds",
        workers_led_alone="Workers led alone at the ends of rounds",
        disks_shifted="Own disks moved by others at the Administration",
        location_card="Lowest special location card held, 0 none",
        worker_card="Lowest special worker card held, 0 none",
        cards="Special cards held, bit n - 1 = card n",
    ),
]

TRACE_LOG = [
    scalar("worker", "i1", "Worker moved in the turn"),
    scalar("location", "i1", "Location visited in the turn"),
    scalar("projected", "i4", "Victory points if round and game ended now"),
    scalar("crystals", "i4", "Crystals in the reserve"),
    scalar("disks", "i1", "Disks on portraits"),
]
