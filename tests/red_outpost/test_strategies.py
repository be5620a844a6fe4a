"""Strategies: known answers of the reference player (RO-14), what it sees against a plain reckoning of M, and
what the others do."""

from __future__ import annotations

from itertools import islice, pairwise
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from of_games.driver import driver
from simkit.content.strategies.red_outpost.features import (
    cubes,
    export_vp,
    mood_change,
    others_follow,
    pairs,
    wheel_vp,
)
from simkit.content.strategies.red_outpost.mood_baron import BARON
from simkit.content.strategies.red_outpost.oneply import weighing
from simkit.content.strategies.red_outpost.palace_patron import PATRON
from simkit.content.strategies.red_outpost.saboteur import SABOTAGE
from simkit.content.strategies.red_outpost.timed import TIMED
from simkit.content.strategies.red_outpost.values import Measure, totalling
from simkit.content.strategies.red_outpost.whatif import try_move

from simkit.engine import registry
from simkit.engine.game import OVER
from simkit.engine.kernel import WORK
from simkit.engine.lineups import parse_lineup
from simkit.engine.rng import open_streams, purposes
from simkit.engine.table import GameTable
from simkit.games.red_outpost import game
from simkit.games.red_outpost.facts import Decision, Location, Resource, Worker
from simkit.verify.check import random_settings

from .plain_greedy import plain_greedy

SLOW = pytest.mark.slow
FULL = {"ruleset": "full_game", "special_location_cards": 3, "special_worker_cards": 1}


class Position:
    """A game stepped by hand; `fields` are laid over the start."""

    def __init__(self, seats: int = 2, deal: int = 0, options: dict[str, Any] | None = None, **fields: Any):
        self.rules_array, self.states = game.rules(options or {}), np.zeros(1, game.state_dtype)
        self.rng, self.ids = np.zeros(1, game.rng_dtype), np.zeros(game.max_actions, np.int64)
        open_streams(self.rng.view(np.uint64), 1, deal, purposes(game.purposes))
        driver(game).start(self.states, self.rules_array, self.rng, seats)
        self.s, self.rules = self.states[0], self.rules_array[0]
        for name, value in fields.items():
            self.s[name] = value

    def legal(self) -> np.ndarray:
        ids = self.ids[: driver(game).legal(self.states, self.rules_array, self.ids)].copy()
        ids.flags.writeable = False
        return ids

    def apply(self, action: int) -> Position:
        driver(game).step(self.states, self.rules_array, self.rng, action)
        return self

    def visit(self, worker: Worker, location: Location) -> Position:
        """The seat to decide moves a worker, mood unchanged: what the place itself would change is undone."""
        mood = self.s.mood.copy()
        self.apply(12 * worker + location)
        self.s.mood[:] = mood
        return self

    def view(self) -> Any:
        views = np.zeros(1, game.state_dtype)
        driver(game).observe(self.states, self.rules_array, self.s.seat, views)
        return views[0]

    def answer(self, name: str = "reference_greedy", luck: int = 1, **weights: str) -> int:
        """What a strategy decides here; all but the reference player run as plain Python."""
        player = registry.strategy(game, name).player(game, weights)
        numbers, words = player.weights.copy(), np.full(1, luck, np.uint64)
        numbers.flags.writeable = False
        scratch, memo = np.zeros(game.scratch, game.state_dtype), np.zeros(game.memo, np.int64)
        work = np.zeros(WORK, np.int64)
        decide = player.decide if name == "reference_greedy" else player.decide.function
        return int(decide(self.view(), self.rules, self.legal(), numbers, words, scratch, memo, work))


def disks(**seats: dict[str, int]) -> np.ndarray:
    """Disks on portraits: disks(a=dict(farmer=1), b=dict(miner=2))."""
    result = np.zeros((4, 6), np.int8)
    for seat, some in seats.items():
        for worker, n in some.items():
            result["abcd".index(seat), Worker[worker]] = n
    return result


def moods(**values: int) -> np.ndarray:
    """Places on the default track, from the victory points."""
    result = np.full(6, 5)
    for worker, value in values.items():
        result[Worker[worker]] += value
    return result


def scores(position: Position) -> dict[int, int]:
    """M after each MOVE as the reference player sees it."""
    view, legal = position.view(), position.legal()
    copy, result = np.zeros(1, game.state_dtype)[0], np.zeros(len(legal), np.int64)
    weighing(Measure())(view, position.rules, legal, 0, (), copy, np.zeros(WORK, np.int64), result)
    return dict(zip(legal.tolist(), result.tolist(), strict=True))


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_g1_the_first_move(seats):
    position = Position(seats)
    result = scores(position)
    expected = {33: 8, 43: 4, 65: 2, 0: 2, 4: 2, 22: -2, 12: -2}
    assert len(result) == 42
    assert {a: result[a] for a in expected} == {a: n * (seats - 1) for a, n in expected.items()}
    assert position.answer() == 33


def test_g2_a_swap_at_the_beer_house():
    position = Position(block_morning=0).visit(Worker.commissar, Location.beer_house)
    position.s.infl[:] = disks(a=dict(farmer=1), b=dict(miner=1))
    assert position.s.decision == Decision.beer_gain
    assert position.answer() == 2
    assert position.apply(2).answer() == 3


def test_g3_uses_of_the_storehouse():
    position = Position(crystals=[0, 1, 0, 0], store=[1, 0, 0, 0])
    position.visit(Worker.commissar, Location.storehouse)
    position.s.infl[:] = disks(a=dict(farmer=1), b=dict(miner=1))
    assert position.legal().tolist() == [0, 1, 5] and position.answer() == 1
    position.s.crystals[0], position.s.store[Resource.fish] = 1, 2
    assert position.answer() == 11


def test_g4_a_disk_moved_at_the_administration():
    position = Position(mood=moods(miner=-2, farmer=2))
    position.visit(Worker.shepherd, Location.administration)
    position.s.infl[:] = disks(a=dict(miner=1), b=dict(farmer=1))
    assert position.s.decision == Decision.admin_from
    assert position.answer() == 8
    assert position.apply(8).answer() == 3


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_the_reference_player_against_a_plain_one(seats):
    """In games of random moves, all cards dealt: each decision that the specification defines."""
    seen = set()
    for deal in range(6):
        position, random = Position(seats, deal, FULL), np.random.default_rng(deal)
        while position.s.seat != OVER:
            ids = position.legal()
            if len(ids) > 1:
                seen.add(Decision(int(position.s.decision)).name)
                assert position.answer() == plain_greedy(position.s, ids.tolist()), (
                    deal,
                    position.s.decision,
                )
            position.apply(int(random.choice(ids)))
    assert len(seen) > 20, seen


NAMES = [
    "mood_baron", "palace_patron", "phase_planner", "producer", "random", "reference_greedy", "rollout",
    "saboteur", "set_finisher", "timed_greedy",
]  # fmt: skip
SPECIFIED = ("random", "reference_greedy")
MEASURES = {"reference": Measure(), "timed": TIMED, "baron": BARON, "saboteur": SABOTAGE, "patron": PATRON}
WEIGHTS = SimpleNamespace(focus=3, spite=0.6)


def decisions(seats: int, deals: int, kind: Decision, options: dict[str, Any] | None = None) -> Any:
    """Positions of games of random moves in which that is to be decided."""
    for deal in range(deals):
        position, luck = Position(seats, deal, options), np.random.default_rng(deal)
        while position.s.seat != OVER:
            ids = position.legal()
            if position.s.decision == kind and len(ids) > 1:
                yield position
            position.apply(int(luck.choice(ids)))


@pytest.mark.parametrize("name", MEASURES)
def test_moves_are_weighed_as_the_positions_after_them(name):
    """What is reckoned move by move is M of the position after the move, and the bonus."""
    measure, (copy, after) = MEASURES[name], np.zeros(2, game.state_dtype)
    for position in islice(decisions(3, 1, Decision.move, FULL), 0, None, 5):
        view, legal, rules = position.view(), position.legal(), position.rules
        mind, result = measure.outlook(view, rules, WEIGHTS), np.zeros(len(legal), np.int64)
        weighing(measure)(view, rules, legal, mind, WEIGHTS, copy, np.zeros(WORK, np.int64), result)
        before = totalling(measure)(view, rules, mind, WEIGHTS)
        for action, score in zip(legal.tolist(), result.tolist(), strict=True):
            try_move(after, view, rules, action)
            worth = measure.bonus(view, rules, action // 12, action % 12, mind, WEIGHTS) + measure.more(after)
            worth *= measure.counts(view, view.seat, mind, WEIGHTS)
            assert before + score == worth + totalling(measure)(after, rules, mind, WEIGHTS)


def test_features_of_a_move():
    """The Miner in the Mine completes a set and turns the wheel; a Labor Camp leaves three pairs (RO-15)."""
    position = Position(store=[1, 1, 1, 2], wheel=[2, 0, 0, 0])
    after, view = np.zeros(1, game.state_dtype)[0], position.view()

    def features(worker: Worker, location: Location) -> list[int]:
        try_move(after, view, position.rules, 12 * worker + location)
        built = [feature(after) for feature in (cubes, wheel_vp, export_vp)]
        return [int(n) for n in (*built, mood_change(view, after), pairs(after, position.rules))]

    assert features(Worker.miner, Location.mine) == [2, 2, 3, 0, 0]
    assert features(Worker.farmer, Location.labor_camp) == [3, 2, 0, -2, 4]
    assert features(Worker.fisherman, Location.lake) == [1, 0, 0, 0, 1]
    assert features(Worker.farmer, Location.spaceship) == [0, 0, 0, -1, 1]
    position.s.mood[:] = moods(farmer=-5)
    view = position.view()
    assert features(Worker.farmer, Location.labor_camp)[3] == 0


@pytest.mark.parametrize("options", [
    {}, {"day_order": "snake"}, {"first_player_pass": "round"}, {"first_player_pass": "never"},
])  # fmt: skip
def test_who_follows(options):
    """The next turn is another seat's, the own one, or there is none (RO-3.2, RO-3.3, RO-15)."""
    copy = np.zeros(1, game.state_dtype)[0]
    for seats in (2, 3, 4):
        message, seat = [], []
        for position in decisions(seats, 1, Decision.move, {"blocking": "none", **options}):
            message.append(bool(others_follow(position.s, position.rules, copy)))
            seat.append(int(position.s.seat))
        assert message == [a != b for a, b in pairwise(seat)] + [False]


def store(position: Position, **fields: Any) -> Position:
    """The Commissar is at the Storehouse, with other fields."""
    position.visit(Worker.commissar, Location.storehouse)
    for name, value in fields.items():
        position.s[name][: len(value)] = value
    return position


@pytest.mark.parametrize(("name", "cubes", "crystals", "expected"), [
    ("producer", [1, 2, 0, 2], 1, 10),  # wheat scores 4, coal 3
    ("producer", [0, 1, 1, 0], 1, 6),
    ("producer", [0, 0, 0, 0], 1, 0),
    ("set_finisher", [2, 0, 2, 0], 1, 11),
    ("set_finisher", [2, 1, 2, 0], 0, 7),
    ("set_finisher", [1, 1, 0, 0], 1, 0),
    ("palace_patron", [2, 1, 1, 0], 1, 9),
    ("palace_patron", [0, 2, 0, 1], 0, 8),
    ("palace_patron", [2, 2, 0, 0], 0, 5),
    ("palace_patron", [0, 0, 0, 2], 1, 8),  # coal scores 3
])  # fmt: skip
def test_uses_of_the_storehouse(name, cubes, crystals, expected):
    position = store(Position(), store=cubes, crystals=[crystals])
    assert position.answer(name) == expected


def test_the_finisher_leaves_a_pair_for_itself():
    """Before the own turn, as seat 1 at the end of the Morning of round 1, nothing is spoilt."""
    position = Position()
    position.apply(12 * Worker.shepherd + Location.labor_camp)
    assert store(position, store=[2, 1, 2, 0], crystals=[0, 0]).answer("set_finisher") == 0


def test_the_finisher_chooses_what_completes_a_set():
    position = Position(options={"card_3": "seat_0"}, store=[2, 0, 2, 0], block_morning=0)
    position.visit(Worker.farmer, Location.farm)
    assert position.s.decision == Decision.farm_res and position.answer("set_finisher") == Resource.fish


def test_the_patron_donates_until_ahead():
    position = Position(block_morning=0).visit(Worker.farmer, Location.palace)
    assert position.answer("palace_patron") == 1
    position.s.palace[:] = [1, 1, 0, 0]
    assert position.answer("palace_patron") == 1
    position.s.palace[:] = [1, 0, 0, 0]
    assert [position.answer("palace_patron", ahead=n) for n in ("1", "2")] == [0, 1]


def test_the_baron_donates_in_the_last_round():
    position = Position(block_morning=0).visit(Worker.farmer, Location.palace)
    assert position.answer("reference_greedy") == 1 and position.answer("mood_baron") == 0
    position.s.round_no = 1
    assert position.answer("mood_baron") == 1


def test_the_saboteur_moves_disks_of_the_strongest():
    """Seat 2 is ahead: a disk of its goes from a happy worker to the unhappiest."""
    position = Position(3, mood=moods(miner=2, farmer=-3, shepherd=-1), score=[5, 5, 20, 0])
    position.visit(Worker.commissar, Location.administration)
    position.s.infl[:] = disks(b=dict(miner=2), c=dict(miner=2))
    assert position.answer("saboteur") == 1 + 12 + Worker.miner
    assert position.apply(1 + 12 + Worker.miner).answer("saboteur") == Worker.farmer


@pytest.mark.proof("games.red_outpost", "strategies.red_outpost")
@SLOW
def test_the_producer_keeps_its_crystals():
    log = play("producer", "producer", {}, 100)["log"]
    for name in ("beer_swaps", "store_mood", "palace_donations"):
        assert log["game"][name].sum() == 0


@pytest.mark.parametrize(("policy", "stored"), [("listed", {4}), ("first", {2}), ("uniform", {2, 4, 12})])
def test_card_policies(policy, stored):
    """Cards 2, 4 and 12 are dealt (RO-12.2, RO-15)."""
    position = Position(options={"special_location_choice": 3})
    position.s.dealt[0] = [12, 2, 4]
    assert position.s.decision == Decision.card_keep
    result = {1 + position.answer("producer", luck, cards=policy) for luck in range(40)}
    assert result == stored


def play(name: str, others: str, options: dict[str, Any], games: int, seats: int = 2) -> np.ndarray:
    """Final states of games, the first strategy at seat 0."""
    lineup = [registry.player(game, named) for named in parse_lineup(f"{name}, {others}*{seats - 1}")]
    return GameTable(game, game.rules(options or {})).play(
        lineup, 3, np.arange(games), np.zeros(games, np.int64)
    )


def test_every_strategy_is_tested_below():
    assert sorted(registry.scripted(game)) == NAMES


@pytest.mark.proof("games.red_outpost", "strategies.red_outpost")
@pytest.mark.parametrize("name", [pytest.param(n, marks=() if n in SPECIFIED else SLOW) for n in NAMES])
def test_every_strategy_plays_legally(name):
    """50 games at each number of seats, random options and full hands; the kernel refuses what is not legal."""
    weighted = f"{name}(samples=1)" if name == "rollout" else name
    for seats in (2, 3, 4):
        for setting in [{}, *(s | FULL for s in random_settings(game, 9, seats))]:
            states = play(weighted, weighted, setting, 5, seats)
            assert (states["seat"] == OVER).all()
            assert not any(game.problems(s, game.rules(setting)[0]) for s in states)


@pytest.mark.proof("games.red_outpost", "strategies.red_outpost")
@SLOW
@pytest.mark.parametrize("seats", [2, 3, 4])
@pytest.mark.parametrize("name", ["phase_planner", "timed_greedy"])
def test_it_beats_the_reference(name, seats):
    """Its share of the wins is above 1/k, with the interval over deals, each played from every seat (RO-15)."""
    lineup = [registry.player(game, named) for named in parse_lineup(f"{name}, reference_greedy*{seats - 1}")]
    table, deals, shares = GameTable(game, game.rules({"blocking": "random"})), np.arange(1500), []
    for shift in range(seats):
        wins = table.play(lineup, 5, deals, np.full(len(deals), shift))["rank"] == 1
        shares.append(wins[:, -shift % seats] / wins.sum(axis=1))
    share = np.mean(shares, axis=0)
    assert share.mean() - 1.96 * share.std() / np.sqrt(len(deals)) > 1 / seats
