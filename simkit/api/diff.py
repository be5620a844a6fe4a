"""What differs between two sheets, two runs or two locks, in words."""

import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from simkit.analysis.own_tables import Rows, changes
from simkit.engine import sheet_files
from simkit.errors import UsageError
from simkit.runs import manifest
from simkit.runs.storage.downloads import local_copy

MAX_LETTERS = 80  # of a value


class Difference(NamedTuple):
    """A difference: its place, and what stands there in each of the two; empty where it is missing.

    >>> print(Difference("dome", "cost 4", "cost 3"), Difference("silo", "", "cost 2"), sep=", ")
    dome: cost 4 → cost 3, silo: cost 2 added
    """

    place: str
    was: str
    now: str

    def __str__(self) -> str:
        if self.was and self.now:
            return f"{self.place}: {self.was} → {self.now}"
        return f"{self.place}: {self.now} added" if self.now else f"{self.place}: {self.was} removed"


def diff(a: str | Path, b: str | Path) -> list[Difference]:
    """Return what differs between two sheets, two runs or two locks.

    Args:
        a: A sheet (CSV, TSV, XLSX, also at an address), the folder of a run, or a `.lock` file.
        b: Another of the same kind.

    Returns:
        The differences in order; `print(*differences, sep="\\n")` writes them in words.

    Raises:
        UsageError: Files that cannot be read, or of two kinds.

    Example:
        >>> diff("cards.csv", "balance.lock")
        Traceback (most recent call last):
        simkit.errors.UsageError: cards.csv is a sheet, balance.lock a lock; compare two of a kind
    """
    paths = [Path(local_copy(str(path))) for path in (a, b)]
    kinds = ["run" if path.is_dir() else "lock" if path.suffix == ".lock" else "sheet" for path in paths]
    if kinds[0] != kinds[1]:
        raise UsageError(f"{a} is a {kinds[0]}, {b} a {kinds[1]}; compare two of a kind")
    of_kind = {"run": _of_runs, "lock": _of_locks, "sheet": _of_sheets}
    return list(of_kind[kinds[0]](*paths))


def _of_sheets(a: Path, b: Path) -> Iterator[Difference]:
    for change in changes(_rows(a), _rows(b)):
        row, was, now = f"row {change['row']}", change["was"], change["now"]
        if change["kind"] == "changed":
            for cell in change["cells"].split("; "):
                column, _, values = cell.partition(": ")
                yield Difference(f"{row} ({was}): {column}", *values.split(" → ", 1))
        else:
            yield Difference(row, was, now)


def _rows(path: Path) -> Rows:
    """Return the titles of a sheet, then its rows."""
    sheet = sheet_files.read(path, sheet_files.read_mapping(path).columns, "a title for every column")
    columns = [column for column in sheet.columns if column]
    return [columns, *([row[column] for column in columns] for row in sheet.rows)]


def _of_runs(a: Path, b: Path) -> Iterator[Difference]:
    """Yield differences in what was asked, in options, versions and the designer's files."""
    stored = [manifest.read(path) for path in (a, b)]
    yield from _of_values(*map(_run_values, stored))
    for name, path in stored[0].experiment.every_file().items():
        other = stored[1].experiment.every_file().get(name)
        if other and not path.endswith(".toml"):
            for difference in _of_sheets(a / path, b / other):
                yield difference._replace(place=f"{name}, {difference.place}")


def _run_values(run: manifest.Manifest) -> dict[str, Any]:
    """Return what may differ between runs: the keys of the experiment, default options, sources."""
    defaults = {name: option.default for name, option in run.words.options.items()}
    return run.experiment.keys() | {"default": defaults, "simkit": run.simkit, "sources": run.sources}


def _of_locks(a: Path, b: Path) -> Iterator[Difference]:
    contents = []
    for path in (a, b):
        try:
            contents.append(tomllib.loads(path.read_text("utf-8")))
        except (OSError, ValueError, RecursionError) as error:
            raise UsageError(f"{path}: cannot be read as a lock: {error}") from None
    return _of_values(*contents)


def _of_values(a: dict[str, Any], b: dict[str, Any]) -> Iterator[Difference]:
    was, now = (dict(_leaves(values)) for values in (a, b))
    for place in dict.fromkeys([*was, *now]):
        if was.get(place) != now.get(place):
            yield Difference(place, was.get(place, ""), now.get(place, ""))


def _leaves(value: Any, place: str = "") -> Iterator[tuple[str, str]]:
    """Yield the values in nested tables with their places; claims in a list are named by what they say."""
    if isinstance(value, list) and value and all(isinstance(entry, dict) for entry in value):
        value = {str(entry.get("says", number)): entry for number, entry in enumerate(value, start=1)}
    if isinstance(value, dict):
        for name, entry in value.items():
            yield from _leaves(entry, f"{place}, {name}" if place else str(name))
    else:
        text = str(value)
        yield place, text if len(text) <= MAX_LETTERS else f"{text[:MAX_LETTERS]}…"
