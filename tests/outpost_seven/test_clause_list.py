"""Every clause of the specification has a test whose docstring begins with its id."""

from __future__ import annotations

import ast
import re
from functools import cache
from pathlib import Path

CLAUSES_IN_CHAPTER = {
    1: 9,
    2: 14,
    3: 7,
    4: 7,
    5: 10,
    6: 8,
    7: 4,
    8: 5,
    10: 2,
}  # the last clause of each chapter of the rules
CLAUSES = [f"O7-{chapter}.{n}" for chapter, last in CLAUSES_IN_CHAPTER.items() for n in range(1, last + 1)]


@cache
def titles() -> dict[str, str]:
    """First words of the docstring by test, of every clause test in this folder."""
    found = {}
    for path in sorted(Path(__file__).parent.glob("test_clauses_*.py")):
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
                found[f"{path.name}::{node.name}"] = (ast.get_docstring(node) or "").split(" ")[0]
    return found


def test_every_clause_has_a_test() -> None:
    missing = [clause for clause in CLAUSES if clause not in titles().values()]
    assert not missing, f"clauses without a test: {', '.join(missing)}"


def test_every_clause_test_names_its_clause() -> None:
    untitled = [test for test, title in titles().items() if title not in CLAUSES]
    assert not untitled, f"the docstring must begin with a clause id: {', '.join(untitled)}"
    assert all(re.fullmatch(r"O7-\d+\.\d+", clause) for clause in CLAUSES)
