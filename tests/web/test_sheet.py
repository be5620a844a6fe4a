"""A sheet that a page edits is written into the rules by WebAssembly as by the game."""

from __future__ import annotations

import pytest
from sheet_numbers import encoded

from simkit.engine import registry
from simkit.engine.compile import jit
from simkit.web import make
from simkit.web.glue import sheet_of
from tests.web.page import Page

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not jit.COMPILED, reason="without the compiler there is no LLVM code"),
]


def test_webassembly_fills_the_rules_with_the_printed_rows_and_names_one_that_does_not_fit() -> None:
    game = registry.game("outpost_seven")
    page, sheet = Page(make(game, [registry.strategy(game, "random")])), sheet_of(game)
    assert sheet and sheet[1].rows and sheet[1].printed
    columns, rules = sheet[1].columns, game.rules({"card_set": "v40"}).copy()
    rows = sheet[1].rows(sheet[1].printed(game.resolve({"card_set": "v40"})))[1:]
    rules.flags.writeable = True
    rules["card_set"] = 0  # what the page begins with
    page.write("rules", game.rules({}).tobytes())
    page.write("sheet", encoded(columns, rows).tobytes())
    assert page.exports["fill"](page.store, len(rows)) == 0
    assert page.read("rules", rules.nbytes) == rules.tobytes()
    page.write("sheet", encoded(columns, [["blue", "2", "A"]]).tobytes())
    assert page.exports["fill"](page.store, len(rows)) == 1 + 2  # row 0, column 2
    assert page.exports["fill"](page.store, 0) == -1


def test_a_game_without_a_sheet_has_no_function_to_fill_it() -> None:
    game = registry.game("pig")
    assert sheet_of(game) is None
    assert "fill" not in Page(make(game, [registry.strategy(game, "random")])).exports
