"""The recipes strategies, sweep and compare: pages for every kind of run, true sentences, commands that work."""

from __future__ import annotations

import doctest
import importlib
import inspect
import json
import re
from contextlib import nullcontext
from itertools import chain
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import polars as pl
import pytest
from html_reader import Reader
from made_met import met_run
from scipy.stats import norm
from simkit.content.reports.balance import recipe as balance
from simkit.content.reports.compare import recipe as compare
from simkit.content.reports.sections.answer import balance_answer
from simkit.content.reports.sections.changes import tornado
from simkit.content.reports.strategies import recipe as strategies
from simkit.content.reports.sweep import recipe as sweep
from synthetic import MadeRun, made_run

from simkit.engine import registry
from simkit.errors import UsageError
from simkit.page import document as report
from simkit.page.document.parts import Report, Section
from simkit.page.recipe import Recipe
from simkit.runs import experiment, runner
from simkit.runs.folder import Run, open_run
from simkit.stats.sprt import score_of_elo
from simkit.tables import landscape
from simkit.tables.findings import Findings, all_findings
from tests.everyday import everyday

RECIPES = {"balance": balance, "strategies": strategies, "sweep": sweep, "compare": compare}
NEW = ["strategies", "sweep", "compare"]
KINDS: dict[str, dict[str, Any]] = {
    "one cell": {"lineups": [["a", "a"]], "shares": [0.5]},
    "named choice": {"lineups": [["a", "a"], ["b", "b"]], "shares": [0.4, 0.5] * 3, "sweep": {"rule": ["draft", "exact", "random"]}},
    "tied": {"lineups": [["a", "a"]], "shares": [0.4, 0.5], "sweep": {"first, second": [[12, 16], [14, 14]]}, "baseline": {"first": 12, "second": 16}},
    "flag": {"lineups": [["a", "a"]], "shares": [0.4, 0.5], "sweep": {"neutral": [True, False]}, "baseline": {"neutral": False}},
    "three seats": {"lineups": [["a", "b", "c"], ["a"] * 3], "shares": [0.4, 0.3]},
    "two and three seats": {"lineups": [["a", "a"], ["a"] * 3, ["a", "b"], ["a", "b", "b"]], "shares": [0.4, 0.3, 0.5, 0.3] * 2, "sweep": {"second": [12, 14]}, "baseline": {"second": 12}},
    "round robin": {"lineups": [["a", "b"], ["a", "c"], ["b", "c"], ["a", "a"]], "shares": [0.4, 0.3, 0.5, 0.6]},
    "not rotated": {"lineups": [["a", "b"], ["b", "c"]], "shares": [0.4, 0.3], "rotate": False},
    "never met": {"lineups": [["a", "b"], ["c", "d"]], "shares": [0.4, 0.3]},
    "never won": {"lineups": [["a", "a"]], "shares": [0.0]},
    "one deal": {"lineups": [["a", "b"]], "shares": [0.5], "deals": 1},
    "one value": {"lineups": [["a", "b"]], "shares": [0.5], "sweep": {"second": [12]}, "baseline": {"second": 12}},
    "ten seats": {"lineups": [["a"] * 10], "shares": [0.2], "deals": 60},
    "many cells": {"lineups": [["a", "a"], ["a", "b"]], "shares": [0.5] * 30, "sweep": {"goal": list(range(15))}, "deals": 20},
}  # fmt: skip
ROWS = [*everyday([("balance", kind) for kind in KINDS], 6, 2)]
ROWS += everyday([(recipe, kind) for recipe in ("strategies", "sweep", "compare") for kind in KINDS], 0)


def _built(folder: Path, kind: str) -> MadeRun:
    keys = dict(KINDS[kind])
    return made_run(folder, keys.pop("lineups"), keys.pop("shares"), deals=keys.pop("deals", 60), **keys)


def _second(folder: Path, **keys: Any) -> MadeRun:
    """The second player's start swept, 14 the baseline: nearest to fair is 16 for greedy, 12 for banker."""
    shares = [0.62, 0.44, 0.56, 0.38, 0.44, 0.33]
    lineups = [["greedy", "greedy"], ["banker", "banker"]]
    return made_run(folder, lineups, shares, sweep={"second": [12, 14, 16]}, baseline={"second": 14}, **keys)


@pytest.fixture(scope="module")
def pig(tmp_path_factory: pytest.TempPathFactory) -> Run:
    """Two options of Pig, crossed."""
    keys = {
        "question": "Fair?",
        "game": "pig",
        "deals": 150,
        "lineups": [["hold_at", "hold_at"]],
        "baseline": {"goal": 60, "faces": 6},
    }
    request = experiment.parse(keys | {"sweep": {"goal": [20, 40, 60], "faces": [4, 6, 8]}})
    return open_run(runner.run(request, tmp_path_factory.mktemp("recipes") / "pig"))


def _circle(folder: Path, share: float = 0.7, deals: int = 200) -> MadeRun:
    """Rock, scissors, paper: each wins this share against the next, whatever the seat; clown loses every
    game.
    """
    edges = [("rock", "scissors", share), ("scissors", "paper", share), ("paper", "rock", share)]
    return met_run(folder, [*edges, *((name, "clown", 1.0) for name in ("rock", "scissors", "paper"))], deals)


@pytest.mark.drawn
@pytest.mark.parametrize(("recipe", "kind"), ROWS)
def test_every_recipe_has_a_page_for_every_kind_of_run_in_every_format(
    recipe: str, kind: str, tmp_path: Path
) -> None:
    run, page = _built(tmp_path, kind), RECIPES[recipe]
    if page.fits(Findings(run)):
        _whole(page.build(run))
        return
    with pytest.raises(UsageError, match=f"this page needs {re.escape(page.needs)}"):
        page.build(run)


@pytest.mark.slow
@pytest.mark.parametrize("recipe", ["sweep", "compare"])
def test_a_recipe_that_fits_has_a_page_for_two_options_of_a_real_game(recipe: str, pig: Run) -> None:
    _whole(RECIPES[recipe].build(pig))


def _whole(built: Report) -> None:
    page = report.render(built)
    assert Reader(page).open == []
    assert not re.findall(r"\bnan\b|\bNone\b(?! of)|\binf\b", page)
    document = json.loads(report.as_text(built, "json"))
    chapters = {
        part["title"]: [each["heading"] for each in part["sections"]] for part in document["chapters"]
    }
    assert chapters == {part.title: [each.heading for each in part.sections] for part in built.chapters}
    assert document["question"] and document["takeaways"] and document["words"] and document["facts"]
    assert built.answer and len(built.takeaways_of("answer")) == 1
    assert all(first.source or first.kind in ("advice", "sure") for first in built.takeaways)
    lines = report.as_text(built, "md").replace("\\", "").splitlines()
    assert {f"## {chapter.title}" for chapter in built.chapters} <= set(lines)
    for section in built.sections:
        assert f"### {section.heading}" in lines
        shown = [table for table in section.tables if table.rows]
        assert shown or section.text or section.figures or section.stories, f"{section.heading} shows nothing"
    names = [table.caption for section in built.sections for table in section.tables]
    assert len(names) == len(set(names))
    figures = [figure.drawing.name for figure in built.figures()]
    assert len(figures) == len(set(figures)) and page.count("<figure") == len(figures)


@pytest.mark.parametrize("recipe", NEW)
def test_every_query_of_a_takeaway_prints_rows(recipe: str, tmp_path: Path) -> None:
    run = _circle(tmp_path) if recipe == "strategies" else _second(tmp_path, deals=100)
    for takeaway in filter(lambda first: first.source, _takeaways(RECIPES[recipe], run)):
        code = takeaway.source.splitlines()
        printed: list[str] = []
        exec("\n".join(code[2:]), {"findings": Findings(run), "print": printed.append})
        assert printed[0].count("\n") > 1 or "cycles" in takeaway.source


def _takeaways(recipe: Recipe, run: Run) -> list[report.Takeaway]:
    return list(recipe.build(run).takeaways)


def _texts(recipe: Recipe, run: Run) -> list[str]:
    return [takeaway.text for takeaway in _takeaways(recipe, run)]


def _message(built: Report, heading: str) -> str:
    """What the section says whose heading holds these words."""
    (first,) = [section for section in built.sections if heading in section.heading]
    return " ".join(first.text)


def test_a_circle_is_told_as_rock_paper_scissors(tmp_path: Path) -> None:
    page = strategies.build(_circle(tmp_path))
    (answer,), (advice,) = page.takeaways_of("answer"), page.takeaways_of("advice")
    assert answer.text.endswith("No single best plan: three of four are needed.")
    assert "67 games of 100 against 3 others" in answer.text and "may be as good" in answer.text
    assert advice.text.startswith("Never the right choice: clown.")
    circle = "Rock beats scissors (70.0 %), scissors beats paper (70.0 %) and paper beats rock (70.0 %)"
    assert any(circle in text for section in page.sections for text in section.text)


def test_the_words_of_game_theory_stand_in_meanings_only(tmp_path: Path) -> None:
    page = strategies.build(_circle(tmp_path))
    read = [first.text for first in page.takeaways]
    for section in page.sections:
        read += [
            section.heading,
            *section.text,
            *(column.heading for table in section.tables for column in table.columns),
        ]
    assert not re.search(r"Nash|α|dominated|equilibrium", " ".join(read))
    meanings = [
        column.meaning for section in page.sections for table in section.tables for column in table.columns
    ]
    assert any("Nash weight" in first for first in meanings)


def test_all_matches_are_one_picture_the_best_plan_on_top(tmp_path: Path) -> None:
    run = _circle(tmp_path)
    page = strategies.build(run)
    assert page.picture is not None
    drawn, result = page.picture.drawing.table, Findings(run)  # type: ignore[attr-defined]
    ranked = result.ranking["strategy"].to_list()
    assert drawn["row"].unique(maintain_order=True).to_list() == ranked
    assert (
        drawn.select("row", "column", "share")
        .sort("row", "column")
        .equals(result.win_matrix.select("row", "column", "share").sort("row", "column"))
    )
    assert not [
        figure for section in page.sections for figure in section.figures if "match" in figure.drawing.name
    ]


def test_one_plan_that_answers_all_others_is_to_be_weakened(tmp_path: Path) -> None:
    edges = [("strong", "middling", 0.8), ("middling", "weak", 0.8), ("strong", "weak", 0.9)]
    page = strategies.build(met_run(tmp_path, edges))
    assert page.takeaways_of("answer")[0].text.startswith("Strong wins most: ")
    assert page.takeaways_of("advice")[0].text.startswith("Weaken the main source of points of strong")


def test_plans_that_are_not_told_apart_need_more_deals(tmp_path: Path) -> None:
    edges = [("a", "b", 0.5), ("b", "c", 0.5), ("a", "c", 0.5)]
    page = strategies.build(met_run(tmp_path, edges))
    assert page.takeaways_of("answer")[0].text.endswith("No plan was shown to beat all others.")
    assert page.takeaways_of("advice")[0].text.startswith("Play more deals before changing anything")


def test_the_better_of_two_is_ahead_as_often_as_it_was_made_to_be(tmp_path: Path) -> None:
    run = _circle(tmp_path, share=0.5)
    row = Findings(run).favourites.row(0, named=True)
    assert row["share"] == pytest.approx(0.75) and row["games"] == 2400 and row["pairs"] == 6
    sentence = _message(strategies.build(run), "How much is skill")
    assert sentence.startswith("The stronger of two of these plans finishes ahead in ")
    assert "as if skill decided 50 of 100 and a coin the others" in sentence


def test_the_ladder_counts_steps_of_sixty_to_forty() -> None:
    rated = [
        ("strategy", name, elo, elo - 10, elo + 10)
        for name, elo in (("a", 150.0), ("b", 140.0), ("c", 75.0), ("d", -60.0))
    ]
    table = pl.DataFrame(rated, schema=["kind", "name", "elo", "low", "high"], orient="row")
    table = table.with_columns(setting=pl.lit(""), seats=pl.lit(2), games=pl.lit(100), deals=pl.lit(50))
    run: Any = SimpleNamespace(
        experiment=SimpleNamespace(adaptive=False), cells=[SimpleNamespace(varied={})], reading=nullcontext
    )
    findings = Findings(run)
    findings._cache[all_findings()["ratings"]] = table
    row = landscape.ladder(findings).row(0, named=True)
    assert (row["best"], row["worst"], row["rungs"]) == ("a", "d", 3)
    assert (row["rungs_low"], row["rungs_high"]) == (
        2,
        3,
    )  # b to c may be less than a step; a to b cannot be one
    step = 70.437  # 400 log10(0.6 / 0.4)
    half = 20 * norm.ppf(1 - 0.025 / 6) / norm.ppf(0.975)  # six pairs of four strategies
    assert [row[k] for k in ("steps", "steps_low", "steps_high")] == pytest.approx(
        [210 / step, (210 - half) / step, (210 + half) / step], rel=1e-4
    )
    assert score_of_elo(step) == pytest.approx(0.6, abs=1e-5)


def test_strength_and_seats_are_told_of_the_mirrors(tmp_path: Path) -> None:
    run = met_run(tmp_path, [("a", "b", 0.7), ("a", "a", 0.55), ("b", "b", 0.7)])
    findings = Findings(run)
    assert (
        findings.mirrors["strategy"].to_list() == findings.ratings.filter(kind="strategy")["name"].to_list()
    )
    assert "What first place is worth among equals" in [
        section.heading for section in strategies.build(run).sections
    ]


def test_the_strongest_of_the_page_is_the_first_of_its_ranking(tmp_path: Path) -> None:
    """Where the weak mirror has the greater seat advantage, the strong one still comes first."""
    edges = [("strong", "middling", 0.7), ("middling", "weak", 0.7), ("strong", "weak", 0.8)]
    run = met_run(
        tmp_path, [*edges, ("weak", "weak", 0.8), ("strong", "strong", 0.45), ("middling", "middling", 0.6)]
    )
    ranked = Findings(run).ranking["strategy"].to_list()
    assert ranked == ["strong", "middling", "weak"]
    assert Findings(run).mirrors["strategy"].to_list() == ranked
    (ladder,) = Findings(run).ladder.rows(named=True)
    assert (ladder["best"], ladder["worst"]) == ("strong", "weak")


def test_with_several_settings_a_page_says_which_it_is_about(tmp_path: Path) -> None:
    page = strategies.build(_built(tmp_path, "two and three seats"))
    assert all(takeaway.text.startswith("At second 12, ") for takeaway in page.takeaways)


def test_a_sweep_says_how_fair_which_setting_is_nearest_and_what_confirms_it(tmp_path: Path) -> None:
    page = sweep.build(_second(tmp_path))
    summary = balance_answer(Findings(_second(tmp_path)))
    assert (
        page.takeaways[0].text == summary.headline and page.takeaways_of("advice")[0].text == summary.advice
    )
    assert page.step and "--until-verdict" in page.step.command  # the baseline is open
    (warning,) = [first for first in page.warnings if "depends on who plays" in first]
    assert "(second 16 or 12)" in warning or "(second 12 or 16)" in warning


def test_a_tornado_holds_the_neighbours_of_the_baseline_longest_first(pig: Run) -> None:
    steps = Findings(pig).one_step.filter(measure="share", seat=0)
    assert set(steps["step"]) == {"goal 60 → 40", "faces 6 → 4", "faces 6 → 8"}
    page = sweep.build(pig)
    section = tornado(Findings(pig))
    sizes = section.figures[0].drawing.table["value"].abs().to_list()
    assert sizes == sorted(sizes, reverse=True)
    assert "verdicts" in [figure.drawing.name for figure in page.figures()]


def test_named_choices_are_one_step_from_each_other(tmp_path: Path) -> None:
    run = made_run(
        tmp_path,
        [["a", "a"]],
        [0.5, 0.4, 0.6],
        sweep={"rule": ["x", "y", "z"]},
        baseline={"rule": "y"},
        deals=50,
    )
    assert set(Findings(run).one_step["step"]) == {"rule y → x", "rule y → z"}


def test_commands_print_the_report_that_suits_them_and_it_works(simkit: Any) -> None:
    for command, recipe in (
        ("sweep pig goal=20,40", "sweep"),
        ("compare pig --base goal=20 --to goal=40", "compare"),
    ):
        out = simkit(*command.split(), "--deals", "20", "-o", f"runs/{recipe}")[1]
        sentence = out.split("report: simkit ")[1].strip()
        assert sentence == f"report runs/{recipe}"
        code, out, _ = simkit(*sentence.split())
        assert (
            code == 0
            and "What this cannot tell you:" in out
            and f"\nReport: runs/{recipe}/report.html" in out
        )
        page = (Path("runs") / recipe / "report.html").read_text(encoding="utf-8")
        assert f"<title>Pig: {RECIPES[recipe].title}</title>" in page


SECTIONS = [path.stem for path in sorted((registry.ROOT / "reports/sections").glob("*.py"))]


@pytest.mark.parametrize("name", SECTIONS)
def test_some_page_shows_each_section(name: str) -> None:
    recipes = map(registry.recipe, registry.recipes())
    lists = [[first.brief, *first.chapters.values(), *first.of_team.values()] for first in recipes]
    shown = {function for functions in chain.from_iterable(lists) for function in functions}
    module = importlib.import_module(f"simkit.content.reports.sections.{name}")
    own = [
        value
        for value in vars(module).values()
        if inspect.isfunction(value) and value.__module__ == module.__name__
    ]
    public = [function for function in own if not function.__name__.startswith("_")]
    sections = [
        function for function in public if function.__annotations__["return"] in (Section, Section | None)
    ]
    assert sections and set(sections) <= shown


FILES = [path.relative_to(registry.ROOT) for path in sorted((registry.ROOT / "reports").rglob("*.py"))]


@pytest.mark.parametrize("file", FILES, ids=str)
def test_the_examples_in_the_code_of_pages_hold(file: Path) -> None:
    name = ".".join(file.with_suffix("").parts).removesuffix(".__init__")
    module = importlib.import_module(f"simkit.content.{name}")
    assert module.__doc__ and doctest.testmod(module).failed == 0
