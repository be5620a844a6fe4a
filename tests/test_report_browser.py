"""The page in a real browser: no error, no request, everything visible, nothing wider than a phone."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from made import made_run
from playwright.sync_api import Browser, Page, sync_playwright

from reports import balance
from simkit import report

pytestmark = pytest.mark.browser
NAMES = ("chromium", "chromium-browser", "google-chrome")
ARGUMENTS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"]


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    found = next(filter(None, map(shutil.which, NAMES)), None)
    assert found, f"this test needs a browser: install Debian's package chromium (looked for {', '.join(NAMES)})"
    with sync_playwright() as playwright:
        launched = playwright.chromium.launch(executable_path=found, args=ARGUMENTS)
        yield launched
        launched.close()


@pytest.fixture(scope="module")
def page_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("page")
    names = ["reference_greedy", "line_banker(weight=0.75)", "<script>alert(1)</script>"]
    lineups = [[names[0]] * 2, [names[0], names[1]], [names[1], names[2]], [names[0], names[2]]]
    run = made_run(folder, lineups, [0.40, 0.5, 0.45, 0.6] * 3, sweep={"second": [12, 14, 16]}, baseline={"second": 14})
    return report.write(balance.build(run), folder / "page.html")


def _opened(browser: Browser, path: Path, width: int, scheme: str = "light") -> tuple[Page, list[str]]:
    """The page, and all that it complained about or asked for."""
    context = browser.new_context(viewport={"width": width, "height": 800}, color_scheme="dark" if scheme == "dark" else "light")
    page, noise = context.new_page(), []
    page.on("console", lambda message: noise.append(f"console: {message.text}"))
    page.on("pageerror", lambda error: noise.append(f"error: {error}"))
    page.on("dialog", lambda dialog: (noise.append(f"dialog: {dialog.message}"), dialog.dismiss()))
    page.on("request", lambda request: noise.append(f"request: {request.url}") if request.url != path.as_uri() else None)
    page.goto(path.as_uri())
    return page, noise


@pytest.mark.parametrize("width", [360, 1000])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_page_is_quiet_and_fits(browser: Browser, page_file: Path, width: int, scheme: str) -> None:
    page, noise = _opened(browser, page_file, width, scheme)
    assert noise == []
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    figures = page.locator("figure svg")
    assert figures.count() >= 5
    for place in range(figures.count()):
        box = figures.nth(place).bounding_box()
        assert figures.nth(place).is_visible() and box and box["width"] > 250 and box["height"] > 60
        assert page.evaluate("x => x.getBBox().width > 50", figures.nth(place).element_handle())
    page.context.close()


def test_figures_keep_a_light_ground_in_the_dark(browser: Browser, page_file: Path) -> None:
    page, _ = _opened(browser, page_file, 1000, "dark")
    colour = "x => getComputedStyle(document.querySelector(x)).backgroundColor"
    assert page.evaluate(colour, "figure") == "rgb(255, 255, 255)"
    assert page.evaluate(colour, "body") != "rgb(255, 255, 255)"
    page.context.close()


def test_long_tables_open(browser: Browser, page_file: Path) -> None:
    page, _ = _opened(browser, page_file, 1000)
    first = page.locator("details").first
    assert not first.locator("table").is_visible()
    first.locator("summary").click()
    assert first.locator("table").is_visible()
    page.context.close()


def test_a_script_in_a_name_stays_text(browser: Browser, page_file: Path) -> None:
    page, _ = _opened(browser, page_file, 1000)
    assert page.locator("script").count() == 0
    assert "<script>alert(1)</script>" in (page.locator("table").first.text_content() or "")
    page.context.close()
