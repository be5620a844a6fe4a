"""The numbers of states and views as one array, which `simkit.interop` gives to learning programs."""

import numpy as np

from simkit.engine.game import Game


def flatten(game: Game, views: np.ndarray) -> np.ndarray:
    """Return the numbers of states or views, float64[view, element]."""
    fields = [views[name].reshape(len(views), -1) for name in game.state_fields]
    return np.concatenate(fields, axis=1, dtype=np.float64)
