"""Every clause and every worked example of the specification has a test titled by its id."""

from __future__ import annotations

import ast
import re
from functools import cache
from pathlib import Path

HERE = Path(__file__).parent
LAST = {1: 12, 2: 8, 3: 4, 4: 6, 5: 10, 6: 4, 7: 1, 8: 8, 9: 8, 10: 2, 11: 3, 12: 4, 13: 4}  # of each chapter
CLAUSES = [f"LO_{chapter}_{n}" for chapter, last in LAST.items() for n in range(1, last + 1)]
EXAMPLES = [
    "W1", "W2", "W3", "W4a", "W4b", "W4c", "W5", "W6", "W7", "W8", "W9", *(f"E{n}" for n in range(1, 24)),
]  # fmt: skip


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
    """Titles such as test_LO_5_3_round_of_removals, or of two clauses at once."""
    titles = {clause for name in titles_in("test_clauses_*.py") for clause in named(name, r"LO_\d+_\d+")}
    missing = [clause for clause in CLAUSES if clause not in titles]
    assert not missing, f"clauses without a test: {', '.join(missing)}"
    assert not titles - set(CLAUSES)


def test_every_clause_test_names_its_clause():
    assert not [name for name in titles_in("test_clauses_*.py") if not named(name, r"LO_\d+_\d+")]


def test_every_worked_example_has_a_test():
    titles = {one for name in titles_in("test_examples.py") for one in named(name, r"[WE]\d+[abc]?")}
    missing = [one for one in EXAMPLES if one not in titles]
    assert not missing, f"examples without a test: {', '.join(missing)}"
    assert not titles - set(EXAMPLES)
