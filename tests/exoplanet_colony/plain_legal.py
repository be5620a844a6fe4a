"""What is legal, for the second implementation (EX-11.2, EX-11.3)."""

from .plain_data import (
    CARDS,
    COLOURS,
    COSTS,
    HEALTH,
    ISSUES,
    ITEMS,
    MODULES,
    NAMES,
    OFFSETS,
    PLANS,
    RES,
    RESOURCES,
    SEAT,
    SLOT,
    WINDOWS,
    colour,
)

MAIN = {1: "draw", 8: "deploy", 9: "generate", 10: "repair", 11: "switch", 12: "recover", 13: "ability",
        14: "item", 15: "plan", 6: "give", 7: "take"} | dict.fromkeys(range(2, 6), "move")  # fmt: skip


class PlainLegal:
    """Questions about a game in progress."""

    # The seats.

    def keeps(self, seat: int) -> int:
        """EX-2.7 n(p)."""
        options, place = self.options, (seat - self.first) % self.seats
        n = options["initial_hand"] + options["late_seat_cards"] * place
        if options["hand_by_seats"]:
            n += max(0, 4 - self.seats)
        return min(options["hand_limit"], n)

    def limit(self, seat: int) -> int:
        """EX-4.13."""
        return self.options["hand_limit"] - 2 * ("migraine" in self.issues[seat])

    def allowance(self) -> int:
        """EX-3.3."""
        ill = self.issues[self.active]
        return max(1, self.track[self.level] - ("insomnia" in ill) - 2 * ("acute" in ill))

    def partners(self, way: str, relay: bool) -> list[int]:
        """Givable or takeable seats, on the same module or (Relay) on others."""
        p = self.active
        if self.options["transfer"] not in ("both", way) or "flu" in self.issues[p]:
            return []
        results = [t for t in range(self.seats) if t != p and (self.pawn[t] != self.pawn[p]) == relay]
        results = [t for t in results if "flu" not in self.issues[t]]
        return [t for t in results if self.hand[p if way == "give" else t]]

    def ways(self) -> list[int]:
        return [a for a, way in ((6, "give"), (7, "take")) if self.partners(way, True)]

    def patients(self, medic: bool) -> list[int]:
        anywhere = medic and self.options["medic_range"] == "any"
        here = self.pawn[self.active]
        return [SEAT + t for t in range(self.seats) if self.issues[t] and (anywhere or self.pawn[t] == here)]

    def issue_ids(self, seat: int) -> list[int]:
        return [HEALTH + ISSUES.index(issue) for issue in self.issues[seat]]

    # The base.

    def slots(self) -> range:
        return range(len(self.base))

    def neighbour(self, slot: int, direction: int) -> int:
        """The slot in a direction, -1 none."""
        dx, dy = OFFSETS[direction]
        return self.at.get((self.base[slot].x + dx, self.base[slot].y + dy), -1)

    def free(self, slot: int) -> list[int]:
        """Directions of free cells."""
        return [d for d in range(4) if self.neighbour(slot, d) < 0]

    def space(self) -> bool:
        return bool(self.options["deploy_anywhere"] or self.free(self.pawn[self.active]))

    def distances(self, slot: int) -> list[int]:
        """Walking steps to every slot."""
        result, frontier = {slot: 0}, [slot]
        while frontier:
            s = frontier.pop(0)
            for d in range(4):
                t = self.neighbour(s, d)
                if t >= 0 and t not in result:
                    result[t] = result[s] + 1
                    frontier.append(t)
        return [result[s] for s in self.slots()]

    def candidates(self, where: str) -> list[int]:
        """EX-6.7."""
        name = where.removesuffix("_or_hub")
        if name in COLOURS:
            results = [s for s in self.slots() if s and colour(self.base[s].card) == COLOURS.index(name)]
            return results or ([0] if where != name else [])
        if where == "farthest":
            far = self.distances(self.pawn[self.active])
            return [s for s in self.slots() if far[s] == max(far)]
        return {"hub": [0], "here": [self.pawn[self.active]], "any": list(self.slots())}[where]

    def removable(self, slot: int) -> list[int]:
        """Tokens that may be removed from a slot, 4 an emergency."""
        module = self.base[slot]
        results = [r for r in range(RESOURCES) if module.loss[r] and self.production[r] < 3]
        return results + ([4] if module.alarms else [])

    def mendable(self) -> list[int]:
        return [SLOT + s for s in self.slots() if self.removable(s)]

    # Modules and what pays for them.

    def resource(self, op: dict[str, str]) -> int:
        return NAMES.index(op["resource"])

    def effect(self, card: int) -> list[int]:
        """EX-1.7."""
        row = CARDS[card]
        result = list(row["effect"])
        if row["env_icon"] != "none":
            result[NAMES.index(row["env_resource"])] += self.scenario[row["env_icon"]]
        return result

    def bounded(self, changes: list[int]) -> bool:
        """EX-4.1."""
        return all(-5 <= n + change <= 3 for n, change in zip(self.production, changes, strict=True))

    def enough(self, hand: set[int], need: list[int], left: int, extra: int) -> bool:
        """EX-11.3 whether these cards can complete a payment."""
        counts = [sum(c < MODULES and colour(c) == i for c in hand) for i in range(RESOURCES)]
        fitting = sum(min(n, m) for n, m in zip(counts, need, strict=True))
        others = sum(max(0, n - m) for n, m in zip(counts, need, strict=True)) + sum(c in ITEMS for c in hand)
        return fitting + sum(c in PLANS for c in hand) + min(extra, others) >= left

    def deployable(self, extra: int) -> list[int]:
        hand = self.hand[self.active]
        return [
            c for c in hand
            if c < MODULES and self.bounded(self.effect(c))
            and self.enough(hand - {c}, COSTS[c], sum(COSTS[c]), extra)
        ]  # fmt: skip

    def payments(self, module: int) -> list[int]:
        result, hand = [], self.hand[self.active] - {module}
        for c in hand:
            need, extra = list(self.need), self.substitutes
            if c < MODULES and need[colour(c)]:
                need[colour(c)] -= 1
            elif c not in PLANS:
                extra -= 1
            if extra >= 0 and self.enough(hand - {c}, need, self.to_pay - 1, extra):
                result.append(c)
        return result

    def below_20(self) -> list[int]:
        return [RES + r for r in range(RESOURCES) if self.supply[r] < 20]

    def generators(self) -> list[int]:
        """EX-4.6 cards that generate."""
        low = self.below_20()
        hand = self.hand[self.active]
        return [c for c in hand if (low if c in PLANS else c < MODULES and RES + colour(c) in low)]

    # Items, plans, MAIN.

    def usable_items(self) -> list[int]:
        """EX-4.11."""
        use = {
            "first_aid_kit": self.patients(False), "tool_kit": self.mendable(),
            "supply_capsule": self.below_20(), "printer": self.discard,
        }  # fmt: skip
        if self.left < self.options["item_cost"]:
            return []
        return [c for c in self.hand[self.active] if c in ITEMS and use[ITEMS[c]]]

    def usable_plans(self, seat: int, window: str) -> list[int]:
        """EX-4.12."""
        use = {"evacuation": len(self.base) > 1, "forecast": len(self.events) > 1}
        return [c for c in self.hand[seat] if c in PLANS and window in WINDOWS[c] and use.get(PLANS[c], True)]

    def main_name(self, a: int) -> str:
        return MAIN[a]

    def price(self, a: int) -> int:
        """EX-3.4 what a choice costs."""
        if MAIN[a] == "move":
            return 2 if "ankle" in self.issues[self.active] else 1
        return {"item": self.options["item_cost"], "plan": 0}.get(MAIN[a], 1)

    def main_ids(self) -> list[int]:
        results = [0]
        if self.left:
            results += [a for a in MAIN if a < 14 and self.left >= self.price(a) and self.may(a)]
        results += [14] * bool(self.usable_items()) + [15] * bool(self.usable_plans(self.active, "main"))
        return sorted(results)

    def may(self, a: int) -> bool:
        p, name = self.active, MAIN[a]
        if name == "move":
            return self.neighbour(self.pawn[p], a - 2) >= 0
        if name in ("give", "take"):
            return bool(self.partners(name, False))
        return bool(getattr(self, f"may_{name}")())

    def may_draw(self) -> bool:
        return bool(self.deck or self.discard)

    def may_deploy(self) -> bool:
        return self.space() and bool(self.deployable(0))

    def may_generate(self) -> bool:
        return bool(self.generators())

    def may_repair(self) -> bool:
        return bool(self.removable(self.pawn[self.active]))

    def may_switch(self) -> bool:
        """EX-4.8."""
        slot = self.pawn[self.active]
        if not slot:
            return False
        module, effect = self.base[slot], self.effect(self.base[slot].card)
        if module.on:
            return self.shut_left > 0 and self.bounded([-n for n in effect])
        return self.bounded(effect)

    def may_recover(self) -> bool:
        p = self.active
        return bool(self.issues[p]) and len(self.hand[p]) >= self.options["recover_cards"]

    def may_ability(self) -> bool:
        """EX-4.10."""
        p = self.active
        if self.character[p] == "none" or "anxiety" in self.issues[p]:
            return False
        return bool({
            "medic": lambda: self.patients(True), "engineer": self.mendable, "scientist": self.may_draw,
            "architect": lambda: self.space() and self.deployable(1), "pilot": lambda: len(self.base) > 1,
            "comms_officer": self.ways, "biochemist": self.generators, "quartermaster": lambda: self.discard,
        }[self.character[p]]())  # fmt: skip
