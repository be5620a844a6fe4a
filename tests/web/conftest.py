"""Pages with dials in a browser, shared by the tests of dials and of games."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

import simkit
from simkit.engine import registry
from simkit.engine.learned.file import save
from tests.made_nets import made_trained
from tests.projects import project_of
from tests.web.turning import SEED, Dials

if TYPE_CHECKING:  # the everyday tests run without it
    from playwright.sync_api import Browser, Page

RUNS = {
    "pig": ({"goal": [50, 100]}, ["hold_at*2"]),
    "outpost_seven": ({"start_total_second": [16, 20]}, ["random*2"]),
}


@pytest.fixture(scope="session")
def files(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Pages of short runs, by game."""
    folder, pages = tmp_path_factory.mktemp("pages"), {}
    for game, (vary, lineups) in RUNS.items():
        result = simkit.sweep(
            game, vary, lineups=lineups, deals=20, seed=SEED, trace=2, confirm=False, out=str(folder / game)
        )
        pages[game] = simkit.report(result).path
    return pages


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
        file = (files[what] if isinstance(what, str) else what).as_uri()
        contexts.append(browser.new_context(viewport={"width": width, "height": 900}, **context))
        page = contexts[-1].new_page()
        page.add_init_script(script)
        page.add_init_script(
            "navigator.clipboard ??= {}; navigator.clipboard.writeText = async (text) => { window.copied = text; }"
        )
        page.on("console", lambda message: noise.append(f"console: {message.text}"))
        page.on("pageerror", lambda error: noise.append(f"error: {error}"))
        page.on(
            "request", lambda request: noise.append(request.url) if not request.url.startswith(file) else None
        )
        page.goto(file + address)
        if more:
            page.locator(".dial-more > summary").press("Enter")  # what grows above it moves no key
        return page

    yield opened
    for context in contexts:
        context.close()


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
