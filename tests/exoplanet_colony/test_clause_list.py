"""Every clause and every worked example of the specification has a test titled by its id."""

from __future__ import annotations

import ast
import re
from functools import cache
from pathlib import Path

HERE = Path(__file__).parent
LAST = {1: 14, 2: 9, 3: 6, 4: 14, 5: 5, 6: 8, 7: 3, 8: 4, 9: 5, 10: 3}  # of each chapter
CLAUSES = [f"EX_{chapter}_{n}" for chapter, last in LAST.items() for n in range(1, last + 1)]
EXAMPLES = [*(f"X{n}" for n in range(1, 6)), *(f"E{n}" for n in range(1, 27))]


@cache
def titles_in(pattern: str) -> list[str]:
    """The names of all tests in some files."""
    return [
        node.name
        for path in sorted(HERE.glob(pattern))
        for node in ast.parse(path.read_text(encoding="utf-8")).body
        if isinstance(node, ast.FunctionDef) and node.name.startswith("test_")
    ]


def named(name: str, ids: str) -> list[str]:
    """The ids at the beginning of the name of a test."""
    found = re.match(rf"test_((?:{ids}_)+)", name + "_")
    return re.findall(ids, found[1]) if found else []


def test_every_clause_has_a_test():
    """Titles such as test_EX_4_5_move, or of two clauses at once."""
    titles = {clause for name in titles_in("test_clauses_*.py") for clause in named(name, r"EX_\d+_\d+")}
    missing = [clause for clause in CLAUSES if clause not in titles]
    assert not missing, f"clauses without a test: {', '.join(missing)}"
    assert not titles - set(CLAUSES)


def test_every_clause_test_names_its_clause():
    assert not [name for name in titles_in("test_clauses_*.py") if not named(name, r"EX_\d+_\d+")]


def test_every_worked_example_has_a_test():
    titles = {one for name in titles_in("test_examples.py") for one in named(name, r"[XE]\d+")}
    missing = [one for one in EXAMPLES if one not in titles]
    assert not missing, f"examples without a test: {', '.join(missing)}"
    assert not titles - set(EXAMPLES)
