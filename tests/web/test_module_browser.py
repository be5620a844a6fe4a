"""Games of every strategy in Chromium end with the same states, byte for byte, as in compiled Python."""

from __future__ import annotations

import base64
import random
from typing import Any

import pytest
from playwright.sync_api import Browser

from simkit.engine import registry
from simkit.engine.compile import jit
from simkit.verify.check import random_settings
from simkit.web import WebModule
from tests.web.page import Page
from tests.web.test_module import REDEALING, SEED, different, lineups, module

pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(not jit.COMPILED, reason="without the compiler there is no LLVM code"),
]
HELPERS = """
const bytesOf = (text) => Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
const memory = () => new Uint8Array(game.memory.buffer);
const load = async (text) => { window.game = (await WebAssembly.instantiate(bytesOf(text))).instance.exports; };
const write = ([address, text]) => memory().set(bytesOf(text), address);
const read = ([address, size]) => {
  const parts = [];
  for (let at = address; at < address + size; at += 32768)
    parts.push(String.fromCharCode(...memory().subarray(at, Math.min(at + 32768, address + size))));
  return btoa(parts.join(""));
};
"""


class InChromium(Page):
    """Instance of a module in a page of Chromium."""

    def __init__(self, web_module: WebModule, browser: Browser) -> None:
        self.layout, self.tab = web_module.layout, browser.new_page()
        self.tab.add_script_tag(content=HELPERS)
        self.tab.evaluate("(text) => load(text)", base64.b64encode(web_module.module).decode())
        self.learn(web_module)

    def write(self, name: str, content: bytes) -> None:
        """Write the first bytes of a block."""
        address = self.layout["blocks"][name]["address"]
        self.tab.evaluate("(part) => write(part)", [address, base64.b64encode(content).decode()])

    def read(self, name: str, size: int) -> bytes:
        """Read the first bytes of a block."""
        text: Any = self.tab.evaluate("(part) => read(part)", [self.layout["blocks"][name]["address"], size])
        return base64.b64decode(text)

    def play(self, first: int, deals: int) -> int:
        """Play deals, and return the number of games that ended."""
        return int(self.tab.evaluate("([first, deals]) => game.play(first, deals)", [first, deals]))


@pytest.mark.proof("web", "games", "strategies")
@pytest.mark.parametrize("name", list(registry.games()))
def test_every_strategy_ends_its_games_the_same_under_many_rules(name: str, browser: Browser) -> None:
    game, rng = registry.game(name), random.Random(SEED)
    names = [own for own in registry.scripted(game) if own not in REDEALING]
    web_module = module(name, *names)
    page = InChromium(web_module, browser)
    assert not web_module.refused
    for options in [{}, *random_settings(game, 20, SEED)]:
        for lineup in lineups(game, names, rng):
            assert not list(different(page, game, options, lineup))
    page.tab.close()
