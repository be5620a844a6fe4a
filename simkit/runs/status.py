"""Status of a run folder: playing, stopped, damaged or finished, and the number of games played.

| state | condition |
| --- | --- |
| playing | a process holds the folder's lock |
| finished | the manifest has a time of finishing, and all files have valid checksums |
| damaged | the manifest has a time of finishing, and a file is missing or has changed |
| stopped | none of these: the run can be continued |
"""

import os
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

import polars as pl

from simkit.errors import OtherRun, UsageError
from simkit.runs import manifest
from simkit.runs.folder import BEGINNERS, Run, belongs_to_study, open_unfinished
from simkit.runs.manifest import Manifest
from simkit.runs.plan import missing_shards
from simkit.runs.storage import checksums, lock, remote

PLAYING, FINISHED, STOPPED, DAMAGED = "playing", "finished", "stopped", "damaged"
FOREIGN = "foreign"  # not a run, or not one that this simkit can read


class Status(NamedTuple):
    """The status of a run.

    state: PLAYING, FINISHED, STOPPED or DAMAGED; games: number of games present; of: number of all games;
    missing_files: names of files that are missing or have changed; failed: number of failed games, if the
    run keeps going; search: whether the run belongs to a search; outstanding: folders of the follow-ups that
    are still to be played.
    """

    folder: str
    state: str
    games: int
    of: int
    missing_files: list[str]
    command: str | None
    failed: int | None = None
    search: bool = False
    outstanding: list[str] = []


def status(folder: str | Path) -> Status:
    """Return the status of a run; reads all of its files to verify their checksums."""
    run = open_unfinished(folder)
    present = run.valid_files()
    unfinished, damaged = set(missing_shards(present, run.shards)), run.changed_files(present)
    state = STOPPED
    if run.manifest.finished:
        damaged = sorted({*damaged, *run.missing_files(present), *_missing_of_beginners(run)})
        state = DAMAGED if unfinished or damaged else FINISHED
    if lock.is_held(run.folder):
        state = PLAYING
    done = replace(run, every=[shard for shard in run.shards if shard not in unfinished])
    return Status(
        folder=remote.hide_passwords(folder),
        state=state,
        games=sum(shard.games(run.cells) for shard in done.shards),
        of=sum(cell.plays for cell in run.cells),
        missing_files=damaged,
        command=run.manifest.command,
        failed=_failed_games(done) if run.experiment.keep_going else None,
        search=belongs_to_study(run.folder),
        outstanding=run.manifest.outstanding,
    )


def _failed_games(run: Run) -> int:
    """Return the number of failed games of a run that keeps going."""
    run.check_tables()
    with run.reading():
        return run.games().select(pl.col("fault").count()).collect().item() if run.shards else 0


def _missing_of_beginners(run: Run) -> list[str]:
    """Return the files of the side run that are missing or have changed."""
    if not run.experiment.beginners or not (run.folder / BEGINNERS).is_dir():
        return []
    side_run = status(run.folder / BEGINNERS)
    return [f"{BEGINNERS}/{name}" for name in side_run.missing_files]


class ListedRun(NamedTuple):
    """A folder in a list of runs, with data from its manifest.

    state: as in `Status`, or FOREIGN; games: number of games played.
    """

    run: str
    state: str
    game: str = ""
    cells: int | None = None
    games: int | None = None
    question: str = ""
    answer: str = ""


def entries(folder: str | Path) -> list[ListedRun]:
    """Return the runs in a folder by name, or the run that the folder itself is, without reading tables."""
    if remote.is_address(folder):
        cure = "of a run at an address: simkit status ADDRESS"
        raise UsageError(f"{folder}: lists of runs are for folders on this machine; {cure}")
    if os.path.isfile(Path(folder) / remote.MANIFEST):
        return [_entry(Path(folder))]
    try:
        folders = sorted(Path(folder).iterdir())
    except OSError as error:
        raise UsageError(f"{folder}: {error.strerror}; give the folder that runs are in") from None
    return [_entry(path) for path in folders if path.is_dir() and path.name[0] != "."]


def _entry(folder: Path) -> ListedRun:
    try:
        contents = manifest.read(folder) if os.path.isfile(folder / remote.MANIFEST) else None
        entry = ListedRun(str(folder), _state_of(folder, contents))
    except OtherRun:
        return ListedRun(str(folder), FOREIGN)
    except (UsageError, OSError):
        return ListedRun(str(folder), DAMAGED)
    if not contents:
        return entry
    return entry._replace(
        game=contents.experiment.game,
        cells=len(contents.cells),
        games=contents.games,
        question=contents.experiment.question,
        answer=contents.answer or "",
    )


def _state_of(folder: Path, contents: Manifest | None) -> str:
    """Return the state of a run or search without reading tables; a search plays if one of its runs does."""
    steps = folder / remote.SIDE_RUNS
    parts = [folder, *(steps.iterdir() if os.path.isdir(steps) else [])]
    if not contents and len(parts) == 1:
        return FOREIGN
    if any(map(lock.is_held, parts)):
        return PLAYING
    incomplete = not all(os.path.isfile(folder / name) for name in checksums.read_digests(folder))
    return DAMAGED if incomplete else FINISHED if contents and contents.finished else STOPPED
