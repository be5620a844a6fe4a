"""What differs between two sheets, two runs or two locks, in words."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from simkit.ask import lock_file as locks
from simkit.engine import sheet_files
from simkit.errors import UsageError
from simkit.runs import manifest
from simkit.runs.storage.downloads import local_copy
from simkit.tables.own_tables import Rows, pairs


class Difference(NamedTuple):
    """A difference: its place, and what stands there in each of the two; empty where it is missing."""

    place: str
    was: str
    now: str

    def __str__(self) -> str:
        if self.was and self.now:
            return f"{self.place}: {self.was} → {self.now}"
        return f"{self.place}: {self.now} added" if self.now else f"{self.place}: {self.was} removed"


def diff(a: str | Path, b: str | Path) -> list[Difference]:
    """Return what differs between two sheets, two runs or two locks.

    Sheets are CSV, TSV or XLSX files, or addresses, runs are folders, locks end in `.lock`. The differences
    are in order; `print(*differences, sep="\\n")` writes them in words. UsageError for what cannot be read.

    Example:
        >>> diff("cards.csv", "balance.lock")
        Traceback (most recent call last):
        simkit.errors.UsageError: cards.csv is a sheet, balance.lock a lock; compare two of a kind
    """
    paths = [Path(local_copy(str(path))) for path in (a, b)]
    kinds = ["run" if path.is_dir() else "lock" if path.suffix == ".lock" else "sheet" for path in paths]
    if kinds[0] != kinds[1]:
        raise UsageError(f"{a} is a {kinds[0]}, {b} a {kinds[1]}; compare two of a kind")
    if kinds[0] == "lock":
        return list(_of_values(*(_values_of_lock(locks.read(path)) for path in paths)))
    return list(_of_runs(*paths) if kinds[0] == "run" else _of_sheets(*paths))


def _of_sheets(a: Path, b: Path) -> Iterator[Difference]:
    was, now = _rows(a), _rows(b)
    if not {*was[0]}.intersection(now[0]):
        raise UsageError(f"{a} and {b} have no column in common; compare sheets of one kind")
    for row, before, after in pairs(was, now):
        texts = [" ".join(filter(None, cells.values())) for cells in (before, after)]
        columns = dict.fromkeys([*before, *after]) if before and after else ()
        for column in columns:
            values = before.get(column, ""), after.get(column, "")
            if values[0] != values[1]:
                yield Difference(f"row {row} ({sheet_files.quote_cell(texts[0])}), {column}", *values)
        if not columns:
            yield Difference(f"row {row}", *texts)


def _rows(path: Path) -> Rows:
    """Return the titles of a sheet, then its rows."""
    mapping = sheet_files.read_mapping(path)
    sheet = sheet_files.read(path, [*mapping.columns, *mapping.values], "a title for every column")
    columns = [column for column in sheet.columns if column]
    return [columns, *([row[column] for column in columns] for row in sheet.rows)]


def _of_runs(a: Path, b: Path) -> Iterator[Difference]:
    """Yield differences in the experiments, default options, sources and the designer's files."""
    before, after = manifest.read(a), manifest.read(b)
    yield from _of_values(_values_of(before), _values_of(after))
    others = after.experiment.every_file()
    for name, path in before.experiment.every_file().items():
        if name in others and not path.endswith(".toml"):
            for difference in _of_sheets(a / path, b / others[name]):
                yield difference._replace(place=f"{name}, {difference.place}")


def _values_of(run: manifest.Manifest) -> dict[str, Any]:
    defaults = {name: option.default for name, option in run.words.options.items()}
    sources = {name: digest[:12] for name, digest in run.sources.items()}
    return run.experiment.keys() | {"default": defaults, "simkit": run.simkit, "sources": sources}


def _values_of_lock(lock: locks.Lock) -> dict[str, Any]:
    """Return what a designer wrote into a lock, and what its accepted rules were and measured."""
    values = lock.model_dump(include={"game", "seed", "deals", "lineup", "rotate", "options", "files"})
    values |= {"claims": dict.fromkeys(lock.claims, "not accepted yet"), "sources": dict[str, str]()}
    for own in lock.accepted:
        values["claims"][own.claim] = f"{own.value:.1f} ({own.low:.1f} to {own.high:.1f}), {own.verdict}"
        values["sources"] |= own.sources
    return values


def _of_values(a: dict[str, Any], b: dict[str, Any]) -> Iterator[Difference]:
    was, now = (dict(_leaves(values)) for values in (a, b))
    for place in dict.fromkeys([*was, *now]):
        if was.get(place) != now.get(place):
            yield Difference(place, was.get(place, ""), now.get(place, ""))


def _leaves(value: Any, place: str = "") -> Iterator[tuple[str, str]]:
    """Yield the values in nested tables with their places."""
    if isinstance(value, dict):
        for name, entry in value.items():
            yield from _leaves(entry, f"{place}, {name}" if place else str(name))
    else:
        yield place, str(value)
