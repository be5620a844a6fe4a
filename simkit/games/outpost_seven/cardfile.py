"""Reading of a designer's own cards from a file written by a spreadsheet (``--cards FILE``).

Plain text (UTF-8): a header, then one row per card; commas, semicolons or tabs (judged by the header). At
most 96 cards with values 1 to 6; ids go in file order. Population cards in it (again at most 96) replace the
usual 15.

**Simple layout.** `spaces` from top to bottom, as many as the value: `.` plain, `A` place cube, `R` remove
cube, `P` add population. The value of a population card is its icons, 0 to 6. Columns `id`, `name`, `note`
are ignored.

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
    2,,green_resource.pdf,5,bonus_remove_cube.pdf,empty.pdf,empty.pdf,bonus_green_pop.pdf,empty.pdf,
    3,bonus_ref_red.pdf,,,,,,,,
    4,start_2.pdf,,,,,,,,

A row with a colour in `@module_resource_1` is a card (the background does not count), one with `start_N.pdf`
in any column a population card with N icons. Other rows and columns are ignored, which is said; a row with a
value or bonus icons but no colour is an error, because a card would be lost.
"""

import csv
import io
import itertools
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from simkit.errors import UsageError, unknown

from . import cardrows
from .cardrows import COLOURS, CUBE_COLUMNS, IGNORED, SPACE_COLUMNS, Card, Parsed, Row, count, shown

MOST_CARDS = 96
MOST_BYTES = 1_000_000
SIMPLE = ("colour", "value", "spaces", *SPACE_COLUMNS)
SHEET = ("index", "@background", cardrows.COLOUR, cardrows.VALUE, *CUBE_COLUMNS)
OF_A_SHEET = re.compile(r"(@module_resource|text_module_resource|@cube)_?\d*")
HEADERS = (
    "'colour,value,spaces' or 'colour,value,space_1,...,space_6' "
    "or 'index,@background,@module_resource_1,text_module_resource_1,@cube_1,...,@cube_6'"
)
A_FILE = "name a file of cards (.csv or .tsv)"
AS_TEXT = "export the sheet as CSV (UTF-8)"


@dataclass(frozen=True)
class CardSheet:
    """A file of cards in file order (ids are positions); `said` is one line on what was read and ignored."""

    colours: tuple[int, ...]
    spaces: tuple[str, ...]
    population: tuple[int, ...]
    summary: str

    @property
    def values(self) -> tuple[int, ...]:
        """Values of the cards: as many as they have spaces (O7-1.3)."""
        return tuple(map(len, self.spaces))


def read_cards(path: Path) -> CardSheet:
    """Return the cards in a file of either layout; raise UsageError for unusable input."""
    file = shown(str(path), 200)
    records = split(text_of(path, file), file)
    line, titles = next(records, (0, []))
    if not titles:
        raise UsageError(f"{file}: is empty; the first line must be a header: {HEADERS}")
    names = [column_name(title) for title in titles]
    parse = layout_of(names, f"{file}, line {line}")
    rows = (row_of(names, cells, f"{file}, line {line}", line) for line, cells in records)
    parsed = [(row, parse(row)) for row in rows]
    cards, population = at_most(parsed, Card, "cards"), at_most(parsed, int, "population cards")
    if not cards:
        raise UsageError(f"{file}: no module cards in it; every card is one row under the header")
    ignored = [row.line for row, content in parsed if content is None]
    unread = [name for name in names if name and name not in (*SIMPLE, *SHEET)]
    sentence = summary(path.name, cards, len(population), ignored, unread)
    colours, spaces = zip(*cards, strict=True)
    return CardSheet(colours, spaces, tuple(population), sentence)


def at_most(parsed: list[tuple[Row, Parsed]], kind: type, noun: str) -> list[Any]:
    """Return the parsed contents of a kind; raise UsageError if there are more than MOST_CARDS."""
    chosen = [pair for pair in parsed if isinstance(pair[1], kind)]
    for row, _ in chosen[MOST_CARDS : MOST_CARDS + 1]:
        number = f"this is number {MOST_CARDS + 1} of the {noun}"
        raise UsageError(f"{row.place}: {number}; at most {MOST_CARDS}")
    return [held for _, held in chosen]


def text_of(path: Path, file: str) -> str:
    """Return the text of the file with plain line ends."""
    data = bytes_of(path, file)
    if data.startswith(b"PK"):
        raise UsageError(f"{file}: is a spreadsheet file, not text; {AS_TEXT}")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = len(re.findall(rb"\r\n|\r|\n", data[: error.start])) + 1
        raise UsageError(f"{file}, line {line}: is not UTF-8 text; {AS_TEXT}") from None
    if "\0" in text:
        raise UsageError(f"{file}: is not UTF-8 text; {AS_TEXT}")
    return re.sub("\r\n?", "\n", text)


def bytes_of(path: Path, file: str) -> bytes:
    """Return the bytes of the file."""
    try:
        if path.is_dir():
            raise UsageError(f"{file}: is a folder; {A_FILE}")
        if not path.exists():
            raise UsageError(f"{file}: no such file; {A_FILE}")
        if not path.is_file() or path.stat().st_size > MOST_BYTES:
            right = f"it must be a plain file of at most {MOST_BYTES} bytes"
            raise UsageError(f"{file}: is not a file of cards; {right}")
        return path.read_bytes()
    except OSError as error:
        raise UsageError(f"{file}: cannot be read ({error.strerror}); {A_FILE}") from None


def split(text: str, file: str) -> Iterator[tuple[int, list[str]]]:
    """Yield the rows that are not blank, each with the line it begins on."""
    stream = io.StringIO(text, newline="")
    reader = csv.reader(stream, delimiter=delimiter_of(text), skipinitialspace=True, strict=True)
    line = 1
    try:
        for cells in reader:
            if any(cell.strip() for cell in cells):
                yield line, [cell.strip() for cell in cells]
            line = reader.line_num + 1
    except csv.Error as error:
        wrong = shown(str(error).replace("\t", "tab"))
        right = 'a quote (") that opens a cell must close at its end, quotes inside are doubled'
        raise UsageError(f"{file}, line {line}: the cells cannot be told apart ({wrong}); {right}") from None


def delimiter_of(text: str) -> str:
    """Return the delimiter of the cells, judged by the first line that is not blank.

    >>> delimiter_of("colour;value;spaces")
    ';'
    """
    header = next((line for line in text.split("\n") if line.strip()), "")
    return max(",;\t", key=header.count)


def row_of(names: list[str], cells: list[str], at: str, line: int) -> Row:
    """Return cells under their column names; raise UsageError for a cell outside the named columns."""
    if len(cells) == 1 and re.search("[,;\t]", cells[0]):
        wrong = f"separates its cells otherwise than the header: '{shown(cells[0])}'"
        raise UsageError(f"{at}: {wrong}; use one separator in the whole file")
    pairs = list(itertools.zip_longest(names, cells, fillvalue=""))
    for place, (name, cell) in enumerate(pairs, start=1):
        if cell and not name:
            wrong = f"'{shown(cell)}' stands under no column name"
            raise UsageError(f"{at}, column {place}: {wrong}; empty the cell, or name its column")
    return Row(at, line, {name: cell for name, cell in pairs if name})


def column_name(title: str) -> str:
    """
    >>> column_name("Space 1"), column_name("Color")
    ('space_1', 'colour')
    """
    name = "_".join(title.lower().split())
    return "colour" if name == "color" else name


def layout_of(names: list[str], at: str) -> Callable[[Row], Parsed]:
    """Return the reader for rows under this header; raise UsageError for a header of neither layout."""
    for previous, name in itertools.pairwise(sorted(names)):
        if name and name == previous:
            raise UsageError(f"{at}, column {shown(name)}: is there twice; every column once")
    sheet = [name for name in names if OF_A_SHEET.fullmatch(name)]
    if sheet:
        check_columns(sheet, SHEET, SHEET[2:], at)
        return cardrows.parse_sheet_row
    if not set(SIMPLE).intersection(names):
        raise UsageError(f"{at}: header not recognised: '{shown(', '.join(names))}'; it must be {HEADERS}")
    single = [name for name in SPACE_COLUMNS if name in names]
    if single and "spaces" in names:
        right = "give either spaces or space_1 to space_6"
        raise UsageError(f"{at}, column spaces: is there beside {single[0]}; {right}")
    spaces = SPACE_COLUMNS[: int(single[-1][-1])] if single else ("spaces",)
    check_columns(names, (*SIMPLE, *IGNORED), ("colour", "value", *spaces), at)
    return cardrows.parse_simple_row


def check_columns(names: list[str], allowed: tuple[str, ...], required: tuple[str, ...], at: str) -> None:
    """Raise UsageError for a column that is not allowed, or a required one that is missing."""
    for name in filter(None, names):
        if name not in allowed:
            raise unknown("column", shown(name), allowed, at)
    for name in required:
        if name not in names:
            raise UsageError(f"{at}, column {name}: is missing; the header must be {HEADERS}")


def summary(name: str, cards: list[Card], population: int, ignored: list[int], unread: list[str]) -> str:
    """Return one line on what was read and what was ignored."""
    colours = [card.colour for card in cards]
    each = ", ".join(f"{colours.count(index)} {colour}" for index, colour in enumerate(COLOURS))
    read = f"{count(len(colours), 'card')} ({each}), {count(population, 'population card')} read"
    parts = [f"{shown(name)}: {read}"]
    if ignored:
        parts.append(f"{count(len(ignored), 'row')} ignored (no card: {line_ranges(ignored)})")
    if unread:
        parts.append(f"{count(len(unread), 'column')} ignored ({shown(', '.join(unread), 80)})")
    return "; ".join(parts)


def line_ranges(lines: list[int]) -> str:
    """
    >>> line_ranges([56, 57, 58, 60])
    'lines 56-58, 60'
    """
    runs = np.split(lines, np.flatnonzero(np.diff(lines) > 1) + 1)
    texts = [f"{run[0]}-{run[-1]}" if len(run) > 1 else f"{run[0]}" for run in runs]
    more = ", ..." if len(texts) > 8 else ""
    return f"line{'s' if len(lines) > 1 else ''} {', '.join(texts[:8])}{more}"
