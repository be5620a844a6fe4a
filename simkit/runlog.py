"""A run folder becomes tidy tables: `games`, `seats` and, where there is a trace, `turns` and `pieces`."""

import bisect
import json
import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any, Self

import polars as pl

from simkit import manifest as manifests
from simkit.beginners import FOLDER as BEGINNERS
from simkit.errors import UsageError
from simkit.experiment import Cell, Experiment, beside, looks, parse
from simkit.kingmaking import FILE as KINGMAKING
from simkit.runwords import RunWords
from simkit.shards import PIECES, TURNS, Layout, Shard, missing, shards

LOOKS = "looks"  # in the folder of a search: the runs that it rests upon
SEARCH = "search.json"


@dataclass(frozen=True)
class Run:
    folder: Path
    experiment: Experiment
    manifest: dict[str, Any]
    cells: list[Cell]
    every: Sequence[Shard] = ()  # the shards of all cells and deals
    span: tuple[int, float] = (0, math.inf)  # deals whose files are read

    @cached_property
    def words(self) -> RunWords:
        return RunWords.model_validate(self.manifest["words"])

    @cached_property
    def search(self) -> dict[str, Any]:
        """What the search said whose check on fresh deals this run is; nothing of other runs."""
        path = self.folder / SEARCH
        return json.loads(path.read_text("utf-8")) if path.is_file() else {}

    @property
    def team(self) -> bool:
        """Whether the game is co-operative: the share of every seat is that of the team."""
        return self.cells[0].target is not None

    @cached_property
    def shards(self) -> list[Shard]:
        """The shards that hold deals of the cells and of the span, in the order in which they are played."""
        return [shard for shard in self.every if shard.holds(self._mine, *self.span)]

    @cached_property
    def _mine(self) -> set[int]:
        return {cell.index for cell in self.cells}

    def between(self, low: int, high: int) -> Self:
        """The same run, reading only files with deals low <= deal < high: rows must still be filtered."""
        return replace(self, span=(low, high))

    def only(self, indices: list[int]) -> Self:
        """The same run as if it had these cells only."""
        return replace(self, cells=[cell for cell in self.cells if cell.index in indices])

    def games(self) -> pl.LazyFrame:
        """One row per game, in the order of the plays (look by look, where cells stop by themselves)."""
        return self._scan("games", self.shards)

    def seats(self) -> pl.LazyFrame:
        """One row per seat of each game, in the order of the games and seats."""
        return self._scan("seats", self.shards)

    def turns(self) -> pl.LazyFrame:
        """One row per turn and seat of each traced game, in the order of the games, turns and seats."""
        self._check_trace()
        return self._scan(TURNS, [shard for shard in self.shards if TURNS in shard.tables])

    @property
    def has_pieces(self) -> bool:
        """Whether a trace of the run tells of the components with names."""
        return PIECES in self.manifest.get("columns", {})

    def pieces(self) -> pl.LazyFrame:
        """What became of the components with names, in the order of the games."""
        self._check_trace()
        if not self.has_pieces:
            raise UsageError(f"{self.folder}: the run tells of no components by name; play it again")
        return self._scan(PIECES, [shard for shard in self.shards if PIECES in shard.tables])

    def meanings(self, table: str | None = None) -> dict[str, str]:
        """What each column means, of one table or of games and seats (in both: as in games)."""
        if table in (TURNS, PIECES):
            self._check_trace()
        known = self.manifest["columns"]
        return known["seats"] | known["games"] if table is None else dict(known[table])

    def locate(self, play: int) -> tuple[Cell, int, int]:
        end = self.cells[-1].first_play + self.cells[-1].plays
        if not 0 <= play < end:
            raise UsageError(f"play {play} is not in this run: its plays are 0 to {end - 1}")
        cell = self.cells[bisect.bisect_right(self.cells, play, key=lambda cell: cell.first_play) - 1]
        deal, rotation = divmod(play - cell.first_play, cell.rotations)
        if deal >= cell.deals:
            raise UsageError(
                f"play {play} was not played: cell {cell.index} stopped after {cell.deals} deals"
            )
        return cell, deal, rotation

    def rows(self, play: int) -> tuple[dict[str, Any], list[dict[str, Any]]]:
        """What the log says about a play: the row of the game and the rows of its seats."""
        cell, deal, _ = self.locate(play)
        files = [shard for shard in self.shards if shard.holds({cell.index}, deal, deal + 1)]
        games, seats = (self._scan(table, files).filter(play=play).collect() for table in ("games", "seats"))
        return games.row(0, named=True), seats.rows(named=True)

    def _check_trace(self) -> None:
        if not self.experiment.trace:
            cure = "run it into another folder with --trace 1000, or key trace = 1000"
            raise UsageError(f"{self.folder}: the run has no turn trace; {cure}")

    def _scan(self, table: str, some: list[Shard]) -> pl.LazyFrame:
        rows = pl.scan_parquet([self.folder / table / shard.file for shard in some])
        others = any(part.cell not in self._mine for shard in some for part in shard.parts)
        return rows.filter(pl.col("cell").is_in(self._mine)) if others else rows


def open_run(folder: str | Path) -> Run:
    """Open a finished run; says what is missing otherwise."""
    run = open_unfinished(folder)
    left = missing(run.folder, run.shards)
    if run.experiment.adaptive and not run.manifest["finished"]:
        left = left or run.shards[-1:]
    if left:
        part, lacking = left[0].parts[0], f"{len(left)} of {len(run.shards)} shards are missing"
        first = f"the first: cell {part.cell}, deals {part.first} to {part.last - 1}"
        raise UsageError(f"{folder}: the run is not complete, {lacking} ({first}); run it again to finish it")
    _check_beside(run)
    return run


def _check_beside(run: Run) -> None:
    """Say what is missing of that which stands beside the games of a run."""
    lacking = {
        "games of beginners are": run.experiment.beginners and not (run.folder / BEGINNERS).is_dir(),
        "table of kingmaking is": run.experiment.kingmaking and not (run.folder / KINGMAKING).is_file(),
    }
    for what, missing_here in lacking.items():
        if missing_here:
            cure = "run it again to finish it"
            raise UsageError(f"{run.folder}: the run is not complete, the {what} missing; {cure}")
    if run.experiment.beginners:
        open_run(run.folder / BEGINNERS)


def open_unfinished(folder: str | Path) -> Run:
    folder = Path(folder)
    if not (folder / "manifest.json").is_file():
        if (folder / LOOKS).is_dir():
            raise UsageError(f"{folder}: the search is not finished; run its command again to finish it")
        raise UsageError(f"{folder}: not a run folder (it has no manifest.json)")
    try:
        manifest = manifests.read(folder)
    except json.JSONDecodeError as error:
        raise UsageError(f"{folder}/manifest.json: cannot be read: {error}") from None
    if "words" not in manifest:
        raise UsageError(f"{folder}: this simkit cannot read the run, an earlier one made it; run it again")
    experiment = beside(parse(manifest["experiment"]), folder)
    cells = [Cell.parse(keys) for keys in manifest["cells"]]
    run = Run(folder, experiment, manifest, cells)
    layout = Layout(*manifest["layout"])
    every = shards(cells, layout, looks(experiment), experiment.trace, run.has_pieces)
    return replace(run, every=every)


def keep_search(folder: Path, known: dict[str, Any]) -> None:
    """Keep what a search said beside its check: whole or absent."""
    unfinished = folder / f".{SEARCH}.tmp"
    unfinished.write_text(json.dumps(known, indent=1, ensure_ascii=False, allow_nan=False) + "\n", "utf-8")
    unfinished.replace(folder / SEARCH)
