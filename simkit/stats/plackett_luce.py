"""Strategies and seats rated from final ranks: the Plackett-Luce model with ties, for two seats and more."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from simkit.stats import choices, rankings
from simkit.stats.choices import Vector
from simkit.stats.quantiles import normal, student
from simkit.stats.sequences import at_every_look

ELO = 400 / np.log(10)  # Elo points in one unit of log odds
WIDE = 5.0  # standard error in log odds above which nothing is known: odds from 1 : 20,000 to 20,000 : 1
APART = 1e-11  # an information below this share of the greatest is none


class Rating(NamedTuple):
    """A rating, or a difference of ratings, in Elo points, with its interval."""

    name: str
    elo: float
    low: float
    high: float


class Ratings(NamedTuple):
    """A fitted model: log worths of strategies and seats (the first of each is 0), log weights of ties."""

    strategies: list[str]
    seats: int
    orders: list[int]  # sizes of ties that occurred
    estimate: Vector  # [parameter] log odds
    covariance: Vector  # [parameter, parameter]
    log_likelihood: float
    deals: int  # deals that the standard errors rest upon; 0 where every game counts as independent
    free: NDArray[np.int64]  # the parameters that were estimated
    scores: Vector  # [row of the results, free parameter] gradient of the log-likelihood of one game
    bread: Vector  # [free parameter, free parameter] inverse information


def plackett_luce(
    strategies: Sequence[str],
    seated: ArrayLike,
    ranks: ArrayLike,
    counts: ArrayLike | None = None,
    *,
    places: int | None = None,
    seat_effects: bool = True,
) -> Ratings:
    """Worths of strategies and seats from final ranks, by maximum likelihood, with standard errors.

    seated[row, seat]: index of the strategy, −1 for an empty seat; ranks[row, seat]: 1 = best, ties share a
    rank, 0 = behind all others in no order; counts[row]: games (1 where not given); up to 12 seats. Only the
    first `places` places count where given. `seat_effects=False`: all seats are alike. Formula: seat s with
    strategy i has the worth w = exp(λ_i + σ_s). A place goes to a set T of the seats left with probability
    proportional to δ_|T| (Π_{T} w)^(1/|T|), δ_1 = 1 (two seats: Davidson's model, without ties Bradley-Terry
    with a home advantage); ties of a size that never occurred are left out. Standard errors: inverse
    information H⁻¹; over deals: `clustered`. Source: Turner, van Etten, Firth & Kosmidis 2020, Comput. Stat.
    35, 1027-1057; Davidson 1970, J. Am. Stat. Assoc. 65, 317-328. Units: log odds (400/ln 10 Elo points).
    Errors: ValueError for arguments that do not fit and results that do not settle the worths.

    >>> results = [[1, 2], [1, 2], [2, 1], [2, 1]]
    >>> fit = plackett_luce(["a", "b"], [[0, 1], [1, 0], [0, 1], [1, 0]], results, [30, 20, 10, 20])
    >>> [(r.name, round(r.elo)) for r in ratings(fit)], round(seat_ratings(fit)[1].elo)
    ([('a', 48), ('b', -48)], -95)
    """
    names = list(strategies)
    sitting, order, games = _results(names, seated, ranks, counts, places)
    made = rankings.model(sitting, order, games, len(names), places, seat_effects)
    _check_ties(made)
    _check_connected(names, made.ahead)
    _check_told_apart(names, made)
    _check_both_ways(names, made.ahead)
    return _fit(names, order.shape[1], made, choices.maximise(made.situations))


def clustered(fit: Ratings, squares: Vector, deals: int) -> Ratings:
    """The ratings with standard errors over deals; squares = Σ_d s_d s_d', s_d the sum of `scores` of deal d.

    Formula: H⁻¹ (Σ_d s_d s_d') H⁻¹ D/(D−1). Source: Liang & Zeger 1986, Biometrika 73, 13-22 (sandwich).
    Errors: ValueError for no more deals than free parameters.
    """
    if deals <= fit.free.size:
        known = f"standard errors of {fit.free.size} parameters"
        raise ValueError(f"{deals} deals are too few for {known}: play more deals")
    covariance = np.zeros_like(fit.covariance)
    covariance[np.ix_(fit.free, fit.free)] = fit.bread @ squares @ fit.bread * (deals / (deals - 1))
    return fit._replace(covariance=covariance, deals=deals)


def ratings(fit: Ratings, level: float = 0.95, always: bool = False) -> list[Rating]:
    """Elo ratings of the strategies about their mean, with intervals; 400 points are odds of 10 : 1.

    Formula: (400/ln 10)(Cλ ± q √diag(C V C')), C the centring; q normal, or Student's with deals − 1; always:
    q of `sequences.at_every_look`, for intervals that hold at every number of deals at once. Source: Elo
    1978, The Rating of Chessplayers; Cameron & Miller 2015, J. Hum. Resour. 50. Errors: another level.
    """
    centring = np.eye(len(fit.strategies)) - 1 / len(fit.strategies)
    return _contrasted(fit, fit.strategies, 0, centring, level, always)


def seat_ratings(fit: Ratings, level: float = 0.95, always: bool = False) -> list[Rating]:
    """Elo points of each seat above seat 0 (which is 0), with intervals; formula and errors as `ratings`."""
    names = [f"seat {seat}" for seat in range(fit.seats)]
    return _contrasted(fit, names, len(fit.strategies), np.eye(fit.seats), level, always)


def _contrasted(
    fit: Ratings, names: list[str], start: int, weights: Vector, level: float, always: bool
) -> list[Rating]:
    wide = normal(level) if not fit.deals else student(level, fit.deals - 1)
    wide = at_every_look(fit.deals, level) if always and fit.deals else wide
    contrast = np.zeros((len(names), fit.estimate.size))
    contrast[:, start : start + len(names)] = weights
    middle = ELO * (contrast @ fit.estimate)
    half = ELO * wide * np.sqrt(np.diag(contrast @ fit.covariance @ contrast.T).clip(0))
    ends = (middle, middle - half, middle + half)
    return [Rating(name, *map(float, row)) for name, *row in zip(names, *ends, strict=True)]


def _results(
    names: list[str], seated: ArrayLike, ranks: ArrayLike, counts: ArrayLike | None, places: int | None
) -> tuple[rankings.Whole, rankings.Whole, Vector]:
    sitting, order, most = np.asarray(seated, np.int64), np.asarray(ranks, np.int64), rankings.MOST_SEATS
    fits = sitting.ndim == 2 and sitting.shape == order.shape and len(order) > 0
    if not fits or not 2 <= sitting.shape[1] <= most:
        raise ValueError(f"seated and ranks need the same shape [row, seat], 2 to {most} seats")
    if len(set(names)) != len(names) or sitting.min() < -1 or sitting.max() >= len(names) or order.min() < 0:
        raise ValueError("distinct strategies, indices of them in `seated`, and ranks from 0 are needed")
    games = np.ones(len(order)) if counts is None else np.asarray(counts, dtype=np.float64)
    if games.shape != (len(order),) or not (games >= 0).all() or (places is not None and places < 1):
        raise ValueError("counts from 0, one per row, and places from 1 are needed")
    if not (games[rankings.stages(sitting, order, places).row] > 0).any():
        raise ValueError("no game tells who did better: all ranks are 0")
    return sitting, order, games


def _check_ties(made: rankings.Model) -> None:
    """Whether some ties of each size were possible but did not happen."""
    for place, order in enumerate(made.orders, start=made.free.size - len(made.orders)):
        held = np.asarray(made.situations.features[:, [place]].todense()).ravel()
        possible = np.maximum.reduceat(held, made.situations.starts)[made.situation] > 0
        if np.all(made.features[possible, place] == 1):
            raise ValueError(f"whenever {order} seats could tie they did, so no worths follow from it")


def _check_connected(names: list[str], ahead: NDArray[np.bool_]) -> None:
    from scipy.sparse.csgraph import connected_components

    groups, group = connected_components(ahead, directed=False)
    if groups > 1:
        parts = [[name for name, at in zip(names, group, strict=True) if at == g] for g in range(groups)]
        said = " and ".join(f"[{_listed(part)}]" for part in parts)
        raise ValueError(f"no games link {said}: let them meet, or rate them apart")


def _check_told_apart(names: list[str], made: rankings.Model) -> None:
    """Whether seats and strategies can be told apart by who sat where."""
    size = made.free.size - len(made.orders)
    values, vectors = np.linalg.eigh(choices.at_zero(made.situations).information[:size, :size])
    if values[0] > APART * max(values[-1], 1.0):
        return
    moved = np.append(0.0, vectors[: len(names) - 1, 0])
    mixed = [name for name, size in zip(names, moved, strict=True) if abs(size - np.median(moved)) > 1e-6]
    who = f"{_listed(mixed or names)} sat in too few different seats"
    raise ValueError(f"seat and strategy cannot be told apart ({who}): rotate the strategies round the seats")


def _check_both_ways(names: list[str], ahead: NDArray[np.bool_]) -> None:
    """Whether, of any two parts of the strategies, neither always lost to the other (Ford 1957)."""
    from scipy.sparse.csgraph import connected_components

    groups, group = connected_components(ahead, directed=True, connection="strong")
    for one in range(groups if groups > 1 else 0):
        inside = group == one
        if not ahead[np.ix_(~inside, inside)].any():
            top, rest = (np.array(names)[part].tolist() for part in (inside, ~inside))
            said = f"{_listed(top)} never lost to {_listed(rest)}, nor tied: no finite rating fits that"
            raise ValueError(f"{said}; play more deals, or leave them out")


def _fit(names: list[str], seats: int, made: rankings.Model, found: choices.Maximum) -> Ratings:
    """The maximum as ratings; refused where it lies at infinity, or so far off that it says nothing."""
    if not found.found or np.linalg.eigvalsh(found.information)[0] < 1 / WIDE**2:
        others = [*(f"seat {seat}" for seat in range(seats)), *(f"ties of {n}" for n in made.orders)]
        said = _listed([[*names, *others][place] for place in _adrift(found, made, len(names))])
        why = "always the same outcome, or too few games"
        raise ValueError(f"the results do not settle {said} ({why}): play more")
    bread = np.asarray(np.linalg.inv(found.information), np.float64)
    estimate = np.zeros(len(names) + seats + len(made.orders))
    covariance = np.zeros((estimate.size,) * 2)
    estimate[made.free], covariance[np.ix_(made.free, made.free)] = found.estimate, bread
    scores = made.rows @ (made.features - found.expected[made.situation])
    known = (estimate, covariance, found.log_likelihood, 0, made.free, scores, bread)
    return Ratings(names, seats, made.orders, *known)


def _adrift(found: choices.Maximum, made: rankings.Model, strategies: int) -> NDArray[np.int64]:
    """The parameters that run away; where none does, those of which least is known."""
    full = np.zeros(int(made.free.max()) + 1)
    full[made.free] = found.estimate
    full[:strategies] -= np.median(full[:strategies])
    away = np.flatnonzero(np.abs(full) > 2 * WIDE)
    weak = np.abs(np.linalg.eigh(found.information)[1][:, 0])
    return away if away.size else np.asarray(made.free[weak > 0.3 * weak.max()])


def _listed(names: Sequence[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"
