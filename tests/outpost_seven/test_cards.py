"""A designer's own cards (O7-1.1 to O7-1.5): what is read from each layout, and what is said about each
mistake.
"""

from __future__ import annotations

import csv
import io
import os
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from simkit.errors import UsageError
from simkit.games.outpost_seven import cardfile as module
from simkit.games.outpost_seven.cardfile import CardSheet, read_cards

COLOURS = ("blue", "green", "purple")
V42 = (
    "A..", "R..", "P..",
    "A...", "A...", "P...", "R...",
    "A..P.", "A.P..", "A..R.", "A...P", "A.R..",
    "A.AR.P", "A.A.RP", "A.RPA.", "A.PRA.", "A..APR", "A.A.PR",
)  # fmt: skip
V42_CARDS = [(colour, layout) for colour in range(3) for layout in V42]
V42_POPULATION = [1, 2, 3] * 5
SHEET_TITLES = ["index", "@background", "@module_resource_1", "text_module_resource_1"]
SHEET_TITLES += [f"@cube_{n}" for n in range(1, 7)]
SHEET = ",".join(SHEET_TITLES)
SPACES = "colour,value,space_1,space_2,space_3,space_4,space_5,space_6"
SIMPLE = "colour,value,spaces"
HEADERS = (
    "it must be 'colour,value,spaces' or 'colour,value,space_1,...,space_6' "
    "or 'index,@background,@module_resource_1,text_module_resource_1,@cube_1,...,@cube_6'"
)

Cards = list[tuple[int, str]]
Reader = Callable[[str | bytes], CardSheet]


# ------------------------------------------------------------------------------------------------- writing
# the files


def table(rows: list[list[str]], delimiter: str = ",", line_end: str = "\n") -> str:
    stream = io.StringIO()
    csv.writer(stream, delimiter=delimiter, lineterminator=line_end).writerows(rows)
    return stream.getvalue()


def simple(cards: Cards, population: list[int]) -> list[list[str]]:
    rows = [["colour", "value", "spaces"]]
    rows += [[COLOURS[colour], str(len(spaces)), spaces] for colour, spaces in cards]
    return rows + [["population", str(icons), ""] for icons in population]


def simple_columns(cards: Cards, population: list[int]) -> list[list[str]]:
    rows = [["note", "Color", "Value"] + [f"Space {n}" for n in range(1, 7)]]
    rows += [["", COLOURS[colour], str(len(spaces)), *spaces.ljust(6)] for colour, spaces in cards]
    return rows + [["", "Population", str(icons)] for icons in population]


def layout_sheet(cards: Cards, population: list[int]) -> list[list[str]]:
    rows = [SHEET_TITLES]
    for colour, spaces in cards:
        name, value = COLOURS[colour], str(len(spaces))
        icons = {".": "empty", "A": "bonus_add_cube", "R": "bonus_remove_cube", "P": f"bonus_{name}_pop"}
        cubes = [f"{icons[space]}.pdf" for space in spaces] + [""] * (6 - len(spaces))
        rows.append([str(len(rows)), f"yellow_module_{value}.pdf", f"{name}_resource.pdf", value, *cubes])
    rows += [[str(len(rows)), f"{ref}_ref_red.pdf", *[""] * 8] for ref in ("bonus", "gameplay")]
    return rows + [["", f"start_{icons}.pdf", *[""] * 8] for icons in population]


LAYOUTS = {"simple": simple, "space columns": simple_columns, "layout sheet": layout_sheet}


@pytest.fixture
def read(tmp_path: Path) -> Reader:
    """Reads the given text or bytes as the file cards.csv."""

    def reader(content: str | bytes) -> CardSheet:
        path = tmp_path / "cards.csv"
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        return read_cards(path)

    return reader


def failure(read: Reader, content: str | bytes) -> str:
    """The error line for this content, from the file's name on."""
    with pytest.raises(UsageError) as error:
        read(content)
    text = str(error.value)
    assert len(text.splitlines()) == 1
    folder, _, rest = text.partition("cards.csv")
    assert folder.endswith(os.sep), f"the error must name the file: {text}"
    return "cards.csv" + rest


def pairs(sheet: CardSheet) -> Cards:
    assert sheet.values == tuple(len(spaces) for spaces in sheet.spaces)
    return list(zip(sheet.colours, sheet.spaces, strict=True))


# --------------------------------------------------------------------------------------------------- what is
# read


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
def test_o7_1_4_v42_reads_back_from_each_layout(read: Reader, layout: str, delimiter: str) -> None:
    sheet = read(table(LAYOUTS[layout](V42_CARDS, V42_POPULATION), delimiter))
    assert pairs(sheet) == V42_CARDS
    assert list(sheet.population) == V42_POPULATION
    assert sheet.colours == (0,) * 18 + (1,) * 18 + (2,) * 18
    assert sheet.values == (3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 5, 6, 6, 6, 6, 6, 6) * 3
    assert ["".join(sheet.spaces).count(icon) for icon in "ARP."] == [60, 30, 33, 135]


def test_rows_as_the_layout_software_has_them(read: Reader) -> None:
    """Written out, not generated: the purple cards have a yellow background, and the last line has no end."""
    sheet = read(
        f"{SHEET}\r\n"
        "3,blue_module_3.pdf,blue_resource.pdf,3,bonus_blue_pop.pdf,empty.pdf,empty.pdf,,,\r\n"
        "54,yellow_module_6.pdf,purple_resource.pdf,6,bonus_add_cube.pdf,empty.pdf,bonus_add_cube.pdf,empty.pdf,"
        "bonus_purple_pop.pdf,bonus_remove_cube.pdf\r\n"
        "55,bonus_ref_red.pdf,,,,,,,,\r\n"
        "56,start_back.pdf,,,,,,,,\r\n"
        "59,start_1.pdf,,,,,,,,\r\n"
        "61,start_3.pdf,,,,,,,,"
    )
    assert pairs(sheet) == [(0, "P.."), (2, "A.A.PR")]
    assert sheet.population == (1, 3)
    assert sheet.summary == (
        "cards.csv: 2 cards (1 blue, 0 green, 1 purple), 2 population cards read; 2 rows ignored (no card: line 4, line 5)"
    )


READ = [  # title, file, cards, population
    ("one card", f"{SIMPLE}\nblue,3,A..\n", [(0, "A..")], []),
    ("values 1 and 6", f"{SIMPLE}\ngreen,1,R\npurple,6,......\n", [(1, "R"), (2, "......")], []),
    ("cards keep the order of the file", f"{SIMPLE}\npurple,1,A\nblue,1,R\n", [(2, "A"), (0, "R")], []),
    ("capitals do not matter", "Colour,VALUE,Spaces\nBLUE,3,arp\n", [(0, "ARP")], []),
    ("color is colour", "color,value,spaces\nblue,1,.\n", [(0, ".")], []),
    ("columns in any order", "spaces,colour,value\nA.,blue,2\n", [(0, "A.")], []),
    ("an ellipsis is three dots", f"{SIMPLE}\nblue,4,A…\nblue,6,……\n", [(0, "A..."), (0, "......")], []),
    ("a population card between cards", f"{SIMPLE}\npopulation,0,\nblue,1,A\npopulation,6\n", [(0, "A")], [0, 6]),
    ("blank lines", f"\n\n{SIMPLE}\n\nblue,1,A\n   \n,,\n\ngreen,1,A\n\n", [(0, "A"), (1, "A")], []),
    ("trailing empty columns", "colour,value,spaces,,,\nblue,1,A,,,\ngreen,1,R,,,,,\n", [(0, "A"), (1, "R")], []),
    ("blanks round cells", " colour , value , spaces \n blue , 2 , A. \n", [(0, "A.")], []),
    ("a byte order mark", f"\ufeff{SIMPLE}\nblue,1,A\n", [(0, "A")], []),
    ("Windows line ends", f"{SIMPLE}\r\nblue,1,A\r\ngreen,1,A\r\n", [(0, "A"), (1, "A")], []),
    ("old Macintosh line ends", f"{SIMPLE}\rblue,1,A\rgreen,1,A\r", [(0, "A"), (1, "A")], []),
    ("quotes", '"colour","value","spaces","note"\n"blue","2","A.","two\nlines, ""so"""\n', [(0, "A.")], []),
    ("a line of blanks before the header", "   \ncolour;value;spaces\nblue;1;A\n", [(0, "A")], []),
    ("semicolons", "colour;value;spaces;note\nblue;2;A.;good, cheap\n", [(0, "A.")], []),
    ("tabs", "colour\tvalue\tspaces\nblue\t2\tA.\n", [(0, "A.")], []),
    ("id, name and note are ignored", "id,name,colour,value,spaces,note\nx,Dome,blue,1,A,é\n", [(0, "A")], []),
    ("only as many space columns as needed", "colour,value,space_1,space_2\nblue,2,a,.\nblue,1,r\n", [(0, "A."), (0, "R")], []),
    ("sheet without index and background", f"{SHEET[18:]}\ngreen_resource.pdf,1,empty.pdf\n", [(1, ".")], []),
    ("sheet in capitals", f"{SHEET.upper()}\n1,,BLUE_RESOURCE.PDF,1,Bonus_Blue_Pop.pdf\n", [(0, "P")], []),
    ("sheet: start card in the colour column", f"{SHEET}\n1,,blue_resource.pdf,1,empty.pdf\n2,,start_2.pdf\n", [(0, ".")], [2]),
    ("sheet: start card in the last column", f"{SHEET}\n1,,blue_resource.pdf,1,empty.pdf\n,,,,,,,,,START_3.pdf\n", [(0, ".")], [3]),
    ("sheet: start card in a column of its own", f"{SHEET},art\n1,,blue_resource.pdf,1,empty.pdf\n,,,,,,,,,,start_0.pdf\n", [(0, ".")], [0]),
    ("sheet: texts and icons of other components", f"{SHEET}\n1,,blue_resource.pdf,1,empty.pdf\n2,x.pdf,,Reference,empty.pdf,logo.pdf\n", [(0, ".")], []),
]  # fmt: skip


@pytest.mark.parametrize(
    ("content", "cards", "population"), [row[1:] for row in READ], ids=[row[0] for row in READ]
)
def test_is_read(read: Reader, content: str, cards: Cards, population: list[int]) -> None:
    sheet = read(content)
    assert pairs(sheet) == cards
    assert list(sheet.population) == population


MESSAGE = [  # file, the line said about it
    (f"{SIMPLE}\nblue,1,A\n", "cards.csv: 1 card (1 blue, 0 green, 0 purple), 0 population cards read"),
    (
        f"{SIMPLE}\nblue,1,A\nblue,1,A\npurple,1,A\npopulation,2\n",
        "cards.csv: 3 cards (2 blue, 0 green, 1 purple), 1 population card read",
    ),
    (
        "id,colour,value,spaces,Note\nthe cheap ones\n1,blue,1,A\n2\n",
        "cards.csv: 1 card (1 blue, 0 green, 0 purple), 0 population cards read; "
        "2 rows ignored (no card: line 2, line 4); 2 columns ignored (id, note)",
    ),
    (
        f"{SHEET},artist\n1,,green_resource.pdf,1,empty.pdf\n2,reference.pdf\n",
        "cards.csv: 1 card (0 blue, 1 green, 0 purple), 0 population cards read; "
        "1 row ignored (no card: line 3); 1 column ignored (artist)",
    ),
]


@pytest.mark.parametrize(("content", "message"), MESSAGE)
def test_says_what_was_read_and_what_was_ignored(read: Reader, content: str, message: str) -> None:
    assert read(content).summary == message


def test_says_so_of_the_full_sheet(read: Reader) -> None:
    message = read(table(layout_sheet(V42_CARDS, V42_POPULATION))).summary
    assert message == (
        "cards.csv: 54 cards (18 blue, 18 green, 18 purple), 15 population cards read; 2 rows ignored (no card: line 56, line 57)"
    )


def test_names_the_ignored_lines_in_short(read: Reader) -> None:
    message = read("id,colour,value,spaces\n" + "1,blue,1,A\nx\n" * 50).summary
    assert message.endswith(
        "; 50 rows ignored (no card: line 3, line 5, line 7, line 9, line ...); 1 column ignored (id)"
    )


@pytest.mark.parametrize("what", ["cards", "population cards"])
def test_at_most_96_of_each(read: Reader, what: str) -> None:
    row = "population,2\n" if what == "population cards" else "green,1,A\n"
    start = f"{SIMPLE}\nblue,1,A\n" if what == "population cards" else f"{SIMPLE}\n"
    full = read(start + row * 96)
    assert len(full.population if what == "population cards" else full.colours) == 96
    line = 98 + (what == "population cards")
    assert (
        failure(read, start + row * 97)
        == f"cards.csv, line {line}: this is number 97 of the {what}; at most 96"
    )


# ------------------------------------------------------------------------------------------- the two layouts
# agree

some_cards = st.lists(
    st.tuples(st.integers(0, 2), st.text(alphabet=".ARP", min_size=1, max_size=6)), min_size=1, max_size=96
)
some_population = st.lists(st.integers(0, 6), max_size=96)


@settings(max_examples=60)
@given(
    cards=some_cards,
    population=some_population,
    layout=st.sampled_from(sorted(LAYOUTS)),
    delimiter=st.sampled_from(",;\t"),
    line_end=st.sampled_from(["\n", "\r\n"]),
    mark=st.sampled_from(["", "\ufeff"]),
)
def test_any_valid_sheet_reads_back(
    tmp_path_factory: pytest.TempPathFactory,
    cards: Cards,
    population: list[int],
    layout: str,
    delimiter: str,
    line_end: str,
    mark: str,
) -> None:
    path = tmp_path_factory.mktemp("sheet") / "cards.csv"
    path.write_text(
        mark + table(LAYOUTS[layout](cards, population), delimiter, line_end), "utf-8", newline=""
    )
    sheet = read_cards(path)
    assert pairs(sheet) == cards
    assert list(sheet.population) == population


@pytest.mark.slow
@given(data=st.data())
def test_a_damaged_sheet_is_read_or_refused_in_one_line(
    tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    rows = LAYOUTS[data.draw(st.sampled_from(sorted(LAYOUTS)))](V42_CARDS[::9], [1, 2])
    row = data.draw(st.integers(0, len(rows) - 1))
    column = data.draw(st.integers(0, len(rows[row]) - 1))
    rows[row] = [*rows[row][:column], data.draw(st.text(max_size=50)), *rows[row][column + 1 :]]
    path = tmp_path_factory.mktemp("damaged") / "cards.csv"
    path.write_text(table(rows), "utf-8", newline="")
    try:
        message = read_cards(path).summary
    except UsageError as error:
        message = str(error)
    assert message.isprintable()
    assert len(message) < 600


# ------------------------------------------------------------------------------------------------- what is
# refused

BLUE = "1,x.pdf,blue_resource.pdf"
KNOWN_SHEET = "(known: @background, @cube_1, @cube_2, @cube_3, @cube_4, @cube_5, @cube_6, @module_resource_1, index, text_module_resource_1)"
ICONS = "(known: bonus_add_cube.pdf, bonus_blue_pop.pdf, bonus_remove_cube.pdf, empty.pdf)"
WORDS = "blue_resource.pdf, green_resource.pdf, purple_resource.pdf"
TO_6 = "it must be a whole number from 1 to 6"

REFUSED = [  # title, file, error line after the file's name
    # the file
    ("empty file", "", f": is empty; the first line must be a header: {HEADERS[11:]}"),
    ("only blanks", "\ufeff\r\n ,,\r\n\t\r\n", f": is empty; the first line must be a header: {HEADERS[11:]}"),
    ("header only", f"{SIMPLE}\n", ": no module cards in it; every card is one row under the header"),
    ("no module cards", f"{SIMPLE}\npopulation,2\n", ": no module cards in it; every card is one row under the header"),
    ("not UTF-8", f"{SIMPLE},note\r\nblue,1,A\r\nblue,1,A,caf\xe9\r\n".encode("latin-1"), ", line 3: is not UTF-8 text; export the sheet as CSV (UTF-8)"),
    ("not UTF-8, old Macintosh line ends", b"colour,value,spaces\rblue,1,A\rbl\xfce,1,A\r", ", line 3: is not UTF-8 text; export the sheet as CSV (UTF-8)"),
    ("UTF-16 without a mark", f"{SIMPLE}\nblue,1,A\n".encode("utf-16-le"), ": is not UTF-8 text; export the sheet as CSV (UTF-8)"),
    ("a damaged workbook", b"PK\x03\x04\x14\x00", ": cannot be read as a workbook (File is not a zip file); export the sheet as CSV (UTF-8)"),
    ("a huge file", b"x" * 5_000_001, ": is no sheet; it must be a plain file of at most 5000000 bytes"),
    ("an open quote", f'{SIMPLE}\nblue,1,A\nblue,1,"A\nblue,1,A\n', ", line 3: the cells cannot be told apart (unexpected end of data); a quote (\") that opens a cell must close at its end, quotes inside are doubled"),
    ("text after a quote, with tabs", 'colour\tvalue\tspaces\nblue\t1\t"A"B\n', ", line 2: the cells cannot be told apart ('tab' expected after '\"'); a quote (\") that opens a cell must close at its end, quotes inside are doubled"),
    ("text after a quote", f'{SIMPLE}\nblue,1,"A"B\n', ", line 2: the cells cannot be told apart (',' expected after '\"'); a quote (\") that opens a cell must close at its end, quotes inside are doubled"),
    # the header
    ("no header", "blue,3,A..\n", f", line 1: header not recognised: 'blue, 3, a..'; {HEADERS}"),
    ("another separator", "colour|value|spaces\n", f", line 1: header not recognised: 'colour|value|spaces'; {HEADERS}"),
    ("header after blank lines", "\n\nfoo,bar\n", f", line 3: header not recognised: 'foo, bar'; {HEADERS}"),
    ("no colour column", "value,spaces\n", f", line 1, column colour: is missing; the header must be {HEADERS[11:]}"),
    ("no value column", "colour,spaces\n", f", line 1, column value: is missing; the header must be {HEADERS[11:]}"),
    ("no spaces column", "colour,value\n", f", line 1, column spaces: is missing; the header must be {HEADERS[11:]}"),
    ("a space column left out", "colour,value,space_1,space_3\n", f", line 1, column space_2: is missing; the header must be {HEADERS[11:]}"),
    ("spaces in both ways", f"{SPACES},spaces\n", ", line 1, column spaces: is there beside space_1; give either spaces or space_1 to space_6"),
    ("a column twice", "colour,value,spaces,Value\n", ", line 1, column value: is there twice; every column once"),
    ("colour and color", "colour,color,value,spaces\n", ", line 1, column colour: is there twice; every column once"),
    ("a misspelt column", "colour,valeu,spaces\n", ", line 1: unknown column 'valeu'; did you mean 'value'? (known: colour, id, name, note, space_1, space_2, space_3, space_4, space_5, space_6, spaces, value)"),
    ("a column of copies is not ignored", f"{SIMPLE},qty\nblue,1,A,4\n", ", line 1: unknown column 'qty' (known: colour, id, name, note, space_1, space_2, space_3, space_4, space_5, space_6, spaces, value)"),
    ("sheet: a cube column twice", f"{SHEET},@cube_6\n", ", line 1, column @cube_6: is there twice; every column once"),
    ("sheet: a cube column left out", f"{SHEET[:-8]}\n", f", line 1, column @cube_6: is missing; the header must be {HEADERS[11:]}"),
    ("sheet: no colour column", SHEET.replace("@module_resource_1,", "", 1), f", line 1, column @module_resource_1: is missing; the header must be {HEADERS[11:]}"),
    ("sheet: no value column", SHEET.replace("text_module_resource_1,", ""), f", line 1, column text_module_resource_1: is missing; the header must be {HEADERS[11:]}"),
    ("sheet: a seventh cube", f"{SHEET},@cube_7\n", f", line 1: unknown column '@cube_7'; did you mean '@cube_6'? {KNOWN_SHEET}"),
    ("sheet: a second colour", f"{SHEET},@module_resource_2\n", f", line 1: unknown column '@module_resource_2'; did you mean '@module_resource_1'? {KNOWN_SHEET}"),
    # rows of either layout
    ("a row with another separator", f"{SIMPLE}\nblue,1,A\nblue;1;A\n", ", line 3: separates its cells otherwise than the header: 'blue;1;A'; use one separator in the whole file, or give the line of the titles as header = N in cards.columns.toml"),
    ("a cell beyond the header", f"{SIMPLE}\nblue,1,A,good\n", ", line 2, column 4: 'good' stands under no column name; empty the cell, or name its column"),
    ("a cell under an empty title", "colour,,value,spaces\nblue,x,1,A\n", ", line 2, column 2: 'x' stands under no column name; empty the cell, or name its column"),
    ("line numbers count lines of the file", f'{SIMPLE},note\n\nblue,1,A,"a\nb\nc"\n\nblue,7,A\n', f", line 7, column value: '7'; {TO_6}"),
    ("line numbers with Windows line ends", f"{SIMPLE}\r\n\r\nblue,1,A\r\nblue,7,A\r\n", f", line 4, column value: '7'; {TO_6}"),
    # simple layout
    ("an unknown colour", f"{SIMPLE}\nbleu,1,A\n", ", line 2, column colour: unknown colour 'bleu'; did you mean 'blue'? (known: blue, green, population, purple)"),
    ("no colour", f"{SIMPLE}\nblue,1,A\n,1,A\n", ", line 3, column colour: is empty; it must be one of blue, green, purple, population"),
    ("a colour over two lines", f'{SIMPLE}\n"bl\nue",1,A\n', ", line 2, column colour: unknown colour 'bl\\nue'; did you mean 'blue'? (known: blue, green, population, purple)"),
    ("value 0", f"{SIMPLE}\nblue,0,\n", f", line 2, column value: '0'; {TO_6}"),
    ("value 7", f"{SIMPLE}\nblue,7,.......\n", f", line 2, column value: '7'; {TO_6}"),
    ("value below 0", f"{SIMPLE}\nblue,-3,A..\n", f", line 2, column value: '-3'; {TO_6}"),
    ("value with a fraction", f"{SIMPLE}\nblue,3.5,A..\n", f", line 2, column value: '3.5'; {TO_6}"),
    ("value in words", f"{SIMPLE}\nblue,three,A..\n", f", line 2, column value: 'three'; {TO_6}"),
    ("value in other digits", f"{SIMPLE}\nblue,３,A..\n", f", line 2, column value: '３'; {TO_6}"),
    ("no value", f"{SIMPLE}\nblue,,A..\n", f", line 2, column value: is empty; {TO_6}"),
    ("too few spaces", f"{SIMPLE}\nblue,4,A..\n", ", line 2, column spaces: 3 spaces on a card of value 4; a card has as many spaces as its value"),
    ("too many spaces", f"{SIMPLE}\nblue,3,A...\n", ", line 2, column spaces: 4 spaces on a card of value 3; a card has as many spaces as its value"),
    ("an ellipsis counts three", f"{SIMPLE}\nblue,3,A…\n", ", line 2, column spaces: 4 spaces on a card of value 3; a card has as many spaces as its value"),
    ("one space", f"{SIMPLE}\nblue,3,A\n", ", line 2, column spaces: 1 space on a card of value 3; a card has as many spaces as its value"),
    ("no spaces", f"{SIMPLE}\nblue,3\n", ", line 2, column spaces: 0 spaces on a card of value 3; a card has as many spaces as its value"),
    ("another letter", f"{SIMPLE}\nblue,3,AX.\n", ", line 2, column spaces: 'X' in 'AX.'; only the letters . A R P"),
    ("a blank among the letters", f"{SIMPLE}\nblue,2,A .\n", ", line 2, column spaces: ' ' in 'A .'; only the letters . A R P"),
    ("population: seven icons", f"{SIMPLE}\npopulation,7,\n", ", line 2, column value: '7'; it must be a whole number from 0 to 6"),
    ("population: no icons said", f"{SIMPLE}\npopulation,,\n", ", line 2, column value: is empty; it must be a whole number from 0 to 6"),
    ("population: spaces", f"{SIMPLE}\npopulation,2,A.\n", ", line 2, column spaces: 'A.' on a population card; it has no spaces, only a value"),
    ("population: space columns", f"{SPACES}\npopulation,2,,A\n", ", line 2, column space_2: 'A' on a population card; it has no spaces, only a value"),
    ("space columns: a gap", f"{SPACES}\nblue,3,A,.,,P\n", ", line 2, column space_4: 'P' after the empty space_3; fill the spaces without gaps"),
    ("space columns: no first space", f"{SPACES}\nblue,1,,A\n", ", line 2, column space_2: 'A' after the empty space_1; fill the spaces without gaps"),
    ("space columns: another letter", f"{SPACES}\nblue,2,A,X\n", ", line 2, column space_2: 'X' is no space; it must be one of the letters . A R P"),
    ("space columns: two letters", f"{SPACES}\nblue,2,A.\n", ", line 2, column space_1: 'A.' is no space; it must be one of the letters . A R P"),
    ("space columns: too few", f"{SPACES}\nblue,3,A,.\n", ", line 2, column space_3: 2 spaces on a card of value 3; a card has as many spaces as its value"),
    ("space columns: too many", f"{SPACES}\nblue,3,A,.,.,.,.\n", ", line 2, column space_4: 5 spaces on a card of value 3; a card has as many spaces as its value"),
    ("space columns: none", f"{SPACES}\nblue,3\n", ", line 2, column space_1: 0 spaces on a card of value 3; a card has as many spaces as its value"),
    ("space columns: value beyond the columns", "colour,value,space_1,space_2\nblue,3,A,.\n", ", line 2, column space_3: 2 spaces on a card of value 3; a card has as many spaces as its value"),
    # layout sheet
    ("sheet: an unknown colour", f"{SHEET}\n1,x.pdf,red_resource.pdf,1,empty.pdf\n", ", line 2, column @module_resource_1: unknown colour 'red_resource.pdf'; did you mean 'green_resource.pdf'? (known: " + WORDS + ")"),
    ("sheet: an unknown colour and nothing else", f"{SHEET}\n1,x.pdf,grene_resource.pdf\n", ", line 2, column @module_resource_1: unknown colour 'grene_resource.pdf'; did you mean 'green_resource.pdf'? (known: " + WORDS + ")"),
    ("sheet: a colour without resource", f"{SHEET}\n1,x.pdf,purple,1,empty.pdf\n", ", line 2, column @module_resource_1: unknown colour 'purple'; did you mean 'purple_resource.pdf'? (known: " + WORDS + ")"),
    ("sheet: value but no colour", f"{SHEET}\n1,x.pdf,,3\n", f", line 2, column @module_resource_1: is empty, but the row has a value or bonus icons; it must be {WORDS}"),
    ("sheet: odd value but no colour", f"{SHEET}\n1,x.pdf,,3.0\n", f", line 2, column @module_resource_1: is empty, but the row has a value or bonus icons; it must be {WORDS}"),
    ("sheet: bonus but no colour", f"{SHEET}\n1,x.pdf,,,empty.pdf,bonus_add_cube.pdf\n", f", line 2, column @module_resource_1: is empty, but the row has a value or bonus icons; it must be {WORDS}"),
    ("sheet: bonus in capitals but no colour", f"{SHEET}\n1,x.pdf,,,BONUS_ADD_CUBE.PDF\n", f", line 2, column @module_resource_1: is empty, but the row has a value or bonus icons; it must be {WORDS}"),
    ("sheet: colour but no value", f"{SHEET}\n{BLUE},,empty.pdf\n", f", line 2, column text_module_resource_1: is empty; {TO_6}"),
    ("sheet: colour and nothing else", f"{SHEET}\n{BLUE}\n", f", line 2, column text_module_resource_1: is empty; {TO_6}"),
    ("sheet: value 7", f"{SHEET}\n{BLUE},7,empty.pdf\n", f", line 2, column text_module_resource_1: '7'; {TO_6}"),
    ("sheet: value in words", f"{SHEET}\n{BLUE},two,empty.pdf\n", f", line 2, column text_module_resource_1: 'two'; {TO_6}"),
    ("sheet: population icon of another colour", f"{SHEET}\n{BLUE},2,empty.pdf,bonus_green_pop.pdf\n", ", line 2, column @cube_2: 'bonus_green_pop.pdf' on a blue card; the population icon has the colour of its card: bonus_blue_pop.pdf"),
    ("sheet: an unknown bonus", f"{SHEET}\n{BLUE},2,empty.pdf,bonus_foo.pdf\n", f", line 2, column @cube_2: unknown icon 'bonus_foo.pdf'; did you mean 'bonus_blue_pop.pdf'? {ICONS}"),
    ("sheet: a letter as icon", f"{SHEET}\n{BLUE},1,A\n", f", line 2, column @cube_1: unknown icon 'A' {ICONS}"),
    ("sheet: a gap", f"{SHEET}\n{BLUE},3,empty.pdf,,empty.pdf,empty.pdf\n", ", line 2, column @cube_3: 'empty.pdf' after the empty @cube_2; fill the spaces without gaps"),
    ("sheet: too few cubes", f"{SHEET}\n{BLUE},3,empty.pdf,empty.pdf\n", ", line 2, column @cube_3: 2 spaces on a card of value 3; a card has as many spaces as its value"),
    ("sheet: too many cubes", f"{SHEET}\n{BLUE},5" + ",empty.pdf" * 6 + "\n", ", line 2, column @cube_6: 6 spaces on a card of value 5; a card has as many spaces as its value"),
    ("sheet: start card with a colour", f"{SHEET}\n1,start_1.pdf,blue_resource.pdf,1,empty.pdf\n", ", line 2, column @background: 'start_1.pdf' in the row of a module card; a row is one card"),
    ("sheet: start card with a value", f"{SHEET}\n1,start_1.pdf,,1\n", ", line 2, column @background: 'start_1.pdf' in the row of a module card; a row is one card"),
    ("sheet: two start cards", f"{SHEET}\n1,start_1.pdf,start_2.pdf\n", ", line 2, column @module_resource_1: 'start_2.pdf' beside 'start_1.pdf'; a row is one population card"),
    ("sheet: start card with seven icons", f"{SHEET}\n1,start_7.pdf\n", ", line 2, column @background: 'start_7.pdf' is no population card; it must be one of start_0.pdf to start_6.pdf"),
]  # fmt: skip


@pytest.mark.parametrize(("content", "line"), [row[1:] for row in REFUSED], ids=[row[0] for row in REFUSED])
def test_is_refused(read: Reader, content: str | bytes, line: str) -> None:
    assert failure(read, content) == "cards.csv" + line


def test_a_long_cell_is_cut_in_the_message(read: Reader) -> None:
    cut = "x" * 37 + "..."
    assert f"unknown colour '{cut}'" in failure(read, f"{SIMPLE}\n{'x' * 5000},1,A\n")


def test_no_such_file(tmp_path: Path) -> None:
    with pytest.raises(
        UsageError, match=r"nowhere\.csv: no such file; name a sheet \(\.csv, \.tsv or \.xlsx\)$"
    ):
        read_cards(tmp_path / "nowhere.csv")


def test_a_folder(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r": is no sheet; it must be a plain file"):
        read_cards(tmp_path)


@pytest.mark.posix
def test_a_pipe_is_refused_and_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "cards.csv")
    with pytest.raises(UsageError, match=r"cards\.csv: is no sheet; it must be a plain file"):
        read_cards(tmp_path / "cards.csv")


def test_an_unreadable_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(path: Path) -> bytes:
        raise PermissionError(13, "Permission denied")

    (tmp_path / "cards.csv").write_text(f"{SIMPLE}\nblue,1,A\n")
    monkeypatch.setattr(Path, "read_bytes", refuse)
    with pytest.raises(UsageError, match=r"cards\.csv: cannot be read \(Permission denied\); name a sheet"):
        read_cards(tmp_path / "cards.csv")


@pytest.mark.parametrize("name", ["a\0b.csv", "a\nb.csv", "\udcff.csv", "x" * 300])
def test_odd_file_names_give_one_printable_line(name: str) -> None:
    with pytest.raises(UsageError) as error:
        read_cards(Path(name))
    assert str(error.value).isprintable()


def examples() -> list[str]:
    """The indented blocks of the module's description."""
    blocks: list[str] = [""]
    for line in (module.__doc__ or "").splitlines():
        if line.startswith("    "):
            blocks[-1] += line[4:] + "\n"
        elif blocks[-1]:
            blocks.append("")
    return [block for block in blocks if block]


def test_the_documented_examples_are_read(read: Reader) -> None:
    first, columns, sheet = (read(text) for text in examples())
    assert (pairs(first), first.population) == ([(0, "A.."), (1, "A..P."), (2, "A.AR.P")], (2,))
    assert (pairs(columns), columns.population) == ([(0, "A.."), (1, "A..P.")], ())
    assert (pairs(sheet), sheet.population) == ([(0, "A.."), (1, "R..P.")], (2,))
