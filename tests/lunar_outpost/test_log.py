"""The log (LO-21) is what a second implementation counts from outside, column by column."""

from functools import cache

import numpy as np
import pytest

from simkit import catalogue, columns, experiment, runlog, runner
from simkit.chance import purposes
from simkit.check import random_settings
from simkit.game import TURN_FIELDS, TURN_KEY
from simkit.games.lunar_outpost import game
from simkit.games.lunar_outpost.facts import End
from simkit.kernel import Table
from simkit.steps import tracer
from simkit.strategy import parse_lineup

from .plain_log import GAMES, SEATS, TRACE, Log
from .positions import given
from .walk import BUILDINGS, FIGHT, RAZE, Walk, busy, uniform, walk_of

STANDARD_GAMES = [
    "play", "cell", "deal", "rotation", "game", "seats", "lineup", "winner", "draw", "decisions", "turns",
    "end_reason", "first",
]  # fmt: skip
STANDARD_SEATS = ["play", "cell", "deal", "rotation", "seat", "strategy", "rank", "share", "score"]
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
        walk = walk_of(f"{policy}*{seats}", options, deal)
    else:
        walk = Walk(options, seats, deal, policy)
    return walk, Log(walk)


@cache
def tables(number):
    """Rows of the games table and of the seats table of a game."""
    walk, _ = played(number)
    key = game, cell_of(walk.seats), np.array([walk.deal]), np.zeros(1, np.int64), walk.states
    return columns.games_table(*key), columns.seats_table(*key)


@cache
def cell_of(seats):
    keys = {"question": "?", "game": "lunar_outpost", "deals": 1, "lineups": [f"random*{seats}"]}
    return experiment.cells(experiment.parse(keys))[0]


each = pytest.mark.parametrize("number", range(len(PLAYED)))


def test_columns_have_the_names_of_the_specification():
    """LO-21.1, LO-21.2: these columns in this order, and no others."""
    games, seats = tables(0)
    assert games.column_names == STANDARD_GAMES + GAMES
    assert seats.column_names == STANDARD_SEATS + SEATS
    nothing = np.zeros(0, np.int64)
    turns = columns.turns_table(game, cell_of(2), nothing, nothing, np.zeros(0, game.turn_dtype))
    shared = [field.name for field in TURN_FIELDS[1:]]
    assert turns.column_names == [*TURN_KEY, *shared, *TRACE[1:]]


def test_a_run_has_these_columns(tmp_path):
    """LO-21 the tables that a run keeps, the trace of turns included."""
    keys = {"question": "?", "game": "lunar_outpost", "deals": 2, "trace": 2, "lineups": ["random*3"]}
    run = runlog.open_run(runner.run(experiment.parse(keys), tmp_path / "run"))
    games, seats, turns = run.games().collect(), run.seats().collect(), run.turns().collect()
    assert games.columns == STANDARD_GAMES + GAMES and seats.columns == STANDARD_SEATS + SEATS
    assert len(games) == 2 and len(seats) == 6 and len(turns) == 3 * games["turns"].sum()
    assert set(TRACE) <= set(turns.columns)
    assert turns.filter(seat=0, turn=1)["stack"].to_list() == [41, 41]


def test_columns_have_meanings_of_their_own():
    for table in tables(0):
        told = {field.name: field.metadata[b"description"].decode() for field in table.schema}
        assert not [name for name, meaning in told.items() if not meaning or "{" in meaning or "_" in meaning]
        assert len(set(told.values())) == len(told)


@each
def test_games_table_is_what_was_counted(number):
    """LO-21.1, LO-21.3."""
    walk, log = played(number)
    row = tables(number)[0].to_pylist()[0]
    wrong = {name: (row[name], n) for name, n in log.game.items() if row[name] != n}
    assert not wrong, f"(in the table, counted) {wrong}: {walk.options}"
    assert row["end_reason"] == log.reason
    first = [seat for seat in range(walk.seats) if log.rank[seat] == 1]
    assert row["winner"] == (first[0] if len(first) == 1 else None) and row["draw"] == (len(first) > 1)


@each
def test_seats_table_is_what_was_counted(number):
    """LO-21.2, LO-12.3, LO-12.4."""
    walk, log = played(number)
    rows = tables(number)[1].to_pylist()
    for seat, row in enumerate(rows):
        wrong = {name: (row[name], n) for name, n in log.seat[seat].items() if row[name] != n}
        assert not wrong, f"seat {seat}: (in the table, counted) {wrong}: {walk.options}"
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
    player = catalogue.player(game, parse_lineup("random")[0])
    for number, options in enumerate([{}, FIGHT, RAZE, *RANDOM]):
        seats = 2 + number % 3
        deals, still = np.arange(60), np.zeros(60, np.int64)
        states = Table(game, game.rules(options)).play([player] * seats, 5, deals, still)
        key = game, cell_of(seats), deals, still, states
        games, own = columns.games_table(*key).to_pylist(), columns.seats_table(*key).to_pylist()
        chosen = game.resolve(options)
        for i, row in enumerate(games):
            broken = identities(row, own[seats * i : seats * (i + 1)], chosen)
            assert not broken, f"{broken}: {options}, {seats} seats, deal {i}"


def test_decisions_are_those_with_a_choice():
    """LO-3.2 what is forced is not counted."""
    player = catalogue.player(game, parse_lineup("random")[0])
    for seats in (2, 3, 4):
        trail = np.full(game.max_steps, -1, np.int64)
        table = Table(game, game.rules(FIGHT))
        end = table.play([player] * seats, 1, np.array([seats]), np.zeros(1, np.int64), trail)
        walk, decisions = Walk(FIGHT, seats, seats), 0
        for action in trail[trail >= 0].tolist():
            decisions += len(walk.legal()) > 1
            walk.apply(action)
        assert walk.over and decisions == int(end[0].log.game.decisions)
        assert walk.s["rank"].tolist() == end[0]["rank"].tolist()


@pytest.mark.parametrize("number", range(0, len(PLAYED), 4))
def test_trace_of_turns(number):
    """LO-21 per turn: score, spendable cubes, buildings, troops, cards, free slots, income, stack."""
    walk, log = played(number)
    found = traced(walk)
    assert len(found) == len(log.rows) * walk.seats
    for turn, rows in enumerate(log.rows):
        for seat, row in enumerate(rows):
            traced_row = found[walk.seats * turn + seat]
            assert (traced_row["turn"], traced_row["seat"]) == (turn + 1, seat)
            wrong = {k: (int(traced_row[k]), n) for k, n in row.items() if int(traced_row[k]) != n}
            assert not wrong, f"turn {turn + 1}, seat {seat}: (traced, counted) {wrong}: {walk.options}"


def traced(walk):
    """The trace of a game that was played elsewhere."""
    rows, done = np.empty(len(walk.trail) * walk.seats, game.turn_dtype), np.zeros(3, np.int64)
    rng, again = np.zeros(1, game.rng_dtype), np.zeros(1, game.state_dtype)
    tracer(game)(
        1, np.array([walk.deal]), walk.seats, walk.rules, again, rng, rng.view(np.uint64),
        purposes(game.purposes), np.array(walk.trail), np.zeros(game.max_actions, np.int64),
        np.zeros((walk.seats, 4), np.int64), rows, done,
    )  # fmt: skip
    return rows[: done[1]]


def test_every_end_has_its_reason():
    """LO-11: `last_tile`, `elimination` or `points`."""
    assert [one.name for one in End if one] == ["last_tile", "elimination", "points"]
