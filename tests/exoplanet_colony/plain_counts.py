"""What the second implementation counts: the columns of EX-19.1 and the trace of EX-19.2."""

from collections import Counter, defaultdict

from .plain_data import CHARACTERS, COLOURS, ITEMS, NAMES, PLANS

GAMES = [
    "won", "end_reason", "end_step", "defeat", "end_seat", "turns", "decisions", "margin", "final_deficit",
    "events_left", "end_depleted", "end_emergencies", "allowance", "actions", "idle_actions", "draws",
    "cards_drawn", "gives", "takes", "deploys", *(f"deploy_{name}" for name in COLOURS), "deficit_cut",
    "deficit_events", "generates", "supply_made", "wild_pays", "wild_gens", "moves", "repairs", "switch_off",
    "switch_on", "recovers", "abilities", *(f"ability_{name}" for name in CHARACTERS), "items",
    *(f"item_{name}" for name in ITEMS.values()), "plans", *(f"plan_{name}" for name in PLANS.values()),
    "plans_offturn", "limit_discards", "event_draws", "event_discards", "reshuffles", "normal_events",
    "critical_events", "events_cancelled", "scenario_weather", "scenario_terrain", "scenario_critical",
    "loss_placed", "loss_fixed", "loss_skipped", "emergencies_placed", "emergencies_fixed",
    "emergencies_skipped", "loss_turns", "emergency_turns", "health_drawn", "health_removed", "sick_turns",
    "depletions", "replenishments", "max_level", "turns_in_emergency", "turns_on_brink", "alarm_turn",
    "comeback", "supply_low", "deficit_low", "modules", "modules_off", "base_radius", "hand_cards_left",
    *(f"final_production_{name}" for name in NAMES), *(f"final_supply_{name}" for name in NAMES),
]  # fmt: skip
SEATS = [
    "character", "turns", "actions", "idle_actions", "draws", "gives", "takes", "transfers", "deploys",
    "deficit_cut", "generates", "supply_made", "moves", "repairs", "recovers", "abilities", "items", "plans",
    "tokens_fixed", "limit_discards", "event_discards", "sick_turns", "hand_cards_left",
]  # fmt: skip
TRACE = [
    "score", "deficit", "level", "supply_least", "modules_built", "events_to_come", "cards_held", "issues",
]  # fmt: skip


class PlainCounts:
    """Counts of one game: `game`, `seat[i]`; `rows` of the trace; `seen`: what else occurred."""

    def __init__(self, of) -> None:
        self.game = dict.fromkeys(GAMES, 0) | {"alarm_turn": None, "supply_low": 20, "deficit_low": 99}
        self.seat = [dict.fromkeys(SEATS, 0) for _ in range(of.seats)]
        self.seen = defaultdict(Counter)
        self.rows: list[list[dict[str, int]]] = []

    def count(self, name: str, seat: int | None = None, n: int = 1) -> None:
        """Count in the games table, and for a seat under the same name."""
        self.game[name] += n
        if seat is not None:
            self.count_seat(name, seat, n)

    def count_seat(self, name: str, seat: int, n: int = 1) -> None:
        self.seat[seat][name] += n

    def moment(self, s) -> None:
        """After every change, and at the start."""
        game = self.game
        game["max_level"] = max(game["max_level"], s.level)
        if s.level and game["alarm_turn"] is None:
            game["alarm_turn"] = max(1, s.turn)
        game["supply_low"] = min(game["supply_low"], *s.supply)
        game["deficit_low"] = min(game["deficit_low"], s.deficit)

    def supplied(self, before: list[int], after: list[int]) -> None:
        for a, b in zip(before, after, strict=True):
            self.count("depletions", n=int(a > 0 == b))
            self.count("replenishments", n=int(a == 0 < b))

    def turn_begins(self, s) -> None:
        self.count("turns", s.active)
        self.count("sick_turns", s.active, int(bool(s.issues[s.active])))

    def allowed(self, s, n: int) -> None:
        self.count("allowance", n=n)
        self.count("turns_in_emergency", n=int(s.level >= 1))
        self.count("turns_on_brink", n=int(s.level == s.skull - 1))

    def turn_ends(self, s) -> None:
        self.count("loss_turns", n=sum(sum(module.loss) for module in s.base))
        self.count("emergency_turns", n=sum(module.alarms for module in s.base))
        self.note(s, -s.deficit)

    def note(self, s, score: int) -> None:
        """EX-19.2."""
        self.rows.append([
            {
                "score": score, "deficit": s.deficit, "level": s.level, "supply_least": min(s.supply),
                "modules_built": len(s.base) - 1, "events_to_come": len(s.events),
                "cards_held": len(s.hand[seat]), "issues": len(s.issues[seat]),
            }
            for seat in range(s.seats)
        ])  # fmt: skip

    def finish(self, s) -> None:
        """EX-8, EX-9.2 and the columns that are known at the end."""
        game, won = self.game, s.reason == "self_sustaining"
        depleted, alarms = s.supply.count(0), sum(module.alarms for module in s.base)
        defeat = "mixed" if depleted and alarms else "depletion" if depleted else "emergencies"
        self.score = 1 + len(s.events) if won else -s.deficit
        self.rank = int(won)
        game |= {
            "won": int(won), "end_reason": s.reason, "end_step": s.step, "end_seat": s.active,
            "defeat": "none" if won else "clock" if s.reason == "events_out" else defeat,
            "margin": self.score, "final_deficit": s.deficit, "events_left": len(s.events),
            "end_depleted": depleted, "end_emergencies": alarms,
            "comeback": int(won and game["max_level"] >= s.skull - 1),
            "modules": len(s.base) - 1, "modules_off": sum(not module.on for module in s.base),
            "base_radius": max(s.distances(0)), "hand_cards_left": sum(map(len, s.hand)),
        }  # fmt: skip
        for r, name in enumerate(NAMES):
            game[f"final_production_{name}"], game[f"final_supply_{name}"] = s.production[r], s.supply[r]
        for seat, own in enumerate(self.seat):
            own |= {
                "character": s.character[seat],
                "hand_cards_left": len(s.hand[seat]),
                "transfers": own["gives"] + own["takes"],
            }
        self.note(s, self.score)
        self.game = game
