"""`simkit check` names the mistakes that people make: in Python and Numba, in rules, in what seats may know."""

import pytest

from simkit import Position
from simkit.engine import registry, tasks
from simkit.engine.compile import jit
from simkit.engine.game import redeal_nothing
from simkit.verify.check import Request, check, random_settings
from simkit.verify.check.hidden import Hidden
from tests import broken_games, hidden_games
from tests.coding_mistakes import IMPORTS, MISTAKES
from tests.projects import project_of

SOUND = broken_games.SOUND.replace("from enum import IntEnum\n", IMPORTS, 1)


@pytest.fixture
def load(tmp_path):
    """Load a game from its text: (the game, its file)."""

    def load(name, text):
        file = tmp_path / "games" / f"{name}.py"
        file.parent.mkdir(exist_ok=True)
        file.write_text(text, encoding="utf-8")
        registry.add_project(tmp_path)
        return registry.game(name), file

    yield load
    registry.set_projects([])


def problems(game, **named):
    return [problem for result in check(game, **named) for problem in result.problems]


@pytest.mark.skipif(not jit.COMPILED, reason="some are mistakes for Numba only")
@pytest.mark.parametrize("mistake", MISTAKES, ids=lambda mistake: mistake.title)
def test_a_coding_mistake_is_told_with_line_and_cure(load, monkeypatch, mistake):
    monkeypatch.setattr(tasks, "LIMIT", 0.5)
    text = SOUND.replace(mistake.right, mistake.wrong)
    assert SOUND.count(mistake.right) == 1 and mistake.line
    game, file = load("bids", text)
    sentence = problems(game)[0]
    number = next(i for i, line in enumerate(text.splitlines(), 1) if mistake.line in line)
    near = (number - 1, number) if mistake.line.startswith("def") or "end" in mistake.says else (number,)
    assert mistake.says in sentence and any(f"{file}:{line}" in sentence for line in near), sentence
