"""`simkit ladder`: results of each rung, resumed without loss, the same whatever the jobs; its refusals."""

from __future__ import annotations

import shlex
import signal
import time
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import polars as pl
import pytest
from click.testing import CliRunner
from simkit.content.reports import ladder as page

from simkit import cli
from simkit.ask import rungs
from simkit.ask.rungs import PRECISE, LadderStudy, above, learned_rungs, scripted_by_strength, share_of
from simkit.cli.interrupts import paused_after
from simkit.engine import registry
from simkit.engine.learned.file import save
from simkit.engine.lineups import parse_strategy
from simkit.engine.table import GameTable
from simkit.errors import UsageError
from simkit.page.document.files import as_text
from simkit.page.recipe import origin
from simkit.page.words.confidence import measurement_note
from simkit.questions.ladder import usual_sweep
from simkit.runs import runner
from simkit.runs.experiment import Experiment
from simkit.runs.folder import RESULTS_FILE, Run, open_run
from simkit.stats.sprt import elo_of_share
from simkit.tables.findings import Findings
from simkit.tables.rungs import Estimate, Ladder
from tests.made_nets import made_trained
from tests.projects import project_of
from tests.questions.carried_out import findings_of

pytestmark = pytest.mark.slow

RUNGS = ["random", "search(budget=4)", "hold_at"]


def request(
    given: list[str], game: str = "pig", deals: int = 200, seats: int = 2, **keys: Any
) -> LadderStudy:
    usual: dict[str, Any] = {"seed": 7, "margin": 0.02, "more": {}, "sweep": {}}
    table = {"game": game, "lineups": [[f"random*{seats}"]], "deals": deals, "given": given}
    return LadderStudy(**usual | table | keys)


def carried_out(study: LadderStudy, folder: Path, **how: Any) -> Ladder:
    """The results of a ladder that is carried out in a folder."""
    study.check()
    study.solve(lambda experiment, name: open_run(runner.run(experiment, folder / name, **how)))
    return open_run(folder).answer_of(Ladder)


def call(*words: object) -> Any:
    return CliRunner().invoke(cli.cli, ["ladder", *map(str, words)], catch_exceptions=True)


@pytest.mark.parametrize(
    ("game", "fixed", "sweep"),
    [
        ("outpost_seven", {}, {"start_total_second": [16, 18, 20]}),
        ("outpost_seven", {"start_total_first": 14}, {"start_total_second": [16, 18, 20]}),
        ("outpost_seven", {"start_total_second": 20}, {}),
        ("outpost_seven", {"start_rule": "keep_count"}, {"start_count_second": [3, 4, 5]}),
        ("outpost", {"initial_order": "random"}, {}),
        ("exoplanet_colony", {}, {}),  # a team
        ("nim", {}, {}),
    ],
)
def test_the_usual_ladder_varies_what_makes_up_to_later_seats_for_not_moving_first(
    game: str, fixed: dict[str, Any], sweep: dict[str, list[int]]
) -> None:
    assert usual_sweep(registry.game(game), fixed, 2) == sweep


@pytest.fixture(scope="module")
def sweep() -> Iterator[dict[str, list[int]]]:
    return {"goal": [20, 30]}


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory, sweep: dict[str, list[int]]) -> Findings:
    """A ladder of Pig at two settings, to read only."""
    return findings_of(request(RUNGS, sweep=sweep), tmp_path_factory.mktemp("ladder"))


def test_a_rung_has_the_share_of_its_match_and_elo_that_add_up(played: Findings) -> None:
    lowest, middle, highest = played.run.answer_of(Ladder).rungs
    assert (lowest.rival, lowest.share, lowest.elo) == (None, None, None)
    assert [middle.rival, highest.rival] == RUNGS[:2]
    rows = open_run(played.run.folder / "side_runs/match2").seats().filter(pl.col("strategy") == "hold_at")
    assert middle.share and middle.elo and highest.share and highest.elo
    assert highest.share.value == pytest.approx(rows.select(pl.col("share").mean()).collect().item())
    steps = [elo_of_share(rung.share.value) for rung in (middle, highest) if rung.share]
    assert middle.elo.value == pytest.approx(steps[0]) and highest.elo.value == pytest.approx(sum(steps))
    assert highest.elo.low < highest.elo.value < highest.elo.high


def test_where_nothing_is_open_the_next_step_is_how_often_the_better_player_wins(
    played: Findings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(page, "open_answer", lambda rows: None)
    monkeypatch.setattr(page, "_rungs_stamp", lambda findings: None)
    levels = ", ".join(rung.strategy for rung in played.run.answer_of(Ladder).rungs if not rung.searches)
    assert shlex.split(page._ladder_step(played).command) == [
        "simkit", "skill", "pig", "--levels", levels, "--seats", "2",
    ]  # fmt: skip


def test_a_rung_has_the_answers_of_its_games_against_itself_at_every_setting(played: Findings) -> None:
    for rung in played.run.answer_of(Ladder).rungs:
        mirror = open_run(played.run.folder / "side_runs" / rung.run if rung.run else played.run.folder)
        rows = mirror.seats().collect()
        assert {cell.labels[0] for cell in mirror.cells} == {rung.strategy}
        assert [answers.setting for answers in rung.answers] == [{"goal": 20}, {"goal": 30}]
        for cell, answers in enumerate(rung.answers):
            shares = rows.filter(cell=cell).group_by("seat").agg(pl.col("share").mean()).sort("seat")["share"]
            assert [share.value for share in answers.shares] == pytest.approx(shares.to_list())
    table = played.rung_answers
    assert table.height == len(RUNGS) * 2 * 2 and table["fair"].unique().to_list() == [0.5]


def test_the_rungs_of_a_ladder_meet_the_same_deals_in_their_mirrors(played: Findings) -> None:
    seeds = {open_run(path).experiment.seed for path in played.run.folder.glob("side_runs/rung*")}
    assert seeds == {played.run.experiment.seed} != {7}


def test_the_highest_rung_agrees_with_itself_and_others_less(played: Findings) -> None:
    *below, highest = played.rungs["agreement"]
    assert highest == 1.0 and all(0 < agreement < 1 for agreement in below)
    assert all(milliseconds > 0 for milliseconds in played.rungs["milliseconds"])


def test_the_games_of_a_ladder_are_those_of_all_its_rungs_and_matches(played: Findings) -> None:
    """Only the highest rung against itself had been counted."""
    folders = [played.run.folder, *played.run.folder.glob("side_runs/*")]
    games = sum(open_run(folder).games().collect().height for folder in folders)
    assert played.run.games_in_all == games > 2 * 200
    assert f" {games:,} games" in f" {origin(played.run)}" and f"{games:,} games in all" in measurement_note(
        played, ""
    )


def test_where_an_option_of_whole_numbers_varies_each_rung_has_a_fair_value(played: Findings) -> None:
    assert [rung.fair.option for rung in played.run.answer_of(Ladder).rungs if rung.fair] == ["goal"] * 3


def test_the_matrix_has_the_games_that_the_ladder_played_anyway(played: Findings) -> None:
    """Neighbours met in their match, on fresh deals; random and hold_at in the games with the panel."""
    for name, row, column in (
        ("match1", "search(budget=4)", "random"),
        ("match2", "hold_at", "search(budget=4)"),
        ("panel", "hold_at", "random"),
    ):
        seats = open_run(played.run.folder / "side_runs" / name).seats().collect()
        (shown,) = played.rung_matrix.filter(row=row, column=column).rows(named=True)
        rows = seats.filter(pl.col("strategy").cast(pl.String) == row)
        share, first = rows["share"].mean(), rows.filter(seat=0)["share"].mean()
        assert shown["share"] == pytest.approx(share) and shown["games"] == rows.height
        assert shown["low"] < shown["share"] < shown["high"] and shown["fair"] == 0.5
        (worth,) = played.rung_seat_effects.filter(row=row, column=column, seat=0)["worth"]
        assert isinstance(first, float) and worth == pytest.approx(first - shown["share"])
    assert played.rung_matrix["row"].unique(maintain_order=True).to_list() == RUNGS[::-1][:1] + RUNGS[1::-1]
    assert page.unplayed_pairings(played) == 0


def test_a_seat_is_worth_something_between_equal_rungs_where_the_usual_rules_were_played(
    played: Findings, tmp_path: Path
) -> None:
    mirror = pl.col("row") == pl.col("column")
    assert played.rung_seat_effects.filter(mirror).is_empty()  # 20 and 30 points, which are not usual
    usual = findings_of(request(["random", "hold_at"], sweep={"goal": [30, 100]}), tmp_path)
    worths = usual.rung_seat_effects.filter(mirror, seat=0)
    answers = usual.rung_answers.filter(seat=0, goal=100).sort("rung", descending=True)
    assert worths["row"].to_list() == answers["strategy"].to_list() == ["hold_at", "random"]
    assert worths["worth"].to_list() == pytest.approx((answers["share"] - 0.5).to_list())


def test_pairings_that_a_ladder_has_not_played_are_empty_and_a_command_plays_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    given = ["random", "hold_at(threshold=5)", "hold_at(threshold=8)", "hold_at"]
    findings = findings_of(request(given, deals=100, seats=3), tmp_path)
    assert findings.run.answer_of(Ladder).panel == given[1:]
    met = set(findings.rung_matrix.select("row", "column").rows())
    panel = {(row, column) for row in given for column in given[1:] if row != column}
    ((_, rival),) = met - panel  # the match of the rung above random
    assert rival == "random" and page.unplayed_pairings(findings) == 12 - len(met) == 2
    section = page.rung_against_rung(findings)
    assert section and section.text[1] == "2 pairings were not played."
    (story,) = section.stories
    levels = ", ".join(rung.strategy for rung in findings.run.answer_of(Ladder).rungs)
    assert shlex.split(story.text) == [
        "simkit", "skill", "pig", "--levels", levels, "--seats", "3", "--deals", "100",
    ]  # fmt: skip
    text = as_text(registry.recipe("ladder").build(findings.run), "md")
    assert "## Rung against rung" in text and "## What a seat is worth" in text and story.text in text
    monkeypatch.setattr(page, "open_answer", lambda rows: None)
    monkeypatch.setattr(page, "_rungs_stamp", lambda findings: None)
    assert page._ladder_step(findings).command == story.text


def test_workers_decide_nothing(played: Findings, sweep: dict[str, list[int]], tmp_path: Path) -> None:
    """Nor does a clock: the answer had the times of the decisions."""
    carried_out(request(RUNGS, sweep=sweep), tmp_path, jobs=2)
    for name in (RESULTS_FILE, "checksums.txt"):
        assert (tmp_path / name).read_bytes() == (played.run.folder / name).read_bytes()


def test_a_ladder_that_was_interrupted_goes_on_without_playing_finished_rungs_again(
    played: Findings, sweep: dict[str, list[int]], tmp_path: Path
) -> None:
    study, names = request(RUNGS, sweep=sweep), list[str]()

    def play(experiment: Experiment, name: str) -> Run:
        if name.endswith("match2"):
            raise KeyboardInterrupt
        names.append(name)
        return open_run(runner.run(experiment, tmp_path / name))

    with pytest.raises(KeyboardInterrupt):
        study.solve(play)
    before = {path: path.stat().st_mtime_ns for path in tmp_path.rglob("*.parquet")}
    assert (
        names == [f"side_runs/{name}" for name in ("panel", "searches", "rung0", "match1", "rung1")]
        and before
    )
    assert carried_out(study, tmp_path) == played.run.answer_of(Ladder)
    assert {path: path.stat().st_mtime_ns for path in before} == before


def test_a_search_plays_fewer_deals_with_a_larger_budget() -> None:
    deals = [
        request(["random", f"search(budget={budget})"], deals=20_000).last_run().deals
        for budget in (50, 100, 200, 100_000)
    ]
    assert deals == [4_000, 2_000, 1_000, 100]
    assert request(["random", "search(budget=10)"], deals=20_000).last_run().deals == PRECISE
    assert request(["random", "hold_at"], deals=20_000).last_run().deals == 20_000


def test_the_usual_rungs_of_a_game_without_strategies_of_its_own_are_random_and_searches(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("simkit.ask.rungs.SEARCHES", ("search(budget=2)", "search(budget=64)"))
    ladder = carried_out(request([], "nim", 100), tmp_path)
    assert [rung.strategy for rung in ladder.rungs] == ["random", "search(budget=2)", "search(budget=64)"]
    assert [rung.family for rung in ladder.rungs] == ["", "search", "search"]
    assert ladder.panel == ["search(budget=2)"]


def test_rungs_stand_in_the_order_of_what_they_win_against_the_same_players(tmp_path: Path) -> None:
    """They stood as they were listed, whoever won."""
    weaker = "hold_at(blunder=0.3)"
    listed = ["hold_at", "random", weaker]
    ladder = carried_out(request(listed), tmp_path)
    assert [rung.strategy for rung in ladder.rungs] == ["random", weaker, "hold_at"]
    assert ladder.panel == ["hold_at", weaker]
    run = open_run(tmp_path / "side_runs/panel")
    met = {cell.labels[1]: run.only([cell.index]) for cell in run.cells if cell.labels[0] == "random"}
    assert {*met} == {*ladder.panel}
    shares = [share_of(part, "random").value for part in met.values()]
    (panel,) = (rung.panel for rung in ladder.rungs if rung.strategy == "random")
    assert panel and panel.value == pytest.approx(np.mean(shares))
    assert panel.low < panel.value < panel.high < 0.5 and open_run(tmp_path).cells[0].labels[0] == "hold_at"


def test_learned_and_strong_are_rungs_where_the_game_has_them_for_this_number_of_seats(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("simkit.ask.rungs.SEARCHES", ("search(budget=2)", "search(budget=4)"))
    strong = "search(policy=learned, leaf=learned, budget=50, horizon=2, top=2)"
    with project_of(tmp_path / "mine", {"README.md": "Mine."}) as folder:
        file = registry.learned_file(folder, "pig", "best", 2)
        save(file, made_trained(registry.game("pig"), 2, command="simkit learn pig", strong=strong))
        ladder = carried_out(request([], deals=100), tmp_path / "run")
        three = request([], seats=3)
        usual = [learned_rungs(three), learned_rungs(request([], "nim"))]
        save(file, made_trained(registry.game("pig"), 2, command="simkit learn pig"))
        without_strong = learned_rungs(request([]))
    families = {rung.strategy: rung.family for rung in ladder.rungs}
    searches = dict.fromkeys(("search(budget=2)", "search(budget=4)"), "search")
    assert (
        families
        == {"random": "", "hold_at": "scripted", "learned": "learned", "strong": "learned"} | searches
    )
    assert ladder.panel == ["hold_at", "search(budget=2)"] and usual == [[], []]
    assert without_strong == ["learned"]  # `strong` is then a plain search, which is a rung already
    assert {rung.answers[0].deals for rung in ladder.rungs if rung.strategy == "strong"} == {100}
    page = as_text(registry.recipe("ladder").build(open_run(tmp_path / "run")))
    assert "learned players" in page


def test_scripted_strategies_are_ranked_by_what_they_win_with_the_usual_policy(tmp_path: Path) -> None:
    study = request([], "kuhn_poker")
    names = scripted_by_strength(study, lambda run, name: open_run(runner.run(run, tmp_path / name)))
    run = open_run(tmp_path / "scripted")
    assert [cell.labels for cell in run.cells] == [["nash", "random"], ["chances", "random"]]
    won = {name: share_of(run.only([place]), name).value for place, name in enumerate(("nash", "chances"))}
    assert names == sorted(won, key=won.__getitem__, reverse=True)


def test_a_game_with_a_single_scripted_strategy_needs_no_ranking() -> None:
    assert scripted_by_strength(request([]), lambda run, name: pytest.fail(name)) == ["hold_at"]


def test_with_two_seats_two_members_of_the_panel_meet_once(played: Findings) -> None:
    panel, searches = (open_run(played.run.folder / f"side_runs/{name}") for name in ("panel", "searches"))
    met = [cell.labels for run in (panel, searches) for cell in run.cells]
    assert met == [["random", "hold_at"], ["random", "search(budget=4)"], ["hold_at", "search(budget=4)"]]
    assert (panel.experiment.deals, searches.experiment.deals) == (400, 100)


def test_the_family_of_a_rung_is_that_of_its_player(played: Findings) -> None:
    families = dict(zip(played.rungs["strategy"], played.rungs["family"], strict=True))
    assert families == {"random": "", "search(budget=4)": "search", "hold_at": "scripted"}
    assert dict(played.rung_answers.select("strategy", "family").unique().iter_rows()) == families


def test_elo_of_three_seats_is_that_of_one_against_two() -> None:
    """34 % of the games of three gave −128 Elo: as if a half of them were even."""
    even = above(None, Estimate(value=1 / 3, low=0.25, high=0.5), 1 / 3)
    assert even.value == pytest.approx(0, abs=1e-9)
    assert even.high == pytest.approx(400 * np.log10(2)) and even.low == pytest.approx(400 * np.log10(2 / 3))


def test_the_share_of_a_team_is_its_win_rate(tmp_path: Path) -> None:
    ladder = carried_out(request(["random", "runner"], "rope_bridge", more={"target": 0.4}), tmp_path)
    run = open_run(tmp_path)
    assert all(rung.share is None and rung.rival is None and rung.fair is None for rung in ladder.rungs)
    (share,) = ladder.rungs[1].answers[0].shares
    assert share.value == pytest.approx(run.seats().select(pl.col("share").mean()).collect().item())
    assert share_of(run, "runner").value == share.value
    findings = Findings(run)
    assert findings.rung_answers["fair"].unique().to_list() == [0.4]
    assert findings.rung_matrix.is_empty() and findings.rung_seat_effects.is_empty()
    assert "Rung against rung" not in as_text(registry.recipe("ladder").build(run))


def test_positions_hold_legal_actions_that_a_deterministic_player_takes_again() -> None:
    game = registry.game("pig")
    table = GameTable(game, game.rules({"goal": 30}))
    player = registry.player(game, parse_strategy("hold_at(threshold=5)")[0], 2)
    several = list(rungs.positions(table, player, 2, 3))
    assert {position.deal for position in several} == {0, 1, 2}
    assert all(position.taken in position.legal and position.legal.size > 1 for position in several)
    assert rungs.agreement(table, player, several) == 1.0
    other = registry.player(game, parse_strategy("hold_at(threshold=50)")[0], 2)
    assert rungs.agreement(table, other, several) < 1.0


def test_the_time_per_decision_counts_all_decisions(monkeypatch: pytest.MonkeyPatch) -> None:
    """Only 100,000 of them were counted, so that quick players looked up to four times as slow."""
    game = registry.game("pig")
    table, player = GameTable(game, game.rules()), registry.player(game, parse_strategy("hold_at")[0], 2)
    seconds = [0.1] * 6 + [1.0]  # of 1, 4, ... 4,096 games
    clock = iter(np.cumsum([0.0, *(part for spent in seconds for part in (spent, 0.0))]).tolist())
    monkeypatch.setattr(rungs, "time", SimpleNamespace(process_time=lambda: next(clock)))
    deals = np.arange(4**6)
    states = table.play([player] * 2, rungs.SEED, deals, np.zeros_like(deals))
    count = int(states["log"]["game"]["decisions"].sum())
    assert count > 100_000
    assert rungs.milliseconds(table, player, 2) == pytest.approx(1000 / count)


def test_a_game_whose_legal_actions_are_forced_takes_no_time_per_decision() -> None:
    game = registry.game("high_card")
    table, player = (
        GameTable(game, game.rules({"dealt": True})),
        registry.player(game, parse_strategy("random")[0], 2),
    )
    assert rungs.milliseconds(table, player, 3) == 0.0
    assert rungs.agreement(table, player, list(rungs.positions(table, player, 3, 2))) == 1.0


def test_a_rung_is_one_strategy() -> None:
    with pytest.raises(UsageError, match=r"'random\*2' names several"):
        request(["hold_at", "random*2"]).check()


def test_hours_pause_the_command_as_ctrl_c_does() -> None:
    signals = list[int]()
    before = signal.signal(signal.SIGINT, lambda number, frame: signals.append(number))
    try:
        with paused_after(0.05 / 3600):
            until = time.monotonic() + 600
            while not signals and time.monotonic() < until:
                time.sleep(0.01)
        with paused_after(0.05 / 3600), paused_after(None):
            pass
        time.sleep(0.1)
    finally:
        signal.signal(signal.SIGINT, before)
    assert signals == [signal.SIGINT]
