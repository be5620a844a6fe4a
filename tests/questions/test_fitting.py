"""Fitting: the loss of a problem with a known answer falls, and targets are those worked out by hand."""

import numpy as np
import pytest

from simkit.questions.learn.fitting import (
    MARGIN,
    SAMPLES,
    SHARE,
    Fit,
    Past,
    Samples,
    Shape,
    Weights,
    activations,
    fit,
    predict,
    targets,
    zeros,
)

ROWS, TOKEN_ROWS, TOKENS = 20, 6, 3
F = np.float32


def made_weights(generator):
    def table(*shape):
        return generator.normal(0, 0.2, shape).astype(F)

    return Weights(table(ROWS, 32), table(TOKEN_ROWS, 16), table(48, 16), table(16), table(16, 2), table(2))


def made_samples(generator, count=400):
    """Samples of five rows and three tokens of one row each, whose results follow from one row and one token."""
    rows = np.hstack(
        [generator.integers(0, ROWS, (count, 5)), generator.integers(0, TOKEN_ROWS, (count, TOKENS))]
    )
    good = (rows[:, :5] < 5).sum(axis=1) + (rows[:, 5:] == 2).sum(axis=1)
    results = np.stack([good > 1, good - 1.0], axis=1).astype(F)
    numbers = np.full(rows.shape, 16, np.int8)
    counts = np.tile(np.array([5] + [1] * TOKENS, np.uint16), (count, 1))
    return Samples(rows.astype(np.uint16), numbers, counts, results)


def made_fit(weights, samples, groups, **given):
    shape = Shape(np.zeros(TOKENS, np.int64), np.array([0.5], F))
    most, count = ROWS + TOKEN_ROWS, len(groups) - 1
    keys = {
        "weights": weights, "gradients": zeros(weights), "first": zeros(weights), "second": zeros(weights),
        "shape": shape, "samples": samples, "groups": groups, "order": np.arange(count), "group_weight": 4.0,
        "rate": 0.01, "steps": np.zeros(1, np.int64), "touched": np.zeros(most + 1, np.int64),
        "is_touched": np.zeros(most, bool), "at": activations(weights, shape), "by": activations(weights, shape),
        "loss": np.zeros(3),
    }  # fmt: skip
    return Fit(**keys | given)


def losses(prepared, passes):
    for _ in range(passes):
        fit(prepared)
        yield prepared.loss[[SHARE, MARGIN]].sum() / prepared.loss[SAMPLES]


@pytest.mark.parametrize("size", [1, 4], ids=["single samples", "groups of four"])
def test_the_loss_of_a_problem_with_a_known_answer_falls(size):
    generator = np.random.default_rng(1)
    prepared = made_fit(made_weights(generator), made_samples(generator), np.arange(0, 401, size))
    first, *_, last = losses(prepared, 60)
    assert last < 0.2 * first
    predicted = np.zeros((400, 2), F)
    predict(prepared.weights, prepared.shape, prepared.samples, prepared.at, predicted)
    assert ((predicted[:, SHARE] > 0.5) == (prepared.samples.targets[:, SHARE] > 0.5)).mean() > 0.98


def test_the_step_goes_down_the_slope_of_the_loss():
    """The gradient of one minibatch is compared with differences of the loss, weight by weight."""
    generator = np.random.default_rng(2)
    samples = made_samples(generator, 40)
    weights = made_weights(generator)

    def loss(changed):
        prepared = made_fit(Weights(*(part.copy() for part in changed)), samples, np.arange(41))
        return next(losses(prepared, 1))

    for part, array in enumerate(weights):
        slopes, derivatives = [], []
        for place in list(np.ndindex(array.shape))[:: max(1, array.size // 12)]:
            ends = []
            for step in (0.01, -0.01):
                changed = [each.copy() for each in weights]
                changed[part][place] += F(step)
                ends.append(loss(changed))
            slopes.append((ends[0] - ends[1]) / 0.02)
            prepared = made_fit(Weights(*(each.copy() for each in weights)), samples, np.arange(41), rate=0.0)
            fit(prepared)  # with a rate of 0 only the moments move: the first is a tenth of the gradient
            derivatives.append(prepared.first[part][place] * 10 / 40)
        assert np.allclose(slopes, derivatives, atol=0.02 * max(0.1, np.abs(slopes).max())), Weights._fields[
            part
        ]


def test_targets_are_those_worked_out_by_hand():
    """Two games of two seats; in the first, seat 1 also sees the second position, of seat 0."""
    past = Past(
        games=np.array([0, 0, 0, 0, 1]),
        deciders=np.array([0, 0, 1, 0, 1]),
        seats=np.array([0, 1, 1, 0, 1]),
        values=np.array([[0.5, 0], [0.1, 0], [0.4, -1], [0.7, 1], [0.2, 0]], F),
    )
    results = np.array([[[1, 2], [0, -2]], [[0.5, 0], [0.5, 0]]], F)
    rows = targets(past, results, 0.2).tolist()
    assert rows[4] == pytest.approx([0.5, 0])  # the last decision of a seat: the result
    assert rows[3] == pytest.approx([1, 2])
    assert rows[2] == pytest.approx([0, -2])
    assert rows[1] == pytest.approx(
        [0.8 * 0 + 0.2 * 0.4, 0.8 * -2 + 0.2 * -1]
    )  # of seat 1: by its next decision
    assert rows[0] == pytest.approx([0.8 * 1 + 0.2 * 0.7, 0.8 * 2 + 0.2 * 1])
