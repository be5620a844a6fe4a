"""For all tests: examples may take their time, and collections of garbage leave alone what was imported."""

import gc

from hypothesis import settings

settings.register_profile("untimed", deadline=None)
settings.load_profile("untimed")


def pytest_collection_finish():
    gc.freeze()
