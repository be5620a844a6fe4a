"""Wishes about skill: how they are read, on which lineups they are measured, and which are refused."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from simkit.content.reports import design as page
from simkit.content.reports.design import design_advice, design_headline, label_settings, setting_rows

import simkit
from simkit.engine import registry
from simkit.page.document.files import as_text
from simkit.questions.design import DesignStudy, result
from simkit.questions.design.presets import expand, is_preset
from simkit.questions.design.result import Goal, at_lineups
from simkit.runs import runner
from simkit.runs.experiment import labels_of, parse_lineups
from simkit.runs.folder import open_run
from simkit.stats.deals import share_from_moments
from simkit.tables.findings import Findings
from tests.questions.carried_out import findings_of
from tests.synthetic import made_run

SKILL = "skill=60:70 with hold_at over random"
LEARNABLE = "learnable >= 55 with random, hold_at(threshold=5,blunder=0.3), hold_at"
ERRING = "hold_at(threshold=5, blunder=0.3)"


def request(*wishes: str, lineup: str = "hold_at*2", **keys: Any) -> DesignStudy:
    study = DesignStudy("pig", [labels_of(parse_lineups([lineup]))], 60, 1, 0.02, {}, {}, [], 2, 1, 200)
    return replace(study, vary={"goal": [30, 40]}, wishes=list(wishes), **keys)


@pytest.mark.parametrize(
    ("wish", "lineup", "pairs", "low", "high"),
    [
        (SKILL, "hold_at*2", [("hold_at", "random")], 0.6, 0.7),
        ("skill>=60  with random over hold_at", "random*3", [("random", "hold_at")], 0.6, None),
        ("skill<=60 with hold_at over random", "random*2", [("hold_at", "random")], None, 0.6),
        (LEARNABLE, "hold_at*2", [(ERRING, "random"), ("hold_at", ERRING)], 0.55, None),
    ],
)
def test_a_wish_about_skill_is_a_goal_for_each_pair_of_players(
    wish: str, lineup: str, pairs: list[tuple[str, str]], low: float | None, high: float | None
) -> None:
    study = request(wish, lineup=lineup)
    goals = study.goals()
    assert [(goal.strategy, goal.opponent) for goal in goals] == pairs
    assert {(goal.wish, goal.unit, goal.low, goal.high) for goal in goals} == {(wish, "share", low, high)}
    tables = [[better, *[worse] * (study.seats - 1)] for better, worse in pairs]
    assert [goal.lineups for goal in goals] == [[", ".join(table)] for table in tables]
    assert study.side_run([(30,)], 20).lineups == study.last_run().lineups == tables


@pytest.mark.parametrize(("seats", "judged"), [(2, [0]), (3, [0, 1, 2])])
def test_fairness_with_players_is_a_goal_for_each_seat_among_equals(seats: int, judged: list[int]) -> None:
    wish = "fairness=45:55 with random, hold_at"
    study = request(wish, lineup=f"hold_at*{seats}")
    rows = [(goal.strategy, goal.opponent, goal.seat, goal.low, goal.high) for goal in study.goals()]
    assert rows == [(name, name, seat, 0.45, 0.55) for name in ("random", "hold_at") for seat in judged]
    assert study.last_run().lineups == [["random"] * seats, ["hold_at"] * seats]


@pytest.mark.parametrize(
    ("wish", "game", "seats", "fair", "wishes"),
    [
        ("target_matrix with a, b(x=1, y=2), c", "pig", 2, 0.5, [
            "skill=60:70 with b(x=1, y=2) over a", "skill=60:70 with c over b(x=1, y=2)",
            "fairness=45:55 with a, b(x=1, y=2), c",
        ]),
        ("target_matrix with a, b", "pig", 3, 1 / 3, [
            "skill=42.9:53.8 with b over a", "fairness=30:36.7 with a, b",
        ]),
        ("target_matrix with a, b", "one_against_many", 3, 0.4, [  # the first of two sides, with a target
            "skill=42.9:53.8 with b over a", "fairness=36:44 with a, b",
        ]),
        ("target_matrix", "pig", 2, 0.5, [
            "skill=60:70 with hold_at(blunder=0.3) over random",
            "skill=60:70 with hold_at over hold_at(blunder=0.3)",
            "fairness=45:55 with random, hold_at(blunder=0.3), hold_at",
        ]),
    ],
)  # fmt: skip
def test_a_target_matrix_stands_for_wishes_about_neighbours_and_the_first_player(
    wish: str, game: str, seats: int, fair: float, wishes: list[str]
) -> None:
    assert is_preset(wish) and expand(wish, registry.game(game), seats, fair) == wishes


def test_a_preset_stands_beside_other_wishes_in_their_order() -> None:
    wishes = request("turns>=5", "target_matrix with random, hold_at", "fairness").expanded_wishes
    assert wishes == [
        "turns>=5",
        "skill=60:70 with hold_at over random",
        "fairness=45:55 with random, hold_at",
        "fairness",
    ]


@pytest.mark.slow
def test_a_target_matrix_is_measured_against_the_log(tmp_path: Path) -> None:
    levels = "random, hold_at(threshold=5), hold_at"
    result = simkit.design(
        "pig", {"goal": [20, 30]}, [f"target_matrix with {levels}"],
        trials=2, best=1, deals=100, confirm=200, out=str(tmp_path / "run"), progress=False,
    )  # fmt: skip
    assert set(result.wishes["wish"]) == {
        "skill=60:70 with hold_at(threshold=5) over random",
        "skill=60:70 with hold_at over hold_at(threshold=5)",
        f"fairness=45:55 with {levels}",
    }
    assert result.wishes.height == 2 * (2 + 3)  # settings: two steps, and the first player at each level
    log = result.run.seats().with_columns(pl.col("strategy").cast(pl.String)).collect()
    for row in result.wishes.rows(named=True):
        seats = log.filter(cell=row["cell"], strategy=row["strategy"])
        if row["seat"] is not None:
            seats = seats.filter(seat=row["seat"])
        assert row["value"] == pytest.approx(seats["share"].mean())
    text = as_text(registry.recipe("design").build(result.run), "md")
    assert "share of the first player where all play hold at a total" in text
    assert "“fairness within 45 to 55 of 100 games among equal players: random, hold" in text


def test_other_wishes_stay_on_the_lineups_of_the_request_and_no_lineup_is_played_twice() -> None:
    study = request(SKILL, "turns>=5", "learnable>=55 with random, hold_at")
    assert [goal.lineups for goal in study.goals()] == [
        ["hold_at, random"],
        ["hold_at mirror"],
        ["hold_at, random"],
    ]
    assert study.last_run().lineups == [["hold_at", "hold_at"], ["hold_at", "random"]]
    same = request("fairness", SKILL, lineup="hold_at, random")
    assert same.last_run().lineups == [["hold_at", "random"]]
    assert [goal.lineups for goal in same.goals()] == [["hold_at, random"]] * 2


@pytest.mark.slow
@pytest.mark.parametrize("seats", [2, 3])
def test_skill_is_measured_as_the_share_of_wins_in_a_run_of_its_lineup(seats: int, tmp_path: Path) -> None:
    study = request("fairness", SKILL, lineup=f"hold_at*{seats}")
    findings = findings_of(study, tmp_path / "design")
    names = ["hold_at", *["random"] * (seats - 1)]
    alone = findings.run.experiment.with_keys(lineups=[names])
    own = Findings(open_run(runner.run(alone, tmp_path / "alone")))
    shares = own.strategy_shares.filter(strategy="hold_at").sort("cell")["share"].to_list()

    table, of_skill = findings.wishes, pl.col("strategy") == "hold_at"
    skill, others = table.filter(of_skill), table.filter(of_skill.is_null())
    assert skill.sort("setting")["value"].to_list() == pytest.approx(shares, abs=1e-12)
    assert set(skill["lineup"]) == {", ".join(names)}
    assert set(others["lineup"]) == {"hold_at mirror" if seats == 2 else "hold_at × 3"}
    goals = 1 + (1 if seats == 2 else 3)
    assert table.height == len(shares) * goals

    by_deal = own.run.seats().filter(pl.col("cell") == 0, pl.col("strategy").cast(pl.String) == "hold_at")
    deals = by_deal.group_by("deal").agg(pl.col("share").mean()).collect()["share"].to_numpy()
    interval = share_from_moments(
        deals.mean(), deals.var(ddof=1), deals.size, deals.size, 1 - 0.05 / table.height
    )
    row = skill.sort("setting").row(0, named=True)
    assert (row["low"], row["high"]) == pytest.approx((interval.low, interval.high))


@pytest.mark.slow
def test_the_page_says_a_wish_about_skill_in_words_and_names_players_by_their_labels(tmp_path: Path) -> None:
    findings = findings_of(request("turns>=1", "skill>=60 with hold_at over random"), tmp_path)
    settings = label_settings(findings)
    words = "“turns at least 1” and “hold_at wins at least 60 of 100 games against random”"
    assert design_headline(settings).endswith(f"every wish is met on fresh deals: {words}.")
    assert "; share of hold_at against random 8" in design_advice(settings)
    rows = setting_rows(settings)
    assert len(rows) == len(settings) and {row["lineup"] for row in rows} == {"hold at a total mirror"}
    assert all("share of hold_at against random" in row for row in rows)
    text = as_text(registry.recipe("design").build(findings.run), "md")
    assert "“hold at a total wins at least 60 of 100 games against random”" in text
    assert "| share of hold at a total against random |" in text
    assert "- **Against**: the first strategy plays alone at a table of the second." in text
    assert "--lineup hold_at,hold_at\n" in text and "--lineup hold_at,random" not in text


@pytest.mark.slow
def test_the_figure_has_the_intervals_of_which_it_speaks(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It had drawn points alone."""
    parts, findings = dict[str, Any](), findings_of(request(SKILL), tmp_path)
    monkeypatch.setattr(page, "figure", lambda *arguments, **how: parts.update(arguments[5]))
    page.design_answer(findings)
    assert {"value", "low", "high"} <= parts.keys()


@pytest.mark.slow
def test_with_wishes_about_skill_alone_the_table_has_no_lineups(tmp_path: Path) -> None:
    findings = findings_of(request("learnable>=55 with random, hold_at(threshold=5), hold_at"), tmp_path)
    rows = setting_rows(label_settings(findings))
    assert len(rows) == 2 and not any("lineup" in row for row in rows)
    columns = {
        "share of hold_at(threshold=5) against random",
        "share of hold_at against hold_at(threshold=5)",
    }
    assert columns < rows[0].keys()
    assert registry.recipe("design").build(findings.run).title == "Pig: rules that meet wishes"
    assert at_lineups(findings.run, []).cells == findings.run.cells


def test_a_share_of_all_games_won_is_not_certain(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Winning all of twenty deals met "skill>=98", with an interval from 100 to 100 %."""
    monkeypatch.setattr(result, "_values", lambda run, goals: {("a, b", 0): np.ones((1, 20))})
    goal = Goal(
        wish="skill>=98 with a over b",
        measure="share",
        seat=None,
        unit="share",
        low=0.98,
        high=None,
        printed=False,
        strategy="a",
        opponent="b",
    )
    run = made_run(tmp_path, [["a", "b"]], [1.0])
    (row,) = result.measure_goals(run, [goal], {})
    assert (row["low"], row["high"]) == (
        pytest.approx(0.8389, abs=1e-4),
        1.0,
    )  # Wilson's interval of 20 of 20
    assert goal.verdict(row["low"], row["high"]) == "open"


def test_a_goal_of_an_older_run_is_measured_on_all_lineups() -> None:
    keys = {"wish": "turns>=5", "measure": "turns", "seat": None, "unit": "", "low": 5, "high": None}
    goal = Goal.model_validate(keys | {"printed": False})
    assert (goal.strategy, goal.lineups) == (None, [])
