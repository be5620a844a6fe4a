"""Tables without a function to fill them: what a page changes in the rules is what the game makes of the table."""

from __future__ import annotations

import base64
import random
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from simkit.engine import registry
from simkit.engine.components import Column
from simkit.web import cells
from simkit.web.dials import FOLDER

if TYPE_CHECKING:
    from playwright.sync_api import Browser

EDITED = {
    "exoplanet_colony": "modules",
    "lunar_outpost": "events",
    "outpost": "factories",
    "red_outpost": "mood_track",
}
OTHER = {"exoplanet_colony": {"scenario": 4}, "red_outpost": {"start_vp": 3}}


def a_table(name: str, options: dict[str, Any]) -> tuple[cells.CellTable, cells.Rows, bytes]:
    """Return the table of a game, other rows for it, and the rules record that the game makes of these."""
    game = registry.game(name)
    table = cells.cell_table(game, options, {})
    assert table is not None and table.name == EDITED[name]
    rows = cells._shuffled(table.columns, table.rows, random.Random(99))
    read = cells._read(game.components.files[table.name], [[its.name for its in table.columns], *rows])
    return table, rows, game.rules(options, {table.name: read}).tobytes()


@pytest.mark.parametrize("options", [{}, OTHER], ids=["printed", "other"])
@pytest.mark.parametrize("name", list(EDITED))
def test_each_cell_knows_the_numbers_of_the_record_that_follow_it(name: str, options: dict[str, Any]) -> None:
    given = options.get(name, {})
    table, rows, expected = a_table(name, given)
    record = bytearray(registry.game(name).rules(given).tobytes())
    for r, row in enumerate(table.places):
        for c, places in enumerate(row):
            for offset, kind in places:
                number = np.frombuffer(record, kind, 1, offset)
                number[0] += int(rows[r][c]) - int(table.rows[r][c])
    assert bytes(record) == expected


def test_a_game_without_tables_or_with_letters_in_them_has_none() -> None:
    for name in ("pig", "outpost_seven"):
        assert cells.cell_table(registry.game(name), {}, {}) is None


def test_a_table_is_not_edited_if_two_of_its_cells_agree_in_all_trials(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(cells, "TRIALS", 2)  # too few to tell all cells from each other
    assert cells.cell_table(registry.game("lunar_outpost"), {}, {}) is None


def test_numbers_below_0_are_tried_out_too() -> None:
    columns = [Column("change", low=-4, high=0), Column("name")]
    rows = cells._shuffled(columns, [["-1", "rain"]] * 20, random.Random(1))
    assert {int(change) for change, _ in rows} == {-4, -3, -2, -1, 0} and {name for _, name in rows} == {
        "rain"
    }


@pytest.mark.browser
@pytest.mark.parametrize("name", list(EDITED))
def test_the_script_changes_the_record_as_the_game_does(name: str, browser: Browser) -> None:
    table, rows, expected = a_table(name, {})
    page = browser.new_page()
    page.add_script_tag(
        content="\n".join((FOLDER / f"{part}.js").read_text() for part in ("player", "settings"))
    )
    content = {
        "base": base64.b64encode(registry.game(name).rules({}).tobytes()).decode(),
        "sheet": {"places": table.places, "rows": table.rows},
        "layout": {"blocks": {"rules": {"fields": {}}}},
        "options": [],
        "presets": {},
        "given": {},
    }
    numbers = [
        [int(text) if its.low < its.high else 0 for its, text in zip(table.columns, row, strict=True)]
        for row in rows
    ]
    record: Any = page.evaluate(
        "([page, sheet]) => [...new Rules(page).record({}, sheet)]", [content, numbers]
    )
    assert bytes(record) == expected
    page.close()
