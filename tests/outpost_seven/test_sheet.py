"""O7-1.2 to O7-1.5: cards that a page edits stand in the rules record as those of a file do."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from sheet_numbers import encoded

from simkit.engine.compile import jit
from simkit.games.outpost_seven import game
from simkit.games.outpost_seven.cardfile import read_cards
from simkit.web.glue import filler, sheet_of

SHEET = sheet_of(game)
assert SHEET and SHEET[1].rows and SHEET[1].printed
COLUMNS, PRINTED = SHEET[1].columns, SHEET[1].rows(SHEET[1].printed(game.resolve({})))[1:]


def record(rows: list[list[str]], options: dict[str, Any]) -> tuple[int, bytes]:
    """Return what `fill` returns for these rows, and the record that it wrote into."""
    rules = game.rules(options).copy()
    rules.flags.writeable = True
    entry = filler(game)
    assert entry
    return int(entry(rules, encoded(COLUMNS, rows), len(rows))), rules.tobytes()


def random_rows(rng: random.Random) -> list[list[str]]:
    cards = []
    for _ in range(rng.randint(40, 96)):
        value = rng.randint(1, 6)
        spaces = "".join(rng.choice(rng.choice([".ARP", ".AP", "AP"])) for _ in range(value))
        cards.append([rng.choice(["blue", "green", "purple"]), str(value), spaces])
    people = [["population", str(rng.randint(0, 6)), ""] for _ in range(rng.randint(12, 20))]
    rows = cards + people
    rng.shuffle(rows)
    return rows


@pytest.mark.parametrize("seed", range(20))
def test_edited_cards_give_the_record_of_the_same_file(seed: int, tmp_path: Path) -> None:
    rng = random.Random(seed)
    rows = random_rows(rng) if seed else PRINTED
    file = tmp_path / "cards.csv"
    file.write_text("\n".join(map(",".join, [["colour", "value", "spaces"], *rows])))
    options = {"bonus_origin": rng.choice(["played", "bonus_card"]), "cube_supply": rng.choice([0, 40])}
    assert record(rows, options) == (0, game.rules(options, {"cards": read_cards(file)}).tobytes())


@pytest.mark.parametrize(
    ("row", "column"),
    [
        (["blue", "3", "A."], 2),
        (["blue", "0", ""], 1),
        (["population", "2", "A"], 2),
        (["green", "1", "AA"], 2),
    ],
)
def test_a_row_that_does_not_fit_is_named(row: list[str], column: int) -> None:
    assert record([["blue", "1", "A"], row], {})[0] == 1 + 3 + column


def test_too_few_cards_and_too_many_are_refused() -> None:
    assert record([["blue", "1", "A"]], {})[0] == -1
    assert record([["blue", "1", "A"]] * 97, {})[0] == 1 + 96 * 3


@pytest.mark.skipif(not jit.COMPILED, reason="there is only plain Python")
def test_compiled_and_plain_python_write_the_same() -> None:
    rows, rules = (encoded(COLUMNS, random_rows(random.Random(1))), [game.rules({}).copy() for _ in range(2)])
    entry = filler(game)
    assert entry
    for function, own in zip((entry.compiled, entry.function), rules, strict=True):
        own.flags.writeable = True
        assert function(own, rows, np.int64(50)) == -1  # too few population cards, the others are written
    assert rules[0].tobytes() == rules[1].tobytes()
