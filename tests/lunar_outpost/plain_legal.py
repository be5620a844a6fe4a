"""The legal ids of LO-15 a second time, from nothing but the arrays by tile and the options by name.

Slow and plain; sets of tiles, price tables and everything else that the rules keep ready is left aside.
"""

from __future__ import annotations

from typing import Any

from simkit.games.lunar_outpost.facts import DATA, Phase

STEPS = [(1, 0), (1, -1), (0, -1), (-1, 0), (-1, 1), (0, 1)]  # E NE NW W SW SE
TYPES = ["dome", "excavator", "silo", "barracks", "tower", "barricade"]
DOME, EXCAVATOR, BARRACKS = 0, 1, 3
TILES, EVENTS = DATA["tiles"]["list"], DATA["events"]["list"]
BASES = {"dome_rate": "dome_output", "excavator_rate": "excavator_output", "tower_support": "tower_bonus"}


def defaults() -> dict[str, Any]:
    """All options by name, as the specification gives them."""
    results = {name: its["default"] for name, its in DATA["options"].items() if isinstance(its, dict)}
    for its in DATA["buildings"]["list"]:
        results |= {f"{its['name']}_{n}": its[n] for n in ("cost", "defence", "vp", "tokens", "storage")}
    return results


class Plain:
    """A look at a state."""

    def __init__(self, s: Any, options: dict[str, Any]) -> None:
        self.s, self.o = s, defaults() | options
        self.n, self.seats, self.p = int(s.n_tiles), int(s.seats), int(s.active)
        self.at = {(int(s.q[t]), int(s.r[t])): t for t in range(self.n)}
        self.letters = [shown(int(s.tile_id[t]), int(s.rot[t])) for t in range(self.n)]
        self.nb = [
            [self.at.get((int(s.q[t]) + dq, int(s.r[t]) + dr), -1) for dq, dr in STEPS] for t in range(self.n)
        ]
        self.troops = s.troops[: self.n].tolist()
        self.owner, self.type = s.bowner[: self.n].tolist(), s.btype[: self.n].tolist()
        self.its = [TILES[int(s.tile_id[t])] for t in range(self.n)]
        self.mods = {its["name"]: self._mod(its) for its in DATA["modifiers"]["list"]}

    def mod(self, name: str) -> int:
        return self.mods[name]

    def _mod(self, its: dict[str, Any]) -> int:
        """LO-13.1."""
        name = its["name"]
        value = self.o[BASES[name]] if name in BASES else its["base"]
        value += sum(EVENTS[e]["effects"].get(name, 0) for e in self.s.active_event.tolist() if e >= 0)
        return min(max(value, its["min"]), its["max"])

    def linked(self, t: int, rough: bool = False) -> list[tuple[int, int]]:
        """Directions and neighbours over passable edges, or over any."""
        return [(d, u) for d, u in enumerate(self.nb[t]) if u >= 0 and (rough or self.letters[t][d] == "P")]

    def others_on(self, t: int, seat: int) -> list[int]:
        return [x for x in range(self.seats) if x != seat and self.troops[t][x] > 0]

    def slots(self, t: int, kind: int) -> int:
        """All slots of a pool."""
        if kind == 1:
            return int(self.its[t]["slots"])
        return 0 if self.type[t] < 0 else int(self.o[f"{TYPES[self.type[t]]}_storage"])

    def free(self, t: int, kind: int) -> bool:
        held = self.s.st_t[t] if kind else self.s.st_b[t]
        return int(held) < self.slots(t, kind)

    def blocked(self, t: int) -> bool:
        """LO-5.9."""
        return bool(self.o["siege_blocks"] and self.others_on(t, self.owner[t]))

    def stores(self, t: int) -> list[int]:
        """LO-6.3."""
        tiles = [(6, t)]
        if not self.mod("transport_self_only"):
            near = self.linked(t, bool(self.mod("transport_rough")))
            tiles += [(d, u) for d, u in near if self.owner[u] == self.p]
        return sorted(2 * k + kind for k, u in tiles for kind in (0, 1) if self.free(u, kind))

    def spends(self, t: int) -> bool:
        """Whether the active player spends cubes of a tile (LO-1.10, LO-1.11)."""
        if self.owner[t] == self.p:
            return True
        return self.troops[t][self.p] > 0 and (self.owner[t] < 0 or bool(self.o["siege_spend"]))

    def sources(self) -> list[int]:
        pools = (self.s.st_b, self.s.st_t)
        return [
            2 * t + kind for t in range(self.n) for kind in (0, 1) if pools[kind][t] > 0 and self.spends(t)
        ]

    def cubes(self) -> int:
        return sum(int((self.s.st_b, self.s.st_t)[x % 2][x // 2]) for x in self.sources())

    def price(self, kind: int) -> int:
        name = TYPES[kind]
        return max(1, self.o[f"{name}_cost"] + self.mod("cost_all") + self.mod(f"cost_{name}"))

    def targets(self, kind: int, lifted: int = -1) -> list[int]:
        """LO-9.4 to LO-9.6."""
        free = kind == DOME and self.o["domes_anywhere"] and not self.mod("dome_connected")
        adjacent = kind != DOME and bool(self.mod("build_adjacent"))
        results = []
        for t in range(self.n):
            open_site = self.its[t]["kind"] in ("start", "location") and self.type[t] < 0 and t != lifted
            near = [u for _, u in self.linked(t, adjacent) if self.owner[u] == self.p and u != lifted]
            if open_site and not self.others_on(t, self.p) and (free or near):
                results.append(t)
        return results

    def own(self, kind: int | None = None) -> list[int]:
        return [t for t in range(self.n) if self.owner[t] == self.p and kind in (None, self.type[t])]

    def movable(self) -> list[int]:
        """LO-9.6."""
        if not self.o["relocation"]:
            return []
        dear = {k: max(1, self.price(k) + self.mod("cost_relocate")) for k in range(6)}
        return [t for t in self.own() if dear[self.type[t]] <= self.cubes() and self.targets(self.type[t], t)]

    def camps(self) -> list[int]:
        """LO-9.7."""
        most = self.o["recruit_per_barracks"] or 99
        return [t for t in self.own(BARRACKS) if int(self.s.recruited[t]) < most and not self.blocked(t)]

    def fits(self, tile: int) -> dict[int, list[int]]:
        """Cells and rotations of a tile (LO-8)."""
        names: dict[tuple[int, int], int] = {}
        for t in range(self.n):
            for d, (dq, dr) in enumerate(STEPS):
                names.setdefault((int(self.s.q[t]) + dq, int(self.s.r[t]) + dr), 6 * t + d)
        results: dict[int, list[int]] = {}
        for (q, r), name in names.items():
            if (q, r) not in self.at:
                near = [self.at.get((q + dq, r + dr)) for dq, dr in STEPS]
                for rho in range(6):
                    look = shown(tile, rho)
                    earlier = [shown(tile, x) for x in range(rho)]
                    fit = all(
                        u is None or self.letters[u][(d + 3) % 6] == look[d] for d, u in enumerate(near)
                    )
                    if fit and look not in earlier:
                        results.setdefault(name, []).append(rho)
        return dict(sorted(results.items()))

    def ids(self) -> list[int]:
        return getattr(self, Phase(int(self.s.phase)).name)()

    def setup_dome(self) -> list[int]:
        return [t for t in range(2 * self.seats) if self.its[t]["kind"] == "start" and self.type[t] < 0]

    def intel(self) -> list[int]:
        h = int(self.s.hand_n[self.p])
        return [*range(h), *range(5, 5 + h), 10]

    def conflict(self) -> list[int]:
        results = []
        for t in range(self.n):
            others = self.others_on(t, self.p)
            if others and (self.troops[t][self.p] or (self.owner[t] == self.p and len(others) == 1)):
                results.append(t)
        return results[:1] if self.o["conflict_order"] == "index" else results

    def remove(self) -> list[int]:
        return self.others_on(int(self.s.ctile), int(self.s.seat))

    def extract(self) -> list[int]:
        rough = bool(self.mod("transport_rough")) or not self.o["extract_needs_passable"]
        results = []
        for t in self.own(EXCAVATOR):
            for d, u in self.linked(t, rough):
                used = int(self.s.ext_used[t]) >> 2 * d & 3
                more = self.s.cubes[u] > 0 and used < self.mod("excavator_rate")
                if more and not self.blocked(t) and self.stores(t):
                    results.append(6 * t + d)
        return [*results, 288]

    def store(self) -> list[int]:
        return self.stores(int(self.s.prod_t))

    def generate(self) -> list[int]:
        return [
            t for t in self.own(DOME)
            if int(self.s.gen_used[t]) < self.mod("dome_rate") and self.s.pile > 0 and not self.blocked(t)
            and self.stores(t)
        ] + [48]  # fmt: skip

    def tile(self) -> list[int]:
        return [i for i, tile in enumerate(self.s.offer.tolist()) if tile >= 0 and self.fits(tile)]

    def place_cell(self) -> list[int]:
        return sorted(self.fits(int(self.s.drawn)))

    def place_rot(self) -> list[int]:
        return self.fits(int(self.s.drawn))[int(self.s.cell)]

    def spend(self) -> list[int]:
        s, cubes, result = self.s, self.cubes(), [0]
        for k in range(6):
            if s.supply[self.p, k] > 0 and self.price(k) <= cubes and self.targets(k):
                result.append(1 + k)
        if (
            s.figures[self.p] > 0
            and max(1, self.o["troop_cost"] + self.mod("cost_troop")) <= cubes
            and self.camps()
        ):
            result.append(7)
        room = s.hand_n[self.p] < self.o["intel_limit"] and s.event_n > 0 and self.o["events"]
        if room and max(1, self.o["intel_cost"] + self.mod("cost_intel")) <= cubes:
            result.append(8)
        return result + [9] * bool(self.movable())

    def target(self) -> list[int]:
        kind = int(self.s.buy_kind)
        if kind == 1:
            return self.camps()
        return self.targets(int(self.s.buy_type), int(self.s.buy_src) if kind == 3 else -1)

    def reloc_src(self) -> list[int]:
        return self.movable()

    def pay(self) -> list[int]:
        return self.sources()

    def move(self) -> list[int]:
        results = []
        if not self.mod("no_move"):
            for t in range(self.n):
                if int(self.s.unmoved[t]) > 0:
                    results += [6 * t + d for d, _ in self.linked(t, bool(self.mod("move_rough")))]
        return [*results, 288]

    def discard_intel(self) -> list[int]:
        return list(range(int(self.s.hand_n[self.s.seat])))


def shown(tile: int, rho: int) -> str:
    """The letters of a tile by direction (LO-1.4)."""
    letters = TILES[tile]["edges"]
    return "".join(letters[(d - rho) % 6] for d in range(6))
