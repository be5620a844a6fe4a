"""Teachers of a learned player: what they play, and the samples that a chunk of their games gives."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from simkit.engine import registry
from simkit.engine.positions import Positions
from simkit.engine.rng import sub_seed
from simkit.engine.strategy import RANDOM
from simkit.engine.table import GameTable, Player
from simkit.questions.learn import fitting
from simkit.questions.learn.fitting import Past, Samples
from simkit.questions.learn.lessons import (
    CHUNK,
    CHUNKS,
    GAMES,
    KEPT_OF_GAME,
    Acquaintance,
    Array,
    Gathered,
    Lesson,
    Net,
)
from simkit.questions.learn.playing_on import Outcomes, compare_actions

Pair = tuple[float, float]
OTHERS = 0.3  # views of another seat for each one of the seat that decides
LONG = 150  # decisions of a game above which it has fewer random errors
BLUNDER, FEW_BLUNDERS, MOST_BLUNDERS = 0.05, 0.01, 0.3  # random errors, usually, in long and in short games
IN_SHORT_GAME = 2  # random errors at least in a game, since games without luck would otherwise be one game
TRUST = 0.2  # 1 - lambda
FIRST_ROUND = 0.3  # of the games: play-outs of the base; then of the player itself
# Views that a decision in training may value, and most redeals. With one roll of the die in mind the player
# of Pig won 41 games in 100 against hold_at after 150,000 games, with 24 of them 49 after 41,000.
VALUED, MOST_SAMPLES = 48, 24
LOOKED_AT, IN_GAME = 0.065, (3, 12)  # part of the decisions that play-outs look at; least and most in a game
# Positions of plain games from which a net learns first, those of an epoch, and those of a game: few, since
# all share its result, which a net would learn by heart.
IMITATED, PLAIN, PLAIN_IN_GAME = 300_000, 40_000, 2


@dataclass(frozen=True)
class SelfPlay:
    """Games of the player against itself with random errors, after some of the default policy: TD(lambda)."""

    lesson: Lesson
    seen: Acquaintance
    games: int
    name = "self"
    base = ""
    caution = 0.0
    games_of_epoch = GAMES

    @property
    def samples(self) -> int:
        """Redeals at a decision: many where luck follows and actions are few, as at the roll of a die."""
        game = self.lesson.game
        if not any(stream.startswith("nature/") for stream in game.streams):
            return 1
        return min(MOST_SAMPLES, max(1, VALUED // game.max_actions))

    @cached_property
    def imitated(self) -> int:
        """Epochs of games of the default policy."""
        plain = registry.default_policy(self.lesson.game)
        if plain == RANDOM or self.lesson.request.start:
            return 0
        return round(min(IMITATED, self.games * KEPT_OF_GAME) / PLAIN)

    @property
    def epochs(self) -> int:
        """Epochs in all."""
        return self.imitated + -(-self.games // self.games_of_epoch)

    @property
    def uses(self) -> int:
        """How often a net learns from a sample."""
        return 2 if self.seen.keep < 0.2 else 1

    def games_after(self, epochs: int) -> int:
        """Return the games of the player itself in some epochs."""
        return max(0, epochs - self.imitated) * self.games_of_epoch

    def lineup(self, packed: Array, **weights: float) -> list[Player]:
        """Return players of a net as they play in earnest."""
        return self.lesson.learned(packed, self.base, **weights)

    def gather(self, net: Net, epoch: int, chunk: int) -> Gathered:
        """Return the samples of a chunk of an epoch."""
        if epoch < self.imitated:
            return self._plain(net, f"plain/{epoch}/{chunk}")
        lineup = self.lesson.learned(net.packed, blunder=self.blunder)
        return self._gathered(
            net, lineup, f"self/{epoch}/{chunk}", CHUNK, (1.0, self.seen.keep * OTHERS), TRUST
        )

    @property
    def blunder(self) -> float:
        """Probability of a random error."""
        if self.seen.decisions > LONG:
            return FEW_BLUNDERS
        return min(max(BLUNDER, IN_SHORT_GAME / self.seen.decisions), MOST_BLUNDERS)

    def _plain(self, net: Net, purpose: str) -> Gathered:
        """Return samples of games of the default policy with about one random error each."""
        lineup = self.lesson.scripted(registry.default_policy(self.lesson.game), 1 / self.seen.decisions)
        in_game = max(PLAIN_IN_GAME, self.seen.decisions / LONG * KEPT_OF_GAME / 2)
        games = math.ceil(PLAIN / CHUNKS / in_game / (1 + OTHERS))
        keep = in_game / self.seen.decisions
        return self._gathered(net, lineup, purpose, games, (keep, keep * OTHERS), 0.0)

    def _gathered(
        self, net: Net, lineup: list[Player], purpose: str, games: int, chances: Pair, trust: float
    ) -> Gathered:
        """Return samples of games of a lineup."""
        luck = self.lesson.luck(purpose)
        table = self.lesson.table(luck)
        recorded = self.lesson.record(table, lineup, purpose, games, *chances)
        return Gathered.join([self._samples(net, table, part, trust, luck) for part in recorded])

    def _samples(
        self, net: Net, table: GameTable, positions: Positions, trust: float, luck: np.random.Generator
    ) -> Gathered:
        """Return samples of the positions that are kept, with targets that follow from all."""
        encoded = self.seen.encode(net.packed, table, positions.views, positions.seats)
        values = np.zeros((len(positions.views), 2), np.float32)
        samples, shape = Samples(*encoded, values), self.seen.shape
        if trust:
            fitting.predict(net.weights, shape, samples, fitting.activations(net.weights, shape), values)
        past = Past(positions.games, positions.deciders, positions.seats, values)
        goals = fitting.targets(past, self.seen.results(positions), trust)
        own = positions.seats == positions.deciders
        chosen = luck.random(len(own)) < np.where(own & (trust > 0), self.seen.keep, 1.0)
        rows, numbers, counts = (array[chosen] for array in encoded)
        return Gathered(
            Samples(rows, numbers, counts, goals[chosen]), np.ones(chosen.sum(), np.int64)
        ).trimmed()


@dataclass(frozen=True)
class Improvement:
    """Play-outs after several actions of some decisions, of the best scripted player and later of the player.

    The games are those of that player with random errors, of the player in training, and of both together.
    Each counts as several, since play-outs take as long as these, and give as many samples.
    """

    lesson: Lesson
    seen: Acquaintance
    games: int
    name = "improve"
    caution, samples = 0.1, 4
    imitated, uses = 0, 1
    games_of_epoch = 8 * GAMES

    @property
    def base(self) -> str:
        """The best scripted player, whose action is taken unless another one is surely better."""
        return self.lesson.request.panel[0]

    @property
    def epochs(self) -> int:
        """Epochs in all."""
        return -(-self.games // self.games_of_epoch)

    def games_after(self, epochs: int) -> int:
        """Return the games in some epochs."""
        return epochs * self.games_of_epoch

    def lineup(self, packed: Array, **weights: float) -> list[Player]:
        """Return players of a net as they play in earnest."""
        return self.lesson.learned(packed, self.base, **weights)

    def gather(self, net: Net, epoch: int, chunk: int) -> Gathered:
        """Return the samples of a chunk of an epoch."""
        purpose, seats = f"improve/{epoch}/{chunk}", self.lesson.request.seats
        base = self.lesson.scripted(self.base, BLUNDER)
        own = self.lesson.learned(net.packed, self.base, blunder=BLUNDER, samples=1)
        lineups = base, own, [*base[: seats - seats // 2], *own[: seats // 2]]
        table, deals = self.lesson.table(self.lesson.luck(purpose)), np.arange(CHUNK)
        seed = sub_seed(self.lesson.request.seed, f"learn/{purpose}/games")
        games = lineups[(epoch + chunk) % 3], seed, deals, deals % seats
        outcomes = compare_actions(table, *games, self._policy(net, epoch), self.chance)
        return Gathered.join([self._samples(net, table, each) for each in outcomes])

    def _policy(self, net: Net, epoch: int) -> Player:
        """Return who plays on: the base at first, then the player itself."""
        if epoch < self.epochs * FIRST_ROUND:
            return self.lesson.scripted(self.base)[0]
        return self.lesson.learned(net.packed, self.base, samples=1)[0]

    @property
    def chance(self) -> float:
        """Part of the decisions that play-outs look at."""
        least, most = (number / self.seen.decisions for number in IN_GAME)
        return min(max(LOOKED_AT, least), most, 1.0)

    def _samples(self, net: Net, table: GameTable, outcomes: Outcomes) -> Gathered:
        encoded = self.seen.encode(net.packed, table, outcomes.views, outcomes.seats)
        targets = outcomes.results / [1.0, self.seen.deviation]
        return Gathered(Samples(*encoded, targets.astype(np.float32)), outcomes.sizes).trimmed()
