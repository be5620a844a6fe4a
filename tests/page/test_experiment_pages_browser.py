"""Every shipped experiment has a page. The largest of each recipe, and that of a lock file, are opened in a real
browser: at a desk in light, on a phone in dark, and in print; the others have few games and no pictures.

Nothing is wider than the window, no text of a picture is cut or lies on another, no rule of axe-core is
broken, there are no errors, and nothing is asked of a network.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from types import SimpleNamespace

import pytest
from axe_playwright_python.sync_playwright import Axe
from browsing import OPEN, TEXTS
from playwright.sync_api import Browser, Page

from simkit.engine import registry
from simkit.page import document
from simkit.page.recipe import recipe_for
from simkit.questions.history import history
from simkit.runs import runner
from simkit.runs.folder import open_run
from simkit.runs.plan import load, make_plan
from tests.undrawn import blank_pictures

pytestmark = pytest.mark.browser
ROOT = Path(__file__).resolve().parents[2]
EXPERIMENTS = sorted((ROOT / "experiments").glob("*.toml"))
LOCK = ROOT / "tests/runs/example.lock"
CASES = 200  # games of each experiment, about: what a page looks like needs no more
DRAWINGS = """() => [...document.querySelectorAll("figure")].filter((one) => !one.closest("#dials")).map(
    (one) => [...one.querySelectorAll("svg")].filter((svg) => svg.getClientRects().length).length)"""
VIEWS = [(1200, "light"), (390, "dark")]


@pytest.mark.parametrize("path", EXPERIMENTS, ids=lambda path: path.stem)
def test_the_page_of_an_experiment_is_fit_to_hand_on(path: Path, browser: Browser, tmp_path: Path) -> None:
    if path not in most_settings().values():
        with blank_pictures():
            assert _page_of(path, tmp_path, CASES // 10).stat().st_size < 1_500_000
    else:
        page_file = _page_of(path, tmp_path, CASES)
        assert page_file.stat().st_size < 1_500_000
        assert_is_fit(browser, page_file, ("light", "dark")[EXPERIMENTS.index(path) % 2])


@cache
def most_settings() -> dict[str, Path]:
    """Return the experiment with the most cells of each recipe."""
    requests = {path: load(path) for path in EXPERIMENTS}
    cells = {path: make_plan(request).cells for path, request in requests.items()}
    words = SimpleNamespace(options={})
    unplayed = {
        path: SimpleNamespace(kind="", experiment=request, cells=cells[path], words=words)
        for path, request in requests.items()
    }
    ascending = sorted(EXPERIMENTS, key=lambda path: len(cells[path]))
    return {recipe_for(unplayed[path]): path for path in ascending}


def test_the_history_of_a_lock_file_is_fit_to_hand_on(browser: Browser, tmp_path: Path) -> None:
    assert_is_fit(browser, history(LOCK, tmp_path / "history.html").path, "light")


def assert_is_fit(browser: Browser, page_file: Path, checked: str) -> None:
    """Assert what the module says; axe, which takes long, checks the page in one colour scheme."""
    for width, scheme in VIEWS:
        page, noise = _opened(browser, page_file, width, scheme)
        page.evaluate(OPEN)
        assert page.evaluate("document.documentElement.scrollWidth") <= width, (width, scheme)
        assert page.evaluate(TEXTS) == [], (width, scheme)
        if scheme == checked:
            broken = Axe().run(page).response["violations"]
            assert [(first["id"], first["nodes"][0]["html"][:200]) for first in broken] == [], (width, scheme)
        assert noise == []
        assert set(page.evaluate(DRAWINGS)) == {1}, (width, scheme)
        page.context.close()
    page, _ = _opened(browser, page_file, 700, "light")
    page.emulate_media(media="print")
    assert page.evaluate("document.documentElement.scrollWidth") <= 700
    assert page.evaluate(TEXTS) == []
    page.context.close()


def _page_of(path: Path, folder: Path, games: int) -> Path:
    """A small run of an experiment, and its page by the recipe that suits it."""
    request = load(path)
    deals = max(4, games // sum(cell.rotations for cell in make_plan(request).cells))
    keys = {"deals": min(deals, request.deals), "trace": min(request.trace, deals)}
    run = open_run(runner.run(request.with_keys(**keys), folder / "run", jobs=1))
    return document.write(registry.recipe(recipe_for(run)).build(run), folder / "page.html")


def _opened(browser: Browser, path: Path, width: int, scheme: str) -> tuple[Page, list[str]]:
    """The page, and all that it complained about or asked for."""
    dark = "dark" if scheme == "dark" else "light"
    context = browser.new_context(
        viewport={"width": width, "height": 900}, color_scheme=dark, bypass_csp=True
    )
    page, noise = context.new_page(), []
    page.on("console", lambda message: noise.append(f"console: {message.text}"))
    page.on("pageerror", lambda error: noise.append(f"error: {error}"))
    page.on("request", lambda first: noise.append(first.url) if first.url != path.as_uri() else None)
    page.goto(path.as_uri())
    return page, noise
