"""Every clause and every worked example of the specification has a test titled by its id."""

from pathlib import Path

from tests.of_games.clause_list import check_all_are_titled, check_all_have_tests, ids_in_names

HERE = Path(__file__).parent
LAST = {1: 12, 2: 8, 3: 4, 4: 6, 5: 10, 6: 4, 7: 1, 8: 8, 9: 8, 10: 2, 11: 3, 12: 4, 13: 4}  # of each chapter
CLAUSES = [f"LO_{chapter}_{n}" for chapter, last in LAST.items() for n in range(1, last + 1)]
EXAMPLES = [
    "W1", "W2", "W3", "W4a", "W4b", "W4c", "W5", "W6", "W7", "W8", "W9", *(f"E{n}" for n in range(1, 24)),
]  # fmt: skip
TITLES = ids_in_names(HERE, "test_clauses_*.py", r"LO_\d+_\d+")


def test_every_clause_has_a_test():
    """Titles such as test_LO_5_3_round_of_removals, or of two clauses at once."""
    check_all_have_tests(CLAUSES, TITLES)


def test_every_clause_test_names_its_clause():
    check_all_are_titled(TITLES)


def test_every_worked_example_has_a_test():
    check_all_have_tests(EXAMPLES, ids_in_names(HERE, "test_examples.py", r"[WE]\d+[abc]?"))
