"""Lessons of a player: its games in chunks, and what a net reads of their positions."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from simkit.engine import registry
from simkit.engine.game import Game
from simkit.engine.learned.layout import Layout, observe_values
from simkit.engine.learned.net import encode
from simkit.engine.lineups import parse_strategy
from simkit.engine.positions import Positions, record_positions
from simkit.engine.rng import sub_seed
from simkit.engine.strategy import LEARNED, RANDOM
from simkit.engine.table import GameTable, Player
from simkit.questions.learn.fitting import Samples, Shape, Weights
from simkit.questions.learn.result import Request

Array = np.ndarray
CHUNKS, CHUNK = 16, 64  # chunks of an epoch; games of a chunk, which has one setting of the options
GAMES = CHUNKS * CHUNK
CHUNKS_SEEN, VIEWS = 48, 128  # chunks that are played to get acquainted, and views that a part of one gives
DEVIATIONS = 0.2  # random errors in a third of them
KEPT_OF_GAME = 25  # positions kept of a game: those of a long game are alike


class Gathered(NamedTuple):
    """Samples in groups, of the actions of one decision each, or of single positions."""

    samples: Samples
    sizes: Array  # int64[group]

    @classmethod
    def join(cls, parts: list[Gathered]) -> Gathered:
        """Return all samples in order; of those without an entry the rows are padded."""
        widest = max(part.samples.rows.shape[1] for part in parts)
        columns = zip(*(_widen(part.samples, widest) for part in parts), strict=True)
        return cls(Samples(*map(np.concatenate, columns)), np.concatenate([part.sizes for part in parts]))

    def trimmed(self) -> Gathered:
        """Return the samples without the columns that no sample fills."""
        own = self.samples
        width = max(1, int(own.counts.sum(axis=1, dtype=np.int64).max(initial=0)))
        return self._replace(samples=own._replace(rows=own.rows[:, :width], numbers=own.numbers[:, :width]))


def _widen(samples: Samples, width: int) -> Samples:
    """Return samples with room for as many entries."""
    missing = ((0, 0), (0, width - samples.rows.shape[1]))
    return samples._replace(rows=np.pad(samples.rows, missing), numbers=np.pad(samples.numbers, missing))


class Net(NamedTuple):
    """A net after an epoch: in real numbers, and as a player has it."""

    weights: Weights
    packed: Array


@dataclass(frozen=True)
class Lesson:
    """What a player is trained for, and what follows from some games of it."""

    request: Request

    @cached_property
    def game(self) -> Game:
        """The game."""
        return registry.game(self.request.game)

    def luck(self, purpose: str) -> np.random.Generator:
        """Return the random numbers for a purpose."""
        return np.random.default_rng(sub_seed(self.request.seed, f"learn/{purpose}"))

    def table(self, luck: np.random.Generator) -> GameTable:
        """Return a table with one of the settings of the options that vary."""
        drawn = {name: values[luck.integers(len(values))] for name, values in self.request.vary.items()}
        readers = self.game.components.files
        files = {name: readers[name].read(Path(path)) for name, path in self.request.files.items()}
        return GameTable(self.game, self.game.rules({**self.request.fixed, **drawn}, files))

    def scripted(self, name: str, blunder: float = 0.0) -> list[Player]:
        """Return players of a strategy as written, one for each seat."""
        (named,) = parse_strategy(name)
        weights = named.weights if not blunder else {**named.weights, "blunder": f"{blunder:.6f}"}
        return registry.players(self.game, [named._replace(weights=weights)] * self.request.seats)

    def learned(self, packed: Array, base: str = "", **weights: float) -> list[Player]:
        """Return players of a net, one for each seat; they may improve on a base strategy."""
        strategy = registry.strategy(self.game, LEARNED)
        improved = self.scripted(base)[0] if base else None
        given = {name: f"{number:.6g}" for name, number in weights.items()}
        player = strategy.player(self.game, given, None, packed, improved)
        return [player] * self.request.seats

    def record(
        self, table: GameTable, lineup: list[Player], purpose: str, games: int, *chances: float
    ) -> Iterable[Positions]:
        """Play a chunk at a table; yield its positions, whole games at a time."""
        deals, seed = np.arange(games), sub_seed(self.request.seed, f"learn/{purpose}/games")
        return record_positions(table, lineup, seed, deals, deals % len(lineup), *chances)


@dataclass(frozen=True)
class Acquaintance:
    """What some games show: what a net is to read, the deviation of margins, and the decisions of a game."""

    layout: Layout
    deviation: float  # standard deviation of the margin at the end, points
    decisions: float  # of all seats, in a game of the default policy

    @property
    def shape(self) -> Shape:
        """Axis of each token, and scales."""
        axes = np.repeat(np.arange(len(self.layout.places)), self.layout.places)
        return Shape(axes.astype(np.int64), 0.5 ** np.array(self.layout.shifts, np.float32))

    @property
    def keep(self) -> float:
        """Part of the positions of a game from which a net learns."""
        return min(1.0, KEPT_OF_GAME / self.decisions)

    def encode(
        self, packed: Array, table: GameTable, views: Array, seats: Array
    ) -> tuple[Array, Array, Array]:
        """Return rows, numbers and counts of views of seats, as `Samples` has them."""
        n, most = len(views), self.layout.most_entries
        rows, numbers = np.zeros((n, most), np.uint16), np.zeros((n, most), np.int8)
        counts = np.zeros((n, 1 + self.layout.tokens), np.uint16)
        rules = table.rules.view(np.uint8)
        encode(views.view(np.uint8).reshape(n, views.itemsize), rules, seats, packed, rows, numbers, counts)
        return rows, numbers, counts

    def results(self, positions: Positions) -> Array:
        """Return the results of games as a net learns them, float32[game, seat, output]."""
        return np.stack([positions.shares, positions.margins / np.float32(self.deviation)], axis=-1)


def acquaint(lesson: Lesson, mapped: Callable[..., list[Any]]) -> Acquaintance:
    """Return what games of plain, random and sometimes erring players show.

    `mapped(function, n)` returns function(0) ... function(n - 1).
    """
    plain = registry.default_policy(lesson.game)
    lineups = [lesson.scripted(plain), lesson.scripted(RANDOM), lesson.scripted(plain, DEVIATIONS)]

    def look(chunk: int) -> tuple[Any, ...]:
        luck, shown = lesson.luck(f"views/{chunk}"), []
        table = lesson.table(luck)
        for positions in lesson.record(table, lineups[chunk % 3], f"views/{chunk}", CHUNK, 1.0, 1.0):
            own = (positions.seats == positions.deciders).sum(keepdims=True)
            chosen = luck.permutation(len(positions.views))[:VIEWS]
            shown.append((positions.views[chosen], positions.seats[chosen], positions.margins.ravel(), own))
        return table.rules, *map(np.concatenate, zip(*shown, strict=True))

    rules, views, seats, margins, own = zip(*mapped(look, CHUNKS_SEEN), strict=True)
    layout = observe_values(lesson.game, *map(np.concatenate, (seats, rules, views)))
    deviation = float(np.concatenate([*margins[::3], *margins[2::3]]).std())
    return Acquaintance(
        layout, max(1.0, deviation), float(sum(map(np.sum, own[::3])) / (len(own[::3]) * CHUNK))
    )
