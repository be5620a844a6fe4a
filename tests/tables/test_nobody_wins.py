"""Competitive games that nobody may win: a fair share is P(somebody wins) / seats."""

import json

import numpy as np
import polars as pl
import pytest
from polars.testing import assert_frame_equal
from simkit.content.reports.sections.answer import balance_answer

from simkit import cli
from simkit.engine import registry
from simkit.runs import experiment, runner, sequential_stopping
from simkit.runs.folder import open_run
from simkit.runs.plan import Cell
from simkit.tables.findings import Findings
from simkit.verify.check import check
from tests.projects import project_of

LIFEBOAT = '''
"""Lifeboat: a storm takes the boat, or one of the seats is saved by lot."""

from enum import IntEnum

from simkit.engine.rng import below
from simkit.engine.game import Game
from simkit.engine.rule_helpers import end, offer
from simkit.engine.compile.jit import rule
from simkit.engine.options import integer

End = IntEnum("End", "unfinished saved lost", start=0)


@rule
def setup(s, rules, rng):
    """Nothing is laid out."""


@rule
def legal(s, rules, out):
    """Row or rest."""
    return offer(out, 0, 1)


@rule
def apply(s, rules, action, rng):
    """A lot from 0 to 99: the storm, else seat 0 up to its part of the rest, else the last seat."""
    s.log.game.turns = 1
    if below(rng.storm, 100) < rules.storm:
        end(s, End.lost)
        return
    s.rank[:] = 2
    s.rank[0 if below(rng.lot, 100) < rules.luck else s.seats - 1] = 1
    end(s, End.saved)


game = Game(
    name="lifeboat", title="Lifeboat", seats=(2, 2), summary="saved by lot, or nobody is", end_reasons=End,
    options=[integer("storm", 30, 0, 100, "LB-1", "Lots of 100 that are the storm"),
             integer("luck", 50, 0, 100, "LB-2", "Lots of 100 that save the first player")],
    state=[], max_actions=2, max_steps=2, setup=setup, legal=legal, apply=apply,
    streams=["nature/storm", "nature/lot"], all_may_lose=True,
)
'''


SUNK = LIFEBOAT.replace("lifeboat", "sunk").replace("s.rank[:] = 2", "s.rank[:] = 0")  # losers have rank 0


@pytest.fixture(scope="module")
def project(tmp_path_factory):
    games = {"games/lifeboat.py": LIFEBOAT, "games/sunk.py": SUNK}
    with project_of(tmp_path_factory.mktemp("lifeboat"), games) as folder:
        yield folder


def play(folder, **keys):
    usual = {"question": "Fair?", "game": "lifeboat", "deals": 6_000, "lineups": [["random", "random"]]}
    return open_run(runner.run(experiment.parse(usual | keys), folder, jobs=1))


@pytest.fixture(scope="module")
def swept(project, tmp_path_factory):
    keys = {"sweep": {"storm": [0, 30, 80], "luck": [50, 60]}, "baseline": {"storm": 30, "luck": 50}}
    return play(tmp_path_factory.mktemp("swept") / "run", **keys)


def test_the_fair_share_is_that_of_the_games_that_somebody_wins(swept):
    for row in Findings(swept).first_player_advantage.iter_rows(named=True):
        somebody = 1 - row["storm"] / 100
        assert row["fair"] == pytest.approx(somebody / 2, abs=0.012)
        assert row["low"] - 0.01 < somebody * row["luck"] / 100 < row["high"] + 0.01
        assert row["fpa"] == pytest.approx(row["share"] - row["fair"])
        assert row["fpa_low"] < somebody * (row["luck"] / 100 - 0.5) < row["fpa_high"] or row["luck"] == 60


def test_a_game_that_treats_both_alike_is_fair_however_often_nobody_wins(swept):
    verdicts = Findings(swept).first_player_advantage.select("storm", "luck", "verdict").rows()
    message = {(storm, luck): verdict for storm, luck, verdict in verdicts}
    assert message[0, 60] == message[30, 60] == "UNFAIR"
    assert not [at for at, verdict in message.items() if at[1] == 50 and verdict == "UNFAIR"]
    assert message[80, 50] == "FAIR"  # few games are won, so that their shares scatter least


def test_of_a_storm_that_always_comes_both_shares_are_fair(project, tmp_path):
    table = Findings(play(tmp_path / "run", options={"storm": 100})).seat_shares
    assert table["share"].to_list() == [0.0, 0.0] and table["fair"].to_list() == [0.0, 0.0]
    assert table["fpa"][0] == 0.0


def test_shares_of_games_that_somebody_always_wins_are_as_ever(swept):
    """Storm 0 beside others: the same numbers as alone."""
    cells = [cell.index for cell in swept.cells if cell.varied["storm"] == 0]
    alone, among = Findings(swept.only(cells)), Findings(swept).seat_shares
    columns = ["share", "low", "high", "fair", "fpa", "fpa_low", "log_within", "log_beyond"]
    here = among.filter(pl.col("storm") == 0)
    assert_frame_equal(alone.seat_shares.select(columns), here.select(columns), rel_tol=1e-12, abs_tol=1e-12)


def test_the_answer_says_how_many_games_nobody_wins(swept):
    warnings = " ".join(balance_answer(Findings(swept)).warnings)
    assert "Nobody wins up to " in warnings
    assert not balance_answer(Findings(swept.only([0, 1]))).warnings


def test_the_advantage_compares_with_the_fair_share_of_each_rule_set(swept):
    table = Findings(swept).comparisons
    row = table.filter(measure="fpa", setting="storm = 80, luck = 60").row(0, named=True)
    assert row["value"] == pytest.approx(0.2 * 0.1, abs=0.01)
    assert row["base_value"] == pytest.approx(0.0, abs=0.015)
    assert row["difference"] == pytest.approx(row["value"] - row["base_value"])
    assert row["low"] < 0.02 < row["high"]


def test_an_adaptive_run_stops_at_the_same_verdicts(project, tmp_path):
    keys = {"sweep": {"luck": [50, 70]}, "options": {"storm": 40}, "until_verdict": True, "margin": 0.05}
    run = play(tmp_path / "run", **keys, deals=20_000)
    table = Findings(run).first_player_advantage
    assert dict(table.select("luck", "verdict").iter_rows()) == {50: "FAIR", 70: "UNFAIR"}
    assert (table["deals"] < 20_000).all() and table["adjusted"].is_null().all()


def test_what_nobody_won_is_divided_among_all_seats():
    cell = Cell(0, "lifeboat", 2, {}, {}, (), 1, 10, 0, 1, False)
    lost = sequential_stopping.Tally(*map(np.array, ([[0.0, 0.0], [1.0, 0.0], [0.5, 0.5]], [4.0, 2.0, 1.0])))
    result = sequential_stopping.divide_unclaimed(lost, cell)
    assert result.outcomes.tolist() == [[0.5, 0.5], [1.0, 0.0]] and result.counts.tolist() == [5.0, 2.0]


@pytest.mark.slow
def test_the_solver_aims_at_equal_seats_although_nobody_wins_some_games(
    project, tmp_path, monkeypatch, capsys
):
    monkeypatch.chdir(tmp_path)
    words = ["fair", "lifeboat", "--vary", "luck=30:70", "--lineup", "random*2", "--deals", "2000"]
    with pytest.raises(SystemExit) as end:
        cli.main(["--project", str(project), *words, "--json", "--jobs", "1", "-o", "fair"])
    document = json.loads(capsys.readouterr().out)
    assert end.value.code == 0 and abs(document["best"]["luck"] - 50) <= 3


@pytest.mark.slow
def test_a_game_is_lost_by_all_when_nobody_has_a_share_whatever_rank_losers_have(project, tmp_path):
    keys = {"sweep": {"luck": [50, 60]}}
    first, other = (play(tmp_path / game, game=game, **keys) for game in ("lifeboat", "sunk"))
    assert Findings(first).seat_shares.equals(Findings(other).seat_shares)


def test_check_refuses_losers_with_rank_0_where_somebody_wins(project):
    text = [problem for result in check(registry.game("sunk")) for problem in result.problems]
    assert any("ranks [0, 1] are no ranking: the winners have rank 1, others" in first for first in text)
    assert not [problem for result in check(registry.game("lifeboat")) for problem in result.problems]


def test_a_setting_that_nobody_wins_is_never_the_fairest(project, tmp_path):
    run = play(tmp_path / "run", sweep={"storm": [0, 100]}, options={"luck": 60})
    assert Findings(run).nearest["setting"].to_list() == ["storm = 0"]
    three = play(tmp_path / "three", sweep={"storm": [0, 50, 100]}, options={"luck": 60})
    assert set(Findings(three).settings["setting"]) == {"storm = 0", "storm = 50"}


def test_the_line_to_be_near_falls_where_more_games_are_lost(swept, tmp_path):
    page = registry.recipe("balance").build(swept)
    assert any(section.figures for section in page.sections)
    fair = Findings(swept).first_player_advantage.filter(luck=50).sort("storm")["fair"].to_list()
    assert fair == sorted(fair, reverse=True) and fair[0] == 0.5
