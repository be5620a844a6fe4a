"""For all tests: examples may take their time, and collections of garbage leave alone what was imported."""

import gc

import pytest
from hypothesis import settings

pytest.register_assert_rewrite("tests.of_games")  # what differs is told, as in tests
settings.register_profile("untimed", deadline=None)
settings.load_profile("untimed")


def pytest_collection_finish():
    gc.freeze()
