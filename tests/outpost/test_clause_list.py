"""Every clause of the specification has a test whose docstring begins with its id."""

from __future__ import annotations

import ast
from functools import cache
from pathlib import Path

LAST = {1: 6, 2: 6, 4: 8, 5: 23, 6: 4, 7: 4, 8: 7, 9: 12}  # the last clause of each chapter
CLAUSES = [f"OP-{chapter}.{n}" for chapter, last in LAST.items() for n in range(1, last + 1)] + [
    f"OP-3.{n}" for n in range(10)
]


@cache
def titles() -> dict[str, str]:
    """First word of the docstring by test."""
    found = {}
    for path in sorted(Path(__file__).parent.glob("test_clauses_*.py")):
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
                found[f"{path.name}::{node.name}"] = (ast.get_docstring(node) or "").split(" ")[0]
    return found


def test_every_clause_has_a_test():
    missing = [clause for clause in CLAUSES if clause not in titles().values()]
    assert not missing, f"clauses without a test: {', '.join(missing)}"


def test_every_clause_test_names_its_clause():
    assert not [test for test, title in titles().items() if title not in CLAUSES]
