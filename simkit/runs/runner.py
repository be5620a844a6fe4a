"""Carry out an experiment in a run folder with joblib workers, or continue a run that was stopped.

`run` goes through these steps. The same command continues after an interruption, at any moment; a command for
another experiment is refused once the folder has a manifest.

| step | what is written | after an interruption |
| --- | --- | --- |
| validate | compiled code, in the cache | starts over |
| prepare | the designer's files, experiment, manifest; or what is missing of them | written where missing |
| play | tables of a shard, then their lines in checksums.txt | shards without valid lines are played |
| finish | table of kingmaking, side run, sorted checksums.txt, `finished` in the manifest | what is missing |

With sequential stopping, playing also writes to the manifest where each cell stops. Temporary files of killed
processes are removed before playing. One process at a time writes in the folder and holds its lock
(`storage.lock`). The module `workers` documents the states of a shard, `progress` the progress files.
"""

import os
import shlex
import time
from collections.abc import Callable, Iterator
from concurrent.futures.process import BrokenProcessPool
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from simkit.engine import registry, watchdog
from simkit.engine.projects import command_words
from simkit.errors import UNCOMPILED, OtherRun, PlayError, UsageError
from simkit.runs import cluster, manifest, source_digests, workers
from simkit.runs import experiment as experiments
from simkit.runs.experiment import Cell, Experiment
from simkit.runs.extras import beginners, kingmaking
from simkit.runs.progress import Further, Progress
from simkit.runs.run import LUCK_STUDY, SEARCH, Run, open_unfinished
from simkit.runs.shards import Layout, Shard, missing, remove_unfinished, usual_layout
from simkit.runs.stopping import sequential_stopping
from simkit.runs.storage import checksums, lock, remote
from simkit.runs.warm_up import warm_up
from simkit.runs.workers import Outcome, Workers

MAX_LOST_WORKERS = 3  # in a row, without a shard finished in between
CURE = "out of memory? Fewer --jobs need less"
# Files that a run folder may hold before it has a manifest.
EARLY_FILES = {"experiment.toml", "files", remote.SIDE_RUNS, ".manifest.json.tmp", lock.FILE}


class _Options(NamedTuple):
    """How to play: number and kind of workers, address of a scheduler, limit for a batch of games."""

    jobs: int
    backend: str
    scheduler: str
    batch_timeout: float | None


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
    """Carry out an experiment in a folder, or finish it there; return the (local) folder.

    A PlayError is raised when a batch of games (about 0.2 seconds, one game at least) takes more than
    `batch_timeout` seconds.
    """
    options, progress = _Options(jobs, backend, scheduler, batch_timeout), progress or Progress()
    cells = _validate(experiment, options)
    requested = manifest.new(experiment, cells, layout or _layout_of(experiment, cells), command)
    players = source_digests.players_of(cells)
    warm_up(registry.game(experiment.game), players, progress, traced=bool(experiment.trace))
    with remote.writing(folder, command) as local, _explain_write_errors(local):
        _make_folder(local)
        with lock.alone(local):
            stored = _stored_manifest(local, requested)
            with cluster.opened(backend, scheduler, jobs) as joblib_backend:
                _prepare(local, experiment, requested, stored)
                remote.upload(local)
                opened = open_unfinished(local)
                session = _Session(opened, Workers(opened, jobs, joblib_backend, batch_timeout), progress)
                _play_missing(session)
            _play_extras(session, experiment, options, command)
            _finish(session)
    return local


def _validate(experiment: Experiment, options: _Options) -> list[Cell]:
    """Validate the options, the experiment and its side runs; return its cells."""
    workers.check(options.jobs, options.backend, options.scheduler)
    cells = experiments.cells(experiment)  # the manifest builds their rules
    if experiment.beginners:
        experiments.check(beginners.experiment_of(experiment))
    if experiment.kingmaking:
        kingmaking.looked_at(experiment)
    return cells


def _layout_of(experiment: Experiment, cells: list[Cell]) -> Layout:
    game, names = registry.game(experiment.game), {named.name for cell in cells for named in cell.lineup}
    return usual_layout(game, [registry.strategy(game, name) for name in names])


@contextmanager
def _explain_write_errors(folder: Path) -> Iterator[None]:
    """Raise a UsageError that names the folder in place of an OSError."""
    try:
        yield
    except OSError as error:
        raise UsageError(f"{folder}: cannot write there: {error.strerror or error}") from error


def _make_folder(folder: Path) -> None:
    """Create the folder; refuse links in it, which may lead anywhere, except where tables replace them."""
    _refuse_file(folder)
    folder.mkdir(parents=True, exist_ok=True)
    for parent, folders, files in os.walk(folder):
        for name in (*folders, *files):
            path, table = Path(parent, name), name.endswith(".parquet") and Path(parent) != folder
            if path.is_symlink() and not table:
                cure = "remove it, or play into another folder (--into DIR)"
                raise UsageError(f"{path}: is a link, and a run is played into files of its own; {cure}")


def _refuse_file(folder: Path) -> None:
    if os.path.exists(folder) and not os.path.isdir(folder):
        raise UsageError(f"{folder}: is a file, and a run is played into a folder; choose another")


def refuse_strangers(folder: Path) -> None:
    """Refuse a file, and a folder that is neither empty, nor a run, nor the beginning of one."""
    _refuse_file(folder)
    try:
        names = set(os.listdir(folder)) if os.path.isdir(folder) else set()
    except OSError as error:
        raise UsageError(f"{folder}: cannot be read: {error.strerror or error}") from error
    if remote.MANIFEST not in names and not names <= EARLY_FILES:
        raise UsageError(f"{folder}: the folder is not empty and not a run; choose another")


def _stored_manifest(folder: Path, requested: dict[str, Any]) -> dict[str, Any] | None:
    """Return the manifest of the run that a folder holds, or None; refuse another run than the requested."""
    refuse_strangers(folder)
    if not os.path.lexists(folder / remote.MANIFEST):
        return None
    stored = manifest.read(folder)
    if differs := manifest.differences(stored, requested):
        cure = "choose another folder (--into DIR)"
        raise OtherRun(f"{folder}: holds another run: {'; '.join(differs)}; {cure}")
    return stored


def _prepare(
    folder: Path, experiment: Experiment, requested: dict[str, Any], stored: dict[str, Any] | None
) -> None:
    """Begin a run, or restore the inputs of one that is there and change its number of deals."""
    if stored is None:
        manifest.begin(folder, experiment, requested)
        return
    manifest.restore(folder, experiment, stored)
    if stored["experiment"]["deals"] != requested["experiment"]["deals"]:
        _change_deals(folder, stored, requested)
        manifest.restore(folder, experiment, requested)


def _change_deals(folder: Path, stored: dict[str, Any], requested: dict[str, Any]) -> None:
    """Extend a run, or return to fewer deals.

    Tables of a longer run stay in the folder until the run is extended to a different number of deals.
    """
    changed = manifest.with_deals(stored, requested)
    stale = {kingmaking.FILE}  # it samples all deals
    if not set(stored["spans"]) <= set(changed["spans"]):
        stale |= open_unfinished(folder).leftover_files
    valid = {name: digest for name, digest in checksums.read_digests(folder).items() if name not in stale}
    checksums.settle(folder, valid)
    for name in stale:
        (folder / name).unlink(missing_ok=True)
    manifest.write(folder, changed)


def _play_missing(session: "_Session") -> None:
    """Play the shards that are not there yet; after a fault, finish those in hand before raising it."""
    run = session.run
    if damaged := run.changed_files(session.present):
        for name in damaged:
            if (run.folder / name).is_dir():
                raise UsageError(f"{run.folder / name}: a folder lies where a table belongs; remove it")
        session.progress.damaged(damaged)
    if SEARCH not in session.present:  # the search writes it after the games
        (run.folder / SEARCH).unlink(missing_ok=True)
    unfinished = run.manifest["finished"] is None or bool(missing(session.present, run.shards))
    try:
        if run.experiment.adaptive:
            session.play_adaptive(session.progress.deciding if unfinished else lambda line: None)
        else:
            session.play(run.shards)
    finally:
        if unfinished:
            took = max(0.0, time.perf_counter() - session.began)
            seconds = round(run.manifest["seconds"] + took, 3)
            manifest.note(run.folder, seconds=seconds, games=session.done, finished=None, answer=None)


def _play_extras(session: "_Session", experiment: Experiment, options: _Options, command: str | None) -> None:
    """Sample late decisions (kingmaking) and play the side run of beginners, if the experiment has them."""
    folder, progress = session.run.folder, session.progress
    if experiment.kingmaking:
        kingmaking.write(experiment, folder)
    if experiment.beginners:
        side_run, side_folder = beginners.experiment_of(experiment), folder / beginners.FOLDER
        further = Further(progress, session.done)
        run(side_run, side_folder, progress=further, command=command, **options._asdict())


def _finish(session: "_Session") -> None:
    """Sort the checksums of all valid files and record that the run is complete."""
    folder = session.run.folder
    attached = checksums.whole(folder, [kingmaking.FILE, LUCK_STUDY, *session.run.leftover_files])
    checksums.settle(folder, session.present | attached)
    manifest.finish(folder)


class _Session:
    """One command's play of a run: its workers, the files that are there, the games played."""

    def __init__(self, run: Run, workers: Workers, progress: Progress) -> None:
        remove_unfinished(run.folder)
        self.run, self.workers, self.progress = run, workers, progress
        self.notices = watchdog.Notices(progress.deciding)
        self.began, self.done, self.reported = time.perf_counter(), 0, -1
        self.total = sum(cell.plays for cell in run.cells)
        self.present = run.whole()  # digests of valid files, by name

    def play(self, shards: list[Shard]) -> None:
        """Play the shards that are missing; shards of workers that were killed are played again."""
        before, lost = self.done, 0
        self._count(shards, before)
        while left := missing(self.present, shards):
            files = len(self.present)
            try:
                self._play_once(shards, left, before)
            except BrokenProcessPool as error:
                lost = 1 if len(self.present) > files else lost + 1
                if lost == MAX_LOST_WORKERS:
                    message = f"{lost} times a worker ended in the middle of its games: {CURE}"
                    raise PlayError(message) from error
                remove_unfinished(self.run.folder)

    def play_adaptive(self, report: Callable[[str], None]) -> None:
        """Play up to each interim analysis until all cells have stopped, and note in the manifest where.

        `report` is called with the progress line of a match.
        """
        cells = list(self.run.cells)
        for shards in sequential_stopping.rounds(self.run, cells, report):
            self._note_stops(cells)  # the stops decide how the next deals are cut into shards
            self.play(shards)
        self._note_stops(cells)
        self.progress.played(self.done, self.done)

    def _play_once(self, shards: list[Shard], left: list[Shard], before: int) -> None:
        """Hand out the shards that are left; raise the first fault, by order of the shards."""
        faults, done = list[Outcome](), self.done
        try:
            with closing(self.workers.outcomes(left, self._record)) as outcomes:
                for outcome in outcomes:
                    if outcome and outcome.fault:
                        faults.append(outcome)
                    self._report(done + int(self.workers.board.games().sum()))
                    self.workers.check_batches(self.notices)
        finally:
            self._count(shards, before)
        if faults:
            first = min(faults)
            raise PlayError(f"{first.fault}{_replay(self.run.folder, first.play, first.crashed)}")

    def _record(self, outcome: Outcome) -> None:
        """Record a finished shard: its checksums, its upload, its files."""
        checksums.note(self.run.folder, outcome.files)
        remote.upload_tables(self.run.folder, outcome.files)
        self.present.update(outcome.files)

    def _note_stops(self, cells: list[Cell]) -> None:
        manifest.note(self.run.folder, cells=[cell.keys() for cell in cells])

    def _count(self, shards: list[Shard], before: int) -> None:
        """Set the number of games done, of which `before` are not in these shards, and report it."""
        self.done = before + self._games(shards) - self._games(missing(self.present, shards))
        self._report(self.done)

    def _games(self, shards: list[Shard]) -> int:
        return sum(shard.games(self.run.cells) for shard in shards)

    def _report(self, done: int) -> None:
        if done > self.reported:
            self.reported = done
            self.progress.played(done, self.total)


def _replay(folder: Path, play: int | None, crashed: bool) -> str:
    """Return the ending of a message with the command that replays the game that failed."""
    if play is None:
        return ""
    command = shlex.join(["simkit", *command_words(), "replay", str(folder), str(play)])
    return f"; told up to there: {UNCOMPILED if crashed else ''}{command}"
