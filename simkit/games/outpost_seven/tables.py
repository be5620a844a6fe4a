"""Outpost Seven: the component tables of the rules record (O7-1, O7-5.3)."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from simkit.engine.fields import Field, scalar
from simkit.engine.toml_files import read_toml
from simkit.errors import UsageError

from .cardfile import CardSheet
from .facts import BYTE, MAX_CARDS, MAX_CELLS, MAX_CROSS, SPACES, Covered

DATA = read_toml(Path(__file__).with_name("components.toml"))
COLOURS: list[str] = DATA["colours"]
SEATS: list[str] = DATA["seats"]
LETTERS = ".ARP"  # by kind of bonus

TABLES = [
    scalar("cards", "i1", "Module cards"),
    Field("value", "i1", (MAX_CARDS,), "Value of a card = its spaces [card]"),
    Field("colour", "i1", (MAX_CARDS,), "Colour of a card, 0 blue 1 green 2 purple [card]"),
    Field("bonus", "i1", (MAX_CARDS, SPACES), "Bonus: 0 plain 1 PLACE 2 REMOVE 3 POP [card, space]"),
    Field("bonus_mask", "i1", (MAX_CARDS,), "Bit s set = space s has a bonus [card]"),
    Field("covered", "i8", (MAX_CARDS, SPACES + 1), "What n cubes cover, see `Covered` [card, n]"),
    scalar(
        "settled",
        "i1",
        "1 = bonuses act on one cross and no card with cubes turns neutral: O7-6.7 never asks",
    ),
    scalar("population_cards", "i1", "Population cards"),
    Field("icons", "i1", (MAX_CARDS,), "Icons of a population card [card]"),
    scalar("cells", "i1", "Cells of the grid"),
    scalar("lines", "i1", "Rows and columns together"),
    Field("row_of", "i1", (MAX_CELLS,), "Line index of the cell's row [cell]"),
    Field("col_of", "i1", (MAX_CELLS,), "Line index of the cell's column [cell]"),
    Field("cross", "i1", (MAX_CELLS, MAX_CROSS), "Cells of the row, then of the column [cell, i]"),
    scalar("cross_size", "i1", "Cells in a cross"),
    Field("neighbours", "i8", (MAX_CELLS,), "Bit c set = cell c is adjacent [cell]"),
    scalar("first_cells", "i8", "Bit c set = the first module may go to cell c"),
]


def tables(options: dict[str, Any], files: dict[str, CardSheet]) -> dict[str, Any]:
    """Return card layouts and grid geometry for the options (and the designer's cards) in force."""
    sheet = files.get("cards") or printed_cards(options["card_set"])
    icons = sheet.population or tuple(DATA["population"])
    check(options, len(sheet.values), len(icons))
    population = {"population_cards": len(icons), "icons": padded(icons, MAX_CARDS)}  # (O7-1.5)
    cards = card_tables(sheet)
    one_cross = options["bonus_origin"] == "played" and options["cube_supply"] == 0
    order = {
        "settled": settled(one_cross, *(cards[name][: cards["cards"]] for name in ("bonus", "bonus_mask")))
    }
    return cards | order | population | grid_tables(options)


def printed_cards(card_set: str) -> CardSheet:
    """Return the 54 cards of a set, id = 18 * colour + k (O7-1.2, O7-1.4)."""
    layouts, n = DATA["card_sets"][card_set]["layouts"], len(COLOURS)
    colours = tuple(colour for colour in range(n) for _ in layouts)
    return CardSheet(colours, tuple(layouts) * n, (), f"card set {card_set}")


def printed(options: dict[str, Any]) -> CardSheet:
    """Return the cards of the set in force with its population cards."""
    return replace(printed_cards(options["card_set"]), population=tuple(DATA["population"]))


def card_rows(sheet: CardSheet) -> list[list[str]]:
    """Return the cards as rows of a file in the simple layout, population cards last."""
    cards = zip(sheet.colours, sheet.spaces, strict=True)
    rows = [[COLOURS[colour], str(len(spaces)), spaces] for colour, spaces in cards]
    people = [["population", str(icons), ""] for icons in sheet.population or DATA["population"]]
    return [["colour", "value", "spaces"], *rows, *people]


def check(options: dict[str, Any], cards: int, population_cards: int) -> None:
    """Raise UsageError for options that the components cannot serve (O7-2.2, O7-2.7, O7-4.7)."""
    needed = 2 * options["deal_size"] + options["initial_discards"] + options["faceup"]
    lines, limit = options["rows"] + options["cols"], options["first_turn_salvage_limit"]
    only = "but there are only"
    if needed > cards:
        total = f"2 * deal_size + initial_discards + faceup = {needed}"
        raise UsageError(f"{total}, {only} {cards} cards (O7-2.7)")
    if lines > population_cards:
        raise UsageError(f"rows + cols = {lines}, {only} {population_cards} population cards (O7-2.2)")
    if 0 < limit < 6:
        raise UsageError(f"option first_turn_salvage_limit = {limit}: 0 (as always) or 6 to 30 (O7-4.7)")


def card_tables(sheet: CardSheet) -> dict[str, Any]:
    """Return value, colour and bonuses by card id."""
    bonus = np.zeros((MAX_CARDS, SPACES), np.int8)
    for card, spaces in enumerate(sheet.spaces):
        bonus[card, : len(spaces)] = [LETTERS.index(letter) for letter in spaces]
    value, colour = padded(sheet.values, MAX_CARDS), padded(sheet.colours, MAX_CARDS)
    mask = (bonus > 0) @ (1 << np.arange(SPACES))
    tables = {"value": value, "colour": colour, "bonus": bonus, "bonus_mask": mask}
    tables["covered"] = covered(bonus, colour)
    return {"cards": len(sheet.values)} | tables


def covered(bonus: np.ndarray, colour: np.ndarray) -> np.ndarray:
    """Return what cubes on the first n spaces of a card cover, int64[card, n]: see `Covered`."""
    places, removes = Covered.places, Covered.removes
    byte = np.array([np.zeros_like(colour), colour * 0 + places, colour * 0 + removes, Covered.pops + colour])
    increments = np.where(bonus > 0, 1 << BYTE * byte[bonus, np.arange(len(bonus))[:, np.newaxis]], 0)
    return np.pad(np.cumsum(increments + (1 << BYTE * Covered.cubes), axis=1), ((0, 0), (1, 0)))


def settled(one_cross: bool, bonus: np.ndarray, bonus_mask: np.ndarray) -> bool:
    """Return whether the order of bonuses never matters (O7-6.7).

    All act on one cross, no supply of cubes runs out, and a card that has cubes keeps one: the cube on its
    highest space is locked by a bonus, or there is no REMOVE.
    """
    locked = (bonus_mask & 1).all()
    return bool(one_cross and (locked or not (bonus == LETTERS.index("R")).any()))


def padded(values: Sequence[int] | np.ndarray, size: int) -> np.ndarray:
    """Return the values, and zeros up to the size."""
    return np.pad(values, (0, size - len(values)))


def grid_tables(options: dict[str, Any]) -> dict[str, Any]:
    """Return lines, crosses and neighbours of the cells; cell = row * cols + column (O7-1.9, O7-5.3)."""
    rows, cols = options["rows"], options["cols"]
    cells = np.arange(rows * cols)
    row, col = np.divmod(cells, cols)
    down, across = (abs(line - line[:, np.newaxis]) for line in (row, col))
    away = down + across
    near = {"orthogonal": away == 1, "king": np.maximum(down, across) == 1, "none": away > 0}
    cross = np.zeros((MAX_CELLS, MAX_CROSS), np.int8)
    for cell in cells:
        column = np.flatnonzero((across[cell] == 0) & (down[cell] > 0))
        cross[cell, : rows + cols - 1] = [*np.flatnonzero(down[cell] == 0), *column]
    centre = (rows // 2) * cols + cols // 2
    return {
        "cells": cells.size, "lines": rows + cols, "cross": cross, "cross_size": rows + cols - 1,
        "row_of": padded(row, MAX_CELLS), "col_of": padded(rows + col, MAX_CELLS),
        "neighbours": padded(near[options["adjacency"]] @ (1 << cells), MAX_CELLS),
        "first_cells": 1 << centre if options["first_cell"] == "centre" else (1 << cells.size) - 1,
    }  # fmt: skip
