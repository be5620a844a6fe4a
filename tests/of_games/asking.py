"""What a strategy decides in a position given by hand."""

from functools import cache
from typing import Any

import numpy as np

from simkit.engine import registry
from simkit.engine.game import Game
from simkit.engine.kernel import WORK
from simkit.engine.table import Player


@cache
def player(game: Game, name: str, weights: tuple[tuple[str, str], ...] = ()) -> Player:
    return registry.strategy(game, name).player(game, dict(weights))


def answer(position: Any, name: str = "reference_greedy", luck: int = 1, **weights: str) -> int:
    """What it decides, run as plain Python, as the seat to decide sees it; ids and weights it may only read."""
    game, its = position.game, player(position.game, name, tuple(weights.items()))
    ids, numbers = np.array(position.legal()), its.weights.copy()
    assert len(ids) > 1, "nothing to decide here"
    ids.flags.writeable = numbers.flags.writeable = False
    view, words = np.zeros(1, game.state_dtype)[0], np.full(1, luck, np.uint64)
    game.observe(position.s, position.rules, int(position.s.seat), view)
    scratch, memo = np.zeros(game.scratch, game.state_dtype), np.zeros(game.memo, np.int64)
    work = np.zeros(WORK, np.int64)
    return int(its.decide.function(view, position.rules, ids, numbers, words, scratch, memo, work))
