"""Rows of a designer's own cards, in either layout (see `cardfile`)."""

import re
from collections.abc import Callable
from typing import NamedTuple

from simkit.engine.sheet_files import SheetRow, quote_cell
from simkit.errors import unknown
from simkit.formatting import counted

COLOURS = ("blue", "green", "purple")
IGNORED = ("id", "name", "note")
COLOUR, VALUE = "@module_resource_1", "text_module_resource_1"
SPACE_COLUMNS = tuple(f"space_{n}" for n in range(1, 7))
CUBE_COLUMNS = tuple(f"@cube_{n}" for n in range(1, 7))
MOST_VALUE = 6
START = re.compile(r"start_[0-9]+\.pdf", re.IGNORECASE)
NUMBER = re.compile(r"[\d.,+-]+")


class Card(NamedTuple):
    """A module card: colour index, and its spaces from top to bottom (O7-1.3)."""

    colour: int
    spaces: str


Parsed = Card | int | None  # a module card, the icons of a population card, or a row to ignore
Letter = Callable[[SheetRow, str], str]  # of a row's column


def parse_simple_row(row: SheetRow) -> Parsed:
    """Return the card or population value in a row of the simple layout, None where blank."""
    if not any(cell for name, cell in row.cells.items() if name not in IGNORED):
        return None
    colour, allowed = row["colour"].lower(), (*COLOURS, "population")
    if not colour:
        raise row.fault("colour", "is empty", f"it must be one of {', '.join(allowed)}")
    if colour not in allowed:
        raise unknown("colour", quote_cell(row["colour"]), allowed, row.at("colour"))
    if colour == "population":
        for column in filter(row.__getitem__, ("spaces", *SPACE_COLUMNS)):
            wrong = f"'{quote_cell(row[column])}' on a population card"
            raise row.fault(column, wrong, "it has no spaces, only a value")
        return row.integer("value", 0, MOST_VALUE)
    value = row.integer("value", 1, MOST_VALUE)
    in_one = "spaces" in row.cells
    spaces = spaces_in_one(row, value) if in_one else spaces_in_columns(row, value, SPACE_COLUMNS, letter_of)
    return Card(COLOURS.index(colour), spaces)


def spaces_in_one(row: SheetRow, value: int) -> str:
    spaces = row["spaces"].upper().replace("…", "...")
    wrong = re.search("[^.ARP]", spaces)
    if wrong:
        problem = f"'{quote_cell(wrong[0])}' in '{quote_cell(row['spaces'])}'"
        raise row.fault("spaces", problem, "only the letters . A R P")
    return checked(row, "spaces", spaces, value)


def letter_of(row: SheetRow, column: str) -> str:
    letter = row[column].upper()
    if letter not in (".", "A", "R", "P"):
        wrong = f"'{quote_cell(row[column])}' is no space"
        raise row.fault(column, wrong, "it must be one of the letters . A R P")
    return letter


def parse_sheet_row(row: SheetRow) -> Parsed:
    starts = [column for column, cell in row.cells.items() if START.fullmatch(cell)]
    if not starts:
        return card_in_sheet(row) if looks_like_card(row) else None
    last, icon = starts[-1], quote_cell(row[starts[-1]])
    if len(starts) > 1:
        raise row.fault(
            last, f"'{icon}' beside '{quote_cell(row[starts[0]])}'", "a row is one population card"
        )
    if looks_like_card(row):
        raise row.fault(last, f"'{icon}' in the row of a module card", "a row is one card")
    icons = row[last][len("start_") : -len(".pdf")]
    if icons not in map(str, range(MOST_VALUE + 1)):
        right = "it must be one of start_0.pdf to start_6.pdf"
        raise row.fault(last, f"'{icon}' is no population card", right)
    return int(icons)


def looks_like_card(row: SheetRow) -> bool:
    """Return whether a row has a colour, a value or a bonus icon, so that it is never ignored."""
    bonus = any(row[column].lower().startswith("bonus_") for column in CUBE_COLUMNS)
    colour = row[COLOUR] and not START.fullmatch(row[COLOUR])
    return bool(colour or bonus or NUMBER.fullmatch(row[VALUE]))


def card_in_sheet(row: SheetRow) -> Card:
    words = [f"{name}_resource.pdf" for name in COLOURS]
    if not row[COLOUR]:
        wrong = "is empty, but the row has a value or bonus icons"
        raise row.fault(COLOUR, wrong, f"it must be {', '.join(words)}")
    if row[COLOUR].lower() not in words:
        raise unknown("colour", quote_cell(row[COLOUR]), words, row.at(COLOUR))
    value = row.integer(VALUE, 1, MOST_VALUE)
    spaces = spaces_in_columns(row, value, CUBE_COLUMNS, icon_of)
    return Card(words.index(row[COLOUR].lower()), spaces)


def icon_of(row: SheetRow, column: str) -> str:
    """Return the letter of a cube column's icon; a POP icon has the colour of its own card (O7-1.3)."""
    own = row[COLOUR].lower().removesuffix("_resource.pdf")
    pops = {colour: f"bonus_{colour}_pop.pdf" for colour in COLOURS}
    letters = {"empty.pdf": ".", "bonus_add_cube.pdf": "A", "bonus_remove_cube.pdf": "R", pops[own]: "P"}
    icon = row[column].lower()
    if icon in pops.values() and icon != pops[own]:
        wrong = f"'{quote_cell(row[column])}' on a {own} card"
        raise row.fault(column, wrong, f"the population icon has the colour of its card: {pops[own]}")
    if icon not in letters:
        raise unknown("icon", quote_cell(row[column]), letters, row.at(column))
    return letters[icon]


def spaces_in_columns(row: SheetRow, value: int, columns: tuple[str, ...], letter: Letter) -> str:
    """Return the spaces, one per column; columns are empty only after the last space."""
    used = [column for column in columns if row[column]]
    for column, gap in zip(used, columns, strict=False):
        if column != gap:
            wrong = f"'{quote_cell(row[column])}' after the empty {gap}"
            raise row.fault(column, wrong, "fill the spaces without gaps")
    spaces = "".join(letter(row, column) for column in used)
    return checked(row, columns[min(len(spaces), value, MOST_VALUE - 1)], spaces, value)


def checked(row: SheetRow, column: str, spaces: str, value: int) -> str:
    if len(spaces) != value:
        wrong = f"{counted(len(spaces), 'space')} on a card of value {value}"
        raise row.fault(column, wrong, "a card has as many spaces as its value")
    return spaces
