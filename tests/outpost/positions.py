"""Positions of Outpost for given / when / then rows.

    given(hands=["T13 T13 T12 T7", "T10 T10 T10"], market={"nodule": 1})
        .when(0, "open nodule", "bid").when(1, "pass")
        .then(wealth=[20, 30], upgrades={0: {"nodule": 1}})

Cards are written by product and value (`O1`, `OM40`), mega-cards `mega:W`, IOUs `iou:W`. All cards that a
position does
not name lie in the draw piles. The position is the first seat's turn to act, in the order of the seats.
"""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
from of_games.driver import driver

from simkit.games.outpost import game
from simkit.games.outpost.facts import (
    DONE,
    FACTORY_NAMES,
    IOU,
    KINDS,
    MEGA,
    REAL,
    SITE_NAMES,
    UPGRADE_NAMES,
    Bid,
    Decision,
    Honor,
    Main,
    Response,
    Step,
    Thing,
)
from tests.of_games import stepping

LETTERS = ("O", "W", "T", "R", "M", "N", "OM", "RO", "MO")
THINGS = {**{thing.name: thing for thing in Thing}, "robots": Thing.robot}
WORDS = {
    "end": Main.end, "deal": Main.water_deal, "attack": Main.attack, "pass": Bid.drop, "bid": Bid.least,
    "jump": Bid.jump, "done": DONE, "default": Honor.default, "honor": Honor.pay,
    "keep out": Response.keep_out, "join": Response.join, "defend": Response.defend,
}  # fmt: skip


def rules_of(options: dict[str, Any] | None = None) -> np.ndarray:
    """The rules record for these options over the defaults, array of length 1."""
    return stepping.rules_of(game, options)


def kind_of(text: str) -> int:
    """The kind of a card as written."""
    if ":" in text:
        what, letter = text.split(":")
        return IOU + LETTERS.index(letter) if what == "iou" else MEGA + ("W", "T", "N").index(letter)
    letter = text.rstrip("0123456789")
    rules = rules_of()[0]
    values = [int(v) for v in rules.value[:REAL]]
    first, end = int(rules.start[LETTERS.index(letter)]), int(rules.start[LETTERS.index(letter) + 1])
    return first + values[first:end].index(int(text[len(letter) :]))


def counts(cards: str) -> np.ndarray:
    """How many cards of each kind."""
    result = np.zeros(KINDS, np.int64)
    for text, n in Counter(cards.split()).items():
        result[kind_of(text)] += n
    return result


def luck(seed: int, deal: int) -> np.ndarray:
    return stepping.luck(game, seed, deal)


class Position:
    """A game stepped by hand."""

    game = game

    def __init__(self, options: dict[str, Any] | None = None, seats: int = 2, deal: int = 0) -> None:
        self.options = options or {}
        self.rules_array, self.rng = rules_of(options), luck(1, deal)
        self.states = np.zeros(1, game.state_dtype)
        driver(game).start(self.states, self.rules_array, self.rng, seats)
        self.ids = np.zeros(game.max_actions, np.int64)
        self.s, self.rules = self.states[0], self.rules_array[0]

    @property
    def decision(self) -> str:
        return Decision(int(self.s.decision)).name

    def legal(self) -> list[int]:
        n = driver(game).legal(self.states, self.rules_array, self.ids)
        results = [int(a) for a in self.ids[:n]]
        assert results == sorted(set(results)) and results
        return results

    def apply(self, action: int) -> None:
        driver(game).step(self.states, self.rules_array, self.rng, action)

    def view(self, seat: int) -> np.ndarray:
        """What a seat sees at its first look."""
        views = np.zeros(1, game.state_dtype)
        driver(game).observe(self.states, self.rules_array, seat, views)
        return views

    def redealt(self, seat: int, stream: int) -> np.ndarray:
        views = self.view(seat)
        driver(game).redeal(views, self.rules_array, seat, np.array([stream], np.uint64))
        return views

    def problems(self) -> list[str]:
        return game.problems(self.s, self.rules)

    def when(self, seat: int, *words: str) -> Position:
        """Decisions of a seat, in words; each must be legal."""
        for text in words:
            assert int(self.s.seat) == seat, f"{text!r}: seat {self.s.seat} is to decide ({self.decision})"
            action = self.action(text)
            assert action in self.legal(), (
                f"{text!r}: {action} is not legal ({self.decision}): {self.legal()}"
            )
            self.apply(action)
        return self

    def action(self, text: str) -> int:
        first, _, rest = text.partition(" ")
        if text.lstrip("-").isdigit():
            return int(text)
        if first == "open":
            return Main.open + UPGRADE_NAMES.index(rest)
        if first == "buy":
            return Main.buy + THINGS[rest]
        if first in ("card", "pay", "drop"):
            return kind_of(rest)
        return WORDS[text]

    def finish_turn(self, *, least: bool = False) -> Position:
        """All seats end their turns; every other decision takes its highest (or lowest) id; to the start of
        the next turn."""
        turn = int(self.s.turn)
        while self.s.turn == turn and self.s.seat >= 0:
            ids = self.legal()
            self.apply(0 if self.decision == "main" else ids[0] if least else ids[-1])
        return self

    def fact(self, name: str) -> Any:
        s, n = self.s, int(self.s.seats)
        expected = {
            "decision": lambda: self.decision,
            "seat": lambda: int(s.seat),
            "order": lambda: [int(x) for x in s.order[:n]],
            "wealth": lambda: [int(x) for x in s.wealth[:n]],
            "score": lambda: [int(x) for x in s.score[:n]],
            "rank": lambda: [int(x) for x in s.rank[:n]],
            "population": lambda: [int(x) for x in s.population[:n]],
            "robots": lambda: [int(x) for x in s.robots[:n]],
            "legal": self.legal,
            "market": lambda: {UPGRADE_NAMES[t]: int(k) for t, k in enumerate(s.market) if k},
            "supply": lambda: [int(x) for x in s.supply],
            "phase": lambda: int(s.phase),
            "turn": lambda: int(s.turn),
            "bid": lambda: int(s.bid),
            "threshold": lambda: int(s.threshold),
            "problems": self.problems,
        }
        return expected[name]()

    def then(self, **expected: Any) -> Position:
        """Compare what is expected; no invariant may be broken."""
        results = []
        for name, value in expected.items():
            for text, want, now in self._facts(name, value):
                if want != now:
                    results.append(f"{text}: expected {want!r}, is {now!r}")
        results += [] if "problems" in expected else self.problems()
        assert not results, "\n".join(results)
        return self

    def _facts(self, name: str, value: Any) -> Any:
        if name == "log":
            log = self.s.log.game
            yield from ((f"log {k}", v, int(log[k])) for k, v in value.items())
        elif name in ("upgrades", "factories", "operated"):
            names = {"upgrades": UPGRADE_NAMES, "factories": FACTORY_NAMES, "operated": SITE_NAMES}[name]
            for seat, some in value.items():
                yield from (
                    (f"{name} of {seat}, {k}", v, int(self.s[name][seat, names.index(k)]))
                    for k, v in some.items()
                )
        elif name == "hands":
            yield from (
                (f"hand of {seat}", counts(cards).tolist(), self.s.hand[seat].tolist())
                for seat, cards in value.items()
            )
        else:
            yield name, value, self.fact(name)


def given(
    hands: list[str] | None = None,
    market: dict[str, int] | None = None,
    supply: dict[str, int] | None = None,
    upgrades: dict[int, dict[str, int]] | None = None,
    factories: dict[int, dict[str, int]] | None = None,
    operated: dict[int, dict[str, int]] | None = None,
    options: dict[str, Any] | None = None,
    seats: int | None = None,
    deal: int = 0,
    discard: str = "",
    **fields: Any,
) -> Position:
    """A position in the actions of the first seat; what is not named is as at the start, hands empty, all
    supply gone."""
    hands = hands or []
    position = Position(options, seats or max(2, len(hands)), deal)
    s, rules = position.s, position.rules
    n = int(s.seats)
    s.order[:n] = range(n)
    s.step, s.at, s.decision, s.seat = Step.actions, 0, Decision.main, 0
    _lay_cards(s, rules, hands, discard)
    _lay_upgrades(s, market or {}, supply or {}, upgrades or {})
    for seat, some in (factories or {}).items():
        s.factories[seat] = [some.get(name, 0) for name in FACTORY_NAMES]
        s.operated[seat] = 0
    for seat, some in (operated or {}).items():
        s.operated[seat] = [some.get(name, 0) for name in SITE_NAMES]
    for name, value in fields.items():
        if isinstance(value, list):
            s[name][: len(value)] = value
        else:
            s[name] = value
    for seat in range(n):
        s.score[seat] = sum(int(s.upgrades[seat, t]) * int(rules.vp[t]) for t in range(10))
        s.score[seat] += sum(int(s.operated[seat, i]) * int(rules.site_vp[i]) for i in range(8))
    return position


def _lay_cards(s: Any, rules: Any, hands: list[str], discard: str) -> None:
    s.hand[:] = 0
    for seat, cards in enumerate(hands):
        s.hand[seat] = counts(cards)
    s.discard[:] = counts(discard)[:REAL]
    left = rules.copies - s.discard - s.hand[:, :REAL].sum(axis=0)
    assert (left >= 0).all(), "more cards than there are"
    s.draw[:] = left
    product = np.array(rules.product_of)
    s.pile[:] = [int(left[product[:REAL] == p].sum()) for p in range(9)]
    s.cards[:] = [[int(row[product == p].sum()) for p in range(9)] for row in s.hand]
    s.wealth[:] = s.hand @ np.array(rules.value, np.int64)
    s.load[:] = s.hand @ np.array(rules.units, np.int64)
    s.mega_out[:] = s.hand[:, MEGA:IOU].sum(axis=0)


def _lay_upgrades(
    s: Any, market: dict[str, int], supply: dict[str, int], upgrades: dict[int, dict[str, int]]
) -> None:
    s.market[:] = [market.get(name, 0) for name in UPGRADE_NAMES]
    s.supply[:] = [supply.get(name, 0) for name in UPGRADE_NAMES]
    s.upgrades[:] = 0
    for seat, some in upgrades.items():
        s.upgrades[seat] = [some.get(name, 0) for name in UPGRADE_NAMES]
    s.destroyed[:] = 0
    s.supply_start[:] = s.supply + s.market + s.upgrades.sum(axis=0)
    s.log.game.sold = s.upgrades.sum()
    seen = [*market, *(name for some in upgrades.values() for name in some)]
    s.phase = max(
        [
            1,
            *(
                3 if UPGRADE_NAMES.index(name) >= 10 else 2 if UPGRADE_NAMES.index(name) >= 4 else 1
                for name in seen
            ),
        ]
    )


def batch(options: dict[str, Any], lineup: str, games: int, seed: int = 1) -> np.ndarray:
    """Final states of whole games."""
    from simkit.engine import registry
    from simkit.engine.lineups import parse_lineup
    from simkit.engine.table import GameTable

    players = registry.players(game, parse_lineup(lineup))
    return GameTable(game, rules_of(options)).play(players, seed, np.arange(games), np.zeros(games, np.int64))
