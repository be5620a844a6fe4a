"""The dials in a real browser: they show what native play of the same deals gives, and ask for nothing."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any, Protocol

import numpy as np
import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, expect

import simkit
from simkit.ask import report
from simkit.engine import registry
from simkit.engine.alternatives import ACTION, STEP, value_alternatives
from simkit.engine.compile import jit
from simkit.engine.fields import Event
from simkit.engine.learned.file import save
from simkit.engine.lineups import parse_lineup
from simkit.engine.stepper import trace_games
from simkit.engine.table import GameTable
from simkit.games.outpost_seven.facts import Decision
from simkit.stats import betting, verdicts
from simkit.web import dials as web
from simkit.web.dials import FOLDER
from tests.made_nets import made_trained
from tests.projects import project_of

pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(not jit.COMPILED, reason="without the compiler there is no LLVM code"),
]
SEED = 5
PATIENCE = 300_000  # milliseconds: on a busy machine everything takes long
expect.set_options(timeout=PATIENCE)
RUNS = {
    "pig": ({"goal": [50, 100]}, ["hold_at*2"]),
    "outpost_seven": ({"start_total_second": [16, 20]}, ["random*2"]),
}


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Pages of short runs, by game."""
    folder, pages = tmp_path_factory.mktemp("pages"), {}
    for game, (vary, lineups) in RUNS.items():
        result = simkit.sweep(
            game, vary, lineups=lineups, deals=20, seed=SEED, trace=2, confirm=False, out=str(folder / game)
        )
        pages[game] = simkit.report(result).path
    return pages


class Dials(Protocol):
    """Open a page, of a file or of one of the runs, with all of its dials unless it is told not to."""

    def __call__(
        self,
        what: str | Path,
        width: int = 1200,
        address: str = "",
        more: bool = True,
        script: str = "",
        **context: Any,
    ) -> Page: ...


@pytest.fixture
def noise() -> list[str]:
    """All that the pages of a test complain about or ask for."""
    return []


@pytest.fixture
def dials(browser: Browser, files: dict[str, Path], noise: list[str]) -> Iterator[Dials]:
    contexts = []

    def opened(
        what: str | Path,
        width: int = 1200,
        address: str = "",
        more: bool = True,
        script: str = "",
        **context: Any,
    ) -> Page:
        url = (files[what] if isinstance(what, str) else what).as_uri() + address
        contexts.append(browser.new_context(viewport={"width": width, "height": 900}, **context))
        page = contexts[-1].new_page()
        page.add_init_script(script)
        page.add_init_script(
            "navigator.clipboard ??= {}; navigator.clipboard.writeText = async (text) => { window.copied = text; }"
        )
        page.on("console", lambda message: noise.append(f"console: {message.text}"))
        page.on("pageerror", lambda error: noise.append(f"error: {error}"))
        page.on("request", lambda request: noise.append(request.url) if request.url != url else None)
        page.goto(url)
        if more:
            page.locator(".dial-more > summary").click()
        return page

    yield opened
    for context in contexts:
        context.close()


def press(page: Page, name: str) -> str:
    """Press a button, and return what it has copied, if so."""
    page.get_by_role("button", name=name).click()
    return str(page.evaluate("window.copied"))


def turn(page: Page, option: str, number: int) -> None:
    page.evaluate(
        """([option, number]) => {
          const dial = document.getElementById(`dial-${option}`);
          dial.value = number;
          dial.dispatchEvent(new Event("change", { bubbles: true }));
        }""",
        [option, number],
    )


def winners(page: Page, words: str, deals: int = 20) -> dict[int, int]:
    """Return how often each set of winners, a bit per seat, occurs in the deals shown, once there are enough."""
    counts: Any = page.wait_for_function(
        """([words, deals]) => {
          const live = document.querySelector(".dial-live"), counts = JSON.parse(live?.dataset.winners ?? "[]");
          const total = counts.reduce((sum, [, count]) => sum + count, 0);
          return live?.textContent.includes(words) && total >= deals && counts;
        }""",
        arg=[words, deals],
        timeout=PATIENCE,
    ).json_value()
    return dict(counts)


def natively(
    game: str, options: dict[str, Any], lineup: str, deals: int, cards: Path | None = None
) -> dict[int, int]:
    """Return the same for deals played by a table."""
    rules = registry.game(game)
    players = registry.players(rules, parse_lineup(lineup))
    tables = {"cards": rules.components.files["cards"].read(cards)} if cards else {}
    states = GameTable(rules, rules.rules(options, tables)).play(
        players, SEED, np.arange(deals), np.zeros(deals, np.int64)
    )
    won = states["rank"][:, : len(players)] == 1
    return dict(Counter((won << np.arange(len(players))).sum(axis=1).tolist()))


def test_a_turned_dial_shows_what_native_play_of_the_same_deals_gives(dials: Dials) -> None:
    page = dials("pig")
    turn(page, "goal", 100)
    assert winners(page, "usual rules", 50_000) == natively("pig", {}, "hold_at*2", 50_000)
    turn(page, "goal", 33)
    counts = winners(page, "points that win 33", 50_000)
    assert counts == natively("pig", {"goal": 33}, "hold_at*2", 50_000)
    share = counts[1] / 50_000
    expect(page.locator(".dial-answer")).to_contain_text(
        f"the first player wins {100 * share:.1f} of 100 games"
    )


def test_options_from_which_tables_are_built_and_players_are_dials_too(dials: Dials) -> None:
    page = dials("outpost_seven")
    turn(page, "rows", 4)
    counts = winners(page, "rows 4", 200)
    assert counts == natively("outpost_seven", {"rows": 4}, "random*2", sum(counts.values()))
    expect(page.locator("#dial-cols")).to_be_disabled()  # tables for both are not in the page
    expect(page.locator("#dial-cols-note")).to_contain_text("not together with another rows")
    turn(page, "start_rule", 5)
    counts = winners(page, "starting hands", 200)
    options = {"rows": 4, "start_rule": "draft"}
    assert counts == natively("outpost_seven", options, "random*2", sum(counts.values()))


def test_seats_strategies_weights_and_errors_are_dials(dials: Dials) -> None:
    page = dials("pig")
    page.locator("#dial-seats").select_option("3")
    expect(page.locator(".dial-by")).not_to_contain_text("mixed")
    page.locator(".dial-skill summary").nth(2).click()
    page.locator("#dial-seat-2-errors").fill("20")
    page.locator("#dial-seat-2-errors").press("Enter")
    page.locator("#dial-seat-2-weight-0").fill("30")
    page.locator("#dial-seat-2-weight-0").press("Enter")
    expect(page.locator(".dial-skill summary").nth(2)).to_contain_text("errs in 20")
    for field, value in {"goal": "100", "seat-2-errors": "20", "seat-2-weight-0": "30"}.items():
        page.locator(f"#dial-{field}").fill("")  # an emptied field gets its number back
        page.locator(f"#dial-{field}").press("Enter")
        expect(page.locator(f"#dial-{field}")).to_have_value(value)
    lineup = "hold_at*2, hold_at(threshold=30, blunder=0.2)"
    expect(page.locator(".dial-result tbody tr")).to_have_count(3)
    expect(page.locator(".dial-by")).to_contain_text("their skill is mixed into what a seat wins")
    assert winners(page, "usual rules and 3 players", 50_000) == natively("pig", {}, lineup, 50_000)
    page.locator("#dial-seats").select_option("2")
    expect(page.locator(".dial-answer")).to_contain_text("With the usual rules, the first player wins")
    page.locator(".dial-skill summary").nth(1).click()
    page.locator("#dial-seat-1-errors").fill("20")
    page.locator("#dial-seat-1-errors").press("Enter")
    expect(page.locator(".dial-answer")).to_contain_text("With the usual rules and other players, the first")


@pytest.fixture
def learned(tmp_path: Path) -> Iterator[Path]:
    """The page of a run that learned players play, of whom one was trained for two seats only."""
    game, lineups = registry.game("pig"), ["hold_at*2", "learned*2", "learned(name=late), learned"]
    with project_of(tmp_path / "mine", {"README.md": "Mine."}) as folder:
        players = (("best", 2, 200.0, 120), ("best", 3, 300.0, 110), ("late", 2, 400.0, 120))
        for name, seats, size, goal in players:
            rules = {"fixed": {"faces": 6}, "varied": {"goal": [50, goal]}}
            trained = made_trained(game, seats, size, name=name, rules=rules)
            save(registry.learned_file(folder, "pig", name, seats), trained)
        everybody = [*lineups, "learned*3"]
        result = simkit.sweep(
            "pig", {"goal": [50, 100]}, lineups=everybody, deals=20, seed=SEED, confirm=False, trace=2
        )
        yield simkit.report(result, tmp_path / "page.html").path


def test_learned_players_play_in_the_page(dials: Dials, learned: Path) -> None:
    page = dials(learned)
    counts = winners(page, "usual rules", 200)
    assert counts == natively("pig", {}, "learned*2", sum(counts.values()))
    expect(page.locator(".dial-players")).not_to_contain_text("not trained")
    turn(page, "goal", 130)
    turn(page, "faces", 4)
    note = page.locator(".dial-players > .note")
    expect(note).to_have_text("Learned was not trained for points that win 130, faces of the die 4.")
    turn(page, "goal", 100)
    turn(page, "faces", 6)
    page.locator("#dial-seat-first-player").select_option(label="learned (trained player late)")
    counts = winners(page, "other players", 200)
    assert counts == natively("pig", {}, "learned(name=late), learned", sum(counts.values()))
    assert 'lineups = [["learned(name=late)","learned"]]' in press(page, "Copy the experiment")
    page.locator("#dial-seats").select_option("3")
    assert "late" not in page.locator("#dial-seat-first-player").inner_text()
    turn(page, "goal", 115)
    expect(note).to_have_text("Learned was not trained for points that win 115.")
    page.locator("#dial-seats").select_option("2")
    expect(page.locator(".dial-players")).not_to_contain_text("not trained")
    page.locator("#dial-seats").select_option("3")
    turn(page, "goal", 100)
    counts = winners(page, "3 players", 200)
    assert counts == natively("pig", {}, "learned*3", sum(counts.values()))
    press(page, "Show me a game")
    expect(page.locator(".dial-story")).to_contain_text("Deal 0:")
    page.locator("#dial-seats").select_option("4")  # nobody has learned to play with four
    counts = winners(page, "4 players", 200)
    assert counts == natively("pig", {}, "hold_at*4", sum(counts.values()))


def test_a_link_shows_the_same_setting_and_back_and_forward_work(dials: Dials) -> None:
    page = dials("pig")
    turn(page, "goal", 33)
    turn(page, "faces", 8)
    page.locator("#dial-seats").select_option("3")
    turn(page, "seat-0-weight-0", 30)
    players = "players=hold_at%28threshold%3D30%29&players=hold_at&players=hold_at"
    address = f"#goal=33&faces=8&seats=3&{players}"
    expect(page).to_have_url(re.compile(re.escape(address) + "$"))
    same = dials("pig", address=address, more=False)
    counts = winners(same, "points that win 33, faces of the die 8 and 3 players", 200)
    assert counts == natively(
        "pig", {"goal": 33, "faces": 8}, "hold_at(threshold=30), hold_at*2", sum(counts.values())
    )
    for _ in range(3):
        page.go_back()
    expect(page.locator("#dial-goal")).to_have_value("33")
    expect(page.locator("#dial-faces")).to_have_value("6")
    expect(page.locator("#dial-seats")).to_have_value("2")
    page.go_back()
    expect(page.locator("#dial-goal")).to_have_value("100")
    page.go_forward()
    expect(page.locator("#dial-goal")).to_have_value("33")
    page.evaluate("location.hash = 'reproduce'")  # a link to a chapter
    winners(page, "points that win 33", 200)


def test_what_an_address_says_is_read_like_a_field_and_nothing_else_of_it(
    dials: Dials, noise: list[str]
) -> None:
    bad = "goal=5000&faces=1e1&seats=99&players=nobody&toString=1&other=<img src=x onerror=alert(1)>"
    page = dials("pig", address=f"#{bad}&bust=2", more=False)
    counts = winners(page, "With losing face 2, the first player", 200)
    assert counts == natively("pig", {"bust": 2}, "hold_at*2", sum(counts.values()))
    numbers = {name: page.locator(f"#dial-{name}").input_value() for name in ("goal", "faces", "seats")}
    assert numbers == {"goal": "100", "faces": "6", "seats": "2"}
    assert all(line.startswith("blob:") for line in noise)


def test_play_on_here_goes_on_from_the_stamp_until_the_verdict(dials: Dials) -> None:
    page = dials("pig", more=False)
    assert sum(winners(page, "usual rules", 2_000).values()) == 2_000  # an open page rests then
    expect(page.locator(".dial-verdict .note")).to_have_text("2,000 games")
    expect(page.locator(".dial-live .stamp")).to_have_text("NOT SETTLED")
    page.locator("#play-on").click()
    expect(page.locator(".dial-live .stamp")).to_have_text(re.compile("FAIR|BORDERLINE"))
    expect(page.locator(".dial-live button")).to_be_hidden()
    assert page.locator("#dial-seat-Played-by option:checked").inner_text() == "hold at a total"


def test_the_answer_stays_in_view_on_a_phone_while_the_last_dial_is_turned(dials: Dials) -> None:
    page = dials("pig", 390)
    page.evaluate("document.querySelectorAll('#dials details').forEach((details) => (details.open = true))")
    page.locator("#dial-bust").scroll_into_view_if_needed()
    turn(page, "bust", 2)
    winners(page, "losing face 2")
    for dial in ("#dial-bust", ".dial-answer"):
        expect(page.locator(dial)).to_be_in_viewport()


def test_the_first_dial_is_within_three_tab_stops(dials: Dials) -> None:
    page = dials("pig", more=False)
    winners(page, "usual rules")
    for _ in range(3):
        page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.id") == "dial-goal"


def test_games_that_take_long_are_counted_and_no_fault(dials: Dials) -> None:
    page = dials("pig", more=False, script="Worker.prototype.postMessage = () => {}")
    expect(page.locator(".dial-answer")).to_have_text("With the usual rules: counting …")
    turn(page, "goal", 33)
    expect(page.locator(".dial-answer")).to_have_text("With points that win 33: counting …")


def test_a_game_says_why_as_compiled_python_does(dials: Dials, learned: Path) -> None:
    page = dials(learned)
    winners(page, "usual rules", 20)
    press(page, "Show me a game")
    story = page.locator(".dial-story")
    expect(story.locator("figcaption")).to_contain_text("― first player (learned)")
    press(page, "Why?")
    game, trail = registry.game("pig"), np.full(4096, -1, np.int64)
    players, table = registry.players(game, parse_lineup("learned*2")), GameTable(game, game.rules({}))
    table.play(players, SEED, np.zeros(1, np.int64), np.zeros(1, np.int64), trail)
    rows, values = value_alternatives(table, players[0], 2, SEED, 0, trail[trail >= 0])
    taken = [values[i].mean() for i, row in enumerate(rows) if row[ACTION] == trail[row[STEP]]]
    story.get_by_text("What each decision was worth").click()
    cells = [row.split("\t") for row in story.locator(".dial-why details tbody tr").all_inner_texts()]
    assert len(cells) == len(taken)
    assert max(abs(float(row[2]) - 100 * value) for row, value in zip(cells, taken, strict=True)) <= 0.51
    marked = [row for row in cells if row[4]]
    if marked:
        expect(story.locator(".dial-why > p").first).to_contain_text(f"in turn {marked[0][0]} {marked[0][1]}")
        expect(story.locator(".dial-why .board th[scope=row]").first).to_be_visible()
    turn(page, "goal", 130)  # for which nobody was trained
    press(page, "Show me a game")
    expect(page.get_by_role("button", name="Why?")).to_have_count(0)


def test_the_page_asks_for_nothing_but_its_own_workers(dials: Dials, noise: list[str]) -> None:
    page = dials("outpost_seven")
    turn(page, "start_total_second", 20)
    winners(page, "card total 20")
    assert noise and all(line.startswith("blob:") for line in noise)
    policy = page.locator("meta[http-equiv]").get_attribute("content") or ""
    form = (
        r"default-src 'none'; script-src ('sha256-[\w+/=]+' ){2}'wasm-unsafe-eval'; worker-src blob:; "
        "style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"
    )
    assert re.fullmatch(form, policy)


EVIL = "</script><script>alert(1)</script><img src=x onerror=alert(1)>"


def test_texts_never_become_markup(
    dials: Dials, noise: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    result = simkit.sweep("pig", {"goal": [50, 100]}, deals=20, seed=SEED, out=str(tmp_path / "pig"))
    texts, content = report._texts, web._content

    def evil(value: Any) -> Any:
        if isinstance(value, dict):
            return {name: evil(entry) for name, entry in value.items()}
        return [EVIL] * len(value) if isinstance(value, list) else EVIL if isinstance(value, str) else value

    def evil_options(*arguments: Any) -> dict[str, Any]:
        page = content(*arguments)
        texts = dict.fromkeys(["label", "meaning", "chapter"], EVIL)
        return page | {"title": EVIL, "options": [option | texts for option in page["options"]]}

    monkeypatch.setattr(report, "_texts", lambda *arguments: evil(texts(*arguments)))
    monkeypatch.setattr(web, "_content", evil_options)
    page = dials(simkit.report(result, tmp_path / "page.html").path)
    turn(page, "goal", 40)
    winners(page, "alert(1)", 200)
    assert all(line.startswith("blob:") for line in noise) and page.locator("img").count() == 0
    assert page.locator(".dial-controls label").first.text_content() == EVIL


def test_a_page_that_cannot_trace_says_how_to_see_games(
    dials: Dials, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    result, content = (
        simkit.sweep("pig", {"goal": [50, 100]}, deals=20, out=str(tmp_path / "pig")),
        web._content,
    )
    monkeypatch.setattr(web, "_content", lambda *arguments: content(*arguments) | {"traces": False})
    page = dials(simkit.report(result, tmp_path / "page.html").path)
    expect(page.locator(".dial-buttons")).to_contain_text("A new run with --trace 300 shows games")
    expect(page.get_by_role("button", name="Show me a game")).to_have_count(0)


@pytest.mark.parametrize(("width", "scheme"), [(360, "light"), (1200, "dark")])
def test_the_dials_fit_and_can_be_used_by_everybody(dials: Dials, width: int, scheme: Any) -> None:
    page = dials("outpost_seven", width, color_scheme=scheme)
    turn(page, "start_total_second", 20)
    winners(page, "card total 20", 200)
    page.locator("#dial-curve").select_option("rows")
    press(page, "Keep this setting")
    press(page, "Show me a game")
    page.evaluate("document.querySelectorAll('#dials details').forEach((details) => (details.open = true))")
    expect(page.locator(".dial-curve circle")).not_to_have_count(0)
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    violations = Axe().run(page, "#dials").response["violations"]
    assert {rule["id"]: [node["html"][:90] for node in rule["nodes"]][:3] for rule in violations} == {}


def test_without_webassembly_or_scripts_the_page_has_no_dials(dials: Dials) -> None:
    for page in (
        dials("pig", more=False, java_script_enabled=False),
        dials("pig", more=False, script="delete globalThis.WebAssembly"),
    ):
        expect(page.locator("#dials")).to_be_hidden()
        expect(page.get_by_role("button", name="Play on here")).to_be_hidden()


def test_without_workers_the_page_itself_plays(dials: Dials) -> None:
    page = dials("pig", script="delete globalThis.Worker")
    turn(page, "goal", 100)
    assert winners(page, "usual rules", 50_000) == natively("pig", {}, "hold_at*2", 50_000)


def test_an_endless_game_stops_with_a_message_and_the_next_setting_plays(dials: Dials) -> None:
    page = dials("pig")
    winners(page, "usual rules")
    turn(page, "bust", 6)
    turn(page, "faces", 2)
    for seat in (0, 1):
        page.locator(".dial-skill summary").nth(seat).click()
        page.locator(f"#dial-seat-{seat}-weight-0").fill("1000")
        page.locator(f"#dial-seat-{seat}-weight-0").press("Enter")
    turn(page, "bust", 2)
    turn(page, "goal", 1000)
    expect(page.locator(".dial-answer")).to_contain_text("it does not end (deal 0)")
    press(page, "Reset all")
    assert winners(page, "usual rules", 50_000)


def test_statistics_are_those_of_the_runs(browser: Browser) -> None:
    page, rng = browser.new_page(), np.random.default_rng(1)
    source = (FOLDER / "evidence.js").read_text()
    for _ in range(20):
        share, deals = (
            rng.choice([rng.uniform(0.05, 0.95), rng.uniform(0.46, 0.54)]),
            int(rng.integers(20, 100_000)),
        )
        values, counts = (
            [0.0, 0.5, 1.0],
            rng.multinomial(deals, [1 - share, 0.02 * share, 0.98 * share]).tolist(),
        )
        other = [1 - value for value in values]
        script = f"""{source}; const tallies = {json.dumps([values, other])}.map((values) => ({{ values, counts: {counts} }}));
          const interval = confidenceSequence(tallies[0]), share = meanOf(tallies[0]), tests = claim(tallies, 0.5, 0.02);
          [interval, tests.word, agreeingEnds({{ share, interval }}, 0.5, 0, tests, 0.02)]"""
        ends, word, agreeing = page.evaluate(f"(() => {{ return eval({json.dumps(script)}) }})()")
        assert ends == pytest.approx(
            [float(end) for end in betting.confidence_sequence(values, counts)], abs=1e-8
        )
        seats = [verdicts.evidence(side, counts, 0.5) for side in (values, other)]
        cell, bar = verdicts.evidence_of_cell(seats), verdicts.threshold([0.0])
        assert (word or verdicts.NOT_SETTLED) == verdicts.verdict(cell, bar)
        low, high, off = np.array([*ends, np.average(values, weights=counts)]) - 0.5
        expected = verdicts.agreeing_ends(low, high, off, seats[0], cell, np.array([bar, bar]), 0.02)
        assert agreeing == pytest.approx([0.5 + float(end) for end in expected], abs=1e-8)
    page.close()


def test_cards_are_edited_in_place_and_pasted_from_a_spreadsheet(dials: Dials, tmp_path: Path) -> None:
    page = dials("outpost_seven")
    page.locator("summary", has_text="edit them").click()
    rows = page.locator(".dial-sheet tbody tr")
    expect(rows).to_have_count(69)
    press(page, "Copy row 40")  # one more purple card
    winners(page, "your cards", 200)
    page.locator("[data-row='0'][data-column='2']").fill("aap")
    page.locator("[data-row='0'][data-column='2']").press("Enter")
    own = tmp_path / "own.csv"
    own.write_text(press(page, "Copy as CSV"))
    assert own.read_text().splitlines()[1] == "blue,3,AAP" and len(own.read_text().splitlines()) == 71
    winners(page, "your cards", 20)
    page.wait_for_timeout(300)
    counts = winners(page, "your cards", 200)
    assert counts == natively("outpost_seven", {}, "random*2", sum(counts.values()), own)
    expect(page.locator("#dial-card_set")).to_be_disabled()
    file = tmp_path / "tried.toml"
    file.write_text(press(page, "Copy the experiment").replace("tried.csv", "own.csv"))
    run = simkit.run(file, deals=10, confirm=False, out=str(tmp_path / "tried")).run
    assert [cell.varied for cell in run.cells] == [{"files.cards": "printed"}, {"files.cards": "own.csv"}]


def test_faults_of_a_pasted_sheet_are_named_by_row_and_column(dials: Dials) -> None:
    page = dials("outpost_seven")
    page.locator("summary", has_text="edit them").click()
    paste = """([text, row, column]) => {
      const data = new DataTransfer();
      data.setData("text", text);
      const cell = document.querySelector(`[data-row='${row}'][data-column='${column}']`);
      cell.dispatchEvent(new ClipboardEvent("paste", { clipboardData: data, bubbles: true, cancelable: true }));
    }"""
    page.evaluate(paste, ["colour\tvalue\tspaces\nblue\t2\tA.\nred\t3\tA..", 4, 0])
    expect(page.locator(".dial-fault")).to_have_text(
        "Row 6, column colour: “red” must be blue, green, purple, population."
    )
    page.evaluate(paste, ["green\t3", 5, 0])
    expect(page.locator(".dial-fault")).to_have_text("")
    page.evaluate(paste, ["green\t4", 5, 0])
    fault = "Row 6, column spaces: as many as the value, none on a population card."
    expect(page.locator(".dial-answer")).to_have_text(fault)


def test_a_curve_fills_in_along_a_dial_and_a_point_turns_it(dials: Dials) -> None:
    page = dials("pig")
    page.locator("#dial-curve").select_option("faces")
    figure = page.locator(".dial-curve figure")
    expect(figure).to_contain_text("At least 8,000 games each")
    won = natively("pig", {"faces": 4}, "hold_at*2", 8_000)
    points = figure.locator("title").all_text_contents()
    assert len(points) == 11 and any(text.startswith(f"4: {100 * won[1] / 8_000:.1f}") for text in points)
    figure.locator(".hit").first.dispatch_event("click")
    expect(page.locator("#dial-faces")).to_have_value("2")
    winners(page, "faces of the die 2")


def test_kept_settings_come_back_with_a_remark_on_picking_the_best(dials: Dials) -> None:
    page = dials("pig")
    for goal in (40, 60):
        turn(page, "goal", goal)
        winners(page, f"points that win {goal}", 50_000)
        press(page, "Keep this setting")
    settings = page.locator(".dial-tried li")
    expect(settings).to_have_count(2)
    share = natively("pig", {"goal": 40}, "hold_at*2", 50_000)[1] / 500
    expect(settings.first).to_contain_text(
        f"With points that win 40: the first player wins {share:.1f} of 100"
    )
    expect(page.locator("[aria-label='Settings kept'] .note")).to_contain_text("You have tried 2 settings")
    settings.first.get_by_role("button", name="Show").click()
    expect(page.locator("#dial-goal")).to_have_value("40")
    page.get_by_label("on fresh deals").check()
    page.wait_for_timeout(500)
    assert winners(page, "points that win 40", 50_000) != natively("pig", {"goal": 40}, "hold_at*2", 50_000)


def test_a_game_is_shown_as_it_is_traced(dials: Dials) -> None:
    page = dials("outpost_seven")
    winners(page, "printed rules", 20)
    press(page, "Show me a game")
    press(page, "Another game")
    story = page.locator(".dial-story")
    expect(story).to_contain_text("Deal 1:")
    game = registry.game("outpost_seven")
    table, lineup = (GameTable(game, game.rules({})), registry.players(game, parse_lineup("random*2")))
    part = next(trace_games(table, lineup, SEED, np.array([1]), np.array([0])))
    scores = part.rows["score"].reshape(-1, 2)
    story.get_by_text("All turns").click()
    rows = story.locator("details").first.locator("tbody tr")
    assert rows.count() == len(scores)
    cells = [cell.split("\t") for cell in rows.all_inner_texts()]
    assert [cell[2:4] for cell in cells] == [[str(a), str(b)] for a, b in scores]
    names, event = (
        game.pieces.names(table.rules[0]),
        next(e for e in part.events if e["event"] == Event.played),
    )
    played = f"{names[event['piece']].label} played"
    seats = [text.split(": ") for text in cells[event["turn"] - 1][4].split("; ")]
    assert played in dict(seats)[["first player", "second player"][event["seat"]]]
    expect(story).to_contain_text(f"{scores[-1][0]} to {scores[-1][1]} population, in turn {len(scores)}")
    story.get_by_text("The table after a turn").click()
    story.get_by_label("Turn", exact=True).fill("7")
    board = dict(text.split("\t") for text in story.locator("details").last.locator("tr").all_inner_texts())
    assert board["• Turns completed"] == "7" and board["Number of seats"] == "2"
    assert {board[name] for name in board if "Seat to decide" in name} <= {"first player", "second player"}
    decisions = [name.replace("_", " ") for name in Decision.__members__]
    assert next(value for name, value in board.items() if "What is being decided" in name) in decisions
    assert not [name for name in board if "[" in name]


@pytest.mark.parametrize(
    ("scores", "ending"),
    [
        ([[3, 1], [5, 5]], "The lead changes 0 times."),
        ([[1, 3], [5, 4]], "the winner leads for good from turn 2 on."),
    ],
)
def test_a_win_by_a_tie_break_is_no_lead_for_good(
    browser: Browser, scores: list[list[int]], ending: str
) -> None:
    page = browser.new_page()
    page.add_script_tag(
        content="\n".join((FOLDER / f"{name}.js").read_text() for name in ("elements", "player", "story"))
    )
    summary = page.evaluate(
        """(scores) => new Story({ seat_names: ["first", "second"], score: "points", end_reasons: {} })
          .summary({ turns: scores.map((scores) => ({ scores })), ranks: [1, 2], reason: 0 }, 0)""",
        scores,
    )
    assert summary.endswith(ending)
    page.close()


def test_the_lead_changes_are_those_of_the_trace_of_300_games_after_the_first_2000(dials: Dials) -> None:
    page = dials("outpost_seven")
    turn(page, "start_total_second", 20)
    winners(page, "card total 20", 4_000)
    game, means = registry.game("outpost_seven"), list[float]()
    for total in (20, 16):
        table = GameTable(game, game.rules({"start_total_second": total}))
        lineup = registry.players(game, parse_lineup("random*2"))
        parts = trace_games(table, lineup, SEED, np.arange(2_000, 2_300), np.zeros(300, np.int64))
        changes, decided = list[int](), list[float]()
        for part in parts:
            for scores, ranks in zip(by_game(part.rows), part.states["rank"].tolist(), strict=True):
                changes.append(lead_changes(scores))
                if ranks.count(1) == 1:
                    decided.append(decided_at(scores, ranks.index(1)))
        means += [sum(changes) / 300, 100 * sum(decided) / len(decided)]
    note = page.locator(".dial-result > .note")
    expect(note).to_contain_text(f"in 300 games the lead changes {means[0]:.1f} ({means[2]:.1f}) times")
    expect(note).to_contain_text(f"they are decided after {means[1]:.0f}\u00a0% ({means[3]:.0f}\u00a0%)")


def decided_at(scores: np.ndarray, winner: int) -> float:
    """Return the part of a game after which the winner leads for good; 1 if there is none."""
    behind = [turn for turn, row in enumerate(scores, 1) if row[winner] <= row[1 - winner]]
    return min(max(behind, default=0) + 1, len(scores)) / len(scores)


def by_game(rows: np.ndarray) -> list[np.ndarray]:
    return [rows[rows["game"] == game]["score"].reshape(-1, 2) for game in np.unique(rows["game"])]


def lead_changes(scores: np.ndarray) -> int:
    leaders = [int(first < second) for first, second in scores if first != second]
    return sum(before != after for before, after in pairwise(leaders))


def test_the_command_and_the_experiment_repeat_the_setting(dials: Dials, tmp_path: Path) -> None:
    page = dials("outpost_seven")
    winners(page, "printed rules", 200)
    turn(page, "start_total_second", 20)
    turn(page, "start_rule", 5)
    winners(page, "card total 20", 200)
    assert re.fullmatch(
        "simkit compare outpost_seven --base start_total_second=16,start_rule=keep_exact "
        r"--to start_total_second=20,start_rule=draft --lineup random,random --deals \d+ --seed 5",
        press(page, "Copy the command"),
    )
    file = tmp_path / "tried.toml"
    file.write_text(press(page, "Copy the experiment"))
    run = simkit.run(file, deals=10, confirm=False, out=str(tmp_path / "tried")).run
    assert [cell.varied for cell in run.cells] == [
        {"start_total_second": 16, "start_rule": "keep_exact"},
        {"start_total_second": 20, "start_rule": "draft"},
    ]
    assert run.experiment.seed == SEED and [cell.baseline for cell in run.cells] == [True, False]


SIMULATED, LAST = 300, 50_000  # series of deals that are simulated, and their length
# Between two looks a series grows by 4 %, in which its interval hardly moves.
LENGTHS = [*range(1, 26), *(round(25 * 1.04**k) for k in range(1, 194)), LAST]
SIMULATE = """([values, chances, truth, looks, runs, sequence]) => {
  let state = 12345, missed = 0;
  const uniform = () => {  // mulberry32
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
  for (let run = 0; run < runs; run++) {
    const counts = values.map(() => 0);
    let deals = 0, holds = true;
    for (const look of looks) {
      for (; deals < look; deals++) {
        let rest = uniform(), value = 0;
        while (value < values.length - 1 && (rest -= chances[value]) >= 0) value++;
        counts[value]++;
      }
      const [low, high] = (sequence === "share" ? confidenceSequence : differenceSequence)({ values, counts });
      holds &&= low <= truth && truth <= high;
    }
    missed += !holds;
  }
  return missed;
}"""


@pytest.mark.parametrize(
    ("sequence", "values", "chances", "truth"),
    [
        ("share", [0, 0.5, 1], [0.42, 0.04, 0.54], 0.56),
        ("share", [0, 1], [0.9, 0.1], 0.1),
        ("difference", [-1, 0, 1], [0.2, 0.6, 0.2], 0),  # other luck under the same rules
        ("difference", [-1, -0.5, 0, 0.5, 1], [0.02, 0.03, 0.9, 0.03, 0.02], 0),
    ],
)
def test_in_at_most_5_of_100_series_an_interval_ever_misses_the_truth_or_a_change_is_seen_without_one(
    sequence: str, values: list[float], chances: list[float], truth: float, browser: Browser
) -> None:
    page = browser.new_page()
    page.add_script_tag(content=(FOLDER / "evidence.js").read_text())
    missed: Any = page.evaluate(SIMULATE, [values, chances, truth, LENGTHS, SIMULATED, sequence])
    assert missed / SIMULATED <= 0.05
    page.close()
