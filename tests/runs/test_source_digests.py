"""What a run rests upon: whatever changes its games changes a digest, and nothing else does."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from simkit.engine import registry
from simkit.engine.compile import fingerprint
from simkit.games import pig
from simkit.runs import experiment, source_digests
from simkit.runs.plan import make_plan

GAME = """
import dataclasses
import json
from pathlib import Path

from helper import first_score
from simkit.engine.fields import scalar
from simkit.engine.game import Components
from simkit.games import pig
from simkit.engine.compile.jit import rule

POINTS = json.loads(Path(__file__).with_name("points.json").read_text())


@rule
def setup(s, rules, rng):
    s.score[0] = first_score(rules)
    pig.begin_turn(s, 0)


game = dataclasses.replace(
    pig.game, name="handicapped", setup=setup,
    components=Components([scalar("points", "i2", "Points")], lambda options, files: {"points": POINTS}),
)
"""
HELPER = """
from simkit.engine.compile.jit import rule


@rule
def first_score(rules):
    return rules.points + 0
"""
PLAYER = """
from simkit.engine.strategy import Weight, strategy


@strategy(None, place=Weight(0, 0, 3, "Place of the action among the legal ones"))
def mine(legal, w):
    \"\"\"Takes the same place each time.\"\"\"
    return legal[min(w.place, legal.size - 1)]
"""
RULES, TABLES = "the rules of handicapped", "the options and tables of handicapped"
EXPERIMENT = experiment.parse(
    {
        "question": "?",
        "game": "handicapped",
        "deals": 1,
        "lineups": ["mine, random"],
        "sweep": {"goal": [9, 30]},
    }
)


@pytest.fixture
def project(tmp_path: Path) -> Iterator[Path]:
    folder = tmp_path / "project"
    content = {"games/handicapped.py": GAME, "games/points.json": "3", "helper.py": HELPER}
    for name, text in (content | {"strategies/mine.py": PLAYER}).items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    yield folder
    registry.set_projects([])


def digests(project: Path) -> source_digests.Digests:
    registry.set_projects([])  # read again
    registry.add_project(project)
    return source_digests.digests(make_plan(EXPERIMENT))


def edited(path: Path, before: str, after: str) -> None:
    assert before in path.read_text()
    path.write_text(path.read_text().replace(before, after))
    later = path.stat().st_mtime + 2  # Python takes a file of the same size and second for unchanged
    os.utime(path, (later, later))


EDITS: dict[str, tuple[Callable[[Path], object], set[str]]] = {
    "another default of a weight": (
        lambda at: edited(at / "strategies/mine.py", "Weight(0,", "Weight(1,"), {"strategy mine"}
    ),
    "a table in a file that nobody knows of": (lambda at: edited(at / "games/points.json", "3", "4"), {TABLES}),
    "a rule beside the game": (
        lambda at: edited(at / "helper.py", "+ 0", "+ 1"), {RULES, "simkit's way to play handicapped"}
    ),
    "a comment beside the game": (lambda at: edited(at / "helper.py", "@rule", "@rule  # or is it?"), set()),
    "a comment in a strategy": (lambda at: edited(at / "strategies/mine.py", "(legal, w):", "(legal, w):  # so"), set()),
}  # fmt: skip


@pytest.mark.parametrize(("edit", "changed"), EDITS.values(), ids=EDITS.keys())
def test_what_an_edit_changes(edit: Callable[[Path], object], changed: set[str], project: Path) -> None:
    before = digests(project)
    edit(project)
    after = digests(project)
    assert {what for what in before if before[what] != after[what]} == changed
    assert before.keys() == after.keys()


def test_a_project_elsewhere_has_the_same_digests(project: Path, tmp_path: Path) -> None:
    before = digests(project)
    assert digests(Path(shutil.copytree(project, tmp_path / "moved"))) == before


def test_how_it_is_compiled_changes_machine_code_and_no_digest(project: Path) -> None:
    before = digests(project)
    script = (
        "import json, sys; from simkit.engine import registry; from simkit.runs import experiment, plan, source_digests;"
        "registry.add_project(sys.argv[1]); asked = experiment.parse(json.loads(sys.argv[2]));"
        "print(json.dumps(source_digests.digests(plan.make_plan(asked))))"
    )
    request = json.dumps(EXPERIMENT.keys())
    other = {**os.environ, "PYTHONPATH": str(registry.ROOT), "NUMBA_OPT": "2", "NUMBA_DISABLE_JIT": "1"}
    done = subprocess.run(
        [sys.executable, "-c", script, str(project), request], env=other, check=True, capture_output=True
    )
    assert json.loads(done.stdout) == before


def test_machine_code_of_another_optimisation_has_another_fingerprint(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    of_machine, of_code = fingerprint.fingerprint(pig.roll), fingerprint.code_digest(pig.roll)
    monkeypatch.setattr(fingerprint.config, "OPT", "another")
    assert fingerprint.fingerprint(pig.roll) != of_machine and fingerprint.code_digest(pig.roll) == of_code
