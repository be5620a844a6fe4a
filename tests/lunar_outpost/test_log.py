"""The log (LO-21) is what a second implementation counts from outside, column by column."""

from functools import cache

import pytest

from simkit.games.lunar_outpost import game
from simkit.games.lunar_outpost.facts import End
from simkit.runs import experiment, runner
from simkit.runs.folder import open_run
from simkit.verify.check import random_settings
from tests.of_games.logs import (
    STANDARD_GAMES,
    STANDARD_SEATS,
    check_counted,
    check_decisions,
    check_meanings,
    check_sums,
    check_trace,
    tables_of_walk,
    turn_columns,
)

from .plain_log import GAMES, SEATS, TRACE, Log
from .positions import given
from .walk import BUILDINGS, FIGHT, RAZE, Walk, busy, uniform

SIEGES = RAZE | {"siege_blocks": True, "siege_spend": False, "conflict_order": "index"}
RICH = {"dome_storage": 4, "silo_storage": 4, "dome_output": 2, "excavator_output": 2, "deposit_delta": 3}
SHORT = {"tiles_trim": 20}
LONG = [  # rare options, some of them for whole games
    {}, {"unplaceable": "redraw", "tile_choice": 3}, {"tile_choice": 2, "start_choice": "random"},
    {"starting_intel": 3, "starting_intel_extra": 2, "intel_cost": 1, "event_vp": "all_disclosed"},
    RICH, RICH | {"extract_needs_passable": False, "excavator_storage": 2, "seat_vp_1": 3},
    FIGHT, RAZE, SIEGES, RAZE | {"equal_turns": True, "razed_tokens": "returned"},
]  # fmt: skip
QUICK = [
    FIGHT | {"tie_break": "buildings", "event_vp": "hand_only"}, RAZE | {"tower_stack": False},
    SIEGES | {"equal_turns": True, "vp_end": 8}, FIGHT | {"vp_end": 5, "tie_break": "none"},
    RICH | {"vp_end": 9, "equal_turns": True}, RAZE | {"unplaceable": "redraw", "tile_choice": 3},
    FIGHT | {"recruit_per_barracks": 1, "domes_anywhere": False}, FIGHT | RICH | {"event_vp": "none"},
]  # fmt: skip
RANDOM = random_settings(game, 30, 21)
PLAYED = [  # options, seats, who plays, deal
    *((options, 2 + i % 3, busy if i != 1 else uniform, i) for i, options in enumerate(LONG)),
    *((SHORT | options, seats, busy, seats) for options in QUICK for seats in (2, 3, 4)),
    *((SHORT | FIGHT | options, 2 + i % 3, (busy, uniform)[i % 2], i) for i, options in enumerate(RANDOM)),
    *((RAZE, 4, busy, deal) for deal in (6, 7)),  # buildings of every type are razed
    *(({"troop_cost": 1}, seats, "reference_greedy", seats) for seats in (2, 3, 4)),
]


@cache
def played(number):
    """A game and what was counted from outside."""
    options, seats, policy, deal = PLAYED[number]
    if isinstance(policy, str):
        walk = Walk.of(f"{policy}*{seats}", options, deal)
    else:
        walk = Walk(options, seats, deal, policy)
    return walk, Log(walk)


@cache
def tables(number):
    """The games table and the seats table of a game."""
    return tables_of_walk(played(number)[0])


each = pytest.mark.parametrize("number", range(len(PLAYED)))


def test_columns_have_the_names_of_the_specification():
    """LO-21.1, LO-21.2: these columns in this order, and no others."""
    games, seats = tables(0)
    assert games.column_names == STANDARD_GAMES + GAMES
    assert seats.column_names == STANDARD_SEATS + SEATS
    result, wanted = turn_columns(game, TRACE[1:])
    assert result == wanted


def test_a_run_has_these_columns(tmp_path):
    """LO-21 the tables that a run keeps, the trace of turns included."""
    keys = {"question": "?", "game": "lunar_outpost", "deals": 2, "trace": 2, "lineups": ["random*3"]}
    run = open_run(runner.run(experiment.parse(keys), tmp_path / "run"))
    games, seats, turns = run.games().collect(), run.seats().collect(), run.turns().collect()
    assert games.columns == STANDARD_GAMES + GAMES and seats.columns == STANDARD_SEATS + SEATS
    assert len(games) == 2 and len(seats) == 6 and len(turns) == 3 * games["turns"].sum()
    assert set(TRACE) <= set(turns.columns)
    assert turns.filter(seat=0, turn=1)["stack"].to_list() == [41, 41]


def test_columns_have_meanings_of_their_own():
    for table in tables(0):
        check_meanings(table)


@each
def test_games_table_is_what_was_counted(number):
    """LO-21.1, LO-21.3."""
    walk, log = played(number)
    row = tables(number)[0].to_pylist()[0]
    check_counted(row, log.game, walk.options)
    assert row["end_reason"] == log.reason
    first = [seat for seat in range(walk.seats) if log.rank[seat] == 1]
    assert row["winner"] == (first[0] if len(first) == 1 else None) and row["draw"] == (len(first) > 1)


@each
def test_seats_table_is_what_was_counted(number):
    """LO-21.2, LO-12.3, LO-12.4."""
    walk, log = played(number)
    rows = tables(number)[1].to_pylist()
    for seat, row in enumerate(rows):
        check_counted(row, log.seat[seat], f"seat {seat}, {walk.options}")
        assert (row["rank"], row["score"]) == (log.rank[seat], log.score[seat])
        assert row["share"] == (1 / log.rank.count(1) if log.rank[seat] == 1 else 0)


def test_the_games_show_every_column():
    """What these games never count is not compared by them: no tile of theirs fits nowhere (LO-8.4)."""
    logs = [played(number)[1] for number in range(len(PLAYED))]
    assert [name for name in GAMES if not any(log.game[name] for log in logs)] == ["tiles_discarded"]
    assert not [name for name in SEATS if not any(own[name] for log in logs for own in log.seat)]
    assert {log.reason for log in logs} == {"last_tile", "elimination", "points"}
    assert {n for log in logs for n in log.rank} == {1, 2, 3, 4}
    assert any(log.rank.count(1) > 1 for log in logs)  # a shared win


def test_tiles_that_fit_nowhere_are_counted():
    """LO-8.4 the position of E9."""
    tiles = "21@(-1,2)/2 + 22@(0,2)/3 + 23@(2,-2)/5 + 24@(1,-2)/0"
    position = given(tiles, phase="generate", draw=[47]).when("generate done")
    position.then(phase="spend", log={"tiles_discarded": 1, "tiles_placed": 0})


@each
def test_identities_of_the_columns(number):
    """LO-21.4."""
    walk, _ = played(number)
    row, seats = tables(number)[0].to_pylist()[0], tables(number)[1].to_pylist()
    broken = identities(row, seats, walk.chosen)
    assert not broken, f"{broken}: {walk.options}"


def identities(row, seats, options):
    """Names of the identities of LO-21.4 that do not hold."""

    def total(name):
        return sum(own[name] for own in seats)

    counterparts = {
        **{f"build_{b}": f"built_{b}" for b in BUILDINGS}, "relocations": "relocated", "spent": "cubes_spent",
        "recruits": "troops_recruited", "event_vp_total": "vp_events",
        **{
            name: name for name in (
                "extracted", "generated", "troops_end", "buildings_end", "intel_bought", "disclosed",
                "prevented", "hand_end", "vp_buildings", "eliminated", "turns",
            )
        },
    }  # fmt: skip
    lost = row["troops_lost_step1"] + row["troops_lost_step2"]
    troops = len(seats) * min(options["starting_troops"], options["troop_limit"])
    sums = {name: (row[name], total(own)) for name, own in counterparts.items()}
    sums |= {
        "razed of seats": (row["razed"], total("buildings_lost")),
        "razed by seats": (row["razed"], total("buildings_razed")),
        "razed in sieges": (row["razed"], row["siege_equal"] + row["siege_won"]),
        "razed by type": (row["razed"], sum(row[f"razed_{b}"] for b in BUILDINGS)),
        "spent by purpose": (
            row["spent"],
            sum(row[f"spent_{purpose}"] for purpose in ("building", "relocation", "troop", "intel")),
        ),
        "missed": (row["extraction_missed"] + row["generation_missed"], total("output_missed")),
        "lost": (lost, total("troops_lost")),
        "buildings": (row["buildings_end"], len(seats) + total("built") - row["razed"]),
        "troops": (row["troops_end"], row["recruits"] + troops - lost),
        "cubes": (100, row["pile_end"] + row["cubes_stored_end"] + row["cubes_left_in_deposits"]),
        "built": (total("built"), sum(row[f"build_{b}"] for b in BUILDINGS)),
    }
    for seat, own in enumerate(seats):
        if not own["eliminated"]:
            points = own["vp_buildings"] + own["vp_events"] + options[f"seat_vp_{seat}"]
            sums[f"score of seat {seat}"] = own["score"], points
    return {name: pair for name, pair in sums.items() if pair[0] != pair[1]}


def test_identities_of_many_games():
    """LO-21.4 over thousands of games of random players, compiled, at every number of seats."""
    for number, options in enumerate([{}, FIGHT, RAZE, *RANDOM]):
        seats = 2 + number % 3
        check_sums(game, options, seats, 60, identities)


def test_decisions_are_those_with_a_choice():
    """LO-3.2 what is forced is not counted."""
    for seats in (2, 3, 4):
        check_decisions(Walk, FIGHT, seats)


@pytest.mark.parametrize("number", range(0, len(PLAYED), 4))
def test_trace_of_turns(number):
    """LO-21 per turn: score, spendable cubes, buildings, troops, cards, free slots, income, stack."""
    walk, log = played(number)
    check_trace(walk, log.rows)


def test_every_end_has_its_reason():
    """LO-11: `last_tile`, `elimination` or `points`."""
    assert [first.name for first in End if first] == ["last_tile", "elimination", "points"]
