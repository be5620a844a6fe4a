"""Reading of a designer's own tracks from CSV (files.mood_track, files.export_tracks; RO-1.6, RO-1.8).

A mood track has a row for each space, worst first; `start` marks with 1 the space on which workers start:

    value,start
    -3,
    0,1
    2,

Export tracks have a row for each type with the values of its fixed spaces from left to right, at most seven,
and of the last space, which repeats:

    resource,space_1,space_2,space_3,repeat
    wool,4,3,3,2
    wheat,4,3,3,2
    fish,5,4,3,2
    coal,3,3,2,2
"""

import csv
import re
from pathlib import Path
from typing import NamedTuple

from simkit.errors import UsageError, unknown
from simkit.games.red_outpost.facts import MOST_EXPORTS, MOST_SPACES, RESOURCE_NAMES

SPACES = [f"space_{n}" for n in range(1, MOST_EXPORTS + 1)]
FEWEST, WORST, BEST, MOST_POINTS = 3, -20, 20, 20
Row = dict[str, str]


class MoodTrack(NamedTuple):
    """Values of the spaces, worst first, and the start; `said` is one line on what was read."""

    values: tuple[int, ...]
    start: int
    summary: str = ""


class ExportTracks(NamedTuple):
    """Values by resource, the repeating space last; `said` is one line on what was read."""

    values: tuple[tuple[int, ...], ...]
    summary: str = ""


def read_mood_track(path: Path) -> MoodTrack:
    """Read a mood track of 3 to 17 spaces with values of -20 to 20 (RO-1.6)."""
    rows = _rows(path, ["value", "start"], ["value", "start"])
    if not FEWEST <= len(rows) <= MOST_SPACES:
        raise UsageError(f"{path}: {len(rows)} spaces; a mood track has {FEWEST} to {MOST_SPACES}")
    values = tuple(_number(row["value"], at, "value", WORST, BEST) for at, row in rows)
    marks = [_number(row["start"] or "0", at, "start", 0, 1) for at, row in rows]
    if sum(marks) != 1:
        raise UsageError(f"{path}, column start: {sum(marks)} spaces are marked; mark one space with 1")
    start = marks.index(1)
    sentence = f"{path.name}: mood track {', '.join(map(str, values))}, start on {values[start]}"
    return MoodTrack(values, start, sentence)


def read_export_tracks(path: Path) -> ExportTracks:
    """Read export tracks of 0 to 7 fixed spaces with values of 0 to 20 (RO-1.8)."""
    rows = _rows(path, ["resource", *SPACES, "repeat"], ["resource", "repeat"])
    tracks: dict[str, tuple[int, ...]] = {}
    for at, row in rows:
        name = row["resource"]
        if name not in RESOURCE_NAMES:
            raise unknown("resource", name, RESOURCE_NAMES, at)
        if name in tracks:
            raise UsageError(f"{at}: {name} is there twice; every resource once")
        tracks[name] = _track(row, at)
    missing = [name for name in RESOURCE_NAMES if name not in tracks]
    if missing:
        raise UsageError(f"{path}: no row for {missing[0]}; every resource has one")
    values = tuple(tracks[name] for name in RESOURCE_NAMES)
    parts = [
        f"{name} {' '.join(map(str, tracks[name][:-1]))} ? {tracks[name][-1]}" for name in RESOURCE_NAMES
    ]
    return ExportTracks(values, f"{path.name}: export tracks {', '.join(parts)}")


def mood_rows(track: MoodTrack) -> list[list[str]]:
    """Return a mood track as the rows of a file."""
    marks = ["1" if place == track.start else "" for place in range(len(track.values))]
    return [["value", "start"], *map(list, zip(map(str, track.values), marks, strict=True))]


def export_rows(tracks: ExportTracks) -> list[list[str]]:
    """Return export tracks as the rows of a file."""
    most = max(map(len, tracks.values)) - 1
    rows = [
        [name, *map(str, fixed), *[""] * (most - len(fixed)), str(repeat)]
        for name, (*fixed, repeat) in zip(RESOURCE_NAMES, tracks.values, strict=True)
    ]
    return [["resource", *SPACES[:most], "repeat"], *rows]


def _track(row: Row, at: str) -> tuple[int, ...]:
    """Return the fixed spaces up to the first empty cell, then the one that repeats."""
    cells = [(name, row.get(name, "")) for name in SPACES]
    filled = [(name, cell) for name, cell in cells if cell]
    if filled != cells[: len(filled)]:
        empty = next(name for name, cell in cells if not cell)
        raise UsageError(f"{at}, column {empty}: is empty, but a later space is not; fill from the left")
    return tuple(
        _number(cell, at, name, 0, MOST_POINTS) for name, cell in [*filled, ("repeat", row["repeat"])]
    )


def _number(cell: str, at: str, column: str, low: int, high: int) -> int:
    if not re.fullmatch(r"[+-]?[0-9]{1,3}", cell) or not low <= int(cell) <= high:
        raise UsageError(f"{at}, column {column}: '{cell[:40]}' is not a whole number {low} to {high}")
    return int(cell)


def _rows(path: Path, allowed: list[str], required: list[str]) -> list[tuple[str, Row]]:
    """Return the rows that are not blank, each with its place in words."""
    try:
        text = path.read_text(encoding="utf-8-sig")
    except OSError as error:
        raise UsageError(f"{path}: cannot be read ({error.strerror}); name a CSV file") from None
    except UnicodeDecodeError:
        raise UsageError(f"{path}: is not UTF-8 text; name a CSV file") from None
    try:
        lines = list(csv.reader(text.splitlines()))
    except csv.Error as error:
        raise UsageError(f"{path}: is not a table of tracks ({error}); name a CSV file") from None
    names = [title.strip().lower() for title in lines[0]] if lines else []
    for name in filter(None, names):
        if name not in allowed:
            raise unknown("column", name, allowed, f"{path}, line 1")
    missing = [name for name in required if name not in names]
    if missing or len(set(names)) < len(names):
        wrong = f"column {missing[0]} is missing" if missing else "a column is there twice"
        raise UsageError(f"{path}, line 1: {wrong}; the header must be {','.join(allowed)}")
    return [
        (f"{path}, line {line}", _row(names, [cell.strip() for cell in cells], f"{path}, line {line}"))
        for line, cells in enumerate(lines[1:], start=2)
        if any(cell.strip() for cell in cells)
    ]


def _row(names: list[str], cells: list[str], at: str) -> Row:
    if any(cells[len(names) :]):
        raise UsageError(f"{at}: more cells than columns; write one cell for each of {', '.join(names)}")
    return dict(zip(names, cells + [""] * (len(names) - len(cells)), strict=False))
