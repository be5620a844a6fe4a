"""The guide is true: its game passes its check, its strategies play, its signatures and commands are those of the code."""

import ast
import inspect
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

import simkit as sk

ROOT = Path(__file__).parents[2]
GUIDE = (ROOT / "docs/guide.md").read_text(encoding="utf-8")
GAME, STRATEGIES = re.findall(r"```python\n(.*?)```", GUIDE, re.DOTALL)
COMMANDS = [line for block in re.findall(r"```sh\n(.*?)```", GUIDE, re.DOTALL) for line in block.splitlines()]
CALLS = r"`(\w+)\((?!…)([\w, =*…]*)\)`"
FEW = {"match", "ladder", "sweep", "compare", "fair", "validate"}  # commands that take --deals


def call(folder, *words):
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    line = [sys.executable, "-m", "simkit", *words]
    return subprocess.run(line, cwd=folder, env=environment, capture_output=True, text=True, timeout=1_800)


@pytest.fixture(scope="module")
def project(tmp_path_factory):
    """A project with the code of the guide."""
    folder = tmp_path_factory.mktemp("guide") / "mine"
    for name, text in {"games": GAME, "strategies": STRATEGIES}.items():
        (folder / name).mkdir(parents=True)
        (folder / name / "night_market.py").write_text(text, encoding="utf-8")
    (folder / "simkit.toml").touch()
    return folder


def test_simkit_prints_the_guide():
    assert call(ROOT, "guide").stdout == GUIDE


def test_the_guide_is_short():
    """At most 3,500 words, code included."""
    assert len(GUIDE.split()) <= 3_500


def signatures():
    table = GUIDE.partition("## Helpers")[2].partition("##")[0]
    return re.findall(CALLS, "\n".join(line.split(" | ")[0] for line in table.splitlines()))


@pytest.mark.parametrize("name, shown", signatures(), ids=[name for name, _ in signatures()])
def test_signatures_of_the_guide_are_those_of_the_code(name, shown):
    if name == "Actions":
        return
    function = getattr(sk, name)
    parameters = inspect.signature(getattr(function, "function", function)).parameters
    names = [f"**{each.name}" if each.kind is each.VAR_KEYWORD else each.name for each in parameters.values()]
    assert names[: len(shown.split(", "))] == shown.split(", ")


def test_the_signatures_of_the_guide_are_read():
    names = {name for name, _ in signatures()}
    nodes = [node for node in ast.walk(ast.parse(GAME + STRATEGIES)) if isinstance(node, ast.ImportFrom)]
    imported = {entry.name for node in nodes if node.module == "simkit" for entry in node.names}
    described = set(re.findall(r"\w+", re.sub(r"```.*?```", "", GUIDE, flags=re.DOTALL)))
    assert len(names) > 20 and imported <= described


@pytest.mark.slow
def test_the_game_of_the_guide_keeps_its_promises_and_leaves_nothing_unreached(project):
    heard = call(project, "check", "night_market")
    assert heard.returncode == 0, heard.stdout
    assert "positions: 11" in heard.stdout and "note:" not in heard.stdout


@pytest.mark.slow
@pytest.mark.parametrize(
    "line", [line for line in COMMANDS if line.startswith("simkit") and "simkit new" not in line]
)
def test_commands_of_the_guide_run(project, line):
    _, *words = shlex.split(line, comments=True)
    if words[0] == "report":
        sweep = next(line for line in COMMANDS if "-o runs/goal" in line)
        call(project, *shlex.split(sweep, comments=True)[1:], "--deals", "40")
    few = ["--deals", "1000" if words[0] == "validate" else "100"] if words[0] in FEW else []
    heard = call(project, *words, *few)
    assert heard.returncode == 0 and heard.stdout, heard.stderr


@pytest.mark.slow
def test_the_careful_strategy_of_the_guide_is_stronger(project):
    heard = call(project, "match", "night_market", "lonely", "highest", "--deals", "500")
    assert "“lonely” is stronger than “highest”" in heard.stdout


@pytest.mark.slow
def test_rulings_are_listed_by_the_command_and_on_the_page(project):
    ruled = "NM-4: Two equal cards of one player are worth nothing, too"
    assert ruled in call(project, "rules", "night_market").stdout
    sweep = ["sweep", "night_market", "goal=20", "--deals", "40", "-o", "runs/rulings"]
    assert call(project, *sweep).returncode == 0
    assert call(project, "report", "runs/rulings", "--format", "md").returncode == 0
    assert ruled in (project / "runs/rulings/report.md").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    "clause, text", [("NM 4", "Two equal cards"), ("", "Two equal cards"), ("NM-4", " ")]
)
def test_a_ruling_needs_a_clause_and_a_text(clause, text):
    with pytest.raises(sk.UsageError, match=r"needs the id of a clause, such as PIG-3, and a text"):
        sk.ruling(clause, text)
