"""Every clause of the specification has a test whose docstring begins with its id."""

from pathlib import Path

from tests.of_games.clause_list import check_all_are_titled, check_all_have_tests, ids_in_docstrings

LAST = {1: 6, 2: 6, 4: 8, 5: 23, 6: 4, 7: 4, 8: 7, 9: 12}  # the last clause of each chapter
CLAUSES = [f"OP-{chapter}.{n}" for chapter, last in LAST.items() for n in range(1, last + 1)] + [
    f"OP-3.{n}" for n in range(10)
]
TITLES = ids_in_docstrings(Path(__file__).parent, "test_clauses_*.py")


def test_every_clause_has_a_test():
    check_all_have_tests(CLAUSES, TITLES)


def test_every_clause_test_names_its_clause():
    check_all_are_titled(TITLES)
