"""Every clause of the specification has a test whose docstring begins with its id."""

import re
from pathlib import Path

from tests.of_games.clause_list import check_all_are_titled, check_all_have_tests, ids_in_docstrings

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
TITLES = ids_in_docstrings(Path(__file__).parent, "test_clauses_*.py")


def test_every_clause_has_a_test() -> None:
    check_all_have_tests(CLAUSES, TITLES)


def test_every_clause_test_names_its_clause() -> None:
    check_all_are_titled(TITLES)
    assert all(re.fullmatch(r"O7-\d+\.\d+", clause) for clause in CLAUSES)
