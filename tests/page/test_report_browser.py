"""The page in a real browser: no error, no request, nothing wider than a phone; its tables sort and save."""

from __future__ import annotations

import csv
import io
import re
import threading
from collections.abc import Iterator
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import polars as pl
import pytest
from browsing import OPEN
from made_report import EVIL, ROWS, SHOWN, full_report
from playwright.sync_api import Browser, Locator, Page, expect
from pypdf import PdfReader
from simkit.content.reports.balance import recipe as balance
from synthetic import made_run

from simkit.page import document
from simkit.page.document.parts import Chapter, Section, Story
from simkit.page.document.tables import MAX_ROWS_SHOWN, Show, table

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def page_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A report of a run."""
    folder = tmp_path_factory.mktemp("page")
    names = ["reference_greedy", "line_banker(weight=0.75)", "<script>alert(1)</script>"]
    lineups = [[names[0]] * 2, [names[0], names[1]], [names[1], names[2]], [names[0], names[2]]]
    run = made_run(
        folder, lineups, [0.40, 0.5, 0.45, 0.6] * 3, sweep={"second": [12, 14, 16]}, baseline={"second": 14}
    )
    return document.write(balance.build(run), folder / "page.html")


@pytest.fixture(scope="module")
def full_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A report with one of everything, whose texts would be a script if they could."""
    return document.write(full_report(EVIL), tmp_path_factory.mktemp("full") / "full.html")


def _opened(
    browser: Browser, path: Path, width: int = 1000, scheme: str = "light", scripts: bool = True
) -> tuple[Page, list[str]]:
    """The page, and all that it complained about or asked for."""
    dark = "dark" if scheme == "dark" else "light"
    context = browser.new_context(
        viewport={"width": width, "height": 800}, color_scheme=dark, java_script_enabled=scripts
    )
    page, noise = context.new_page(), []
    page.on("console", lambda message: noise.append(f"console: {message.text}"))
    page.on("pageerror", lambda error: noise.append(f"error: {error}"))
    page.on("dialog", lambda dialog: (noise.append(f"dialog: {dialog.message}"), dialog.dismiss()))
    page.on(
        "request",
        lambda request: noise.append(f"request: {request.url}") if request.url != path.as_uri() else None,
    )
    page.goto(path.as_uri())
    return page, noise


@pytest.mark.parametrize("which", ["page_file", "full_file"])
@pytest.mark.parametrize(("width", "scheme"), [(360, "dark"), (1000, "light")])
def test_the_page_is_quiet_and_fits(
    browser: Browser, which: str, width: int, scheme: str, request: pytest.FixtureRequest
) -> None:
    page, noise = _opened(browser, request.getfixturevalue(which), width, scheme)
    assert noise == []
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    page.evaluate(OPEN)
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    page.context.close()


@pytest.mark.parametrize("width", [360, 1000])
def test_all_figures_are_visible(browser: Browser, page_file: Path, width: int) -> None:
    page, _ = _opened(browser, page_file, width)
    assert page.locator("figure svg:visible").count() == 1  # that of the first screen
    page.evaluate(OPEN)
    figures = page.locator("figure svg:visible")
    assert figures.count() == page.locator("figure").count() >= 3
    for place in range(figures.count()):
        box = figures.nth(place).bounding_box()
        assert box and box["width"] > 250 and box["height"] > 60
        assert page.evaluate("x => x.getBBox().width > 50", figures.nth(place).element_handle())
    page.context.close()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_every_text_stands_out_from_its_ground(browser: Browser, full_file: Path, scheme: str) -> None:
    page, _ = _opened(browser, full_file, 1000, scheme)
    page.evaluate(OPEN)
    assert page.evaluate(CONTRAST) == []
    page.context.close()


# Texts whose contrast by WCAG 2 is less than 4.5.
CONTRAST = """() => {
  const light = (colour) => {
    const [r, g, b] = colour.match(/[\\d.]+/g).slice(0, 3).map((c) => (c /= 255) <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4);
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const clear = (colour) => colour === "rgba(0, 0, 0, 0)";
  const ground = (one) => clear(getComputedStyle(one).backgroundColor) ? ground(one.parentElement) : getComputedStyle(one).backgroundColor;
  return [...document.querySelectorAll("p, h1, h2, th, td, dt, dd, summary, a, code, figcaption, caption, button")].filter((one) => {
    const [low, high] = [light(getComputedStyle(one).color), light(ground(one))].sort((a, b) => a - b);
    return (high + 0.05) / (low + 0.05) < 4.5;
  }).map((one) => one.outerHTML.slice(0, 80));
}"""


def test_folds_open_and_close_by_mouse_and_keyboard(browser: Browser, full_file: Path) -> None:
    page, _ = _opened(browser, full_file)
    fold = page.locator("details.fold", has=page.get_by_role("heading", name="Rows"))
    table = fold.locator("table")
    assert not table.is_visible() and fold.locator(".says").text_content() == "Many rows"
    fold.locator("summary").first.click()
    assert table.is_visible()
    fold.locator("summary").first.press("Enter")
    assert not table.is_visible()
    page.context.close()


def test_a_long_table_shows_its_first_rows_and_its_csv_has_all(browser: Browser, tmp_path: Path) -> None:
    long = table(pl.DataFrame({"n": range(30)}), {"n": Show("n")}, "Thirty rows")
    changed = replace(full_report("x"), chapters=[Chapter("Rows", [Section("Many", tables=[long])])])
    page, _ = _opened(browser, document.write(changed, tmp_path / "page.html"))
    page.evaluate(OPEN)
    numbers = lambda: [int(text) for text in page.locator("tbody tr:visible td").all_text_contents()]  # noqa: E731
    first, last = list(range(MAX_ROWS_SHOWN)), list(range(29, 29 - MAX_ROWS_SHOWN, -1))
    assert numbers() == first
    for order in (first, last, first):
        page.get_by_role("button", name="n", exact=True).click()
        assert numbers() == order
    with page.expect_download() as download:
        page.get_by_role("button", name=re.compile("Save as CSV: Thirty rows")).click()
    assert len(download.value.path().read_text().splitlines()) == 31
    page.context.close()


def test_a_link_of_the_contents_opens_its_chapter(browser: Browser, full_file: Path) -> None:
    page, _ = _opened(browser, full_file)
    page.get_by_role("link", name="Rows").click()
    expect(page.locator("#s-rows table")).to_be_visible()
    page.context.close()


def test_python_and_stories_open(browser: Browser, full_file: Path) -> None:
    page, _ = _opened(browser, full_file)
    assert page.locator("pre:visible").count() == 1  # the command of the next step
    page.locator("#reproduce > summary").click()
    assert set(page.locator("#reproduce pre").all_text_contents()) == {EVIL}
    page.locator(".fold > summary").first.click()
    folded = page.locator("details.story").first
    assert not folded.locator("pre").first.is_visible()
    folded.locator("summary").click()
    assert (folded.locator("code").first.text_content() or "").strip() == EVIL.strip()
    page.context.close()


BRIEF = ["h1", ".stamp", ".step", ".evidence svg:visible", ".limits"]


def test_the_brief_has_its_parts_in_order_and_fits_a_screen(browser: Browser, page_file: Path) -> None:
    page, _ = _opened(browser, page_file, 1200)
    tops = [box["y"] for first in BRIEF if (box := page.locator(first).first.bounding_box())]
    assert len(tops) == len(BRIEF) and tops == sorted(tops)
    assert page.locator("details.fold").first.get_attribute("open") is None
    for width, height in ((1200, 900), (390, 3 * 844)):
        page.set_viewport_size({"width": width, "height": 844})
        box = page.locator(".brief").bounding_box()
        assert box and box["y"] + box["height"] <= height
    page.context.close()


def test_a_script_in_any_field_stays_text(browser: Browser, full_file: Path) -> None:
    page, _ = _opened(browser, full_file)
    assert page.title() == EVIL
    assert page.locator("script").count() == 1 and page.locator("img").count() == 0
    assert page.locator("h1").text_content() == EVIL
    page.context.close()


@pytest.fixture
def listener() -> Iterator[tuple[str, list[str]]]:
    """A server near by, and what it was asked for."""
    request: list[str] = []

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            request.append(self.path)
            self.send_response(204)
            self.end_headers()

        do_POST = do_GET

        def log_message(self, *_: object) -> None:
            """Says nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}", request
    server.shutdown()


HOLES = """<script>document.title = "ran"</script><p id="hole" onmouseover="document.title = 'ran'">hole</p>
<a id="link" href="javascript:document.title='ran'">link</a>
<img src="{to}/image" onerror="document.title='ran'"><link rel="stylesheet" href="{to}/style">
<iframe src="{to}/frame"></iframe><script src="{to}/script"></script><style>@import "{to}/import"; #hole {{ background: url({to}/url) }}</style>
<form action="{to}/form"><button id="send">send</button></form><object data="{to}/object"></object><video src="{to}/video"></video>"""


def test_even_if_escaping_failed_nothing_runs_and_nothing_leaves(
    browser: Browser, tmp_path: Path, listener: tuple[str, list[str]]
) -> None:
    to, request = listener
    plain = document.render(full_report("MARK"))
    broken = tmp_path / "broken.html"
    broken.write_text(plain.replace("<h1>MARK</h1>", f"<h1>{HOLES.format(to=to)}</h1>"), encoding="utf-8")
    page, noise = _opened(browser, broken)
    page.locator("#hole").hover()
    for first in ("link", "send"):
        page.evaluate("one => document.getElementById(one).click()", first)
    with pytest.raises(Exception, match="Failed to fetch"):
        page.evaluate("to => fetch(to)", f"{to}/fetch")
    page.wait_for_timeout(300)
    assert page.evaluate("document.title") == "MARK" and page.url == broken.as_uri()
    assert request == []
    assert any("Content Security Policy" in line for line in noise)
    assert page.locator("th button").count() > 0  # the page's own script did run
    page.context.close()


@pytest.fixture
def rows(browser: Browser, full_file: Path) -> Iterator[Locator]:
    """The table of ROWS."""
    page, noise = _opened(browser, full_file)
    page.evaluate(OPEN)
    yield page.locator("table[data-file='rows-that-sort.csv']")
    assert noise == []
    page.context.close()


def _column(rows: Locator, place: int) -> list[str]:
    return rows.locator(f"tbody td:nth-child({place + 1})").all_text_contents()


SORTED = {
    "strategy": ["=1+1", "b9", "b10", 'say "so", twice', "–"],
    "games": ["30", "999", "1,200", "1,000,000", "–"],
    "share": ["9.0 %", "12.3 %", "50.0 %", "–", "–"],
    "points": ["−20.0", "−3.1", "+0.0", "+10.0", "–"],
    "rotated": ["false", "false", "true", "true", "–"],
}


@pytest.mark.parametrize("heading", SORTED)
def test_a_table_sorts_both_ways_with_what_is_missing_last_and_back(rows: Locator, heading: str) -> None:
    place = list(SORTED).index(heading)
    came, head = _column(rows, place), rows.locator("th").nth(place)
    up = SORTED[heading]
    expected = [text for text in up if text != "–"]
    for order, wanted in (
        ("ascending", up),
        ("descending", expected[::-1] + up[len(expected) :]),
        (None, came),
    ):
        head.get_by_role("button").click()
        assert head.get_attribute("aria-sort") == order
        assert _column(rows, place) == wanted


def test_the_keyboard_sorts_and_only_one_column_says_so(rows: Locator) -> None:
    rows.page.get_by_role("button", name="games", exact=True).focus()
    rows.page.keyboard.press("Enter")
    assert _column(rows, 1) == SORTED["games"]
    rows.page.keyboard.press("Tab")
    rows.page.keyboard.press("Space")
    assert _column(rows, 2) == SORTED["share"]
    assert [head.get_attribute("aria-sort") for head in rows.locator("th").all()] == [
        None,
        None,
        "ascending",
        None,
        None,
    ]


def _saved(rows: Locator) -> tuple[str, str]:
    """The name and the text of the file that the button under the table gives."""
    with rows.page.expect_download() as download:
        rows.page.get_by_role("button", name="Save as CSV: Rows that sort").click()
    return download.value.suggested_filename, download.value.path().read_text(encoding="utf-8-sig")


def test_csv_has_names_full_precision_and_the_order_shown(rows: Locator) -> None:
    rows.page.get_by_role("button", name="games", exact=True).click()
    name, text = _saved(rows)
    assert name == "rows-that-sort.csv"
    head, *lines = csv.reader(io.StringIO(text))
    assert head == list(SHOWN) == ROWS.columns
    assert lines[2] == ["b10", "1200", "0.123456789", "-0.0312", "true"]
    assert [line[1] for line in lines] == ["30", "999", "1200", "1000000", ""]
    assert lines[1][0] == 'say "so", twice' and lines[1][2] == ""


def test_csv_holds_no_formulas(rows: Locator) -> None:
    assert [line[0] for line in csv.reader(io.StringIO(_saved(rows)[1]))][4] == "'=1+1"


def test_without_scripts_the_page_says_the_same(browser: Browser, full_file: Path) -> None:
    page, noise = _opened(browser, full_file, scripts=False)
    assert noise == []
    table = page.locator("table[data-file='rows-that-sort.csv']")
    assert _column(table, 1) == ["1,200", "30", "–", "1,000,000", "999"]
    assert not [button for button in page.locator("button").all() if button.is_visible()]
    page.locator(".fold > summary").first.click()
    page.locator("details.story summary").first.click()
    assert page.locator("details.story pre").first.is_visible()
    page.context.close()


@pytest.fixture(scope="module")
def paper_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The full report as it is printed: what was asked lies open."""
    path = tmp_path_factory.mktemp("paper") / "paper.html"
    path.write_text(document.render(full_report("MARK"), printed=True), encoding="utf-8")
    return path


@pytest.mark.parametrize("scripts", [True, False])
def test_on_paper_stand_the_brief_and_its_chapters_dark_on_light(
    browser: Browser, paper_file: Path, scripts: bool
) -> None:
    page, _ = _opened(browser, paper_file, 700, "dark", scripts)
    page.emulate_media(media="print", color_scheme="dark")
    for kind in BRIEF:
        assert page.locator(f"{kind.removesuffix(':visible')}:visible").count(), kind
    *chapters, method, reproduce = page.locator("details.fold").all()
    assert all(chapter.locator("h3").first.is_visible() for chapter in chapters)
    assert not method.is_visible() and not reproduce.is_visible()
    for hidden in (".csv", "details.story", "nav"):
        assert not [first for first in page.locator(hidden).all() if first.is_visible()], hidden
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
    assert page.evaluate("getComputedStyle(document.body).color") == "rgb(0, 0, 0)"
    page.context.close()


def test_on_paper_closed_folds_are_left_out(browser: Browser, page_file: Path) -> None:
    page, _ = _opened(browser, page_file, 700)
    page.emulate_media(media="print")
    assert page.locator("h1").is_visible()
    assert not [first for first in page.locator("details").all() if first.is_visible()]
    page.context.close()


CUT_OFF = """() => {
  const right = document.querySelector("main").getBoundingClientRect().right + 1;
  const outside = (cell) => cell.getBoundingClientRect().right > right || cell.scrollWidth > cell.clientWidth + 1;
  return [...document.querySelectorAll("th, td")].filter(outside).map((cell) => cell.textContent);
}"""  # cells of which a part is not on the sheet


@pytest.mark.parametrize("which", ["page_file", "paper_file"])
def test_on_paper_no_table_is_cut_off(browser: Browser, which: str, request: pytest.FixtureRequest) -> None:
    """An A4 sheet with usual margins is 718 pixels wide."""
    page, _ = _opened(browser, request.getfixturevalue(which), 718)
    page.emulate_media(media="print")
    page.evaluate("document.querySelector('details.fold').open = true")  # what was asked
    assert page.evaluate(CUT_OFF) == []
    page.context.close()


def test_on_every_sheet_a_table_has_its_head_and_every_head_has_rows(
    browser: Browser, tmp_path: Path
) -> None:
    """Tables of ten rows, each a little lower on its sheet than the one before."""
    rows = pl.DataFrame({"row": [f"row{number}" for number in range(10)]})
    tables = [
        table(
            rows.with_columns(row=pl.col("row") + f"of{first}"),
            {"row": Show(f"head{first}")},
            f"table{first}",
        )
        for first in range(40)
    ]
    changed = replace(full_report("x"), chapters=[Chapter("Tables", [Section("Many", tables=tables)])])
    path = tmp_path / "paper.html"
    path.write_text(document.render(changed, printed=True), encoding="utf-8")
    page, _ = _opened(browser, path, 700)
    page.pdf(path=tmp_path / "paper.pdf")
    page.context.close()
    sheets = [sheet.extract_text() for sheet in PdfReader(tmp_path / "paper.pdf").pages]
    assert len(sheets) > 8
    for sheet in sheets:
        heads, titles = set(re.findall(r"head(\d+)", sheet)), set(re.findall(r"table(\d+)", sheet))
        held = set(re.findall(r"row\d+of(\d+)", sheet))
        assert held == heads and titles <= heads
        assert sheet.strip()


def test_on_paper_a_table_of_many_columns_is_not_cut_off(browser: Browser, tmp_path: Path) -> None:
    heads = [f"points {first}" for first in range(14)]
    rows = pl.DataFrame({"name": ["a component's long name"] * 3} | dict.fromkeys(heads, [-0.123] * 3))
    shows = {"name": Show("component")} | {head: Show(head, "{:+.1%}") for head in heads}
    wide = table(rows, shows, "Wide")
    changed = replace(full_report("x"), chapters=[Chapter("Rows", [Section("Many", tables=[wide])])])
    path = tmp_path / "paper.html"
    path.write_text(document.render(changed, printed=True), encoding="utf-8")
    page, _ = _opened(browser, path, 718)
    page.emulate_media(media="print")
    assert page.evaluate(CUT_OFF) == []
    page.context.close()


def test_on_a_phone_a_wide_table_scrolls_in_its_box(browser: Browser, page_file: Path) -> None:
    page, _ = _opened(browser, page_file, 390)
    page.evaluate(OPEN)
    boxes = page.evaluate(
        "[...document.querySelectorAll('.wide')].map((one) => [one.clientWidth, one.scrollWidth, getComputedStyle(one).overflowX])"
    )
    assert any(inside > width for width, inside, _ in boxes) and all(
        width <= 390 and how == "auto" for width, _, how in boxes
    )
    page.context.close()


def test_on_a_phone_a_board_keeps_its_lines_and_scrolls_in_its_box(browser: Browser, tmp_path: Path) -> None:
    board = "After turn 1:\n" + "\n".join(["+---" * 30, "  a long row of the map " * 6, "+---" * 30])
    game = Story("A game", figure=None, points=["It turned."], moves="1  red: digs", board=board)
    changed = replace(
        full_report("x"), chapters=[Chapter("Games", [Section("Two games", ["Told."], stories=[game])])]
    )
    page, _ = _opened(browser, document.write(changed, tmp_path / "page.html"), 390)
    page.evaluate(OPEN)
    shown = page.locator(".board")
    tops = "e => new Set([...e.getClientRects()].map(one => Math.round(one.top))).size"
    assert shown.locator("code").evaluate(tops) == board.count("\n") + 1
    assert shown.evaluate("e => e.scrollWidth > e.clientWidth")
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    page.context.close()


def test_printing_leaves_the_page_as_it_was(browser: Browser, page_file: Path) -> None:
    page, noise = _opened(browser, page_file)
    before = page.locator("details[open]").count()
    assert len(page.pdf()) > 10_000
    assert page.locator("details[open]").count() == before and noise == []
    page.context.close()
