"""What a seat sees and what is dealt anew behind it, with compiled rules."""

import numpy as np

from of_games.driver import driver
from simkit.engine.game import Game

from .stepping import copied


def seen(game: Game, states: np.ndarray, rules: np.ndarray, seat: int) -> np.ndarray:
    """What a seat sees at its first look; `simkit check` asks that later ones owe nothing to those before."""
    views = np.zeros(1, game.state_dtype)
    driver(game).observe(states, rules, seat, views)
    return views


def redealt(game: Game, states: np.ndarray, rules: np.ndarray, seat: int, number: int) -> np.ndarray:
    """The same with everything that is hidden dealt anew."""
    views = seen(game, states, rules, seat)
    driver(game).redeal(views, rules, seat, np.array([number], np.uint64))
    return views


def changed(states: np.ndarray, name: str, place: int, value: int | None = None) -> np.ndarray:
    """A copy with another number at one place of a field."""
    result = copied(states)
    flat = result[name].reshape(-1).copy()
    flat[place] = ~flat[place] if value is None else value
    result[name] = flat.reshape(result[name].shape)
    return result
