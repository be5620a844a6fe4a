"""Turning the dials of a page, and the same deals played natively."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from simkit.engine import registry
from simkit.engine.lineups import parse_lineup
from simkit.engine.table import GameTable

if TYPE_CHECKING:
    from playwright.sync_api import Page

SEED = 5


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


def press(page: Page, name: str) -> str:
    """Press a button by the keyboard, since the page above it may grow, and return what it has copied, if so."""
    page.get_by_role("button", name=name).press("Enter")
    return str(page.evaluate("window.copied"))


def wait_until_drawn(page: Page) -> None:
    """Wait for the frame in which the page shows the setting that was turned last."""
    page.evaluate("() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))")


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
    wait_until_drawn(page)  # until then the page shows the setting before it, which may have the same words
    counts: Any = page.wait_for_function(
        """([words, deals]) => {
          const live = document.querySelector(".dial-live"), counts = JSON.parse(live?.dataset.winners ?? "[]");
          const total = counts.reduce((sum, [, count]) => sum + count, 0);
          return live?.textContent.includes(words) && total >= deals && counts;
        }""",
        arg=[words, deals],
    ).json_value()
    return dict(counts)


def natively(
    game: str, options: dict[str, Any], lineup: str, deals: int, cards: Path | None = None
) -> dict[int, int]:
    """Return the same for deals played by a table; where sides win together, a bit per side."""
    rules = registry.game(game)
    players = registry.players(rules, parse_lineup(lineup))
    tables = {"cards": rules.components.files["cards"].read(cards)} if cards else {}
    states = GameTable(rules, rules.rules(options, tables)).play(
        players, SEED, np.arange(deals), np.zeros(deals, np.int64)
    )
    won, places = states["rank"][:, : len(players)] == 1, np.arange(len(players))
    if rules.rival_sides:
        sides = states["log"]["seat"]["side"][:, : len(players)]
        won, places = np.stack([(won & (sides == side)).any(axis=1) for side in (0, 1)], axis=1), np.arange(2)
    return dict(Counter((won << places).sum(axis=1).tolist()))
