"""The cells of an experiment, played over joblib workers into a run folder; a run that was stopped goes on where it was.

A worker is handed names and returns counts: games are never sent between processes, they go to the worker's own files.
"""

from __future__ import annotations

import os
import shutil
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import NamedTuple

import numpy as np
from joblib import Parallel, delayed, parallel_config

from simkit import adaptive, catalogue, columns, manifest, runlog
from simkit import experiment as experiments
from simkit.errors import PlayError, UsageError
from simkit.experiment import Cell, Experiment
from simkit.progress import Board, Progress, Stopped
from simkit.shards import TABLES, Layout, Shard, missing, remove_unfinished, usual_layout, write
from simkit.warmup import warm_up

TICK = 0.25  # seconds between two looks at how far the workers are


class Outcome(NamedTuple):
    """What a worker says about a shard when it is done, or about the fault that stopped it."""

    place: int  # of the shard among those to play
    fault: str = ""


def run(
    experiment: Experiment,
    folder: str | Path,
    jobs: int = 1,
    backend: str = "threading",
    progress: Progress | None = None,
    layout: Layout | None = None,
    command: str | None = None,
    columns_asked: tuple[str, ...] = (),
) -> Path:
    """Carry out an experiment in a folder, or finish it there; returns the folder."""
    folder, progress = Path(folder), progress or Progress()
    _check_workers(jobs, backend)
    game = catalogue.game(experiment.game)
    cells = experiments.check(experiment)
    played = [catalogue.strategy(game, name) for name in {one.name for cell in cells for one in cell.lineup}]
    _check_columns(experiment, cells)
    warm_up(game, [one.name for one in played], bool(experiment.trace), progress)
    _prepare(experiment, cells, folder, layout or usual_layout(game, played), command)
    manifest.ask(folder, columns_asked)
    _play_missing(runlog.open_unfinished(folder), jobs, backend, progress)
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
    experiment: Experiment, cells: list[Cell], folder: Path, layout: Layout, command: str | None
) -> None:
    """Make the folder ready, or see that it holds a part of this very run."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        if (folder / "manifest.json").exists():
            _check_same(experiment, folder)
        elif _is_free(folder):
            _begin(experiment, cells, folder, layout, command)
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


def _begin(
    experiment: Experiment, cells: list[Cell], folder: Path, layout: Layout, command: str | None
) -> None:
    for name in TABLES:
        (folder / name).mkdir(exist_ok=True)
    kept = manifest.kept(experiment)
    for name, path in experiment.files.items():
        (folder / "files").mkdir(exist_ok=True)
        shutil.copyfile(path, folder / kept.files[name])
    (folder / "experiment.toml").write_text(kept.to_toml(), encoding="utf-8")
    manifest.write(folder, manifest.new(experiment, cells, layout, command))


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


def _play_missing(run: runlog.Run, jobs: int, backend: str, progress: Progress) -> None:
    """Play the shards that are not there yet; on a fault, finish what has begun and then say it."""
    remove_unfinished(run.folder)
    _check_sources(run)
    work, finished = _Work(run, jobs, backend, progress), False
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
    work.progress.played(work.done, work.done)
    known = manifest.read(work.run.folder)
    manifest.write(work.run.folder, known | {"cells": [cell.keys() for cell in course.cells]})


class _Work:
    """Playing shards with some workers, and how far it has come."""

    def __init__(self, run: runlog.Run, jobs: int, backend: str, progress: Progress) -> None:
        self.run, self.jobs, self.backend, self.progress = run, jobs, backend, progress
        self.began, self.done, self.told = time.perf_counter(), 0, -1
        self.most = sum(cell.plays for cell in run.cells)

    def play(self, shards: list[Shard]) -> None:
        """Play those of the shards that are not there yet."""
        left = missing(self.run.folder, shards)
        self.done += self._games(shards) - self._games(left)
        self._tell(self.done)
        crew = _Crew(self.run, left, self.jobs, self.backend)
        faults = []
        try:
            for said in crew.says():
                if isinstance(said, Outcome) and said.fault:
                    faults.append(said)
                elif isinstance(said, Outcome):
                    self.done += left[said.place].games(self.run.cells)
                self._tell(self.done + crew.under_way())
        finally:
            crew.dismiss()
        if faults:
            raise PlayError(min(faults).fault)

    def _games(self, shards: list[Shard]) -> int:
        return sum(shard.games(self.run.cells) for shard in shards)

    def _tell(self, done: int) -> None:
        if done > self.told:
            self.told = done
            self.progress.played(done, self.most)


class _Crew:
    """Workers, handed shards by a thread of their own: the main one stays free to say how far they are, and to stop."""

    def __init__(self, run: runlog.Run, left: list[Shard], jobs: int, backend: str) -> None:
        self.run, self.left, self.jobs, self.backend = run, left, jobs, backend
        self.said: SimpleQueue[Outcome | BaseException | None] = SimpleQueue()
        self.closed = False  # no further shard begins
        self.finished = np.zeros(len(left), np.bool_)
        self.board = Board(run.folder)
        self.board.begin(len(left))
        self.thread = threading.Thread(target=self._hand_out, daemon=True)

    def says(self) -> Iterator[Outcome | None]:
        """What the workers say, as they say it, and nothing where they keep silent for TICK seconds."""
        self.thread.start()
        while self.thread.is_alive() or not self.said.empty():
            try:
                said = self.said.get(timeout=TICK)
            except Empty:
                said = None
            if isinstance(said, BaseException):
                raise said
            if said is not None:
                self.finished[said.place] = True
            yield said

    def under_way(self) -> int:
        """Games played of the shards that are not finished yet."""
        return int(self.board.games()[~self.finished].sum())

    def dismiss(self) -> None:
        """Stop the workers after the games that they are playing."""
        self.closed = True
        self.board.stop()
        self.thread.join()
        self.board.remove()

    def _hand_out(self) -> None:
        try:
            with parallel_config(backend=self.backend):
                workers = Parallel(n_jobs=self.jobs, return_as="generator_unordered")
                for outcome in workers(self._tasks()):
                    self.closed |= bool(outcome.fault)
                    self.said.put(outcome)
        except BaseException as error:  # raised again in the main thread
            self.said.put(error)

    def _tasks(self) -> Iterator[object]:
        folder, projects = str(self.run.folder), catalogue.projects()
        for place, shard in enumerate(self.left):
            if self.closed:
                return
            cells = [self.run.cells[part.cell] for part in shard.parts]
            yield delayed(_work)(folder, self.run.experiment, cells, place, shard, projects)


def _work(
    folder: str, experiment: Experiment, cells: list[Cell], place: int, shard: Shard, projects: list[str]
) -> Outcome:
    """Play one shard, in a worker."""
    catalogue.set_projects(projects)
    try:
        write(Path(folder), experiment, cells, shard, Board(Path(folder)).teller(place))
    except PlayError as error:
        return Outcome(place, str(error))
    except Stopped:
        pass  # nobody waits for the outcome
    return Outcome(place)


def _note(run: runlog.Run, work: _Work, finished: bool) -> None:
    """Write into the manifest how far the run has come."""
    known = manifest.read(run.folder)
    if known["finished"] is None:
        seconds = round(known["seconds"] + time.perf_counter() - work.began, 3)
        done = {"seconds": seconds, "games": work.done, "finished": manifest.now() if finished else None}
        manifest.write(run.folder, known | done)
