"""Whole games of Exoplanet Colony, played by the rules and by the second implementation at the same time.

`Pair` steps the compiled rules from outside, asks both for the legal ids and compares what both know after
every action. Decision points with one legal id are carried out without asking (EX-11.1).
"""

from collections import Counter
from collections.abc import Callable
from functools import cache
from random import Random

import numpy as np
from of_games.driver import driver

from simkit.engine.rng import open_streams, purposes, shuffle
from simkit.engine.stepper import ROWS, tracer, trails_for
from simkit.engine.table import GameTable
from simkit.games.exoplanet_colony import game
from simkit.games.exoplanet_colony.facts import Character, Decision, Step
from simkit.runs import experiment, log
from simkit.runs.plan import Cell, make_plan

from .plain_counts import GAMES, TRACE
from .plain_data import CARD, DATA, ISSUES, colour, fits, settings
from .plain_game import Luck, Plain
from .plain_setup import faults

WEIGHTS = {0: 0.25, 1: 1, 6: 2, 7: 2, 8: 8, 9: 1.5, 10: 5, 11: 3, 12: 4, 13: 5, 14: 4, 15: 4}
LONG = {"production_offset": 1, "supply_offset": 6, "win_production": 3}
LONG |= {f"track_{level}": 5 for level in range(8)}


def uniform(luck: Random, kind: str, ids: list[int]) -> int:
    """EX-11.4."""
    return luck.choice(ids)


def busy(luck: Random, kind: str, ids: list[int]) -> int:
    """Prefers what is seldom possible at MAIN, and plays plans in windows."""
    if kind == "main":
        return luck.choices(ids, [WEIGHTS.get(a, 1) for a in ids])[0]
    if kind == "plan_window":
        return luck.choices(ids, [1 + (a > 0) for a in ids])[0]
    return luck.choice(ids)


def builder(luck: Random, kind: str, ids: list[int]) -> int:
    """Draws until something can be deployed, stays in the middle."""
    if kind == "main":
        weights = {1: 4, 8: 30, 10: 10, 13: 3, 14: 4, 9: 0.3, 0: 0.05, 11: 0.2, 6: 0.3}
        return luck.choices(ids, [weights.get(a, 0.5) for a in ids])[0]
    return luck.choice(ids)


def hoarder(luck: Random, kind: str, ids: list[int]) -> int:
    """Stays where it is, heals little and keeps items and plans, so that there is much to choose from later."""
    if kind == "main":
        seldom = {0: 0.3, 2: 0.2, 3: 0.2, 4: 0.2, 5: 0.2, 9: 0.3, 12: 0.02, 13: 0.2, 14: 0.06, 15: 0.1}
        return luck.choices(ids, [seldom.get(a, 1) for a in ids])[0]
    if kind == "plan_window":
        return luck.choices(ids, [40 - 39 * (a > 0) for a in ids])[0]
    if kind.endswith("discard") or kind in ("deploy_pay", "gen_card", "give_card"):
        return luck.choices(ids, [1 if a < CARD + 28 else 0.1 for a in ids])[0]
    return luck.choice(ids)


Policy = Callable[[Random, str, list[int]], int]


def random_options(luck: Random) -> dict[str, object]:
    """Some, many or all options at random values that fit together."""
    while not fits(settings(result := in_range(luck))):
        pass
    return result


def in_range(luck: Random) -> dict[str, object]:
    share, result = luck.choice((0.05, 0.1, 0.2, 0.4, 0.7, 1)), {}
    for name, row in DATA["options"].items():
        if luck.random() < share or name in ("ruleset", "scenario"):
            kind = row["type"]
            values = row["choices"] if kind == "choice" else (False, True)
            result[name] = luck.choice(values) if kind != "int" else luck.randint(row["min"], row["max"])
    return result


def long_options(luck: Random) -> dict[str, object]:
    """Random options of games that last."""
    short = ("production_offset", "supply_offset", "win_production", *(f"track_{i}" for i in range(8)))
    while True:
        results = in_range(luck) | {"ruleset": luck.choice(("patient", "endurance"))}
        results = {name: value for name, value in results.items() if name not in short}
        results |= luck.choice(({}, {"production_offset": 2}, LONG))
        if fits(settings(results)):
            return results


@cache
def rules_of(options: tuple[tuple[str, object], ...]) -> np.ndarray:
    return game.rules(dict(options))


@cache
def _cell(seats: int) -> Cell:
    keys = {"question": "?", "game": "exoplanet_colony", "deals": 1, "lineups": [f"random*{seats}"]}
    return make_plan(experiment.parse(keys)).cells[0]


class Pair:
    """A game on its way in both implementations."""

    def __init__(self, options: dict[str, object], seats: int, deal: int, policy: Policy = uniform) -> None:
        self.options, self.seats, self.deal, self.policy = options, seats, deal, policy
        self.where = f"{options}, {seats} seats, deal {deal}, {policy.__name__}"
        self.rules, self.drive = rules_of(tuple(sorted(options.items()))), driver(game)
        self.states, self.rng = np.zeros(1, game.state_dtype), np.zeros(1, game.rng_dtype)
        self.buffer, self.trail, self.luck = np.zeros(game.max_actions, np.int64), list[int](), Random(deal)
        self.met = Counter[str]()
        open_streams(self.rng.view(np.uint64), 1, deal, purposes(game.purposes))
        self.drive.start(self.states, self.rules, self.rng, seats)
        self.s, self.stream = self.states[0], self.rng[0].reshuffle.tolist()
        self.full = settings(options)
        self.dealt = self.given()
        assert faults(self.full, seats, self.dealt) == [], self.where
        self.advance()
        self.plain = Plain(self.full, seats, self.dealt)

    # The rules.

    def given(self) -> Luck:
        s = self.s
        hands = [cards(int(s.hand[seat])) for seat in range(self.seats)]
        characters = [Character(int(n)).name for n in s.character[: self.seats]]
        deck, events = s.deck[: s.deck_n].tolist(), s.events[: s.events_n].tolist()
        return Luck(int(s.first), characters, hands, deck, cards(int(s.removed)), events, self.reshuffled)

    def reshuffled(self, pile: list[int]) -> list[int]:
        """EX-4.14 the luck of the rules, which shuffle the pile as it lies."""
        deck = list(pile)
        shuffle(self.stream, deck, len(deck))
        return deck

    def legal(self) -> list[int]:
        return self.buffer[: self.drive.legal(self.states, self.rules, self.buffer)].tolist()

    def step(self, action: int) -> None:
        self.trail.append(action)
        self.drive.step(self.states, self.rules, self.rng, action)

    def advance(self) -> None:
        self.ids = []
        while self.s.seat >= 0:
            self.ids = self.legal()
            assert self.ids and self.ids == sorted(set(self.ids)) and len(self.ids) <= 35, self.where
            if len(self.ids) > 1:
                return
            self.step(self.ids[0])
        self.ids = []

    # Both.

    def play(self, most: int = 100_000) -> "Pair":
        self.compare("the setup")
        while self.s.seat >= 0 and most:
            kind, action = self.plain.kind, self.policy(self.luck, self.plain.kind, self.ids)
            self.met[kind] += 1
            self.step(action)
            self.advance()
            self.plain.apply(action)
            self.compare(f"{kind} {action}")
            most -= 1
        return self

    def compare(self, after: str) -> None:
        s, plain = self.s, self.plain
        mine, theirs = of_plain(plain), of_rules(s, plain, self.seats)
        wrong = {name: (theirs[name], mine[name]) for name in mine if mine[name] != theirs[name]}
        assert not wrong, f"(rules, plain) {wrong} after {after} ({self.where})"
        ids = plain.legal()
        assert ids == self.ids, f"{plain.kind}: rules {self.ids}, plain {ids} after {after} ({self.where})"

    def trace(self) -> list[list[dict[str, int]]]:
        """EX-19.2 rows by turn and seat."""
        deals, trail = np.array([self.deal]), np.array(self.trail, np.int64)
        trails = trails_for(GameTable(game, self.rules), self.seats, 1, deals, np.zeros(1, np.int64), trail)
        tracer(game)(trails)
        rows = trails.rows[: trails.done[ROWS]]
        results = [{name: int(row[name]) for name in TRACE} for row in rows]
        return [results[i : i + self.seats] for i in range(0, len(results), self.seats)]

    def differing_rows(self) -> list[object]:
        mine, theirs = self.plain.log.rows, self.trace()
        if len(mine) != len(theirs):
            return [f"{len(theirs)} turns in the trace of the rules, {len(mine)} in the other"]
        return [pair for pair in zip(theirs, mine, strict=True) if pair[0] != pair[1]]


def differing_columns(pairs: list[Pair]) -> list[str]:
    """EX-19.1 of finished games: what their tables say otherwise than the second implementation."""
    results = []
    for seats in sorted({pair.seats for pair in pairs}):
        some = [pair for pair in pairs if pair.seats == seats]
        states = np.concatenate([pair.states for pair in some])
        key = game, _cell(seats), np.arange(len(some)), np.zeros(len(some), np.int64), states
        games, rows = log.games_table(*key).to_pylist(), log.seats_table(*key).to_pylist()
        for i, pair in enumerate(some):
            own_log = pair.plain.log
            # decisions are counted by whoever asks
            wrong = {n: (games[i][n], own_log.game[n]) for n in GAMES if games[i][n] != own_log.game[n]}
            wrong.pop("decisions", None)
            results += [f"{wrong} ({pair.where})"] if wrong else []
            for seat, own in enumerate(own_log.seat):
                row = rows[seats * i + seat]
                own |= {"rank": own_log.rank, "score": own_log.score, "share": own_log.rank}
                wrong = {n: (row[n], own[n]) for n in own if row[n] != own[n]}
                results += [f"seat {seat} {wrong} ({pair.where})"] if wrong else []
    return results


def cards(mask: int) -> set[int]:
    """The members of a set."""
    return {i for i, digit in enumerate(f"{mask:b}"[::-1]) if digit == "1"}


def of_rules(s, plain: Plain, seats: int) -> dict[str, object]:
    """What everybody knows, and the hidden orders, as the rules have it."""
    n = int(s.slots)
    results = {
        "over": s.seat < 0, "production": s.production.tolist(), "supply": s.supply.tolist(),
        "level": int(s.level), "loss_left": s.loss_left.tolist(), "shut_left": int(s.shut_left),
        "emerg_left": int(s.emerg_left), "hand": held(s),
        "deck": s.deck[: s.deck_n].tolist(), "discard": s.discard[: s.discard_n].tolist(),
        "below the deck": set(s.deck[s.deck_n :].tolist()) | set(s.discard[s.discard_n :].tolist()) <= {-1},
        "slot_card": s.slot_card[:n].tolist(), "slot_x": s.slot_x[:n].tolist(),
        "slot_y": s.slot_y[:n].tolist(), "slot_nb": s.slot_nb[:n].tolist(), "near": s.near[:n].tolist(),
        "slot_loss": s.slot_loss[:n].tolist(), "slot_emerg": s.slot_emerg[:n].tolist(),
        "off": int(s.off), "coloured": s.coloured.tolist(), "damaged": s.damaged.tolist(),
        "alarmed": int(s.alarmed), "pawn": s.pawn[:seats].tolist(), "issues": s.issues[:seats].tolist(),
        "character": [Character(int(x)).name for x in s.character[:seats]],
        "events": s.events[: s.events_n].tolist(), "known_events": int(s.events_known),
        "seen": cards(int(s.seen)), "active": int(s.active),
        "turn": int(s.turn_no), "step": Step(int(s.step)).name, "first": int(s.first),
    }  # fmt: skip
    if s.seat >= 0:
        results |= {"seat": int(s.seat), "kind": Decision(int(s.decision)).name}
        results |= {"left": int(s.actions_left)} if plain.kind == "main" else {}
        results |= {"score": s.score[:seats].tolist()}
        if plain.kind == "deploy_pay":
            results |= {"need": s.need.tolist(), "to_pay": int(s.left), "spare": int(s.substitutes)}
        if plain.kind == "start_discard":
            results["keeps"] = s.hand_keep[:seats].tolist()
    return results


def of_plain(p: Plain) -> dict[str, object]:
    """The same as the second implementation has it."""
    base = p.base

    def those(picked) -> int:
        return sum(1 << i for i, module in enumerate(base) if picked(module))

    neighbour = [[p.neighbour(s, d) for d in range(4)] for s in p.slots()]
    results = {
        "over": not p.kind, "production": p.production, "supply": p.supply, "level": p.level,
        "loss_left": p.loss_left, "shut_left": p.shut_left, "emerg_left": p.emerg_left,
        "hand": p.hand + [set()] * (5 - p.seats), "deck": p.deck, "discard": p.discard,
        "below the deck": True, "slot_card": [module.card for module in base],
        "slot_x": [module.x for module in base], "slot_y": [module.y for module in base],
        "slot_nb": neighbour, "near": [sum(1 << t for t in row if t >= 0) for row in neighbour],
        "slot_loss": [module.loss for module in base], "slot_emerg": [module.alarms for module in base],
        "off": those(lambda m: not m.on), "alarmed": those(lambda m: m.alarms),
        "coloured": [those(lambda m, i=i: m.card >= 0 and colour(m.card) == i) for i in range(4)],
        "damaged": [those(lambda m, r=r: m.loss[r]) for r in range(4)], "pawn": p.pawn,
        "issues": [sum(1 << ISSUES.index(issue) for issue in own) for own in p.issues],
        "character": p.character, "events": p.events, "known_events": p.known_events, "seen": p.seen,
        "active": p.active, "turn": p.turn, "step": p.step, "first": p.first,
    }  # fmt: skip
    if p.kind:
        results |= {"seat": p.seat, "kind": p.kind, "score": [-p.deficit] * p.seats}
        results |= {"left": p.left} if p.kind == "main" else {}
        if p.kind == "deploy_pay":
            results |= {"need": p.need, "to_pay": p.to_pay, "spare": p.substitutes}
        if p.kind == "start_discard":
            results["keeps"] = [p.keeps(seat) for seat in range(p.seats)]
    return results


def held(s) -> list[set[int]]:
    """Hands, what the Scientist has just drawn among them."""
    results = [cards(int(x)) for x in s.hand]
    results[int(s.active)] |= {c for c in s.got.tolist() if c >= 0}
    return results
