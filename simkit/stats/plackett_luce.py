"""Strategies and seats rated from final ranks: the Plackett-Luce model with ties, for two seats and more."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import stats

from simkit.stats import choices, rankings
from simkit.stats.choices import Vector

ELO = 400 / np.log(10)  # Elo points in one unit of log odds
WIDE = 5.0  # a standard error in log odds above which nothing has been learnt: odds of 1 to 20,000 are as likely as 20,000 to 1
APART = 1e-11  # an information below this share of the greatest is none


class Rating(NamedTuple):
    """A rating, or a difference of ratings, in Elo points, with its interval."""

    name: str
    elo: float
    low: float
    high: float


@dataclass(frozen=True)
class Ratings:
    """A fitted model. Its parameters: log worth of each strategy (the first is 0), of each seat (seat 0 is 0), log weight of each tie size."""

    strategies: list[str]
    seats: int
    orders: list[int]  # sizes of ties that occurred
    estimate: Vector  # [parameter] log odds
    covariance: Vector  # [parameter, parameter]
    log_likelihood: float
    games: float
    deals: int  # deals that the standard errors rest upon; 0 where every game counts as independent
    free: NDArray[np.int64]  # the parameters that were estimated
    scores: Vector  # [row of the results, free parameter] gradient of the log-likelihood of one game
    bread: Vector  # [free parameter, free parameter] inverse information

    @property
    def errors(self) -> Vector:
        """Standard errors of the parameters, log odds."""
        return np.sqrt(np.diag(self.covariance))


def plackett_luce(
    strategies: Sequence[str],
    seated: ArrayLike,
    ranks: ArrayLike,
    counts: ArrayLike | None = None,
    deals: ArrayLike | None = None,
    *,
    places: int | None = None,
    seat_effects: bool = True,
    prior: float | None = None,
) -> Ratings:
    """Worths of strategies and seats from final ranks, by maximum likelihood, with standard errors.

    seated[row, seat]: index of the strategy, −1 for an empty seat; ranks[row, seat]: 1 = best, ties share a rank, 0 = behind all others
    in no order; counts[row]: games with this result (1 where not given); deals[row]: the deal, where games on one deal are not
    independent. Only the first `places` places are used where given (1: only who won). `seat_effects=False`: all seats are alike.

    Formula: seat s with strategy i has the worth w = exp(λ_i + σ_s). A place goes to a set T of the seats left with probability
    proportional to δ_|T| (Π_{T} w)^(1/|T|), δ_1 = 1; with two seats this is Davidson's tie model. Ties of a size that never
    occurred are left out (δ = 0). Standard errors: inverse information H⁻¹; with deals H⁻¹ (Σ_d s_d s_d') H⁻¹ D/(D−1), s_d the summed
    gradients of a deal. `prior`: standard deviation in Elo points of independent normal priors on strategies and seats, about their mean.
    Source: Turner, van Etten, Firth & Kosmidis 2020, Comput. Stat. 35, 1027-1057 (the extended Plackett-Luce model); Firth, Kosmidis & Turner
    2019, arXiv:1909.07123; Davidson 1970, J. Am. Stat. Assoc. 65, 317-328; Liang & Zeger 1986, Biometrika 73, 13-22 (sandwich).
    Time: 10⁵ games of 10 seats take 2 s where one lineup was rotated, 15 s where every game has a lineup of its own, minutes with ties besides.
    Why this tie model: it is a likelihood, log-concave, and ties count as evidence that the tied are alike, with two seats as with ten.
    Units: log odds (400/ln 10 Elo points). Shapes: results up to 12 seats. Errors: ValueError for shapes or indices that do not fit, and
    where the results do not settle the worths (strategies that never met, that never lost, or seats not told from strategies).

    >>> fit = plackett_luce(["a", "b"], [[0, 1], [1, 0], [0, 1], [1, 0]], [[1, 2], [1, 2], [2, 1], [2, 1]], [30, 20, 10, 20])
    >>> [(r.name, round(r.elo)) for r in ratings(fit)], round(seat_ratings(fit)[1].elo)
    ([('a', 48), ('b', -48)], -95)
    """
    names = list(strategies)
    sitting, order, games = _results(names, seated, ranks, counts, places)
    made = rankings.model(sitting, order, games, len(names), places, seat_effects)
    penalty = None if prior is None else _penalty(len(names), order.shape[1], made.free, prior)
    _check_ties(made)
    if penalty is None:
        _check_connected(names, made.ahead)
        _check_told_apart(names, made)
        _check_both_ways(names, made.ahead)
    fit = _fit(names, order.shape, made, choices.maximise(made.situations, penalty), float(games.sum()))
    return fit if deals is None else _clustered_by(fit, games, np.asarray(deals))


def clustered(fit: Ratings, squares: Vector, deals: int) -> Ratings:
    """The same ratings with standard errors over deals; squares = Σ_d s_d s_d', s_d the sum of `scores` over the games of deal d.

    For results that are streamed: sums of squares of blocks of deals can be added. Formula and source: `plackett_luce`.
    Errors: ValueError for no more deals than free parameters: their variance then cannot be told.
    """
    if deals <= fit.free.size:
        raise ValueError(
            f"standard errors over deals need more deals ({deals}) than parameters ({fit.free.size}): play more deals"
        )
    free = fit.bread @ squares @ fit.bread * (deals / (deals - 1))
    covariance = np.zeros_like(fit.covariance)
    covariance[np.ix_(fit.free, fit.free)] = free
    return replace(fit, covariance=covariance, deals=deals)


def ratings(fit: Ratings, reference: str | None = None, level: float = 0.95) -> list[Rating]:
    """Elo ratings of the strategies with intervals, about their mean or a reference strategy (which is then 0 without interval).

    Formula: (400/ln 10)(Cλ ± q √diag(C V C')), C the centring; q normal, or Student's with deals − 1 where over deals.
    400 points are odds of 10 : 1 of being placed before rather than after; where ties are many, shares differ by less than such odds say.
    Source: Elo 1978, The Rating of Chessplayers (logistic scale); Cameron & Miller 2015, J. Hum. Resour. 50, 317-372 (t for clusters).
    Errors: ValueError for an unknown reference or a level outside 0 to 1.
    """
    n = len(fit.strategies)
    weights = np.full(n, 1 / n) if reference is None else np.eye(n)[_index(fit, reference)]
    contrast = np.zeros((n, fit.estimate.size))
    contrast[:, :n] = np.eye(n) - weights
    return _contrasted(fit, fit.strategies, contrast, level)


def rating_difference(fit: Ratings, one: str, other: str, level: float = 0.95) -> Rating:
    """How many Elo points one strategy is above another, with its interval; formula and errors as `ratings`."""
    contrast = np.zeros((1, fit.estimate.size))
    contrast[0, _index(fit, one)] += 1
    contrast[0, _index(fit, other)] -= 1
    return _contrasted(fit, [f"{one} − {other}"], contrast, level)[0]


def seat_ratings(fit: Ratings, level: float = 0.95) -> list[Rating]:
    """Elo points that each seat is worth above seat 0 (which is 0), with intervals; formula and errors as `ratings`."""
    contrast = np.zeros((fit.seats, fit.estimate.size))
    start = len(fit.strategies)
    contrast[:, start : start + fit.seats] = np.eye(fit.seats)
    return _contrasted(fit, [f"seat {seat}" for seat in range(fit.seats)], contrast, level)


def _contrasted(fit: Ratings, names: list[str], contrast: Vector, level: float) -> list[Rating]:
    if not 0 < level < 1:
        raise ValueError(f"a level between 0 and 1 is needed, not {level}")
    quantile = float(
        stats.t.ppf(0.5 + level / 2, fit.deals - 1) if fit.deals else stats.norm.ppf(0.5 + level / 2)
    )
    middle = ELO * (contrast @ fit.estimate)
    half = ELO * quantile * np.sqrt(np.maximum(np.diag(contrast @ fit.covariance @ contrast.T), 0))
    return [
        Rating(name, float(m), float(m - h), float(m + h))
        for name, m, h in zip(names, middle, half, strict=True)
    ]


def _index(fit: Ratings, name: str) -> int:
    if name not in fit.strategies:
        raise ValueError(f"no strategy {name}; there are {_listed(fit.strategies)}")
    return fit.strategies.index(name)


def _results(
    names: list[str], seated: ArrayLike, ranks: ArrayLike, counts: ArrayLike | None, places: int | None
) -> tuple[rankings.Whole, rankings.Whole, Vector]:
    """The results as arrays, checked."""
    sitting, order = np.asarray(seated), np.asarray(ranks)
    if (
        sitting.ndim != 2
        or sitting.shape != order.shape
        or not 2 <= sitting.shape[1] <= rankings.MOST_SEATS
        or not len(sitting)
    ):
        raise ValueError(
            f"seated and ranks need the same shape [row, seat], 2 to {rankings.MOST_SEATS} seats"
        )
    sitting, order = sitting.astype(np.int64), order.astype(np.int64)
    if len(set(names)) != len(names) or sitting.min() < -1 or sitting.max() >= len(names) or order.min() < 0:
        raise ValueError("distinct strategies, indices of them in `seated`, and ranks from 0 are needed")
    games = np.ones(len(order)) if counts is None else np.asarray(counts, dtype=np.float64)
    if games.shape != (len(order),) or not (games >= 0).all() or (places is not None and places < 1):
        raise ValueError("counts from 0, one per row, and places from 1 are needed")
    if not (games[rankings.stages(sitting, order, places).row] > 0).any():
        raise ValueError("no game tells who did better: all ranks are 0")
    return sitting, order, games


def _penalty(strategies: int, seats: int, free: NDArray[np.int64], prior: float) -> Vector:
    """Precision matrix of the free parameters: independent priors about the mean of all strategies, and of all seats."""
    if not prior > 0:
        raise ValueError(f"a prior above 0 Elo points is needed, not {prior}")
    precision = np.zeros((int(free.max()) + 1,) * 2)
    for start, size in ((0, strategies), (strategies, seats)):
        inside = slice(start, start + size)
        block = precision[inside, inside]
        block += (np.eye(size) - 1 / size)[: block.shape[0], : block.shape[1]]
    return np.asarray(precision[np.ix_(free, free)] * (ELO / prior) ** 2)


def _check_ties(made: rankings.Model) -> None:
    """Whether some ties of each size were possible but did not happen."""
    for place, order in enumerate(made.orders, start=made.free.size - len(made.orders)):
        if np.all(made.features[_possible(made, place), place] == 1):
            raise ValueError(
                f"whenever {order} seats could tie they did, so no worths follow from it: "
                "if the game ranks only its winners, use `places=1` or rank 0 for all others"
            )


def _possible(made: rankings.Model, column: int) -> NDArray[np.bool_]:
    """Whether each stage offered a tie of some size."""
    ends = np.append(made.situations.starts, made.situations.features.shape[0])
    held = np.asarray(made.situations.features[:, [column]].todense()).ravel()
    offered: NDArray[np.bool_] = np.maximum.reduceat(held, ends[:-1])[made.situation] > 0
    return offered


def _check_connected(names: list[str], ahead: NDArray[np.bool_]) -> None:
    """Whether every strategy is linked with every other by games."""
    from scipy.sparse.csgraph import connected_components

    groups, group = connected_components(ahead, directed=False)
    if groups > 1:
        parts = [[name for name, at in zip(names, group, strict=True) if at == g] for g in range(groups)]
        said = " and ".join(f"[{_listed(part)}]" for part in parts)
        raise ValueError(f"no games link {said}: let them meet, rate them apart, or give a `prior`")


def _check_told_apart(names: list[str], made: rankings.Model) -> None:
    """Whether seats and strategies can be told apart by who sat where."""
    size = made.free.size - len(made.orders)
    information = choices.information_at_zero(made.situations)[:size, :size]
    values, vectors = np.linalg.eigh(information)
    if values[0] > APART * max(values[-1], 1.0):
        return
    moved = np.append(0.0, vectors[: len(names) - 1, 0])
    mixed = [name for name, size in zip(names, moved, strict=True) if abs(size - np.median(moved)) > 1e-6]
    raise ValueError(
        f"seat and strategy cannot be told apart ({_listed(mixed or names)} sat in too few different seats): "
        "rotate the strategies round the seats, or give a `prior`"
    )


def _check_both_ways(names: list[str], ahead: NDArray[np.bool_]) -> None:
    """Whether, of any two parts of the strategies, each at least once did not lose to the other (Ford 1957)."""
    from scipy.sparse.csgraph import connected_components

    groups, group = connected_components(ahead, directed=True, connection="strong")
    for one in range(groups if groups > 1 else 0):
        inside = group == one
        if not ahead[np.ix_(~inside, inside)].any():
            top, rest = (
                [name for name, here in zip(names, inside, strict=True) if here == side]
                for side in (True, False)
            )
            raise ValueError(
                f"{_listed(top)} never lost to {_listed(rest)}, nor tied: no finite rating fits that; "
                "play more deals, leave them out, or give a `prior` (say 400 Elo points)"
            )


def _fit(
    names: list[str], shape: tuple[int, ...], made: rankings.Model, found: choices.Maximum, games: float
) -> Ratings:
    """The maximum as ratings; refused where it lies at infinity, or so far off that it says nothing."""
    if not found.found or np.linalg.eigvalsh(found.information)[0] < 1 / WIDE**2:
        parameters = [
            *names,
            *(f"seat {seat}" for seat in range(shape[1])),
            *(f"ties of {order}" for order in made.orders),
        ]
        said = _listed([parameters[place] for place in _adrift(found, made, len(names))])
        raise ValueError(
            f"the results do not settle {said} (always the same outcome, or too few games): play more, or give a `prior`"
        )
    bread: Vector = np.asarray(np.linalg.inv(found.information), dtype=np.float64)
    estimate = np.zeros(len(names) + shape[1] + len(made.orders))
    covariance = np.zeros((estimate.size,) * 2)
    estimate[made.free], covariance[np.ix_(made.free, made.free)] = found.estimate, bread
    scores = made.rows @ (made.features - found.expected[made.situation])
    value = found.log_likelihood
    return Ratings(
        names, shape[1], made.orders, estimate, covariance, value, games, 0, made.free, scores, bread
    )


def _adrift(found: choices.Maximum, made: rankings.Model, strategies: int) -> NDArray[np.int64]:
    """The parameters that run away; where none does, those that are told least."""
    full = np.zeros(int(made.free.max()) + 1)
    full[made.free] = found.estimate
    full[:strategies] -= np.median(full[:strategies])
    away = np.flatnonzero(np.abs(full) > 2 * WIDE)
    if away.size:
        return away
    weak = np.abs(np.linalg.eigh(found.information)[1][:, 0])
    return np.asarray(made.free[weak > 0.3 * weak.max()])


def _clustered_by(fit: Ratings, games: Vector, deals: NDArray[np.int64]) -> Ratings:
    from scipy.sparse import coo_matrix

    if deals.shape != games.shape:
        raise ValueError("one deal per row of the results is needed")
    numbers, which = np.unique(deals[games > 0], return_inverse=True)
    adding = coo_matrix(
        (games[games > 0], (which, np.flatnonzero(games > 0))), shape=(numbers.size, games.size)
    ).tocsr()
    sums: Vector = np.asarray(adding @ fit.scores)
    return clustered(fit, sums.T @ sums, numbers.size)


def _listed(names: Sequence[str]) -> str:
    """Names in a row: a, b and c."""
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"
