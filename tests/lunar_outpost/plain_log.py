"""A second implementation of the log (LO-21): what one game's log should record, from outside.

It sees the actions and the states before and after them, works the counts out by the words of the
specification, and looks at no counter of the rules.
"""

from itertools import pairwise
from types import SimpleNamespace

from .walk import BUILDINGS, EVENTS, TILES, Map, Walk, modifiers

DOME, EXCAVATOR, BARRACKS, TOWER = 0, 1, 3, 4
PURPOSES = {"construct": "building", "recruit": "troop", "intel": "intel", "relocate": "relocation"}
GAMES = [
    "tiles_placed", "tiles_discarded", "deposits_placed", "deposits_depleted", "cubes_left_in_deposits",
    "frontier_end", "edges_shared", "edges_passable", "extracted", "generated", "transported",
    "stored_terrain", "extraction_missed", "generation_missed", "pile_end", "cubes_stored_end", "spent",
    "spent_building", "spent_relocation", "spent_troop", "spent_intel", *(f"build_{b}" for b in BUILDINGS),
    "relocations", "recruits", "intel_bought", "moves", "disclosed", "prevented", "events_replaced",
    "active_events_end", "hand_end", "conflict_tiles", "conflict_step1", "conflict_3way", "standoffs",
    "siege_repelled", "siege_equal", "siege_won", "siege_with_tower", "razed",
    *(f"razed_{b}" for b in BUILDINGS), "razed_vp", "razed_cubes", "troops_lost_step1", "troops_lost_step2",
    "peaceful_turns", "eliminated", "buildings_end", "troops_end", "vp_buildings", "event_vp_total",
    "winner_margin", "tiebreak_used", "lead_changes", "halfway_leader_wins",
]  # fmt: skip
SEATS = [
    "turns", "eliminated", "start_tile", "vp_buildings", "vp_events", "built",
    *(f"built_{b}" for b in BUILDINGS), "relocated", "buildings_end", "buildings_lost", "buildings_razed",
    "extracted", "generated", "output_missed", "cubes_spent", "cubes_end", "troops_recruited", "troops_lost",
    "troops_end", "intel_bought", "disclosed", "prevented", "hand_end",
]  # fmt: skip
TRACE = ["score", "spendable", "buildings", "troops", "cards", "free_slots", "income", "stack"]


class Log:
    """Counts of one game: `game`, `seat[i]`; `rank` and `score` at the end; `rows` of the trace."""

    def __init__(self, walk: Walk) -> None:
        self.options, self.seats = walk.chosen, range(walk.seats)
        self.game = dict.fromkeys(["turns", *GAMES], 0)
        self.seat: list[dict[str, int]] = [dict.fromkeys(SEATS, 0) for _ in self.seats]
        self.disclosed = [set[int]() for _ in self.seats]  # all cards that a seat ever disclosed
        self.taken: dict[tuple[int, int], int] = {}
        self.produced: dict[int, int] = {}
        self.first_conflict: int | None = None
        self.fallen = dict[int, int]()  # seat -> turn of its elimination
        self.leaders = list[set[int]]()
        self.producer = self.purchase = (-1, -1)
        self.rows = list[list[dict[str, int]]]()
        self.reason = ""
        self.unfit = list[int]()  # tiles discarded
        if walk.now.turn_no:
            self.begin(walk.now)
        for before, action, after in walk.steps():
            self.note(before, action, after)
        self.finish(walk.now)

    def count(self, name: str, seat: int, own: str = "", n: int = 1) -> None:
        """Count in the games table, and for a seat under the same or another name."""
        self.game[name] += n
        self.seat[seat][own or name] += n

    # One action.

    def note(self, b: SimpleNamespace, a: int, f: SimpleNamespace) -> None:
        getattr(self, b.phase)(b, a, f)
        self.discards(b, f)
        fought, ended = ("conflict", "remove"), f.turn_no != b.turn_no or f.seat < 0
        if b.phase in fought and (ended or f.phase not in fought):
            self.eliminate(b, f)
        if f.seat < 0:
            self.reason = self.why(f)
        if ended:
            if b.phase != "setup_dome" and self.reason != "elimination":
                self.lead(f)
            if b.phase != "setup_dome":
                self.rows.append([self.row(f, seat) for seat in self.seats])
            if f.turn_no != b.turn_no:
                self.begin(f)

    def begin(self, f: SimpleNamespace) -> None:
        """A turn begins; the map is that of step 2."""
        self.taken, self.produced = {}, {}
        self.count("turns", f.active)
        assert self.game["turns"] == f.turn_no
        for t in range(f.n_tiles):
            others = sum(n > 0 for seat, n in enumerate(f.troops[t]) if seat != f.active)
            self.game["standoffs"] += f.bowner[t] == f.active and not f.troops[t][f.active] and others >= 2

    def setup_dome(self, b: SimpleNamespace, a: int, f: SimpleNamespace) -> None:
        self.seat[b.seat]["start_tile"] = a

    def discard_intel(self, b: SimpleNamespace, a: int, f: SimpleNamespace) -> None:
        pass

    def intel(self, b: SimpleNamespace, a: int, f: SimpleNamespace) -> None:
        if a < 5:
            card = b.hand[b.active][a]
            self.disclosed[b.active].add(card)
            self.count("disclosed", b.active)
            self.game["events_replaced"] += b.active_event[EVENTS[card]["category"]] >= 0
        elif a < 10:
            self.count("prevented", b.active)

    def conflict(self, b: SimpleNamespace, a: int, f: SimpleNamespace) -> None:
        self.game["conflict_tiles"] += 1
        if self.first_conflict is None:
            self.first_conflict = b.turn_no
        if b.troops[a][b.active]:
            self.game["conflict_step1"] += 1
            self.game["conflict_3way"] += sum(n > 0 for n in b.troops[a]) >= 3
            assert f.phase == "remove" and f.ctile == a
        else:
            self.siege(b, a, b.troops[a])

    def remove(self, b: SimpleNamespace, a: int, f: SimpleNamespace) -> None:
        troops = list(b.troops[b.ctile])
        for seat in (b.seat, a):
            troops[seat] -= 1
            self.count("troops_lost_step1", seat, "troops_lost")
        if sum(n > 0 for n in troops) < 2:
            self.siege(b, b.ctile, troops)

    def siege(self, b: SimpleNamespace, t: int, troops: list[int]) -> None:
        """LO-5.4 to 5.7 step two, if there is one."""
        p, others = b.active, [seat for seat in self.seats if troops[seat] and seat != b.active]
        if b.bowner[t] != p or troops[p] or len(others) != 1:
            return
        n, ground, now = troops[others[0]], Map(b), modifiers(b, self.options)
        towers = sum(b.btype[u] == TOWER and b.bowner[u] == p for u in ground.neighbours(t))
        self.game["siege_with_tower"] += towers > 0
        counted = towers if self.options["tower_stack"] else min(towers, 1)
        name = BUILDINGS[b.btype[t]]
        strength = self.options[f"{name}_defence"] + ground.tile(t)["defence"] + now["defence_all"]
        strength = max(0, strength + counted * now["tower_support"])
        self.count("troops_lost_step2", others[0], "troops_lost", min(n, strength))
        if n < strength:
            self.game["siege_repelled"] += 1
            return
        self.game["siege_equal" if n == strength else "siege_won"] += 1
        self.count("razed", p, "buildings_lost")
        self.seat[others[0]]["buildings_razed"] += 1
        self.game[f"razed_{name}"] += 1
        self.game["razed_vp"] += self.options[f"{name}_vp"]
        self.game["razed_cubes"] += b.st_b[t]

    def eliminate(self, b: SimpleNamespace, f: SimpleNamespace) -> None:
        """LO-5.10."""
        for seat in self.seats:
            if seat not in self.fallen and seat not in f.bowner and not any(row[seat] for row in f.troops):
                self.fallen[seat] = b.turn_no

    def extract(self, b: SimpleNamespace, a: int, f: SimpleNamespace) -> None:
        if a < 288:
            self.producer = divmod(a, 6)
            return
        ground, now = Map(b), modifiers(b, self.options)
        for t in self.working(b, EXCAVATOR, b.active):
            for d, u in self.reach(ground, t, now):
                left = min(now["excavator_rate"] - self.taken.get((t, d), 0), b.cubes[u])
                self.count("extraction_missed", b.active, "output_missed", left)

    def generate(self, b: SimpleNamespace, a: int, f: SimpleNamespace) -> None:
        if a < 48:
            self.producer = a, -1
            return
        rate = modifiers(b, self.options)["dome_rate"]
        for t in self.working(b, DOME, b.active):
            self.count("generation_missed", b.active, "output_missed", rate - self.produced.get(t, 0))

    def working(self, b: SimpleNamespace, kind: int, seat: int) -> list[int]:
        """Own buildings of a type that are not blocked (LO-5.9)."""
        own = [t for t in range(b.n_tiles) if b.btype[t] == kind and b.bowner[t] == seat]
        if not self.options["siege_blocks"]:
            return own
        return [t for t in own if not any(n for other, n in enumerate(b.troops[t]) if other != seat)]

    def reach(self, ground: Map, t: int, now: dict[str, int]) -> list[tuple[int, int]]:
        """LO-6.2 directions and tiles of deposits with cubes."""
        free = not self.options["extract_needs_passable"] or now["transport_rough"]
        around = [(d, u) for d in range(6) if (u := ground.neighbour(t, d)) >= 0]
        return [(d, u) for d, u in around if ground.s.cubes[u] > 0 and (free or ground.passable(t, d))]

    def store(self, b: SimpleNamespace, a: int, f: SimpleNamespace) -> None:
        t, d = self.producer
        if d < 0:
            self.produced[t] = self.produced.get(t, 0) + 1
            self.count("generated", b.active)
        else:
            self.taken[t, d] = self.taken.get((t, d), 0) + 1
            self.count("extracted", b.active)
            self.game["deposits_depleted"] += b.cubes[Map(b).neighbour(t, d)] == 1
        self.game["transported"] += a // 2 != 6
        self.game["stored_terrain"] += a % 2

    def discards(self, b: SimpleNamespace, f: SimpleNamespace) -> None:
        for tile in range(len(TILES)):
            if f.tile_out[tile] and not b.tile_out[tile]:
                self.game["tiles_discarded"] += 1
                self.unfit.append(tile)
                assert not Map(b).fits(tile), f"tile {tile} fits somewhere"

    def tile(self, b: SimpleNamespace, a: int, f: SimpleNamespace) -> None:
        pass

    def place_cell(self, b: SimpleNamespace, a: int, f: SimpleNamespace) -> None:
        pass

    def place_rot(self, b: SimpleNamespace, a: int, f: SimpleNamespace) -> None:
        self.game["tiles_placed"] += 1
        self.game["deposits_placed"] += TILES[b.drawn]["kind"] == "deposit"

    def spend(self, b: SimpleNamespace, a: int, f: SimpleNamespace) -> None:
        kinds = {7: "recruit", 8: "intel", 9: "relocate"}
        if a:
            self.purchase = kinds.get(a, "construct"), (a - 1 if a < 7 else -1)
        if a == 8:
            self.order(b, -1)
            self.paid(b, f)

    def reloc_src(self, b: SimpleNamespace, a: int, f: SimpleNamespace) -> None:
        self.purchase = "relocate", b.btype[a]

    def target(self, b: SimpleNamespace, a: int, f: SimpleNamespace) -> None:
        self.order(b, a)
        self.paid(b, f)

    def order(self, b: SimpleNamespace, t: int) -> None:
        """LO-9.2 what is still to pay."""
        now, (what, kind) = modifiers(b, self.options), self.purchase
        if what in ("recruit", "intel"):
            name = {"recruit": "troop", "intel": "intel"}[what]
            self.due = max(1, self.options[f"{name}_cost"] + now[f"cost_{name}"])
        else:
            name = BUILDINGS[kind]
            self.due = max(1, self.options[f"{name}_cost"] + now["cost_all"] + now[f"cost_{name}"])
            if what == "relocate":
                self.due = max(1, self.due + now["cost_relocate"])

    def pay(self, b: SimpleNamespace, a: int, f: SimpleNamespace) -> None:
        self.paid(b, f)

    def paid(self, b: SimpleNamespace, f: SimpleNamespace) -> None:
        """Cubes that went to the pile; with the last one the purchase is made."""
        n, p, (what, kind) = f.pile - b.pile, b.active, self.purchase
        self.due -= n
        assert n >= 0 and self.due >= 0 and (self.due > 0) == (f.phase == "pay")
        self.count("spent", p, "cubes_spent", n)
        self.game[f"spent_{PURPOSES[what]}"] += n
        if self.due:
            return
        if what == "construct":
            self.count(f"build_{BUILDINGS[kind]}", p, f"built_{BUILDINGS[kind]}")
            self.seat[p]["built"] += 1
        elif what == "relocate":
            self.count("relocations", p, "relocated")
        elif what == "recruit":
            self.count("recruits", p, "troops_recruited")
        else:
            self.count("intel_bought", p)

    def move(self, b: SimpleNamespace, a: int, f: SimpleNamespace) -> None:
        self.game["moves"] += a != 288

    # Points, leaders and ranks.

    def vp_buildings(self, s: SimpleNamespace, seat: int) -> int:
        now, own = (
            modifiers(s, self.options),
            [k for k, o in zip(s.btype, s.bowner, strict=True) if o == seat],
        )
        return sum(self.options[f"{BUILDINGS[k]}_vp"] + now[f"vp_{BUILDINGS[k]}"] for k in own)

    def vp_events(self, s: SimpleNamespace, seat: int) -> int:
        """LO-12.2."""
        reading, hand = self.options["event_vp"], [e for e in s.hand[seat] if e >= 0]
        active = [e for e, o in zip(s.active_event, s.event_owner, strict=True) if e >= 0 and o == seat]
        cards = {
            "hand_and_active": hand + active, "hand_only": hand, "none": [],
            "all_disclosed": hand + sorted(self.disclosed[seat]),
        }[reading]  # fmt: skip
        return sum(EVENTS[e]["vp"] for e in cards)

    def points(self, s: SimpleNamespace, seat: int) -> int:
        if seat in self.fallen:
            return 0
        own = self.vp_buildings(s, seat) + self.vp_events(s, seat)
        return own + self.options[f"seat_vp_{seat}"]

    def living(self) -> list[int]:
        return [seat for seat in self.seats if seat not in self.fallen]

    def lead(self, f: SimpleNamespace) -> None:
        """LO-21.3."""
        points = {seat: self.points(f, seat) for seat in self.living()}
        self.leaders.append({seat for seat, n in points.items() if n == max(points.values())})

    def spendable(self, s: SimpleNamespace, seat: int) -> int:
        """LO-1.11."""
        return sum(
            s.st_b[t] + s.st_t[t]
            for t in range(s.n_tiles)
            if (s.bowner[t] == seat or s.troops[t][seat])
            and (self.options["siege_spend"] or s.bowner[t] in (-1, seat))
        )

    def troops(self, s: SimpleNamespace, seat: int) -> int:
        return sum(row[seat] for row in s.troops)

    def why(self, f: SimpleNamespace) -> str:
        if len(self.living()) <= 1:
            return "elimination"
        return "last_tile" if not f.stack_n else "points"

    def row(self, s: SimpleNamespace, seat: int) -> dict[str, int]:
        """LO-21 what the trace shows of a seat after a turn."""
        own = [t for t in range(s.n_tiles) if s.bowner[t] == seat]
        room = {t: self.slots(s, t) for t in own}
        return {
            "score": self.points(s, seat), "spendable": self.spendable(s, seat), "buildings": len(own),
            "troops": self.troops(s, seat), "cards": sum(e >= 0 for e in s.hand[seat]),
            "free_slots": sum(room[t] - s.st_b[t] - s.st_t[t] for t in own),
            "income": self.income(s, seat, own), "stack": s.stack_n,
        }  # fmt: skip

    def slots(self, s: SimpleNamespace, t: int) -> int:
        kind = s.btype[t]
        return TILES[s.tile_id[t]]["slots"] + (self.options[f"{BUILDINGS[kind]}_storage"] if kind >= 0 else 0)

    def income(self, s: SimpleNamespace, seat: int, own: list[int]) -> int:
        """LO-19: producers, that is own domes and excavators that have a slot in reach, full or free."""
        ground, now, total = Map(s), modifiers(s, self.options), 0
        for t in own:
            near = ground.neighbours(t) if now["transport_rough"] else ground.connected(t)
            places = [t] + ([] if now["transport_self_only"] else [u for u in near if u in own])
            if not any(self.slots(s, u) for u in places):
                continue
            if s.btype[t] == DOME:
                total += now["dome_rate"]
            elif s.btype[t] == EXCAVATOR:
                total += now["excavator_rate"] * len(self.reach(ground, t, now))
        return total

    def finish(self, s: SimpleNamespace) -> None:
        game, ground = self.game, Map(s)
        for seat in self.seats:
            its = self.seat[seat]
            its["eliminated"] = int(seat in self.fallen)
            its["buildings_end"] = s.bowner.count(seat)
            its["cubes_end"], its["troops_end"] = self.spendable(s, seat), self.troops(s, seat)
            its["hand_end"] = sum(e >= 0 for e in s.hand[seat])
            if seat not in self.fallen:
                its["vp_buildings"], its["vp_events"] = self.vp_buildings(s, seat), self.vp_events(s, seat)
        for name in ("eliminated", "buildings_end", "troops_end", "hand_end", "vp_buildings"):
            game[name] = sum(its[name] for its in self.seat)
        game["event_vp_total"] = sum(its["vp_events"] for its in self.seat)
        game["cubes_left_in_deposits"], game["pile_end"] = sum(s.cubes), s.pile
        game["cubes_stored_end"] = sum(s.st_b) + sum(s.st_t)
        game["active_events_end"] = sum(e >= 0 for e in s.active_event)
        game["frontier_end"] = len(ground.frontier())
        game["edges_shared"] = sum(len(ground.neighbours(t)) for t in ground.tiles) // 2
        game["edges_passable"] = sum(len(ground.connected(t)) for t in ground.tiles) // 2
        first = self.first_conflict
        game["peaceful_turns"] = game["turns"] if first is None else first - 1
        self.score = [self.points(s, seat) for seat in self.seats]
        self.rank_seats(s)
        sole = [min(single) for single in self.leaders if len(single) == 1]
        game["lead_changes"] = sum(x != y for x, y in pairwise(sole))
        if m := len(self.leaders):
            half = self.leaders[(m - 1) // 2]
            game["halfway_leader_wins"] = int(any(self.rank[seat] == 1 for seat in half))

    def rank_seats(self, s: SimpleNamespace) -> None:
        """LO-12.3, 12.4."""
        worth = {
            "cubes_and_troops": lambda seat: self.spendable(s, seat) + self.troops(s, seat),
            "buildings": lambda seat: s.bowner.count(seat),
            "none": lambda seat: 0,
        }[self.options["tie_break"]]
        place = [
            (0, self.fallen[seat], 0) if seat in self.fallen else (1, self.score[seat], worth(seat))
            for seat in self.seats
        ]
        self.rank = [1 + sum(other > own for other in place) for own in place]
        best = sorted(self.score, reverse=True)
        self.game["winner_margin"] = best[0] - best[1]
        tops = sum(self.score[seat] == best[0] for seat in self.living())
        self.game["tiebreak_used"] = int(self.reason != "elimination" and tops > 1)
