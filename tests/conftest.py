"""Shared set-up of all tests: no deadline for examples, cheap garbage collection, and a browser."""

import gc
import shutil

import pytest
from hypothesis import settings

pytest.register_assert_rewrite("tests.of_games")  # its assertions show what differs, as in tests
settings.register_profile("untimed", deadline=None)
settings.load_profile("untimed")


def pytest_ignore_collect(collection_path, config):
    """Leave out the tests in a browser where none will run: `make test` does not install what they import."""
    return (collection_path.name.endswith("_browser.py") and "not browser" in config.option.markexpr) or None


def pytest_collection_finish():
    """Exempt everything imported so far from garbage collection, which saves time in long runs."""
    gc.freeze()


@pytest.fixture(scope="module")
def browser():
    """An installed Chromium, for the tests marked so."""
    from playwright.sync_api import sync_playwright

    names = ("chromium", "chromium-browser", "google-chrome")
    executable = next(filter(None, map(shutil.which, names)), None)
    assert executable, f"this test needs a browser: install Debian's package chromium (of {', '.join(names)})"
    arguments = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"]
    with sync_playwright() as playwright:
        launched = playwright.chromium.launch(executable_path=executable, args=arguments)
        yield launched
        launched.close()
