"""Dependence of an outcome on an action, beyond luck."""

import numpy as np
from numpy.typing import ArrayLike


def between(outcomes: ArrayLike) -> float:
    """Return by how much games with different actions end differently more often than games with the same.

    outcomes[action, luck]: codes of outcomes; all actions may share the same luck. Formula: the mean over
    pairs of actions a, b of ½ Σ_w (p_a(w) − p_b(w))² = P(w_a ≠ w_b) − ½ (P(w_a ≠ w_a') + P(w_b ≠ w_b')), each
    square estimated without bias by the mean over pairs of lucks l ≠ l' of d_l(w) d_l'(w), where d_l(w) =
    [w_a,l = w] − [w_b,l = w]. Source: Rao 1982, Theor. Popul. Biol. 21, 24-43; Hoeffding 1948, Ann. Math.
    Stat. 19, 293-325 (means over pairs). Units: 0 (the action does not matter) to 1 (it decides everything);
    luck may push the estimate below 0. Errors: ValueError for fewer than two actions or lucks.

    >>> between([[1, 1, 1], [2, 2, 2]]), between([[1, 2, 2], [1, 2, 2]])
    (1.0, 0.0)
    >>> between([[1, 2], [2, 1]])
    -1.0
    """
    codes = np.asarray(outcomes)
    actions, lucks = codes.shape
    if actions < 2 or lucks < 2:
        raise ValueError(f"two actions and two lucks at least are needed, not {actions} and {lucks}")
    indicators = (codes[:, :, None] == np.unique(codes)).astype(np.float64)
    first, second = np.triu_indices(actions, k=1)
    differences = indicators[first] - indicators[second]  # [pair of actions, luck, outcome]
    square = (differences.sum(axis=1) ** 2 - (differences**2).sum(axis=1)) / (lucks * (lucks - 1))
    return float(square.sum(axis=1).mean() / 2)
