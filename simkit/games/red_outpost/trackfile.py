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

from pathlib import Path
from typing import NamedTuple

from simkit.engine import sheet_files
from simkit.engine.sheet_files import SheetRow
from simkit.errors import UsageError
from simkit.games.red_outpost.facts import MOST_EXPORTS, MOST_SPACES, RESOURCE_NAMES

SPACES = [f"space_{n}" for n in range(1, MOST_EXPORTS + 1)]
FEWEST, WORST, BEST, MOST_POINTS = 3, -20, 20, 20


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
    sheet = sheet_files.read_only(path, ["value", "start"], ["value", "start"])
    if not FEWEST <= len(sheet.rows) <= MOST_SPACES:
        raise UsageError(f"{path}: {len(sheet.rows)} spaces; a mood track has {FEWEST} to {MOST_SPACES}")
    values = tuple(row.integer("value", WORST, BEST) for row in sheet.rows)
    marks = [row.integer("start", 0, 1) if row["start"] else 0 for row in sheet.rows]
    if sum(marks) != 1:
        raise UsageError(f"{path}, column start: {sum(marks)} spaces are marked; mark one space with 1")
    start = marks.index(1)
    sentence = f"{path.name}: mood track {', '.join(map(str, values))}, start on {values[start]}"
    return MoodTrack(values, start, sheet.summarize(sentence))


def read_export_tracks(path: Path) -> ExportTracks:
    """Read export tracks of 0 to 7 fixed spaces with values of 0 to 20 (RO-1.8)."""
    sheet = sheet_files.read_only(path, ["resource", *SPACES, "repeat"], ["resource", "repeat"])
    tracks = {name: _track(row) for name, row in sheet.by_name("resource", RESOURCE_NAMES).items()}
    values = tuple(tracks[name] for name in RESOURCE_NAMES)
    parts = [
        f"{name} {' '.join(map(str, tracks[name][:-1]))} ? {tracks[name][-1]}" for name in RESOURCE_NAMES
    ]
    return ExportTracks(values, sheet.summarize(f"{path.name}: export tracks {', '.join(parts)}"))


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


def _track(row: SheetRow) -> tuple[int, ...]:
    """Return the fixed spaces up to the first empty cell, then the one that repeats."""
    filled = [name for name in SPACES if row[name]]
    if filled != SPACES[: len(filled)]:
        empty = next(name for name in SPACES if not row[name])
        raise row.fault(empty, "is empty, but a later space is not", "fill from the left")
    return tuple(row.integer(name, 0, MOST_POINTS) for name in [*filled, "repeat"])
