"""A person at the table of a page: the game is that of Python, and the person sees what the seat may see."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Locator, Page, expect

import simkit
from simkit.engine import registry
from simkit.engine.compile import jit
from simkit.engine.lineups import parse_lineup
from simkit.engine.rng import sub_seed
from simkit.engine.sights import sights
from simkit.engine.table import GameTable
from simkit.runs.experiment import Experiment
from simkit.runs.people import Sitting
from simkit.runs.plan import make_plan
from simkit.runs.play import Seating
from tests.web.turning import SEED, Dials

pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(not jit.COMPILED, reason="without the compiler there is no LLVM code"),
]
GAMES = ["pig", "outpost_seven", "outpost", "exoplanet_colony", "lunar_outpost", "red_outpost"]
MOST_ACTIONS = 3_000  # of a person in a game of a test
TAKE_A_SEAT = re.compile("Play (against|with) the computer")


@pytest.fixture(scope="session")
def live(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Path]:
    """Return the page of a short run of a game between random players, in which a person can play."""
    pages = dict[str, Path]()

    def page_of(name: str) -> Path:
        if name not in pages:
            game = registry.game(name)
            sights(game).compiled  # noqa: B018 - a page has what is compiled
            lineups = [f"random*{game.default_seats}"]
            keys = {"question": "Who?", "game": name, "lineups": lineups, "deals": 20, "seed": SEED}
            out = str(tmp_path_factory.mktemp(name) / "run")
            pages[name] = simkit.report(simkit.run(keys, confirm=False, out=out)).path
        return pages[name]

    return page_of


@pytest.fixture
def seated(dials: Dials, live: Callable[[str], Path]) -> Iterator[Callable[..., Page]]:
    """Open the page of a game, and take a seat by the keyboard."""

    def sit(name: str, **how: Any) -> Page:
        page = dials(live(name), more=False, **how)
        page.get_by_role("button", name=TAKE_A_SEAT).press("Enter")
        expect(page.locator(".dial-actions button, .dial-ending").first).to_be_visible()
        return page

    yield sit


def actions(page: Page) -> Locator:
    return page.locator(".dial-actions button")


def choose(page: Page, place: int) -> None:
    actions(page).nth(place).evaluate("(button) => button.click()")


def noted(page: Page, name: str) -> list[int]:
    """Return numbers that the game of a page notes for tests: answers or trail."""
    text = page.locator(".dial-person").get_attribute(f"data-{name}") or ""
    return [int(number) for number in text.split(",") if number]


class Repeated(Sitting):
    """A game at the terminal in which the person gives the answers of another one."""

    answers: Iterator[int]

    def _ask(self, legal: list[int]) -> int:
        return next(self.answers)

    def _step(self, action: int, seat: int) -> None:
        self.actions.append(int(action))
        self.game.step(self.s, self.rules, action, self.rng)


def at_the_terminal(name: str, deal: int, seat: int, answers: list[int]) -> Repeated:
    """Return the same game as Python plays it with a person in a seat."""
    game = registry.game(name)
    lineup = f"random*{game.default_seats}"
    request = Experiment(game=name, question="?", lineups=[lineup], deals=1, rotate=False)
    (cell,) = make_plan(request).cells
    table = GameTable(game, game.rules({}))
    place = Seating(cell, table, registry.players(game, parse_lineup(lineup)), sub_seed(SEED, "dials"))
    sitting = Repeated(place, deal, seat, lambda *_: 0, lambda _: None, lambda: None)  # type: ignore[arg-type, return-value]
    sitting.answers = iter(answers)
    sitting.play()
    return sitting


@pytest.mark.parametrize("name", GAMES)
def test_a_game_against_the_computer_ends_as_in_python(
    name: str, seated: Callable[..., Page], noise: list[str]
) -> None:
    page, rng = seated(name), random.Random(name)
    for _ in range(MOST_ACTIONS):
        if not (count := actions(page).count()):
            break
        choose(page, rng.randrange(count))
    ending = page.locator(".dial-ending").inner_text()
    assert "hand of seat s" not in page.locator(".dial-person").inner_text()  # codes of a field without names
    deal = noted(page, "deal")[0]
    native = at_the_terminal(name, deal, 0, noted(page, "answers"))
    assert noted(page, "trail") == native.actions
    ranks, scores = ([int(n) for n in native.s[key][: native.s.seats]] for key in ("rank", "score"))
    if native.game.team:
        assert ("the team wins" in ending) == (ranks[0] == 1) and f", {scores[0]} " in ending
    else:
        assert ("you win" in ending) == (ranks[0] == 1)
        assert " to ".join(map(str, scores)) in ending
    assert not [text for text in noise if not text.startswith("blob:")]  # of workers


def test_a_game_is_played_by_the_keyboard_alone(dials: Dials, live: Callable[[str], Path]) -> None:
    page = dials(live("pig"), more=False)
    button = page.get_by_role("button", name=TAKE_A_SEAT)
    for _ in range(200):
        page.keyboard.press("Tab")
        if button.evaluate("(button) => button === document.activeElement"):
            break
    page.keyboard.press("Enter")
    for turn in range(MOST_ACTIONS):
        expect(page.locator(".dial-person :focus")).to_have_count(1)  # each step leaves the focus in the game
        if page.locator(".dial-ending").count():
            break
        assert page.locator(".dial-actions button").first.evaluate("(b) => b === document.activeElement")
        outline = page.evaluate("getComputedStyle(document.activeElement).outlineStyle")
        assert outline == "solid"
        if turn % 2:
            page.keyboard.press("Tab")
        page.keyboard.press("Space" if turn % 3 else "Enter")
    expect(page.locator(".dial-ending")).to_contain_text("Over: you")


def test_a_person_sees_the_own_hidden_card_and_not_that_of_the_other(seated: Callable[..., Page]) -> None:
    page = seated("kuhn_poker")
    cards = set[tuple[str, str]]()
    for _ in range(8):
        deal, answers = noted(page, "deal")[0], noted(page, "answers")
        own, other = page.locator(".dial-person tr", has_text="card").first.locator("td").all_inner_texts()
        game = registry.game("kuhn_poker")
        table, s = GameTable(game, game.rules({})), np.zeros(1, game.state_dtype)[0]
        s.seats = 2
        game.begin(s, table.rules[0], table.open_luck(sub_seed(SEED, "dials"), deal), 0)
        assert not answers
        cards.add((own, other))
        page.get_by_role("button", name="New game").press("Enter")
    assert len({own for own, _ in cards}) > 1 and len({other for _, other in cards}) == 1


def test_decisions_are_undone_within_a_turn_and_never_after_luck(seated: Callable[..., Page]) -> None:
    page, undo = seated("red_outpost"), page_button("Undo")
    expect(undo(page)).to_have_count(0)
    undone = 0
    for _ in range(40):
        if not actions(page).count():
            break
        before, listed = noted(page, "trail"), actions(page).all_inner_texts()
        choose(page, 0)
        if not undo(page).count():
            continue
        undo(page).press("Enter")
        assert noted(page, "trail") == before and actions(page).all_inner_texts() == listed
        undone += 1
        choose(page, 0)
    assert undone
    pig = seated("pig")
    for _ in range(5):
        actions(pig).last.press("Enter")  # a roll
        expect(undo(pig)).to_have_count(0)


def page_button(name: str) -> Callable[[Page], Locator]:
    return lambda page: page.locator(".dial-person").get_by_role("button", name=name)


@pytest.mark.parametrize("name", ["pig", "exoplanet_colony"])
def test_games_are_saved_as_a_sheet_of_playtests(
    name: str, seated: Callable[..., Page], tmp_path: Path
) -> None:
    page = seated(name)
    for _ in range(MOST_ACTIONS):
        if not actions(page).count():
            break
        choose(page, 0)
    with page.expect_download() as download:
        page.get_by_role("button", name="Save this game as a playtest sheet").press("Enter")
    file = tmp_path / download.value.suggested_filename
    download.value.save_as(file)
    assert file.name == f"{name}-playtests.csv"
    result = simkit.playtests(name, str(file), strategies="random", deals=20, out=str(tmp_path / "run"))
    rows = result.playtests
    native = at_the_terminal(name, noted(page, "deal")[0], 0, noted(page, "answers"))
    assert rows["score"].to_list() == [int(n) for n in native.s.score[: native.s.seats]]
    assert rows["turns"].unique().to_list() == [int(native.s.log.game.turns)]
    assert [share > 0 for share in rows["share"]] == [n == 1 for n in native.s.rank[: native.s.seats]]


@pytest.mark.parametrize("width", [1200, 360])
@pytest.mark.parametrize("name", ["pig", "outpost_seven"])
def test_the_table_breaks_no_rule_of_accessibility_and_fits_a_phone(
    name: str, width: int, seated: Callable[..., Page]
) -> None:
    page = seated(name, width=width)
    for _ in range(3):
        choose(page, 0)
    violations = Axe().run(page, ".dial-person").response["violations"]
    assert not violations, [(v["id"], v["nodes"][0]["html"]) for v in violations]
    assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_actions_with_the_same_words_are_told_apart_by_what_they_change(seated: Callable[..., Page]) -> None:
    page, rng = seated("red_outpost"), random.Random(2)
    for _ in range(MOST_ACTIONS):  # until workers may swap moods: the words name none of them
        if "beer gain" in page.locator(".dial-asked").inner_text():
            break
        choose(page, rng.randrange(actions(page).count()))
        if not actions(page).count():
            page_button("New game")(page).press("Enter")
    texts = [text for text in actions(page).all_inner_texts() if text.startswith("Pays a crystal")]
    assert len(set(texts)) == len(texts) > 1
    assert not [text for text in texts if "action" in text]


@pytest.mark.parametrize("deal", [3, 7])  # in the second a card is drawn behind the new order
def test_a_new_order_of_cards_is_a_change(dials: Dials, live: Callable[[str], Path], deal: int) -> None:
    page = dials(live("exoplanet_colony"), more=False)
    page.evaluate(f"Math.random = () => {deal} / 2 ** 31")
    page.get_by_role("button", name="Play with the computer").press("Enter")
    expect(actions(page).first).to_be_visible()
    rng = random.Random(3)
    for _ in range(MOST_ACTIONS):
        listed = actions(page).all_inner_texts()
        if "plan perm" in page.locator(".dial-asked").inner_text():
            break
        plans = [place for place, text in enumerate(listed) if "Forecast" in text]
        choose(page, plans[0] if plans else rng.randrange(len(listed)))
        if not actions(page).count():
            page_button("New game")(page).press("Enter")
    assert sum("Event deck" in text for text in listed) >= len(listed) - 1
    assert not [text for text in listed if "action" in text]


def test_without_what_seats_see_nobody_takes_a_seat(
    dials: Dials, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("simkit.web.module.sights", lambda game: SimpleNamespace(ready=False))
    keys = {"question": "Who?", "game": "pig", "lineups": ["random*2"], "deals": 20, "seed": SEED}
    page = dials(simkit.report(simkit.run(keys, confirm=False, out=str(tmp_path / "run"))).path)
    expect(page.locator(".dial-live")).to_contain_text("games played here")
    assert (
        not page.get_by_role("button", name=TAKE_A_SEAT).count() and not page.locator(".dial-person").count()
    )


def test_a_learned_player_says_what_the_actions_are_worth(dials: Dials, learned: Path) -> None:
    sights(registry.game("pig")).compiled  # noqa: B018
    page = dials(learned, more=False)
    page.get_by_role("button", name=TAKE_A_SEAT).press("Enter")
    actions(page).first.press("Enter")  # from the second roll on there is a choice
    page_button("Why?")(page).press("Enter")
    expect(page.locator(".dial-worth li")).to_have_count(2)
    expect(page.locator(".dial-worth")).to_contain_text("Chance of winning in percent, by what you see")


def test_long_lists_of_actions_are_searched(browser: Browser, seated: Callable[..., Page]) -> None:
    page = seated("red_outpost")
    expect(actions(page)).to_have_count(20)
    page.get_by_label("Words of an action").fill("to the mine")
    for text in actions(page).all_inner_texts():
        assert "to the Mine" in text
