"""Who may import whom: the arrows of the architecture, read from the sources."""

import ast
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent

# A part -> the parts of simkit that it may import, besides itself and `errors`.
ARROWS = {
    "errors": set(),
    "jit": set(),
    "chance": {"jit"},
    "game": set(),
    "kernel": {"jit", "chance", "game"},
    "strategy": {"jit", "chance", "game", "kernel"},
    "games": {"jit", "chance", "game"},
    "catalogue": {"game", "strategy", "kernel"},
    "experiment": {"catalogue", "game", "strategy"},
    "columns": {"experiment", "game"},
    "steps": {"jit", "chance", "game", "kernel"},
    "shards": {"catalogue", "columns", "experiment", "kernel", "steps"},
    "manifest": {"catalogue", "experiment"},
    "runlog": {"experiment", "manifest", "shards"},
    "adaptive": {"experiment", "runlog", "shards", "stats"},
    "runner": {"adaptive", "catalogue", "columns", "experiment", "manifest", "runlog", "shards", "kernel"},
    "narrate": {"experiment", "game", "manifest", "runlog", "shards", "steps"},
    "stats": set(),
    "analysis": {"adaptive", "experiment", "runlog", "stats"},
    "words": {"analysis", "runlog", "stats"},
    "plan": {"analysis", "runlog", "stats"},
    "fair": {"analysis", "catalogue", "experiment", "runlog", "stats", "strategy"},
    "charts": set(),
    "report": set(),
    "check": {"catalogue", "game", "kernel", "steps"},
    "validate": {
        "analysis",
        "catalogue",
        "chance",
        "experiment",
        "game",
        "jit",
        "runlog",
        "runner",
        "stats",
        "strategy",
    },
    "bench": {"catalogue", "game", "kernel", "strategy"},
    "cli": {
        "analysis",
        "words",
        "manifest",
        "bench",
        "catalogue",
        "check",
        "experiment",
        "fair",
        "game",
        "narrate",
        "plan",
        "report",
        "runlog",
        "runner",
        "strategy",
        "validate",
    },
    "__init__": set(),
    "__main__": {"cli"},
}
STRATEGIES_MAY = {"chance", "jit", "strategy", "games"}
RECIPES_MAY = {"analysis", "catalogue", "charts", "errors", "narrate", "report", "runlog", "words"}


def part_of(path):
    return path.relative_to(ROOT / "simkit").with_suffix("").parts[0]


def imported(path):
    """The parts of simkit that a file imports, and the top-level packages of others."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            names = (
                [f"{node.module}.{alias.name}" for alias in node.names]
                if node.module == "simkit"
                else [node.module or ""]
            )
            found |= set(names)
    return found


def parts(names):
    return {name.split(".")[1] for name in names if name.startswith("simkit.")}


SOURCES = sorted((ROOT / "simkit").rglob("*.py"))


@pytest.mark.parametrize("path", SOURCES, ids=lambda p: str(p.relative_to(ROOT)))
def test_a_module_imports_only_what_its_arrow_allows(path):
    part = part_of(path)
    assert part in ARROWS, f"{path.name} is a new part of simkit: say here what it may import"
    beyond = parts(imported(path)) - ARROWS[part] - {part, "errors"}
    assert not beyond, f"{part} may not import {sorted(beyond)}"


@pytest.mark.parametrize("path", SOURCES, ids=lambda p: str(p.relative_to(ROOT)))
def test_the_machinery_names_no_content(path):
    if part_of(path) != "games":
        assert not {
            name for name in imported(path) if name.startswith(("simkit.games.", "strategies", "reports"))
        }


@pytest.mark.parametrize("path", sorted((ROOT / "strategies").glob("*.py")), ids=lambda p: p.stem)
def test_a_strategy_file_imports_its_own_game_and_the_engine_only(path):
    names = imported(path)
    assert parts(names) <= STRATEGIES_MAY
    games = {
        name.removeprefix("simkit.games.").removeprefix("known.").split(".")[0]
        for name in names
        if name.startswith("simkit.games.")
    }
    assert games <= {path.stem}


@pytest.mark.parametrize("path", sorted((ROOT / "reports").rglob("*.py")), ids=lambda p: p.stem)
def test_a_recipe_imports_analysis_charts_and_report_only(path):
    assert parts(imported(path)) <= RECIPES_MAY


def test_statistics_import_numpy_scipy_and_statsmodels_only():
    allowed = {
        "numpy",
        "scipy",
        "statsmodels",
        "math",
        "typing",
        "__future__",
        "collections",
        "dataclasses",
        "itertools",
        "simkit",
    }
    for path in (ROOT / "simkit/stats").glob("*.py"):
        assert {name.split(".")[0] for name in imported(path)} <= allowed
