"""Component tables of a game: what the rules record has of them, a designer's files, and their sources.

A keyed table has a row for each named thing, such as a ship or a card: numbers, or some names.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

from simkit.engine import sheet_files
from simkit.engine.fields import Field
from simkit.engine.options import Option, to_words
from simkit.errors import UsageError, unknown

Tables = dict[str, Any]
Cells = dict[str, dict[str, Any]]  # by name and column
# Tables of a component file that hold no components.
NO_DATA = ("meta", "options", "component_options", "presets", "greedy")
Provenance = Callable[[Mapping[str, Any], Collection[str]], list[str]]


class Column(NamedTuple):
    """Column of a table that a page edits: one of some names, a text of letters, or a whole number.

    >>> Column("colour", names=("blue", "green")).width, Column("spaces", letters=".AR", high=6).width
    (1, 6)
    """

    name: str
    names: tuple[str, ...] = ()
    letters: str = ""
    low: int = 0
    high: int = 0  # largest number, or most letters
    fits: str = ""  # what its values must meet besides, in words

    @property
    def width(self) -> int:
        """Numbers in a row of a sheet: one, or one per letter, from 1, and 0 behind the last."""
        return self.high if self.letters else 1


class TableFile(NamedTuple):
    """Designer's file that may replace component tables: its reader, and the options that it replaces.

    With `printed` and `rows` the printed table can be written as such a file and compared with others. With
    `columns`, too, the page of a run can edit it, if each number of the rules record is a cell plus a
    constant. Other tables need `fill`: `fill(rules, sheet, n)`, a compiled rule, writes n rows of numbers
    (see `Column`) into the rules record as `Components.build` does. It returns 0, or
    1 + row * columns + column where a value does not fit, or -1 if there are too few rows.

    >>> TableFile(read=len, instead_of="card_set").replaced
    ('card_set',)
    """

    read: Callable[..., Any]  # path -> argument of `Components.build`, with a line `summary`
    instead_of: str | tuple[str, ...] = ()
    printed: Callable[[dict[str, Any]], Any] | None = None  # options in force -> the table, as if read
    rows: Callable[[Any], list[list[str]]] | None = None  # a table -> a header and its rows, as in a file
    columns: tuple[Column, ...] = ()  # those of `rows`; one without values is not edited
    fill: Callable[..., Any] | None = None
    options: Callable[[Any], dict[str, Any]] | None = None  # a table -> options that it sets

    @property
    def replaced(self) -> tuple[str, ...]:
        """The options that cannot be given together with the file."""
        return (self.instead_of,) if isinstance(self.instead_of, str) else self.instead_of

    def refuse_replaced(self, name: str, given: Iterable[str]) -> None:
        """Refuse an option that the file of this name replaces."""
        for option in set(self.replaced).intersection(given):
            raise UsageError(f"option {option} cannot be given with {name}, which takes its place")


def no_tables(options: dict[str, Any], files: dict[str, Any]) -> Tables:
    """Return no component tables."""
    return {}


class Piece(NamedTuple):
    """Component with a name: a card, a building, an upgrade; copies have the same label.

    >>> Piece("lab", (("colour", "blue"),)).label
    'lab'
    """

    label: str  # empty: the rules in force leave it out
    kinds: tuple[tuple[str, str], ...] = ()  # its attributes: ("colour", "blue"), ("value", "3")


class Way(NamedTuple):
    """Change of components that shows their effect (`simkit ablate`): left out, dearer, without effect.

    `change(rules, chosen)` changes the chosen parts, by number, in a copy of the rules record. A change that
    renumbers the parts returns the old numbers in the new order. It depends on `rules` and `chosen` alone.

    >>> Way("blank", "without effect", list, print).rate
    0.25
    """

    name: str
    meaning: str  # a changed part in words: "left out of the deck"
    parts: Callable[[Any], list[Piece]]  # of the rules in force; those without a label cannot be changed
    change: Callable[[Any, list[int]], list[int] | None]
    rate: float = 0.25  # default share of the deals in which a part is changed
    unownable: bool = False  # whether no seat can own a changed part


@dataclass(frozen=True)
class Components:
    """Component tables in the rules record: fields, the function that fills them, files to replace them.

    >>> Components().build({}, {})
    {}
    """

    fields: list[Field] = field(default_factory=list)
    build: Callable[[dict[str, Any], dict[str, Any]], Tables] = no_tables  # build(options, files)
    files: Mapping[str, TableFile] = field(default_factory=dict)
    ways: list[Way] = field(default_factory=list)  # possible changes, the default first


class KeyedTable(NamedTuple):
    """Cells of a table with a row for each named thing, and one line on what was read."""

    cells: Cells
    summary: str = ""


def keyed_table(
    key: str, rows: Mapping[str, Sequence[Column]], printed: Callable[[dict[str, Any]], Cells]
) -> TableFile:
    """Return the file of a table: `key` is the first column, `rows` has the other columns by name."""
    header = [key, *(column.name for column in next(iter(rows.values())))]

    def read(path: Path) -> KeyedTable:
        sheet = sheet_files.read_only(path, header, header)
        lines = sheet.by_name(key, rows).items()
        cells = {name: {column.name: _cell(row, column) for column in rows[name]} for name, row in lines}
        return KeyedTable(cells, sheet.summarize(f"{path.name}: {len(rows)} rows read ({', '.join(header)})"))

    def rows_of(table: KeyedTable) -> list[list[str]]:
        return [header, *([name, *map(str, row.values())] for name, row in table.cells.items())]

    columns = (Column(key), *next(iter(rows.values())))
    return TableFile(
        read, printed=lambda options: KeyedTable(printed(options)), rows=rows_of, columns=columns
    )


def option_table(
    key: str, names: Iterable[str], patterns: Mapping[str, str], options: Sequence[Option]
) -> TableFile:
    """Return the file of a table whose cells are options; `patterns` has their names by column.

    >>> from simkit.engine.options import integer
    >>> table = option_table("ship", ["tug"], {"cost": "{}_cost"}, [integer("tug_cost", 3, 1, 9, "", "Cost")])
    >>> table.replaced, table.rows(table.printed({"tug_cost": 4}))
    (('tug_cost',), [['ship', 'cost'], ['tug', '4']])
    """
    of = {option.name: option for option in options}
    cells = {name: {column: of[text.format(name)] for column, text in patterns.items()} for name in names}
    rows = {
        name: [Column(column, low=its.low, high=its.high) for column, its in row.items()]
        for name, row in cells.items()
    }

    def printed(values: dict[str, Any]) -> Cells:
        return {name: {c: values[its.name] for c, its in row.items()} for name, row in cells.items()}

    def settings(table: KeyedTable) -> dict[str, Any]:
        return {its.name: table.cells[n][column] for n, row in cells.items() for column, its in row.items()}

    replaced = tuple(its.name for row in cells.values() for its in row.values())
    return keyed_table(key, rows, printed)._replace(instead_of=replaced, options=settings)


def _cell(row: sheet_files.SheetRow, column: Column) -> Any:
    if not column.names:
        return row.integer(column.name, column.low, column.high)
    if (name := row[column.name]) not in column.names:
        raise unknown(column.name, sheet_files.quote_cell(name), column.names, row.at(column.name))
    return name


def sources(data: Mapping[str, Any], replaced: Mapping[str, str] = {}) -> Provenance:
    """Return a function of the options in force and the designer's files that lists lines `table: source`.

    A table gives its source under `provenance` and, where its key reads badly, its name under `called`; a
    table `[provenance]` gives sources of other tables by name. Of tables that are choices of an option only
    the one in force counts. `replaced` maps a designer's file to the table that it replaces.
    """

    def source_lines(options: Mapping[str, Any], files: Collection[str] = ()) -> list[str]:
        excluded = {*NO_DATA, "provenance", *(replaced[name] for name in files if name in replaced)}
        tables = {name: table for name, table in data.items() if name not in excluded}
        lines = [
            line for name, table in tables.items() for line in _lines(name, table, set(options.values()))
        ]
        central = {name: text for name, text in data.get("provenance", {}).items() if name not in excluded}
        return list(dict.fromkeys([*lines, *(f"{to_words(name)}: {text}" for name, text in central.items())]))

    return source_lines


def _lines(name: str, table: Any, chosen: Collection[Any], above: str = "") -> Iterator[str]:
    """Yield the source of a table, then the differing sources of the tables in it."""
    for part in table if isinstance(table, list) else [table]:
        if not isinstance(part, Mapping):
            continue
        name, source = part.get("called", name), part.get("provenance", above)
        if source and source != above:
            yield f"{to_words(name)}: {source}"
        inside = {key: value for key, value in part.items() if isinstance(value, Mapping | list)}
        for key in [key for key in inside if key in chosen] or inside:
            yield from _lines(f"{name} {key}", inside[key], chosen, source)


def group_by_source(lines: list[str]) -> list[str]:
    """Return the lines grouped by source.

    >>> group_by_source(["mood: rulebook", "wheel: public", "map: rulebook"])
    ['mood, map: rulebook', 'wheel: public']
    """
    tables: dict[str, list[str]] = {}
    for name, _, source in (line.partition(": ") for line in lines):
        tables.setdefault(source, []).append(name)
    return [f"{', '.join(dict.fromkeys(names))}: {source}" for source, names in tables.items()]


def reconstructed_tables(lines: list[str]) -> list[str]:
    """Return the tables whose source is, at least in part, a reconstruction.

    >>> parts = ["mood: reconstructed", "wheel: public", "map: rulebook+reconstructed", "map: reconstructed"]
    >>> reconstructed_tables(parts)
    ['mood', 'map']
    """
    parts = (line.partition(": ") for line in lines)
    return list(dict.fromkeys(name for name, _, source in parts if "reconstructed" in source))
