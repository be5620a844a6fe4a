"""A table laid for a cell, and its games played some at a time: a worker can tell how far it is, and stop."""

import time
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa

from simkit.engine import registry
from simkit.engine.ablation import BLOCK, Dealt, dealt_of
from simkit.engine.failures import Failed, play_on
from simkit.engine.kernel import Player, Table
from simkit.engine.stepper import traced
from simkit.runs import columns
from simkit.runs.experiment import Cell, Experiment, read_files

STATES_BYTES = 1 << 23  # states in memory at one time
SLICE_SECONDS = 0.2  # what a slice of games should take
FIRST_SLICE, FASTER = 4, 16  # games of the first slice, and how many times as many the next one may have

Told = Callable[[int], None]  # hears how many games were played just now; what it raises ends the play
Played = tuple[np.ndarray, np.ndarray, np.ndarray]  # deals, rotations, final states

_pace: dict[str, int] = {}  # lineup -> games of a slice; decides when a worker looks up, never what it writes


class Seating(NamedTuple):
    cell: Cell
    table: Table
    lineup: list[Player]
    seed: int
    pieces: list[str] = []  # labels of the components with names
    keep_going: bool = False  # whether the others go on after a game that fails
    dealt: Dealt | None = None  # where deals have rules of their own

    def lay(self, deal: int) -> None:
        """Put the rules of a deal on the table."""
        if self.dealt:
            self.table.rules, self.pieces[:] = self.dealt.rules(deal)

    def tables(self, first: int, middle: int, last: int, report: Told) -> Iterator[tuple[str, pa.Table]]:
        """Play a range of deals, traced up to `middle`: names of tables and rows, by play."""
        if self.keep_going:
            yield from self._tables_with_failures(first, middle, last, report)
            return
        for games in self._with_rules(self._games(first, middle)):
            for part, states, rows in self._play_traced(games):
                yield from rows
                yield from self.rows(games[0, part], games[1, part], states).items()
                report(len(states))
        for played in self._play_batches(middle, last, report):
            yield from self.rows(*played).items()

    def _tables_with_failures(
        self, first: int, middle: int, last: int, report: Told
    ) -> Iterator[tuple[str, pa.Table]]:
        """As `tables`, of a run that keeps going: games that fail are not traced."""
        no_games, game = np.zeros((2, 0), np.int64), self.table.game
        explain = True  # the first failure of a range only
        if first < middle:
            yield from self._trace_rows(no_games, np.zeros(0, game.turn_dtype), np.zeros(0, game.piece_dtype))
        for start, end in ((first, middle), (middle, last)):
            for games in self._with_rules(self._games(start, end)):
                states, failed = play_on(self.table, self.lineup, self.seed, games, explain)
                explain = explain and not failed
                failed = [failure._replace(line=registry.within(failure.line)) for failure in failed]
                if start < middle:
                    completed = np.delete(games, [failure.game for failure in failed], axis=1)
                    for _, _, rows in self._play_traced(np.ascontiguousarray(completed)):
                        yield from rows
                yield from self.rows(games[0], games[1], states, failed).items()
                report(len(states))

    def _play_traced(
        self, games: np.ndarray
    ) -> Iterator[tuple[slice, np.ndarray, list[tuple[str, pa.Table]]]]:
        """Play and trace some at a time: which of the games, their final states, rows of the trace."""
        for part, states, rows, events in traced(self.table, self.lineup, self.seed, *games):
            yield part, states, self._trace_rows(games[:, part], rows, events)

    def _trace_rows(self, games: np.ndarray, rows: Any, events: Any) -> list[tuple[str, pa.Table]]:
        played = (self.table.game, self.cell, games[0], games[1])
        tables = [("turns", columns.turns_table(*played, rows))]
        if self.pieces:
            tables.append(("pieces", columns.pieces_table(*played, events, self.pieces)))
        return tables

    def rows(
        self, deals: np.ndarray, shifts: np.ndarray, states: np.ndarray, failed: list[Failed] | None = None
    ) -> dict[str, pa.Table]:
        """The rows of games and seats; `failed`: those of the games that failed."""
        faults = failed or [] if self.keep_going else None
        played = (self.table.game, self.cell, deals, shifts, states, faults)
        return {"games": columns.games_table(*played), "seats": columns.seats_table(*played)}

    def _play_batches(self, first: int, last: int, report: Told) -> Iterator[Played]:
        """As many games at a time as fit into STATES_BYTES."""
        games = self._games(first, last)
        most = max(1, STATES_BYTES // self.table.game.state_dtype.itemsize)
        for start in range(0, games.shape[1], most):
            batch, states = games[:, start : start + most], []
            for part in self._with_rules(batch):
                states.append(self.table.play(self.lineup, self.seed, *part))
                report(len(states[-1]))
            yield *batch, states[0] if len(states) == 1 else np.concatenate(states)

    def _games(self, first: int, last: int) -> np.ndarray:
        """The games of a range of deals: int64[deal or rotation, game]."""
        turns = np.arange(self.cell.rotations)
        return np.array([np.repeat(np.arange(first, last), len(turns)), np.tile(turns, last - first)])

    def _with_rules(self, games: np.ndarray) -> Iterator[np.ndarray]:
        """All of the games, in slices under one set of rules, which is laid for them."""
        for part in self._slices(games):
            if self.dealt is None:
                yield part
                continue
            cuts = np.flatnonzero(np.diff(part[0] // BLOCK)) + 1
            for block in np.split(part, cuts, axis=1):
                self.lay(int(block[0, 0]))
                yield np.ascontiguousarray(block)

    def _slices(self, games: np.ndarray) -> Iterator[np.ndarray]:
        """All of the games, in slices that take about SLICE_SECONDS each."""
        start, count, lineup = 0, games.shape[1], ", ".join([self.cell.game, *self.cell.labels])
        while start < count:
            size, began = _pace.get(lineup, FIRST_SLICE), time.perf_counter()
            yield games[:, start : start + size]
            took = time.perf_counter() - began
            if took > SLICE_SECONDS or start + size <= count:
                speedup = np.clip(SLICE_SECONDS / max(took, 1e-9), 1 / FASTER, FASTER)
                _pace[lineup] = max(1, int(size * speedup))
            start += size


def seating(experiment: Experiment, cell: Cell, tables: dict[str, Any] | None = None) -> Seating:
    """Lay the table for a cell; `tables`: those of the designer's files, if they were read before."""
    game = registry.game(experiment.game)
    players = [registry.player(game, named) for named in cell.lineup]
    rules = game.rules(cell.options, read_files(experiment, cell.varied) if tables is None else tables)
    named = [piece.label for piece in game.pieces.names(rules[0])] if game.pieces else []
    dealt = dealt_of(game, rules, experiment.ablate, experiment.seed) if experiment.ablate else None
    return Seating(cell, Table(game, rules), players, experiment.seed, named, experiment.keep_going, dealt)
