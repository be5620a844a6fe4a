"""Every clause of the specification has a test whose docstring begins with its id; every example is named."""

from __future__ import annotations

import ast
import re
from functools import cache
from pathlib import Path

HERE = Path(__file__).parent
LAST = {1: 12, 2: 13, 3: 10, 4: 12, 5: 12, 6: 18, 7: 4, 8: 4, 10: 5}  # the last clause of each chapter
CLAUSES = [f"RO-{chapter}.{n}" for chapter, last in LAST.items() for n in range(1, last + 1)]
EXAMPLES = [*(f"E{n}" for n in range(1, 6)), *(f"T{n}" for n in range(1, 33))]


@cache
def titles() -> dict[str, str]:
    """First word of the docstring by test."""
    found = {}
    for path in sorted(HERE.glob("test_clauses_*.py")):
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
                found[f"{path.name}::{node.name}"] = (ast.get_docstring(node) or "").split(" ")[0]
    return found


def test_every_clause_has_a_test():
    missing = [clause for clause in CLAUSES if clause not in titles().values()]
    assert not missing, f"clauses without a test: {', '.join(missing)}"


def test_every_clause_test_names_its_clause():
    assert not [test for test, title in titles().items() if title not in CLAUSES]


def test_every_worked_example_has_a_test():
    """RO-14: E1 to E5 and T1 to T32 are named in the docstring of a test."""
    named = set()
    for path in HERE.glob("test_*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef) and path.name != "test_clause_list.py":
                named |= set(re.findall(r"\b([ET]\d+)\b", ast.get_docstring(node) or ""))
    missing = [name for name in EXAMPLES if name not in named]
    assert not missing, f"examples without a test: {', '.join(missing)}"
