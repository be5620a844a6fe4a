"""Strategies: known answers of the reference player (RO-14), what it decides row by row (RO-12.2), and what the
others do."""

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
from simkit.engine.kernel import WORK
from simkit.engine.lineups import parse_lineup
from simkit.engine.rng import open_streams, purposes
from simkit.engine.rule_helpers import OVER
from simkit.engine.table import GameTable
from simkit.games.red_outpost import game
from simkit.games.red_outpost.facts import Decision, Location, Resource, Worker
from tests.of_games.asking import answer

from . import positions
from .positions import given

SLOW = pytest.mark.slow
FULL = {"ruleset": "full_game", "special_location_cards": 3, "special_worker_cards": 1}


class Position:
    """A game stepped by hand; `fields` are laid over the start."""

    game = game

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

    def answer(self, name: str = "reference_greedy", luck: int = 1, **weights: str) -> int:
        return answer(self, name, luck, **weights)


def view_of(position: Any) -> Any:
    """What the seat to decide sees."""
    result = np.zeros(1, game.state_dtype)[0]
    game.observe(position.s, position.rules, int(position.s.seat), result)
    return result


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


def scores(position: Any) -> dict[int, int]:
    """M after each MOVE as the reference player sees it."""
    view, legal = view_of(position), np.array(position.legal())
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


def test_what_a_move_is_worth():
    """RO-12.2 MOVE: moods, cubes and crystals that are certain, and what the place promises."""
    result = scores(given())
    expected = {
        "farmer spaceship": -4 + 5, "farmer palace": 4 + 2, "commissar palace": 2, "farmer beer_house": 8 + 1,
        "commissar beer_house": -4 + 1, "farmer storehouse": 2, "farmer administration": 2,
        "bureaucrat administration": 2, "farmer lake": -4 + 5, "fisherman lake": 8,
        "shepherd labor_camp": -8 + 3 * 2, "miner mine": 2 * 2, "farmer pasture": -4 + 2,
    }  # fmt: skip
    moves = {name: positions.move(*name.split()) for name in expected}
    assert {name: result[a] for name, a in moves.items()} == expected
    poor = scores(given(crystals=[0, 0]))
    assert [poor[moves[name]] for name in ("farmer palace", "farmer beer_house")] == [4, 8]


def at(worker: str, place: str, *words: str, **position: Any) -> positions.Position:
    """A position in which seat 0 has moved, and decided as the words say."""
    return given(**position).when(0, f"{worker} {place}", *words)


def at_dawn(**moods: int) -> positions.Position:
    """The end of a Morning: seat 0 holds card 12 and leads the Miner; all but Miner and Farmer sleep, mood 1 or more."""
    at, disks = {"miner": "mine"}, {0: {"miner": 1}}
    position = given(
        at, moods, flat="miner", disks=disks, cards={0: [12]}, phase="morning", turn=1, seat=1,
    )  # fmt: skip
    return position.when(1, "farmer storehouse", "store nothing")


LED = {"disks": {0: {"farmer": 1}, 1: {"miner": 1}}}  # the own worker and the other one (G2)
OPPOSED = {0: {"miner": 1}, 1: {"farmer": 1}}
LED_BY = ("shepherd", "farmer", "fisherman", "miner", "bureaucrat")
FOUR = dict.fromkeys(("wool", "wheat", "fish", "coal"), 1)
REFERENCE = {
    "DISK released from card 6": (at("miner", "mine", cards={0: [6]}, card_disk=[1]), 2),
    "DISK stored on card 6 never": (at("miner", "administration", cards={0: [6]}), 0),
    "DISK forgone with card 11": (at("miner", "labor_camp", cards={0: [11]}), 3),
    "ALT card 1 for a mood instead of a cube": (at("miner", "pasture", cards={0: [1]}), 1),
    "ALT card 4 not for two crystals instead of two steps": (at("miner", "beer_house", cards={0: [4]}), 0),
    "ALT card 4 where the mood is at its top": (at("miner", "beer_house", cards={0: [4]}, moods={"miner": 5}), 1),
    "ALT card 8 not for the Miner": (at("miner", "mine", cards={0: [8]}), 0),
    "ALT card 8 for another": (at("farmer", "mine", cards={0: [8]}), 1),
    "PALACE for the lead": (at("farmer", "palace"), 1),
    "PALACE no more when ahead": (at("farmer", "palace", palace=[1, 0]), 0),
    "PALACE to be level": (at("farmer", "palace", palace=[0, 1]), 1),
    "PALACE card 2 a crystal on a portrait": (
        at("farmer", "palace", cards={0: [2]}, palace=[1, 0], moods={"miner": 5}, disks={1: {"miner": 1}}), 5,
    ),
    "FARM_RES what is exported": (at("miner", "farm", cards={0: [3]}, store={"fish": 2}), 2),
    "FARM_RES the dearer export": (at("miner", "farm", cards={0: [3]}, store={"fish": 2, "coal": 2}), 2),
    "FARM_RES lowest among equals": (at("miner", "farm", cards={0: [3]}), 0),
    "BEER_GAIN the own worker": (at("commissar", "beer_house", **LED), 2),
    "BEER_GAIN not where a crystal is worth more": (at("commissar", "beer_house", moods={"commissar": 5}, disks={0: dict.fromkeys(LED_BY, 1)}), 0),
    "BEER_LOSE the other's worker": (at("commissar", "beer_house", "beer farmer", **LED), 3),
    "STORE_OPT nothing": (at("commissar", "storehouse"), 0),
    "STORE_OPT a cube for two moods": (at("commissar", "storehouse", store={"wool": 1}, **LED), 1),
    "STORE_OPT a cube for a crystal": (
        at("commissar", "storehouse", store={"wool": 1}, moods={"commissar": -5}, crystals=[0, 1]), 1,
    ),
    "STORE_OPT a crystal for an export": (at("commissar", "storehouse", store={"fish": 2}, **LED), 11),
    "STORE_GAIN the own worker": (at("commissar", "storehouse", "mood wool", store={"wool": 1}, **LED), 1),
    "STORE_LOSE the other's worker": (
        at("commissar", "storehouse", "mood wool", "better farmer", store={"wool": 1}, **LED), 3,
    ),
    "SHIP_RES what is exported": (at("farmer", "spaceship", ship=[9], store={"coal": 2}), 3),
    "SHIP_EXPORT the dearest": (at("miner", "spaceship", cards={0: [7]}, store=FOUR, ship=[0]), 3),
    "MINER_EXTRA what is exported": (at("miner", "farm", cards={0: [16]}, store={"wheat": 1}), 2),
    "MINER_EXTRA not for the mood it costs": (at("miner", "farm", cards={0: [16]}), 0),
    "LAKE_SRC two fish of the discard pile": (at("miner", "lake", cards={0: [10]}, lake=[0, 0, 0]), 3),
    "LAKE_SRC else one": (at("miner", "lake", cards={0: [10]}, lake=[0, 0, 2]), 2),
    "LAKE_SRC else the deck": (at("miner", "lake", cards={0: [10]}, lake=[0, 1, 1, 2]), 0),
    "LAKE_PRE never": (at("fisherman", "lake", lake=[0, 1, 2]), 0),
    "LAKE_PICK the more fish": (at("fisherman", "lake", "leave", lake=[0, 1, 2]), 1),
    "LAKE_PICK the first card": (at("fisherman", "lake", "leave", lake=[2, 1, 0]), 0),
    "LAKE_POST never": (at("fisherman", "lake", "leave", "second", lake=[0, 1, 2]), 0),
    "FISH_WORKER never": (at("fisherman", "mine", cards={0: [15]}), 0),
    "ADMIN_FROM a disk to the happiest": (
        at("shepherd", "administration", moods={"miner": -2, "farmer": 2}, disks=OPPOSED), 8,
    ),
    "ADMIN_FROM nothing where it gains nothing": (at("shepherd", "administration", moods={"bureaucrat": -1}, disks={1: {"farmer": 1}}), 0),
    "COMMISSAR_DONATE for the lead": (at("commissar", "farm", cards={0: [17]}), 1),
    "COMMISSAR_DONATE not when ahead": (at("commissar", "farm", cards={0: [17]}, palace=[1, 0]), 0),
    "LUNCH_DOWN never": (at("miner", "storehouse", "store nothing", phase="day1", turn=5, flat=" ".join(LED_BY).replace("miner", "commissar"), cards={0: [9]}), 0),
    "BARR_FROM a disk to the happiest who sleeps": (at_dawn(bureaucrat=3), 4),
    "BARR_TO the happiest who sleeps": (at_dawn(bureaucrat=3).when(0, "from miner"), 5),
    "BARR_FROM nothing where it gains nothing": (at_dawn(miner=5), 0),
    "ADMIN_TO the happiest": (
        at("shepherd", "administration", "take 1 farmer", moods={"miner": -2, "farmer": 2}, disks=OPPOSED), 3,
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", REFERENCE)
def test_the_reference_player(name):
    """RO-12.2, decision by decision."""
    position, expected = REFERENCE[name]
    assert len(position.legal()) > 1 and answer(position) == expected


def test_every_kind_of_decision_has_a_row():
    """RO-12.2; FISH_LOC is never asked of it, MOVE and CARD_KEEP have tests of their own."""
    kinds = {decision.name for decision in Decision} - {"none", "fish_loc", "move", "card_keep"}
    assert {position.decision for position, _ in REFERENCE.values()} == kinds


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
        view, legal, rules = view_of(position), position.legal(), position.rules
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
    after, view = np.zeros(1, game.state_dtype)[0], view_of(position)

    def features(worker: Worker, location: Location) -> list[int]:
        try_move(after, view, position.rules, 12 * worker + location)
        built = [feature(after) for feature in (cubes, wheel_vp, export_vp)]
        return [int(n) for n in (*built, mood_change(view, after), pairs(after, position.rules))]

    assert features(Worker.miner, Location.mine) == [2, 2, 3, 0, 0]
    assert features(Worker.farmer, Location.labor_camp) == [3, 2, 0, -2, 4]
    assert features(Worker.fisherman, Location.lake) == [1, 0, 0, 0, 1]
    assert features(Worker.farmer, Location.spaceship) == [0, 0, 0, -1, 1]
    position.s.mood[:] = moods(farmer=-5)
    view = view_of(position)
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
    assert result == stored and position.answer() == 4 - 1


def play(name: str, others: str, options: dict[str, Any], games: int, seats: int = 2) -> np.ndarray:
    """Final states of games, the first strategy at seat 0."""
    lineup = registry.players(game, parse_lineup(f"{name}, {others}*{seats - 1}"))
    return GameTable(game, game.rules(options or {})).play(
        lineup, 3, np.arange(games), np.zeros(games, np.int64)
    )


@pytest.mark.proof("games.red_outpost", "strategies.red_outpost")
@SLOW
@pytest.mark.parametrize("seats", [2, 3, 4])
@pytest.mark.parametrize("name", ["phase_planner", "timed_greedy"])
def test_it_beats_the_reference(name, seats):
    """Its share of the wins is above 1/k, with the interval over deals, each played from every seat (RO-15)."""
    lineup = registry.players(game, parse_lineup(f"{name}, reference_greedy*{seats - 1}"))
    table, deals, shares = GameTable(game, game.rules({"blocking": "random"})), np.arange(1500), []
    for shift in range(seats):
        wins = table.play(lineup, 5, deals, np.full(len(deals), shift))["rank"] == 1
        shares.append(wins[:, -shift % seats] / wins.sum(axis=1))
    share = np.mean(shares, axis=0)
    assert share.mean() - 1.96 * share.std() / np.sqrt(len(deals)) > 1 / seats
