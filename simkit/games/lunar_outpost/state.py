"""Lunar Outpost: the state (LO-16), the log (LO-21.1, LO-21.2) and the trace.

Sets of tiles are numbers: bit t = the tile with board index t. They say again what stands in the arrays by
tile (`invariants` compares the two), so that most questions about the map are answered at once.
"""

from simkit.fields import Field, scalar
from simkit.games.lunar_outpost import facts
from simkit.games.lunar_outpost.facts import (
    BUILDINGS,
    CATEGORIES,
    DIRECTIONS,
    EVENTS,
    MODS,
    MOST,
    MOST_CELLS,
    MOST_HAND,
    TILES,
    Phase,
)

STATE = [
    # The map.
    scalar("n_tiles", "i1", "Tiles on the map"),
    Field("tile_id", "i1", (TILES,), "Tile at a board index, -1 none [tile]"),
    Field("rot", "i1", (TILES,), "Rotation as placed [tile]"),
    Field("q", "i1", (TILES,), "Column of hexes [tile]"),
    Field("r", "i1", (TILES,), "Row of hexes [tile]"),
    Field("nb", "i1", (TILES, DIRECTIONS), "Board index of the neighbour, -1 none [tile, direction]"),
    Field("edges", "i1", (TILES,), "Passable edges as placed, bit d = direction d [tile]"),
    Field("cubes", "i1", (TILES,), "Cubes on the deposit [tile]"),
    Field("btype", "i1", (TILES,), "Type of the building, -1 none [tile]"),
    Field("bowner", "i1", (TILES,), "Owner of the building, -1 none [tile]"),
    Field("st_b", "i1", (TILES,), "Cubes in building slots [tile]"),
    Field("st_t", "i1", (TILES,), "Cubes in terrain slots [tile]"),
    Field("troops", "i1", (TILES, MOST), "Troops [tile, seat]"),
    Field("unmoved", "i1", (TILES,), "Troops of the active seat that have not moved, in step 7 [tile]"),
    Field("ext_used", "i2", (TILES,), "Cubes an excavator took this turn, 2 bits a direction [tile]"),
    Field("gen_used", "i1", (TILES,), "Cubes a dome generated this turn [tile]"),
    Field("recruited", "i1", (TILES,), "Troops recruited on it this turn [tile]"),
    # The same as sets.
    Field("near", "i8", (TILES,), "Adjacent tiles, bit t = tile t [tile]"),
    Field("link", "i8", (TILES,), "Directly connected tiles [tile]"),
    scalar("sites", "i8", "Tiles with a location and no building"),
    scalar("live", "i8", "Tiles with cubes on their deposit"),
    scalar("stocked", "i8", "Tiles with cubes in slots"),
    Field("built", "i8", (len(BUILDINGS),), "Tiles with a building of the type [building]"),
    Field("own", "i8", (MOST,), "Tiles with a building of the seat [seat]"),
    Field("manned", "i8", (MOST,), "Tiles with troops of the seat [seat]"),
    # The empty cells next to the map, in the order of their names (LO-8.7).
    scalar("n_cells", "i1", "Empty cells next to the map"),
    Field("cells", "i2", (MOST_CELLS,), "Name: 6 t + d, the smallest [cell]"),
    Field("cell_q", "i1", (MOST_CELLS,), "Column of hexes [cell]"),
    Field("cell_r", "i1", (MOST_CELLS,), "Row of hexes [cell]"),
    Field("cell_there", "i1", (MOST_CELLS,), "Directions in which a tile lies, bit d [cell]"),
    Field("cell_pass", "i1", (MOST_CELLS,), "Of these, where its edge is passable, bit d [cell]"),
    # The seats.
    Field("supply", "i1", (MOST, len(BUILDINGS)), "Building tokens in supply [seat, building]"),
    Field("removed", "i1", (MOST, len(BUILDINGS)), "Building tokens out of the game [seat, building]"),
    Field("figures", "i1", (MOST,), "Figures in supply [seat]"),
    Field("hand", "i1", (MOST, MOST_HAND), "Event cards in hand, -1 none [seat, slot]"),
    Field("hand_n", "i1", (MOST,), "Event cards in hand [seat]"),
    Field("alive", "i1", (MOST,), "1 = not eliminated [seat]"),
    Field("turns", "i1", (MOST,), "Turns begun [seat]"),
    Field("disclosed_vp", "i2", (MOST,), "Printed points of all cards disclosed [seat]"),
    Field("fallen_in", "i2", (MOST,), "Turn of the elimination, 0 = not eliminated [seat]"),
    # Events, stack and pile.
    Field("active_event", "i1", (CATEGORIES,), "Active event, -1 none [category]"),
    Field("event_owner", "i1", (CATEGORIES,), "Seat that disclosed it, -1 none [category]"),
    Field("mod", "i1", (MODS,), "Modifiers in force [modifier]"),
    scalar("event_n", "i1", "Event cards in the deck"),
    Field("event_where", "i1", (EVENTS,),
          "0 deck, 1 + s hand of seat s, 5 active, 6 face up, 7 + s discarded unseen by seat s, -1 cannot be"
          " seen [event]"),
    scalar("stack_n", "i1", "Tiles in the stack"),
    scalar("drawn", "i1", "Tile drawn and not yet placed, -1 none"),
    Field("offer", "i1", (facts.MOST_OFFER,), "Tiles offered, -1 none [slot]"),
    Field("tile_out", "i1", (TILES,), "1 = discarded face up [tile]"),
    scalar("pile", "i2", "Cubes in the pile"),
    # The turn in progress.
    scalar("active", "i1", "Seat whose turn it is"),
    scalar("phase", Phase, "What is being decided"),
    scalar("turn_no", "i2", "Turn in progress, 1-based"),
    Field("setup_order", "i1", (MOST,), "Order of the starting domes [place]"),
    scalar("setup_i", "i1", "Starting domes placed"),
    scalar("discard_i", "i1", "Starting cards discarded"),
    scalar("ctile", "i1", "Tile of the conflict"),
    scalar("prod_t", "i1", "Tile of the producer that waits for STORE"),
    scalar("prod_d", "i1", "Direction of its deposit, -1 = it generates"),
    scalar("buy_kind", "i1", "Purchase in progress"),
    scalar("buy_type", "i1", "Building of the purchase"),
    scalar("buy_src", "i1", "Tile that a relocated building leaves, -1 none"),
    scalar("buy_dst", "i1", "Tile of the purchase"),
    scalar("buy_left", "i1", "Cubes still to be paid"),
    scalar("cell", "i2", "Name of the cell chosen, 6 t + d"),
    # From here on nothing is seen by a strategy: `observe` copies what stands before.
    Field("event_deck", "i1", (EVENTS,), "Event deck, the next card last [place]"),
    Field("stack", "i1", (TILES,), "Tile stack, the next tile last [place]"),
    Field("leaders", "i1", (facts.MOST_TURNS,), "Living seats with the highest score, bit s [turn]"),
    scalar("leaders_n", "i1", "Turns for which the leaders are noted"),
]  # fmt: skip


def _each(name: str, meaning: str) -> Field:
    """A number for each building: columns `name_building`."""
    return Field(name, "i4", (len(BUILDINGS),), f"{meaning}: {{}}", {f"{name}_{b}": b for b in BUILDINGS})


def _all(**meanings: str) -> list[Field]:
    return [scalar(name, "i4", meaning) for name, meaning in meanings.items()]


GAME_LOG = [
    *_all(
        tiles_placed="Tiles placed, without the layout",
        tiles_discarded="Tiles that fitted nowhere",
        deposits_placed="Deposit tiles placed",
        deposits_depleted="Deposits of which the last cube was taken",
        cubes_left_in_deposits="Cubes on deposits at the end",
        frontier_end="Empty cells next to the map at the end",
        edges_shared="Pairs of adjacent tiles at the end",
        edges_passable="Pairs of directly connected tiles at the end",
        extracted="Cubes extracted",
        generated="Cubes generated",
        transported="Cubes stored on another tile than the producer's",
        stored_terrain="Cubes stored in terrain slots",
        extraction_missed="Cubes that excavators could have taken and did not",
        generation_missed="Cubes that domes could have generated and did not",
        pile_end="Cubes in the pile at the end",
        cubes_stored_end="Cubes in slots at the end",
        spent="Cubes paid",
        spent_building="Cubes paid for buildings",
        spent_relocation="Cubes paid for relocations",
        spent_troop="Cubes paid for troops",
        spent_intel="Cubes paid for intel",
    ),
    _each("build", "Buildings constructed"),
    *_all(
        relocations="Buildings relocated",
        recruits="Troops recruited",
        intel_bought="Event cards bought",
        moves="Steps of troops",
        disclosed="Event cards disclosed",
        prevented="Event cards prevented",
        events_replaced="Active events replaced by a disclosed one",
        active_events_end="Categories with an active event at the end",
        hand_end="Event cards in hands at the end",
        conflict_tiles="Tiles on which a conflict was resolved",
        conflict_step1="Conflicts of troops with troops",
        conflict_3way="Conflicts with troops of three or more seats",
        standoffs="Turns that began with an own building besieged by several seats, each such building",
        siege_repelled="Sieges that a building withstood",
        siege_equal="Sieges in which building and troops fell",
        siege_won="Sieges that troops survived",
        siege_with_tower="Sieges of a building with a tower next to it",
        razed="Buildings razed",
    ),
    _each("razed", "Buildings razed")._replace(name="razed_of"),
    *_all(
        razed_vp="Victory points of the razed buildings",
        razed_cubes="Cubes lost with razed buildings",
        troops_lost_step1="Troops lost to troops",
        troops_lost_step2="Troops lost to buildings",
        peaceful_turns="Turns begun before that of the first conflict",
        eliminated="Seats eliminated",
        buildings_end="Buildings on the map at the end",
        troops_end="Troops on the map at the end",
        vp_buildings="Victory points of buildings at the end",
        event_vp_total="Victory points of event cards at the end",
        winner_margin="Victory points between the highest and the second highest score",
        tiebreak_used="1 = living seats share the highest score",
        lead_changes="Changes of the sole leader from turn to turn",
        halfway_leader_wins="1 = a leader at half time wins",
    ),
]

SEAT_LOG = [
    *_all(
        turns="Turns begun by the seat",
        eliminated="Elimination of the seat, 0 or 1",
        start_tile="Board index of the starting dome",
        vp_buildings="Victory points of buildings",
        vp_events="Victory points of event cards",
        built="Buildings constructed",
    ),
    _each("built", "Buildings constructed")._replace(name="built_of"),
    *_all(
        relocated="Buildings relocated",
        buildings_end="Buildings on the map at the end",
        buildings_lost="Own buildings razed",
        buildings_razed="Buildings of others razed",
        extracted="Cubes extracted",
        generated="Cubes generated",
        output_missed="Cubes that own excavators and domes could have given and did not",
        cubes_spent="Cubes paid",
        cubes_end="Spendable cubes at the end",
        troops_recruited="Troops recruited",
        troops_lost="Troops lost",
        troops_end="Troops on the map at the end",
        intel_bought="Event cards bought",
        disclosed="Event cards disclosed",
        prevented="Event cards prevented",
        hand_end="Event cards in hand at the end",
    ),
]

TRACE_LOG = [
    scalar("spendable", "i2", "Spendable cubes"),
    scalar("buildings", "i1", "Buildings on the map"),
    scalar("troops", "i1", "Troops on the map"),
    scalar("cards", "i1", "Event cards in hand"),
    scalar("free_slots", "i2", "Free slots on tiles with an own building"),
    scalar("income", "i2", "Cubes that domes and excavators can give in a turn"),
    scalar("stack", "i1", "Tiles in the stack"),
]
