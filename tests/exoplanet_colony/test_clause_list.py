"""Every clause and every worked example of the specification has a test titled by its id."""

from pathlib import Path

from tests.of_games.clause_list import check_all_are_titled, check_all_have_tests, ids_in_names

HERE = Path(__file__).parent
LAST = {1: 14, 2: 9, 3: 6, 4: 14, 5: 5, 6: 8, 7: 3, 8: 4, 9: 5, 10: 3}  # of each chapter
CLAUSES = [f"EX_{chapter}_{n}" for chapter, last in LAST.items() for n in range(1, last + 1)]
EXAMPLES = [*(f"X{n}" for n in range(1, 6)), *(f"E{n}" for n in range(1, 27))]
TITLES = ids_in_names(HERE, "test_clauses_*.py", r"EX_\d+_\d+")


def test_every_clause_has_a_test():
    """Titles such as test_EX_4_5_move, or of two clauses at once."""
    check_all_have_tests(CLAUSES, TITLES)


def test_every_clause_test_names_its_clause():
    check_all_are_titled(TITLES)


def test_every_worked_example_has_a_test():
    check_all_have_tests(EXAMPLES, ids_in_names(HERE, "test_examples.py", r"[XE]\d+"))
