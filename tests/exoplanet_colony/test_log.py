"""The columns of the log (EX-19): names, meanings, sums. `test_plain_game.py` counts each of them in lockstep."""

from functools import cache

from simkit.games.exoplanet_colony import game
from simkit.games.exoplanet_colony.facts import DATA, Defeat, End, Step
from simkit.runs import experiment, runner
from simkit.runs.run import open_run
from simkit.verify.check import random_settings
from tests.of_games.logs import (
    STANDARD_GAMES,
    STANDARD_SEATS,
    check_decisions,
    check_sums,
    tables_of_walk,
    turn_columns,
)

from . import plain_counts
from .plain_counts import SEATS, TRACE
from .walk import Walk

GAMES = [name for name in plain_counts.GAMES if name not in STANDARD_GAMES]
OWN = [  # columns of the seats table with the formula of the games table
    "turns", "actions", "idle_actions", "draws", "gives", "takes", "deploys", "deficit_cut", "generates",
    "supply_made", "moves", "repairs", "recovers", "abilities", "items", "plans", "limit_discards",
    "event_discards", "sick_turns", "hand_cards_left",
]  # fmt: skip
PATIENT, ENDURANCE = {"ruleset": "patient"}, {"ruleset": "endurance"}
SICK = {"normals_per_pile": 7, "criticals_per_pile": 3, "recover_cards": 0}
DENSE = {"loss_tokens": 1, "emergency_tokens": 1, "criticals_per_pile": 3}
EASY = {"production_offset": 2, "supply_offset": 6}
ROUNDS = {"update_per": "round", "event_per": "round", "grace_turns": 4}
RICH = {"initial_hand": 6, "initial_choice": 4, "draw_cards": 3, "hand_limit": 8}
CASTS = [
    {"character_0": "medic", "character_1": "engineer", "character_2": "comms_officer"},
    {"character_0": "architect", "character_1": "pilot", "character_2": "quartermaster"},
    {"character_0": "scientist", "character_1": "biochemist", "character_2": "none"},
]
LONG = [
    *(first | cast for first in (PATIENT, ENDURANCE) for cast in CASTS),
    ENDURANCE | SICK, ENDURANCE | DENSE, PATIENT | EASY, ENDURANCE | ROUNDS, PATIENT | RICH,
    ENDURANCE | {"item_cost": 1, "offturn_plans": False, "transfer": "give", "scenario": 3},
    PATIENT | {"deploy_anywhere": True, "transfer": "take", "hand_limit": 3, "scenario": 2},
    PATIENT | {"start_player": -1, "health": False, "loss_tokens": 6, "scenario": 4},
    ENDURANCE | {"track_1": 0, "supply_offset": -2}, PATIENT | {"win_production": 3, "n_plans": 1},
    ENDURANCE | {"piles": 1, "normals_per_pile": 0, "criticals_per_pile": 3, "start_player": 3},
    PATIENT | {"remove_modules": 12, "n_items": 0, "n_plans": 0, "hand_limit": 10},
    {"production_offset": 2}, {"production_offset": 2, "win_production": 0, "start_player": 1},
]  # fmt: skip
SETTINGS = random_settings(game, 20, 12)


@cache
def tables():
    """The games table and the seats table of a random game."""
    return tables_of_walk(Walk({}, 3).to_the_end())


def test_columns_have_the_names_of_the_specification():
    """EX-19.1, EX-19.2: these columns in this order, and no others."""
    games, seats = tables()
    assert games.column_names == STANDARD_GAMES + GAMES
    assert sorted(seats.column_names) == sorted(STANDARD_SEATS + SEATS)
    result, wanted = turn_columns(game, TRACE[1:])
    assert result == wanted


def test_a_run_has_these_columns(tmp_path):
    """EX-19 the tables that a run keeps, the trace of turns included."""
    keys = {"question": "?", "game": "exoplanet_colony", "deals": 2, "trace": 2, "lineups": ["random*3"]}
    run = open_run(runner.run(experiment.parse(keys), tmp_path / "run"))
    games, seats, turns = run.games().collect(), run.seats().collect(), run.turns().collect()
    assert games.columns == STANDARD_GAMES + GAMES and set(seats.columns) == {*STANDARD_SEATS, *SEATS}
    assert len(games) == 2 and len(seats) == 6 and len(turns) == 3 * games["turns"].sum()
    assert set(TRACE) <= set(turns.columns)
    assert turns.filter(seat=0, turn=1)["events_to_come"].to_list() == [24, 24]


def test_named_columns_hold_words():
    """EX-19.1 end_reason, end_step, defeat, character."""
    assert [first.name for first in End if first] == ["self_sustaining", "skull", "events_out"]
    assert [first.name for first in Step] == ["setup", "actions", "update", "event"]
    assert {first.name for first in Defeat} == {"none", "clock", "depletion", "emergencies", "mixed"}
    for name, table in (("end_reason", 0), ("end_step", 0), ("defeat", 0), ("character", 1)):
        assert {type(row[name]) for row in tables()[table].to_pylist()} == {str}


def test_nobody_wins_alone():
    """EX-9.1 a team has no winner and no draw; the first player is known."""
    row = tables()[0].to_pylist()[0]
    assert row["winner"] is None and row["draw"] is False and row["first"] == 0


def sums(row, seats, options):
    """Names of the identities that do not hold."""

    def total(name):
        return sum(own[name] for own in seats)

    def parts(prefix, names):
        return sum(row[f"{prefix}_{name}"] for name in names)

    scenario = DATA["scenarios"][options["scenario"] - 1]
    at_start = [min(max(n + options["production_offset"], -5), 3) for n in scenario["production"]]
    missing = sum(max(0, options["win_production"] - n) for n in at_start)
    pairs = {name: (row[name], total(name)) for name in OWN}
    pairs |= {
        "transfers": (total("transfers"), row["gives"] + row["takes"]),
        "tokens fixed": (total("tokens_fixed"), row["loss_fixed"] + row["emergencies_fixed"]),
        "deficit": (row["final_deficit"], missing - row["deficit_cut"] + row["deficit_events"]),
        "colours": (row["deploys"], parts("deploy", DATA["resources"]["colours"])),
        "modules": (row["modules"], row["deploys"]),
        "characters": (row["abilities"], parts("ability", [first["design"] for first in DATA["characters"]])),
        "kinds of items": (row["items"], parts("item", [first["design"] for first in DATA["items"]])),
        "kinds of plans": (row["plans"], parts("plan", [first["design"] for first in DATA["plans"]])),
        "off": (row["modules_off"], row["switch_off"] - row["switch_on"]),
        "emergencies": (row["end_emergencies"], row["emergencies_placed"] - row["emergencies_fixed"]),
        "depleted": (row["end_depleted"], row["depletions"] - row["replenishments"]),
        "cancelled": (row["events_cancelled"], row["plan_contingency"]),
        "margin": (row["margin"], 1 + row["events_left"] if row["won"] else -row["final_deficit"]),
        "won": (row["won"], int(row["end_reason"] == "self_sustaining")),
    }
    if row["end_step"] not in ("setup", "actions"):
        pairs["actions"] = row["allowance"], row["actions"] + row["idle_actions"]
    broken = {name: pair for name, pair in pairs.items() if pair[0] != pair[1]}
    if row["allowance"] < row["actions"] + row["idle_actions"]:
        broken["allowance"] = row["allowance"], row["actions"]
    return broken


def test_sums_of_many_games():
    """EX-12.4.7, .8, .10: seats add up to the game, the deficit and the actions are accounted for, over
    thousands of games of random players at every number of seats."""
    for number, options in enumerate([{}, *LONG, *SETTINGS]):
        seats = 2 + number % 4
        check_sums(game, options, seats, 40, sums)


def test_decisions_are_those_with_a_choice():
    """EX-11.1 what is forced is not counted."""
    for seats in (2, 3, 5):
        check_decisions(Walk, PATIENT, seats)
