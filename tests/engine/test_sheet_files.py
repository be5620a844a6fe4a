"""One reader for all sheets: what is read from CSV, TSV and XLSX, and which mistakes are named with their place."""

import io
import zipfile
from datetime import date, datetime

import openpyxl
import pytest

from simkit.engine import sheet_files
from simkit.errors import UsageError

COLUMNS = ["colour", "space_1", "value"]
GOOD = [["Color", "Space 1", "VALUE"], ["blue", "A", 3], ["green", None, 4.0]]


def csv_file(folder, text, name="deck.csv"):
    path = folder / name
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


def workbook(folder, *sheets, name="deck.xlsx"):
    book = openpyxl.Workbook()
    book.remove(book.active)
    for title, rows in sheets:
        sheet = book.create_sheet(title)
        for row in rows:
            sheet.append(row)
    book.save(folder / name)
    return folder / name


def read(path):
    return sheet_files.read(path, COLUMNS, "colour,value")


def cells(path):
    return [row.cells for row in read(path).rows]


def refused(path, message):
    with pytest.raises(UsageError) as error:
        read(path)
    text = str(error.value)
    assert message in text and text.startswith(str(path.parent)) and text.isprintable() and len(text) < 700


def test_csv_and_workbook_say_the_same_with_their_own_places(tmp_path):
    text = "\n".join(",".join("" if cell is None else str(cell) for cell in row) for row in GOOD)
    paths = [csv_file(tmp_path, text.replace("4.0", "4")), workbook(tmp_path, ("Cards", GOOD), ("Other", []))]
    assert cells(paths[0]) == cells(paths[1])
    first, second = (read(path).rows[1] for path in paths)
    assert first.at("value") == f"{paths[0]}, line 3, column value"
    assert second.at("value") == f"{paths[1]}, sheet Cards, row 3, column value"
    assert (second["space_1"], second["nothing"], second.integer("value", 1, 6)) == ("", "", 4)


def test_titles_match_apart_from_capitals_blanks_underscores_and_spelling(tmp_path):
    sheet = read(csv_file(tmp_path, " COLOR ;space1;Value\nblue;A;3\n"))
    assert sheet.columns == COLUMNS and sheet.note == "columns matched: space_1 is 'space1'"


def test_a_mapping_names_titles_values_copies_and_what_to_ignore(tmp_path):
    """As an export of a card layout program has them: other titles, a quantity, pictures."""
    rows = [
        ["Quantity", "Card type", "Power", "Artwork"],
        [2, "Deep blue", 3, "a.png"],
        [0, "green", 1, "b.png"],
    ]
    path = workbook(tmp_path, ("Notes", [["x"]]), ("Cards", rows))
    (tmp_path / "deck.columns.toml").write_text(
        'sheet = "Cards"\nignore = ["Artwork"]\ncopies = "Quantity"\n'
        '[columns]\ncolour = "Card type"\nvalue = "Power"\n[values.colour]\n"Deep blue" = "blue"\n'
    )
    assert cells(path) == [{"colour": "blue", "value": "3"}] * 2
    assert "colour is 'Card type', value is 'Power', ignored is 'Artwork'" in read(path).note


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("columns = 3", "key 'columns': Input should be a valid dictionary"),
        ("column.colour = 'x'", "key 'column': Extra inputs are not permitted"),
        ("[columns", "deck.columns.toml: malformed TOML"),
        (
            "columns.colur = 'colour'",
            "unknown column of the game in .columns.toml 'colur'; did you mean 'colour'?",
        ),
        ("columns.value = 'vale'", "unknown title in .columns.toml 'vale'; did you mean 'value'?"),
        ("columns.value = 'colour'", "column value: is there twice"),
    ],
)
def test_a_wrong_mapping_is_refused(tmp_path, text, message):
    (tmp_path / "deck.columns.toml").write_text(text)
    refused(csv_file(tmp_path, "colour,value\nblue,3\n"), message)


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("sep=;\nColor;value\nblue;3", 3),
        ('"SEP=;"\r\n\r\nColor;value\r\nblue;3', 4),
        ("sep=|\nColor|value|note\nblue|3|a,b;c", 3),
        ('Color;value;"note (art, flavour, status, owner)"\nblue;3;a', 2),
        ('"Color, or ""suit"", of, it";"x";value\n1;1;3', 2),
        ('"Space\n1";value;"the, card\'s\n\nnotes"\nA;3;a', 5),
    ],
    ids=["sep", "quoted sep", "bar", "commas in quotes", "doubled quotes", "line breaks in quotes"],
)
def test_separator_and_header_are_read_as_a_spreadsheet_reads_them(tmp_path, text, line):
    sheet = read(csv_file(tmp_path, text))
    assert sheet.rows[0]["value"] == "3" and sheet.rows[0].number == line


TITLED = [["Deck, of; spring"], [], ["# by hand"], *GOOD]


@pytest.mark.parametrize("kind", ["csv", "semicolons", "xlsx"])
def test_a_key_names_the_line_of_a_header_below_a_title(tmp_path, kind):
    if kind == "xlsx":
        path, place = workbook(tmp_path, ("Cards", TITLED)), "row 4"
    else:
        lines = [(",", ";")[kind == "semicolons"].join(map(str, row)) for row in TITLED]
        path, place = csv_file(tmp_path, "\n".join(lines)), "line 4"
    refused(path, "header = 4" if kind != "semicolons" else "header = N")
    mapping = tmp_path / "deck.columns.toml"
    mapping.write_text("header = 4")
    assert [row["colour"] for row in read(path).rows] == ["blue", "green"]
    assert read(path).place.endswith(place) and str(read(path).rows[0].number) == "5"
    for wrong in ("2", "40"):
        mapping.write_text(f"header = {wrong}")
        refused(path, f"header = {wrong} in {mapping.name}: that {place.split()[0]} is blank")
    mapping.write_text("header = 0")
    refused(path, "key 'header': Input should be greater than or equal to 1")


def test_a_title_line_without_separators_hides_no_header(tmp_path):
    message = "line 1: is no header; if line 2 is, write header = 2 in deck.columns.toml"
    refused(csv_file(tmp_path, "My cards\ncolour;value\nblue;3"), message)


def workbook_with(folder, edit, rows=GOOD):
    path = workbook(folder, ("Cards", rows))
    book = openpyxl.load_workbook(path)
    edit(book["Cards"])
    book.save(path)
    return path


def test_cells_merged_over_rows_count_in_each_of_them(tmp_path):
    """The last row has nothing but the merged cell, so it is blank."""
    rows = [["colour", "value", "space_1"], ["blue", 3, "A"], [None, 4], [None, 5], ["red", 6], [None, 7], []]

    def merge(sheet):
        for cells in ("A2:A4", "A5:A6", "C2:C3", "A7:B8"):
            sheet.merge_cells(cells)

    assert [[*row.values()] for row in cells(workbook_with(tmp_path, merge, rows))] == [
        ["blue", "3", "A"],
        ["blue", "4", "A"],
        ["blue", "5", ""],
        ["red", "6", ""],
        ["red", "7", ""],
    ]


@pytest.mark.parametrize(
    ("edit", "message"),
    [
        (
            lambda sheet: sheet.merge_cells("A2:B3"),
            "cells A2:B3: are merged over several columns; unmerge them",
        ),
        (
            lambda sheet: setattr(sheet.row_dimensions[3], "hidden", True),
            "row 3: is hidden; show it, or delete",
        ),
    ],
)
def test_what_a_reader_of_a_workbook_sees_otherwise_is_refused(tmp_path, edit, message):
    refused(workbook_with(tmp_path, edit), f"sheet Cards, {message}")


def test_blank_hidden_rows_and_hidden_sheets_are_passed_over(tmp_path):
    path = workbook(tmp_path, ("Old", [["colour"], ["red"]]), ("Cards", [*GOOD, [], ["red"]]))
    book = openpyxl.load_workbook(path)
    book["Old"].sheet_state = "hidden"
    book["Cards"].row_dimensions[4].hidden = True
    book.save(path)
    assert [row["colour"] for row in cells(path)] == ["blue", "green", "red"]


def test_an_unknown_sheet_is_refused(tmp_path):
    (tmp_path / "deck.columns.toml").write_text("sheet = 'Crads'")
    refused(workbook(tmp_path, ("Cards", GOOD)), "unknown sheet 'Crads'; did you mean 'Cards'?")


def test_cells_that_begin_with_an_equals_sign_are_text(tmp_path):
    assert cells(csv_file(tmp_path, "colour\n=HYPERLINK(1)\n")) == [{"colour": "=HYPERLINK(1)"}]


def test_a_formula_needs_its_stored_value(tmp_path):
    path = workbook(tmp_path, ("Cards", [["colour", "value"], [None, "=1+2"]]))
    refused(path, "sheet Cards, cell B2: '=1+2' is a formula without a stored value; save the workbook in a")


def test_a_formula_may_have_an_empty_text_as_its_stored_value(tmp_path):
    """As `=IF(A2="","",1)` has it."""
    path = workbook(tmp_path, ("Cards", [["colour", "value"], ["blue", "=1+2"]]))
    with zipfile.ZipFile(path) as archive:
        parts = {name: archive.read(name) for name in archive.namelist()}
    sheet = "xl/worksheets/sheet1.xml"
    parts[sheet] = parts[sheet].replace(b'<c r="B2"><f>', b'<c r="B2" t="str"><f>')
    assert b'"str"' in parts[sheet]
    assert cells(csv_file(tmp_path, packed(**parts), "deck.xlsx")) == [{"colour": "blue", "value": ""}]


def test_dates_and_numbers_of_a_workbook_are_written_as_in_a_text(tmp_path):
    row = [date(2026, 5, 1), datetime(2026, 5, 1, 9, 30), 2.5, True]
    path = workbook(tmp_path, ("Games", [["a", "b", "c", "d"], row]))
    assert [*cells(path)[0].values()] == ["2026-05-01", "2026-05-01 09:30:00", "2.5", "True"]


def packed(**parts):
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in parts.items():
            archive.writestr(name, content)
    return stream.getvalue()


def test_a_zip_bomb_is_refused_before_it_is_unpacked(tmp_path):
    data = packed(workbook=b"0" * (sheet_files.MOST_UNPACKED + 1))
    assert len(data) < 100_000
    refused(csv_file(tmp_path, data, "deck.xlsx"), "is too large, more than 20000000 bytes unpacked")


@pytest.mark.parametrize("data", [packed(x=b"no workbook"), b"PK\x03\x04" + bytes(900)])
def test_a_damaged_workbook_is_refused(tmp_path, data):
    refused(csv_file(tmp_path, data, "deck.xlsx"), "cannot be read as a workbook")


def test_a_workbook_whose_stated_size_is_wrong_is_read_whole(tmp_path):
    path = workbook(tmp_path, ("Cards", GOOD))
    with zipfile.ZipFile(path) as archive:
        parts = {name: archive.read(name) for name in archive.namelist()}
    sheet = "xl/worksheets/sheet1.xml"
    parts[sheet] = parts[sheet].replace(b'<dimension ref="A1:C3"', b'<dimension ref="A1:A1"')
    assert b'"A1:A1"' in parts[sheet]
    assert len(cells(csv_file(tmp_path, packed(**parts), "deck.xlsx"))) == 2


@pytest.mark.parametrize("cell", ["A50002", "IV2"])
def test_a_cell_far_out_is_refused_and_not_waited_for(tmp_path, cell):
    path = workbook(tmp_path, ("Cards", GOOD))
    book = openpyxl.load_workbook(path)
    book["Cards"][cell] = 1
    book.save(path)
    refused(path, "sheet Cards: has more than 50,000 rows or 250 columns")


def test_rows_are_counted_with_their_copies(tmp_path):
    (tmp_path / "deck.columns.toml").write_text("copies = 'n'")
    refused(csv_file(tmp_path, "colour,n\n" + "blue,100\n" * 101), "has more than 10,000 rows")
    refused(
        csv_file(tmp_path, "colour,n\nblue,101\n"), "column copies of a row: '101'; it must be a whole number"
    )


def test_what_windows_powershell_writes_behind_an_arrow_is_read(tmp_path):
    """`simkit cards GAME > FILE` makes UTF-16 of it, with a byte order mark."""
    sheet = csv_file(tmp_path, "colour\r\nblü\r\n".encode("utf-16"))
    (row,) = sheet_files.read_only(sheet, ["colour"], ["colour"]).rows
    assert row["colour"] == "blü"


@pytest.mark.parametrize("encoding", ["utf-16-le", "cp1252"])
def test_other_encodings_are_refused(tmp_path, encoding):
    refused(
        csv_file(tmp_path, "colour\nblü\n".encode(encoding)), "is not UTF-8 text; export the sheet as CSV"
    )


def test_rows_by_name(tmp_path):
    """Each name once, in the order of the game; columns that are not asked for are refused."""

    def rows(text):
        path = csv_file(tmp_path, text)
        return sheet_files.read_only(path, ["colour", "value"], ["colour", "value"]).by_name(
            "colour", ["red", "blue"]
        )

    assert [row["value"] for row in rows("colour,value\nblue,2\nred,1\n").values()] == ["1", "2"]
    for text, message in {
        "colour,value\nblue,2\nblue,1\n": "line 3, column colour: blue is there twice; every colour has one row",
        "colour,value\nblue,2\n": "there is no row for red",
        "colour,value\nbleu,2\n": "line 2, column colour: unknown colour 'bleu'; did you mean 'blue'?",
        "colour,valeu\n": "line 1: unknown column 'valeu'; did you mean 'value'?",
        "colour\n": "line 1, column value: is missing; the header must be colour,value",
    }.items():
        with pytest.raises(UsageError, match=r"deck\.csv, ") as error:
            rows(text)
        assert message in str(error.value)
