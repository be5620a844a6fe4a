"""The reference player once more, in plain Python, straight from the specification (LO-19): slow and short.

It looks at tiles by coordinates with the printed edges, at cubes, buildings, troops and cards; prices, slots,
distances and defences are reckoned from the data file, the options and the active events.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cached_property
from types import SimpleNamespace
from typing import Any

from simkit.games.lunar_outpost.facts import DATA

DIRECTIONS = [(1, 0), (1, -1), (0, -1), (-1, 0), (-1, 1), (0, 1)]
DOME, EXCAVATOR, SILO, BARRACKS, TOWER, BARRICADE = range(6)
FIELDS = [
    "seat",
    "seats",
    "phase",
    "n_tiles",
    "tile_id",
    "q",
    "r",
    "rot",
    "cubes",
    "btype",
    "bowner",
    "st_b",
    "st_t",
    "troops",
    "unmoved",
    "recruited",
    "alive",
    "hand",
    "active_event",
    "event_owner",
    "stack_n",
    "drawn",
    "offer",
    "cell",
    "ctile",
    "prod_t",
    "buy_kind",
    "buy_type",
]
NAMES = ["dome", "excavator", "silo", "barracks", "tower", "barricade"]
BASES = {"dome_rate": "dome_output", "excavator_rate": "excavator_output", "tower_support": "tower_bonus"}


def best(ids: Iterable[int], value: Callable[[int], float]) -> int:
    """Ties to the lowest id."""
    result = list(ids)
    return max(result, key=lambda a: (value(a), -a))


class Plain:
    """What a player of seat `me` looks at."""

    def __init__(self, s: Any, options: dict[str, Any]) -> None:
        s = SimpleNamespace(**{name: s[name].tolist() for name in FIELDS})
        self.s, self.me, self.n = s, s.seat, s.seats
        self.given = options
        self.tiles = range(s.n_tiles)
        self.printed = [DATA["tiles"]["list"][s.tile_id[t]] for t in self.tiles]
        self.at = {(s.q[t], s.r[t]): t for t in self.tiles}
        self.kind = [s.btype[t] if s.bowner[t] >= 0 else None for t in self.tiles]
        self.owner = [s.bowner[t] for t in self.tiles]

    def option(self, name: str) -> Any:
        if name in self.given:
            return self.given[name]
        if name in DATA["options"]:
            return DATA["options"][name]["default"]
        building, _, number = name.partition("_")
        return DATA["buildings"]["list"][NAMES.index(building)][number]

    def modifier(self, name: str) -> int:
        its = next(m for m in DATA["modifiers"]["list"] if m["name"] == name)
        value = self.option(BASES[name]) if name in BASES else its["base"]
        for event in self.s.active_event:
            if event >= 0:
                value += DATA["events"]["list"][event]["effects"].get(name, 0)
        return int(max(its["min"], min(its["max"], value)))

    # The map.

    def shows(self, t: int, d: int) -> str:
        return str(self.printed[t]["edges"][(d - self.s.rot[t]) % 6])

    def towards(self, t: int, d: int) -> int | None:
        return self.at.get((self.s.q[t] + DIRECTIONS[d][0], self.s.r[t] + DIRECTIONS[d][1]))

    def adjacent(self, t: int) -> list[int]:
        return [u for d in range(6) if (u := self.towards(t, d)) is not None]

    def connected(self, t: int) -> list[int]:
        ways = [(d, self.towards(t, d)) for d in range(6)]
        return [u for d, u in ways if u is not None and self.shows(t, d) == "P"]

    def is_own(self, t: int) -> bool:
        return self.kind[t] is not None and self.owner[t] == self.me

    def is_others(self, t: int) -> bool:
        return self.kind[t] is not None and self.owner[t] != self.me

    def other_troops(self, t: int) -> int:
        return sum(self.s.troops[t][p] for p in range(self.n) if p != self.me)

    def has_location(self, t: int) -> bool:
        return self.printed[t]["kind"] in ("start", "location")

    def slots(self, t: int) -> int:
        kind = self.kind[t]
        own = 0 if kind is None else self.option(f"{NAMES[kind]}_storage")
        return int(own + self.printed[t]["slots"])

    @cached_property
    def distance(self) -> list[int]:
        """Enemy distance of every tile."""
        ways = [self.adjacent(t) if self.modifier("move_rough") else self.connected(t) for t in self.tiles]
        steps = [0 if self.is_others(t) else 99 for t in self.tiles]
        for _ in self.tiles:
            steps = [min([steps[t], *(steps[u] + 1 for u in ways[t])]) for t in self.tiles]
        return [min(99, n) for n in steps]

    def defence(self, t: int) -> int:
        towers = sum(self.kind[u] == TOWER and self.owner[u] == self.owner[t] for u in self.adjacent(t))
        towers = towers if self.option("tower_stack") else min(1, towers)
        own = self.option(f"{NAMES[self.kind[t]]}_defence") + self.printed[t]["defence"]
        return int(max(0, own + self.modifier("defence_all") + towers * self.modifier("tower_support")))

    # Placing.

    def facing(self, q: int, r: int) -> list[tuple[int, int, str]]:
        """Directions of a cell in which a tile lies, this tile, and the letter that it shows there."""
        results = [(d, self.at.get((q + dq, r + dr))) for d, (dq, dr) in enumerate(DIRECTIONS)]
        return [(d, u, self.shows(u, (d + 3) % 6)) for d, u in results if u is not None]

    def place_value(self, tile: int, q: int, r: int, rho: int) -> int | None:
        """Value of a tile in a cell and rotation, None where it does not fit."""
        its = DATA["tiles"]["list"][tile]
        shown = [its["edges"][(d - rho) % 6] for d in range(6)]
        around = self.facing(q, r)
        if any(shown[d] != letter for d, _, letter in around):
            return None
        joined = [u for d, u, _ in around if shown[d] == "P"]
        own, opp = [u for u in joined if self.is_own(u)], [u for u in joined if self.is_others(u)]
        own_exc = sum(self.kind[u] == EXCAVATOR for u in own)
        opp_exc = sum(self.kind[u] == EXCAVATOR for u in opp)
        free = sum(
            self.kind[u] is None and self.has_location(u) and any(map(self.is_own, self.connected(u)))
            for u in joined
        )
        dep = sum(self.s.cubes[u] > 0 for u in joined)
        if its["kind"] == "deposit":
            return 6 * own_exc + 3 * free + len(own) - 4 * opp_exc
        if its["kind"] == "barren":
            return 3 * len(opp) - 4 * len(own)
        return 4 * len(own) - 3 * len(opp) + int(2 * dep if own else 0)

    def cell_value(self, tile: int, cell: int) -> int | None:
        q, r = self.cell(cell)
        values = [v for rho in range(6) if (v := self.place_value(tile, q, r, rho)) is not None]
        return max(values) if values else None

    def cell(self, name: int) -> tuple[int, int]:
        t, d = divmod(name, 6)
        return self.s.q[t] + DIRECTIONS[d][0], self.s.r[t] + DIRECTIONS[d][1]

    def tile_value(self, tile: int) -> int:
        cells = [6 * t + d for t in self.tiles for d in range(6) if self.towards(t, d) is None]
        return max(v for cell in cells if (v := self.cell_value(tile, cell)) is not None)

    # Spending.

    def target_score(self, k: int, t: int) -> int:
        linked = self.connected(t)
        own = [u for u in linked if self.is_own(u)]
        if k == EXCAVATOR:
            n = sum(self.s.cubes[u] > 0 for u in linked)
            slots = self.printed[t]["slots"] > 0 or self.option("excavator_storage") > 0
            return int(40 + 10 * n) if n > 0 and (slots or any(self.slots(u) for u in own)) else 5
        if k == DOME:
            return 40 if own else 35
        if k == SILO:
            return 30 if any(self.kind[u] in (DOME, EXCAVATOR) for u in own) else 6
        if k == TOWER:
            return 12 + 3 * sum(map(self.is_own, self.adjacent(t)))
        if k == BARRACKS:
            mine = [self.kind[u] for u in self.tiles if self.is_own(u)]
            return 32 if BARRACKS not in mine and len(mine) >= 3 else 8
        return 7

    def sites(self, k: int) -> list[int]:
        """Legal targets of a building (LO-9.4, LO-9.5)."""
        anywhere = k == DOME and self.option("domes_anywhere") and not self.modifier("dome_connected")
        ways = self.adjacent if k != DOME and self.modifier("build_adjacent") else self.connected
        return [
            t
            for t in self.tiles
            if self.has_location(t)
            and self.kind[t] is None
            and not self.other_troops(t)
            and (anywhere or any(map(self.is_own, ways(t))))
        ]

    def barracks(self) -> list[int]:
        """Legal targets of recruiting (LO-9.7)."""
        limit = self.option("recruit_per_barracks")
        return [
            t
            for t in self.tiles
            if self.is_own(t)
            and self.kind[t] == BARRACKS
            and not (self.option("siege_blocks") and self.other_troops(t))
            and not (limit and self.s.recruited[t] >= limit)
        ]

    def spendable(self) -> int:
        cubes = 0
        for t in self.tiles:
            controls = self.is_own(t) or self.s.troops[t][self.me] > 0
            if controls and (self.option("siege_spend") or not self.is_others(t)):
                cubes += self.s.st_b[t] + self.s.st_t[t]
        return cubes

    def spend_value(self, a: int) -> int:
        last = self.s.stack_n < sum(self.s.alive[p] for p in range(self.n))
        if a == 0:
            full = last or self.spendable() >= sum(self.slots(t) for t in self.tiles if self.is_own(t)) - 1
            return 0 if full else 20
        if a == 7:
            if last:
                return -1
            troops = sum(self.s.troops[t][self.me] for t in self.tiles)
            return 33 if troops < 3 and any(self.distance[t] <= 8 for t in self.barracks()) else 15
        if a >= 8:
            return {8: 10, 9: -1}[a]
        return max(self.target_score(a - 1, t) for t in self.sites(a - 1))

    # The other decisions.

    def store_value(self, a: int) -> int:
        k, kind = divmod(a, 2)
        t = self.s.prod_t if k == 6 else self.towards(self.s.prod_t, k)
        assert t is not None
        return (10 if self.kind[t] != DOME else 0) + (5 if kind == 0 else 0)

    def pay_value(self, a: int) -> int:
        t, kind = divmod(a, 2)
        return int(kind == 0 and self.is_own(t) and self.kind[t] == DOME)

    def move_value(self, a: int) -> int:
        if a == 288:
            return 0
        t, u = a // 6, self.towards(*divmod(a, 6))
        assert u is not None
        if self.is_others(u):
            force = self.s.troops[u][self.me] + self.s.unmoved[t]
            return 100 + self.option(f"{NAMES[self.kind[u]]}_vp") if force >= self.defence(u) else -1
        if self.other_troops(u) or self.is_others(t):
            return -1
        return 10 if 1 <= self.distance[u] < self.distance[t] else -1

    def intel(self) -> int:
        hand = [card for card in self.s.hand[self.me] if card >= 0]
        if len(hand) >= self.option("intel_limit"):
            for slot, card in enumerate(hand):
                if self.s.event_owner[DATA["events"]["list"][card]["category"]] != self.me:
                    return slot
        return 10

    def points(self, slot: int) -> int:
        return int(DATA["events"]["list"][self.s.hand[self.me][slot]]["vp"])

    def target(self, ids: list[int]) -> int:
        if self.s.buy_kind == 1:
            return best(ids, lambda t: -self.distance[t])
        return best(ids, lambda t: self.target_score(self.s.buy_type, t))


def plain_greedy(s: Any, ids: list[int], options: dict[str, Any]) -> int:
    """The id that the reference player chooses."""
    plain = Plain(s, options)
    s, phase = plain.s, plain.s.phase
    if phase in (0, 2, 4, 6):
        return ids[0]
    if phase == 1:
        return plain.intel()
    if phase == 10:
        return plain.target(ids)
    value: Callable[[int], Any] = {
        3: lambda p: s.troops[s.ctile][p],
        5: plain.store_value,
        7: lambda cell: plain.cell_value(s.drawn, cell),
        8: lambda rho: plain.place_value(s.drawn, *plain.cell(s.cell), rho),
        9: plain.spend_value,
        12: plain.pay_value,
        13: plain.move_value,
        14: lambda slot: -plain.points(slot),
        15: lambda slot: plain.tile_value(s.offer[slot]),
    }[phase]
    return best(ids, value)
