"""Many games with the same rules, stepped together in one compiled call."""

from collections.abc import Iterable
from copy import copy
from functools import cache
from typing import Any, NamedTuple

import numpy as np
from numba import types
from numpy.typing import ArrayLike

from simkit.ask.requests import ask, plain
from simkit.engine.compile import jit
from simkit.engine.elements import flatten
from simkit.engine.game import Game
from simkit.engine.kernel import NUMBERS, arrays
from simkit.engine.rng import open_streams, purposes
from simkit.engine.rule_helpers import OVER
from simkit.errors import UsageError, look_up
from simkit.runs.log import shares
from simkit.runs.plan import make_plan

START = -1  # in place of an action: set up the game
MAX_SEED = 2**63 - 1
MOST_GAMES = 1_000_000
Array = np.ndarray


class Step(NamedTuple):
    """What n games show after a step."""

    observation: Array  # float64[game, number]: what the seat to decide sees; 0 when the game is over
    action_mask: Array  # int8[game, action]: 1 = legal
    seat: Array  # int64[game]: seat to decide, -1 when the game is over
    reward: Array  # float64[game, seat], 0 until the game is over
    done: Array  # bool[game]


def whole(name: str, value: Any, low: int, high: int) -> int:
    """Return a whole number of a range; UsageError for anything else."""
    if isinstance(value, bool) or not isinstance(value, int | np.integer) or not low <= value <= high:
        raise UsageError(f"{name} must be a whole number from {low} to {high}, not {value!r}")
    return int(value)


def illegal(action: Any, legal: Iterable[int]) -> str:
    """Return the message about an action that is not legal."""
    return f"action {action} is not legal; legal actions: {', '.join(map(str, legal)) or 'none'}"


class VectorEnv:
    """Games that are stepped together; a finished game starts its next deal at the next step.

    Args:
        name: Name of the game.
        n: Number of games, at most 1,000,000.
        compiled: Whether to compile the rules; plain Python starts at once and plays the same games.
        options: As of `env`; `UsageError` as there.
    """

    def __init__(self, name: str, n: int, compiled: bool = True, **options: Any) -> None:
        n = whole("n, the number of games,", n, 1, MOST_GAMES)
        self.reward = look_up("reward", options.pop("reward", "share"), {"share": "rank", "score": "score"})
        keys = {"deals": 1, "files": plain(options.pop("files", {})), "options": plain(options)}
        request = ask(name, f"Games of {name}", keys)
        plan = make_plan(request)
        game, (self.rules,), self.seats = plan.game, plan.rules_records(), len(plan.cells[0].lineup)
        if game.max_actions == 1:
            raise UsageError(f"nobody decides in {name}, so there is nothing to step through")
        self.game, self.n = game, n
        self._step = stepper(game) if compiled else stepper(game).function
        self.states, self.views = (np.zeros(n, game.state_dtype) for _ in range(2))
        self.masks = np.zeros((n, game.action_ids or game.max_actions), np.int8)
        self._ids = np.zeros(game.max_actions, np.int64)
        self.reset()

    def __deepcopy__(self, memo: Any) -> "VectorEnv":
        """Return the games at the same positions, to be played on by themselves."""
        twin = copy(self)
        for name in ("states", "views", "masks", "rng", "_deals"):
            setattr(twin, name, getattr(self, name).copy())
        return twin

    def reset(self, seed: int = 1, deal: int = 0) -> Step:
        """Start all games anew; game i plays the deals deal + i, deal + i + n, … of the seed."""
        seed, deal = whole("seed", seed, 0, MAX_SEED), whole("deal", deal, 0, MAX_SEED - self.n)
        self._seed, self._deals = seed, deal + np.arange(self.n)
        self.rng = self.luck(seed, self._deals)
        return self.advance(np.full(self.n, START))

    def step(self, actions: ArrayLike) -> Step:
        """Apply an action to each game that is not over; UsageError, before any moves, if one is illegal."""
        chosen, over = np.asarray(actions), self.states["seat"] == OVER
        if chosen.shape != (self.n,) or chosen.dtype.kind not in "iu":
            raise UsageError(f"actions must be {self.n} whole numbers, one for each game")
        legal = (chosen >= 0) & (chosen < self.masks.shape[1])
        legal &= self.masks[np.arange(self.n), chosen * legal] == 1
        for i in np.flatnonzero(~(legal | over)):
            raise UsageError(f"game {i}: {illegal(chosen[i], np.flatnonzero(self.masks[i]))}")
        self._deals[over] += self.n
        self.rng[over] = self.luck(self._seed, self._deals[over])
        return self.advance(np.where(over, START, chosen))

    def advance(self, actions: Array) -> Step:
        """Apply legal actions, or START, and all forced actions after them."""
        self._step(actions, self.seats, self.rules, self.states, self.rng, self.views, self.masks, self._ids)
        seats, rewards = self.states["seat"].copy(), np.zeros((self.n, self.seats))
        done = seats == OVER
        rewards[done] = self.rewards(self.states[done])
        return Step(flatten(self.game, self.views), self.masks.copy(), seats, rewards, done)

    def luck(self, seed: int, deals: Array) -> Array:
        """Return the streams of deals at their start."""
        rng, names = np.zeros(len(deals), self.game.rng_dtype), purposes(self.game.purposes)
        for i, deal in enumerate(deals.tolist()):
            open_streams(rng[i : i + 1].view(np.uint64), seed, deal, names)
        return rng

    def seen(self, seat: int) -> Array:
        """Return the view that a seat has of the first game, an array of length 1."""
        view = np.zeros(1, self.game.state_dtype)
        self.game.observe(self.states[0], self.rules[0], seat, view[0])
        return view

    def rewards(self, states: Array) -> Array:
        scores: Array = states["score"][:, : self.seats].astype(np.float64)
        values = shares(self.game, states, self.seats) if self.reward == "rank" else scores
        return values if self.game.team else values - values.mean(axis=1, keepdims=True)


@cache
def stepper(game: Game) -> jit.EntryPoint:
    """Return the compiled function that steps games to their next decisions and shows these."""
    begin, legal, apply, observe, max_steps = game.begin, game.legal, game.step, game.observe, game.max_steps

    def step(actions, seats, rules_array, states, rng, views, masks, ids):  # type: ignore[no-untyped-def]
        rules = rules_array[0]
        for i in range(actions.size):
            s, view, action, n, steps = states[i], views[i], actions[i], 1, 0
            jit.wipe(view)  # `observe` does not write to hidden fields
            masks[i] = 0
            if action == START:
                jit.wipe(s)
                s.seats = seats
                begin(s, rules, rng[i], 0)
            else:
                s.log.game.decisions += 1
                apply(s, rules, action, rng[i])
            while s.seat != OVER:
                n, steps = legal(s, rules, ids), steps + 1
                if n != 1 or steps > max_steps:
                    break
                apply(s, rules, ids[0], rng[i])
            if s.seat == OVER:
                continue
            if n < 2 or n > ids.size or ids[n - 1] >= masks.shape[1]:
                raise ValueError("say action_ids=... of Game(...), above every action; or see simkit check")
            for k in range(n):
                masks[i, ids[k]] = 1
            observe(s, rules, s.seat, view)

    (states, rules, rng), masks = arrays(game), types.Array(types.int8, 2, "C")
    signature = types.void(NUMBERS, types.int64, rules, states, rng, states, masks, NUMBERS)
    return jit.EntryPoint(step, signature, f"step {game.name}", allocates=False)
