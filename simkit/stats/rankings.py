"""Final ranks as choices: who comes first of all seats, who first of the rest, and so on; a tie chooses several seats at once."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from simkit.stats.choices import Situations, Vector

Whole = NDArray[np.int64]
MOST_SEATS = 12
LAST = np.iinfo(np.int64).max


class Stages(NamedTuple):
    """One row per place that was filled: which seats were left, and which of them took it. Sets of seats are bit masks."""

    row: Whole  # the row of the results that it belongs to
    left: Whole
    took: Whole


class Model(NamedTuple):
    """Results as situations of choice, with what is needed to score each row of the results."""

    situations: Situations
    orders: list[int]  # sizes of ties that occur, each with a parameter
    free: Whole  # [free parameter] its place among: strategies, seats, sizes of ties
    stages: Stages  # the places filled in games that were played
    situation: Whole  # [stage]
    features: Vector  # [stage, parameter] of the seats that took the place


def stages(seated: Whole, ranks: Whole, places: int | None) -> Stages:
    """The places filled, best first; ranks[row, seat] from 1, ties share one, 0 = behind all others in no order; seated −1: nobody."""
    seats = ranks.shape[1]
    bits = 1 << np.arange(seats)
    ordered = np.where(ranks > 0, ranks, LAST)
    left = seated >= 0
    found = []
    for _ in range(seats if places is None else min(places, seats)):
        best = np.where(left, ordered, LAST).min(axis=1)
        took = left & (ordered == best[:, np.newaxis])
        counts = np.flatnonzero((best < LAST) & (left.sum(axis=1) > 1))
        found.append((counts, left[counts] @ bits, took[counts] @ bits))
        left &= ~took
    return Stages(*(np.concatenate(parts) for parts in zip(*found, strict=True)))


def model(seated: Whole, ranks: Whole, counts: Vector, strategies: int, places: int | None, seat_effects: bool) -> Model:
    """The Davidson-Luce model of some results: seated[row, seat] strategy, ranks[row, seat], counts[row] games.

    Free parameters, in this order: strategies but the first, seats but the first (with `seat_effects`), one for each size of tie.
    """
    seats = seated.shape[1]
    lineups, lineup = np.unique(seated, axis=0, return_inverse=True)
    every = stages(seated, ranks, places)
    found = Stages(*(part[counts[every.row] > 0] for part in every))
    orders = sorted(set(_size(found.took, seats).tolist()) - {1})
    at = lineup.ravel()[found.row] << seats
    keys, situation = np.unique(at | found.left, return_inverse=True)
    options, starts = _options(keys, seats, orders)
    used, place = np.unique(np.concatenate([options, at | found.took]), return_inverse=True)
    free = np.array([*range(1, strategies), *range(strategies + 1, strategies + seats if seat_effects else 0)], dtype=np.int64)
    free = np.append(free, strategies + seats + np.arange(len(orders)))
    rows = _features(lineups[used >> seats], used & (1 << seats) - 1, strategies, orders)[:, free]
    games, took = counts[found.row], rows[place[options.size :]]
    seen = np.bincount(situation, weights=games, minlength=keys.size)
    situations = Situations(rows[place[: options.size]], starts, seen, np.asarray(took.T @ games))
    return Model(situations, orders, free, found, situation, took.toarray())


def ahead(seated: Whole, made: Model, strategies: int) -> NDArray[np.bool_]:
    """Whether [row] strategy ever came before, or level with, [column] strategy in a game."""
    seats, found = seated.shape[1], np.zeros((strategies, strategies), dtype=bool)
    sitting, took, left = seated[made.stages.row], made.stages.took, made.stages.left
    for one in range(seats):
        for other in range(seats):
            both = (took >> one & left >> other & 1 > 0) if one != other else np.zeros(took.size, bool)
            found[sitting[both, one], sitting[both, other]] = True
    return found


def _size(masks: Whole, seats: int) -> Whole:
    return (masks[:, np.newaxis] >> np.arange(seats) & 1).sum(axis=1)


def _options(keys: Whole, seats: int, orders: list[int]) -> tuple[Whole, Whole]:
    """For each situation (lineup and seats left) the sets of seats that may come next, and where they begin."""
    every = np.arange(1, 1 << seats)
    every = every[np.isin(_size(every, seats), [1, *orders])]
    masks, which = np.unique(keys & (1 << seats) - 1, return_inverse=True)
    inside = [every[every & ~mask == 0] for mask in masks]
    sizes = np.array([part.size for part in inside])[which]
    options = np.concatenate([inside[mask] | key >> seats << seats for key, mask in zip(keys.tolist(), which.tolist(), strict=True)])
    return options, np.concatenate([[0], np.cumsum(sizes)[:-1]])


def _features(lineups: Whole, masks: Whole, strategies: int, orders: list[int]):  # type: ignore[no-untyped-def]  # a SciPy CSR matrix
    """Of sets of seats: the mean of their strategies and seats, and which tie it is."""
    from scipy.sparse import coo_matrix

    seats = lineups.shape[1]
    size = _size(masks, seats)
    row, seat = np.nonzero(masks[:, np.newaxis] >> np.arange(seats) & 1)
    part = 1 / size[row]
    tied = np.flatnonzero(size > 1)
    where = [
        (row, lineups[row, seat], part),
        (row, strategies + seat, part),
        (tied, strategies + seats + np.searchsorted(orders, size[tied]), np.ones(tied.size)),
    ]
    rows, columns, values = (np.concatenate(parts) for parts in zip(*where, strict=True))
    return coo_matrix((values, (rows, columns)), shape=(masks.size, strategies + seats + len(orders))).tocsr()
