"""Ratings of strategies and seats from final ranks: the Plackett-Luce model with ties, for 2 to 12 seats."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from simkit.stats import choices, rankings
from simkit.stats.quantiles import Floats, normal, student
from simkit.stats.sequences import at_every_look

ELO = 400 / np.log(10)  # Elo points in one unit of log odds
MAX_STANDARD_ERROR = 5.0  # in log odds; above it the odds may be anything from 1 : 20,000 to 20,000 : 1
MIN_INFORMATION = 1e-11  # information below this share of the greatest counts as none


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
    orders: list[int]  # sizes of the ties that occurred
    estimate: Floats  # [parameter] log odds
    covariance: Floats  # [parameter, parameter]
    log_likelihood: float
    deals: int  # deals behind the standard errors; 0 if every game counts as independent
    free: NDArray[np.int64]  # the parameters that were estimated
    scores: Floats  # [row of the results, free parameter] gradient of the log-likelihood of one game
    bread: Floats  # [free parameter, free parameter] inverse information


def plackett_luce(
    strategies: Sequence[str],
    seated: ArrayLike,
    ranks: ArrayLike,
    counts: ArrayLike | None = None,
    *,
    places: int | None = None,
    seat_effects: bool = True,
) -> Ratings:
    """Fit the worths of strategies and seats to final ranks by maximum likelihood, with standard errors.

    seated[row, seat]: index of the strategy, −1 for an empty seat; ranks[row, seat]: 1 = best, ties share a
    rank, 0 = behind all others in no order; counts[row]: games (default 1 each). If `places` is given, only
    the first `places` places count. `seat_effects=False`: all seats are alike. Formula: seat s with strategy
    i has the worth w = exp(λ_i + σ_s). A place goes to a set T of the remaining seats with probability
    proportional to δ_|T| (Π_{T} w)^(1/|T|), δ_1 = 1 (two seats: Davidson's model, without ties Bradley-Terry
    with a home advantage); ties of a size that never occurred are left out. Standard errors: inverse
    information H⁻¹; over deals: `clustered`. Source: Turner, van Etten, Firth & Kosmidis 2020, Comput. Stat.
    35, 1027-1057; Davidson 1970, J. Am. Stat. Assoc. 65, 317-328. Units: log odds (400/ln 10 Elo points).
    Errors: ValueError for arguments that do not fit and results that do not determine the worths.

    >>> results = [[1, 2], [1, 2], [2, 1], [2, 1]]
    >>> fit = plackett_luce(["a", "b"], [[0, 1], [1, 0], [0, 1], [1, 0]], results, [30, 20, 10, 20])
    >>> [(r.name, round(r.elo)) for r in ratings(fit)], round(seat_ratings(fit)[1].elo)
    ([('a', 48), ('b', -48)], -95)
    """
    names = list(strategies)
    sitting, order, games = _results(names, seated, ranks, counts, places)
    model = rankings.model(sitting, order, games, len(names), places, seat_effects)
    _check_comparable(names, model.ahead)
    _check_identifiable(names, model)
    return _fit(names, order.shape[1], model, choices.maximise(model.situations))


def clustered(fit: Ratings, squares: Floats, deals: int) -> Ratings:
    """Return the ratings with standard errors over deals.

    squares = Σ_d s_d s_d', s_d the sum of `scores` over the games of deal d. Formula: H⁻¹ squares H⁻¹
    D/(D−1). Source: Liang & Zeger 1986, Biometrika 73, 13-22 (sandwich). Errors: ValueError unless there are
    more deals than free parameters.
    """
    if deals <= fit.free.size:
        raise ValueError(
            f"{deals} deals are too few for standard errors of {fit.free.size} parameters: play more deals"
        )
    covariance = np.zeros_like(fit.covariance)
    covariance[np.ix_(fit.free, fit.free)] = fit.bread @ squares @ fit.bread * (deals / (deals - 1))
    return fit._replace(covariance=covariance, deals=deals)


def ratings(fit: Ratings, level: float = 0.95, always: bool = False) -> list[Rating]:
    """Return the strategies' Elo ratings about their mean, with intervals; 400 points are odds of 10 : 1.

    Formula: (400/ln 10)(Cλ ± q √diag(C V C')), C the centring; q normal, or Student's with deals − 1; with
    `always` q of `sequences.at_every_look`, for intervals that hold at every number of deals at once. Source:
    Elo 1978, The Rating of Chessplayers; Cameron & Miller 2015, J. Hum. Resour. 50. Errors: ValueError for a
    level outside 0 to 1.
    """
    centring = np.eye(len(fit.strategies)) - 1 / len(fit.strategies)
    return _contrasted(fit, fit.strategies, 0, centring, level, always)


def seat_ratings(fit: Ratings, level: float = 0.95, always: bool = False) -> list[Rating]:
    """Return the Elo points of each seat above seat 0, with intervals; formula and errors as `ratings`."""
    names = [f"seat {seat}" for seat in range(fit.seats)]
    return _contrasted(fit, names, len(fit.strategies), np.eye(fit.seats), level, always)


def _contrasted(
    fit: Ratings, names: list[str], start: int, weights: Floats, level: float, always: bool
) -> list[Rating]:
    """Return ratings for `weights` @ the parameters from `start` on, one row of weights per name."""
    quantile = normal(level) if not fit.deals else student(level, fit.deals - 1)
    quantile = at_every_look(fit.deals, level) if always and fit.deals else quantile
    contrast = np.zeros((len(names), fit.estimate.size))
    contrast[:, start : start + len(names)] = weights
    middle = ELO * (contrast @ fit.estimate)
    half = ELO * quantile * np.sqrt(np.diag(contrast @ fit.covariance @ contrast.T).clip(0))
    ends = (middle, middle - half, middle + half)
    return [Rating(name, *map(float, row)) for name, *row in zip(names, *ends, strict=True)]


def _results(
    names: list[str], seated: ArrayLike, ranks: ArrayLike, counts: ArrayLike | None, places: int | None
) -> tuple[rankings.Whole, rankings.Whole, Floats]:
    """Return seated strategies, ranks and counts as arrays; ValueError for arguments that do not fit."""
    sitting, order, max_seats = np.asarray(seated, np.int64), np.asarray(ranks, np.int64), rankings.MAX_SEATS
    shapes_fit = sitting.ndim == 2 and sitting.shape == order.shape and len(order) > 0
    if not shapes_fit or not 2 <= sitting.shape[1] <= max_seats:
        raise ValueError(f"seated and ranks need the same shape [row, seat], 2 to {max_seats} seats")
    if len(set(names)) != len(names) or sitting.min() < -1 or sitting.max() >= len(names) or order.min() < 0:
        raise ValueError("distinct strategies, indices of them in `seated`, and ranks from 0 are needed")
    games = np.ones(len(order)) if counts is None else np.asarray(counts, dtype=np.float64)
    if games.shape != (len(order),) or not (games >= 0).all() or (places is not None and places < 1):
        raise ValueError("counts from 0, one per row, and places from 1 are needed")
    if not (games[rankings.stages(sitting, order, places).row] > 0).any():
        raise ValueError("no game tells who did better: all ranks are 0")
    return sitting, order, games


def _check_comparable(names: list[str], ahead: NDArray[np.bool_]) -> None:
    """Check that no part of the strategies never met, or never lost to, the rest (Ford 1957)."""
    from scipy.sparse.csgraph import connected_components

    for connection in ("weak", "strong"):
        groups, labels = connected_components(ahead, connection=connection)
        for inside in [labels == label for label in range(groups) if groups > 1]:
            top, rest = (_listed(np.array(names)[part].tolist()) for part in (inside, ~inside))
            if connection == "weak":
                raise ValueError(f"no games link [{top}] and [{rest}]: let them meet, or rate them apart")
            if not ahead[np.ix_(~inside, inside)].any():
                sentence = f"{top} never lost to {rest}, nor tied: no finite rating fits that"
                raise ValueError(f"{sentence}; play more deals, or leave them out")


def _check_identifiable(names: list[str], model: rankings.Model) -> None:
    """Check that the seatings separate the effects of seats and strategies; otherwise raise ValueError."""
    size = model.free.size - len(model.orders)
    values, vectors = np.linalg.eigh(choices.at_zero(model.situations).information[:size, :size])
    if values[0] > MIN_INFORMATION * max(values[-1], 1.0):
        return
    moved = np.append(0.0, vectors[: len(names) - 1, 0])
    mixed = [name for name, size in zip(names, moved, strict=True) if abs(size - np.median(moved)) > 1e-6]
    reason = f"{_listed(mixed or names)} sat in too few different seats"
    raise ValueError(
        f"seat and strategy cannot be told apart ({reason}): rotate the strategies round the seats"
    )


def _fit(names: list[str], seats: int, model: rankings.Model, maximum: choices.Maximum) -> Ratings:
    """Return the maximum as ratings; ValueError if it lies at infinity or its errors are too large."""
    if not maximum.converged or np.linalg.eigvalsh(maximum.information)[0] < 1 / MAX_STANDARD_ERROR**2:
        others = [*(f"seat {seat}" for seat in range(seats)), *(f"ties of {n}" for n in model.orders)]
        unsettled = _listed([[*names, *others][place] for place in _adrift(maximum, model, len(names))])
        reason = "always the same outcome, or too few games"
        raise ValueError(f"the results do not settle {unsettled} ({reason}): play more")
    bread = np.asarray(np.linalg.inv(maximum.information), np.float64)
    estimate = np.zeros(len(names) + seats + len(model.orders))
    covariance = np.zeros((estimate.size,) * 2)
    estimate[model.free], covariance[np.ix_(model.free, model.free)] = maximum.estimate, bread
    scores = model.rows @ (model.features - maximum.expected[model.situation])
    fields = (estimate, covariance, maximum.log_likelihood, 0, model.free, scores, bread)
    return Ratings(names, seats, model.orders, *fields)


def _adrift(maximum: choices.Maximum, model: rankings.Model, strategies: int) -> NDArray[np.int64]:
    """Return the parameters that diverge; if none does, those with the least information."""
    full = np.zeros(int(model.free.max()) + 1)
    full[model.free] = maximum.estimate
    full[:strategies] -= np.median(full[:strategies])
    away = np.flatnonzero(np.abs(full) > 2 * MAX_STANDARD_ERROR)
    weak = np.abs(np.linalg.eigh(maximum.information)[1][:, 0])
    return away if away.size else np.asarray(model.free[weak > 0.3 * weak.max()])


def _listed(names: Sequence[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"
