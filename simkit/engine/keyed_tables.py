"""Tables with a row for each named thing, which a designer's file may replace: numbers, or some names."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from simkit.engine import sheet_files
from simkit.engine.game import Column, TableFile
from simkit.engine.options import Option

Cells = dict[str, dict[str, Any]]  # by name and column


class Table(NamedTuple):
    """Cells of a table, and one line on what was read."""

    cells: Cells
    summary: str = ""


def keyed_table(
    key: str, rows: Mapping[str, Sequence[Column]], printed: Callable[[dict[str, Any]], Cells]
) -> TableFile:
    """Return the file of a table: `key` is the first column, `rows` has the other columns by name."""
    header = [key, *(column.name for column in next(iter(rows.values())))]

    def read(path: Path) -> Table:
        sheet = sheet_files.read_only(path, header, header)
        lines = sheet.by_name(key, rows).items()
        cells = {name: {column.name: _cell(row, column) for column in rows[name]} for name, row in lines}
        return Table(cells, sheet.described(f"{path.name}: {len(rows)} rows read ({', '.join(header)})"))

    def written(table: Table) -> list[list[str]]:
        return [header, *([name, *map(str, row.values())] for name, row in table.cells.items())]

    return TableFile(read, printed=lambda options: Table(printed(options)), rows=written)


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

    def settings(table: Table) -> dict[str, Any]:
        return {its.name: table.cells[n][column] for n, row in cells.items() for column, its in row.items()}

    replaced = tuple(its.name for row in cells.values() for its in row.values())
    return keyed_table(key, rows, printed)._replace(instead_of=replaced, options=settings)


def _cell(row: sheet_files.Row, column: Column) -> Any:
    if not column.names:
        return row.integer(column.name, column.low, column.high)
    if row[column.name] not in column.names:
        wrong = f"'{sheet_files.shown(row[column.name])}'"
        raise row.fault(column.name, wrong, f"it must be one of {', '.join(column.names)}")
    return row[column.name]
