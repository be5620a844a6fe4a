"""Runs that keep going: games that fail are lost by whose strategy failed, counted everywhere, never dropped."""

import json
import re
import shutil
from dataclasses import replace

import fsspec
import numpy as np
import polars as pl
import pytest
from simkit.content.reports.sections.answer import balance_headline

from simkit import cli
from simkit.engine import registry
from simkit.engine.compile.jit import rule
from simkit.engine.game import Team
from simkit.engine.rng import below
from simkit.engine.strategy import random, strategy
from simkit.engine.table import ENDED, WROTE, FailedGame, GameTable, _lose, play_on
from simkit.errors import PlayError, UsageError
from simkit.games import pig
from simkit.page.words.confidence import failures
from simkit.questions.fair.result import FairResults
from simkit.runs import narrate, runner, status
from simkit.runs.experiment import parse
from simkit.runs.folder import keep_results, open_run
from simkit.runs.plan import Layout
from simkit.runs.storage import checksums
from simkit.stats.verdicts import FAULTY
from simkit.tables.findings import Findings
from tests.everyday import everyday
from tests.projects import project_of

MINE = '''"""Strategies that fail now and then."""
from simkit.games.pig import HOLD, ROLL, game
from simkit.engine.strategy import strategy

@strategy(game)
def raises(view):
    """Raises an error late in some games."""
    if view.score[view.seat] > 80 and view.turn_total > 20:
        raise ValueError("no such luck")
    return ROLL if view.turn_total < 22 else HOLD

@strategy(game)
def slips(view):
    """Returns what is not legal after a long turn."""
    if view.turn_total > 24:
        return 7
    return ROLL if view.turn_total < 20 else HOLD
'''
RAISES, SLIPS = (
    "strategy raises failed: ValueError: no such luck",
    "strategy slips chose the illegal action 7",
)
KEYS = {"question": "?", "game": "pig", "deals": 150, "keep_going": True}
PAIR = {"lineups": [["raises", "slips"]], "trace": 40}


@pytest.fixture(scope="module", autouse=True)
def project(tmp_path_factory):
    with project_of(tmp_path_factory.mktemp("mine"), {"strategies/mine.py": MINE}) as folder:
        yield folder


@pytest.fixture(scope="module")
def run(project, tmp_path_factory):
    return open_run(runner.run(parse(KEYS | PAIR), tmp_path_factory.mktemp("run") / "run"))


def tables(folder):
    return {path.name: path.read_bytes() for path in sorted(folder.glob("*/*.parquet"))}


def failed_of(run):
    return run.games().filter(pl.col("fault").is_not_null()).collect()


def test_every_game_is_logged_and_those_that_failed_say_what_was_wrong_and_where(run, project):
    """given strategies that fail in some games, when a run keeps going, then all its games are in the log."""
    games, failed = run.games().collect(), failed_of(run)
    assert games.height == 300 and 20 < failed.height < 250
    assert set(failed["fault"]) == {RAISES, SLIPS}
    assert set(failed["end_reason"].cast(pl.String)) == {ENDED}
    assert games.filter(end_reason=ENDED).height == failed.height
    lines = set(failed["fault_line"].drop_nulls())
    assert "strategies/mine.py:9" in lines and not any(str(project) in line for line in lines)
    assert "What was wrong" in run.meanings("games")["fault"]


def test_a_line_is_told_within_its_project_wherever_that_and_simkit_lie(project):
    """given a line of a project, of simkit or of elsewhere, then no folder above these is in it."""
    assert registry.within(f"{project}/strategies/mine.py:9") == "strategies/mine.py:9"
    assert registry.within(f"{pig.__file__}:30") == "simkit/games/pig.py:30"
    assert registry.within("/elsewhere/of/somebody/rules.py:7") == "rules.py:7"
    assert registry.within("") == ""


@pytest.mark.parametrize("order", [1, -1])
def test_of_projects_within_each_other_a_line_is_told_within_the_innermost(tmp_path, order):
    """given a project in another's folder, in either order, then its line is the same."""
    inner = tmp_path / "b"
    inner.mkdir()
    before = registry.projects()
    try:
        registry.set_projects([str(tmp_path), str(inner)][::order])
        assert registry.within(f"{inner}/strategies/m.py:3") == "strategies/m.py:3"
        assert registry.within(f"{tmp_path}/strategies/m.py:3") == "strategies/m.py:3"
    finally:
        registry.set_projects(before)


def test_a_game_that_failed_is_lost_by_the_seat_whose_strategy_failed(run):
    seats = run.seats().collect().join(failed_of(run).select("play", "fault", "fault_seat"), on="play")
    mine = pl.col("seat") == pl.col("fault_seat")
    lost, won = seats.filter(mine), seats.filter(~mine)
    assert set(lost["share"]) == {0.0} and set(lost["rank"]) == {2}
    assert set(won["share"]) == {1.0} and set(won["rank"]) == {1}
    named = lost.select(
        pl.col("fault").str.contains(pl.format("strategy {} ", pl.col("strategy").cast(pl.String)))
    )
    assert named.to_series().all()
    shares = run.seats().group_by("play").agg(pl.col("share").sum()).collect()["share"]
    assert (shares == 1).all()


def test_games_that_do_not_fail_are_those_of_a_run_that_does_not_keep_going(tmp_path):
    """given players that do not fail, then the games and seats are the same."""
    request = parse(
        {
            "question": "?",
            "game": "pig",
            "deals": 60,
            "lineups": [["random", "hold_at"]],
            "options": {"goal": 20},
        }
    )
    plain, going = (
        open_run(runner.run(first, tmp_path / name))
        for first, name in ((request, "plain"), (request.with_keys(keep_going=True), "going"))
    )
    assert failed_of(going).is_empty() and going.seats().collect().equals(plain.seats().collect())
    games, same = going.games().drop("fault", "fault_seat", "fault_line").collect(), plain.games().collect()
    assert games.with_columns(pl.col("end_reason").cast(pl.String)).equals(
        same.with_columns(pl.col("end_reason").cast(pl.String))
    )


@pytest.mark.slow
@pytest.mark.parametrize("backend", everyday(["threading", "loky"], 1))
def test_two_workers_write_what_one_writes(run, backend, tmp_path):
    other = runner.run(parse(KEYS | PAIR), tmp_path / "run", 2, backend)
    assert tables(other) == tables(run.folder)


@pytest.mark.slow
def test_a_run_that_goes_on_plays_games_that_failed_no_second_time(tmp_path, monkeypatch):
    request, layout = parse(KEYS | PAIR), Layout(100, 100)
    whole = runner.run(request, tmp_path / "whole", layout=layout)
    part = runner.run(request, tmp_path / "part", layout=layout)
    missing = sorted((part / "games").iterdir())[1]
    missing.unlink()
    played = []
    monkeypatch.setattr(
        "simkit.runs.play.play_on", lambda *given: played.append(given[3].shape[1]) or play_on(*given)
    )
    runner.run(request, part, layout=layout)
    assert tables(part) == tables(whole) and 0 < sum(played) < 150
    played.clear()
    runner.run(request, part, layout=layout)
    assert not played


def test_games_that_failed_are_not_traced_and_the_others_are(run):
    failed, traced = set(failed_of(run)["play"]), set(run.turns().collect()["play"])
    assert traced == set(range(80)) - failed and failed & set(range(80))


def test_every_table_of_cells_counts_the_games_that_failed(run):
    result, count = Findings(run), failed_of(run).height
    for name in (
        "cells",
        "seat_shares",
        "first_player_advantage",
        "strategy_shares",
        "lengths",
        "end_reasons",
        "draws",
    ):
        assert set(getattr(result, name)["failed"]) == {count}, name
    assert result.faults["games"].sum() == count
    ends = result.end_reasons.filter(end_reason=ENDED)
    assert ends["share"][0] == pytest.approx(count / 300)


@pytest.mark.parametrize("goal, faulty", [(89, False), (90, True)])
def test_where_more_than_one_game_of_a_hundred_failed_there_is_no_verdict(goal, faulty, tmp_path):
    request = parse(KEYS | {"lineups": ["raises*2"], "deals": 1500, "options": {"goal": goal}})
    row = Findings(open_run(runner.run(request, tmp_path / "run"))).first_player_advantage.row(0, named=True)
    assert row["failed"] and (row["failed"] > 15) == faulty == (row["verdict"] == FAULTY)


def test_numbers_of_seats_where_too_many_games_failed_are_told_so(tmp_path):
    request = parse(KEYS | {"lineups": ["raises*2", "raises*3"], "deals": 30})
    findings = Findings(open_run(runner.run(request, tmp_path / "run")))
    assert (
        balance_headline(findings)
        == "The game is not judged, since too many games failed, with 2 and 3 players."
    )


@pytest.mark.slow
def test_cells_that_stop_by_themselves_keep_going_too(tmp_path):
    request = parse(KEYS | {"lineups": ["raises*2"], "deals": 2000, "until_width": 0.2})
    findings = Findings(open_run(runner.run(request, tmp_path / "run")))
    row = findings.first_player_advantage.row(0, named=True)
    assert row["deals"] < 2000 and row["failed"] and row["verdict"] == FAULTY


def test_the_terminal_the_page_and_the_document_tell_of_them(run, project, capsys):
    (message,) = failures(Findings(run))
    count, first = failed_of(run).height, failed_of(run)["play"].min()
    assert message.startswith(f"{count} of 300 games failed") and RAISES in message and SLIPS in message
    assert re.search(r"mine\.py:9\)", message) and message.endswith(f"replay {run.folder} {first}")
    cli.cli.main(["report", str(run.folder), "-o", "-", "--format", "md"], standalone_mode=False)
    page = capsys.readouterr().out
    assert "**Beware:**" in page and f"{count} of 300 games failed" in page
    cli.cli.main(["status", str(run.folder), "--json"], standalone_mode=False)
    assert json.loads(capsys.readouterr().out)["failed"] == count == status.status(run.folder).failed


def test_of_a_search_at_an_address_the_games_of_its_looks_that_failed_are_told_with_their_address(
    tmp_path, monkeypatch
):
    monkeypatch.setenv("SIMKIT_CACHE", str(tmp_path))
    there, keys = "memory://of-a-search", KEYS | {"lineups": ["raises*2"], "deals": 60}
    wide, check = (parse(keys | {"sweep": {"goal": goals}}) for goals in ([90, 100], [90]))
    try:
        runner.run(wide, f"{there}/side_runs/wide")
        run = open_run(runner.run(check, there))
        odds = {"share": 0.5, "low": 0.4, "high": 0.6}
        value = {"lineup": "raises mirror", "option": "goal", "value": 90.0, "low": None, "high": None}
        point = {"look": "wide", "lineup": "raises mirror", "seat": 0, **odds, "deals": 60, "goal": 90}
        expected = {"vary": {"goal": [90, 100]}, "usual": {"goal": 100}, "fair": 0.5}
        line = {"lineup": "raises mirror", "option": "goal", "seat": 0, "x": 90.0, **odds}
        rest = {"points": [point], "curve": [line], "differing_lineups": [], "unfit": []}
        values = {"values": [value | {"best": 90}]}
        keep_results(run.folder, FairResults.model_validate(expected | rest | values))
        of_check, of_look = failures(Findings(open_run(run.folder)))
    finally:
        fsspec.filesystem("memory").store.clear()
    assert re.search(rf" games failed.* replay {there} \d+$", of_check, re.DOTALL)
    assert re.search(
        rf" games of the wide look failed.* replay {there}/side_runs/wide \d+$", of_look, re.DOTALL
    )


@pytest.mark.slow
def test_the_commands_keep_going_when_told_so(project, tmp_path, capsys):
    given = [
        "sweep",
        "pig",
        "goal=90,100",
        "--lineup",
        "raises*2",
        "--deals",
        "40",
        "--jobs",
        "1",
        "-o",
        str(tmp_path),
    ]
    with pytest.raises(PlayError, match="no such luck"):
        cli.cli.main([*given[:-1], str(tmp_path / "a")], standalone_mode=False)
    capsys.readouterr()
    cli.cli.main([*given[:-1], str(tmp_path / "b"), "--keep-going", "--json"], standalone_mode=False)
    document = json.loads(capsys.readouterr().out)
    assert all(cell["seats"][0]["failed"] > 0 and cell["n"] == 40 for cell in document["cells"])
    assert "failed. They count as lost" in document["warnings"][0]


def test_a_foreign_table_in_the_folder_is_refused_by_status_in_a_line(run, tmp_path):
    folder = tmp_path / "run"
    shutil.copytree(run.folder, folder)
    table = next((folder / "games").glob("*.parquet"))
    pl.read_parquet(table).drop("fault").write_parquet(table)
    checksums.note(folder, {f"games/{table.name}": checksums.digest(table)})
    with pytest.raises(UsageError, match="is not a table of this run"):
        status.status(folder)


def test_the_replay_of_a_game_that_failed_is_told_up_to_its_fault(run):
    failed = failed_of(run).row(0, named=True)
    lines, story = [], narrate.replay(run, failed["play"])
    with pytest.raises(PlayError, match=r"mine\.py:\d+"):
        lines.extend(iter(lambda: next(story), None))
    assert sum("turn total" in line for line in lines) > failed["turns"] // 2
    well = run.games().filter(pl.col("fault").is_null()).select("play").collect()["play"][0]
    assert "over after" in "\n".join(narrate.replay(run, well))


def test_games_of_beginners_keep_going_too(tmp_path):
    request = parse(KEYS | {"lineups": ["slips*2"], "deals": 20, "beginners": [0.5]})
    folder = runner.run(request, tmp_path / "run")
    small = open_run(folder / "beginners")
    assert small.experiment.keep_going and failed_of(small).height
    assert any(
        "games with a player who errs failed" in first for first in failures(Findings(open_run(folder)))
    )


def test_kingmaking_needs_games_that_can_be_played_on(tmp_path):
    with pytest.raises(UsageError, match="kingmaking.*leave out key 'keep_going'"):
        runner.run(parse(KEYS | {"lineups": ["random*3"], "kingmaking": 10}), tmp_path / "run")


@strategy(pig.game)
def bends(view, rules):
    """Writes to the rules in some games."""
    if view.score[view.seat] > 88:
        rules.goal = 5
    return pig.ROLL if view.turn_total < 20 else pig.HOLD


def play_games(game, lineup, deals):
    table = GameTable(game, game.rules())
    before = table.rules.tobytes()
    games = np.array([np.arange(deals), np.arange(deals) % len(lineup)])
    states, failed = play_on(table, lineup, 3, games, True)
    assert table.rules.tobytes() == before
    return table, games, states, failed


def test_a_strategy_that_bends_the_rules_stops_the_run_as_it_may_spoil_other_games():
    lineup = [bends.player(pig.game), random.player(pig.game)]
    with pytest.raises(PlayError, match=rf"strategy bends: failed: {WROTE} \({__file__}:\d+\)"):
        play_games(pig.game, lineup, 40)


@rule
def breaks(s, rules, action, rng):
    """Fails where somebody has as many points as a game of 40 needs."""
    if max(s.score[0], s.score[1]) > 40:
        raise ValueError("beyond the table")
    pig.apply(s, rules, action, rng)


@rule
def sets_up_seldom(s, rules, rng):
    """Fails in one deal of three."""
    if below(rng.die, 3) == 0:
        raise ValueError("no table")
    pig.setup(s, rules, rng)


@pytest.mark.slow
def test_where_the_rules_fail_nobody_wins():
    broken = replace(pig.game, name="breaking_pig", apply=breaks, setup=sets_up_seldom)
    _, _, states, failed = play_games(broken, [random.player(broken)] * 2, 12)
    message = {first.message: first.seat for first in failed}
    assert sorted(message) == [
        "the rules failed: ValueError: beyond the table",
        "the rules failed: ValueError: no table",
    ]
    assert message["the rules failed: ValueError: no table"] == -1
    assert (
        not any(first.by_strategy for first in failed)
        and not states["rank"][[first.game for first in failed]].any()
    )


def test_a_team_loses_where_one_of_it_fails():
    game = replace(pig.game, sides=Team)
    s = np.ones(1, pig.game.state_dtype)
    _lose(game, s[0], FailedGame(0, 1, True, "", ""), 2)
    assert not s["rank"].any()


def test_of_three_seats_the_two_others_share_the_win():
    s = np.ones(1, pig.game.state_dtype)
    _lose(pig.game, s[0], FailedGame(0, 1, True, "", ""), 3)
    assert s["rank"][0, :3].tolist() == [1, 3, 1]
