"""Games that nobody tuned anything for: from the command alone a player learns to beat their scripted ones."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from simkit.engine import registry
from simkit.questions.learn.result import learned_matches
from simkit.runs.folder import open_run
from simkit.tables.findings import Findings
from tests.commands import invoke

pytestmark = [
    pytest.mark.slow,
    pytest.mark.proof("questions.learn", "strategies", "reports.learn", "of_games.plugins"),
]

PLUGINS = Path(__file__).parent / "plugins"


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A copy of the project, into which players are installed."""
    folder = tmp_path_factory.mktemp("plugins")
    shutil.copytree(PLUGINS, folder, dirs_exist_ok=True)
    before = registry.projects()
    registry.add_project(folder)
    yield folder
    registry.set_projects(before)


def test_a_player_of_hidden_hands_beats_every_scripted_one(project: Path, tmp_path: Path) -> None:
    """Its fields say nothing of what their numbers stand for."""
    words = ("market_hands", "--games", 32_768, "--confirm", 400, "-o", tmp_path / "run")
    done = invoke("--project", project, "learn", *words)
    matches = learned_matches(Findings(open_run(tmp_path / "run")))
    scripted = matches.filter(~matches["opponent"].str.starts_with("search"))
    assert scripted.height == 3 and scripted["ahead"].all(), matches
    assert "installed: learned in" in done.stderr
