"""Lunar Outpost: broken invariants in words (LO-17; plain Python)."""

from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import numpy as np

from simkit.engine.rule_helpers import OVER
from simkit.games.lunar_outpost import facts
from simkit.games.lunar_outpost.facts import (
    ACTIVE,
    CUBES,
    DIRECTIONS,
    FACE_DOWN,
    IN_DECK,
    IN_HAND,
    NOBODY,
    STEP_Q,
    STEP_R,
    Building,
    Kind,
    Mod,
    Phase,
)
from simkit.games.lunar_outpost.options import Razed

AFTER_STEP_2 = "extract store generate tile place_cell place_rot spend"
LATER = [Phase[name] for name in AFTER_STEP_2.split()]
BUILT_ON = (Kind.start, Kind.location)


def problems(s: Any, rules: Any) -> list[str]:
    """Return the rules of LO-17 that a position breaks, in words."""
    now = SimpleNamespace(**{name: s[name] for name in s.dtype.names})
    checks = _cubes, _tokens, _events, _stack, _map, _sets, _cells, _slots, _producers, _peace, _fallen, _end
    return [problem for check in checks for problem in check(now, rules)]


def _cubes(now: Any, rules: Any) -> Iterator[str]:
    """LO-17.1."""
    parts = [int(part.sum(dtype=int)) for part in (now.cubes, now.st_b, now.st_t)]
    if now.pile + sum(parts) != CUBES or now.pile < 0:
        yield "LO-17.1 cubes are lost or doubled"


def _tokens(now: Any, rules: Any) -> Iterator[str]:
    """LO-17.2, .3."""
    for seat in range(now.seats):
        kinds = now.btype[now.bowner == seat]
        standing = np.bincount(kinds, minlength=len(rules.tokens))
        if (now.supply[seat] + standing + now.removed[seat] != rules.tokens).any():
            yield f"LO-17.2 building tokens of seat {seat} are lost or doubled"
        if now.figures[seat] + now.troops[:, seat].sum() != rules.troop_limit:
            yield f"LO-17.3 figures of seat {seat} are lost or doubled"
    if rules.razed_tokens == Razed.returned and now.removed.any():
        yield "LO-17.2 a token is out of the game although razed ones return"


def _events(now: Any, rules: Any) -> Iterator[str]:
    """LO-17.4: deck, hands and active cards are where `event_where` says."""
    deck = now.event_deck[: now.event_n].tolist()
    if sorted(deck) != np.flatnonzero(now.event_where == IN_DECK).tolist():
        yield "LO-17.4 the deck is not the cards that should be in it"
    for seat in range(now.seats):
        hand = now.hand[seat, : now.hand_n[seat]].tolist()
        if sorted(hand) != np.flatnonzero(now.event_where == IN_HAND + seat).tolist():
            yield f"LO-17.4 the hand of seat {seat} is not the cards that should be in it"
        if len(hand) > max(int(rules.intel_limit), int(rules.hand_dealt)):
            yield f"LO-17.4 seat {seat} has too many cards"
    active = [int(card) for card in now.active_event if card != NOBODY]
    if sorted(active) != np.flatnonzero(now.event_where == ACTIVE).tolist():
        yield "LO-17.4 the active events are not the cards that should be"
    if any(rules.event_category[card] != c for c, card in enumerate(now.active_event) if card != NOBODY):
        yield "LO-17.4 an event is active in another category than its own"
    if now.event_where.max() >= FACE_DOWN + now.seats or now.event_where.min() < IN_DECK:
        yield "LO-17.4 an event card is nowhere"
    changed = rules.mod_base + rules.event_delta[np.array(active, int)].sum(axis=0)
    if (now.mod != np.clip(changed, rules.mod_least, rules.mod_most)).any():
        yield "LO-13.1 the modifiers are not those of the active events"


def _stack(now: Any, rules: Any) -> Iterator[str]:
    """LO-17.5: every tile is in one place."""
    places = [
        *now.tile_id[: now.n_tiles], *now.stack[: now.stack_n], *np.flatnonzero(now.tile_out),
        *now.offer[now.offer != NOBODY], *([now.drawn] if now.drawn != NOBODY else []),
    ]  # fmt: skip
    if len(set(places)) < len(places) or len(places) + rules.tiles_trim != facts.TILES:
        yield "LO-17.5 tiles are lost or doubled"
    if now.n_tiles != 2 * now.seats + now.log["game"]["tiles_placed"]:
        yield "LO-17.5 the map has not the tiles that were placed"


def _map(now: Any, rules: Any) -> Iterator[str]:
    """LO-17.6: edges agree, neighbours are mutual, the map is connected."""
    at = {(int(now.q[t]), int(now.r[t])): t for t in range(now.n_tiles)}
    if len(at) < now.n_tiles or max(max(abs(q), abs(r), abs(q + r)) for q, r in at) > 45:
        yield "LO-17.6 tiles on one place, or too far out"
    there = slice(now.n_tiles)
    if (now.edges[there] != rules.tile_edges[now.tile_id[there], now.rot[there]]).any():
        yield "LO-1.4 a tile does not show its edges as placed"
    for (q, r), t in at.items():
        for d in range(DIRECTIONS):
            u = at.get((q + STEP_Q[d], r + STEP_R[d]), NOBODY)
            if now.nb[t, d] != u:
                yield f"LO-17.6 the neighbour of tile {t} in direction {d} is {u}, not {now.nb[t, d]}"
            elif u != NOBODY and (now.edges[t] >> d & 1) != (now.edges[u] >> (d + 3) % DIRECTIONS & 1):
                yield f"LO-17.6 the edges between tiles {t} and {u} differ"
    reached, new = {0}, {0}
    while new:
        new = {int(u) for t in new for u in now.nb[t] if u != NOBODY} - reached
        reached |= new
    if len(reached) < now.n_tiles:
        yield "LO-17.6 the map is not connected"


def _sets(now: Any, rules: Any) -> Iterator[str]:
    """The sets of tiles agree with the arrays by tile."""
    tiles = range(now.n_tiles)

    def of(holds: Any) -> int:
        return sum(1 << t for t in tiles if holds(t))

    located = [Kind(int(rules.tile_kind[now.tile_id[t]])) in BUILT_ON for t in tiles]
    expected = {
        "sites": of(lambda t: located[t] and now.btype[t] == NOBODY),
        "live": of(lambda t: now.cubes[t] > 0),
        "stocked": of(lambda t: now.st_b[t] + now.st_t[t] > 0),
    }
    wrong = [name for name, members in expected.items() if vars(now)[name] != members]
    yield from (f"the set {name} is wrong" for name in wrong)
    for kind in Building:
        if now.built[kind] != of(lambda t, kind=kind: now.btype[t] == kind):
            yield f"the set built of type {kind.name} is wrong"
    for seat in range(now.seats):
        if now.own[seat] != of(lambda t, seat=seat: now.bowner[t] == seat):
            yield f"the set own of seat {seat} is wrong"
        if now.manned[seat] != of(lambda t, seat=seat: now.troops[t, seat] > 0):
            yield f"the set manned of seat {seat} is wrong"
    for t in tiles:
        near = [(d, int(u)) for d, u in enumerate(now.nb[t]) if u != NOBODY]
        if now.near[t] != sum(1 << u for _, u in near):
            yield f"the set near of tile {t} is wrong"
        if now.link[t] != sum(1 << u for d, u in near if now.edges[t] >> d & 1):
            yield f"the set link of tile {t} is wrong"


def _cells(now: Any, rules: Any) -> Iterator[str]:
    """LO-17.13, LO-8.7: the empty cells next to the map under their smallest names."""
    cells: dict[tuple[int, int], tuple[int, ...]] = {}
    for t in range(now.n_tiles):
        for d in range(DIRECTIONS):
            if now.nb[t, d] == NOBODY:
                place = int(now.q[t]) + STEP_Q[d], int(now.r[t]) + STEP_R[d]
                name, *_, there, passes = cells.get(place, (DIRECTIONS * t + d, 0, 0))
                side = 1 << (d + 3) % DIRECTIONS
                cells[place] = name, *place, there | side, passes | (side if now.edges[t] >> d & 1 else 0)
    n, parts = int(now.n_cells), (now.cells, now.cell_q, now.cell_r, now.cell_there, now.cell_pass)
    stored = zip(*(part[:n].tolist() for part in parts), strict=True)
    if list(stored) != sorted(cells.values()):
        yield "LO-8.7 the list of empty cells is wrong"
    if n > 2 * now.n_tiles + 4:
        yield "LO-17.13 more empty cells than there can be"


def _slots(now: Any, rules: Any) -> Iterator[str]:
    """LO-17.7, .8."""
    tile = now.tile_id[: now.n_tiles]
    kind, built = rules.tile_kind[tile], now.btype[: now.n_tiles]
    slots = np.where(built == NOBODY, 0, rules.storage[built])
    in_b, in_t = now.st_b[: now.n_tiles], now.st_t[: now.n_tiles]
    if (in_b < 0).any() or (in_b > slots).any() or (in_t < 0).any() or (in_t > rules.tile_slots[tile]).any():
        yield "LO-17.7 more cubes in slots than slots, or less than none"
    if now.cubes.min() < 0 or now.cubes[: now.n_tiles][kind != Kind.deposit].any():
        yield "LO-17.7 cubes lie on a tile without a deposit"
    if not np.isin(kind[built != NOBODY], BUILT_ON).all():
        yield "LO-17.8 a building stands on a tile without a location"
    if ((built == NOBODY) != (now.bowner[: now.n_tiles] == NOBODY)).any():
        yield "LO-17.8 a building without an owner, or an owner without a building"


def _producers(now: Any, rules: Any) -> Iterator[str]:
    """LO-17.10."""
    rate = now.mod[Mod.excavator_rate]
    if any((int(used) >> 2 * d & 3) > rate for used in now.ext_used for d in range(DIRECTIONS)):
        yield "LO-17.10 an excavator took too many cubes from a deposit"
    if now.gen_used.max() > now.mod[Mod.dome_rate]:
        yield "LO-17.10 a dome generated too many cubes"


def _peace(now: Any, rules: Any) -> Iterator[str]:
    """LO-17.11, after step 2."""
    if now.phase not in LATER or now.seat == OVER:
        return
    here = now.troops[:, : now.seats] > 0
    others = np.delete(here, now.active, axis=1).sum(axis=1)
    if (here[:, now.active] & (others > 0)).any():
        yield "LO-17.11 troops of the active seat stand beside others after the conflicts"
    if ((now.bowner == now.active) & ~here[:, now.active] & (others == 1)).any():
        yield "LO-17.11 a building of the active seat is besieged by one seat after the conflicts"


def _fallen(now: Any, rules: Any) -> Iterator[str]:
    """LO-17.12."""
    if now.turn_no == 0:
        return
    for seat in range(now.seats):
        controls = (now.bowner == seat).any() or now.troops[:, seat].any()
        if not now.alive[seat] and controls:
            yield f"LO-17.12 seat {seat} is eliminated and controls a tile"
        if now.alive[seat] and not controls and now.phase in LATER:
            yield f"LO-17.12 seat {seat} controls nothing and is not eliminated"


def _end(now: Any, rules: Any) -> Iterator[str]:
    """LO-17.14, .16: turns have an end; identities between columns of the log (LO-21.4)."""
    game, seats = now.log["game"], now.log["seat"][: now.seats]
    layout = 2 * now.seats
    most = facts.TILES - layout + 2 * (now.seats - 1)
    if now.turn_no > most:
        yield f"LO-17.14 more than {most} turns"
    if now.seat == OVER:
        yield from (f"LO-21.4 {wrong}" for wrong in _identities(now, rules, game, seats))


def _identities(now: Any, rules: Any, game: Any, seats: Any) -> Iterator[str]:
    same = {name: name for name in ("extracted", "generated", "troops_end", "buildings_end", "intel_bought",
                                    "disclosed", "prevented", "hand_end", "vp_buildings", "eliminated",
                                    "turns")}  # fmt: skip
    same |= {"relocations": "relocated", "spent": "cubes_spent", "recruits": "troops_recruited",
             "event_vp_total": "vp_events", "razed": "buildings_lost"}  # fmt: skip
    for whole, part in same.items():
        if game[whole] != seats[part].sum():
            yield f"{whole} is not the sum of {part}"
    if (game["build"] != seats["built_of"].sum(axis=0)).any() or game["razed_of"].sum() != game["razed"]:
        yield "buildings by type are not the sum of the seats"
    if not game["razed"] == seats["buildings_razed"].sum() == game["siege_equal"] + game["siege_won"]:
        yield "razed buildings are not those of the sieges"
    if game["spent"] != sum(game[f"spent_{what}"] for what in ("building", "relocation", "troop", "intel")):
        yield "cubes paid are not the sum of the purposes"
    if game["extraction_missed"] + game["generation_missed"] != seats["output_missed"].sum():
        yield "output missed is not that of the seats"
    lost = game["troops_lost_step1"] + game["troops_lost_step2"]
    if lost != seats["troops_lost"].sum():
        yield "troops lost are not those of the seats"
    if game["buildings_end"] != now.seats + seats["built"].sum() - game["razed"]:
        yield "buildings at the end are not those built and not razed"
    started = now.seats * min(int(rules.starting_troops), int(rules.troop_limit))
    if game["troops_end"] != game["recruits"] + started - lost:
        yield "troops at the end are not those recruited and not lost"
    if game["pile_end"] + game["cubes_stored_end"] + game["cubes_left_in_deposits"] != CUBES:
        yield "cubes at the end are not all cubes"
    scored = seats["vp_buildings"] + seats["vp_events"] + rules.seat_vp[: now.seats]
    if (now.score[: now.seats] != np.where(now.alive[: now.seats] == 1, scored, 0)).any():
        yield "a score is not the sum of its parts"
