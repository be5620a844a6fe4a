"""Sheets of spreadsheets (CSV, TSV, XLSX) as rows of texts that know their place: `read(path, columns)`.

A title is a column if it matches apart from capitals, blanks, underscores and American spelling. For other
titles a small TOML stands beside the file, such as `deck.columns.toml` for `deck.csv`. All of it is optional:

    sheet = "Cards"  # of a workbook; otherwise the first that is not hidden
    header = 3  # line or row of the titles; otherwise the first that is not blank
    ignore = ["Artwork", "Designer's notes"]
    copies = "Quantity"  # a row stands for so many rows
    [columns]
    colour = "Card type"
    [values.colour]
    "Deep blue" = "blue"
"""

import codecs
import csv
import io
import itertools
import os
import re
import warnings
import zipfile
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, replace
from datetime import datetime, time
from pathlib import Path
from typing import Any, NamedTuple

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from simkit.engine.toml_files import read_toml
from simkit.errors import UsageError, unknown

MOST_BYTES, MOST_UNPACKED = 5_000_000, 20_000_000
MOST_ROWS, MOST_COLUMNS, MOST_SCANNED, MOST_COPIES = 10_000, 250, 50_000, 100
MAPPED = COPIES, IGNORED = "copies of a row", "ignored"  # in place of columns
UTF_16 = codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE  # Windows PowerShell begins its files so, as does Excel
LIKELY_LINES = 30  # first lines of a sheet, which are searched for a header
AS_TEXT = "export the sheet as CSV (UTF-8)"
SEPARATOR = re.compile(r'"?sep=([^\w\s"]|\t)"?[,;\t]*', re.IGNORECASE)  # first line of a CSV, for Excel
QUOTED = re.compile(r'(?<![^,;\t\n "])"[^"]*"')  # from the start of a cell
Lines = Iterable[tuple[str, int, list[str]]]  # place and number of a line or row, and its cells


@dataclass(frozen=True)
class SheetRow:
    """A row of a sheet: its place in words, its number in the file, and its cells by column."""

    place: str
    number: int
    cells: dict[str, str]

    def __getitem__(self, column: str) -> str:
        return self.cells.get(column, "")

    def at(self, column: str) -> str:
        """Return the place of a cell in words."""
        return f"{self.place}, column {column}"

    def fault(self, column: str, wrong: str, right: str) -> UsageError:
        """Return the error for a cell: what is wrong with it, and what would be right."""
        return UsageError(f"{self.at(column)}: {wrong}; {right}")

    def integer(self, column: str, low: int, high: int) -> int:
        """Return the whole number in a cell; UsageError for anything else or out of range."""
        text = self[column]
        if not re.fullmatch("[+-]?[0-9]{1,9}", text) or not low <= int(text) <= high:
            wrong = f"'{quote_cell(text)}'" if text else "is empty"
            raise self.fault(column, wrong, f"it must be a whole number from {low} to {high}")
        return int(text)


class Sheet(NamedTuple):
    """A sheet: place of the header, columns, rows that are not blank, and in words which titles matched."""

    place: str
    columns: list[str]
    rows: list[SheetRow]
    note: str

    def summarize(self, summary: str) -> str:
        """Return a summary of the sheet with the note."""
        return f"{summary}; {self.note}" if self.note else summary

    def by_name(self, column: str, names: Iterable[str]) -> dict[str, SheetRow]:
        """Return the rows by the names in a column; UsageError unless every name has exactly one row."""
        rows, allowed = dict[str, SheetRow](), list(names)
        for row in self.rows:
            if (name := row[column]) not in allowed:
                raise unknown(column, quote_cell(name), allowed, row.at(column))
            if name in rows:
                raise row.fault(column, f"{name} is there twice", f"every {column} has one row")
            rows[name] = row
        for name in allowed:
            if name not in rows:
                raise UsageError(f"{self.place}: there is no row for {name}; every {column} has one")
        return {name: rows[name] for name in allowed}


class ColumnMapping(BaseModel):
    """What `FILE.columns.toml` says: see the module."""

    model_config = ConfigDict(extra="forbid", strict=True)
    sheet: str = ""
    header: int = Field(default=1, ge=1)
    ignore: list[str] = []
    copies: str = ""
    columns: dict[str, str] = {}
    values: dict[str, dict[str, str]] = {}


def read(path: Path, columns: Iterable[str], header: str) -> Sheet:
    """Return the first visible sheet of a file, or the one in its mapping; UsageError for what is no sheet.

    `columns` are those that the caller reads, described by `header`; other titles stay, in small letters.
    """
    file, mapping = quote_cell(str(path), 200), read_mapping(path)
    data = _bytes_of(path, file)
    is_workbook = data.startswith(b"PK\x03\x04")
    lines = list(_workbook(data, file, mapping) if is_workbook else _text(data, file, mapping.header))
    place, number, titles = lines[0] if lines else (file, 0, [])
    if number != mapping.header > 1:
        wrong = f"header = {mapping.header} in {mapping_file(path).name}"
        raise UsageError(f"{file}: {wrong}: that {'row' if is_workbook else 'line'} is blank")
    if not titles:
        raise UsageError(f"{file}: is empty; the first line must be a header: {header}")
    titles = [" ".join(title.split()) for title in titles]  # without line breaks
    _check_header(lines, [*columns, *mapping.columns.values()], mapping_file(path).name)
    names = _names(titles, list(columns), mapping, place)
    rows = [row for at, n, cells in lines[1:] for row in _rows(names, cells, SheetRow(at, n, {}), mapping)]
    if len(rows) > MOST_ROWS:
        raise UsageError(f"{file}: has more than {MOST_ROWS:,} rows")
    readable, pairs = [name for name in names if name not in MAPPED], zip(names, titles, strict=True)
    others = [f"{name} is '{quote_cell(title)}'" for name, title in pairs if name != _plain(title)]
    return Sheet(place, readable, rows, f"columns matched: {', '.join(others)}" if others else "")


def read_only(path: Path, columns: list[str], required: Iterable[str]) -> Sheet:
    """Return a sheet that has no other columns, and all that are required; see `read`."""
    header = ",".join(columns)
    sheet = read(path, columns, header)
    check_columns(sheet.columns, columns, required, sheet.place, header)
    return sheet


def check_columns(
    names: Collection[str], allowed: Collection[str], required: Iterable[str], place: str, header: str
) -> None:
    """Raise UsageError for a column that is not allowed, or a required one that is missing."""
    for name in filter(None, names):
        if name not in allowed:
            raise unknown("column", quote_cell(name), allowed, place)
    for name in required:
        if name not in names:
            raise UsageError(f"{place}, column {name}: is missing; the header must be {header}")


def mapping_file(path: str | Path) -> Path:
    """Return the file that may say what the columns of a sheet are called."""
    return Path(path).with_name(f"{Path(path).stem}.columns.toml") if Path(path).name else Path(path)


def read_mapping(path: Path) -> ColumnMapping:
    """Return the mapping beside a sheet, if there is one."""
    file = mapping_file(path)
    if not os.path.isfile(file):
        return ColumnMapping()
    try:
        return ColumnMapping.model_validate(read_toml(file))
    except ValidationError as error:
        fault = error.errors()[0]
        wrong = quote_cell(f"key '{'.'.join(map(str, fault['loc']))}': {fault['msg']}", 200)
        right = 'write TOML such as columns.colour = "Card type"'
        raise UsageError(f"{quote_cell(str(file), 200)}: cannot be used ({wrong}); {right}") from None


def quote_cell(text: str, most: int = 40) -> str:
    """Return text from outside, fit for one line of a message."""
    text = text if text.isprintable() else ascii(text)[1:-1]
    return text if len(text) <= most else text[: most - 3] + "..."


def _bytes_of(path: Path, file: str) -> bytes:
    cure = "name a sheet (.csv, .tsv or .xlsx)"
    try:
        if not path.exists():
            raise UsageError(f"{file}: no such file; {cure}")
        if not path.is_file() or path.stat().st_size > MOST_BYTES:
            raise UsageError(f"{file}: is no sheet; it must be a plain file of at most {MOST_BYTES} bytes")
        return path.read_bytes()
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise UsageError(f"{file}: cannot be read ({reason}); {cure}") from None


def _text(data: bytes, file: str, header: int) -> Lines:
    """Return the lines of a text file that are not blank, from the header on."""
    try:
        text = data.decode("utf-16" if data.startswith(UTF_16) else "utf-8-sig")
    except UnicodeDecodeError as error:
        line = len(re.findall(rb"\r\n|\r|\n", data[: error.start])) + 1
        raise UsageError(f"{file}, line {line}: is not UTF-8 text; {AS_TEXT}") from None
    if "\0" in text:
        raise UsageError(f"{file}: is not UTF-8 text; {AS_TEXT}")
    lines = re.sub("\r\n?", "\n", text).split("\n")
    stated = SEPARATOR.fullmatch(lines[0])
    if stated:
        lines[0] = ""
    return _split("\n".join(lines[header - 1 :]), file, header, stated[1] if stated else "")


def _split(text: str, file: str, first: int, stated: str) -> Iterator[tuple[str, int, list[str]]]:
    """Yield the rows that are not blank, each with the line it begins on; `first` is that of the text."""
    header = next((line for line in QUOTED.sub("", text).split("\n") if line.strip()), "")
    delimiter = stated or max(",;\t", key=header.count)
    stream = io.StringIO(text, newline="")
    reader = csv.reader(stream, delimiter=delimiter, skipinitialspace=True, strict=True)
    line = first
    try:
        for cells in reader:
            other = len(cells) == 1 and delimiter in header and re.search("[,;\t]", cells[0].strip())
            if other and reader.line_num > 1:
                wrong = f"separates its cells otherwise than the header: '{quote_cell(cells[0])}'"
                right = "use one separator in the whole file, or give the line of the titles as header = N"
                raise UsageError(f"{file}, line {line}: {wrong}; {right} in {mapping_file(file).name}")
            if any(cell.strip() for cell in cells):
                yield f"{file}, line {line}", line, [cell.strip() for cell in cells]
            line = first + reader.line_num
    except csv.Error as error:
        wrong = quote_cell(str(error).replace("\t", "tab"))
        right = 'a quote (") that opens a cell must close at its end, quotes inside are doubled'
        raise UsageError(f"{file}, line {line}: the cells cannot be told apart ({wrong}); {right}") from None


def _workbook(data: bytes, file: str, mapping: ColumnMapping) -> Lines:
    """Return the rows of a sheet of a workbook that are not blank."""
    from openpyxl import load_workbook

    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            if sum(part.file_size for part in archive.infolist()) > MOST_UNPACKED:
                raise UsageError(f"{file}: is too large, more than {MOST_UNPACKED} bytes unpacked; {AS_TEXT}")
        with warnings.catch_warnings(action="ignore"):
            workbook = load_workbook(io.BytesIO(data), read_only=True, data_only=True)
            states = {sheet.title: sheet.sheet_state for sheet in workbook.worksheets}
            name = mapping.sheet or next(title for title in states if states[title] == "visible")
            if name not in states:
                raise unknown("sheet", quote_cell(name), states, file)
            workbook[name].reset_dimensions()  # which a file may state wrongly
            return list(_cells(workbook[name], f"{file}, sheet {quote_cell(name)}", mapping.header))
    except UsageError:
        raise
    except Exception as error:  # whatever openpyxl finds in a damaged file
        wrong = quote_cell(str(error) or type(error).__name__)
        raise UsageError(f"{file}: cannot be read as a workbook ({wrong}); {AS_TEXT}") from None


def _cells(sheet: Any, where: str, header: int) -> Iterator[tuple[str, int, list[str]]]:
    """Yield the rows of a sheet that are not blank, from the header on.

    Cells that are merged over rows count in each of them. Refuse cells merged over columns, and hidden rows.
    """
    hidden, merged = _layout(sheet, where)
    below, titled = dict[int, tuple[str, int]](), False  # column -> text of a merged cell and its last row
    for number, row in enumerate(sheet.iter_rows(values_only=True), start=1):
        if number > MOST_SCANNED or len(row) > MOST_COLUMNS:
            raise UsageError(f"{where}: has more than {MOST_SCANNED:,} rows or {MOST_COLUMNS} columns")
        if not any(cells := [_cell_text(cell) for cell in row]):
            continue
        for column, text in enumerate(cells):
            address, last_row, last_column = merged.get((number, column), ("", 0, 0))
            if text and last_column > column and titled:
                right = "unmerge them, and fill each cell"
                raise UsageError(f"{where}, cells {address}: are merged over several columns; {right}")
            if text and last_row:
                below[column] = text, last_row
        if number < header:
            continue
        if number in hidden:
            raise UsageError(f"{where}, row {number}: is hidden; show it, or delete it")
        for column, (text, last_row) in below.items():
            if number <= last_row:
                cells += [""] * (column + 1 - len(cells))
                cells[column] = text
        titled = True
        yield f"{where}, row {number}", number, cells


def _layout(sheet: Any, where: str) -> tuple[set[int], dict[tuple[int, int], tuple[str, int, int]]]:
    """Return hidden rows, and merged cells: address, last row and last column (from 0) by the first ones.

    Refuse formulas without a stored value. `openpyxl` reads none of these without the cells of a whole sheet,
    among them all that are merged.
    """
    from openpyxl.utils import range_boundaries
    from openpyxl.xml.functions import iterparse

    hidden, merged, number = set[int](), dict[tuple[int, int], tuple[str, int, int]](), 0
    with sheet._get_source() as source:
        for _, element in iterparse(source):
            tag = element.tag.rpartition("}")[2]
            if tag == "mergeCell":
                left, top, right, bottom = range_boundaries(element.get("ref"))
                merged[top, left - 1] = element.get("ref"), bottom, right - 1
            if tag != "row":
                continue
            number = int(element.get("r", number + 1))
            if element.get("hidden") in ("1", "true"):
                hidden.add(number)
            for cell in element:
                formula, value = cell.find("{*}f"), cell.find("{*}v")
                empty = value is None or (not value.text and cell.get("t") != "str")  # not the text ""
                if formula is not None and empty:
                    wrong = f"'={quote_cell(formula.text or '')}' is a formula without a stored value"
                    place = f"{where}, cell {cell.get('r', f'in row {number}')}"
                    raise UsageError(f"{place}: {wrong}; save the workbook in a spreadsheet program")
            element.clear()
    return hidden, merged


def _cell_text(value: Any) -> str:
    """Return a cell of a workbook as text."""
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    if isinstance(value, datetime) and value.time() == time():
        value = value.date()
    return "" if value is None else str(value).strip()


def _plain(title: str) -> str:
    """Return a title as a column is written: `space_1` for `Space 1`, `colour` for `Color`."""
    return re.sub(r"(?<![a-z])color(?![a-z])", "colour", "_".join(title.lower().split()))


def _check_header(lines: list[Any], columns: list[str], mapping: str) -> None:
    """Refuse a line of titles that are no columns if a later line has some of them."""
    titles = {_letters(column) for column in columns}
    for line, (place, number, cells) in enumerate(lines[:LIKELY_LINES]):
        parts = re.split("[,;\t]", ",".join(cells))
        if titles.intersection(map(_letters, parts)):
            if line:
                cure = f"write header = {number} in {mapping}"
                raise UsageError(f"{lines[0][0]}: is no header; if {place.rpartition(', ')[2]} is, {cure}")
            return


def _letters(title: str) -> str:
    """Return a title as it is compared with columns."""
    return re.sub("[_-]", "", _plain(title))


def _names(titles: list[str], columns: list[str], mapping: ColumnMapping, place: str) -> list[str]:
    """Return the columns that the titles stand for."""
    for column in mapping.columns.keys() | mapping.values.keys():
        if columns and column not in columns:
            raise unknown("column of the game in .columns.toml", quote_cell(column), columns, place)
    for title in filter(None, [*mapping.columns.values(), *mapping.ignore, mapping.copies]):
        if title not in titles:
            raise unknown("title in .columns.toml", quote_cell(title), titles, place)
    mapped = {title: column for column, title in mapping.columns.items()}
    mapped |= dict.fromkeys(mapping.ignore, IGNORED) | ({mapping.copies: COPIES} if mapping.copies else {})
    close = {_letters(column): column for column in columns}
    names = [mapped.get(title) or close.get(_letters(title)) or _plain(title) for title in titles]
    for previous, name in itertools.pairwise(sorted(names)):
        if name and name == previous and name != IGNORED:
            raise UsageError(f"{place}, column {quote_cell(name)}: is there twice; every column once")
    return names


def _rows(names: list[str], cells: list[str], empty: SheetRow, mapping: ColumnMapping) -> list[SheetRow]:
    """Return the row of some cells, once or in copies; refuse a cell outside the columns."""
    pairs = list(itertools.zip_longest(names, cells, fillvalue=""))
    for column, (name, cell) in enumerate(pairs, start=1):
        if cell and not name:
            wrong = f"column {column}: '{quote_cell(cell)}' stands under no column name"
            raise UsageError(f"{empty.place}, {wrong}; empty the cell, or name its column")
    values = {name: mapping.values.get(name, {}).get(cell, cell) for name, cell in pairs if name}
    copies = SheetRow(empty.place, 0, values).integer(COPIES, 0, MOST_COPIES) if COPIES in values else 1
    return [replace(empty, cells={name: values[name] for name in values if name not in MAPPED})] * copies
