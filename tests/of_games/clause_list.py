"""Clauses and worked examples of a specification, and the tests that are titled by their ids."""

import ast
import re
from collections.abc import Iterable
from functools import cache
from itertools import chain
from pathlib import Path

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
