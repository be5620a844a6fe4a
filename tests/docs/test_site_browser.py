"""The site, built with small runs and opened from disk: it fits, is quiet, reaches all that it links to, and breaks
no rule of axe-core, at a desk and on a phone.
"""

from __future__ import annotations

import contextlib
import random
import re
from collections.abc import Iterator
from functools import cache
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest
from axe_playwright_python.sync_playwright import Axe
from browsing import OPEN
from playwright.sync_api import Browser, Page, expect
from sphinx.cmd.build import build_main

from docs.live_pages import MAX_PAGE_BYTES, PAGES, write_site

pytestmark = [pytest.mark.browser, pytest.mark.slow]
ROOT = Path(__file__).resolve().parents[2]
MAX_SITE_BYTES = 5_900_000  # of 6 million: the runs of the site are larger, and their pages a little, too
DEALS = 100  # of each cell: what a page looks like needs no more
MANUALS = ["docs/index", "README", "docs/games", "docs/api", "simkit/cli/README", "docs/made/outpost"]
LIVE = [f"{name}.html" for name in PAGES]
VIEWS = [(1280, "light"), (390, "dark")]
MOST_ACTIONS = 4_096  # of a reader in one game


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The whole site: live pages in front of the manuals."""
    work = tmp_path_factory.mktemp("site")
    with contextlib.chdir(work):
        write_site(work / "site", DEALS)
    arguments = ["-q", "-W", "--keep-going", "-c", str(ROOT / "docs"), "-d", str(work / "doctrees")]
    assert build_main([*arguments, str(ROOT), str(work / "site")]) == 0
    return work / "site"


def test_every_page_and_the_whole_are_small(site: Path) -> None:
    sizes = {path: path.stat().st_size for path in site.rglob("*") if path.is_file()}
    assert max(size for path, size in sizes.items() if path.suffix == ".html") <= MAX_PAGE_BYTES
    assert sum(sizes.values()) <= MAX_SITE_BYTES


def test_every_link_within_the_site_leads_somewhere(site: Path) -> None:
    broken = [(page.relative_to(site), link) for page in site.rglob("*.html") for link in broken_links(page)]
    assert broken == []


def test_from_the_start_every_live_page_and_the_manuals_are_a_click_away(site: Path) -> None:
    for name in LIVE:
        assert {*LIVE, "docs/index.html"} <= {link for link, _ in links_of(site / name)}, name
    assert ("../index.html", "") in links_of(site / "docs/index.html")


def broken_links(page: Path) -> Iterator[str]:
    """Yield the links of a page to files or places that are not there."""
    for link, fragment in links_of(page):
        target = (page.parent / link).resolve() if link else page
        is_place = fragment and "=" not in fragment  # others are settings of dials
        if not target.is_file() or (is_place and fragment not in attributes_of(target)["id"]):
            yield f"{link}#{fragment}"


class Attributes(HTMLParser):
    """Values of the attributes of a page, by name."""

    def __init__(self, page: Path) -> None:
        super().__init__()
        self.values: dict[str, set[str]] = {"id": set(), "href": set(), "src": set()}
        self.feed(page.read_text(encoding="utf-8"))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        for name, value in attrs:
            self.values.get(name, set()).add(value or "")


@cache
def attributes_of(page: Path) -> dict[str, set[str]]:
    return Attributes(page).values


def links_of(page: Path) -> set[tuple[str, str]]:
    """Return the links of a page that name no server, as path and fragment."""
    attributes = attributes_of(page)
    parts = [urlsplit(link) for link in attributes["href"] | attributes["src"]]
    return {(unquote(part.path), unquote(part.fragment)) for part in parts if not part.scheme}


@pytest.mark.parametrize("name", [*LIVE, *(f"{name}.html" for name in MANUALS)])
def test_a_page_fits_and_is_quiet_and_accessible(browser: Browser, site: Path, name: str) -> None:
    for width, scheme in VIEWS:
        page, noise = opened(browser, site, name, width, scheme)
        page.evaluate(OPEN)
        assert page.evaluate("document.documentElement.scrollWidth") <= width, width
        assert noise == []  # axe itself asks for style sheets
        broken = Axe().run(page).response["violations"]
        assert [(first["id"], first["nodes"][0]["html"][:200]) for first in broken] == [], width
        page.context.close()


def test_the_first_screen_has_the_answer_the_advice_and_the_doubt(browser: Browser, site: Path) -> None:
    page, _ = opened(browser, site, "index.html", 1280, "light")
    for part in ("h1", ".stamp", ".decision p", ".picture"):
        assert (box := page.locator(part).first.bounding_box()) and box["y"] < 800, part
    page.context.close()


def test_a_live_page_plays(browser: Browser, site: Path) -> None:
    page, noise = opened(browser, site, "index.html", 390, "light")
    page.wait_for_function("document.querySelector('.dial-live')?.textContent.includes('games played here')")
    page.get_by_role("navigation", name="Site").get_by_role("link", name="Pig").click()
    page.wait_for_function("document.querySelector('.dial-live')?.textContent.includes('games played here')")
    assert page.url.endswith("pig.html") and noise == []
    page.context.close()


@pytest.mark.parametrize("name", LIVE)
def test_a_reader_plays_a_game_to_its_end_on_every_live_page(browser: Browser, site: Path, name: str) -> None:
    page, noise = opened(browser, site, name, 390, "light")
    page.get_by_role("button", name=re.compile("Play (against|with) the computer")).click()
    actions, ending, luck = (
        page.locator(".dial-actions button"),
        page.locator(".dial-ending"),
        random.Random(1),
    )
    expect(actions.or_(ending).first).to_be_visible()
    for _ in range(MOST_ACTIONS):
        if not (count := actions.count()):
            break
        actions.nth(luck.randrange(count)).evaluate("(button) => button.click()")
    assert "win" in ending.inner_text() or "loses" in ending.inner_text()
    assert not [text for text in noise if not text.startswith("failed: blob:")]  # of workers that are stopped
    page.context.close()


def opened(browser: Browser, site: Path, name: str, width: int, scheme: str) -> tuple[Page, list[str]]:
    """Return a page, and all that it complains about or asks for outside the folder."""
    dark = "dark" if scheme == "dark" else "light"
    view = {"width": width, "height": 900}
    context = browser.new_context(viewport=view, color_scheme=dark, bypass_csp=True)
    page, noise, inside = context.new_page(), list[str](), (site.as_uri(), "blob:", "data:")
    page.on("console", lambda message: noise.append(f"console: {message.text}"))
    page.on("pageerror", lambda error: noise.append(f"error: {error}"))
    page.on("requestfailed", lambda request: noise.append(f"failed: {request.url}"))
    page.on("request", lambda request: None if request.url.startswith(inside) else noise.append(request.url))
    page.goto((site / name).as_uri())
    return page, noise
