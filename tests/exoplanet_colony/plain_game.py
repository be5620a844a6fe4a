"""A second implementation of the rules in plain Python, from the words of the specification alone.

`Plain` plays one game as a generator that stops at every decision with at least two legal ids (EX-11.1). Its
luck is given: characters, decks, and the order of the deck whenever the discard pile is shuffled. `PlainLegal`
says what is legal, `PlainCounts` counts (EX-19). Slow and simple: everything is worked out anew.
"""

from collections.abc import Callable, Generator
from dataclasses import dataclass
from itertools import permutations

from .plain_counts import PlainCounts
from .plain_data import (
    CARD,
    COLOURS,
    COSTS,
    DIR,
    EVENTS,
    HEALTH,
    ISSUES,
    ITEMS,
    MODULES,
    OFFSETS,
    PERM,
    PLANS,
    RES,
    RESOURCES,
    SCENARIOS,
    SEAT,
    SLOT,
    TOKEN,
    Module,
    colour,
)
from .plain_legal import PlainLegal

EMERGENCY = 4
Flow = Generator[None, int, None]
Choice = Generator[None, int, int]


class Over(Exception):
    """The game has ended."""


@dataclass
class Luck:
    """What chance decided: decks with the next card last."""

    first: int
    characters: list[str]
    hands: list[set[int]]  # as dealt (EX-2.7)
    deck: list[int]
    removed: set[int]
    events: list[int]
    reshuffle: Callable[[list[int]], list[int]]  # the discard pile -> the new deck


class Plain(PlainLegal):
    def __init__(self, options: dict[str, object], seats: int, luck: Luck) -> None:
        self.options, self.seats, self.luck = options, seats, luck
        self.scenario = SCENARIOS[options["scenario"]]
        tracks = [options[f"track_{level}"] for level in range(8)]
        self.track = tracks[: tracks.index(0)] if 0 in tracks else tracks
        self.skull = len(self.track)
        self.goal = options["win_production"]
        offset = options["production_offset"]
        self.production = [min(max(n + offset, -5), 3) for n in self.scenario["production"]]
        offset = options["supply_offset"]
        self.supply = [min(max(n + offset, 0), 20) for n in self.scenario["supply"]]
        self.loss_left = [options["loss_tokens"]] * RESOURCES
        self.shut_left, self.emerg_left = options["shutdown_tokens"], options["emergency_tokens"]
        self.first = self.active = luck.first
        self.character = list(luck.characters)
        self.hand = [set(hand) for hand in luck.hands]
        self.deck, self.discard = list(luck.deck), list[int]()
        self.events, self.known_events, self.seen = list(luck.events), 0, set[int]()
        self.base, self.at = [Module(-1, 0, 0)], {(0, 0): 0}
        self.pawn = [0] * seats
        self.issues = [set[str]() for _ in range(seats)]
        self.turn, self.step, self.left = 0, "setup", 0
        self.need, self.to_pay, self.substitutes, self.drawn = [0] * 4, 0, 0, list[int]()
        self.kind, self.seat, self.ids, self.reason = "", -1, list[int](), ""
        self.log = PlainCounts(self)
        self.flow = self.game()
        self.go(None)

    # Towards the outside.

    def legal(self) -> list[int]:
        return self.ids

    def apply(self, action: int) -> None:
        assert action in self.ids
        self.go(action)

    def go(self, action: int | None) -> None:
        try:
            self.flow.send(action)
        except Over as over:
            self.reason, self.kind, self.seat, self.ids = str(over), "", -1, []
            self.log.finish(self)

    def ask(self, kind: str, seat: int, ids: list[int]) -> Choice:
        """EX-11.1 a decision; the only legal id is taken without asking."""
        assert ids, kind
        if len(ids) == 1:
            return ids[0]
        self.kind, self.seat, self.ids = kind, seat, sorted(ids)
        self.log.count("decisions")
        return (yield)

    # Levels.

    @property
    def level(self) -> int:
        """EX-5.3."""
        return self.supply.count(0) + sum(module.alarms for module in self.base)

    @property
    def deficit(self) -> int:
        """EX-9.2."""
        return sum(max(0, self.goal - n) for n in self.production)

    def judge(self) -> None:
        """EX-8.4 after every change: victory, then defeat."""
        self.log.moment(self)
        if min(self.production) >= self.goal:
            raise Over("self_sustaining")
        if self.level >= self.skull:
            raise Over("skull")

    def supplies(self, changes: list[int]) -> list[int]:
        """EX-1.2, EX-5.1 all four at the same time; what each really changes by."""
        before = self.supply
        self.supply = [min(max(n + change, 0), 20) for n, change in zip(before, changes, strict=True)]
        self.log.supplied(before, self.supply)
        self.judge()
        return [b - a for a, b in zip(before, self.supply, strict=True)]

    def supply_one(self, resource: int, amount: int) -> int:
        return sum(self.supplies([amount if r == resource else 0 for r in range(RESOURCES)]))

    def produce(self, changes: list[int], seat: int | None) -> None:
        """Productions change, by a seat or by an event."""
        before = self.deficit
        self.production = [n + change for n, change in zip(self.production, changes, strict=True)]
        assert all(-5 <= n <= 3 for n in self.production)
        if seat is None:
            self.log.count("deficit_events", n=self.deficit - before)
        else:
            self.log.count("deficit_cut", seat, before - self.deficit)
        self.judge()

    # Cards.

    def throw(self, seat: int, card: int) -> None:
        self.hand[seat].remove(card)
        self.discard.append(card)

    def reshuffle(self) -> None:
        """EX-4.14."""
        if not self.deck and self.discard:
            self.deck = self.luck.reshuffle(self.discard)
            assert sorted(self.deck) == sorted(self.discard), (self.deck, self.discard)
            self.discard = []
            self.log.count("reshuffles")

    def take_top(self, seat: int) -> int | None:
        """EX-4.14 a card of the player deck; None: there is none."""
        self.reshuffle()
        if not self.deck:
            return None
        card = self.deck.pop()
        self.hand[seat].add(card)
        self.log.count("cards_drawn")
        self.reshuffle()
        return card

    def draw(self, seat: int, n: int) -> Generator[None, int, int]:
        """EX-4.2, EX-6.8 cards one after the other; how many there were."""
        for i in range(n):
            if self.take_top(seat) is None:
                return i
            yield from self.obey_limit(seat)
        return n

    def obey_limit(self, seat: int) -> Flow:
        """EX-4.13."""
        while len(self.hand[seat]) > self.limit(seat):
            yield from self.lose_card("hand_discard", seat)
            self.log.count("limit_discards", seat)

    def lose_card(self, kind: str, seat: int) -> Flow:
        a = yield from self.ask(kind, seat, [CARD + c for c in self.hand[seat]])
        self.throw(seat, a - CARD)

    # The course of the game.

    def game(self) -> Flow:
        """EX-2.7, EX-2.9, EX-3.1."""
        self.judge()
        order = [(self.first + i) % self.seats for i in range(self.seats)]
        for seat in order:
            while len(self.hand[seat]) > self.keeps(seat):
                yield from self.lose_card("start_discard", seat)
        while True:
            yield from self.one_turn()
            self.log.turn_ends(self)
            self.active = (self.active + 1) % self.seats

    def one_turn(self) -> Flow:
        """EX-3.2, EX-3.6."""
        self.turn += 1
        self.step = "actions"
        self.log.turn_begins(self)
        yield from self.window("start")
        self.left = self.allowance()
        self.log.allowed(self, self.left)
        yield from self.actions()
        last = self.active == (self.first - 1) % self.seats
        if self.options["update_per"] == "turn" or last:
            yield from self.update()
        if (self.options["event_per"] == "turn" or last) and self.turn > self.options["grace_turns"]:
            yield from self.event()

    def actions(self) -> Flow:
        """EX-3.4, EX-4.12 window act."""
        while a := (yield from self.ask("main", self.active, self.main_ids())):
            price = self.price(a)
            self.log.count("actions", self.active, price)
            yield from self.main(a)
            self.left -= price
            assert self.left >= 0
            if self.left:
                yield from self.window("act")
        self.log.count("idle_actions", self.active, self.left)

    def update(self) -> Flow:
        """EX-5.1, EX-7.3 infection."""
        self.step, self.rationed = "update", False
        yield from self.window("update")
        if self.rationed:
            return
        self.supplies(self.production)
        if "infection" in self.issues[self.active]:
            self.supplies([-1, -1, 0, 0])

    # MAIN.

    def main(self, a: int) -> Flow:
        p, name = self.active, self.main_name(a)
        if name == "move":
            self.log.count("moves", p)
            self.pawn[p] = self.neighbour(self.pawn[p], a - 2)
        elif name in ("give", "take"):
            yield from self.transfer(name, False)
        else:
            yield from getattr(self, f"do_{name}")()

    def do_draw(self) -> Flow:
        self.log.count("draws", self.active)
        yield from self.draw(self.active, self.options["draw_cards"])

    def transfer(self, way: str, relay: bool) -> Flow:
        """EX-4.3."""
        p = self.active
        a = yield from self.ask(f"{way}_partner", p, [SEAT + t for t in self.partners(way, relay)])
        other = a - SEAT
        giver, receiver = (p, other) if way == "give" else (other, p)
        a = yield from self.ask(f"{way}_card", p, [CARD + c for c in self.hand[giver]])
        self.hand[giver].remove(a - CARD)
        self.hand[receiver].add(a - CARD)
        self.log.count(f"{way}s", p)
        yield from self.obey_limit(receiver)

    def do_deploy(self, extra: int = 0) -> Flow:
        """EX-4.4, EX-11.3."""
        p = self.active
        a = yield from self.ask("deploy_card", p, [CARD + c for c in self.deployable(extra)])
        card, slot = a - CARD, self.pawn[p]
        if self.options["deploy_anywhere"]:
            a = yield from self.ask("deploy_slot", p, [SLOT + s for s in self.slots() if self.free(s)])
            slot = a - SLOT
        a = yield from self.ask("deploy_dir", p, [DIR + d for d in self.free(slot)])
        dx, dy = OFFSETS[a - DIR]
        x, y = self.base[slot].x + dx, self.base[slot].y + dy
        self.need, self.substitutes, self.to_pay = list(COSTS[card]), extra, sum(COSTS[card])
        while self.to_pay:
            a = yield from self.ask("deploy_pay", p, [CARD + c for c in self.payments(card)])
            self.pay(a - CARD)
        self.hand[p].remove(card)
        assert (x, y) not in self.at
        self.at[x, y] = len(self.base)
        self.base.append(Module(card, x, y))
        self.log.count("deploys", p)
        self.log.count(f"deploy_{COLOURS[colour(card)]}")
        self.produce(self.effect(card), p)

    def pay(self, card: int) -> None:
        if card < MODULES and self.need[colour(card)]:
            self.need[colour(card)] -= 1
        elif card in PLANS:
            self.log.count("wild_pays")
        else:
            self.substitutes -= 1
        assert self.substitutes >= 0
        self.to_pay -= 1
        self.throw(self.active, card)

    def do_generate(self, more: int = 0) -> Flow:
        """EX-4.6."""
        p = self.active
        a = yield from self.ask("gen_card", p, [CARD + c for c in self.generators()])
        card = a - CARD
        self.throw(p, card)
        self.log.count("generates", p)
        if card in PLANS:
            resource = (yield from self.ask("gen_res", p, self.below_20())) - RES
            self.log.count("wild_gens")
        else:
            resource = colour(card)
        gained = self.supply_one(resource, self.options["generate_amount"] + more)
        self.log.count("supply_made", p, gained)

    def do_repair(self) -> Flow:
        self.log.count("repairs", self.active)
        yield from self.mend(self.pawn[self.active])

    def mend(self, slot: int) -> Flow:
        """EX-4.7."""
        p, module = self.active, self.base[slot]
        a = yield from self.ask("repair_token", p, [TOKEN + t for t in self.removable(slot)])
        token = a - TOKEN
        self.log.count_seat("tokens_fixed", p)
        if token == EMERGENCY:
            module.alarms -= 1
            self.emerg_left += 1
            self.log.count("emergencies_fixed")
            self.judge()
        else:
            module.loss[token] -= 1
            self.loss_left[token] += 1
            self.log.count("loss_fixed")
            self.produce([int(r == token) for r in range(RESOURCES)], p)

    def do_switch(self) -> Flow:
        """EX-4.8."""
        module = self.base[self.pawn[self.active]]
        sign = -1 if module.on else 1
        self.log.count("switch_off" if module.on else "switch_on")
        self.shut_left += sign
        module.on = not module.on
        self.produce([sign * n for n in self.effect(module.card)], self.active)
        yield from ()

    def do_recover(self) -> Flow:
        """EX-4.9."""
        p = self.active
        self.log.count("recovers", p)
        a = yield from self.ask("issue", p, self.issue_ids(p))
        for _ in range(self.options["recover_cards"]):
            yield from self.lose_card("recover_card", p)
        self.heal(p, a)

    def heal(self, seat: int, a: int) -> None:
        self.issues[seat].remove(ISSUES[a - HEALTH])
        self.log.count("health_removed")

    # Abilities (EX-4.10).

    def do_ability(self) -> Flow:
        p = self.active
        self.log.count("abilities", p)
        self.log.count(f"ability_{self.character[p]}")
        yield from getattr(self, self.character[p])()

    def medic(self) -> Flow:
        seat = (yield from self.ask("ability_seat", self.active, self.patients(True))) - SEAT
        a = yield from self.ask("issue", self.active, self.issue_ids(seat))
        self.heal(seat, a)

    def engineer(self) -> Flow:
        a = yield from self.ask("ability_slot", self.active, self.mendable())
        yield from self.mend(a - SLOT)

    def architect(self) -> Flow:
        yield from self.do_deploy(1)

    def pilot(self) -> Flow:
        p = self.active
        a = yield from self.ask("ability_slot", p, [SLOT + s for s in self.slots() if s != self.pawn[p]])
        self.pawn[p] = a - SLOT

    def scientist(self) -> Flow:
        p = self.active
        self.drawn = [card for _ in range(2) if (card := self.take_top(p)) is not None]
        if len(self.drawn) == 2:
            a = yield from self.ask("ability_card", p, [CARD + c for c in self.drawn])
            self.drawn.remove(a - CARD)
            self.throw(p, self.drawn[0])
        self.drawn = []
        yield from self.obey_limit(p)

    def comms_officer(self) -> Flow:
        a = yield from self.ask("ability_way", self.active, self.ways())
        yield from self.transfer("give" if a == 6 else "take", True)

    def biochemist(self) -> Flow:
        yield from self.do_generate(1)

    def quartermaster(self) -> Flow:
        self.hand[self.active].add(self.discard.pop())
        yield from self.obey_limit(self.active)

    # Items (EX-4.11).

    def do_item(self) -> Flow:
        p = self.active
        a = yield from self.ask("item_card", p, [CARD + c for c in self.usable_items()])
        name = ITEMS[a - CARD]
        self.log.count("items", p)
        self.log.count(f"item_{name}")
        if name != "printer":
            self.throw(p, a - CARD)
        yield from getattr(self, name)()

    def first_aid_kit(self) -> Flow:
        seat = (yield from self.ask("item_seat", self.active, self.patients(False))) - SEAT
        a = yield from self.ask("issue", self.active, self.issue_ids(seat))
        self.heal(seat, a)

    def tool_kit(self) -> Flow:
        a = yield from self.ask("item_slot", self.active, self.mendable())
        yield from self.mend(a - SLOT)

    def supply_capsule(self) -> Flow:
        a = yield from self.ask("item_res", self.active, self.below_20())
        gained = self.supply_one(a - RES, self.options["item_supply_amount"])
        self.log.count("supply_made", self.active, gained)

    def printer(self) -> Flow:
        p, card = self.active, min(c for c, name in ITEMS.items() if name == "printer")
        a = yield from self.ask("item_take", p, [CARD + c for c in self.discard])
        self.discard.remove(a - CARD)
        self.throw(p, card)
        self.hand[p].add(a - CARD)
        yield from self.obey_limit(p)

    # Plans (EX-4.12).

    def window(self, name: str) -> Flow:
        seats = [(self.active + i) % self.seats for i in range(self.seats)]
        if not self.options["offturn_plans"]:
            seats = seats[:1]
        for seat in seats:
            if name == "act" and seat == self.active:
                continue
            while cards := self.usable_plans(seat, name):
                a = yield from self.ask("plan_window", seat, [0, *(CARD + c for c in cards)])
                if not a:
                    break
                yield from self.play(seat, a - CARD, name)

    def do_plan(self) -> Flow:
        p = self.active
        a = yield from self.ask("plan_card", p, [CARD + c for c in self.usable_plans(p, "main")])
        yield from self.play(p, a - CARD, "main")

    def play(self, seat: int, card: int, window: str) -> Flow:
        self.log.count("plans", seat)
        self.log.count(f"plan_{PLANS[card]}")
        self.log.count("plans_offturn", n=int(seat != self.active))
        self.log.seen["windows"][window] += 1
        yield from getattr(self, PLANS[card])(seat, card)

    def evacuation(self, seat: int, card: int) -> Flow:
        who = (yield from self.ask("plan_seat", seat, [SEAT + t for t in range(self.seats)])) - SEAT
        a = yield from self.ask("plan_slot", seat, [SLOT + s for s in self.slots() if s != self.pawn[who]])
        self.throw(seat, card)
        self.pawn[who] = a - SLOT

    def forecast(self, seat: int, card: int) -> Flow:
        k = min(3, len(self.events))
        self.known_events = max(self.known_events, k)
        top = self.events[::-1][:k]
        orders = list(permutations(range(k)))
        a = yield from self.ask("plan_perm", seat, [PERM + i for i in range(len(orders))])
        self.throw(seat, card)
        self.events[-k:] = [top[j] for j in orders[a - PERM]][::-1]

    def rationing(self, seat: int, card: int) -> Flow:
        self.throw(seat, card)
        self.rationed = True
        yield from ()

    def contingency(self, seat: int, card: int) -> Flow:
        self.throw(seat, card)
        self.cancelled = True
        self.log.count("events_cancelled")
        yield from ()

    # Events (EX-6).

    def event(self) -> Flow:
        self.step = "event"
        if not self.events:
            raise Over("events_out")
        card = self.events.pop()
        self.seen.add(card)
        self.known_events = max(0, self.known_events - 1)
        self.log.count("normal_events" if card < 39 else "critical_events")
        self.cancelled = False
        yield from self.window("event")
        if not self.cancelled:
            for op in EVENTS[card]["ops"]:
                yield from self.operate(op)

    def operate(self, op: dict[str, object]) -> Flow:
        name = op["op"]
        self.log.seen["ops"][name] += 1
        if name == "scenario":
            self.log.count(f"scenario_{op['key']}")
            for first in self.scenario[op["key"]]:
                yield from self.operate(first)
        elif name == "supply":
            self.supply_one(self.resource(op), op["amount"])
        elif name == "pawns_home":
            self.pawn = [0] * self.seats
        elif name == "health":
            self.fall_ill(op["issue"])
            yield from self.obey_limit(self.active)
        else:
            yield from getattr(self, f"op_{name}")(op)

    def fall_ill(self, issue: str) -> None:
        if self.options["health"]:
            self.issues[self.active].add(issue)
            self.log.count("health_drawn")
            self.log.seen["issues"][issue] += 1

    def op_draw(self, op: dict[str, object]) -> Flow:
        for seat in self.named(op["who"]):
            n = yield from self.draw(seat, op["amount"])
            self.log.count("event_draws", n=n)

    def op_discard(self, op: dict[str, object]) -> Flow:
        for seat in self.named(op["who"]):
            for _ in range(min(op["amount"], len(self.hand[seat]))):
                yield from self.lose_card("event_discard", seat)
                self.log.count("event_discards", seat)

    def named(self, who: str) -> list[int]:
        """EX-6.8."""
        seats = [(self.active + i) % self.seats for i in range(self.seats)]
        return seats if who == "each" else seats[:1]

    def op_loss(self, op: dict[str, object]) -> Flow:
        """EX-6.5."""
        r, places = self.resource(op), self.candidates(op["where"])
        if not places or not self.loss_left[r] or self.production[r] == -5:
            self.log.count("loss_skipped")
            return
        a = yield from self.ask("event_place", self.active, [SLOT + s for s in places])
        self.base[a - SLOT].loss[r] += 1
        self.loss_left[r] -= 1
        self.log.count("loss_placed")
        self.produce([-int(i == r) for i in range(RESOURCES)], None)

    def op_emergency(self, op: dict[str, object]) -> Flow:
        """EX-6.6."""
        places = self.candidates(op["where"])
        if not places or not self.emerg_left:
            self.log.count("emergencies_skipped")
            return
        a = yield from self.ask("event_place", self.active, [SLOT + s for s in places])
        self.base[a - SLOT].alarms += 1
        self.emerg_left -= 1
        self.log.count("emergencies_placed")
        self.judge()
