"""O7-17.1 The counters of the log, kept again by hand beside random games."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
import pytest

from simkit.games.outpost_seven.facts import PAIR, Decision

from . import model
from .engine import Play
from .positions import given
from .sampling import settings
from .test_invariants import bonus_answer, copied

PER_REPAIR = [
    "bonus_A",
    "bonus_R",
    "bonus_P",
    "bonus_cascade",
    "cubes_by_payment",
    "cubes_by_place",
    "cubes_removed",
    "removal_blocked",
    "neutral_captured",
    "neutral_plays",
    "overpay_points",
    "scrap_same_colour",
    "vote_flips",
    "population_added",
]
BOTH = ["repairs", "salvages", "salvaged_cards", "salvaged_value", "turns"]


class Ledger:
    """What happened, counted from the states before and after each action."""

    def __init__(self, options: dict[str, Any], deal: int) -> None:
        self.play = Play.begin(options, seed=41, deal=deal)
        self.rules = self.play.rule_facts
        self.game: Counter[str] = Counter()
        self.seats: list[Counter[str]] = [Counter(), Counter()]
        self.leader = -1
        self.repair: tuple[Any, int, list[Any]] | None = None

    def run(self) -> None:
        was = copied(self.play.facts)
        if was.decision >= Decision.main:
            self.note_hands(was)
        for _, action in self.play.steps(np.random.default_rng(2)):
            s = self.play.facts
            self.note(was, s, action)
            was = copied(s)

    def both(self, seat: int, name: str, n: int = 1) -> None:
        self.game[name] += n
        self.seats[seat][name] += n

    def note(self, was: Any, s: Any, action: int) -> None:
        seat = was.seat
        if was.decision < Decision.main and s.decision >= Decision.main:
            self.note_hands(s)
        if was.decision == Decision.main and 0 < action < PAIR:
            self.both(seat, "salvages")
            for slot in range(was.offer_n):
                if action >> slot & 1:
                    self.both(seat, "salvaged_cards")
                    self.both(seat, "salvaged_value", int(self.rules.value[was.offer[slot]]))
        if was.decision == Decision.cell:
            self.both(seat, "repairs")
            self.repair = (was, action, [])
        elif was.decision == Decision.bonus and self.repair:
            self.repair[2].append(bonus_answer(action))
        if self.repair and s.decision != Decision.bonus:
            self.note_repair(*self.repair)
            self.repair = None
        if (was.decision == Decision.main and action < PAIR) or (
            was.decision in (Decision.cell, Decision.bonus) and s.decision != Decision.bonus
        ):
            self.both(seat, "turns")
            self.note_leader(s)

    def note_hands(self, s: Any) -> None:
        for seat in range(2):
            self.seats[seat]["kept_cards"] = s.hand_n[seat]
            self.seats[seat]["kept_total"] = sum(
                int(self.rules.value[c]) for c in s.hand[seat, : s.hand_n[seat]]
            )

    def note_repair(self, was: Any, cell: int, answers: list[Any]) -> None:
        count = model.repair(was, self.rules, cell, lambda table: model.by_procedure(table, answers)).count
        self.game["chain_max"] = max(self.game["chain_max"], count.pop("chain_max", 0))
        self.game.update(count)

    def note_leader(self, s: Any) -> None:
        """Equality keeps the leader; the first leader is no change."""
        score = [
            sum(int(s.pop[i]) for i in range(self.rules.lines) if s.vote[i] == seat) for seat in range(2)
        ]
        leader = self.leader if score[0] == score[1] else int(score[1] > score[0])
        self.game["lead_changes"] += self.leader not in (-1, leader)
        self.leader = leader

    def expected(self) -> tuple[dict[str, int], list[dict[str, int]]]:
        """All counters at the end."""
        s, lines = self.play.facts, range(self.rules.lines)
        table = model.Table(s, self.rules) if s.seat >= 0 else model.Table(seated(s), self.rules)
        game = {name: self.game[name] for name in [*PER_REPAIR, *BOTH, "chain_max", "lead_changes"]}
        game["modules_on_grid"] = len(table.cards)
        game["hand_cards_left"] = int(s.hand_n.sum())
        game["lines_without_module"] = sum(not any(c in table.cards for c in table.line(i)) for i in lines)
        seats = []
        for seat in range(2):
            cubes = sum(len(table.spaces[c]) for c in table.cards if table.owner[c] == seat)
            own = {name: self.seats[seat][name] for name in [*BOTH, "kept_cards", "kept_total"]}
            won = [i for i in lines if int(s.vote[i]) == seat]
            komi = int(self.rules.komi_half_points) / 2 if seat != s.first else 0
            final_score = sum(int(s.pop[i]) for i in won) + komi
            seats.append(own | {"cubes_on_grid": cubes, "lines_won": len(won), "final_score": final_score})
        return game, seats


def seated(s: Any) -> Any:
    """The end of a game has nobody on turn, which the plain account of a table needs."""
    result = copied(s)
    result.seat = 0
    return result


SETTINGS = settings(40, seed=17)


@pytest.mark.parametrize("number", range(len(SETTINGS)))
def test_counters(number: int) -> None:
    """Every counter of O7-17.1 at the end of random games under random option settings."""
    for deal in range(2):
        ledger = Ledger(SETTINGS[number], deal)
        ledger.run()
        game, seats = ledger.expected()
        log = ledger.play.facts.log
        assert {name: log.game[name] for name in game} == game, SETTINGS[number]
        for seat in range(2):
            assert {name: log.seat[seat][name] for name in seats[seat]} == seats[seat], SETTINGS[number]


def test_first_leader_is_no_change() -> None:
    """lead_changes: who leads first, after the first turn in which the scores differ, is no change."""
    position = given(red=[3, 4], yellow=[21, 22], pop="21222|22222").when(
        "red repairs module 3 with scrap 4 at (1,0)"
    )
    position.then(scores=[13, 6], leader=0, log=dict(lead_changes=0))


@pytest.mark.parametrize(("leader", "changes"), [("red", 0), ("yellow", 1), (None, 0)])
def test_change_of_the_leader(leader: str | None, changes: int) -> None:
    """lead_changes: red is ahead after its repair."""
    position = given(red=[3, 4], leader=leader, pop="22222|22222").when(
        "red repairs module 3 with scrap 4 at (1,0)"
    )
    position.then(scores=[14, 6], leader=0, log=dict(lead_changes=changes))


@pytest.mark.parametrize("leader", ["red", "yellow"])
def test_equality_keeps_the_leader(leader: str) -> None:
    """lead_changes: with equal scores nobody takes the lead."""
    position = given(red=[6, 21], leader=leader, pop="22222|22222").when(
        "red repairs module 6 with scrap 21 at (2,2)"
    )
    position.then(scores=[10, 10], leader=["red", "yellow"].index(leader), log=dict(lead_changes=0))


def test_empty_salvage_is_a_turn_but_no_salvage() -> None:
    """salvages: empty ones are not counted."""
    position = given(red=[36, 37], offer=[12], deck=[], options=dict(allow_empty_salvage=True)).when(
        "red salvages nothing"
    )
    position.then(log=dict(salvages=0, turns=11), red_log=dict(salvages=0, turns=1, salvaged_cards=0))


def test_blocked_removal_counts_each_card_and_each_remove() -> None:
    """removal_blocked: per REMOVE and per opposing card that lost nothing."""
    grid = {(2, 1): "39 A... 1/Y", (1, 2): "25 A..P. 4/Y", (2, 3): "42 R... N"}
    position = given(grid=grid, red=[9, 12], options=dict(cubes_same_colour=3)).when(
        "red repairs module 9 with scrap 12 at (2,2)"
    )
    position.then(log=dict(bonus_R=2, removal_blocked=4, cubes_removed=0))
