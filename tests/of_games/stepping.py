"""Rules, luck and states as tests hold them that step a game from outside."""

from collections.abc import Iterator
from functools import cache
from typing import Any

import numpy as np

from simkit.engine.fields import Field
from simkit.engine.game import Game
from simkit.engine.rng import open_streams, purposes
from simkit.engine.table import GameTable
from simkit.verify.check.walking import Walk

Pairs = tuple[tuple[str, Any], ...]


def pairs(options: dict[str, Any] | None) -> Pairs:
    """Options as what a cache keeps."""
    return tuple(sorted((options or {}).items()))


@cache
def _rules(game: Game, options: Pairs, files: Pairs) -> np.ndarray:
    return game.rules(dict(options), dict(files))


def rules_of(
    game: Game, options: dict[str, Any] | None = None, files: dict[str, Any] | None = None
) -> np.ndarray:
    """The rules in force, array of length 1, made once for each setting."""
    return _rules(game, pairs(options), pairs(files))


def luck(game: Game, seed: int, deal: int) -> np.ndarray:
    """The streams of a deal."""
    rng = np.zeros(1, game.rng_dtype)
    open_streams(rng.view(np.uint64), seed, deal, purposes(game.purposes))
    return rng


def copied(states: np.ndarray) -> np.ndarray:
    """A copy (a hundred times faster than field by field)."""
    return np.frombuffer(bytearray(states.tobytes()), states.dtype)


@cache
def _start(game: Game, options: Pairs, seats: int, deal: int, files: Pairs) -> tuple[np.ndarray, np.ndarray]:
    states, rng = np.zeros(1, game.state_dtype), luck(game, 1, deal)
    states[0].seats = seats
    game.setup(states[0], _rules(game, options, files)[0], rng[0])
    return states, rng


def start(
    game: Game, options: dict[str, Any] | None, seats: int, deal: int, files: dict[str, Any] | None = None
) -> tuple[np.ndarray, np.ndarray]:
    """State and luck after the setup, to go on from; the setup is made once."""
    states, rng = _start(game, pairs(options), seats, deal, pairs(files))
    return copied(states), rng.copy()


def positions(table: GameTable, deal: int, seats: int) -> Iterator[tuple[Any, np.ndarray]]:
    """Yield the states along one random game, with the legal actions of each, to its end."""
    walk = Walk(table)
    for ids in walk.positions(deal, seats):
        yield walk.s, ids


def numbers(fields: list[Field], log: Any) -> dict[str, int]:
    """The columns of a log by the names that they have in a table."""
    results = {}
    for field in fields:
        if field.columns:
            results |= dict(zip(field.columns, log[field.name].tolist(), strict=True))
        else:
            results[field.name] = int(log[field.name])
    return results
