"""Pages of a project: its own game, recipe with a section, and report without a recipe; the pages stay when the
project is gone.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import polars as pl
import pytest

from simkit.engine import registry
from simkit.errors import UsageError
from simkit.page import document
from simkit.runs import experiment, runner
from simkit.runs.folder import Run, open_run

STRATEGY = '''
from games.piggy import HOLD, game
from simkit.engine.strategy import strategy


@strategy(game, label="cautious cat")
def timid(view, legal):
    """Hold at five."""
    return HOLD if view.turn_total >= 5 else legal[0]
'''
RECIPE = '''
"""A page with the longest games."""

from simkit.content.reports.sections.answer import answer
from simkit.content.reports.sections.players import who
from simkit.content.reports.sections.seats import seats
from simkit.page.columns import table
from simkit.page.document.parts import Section
from simkit.page.recipe import Recipe
from simkit.tables.findings import Findings
from simkit.tables.length import lengths


def long_games(findings: Findings) -> Section | None:
    """Return the mean length."""
    listed = table(findings, lengths(findings), "cell measure mean low high", "Longest")
    return Section("Long games", ["See:"], tables=[listed], words={"Long": "not short."})


recipe = Recipe("own page", brief=[answer, who, seats], chapters={"Long ones": [long_games]})
'''
BUILD = """
from simkit.page.document import Chapter, Report, Section


def build(run):
    return Report("old", run.experiment.question, chapters=[Chapter("All", [Section("Told")])])
"""


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A project with a game, a strategy, a recipe with a section of its own, and a report without a recipe."""
    folder = tmp_path_factory.mktemp("own")
    pig = (registry.PACKAGE / "games/pig.py").read_text().replace('name="pig"', 'name="piggy"')
    files = {"games/piggy.py": pig, "strategies/piggy.py": STRATEGY, "reports/own.py": RECIPE}
    for name, text in (files | {"reports/old.py": BUILD}).items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    registry.set_projects([str(folder)])
    yield folder
    registry.set_projects([])


@pytest.fixture(scope="module")
def run(project: Path, tmp_path_factory: pytest.TempPathFactory) -> Run:
    """The own game along an option, some deals traced."""
    keys = {"question": "Fair?", "game": "piggy", "deals": 30, "trace": 10, "baseline": {"goal": 30}}
    request = experiment.parse(keys | {"lineups": ["timid*2", "timid, random"], "sweep": {"goal": [20, 30]}})
    command = f"simkit --project {project} run piggy.toml"
    return open_run(runner.run(request, tmp_path_factory.mktemp("runs") / "piggy", command=command))


@pytest.mark.slow
def test_a_project_brings_recipes_sections_and_reports_of_its_own(run: Run) -> None:
    page = registry.recipe("own").build(run)
    (first, chapter), own = page.chapters, page.sections[-1]
    assert (first.title, chapter.title) == ("Behind the answer", "Long ones") and page.answer
    assert own.heading == "Long games" and own.tables[0].columns[1].heading == "lineup"
    assert page.glossary()["Long"] == "not short."
    assert "cautious cat mirror" in document.as_text(page, "md")
    assert registry.recipe("old").build(run).sections[0].heading == "Told"


@pytest.mark.slow
@pytest.mark.parametrize("name", ["balance", "game", "sweep", "compare", "strategies"])
def test_a_page_needs_neither_the_game_nor_the_project(name: str, run: Run, project: Path) -> None:
    expected = document.as_text(registry.recipe(name).build(run), "json")
    registry.set_projects([])
    try:
        with pytest.raises(UsageError, match="unknown game 'piggy'"):
            registry.game("piggy")
        alone = document.as_text(registry.recipe(name).build(open_run(run.folder)), "json")
    finally:
        registry.set_projects([str(project)])
    first, other = (json.loads(text) for text in (expected, alone))
    for page in (first, other):
        for section in (first for chapter in page["chapters"] for first in chapter["sections"]):
            if any(" replay " in story["command"] for story in section["stories"]):
                section["stories"] = section["text"] = []  # only the game can tell its games
    assert first == other


@pytest.mark.slow
def test_the_query_of_a_plug_in_game_works_anywhere(run: Run, tmp_path: Path) -> None:
    source = registry.recipe("balance").build(run).takeaways[0].source
    shutil.copytree(run.folder, tmp_path / "elsewhere")
    code = source.replace(str(run.folder), str(tmp_path / "elsewhere"))
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=tmp_path,
        env={"PYTHONPATH": str(registry.ROOT)},
        capture_output=True,
    )
    assert done.returncode == 0, done.stderr.decode()
    rows = pl.read_csv(done.stdout.rstrip())
    assert rows["lineup"].unique().sort().to_list() == ["timid mirror", "timid, random"]


@pytest.mark.parametrize(
    "sections", ['"answer who\\n Long ones: length"', '["answer"]', '[], {"Long": ["length"]}']
)
def test_a_recipe_with_names_of_sections_is_refused_with_its_file_and_the_cure(
    project: Path, sections: str
) -> None:
    name = f"named_{len(sections)}"
    text = f"from simkit.page.recipe import Recipe\n\nrecipe = Recipe('own page', {sections})\n"
    (project / f"reports/{name}.py").write_text(text)
    with pytest.raises(UsageError, match=rf"{name}\.py: a recipe lists functions, not names .*import them"):
        registry.recipe(name)
