"""The turn trace: what a story shows after each turn, the same whatever carries the run out, and nothing
where it was not asked for.
"""

import dataclasses
import hashlib
import os
import re
import subprocess
import sys

import numpy as np
import polars as pl
import pytest
from polars.testing import assert_frame_equal

from simkit.engine import registry, stepper
from simkit.engine.compile import jit
from simkit.engine.compile.jit import rule
from simkit.engine.fields import scalar
from simkit.engine.game import Log
from simkit.engine.table import GameTable
from simkit.errors import PlayError, UsageError
from simkit.games import pig
from simkit.games.outpost_seven import game as outpost_seven
from simkit.runs import experiment, narrate, runner
from simkit.runs.folder import open_run
from simkit.runs.plan import Layout
from simkit.verify import check

pytestmark = pytest.mark.slow

KEYS = {
    "question": "?", "game": "pig", "deals": 12, "seed": 5, "trace": 7,
    "lineups": ["hold_at(threshold=10), random, hold_at", "random*2"], "options": {"goal": 20}, "sweep": {"faces": [6, 4]},
}  # fmt: skip
EXPERIMENT = experiment.parse(KEYS)
KEY = ["play", "cell", "deal", "rotation", "turn", "seat", "score"]
LOAD = ["decisions", "choices", "most_choices", "steps"]


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    return open_run(runner.run(EXPERIMENT, tmp_path_factory.mktemp("runs") / "run", layout=Layout(45, 45)))


@pytest.fixture(scope="module")
def stations(tmp_path_factory):
    """Outpost Seven, every deal traced."""
    request = experiment.parse(
        {"question": "?", "game": "outpost_seven", "deals": 40, "trace": 40, "lineups": ["random*2"]}
    )
    return open_run(runner.run(request, tmp_path_factory.mktemp("runs") / "run"))


def test_the_trace_is_what_the_story_shows_after_each_turn(run):
    turns = run.turns().collect()
    for (number,), rows in turns.group_by("play", maintain_order=True):
        shown = [
            re.findall(r"seat \d: (\d+)", line)
            for line in narrate.replay(run, number)
            if line.startswith("    ")
        ]
        traced = [scores["score"].to_list() for _, scores in rows.group_by("turn", maintain_order=True)]
        assert traced == [[int(score) for score in scores] for scores in shown[1:]]


def test_the_first_deals_of_every_cell_are_traced_in_every_rotation(run):
    games = run.games().filter(pl.col("deal") < 7).select("play", "cell", "deal", "rotation")
    games = games.sort("play").collect()
    assert_frame_equal(
        run.turns().select("play", "cell", "deal", "rotation").unique().sort("play").collect(), games
    )


def test_columns_have_meanings_and_wide_types(run, stations):
    assert run.turns().collect_schema().names() == KEY + LOAD
    assert stations.turns().collect_schema().names() == [*KEY, *LOAD, "hand", "cubes", "modules", "lines"]
    assert all(stations.meanings("turns").values()) and stations.meanings("turns")["hand"] == "Cards in hand"
    assert set(stations.turns().collect_schema().dtypes()) == {pl.Int64, pl.Int32}
    assert set(run.meanings()) >= set(run.games().collect_schema().names())


@pytest.mark.parametrize("which", ["run", "stations"])
def test_the_decisions_of_the_turns_are_those_of_the_game(which, request):
    run = request.getfixturevalue(which)
    result = (
        run.turns()
        .group_by("play")
        .agg(pl.col(*LOAD[:2], "steps").sum(), pl.col("most_choices").max())
        .sort("play")
        .collect()
    )
    logged = run.games().filter(pl.col("deal") < run.experiment.trace).select("play", "decisions")
    assert_frame_equal(result.select("play", "decisions"), logged.sort("play").collect())
    assert (result["choices"] >= 2 * result["decisions"]).all() and (
        result["steps"] >= result["decisions"]
    ).all()
    assert result["most_choices"].max() <= registry.game(run.experiment.game).max_actions


def test_what_each_seat_decides_is_what_the_story_shows(run):
    """Pig: each step is a roll or a hold, and each decision is between these two."""
    turns = run.turns().collect()
    for (number,), rows in turns.group_by("play", maintain_order=True):
        acted = [
            int(line.split()[1])
            for line in narrate.replay(run, number)
            if re.match(r"seat \d (rolls|holds)", line)
        ]
        assert rows.group_by("seat").agg(pl.col("steps").sum()).sort("seat")["steps"].to_list() == [
            acted.count(seat) for seat in sorted(rows["seat"].unique())
        ]
        assert (rows["choices"] == 2 * rows["decisions"]).all() and set(rows["most_choices"]) <= {0, 2}


@pytest.mark.parametrize("which", ["run", "stations"])
def test_the_last_turn_is_the_logged_end(which, request):
    run = request.getfixturevalue(which)
    last = (
        run.turns()
        .filter(pl.col("turn") == pl.col("turn").max().over("play"))
        .select("play", "turn", "seat", "score")
        .sort("play", "seat")
        .collect()
    )
    seats = run.seats().filter(pl.col("deal") < run.experiment.trace).select("play", "seat", "score")
    games = run.games().select("play", pl.col("turns").alias("turn"))
    logged = seats.join(games, on="play").sort("play", "seat").select(last.columns).collect()
    assert_frame_equal(last, logged)


def test_what_outpost_seven_notes_ends_as_its_log_says(stations):
    names = {"hand": "hand_left", "cubes": "cubes_on_grid", "modules": "modules_owned", "lines": "lines_won"}
    last = stations.turns().filter(pl.col("turn") == pl.col("turn").max().over("play")).collect()
    seats = stations.seats().collect()
    for noted, logged in names.items():
        assert last[noted].to_list() == seats[logged].to_list()


@pytest.mark.parametrize("trace", [1, 12, 1000])
def test_no_more_deals_are_traced_than_asked_for_or_played(tmp_path, trace):
    run = open_run(runner.run(EXPERIMENT.with_keys(trace=trace), tmp_path / "run", layout=Layout(45, 45)))
    assert run.turns().select(pl.col("deal").unique().sort()).collect()["deal"].to_list() == list(
        range(min(trace, 12))
    )
    holding = {path.name for path in (run.folder / "turns").iterdir()}
    assert holding == {shard.file for shard in run.shards if any(part.first < trace for part in shard.parts)}


def test_a_trace_changes_no_other_table_and_none_is_left_where_none_was_asked_for(run, tmp_path):
    plain = open_run(runner.run(EXPERIMENT.with_keys(trace=0), tmp_path / "run"))
    assert not (plain.folder / "turns").exists()
    assert_frame_equal(plain.games().collect(), run.games().collect())
    assert_frame_equal(plain.seats().collect(), run.seats().collect())
    for ask in (plain.turns, lambda: plain.meanings("turns")):
        with pytest.raises(
            UsageError, match="has no turn trace; run it into another folder with --trace 1000"
        ):
            ask()


def test_true_is_a_thousand_deals_and_nonsense_is_refused():
    assert (
        experiment.parse(KEYS | {"trace": True}).trace == 1000
        and experiment.parse(KEYS | {"trace": False}).trace == 0
    )
    assert "trace = 7\n" in EXPERIMENT.to_toml() and "trace" not in EXPERIMENT.with_keys(trace=0).to_toml()
    for nonsense in (-1, "all", 1.5):
        with pytest.raises(UsageError, match="key 'trace'"):
            experiment.parse(KEYS | {"trace": nonsense})


def test_the_command_line_asks_for_a_trace(simkit):
    assert simkit("sweep pig goal=10,20 --lineup random*2 --deals 5 --trace 3 --jobs 1 -o run")[0] == 0
    assert open_run("run").turns().select(pl.col("deal").max()).collect().item() == 2


# A game of its own: what it notes, and a score that stands only at the end.


@rule
def note_risk(s, rules, seat, row):
    """The score during play is hidden: -1; and who is to move."""
    row.score = -1
    row.moves = s.seat == seat


NOTED = [scalar("moves", "i1", "1 = the seat is to move")]


def logged(fields, note=note_risk):
    """The log of Pig with a trace of its own."""
    return Log(pig.GAME_LOG, pig.SEAT_LOG, fields, note)


HIDDEN = dataclasses.replace(pig.game, name="hidden_pig", max_steps=120, log=logged(NOTED))


def played(game, lineup, deals, seed=5, goal=20):
    """Games and their trace: final states, and rows with the number of the game among all."""
    table = GameTable(game, game.rules({"goal": goal}))
    players = [registry.strategy(pig.game, name).player(game) for name in lineup]
    states, rows = [], []
    for part in stepper.trace_games(table, players, seed, np.arange(deals), np.zeros(deals, np.int64)):
        copied = part.rows.copy()
        copied["game"] += part.part.start
        states.append(part.states)
        rows.append(copied)
    return np.concatenate(states), np.concatenate(rows)


def test_a_game_may_put_another_score_in_but_the_end_is_the_final_score():
    states, rows = played(HIDDEN, ["random"] * 3, 10)
    last = rows["turn"] == states["log"]["game"]["turns"][rows["game"]]
    assert (rows["score"][~last] == -1).all()
    assert rows["score"][last].reshape(-1, 3).tolist() == states["score"][:, :3].tolist()
    assert (rows["moves"][~last].reshape(-1, 3).sum(axis=1) == 1).all() and not rows["moves"][last].any()


def test_games_whose_trail_did_not_fit_are_played_again(monkeypatch):
    states, rows = played(HIDDEN, ["random"] * 3, 60, goal=30)
    played_games = []

    def counts(table, lineup, seed, deals, *more, play=GameTable.play):
        played_games.extend(deals)
        return play(table, lineup, seed, deals, *more)

    monkeypatch.setattr(GameTable, "play", counts)
    monkeypatch.setattr(stepper, "TRAIL", 120)
    repeated, others = played(HIDDEN, ["random"] * 3, 60, goal=30)
    assert repeated.tobytes() == states.tobytes() and others.tobytes() == rows.tobytes()
    assert set(played_games) == set(range(60)) and len(played_games) > 60


def test_traced_games_are_those_of_the_kernel():
    table = GameTable(outpost_seven, outpost_seven.rules())
    lineup = [registry.strategy(outpost_seven, "random").player(outpost_seven)] * 2
    deals, shifts = np.arange(100), np.arange(100) % 2
    parts = [part.states.copy() for part in stepper.trace_games(table, lineup, 3, deals, shifts)]
    assert (
        len(parts) > 1 and np.concatenate(parts).tobytes() == table.play(lineup, 3, deals, shifts).tobytes()
    )


def test_a_fault_in_a_traced_game_is_told_as_ever():
    with pytest.raises(
        PlayError,
        match="hidden_pig: seed 5, deal 0, rotation 0, seat ., strategy random: is to decide in a game of more than 120 actions",
    ):
        played(HIDDEN, ["random"] * 2, 3, goal=1000)


@pytest.mark.parametrize(
    ("log", "message"),
    [
        (logged(NOTED, note=None), r"has Log\(trace=...\) but no Log\(note=...\)"),
        (logged([scalar("turn", "i1", "A turn")]), "rename the field of the trace 'turn'"),
        (logged([scalar("deal", "i1", "A deal")]), "rename the field of the trace 'deal'"),
        (logged(NOTED * 2), "rename the field of the trace"),
    ],
)
def test_a_trace_that_cannot_be_written_is_refused_on_sight(log, message):
    with pytest.raises((UsageError, ValueError), match=message):
        dataclasses.replace(pig.game, log=log)


def test_a_trace_that_changes_the_game_is_found_by_the_check():
    def meddles(s, rules, seat, row):
        s.score[seat] += 1

    faulty = dataclasses.replace(pig.game, log=dataclasses.replace(pig.game.log, note=meddles))
    (problem,) = (problem for result in check.check(faulty) for problem in result.problems)
    assert "note changes the state or the rules, which it may only read" in problem
    assert not [problem for result in check.check(pig.game, quick=True) for problem in result.problems]


def digests():
    """Digests of the rows of some traced games."""
    results = [played(HIDDEN, ["random"] * 3, 5)[1], played(pig.game, ["random"] * 2, 5)[1]]
    table = GameTable(outpost_seven, outpost_seven.rules())
    lineup = [registry.strategy(outpost_seven, "random").player(outpost_seven)] * 2
    for part in stepper.trace_games(table, lineup, 5, np.arange(3), np.zeros(3, np.int64)):
        results += [part.rows.copy(), part.events.copy()]
    return [hashlib.sha256(rows.tobytes()).hexdigest() for rows in results]


def test_compiled_and_uncompiled_traces_are_the_same():
    folders = os.pathsep.join([str(registry.ROOT), str(registry.ROOT / "tests" / "runs")])
    other = {**os.environ, "PYTHONPATH": folders, "NUMBA_DISABLE_JIT": "1" if jit.COMPILED else "0"}
    words = [sys.executable, "-c", "import test_trace; print(*test_trace.digests())"]
    done = subprocess.run(words, env=other, capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, done.stderr[-3000:]
    assert done.stdout.split() == digests()
