"""`simkit screen` finds the options that matter, says which do nothing, leaves out what the game refuses."""

from __future__ import annotations

import json
import math
import shutil
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import polars as pl
import pytest
from simkit.content.reports.screen import label_effects, screen_effects, verdicts

from simkit.engine import registry
from simkit.errors import UsageError
from simkit.page.document.files import as_text
from simkit.page.recipe import recipe_for
from simkit.page.words.labels import labels_of
from simkit.questions import screen
from simkit.questions.screen import ScreenStudy
from simkit.questions.screen.result import Screening
from simkit.runs.folder import keep_results, open_run
from simkit.stats.factorial import NOTHING
from simkit.tables import compare
from simkit.tables.compare import means_by_deal
from simkit.tables.findings import Findings
from tests.commands import invoke
from tests.questions.carried_out import findings_of, urn_project

# `strong` moves the chance of seat 0 by 2 points a step; `lower` and `right` only together, by 20 points.
LOTTERY = """
winner = 0 if below(rng.urn, 100) < 50 + 2 * rules.strong + 20 * (rules.lower and rules.right) else 1
s.log.game.turns = 10 + rules.longer
"""
OPTIONS = """
integer("strong", 0, 0, 20, "LO-1", "Steps of the chance")
integer("longer", 0, 0, 8, "LO-2", "More turns")
flag("lower", False, "LO-3", "Half of what two do together")
flag("right", False, "LO-4", "The other half")
flag("shy", False, "LO-5", "Does nothing, and not beside lower")
integer("wrong", 0, 0, 9, "LO-6", "Refused wherever it is turned")
integer("idle", 0, 0, 9, "LO-7", "Does something only in a loud manner", needs={"manner": "loud"})
choice("manner", Mood.calm, "LO-8", "Does nothing")
integer("fixed", 3, 3, 3, "LO-9", "Has one value")
""".strip().splitlines()
REFUSED = 'options["wrong"] > 0 or options["lower"] and options["shy"]'


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    with urn_project(tmp_path_factory.mktemp("lottery"), "lottery", OPTIONS, LOTTERY, REFUSED) as folder:
        yield folder


def request(**keys: Any) -> ScreenStudy:
    expected: dict[str, Any] = {
        "game": "lottery",
        "options": {},
        "lineups": [["random", "random"]],
        "deals": 500,
    }
    expected |= {
        "seed": 1,
        "margin": 0.02,
        "small": 0.05,
        "strongest": 3,
        "sample": 0,
        "measures": [],
        "more": {},
    }
    return ScreenStudy(**expected | keys)


@pytest.fixture(scope="module")
def findings(project: Path, tmp_path_factory: pytest.TempPathFactory) -> Findings:
    return findings_of(request(sample=64), tmp_path_factory.mktemp("screen"))


def row(findings: Findings, option: str, measure: str = "share") -> dict[str, Any]:
    (first,) = findings.dials.filter(option=option, measure=measure).rows(named=True)
    return first


def test_planted_effects_lie_in_their_intervals_alone_and_averaged(findings: Findings) -> None:
    strong, longer = row(findings, "strong"), row(findings, "longer", "turns")
    assert strong["low"] <= 0.10 <= strong["high"] and strong["verdict"] == "matters"
    assert strong["averaged_low"] <= 0.10 <= strong["averaged_high"]
    assert (longer["effect"], longer["low"], longer["high"]) == (2.0, 2.0, 2.0)
    assert longer["verdict"] == "matters" and row(findings, "strong", "turns")["verdict"] == "nothing"


def test_what_two_do_together_shows_on_average_and_not_alone(findings: Findings) -> None:
    left = row(findings, "lower")
    assert left["low"] <= 0 <= left["high"] and left["averaged_low"] <= 0.10 <= left["averaged_high"]
    assert left["averaged_verdict"] == "matters" == left["verdict"]


def test_an_option_without_any_effect_does_nothing_that_counts(findings: Findings) -> None:
    assert (
        verdicts(label_effects(findings, findings.dials))["manner"] == {NOTHING}
        and row(findings, "manner")["effect"] == 0.0
    )


def test_the_strongest_are_played_in_all_combinations_on_deals_of_their_own(findings: Findings) -> None:
    run = findings.run
    assert {"strong", "longer"} <= set(run.answer_of(Screening).strongest) and len(run.cells) == 8
    analyses = [open_run(folder) for folder in run.search_runs]
    assert len({first.experiment.seed for first in [*analyses, run]}) == 4
    rows = findings.together.filter(pl.col("with").is_null(), option="strong", measure="share")
    (first,) = rows.rows(named=True)
    (alone,) = findings.alone_again.filter(option="strong", measure="share").rows(named=True)
    assert alone["low"] <= 0.10 <= alone["high"] and alone["effect"] != row(findings, "strong")["effect"]
    assert first["low"] <= 0.10 <= first["high"]


def test_what_the_game_refuses_is_left_out_and_told_in_a_line_each(project: Path) -> None:
    screen = request().screen
    assert list(screen.levels) == ["strong", "longer", "lower", "right", "manner"]
    assert [line.partition(" ")[0] for line in screen.notes] == ["fixed", "idle", "shy", "wrong"]
    assert "lower = True" in screen.notes[2] and "do not fit" in screen.notes[3]


def test_options_that_are_asked_for_have_the_values_given(project: Path) -> None:
    screen = request(options={"strong": (3, 7), "lower": None}).screen
    assert screen.levels == {"strong": (3, 7), "lower": (False, True)} and screen.notes == []


def test_the_sobol_index_of_the_only_option_that_moves_a_measure_is_1(findings: Findings) -> None:
    rows = findings.sobol_indices.filter(measure="turns")
    of = dict(rows.select("option", "total").iter_rows())
    assert of["longer"] == pytest.approx(1.0, abs=0.1) and of["strong"] == 0.0
    assert set(rows["luck"]) == {0.0}


def test_points_of_a_sample_have_the_values_of_their_options_and_no_setting_twice() -> None:
    points = screen.sobol_points({"a": [1, 2, 3], "b": [False, True]}, 16, seed=1)
    assert sorted(map(tuple, points.settings)) == sorted({(a, b) for a in (1, 2, 3) for b in (False, True)})
    assert len(points.which) == 16 * 4 and set(points.which) == set(range(6))


def test_the_page_says_what_matters_and_what_does_nothing(findings: Findings) -> None:
    assert recipe_for(findings.run) == "screen"
    text = as_text(registry.recipe("screen").build(findings.run), "md")
    assert all(effect in text for effect in screen_effects(label_effects(findings, findings.dials)))
    assert "Nothing that counts: manner." in text
    for line in findings.run.answer_of(Screening).notes:
        assert line in text


@pytest.mark.slow
def test_the_command_gives_the_same_numbers_again_and_plays_nothing_twice(
    project: Path, tmp_path: Path
) -> None:
    words = ["lottery", "--options", "strong,lower,right=false/true", "--deals", "50", "--json", "-o"]
    first, other = (json.loads(invoke("screen", *words, str(tmp_path / name)).stdout) for name in "ab")
    assert first | {"run": ""} == other | {"run": ""}
    before = {path: path.stat().st_mtime_ns for path in tmp_path.rglob("*.parquet")}
    assert json.loads(invoke("screen", *words, str(tmp_path / "a")).stdout) == first
    assert before == {path: path.stat().st_mtime_ns for path in tmp_path.rglob("*.parquet")}
    assert first["levels"] == {"strong": [0, 5], "lower": [False, True], "right": [False, True]}


def test_where_the_game_refuses_every_option_no_screen_is_played(project: Path, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="no option is left to screen: wrong is left out") as heard:
        invoke("screen lottery", "--options", "wrong", "-o", str(tmp_path / "run"))
    assert "\n" not in str(heard.value) and not (tmp_path / "run").exists()


@pytest.mark.parametrize("change", [{"effects": []}, {"strongest": ["nope"]}, {"side_runs": ["../../x"]}])
def test_what_is_no_answer_of_a_screen_is_refused(
    findings: Findings, tmp_path: Path, change: dict[str, Any]
) -> None:
    copy = tmp_path / "copy"
    shutil.copytree(findings.run.folder, copy)
    keep_results(copy, findings.run.answer_of(Screening).model_copy(update=change))
    with pytest.raises(UsageError, match=r"search\.json: is not the answer of a search"):
        _ = open_run(copy).answer


def test_of_several_seats_the_one_that_an_option_changes_most_is_told(project: Path, tmp_path: Path) -> None:
    goal = {"goal": (20, 60)}
    study = request(game="pig", options=goal, lineups=[["hold_at*3"]], deals=300, strongest=1)
    three = findings_of(study, tmp_path)
    assert three.dials.filter(measure="share").height == 3
    sentence = " ".join(screen_effects(label_effects(three, three.dials)))
    assert "points that win (20 → 60) has the greatest effect by itself on how often the " in sentence.lower()


def test_of_several_lineups_each_is_measured_and_the_first_screen_has_the_most_changed(
    project: Path, tmp_path: Path
) -> None:
    lineups = [["random", "random"], ["random(blunder=0.5)", "random(blunder=0.5)"]]
    study = request(options={"strong": (0, 20), "manner": None}, lineups=lineups, deals=200)
    both = findings_of(study, tmp_path)
    assert both.dials.height == 2 * 2 * 2 and both.together["lineup"].n_unique() == 2
    top = both.dials.filter(measure="share").sort("effect", descending=True).row(0, named=True)
    called = labels_of(both).of_column("lineup")
    assert called is not None and called(top["lineup"]) in " ".join(
        screen_effects(label_effects(both, both.dials))
    )


def test_the_first_player_is_who_moves_first_whoever_the_options_let_begin() -> None:
    """Seat 1 begins the second game and wins it: both games are won by who moves first."""
    keys = {"play": [0, 0, 1, 1], "cell": [0, 0, 1, 1], "deal": [0] * 4}
    seats = pl.LazyFrame(keys | {"seat": [0, 1, 0, 1], "share": [1.0, 0.0, 0.0, 1.0]})
    games = pl.LazyFrame({"play": [0, 1], "cell": [0, 1], "deal": [0, 0], "first": [0, 1]})
    cells = [SimpleNamespace(index=i, seats=2, labels=("a", "a")) for i in range(2)]
    run = SimpleNamespace(cells=cells, seats=lambda: seats, games=lambda: games)
    (findings,) = means_by_deal(
        run, [first for first in compare.usual_measures(1) if first.measure == "share"]
    ).values()
    assert findings.tolist() == [[1.0], [1.0]]


def test_the_luck_of_means_leaves_out_what_a_deal_gives_to_all_settings() -> None:
    """Deals of deviation 1 that all settings share, and 0.5 of each setting's own, over 400 deals."""
    rng = np.random.default_rng(1)
    values = rng.normal(0, 1, 400) + rng.normal(0, 0.5, (64, 400))
    assert screen.luck_of_means(values) == pytest.approx(0.25 / 400, rel=0.05)


# V(Y) and its parts: Ishigami & Homma 1990, ISUMA; a = 7, b = 0.1
FIRST = {"x1": 0.3139, "x2": 0.4424, "x3": 0.0}
TOTAL = {"x1": 0.5576, "x2": 0.4424, "x3": 0.2437}


@pytest.mark.slow
@pytest.mark.proof("questions.screen")
def test_the_indices_of_the_ishigami_function_are_the_published_ones() -> None:
    """sin x1 + 7 sin² x2 + 0.1 x3⁴ sin x1, each from −π to π."""
    values = np.linspace(-math.pi, math.pi, 1_000).tolist()
    points = screen.sobol_points(dict.fromkeys(FIRST, values), 1_024, seed=1)
    x = np.array(points.settings, float)
    y = np.sin(x[:, 0]) + 7 * np.sin(x[:, 1]) ** 2 + 0.1 * x[:, 2] ** 4 * np.sin(x[:, 0])
    indices = screen.estimate_indices(list(FIRST), y[points.which], seed=1)
    for expected, kind in ((FIRST, "first"), (TOTAL, "total")):
        for name, value in expected.items():
            error = (indices[name][f"{kind}_high"] - indices[name][kind]) / 1.96
            assert abs(indices[name][kind] - value) < 0.02 + 4 * error, (name, kind)
