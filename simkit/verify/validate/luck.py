"""Checks of the streams of luck: no two are the same, neighbours are independent, draws are uniform."""

from collections.abc import Iterator

import numpy as np
from numba import types
from numpy.typing import NDArray
from scipy import stats

from simkit.engine import rng
from simkit.engine.compile.jit import EntryPoint
from simkit.verify.validate.runs import Comparison, Subject, chi_square, correlations, exact

KEYS, SEEDS, DRAWS, BINS, FACES = 1_000_000, 4, 2, 32, 6
ROLLS = 16  # per stream: enough to detect a face that comes up 0.5 % more often than the others
LUCK = Subject("luck")
NAMES = ["deal/deck", "nature/die", "choice/0", "choice/1", "choice/2"]
MIN_DISTANCE = 1_000  # draws; streams that start closer together on the generator's cycle would overlap
INVERSE = np.uint64(pow(int(rng.GAMMA), -1, 2**64))


def _open_all(seed, names, stream, starts, draws, faces):  # type: ignore[no-untyped-def]
    """Fill the start of each stream [seed, deal, name], its first draws [.., draw] and rolls by [face]."""
    for i in range(starts.shape[0]):
        for deal in range(starts.shape[1]):
            for j in range(starts.shape[2]):
                starts[i, deal, j] = rng.start(seed + i, deal, names[j])
                stream[0] = starts[i, deal, j]
                for k in range(draws.shape[3]):
                    draws[i, deal, j, k] = rng.uniform(stream)
                for _ in range(ROLLS):
                    faces[rng.below(stream, FACES)] += 1


_words, _number = types.uint64[::1], types.int64
_streams = types.uint64[:, :, ::1], types.float64[:, :, :, ::1], types.int64[::1]
_signature = types.void(_number, _words, _words, *_streams)
open_all = EntryPoint(_open_all, _signature, "open all streams", allocates=False)


def checks(seed: int, keys: int = KEYS) -> Iterator[Comparison]:
    """Yield all checks of about `keys` streams: neighbouring seeds and deals, several purposes."""
    shape = (SEEDS, keys // (SEEDS * len(NAMES)), len(NAMES))
    starts, draws, faces = np.zeros(shape, np.uint64), np.zeros((*shape, DRAWS)), np.zeros(FACES, np.int64)
    open_all(seed, rng.purposes(NAMES), np.zeros(1, np.uint64), starts, draws, faces)
    yield from _check_separation(starts.ravel())
    first = draws[..., 0]
    for kind, axis in (("seeds", 0), ("deals", 1), ("purposes", 2)):
        a, b = (np.take(first, range(k, first.shape[axis] - 1 + k), axis).ravel() for k in (0, 1))
        yield from correlations(LUCK, f"correlation of the first draws of neighbouring {kind}", a, b)
    yield from correlations(LUCK, "correlation of successive draws", *draws.reshape(-1, DRAWS).T)
    cells = (draws.reshape(-1, DRAWS) * BINS).astype(np.int64)
    pairs = np.bincount(cells[:, 0] * BINS + cells[:, 1], minlength=BINS * BINS)
    yield _uniform(f"pairs of draws in {BINS} x {BINS} bins", pairs)
    yield _uniform(f"a die of {FACES} faces", faces)


def _check_separation(starts: NDArray[np.uint64]) -> Iterator[Comparison]:
    """Check that no two streams start at the same place, or so close that they would overlap."""
    places = np.sort(starts * INVERSE)  # place of each start on the single cycle of the generator
    gaps = np.diff(places)
    yield exact(LUCK, "streams that equal another one", int((gaps == 0).sum()), starts.size)
    close = int((gaps < MIN_DISTANCE).sum())
    yield exact(LUCK, f"streams that meet another one within {MIN_DISTANCE:,} draws", close, starts.size)


def _uniform(subject: str, counts: NDArray[np.int64]) -> Comparison:
    """Check counts against equal frequencies by Pearson's chi-square."""
    statistic = float(stats.chisquare(counts).statistic)
    return chi_square(LUCK, f"chi-square of {subject}", statistic, counts.size - 1, int(counts.sum()))
