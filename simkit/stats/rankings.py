"""Final ranks as successive choices: the first of all seats, the first of the rest; a tie takes several."""

import itertools
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from simkit.stats.choices import Situations
from simkit.stats.quantiles import Floats

Whole = NDArray[np.int64]
MAX_SEATS = 12
MAX_ALTERNATIVES = 30_000_000  # about 6 GB
LAST = np.iinfo(np.int64).max


class Stages(NamedTuple):
    """One row per filled place: the remaining seats, and those of them that took it, as bit masks."""

    row: Whole  # row of the results
    left: Whole
    took: Whole


class Model(NamedTuple):
    """Results as choice situations, and the distinct choices in them, from which each row is scored."""

    situations: Situations
    orders: list[int]  # sizes of the ties that occur, each with a parameter
    free: Whole  # [free parameter] index among: strategies, seats, sizes of ties
    situation: Whole  # [choice]
    features: Floats  # [choice, parameter] of the chosen seats
    rows: Any  # SciPy CSR matrix [row of the results, choice]: how often the row makes the choice
    ahead: NDArray[np.bool_]  # whether [row] strategy ever came before, or level with, [column] strategy


def stages(seated: Whole, ranks: Whole, places: int | None) -> Stages:
    """Return the filled places, best first; `seated` and `ranks` as in `plackett_luce`."""
    bits, seats = 1 << np.arange(ranks.shape[1]), ranks.shape[1]
    ordered = np.where(ranks > 0, ranks, LAST)
    left = seated >= 0
    filled = []
    for _ in range(seats if places is None else min(places, seats)):
        best = np.where(left, ordered, LAST).min(axis=1)
        took = left & (ordered == best[:, np.newaxis])
        rows = np.flatnonzero((best < LAST) & (left.sum(axis=1) > 1))
        filled.append((rows, left[rows] @ bits, took[rows] @ bits))
        left &= ~took
    return Stages(*(np.concatenate(parts) for parts in zip(*filled, strict=True)))


def model(
    seated: Whole, ranks: Whole, counts: Floats, strategies: int, places: int | None, seat_effects: bool
) -> Model:
    """Return the Davidson-Luce model of results; arguments as in `plackett_luce`.

    Free parameters: strategies except the first, seats except the first (with `seat_effects`), each size of
    tie.
    """
    from scipy.sparse import coo_matrix

    seats, mask = seated.shape[1], (1 << seated.shape[1]) - 1
    lineups, lineup = _distinct_rows(seated, strategies + 1)
    all_stages = stages(seated, ranks, places)
    filled = Stages(*(part[counts[all_stages.row] > 0] for part in all_stages))
    key = (lineup[filled.row] << seats | filled.left) << seats | filled.took
    picks, choice = np.unique(key, return_inverse=True)
    games: Floats = np.bincount(choice, weights=counts[filled.row]).astype(np.float64)
    situation_keys, situation = np.unique(picks >> seats, return_inverse=True)
    orders = sorted(set(np.bitwise_count(picks & mask).tolist()) - {1})
    options, starts = _options(situation_keys, seats, orders)
    kinds = (strategies, seats if seat_effects else 1)
    free = np.delete(np.arange(sum(kinds)), [0, strategies])
    free = np.append(free, strategies + seats + np.arange(len(orders)))
    alternatives = _features(lineups, options, strategies, orders)[:, free]
    took = _features(lineups, picks >> 2 * seats << seats | picks & mask, strategies, orders)[:, free]
    frequencies: Floats = np.bincount(situation, weights=games).astype(np.float64)
    situations = Situations(alternatives, starts, frequencies, np.asarray(took.T @ games, dtype=np.float64))
    rows = coo_matrix((np.ones(choice.size), (filled.row, choice)), shape=(len(counts), picks.size)).tocsr()
    ahead = _ahead(lineups[picks >> 2 * seats], picks >> seats & mask, picks & mask, strategies)
    return Model(situations, orders, free, situation, took.toarray(), rows, ahead)


def _distinct_rows(table: Whole, base: int) -> tuple[Whole, Whole]:
    """Return the distinct rows of a table of numbers from −1 to base − 2, and the index of each row in them.

    Much faster than `np.unique` over rows.
    """
    index = np.zeros(len(table), dtype=np.int64)
    for column in table.T:
        _, first, index = np.unique(index * base + column + 1, return_index=True, return_inverse=True)
    return table[first], index


def _ahead(sitting: Whole, left: Whole, took: Whole, strategies: int) -> NDArray[np.bool_]:
    """Return whether [row] strategy ever came before, or level with, [column] strategy."""
    ahead = np.zeros((strategies, strategies), dtype=bool)
    for first, second in itertools.permutations(range(sitting.shape[1]), 2):
        both = (took >> first & left >> second & 1) > 0
        ahead[sitting[both, first], sitting[both, second]] = True
    return ahead


def _options(keys: Whole, seats: int, orders: list[int]) -> tuple[Whole, Whole]:
    """Return the sets of seats that may come next in each situation (lineup and seats), and their starts."""
    sets = np.arange(1, 1 << seats)
    sets = sets[np.isin(np.bitwise_count(sets), [1, *orders])]
    masks, mask_index = np.unique(keys & (1 << seats) - 1, return_inverse=True)
    inside = [sets[sets & ~mask == 0] for mask in masks]
    sizes = np.array([part.size for part in inside])[mask_index]
    if sizes.sum() > MAX_ALTERNATIVES:
        raise ValueError("too many different lineups and ties for the memory: rate fewer games at a time")
    lineups = zip(keys.tolist(), mask_index.tolist(), strict=True)
    options = np.concatenate([inside[mask] | key >> seats << seats for key, mask in lineups])
    return options, np.concatenate([[0], np.cumsum(sizes)[:-1]])


def _features(lineups: Whole, sets: Whole, strategies: int, orders: list[int]) -> Any:
    """Return the features of sets of seats as CSR: mean of their strategies and seats, size of the tie."""
    from scipy.sparse import coo_matrix

    seats = lineups.shape[1]
    used, inverse = np.unique(sets, return_inverse=True)
    masks, sitting = used & (1 << seats) - 1, lineups[used >> seats]
    size = np.bitwise_count(masks)
    row, seat = np.nonzero(masks[:, np.newaxis] >> np.arange(seats) & 1)
    weights = 1 / size[row]
    tied = np.flatnonzero(size > 1)
    ties = strategies + seats + np.searchsorted(orders, size[tied])
    rows, values = np.concatenate([row, row, tied]), np.concatenate([weights, weights, np.ones(tied.size)])
    columns = np.concatenate([sitting[row, seat], strategies + seat, ties])
    shape = (masks.size, strategies + seats + len(orders))
    return coo_matrix((values, (rows, columns)), shape=shape).tocsr()[inverse]
