"""Lunar Outpost in words: the map drawn, what is done and what comes of it (plain Python)."""

from typing import Any

from simkit.engine.game import HIDDEN
from simkit.engine.rule_helpers import OVER
from simkit.formatting import counted
from simkit.games.lunar_outpost import facts
from simkit.games.lunar_outpost.facts import (
    BUILDINGS,
    CATEGORY_NAMES,
    EDGE,
    ENOUGH,
    EVENT_NAMES,
    HANDLED,
    NOBODY,
    OWN_TILE,
    PREVENT,
    STORE,
    TERRAIN_SLOT,
    Buy,
    Kind,
    Phase,
)
from simkit.games.lunar_outpost.scoring import building_points, score, troops_on_map
from simkit.games.lunar_outpost.spending import intel_price, price, relocation_price, troop_price
from simkit.games.lunar_outpost.stores import spendable

LETTERS = "DESBTW"  # of the buildings on the map
PUBLIC = [
    "build", "recruits", "relocations", "intel_bought", "siege_repelled", "troops_lost_step2", "razed_of",
]  # fmt: skip
HALF, HIGH = 6, 3  # half the width of a tile on the drawn map and its height, in characters
EDGES = ((11, 0, "-"), (9, -1, "/"), (3, -1, "\\"), (0, 0, "-"), (3, 2, "/"), (9, 2, "\\"))  # by direction
SIDES = ("right of", "above right of", "above left of", "left of", "below left of", "below right of")
LEGEND = (
    "map: board index, then . free location, # barren, *4 deposit with 4 cubes, D E S B T W dome, excavator,"
    " silo, barracks, tower, barricade and its seat, +2 stored cubes; below: troops by seat 2/0/1, ^1 terrain"
    " bonus, o1 terrain slot; - / \\ passable edges"
)


def show(s: Any, rules: Any) -> str:
    """Return the map, the draw piles, the events in force and every seat in words."""
    head = f"turn {s.turn_no}: seat {s.active}; " if s.turn_no and s.seat != OVER else ""
    active = [
        f"{EVENT_NAMES[event]} ({CATEGORY_NAMES[category]}, seat {s.event_owner[category]})"
        for category, event in enumerate(s.active_event)
        if event != NOBODY
    ]
    return "\n".join(
        [
            *([LEGEND] if s.turn_no <= 1 else []),
            *draw_map(s, rules),
            f"{head}{s.stack_n} tiles in the stack, {s.event_n} event cards, {s.pile} cubes in the pile",
            *([f"events: {', '.join(active)}"] if active else []),
            *(_seat(s, rules, seat) for seat in range(s.seats)),
        ]
    )


def _seat(s: Any, rules: Any, seat: int) -> str:
    """Return, e.g., `seat 0: 7 VP; 2 cubes; dome 0, silo 4; 1 troop; intel: Rich veins`."""
    if not s.alive[seat]:
        return f"seat {seat}: eliminated in turn {s.fallen_in[seat]}"
    built = [f"{BUILDINGS[s.btype[t]]} {t}" for t in range(s.n_tiles) if s.bowner[t] == seat]
    parts = [
        f"seat {seat}: {visible_points(s, rules, seat)}",
        counted(int(spendable(s, rules, seat)), "cube"),
        ", ".join(built),
        counted(int(troops_on_map(s, rules, seat)), "troop"),
    ]
    cards = [card_name(card) for card in s.hand[seat, : s.hand_n[seat]]]
    return "; ".join([*filter(None, parts), *([f"intel: {', '.join(cards)}"] if cards else [])])


def visible_points(s: Any, rules: Any, seat: int) -> str:
    """Return, e.g., `7 VP`, of buildings and cards, without a hand that cannot be seen."""
    if NOBODY in s.hand[seat, : s.hand_n[seat]]:
        return f"{building_points(s, rules, seat)} VP of buildings"
    return f"{score(s, rules, seat)} VP"


def _with_article(noun: str) -> str:
    return f"{'an' if noun.startswith('e') else 'a'} {noun}"


def card_name(card: int) -> str:
    """Return the name of an event card."""
    return "unseen" if card == NOBODY else EVENT_NAMES[card]


def draw_map(s: Any, rules: Any) -> list[str]:
    """Return the tiles where they lie, with their passable edges."""
    tiles = range(s.n_tiles)
    left = min(2 * int(s.q[t]) + int(s.r[t]) for t in tiles)
    top = min(int(s.r[t]) for t in tiles)
    canvas: dict[tuple[int, int], str] = {}
    for t in tiles:
        x, y = HALF * (2 * int(s.q[t]) + int(s.r[t]) - left), HIGH * (int(s.r[t]) - top) + 1
        for dy, text in enumerate(_tile(s, rules, t)):
            canvas |= {(x + 1 + i, y + dy): letter for i, letter in enumerate(text)}
        for d, (dx, dy, mark) in enumerate(EDGES):
            if s.edges[t] >> d & 1:
                canvas[x + dx, y + dy] = mark
    wide, high = (max(place[axis] for place in canvas) + 1 for axis in (0, 1))
    lines = ("".join(canvas.get((x, y), " ") for x in range(wide)).rstrip() for y in range(high))
    return [line for line in lines if line]


def _tile(s: Any, rules: Any, t: int) -> tuple[str, str]:
    """Return two lines of at most ten letters."""
    tile = int(s.tile_id[t])
    kind, stored = Kind(int(rules.tile_kind[tile])), int(s.st_b[t]) + int(s.st_t[t])
    what = {Kind.barren: "#", Kind.deposit: f"*{s.cubes[t]}"}.get(kind, ".")
    if s.btype[t] != NOBODY:
        what = f"{LETTERS[s.btype[t]]}{s.bowner[t]}"
    troops = s.troops[t, : s.seats]
    extra = "/".join(map(str, troops)) if troops.any() else ""
    for mark, table in (("^", rules.tile_defence), ("o", rules.tile_slots)):
        extra += f"{mark}{table[tile]}" if table[tile] else ""
    return f"{t} {what}" + (f" +{stored}" if stored else ""), extra


def describe(s: Any, rules: Any, action: int, after: Any) -> str:
    """Return the action, where it says something by itself, and its outcome."""
    narrate = NARRATE.get(Phase(int(s.phase)))
    done = narrate(s, rules, action, after) if narrate else ""
    return "; ".join(part for part in [done, *_outcome(s, rules, after)] if part)


def _setup_dome(s: Any, rules: Any, action: int, after: Any) -> str:
    return f"places the starting dome on tile {action}"


def _discard(s: Any, rules: Any, action: int, after: Any) -> str:
    if NOBODY in s.hand[s.seat, : s.hand_n[s.seat]]:  # which cannot be seen
        return "discards a card of the starting hand"
    return f"discards of the starting hand: {card_name(s.hand[s.seat, action])}"


def _intel(s: Any, rules: Any, action: int, after: Any) -> str:
    if action == HANDLED:
        return ""
    if action == HIDDEN or action >= PREVENT:
        card = NOBODY if action == HIDDEN else int(s.hand[s.seat, action - PREVENT])
        return "prevents a card" if card == NOBODY else f"prevents a card: {EVENT_NAMES[card]}"
    card = next(c for c in range(facts.EVENTS) if s.event_where[c] != after.event_where[c] == facts.ACTIVE)
    return f"discloses {EVENT_NAMES[card]} ({CATEGORY_NAMES[rules.event_category[card]]})"


def _conflict(s: Any, rules: Any, action: int, after: Any) -> str:
    return f"resolves the conflict on tile {action}"


def _remove(s: Any, rules: Any, action: int, after: Any) -> str:
    return f"tile {s.ctile}: an own troop and one of seat {action} fall"


def _store(s: Any, rules: Any, action: int, after: Any) -> str:
    t, k = int(s.prod_t), STORE.direction(action)
    to = t if k == OWN_TILE else int(s.nb[t, k])
    where = f"stores it on tile {to}{', terrain slot' if STORE.kind(action) == TERRAIN_SLOT else ''}"
    if s.prod_d == NOBODY:
        return f"generates a cube in the dome on {t}, {where}"
    return f"extracts a cube from deposit {s.nb[t, s.prod_d]} with the excavator on {t}, {where}"


def _tile_choice(s: Any, rules: Any, action: int, after: Any) -> str:
    offered = [_tile_name(rules, int(tile)) for tile in s.offer if tile != NOBODY]
    return f"draws {', '.join(offered)}; takes {offered[action]}" if len(offered) > 1 else ""


def _tile_name(rules: Any, tile: int) -> str:
    return f"tile {tile} ({Kind(int(rules.tile_kind[tile])).name})"


def _place_cell(s: Any, rules: Any, action: int, after: Any) -> str:
    return f"chooses the place {SIDES[EDGE.direction(action)]} tile {EDGE.tile(action)}"


def _place(s: Any, rules: Any, action: int, after: Any) -> str:
    t = int(after.n_tiles) - 1
    joined = [str(u) for d, u in enumerate(after.nb[t]) if u != NOBODY and after.edges[t] >> d & 1]
    tile = Kind(int(rules.tile_kind[after.tile_id[t]])).name
    return f"places a {tile} tile as {t}, " + (
        f"connected to {', '.join(joined)}" if joined else "unconnected"
    )


def _move(s: Any, rules: Any, action: int, after: Any) -> str:
    if action == ENOUGH:
        return ""
    t = EDGE.tile(action)
    return f"moves a troop from {t} to {s.nb[t, EDGE.direction(action)]}"


NARRATE = {
    Phase.setup_dome: _setup_dome, Phase.discard_intel: _discard, Phase.intel: _intel,
    Phase.conflict: _conflict, Phase.remove: _remove, Phase.store: _store, Phase.tile: _tile_choice,
    Phase.place_cell: _place_cell, Phase.place_rot: _place, Phase.move: _move,
}  # fmt: skip


def _outcome(s: Any, rules: Any, after: Any) -> list[str]:
    """Return purchases, losses, tiles that fit nowhere and eliminations, as logged."""
    before, now = s.log.game, after.log.game
    new = {name: now[name] - before[name] for name in now.dtype.names}
    cubes = f"for {counted(_cost(after, rules), 'cube')}"
    built = [name for name, n in zip(BUILDINGS, new["build"], strict=True) if n]
    parts = [f"builds {_with_article(name)} on tile {after.buy_dst} {cubes}" for name in built]
    if new["recruits"]:
        parts.append(f"recruits a troop on tile {after.buy_dst} {cubes}")
    if new["relocations"]:
        building = BUILDINGS[after.buy_type]
        parts.append(f"relocates the {building} from tile {after.buy_src} to {after.buy_dst} {cubes}")
    if new["intel_bought"]:
        card = after.hand[s.active, after.hand_n[s.active] - 1]
        parts.append(f"buys intel {cubes}: {card_name(card)}")
    if new["siege_repelled"]:
        parts.append(f"the building withstands {counted(int(new['troops_lost_step2']), 'troop')}")
    parts += [f"the {BUILDINGS[k]} is razed" for k, n in enumerate(new["razed_of"]) if n]
    lost = [t for t in range(facts.TILES) if after.tile_out[t] > s.tile_out[t]]
    parts += [f"draws {_tile_name(rules, t)}, which fits nowhere" for t in lost]
    eliminated = [seat for seat in range(s.seats) if s.alive[seat] > after.alive[seat]]
    return parts + [f"seat {seat} is eliminated" for seat in eliminated]


def _cost(s: Any, rules: Any) -> int:
    """Return the price of the purchase in progress."""
    if s.buy_kind == Buy.recruit:
        return int(troop_price(s, rules))
    if s.buy_kind == Buy.intel:
        return int(intel_price(s, rules))
    price_of = relocation_price if s.buy_kind == Buy.relocate else price
    return int(price_of(s, rules, s.buy_type))
