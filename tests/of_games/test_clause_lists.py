"""Every clause and every worked example of a specification has a test that is titled by its id.

Titles are names such as `test_EX_4_5_move`, or of two clauses at once, or the first word of the docstring.
"""

import ast
import re
from collections.abc import Iterable
from functools import cache
from itertools import chain
from pathlib import Path

import pytest

TESTS = Path(__file__).parent.parent
LAST = {  # how a clause is written; the last clause of each chapter
    "exoplanet_colony": ("EX_{}_{}", {1: 14, 2: 9, 3: 6, 4: 14, 5: 5, 6: 8, 7: 3, 8: 4, 9: 5, 10: 3}),
    "lunar_outpost": (
        "LO_{}_{}", {1: 12, 2: 8, 3: 4, 4: 6, 5: 10, 6: 4, 7: 1, 8: 8, 9: 8, 10: 2, 11: 3, 12: 4, 13: 4},
    ),
    "outpost": ("OP-{}.{}", {1: 6, 2: 6, 3: 9, 4: 8, 5: 23, 6: 4, 7: 4, 8: 7, 9: 12}),
    "outpost_seven": ("O7-{}.{}", {1: 9, 2: 14, 3: 7, 4: 7, 5: 10, 6: 8, 7: 4, 8: 5, 10: 2}),
    "red_outpost": ("RO-{}.{}", {1: 12, 2: 13, 3: 10, 4: 12, 5: 12, 6: 18, 7: 4, 8: 4, 10: 5}),
}  # fmt: skip
EXAMPLES = {
    "exoplanet_colony": [*(f"X{n}" for n in range(1, 6)), *(f"E{n}" for n in range(1, 27))],
    "lunar_outpost": ["W1", "W2", "W3", "W4a", "W4b", "W4c", *(f"W{n}" for n in range(5, 10)), *(f"E{n}" for n in range(1, 24))],
}  # fmt: skip


Titles = dict[str, list[str]]  # ids by test


@cache
def _tests(folder: Path, pattern: str) -> dict[str, ast.FunctionDef]:
    """All tests in some files, by file and name."""
    return {
        f"{path.name}::{node.name}": node
        for path in sorted(folder.glob(pattern))
        for node in ast.parse(path.read_text(encoding="utf-8")).body
        if isinstance(node, ast.FunctionDef) and node.name.startswith("test_")
    }


def ids_in_names(folder: Path, pattern: str, ids: str) -> Titles:
    """The ids at the beginning of the name of each test, such as test_EX_4_5_EX_4_6_title."""

    def named(name: str) -> list[str]:
        match = re.match(rf"test_((?:{ids}_)+)", name + "_")
        return re.findall(ids, match[1]) if match else []

    return {test: named(node.name) for test, node in _tests(folder, pattern).items()}


def ids_in_docstrings(folder: Path, pattern: str) -> Titles:
    """The first word of the docstring of each test."""
    return {
        test: (ast.get_docstring(node) or "").split()[:1] for test, node in _tests(folder, pattern).items()
    }


def check_all_have_tests(wanted: Iterable[str], titles: Titles) -> None:
    """Each of these ids is in a title, and no other is."""
    wanted, text = list(wanted), set(chain.from_iterable(titles.values()))
    missing = [first for first in wanted if first not in text]
    assert not missing, f"without a test: {', '.join(missing)}"
    assert not text - set(wanted), f"not in the specification: {', '.join(sorted(text - set(wanted)))}"


def check_all_are_titled(titles: Titles) -> None:
    """Every test has an id in its title."""
    untitled = [test for test, ids in titles.items() if not ids]
    assert titles and not untitled, f"without an id: {', '.join(untitled)}"


def clauses(name):
    form, last = LAST[name]
    results = [form.format(chapter, n) for chapter, most in last.items() for n in range(1, most + 1)]
    return [*results, "OP-3.0"] if name == "outpost" else results


def titles(name):
    form, folder = LAST[name][0], TESTS / name
    if "_" in form:
        return ids_in_names(folder, "test_clauses_*.py", form.format(r"\d+", r"\d+"))
    return ids_in_docstrings(folder, "test_clauses_*.py")


@pytest.mark.parametrize("name", LAST)
def test_every_clause_has_a_test_and_every_clause_test_names_its_clause(name):
    check_all_have_tests(clauses(name), titles(name))
    check_all_are_titled(titles(name))


@pytest.mark.parametrize("name", EXAMPLES)
def test_every_worked_example_has_a_test(name):
    check_all_have_tests(EXAMPLES[name], ids_in_names(TESTS / name, "test_examples.py", r"[WXE]\d+[abc]?"))


def test_every_worked_example_of_red_outpost_is_named():
    """RO-14: E1 to E5 and T1 to T32 are named in the docstring of a test."""
    named = set()
    for path in (TESTS / "red_outpost").glob("test_*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef):
                named |= set(re.findall(r"\b([ET]\d+)\b", ast.get_docstring(node) or ""))
    assert named >= {*(f"E{n}" for n in range(1, 6)), *(f"T{n}" for n in range(1, 33))}
