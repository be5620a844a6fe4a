"""`simkit ladder` on the command line, its page, and the key `skill` of an experiment."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result

from simkit.engine import registry
from simkit.errors import UsageError
from simkit.page.advice import advised_settings, near_fair
from simkit.page.document.files import as_text
from simkit.page.recipe import recipe_for
from simkit.runs.experiment import parse
from simkit.runs.folder import Run, open_run
from simkit.tables.findings import Findings
from simkit.tables.rungs import Ladder
from tests.commands import invoke

pytestmark = pytest.mark.slow

# A heap of one object is won by whoever begins. With two, random players win half of their games, and players
# who search win all that they begin.
HEAPS: dict[str, Any] = {
    "question": "Which heap is fair?",
    "game": "nim",
    "deals": 3000,
    "seed": 3,
    "lineups": ["random*2"],
    "options": {"heap_2": 0, "heap_3": 0, "heap_4": 0},
    "sweep": {"heap_1": [1, 2]},
    "baseline": {"heap_1": 1},
    "report": "sweep",
}
SKILL = {"rungs": ["random", "search(budget=4)"], "deals": 100}


def run_file(folder: Path, keys: dict[str, Any], name: str = "run") -> Result:
    file = folder / "asked.toml"
    file.write_text(parse(keys).to_toml())
    return invoke("run", file, "-o", folder / name)


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Run:
    """A ladder of Pig at two settings, as the command plays it."""
    folder = tmp_path_factory.mktemp("ladder") / "pig"
    rungs = "random, search(budget=2), hold_at"
    done = invoke("ladder", "pig", "--rungs", rungs, "--vary", "goal=20/30", "--deals", 100, "-o", folder)
    assert done.exit_code == 0
    return open_run(folder)


@pytest.fixture(scope="module")
def with_skill(tmp_path_factory: pytest.TempPathFactory) -> tuple[Run, Result]:
    """An experiment with a ladder, and what the command printed."""
    folder = tmp_path_factory.mktemp("skill")
    output = run_file(folder, HEAPS | {"skill": SKILL})
    return open_run(folder / "run"), output


def test_the_command_prints_the_rungs_and_their_answers(tmp_path: Path) -> None:
    done = invoke(
        "ladder", "nim", "--rungs", "random, search(budget=4)", "--deals", 100, "-o", tmp_path / "a"
    )
    assert "percentage points" in done.stdout
    assert "Every rung" in done.stdout and "search(budget=4)" in done.stdout
    assert f"report: simkit report {tmp_path / 'a'}" in done.stdout


def test_one_document_has_the_answer_and_the_rungs_and_the_command_only_opens_what_is_finished(
    played: Run,
) -> None:
    before = {path: path.stat().st_mtime_ns for path in played.folder.rglob("*.parquet")}
    rungs = "random, search(budget=2), hold_at"
    words = ["ladder", "pig", "--rungs", rungs, "--vary", "goal=20/30", "--deals", 100, "-o", played.folder]
    document = json.loads(invoke(*words, "--json").stdout)
    assert document["vary"] == ["goal"] and document["game"] == "pig"
    assert [rung["strategy"] for rung in document["rungs"]] == ["random", "search(budget=2)", "hold_at"]
    assert "percentage points" in document["answer"]
    assert {path: path.stat().st_mtime_ns for path in before} == before


def test_the_page_shows_the_rungs_in_all_forms(played: Run, tmp_path: Path) -> None:
    assert recipe_for(played) == "ladder"
    page = registry.recipe("ladder").build(played)
    captions = [table.caption for table in page.tables()]
    expected = ["Every rung, the lowest first", "The rungs, the lowest first"]
    assert [caption for caption in captions if caption in expected] == expected
    assert "ladder" in [figure.drawing.name for figure in page.figures()]
    text = as_text(page)
    assert "How strong each rung is" in text and "fair points that win" in text
    for form in ("html", "md", "json"):
        done = invoke("report", played.folder, "--format", form, "-o", tmp_path / f"page.{form}")
        assert done.exit_code == 0 and "search(budget=2)" in (tmp_path / f"page.{form}").read_text()


def test_a_team_has_no_strengths_but_wins(tmp_path: Path) -> None:
    words = ["ladder", "rope_bridge", "--rungs", "random, runner", "--deals", 100, "-o", tmp_path / "run"]
    assert "the team wins, %" in invoke(*words).stdout
    text = as_text(registry.recipe("ladder").build(open_run(tmp_path / "run")))
    assert "Elo" not in text and "How often the team wins" in text


def test_a_ladder_of_three_seats_names_a_seat(tmp_path: Path) -> None:
    words = ["ladder", "high_card", "--rungs", "random, random(blunder=0.5)", "--deals", 100]
    output = invoke(*words, "-o", tmp_path / "run").stdout
    assert "third player" in output and "Not shown to be stronger than the rung below" in output
    run = open_run(tmp_path / "run")
    assert [] in [answers.components for rung in run.answer_of(Ladder).rungs for answers in rung.answers]
    assert "Every rung" in as_text(registry.recipe("ladder").build(run))


def test_a_run_with_skill_has_its_ladder_and_says_what_stronger_players_make_of_it(
    with_skill: tuple[Run, Result],
) -> None:
    run, output = with_skill
    sentence = "By strength of play, the weakest first"
    assert sentence in output.stdout and "search" in output.stdout.partition(sentence)[2]
    assert (
        f"Ladder: {run.folder / 'ladder'}" in output.stdout
        and "What players other than searching ones make of it (simkit ladder nim plays some)"
        in output.stdout
    )
    assert sentence in as_text(registry.recipe("sweep").build(run))
    assert [rung.strategy for rung in open_run(run.folder / "ladder").answer_of(Ladder).rungs] == SKILL[
        "rungs"
    ]


def test_a_setting_that_the_highest_rungs_find_unfair_is_not_advised(
    with_skill: tuple[Run, Result], tmp_path: Path
) -> None:
    run, output = with_skill
    assert near_fair(Findings(run)) == ["heap_1 = 2"] and advised_settings(Findings(run)) == []
    assert "Instead try" not in output.stdout
    assert not (run.folder / "confirm").exists()
    plain = run_file(tmp_path, HEAPS | {"confirm": False})
    assert "Nearest so far is heap 1 2" in plain.stdout and "players other than random ones" in plain.stdout


@pytest.mark.parametrize("report", ["compare", "seats"])
def test_other_pages_about_fairness_give_the_sentence_of_the_ladder_too(
    with_skill: tuple[Run, Result], report: str
) -> None:
    page = as_text(registry.recipe(report).build(with_skill[0]))
    assert "By strength of play, the weakest first" in page


def test_the_word_ladder_asks_for_the_usual_rungs() -> None:
    request = parse(HEAPS | {"skill": "ladder"})
    assert request.skill and request.skill.rungs == [] and request.skill.deals == 20_000
    assert parse(request.keys()) == request and "[skill]" in request.to_toml()


@pytest.mark.parametrize(
    ("keys", "message"),
    [
        ({"skill": {"rungs": ["random"]}}, "two or more different strategies"),
        ({"skill": {"rungs": ["random", "nobody"]}}, "unknown strategy of nim 'nobody'"),
        ({"skill": {"rungs": ["search*2", "random"]}}, "'search*2' names several"),
        ({"skill": {"rungs": ["random", "search"], "deals": 5}}, "skill.deals"),
        ({"skill": {"rung": ["random", "search"]}}, "rung"),
        ({"skill": "staircase"}, "skill"),
    ],
)
def test_a_ladder_that_cannot_be_played_is_refused_before_the_run_is_played(
    keys: dict[str, Any], message: str, tmp_path: Path
) -> None:
    with pytest.raises(UsageError) as refused:
        run_file(tmp_path, HEAPS | {"deals": 50} | keys)
    assert message in str(refused.value) and "\n" not in str(refused.value)
    assert not (tmp_path / "run").exists()


def test_a_ladder_does_not_vary_files(tmp_path: Path) -> None:
    (tmp_path / "mine.csv").write_text(invoke("cards", "outpost_seven").stdout)
    sweep = {"files.cards": ["printed", str(tmp_path / "mine.csv")]}
    keys = {"question": "?", "game": "outpost_seven", "deals": 10, "lineups": ["random*2"], "sweep": sweep}
    with pytest.raises(UsageError, match=r"key 'skill': a ladder varies options, not files\.cards"):
        run_file(tmp_path, keys | {"skill": "ladder"})
    assert not (tmp_path / "run").exists()


def test_a_longer_run_with_a_ladder_of_other_settings_says_what_to_do(tmp_path: Path) -> None:
    """No setting is nearer to fair than the baseline after a single game, which somebody wins."""
    keys = HEAPS | {"skill": {"rungs": ["random", "random(blunder=0.5)"], "deals": 100}}
    assert run_file(tmp_path, keys | {"deals": 1}).exit_code == 0
    assert open_run(tmp_path / "run" / "ladder").experiment.sweep == {"heap_1": [1]}
    with pytest.raises(UsageError, match="ladder: holds games of other settings; remove it") as refused:
        run_file(tmp_path, keys)
    assert "\n" not in str(refused.value) and open_run(tmp_path / "run").cells[0].deals == 3000
    shutil.rmtree(tmp_path / "run" / "ladder")
    assert run_file(tmp_path, keys).exit_code == 0
    assert open_run(tmp_path / "run" / "ladder").experiment.sweep == {"heap_1": [1, 2]}
