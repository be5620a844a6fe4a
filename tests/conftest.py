"""For all tests: examples may take their time, garbage collections spare what was imported, a browser."""

import gc
import shutil

import pytest
from hypothesis import settings

pytest.register_assert_rewrite("tests.of_games")  # what differs is told, as in tests
settings.register_profile("untimed", deadline=None)
settings.load_profile("untimed")


def pytest_collection_finish():
    gc.freeze()


@pytest.fixture(scope="module")
def browser():
    """An installed Chromium, for tests marked so."""
    from playwright.sync_api import sync_playwright

    names = ("chromium", "chromium-browser", "google-chrome")
    found = next(filter(None, map(shutil.which, names)), None)
    assert found, f"this test needs a browser: install Debian's package chromium (of {', '.join(names)})"
    arguments = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"]
    with sync_playwright() as playwright:
        launched = playwright.chromium.launch(executable_path=found, args=arguments)
        yield launched
        launched.close()
