"""Reading of a designer's own cards from a sheet (``--cards FILE``; see `simkit.engine.sheet_files`).

A header, then one row per card. At most 96 cards with values 1 to 6; ids go in file order. Population cards
in it (again at most 96) replace the usual 15.

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

import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from simkit.engine import sheet_files
from simkit.engine.sheet_files import Sheet, SheetRow, check_columns, quote_cell
from simkit.errors import UsageError
from simkit.formatting import counted

from . import cardrows
from .cardrows import COLOURS, CUBE_COLUMNS, IGNORED, SPACE_COLUMNS, Card, Parsed

MOST_CARDS = 96
SIMPLE = ("colour", "value", "spaces", *SPACE_COLUMNS)
SHEET = ("index", "@background", cardrows.COLOUR, cardrows.VALUE, *CUBE_COLUMNS)
OF_A_SHEET = re.compile(r"(@module_resource|text_module_resource|@cube)_?\d*")
HEADERS = (
    "'colour,value,spaces' or 'colour,value,space_1,...,space_6' "
    "or 'index,@background,@module_resource_1,text_module_resource_1,@cube_1,...,@cube_6'"
)


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
    sheet = sheet_files.read(path, (*SIMPLE, *IGNORED, *SHEET), HEADERS)
    parse = layout_of(sheet.columns, sheet.place)
    parsed = [(row, parse(row)) for row in sheet.rows]
    cards, population = at_most(parsed, Card, "cards"), at_most(parsed, int, "population cards")
    if not cards:
        file = quote_cell(str(path), 200)
        raise UsageError(f"{file}: no module cards in it; every card is one row under the header")
    ignored = [row.place.rpartition(", ")[2] for row, content in parsed if content is None]
    line, (colours, spaces) = summary(path, cards, population, ignored, sheet), zip(*cards, strict=True)
    return CardSheet(colours, spaces, tuple(population), line)


def at_most(parsed: list[tuple[SheetRow, Parsed]], kind: type, noun: str) -> list[Any]:
    """Return the parsed contents of a kind; raise UsageError if there are more than MOST_CARDS."""
    chosen = [pair for pair in parsed if isinstance(pair[1], kind)]
    if len(chosen) > MOST_CARDS:
        number = f"this is number {MOST_CARDS + 1} of the {noun}"
        raise UsageError(f"{chosen[MOST_CARDS][0].place}: {number}; at most {MOST_CARDS}")
    return [held for _, held in chosen]


def layout_of(names: list[str], at: str) -> Callable[[SheetRow], Parsed]:
    """Return the reader for rows under this header; raise UsageError for a header of neither layout."""
    sheet = [name for name in names if OF_A_SHEET.fullmatch(name)]
    if sheet:
        check_columns(sheet, SHEET, SHEET[2:], at, HEADERS)
        return cardrows.parse_sheet_row
    if not set(SIMPLE).intersection(names):
        raise UsageError(
            f"{at}: header not recognised: '{quote_cell(', '.join(names))}'; it must be {HEADERS}"
        )
    single = [name for name in SPACE_COLUMNS if name in names]
    if single and "spaces" in names:
        right = "give either spaces or space_1 to space_6"
        raise UsageError(f"{at}, column spaces: is there beside {single[0]}; {right}")
    spaces = SPACE_COLUMNS[: int(single[-1][-1])] if single else ("spaces",)
    check_columns(names, (*SIMPLE, *IGNORED), ("colour", "value", *spaces), at, HEADERS)
    return cardrows.parse_simple_row


def summary(path: Path, cards: list[Card], people: list[int], ignored: list[str], sheet: Sheet) -> str:
    """Return one line on what was read and what was ignored."""
    colours = [card.colour for card in cards]
    each = ", ".join(f"{colours.count(index)} {colour}" for index, colour in enumerate(COLOURS))
    read = f"{counted(len(colours), 'card')} ({each}), {counted(len(people), 'population card')} read"
    unread = [name for name in sheet.columns if name and name not in (*SIMPLE, *SHEET)]
    parts = [f"{quote_cell(path.name)}: {read}"]
    if ignored:
        parts.append(f"{counted(len(ignored), 'row')} ignored (no card: {quote_cell(', '.join(ignored))})")
    if unread:
        parts.append(f"{counted(len(unread), 'column')} ignored ({quote_cell(', '.join(unread), 80)})")
    return sheet.summarize("; ".join(parts))
