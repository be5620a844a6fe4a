"""The cells of an experiment, played over joblib workers into a run folder; a run that was stopped goes on where it was.

A worker is handed names and returns counts: games are never sent between processes, they go to the worker's own files.
"""

from __future__ import annotations

import os
import shutil
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

from joblib import Parallel, delayed, parallel_config

from simkit import adaptive, catalogue, columns, manifest, runlog
from simkit import experiment as experiments
from simkit.errors import PlayError, UsageError
from simkit.experiment import Cell, Experiment
from simkit.shards import TABLES, Shard, missing, remove_unfinished, seating, write
from simkit.warmup import warm_up

Progress = Callable[[int, int], None]  # games done, games in all

LADDER = [n * power for power in (1, 10, 100, 1_000, 10_000) for n in (1, 2, 5)]
SHARD_SECONDS, SHARD_ROWS, PROBE_SECONDS = 1.0, 100_000, 0.01


class Outcome(NamedTuple):
    """What a worker says about a shard: the games played, or the fault that stopped it."""

    shard: Shard
    games: int
    fault: str = ""


def run(
    experiment: Experiment,
    folder: str | Path,
    jobs: int = 1,
    backend: str = "threading",
    progress: Progress | None = None,
    shard_deals: int | None = None,
    command: str | None = None,
) -> Path:
    """Carry out an experiment in a folder, or finish it there; returns the folder."""
    folder = Path(folder)
    _check_workers(jobs, backend)
    cells = experiments.check(experiment)
    _check_columns(experiment, cells)
    game, names = catalogue.game(experiment.game), (n.name for cell in cells for n in cell.lineup)
    warm_up(game, names, bool(experiment.trace))
    sizes = [] if (folder / "manifest.json").exists() else _sizes(experiment, cells, shard_deals)
    _prepare(experiment, cells, folder, sizes, command)
    _play_missing(runlog.open_unfinished(folder), jobs, backend, progress or (lambda done, total: None))
    return folder


def _check_workers(jobs: int, backend: str) -> None:
    if jobs == 0:
        raise UsageError("0 jobs cannot play: give 1 or more, or -1 for one per processor")
    try:
        with parallel_config(backend=backend):
            Parallel(n_jobs=jobs, return_as="generator_unordered")
    except (ValueError, ImportError) as error:
        raise UsageError(f"backend '{backend}' cannot be used: {str(error).splitlines()[0]}") from error


def _check_columns(experiment: Experiment, cells: list[Cell]) -> None:
    taken = columns.game_names(catalogue.game(experiment.game))
    for name in cells[0].varied:
        if name in taken:
            raise UsageError(
                f"option {name} cannot be varied: the games table has another column of that name"
            )


def _prepare(
    experiment: Experiment, cells: list[Cell], folder: Path, sizes: list[int], command: str | None
) -> None:
    """Make the folder ready, or see that it holds a part of this very run."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        if (folder / "manifest.json").exists():
            _check_same(experiment, folder)
        elif _is_free(folder):
            _begin(experiment, cells, folder, sizes, command)
        else:
            raise UsageError(f"{folder}: the folder is not empty and not a run; choose another")
    except OSError as error:
        raise UsageError(f"{folder}: cannot write there: {error.strerror}") from error


def _is_free(folder: Path) -> bool:
    """Empty, or with nothing but what `_begin` writes before the manifest."""
    return {entry.name for entry in os.scandir(folder)} <= {
        "files",
        "experiment.toml",
        ".manifest.json.tmp",
        *TABLES,
    }


def _sizes(experiment: Experiment, cells: list[Cell], shard_deals: int | None) -> list[int]:
    """Deals per shard of each cell of a new run; found by playing, before anything is written."""
    return [shard_deals] * len(cells) if shard_deals else shard_sizes(experiment, cells)


def _begin(
    experiment: Experiment, cells: list[Cell], folder: Path, sizes: list[int], command: str | None
) -> None:
    for name in TABLES:
        (folder / name).mkdir(exist_ok=True)
    kept = manifest.kept(experiment)
    for name, path in experiment.files.items():
        (folder / "files").mkdir(exist_ok=True)
        shutil.copyfile(path, folder / kept.files[name])
    (folder / "experiment.toml").write_text(kept.to_toml(), encoding="utf-8")
    manifest.write(folder, manifest.new(experiment, cells, sizes, command))


def _check_same(experiment: Experiment, folder: Path) -> None:
    """Refuse to mix two experiments, or two contents of a designer's file, in one folder."""
    known = manifest.read(folder)
    if known["experiment"] != manifest.kept(experiment).keys():
        raise UsageError(f"{folder}: the folder holds another experiment; choose another")
    for name, path in experiment.files.items():
        if known["files"][name] != manifest.file_digest(path):
            raise UsageError(f"{folder}: the folder was played with another {name} file; choose another")


def _check_sources(run: runlog.Run) -> None:
    """Refuse to mix games of two states of the sources in one folder."""
    if run.manifest["sources"] != manifest.sources_digest():
        raise UsageError(
            f"{run.folder}: the sources have changed since this run began; old and new games do not mix, choose another folder"
        )


def shard_sizes(experiment: Experiment, cells: list[Cell]) -> list[int]:
    """Deals per shard of each cell: a round number that takes up to a second to play and keeps memory small."""
    pace: dict[str, float] = {}
    sizes = []
    for cell in cells:
        lineup = ", ".join(cell.labels)
        pace[lineup] = pace.get(lineup) or _seconds_per_deal(experiment, cell)
        most = min(SHARD_SECONDS / pace[lineup], SHARD_ROWS / (cell.rotations * cell.seats))
        sizes.append(max(size for size in LADDER if size <= max(1, most)))
    return sizes


def _seconds_per_deal(experiment: Experiment, cell: Cell) -> float:
    """Play more and more deals until the clock can measure them."""
    place, deals = seating(experiment, cell), 1
    while True:
        began = time.perf_counter()
        place.play(0, min(deals, cell.deals))
        took = time.perf_counter() - began
        if took >= PROBE_SECONDS or deals >= cell.deals:
            return max(took, 1e-9) / min(deals, cell.deals)
        deals *= 4


def _play_missing(run: runlog.Run, jobs: int, backend: str, progress: Progress) -> None:
    """Play the shards that are not there yet; on a fault, finish what has begun and then say it."""
    remove_unfinished(run.folder)
    _check_sources(run)
    work = _Work(run, jobs, backend, progress)
    finished = False
    try:
        if run.experiment.adaptive:
            _play_adaptive(work)
        else:
            work.play(run.shards)
        finished = True
    finally:
        _note(run, work, finished)


def _play_adaptive(work: _Work) -> None:
    """Play look by look until every cell knows enough; note where each has stopped."""
    course = adaptive.Adaptive(work.run)
    for shards in course.rounds():
        work.play(shards)
    work.progress(work.done, work.done)
    known = manifest.read(work.run.folder)
    cells = [cell | {"deals": course.deals[cell["index"]]} for cell in known["cells"]]
    manifest.write(work.run.folder, known | {"cells": cells})


class _Work:
    """Playing shards with some workers, and how far it has come."""

    def __init__(self, run: runlog.Run, jobs: int, backend: str, progress: Progress) -> None:
        self.run, self.jobs, self.backend, self.progress = run, jobs, backend, progress
        self.began, self.done = time.perf_counter(), 0
        self.most = sum(cell.plays for cell in run.cells)

    def play(self, shards: list[Shard]) -> None:
        """Play those of the shards that are not there yet."""
        left, faults = missing(self.run.folder, shards), list[Outcome]()
        self.done += sum(
            (s.last - s.first) * self.run.cells[s.cell].rotations for s in set(shards) - set(left)
        )
        self.progress(self.done, self.most)
        for outcome in _outcomes(self.run, left, self.jobs, self.backend, faults):
            self.done += outcome.games
            self.progress(self.done, self.most)
        if faults:
            raise PlayError(min(faults).fault)


def _outcomes(
    run: runlog.Run, left: list[Shard], jobs: int, backend: str, faults: list[Outcome]
) -> Iterator[Outcome]:
    """What the workers say, as they say it; no new shard begins after a fault."""

    def tasks() -> Iterator[object]:
        for shard in left:
            if faults:
                return
            yield delayed(_work)(
                str(run.folder), run.experiment, run.cells[shard.cell], shard, catalogue.projects()
            )

    with parallel_config(backend=backend):
        results = Parallel(n_jobs=jobs, return_as="generator_unordered")(tasks())
    try:
        for outcome in results:
            if outcome.fault:
                faults.append(outcome)
            yield outcome
    finally:
        results.close()


def _work(folder: str, experiment: Experiment, cell: Cell, shard: Shard, projects: list[str]) -> Outcome:
    """Play one shard, in a worker."""
    catalogue.set_projects(projects)
    try:
        return Outcome(shard, write(Path(folder), experiment, cell, shard))
    except PlayError as error:
        return Outcome(shard, 0, str(error))


def _note(run: runlog.Run, work: _Work, finished: bool) -> None:
    """Write into the manifest how far the run has come."""
    known = manifest.read(run.folder)
    if known["finished"] is None:
        seconds = round(known["seconds"] + time.perf_counter() - work.began, 3)
        manifest.write(
            run.folder,
            known
            | {"seconds": seconds, "games": work.done, "finished": manifest.now() if finished else None},
        )
