"""How far an outcome hangs on an action, beyond luck."""

import numpy as np
from numpy.typing import ArrayLike


def between(outcomes: ArrayLike) -> float:
    """How much more often two games end differently whose actions differ, than two with the same action.

    outcomes[action, luck]: codes of outcomes; the same luck may be shared by all actions. Formula: the mean
    over pairs of actions a, b of ½ Σ_w (p_a(w) − p_b(w))² = P(w_a ≠ w_b) − ½ (P(w_a ≠ w_a') + P(w_b ≠ w_b')),
    each square without bias as the mean over pairs of different lucks l ≠ l' of d_l(w) d_l'(w), where
    d_l(w) = [w_a,l = w] − [w_b,l = w]. Source: Rao 1982, Theor. Popul. Biol. 21, 24-43 (the dissimilarity of
    two populations); Hoeffding 1948, Ann. Math. Stat. 19, 293-325 (means over pairs). Units: 0 (nothing hangs
    on it) to 1 (everything); luck alone may make it less than 0. Errors: fewer than two actions or lucks.

    >>> between([[1, 1, 1], [2, 2, 2]]), between([[1, 2, 2], [1, 2, 2]])
    (1.0, 0.0)
    >>> between([[1, 2], [2, 1]])
    -1.0
    """
    seen = np.asarray(outcomes)
    actions, lucks = seen.shape
    if actions < 2 or lucks < 2:
        raise ValueError(f"two actions and two lucks at least are needed, not {actions} and {lucks}")
    ended = (seen[:, :, None] == np.unique(seen)).astype(np.float64)
    one, other = np.triu_indices(actions, k=1)
    apart = ended[one] - ended[other]  # [pair of actions, luck, outcome]
    square = (apart.sum(axis=1) ** 2 - (apart**2).sum(axis=1)) / (lucks * (lucks - 1))
    return float(square.sum(axis=1).mean() / 2)
