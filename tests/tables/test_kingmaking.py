"""Kingmaking: games of which it is known how often the seat in last place decides who wins."""

import numpy as np
import polars as pl
import pytest
from simkit.content.reports.sections import luck as section_of

from simkit.engine import registry
from simkit.engine.kernel import CHOSEN
from simkit.engine.lineups import parse_lineup
from simkit.engine.table import GameTable
from simkit.errors import UsageError
from simkit.runs import experiment, kingmaking, runner
from simkit.runs import status as state
from simkit.runs.folder import open_run
from simkit.tables.findings import open_findings

WORD = {"question": "?", "game": "last_word", "deals": 60, "lineups": ["random*3"], "kingmaking": 50}
PIGS = {"question": "?", "game": "pig", "deals": 40, "lineups": ["hold_at*2", "hold_at, random*2"]}


def found_of(folder, keys):
    return open_findings(runner.run(experiment.parse(keys), folder))


@pytest.fixture(scope="module")
def heard(tmp_path_factory):
    return found_of(tmp_path_factory.mktemp("runs") / "heard", WORD)


@pytest.fixture(scope="module")
def unheard(tmp_path_factory):
    return found_of(tmp_path_factory.mktemp("runs") / "unheard", WORD | {"options": {"heard": False}})


def role(result, name):
    return result.kingmaking.filter(role=name).row(0, named=True)


def test_where_the_last_word_counts_the_last_seat_always_makes_the_king(heard):
    last = role(heard, "last")
    assert (last["king"], last["others"], last["wins"], last["choices"]) == (1.0, 1.0, 0.0, 2.0)
    assert (last["games"], last["deals"], last["king_high"]) == (50, 50, 1.0) and last["king_low"] > 0.9


def test_where_it_does_not_count_it_never_does(unheard):
    last = role(unheard, "last")
    assert (last["king"], last["others"], last["wins"], last["king_low"]) == (0.0, 0.0, 0.0, 0.0)
    assert last["king_high"] < 0.08


def test_the_leaders_word_changes_nothing_but_the_leader_may_win(heard, unheard):
    assert role(heard, "leader")["king"] == role(heard, "leader")["others"] == 0.0
    assert role(unheard, "leader")["wins"] == 1.0


def test_sentences_and_section_have_the_numbers_of_the_finding(heard, tmp_path):
    built = section_of.kingmaking(heard)
    assert len(built.tables[0].rows) == 2 and "100.0 % (92." in built.text[0]
    assert section_of.kingmaking(found_of(tmp_path / "none", WORD | {"kingmaking": 0})) is None


def of_pig(lineup, deals=200):
    game = registry.game("pig")
    players = registry.players(game, parse_lineup(lineup))
    games = np.array([np.arange(deals), np.arange(deals) % len(players)])
    return GameTable(game, game.rules()), players, games


def test_a_game_played_again_without_force_or_with_its_own_choice_is_the_same():
    """The placebo: luck, memory and errors of all strategies go on as they did."""
    table, players, games = of_pig("hold_at(blunder=0.2), random, hold_at")
    states = table.play(players, 1, *games)
    decisions = states["log"]["game"]["decisions"]
    notes = np.zeros((int(decisions.sum()), 4), np.int64)
    repeated = table.play(players, 1, *games, notes=notes)
    assert repeated.tobytes() == states.tobytes()
    starts = np.cumsum(decisions) - decisions
    at = decisions // 2
    forced = np.stack([at, notes[starts + at, CHOSEN], 0 * at], axis=1)
    assert table.play(players, 1, *games, forced=forced).tobytes() == states.tobytes()


def test_only_what_comes_after_a_forced_decision_changes():
    table, players, games = of_pig("hold_at*2")
    decisions = table.play(players, 1, *games)["log"]["game"]["decisions"]
    notes = np.zeros((int(decisions.sum()), 4), np.int64)
    table.play(players, 1, *games, notes=notes)
    starts = np.cumsum(decisions) - decisions
    other = 1 - notes[starts + decisions - 1, CHOSEN]
    forced = np.stack([decisions - 1, other, 0 * other], axis=1)
    after = np.zeros((4 * len(notes), 4), np.int64)
    table.play(players, 1, *games, forced=forced, notes=after)
    first = int(decisions[0])
    assert (after[: first - 1] == notes[: first - 1]).all()
    assert after[first - 1, CHOSEN] != notes[first - 1, CHOSEN]


def test_luck_after_a_forced_decision_is_another_for_each_number_and_the_same_for_each_action():
    table, players, games = of_pig("hold_at*2", deals=300)
    decisions = table.play(players, 1, *games)["log"]["game"]["decisions"]
    ends = []
    for luck in (1, 1, 2):
        forced = np.stack([decisions // 2, 0 * decisions, 0 * decisions + luck], axis=1)
        ends.append(table.play(players, 1, *games, forced=forced))
    assert ends[0].tobytes() == ends[1].tobytes()
    assert (ends[0]["rank"] != ends[2]["rank"]).any(axis=1).mean() > 0.2


def test_samples_are_late_of_the_seat_alone_in_last_place_one_per_deal_and_role(tmp_path):
    run = runner.run(experiment.parse(PIGS | {"kingmaking": 30, "trace": 40}), tmp_path / "run")
    rows = pl.read_parquet(run / kingmaking.FILE)
    assert rows["cell"].unique().to_list() == [1] and rows.height == rows.n_unique(["deal", "role"])
    assert (rows["turn"] - 1 >= rows["turns"] * kingmaking.LATE).all() and rows["deal"].max() < 30
    scores = open_run(run).turns().collect().select(pl.col("play", "turn", "seat", "score").cast(pl.Int64))
    cell = open_run(run).cells[1]
    for row in rows.rows(named=True):
        play = cell.play_of(row["deal"], row["rotation"])
        now = dict(scores.filter(play=play, turn=row["turn"] - 1).select("seat", "score").iter_rows())
        mine = now.pop(row["seat"])
        assert all(mine < other if row["role"] == "last" else mine > other for other in now.values())


def test_the_table_depends_on_the_experiment_alone_and_is_made_good_when_it_is_lost(tmp_path):
    run = runner.run(experiment.parse(WORD), tmp_path / "one")
    other = runner.run(experiment.parse(WORD), tmp_path / "other", jobs=2)
    before = (run / kingmaking.FILE).read_bytes()
    assert before == (other / kingmaking.FILE).read_bytes()
    (run / kingmaking.FILE).unlink()
    with pytest.raises(UsageError, match="the table of kingmaking is missing; run it again"):
        open_run(run)
    runner.run(experiment.parse(WORD), run)
    assert (run / kingmaking.FILE).read_bytes() == before


def test_a_damaged_table_is_told_refused_and_made_again(tmp_path):
    run = runner.run(experiment.parse(WORD), tmp_path / "run")
    table = run / kingmaking.FILE
    before = table.read_bytes()
    table.write_bytes(b"PAR1")
    assert state.status(run).state == state.DAMAGED and state.status(run).missing_files == [kingmaking.FILE]
    with pytest.raises(
        UsageError, match="late_choices.parquet was changed after it was written; run it again"
    ):
        open_run(run)
    runner.run(experiment.parse(WORD), run)
    assert table.read_bytes() == before and state.status(run).state == state.FINISHED


def test_a_longer_run_has_the_table_of_all_its_deals(tmp_path):
    short, long = (experiment.parse(PIGS | {"kingmaking": 60, "deals": deals}) for deals in (20, 50))
    run, direct = runner.run(short, tmp_path / "run"), runner.run(long, tmp_path / "direct")
    runner.run(long, run)
    assert (run / kingmaking.FILE).read_bytes() == (direct / kingmaking.FILE).read_bytes()
    assert state.status(run).state == state.FINISHED


def test_a_run_stopped_before_its_kings_are_found_is_not_finished(tmp_path, monkeypatch):
    def stop(*_):
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(kingmaking, "write", stop)
        with pytest.raises(KeyboardInterrupt):
            runner.run(experiment.parse(WORD), tmp_path / "run")
    assert state.status(tmp_path / "run").state == state.STOPPED
    runner.run(experiment.parse(WORD), tmp_path / "run")
    assert state.status(tmp_path / "run").state == state.FINISHED


@pytest.fixture(scope="module")
def careless(tmp_path_factory):
    """Players who look at nobody else: what the last does changes the dice of the others, never their odds."""
    keys = {"question": "?", "game": "pig", "deals": 300, "lineups": ["hold_at*3"], "kingmaking": 300}
    return found_of(tmp_path_factory.mktemp("runs") / "careless", keys)


def test_where_nobody_looks_at_anybody_else_no_king_is_made(careless):
    last = role(careless, "last")
    assert last["king_low"] == 0 and last["king_high"] < 0.02 and last["others_low"] == 0
