"""Pictures in a real browser: at a desk and on a phone, in light, dark and print; points tell their numbers."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest
from axe_playwright_python.sync_playwright import Axe
from browsing import OPEN, TEXTS
from drawn import ALL, CURVE, FAIR, multiplied, picture
from playwright.sync_api import Browser, Page, expect

from simkit.page import charts, document
from simkit.page.charts.drawing import COLOURS, PAPERS

pytestmark = pytest.mark.browser
EVIL = "<script>document.title = 'ran'</script><b>&\"' x"
LETTERS = """() => Math.min(...[...document.querySelectorAll('svg text')].filter((text) => text.getClientRects().length).map(
    (text) => parseFloat(getComputedStyle(text).fontSize) * text.getScreenCTM().a))"""  # smallest, in pixels
COLOUR = "one => { const has = getComputedStyle(one); return has.fill === 'none' ? has.stroke : has.fill; }"


def _written(figures: list[document.Figure], path: Path) -> Path:
    section = document.Section("Pictures", ["What is drawn."], figures=figures)
    return document.write(
        document.Report("Pictures", "What is drawn?", chapters=[document.Chapter("Pictures", [section])]),
        path,
    )


@pytest.fixture(scope="module")
def page_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Every chart, with short and with long names."""
    figures = [document.Figure(picture(name), f"What {name} shows.") for name in ALL]
    return _written(figures, tmp_path_factory.mktemp("pictures") / "page.html")


@pytest.fixture(scope="module")
def curve_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two curves, the name of a line of which would be a script if it could."""
    evil = CURVE.with_columns(line=pl.lit(EVIL))
    built = [
        charts.picture("evil", charts.curve, evil, label="cards", **FAIR),
        charts.picture("three", charts.curve, multiplied(CURVE, times=3), label="cards", **FAIR),
    ]
    figures = [document.Figure(first, f"What {first.name} shows.") for first in built]
    return _written(figures, tmp_path_factory.mktemp("curve") / "page.html")


def _opened(
    browser: Browser,
    path: Path,
    width: int = 1200,
    scheme: str = "light",
    scripts: bool = True,
    touch: bool = False,
) -> Page:
    context = browser.new_context(
        viewport={"width": width, "height": 900},
        color_scheme="dark" if scheme == "dark" else "light",
        java_script_enabled=scripts,
        has_touch=touch,
    )
    page = context.new_page()
    page.goto(path.as_uri())
    page.evaluate(OPEN)
    return page


@pytest.mark.parametrize(
    ("width", "scheme"), [*((width, "light") for width in (1200, 834, 830, 360)), (390, "dark")]
)
def test_texts_of_pictures_are_whole_and_apart(
    browser: Browser, page_file: Path, width: int, scheme: str
) -> None:
    page = _opened(browser, page_file, width, scheme)
    assert page.locator("svg:visible").count() == len(ALL)
    assert page.evaluate(TEXTS) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    page.context.close()


@pytest.mark.parametrize(("width", "shown"), [(1200, "on-desk"), (390, "on-phone")])
def test_one_drawing_is_shown_by_the_width_of_the_window(
    browser: Browser, page_file: Path, width: int, shown: str
) -> None:
    page = _opened(browser, page_file, width)
    assert {first.get_attribute("class") for first in page.locator("svg:visible").all()} == {shown}
    box = page.locator("svg:visible").first.bounding_box()
    assert box and box["width"] > min(600, 0.8 * width)
    assert page.evaluate(LETTERS) >= {"on-desk": 12, "on-phone": 11}[shown]
    page.context.close()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_drawings_have_the_colours_and_the_ground_of_the_page(
    browser: Browser, curve_file: Path, scheme: str
) -> None:
    page, side = _opened(browser, curve_file, 1200, scheme), int(scheme == "dark")
    clear = "x => getComputedStyle(document.querySelector(x)).backgroundColor"
    assert {page.evaluate(clear, first) for first in ("figure", ".picture", "svg")} == {"rgba(0, 0, 0, 0)"}
    assert page.evaluate(clear, "body") == _rgb(PAPERS[side])
    for name in ("c0", "ink", "band", "faint"):
        first = page.locator(f"#s-pictures svg.on-desk [fill*='--{name})']").first
        assert first.evaluate(COLOUR) == _rgb(COLOURS[name][side]), name
    page.context.close()


def _rgb(colour: str) -> str:
    red, green, blue = (int(colour[place : place + 2], 16) for place in (1, 3, 5))
    return f"rgb({red}, {green}, {blue})"


def test_on_paper_the_wide_drawing_is_dark_on_light(browser: Browser, curve_file: Path) -> None:
    page = _opened(browser, curve_file, 700, "dark")
    page.emulate_media(media="print", color_scheme="dark")
    assert (
        page.locator("svg.on-desk").first.is_visible() and not page.locator("svg.on-phone").first.is_visible()
    )
    assert page.locator("svg.on-desk text").first.evaluate(COLOUR) in (
        _rgb(COLOURS["ink"][0]),
        "rgb(0, 0, 0)",
        "rgb(68, 68, 68)",  # faint
    )
    assert page.locator("svg.on-desk [fill*='--c0)']").first.evaluate(COLOUR) == _rgb(COLOURS["c0"][0])
    page.context.close()


def test_texts_of_pictures_can_be_found_and_selected(browser: Browser, curve_file: Path) -> None:
    page = _opened(browser, curve_file)
    assert page.evaluate("window.find('fair: 48 to 52')") is True
    assert "fair: 48 to 52" in page.evaluate("getSelection().toString()")
    page.context.close()


def test_the_pointer_asks_a_point_and_gets_its_numbers_as_text(browser: Browser, curve_file: Path) -> None:
    page = _opened(browser, curve_file)
    text = page.locator(".picture").first.locator(".told")
    assert not text.is_visible()
    page.locator("svg.on-desk .tip").nth(1).hover()
    expect(text).to_have_text(f"{EVIL}, cards 14: 53.0 % (51.0 to 55.0 %), n = 10,000")
    assert page.title() == "Pictures" and page.locator(".told b").count() == 0
    page.mouse.move(5, 5)
    expect(text).to_be_hidden()
    page.context.close()


def test_a_finger_asks_a_point(browser: Browser, curve_file: Path) -> None:
    page = _opened(browser, curve_file, 390, touch=True)
    page.locator("svg.on-phone .tip").nth(2).tap()
    text = page.locator(".picture").first.locator(".told")
    expect(text).to_contain_text("cards 16: 50.0 %")
    box = text.bounding_box()
    assert box and box["x"] >= 0 and box["x"] + box["width"] <= 390
    page.context.close()


def test_a_picture_is_one_stop_and_the_arrows_go_from_point_to_point(
    browser: Browser, curve_file: Path
) -> None:
    page = _opened(browser, curve_file)
    first, second = page.locator(".picture").all()
    text = first.locator(".told")
    first.focus()
    for key, says in (
        ("ArrowRight", "cards 12"),
        ("ArrowRight", "cards 14"),
        ("ArrowLeft", "cards 12"),
        ("End", "cards 16"),
        ("ArrowDown", "cards 16"),
        ("Home", "cards 12"),
    ):
        page.keyboard.press(key)
        expect(text).to_contain_text(says)
    page.keyboard.press("Escape")
    expect(text).to_be_hidden()
    page.keyboard.press("Tab")
    expect(second).to_be_focused()
    page.keyboard.press("ArrowLeft")
    expect(second.locator(".told")).to_contain_text("cards 16")
    page.context.close()


def test_without_scripts_points_say_the_same_as_titles(browser: Browser, curve_file: Path) -> None:
    page = _opened(browser, curve_file, scripts=False)
    titles = page.locator("svg.on-desk").first.locator("title").all_text_contents()
    assert len(titles) == 3 and titles[1].startswith(f"{EVIL}, cards 14: 53.0 %")
    assert page.locator(".told").count() == 0
    page.context.close()


@pytest.mark.parametrize("width", [1200, 390])
def test_pictures_break_no_rule_of_access(browser: Browser, page_file: Path, width: int) -> None:
    context = browser.new_context(viewport={"width": width, "height": 900}, bypass_csp=True)
    page = context.new_page()
    page.goto(page_file.as_uri())
    page.evaluate(OPEN)
    page.locator(".picture").first.focus()
    page.keyboard.press("ArrowRight")
    broken = Axe().run(page).response["violations"]
    assert [(first["id"], first["nodes"][0]["html"][:200]) for first in broken] == []
    assert (
        picture(next(iter(ALL))).svg().count("<title>")
        == page.locator("svg.on-desk").first.locator(".tip").count()
    )
    page.context.close()
