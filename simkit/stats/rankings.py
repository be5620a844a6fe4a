"""Final ranks as choices: who comes first of all seats, who first of the rest; a tie takes several seats."""

import itertools
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from simkit.stats.choices import Situations, Vector

Whole = NDArray[np.int64]
MOST_SEATS = 12
MOST_ALTERNATIVES = 30_000_000  # about 6 GB
LAST = np.iinfo(np.int64).max


class Stages(NamedTuple):
    """One row per place that was filled: the seats left, and those of them that took it, as bit masks."""

    row: Whole  # the row of the results that it belongs to
    left: Whole
    took: Whole


class Model(NamedTuple):
    """Results as situations of choice, and the distinct choices made in them, which score each row."""

    situations: Situations
    orders: list[int]  # sizes of ties that occur, each with a parameter
    free: Whole  # [free parameter] its place among: strategies, seats, sizes of ties
    situation: Whole  # [choice]
    features: Vector  # [choice, parameter] of the seats that were chosen
    rows: Any  # SciPy CSR matrix [row of the results, choice] how often
    ahead: NDArray[np.bool_]  # whether [row] strategy ever came before, or level with, [column] strategy


def stages(seated: Whole, ranks: Whole, places: int | None) -> Stages:
    """The places filled, best first; `seated` and `ranks` as `plackett_luce`."""
    bits, seats = 1 << np.arange(ranks.shape[1]), ranks.shape[1]
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


def model(
    seated: Whole, ranks: Whole, counts: Vector, strategies: int, places: int | None, seat_effects: bool
) -> Model:
    """The Davidson-Luce model of some results; arguments as `plackett_luce`.

    Free parameters: strategies but the first, seats but the first (with `seat_effects`), each size of tie.
    """
    from scipy.sparse import coo_matrix

    seats, kept = seated.shape[1], (1 << seated.shape[1]) - 1
    lineups, lineup = _distinct_rows(seated, strategies + 1)
    every = stages(seated, ranks, places)
    found = Stages(*(part[counts[every.row] > 0] for part in every))
    key = (lineup[found.row] << seats | found.left) << seats | found.took
    made, choice = np.unique(key, return_inverse=True)
    games: Vector = np.bincount(choice, weights=counts[found.row]).astype(np.float64)
    keys, situation = np.unique(made >> seats, return_inverse=True)
    orders = sorted(set(np.bitwise_count(made & kept).tolist()) - {1})
    options, starts = _options(keys, seats, orders)
    kinds = (strategies, seats if seat_effects else 1)
    free = np.delete(np.arange(sum(kinds)), [0, strategies])
    free = np.append(free, strategies + seats + np.arange(len(orders)))
    alternatives = _features(lineups, options, strategies, orders)[:, free]
    took = _features(lineups, made >> 2 * seats << seats | made & kept, strategies, orders)[:, free]
    seen: Vector = np.bincount(situation, weights=games).astype(np.float64)
    situations = Situations(alternatives, starts, seen, np.asarray(took.T @ games, dtype=np.float64))
    rows = coo_matrix((np.ones(choice.size), (found.row, choice)), shape=(len(counts), made.size)).tocsr()
    ahead = _ahead(lineups[made >> 2 * seats], made >> seats & kept, made & kept, strategies)
    return Model(situations, orders, free, situation, took.toarray(), rows, ahead)


def _distinct_rows(table: Whole, base: int) -> tuple[Whole, Whole]:
    """The distinct rows of a table of numbers from −1 to base − 2, and which of them each row is; quickly."""
    which = np.zeros(len(table), dtype=np.int64)
    for column in table.T:
        _, first, which = np.unique(which * base + column + 1, return_index=True, return_inverse=True)
    return table[first], which


def _ahead(sitting: Whole, left: Whole, took: Whole, strategies: int) -> NDArray[np.bool_]:
    found = np.zeros((strategies, strategies), dtype=bool)
    for one, other in itertools.permutations(range(sitting.shape[1]), 2):
        both = (took >> one & left >> other & 1) > 0
        found[sitting[both, one], sitting[both, other]] = True
    return found


def _options(keys: Whole, seats: int, orders: list[int]) -> tuple[Whole, Whole]:
    """For each situation (lineup, seats left) the sets of seats that may come next, and where they begin."""
    every = np.arange(1, 1 << seats)
    every = every[np.isin(np.bitwise_count(every), [1, *orders])]
    masks, which = np.unique(keys & (1 << seats) - 1, return_inverse=True)
    inside = [every[every & ~mask == 0] for mask in masks]
    sizes = np.array([part.size for part in inside])[which]
    if sizes.sum() > MOST_ALTERNATIVES:
        raise ValueError("too many different lineups and ties for the memory: rate fewer games at a time")
    lineups = zip(keys.tolist(), which.tolist(), strict=True)
    options = np.concatenate([inside[mask] | key >> seats << seats for key, mask in lineups])
    return options, np.concatenate([[0], np.cumsum(sizes)[:-1]])


def _features(lineups: Whole, sets: Whole, strategies: int, orders: list[int]) -> Any:
    """Of sets of seats (of a lineup): the mean of their strategies and seats, and which tie it is; as CSR."""
    from scipy.sparse import coo_matrix

    seats = lineups.shape[1]
    used, place = np.unique(sets, return_inverse=True)
    masks, sitting = used & (1 << seats) - 1, lineups[used >> seats]
    size = np.bitwise_count(masks)
    row, seat = np.nonzero(masks[:, np.newaxis] >> np.arange(seats) & 1)
    part = 1 / size[row]
    tied = np.flatnonzero(size > 1)
    ties = strategies + seats + np.searchsorted(orders, size[tied])
    rows, values = np.concatenate([row, row, tied]), np.concatenate([part, part, np.ones(tied.size)])
    columns = np.concatenate([sitting[row, seat], strategies + seat, ties])
    shape = (masks.size, strategies + seats + len(orders))
    return coo_matrix((values, (rows, columns)), shape=shape).tocsr()[place]
