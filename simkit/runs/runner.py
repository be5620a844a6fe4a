"""Carry out a plan in a run folder with joblib workers, or continue a run that was stopped.

`carry_out` goes through these steps. The same command continues after an interruption, at any moment; a
command for another experiment is refused once the folder has a manifest.

| step | what is written | after an interruption |
| --- | --- | --- |
| validate | compiled code, in the cache | starts over |
| prepare | the designer's files, experiment, manifest; or what is missing of them | written where missing |
| play | tables of a shard, then their lines in checksums.txt | shards without valid lines are played |
| finish | table of kingmaking, side run, `finished` in the manifest, sorted checksums.txt | what is missing |

With sequential stopping, playing writes interim shards, and to the manifest where each cell stops; then the
shards are copied from them. Interim tables are removed after the manifest says that the run is finished: from
then on a shard that is missing is played like one of any other run. Temporary files of killed processes are
removed before playing. One process at a time writes in the folder and holds its lock
(`storage.lock`). The module `workers` documents the states of a shard, `progress` the progress files.
"""

import os
import shutil
import time
from collections.abc import Iterator
from concurrent.futures.process import BrokenProcessPool
from contextlib import closing, contextmanager
from dataclasses import replace
from pathlib import Path

from simkit.engine.projects import command_words
from simkit.errors import UNCOMPILED, OtherRun, PlayError, UsageError
from simkit.runs import cluster, kingmaking, manifest, sequential_stopping
from simkit.runs.experiment import Experiment
from simkit.runs.folder import BEGINNERS, LUCK_STUDY, RESULTS_FILE, Run, open_unfinished
from simkit.runs.log import copy, remove_unfinished
from simkit.runs.manifest import Manifest
from simkit.runs.plan import Layout, Plan, Shard, make_plan, missing_shards
from simkit.runs.play import search_seconds
from simkit.runs.progress import Progress
from simkit.runs.storage import checksums, lock, remote
from simkit.runs.warm_up import warm_up
from simkit.runs.workers import Means, Outcome, Workers
from simkit.system import DEBRIS, command_line

MAX_LOST_WORKERS = 3  # in a row, without a shard finished in between
# Files that a run folder may hold before it has a manifest.
EARLY_FILES = {"experiment.toml", "files", remote.SIDE_RUNS, lock.FILE}
EARLY_FILES |= {".experiment.toml.tmp", ".manifest.json.tmp"}


def run(
    experiment: Experiment,
    folder: str | Path,
    jobs: int = 1,
    backend: str = "threading",
    progress: Progress | None = None,
    command: str | None = None,
    layout: Layout | None = None,
    scheduler: str = "",
    batch_timeout: float | None = None,
) -> Path:
    """Plan an experiment and carry it out in a folder, or finish it there; return the (local) folder.

    A PlayError is raised when a batch of games (about 0.2 seconds, one game at least) takes more than
    `batch_timeout` seconds.
    """
    means = Means(jobs, backend, scheduler, batch_timeout)
    return carry_out(make_plan(experiment, layout), folder, means, progress, command)


def carry_out(
    plan: Plan,
    folder: str | Path,
    means: Means,
    progress: Progress | None = None,
    command: str | None = None,
    games_before: int = 0,
) -> Path:
    """Carry out a plan in a folder, or finish it there; return the (local) folder.

    `progress` counts the games on top of `games_before`, those of the run that a side run belongs to.
    """
    means.check()
    sampled, progress = kingmaking.cells_to_sample(plan), progress or Progress()
    requested = manifest.new(plan, command)  # it builds all rules
    warm_up(plan.game, plan.players, progress, traced=bool(plan.experiment.trace))
    with remote.open_for_writing(folder, command) as local, _explain_write_errors(local):
        _make_folder(local)
        with lock.hold(local):
            with cluster.open_backend(means.backend, means.scheduler, means.jobs) as backend:
                _prepare(local, plan.experiment, requested)
                remote.upload(local)
                opened = open_unfinished(local)
                team = Workers(opened, means, backend, progress)
                session = _Session(opened, team, progress, games_before)
                _play_missing(session)
            if sampled:
                kingmaking.write(plan.experiment, sampled, local)
            if plan.beginners:
                carry_out(plan.beginners, local / BEGINNERS, means, progress, command, session.done)
            _finish(session)
    return local


@contextmanager
def _explain_write_errors(folder: Path) -> Iterator[None]:
    """Raise a UsageError that names the folder in place of an OSError."""
    try:
        yield
    except OSError as error:
        raise UsageError(f"{folder}: cannot write there: {error.strerror or error}") from error


def _make_folder(folder: Path) -> None:
    """Create the folder; refuse links in it, which may lead anywhere."""
    refuse_strangers(folder)
    folder.mkdir(parents=True, exist_ok=True)
    for path in folder.rglob("*"):
        if path.is_symlink():
            cure = "remove it, or play into another folder"
            raise UsageError(f"{path}: is a link, and a run is played into files of its own; {cure}")


def refuse_strangers(folder: Path) -> None:
    """Refuse a file, and a folder that is neither empty, nor a run, nor the beginning of one."""
    if not folder.exists():
        return
    if not folder.is_dir():
        raise UsageError(f"{folder}: is a file, and a run is played into a folder; choose another")
    names = set(os.listdir(folder)) - DEBRIS
    if remote.MANIFEST not in names and not names <= EARLY_FILES:
        raise UsageError(f"{folder}: the folder is not empty and not a run; choose another")


def _prepare(folder: Path, experiment: Experiment, requested: Manifest) -> None:
    """Begin a run, or restore the inputs of the one that is there and change its number of deals."""
    if not (folder / remote.MANIFEST).exists():
        manifest.begin(folder, experiment, requested)
        return
    stored = manifest.read(folder)
    if differs := manifest.differences(stored, requested):
        cure = "choose another folder"
        raise OtherRun(f"{folder}: holds another run: {'; '.join(differs)}; {cure}")
    manifest.restore(folder, experiment, stored)
    if stored.experiment.deals != requested.experiment.deals:
        _change_deals(folder, stored, requested)
        manifest.restore(folder, experiment, requested)


def _change_deals(folder: Path, stored: Manifest, requested: Manifest) -> None:
    """Extend a run, or return to fewer deals.

    Tables of a longer run stay in the folder until the run is extended to a different number of deals.
    """
    changed = manifest.with_deals(stored, requested)
    stale = {kingmaking.FILE}  # it samples all deals
    if not set(stored.spans) <= set(changed.spans):
        stale |= open_unfinished(folder).leftover_files
    valid = {name: digest for name, digest in checksums.read_digests(folder).items() if name not in stale}
    checksums.settle(folder, valid)
    for name in stale:
        (folder / name).unlink(missing_ok=True)
    manifest.write(folder, changed)


def _play_missing(session: "_Session") -> None:
    """Play the shards that are not there yet; after a fault, finish those in hand before raising it."""
    run, progress, began = session.run, session.progress, time.monotonic()
    left = missing_shards(session.present, run.shards)
    if damaged := run.changed_files(session.present):
        progress.report_damage(damaged)
    if RESULTS_FILE not in session.present:  # the search writes it after the games
        (run.folder / RESULTS_FILE).unlink(missing_ok=True)
    if run.manifest.finished is not None and not left:
        session.count(run.shards)
        return
    if seconds := search_seconds(run.experiment, run.cells):
        progress.report_search(seconds * len(left) / max(1, len(run.shards)))
    try:
        if run.experiment.adaptive and not run.manifest.finished:
            session.play_adaptive()
        else:
            session.play(run.shards)
    finally:
        seconds = round(run.manifest.seconds + time.monotonic() - began, 3)
        manifest.note(run.folder, seconds=seconds, games=session.done, answer=None)


def _finish(session: "_Session") -> None:
    """Record that the run is complete, sort the checksums of all valid files, remove the interim tables."""
    folder = session.run.folder
    attached = checksums.valid_files(folder, [kingmaking.FILE, LUCK_STUDY, *session.run.leftover_files])
    manifest.finish(folder)
    if (folder / remote.INTERIM).exists():
        remote.upload(folder)  # until the address knows that the run is finished, it continues with these
    checksums.settle(folder, session.present | attached)
    shutil.rmtree(folder / remote.INTERIM, ignore_errors=True)


class _Session:
    """One command's play of a run: its workers, the files that are there, the games played."""

    def __init__(self, run: Run, players: Workers, progress: Progress, games_before: int) -> None:
        remove_unfinished(run.folder)
        self.run, self.workers, self.progress, self.games_before = run, players, progress, games_before
        self.done, self.reported, self.total = 0, -1, sum(cell.plays for cell in run.cells)
        self.present = run.valid_files()  # digests of valid files, by name

    def play(self, shards: list[Shard]) -> None:
        """Play the shards that are missing; shards of workers that were killed are played again."""
        left, losses = self.count(shards), 0
        while left:
            try:
                self._play_once(left)
            except BrokenProcessPool as error:
                still_left = missing_shards(self.present, left)
                losses = losses + 1 if still_left == left else 1
                if losses == MAX_LOST_WORKERS:
                    raise PlayError(_lost_workers_message(left[0])) from error
                remove_unfinished(self.run.folder)
            left = missing_shards(self.present, left)

    def play_adaptive(self) -> None:
        """Play up to each interim analysis until all cells have stopped, and note in the manifest where.

        Then copy the rows into the shards of the finished run.
        """
        cells, interim = list(self.run.cells), list[Shard]()
        for shards in sequential_stopping.rounds(self.run, cells, self.progress.report_decision):
            # The stops decide how the next deals are cut into shards.
            manifest.note(self.run.folder, cells=cells)
            self.play(shards)
            interim += shards
        manifest.note(self.run.folder, cells=cells)
        self.total = self.done
        self.progress.report_games(self.done, self.done)
        self.run = replace(self.run, cells=cells, every=replace(self.run.plan, cells=cells).shards())
        self.present = self.run.valid_files()
        for shard in missing_shards(self.present, self.run.shards):
            files = copy(self.run.folder, shard, interim)
            checksums.note(self.run.folder, files)
            remote.upload_tables(self.run.folder, files)
            self.present.update(files)

    def count(self, shards: list[Shard]) -> list[Shard]:
        """Count and report the games of the shards that are there; return the others."""
        left = missing_shards(self.present, shards)
        games, games_left = (sum(shard.games(self.run.cells) for shard in part) for part in (shards, left))
        self.done += games - games_left
        self._report(self.done)
        return left

    def _play_once(self, shards: list[Shard]) -> None:
        """Hand out shards; upload and count those that are played; raise the first fault, by shard."""
        faults, before = list[Outcome](), self.done
        with closing(self.workers.outcomes(shards)) as outcomes:
            for outcome in outcomes:
                if outcome and outcome.fault:
                    faults.append(outcome)
                elif outcome and outcome.files:
                    remote.upload_tables(self.run.folder, outcome.files)
                    self.present.update(outcome.files)
                    self.done += shards[outcome.position].games(self.run.cells)
                self._report(max(self.done, before + self.workers.board.games()))
                self.workers.check_batches()
        if faults:
            first = min(faults)
            raise PlayError(f"{first.fault}{_replay(self.run.folder, first.play, first.crashed)}")

    def _report(self, done: int) -> None:
        if done > self.reported:
            self.reported = done
            self.progress.report_games(self.games_before + done, self.games_before + self.total)


def _lost_workers_message(shard: Shard) -> str:
    """Return a message about workers that were lost while they played a shard and those after it."""
    part = shard.parts[0]
    place = f"cell {part.cell}, deals {part.first} to {part.last - 1} or soon after"
    lost = f"{MAX_LOST_WORKERS} times in a row a worker process ended in the middle of its games ({place})"
    return f"{lost}: out of memory? Fewer --jobs need less"


def _replay(folder: Path, play: int | None, crashed: bool) -> str:
    """Return the ending of a message with the command that replays the game that failed."""
    if play is None:
        return ""
    command = command_line(["simkit", *command_words(), "replay", str(folder), str(play)])
    return f"; replay it up to there: {UNCOMPILED if crashed else ''}{command}"
