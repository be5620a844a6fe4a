"""Who may import whom: the arrows of the architecture, read from the sources."""

import ast
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent

# A part -> the parts of simkit that it may import, besides itself and `errors`.
ARROWS = {
    "errors": "",
    "fingerprint": "",
    "uncompilable": "fingerprint",
    "jit": "fingerprint uncompilable",
    "faultline": "jit uncompilable",
    "chance": "jit",
    "fields": "",
    "limits": "",
    "options": "limits",
    "wording": "",
    "provenance": "options",
    "game": "fingerprint jit provenance",
    "kernel": "chance faultline game jit tasks uncompilable watch",
    "strategy": "chance game jit kernel",
    "games": "chance game jit provenance",
    "catalogue": "game kernel strategy",
    "ablation": "chance game",
    "projects": "catalogue",
    "starter": "chance game jit options strategy",
    "experiment": "ablation catalogue game matchform ownfiles strategy",
    "matchform": "",
    "matches": "experiment matchform runlog stats wording",
    "equilibria": "experiment matchform runlog stats",
    "ownfiles": "game options runwords",
    "beginners": "experiment strategy",
    "branches": "chance game jit kernel tasks",
    "failing": "game kernel",
    "columns": "experiment failing game ownfiles",
    "kingmaking": "atomic branches checksums experiment progress seating stats steps",
    "pieces": "game jit",
    "steps": "chance faultline game jit kernel pieces tasks",
    "progress": "watch",
    "watch": "",
    "tasks": "watch",
    "seating": "ablation catalogue columns experiment failing kernel steps",
    "atomic": "",
    "checksums": "atomic",
    "shards": "catalogue checksums experiment game seating strategy",
    "runwords": "game options strategy",
    "runform": "experiment ownfiles runwords shards",
    "searchform": "runform",
    "sources": "catalogue chance experiment fingerprint game jit kernel strategy",
    "manifest": "ablation atomic catalogue columns experiment game ownfiles runform runwords shards sources",
    "tablecheck": "columns experiment manifest shards",
    "runlog": "atomic beginners checksums experiment kingmaking manifest remote runwords searchform shards tablecheck",
    "adaptive": "equilibria experiment matches runlog shards stats",
    "lock": "",
    "remote": "atomic checksums lock scratch",
    "status": "beginners checksums lock manifest remote runlog shards",
    "clusters": "",
    "afar": "catalogue experiment runlog sources strategy",
    "runner": "adaptive afar beginners catalogue clusters checksums experiment game jit kernel kingmaking lock luck manifest progress remote projects runlog shards sources strategy"
    " steps tasks watch",
    "luck": "atomic checksums experiment game narrate runlog seating",
    "narrate": "experiment game perspective runlog seating shards sources steps",
    "perspective": "faultline game kernel",
    "anatomy": "check game kernel perspective",
    "stats": "",
    "analysis": "ablation adaptive beginners equilibria experiment kingmaking luck matches ownfiles runlog runwords stats",
    "words": "analysis chance provenance runlog runwords stats wording",
    "plan": "analysis experiment runlog stats",
    "screening": "analysis catalogue chance columns experiment game manifest runlog stats strategy",
    "design": "analysis catalogue chance columns experiment manifest runlog strategy",
    "fair": "analysis catalogue chance experiment runlog stats strategy",
    "charts": "wording",
    "report": "wording",
    "pages": "analysis catalogue charts ownfiles provenance report runlog sources wording words",
    "check": "catalogue faultline game jit kernel steps tasks uncompilable validate watch",
    "scratch": "",
    "validate": "analysis catalogue chance columns experiment game jit runlog runner scratch screening shards stats strategy",
    "yardsticks": "analysis beginners catalogue experiment runlog runner words",
    "bench": "catalogue game kernel strategy",
    "against": "catalogue game strategy",
    "cli": "status ablation against analysis anatomy atomic bench catalogue check checksums design experiment fair game luck manifest matchform remote narrate plan progress"
    " projects report runlog runner ownfiles pages scratch screening sources strategy validate watch words",
    "__init__": "",
    "__main__": "cli",
}
OF_A_GAME = {
    "fields",
    "limits",
    "options",
    "wording",
}  # what `game` and its words are made of: free to import with it
STRATEGIES_MAY = {"chance", "game", "jit", "strategy", "games"}
RECIPES_MAY = {
    "analysis",
    "charts",
    "errors",
    "narrate",
    "pages",
    "report",
    "runlog",
    "runwords",
    "wording",
    "words",
}


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
    allowed = set(ARROWS[part].split()) | {part, "errors"}
    beyond = parts(imported(path)) - allowed - (OF_A_GAME if "game" in allowed else set())
    assert not beyond, f"{part} may not import {sorted(beyond)}"


@pytest.mark.parametrize("path", SOURCES, ids=lambda p: str(p.relative_to(ROOT)))
def test_the_machinery_names_no_content_and_rules_never_import_players(path):
    content = (
        ("strategies", "reports") if part_of(path) == "games" else ("simkit.games.", "strategies", "reports")
    )
    assert not {name for name in imported(path) if name.startswith(content)}


@pytest.mark.parametrize(
    "path", sorted((ROOT / "strategies").rglob("*.py")), ids=lambda p: str(p.relative_to(ROOT))
)
def test_a_strategy_file_imports_its_own_game_and_the_engine_only(path):
    names = imported(path)
    assert parts(names) <= STRATEGIES_MAY
    games = {
        name.removeprefix("simkit.games.").removeprefix("known.").split(".")[0]
        for name in names
        if name.startswith("simkit.games.")
    }
    assert games <= {path.relative_to(ROOT / "strategies").with_suffix("").parts[0]}


@pytest.mark.parametrize("path", sorted((ROOT / "reports").rglob("*.py")), ids=lambda p: p.stem)
def test_a_recipe_or_section_imports_findings_words_charts_and_report_only(path):
    assert parts(imported(path)) <= RECIPES_MAY


def test_statistics_import_numpy_scipy_and_statsmodels_only():
    allowed = {
        "numpy",
        "scipy",
        "statsmodels",
        "bisect",
        "math",
        "typing",
        "__future__",
        "collections",
        "dataclasses",
        "functools",
        "itertools",
        "simkit",
    }
    for path in (ROOT / "simkit/stats").glob("*.py"):
        assert {name.split(".")[0] for name in imported(path)} <= allowed
