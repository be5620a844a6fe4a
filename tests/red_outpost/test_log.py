"""The counters of the log (RO-17.1) on turns made by hand, and the columns of the tables."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest

from simkit.games.red_outpost import game
from simkit.runs import experiment, log
from simkit.runs.plan import make_plan

from .positions import LOCATIONS, RESOURCES, WORKERS, Position, Walk, given, numbers

GAMES = [
    "decisions", "turns", "end_reason", "legal_moves", "no_legal_move", "no_disk_left", "tokens_morning",
    "tokens_evening", *(f"visits_{name}" for name in LOCATIONS), *(f"vp_at_{name}" for name in LOCATIONS),
    *(f"moved_{name}" for name in WORKERS), *(f"produced_{name}" for name in RESOURCES),
    *(f"added_{name}" for name in RESOURCES), "exports", *(f"exports_{name}" for name in RESOURCES),
    "export_vp", "exports_repeat", "foreign_cubes_exported", "wheel_rewards", "crystals_gained",
    "crystal_supply_empty", "crystals_paid", "palace_donations", "beer_swaps", "store_mood",
    "store_to_crystal", "store_from_crystal", "admin_moves", "lake_cards", "lake_fish", "lake_auto_shuffles",
    "lake_voluntary_shuffles", "lake_forced_shuffles", "ship_blanks_drawn", "ship_reshuffles", "mood_up",
    "mood_down", "mood_clamped", *(f"mood_{name}" for name in WORKERS), "round_mood_vp", "workers_unled",
    "workers_tied", "slept_in", "tiebreak_needed", "winning_margin", "leader_vp_after_round_1", "comeback",
    "lead_changes", *(f"card_{n}_uses" for n in range(1, 19)),
]  # fmt: skip
SEATS = [
    "turns", *(f"visits_{name}" for name in LOCATIONS), *(f"moved_{name}" for name in WORKERS), "exports",
    "foreign_cubes_exported", "wheel_rewards", "crystals_gained", "crystals_paid", "vp_wheel", "vp_export",
    "vp_mood", "vp_palace", "vp_crystals", "vp_after_round_1", "crystals_end", "donated", "cubes_produced",
    "cubes_added", "workers_led", "workers_led_alone", "disks_shifted", "location_card",
    "worker_card", "cards",
]  # fmt: skip


@cache
def tables(seats=3):
    """Games and seats table of a random game."""
    decided = experiment.parse(
        {"question": "?", "game": "red_outpost", "deals": 1, "lineups": [f"random*{seats}"]}
    )
    cell = make_plan(decided).cells[0]
    walks = [Walk({}, seats, deal).to_the_end() for deal in range(1)]
    states = np.concatenate([walk.states for walk in walks])
    key = game, cell, np.arange(1), np.zeros(1, np.int64), states
    return log.games_table(*key), log.seats_table(*key), walks


def test_columns_have_the_names_of_the_specification():
    assert sorted(numbers(game.game_fields, Position().s.log.game)) == sorted(GAMES)
    assert sorted(numbers(game.log.seat, Position().s.log.seat[0])) == sorted(SEATS)
    games, seats, _ = tables()
    assert set(GAMES) <= set(games.column_names) and set(SEATS) <= set(seats.column_names)
    assert len(set(games.column_names)) == len(games.column_names)


def test_columns_hold_what_was_counted():
    games, seats, walks = tables()
    for i, walk in enumerate(walks):
        row, log = games.to_pylist()[i], walk.game_log()
        assert row["end_reason"] == "rounds_played"
        assert not [name for name in GAMES if name != "end_reason" and row[name] != log[name]]
        for seat in range(3):
            own = seats.to_pylist()[3 * i + seat]
            assert not [name for name in SEATS if own[name] != walk.seat_log(seat)[name]]
            assert own["score"] == 5 + sum(
                own[f"vp_{source}"] for source in ("wheel", "export", "mood", "palace", "crystals")
            )


def test_moves_and_turns():
    """legal_moves: of all turns, forced ones too; visits by location, turns by worker."""
    walk, ids = Walk({"rounds": 1}, 3, 2), 0
    visits, moved = dict.fromkeys(LOCATIONS, 0), dict.fromkeys(WORKERS, 0)
    for kind, _, legal, action in walk.steps():
        if kind == "move":
            ids += len(legal)
            moved[WORKERS[action // 12]] += 1
            visits[LOCATIONS[action % 12]] += 1
    log = walk.game_log()
    assert log["legal_moves"] == ids and log["turns"] == 21
    assert {name: log[f"visits_{name}"] for name in LOCATIONS} == visits
    assert {name: log[f"moved_{name}"] for name in WORKERS} == moved


def test_tokens():
    """tokens_morning, tokens_evening: bit L for location L."""
    log = Position().game_log()
    assert log["tokens_morning"] == 1 << 6 | 1 << 1 | 1 << 3 and log["tokens_evening"] == 1 << 2 | 1 | 1 << 9
    none = Position({"blocking": "none"}).game_log()
    assert none["tokens_morning"] == none["tokens_evening"] == 0


def test_foreign_cubes():
    """T24: cubes leave oldest first, also when discarded; two wool of seat 1 and one of seat 0: 1 foreign."""
    position = given(store={"wool": 2}, put_by={"wool": [1, 0]}).when(0, "miner storehouse", "sell wool")
    assert position.s.put_by[0].tolist() == [0, -1, -1, -1]
    position.when(1, "shepherd pasture").then(log={"exports": 0})
    position.when(0, "farmer mine").when(1, "bureaucrat labor_camp")
    position.then(
        log={"exports": 1, "exports_wool": 1, "foreign_cubes_exported": 1}, vp=[5, 5 + 4 + 2],
        seat_log={1: {"foreign_cubes_exported": 1, "exports": 1}, 0: {"foreign_cubes_exported": 0}},
    )  # fmt: skip


def test_foreign_cubes_of_added_exports():
    """foreign_cubes_exported: of all that leave; card 7: four; a cube given for mood leaves oldest first."""
    bought = given(store={"coal": 2}, put_by={"coal": [1, 1]}).when(0, "miner storehouse", "buy coal")
    bought.then(log={"foreign_cubes_exported": 2})
    store = dict.fromkeys(RESOURCES, 1)
    four = given(
        store=store, put_by={"wool": [1], "wheat": [0], "fish": [1], "coal": [1]}, cards={0: [7]}, ship=[0]
    )
    four.when(0, "miner spaceship", "ship wheat").then(log={"foreign_cubes_exported": 3, "exports": 1})
    mood = given(store={"fish": 2}, put_by={"fish": [1, 0]}).when(0, "miner storehouse", "mood fish")
    assert mood.s.put_by[2].tolist() == [0, -1, -1, -1]


def test_points_by_location():
    """vp_at: wheel and exports of the turns whose move names the location, cards included."""
    mine = (
        given(store={"coal": 2}, wheel=[3]).when(0, "miner mine").then(log={"vp_at_mine": 5, "export_vp": 3})
    )
    assert sum(n for name, n in mine.logged().items() if name.startswith("vp_at_")) == 5
    camp = given(cards={0: [16]}, wheel=[0]).when(0, "miner labor_camp", "extra wool")
    camp.then(log={"vp_at_labor_camp": 2, "vp_at_pasture": 0})
    lake = given(store={"fish": 2}, lake=[1, 0, 0, 0, 1, 2]).when(0, "miner lake").then(log={"vp_at_lake": 5})
    lake.then(seat_log={0: {"vp_export": 5, "cubes_produced": 1}})


def test_crystals():
    """crystals_gained: from the supply; crystals_paid: Beer House and Storehouse only."""
    for words in (["miner palace", "palace donate"], ["commissar palace", "palace nothing"]):
        given(cards={0: [2]}).when(0, *words).then(log={"crystals_gained": 0, "crystals_paid": 0})
    paid = given().when(0, "miner beer_house", "beer miner", "worse farmer")
    paid.then(log={"crystals_paid": 1}, seat_log={0: {"crystals_paid": 1, "crystals_gained": 0}})
    given().when(0, "miner storehouse", "buy wool").then(log={"crystals_paid": 1, "added_wool": 1})
    ship = given(ship=[5]).when(0, "miner spaceship")
    ship.then(
        log={"crystals_gained": 1, "added_wool": 1}, seat_log={0: {"cubes_added": 1, "crystals_gained": 1}}
    )
    given(supply=0).when(0, "bureaucrat administration").then(
        log={"crystals_gained": 0, "crystal_supply_empty": 1}, crystals=[1, 1]
    )


def test_steps_of_mood():
    """mood_up, mood_down, mood_clamped: single steps, whatever the cause."""
    beer = given(moods={"miner": 4, "shepherd": -5}).when(0, "miner beer_house")
    beer.then(log={"mood_up": 1, "mood_clamped": 1}).when(0, "beer farmer", "worse shepherd")
    beer.then(log={"mood_up": 2, "mood_down": 0, "mood_clamped": 2})
    card = given(cards={0: [8]}).when(0, "miner mine", "alt card").then(log={"mood_down": 1, "mood_up": 0})
    card.then(log={"card_8_uses": 1})


def test_end_of_rounds():
    """workers_unled, workers_tied, workers_led, workers_led_alone; slept_in also without a bonus."""
    disks = {0: {"miner": 2, "farmer": 1}, 1: {"miner": 1, "farmer": 1}}
    position = given(phase="evening", turn=1, seat=1, disks=disks, options={"worker_tie": "none"})
    position.when(1, "bureaucrat storehouse", "store nothing").then(
        log={"workers_unled": 3, "workers_tied": 1},
        seat_log={
            0: {"workers_led": 2, "workers_led_alone": 1},
            1: {"workers_led": 2, "workers_led_alone": 1},
        },
    )
    for bonus in (0, 1):
        morning = given(
            {"miner": "mine"}, phase="morning", turn=1, flat="miner", options={"barracks_bonus": bonus}
        )
        morning.when(0, "farmer farm").then(log={"slept_in": 4})


def play_to(position, scores):
    """The last turn of the phase is made after the scores are set."""
    phase = position.facts()["phase"], position.facts()["round"]
    length = 6 if "day" in phase[0] else position.seats
    while int(position.s.turn_no) < length - 1:
        position.finish("turn")
    position.s.score[: len(scores)] = scores
    quiet = [a for a in position.legal() if a % 12 in (1, 3, 4, 8, 11)]  # no cube is made there
    position.apply((quiet or position.legal())[0])
    while position.decision not in ("move", "none"):
        position.apply(0)


def test_lead_changes():
    """T30: 5 5, 7 5, 8 8, 8 9, 10 9, at the end 10 11: three changes; tied looks are dropped."""
    options = {"rounds": 1, "start_crystals": 0, "wheel_crystals": 0, "mood_multiplier": 0, "palace_vp_1": 2}
    position = Position(options)
    for scores in ([5, 5], [7, 5], [8, 8], [8, 9]):
        play_to(position, scores)
        assert position.facts()["vp"] == scores
    position.s.palace[:2], position.s.crystals[:2] = [0, 1], [0, 0]
    play_to(position, [10, 9])
    assert position.over and position.facts()["vp"] == [10, 11]
    log = position.game_log()
    assert log["lead_changes"] == 3
    assert (log["leader_vp_after_round_1"], log["comeback"], log["winning_margin"]) == (10, 1, 1)


@pytest.mark.parametrize(
    ("analyses", "changes"),
    [
        ([[5, 7, 1], [7, 7, 1], [6, 7, 1], [7, 6, 7], [6, 7, 7]], 0),
        ([[5, 7, 1], [7, 5, 1], [1, 1, 2], [5, 5, 5], [2, 1, 1]], 3),
    ],
)
def test_tied_looks(analyses, changes):
    """lead_changes: looks with a tied lead are dropped, whoever is tied."""
    options = {"rounds": 1, "start_crystals": 0, "wheel_crystals": 0, "mood_multiplier": 0, "palace_vp_1": 0}
    position = Position(options | {"palace_vp_2": 0, "palace_vp_3": 0}, 3)
    for scores in analyses:
        position.s.crystals[:3], position.s.palace[:3] = 0, 0
        play_to(position, scores)
        assert position.facts()["vp"] == scores
    assert position.over and position.game_log()["lead_changes"] == changes


@pytest.mark.parametrize(
    ("first", "vp", "comeback"), [([9, 5], [20, 30], 1), ([9, 5], [30, 20], 0), ([9, 9], [20, 30], 0)]
)
def test_comeback(first, vp, comeback):
    """comeback: no winner had the most VP after round 1."""
    position = given(phase="evening", turn=1, seat=1, vp=first, crystals=[0, 0])
    position.when(1, "bureaucrat storehouse")
    assert [position.seat_log(seat)["vp_after_round_1"] for seat in (0, 1)] == first
    while not (position.facts()["phase"] == "evening" and position.facts()["turn"] == 1):
        position.finish("turn")
    position.s.score[:2] = vp
    position.s.infl[:], position.s.crystals[:], position.s.palace[:] = 0, 0, 0
    position.finish()
    log = position.game_log()
    assert log["comeback"] == comeback and log["leader_vp_after_round_1"] == max(first)


def test_shared_win():
    """winning_margin 0, tiebreak_needed 1; one of the winners led after round 1: no comeback."""
    position = given(phase="evening", round=1, turn=1, seat=1, vp=[20, 20], crystals=[0, 0])
    position.s.log.game.leader_vp_after_round_1 = 8
    for seat, points in enumerate((8, 3)):
        position.s.log.seat[seat].vp_after_round_1 = points
    position.when(1, "bureaucrat storehouse").then(rank=[1, 1])
    log = position.game_log()
    assert (log["winning_margin"], log["tiebreak_needed"], log["comeback"]) == (0, 1, 0)


def test_cards_held():
    """location_card, worker_card: the lowest number, 0 none; cards: bit n - 1."""
    position = given(
        phase="evening", round=1, turn=1, seat=1, cards={0: [4, 11, 14, 18], 1: [13]}, crystals=[0, 0]
    )
    position.when(1, "miner storehouse")
    held = [
        {k: position.seat_log(seat)[k] for k in ("location_card", "worker_card", "cards")} for seat in (0, 1)
    ]
    assert held[0] == {"location_card": 4, "worker_card": 14, "cards": 1 << 3 | 1 << 10 | 1 << 13 | 1 << 17}
    assert held[1] == {"location_card": 0, "worker_card": 13, "cards": 1 << 12}


def test_uses_of_cards():
    """card_<n>_uses: what is not a use is not counted."""
    stays = (
        given({"shepherd": "pasture"}, cards={0: [13]}).when(0, "shepherd farm").then(log={"card_13_uses": 0})
    )
    assert stays.logged()["visits_farm"] == 1
    given({"farmer": "farm"}, phase="evening", cards={0: [14]}).when(0, "farmer barracks").then(
        log={"card_14_uses": 0}
    )
    given(phase="morning", cards={0: [18]}).when(0, "bureaucrat spaceship").then(log={"card_18_uses": 1})
    given(phase="lunch", cards={0: [18]}).when(0, "bureaucrat field_kitchen").then(log={"card_18_uses": 0})
    given(phase="lunch", cards={0: [13]}, at={"shepherd": "mine"}).when(0, "shepherd mine").then(
        log={"card_13_uses": 1, "visits_mine": 1, "produced_coal": 1}
    )
