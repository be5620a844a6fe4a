"""Where the truth ranks among redeals: each hidden value is to be as likely as any redealt one in its place."""

from collections.abc import Callable
from functools import cache
from typing import Any, NamedTuple

import numpy as np
from numba import types

from simkit.engine.compile import jit
from simkit.engine.game import Game
from simkit.engine.kernel import NUMBERS, WORDS, arrays
from simkit.engine.rng import below, open_streams, purposes

from .stepping import rules_of

OWN = ["test/choice", "test/redeal"]  # streams of random play and of redeals
Values = Callable[[np.ndarray, np.ndarray], np.ndarray]  # of states and the seats that look at them


class Sample(NamedTuple):
    """Positions of random games, what the seat to decide may imagine of each, and this seat."""

    truths: np.ndarray  # state[position]
    redealt: np.ndarray  # state[position, redeal]
    seats: np.ndarray  # seat[position]


@cache
def _sampler(game: Game) -> jit.EntryPoint:
    """Compile what plays games at random up to a step and redeals the view of the seat to decide."""
    setup, legal, step, observe, redeal = game.setup, game.legal, game.step, game.observe, game.redeal

    def sample(states, redealt, rules, rng, words, names, own, own_names, ids, counts, steps):  # type: ignore[no-untyped-def]
        choice, anew = own[:1], own[1:]
        for i in range(states.size):
            s = states[i]
            open_streams(words, 1, i, names)
            open_streams(own, 1, i, own_names)
            s.seats = counts[i]
            setup(s, rules[0], rng[0])
            for _ in range(steps[i]):
                if s.seat >= 0:
                    step(s, rules[0], ids[below(choice, legal(s, rules[0], ids))], rng[0])
            for k in range(redealt.shape[1]):
                if s.seat >= 0:
                    observe(s, rules[0], s.seat, redealt[i, k])
                    redeal(redealt[i, k], rules[0], s.seat, anew)

    states, rules, rng = arrays(game)
    every = types.Array(states.dtype, 2, "C")
    parts = (states, every, rules, rng, WORDS, WORDS, WORDS, WORDS, NUMBERS, NUMBERS, NUMBERS)
    return jit.EntryPoint(sample, types.void(*parts), f"test ranks {game.name}")


def sampled(game: Game, positions: int, redeals: int, steps: Any, options: dict[str, Any]) -> Sample:
    """Play random games with every number of seats in turn; games that are over by then are left out."""
    rng, (fewest, most) = np.zeros(1, game.rng_dtype), game.seats
    states = np.zeros(positions, game.state_dtype)
    redealt = np.zeros((positions, redeals), game.state_dtype)
    counts = fewest + np.arange(positions) % (most - fewest + 1)
    steps = np.broadcast_to(np.asarray(steps, np.int64), positions).copy()
    _sampler(game)(
        states, redealt, rules_of(game, options), rng, rng.view(np.uint64), purposes(game.purposes),
        np.zeros(2, np.uint64), purposes(OWN), np.zeros(game.max_actions, np.int64), counts, steps,
    )  # fmt: skip
    on = states["seat"] >= 0
    return Sample(states[on], redealt[on], states["seat"][on].astype(np.int64))


def ranks(sample: Sample, values: Values) -> np.ndarray:
    """Rank of the truth among its redeals, ties in the middle: from 0 to 1, 1/2 on average without a bias."""
    truth = values(sample.truths, sample.seats)[:, None]
    flat = values(sample.redealt.reshape(-1), np.repeat(sample.seats, sample.redealt.shape[1]))
    redealt = flat.reshape(sample.redealt.shape)
    below_truth, ties = (redealt < truth).sum(1), (redealt == truth).sum(1)
    share: np.ndarray = (below_truth + (ties + 1) / 2) / (redealt.shape[1] + 1)
    return share


def bias(sample: Sample, values: Values) -> tuple[float, float]:
    """Mean rank less 1/2, and its standard error."""
    share = ranks(sample, values) - 0.5
    return float(share.mean()), float(share.std(ddof=1) / np.sqrt(share.size))
