"""Run folders as tidy tables: `games`, `seats` and, if the run has a trace, `turns` and `pieces`.

A table whose checksum is valid belongs to the run if it has the columns and types that the manifest records,
the number of rows that the experiment gives, and shares from 0 to 1. Parquet files state all of it in their
last bytes, so no rows are read.
"""

import bisect
import json
import math
import os
from collections.abc import Container, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any, Self, TypeVar

import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
from polars.exceptions import ComputeError, PanicException, PolarsError

from simkit.engine.fields import TURN_KEY
from simkit.engine.game import SIDE
from simkit.errors import UsageError, brief
from simkit.runs import answers as search_schema
from simkit.runs import manifest
from simkit.runs.answers import StudyResults
from simkit.runs.experiment import Experiment, resolve_files
from simkit.runs.kingmaking import FILE as KINGMAKING
from simkit.runs.manifest import RESTORE, Manifest
from simkit.runs.plan import PIECES, TABLES, TURNS, Cell, Plan, Shard, missing_shards
from simkit.runs.run_metadata import RunWords
from simkit.runs.storage import atomic, checksums, remote
from simkit.runs.storage.remote import SIDE_RUNS

BEGINNERS = "beginners"  # folder of the side run in which one player errs
RESULTS_FILE = "search.json"
PLAYTESTS = "playtests.parquet"  # games that people played
LUCK_STUDY = "luck_study.parquet"
AnyResults = TypeVar("AnyResults", bound=StudyResults)
ANSWER_FILES = (KINGMAKING, RESULTS_FILE, PLAYTESTS)  # files other than tables that have a checksum


def from_here(path: Path) -> Path:
    """Return a path relative to the current folder if it lies below it."""
    return path.relative_to(Path.cwd()) if path.is_relative_to(Path.cwd()) else path


@dataclass(frozen=True)
class Run:
    """A run folder: experiment, manifest, cells, and the shards whose tables are read."""

    folder: Path
    experiment: Experiment
    manifest: Manifest
    cells: list[Cell]
    every: Sequence[Shard] = ()  # shards of all cells and deals
    span: tuple[int, float] = (0, math.inf)  # range of deals whose files are read
    part: float = 1.0  # part of the games that is there; tables and cells leave out the others

    @property
    def plan(self) -> Plan:
        """The plan of the run's cells, as the manifest stores it."""
        stored = self.manifest
        return Plan(self.experiment, self.cells, stored.layout, stored.spans, self.has_pieces)

    @property
    def words(self) -> RunWords:
        """The texts about game and strategies that the manifest stores."""
        return self.manifest.words

    @cached_property
    def answer(self) -> StudyResults | None:
        """The results of the search whose final check this run is; None for other or partial runs."""
        path, whole = self.folder / RESULTS_FILE, self.part == 1
        return search_schema.read(path, self.cells[0].varied) if whole and path.is_file() else None

    @property
    def kind(self) -> str:
        """The kind of search (fair, screen, ...), which is the name of its page; empty for other runs."""
        return self.answer.kind if self.answer else ""

    def answer_of(self, model: type[AnyResults]) -> AnyResults:
        """Return the results of a study of this kind; UsageError for other runs."""
        if not isinstance(self.answer, model):
            raise UsageError(f"{self.place}: holds no results of this kind of search")
        return self.answer

    @property
    def search_runs(self) -> list[Path]:
        """The folders of the runs that the search is based on, if they are present."""
        names = self.answer.stages if self.answer else []
        folders = [self.folder / SIDE_RUNS / name for name in names]
        return [folder for folder in folders if (folder / "manifest.json").is_file()]

    @property
    def games_in_all(self) -> int:
        """The number of games, of a search with those of its side runs in the folder."""
        side_runs = (self.folder / SIDE_RUNS).glob("*/manifest.json") if self.kind else ()
        others = sum(manifest.read(path.parent).games for path in side_runs)
        return sum(cell.plays for cell in self.cells) + others

    @property
    def place(self) -> str:
        """The folder or address of the run, as commands take it in the current folder."""
        address = remote.show_addresses(self.folder)
        return address if remote.is_address(address) else from_here(self.folder).as_posix()

    @property
    def analyses(self) -> list[int]:
        """The numbers of deals after which the run was analysed; several if adaptive or extended."""
        return [deals for deals in self.manifest.spans if deals <= self.experiment.deals]

    @property
    def team(self) -> bool:
        """Whether the game is co-operative: the share of every seat is that of the team."""
        return self.cells[0].team

    @property
    def sides(self) -> list[str]:
        """The names of the two sides that play against each other; none where each seat plays for itself."""
        return self.words.sides if self.cells[0].side else []

    @property
    def role(self) -> str:
        """The name of the role whose wins are judged, with the noun for it; empty if others are judged."""
        cell = self.cells[0]
        return self.words.role(cell.role_column, cell.role) if cell.role else ""

    @property
    def one_share(self) -> bool:
        """Whether one share is judged: that of a team, of the first of two sides, or of a role."""
        return self.cells[0].target is not None

    @property
    def one_side(self) -> bool:
        """Whether the share of one of two sides, or of a role, is judged."""
        return self.one_share and not self.team

    @property
    def judged(self) -> bool:
        """Whether cells get verdicts: without a target a team's wins are numbers, unless a study set one."""
        targeted = self.experiment.target is not None or self.experiment.until_verdict
        return not self.team or targeted or self.kind not in ("", "ladder")

    @cached_property
    def shards(self) -> list[Shard]:
        """The shards that hold deals of the cells and of the span, in the order of play."""
        return [shard for shard in self.every if shard.holds(self._mine, *self.span)]

    @cached_property
    def _mine(self) -> set[int]:
        return {cell.index for cell in self.cells}

    @cached_property
    def files(self) -> list[str]:
        """The files that may have a checksum: the tables of all shards, and ANSWER_FILES."""
        return [*(name for shard in self.shards for name in shard.files), *ANSWER_FILES]

    @cached_property
    def leftover_files(self) -> set[str]:
        """Names of tables left over from an extension of this run that was given up before it finished."""
        max_deals = self.manifest.spans[-1]
        if self.experiment.adaptive or max_deals == self.experiment.deals:
            return set()
        longer = replace(self.plan, cells=[replace(cell, deals=max_deals) for cell in self.cells])
        return {name for shard in longer.shards() for name in shard.files} - set(self.files)

    def valid_files(self) -> dict[str, str]:
        """Return the files with a valid checksum and their digests; reads all of them."""
        return checksums.valid_files(self.folder, self.files)

    def changed_files(self, present: Container[str]) -> list[str]:
        """Return the files that are missing or have changed since they were written, by name.

        `present` holds the valid ones. If tables exist but no checksums, the list of checksums is returned.
        """
        digests = checksums.read_digests(self.folder)
        if not digests and any((self.folder / name).is_file() for name in self.files):
            return [checksums.FILE]
        return sorted(name for name in self.files if name in digests and name not in present)

    def missing_files(self, present: Container[str]) -> list[str]:
        """Return the required attached files and side run that are missing or have changed, by name."""
        conditions = {
            KINGMAKING: self.experiment.kingmaking and KINGMAKING not in present,
            RESULTS_FILE: _has_answer(self.folder) and RESULTS_FILE not in present,
            BEGINNERS: self.experiment.beginners and not (self.folder / BEGINNERS).is_dir(),
        }
        return [name for name, is_missing in conditions.items() if is_missing]

    @contextmanager
    def reading(self) -> Iterator[None]:
        """Read tables; on an error that comes from a damaged one, raise a UsageError that names it."""
        try:
            yield
        except UsageError:
            raise
        except (Exception, PanicException) as error:
            check_contents(self.folder, self.shards)
            if isinstance(error, ComputeError) and "parquet" in str(error):  # which only some queries notice
                raise UsageError(f"{self.place}: a table is damaged: {brief(error)}; {RESTORE}") from error
            raise  # the tables are fine

    def check_tables(self) -> None:
        """Refuse tables that cannot belong to this run, although their checksums are valid."""
        check_tables(self.folder, self.manifest, self.shards)

    def between(self, low: int, high: int) -> Self:
        """Return the run restricted to files with deals low <= deal < high; rows must still be filtered."""
        return replace(self, span=(low, high))

    def only(self, indices: list[int]) -> Self:
        """Return the run restricted to some cells."""
        return replace(self, cells=[cell for cell in self.cells if cell.index in indices])

    def games(self) -> pl.LazyFrame:
        """Return one row per game, by cell (within an extension), then by deal."""
        return self._scan("games", self.shards)

    def seats(self) -> pl.LazyFrame:
        """Return one row per seat of each game, in the order of games and seats."""
        return self._scan("seats", self.shards)

    def judged_rows(self, seats: pl.LazyFrame) -> pl.LazyFrame:
        """Return the rows of the seats table that are judged: of a side or role, as seat 0.

        A game that nobody wins counts half for both sides, and 1 / seats for a role. Games without the role
        have no row.
        """
        if self.role:
            has_role = pl.col(self.cells[0].role_column).cast(pl.String) == self.cells[0].role
            share = pl.col("share").filter(has_role).mean() + (1 - pl.col("share").sum()) / pl.len()
            judged = seats.group_by(TURN_KEY).agg(seat=pl.lit(0, pl.Int32), share=share)
            return judged.drop_nulls("share")
        if not self.sides:
            return seats
        is_first = pl.col(SIDE).cast(pl.String) == self.cells[0].side
        nobody = pl.col("share").max() == 0
        share = pl.col("share").filter(is_first).max().fill_null(0) + 0.5 * nobody.cast(pl.Float64)
        return seats.group_by(TURN_KEY).agg(seat=pl.lit(0, pl.Int32), share=share)

    def turns(self) -> pl.LazyFrame:
        """Return one row per turn and seat of each traced game, in the order of games, turns and seats."""
        self._check_trace()
        return self._scan(TURNS, [shard for shard in self.shards if TURNS in shard.tables])

    @property
    def has_pieces(self) -> bool:
        """Whether the run has a trace of named components."""
        return PIECES in self.manifest.columns

    def pieces(self) -> pl.LazyFrame:
        """Return the fate of the named components, in the order of the games."""
        self._check_trace()
        if not self.has_pieces:
            raise UsageError(f"{self.place}: the game has no components with names")
        return self._scan(PIECES, [shard for shard in self.shards if PIECES in shard.tables])

    def meanings(self, table: str | None = None) -> dict[str, str]:
        """Return the meanings of a table's columns, by default of games and seats (games take precedence)."""
        if table in (TURNS, PIECES):
            self._check_trace()
        columns = self.manifest.columns
        return columns["seats"] | columns["games"] if table is None else dict(columns[table])

    def locate(self, play: int) -> tuple[Cell, int, int]:
        """Return the cell, deal and rotation of a play."""
        deal, place = divmod(play, self.cells[0].stride)
        cell = self.cells[bisect.bisect_right(self.cells, place, key=lambda cell: cell.first_play) - 1]
        turn, max_deals = place - cell.first_play, self.experiment.deals
        if deal < 0 or deal >= max_deals or not 0 <= turn < cell.rotations:
            end = max_deals * cell.stride - 1
            raise UsageError(f"play {play} is not in this run: its plays are 0 to {end}")
        if deal >= cell.deals:
            raise UsageError(
                f"play {play} was not played: cell {cell.index} stopped after {cell.deals} deals"
            )
        return cell, deal, cell.turns[turn]

    def rows(self, play: int) -> tuple[dict[str, Any], list[dict[str, Any]]]:
        """Return the row of a play in the games table, and its rows in the seats table."""
        files = self.shards_of(play)
        with self.reading():
            rows = {table: self._scan(table, files).filter(play=play).collect() for table in TABLES}
        return rows["games"].row(0, named=True), rows["seats"].rows(named=True)

    def has(self, play: int) -> bool:
        """Return whether the log holds a play, in files with valid checksums."""
        mine = self.shards_of(play)
        return not missing_shards(replace(self, every=mine).valid_files(), mine)

    def shards_of(self, play: int) -> list[Shard]:
        """Return the shard that holds a play, as a list."""
        cell, deal, _ = self.locate(play)
        return [shard for shard in self.shards if shard.holds({cell.index}, deal, deal + 1)]

    def _check_trace(self) -> None:
        if not self.experiment.trace:
            cure = "run it into another folder with --trace 1000, or key trace = 1000"
            raise UsageError(f"{self.place}: the run has no turn trace; {cure}")

    def _scan(self, table: str, shards: list[Shard]) -> pl.LazyFrame:
        rows = pl.scan_parquet([self.folder / shard.path(table) for shard in shards], glob=False)
        others = any(part.cell not in self._mine for shard in shards for part in shard.parts)
        mine = rows.filter(pl.col("cell").is_in(self._mine)) if others else rows
        if self.part == 1:
            return mine
        ends = {cell.index: cell.deals for cell in self.cells}
        return mine.filter(pl.col("deal") < pl.col("cell").replace_strict(ends, return_dtype=pl.Int64))


def open_run(folder: str | Path) -> Run:
    """Open a finished run; raises a UsageError that names the first missing part of another."""
    run = open_unfinished(folder)
    present = run.valid_files()
    left, changed = missing_shards(present, run.shards), run.changed_files(present)
    if run.experiment.adaptive and not run.manifest.finished:
        left = left or run.shards[-1:]
    if left:
        damaged = [name for name in left[0].files if name in changed]
        part, extent = left[0].parts[0], f"{len(left)} of {len(run.shards)} shards are missing"
        first = f"the first: cell {part.cell}, deals {part.first} to {part.last - 1}"
        first += f": {damaged[0]} is gone or was changed after it was written" if damaged else ""
        raise UsageError(f"{folder}: the run is not complete, {extent} ({first}); run it again to finish it")
    _check_attached_files(run, present)
    run.check_tables()
    return run


def open_partly(folder: str | Path) -> Run:
    """Open a run; of an unfinished one, each cell has the deals before its first gap."""
    run = open_unfinished(folder)
    if run.manifest.finished:
        return open_run(run.folder)
    left = set(missing_shards(run.valid_files(), run.shards))
    ends = {cell.index: cell.deals for cell in run.cells}
    for lost in (part for shard in left for part in shard.parts):
        ends[lost.cell] = min(ends[lost.cell], lost.first)
    cells = [replace(cell, deals=ends[cell.index]) for cell in run.cells if ends[cell.index]]
    if not cells:
        raise UsageError(f"{folder}: no part of the run is finished yet; run it again to go on")
    part = sum(cell.plays for cell in cells) / sum(cell.plays for cell in run.cells)
    without_extras: dict[str, Any] = {"beginners": [], "kingmaking": 0}  # these are played last
    experiment = run.experiment.model_copy(update=without_extras)
    every = [shard for shard in run.every if shard not in left]
    replace(run, every=every).check_tables()
    return replace(run, experiment=experiment, cells=cells, every=every, part=min(part, 0.999))


def open_play(folder: str | Path, play: int) -> Run:
    """Open a run, finished or not, to replay one of its plays; only the files of this play need be whole."""
    run = open_unfinished(folder)
    if run.has(play):
        replace(run, every=run.shards_of(play)).check_tables()
    elif run.manifest.finished:
        open_run(folder)  # raises the error that names the damaged file
    return run


def _check_attached_files(run: Run, present: Container[str]) -> None:
    """Refuse a run that lacks a required attached file or its side run."""
    descriptions = {BEGINNERS: "games of beginners are", KINGMAKING: "table of kingmaking is"}
    descriptions[RESULTS_FILE] = "answer of the search is"
    for name in run.missing_files(present):
        fault = f"the {descriptions[name]} missing"
        if (run.folder / name).exists():
            fault = f"{name} was changed after it was written"
        raise UsageError(f"{run.folder}: the run is not complete, {fault}; run it again to finish it")
    if run.experiment.beginners:
        open_run(run.folder / BEGINNERS)


def belongs_to_study(folder: Path) -> bool:
    """Return whether a folder holds the runs of a search, or its answer."""
    return _has_answer(folder) or os.path.isdir(folder / SIDE_RUNS)


def _has_answer(folder: Path) -> bool:
    return RESULTS_FILE in checksums.read_digests(folder) or os.path.exists(folder / RESULTS_FILE)


def open_unfinished(folder: str | Path) -> Run:
    """Open a run in any state; checks the manifest and inputs, but no tables."""
    folder = remote.local_folder(folder)
    if not os.path.isfile(folder / "manifest.json"):
        if os.path.isdir(folder / SIDE_RUNS):
            raise UsageError(f"{folder}: the search is not finished; run its command again to finish it")
        raise UsageError(f"{folder}: not a run folder (it has no manifest.json)")
    stored = manifest.read(folder)
    manifest.check_inputs(folder, stored)
    run = Run(folder, resolve_files(stored.experiment, folder), stored, stored.cells)
    return replace(run, every=run.plan.shards(interim=stored.experiment.adaptive and not stored.finished))


def keep_results(folder: Path, answer: StudyResults) -> None:
    """Write the results of a search atomically into the folder of its final run."""
    text = json.dumps(answer.model_dump(), indent=1, ensure_ascii=False)
    atomic.put(folder / RESULTS_FILE, f"{text}\n".encode())
    answer_digest = {RESULTS_FILE: checksums.digest(folder / RESULTS_FILE)}
    checksums.settle(folder, checksums.read_digests(folder) | answer_digest)


SHARES = "impossible values in column share"


def check_tables(folder: Path, manifest: Manifest, shards: list[Shard]) -> None:
    """Refuse a table with other columns or rows than the run has; `shards` are those that are present."""
    for shard in shards:
        rows = _rows(shard, manifest.cells)
        for table in shard.tables:
            path = folder / shard.path(table)
            types, count, shares = _read_table_facts(path)
            if list(types.items()) != list(manifest.types.get(table, {}).items()):
                raise _foreign(path, "its columns differ")
            if count != rows.get(table, count):
                raise _foreign(path, f"it has {count:,} rows, not {rows[table]:,}")
            if not all(0 <= share <= 1 for share in shares):
                raise _foreign(path, SHARES)


def check_contents(folder: Path, shards: list[Shard]) -> None:
    """Refuse the first table that Polars cannot read, or whose rows are not those of its deals."""
    for shard, table in ((each, name) for each in shards for name in each.tables):
        path = folder / table / shard.file
        try:
            rows = pl.read_parquet(path, glob=False)
        except (PolarsError, PanicException) as error:
            raise UsageError(f"{path}: is no table: {brief(error)}; {RESTORE}") from None
        deals = {(part.cell, deal) for part in shard.parts for deal in range(part.first, part.last)}
        if table in TABLES and deals != set(rows.select("cell", "deal").iter_rows()):
            raise _foreign(path, "its rows are those of other deals")
        if table == "seats" and not rows["share"].is_between(0, 1).all():
            raise _foreign(path, SHARES)


def _read_table_facts(path: Path) -> tuple[dict[str, str], int, list[float]]:
    """Return the types of a table's columns, its number of rows, and the extremes of its shares."""
    try:
        with pq.ParquetFile(path) as file:
            types = {field.name: str(field.type) for field in file.schema_arrow}
            groups = [file.metadata.row_group(number).to_dict() for number in range(file.num_row_groups)]
            columns = [column for group in groups for column in group["columns"]]
            ends = [column["statistics"] for column in columns if column["path_in_schema"] == "share"]
            shares = [end[name] for end in ends if end and end["has_min_max"] for name in ("min", "max")]
            return types, file.metadata.num_rows, shares
    except (pa.ArrowException, OSError) as error:
        raise UsageError(f"{path}: is no table: {brief(error)}; {RESTORE}") from None


def _rows(shard: Shard, cells: list[Cell]) -> dict[str, int]:
    """Return the numbers of rows that are known before the games: one per game, and one per seat of each."""
    games = {part: (part.last - part.first) * cells[part.cell].rotations for part in shard.parts}
    seats = sum(count * cells[part.cell].seats for part, count in games.items())
    return dict(zip(TABLES, (seats, sum(games.values())), strict=True))


def _foreign(path: Path, why: str) -> UsageError:
    return UsageError(f"{path}: is not a table of this run: {why}; {RESTORE}")
