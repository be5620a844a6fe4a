"""Games for OpenSpiel (https://github.com/google-deepmind/open_spiel): for its solvers, bots and learners.

After an action that draws on luck comes a chance node. In a small game it has every outcome of the luck, with
its probability; in the others it has samples of equal probability, each the luck of another seed.
"""

from collections.abc import Iterator
from copy import deepcopy
from hashlib import blake2b
from math import prod
from typing import Any

import numpy as np

from simkit.engine.elements import flatten
from simkit.engine.rule_helpers import OVER, observe_open
from simkit.errors import UsageError
from simkit.interop.vector import START, VectorEnv, illegal, whole

try:
    import pyspiel
except ImportError as error:
    install = "pip install 'simkit-tabletop[open_spiel]'"
    raise ImportError(f"simkit.interop.open_spiel needs OpenSpiel: {install}") from error

MAX_OUTCOMES, SAMPLES, MOST_SAMPLES = 1_000, 100, 1_000_000  # of a chance node
TOO_MANY = f"luck with more than {MAX_OUTCOMES:,} outcomes, or drawn without `below`: load with samples=100"
SHOWN = True, False, True, True  # information states as texts, observations as texts and numbers
Kind, HIDDEN = pyspiel.GameType, pyspiel.GameType.Information.IMPERFECT_INFORMATION
Outcomes = list[tuple[VectorEnv | None, float]]  # position, None if it is still to be played; probability


class Listed:
    """Streams of a game with given outcomes, and 0 after these; `sizes` counts the possible ones of each."""

    def __init__(self, outcomes: list[int]) -> None:
        self.outcomes, self.sizes = outcomes, list[int]()

    def __getattr__(self, stream: str) -> "Listed":
        return self

    def __getitem__(self, place: int) -> int:
        raise UsageError(TOO_MANY)

    def below(self, n: int) -> int:
        """Return the next outcome, 0 <= x < n."""
        self.sizes.append(n)
        if prod(self.sizes) > MAX_OUTCOMES:
            raise UsageError(TOO_MANY)
        return self.outcomes[len(self.sizes) - 1] if len(self.sizes) <= len(self.outcomes) else 0


def follow(table: VectorEnv, action: int, rng: Any) -> VectorEnv:
    """Return the position after an action, with the luck of `rng`."""
    after = deepcopy(table)
    after.rng = rng
    after.advance(np.array([action]))
    return after


def every(table: VectorEnv, action: int, outcomes: list[int]) -> Iterator[tuple[VectorEnv, float]]:
    """Yield the positions after an action, with probabilities, for all luck that begins with `outcomes`."""
    luck = Listed(outcomes)
    yield follow(table, action, [luck]), 1 / prod(luck.sizes)
    for i, size in enumerate(luck.sizes[len(outcomes) :]):
        for other in range(1, size):
            yield from every(table, action, [*outcomes, *[0] * i, other])


def sample(table: VectorEnv, action: int, seed: int) -> tuple[VectorEnv, bool]:
    """Return the position after an action with the luck of a seed, and whether it draws on luck."""
    rng = table.luck(seed, table.states["log"]["game"]["decisions"] + (action != START))
    before, after = rng.tobytes(), follow(table, action, rng)
    return after, rng.tobytes() != before


def outcomes_of(table: VectorEnv, action: int, samples: int) -> Outcomes:
    """Return what an action can lead to; all of it if `samples` is 0."""
    if samples < 1:
        return list(every(table, action, []))
    after, lucky = sample(table, action, 0)
    return [(None, 1 / samples)] * samples if lucky else [(after, 1.0)]


class TableGame(pyspiel.Game):  # type: ignore[misc]
    """Game of simkit as one of OpenSpiel, which documents the methods.

    Args:
        name: Name of the game.
        samples: Outcomes of a chance node; 0 is all of them, or 100 where the setup has more than 1,000.
        options: As of `simkit.interop.pettingzoo.env`; `UsageError` as there.
    """

    def __init__(self, name: str, samples: int = 0, **options: Any) -> None:
        whole("samples", samples, 0, MOST_SAMPLES)
        self.table = table = VectorEnv(name, 1, compiled=False, **options)
        game, seats = table.game, table.seats
        form = (
            Kind.Dynamics.SEQUENTIAL,
            Kind.ChanceMode.EXPLICIT_STOCHASTIC if game.streams else Kind.ChanceMode.DETERMINISTIC,
            Kind.Information.PERFECT_INFORMATION if game.observe is observe_open else HIDDEN,
            Kind.Utility.IDENTICAL if game.team else Kind.Utility.ZERO_SUM,
            Kind.RewardModel.TERMINAL,
        )
        low = 0.0 if game.team else -1 / seats  # the mean of all seats is taken off
        least = 1 / seats - 1 if game.rival_sides else low  # a single seat may lose to all others
        low, high = (least, low + 1) if table.reward == "rank" else (-(2.0**31), 2.0**31)
        sizes = table.masks.shape[1], max(MAX_OUTCOMES, samples), seats, low, high
        info = pyspiel.GameInfo(*sizes, None if game.team else 0.0, game.max_steps)
        super().__init__(Kind(f"simkit_{name}", game.title, *form, seats, seats, *SHOWN), info, {})
        try:
            self.samples, self.start = samples, outcomes_of(table, START, samples)
        except UsageError:
            self.samples, self.start = SAMPLES, outcomes_of(table, START, SAMPLES)

    def new_initial_state(self) -> "TableState":
        return TableState(self)

    def make_py_observer(self, kind: Any = None, params: Any = None) -> "Observer":
        return Observer(self.table, kind is not None and kind.perfect_recall)


class TableState(pyspiel.State):  # type: ignore[misc]
    """Decision, chance node or end of a game; OpenSpiel documents the methods."""

    def __init__(self, game: TableGame) -> None:
        super().__init__(game)
        self.table, self._samples = game.table, game.samples
        self._past = [""] * game.table.seats  # what each seat saw and did, as a digest
        self._lead_to(START, game.start)

    def _lead_to(self, action: int, outcomes: Outcomes) -> None:
        """Make this a chance node, unless there is one outcome."""
        self._action, self._outcomes = action, outcomes
        if len(outcomes) == 1:
            self._apply_action(0)

    def _apply_action(self, action: int) -> None:
        table, seat = self.table, int(self.table.states[0].seat)
        legal = range(len(self._outcomes)) if self._outcomes else self._legal_actions(seat)
        if action not in legal:
            raise UsageError(illegal(action, legal))
        if self._outcomes:
            self.table = self._outcomes[action][0] or sample(table, self._action, action)[0]
            self._outcomes = []
        else:
            self._past[seat] = f"{self.seen(seat, True)} {action}"
            self._lead_to(action, outcomes_of(table, action, self._samples))

    def seen(self, player: int, recall: bool) -> str:
        """Return a text that tells apart what a seat sees or, with recall, all that it saw and did."""
        past = self._past[player].encode() if recall else b""
        return f"seat {player} {blake2b(past + self.table.seen(player).tobytes(), digest_size=8).hexdigest()}"

    def current_player(self) -> int:
        special = pyspiel.PlayerId.CHANCE if self._outcomes else pyspiel.PlayerId.TERMINAL
        return int(special if self._outcomes or self.is_terminal() else self.table.states[0].seat)

    def is_terminal(self) -> bool:
        return not self._outcomes and bool(self.table.states[0].seat == OVER)

    def returns(self) -> list[float]:
        return list(map(float, self.table.rewards(self.table.states)[0] * self.is_terminal()))

    def chance_outcomes(self) -> list[tuple[int, float]]:
        return [(k, probability) for k, (_, probability) in enumerate(self._outcomes)]

    def _legal_actions(self, player: int) -> list[int]:
        return list(map(int, self.table.masks[0].nonzero()[0]))

    def _action_to_string(self, player: int, action: int) -> str:
        return f"{'action' if player >= 0 else 'luck'} {action}"

    def __str__(self) -> str:
        return str(self.table.game.show(self.table.states[0], self.table.rules[0]))


class Observer:
    """Observations as numbers and as texts, in the form that OpenSpiel documents."""

    def __init__(self, table: VectorEnv, recall: bool) -> None:
        self.tensor, self._recall = flatten(table.game, table.views)[0].astype(np.float32), recall
        self.dict = {"observation": self.tensor}

    def set_from(self, state: TableState, player: int) -> None:
        self.tensor[:] = flatten(state.table.game, state.table.seen(player))[0]

    def string_from(self, state: TableState, player: int) -> str:
        return state.seen(player, self._recall)


load = TableGame
