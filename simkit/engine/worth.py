"""Worth of the results of play-outs: the share of the win, and the margin in its standard deviations."""

import numpy as np

from simkit.engine.compile.jit import rule

WIN, MARGIN, WIN_SQUARE, MARGIN_SQUARE, PRODUCT = range(5)
SUMS = 5  # sums by which results are compared


@rule
def note(sums, win, margin):  # type: ignore[no-untyped-def]
    """Add a result, in wins and in points, to its sums."""
    sums[WIN] += win
    sums[MARGIN] += margin
    sums[WIN_SQUARE] += win * win
    sums[MARGIN_SQUARE] += margin * margin
    sums[PRODUCT] += win * margin


@rule
def worths(margins, squares, samples, mix):  # type: ignore[no-untyped-def]
    """Return the worth of a win and of a point: the margin counts in its standard deviations.

    `margins` and `squares` are the sums of the margins of the samples and of their squares.
    """
    mean = margins / samples
    deviation = np.sqrt(max(0.0, squares / samples - mean * mean))
    return mix, (1.0 - mix) / max(1.0, deviation)


@rule
def mean_worth(sums, samples, win, margin):  # type: ignore[no-untyped-def]
    """Return the mean worth of the results, with the worth of a win and of a point."""
    return (win * sums[WIN] + margin * sums[MARGIN]) / samples


@rule
def squared_error(sums, samples, win, margin):  # type: ignore[no-untyped-def]
    """Return the squared standard error of `mean_worth`."""
    squares = win * win * sums[WIN_SQUARE] + margin * margin * sums[MARGIN_SQUARE]
    squares += 2 * win * margin * sums[PRODUCT]
    mean = mean_worth(sums, samples, win, margin)
    return max(0.0, squares / samples - mean * mean) / max(1, samples - 1)
