"""Play the games of a cell in slices of about 0.2 s, so that a worker can report progress and stop."""

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

STATES_BYTES = 1 << 23  # final states held in memory at a time
SLICE_SECONDS = 0.2  # intended duration of a slice of games
FIRST_SLICE, FASTER = 4, 16  # games of the first slice; greatest growth from one slice to the next

Report = Callable[[int], None]  # takes the number of games just played; an exception from it ends the play
Played = tuple[np.ndarray, np.ndarray, np.ndarray]  # deals, rotations, final states

_pace: dict[str, int] = {}  # lineup -> games per slice; affects when a worker reports, never what it writes


class Seating(NamedTuple):
    """A table with its players: the rules of a cell, the strategies of its lineup, the seed."""

    cell: Cell
    table: Table
    lineup: list[Player]
    seed: int
    pieces: list[str] = []  # labels of the named components
    keep_going: bool = False  # whether the other games go on after a game fails
    dealt: Dealt | None = None  # the ablated components by deal, in a run with [ablate]

    def lay(self, deal: int) -> None:
        """Put the rules of a deal on the table, where deals differ in their rules."""
        if self.dealt:
            self.table.rules, self.pieces[:] = self.dealt.rules(deal)

    def tables(self, first: int, middle: int, last: int, report: Report) -> Iterator[tuple[str, pa.Table]]:
        """Play deals first <= deal < last and yield (table name, rows), in the order of the plays.

        Deals below `middle` are traced. `report` is called with the number of games just played.
        """
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
        self, first: int, middle: int, last: int, report: Report
    ) -> Iterator[tuple[str, pa.Table]]:
        """Yield as `tables`, in a run that keeps going: games that fail are counted and not traced."""
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
        """Play and trace games in batches; yield which games, their final states, the rows of the trace."""
        for part, states, rows, events in traced(self.table, self.lineup, self.seed, *games):
            yield part, states, self._trace_rows(games[:, part], rows, events)

    def _trace_rows(self, games: np.ndarray, rows: Any, events: Any) -> list[tuple[str, pa.Table]]:
        """Return the `turns` table of traced games and, if components have names, the `pieces` table."""
        played = (self.table.game, self.cell, games[0], games[1])
        tables = [("turns", columns.turns_table(*played, rows))]
        if self.pieces:
            tables.append(("pieces", columns.pieces_table(*played, events, self.pieces)))
        return tables

    def rows(
        self, deals: np.ndarray, shifts: np.ndarray, states: np.ndarray, failed: list[Failed] | None = None
    ) -> dict[str, pa.Table]:
        """Return the `games` and `seats` tables of plays, by name.

        `deals`, `shifts` (rotations) and `states` have one entry per game; `failed` lists failed games.
        """
        faults = failed or [] if self.keep_going else None
        played = (self.table.game, self.cell, deals, shifts, states, faults)
        return {"games": columns.games_table(*played), "seats": columns.seats_table(*played)}

    def _play_batches(self, first: int, last: int, report: Report) -> Iterator[Played]:
        """Play as many games at a time as fit into STATES_BYTES; yield deals, rotations, final states."""
        games = self._games(first, last)
        most = max(1, STATES_BYTES // self.table.game.state_dtype.itemsize)
        for start in range(0, games.shape[1], most):
            batch, states = games[:, start : start + most], []
            for part in self._with_rules(batch):
                states.append(self.table.play(self.lineup, self.seed, *part))
                report(len(states[-1]))
            yield *batch, states[0] if len(states) == 1 else np.concatenate(states)

    def _games(self, first: int, last: int) -> np.ndarray:
        """Return the games of a range of deals: int64[2, game], deals in row 0 and rotations in row 1."""
        turns = np.arange(self.cell.rotations)
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
        """Yield all games in slices that take about SLICE_SECONDS each."""
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
    """Return a cell's table with its players.

    `tables` holds the designer's tables (name -> content) if they have been read already.
    """
    game = registry.game(experiment.game)
    players = [registry.player(game, named) for named in cell.lineup]
    rules = game.rules(cell.options, read_files(experiment, cell.varied) if tables is None else tables)
    named = [piece.label for piece in game.pieces.names(rules[0])] if game.pieces else []
    dealt = dealt_of(game, rules, experiment.ablate, experiment.seed) if experiment.ablate else None
    return Seating(cell, Table(game, rules), players, experiment.seed, named, experiment.keep_going, dealt)
