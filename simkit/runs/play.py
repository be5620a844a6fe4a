"""Play the games of a cell in slices of about 0.2 s, so that a worker can report progress and stop.

Also here: playing a shard into its tables, and the estimated cost of players that search.
"""

import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa

from simkit.engine import registry
from simkit.engine.ablation import BLOCK, AblationRules, ablation_rules
from simkit.engine.stepper import trace_games
from simkit.engine.strategy import PERSON
from simkit.engine.table import FailedGame, GameTable, Player, play_on
from simkit.errors import PlayError, UsageError
from simkit.runs import log
from simkit.runs.experiment import Experiment
from simkit.runs.log import TableWriter
from simkit.runs.plan import Cell, Shard, read_files

STATES_BYTES = 1 << 23  # final states of a slice in memory
SLICE_SECONDS = 0.2  # intended duration of a slice of games
FIRST_SLICE, FASTER = 4, 16  # games of the first slice; greatest growth from one slice to the next

ReportGames = Callable[
    [int], None
]  # takes the number of games just played; an exception from it ends the play

_pace: dict[str, int] = {}  # lineup -> games per slice; affects when a worker reports, never what it writes


class Seating(NamedTuple):
    """A table with its players: the rules of a cell, the strategies of its lineup, the seed."""

    cell: Cell
    table: GameTable
    lineup: list[Player]
    seed: int
    pieces: list[str] = []  # labels of the named components
    keep_going: bool = False  # whether the other games go on after a game fails
    dealt: AblationRules | None = None  # the ablated components by deal, in a run with [ablate]

    def lay(self, deal: int) -> None:
        """Put the rules of a deal on the table, where deals differ in their rules."""
        if self.dealt:
            self.table.rules, self.pieces[:] = self.dealt.rules(deal)

    def tables(
        self, first: int, middle: int, last: int, report: ReportGames
    ) -> Iterator[tuple[str, pa.Table]]:
        """Play deals first <= deal < last and yield (table name, rows), in the order of the plays.

        Deals below `middle` are traced, except games that fail in a run that keeps going. `report` is called
        with the number of games just played.
        """
        if self.keep_going and first < middle:  # all games of the range may fail
            game = self.table.game
            nothing = np.zeros(0, game.turn_dtype), np.zeros(0, game.piece_dtype)
            yield from self._trace_rows(np.zeros((2, 0), np.int64), *nothing)
        explain = True  # the first failure of a range only
        for start, end in ((first, middle), (middle, last)):
            for games in self._with_rules(self._games(start, end)):
                played = games
                if self.keep_going:
                    states, failed = play_on(self.table, self.lineup, self.seed, games, explain)
                    explain = explain and not failed
                    yield from self.rows(games[0], games[1], states, failed).items()
                    played = np.delete(games, [failure.game for failure in failed], axis=1)
                if start < middle:
                    yield from self._traced(np.ascontiguousarray(played))
                elif not self.keep_going:
                    states = self.table.play(self.lineup, self.seed, *games)
                    yield from self.rows(games[0], games[1], states).items()
                report(games.shape[1])

    def _traced(self, games: np.ndarray) -> Iterator[tuple[str, pa.Table]]:
        """Play and trace games; yield the trace and, unless the run keeps going, the `games` and `seats`."""
        for part, states, rows, events in trace_games(self.table, self.lineup, self.seed, *games):
            yield from self._trace_rows(games[:, part], rows, events)
            if not self.keep_going:
                yield from self.rows(games[0, part], games[1, part], states).items()

    def _trace_rows(self, games: np.ndarray, rows: Any, events: Any) -> Iterator[tuple[str, pa.Table]]:
        """Yield the `turns` table of traced games and, if components have names, the `pieces` table."""
        played = (self.table.game, self.cell, games[0], games[1])
        yield "turns", log.turns_table(*played, rows)
        if self.pieces:
            yield "pieces", log.pieces_table(*played, events, self.pieces)

    def rows(
        self,
        deals: np.ndarray,
        shifts: np.ndarray,
        states: np.ndarray,
        failed: list[FailedGame] | None = None,
    ) -> dict[str, pa.Table]:
        """Return the `games` and `seats` tables of plays, by name.

        `deals`, `shifts` (rotations) and `states` have one entry per game; `failed` lists failed games.
        """
        faults = None
        if self.keep_going:
            faults = [failure._replace(line=registry.within(failure.line)) for failure in failed or []]
        played = (self.table.game, self.cell, deals, shifts, states, faults)
        return {"games": log.games_table(*played), "seats": log.seats_table(*played)}

    def _games(self, first: int, last: int) -> np.ndarray:
        """Return the games of a range of deals: int64[2, game], deals in row 0 and rotations in row 1."""
        turns = np.array(self.cell.turns)
        return np.array([np.repeat(np.arange(first, last), len(turns)), np.tile(turns, last - first)])

    def _with_rules(self, games: np.ndarray) -> Iterator[np.ndarray]:
        """Yield all games in slices that share one set of rules, with these rules on the table."""
        for part in self._slices(games):
            if self.dealt is None:
                yield part
                continue
            cuts = np.flatnonzero(np.diff(part[0] // BLOCK)) + 1
            for block in np.split(part, cuts, axis=1):
                self.lay(int(block[0, 0]))
                yield np.ascontiguousarray(block)

    def _slices(self, games: np.ndarray) -> Iterator[np.ndarray]:
        """Yield all games in slices that take about SLICE_SECONDS each, and STATES_BYTES at most."""
        start, count, lineup = 0, games.shape[1], ", ".join([self.cell.game, *self.cell.labels])
        most = max(1, STATES_BYTES // self.table.game.state_dtype.itemsize)
        while start < count:
            size, began = min(most, _pace.get(lineup, FIRST_SLICE)), time.perf_counter()
            yield games[:, start : start + size]
            took = time.perf_counter() - began
            if took > SLICE_SECONDS or start + size <= count:
                speedup = np.clip(SLICE_SECONDS / max(took, 1e-9), 1 / FASTER, FASTER)
                _pace[lineup] = max(1, int(size * speedup))
            start += size


def seating(experiment: Experiment, cell: Cell) -> Seating:
    """Return a cell's table with its players."""
    game = registry.game(experiment.game)
    if PERSON.name in (named.name for named in cell.lineup):
        raise UsageError("a person decides at the terminal only: simkit play GAME --human SEAT")
    players = registry.players(game, cell.lineup)
    rules = game.rules(cell.options, read_files(experiment, cell.varied))
    named = [piece.label for piece in game.pieces.names(rules[0])] if game.pieces else []
    dealt = ablation_rules(game, rules, experiment.ablate, experiment.seed) if experiment.ablate else None
    return Seating(
        cell, GameTable(game, rules), players, experiment.seed, named, experiment.keep_going, dealt
    )


def search_seconds(experiment: Experiment, cells: list[Cell]) -> float:
    """Return the processor time of all games with players that search, from one deal of each lineup."""
    game, per_game, total = registry.game(experiment.game), dict[str, float](), 0.0
    for cell in cells:
        lineup = ", ".join(cell.labels)
        if lineup not in per_game:
            searches = any(registry.strategy(game, named.name).searches for named in cell.lineup)
            per_game[lineup] = _seconds_per_game(experiment, cell) if searches else 0.0
        total += per_game[lineup] * cell.plays
    return total


def _seconds_per_game(experiment: Experiment, cell: Cell) -> float:
    """Return the processor time of a game, from the rotations of one deal, after one game for warming up."""
    seated, shifts = seating(experiment, cell), np.array(cell.turns)
    seated.table.play(seated.lineup, seated.seed, np.zeros(1, np.int64), shifts[:1])
    began = time.process_time()
    seated.table.play(seated.lineup, seated.seed, np.zeros_like(shifts), shifts)
    return (time.process_time() - began) / cell.rotations


def write(
    folder: Path, experiment: Experiment, cells: list[Cell], shard: Shard, report: ReportGames
) -> dict[str, str]:
    """Play a shard and write its tables; return their digests by file name.

    `cells` are those of the shard's parts; `report` is called with the number of games just played.
    """
    with ExitStack() as closing:  # opened in reverse order, so that the games table is closed last
        paths = {table: folder / shard.path(table) for table in reversed(shard.tables)}
        files = {table: closing.enter_context(TableWriter(path)) for table, path in paths.items()}
        for part, cell in zip(shard.parts, cells, strict=True):
            place = seating(experiment, cell)
            try:
                for table, rows in place.tables(part.first, part.traced, part.last, report):
                    files[table].add(rows)
            except PlayError as fault:
                if fault.deal is not None:
                    fault.play = cell.play_of(fault.deal, fault.rotation)
                raise
    return {name: files[table].digest for name, table in zip(shard.files, shard.tables, strict=True)}
