"""Known chances of the set-up and of luck: facts counted over deals, each set up in plain Python."""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, nullcontext
from typing import Any

import numpy as np
from scipy import stats

from simkit.engine.game import Game, KnownAnswer
from simkit.engine.table import GameTable
from simkit.errors import UsageError
from simkit.verify.validate.runs import LIMIT, Comparison, Subject

DEALS = 40_000  # most deals that are counted

Calling = Callable[[str], AbstractContextManager[Any]]


def check_chances(game: Game, deals: int, seed: int, calling: Calling = nullcontext) -> Iterator[Comparison]:
    """Yield the result for each known chance of a game.

    calling: the context of each deal, which gets the name of the chance.
    The count of a right chance has a binomial distribution, whose exact two-sided p-value is given as the
    normal quantile z. A right chance fails at |z| = LIMIT, once in 16,000 times.
    """
    for answer in game.known_answers:
        if answer.holds is not None:
            n = min(deals, DEALS)
            yield judge_chance(game, answer, _count(game, answer, n, seed, calling), n)


def judge_chance(game: Game, answer: KnownAnswer, count: int, n: int) -> Comparison:
    """Return the result for a fact that held in `count` of n deals."""
    if not 0 <= answer.value <= 1:
        raise UsageError(f"{game.name}: {answer.column}: a chance lies between 0 and 1, not {answer.value}")
    p = stats.binomtest(count, n, answer.value).pvalue
    z = float(stats.norm.isf(max(p, 1e-300) / 2)) * (1 if count > n * answer.value else -1)
    error = float(np.sqrt(answer.value * (1 - answer.value) / n))
    return Comparison(*Subject(game.name), answer.words, answer.value, count / n, n, error, z, abs(z) < LIMIT)


def _count(game: Game, answer: KnownAnswer, deals: int, seed: int, calling: Calling) -> int:
    """Return the number of deals for which the fact holds."""
    table, states = GameTable(game, game.rules(answer.options)), np.zeros(1, game.state_dtype)
    s, rules, count = states[0], table.rules[0], 0
    for deal in range(deals):
        states.view(np.uint8)[:] = 0
        s.seats = answer.seats or game.seats[0]
        rng = table.open_luck(seed, deal)
        with calling(f"the known answer '{answer.column}'"):
            game.setup(s, rules, rng)
            count += bool(answer.holds and answer.holds(s, rules, rng))
    return count
