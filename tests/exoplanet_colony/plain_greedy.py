"""The reference player once more, in plain Python, straight from the specification (EX-13.3): slow and short.

It looks at the cells of the modules, at tokens, cards, pawns and levels; costs, effects, distances, partners and
what is missing are reckoned from the data file and the options in force. All worths are twice those of the
specification, so that halves are whole numbers.
"""

from collections.abc import Callable, Iterable
from functools import cached_property
from types import SimpleNamespace
from typing import Any

from simkit.games.exoplanet_colony.facts import DATA, Decision, Stage

NAMES = ["oxygen", "water", "food", "energy"]
MODULES = {card: row for row in DATA["modules"] for card in row["card_ids"]}
COLOUR = {card: ["red", "blue", "green", "yellow"].index(row["colour"]) for card, row in MODULES.items()}
ITEMS, PLANS, ALL = range(28, 32), range(32, 36), range(4)
FIRST_AID, TOOL_KIT, CAPSULE, PRINTER = ITEMS
EVACUATION, FORECAST, RATIONING, CONTINGENCY = PLANS
MEDIC, ENGINEER, ARCHITECT, PILOT, SCIENTIST, COMMS, BIOCHEMIST, QUARTERMASTER = range(1, 9)
ANKLE, FLU, INSOMNIA, ANXIETY, MIGRAINE, INFECTION, ACUTE = range(7)
STEPS = [(0, 1), (1, 0), (0, -1), (-1, 0)]
ORDERS = [(0, 1, 2), (0, 2, 1), (1, 0, 2), (1, 2, 0), (2, 0, 1), (2, 1, 0)]
PASS, DRAW, MOVE, GIVE, TAKE, DEPLOY, GENERATE, REPAIR, SWITCH, RECOVER, ABILITY, ITEM, PLAN = (
    0, 1, 2, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15,
)  # fmt: skip
DIR, SEAT, RES, TOKEN, CARD, SLOT, PERM, HEALTH = 16, 20, 25, 29, 34, 70, 99, 105
EMERGENCY = 4
FIELDS = [
    "seat", "seats", "active", "decision", "stage", "production", "supply", "hand",
    "discard_n", "discard", "slots", "slot_card", "slot_x", "slot_y", "slot_loss", "slot_emerg",
    "off", "pawn", "character", "issues", "actions_left", "events", "events_n", "event",
    "substitutes", "generated", "slot", "partner", "card", "got",
]  # fmt: skip


def best(result: Iterable[int], value: Callable[[int], Any]) -> int:
    """The greatest value, ties to the lowest."""
    return min(sorted(result), key=lambda first: -value(first))


def least(result: Iterable[int], value: Callable[[int], Any]) -> int:
    return min(sorted(result), key=value)


class Plain:
    """What the seat to decide looks at."""

    def __init__(self, view: Any, rules: Any, legal: list[int]) -> None:
        self.s = SimpleNamespace(**{name: view[name].tolist() for name in FIELDS})
        self.rules, self.legal, self.me = rules, legal, self.s.seat
        self.w, self.prod, self.supply = int(rules["win_production"]), self.s.production, self.s.supply
        self.scenario = DATA["scenarios"][int(rules["scenario"]) - 1]
        self.here = self.s.pawn[self.me]
        self.hands = [[c for c in range(36) if self.s.hand[p] >> c & 1] for p in range(self.s.seats)]
        self.hand = self.hands[self.me]
        self.pile = self.s.discard[: self.s.discard_n]

    def ill(self, p: int, issue: int) -> bool:
        return bool(self.s.issues[p] >> issue & 1)

    # What productions are worth (doubled).

    def effect(self, card: int) -> list[int]:
        """EX-1.7."""
        result = list(MODULES[card]["effect"])
        if MODULES[card]["env_icon"] != "none":
            result[NAMES.index(MODULES[card]["env_resource"])] += self.scenario[MODULES[card]["env_icon"]]
        return result

    def within(self, delta: list[int]) -> bool:
        return all(-5 <= self.prod[r] + delta[r] <= 3 for r in ALL)

    def value(self, p: list[int]) -> int:
        total = 0
        for r in ALL:
            d = p[r] - self.w
            scarce = self.prod[r] < self.w and self.supply[r] + 3 * self.prod[r] <= 0
            total += (10 if scarce else 6) * d if d < 0 else d
        return total

    def gain(self, delta: list[int]) -> int:
        return self.value([self.prod[r] + delta[r] for r in ALL]) - self.value(self.prod)

    def wins(self, delta: list[int]) -> bool:
        return all(self.prod[r] + delta[r] >= self.w for r in ALL)

    def score(self, card: int) -> int:
        return 2000 if self.wins(self.effect(card)) else self.gain(self.effect(card))

    # Cards.

    def sub(self, p: int) -> int:
        return int(self.s.character[p] == ARCHITECT and not self.ill(p, ANXIETY))

    def missing(self, sub: int, hand: list[int], card: int) -> int:
        rest, cost = [c for c in hand if c != card], MODULES[card]["cost"]
        have = [sum(1 for c in rest if COLOUR.get(c) == i) for i in ALL]
        short = sum(max(0, cost[i] - have[i]) for i in ALL)
        extra = sum(max(0, have[i] - cost[i]) for i in ALL) + sum(c in ITEMS for c in rest)
        return int(max(0, short - sum(c in PLANS for c in rest) - min(sub, extra)))

    def fitting(self, cards: Iterable[int]) -> list[int]:
        """The modules among them with an effect within the bounds."""
        return [c for c in sorted(cards) if c in MODULES and self.within(self.effect(c))]

    def target(self, p: int, hand: list[int]) -> int | None:
        sub = self.sub(p)
        results = [c for c in self.fitting(hand) if self.gain(self.effect(c)) >= 2]
        if not results:
            return None
        return best(results, lambda c: self.gain(self.effect(c)) - 2 * self.missing(sub, hand, c))

    def keep(self, p: int, hand: list[int]) -> dict[int, int]:
        target, fitting = self.target(p, hand), self.fitting(hand)
        results = {}
        for c in hand:
            if c in MODULES:
                results[c] = 20 - self.supply[COLOUR[c]]
                results[c] += max(0, self.gain(self.effect(c))) if c in fitting else 0
            else:
                results[c] = 80 if c in PLANS else 60
        if target is not None:
            results[target] = 200
            for i in ALL:
                mine = sorted((results[c], c) for c in hand if COLOUR.get(c) == i and c != target)
                for _, c in mine[: MODULES[target]["cost"][i]]:
                    results[c] += 100
        return results

    @cached_property
    def held(self) -> dict[int, int]:
        return self.keep(self.me, self.hand)

    def lowest(self, cards: Iterable[int]) -> int:
        return least(cards, lambda c: self.held[c])

    def best_deploy(self, sub: int) -> int | None:
        results = [c for c in self.fitting(self.hand) if self.missing(sub, self.hand, c) == 0]
        return best(results, self.score) if results else None

    def gen_card(self, r: int) -> int | None:
        mine = [c for c in self.hand if COLOUR.get(c) == r]
        if mine:
            return self.lowest(mine)
        return min((c for c in self.hand if c in PLANS), default=None)

    def urgent(self, amount: int) -> int | None:
        for r in sorted(ALL, key=lambda r: (self.supply[r] + self.prod[r], r)):
            after = self.supply[r] + self.prod[r]
            if self.prod[r] < 0 and after <= 0 < after + amount and self.gen_card(r) is not None:
                return r
        return None

    def burnable(self) -> list[int]:
        """EX-11.2 GEN_CARD."""
        low = [r for r in ALL if self.supply[r] < 20]
        return [c for c in self.hand if (c in PLANS and low) or COLOUR.get(c) in low]

    def partners(self, together: bool) -> list[int]:
        """EX-11.2: takeable seats on the same module; on others all partners, as M8 has it."""
        if (together and self.rules["transfer"] not in (0, 2)) or self.ill(self.me, FLU):
            return []
        return [
            p
            for p in range(self.s.seats)
            if p != self.me
            and (self.s.pawn[p] == self.here) == together
            and not self.ill(p, FLU)
            and self.hands[p]
        ]

    def wanted(self, partners: list[int]) -> tuple[int, int] | None:
        """The seat and the card."""
        target, sub = self.target(self.me, self.hand), self.sub(self.me)
        if target is None or self.s.actions_left < 2 or self.missing(sub, self.hand, target) != 1:
            return None
        results = []
        for p in sorted(partners):
            stored = self.keep(p, self.hands[p])
            for c in self.hands[p]:
                if c not in ITEMS and stored[c] < 40 and self.missing(sub, [*self.hand, c], target) == 0:
                    results.append((stored[c], p, c))
        return min(results, key=lambda first: first[0])[1:] if results else None

    def lowers(self, card: int, target: int) -> bool:
        sub = self.sub(self.me)
        return self.missing(sub, [*self.hand, card], target) < self.missing(sub, self.hand, target)

    def printer_choice(self) -> int | None:
        target = self.target(self.me, self.hand)
        if target is not None:
            return min((c for c in self.pile if self.lowers(c, target)), default=None)
        results = [c for c in self.fitting(self.pile) if self.gain(self.effect(c)) >= 2]
        return best(results, lambda c: self.gain(self.effect(c))) if results else None

    def salvage_good(self) -> bool:
        top, target = self.pile[-1], self.target(self.me, self.hand)
        if top not in MODULES:
            return True
        if target is not None:
            return self.lowers(top, target)
        return top in self.fitting([top]) and self.gain(self.effect(top)) >= 2

    # The base.

    @cached_property
    def at(self) -> dict[tuple[int, int], int]:
        return {(self.s.slot_x[t], self.s.slot_y[t]): t for t in range(self.s.slots)}

    def cell(self, t: int, d: int) -> tuple[int, int]:
        return self.s.slot_x[t] + STEPS[d][0], self.s.slot_y[t] + STEPS[d][1]

    def neighbours(self, t: int) -> dict[int, int]:
        """Neighbour by direction."""
        return {d: self.at[self.cell(t, d)] for d in ALL if self.cell(t, d) in self.at}

    def distances(self, start: int) -> dict[int, int]:
        result, queue = {start: 0}, [start]
        for t in queue:
            for u in self.neighbours(t).values():
                if u not in result:
                    result[u] = result[t] + 1
                    queue.append(u)
        return result

    def nearest(self, slots: Iterable[int], start: int) -> int:
        steps = self.distances(start)
        return least(slots, lambda t: steps[t])

    def has_space(self, t: int) -> bool:
        return len(self.neighbours(t)) < 4

    def step_towards(self, t: int) -> int:
        steps = self.distances(t)
        return MOVE + min(
            d for d, u in self.neighbours(self.here).items() if steps[u] == steps[self.here] - 1
        )

    def token_gain(self, token: int) -> int:
        if token == EMERGENCY:
            return 20
        delta = [int(r == token) for r in ALL]
        return 2000 if self.wins(delta) else self.gain(delta)

    def slot_gain(self, t: int) -> int:
        tokens = [r for r in ALL if self.s.slot_loss[t][r] > 0 and self.prod[r] < 3]
        tokens += [EMERGENCY] if self.s.slot_emerg[t] > 0 else []
        return max(map(self.token_gain, tokens), default=0)

    # MAIN.

    @cached_property
    def builds(self) -> int:
        return ABILITY if self.sub(self.me) else DEPLOY

    def is_my(self, character: int) -> bool:
        """I am this character and the ability is legal."""
        return self.s.character[self.me] == character and ABILITY in self.legal

    @property
    def step(self) -> int:
        return 2 if self.ill(self.me, ANKLE) else 1

    @property
    def most_gain(self) -> int:
        return max(map(self.slot_gain, range(self.s.slots)))

    def deploy_score(self) -> int:
        card = self.best_deploy(self.sub(self.me))
        return -10_000 if card is None else self.score(card)

    def good_item(self, item: int) -> bool:
        if item == FIRST_AID:
            return any(self.s.issues[p] and self.s.pawn[p] == self.here for p in range(self.s.seats))
        if item == TOOL_KIT:
            return self.most_gain >= 2
        if item == CAPSULE:
            return min(self.supply) <= 4
        return self.printer_choice() is not None

    def main(self) -> int:
        rules = [self.m1, self.m2, self.m3, self.m4, self.m5, self.m6, self.m7, self.m8, self.m9, self.m10]
        return next(result for rule in rules if (result := rule()) is not None)

    def m1(self) -> int | None:
        if self.deploy_score() >= 2000 and self.builds in self.legal:
            return self.builds
        if REPAIR in self.legal and self.slot_gain(self.here) >= 2000:
            return REPAIR
        if SWITCH in self.legal:
            sign = 1 if self.s.off >> self.here & 1 else -1
            if self.wins([sign * n for n in self.effect(self.s.slot_card[self.here])]):
                return SWITCH
        return None

    def m2(self) -> int | None:
        good = [c for c in self.hand if c in ITEMS and self.good_item(c)]
        return ITEM if ITEM in self.legal and good else None

    def m3(self) -> int | None:
        if REPAIR in self.legal and self.slot_gain(self.here) >= 2:
            return REPAIR
        return ABILITY if self.is_my(ENGINEER) and self.most_gain >= 2 else None

    def m4(self) -> int | None:
        left, steps = self.s.actions_left, self.distances(self.here)
        for want in (20, 2):
            results = [t for t in range(self.s.slots) if t != self.here and self.slot_gain(t) >= want]
            if not results:
                continue
            slot = self.nearest(results, self.here)
            if steps[slot] * self.step + 1 <= left and (want == 20 or steps[slot] <= 2):
                return self.step_towards(slot)
            if want == 20 and self.is_my(PILOT) and left >= 2:
                return ABILITY
        return None

    def m5(self) -> int | None:
        amount = int(self.rules["generate_amount"])
        if self.is_my(BIOCHEMIST) and self.urgent(amount + 1) is not None:
            return ABILITY
        return GENERATE if GENERATE in self.legal and self.urgent(amount) is not None else None

    def m6(self) -> int | None:
        if self.deploy_score() < 2:
            return None
        if self.builds in self.legal:
            return self.builds
        if self.has_space(self.here) or self.rules["deploy_anywhere"] or self.s.actions_left < self.step:
            return None
        slot = self.nearest(filter(self.has_space, range(self.s.slots)), self.here)
        far = self.distances(self.here)[slot] >= 2
        return ABILITY if far and self.is_my(PILOT) else self.step_towards(slot)

    def m7(self) -> int | None:
        if self.is_my(MEDIC):
            return ABILITY
        junk = sum(n < 20 for n in self.held.values())
        return RECOVER if RECOVER in self.legal and junk >= self.rules["recover_cards"] else None

    def m8(self) -> int | None:
        if TAKE in self.legal and self.wanted(self.partners(True)):
            return TAKE
        return ABILITY if self.is_my(COMMS) and self.wanted(self.partners(False)) else None

    def m9(self) -> int | None:
        limit = self.rules["hand_limit"] - (2 if self.ill(self.me, MIGRAINE) else 0)
        if len(self.hand) >= limit:
            return None
        if self.is_my(SCIENTIST) or (self.is_my(QUARTERMASTER) and self.salvage_good()):
            return ABILITY
        return DRAW if DRAW in self.legal else None

    def m10(self) -> int:
        low = GENERATE in self.legal and min(self.supply) <= 18
        if low and min(self.held[c] for c in self.burnable()) < 100:
            return ABILITY if self.is_my(BIOCHEMIST) else GENERATE
        return DRAW if DRAW in self.legal else PASS

    # The other decisions: each one gets the legal ids, counted from the first of their kind.

    def item_card(self, cards: list[int]) -> int:
        return min([c for c in cards if self.good_item(c)] or cards)

    def ability_slot(self, slots: list[int]) -> int:
        if self.s.character[self.me] == ENGINEER:
            return best(slots, self.slot_gain)
        result = [t for t in slots if self.s.slot_emerg[t]] or list(filter(self.has_space, slots))
        return self.nearest(result, self.here) if result else min(slots)

    def ability_card(self, cards: list[int]) -> int:
        """The two drawn count as cards of the hand."""
        stored = self.keep(self.me, sorted({*self.hand, *cards}))
        return best(cards, lambda c: stored[c])

    def item_take(self, cards: list[int]) -> int:
        choice = self.printer_choice()
        return min(cards) if choice is None else choice

    def take_partner(self, seats: list[int]) -> int:
        result = self.wanted(seats)
        return result[0] if result else min(seats)

    def take_card(self, cards: list[int]) -> int:
        result = self.wanted([self.s.partner])
        return result[1] if result else min(cards)

    def deploy_card(self, cards: list[int]) -> int:
        result = self.best_deploy(self.s.substitutes)
        assert result in cards
        return result

    def deploy_dir(self, ways: list[int]) -> int:
        def around(d: int) -> int:
            x, y = self.cell(self.s.slot, d)
            return sum((x + dx, y + dy) in self.at for dx, dy in STEPS)

        return best(ways, around)

    def gen_which(self, cards: list[int]) -> int:
        r = self.urgent(self.s.generated)
        result = None if r is None else self.gen_card(r)
        return self.lowest(cards) if result is None else result

    def event_place(self, slots: list[int]) -> int:
        return self.nearest(slots, self.s.pawn[(self.s.active + 1) % self.s.seats])

    def severity(self, ops: list[dict[str, Any]]) -> int:
        """Doubled."""
        total = 0
        for op in ops:
            count = self.s.seats if op.get("who") == "each" else 1
            total += {
                "supply": -op.get("amount", 0), "loss": 6, "emergency": 12, "health": 4, "discard": 2 * count,
                "draw": -2 * count, "pawns_home": 0,
                "scenario": self.severity(self.scenario[op["key"]]) if op["op"] == "scenario" else 0,
            }[op["op"]]  # fmt: skip
        return total

    def severity_of(self, event: int) -> int:
        return self.severity([*DATA["normal_events"], *DATA["critical_events"]][event]["ops"])

    def plan_window(self) -> int:
        after = [self.supply[r] + self.prod[r] for r in ALL]
        window = Stage(self.s.stage).name
        if window == "start" and CARD + FORECAST in self.legal:
            return CARD + FORECAST
        if window == "update" and CARD + RATIONING in self.legal:
            runs_dry = any(self.supply[r] > 0 >= after[r] for r in ALL)
            if runs_dry or sum(max(0, -self.prod[r]) for r in ALL) >= 6:
                return CARD + RATIONING
        if window == "event" and CARD + CONTINGENCY in self.legal and self.severity_of(self.s.event) >= 10:
            return CARD + CONTINGENCY
        return PASS

    def plan_perm(self, perms: list[int]) -> int:
        n = min(3, self.s.events_n)
        top = [self.severity_of(self.s.events[self.s.events_n - 1 - j]) for j in range(n)]
        orders = ORDERS if n == 3 else [(0, 1), (1, 0)]
        return least(perms, lambda k: tuple(top[j] for j in orders[k]))

    def choose(self) -> int:
        kind = Decision(self.s.decision).name
        if kind == "main":
            return self.main()
        if kind == "plan_window":
            return self.plan_window()
        answers: dict[str, tuple[int, Callable[[list[int]], int]]] = {
            "issue": (HEALTH, max), "item_card": (CARD, self.item_card), "ability_slot": (SLOT, self.ability_slot),
            "item_slot": (SLOT, lambda slots: best(slots, self.slot_gain)),
            "repair_token": (TOKEN, lambda tokens: best(tokens, self.token_gain)),
            "item_res": (RES, lambda result: least(result, lambda r: self.supply[r])),
            "item_take": (CARD, self.item_take), "ability_way": (0, max), "ability_card": (CARD, self.ability_card),
            "take_partner": (SEAT, self.take_partner), "take_card": (CARD, self.take_card),
            "give_card": (CARD, self.lowest), "deploy_card": (CARD, self.deploy_card),
            "deploy_dir": (DIR, self.deploy_dir), "deploy_pay": (CARD, self.lowest),
            "recover_card": (CARD, self.lowest), "hand_discard": (CARD, self.lowest),
            "event_discard": (CARD, self.lowest), "start_discard": (CARD, self.lowest),
            "gen_card": (CARD, self.gen_which),
            "gen_res": (RES, lambda result: least(result, lambda r: self.supply[r] + self.prod[r])),
            "event_place": (SLOT, self.event_place), "plan_perm": (PERM, self.plan_perm),
        }  # fmt: skip
        first, answer = answers.get(kind, (0, min))
        return first + answer([single - first for single in self.legal])


def choose(view: Any, rules: Any, legal: list[int]) -> int:
    """The id that the reference player chooses."""
    return Plain(view, rules, legal).choose()
