"""The dials in a real browser: they show what native play of the same deals gives, and ask for nothing."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, expect

import simkit
from simkit.ask import report
from simkit.engine.compile import jit
from simkit.games import pig
from simkit.stats import betting, verdicts
from simkit.web import dials as web
from simkit.web.dials import FOLDER
from tests.projects import project_of
from tests.web.turning import SEED, Dials, natively, press, turn, winners

pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(not jit.COMPILED, reason="without the compiler there is no LLVM code"),
]


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
    page.locator(".dial-skill summary").nth(2).press("Enter")
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
    page.locator(".dial-skill summary").nth(1).press("Enter")
    page.locator("#dial-seat-1-errors").fill("20")
    page.locator("#dial-seat-1-errors").press("Enter")
    expect(page.locator(".dial-answer")).to_contain_text("With the usual rules and other players, the first")


def test_options_without_effect_at_this_number_of_players_are_locked(dials: Dials, tmp_path: Path) -> None:
    options = """
    integer("duel", 0, 0, 9, "PIG-1", "Points of a duel", needs={"players": 2}),
    integer("handicap", 0, 0, 9, "PIG-1", "Points of the third player", treats=(2,)),
    """
    rules = Path(pig.__file__).read_text("utf-8").replace('name="pig"', 'name="hog"')
    rules = rules.replace('    integer("goal"', f'{options.strip()}\n    integer("goal"', 1)
    with project_of(tmp_path / "mine", {"games/hog.py": rules.replace("known_answers=", "# ")}):
        result = simkit.sweep("hog", {"goal": [50, 100]}, lineups=["random*4"], deals=20, confirm=False)
        page = dials(simkit.report(result, tmp_path / "page.html").path)
    expect(page.locator("#dial-duel")).to_be_disabled()
    expect(page.locator("#dial-duel-note")).to_have_text("no effect with 4 players")
    expect(page.locator("#dial-handicap")).to_be_enabled()
    page.locator("#dial-seats").select_option("2")
    expect(page.locator("#dial-duel")).to_be_enabled()
    expect(page.locator("#dial-handicap")).to_be_disabled()
    expect(page.locator("#dial-handicap-note")).to_have_text("no effect with 2 players")


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
    bad = "goal=5000&faces=1e1&seats=2.5&players=nobody&toString=1&other=<img src=x onerror=alert(1)>"
    page = dials("pig", address=f"#{bad}&bust=2", more=False)
    counts = winners(page, "With losing face 2, the first player", 200)
    assert counts == natively("pig", {"bust": 2}, "hold_at*2", sum(counts.values()))
    numbers = {name: page.locator(f"#dial-{name}").input_value() for name in ("goal", "faces", "seats")}
    assert numbers == {"goal": "100", "faces": "6", "seats": "2"}
    assert all(line.startswith("blob:") for line in noise)


def test_play_on_here_goes_on_from_the_stamp_until_the_verdict(dials: Dials) -> None:
    page = dials("pig", more=False)
    assert sum(winners(page, "usual rules", 2_000).values()) == 2_000  # an open page rests then
    expect(page.locator(".dial-verdict .note")).to_have_text("2,000 games played here")
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


WITHOUT_ANSWER = """
const now = performance.now.bind(performance), post = Worker.prototype.postMessage;
performance.now = () => now() + (window.hours ?? 0) * 3600000;
Worker.prototype.postMessage = function (data) {
  if (data.setting) window.waits = true;
  else post.call(this, data);
};
"""


def test_a_game_without_an_end_in_one_action_is_waited_for_and_named(dials: Dials) -> None:
    page = dials("pig", more=False, script=WITHOUT_ANSWER)
    expect(page.locator(".dial-answer")).to_have_text("With the usual rules: counting …")
    page.wait_for_function("() => window.waits")  # a text would be refused by the page
    page.evaluate("window.hours = 1")
    late = re.compile(r"a game of the deals \d+ to \d+ takes long")  # of the worker that began first
    expect(page.locator(".dial-answer")).to_contain_text(late)


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
    assert page.locator(".dial label").first.text_content() == EVIL


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
        page.locator(".dial-skill summary").nth(seat).press("Enter")
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


def test_the_verdict_depends_on_nothing_but_the_deals(browser: Browser) -> None:
    """Pages of the same 2,000 games said UNFAIR or NOT SETTLED, by when they were drawn."""
    page, rng = browser.new_page(), np.random.default_rng(2)
    source = "".join((FOLDER / name).read_text() for name in ("evidence.js", "results.js"))
    words = set()
    for share in (0.5, 0.55, 0.58):
        winners = rng.choice([1, 2], 5_000, p=[share, 1 - share]).tolist()
        script = f"""{source}; const winners = {winners}, testsOf = (counts) => claim(evenTallies(counts, 2, {{ sides: [] }}), 0.5, 0.02);
          const tally = (deals) => new Map([1, 2].map((mask) => [mask, winners.slice(0, deals).filter((each) => each === mask).length]));
          const often = {{ tally, deals: 0, looked: 0, claim: null }}, once = {{ ...often, deals: winners.length }};
          while (often.deals < winners.length) {{ often.deals = Math.min(winners.length, often.deals + 37); look(often, testsOf); }}
          look(once, testsOf);
          [often, once].map(({{ looked, claim }}) => [looked, claim?.word ?? ""])"""
        often, once = page.evaluate(f"(() => {{ return eval({json.dumps(script)}) }})()")
        assert often == once
        words.add(once[1])
    assert words == {"FAIR", "UNFAIR"}
    page.close()


def test_cards_are_edited_in_place_and_pasted_from_a_spreadsheet(dials: Dials, tmp_path: Path) -> None:
    page = dials("outpost_seven")
    page.locator("summary", has_text="edit them").press("Enter")
    rows = page.locator(".dial-sheet tbody tr")
    expect(rows).to_have_count(69)
    press(page, "Copy row 40")  # one more purple card
    winners(page, "your cards", 200)
    page.locator("[data-row='0'][data-column='2']").fill("aap")
    page.locator("[data-row='0'][data-column='2']").press("Enter")
    own = tmp_path / "own.csv"
    own.write_text(press(page, "Copy as CSV"))
    assert own.read_text().splitlines()[1] == "blue,3,AAP" and len(own.read_text().splitlines()) == 71
    counts = winners(page, "your cards", 200)
    assert counts == natively("outpost_seven", {}, "random*2", sum(counts.values()), own)
    expect(page.locator("#dial-card_set")).to_be_disabled()
    turn(page, "start_total_second", 20)
    winners(page, "card total 20", 20)
    page.go_back()  # the table is not part of the address
    winners(page, "With your cards", 20)
    file = tmp_path / "tried.toml"
    file.write_text(press(page, "Copy the experiment").replace("tried.csv", "own.csv"))
    run = simkit.run(file, deals=10, confirm=False, out=str(tmp_path / "tried")).run
    assert [cell.varied for cell in run.cells] == [{"files.cards": "printed"}, {"files.cards": "own.csv"}]


def test_faults_of_a_pasted_sheet_are_named_by_row_and_column(dials: Dials) -> None:
    page = dials("outpost_seven")
    page.locator("summary", has_text="edit them").press("Enter")
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
    settings.first.get_by_role("button", name="Show").press("Enter")
    expect(page.locator("#dial-goal")).to_have_value("40")
    page.get_by_label("on fresh deals").press("Space")
    assert winners(page, "points that win 40", 50_000) != natively("pig", {"goal": 40}, "hold_at*2", 50_000)


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
