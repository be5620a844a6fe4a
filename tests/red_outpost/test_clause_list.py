"""Every clause of the specification has a test whose docstring begins with its id; every example is named."""

import ast
import re
from pathlib import Path

from tests.of_games.clause_list import check_all_are_titled, check_all_have_tests, ids_in_docstrings

HERE = Path(__file__).parent
LAST = {1: 12, 2: 13, 3: 10, 4: 12, 5: 12, 6: 18, 7: 4, 8: 4, 10: 5}  # the last clause of each chapter
CLAUSES = [f"RO-{chapter}.{n}" for chapter, last in LAST.items() for n in range(1, last + 1)]
EXAMPLES = [*(f"E{n}" for n in range(1, 6)), *(f"T{n}" for n in range(1, 33))]
TITLES = ids_in_docstrings(Path(__file__).parent, "test_clauses_*.py")


def test_every_clause_has_a_test():
    check_all_have_tests(CLAUSES, TITLES)


def test_every_clause_test_names_its_clause():
    check_all_are_titled(TITLES)


def test_every_worked_example_has_a_test():
    """RO-14: E1 to E5 and T1 to T32 are named in the docstring of a test."""
    named = set()
    for path in HERE.glob("test_*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef) and path.name != "test_clause_list.py":
                named |= set(re.findall(r"\b([ET]\d+)\b", ast.get_docstring(node) or ""))
    missing = [name for name in EXAMPLES if name not in named]
    assert not missing, f"examples without a test: {', '.join(missing)}"
