"""A second implementation of the rules in plain Python, from the words of the specification alone.

`Plain` begins where a `Walk` begins and goes on by itself; tests compare its legal ids and its state with
those of the rules after every action. Only the order of a stack into which tiles are shuffled back is taken
over (LO-8.8). Slow and simple: everything is worked out anew from tiles, buildings, troops and cards.
"""

from copy import deepcopy
from types import SimpleNamespace

from .walk import BUILDINGS, EVENTS, TILES, Map, Walk, modifiers

DOME, EXCAVATOR, BARRACKS, TOWER = 0, 1, 3, 4
CONSTRUCT, RECRUIT, INTEL, RELOCATE = range(4)
STATE = [
    "n_tiles", "tile_id", "rot", "q", "r", "cubes", "btype", "bowner", "st_b", "st_t", "troops", "supply",
    "removed", "figures", "hand", "hand_n", "alive", "turns", "disclosed_vp", "fallen_in", "active_event",
    "event_owner", "event_where", "event_n", "stack_n", "drawn", "offer", "tile_out", "pile", "active",
    "turn_no", "seat",
]  # fmt: skip


class Plain:
    """A game of its own; `s` has the fields of LO-16, `phase` and `seat` say who is asked what."""

    def __init__(self, walk: Walk) -> None:
        self.options, self.seats, self.s = walk.chosen, range(walk.seats), deepcopy(walk.now)
        self.taken: dict[tuple[int, int], int] = {}
        self.produced: dict[int, int] = {}
        self.recruited: dict[int, int] = {}
        self.buy = SimpleNamespace(what=-1, kind=-1, src=-1, dst=-1, left=0)
        self.producer, self.cell, self.reason = (-1, -1), -1, ""
        self.unmoved: list[int] = []

    # Questions.

    @property
    def map(self) -> Map:
        return Map(self.s)

    @property
    def mods(self) -> dict[str, int]:
        return modifiers(self.s, self.options)

    def own(self, kind: int | None = None) -> list[int]:
        """Tiles with a building of the active seat."""
        s = self.s
        return [t for t in range(s.n_tiles) if s.bowner[t] == s.active and kind in (None, s.btype[t])]

    def others_on(self, t: int) -> list[int]:
        return [seat for seat in self.seats if seat != self.s.active and self.s.troops[t][seat]]

    def blocked(self, t: int) -> bool:
        """LO-5.9."""
        return self.options["siege_blocks"] and bool(self.others_on(t))

    def slots(self, t: int) -> tuple[int, int]:
        kind = self.s.btype[t]
        return self.options[f"{BUILDINGS[kind]}_storage"] if kind >= 0 else 0, self.map.tile(t)["slots"]

    def sources(self) -> list[int]:
        """LO-1.11 ids of PAY."""
        s, p, result = self.s, self.s.active, []
        for t in range(s.n_tiles):
            looted = s.bowner[t] not in (-1, p) and not self.options["siege_spend"]
            if (s.bowner[t] == p or s.troops[t][p]) and not looted:
                result += [2 * t] * (s.st_b[t] > 0) + [2 * t + 1] * (s.st_t[t] > 0)
        return result

    def spendable(self) -> int:
        return sum((self.s.st_t if a % 2 else self.s.st_b)[a // 2] for a in self.sources())

    def price(self, what: int, kind: int = -1) -> int:
        """LO-9.2."""
        mods, options = self.mods, self.options
        if what in (RECRUIT, INTEL):
            name = "troop" if what == RECRUIT else "intel"
            return max(1, options[f"{name}_cost"] + mods[f"cost_{name}"])
        name = BUILDINGS[kind]
        price = max(1, options[f"{name}_cost"] + mods["cost_all"] + mods[f"cost_{name}"])
        return price if what == CONSTRUCT else max(1, price + mods["cost_relocate"])

    def sites(self, kind: int, lifted: int = -1) -> list[int]:
        """LO-9.4 to 9.6 where a building may stand."""
        s, ground, mods, result = self.s, self.map, self.mods, []
        anywhere = kind == DOME and self.options["domes_anywhere"] and not mods["dome_connected"]
        for t in range(s.n_tiles):
            if ground.tile(t)["kind"] not in ("start", "location") or s.btype[t] >= 0 or self.others_on(t):
                continue
            wide = kind != DOME and mods["build_adjacent"]
            near = ground.neighbours(t) if wide else ground.connected(t)
            if anywhere or any(s.bowner[u] == s.active and u != lifted for u in near):
                result.append(t)
        return result

    def barracks(self) -> list[int]:
        """LO-9.7 where a troop may be recruited."""
        most = self.options["recruit_per_barracks"]
        free = [t for t in self.own(BARRACKS) if not self.blocked(t)]
        return [t for t in free if not most or self.recruited.get(t, 0) < most]

    def movable(self) -> list[int]:
        if not self.options["relocation"]:
            return []
        rich = [t for t in self.own() if self.price(RELOCATE, self.s.btype[t]) <= self.spendable()]
        return [t for t in rich if self.sites(self.s.btype[t], t)]

    def destinations(self, t: int) -> list[int]:
        """LO-6.3 ids of STORE for a producer."""
        s, ground, mods, result = self.s, self.map, self.mods, []
        for k in range(7):
            u = t if k == 6 else ground.neighbour(t, k)
            if u < 0 or s.bowner[u] != s.active:
                continue
            if k < 6 and (
                mods["transport_self_only"] or not (mods["transport_rough"] or ground.passable(t, k))
            ):
                continue
            in_b, in_t = self.slots(u)
            result += [2 * k] * (s.st_b[u] < in_b) + [2 * k + 1] * (s.st_t[u] < in_t)
        return result

    def conflicts(self) -> list[int]:
        """LO-5.1."""
        s, p = self.s, self.s.active
        return [
            t
            for t in range(s.n_tiles)
            if (self.others_on(t) and s.troops[t][p]) or (s.bowner[t] == p and len(self.others_on(t)) == 1)
        ]

    # Legal ids (LO-15).

    def legal(self) -> list[int]:
        return sorted(getattr(self, f"legal_{self.s.phase}")())

    def legal_discard_intel(self) -> list[int]:
        return list(range(self.s.hand_n[self.s.seat]))

    def legal_setup_dome(self) -> list[int]:
        return [
            t for t in range(self.s.n_tiles) if self.map.tile(t)["kind"] == "start" and self.s.btype[t] < 0
        ]

    def legal_intel(self) -> list[int]:
        n = self.s.hand_n[self.s.active]
        return [*range(n), *range(5, 5 + n), 10]

    def legal_conflict(self) -> list[int]:
        result = self.conflicts()
        return result[:1] if self.options["conflict_order"] == "index" else result

    def legal_remove(self) -> list[int]:
        here = self.s.troops[self.s.ctile]
        return [seat for seat in self.seats if here[seat] and seat != self.s.seat]

    def legal_extract(self) -> list[int]:
        ground, mods, result = self.map, self.mods, [288]
        for t in self.own(EXCAVATOR):
            for d in range(6):
                u = ground.neighbour(t, d)
                if u < 0 or not self.s.cubes[u] or self.blocked(t) or not self.destinations(t):
                    continue
                wide = mods["transport_rough"] or not self.options["extract_needs_passable"]
                if (wide or ground.passable(t, d)) and self.taken.get((t, d), 0) < mods["excavator_rate"]:
                    result.append(6 * t + d)
        return result

    def legal_generate(self) -> list[int]:
        rate = self.mods["dome_rate"] if self.s.pile else 0
        free = [t for t in self.own(DOME) if not self.blocked(t) and self.produced.get(t, 0) < rate]
        return [48, *(t for t in free if self.destinations(t))]

    def legal_store(self) -> list[int]:
        return self.destinations(self.producer[0])

    def legal_tile(self) -> list[int]:
        return [i for i, tile in enumerate(self.s.offer) if tile >= 0 and self.map.fits(tile)]

    def legal_place_cell(self) -> list[int]:
        return list(self.map.fits(self.s.drawn))

    def legal_place_rot(self) -> list[int]:
        return self.map.fits(self.s.drawn)[self.cell]

    def legal_spend(self) -> list[int]:
        s, p, cubes, result = self.s, self.s.active, self.spendable(), [0]
        for kind in range(6):
            if s.supply[p][kind] and self.price(CONSTRUCT, kind) <= cubes and self.sites(kind):
                result.append(1 + kind)
        if s.figures[p] and self.price(RECRUIT) <= cubes and self.barracks():
            result.append(7)
        room = self.options["events"] and s.hand_n[p] < self.options["intel_limit"]
        if room and s.event_n and self.price(INTEL) <= cubes:
            result.append(8)
        return result + [9] * bool(self.movable())

    def legal_reloc_src(self) -> list[int]:
        return self.movable()

    def legal_target(self) -> list[int]:
        if self.buy.what == RECRUIT:
            return self.barracks()
        return self.sites(self.buy.kind, self.buy.src)

    def legal_pay(self) -> list[int]:
        return self.sources()

    def legal_move(self) -> list[int]:
        """LO-10.1."""
        ground, mods, result = self.map, self.mods, [288]
        for t in ground.tiles:
            for d in range(6):
                free = ground.neighbour(t, d) >= 0 and (mods["move_rough"] or ground.passable(t, d))
                if self.unmoved[t] and free and not mods["no_move"]:
                    result.append(6 * t + d)
        return result

    # What happens.

    def apply(self, action: int, truth: SimpleNamespace) -> None:
        """One action; `truth`: the state after it, of which only a shuffled stack is looked at."""
        self.truth = truth
        getattr(self, f"do_{self.s.phase}")(action)

    def ask(self, phase: str, seat: int | None = None) -> None:
        self.s.phase = phase
        self.s.seat = self.s.active if seat is None else seat

    def do_discard_intel(self, a: int) -> None:
        """LO-2.8."""
        s = self.s
        self.lose_card(s.seat, a, 7 + s.seat)
        if s.hand_n[s.seat] > self.options["starting_intel"]:
            return
        if s.seat + 1 < len(self.seats):
            self.ask("discard_intel", s.seat + 1)
        else:
            self.ask("setup_dome", s.setup_order[0])

    def do_setup_dome(self, a: int) -> None:
        """LO-2.5, 2.7."""
        s, seat, options = self.s, self.s.seat, self.options
        s.btype[a], s.bowner[a] = DOME, seat
        s.supply[seat][DOME] -= 1
        wanted = options["starting_resources"] + options[f"seat_bonus_{seat}"]
        s.st_b[a] = min(wanted, options["dome_storage"], s.pile)
        s.pile -= s.st_b[a]
        s.troops[a][seat] = min(options["starting_troops"], options["troop_limit"])
        s.figures[seat] -= s.troops[a][seat]
        placed = sum(kind >= 0 for kind in s.btype)
        if placed < len(self.seats):
            self.ask("setup_dome", s.setup_order[placed])
        else:
            self.begin(0)

    def begin(self, seat: int) -> None:
        """LO-3.1, 4.1."""
        s = self.s
        s.active = seat
        s.turn_no += 1
        s.turns[seat] += 1
        self.taken, self.produced, self.recruited = {}, {}, {}
        if s.turns[seat] > 1 and s.hand_n[seat]:
            self.ask("intel")
        else:
            self.fight()

    def lose_card(self, seat: int, slot: int, to: int) -> int:
        s = self.s
        card = s.hand[seat].pop(slot)
        s.hand[seat].append(-1)
        s.hand_n[seat] -= 1
        s.event_where[card] = to
        return card

    def do_intel(self, a: int) -> None:
        """LO-4."""
        s, p = self.s, self.s.active
        if a == 10:
            self.fight()
        elif a >= 5:
            self.lose_card(p, a - 5, 7 + p)
        else:
            card = self.lose_card(p, a, 5)
            category = EVENTS[card]["category"]
            if s.active_event[category] >= 0:
                s.event_where[s.active_event[category]] = 6
            s.active_event[category], s.event_owner[category] = card, p
            s.disclosed_vp[p] += EVENTS[card]["vp"]

    def fight(self) -> None:
        """LO-5.2; without conflicts LO-5.10."""
        s = self.s
        if self.conflicts():
            self.ask("conflict")
            return
        for seat in self.seats:
            controls = seat in s.bowner or any(row[seat] for row in s.troops)
            if s.alive[seat] and not controls:
                s.alive[seat], s.fallen_in[seat] = 0, s.turn_no
                while s.hand_n[seat]:
                    self.lose_card(seat, 0, 7 + seat)
        if sum(s.alive) <= 1:
            self.end("elimination")
        elif s.alive[s.active]:
            mines = any(pair == (s.active, 1) for pair in zip(s.bowner, s.btype, strict=True))
            self.ask("extract" if mines else "generate")
        else:
            self.finish_turn()

    def do_conflict(self, a: int) -> None:
        s = self.s
        s.ctile = a
        if s.troops[a][s.active]:
            self.ask("remove")
        else:
            self.siege(a)
            self.fight()

    def do_remove(self, a: int) -> None:
        """LO-5.3, 5.8."""
        s, t = self.s, self.s.ctile
        for seat in (s.seat, a):
            s.troops[t][seat] -= 1
            s.figures[seat] += 1
        if sum(n > 0 for n in s.troops[t]) > 1:
            round_table = [(s.seat + k) % len(self.seats) for k in range(1, len(self.seats) + 1)]
            self.ask("remove", next(seat for seat in round_table if s.troops[t][seat]))
        else:
            self.siege(t)
            self.fight()

    def siege(self, t: int) -> None:
        """LO-5.4 to 5.8."""
        s, p, others = self.s, self.s.active, self.others_on(t)
        if s.bowner[t] != p or len(others) != 1 or s.troops[t][p]:
            return
        mods, name, other = self.mods, BUILDINGS[s.btype[t]], others[0]
        towers = sum(u in self.own(TOWER) for u in self.map.neighbours(t))
        towers = towers if self.options["tower_stack"] else min(1, towers)
        strength = self.options[f"{name}_defence"] + self.map.tile(t)["defence"] + mods["defence_all"]
        strength = max(0, strength + towers * mods["tower_support"])
        n = s.troops[t][other]
        s.troops[t][other] -= min(n, strength)
        s.figures[other] += min(n, strength)
        if n >= strength:
            back = s.supply if self.options["razed_tokens"] == "returned" else s.removed
            back[p][s.btype[t]] += 1
            s.pile += s.st_b[t]
            s.st_b[t], s.btype[t], s.bowner[t] = 0, -1, -1

    def do_extract(self, a: int) -> None:
        if a == 288:
            self.ask("generate")
        else:
            self.producer = divmod(a, 6)
            self.ask("store")

    def do_generate(self, a: int) -> None:
        if a == 48:
            self.draw()
        else:
            self.producer = a, -1
            self.ask("store")

    def do_store(self, a: int) -> None:
        """LO-6, 7."""
        s, (t, d) = self.s, self.producer
        if d < 0:
            s.pile -= 1
            self.produced[t] = self.produced.get(t, 0) + 1
        else:
            s.cubes[self.map.neighbour(t, d)] -= 1
            self.taken[t, d] = self.taken.get((t, d), 0) + 1
        u = t if a // 2 == 6 else self.map.neighbour(t, a // 2)
        (s.st_t if a % 2 else s.st_b)[u] += 1
        self.ask("generate" if d < 0 else "extract")

    def draw(self) -> None:
        """LO-8.1, 8.4, 8.8."""
        s = self.s
        while s.stack_n:
            n = min(self.options["tile_choice"], s.stack_n)
            s.stack_n -= n
            offer = s.stack[s.stack_n : s.stack_n + n][::-1]
            if any(self.map.fits(tile) for tile in offer):
                s.offer = offer + [-1] * (3 - n)
                self.ask("tile")
                return
            s.tile_out[offer[0]] = 1
            self.shuffle_back(offer[1:])
            if self.options["unplaceable"] == "discard":
                break
        self.ask("spend")

    def shuffle_back(self, tiles: list[int]) -> None:
        """The same tiles as in truth, in the order that luck gave them."""
        s = self.s
        if tiles:
            mine, true = s.stack[: s.stack_n] + tiles, self.truth.stack[: s.stack_n + len(tiles)]
            assert sorted(mine) == sorted(true)
            s.stack_n, s.stack = len(true), true

    def do_tile(self, a: int) -> None:
        s = self.s
        s.drawn = s.offer[a]
        self.shuffle_back([tile for tile in s.offer if tile not in (-1, s.drawn)])
        s.offer = [-1] * 3
        self.ask("place_cell")

    def do_place_cell(self, a: int) -> None:
        self.cell = a
        self.ask("place_rot")

    def do_place_rot(self, a: int) -> None:
        """LO-8.5."""
        s, t = self.s, self.s.n_tiles
        place = next(cell for cell, name in self.map.frontier().items() if name == self.cell)
        s.tile_id[t], s.rot[t], (s.q[t], s.r[t]) = s.drawn, a, place
        s.n_tiles, s.drawn = t + 1, -1
        row = TILES[s.tile_id[t]]
        if row["kind"] == "deposit":
            wanted = row["cubes"] + self.options["deposit_delta"] + self.mods["deposit_bonus"]
            s.cubes[t] = min(max(1, wanted), s.pile)
            s.pile -= s.cubes[t]
        self.ask("spend")

    def do_spend(self, a: int) -> None:
        self.buy = SimpleNamespace(what=CONSTRUCT, kind=a - 1, src=-1, dst=-1, left=0)
        if a == 0:
            self.unmoved = [row[self.s.active] for row in self.s.troops]
            if any(self.unmoved):
                self.ask("move")
            else:
                self.finish_turn()
        elif a == 8:
            self.buy.what = INTEL
            self.order()
        elif a == 9:
            self.buy.what = RELOCATE
            self.ask("reloc_src")
        else:
            self.buy.what = RECRUIT if a == 7 else CONSTRUCT
            self.ask("target")

    def do_reloc_src(self, a: int) -> None:
        self.buy.src, self.buy.kind = a, self.s.btype[a]
        self.ask("target")

    def do_target(self, a: int) -> None:
        self.buy.dst = a
        self.order()

    def order(self) -> None:
        self.buy.left = self.price(self.buy.what, self.buy.kind)
        self.collect()

    def do_pay(self, a: int) -> None:
        self.take(a)
        self.collect()

    def take(self, a: int) -> None:
        (self.s.st_t if a % 2 else self.s.st_b)[a // 2] -= 1
        self.s.pile += 1
        self.buy.left -= 1

    def collect(self) -> None:
        """LO-9.3 automatic payment, checked before every cube; a single source is a forced PAY (LO-3.2)."""
        while self.buy.left:
            if self.spendable() > self.buy.left:
                self.ask("pay")
                return
            self.take(self.sources()[0])
        self.purchase()
        self.ask("spend")

    def purchase(self) -> None:
        s, p, buy = self.s, self.s.active, self.buy
        if buy.what == CONSTRUCT:
            s.btype[buy.dst], s.bowner[buy.dst] = buy.kind, p
            s.supply[p][buy.kind] -= 1
        elif buy.what == RECRUIT:
            s.figures[p] -= 1
            s.troops[buy.dst][p] += 1
            self.recruited[buy.dst] = self.recruited.get(buy.dst, 0) + 1
        elif buy.what == INTEL:
            s.event_n -= 1
            card = s.event_deck[s.event_n]
            s.hand[p][s.hand_n[p]] = card
            s.hand_n[p] += 1
            s.event_where[card] = 1 + p
        else:
            s.btype[buy.dst], s.bowner[buy.dst], s.st_b[buy.dst] = buy.kind, p, s.st_b[buy.src]
            s.btype[buy.src], s.bowner[buy.src], s.st_b[buy.src] = -1, -1, 0

    def do_move(self, a: int) -> None:
        s, p, (t, d) = self.s, self.s.active, divmod(a, 6)
        if a == 288:
            self.finish_turn()
            return
        self.unmoved[t] -= 1
        s.troops[t][p] -= 1
        s.troops[self.map.neighbour(t, d)][p] += 1

    def finish_turn(self) -> None:
        """LO-3.3, LO-11."""
        s = self.s
        later = any(s.alive[seat] for seat in self.seats if seat > s.active)
        if not (self.options["equal_turns"] and later):
            limit = self.options["vp_end"]
            if not s.stack_n:
                return self.end("last_tile")
            if limit and any(s.alive[seat] and self.built(seat) >= limit for seat in self.seats):
                return self.end("points")
        around = [(s.active + k) % len(self.seats) for k in range(1, len(self.seats) + 1)]
        return self.begin(next(seat for seat in around if s.alive[seat]))

    def built(self, seat: int) -> int:
        """LO-12.1 points of buildings."""
        s, mods = self.s, self.mods
        kinds = [BUILDINGS[s.btype[t]] for t in range(s.n_tiles) if s.bowner[t] == seat]
        return sum(self.options[f"{name}_vp"] + mods[f"vp_{name}"] for name in kinds)

    def end(self, reason: str) -> None:
        self.reason, self.s.seat = reason, -1

    def differs(self, truth: SimpleNamespace) -> dict[str, tuple[object, object]]:
        """Fields in which the game of the rules is another: (theirs, mine)."""
        mine = vars(self.s)
        results = {name: (vars(truth)[name], mine[name]) for name in STATE if vars(truth)[name] != mine[name]}
        decks = {"event_deck": mine["event_n"], "stack": mine["stack_n"]}
        results |= {
            name: (vars(truth)[name][:n], mine[name][:n])
            for name, n in decks.items()
            if vars(truth)[name][:n] != mine[name][:n]
        }
        if truth.mod != list(self.mods.values()):
            results["mod"] = truth.mod, list(self.mods.values())
        if self.s.seat >= 0:
            request = {"phase": self.s.phase}
            request |= {"pay": {"buy_left": self.buy.left}, "move": {"unmoved": self.unmoved}}.get(
                truth.phase, {}
            )
            results |= {name: (vars(truth)[name], n) for name, n in request.items() if vars(truth)[name] != n}
        return results
