"""A second implementation of the log (EX-19.1): what one game's log should record, from outside.

It sees the actions and the states before and after them, works the counts out by the words of the
specification, and looks at no counter of the rules. Levels, tokens, piles and the events are kept here once
more, step by step, and compared with what the game shows whenever somebody decides.
"""

from types import SimpleNamespace
from typing import Any

from .walk import CHARACTERS, COLOURS, EVENTS, ISSUES, ITEMS, MODULES, PLANS, RESOURCES, STEPS, Walk, cards_of

GAMES = [  # EX-19.1, without `end_reason`, `turns` and `decisions`, which all games have
    "won", "end_step", "defeat", "end_seat", "margin", "final_deficit", "events_left", "end_depleted",
    "end_emergencies", "allowance", "actions", "idle_actions", "draws", "cards_drawn", "gives", "takes",
    "deploys", "deploy_red", "deploy_blue", "deploy_green", "deploy_yellow", "deficit_cut", "deficit_events",
    "generates", "supply_made", "wild_pays", "wild_gens", "moves", "repairs", "switch_off", "switch_on",
    "recovers", "abilities", "ability_medic", "ability_engineer", "ability_architect", "ability_pilot",
    "ability_scientist", "ability_comms_officer", "ability_biochemist", "ability_quartermaster", "items",
    "item_first_aid_kit", "item_tool_kit", "item_supply_capsule", "item_printer", "plans", "plan_evacuation",
    "plan_forecast", "plan_rationing", "plan_contingency", "plans_offturn", "limit_discards", "event_draws",
    "event_discards", "reshuffles", "normal_events", "critical_events", "events_cancelled",
    "scenario_weather", "scenario_terrain", "scenario_critical", "loss_placed", "loss_fixed", "loss_skipped",
    "emergencies_placed", "emergencies_fixed", "emergencies_skipped", "loss_turns", "emergency_turns",
    "health_drawn", "health_removed", "sick_turns", "depletions", "replenishments", "max_level",
    "turns_in_emergency", "turns_on_brink", "alarm_turn", "comeback", "supply_low", "deficit_low", "modules",
    "modules_off", "base_radius", "hand_cards_left", "final_production_oxygen", "final_production_water",
    "final_production_food", "final_production_energy", "final_supply_oxygen", "final_supply_water",
    "final_supply_food", "final_supply_energy",
]  # fmt: skip
OWN = [  # columns of the seats table with the formula of the games table
    "turns", "actions", "idle_actions", "draws", "gives", "takes", "deploys", "deficit_cut", "generates",
    "supply_made", "moves", "repairs", "recovers", "abilities", "items", "plans", "limit_discards",
    "event_discards", "sick_turns", "hand_cards_left",
]  # fmt: skip
SEATS = ["character", *OWN, "transfers", "tokens_fixed"]
TRACE = [  # EX-19.2
    "score", "deficit", "level", "supply_least", "modules_built", "events_to_come", "cards_held", "issues",
]  # fmt: skip
SETUP, ACTIONS, UPDATE, EVENT = range(4)  # steps of a turn
STEP_NAMES = ["setup", "actions", "update", "event"]
CARD, RES, TOKEN, SEAT, SLOT, HEALTH = 34, 25, 29, 20, 70, 105  # EX-11.1
EMERGENCY = 4
KEYS = {"weather", "terrain", "critical"}


class Log:
    """Counts of one game: `game`, `seat[i]`; `reason`; `rows` of the trace."""

    def __init__(self, walk: Walk, scenario: dict[str, Any]) -> None:
        s, self.walk, self.options, self.seats = walk.now, walk, walk.chosen, range(walk.seats)
        self.scenario = scenario
        self.goal = self.options["win_production"]
        self.track = [self.options[f"track_{level}"] for level in range(8)]
        self.skull = self.track.index(0) if 0 in self.track else 8
        self.game: dict[str, Any] = dict.fromkeys(["turns", *GAMES], 0) | {"alarm_turn": None}
        self.seat: list[dict[str, Any]] = [dict.fromkeys(SEATS, 0) for _ in self.seats]
        for seat in self.seats:
            self.seat[seat]["character"] = ["none", *CHARACTERS][s.character[seat]]
        self.rows = list[list[dict[str, int]]]()
        self.reason, self.turn, self.step, self.active, self.left = "", 0, SETUP, s.first, 0
        self.production, self.supply, self.events_left = list(s.production), list(s.supply), s.events_n
        self.loss = [[0] * 4 for _ in range(29)]
        self.emergencies, self.off, self.slots = [0] * 29, set[int](), 1
        self.held = [len(cards_of(s.hand[seat])) for seat in self.seats]
        self.deck, self.pile = s.deck_n, list[int]()
        self.issues = [set[int]() for _ in self.seats]
        self.waiting = self.busy = self.skip = self.updated = False
        self.revealed: int | None = None
        self.ops, self.price, self.over = list[dict[str, Any]](), 0, -1
        self.to_draw, self.drawer, self.to_recover, self.recovering = 0, 0, 0, -1
        self.allowed = self.cancelled = False
        self.game["supply_low"], self.game["deficit_low"] = min(self.supply), self.deficit()
        self.look()
        self.settle(walk.now)
        for before, action, after in walk.steps():
            self.note(before, action, after)
        self.finish(walk.now)

    def count(self, name: str, seat: int, n: int = 1) -> None:
        """Count in the games table and for a seat."""
        self.game[name] += n
        self.seat[seat][name] += n

    # Levels.

    def deficit(self) -> int:
        return sum(max(0, self.goal - n) for n in self.production)

    def level(self) -> int:
        return self.supply.count(0) + sum(self.emergencies)

    def look(self) -> None:
        """EX-8: after every single change, victory before defeat."""
        game, level = self.game, self.level()
        game["max_level"] = max(game["max_level"], level)
        game["deficit_low"] = min(game["deficit_low"], self.deficit())
        if level and game["alarm_turn"] is None:
            game["alarm_turn"] = self.turn
        if all(n >= self.goal for n in self.production):
            self.reason = self.reason or "self_sustaining"
        elif level >= self.skull:
            self.reason = self.reason or "skull"

    def change(self, r: int, n: int) -> int:
        """A supply changes within its track."""
        before = self.supply[r]
        self.supply[r] = min(max(before + n, 0), 20)
        self.game["depletions"] += before > 0 == self.supply[r]
        self.game["replenishments"] += before == 0 < self.supply[r]
        self.game["supply_low"] = min(self.game["supply_low"], self.supply[r])
        return self.supply[r] - before

    def make(self, r: int, n: int) -> None:
        self.count("supply_made", self.active, self.change(r, n))
        self.look()

    def effect(self, card: int, sign: int) -> None:
        """A module starts or stops working."""
        before, row = self.deficit(), MODULES[card]
        for r, name in enumerate(RESOURCES):
            icon = self.scenario[row["env_icon"]] if row["env_resource"] == name else 0
            self.production[r] += sign * (row["effect"][r] + icon)
        self.count("deficit_cut", self.active, before - self.deficit())
        self.look()

    # One action.

    def note(self, b: SimpleNamespace, a: int, f: SimpleNamespace) -> None:
        assert not self.reason
        handle = getattr(self, b.kind, None)
        if handle:
            handle(b, a, f)
        self.settle(f)
        assert bool(self.reason) == (f.seat < 0), f"{self.reason} {f.kind}"
        self.compare(f)

    def compare(self, f: SimpleNamespace) -> None:
        """What was kept here is what the game shows."""
        stored = [self.production, self.supply, self.loss, self.emergencies, self.slots, self.events_left]
        shown = [f.production, f.supply, f.slot_loss, f.slot_emerg, f.slots, f.events_n]
        assert stored == shown, (stored, shown)
        held = [len(cards_of(f.hand[seat])) for seat in self.seats]
        assert (self.held, self.deck, sorted(self.pile)) == (held, f.deck_n, sorted(f.discard[: f.discard_n]))
        assert self.level() == f.level and self.off == set(cards_of(f.off))
        assert [sum(1 << i for i in own) for own in self.issues] == f.issues[: len(self.seats)]
        if f.kind == "main":
            assert (self.turn, self.left, self.active) == (f.turn_no, f.actions_left, f.active)

    def main(self, b: SimpleNamespace, a: int, f: SimpleNamespace) -> None:
        if a == 0:
            self.step_over()
            return
        seat = self.active
        self.price = {14: self.options["item_cost"], 15: 0}.get(a, 1)
        if 2 <= a <= 5:
            self.price += ISSUES.index("ankle") in self.issues[seat]
            self.count("moves", seat)
        self.count("actions", seat, self.price)
        self.busy = a not in (1, 2, 3, 4, 5, 11)
        self.waiting = True
        if a == 1:
            self.count("draws", seat)
            self.to_draw, self.drawer = self.options["draw_cards"], seat
        elif a == 9:
            self.count("generates", seat)
            self.amount = self.options["generate_amount"]
        elif a == 10:
            self.count("repairs", seat)
            self.slot = b.pawn[seat]
        elif a == 11:
            self.switch(b, b.pawn[seat])
        elif a == 12:
            self.count("recovers", seat)
            self.recovering, self.patient = 1, seat
        elif a == 13:
            self.ability(b, f)

    def switch(self, b: SimpleNamespace, slot: int) -> None:
        on = slot in self.off
        self.game["switch_on" if on else "switch_off"] += 1
        self.off ^= {slot}
        self.effect(b.slot_card[slot], 1 if on else -1)

    def ability(self, b: SimpleNamespace, f: SimpleNamespace) -> None:
        seat = self.active
        who = self.seat[seat]["character"]
        self.count("abilities", seat)
        self.game[f"ability_{who}"] += 1
        if who == "scientist":
            n = self.draw() + self.draw()
            if n == 1:
                self.get(seat)
                self.busy = False
        elif who == "biochemist":
            self.count("generates", seat)
            self.amount = self.options["generate_amount"] + 1
        elif who == "quartermaster":
            self.pile.remove(b.discard[b.discard_n - 1])
            self.get(seat)
            self.busy = False

    def get(self, seat: int) -> None:
        self.held[seat] += 1
        self.over = seat

    def lose_card(self, seat: int, card: int) -> None:
        self.held[seat] -= 1
        self.pile.append(card)

    def draw(self) -> int:
        """EX-4.14: one card off the deck, 0 where there is none."""
        if self.deck == 0:
            self.reshuffle()
        if self.deck == 0:
            return 0
        self.deck -= 1
        self.game["cards_drawn"] += 1
        if self.deck == 0:
            self.reshuffle()
        return 1

    def reshuffle(self) -> None:
        if self.pile:
            self.deck, self.pile = len(self.pile), []
            self.game["reshuffles"] += 1

    def start_discard(self, b: SimpleNamespace, a: int, f: SimpleNamespace) -> None:
        self.lose_card(b.seat, a - CARD)

    def hand_discard(self, b: SimpleNamespace, a: int, f: SimpleNamespace) -> None:
        self.lose_card(b.seat, a - CARD)
        self.count("limit_discards", b.seat)

    def event_discard(self, b: SimpleNamespace, a: int, f: SimpleNamespace) -> None:
        self.lose_card(b.seat, a - CARD)
        self.count("event_discards", b.seat)

    def give_partner(self, b: SimpleNamespace, a: int, f: SimpleNamespace) -> None:
        self.partner = a - SEAT

    take_partner = ability_seat = item_seat = plan_seat = give_partner

    def give_card(self, b: SimpleNamespace, a: int, f: SimpleNamespace) -> None:
        self.count("gives", self.active)
        self.held[self.active] -= 1
        self.get(self.partner)
        self.busy = False

    def take_card(self, b: SimpleNamespace, a: int, f: SimpleNamespace) -> None:
        self.count("takes", self.active)
        self.held[self.partner] -= 1
        self.get(self.active)
        self.busy = False

    def deploy_card(self, b: SimpleNamespace, a: int, f: SimpleNamespace) -> None:
        self.card = a - CARD

    def deploy_dir(self, b: SimpleNamespace, a: int, f: SimpleNamespace) -> None:
        if f.slots > self.slots:  # nothing to pay
            self.built()

    def deploy_pay(self, b: SimpleNamespace, a: int, f: SimpleNamespace) -> None:
        self.lose_card(self.active, a - CARD)
        self.game["wild_pays"] += a - CARD in PLANS
        if f.slots > self.slots:
            self.built()

    def built(self) -> None:
        self.held[self.active] -= 1
        self.slots += 1
        self.count("deploys", self.active)
        self.game[f"deploy_{MODULES[self.card]['colour']}"] += 1
        self.busy = False
        self.effect(self.card, 1)

    def gen_card(self, b: SimpleNamespace, a: int, f: SimpleNamespace) -> None:
        card = a - CARD
        self.lose_card(self.active, card)
        if card in PLANS:
            self.game["wild_gens"] += 1
        else:
            self.busy = False
            self.make(COLOURS.index(MODULES[card]["colour"]), self.amount)

    def gen_res(self, b: SimpleNamespace, a: int, f: SimpleNamespace) -> None:
        self.busy = False
        self.make(a - RES, self.amount)

    def item_res(self, b: SimpleNamespace, a: int, f: SimpleNamespace) -> None:
        self.busy = False
        self.make(a - RES, self.options["item_supply_amount"])

    def item_slot(self, b: SimpleNamespace, a: int, f: SimpleNamespace) -> None:
        self.slot = a - SLOT

    def ability_slot(self, b: SimpleNamespace, a: int, f: SimpleNamespace) -> None:
        self.slot = a - SLOT
        self.busy = self.seat[self.active]["character"] == "engineer"

    def repair_token(self, b: SimpleNamespace, a: int, f: SimpleNamespace) -> None:
        token = a - TOKEN
        self.busy = False
        self.seat[self.active]["tokens_fixed"] += 1
        if token == EMERGENCY:
            self.emergencies[self.slot] -= 1
            self.game["emergencies_fixed"] += 1
        else:
            before = self.deficit()
            self.loss[self.slot][token] -= 1
            self.production[token] += 1
            self.game["loss_fixed"] += 1
            self.count("deficit_cut", self.active, before - self.deficit())
        self.look()

    def issue(self, b: SimpleNamespace, a: int, f: SimpleNamespace) -> None:
        who = self.active if self.recovering == 1 else self.partner
        self.cure = who, a - HEALTH
        self.to_recover = self.options["recover_cards"] if self.recovering == 1 else 0
        self.recovering = -1
        if not self.to_recover:
            self.cured()

    def recover_card(self, b: SimpleNamespace, a: int, f: SimpleNamespace) -> None:
        self.lose_card(self.active, a - CARD)
        self.to_recover -= 1
        if not self.to_recover:
            self.cured()

    def cured(self) -> None:
        who, issue = self.cure
        self.issues[who].remove(issue)
        self.game["health_removed"] += 1
        self.busy = False

    def ability_card(self, b: SimpleNamespace, a: int, f: SimpleNamespace) -> None:
        self.pile += [card for card in b.got if card != a - CARD]
        self.get(self.active)
        self.busy = False

    def item_card(self, b: SimpleNamespace, a: int, f: SimpleNamespace) -> None:
        self.count("items", self.active)
        self.game[f"item_{ITEMS[a - CARD]}"] += 1
        if ITEMS[a - CARD] != "printer":
            self.lose_card(self.active, a - CARD)
        else:
            self.card = a - CARD

    def item_take(self, b: SimpleNamespace, a: int, f: SimpleNamespace) -> None:
        self.pile.remove(a - CARD)
        self.lose_card(self.active, self.card)
        self.get(self.active)
        self.busy = False

    def plan_card(self, b: SimpleNamespace, a: int, f: SimpleNamespace) -> None:
        if b.kind == "plan_window" and a == 0:
            return
        name = PLANS[a - CARD]
        self.card = a - CARD
        self.count("plans", b.seat)
        self.game[f"plan_{name}"] += 1
        self.game["plans_offturn"] += b.seat != self.active
        if name == "rationing":
            self.skip = True
            self.lose_card(b.seat, self.card)
        elif name == "contingency":
            self.cancelled = True
            self.game["events_cancelled"] += 1
            self.lose_card(b.seat, self.card)
        else:
            self.busy = True

    plan_window = plan_card

    def plan_slot(self, b: SimpleNamespace, a: int, f: SimpleNamespace) -> None:
        self.lose_card(b.seat, self.card)
        self.busy = False

    plan_perm = plan_slot

    # What follows by itself, as far as the game has gone.

    def settle(self, f: SimpleNamespace) -> None:
        while not self.reason and self.go_on(f):
            pass

    def go_on(self, f: SimpleNamespace) -> bool:
        """The next thing that happens by itself; false when somebody is asked."""
        limit = self.options["hand_limit"] - 2 * (ISSUES.index("migraine") in self.issues[self.over])
        if self.over >= 0 and self.turn:
            if self.held[self.over] > limit:
                return False
            self.over = -1
        if self.to_draw:
            self.to_draw -= 1
            if self.draw():
                self.game["event_draws"] += self.revealed is not None
                self.get(self.drawer)
            return True
        if self.busy:
            return False
        if self.waiting:
            self.waiting, self.left = False, self.left - self.price
            return True
        return self.course(f)

    def course(self, f: SimpleNamespace) -> bool:
        """The course of a turn."""
        if self.step == SETUP:
            if f.turn_no:
                self.begin_turn(f.active)
            return f.turn_no > 0
        if self.step == ACTIONS and not self.allowed:
            if f.kind == "plan_window":
                return False
            self.allow()
            return True
        later = (f.turn_no, f.step) > (self.turn, self.step) or f.seat < 0
        if self.step == ACTIONS and later:
            self.step_over()
            return True
        if self.step == UPDATE and later:
            self.update()
            return True
        return self.step == EVENT and self.event(f)

    def round_ends(self) -> bool:
        return (self.active + 1) % len(self.seats) == self.walk.now.first

    def begin_turn(self, seat: int) -> None:
        self.turn, self.step, self.active = self.turn + 1, ACTIONS, seat
        self.allowed = self.skip = self.cancelled = False
        self.revealed, self.ops = None, []
        self.count("turns", seat)
        if self.issues[seat]:
            self.count("sick_turns", seat)

    def allow(self) -> None:
        """EX-3.3."""
        ill, level = {ISSUES[i] for i in self.issues[self.active]}, self.level()
        self.left = max(1, self.track[level] - ("insomnia" in ill) - 2 * ("acute" in ill))
        self.allowed = True
        self.game["allowance"] += self.left
        self.game["turns_in_emergency"] += level >= 1
        self.game["turns_on_brink"] += level == self.skull - 1

    def step_over(self) -> None:
        self.count("idle_actions", self.active, self.left)
        self.left, self.step = 0, UPDATE

    def update(self) -> None:
        """EX-5.1, EX-7.3, EX-3.6."""
        if not self.skip and (self.options["update_per"] == "turn" or self.round_ends()):
            for r in range(4):
                self.change(r, self.production[r])
            self.look()
            if not self.reason and ISSUES.index("infection") in self.issues[self.active]:
                self.change(0, -1)
                self.change(1, -1)
                self.look()
        if not self.reason:
            self.step = EVENT

    def event(self, f: SimpleNamespace) -> bool:
        """EX-6: whether the step has gone on."""
        takes_place = self.options["event_per"] == "turn" or self.round_ends()
        if self.turn <= self.options["grace_turns"] or not takes_place:
            return self.end_turn(f)
        if self.revealed is None:
            if not self.events_left:
                self.reason = "events_out"
                return True
            self.events_left -= 1
            self.revealed = next(e for e in range(54) if (f.seen & ~self.seen) >> e & 1)
            kind = "critical" if self.revealed >= 39 else "normal"
            self.game[f"{kind}_events"] += 1
            self.seen |= 1 << self.revealed
            self.ops = [dict(op) for op in EVENTS[self.revealed]["ops"]]
            return True
        if f.kind == "plan_window" and f.turn_no == self.turn:
            return False
        if self.cancelled or not self.ops:
            return self.end_turn(f)
        return self.do_op(self.ops[0], f)

    seen = 0

    def do_op(self, op: dict[str, Any], f: SimpleNamespace) -> bool:
        if op["op"] in ("discard", "draw"):
            return getattr(self, f"op_{op['op']}")(op, f)
        if op["op"] == "supply":
            self.change(RESOURCES.index(op["resource"]), op["amount"])
            self.look()
        elif op["op"] == "health" and self.options["health"]:
            self.issues[self.active].add(ISSUES.index(op["issue"]))
            self.game["health_drawn"] += 1
            self.over = self.active
        elif op["op"] == "scenario":
            assert op["key"] in KEYS
            self.game[f"scenario_{op['key']}"] += 1
            self.ops[1:1] = [dict(first) for first in self.scenario[op["key"]]]
        elif op["op"] in ("loss", "emergency") and not getattr(self, f"place_{op['op']}")(op, f):
            return False
        self.ops.pop(0)
        return True

    def place_loss(self, op: dict[str, Any], f: SimpleNamespace) -> bool:
        """EX-6.5: placed, or skipped; false while the module is being chosen."""
        r, where = RESOURCES.index(op["resource"]), op["where"]
        none = where in COLOURS and not any(
            MODULES[f.slot_card[slot]]["colour"] == where for slot in range(1, self.slots)
        )
        used = sum(own[r] for own in self.loss)
        if none or used == self.options["loss_tokens"] or self.production[r] == -5:
            self.game["loss_skipped"] += 1
            return True
        struck = [slot for slot in range(29) if f.slot_loss[slot][r] > self.loss[slot][r]]
        if not struck:
            assert f.kind == "event_place"
            return False
        before = self.deficit()
        self.loss[struck[0]][r] += 1
        self.production[r] -= 1
        self.game["loss_placed"] += 1
        self.game["deficit_events"] += self.deficit() - before
        self.look()
        return True

    def place_emergency(self, op: dict[str, Any], f: SimpleNamespace) -> bool:
        if sum(self.emergencies) == self.options["emergency_tokens"]:
            self.game["emergencies_skipped"] += 1
            return True
        struck = [slot for slot in range(29) if f.slot_emerg[slot] > self.emergencies[slot]]
        if not struck:
            assert f.kind == "event_place"
            return False
        self.emergencies[struck[0]] += 1
        self.game["emergencies_placed"] += 1
        self.look()
        return True

    def asked_by(self, op: dict[str, Any]) -> list[int]:
        n = len(self.seats) if op["who"] == "each" else 1
        return [(self.active + i) % len(self.seats) for i in range(n)]

    def op_discard(self, op: dict[str, Any], f: SimpleNamespace) -> bool:
        """EX-6.8: done when all concerned have discarded."""
        op.setdefault("due", {seat: min(op["amount"], self.held[seat]) for seat in self.asked_by(op)})
        for seat, n in op["due"].items():
            had = op.setdefault("had", dict(enumerate(self.held)))[seat]
            if self.held[seat] > had - n:
                assert (f.kind, f.seat) == ("event_discard", seat)
                return False
        self.ops.pop(0)
        return True

    def op_draw(self, op: dict[str, Any], f: SimpleNamespace) -> bool:
        left = op.setdefault("left", self.asked_by(op))
        if not left:
            self.ops.pop(0)
            return True
        self.drawer, self.to_draw = left.pop(0), op["amount"]
        return True

    def end_turn(self, f: SimpleNamespace) -> bool:
        """The turn has ended if the game has gone on to the next one."""
        assert f.turn_no == self.turn + 1, (f.turn_no, self.turn)
        self.close_turn()
        self.begin_turn((self.active + 1) % len(self.seats))
        return True

    def close_turn(self) -> None:
        self.game["loss_turns"] += sum(map(sum, self.loss))
        self.game["emergency_turns"] += sum(self.emergencies)
        self.rows.append([self.row(seat) for seat in self.seats])

    def row(self, seat: int) -> dict[str, int]:
        return {
            "score": self.margin(), "deficit": self.deficit(), "level": self.level(),
            "supply_least": min(self.supply), "modules_built": self.slots - 1,
            "events_to_come": self.events_left, "cards_held": self.held[seat],
            "issues": len(self.issues[seat]),
        }  # fmt: skip

    def margin(self) -> int:
        return 1 + self.events_left if self.reason == "self_sustaining" else -self.deficit()

    def finish(self, s: SimpleNamespace) -> None:
        """What is said of the end."""
        game = self.game
        if self.turn:
            self.rows.append([self.row(seat) for seat in self.seats])
        depleted, burning = self.supply.count(0), sum(self.emergencies)
        game["won"] = int(self.reason == "self_sustaining")
        game["end_step"] = STEP_NAMES[self.step]
        lost = "depletion" if not burning else "emergencies" if not depleted else "mixed"
        game["defeat"] = {"self_sustaining": "none", "events_out": "clock", "skull": lost}[self.reason]
        game["end_seat"], game["margin"], game["final_deficit"] = self.active, self.margin(), self.deficit()
        game["events_left"], game["end_depleted"], game["end_emergencies"] = (
            self.events_left, depleted, burning
        )  # fmt: skip
        game["comeback"] = int(game["won"] and game["max_level"] >= self.skull - 1)
        game["modules"], game["modules_off"] = self.slots - 1, len(self.off)
        game["base_radius"] = self.radius(s)
        game["hand_cards_left"] = sum(self.held)
        for seat, own in enumerate(self.seat):
            own["hand_cards_left"], own["transfers"] = self.held[seat], own["gives"] + own["takes"]
        for r, name in enumerate(RESOURCES):
            game[f"final_production_{name}"] = self.production[r]
            game[f"final_supply_{name}"] = self.supply[r]

    def radius(self, s: SimpleNamespace) -> int:
        """Greatest walking distance from the Hub, from the cells alone."""
        cells = {(s.slot_x[slot], s.slot_y[slot]) for slot in range(s.slots)}
        steps, reached = 0, {(0, 0)}
        while reached != cells:
            reached |= {(x + dx, y + dy) for x, y in reached for dx, dy in STEPS} & cells
            steps += 1
        return steps
