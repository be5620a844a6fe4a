"""Shared set-up of all tests: one processor for each process of pytest, the same examples in every run, a browser."""

import gc
import inspect
import os
import shutil

import pytest
from hypothesis import settings

from simkit import system

# Tests compare commands with words as POSIX quotes them, on every system.
system.DOUBLE_QUOTES = False
# Without it, every run with players to compile starts processes that load simkit and its rules once more.
os.environ["LOKY_MAX_CPU_COUNT"] = "1"

PATIENCE = 300_000  # milliseconds: on a busy machine everything takes long in a browser
collect_ignore = ["of_games/plugins"]  # a project with games of its own, which tests add
pytest.register_assert_rewrite("tests.of_games")  # its assertions show what differs, as in tests
settings.register_profile("repeatable", deadline=None, derandomize=True)
settings.register_profile(
    "random", deadline=None
)  # pytest --hypothesis-profile=random looks for new examples
settings.load_profile("repeatable")


def pytest_ignore_collect(collection_path, config):
    """Leave out the tests in a browser where none will run: `make test` does not install what they import."""
    return (collection_path.name.endswith("_browser.py") and "not browser" in config.option.markexpr) or None


gc.disable()  # until all tests are collected: imports make no garbage


def pytest_collection_finish():
    """Exempt everything imported so far from garbage collection, and collect the rest seldom."""
    gc.freeze()
    gc.set_threshold(50_000, 50, 1_000)
    gc.enable()


@pytest.fixture(autouse=True)
def quick_pages(request):
    """Leave the pictures of pages blank in tests that are marked neither `drawn` nor `browser`."""
    if any(map(request.node.get_closest_marker, ("drawn", "browser"))):
        yield
        return
    from tests.undrawn import blank_pictures

    with blank_pictures():
        yield


@pytest.fixture
def simkit(tmp_path, monkeypatch, capsys):
    """Type a command in an empty folder: its exit code, what it printed, what it said on stderr.

    The first text may hold several words; the others are words as they are.
    """
    from commands import words_of

    from simkit import cli
    from simkit.engine import registry

    monkeypatch.chdir(tmp_path)

    def call(line="", *words):
        with pytest.raises(SystemExit) as end:
            cli.main([*words_of(str(line)), *map(str, words)])
        printed = capsys.readouterr()
        return end.value.code or 0, printed.out, printed.err

    yield call
    registry.set_projects([])


@pytest.fixture(autouse=True, scope="session")
def columns_beside_options():
    """Refuse a finding with a column beside options that a game could use as the name of an option."""
    from simkit.engine.fields import MEANINGS, RESULTS
    from simkit.tables.findings import Findings, all_findings

    cached = Findings.cached

    def compute_and_check(findings, function):
        table, name = cached(findings, function), getattr(function, "__name__", "").removesuffix("_table")
        if name in all_findings() and inspect.unwrap(all_findings()[name]) is function:
            varied = set(findings.run.cells[0].varied)
            if str(table.schema.get("setting")) == "String" or varied & set(table.columns):
                new = sorted({*table.columns} - {*RESULTS, *MEANINGS, *varied})
                assert not new, f"add {new} of {name} to simkit/engine/result_columns.txt"
        return table

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Findings, "cached", compute_and_check)
        yield


def _patient(open_in_browser):
    """Return a function that opens a page or a context that waits for minutes, as on a busy machine."""

    def opened(**options):
        result = open_in_browser(**options)
        result.set_default_timeout(PATIENCE)
        return result

    return opened


@pytest.fixture(scope="module")
def browser():
    """An installed Chromium, for the tests marked so."""
    from playwright.sync_api import expect, sync_playwright

    names = ("chromium", "chromium-browser", "google-chrome")
    executable = next(filter(None, map(shutil.which, names)), None)
    assert executable, f"this test needs a browser: install Debian's package chromium (of {', '.join(names)})"
    arguments = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"]
    expect.set_options(timeout=PATIENCE)
    with sync_playwright() as playwright:
        launched = playwright.chromium.launch(executable_path=executable, args=arguments)
        launched.new_page, launched.new_context = map(_patient, (launched.new_page, launched.new_context))
        yield launched
        launched.close()
