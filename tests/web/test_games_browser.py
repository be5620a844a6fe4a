"""Players and games in a real browser: they play, are shown and are judged as compiled Python does it."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from playwright.sync_api import Browser, Page, expect

import simkit
from simkit.engine import registry
from simkit.engine.alternatives import ACTION, STEP, value_alternatives
from simkit.engine.compile import jit
from simkit.engine.fields import Event
from simkit.engine.lineups import parse_lineup
from simkit.engine.stepper import trace_games
from simkit.engine.table import GameTable
from simkit.games.outpost_seven.facts import Decision
from simkit.web import dials as web
from simkit.web.dials import FOLDER
from tests.web.turning import SEED, Dials, natively, press, turn, winners

pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(not jit.COMPILED, reason="without the compiler there is no LLVM code"),
]


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


def test_sides_win_in_the_page_as_natively(dials: Dials, tmp_path: Path) -> None:
    how = {
        "options": {"players": 3},
        "deals": 20,
        "seed": SEED,
        "confirm": False,
        "out": str(tmp_path / "run"),
    }
    result = simkit.sweep("one_against_many", {"numbers": [4, 5]}, **how)
    page = dials(simkit.report(result).path)
    counts = winners(page, "usual rules", 200)
    assert counts == natively("one_against_many", {}, "random*3", sum(counts.values()))
    expect(page.locator(".dial-answer")).to_contain_text("With the usual rules, the hider wins")
    turn(page, "numbers", 7)
    counts = winners(page, "numbers 7", 200)
    assert counts == natively("one_against_many", {"numbers": 7}, "random*3", sum(counts.values()))
    rows = page.locator(".dial-result tbody tr")
    expect(rows).to_have_count(1)
    expect(rows.first).to_contain_text("Hider")


def worth_of_decisions(deal: int) -> list[tuple[float, float]]:
    """Return for each decision of a game what the action taken and the best one are worth."""
    game, trail = registry.game("pig"), np.full(4096, -1, np.int64)
    players, table = registry.players(game, parse_lineup("learned*2")), GameTable(game, game.rules({}))
    table.play(players, SEED, np.array([deal]), np.zeros(1, np.int64), trail)
    rows, values = value_alternatives(table, players[0], 2, SEED, deal, trail[trail >= 0])
    worth = values.mean(axis=1)
    return [
        (worth[i], worth[rows[:, STEP] == row[STEP]].max())
        for i, row in enumerate(rows)
        if row[ACTION] == trail[row[STEP]]
    ]


def test_a_game_says_why_as_compiled_python_does(dials: Dials, learned: Path) -> None:
    page = dials(learned)
    winners(page, "usual rules", 20)
    games = [worth_of_decisions(deal) for deal in range(20)]
    deal = max(range(20), key=lambda deal: max(best - own for own, best in games[deal]))
    taken = [own for own, _ in games[deal]]
    press(page, "Show me a game")
    for _ in range(deal):
        press(page, "Another game")
    story = page.locator(".dial-story")
    expect(story).to_contain_text(f"Deal {deal}:")
    expect(story.locator("figcaption")).to_contain_text("― first player (learned)")
    press(page, "Why?")
    story.get_by_text("What each decision was worth").press("Enter")
    cells = [row.split("\t") for row in story.locator(".dial-why details tbody tr").all_inner_texts()]
    assert len(cells) == len(taken)
    assert max(abs(float(row[2]) - 100 * value) for row, value in zip(cells, taken, strict=True)) <= 0.51
    marked = [row for row in cells if row[4]]
    assert len(marked) == 1
    expect(story.locator(".dial-why > p").first).to_contain_text(f"in turn {marked[0][0]} {marked[0][1]}")
    expect(story.locator(".dial-why .board th[scope=row]").first).to_be_visible()
    turn(page, "goal", 130)  # for which nobody was trained
    press(page, "Show me a game")
    expect(page.get_by_role("button", name="Why?")).to_have_count(0)


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
    story.get_by_text("All turns").press("Enter")
    rows = story.locator("details").first.locator("tbody tr")
    expect(rows).to_have_count(len(scores))
    expect(rows.first).to_be_visible()  # the cells of hidden rows are read without the tabs between them
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
    story.get_by_text("The table after a turn").press("Enter")
    story.get_by_label("Turn", exact=True).fill("7")
    expect(story.locator("details").last).to_contain_text("turn 7 of")
    board = dict(text.split("\t") for text in story.locator("details").last.locator("tr").all_inner_texts())
    assert board["• Turns completed"] == "7" and board["Number of seats"] == "2"
    assert {board[name] for name in board if "Seat to decide" in name} <= {"first player", "second player"}
    decisions = [name.replace("_", " ") for name in Decision.__members__]
    assert next(value for name, value in board.items() if "What is being decided" in name) in decisions
    assert not [name for name in board if "[" in name]


def scripted(browser: Browser, *names: str) -> Page:
    """Return an empty page with some of the scripts."""
    page = browser.new_page()
    page.add_script_tag(content="\n".join((FOLDER / f"{name}.js").read_text() for name in names))
    return page


def test_a_game_with_more_alternatives_than_there_is_room_for_says_how_to_value_it(browser: Browser) -> None:
    page = scripted(browser, "elements", "player", "story")
    text = page.evaluate("""() => {
      const block = { address: 0, size: 8, shape: [8, 5] }, exports = { memory: { buffer: new ArrayBuffer(512) }, value: () => -1 };
      const player = { use() {}, fill() {}, judgeBy() {}, exports, blocks: { learned: block, alternatives: block, values: block, trail: block } };
      const story = new Story({}), setting = { judge: [0, 0] };
      player.valued = GamePlayer.prototype.valued;
      story.player = { decisions: GamePlayer.prototype.decisions.bind(player) };
      return story.reasons(setting, 0, { turns: [] }).textContent;
    }""")
    assert text == "This game is too long to be valued here; use simkit replay RUN PLAY --why."
    page.close()


def test_nobody_judges_by_a_net_that_was_trained_for_other_tables(browser: Browser) -> None:
    page = scripted(browser, "player", "settings")
    judges = page.evaluate("""() => [[], ["cards"]].map((other_tables) => {
      const roster = [{ nets: { 2: [0, 9] }, trained: { 2: { options: {}, other_tables } } }];
      return judgeOf({ page: { roster, options: [] }, resolve: () => ({}) }, { seats: 2, given: {}, sheet: null }) ?? null;
    })""")
    assert judges == [[0, 9], None]
    page.close()


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
    page = scripted(browser, "elements", "player", "story")
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
