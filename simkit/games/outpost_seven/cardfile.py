"""A designer's own cards: read from a file that a spreadsheet writes (``--cards FILE``).

The file is plain text (UTF-8), its first line is a header, every further row is one card. Cells are separated by
commas, semicolons or tabs (found out from the header). Blank lines do not matter, nor do capital letters.
At most 96 cards with values 1 to 6; a card gets its id from its place in the file. Population cards in the file (again
at most 96) replace the usual 15; a file without any keeps those. There are two layouts.

**Simple layout.** Columns `colour` (or `color`): blue, green, purple; `value`: 1 to 6; and `spaces`: the spaces of the
card from top to bottom, as many as its value, `.` plain, `A` place cube, `R` remove cube, `P` add population. A row
with the colour `population` is a population card: its value is the number of icons (0 to 6), it has no spaces. Columns
`id`, `name` and `note` may be there and are ignored, as are rows with nothing outside them:

    colour,value,spaces,note
    blue,3,A..,
    green,5,A..P.,my favourite
    purple,6,A.AR.P,
    population,2,,

The spaces may also have a column each, `space_1` to `space_6`, left empty beyond the value:

    colour,value,space_1,space_2,space_3,space_4,space_5,space_6
    blue,3,A,.,.,,,
    green,5,A,.,.,P,.,

**Layout sheet.** The sheet that feeds the card layout software, as exported:

    index,@background,@module_resource_1,text_module_resource_1,@cube_1,@cube_2,@cube_3,@cube_4,@cube_5,@cube_6
    1,blue_module_3.pdf,blue_resource.pdf,3,bonus_add_cube.pdf,empty.pdf,empty.pdf,,,
    2,green_module_5.pdf,green_resource.pdf,5,bonus_remove_cube.pdf,empty.pdf,empty.pdf,bonus_green_pop.pdf,empty.pdf,
    3,bonus_ref_red.pdf,,,,,,,,
    4,start_2.pdf,,,,,,,,

A row with a colour in `@module_resource_1` is a card. Only that column tells its colour, not the background. A cube
column holds `empty.pdf` (plain), `bonus_add_cube.pdf`, `bonus_remove_cube.pdf` or the population icon of the card's own
colour (`bonus_blue_pop.pdf`), and nothing beyond the value. A row with `start_N.pdf` in any column is a population card
with N icons (0 to 6). All other rows (reference cards, backs) are ignored, and so are further columns; both are said.
A row with a value or bonus icons but no colour is not ignored: it is an error, because a card would be lost.
"""

from __future__ import annotations

import csv
import io
import itertools
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from simkit.errors import UsageError, unknown

COLOURS = ("blue", "green", "purple")
MOST_CARDS = 96
MOST_BYTES = 1_000_000
IGNORED = ("id", "name", "note")
COLOUR, VALUE = "@module_resource_1", "text_module_resource_1"
SPACE_COLUMNS = tuple(f"space_{n}" for n in range(1, 7))
CUBE_COLUMNS = tuple(f"@cube_{n}" for n in range(1, 7))
MODULE_COLUMN = re.compile(r"(@module_resource|text_module_resource|@cube)_?\d*")
START = re.compile(r"start_[0-9]+\.pdf", re.IGNORECASE)
NUMBER = re.compile(r"[\d.,+-]+")
HEADERS = (
    "'colour,value,spaces' or 'colour,value,space_1,...,space_6' "
    "or 'index,@background,@module_resource_1,text_module_resource_1,@cube_1,...,@cube_6'"
)


@dataclass(frozen=True)
class CardSheet:
    """What a file of cards holds, in file order (ids are positions). `said`: in one line, what was read and ignored."""

    colours: tuple[int, ...]
    values: tuple[int, ...]
    spaces: tuple[str, ...]
    population: tuple[int, ...]
    said: str


@dataclass(frozen=True)
class Card:
    """One module card: colour index, and its spaces from top to bottom (O7-1.3)."""

    colour: int
    spaces: str


@dataclass(frozen=True)
class Row:
    """One row of the file: the line it begins on, and its cells by column name."""

    file: str
    line: int
    cells: dict[str, str]

    def __getitem__(self, column: str) -> str:
        return self.cells.get(column, "")

    def at(self, column: str) -> str:
        return f"{self.file}, line {self.line}, column {column}"

    def fault(self, column: str, wrong: str, right: str) -> UsageError:
        return UsageError(f"{self.at(column)}: {wrong}; {right}")


Found = Card | int | None  # a module card, the icons of a population card, or a row to ignore


def read_cards(path: Path) -> CardSheet:
    """The cards in a file, in either layout (see the top of this module). Input that cannot be used is a UsageError."""
    file = shown(str(path), 200)
    text = text_of(path, file)
    records = split(text, file)
    line, titles = next(records, (0, []))
    if not titles:
        raise UsageError(f"{file}: is empty; the first line must be a header: {HEADERS}")
    names = [column_name(title) for title in titles]
    found_in = layout_of(names, f"{file}, line {line}")
    rows = (row_of(names, cells, file, line) for line, cells in records)
    return collect(((row, found_in(row)) for row in rows), file, path.name, unread(names))


def collect(found: Iterator[tuple[Row, Found]], file: str, name: str, columns: list[str]) -> CardSheet:
    """Sorts what the rows hold into cards, population cards and ignored rows."""
    cards: list[Card] = []
    population: list[int] = []
    ignored: list[int] = []
    for row, what in found:
        if isinstance(what, Card):
            cards.append(what)
        elif what is not None:
            population.append(what)
        else:
            ignored.append(row.line)
        check_amount(row, len(cards), "cards")
        check_amount(row, len(population), "population cards")
    if not cards:
        raise UsageError(f"{file}: no module cards in it; every card is one row under the header")
    return CardSheet(
        colours=tuple(card.colour for card in cards),
        values=tuple(len(card.spaces) for card in cards),
        spaces=tuple(card.spaces for card in cards),
        population=tuple(population),
        said=summary(name, cards, len(population), ignored, columns),
    )


def check_amount(row: Row, amount: int, what: str) -> None:
    if amount > MOST_CARDS:
        raise UsageError(
            f"{row.file}, line {row.line}: this is number {amount} of the {what}; at most {MOST_CARDS}"
        )


# ------------------------------------------------------------------------------------------------ from file to rows


def text_of(path: Path, file: str) -> str:
    """The file as text with plain line ends."""
    data = bytes_of(path, file)
    if data.startswith(b"PK"):
        raise UsageError(f"{file}: is a spreadsheet file, not text; export the sheet as CSV (UTF-8)")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data[: error.start].replace(b"\r\n", b"\n").replace(b"\r", b"\n").count(b"\n") + 1
        raise UsageError(f"{file}, line {line}: is not UTF-8 text; export the sheet as CSV (UTF-8)") from None
    if "\0" in text:
        raise UsageError(f"{file}: is not UTF-8 text; export the sheet as CSV (UTF-8)")
    return text.replace("\r\n", "\n").replace("\r", "\n")


def bytes_of(path: Path, file: str) -> bytes:
    try:
        if path.is_dir():
            raise UsageError(f"{file}: is a folder; name a file of cards (.csv or .tsv)")
        if not path.exists():
            raise UsageError(f"{file}: no such file; name a file of cards (.csv or .tsv)")
        if not path.is_file() or path.stat().st_size > MOST_BYTES:
            raise UsageError(
                f"{file}: is not a file of cards; it must be a plain file of at most {MOST_BYTES} bytes"
            )
        return path.read_bytes()
    except OSError as error:
        raise UsageError(
            f"{file}: cannot be read ({error.strerror}); name a file of cards (.csv or .tsv)"
        ) from None


def split(text: str, file: str) -> Iterator[tuple[int, list[str]]]:
    """The rows that are not blank, each with the line it begins on."""
    stream = io.StringIO(text, newline="")
    reader = csv.reader(stream, delimiter=delimiter_of(text), skipinitialspace=True, strict=True)
    line = 1
    try:
        for cells in reader:
            if any(cell.strip() for cell in cells):
                yield line, [cell.strip() for cell in cells]
            line = reader.line_num + 1
    except csv.Error as error:
        right = 'a quote (") that opens a cell must close at its end, quotes inside are doubled'
        raise UsageError(f"{file}, line {line}: the cells cannot be told apart ({error}); {right}") from None


def delimiter_of(text: str) -> str:
    """What separates the cells, judged by the first line that is not blank.

    >>> delimiter_of("colour;value;spaces")
    ';'
    """
    header = next((line for line in text.split("\n") if line.strip()), "")
    return max(",;\t", key=header.count)


def row_of(names: list[str], cells: list[str], file: str, line: int) -> Row:
    """Cells under their column names; no cell may lie outside the named columns."""
    if len(cells) == 1 and re.search("[,;\t]", cells[0]):
        wrong = f"separates its cells otherwise than the header: '{shown(cells[0])}'"
        raise UsageError(f"{file}, line {line}: {wrong}; use one separator in the whole file")
    pairs = list(itertools.zip_longest(names, cells, fillvalue=""))
    for place, (name, cell) in enumerate(pairs, start=1):
        if cell and not name:
            wrong = f"'{shown(cell)}' stands under no column name"
            raise UsageError(
                f"{file}, line {line}, column {place}: {wrong}; empty the cell, or name its column"
            )
    return Row(file, line, {name: cell for name, cell in pairs if name})


# ---------------------------------------------------------------------------------------------------------- header


def column_name(title: str) -> str:
    """
    >>> column_name("Space 1"), column_name("Color")
    ('space_1', 'colour')
    """
    name = "_".join(title.lower().split())
    return "colour" if name == "color" else name


def layout_of(names: list[str], at: str) -> Callable[[Row], Found]:
    """The reader for rows under this header; a header of neither layout is an error."""
    for before, name in itertools.pairwise(sorted(names)):
        if name and name == before:
            raise UsageError(f"{at}, column {shown(name)}: is there twice; every column once")
    if any(MODULE_COLUMN.fullmatch(name) for name in names):
        check_sheet_header(names, at)
        return found_in_sheet
    if {"colour", "value", "spaces", *SPACE_COLUMNS}.intersection(names):
        check_simple_header(names, at)
        return found_in_simple
    raise UsageError(f"{at}: header not recognised: '{shown(', '.join(names))}'; it must be {HEADERS}")


def check_simple_header(names: list[str], at: str) -> None:
    for name in names:
        if name not in ("", "colour", "value", "spaces", *SPACE_COLUMNS, *IGNORED):
            raise unknown("column", shown(name), ("colour", "value", "spaces", *SPACE_COLUMNS, *IGNORED), at)
    single = [name for name in SPACE_COLUMNS if name in names]
    if single and "spaces" in names:
        raise UsageError(
            f"{at}, column spaces: is there beside {single[0]}; give either spaces or space_1 to space_6"
        )
    wanted = SPACE_COLUMNS[: int(single[-1][-1])] if single else ("spaces",)
    check_missing(("colour", "value", *wanted), names, at)


def check_sheet_header(names: list[str], at: str) -> None:
    known = ("index", "@background", COLOUR, VALUE, *CUBE_COLUMNS)
    for name in names:
        if MODULE_COLUMN.fullmatch(name) and name not in known:
            raise unknown("column", shown(name), known, at)
    check_missing((COLOUR, VALUE, *CUBE_COLUMNS), names, at)


def check_missing(wanted: tuple[str, ...], names: list[str], at: str) -> None:
    for name in wanted:
        if name not in names:
            raise UsageError(f"{at}, column {name}: is missing; the header must be {HEADERS}")


def unread(names: list[str]) -> list[str]:
    read = (
        "",
        "index",
        "@background",
        COLOUR,
        VALUE,
        *CUBE_COLUMNS,
        "colour",
        "value",
        "spaces",
        *SPACE_COLUMNS,
    )
    return [name for name in names if name not in read]


# --------------------------------------------------------------------------------------------------- simple layout


def found_in_simple(row: Row) -> Found:
    if not any(cell for name, cell in row.cells.items() if name not in IGNORED):
        return None
    colour = row["colour"].lower()
    if colour == "population":
        return population_of(row)
    if not colour:
        raise row.fault("colour", "is empty", f"it must be one of {', '.join(COLOURS)}, population")
    if colour not in COLOURS:
        raise unknown("colour", shown(row["colour"]), (*COLOURS, "population"), row.at("colour"))
    value = number(row, "value", 1)
    if "spaces" in row.cells:
        return Card(COLOURS.index(colour), spaces_in_one(row, value))
    return Card(COLOURS.index(colour), spaces_in_columns(row, SPACE_COLUMNS, value, letter_of))


def population_of(row: Row) -> int:
    for column in ("spaces", *SPACE_COLUMNS):
        if row[column]:
            raise row.fault(
                column, f"'{shown(row[column])}' on a population card", "it has no spaces, only a value"
            )
    return number(row, "value", 0)


def spaces_in_one(row: Row, value: int) -> str:
    spaces = row["spaces"].upper().replace("…", "...")
    wrong = re.search("[^.ARP]", spaces)
    if wrong:
        raise row.fault(
            "spaces", f"'{shown(wrong[0])}' in '{shown(row['spaces'])}'", "only the letters . A R P"
        )
    check_length(row, "spaces", spaces, value)
    return spaces


def letter_of(row: Row, column: str) -> str:
    letter = row[column].upper()
    if letter not in (".", "A", "R", "P"):
        raise row.fault(
            column, f"'{shown(row[column])}' is no space", "it must be one of the letters . A R P"
        )
    return letter


# ---------------------------------------------------------------------------------------------------- layout sheet


def found_in_sheet(row: Row) -> Found:
    starts = [column for column, cell in row.cells.items() if START.fullmatch(cell)]
    if not starts:
        return card_in_sheet(row) if looks_like_card(row) else None
    icon = shown(row[starts[-1]])
    if len(starts) > 1:
        raise row.fault(
            starts[-1], f"'{icon}' beside '{shown(row[starts[0]])}'", "a row is one population card"
        )
    if looks_like_card(row):
        raise row.fault(starts[0], f"'{icon}' in the row of a module card", "a row is one card")
    icons = icon[6:-4]
    if icons not in [str(n) for n in range(7)]:
        raise row.fault(
            starts[0], f"'{icon}' is no population card", "it must be one of start_0.pdf to start_6.pdf"
        )
    return int(icons)


def looks_like_card(row: Row) -> bool:
    """A colour, a value or a bonus icon: such a row is a card, or a mistake; it is never ignored."""
    bonus = any(row[column].lower().startswith("bonus_") for column in CUBE_COLUMNS)
    colour = row[COLOUR] and not START.fullmatch(row[COLOUR])
    return bool(colour or bonus or NUMBER.fullmatch(row[VALUE]))


def card_in_sheet(row: Row) -> Card:
    words = [f"{name}_resource.pdf" for name in COLOURS]
    colour = row[COLOUR].lower()
    if not colour:
        raise row.fault(
            COLOUR, "is empty, but the row has a value or bonus icons", f"it must be {', '.join(words)}"
        )
    if colour not in words:
        raise unknown("colour", shown(row[COLOUR]), words, row.at(COLOUR))
    value = number(row, VALUE, 1)
    return Card(words.index(colour), spaces_in_columns(row, CUBE_COLUMNS, value, icon_of))


def icon_of(row: Row, column: str) -> str:
    """The letter of a cube column's icon; a POP icon has the colour of its own card (O7-1.3)."""
    own = row[COLOUR].lower().removesuffix("_resource.pdf")
    letters = {
        "empty.pdf": ".",
        "bonus_add_cube.pdf": "A",
        "bonus_remove_cube.pdf": "R",
        f"bonus_{own}_pop.pdf": "P",
    }
    icon = row[column].lower()
    if icon in [f"bonus_{colour}_pop.pdf" for colour in COLOURS if colour != own]:
        wrong = f"'{shown(row[column])}' on a {own} card"
        raise row.fault(column, wrong, f"the population icon has the colour of its card: bonus_{own}_pop.pdf")
    if icon not in letters:
        raise unknown("icon", shown(row[column]), letters, row.at(column))
    return letters[icon]


# ------------------------------------------------------------------------------------------------ parts of both


def spaces_in_columns(
    row: Row, columns: tuple[str, ...], value: int, letter: Callable[[Row, str], str]
) -> str:
    """One space in each column; columns are empty only after the last space."""
    used = [column for column in columns if row[column]]
    for column, gap in zip(used, columns, strict=False):
        if column != gap:
            raise row.fault(
                column, f"'{shown(row[column])}' after the empty {gap}", "fill the spaces without gaps"
            )
    spaces = "".join(letter(row, column) for column in used)
    check_length(row, columns[min(len(spaces), value, 5)], spaces, value)
    return spaces


def check_length(row: Row, column: str, spaces: str, value: int) -> None:
    if len(spaces) != value:
        wrong = f"{count(len(spaces), 'space')} on a card of value {value}"
        raise row.fault(column, wrong, "a card has as many spaces as its value")


def number(row: Row, column: str, least: int) -> int:
    text = row[column]
    if text not in [str(n) for n in range(least, 7)]:
        wrong = f"'{shown(text)}'" if text else "is empty"
        raise row.fault(column, wrong, f"it must be a whole number from {least} to 6")
    return int(text)


def shown(text: str, most: int = 40) -> str:
    """Text from outside, fit for one line of a message."""
    text = text if text.isprintable() else ascii(text)[1:-1]
    return text if len(text) <= most else text[: most - 3] + "..."


def summary(name: str, cards: list[Card], population: int, ignored: list[int], columns: list[str]) -> str:
    """What was read and what was ignored, in one line."""
    colours = [card.colour for card in cards]
    each = ", ".join(f"{colours.count(index)} {colour}" for index, colour in enumerate(COLOURS))
    parts = [
        f"{shown(name)}: {count(len(cards), 'card')} ({each}), {count(population, 'population card')} read"
    ]
    if ignored:
        parts.append(f"{count(len(ignored), 'row')} ignored (no card: {line_ranges(ignored)})")
    if columns:
        parts.append(f"{count(len(columns), 'column')} ignored ({shown(', '.join(columns), 80)})")
    return "; ".join(parts)


def count(n: int, word: str) -> str:
    return f"{n or 'no'} {word}{'' if n == 1 else 's'}"


def line_ranges(lines: list[int]) -> str:
    """
    >>> line_ranges([56, 57, 58, 60])
    'lines 56-58, 60'
    """
    runs: list[list[int]] = []
    for line in lines:
        if runs and line == runs[-1][-1] + 1:
            runs[-1].append(line)
        else:
            runs.append([line])
    texts = [f"{run[0]}-{run[-1]}" if len(run) > 1 else f"{run[0]}" for run in runs]
    more = ", ..." if len(texts) > 8 else ""
    return f"line{'s' if len(lines) > 1 else ''} {', '.join(texts[:8])}{more}"
