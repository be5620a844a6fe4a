"""Fit the float weights of a net to samples: forward, backward and Adam, compiled once for all games.

The net is that of `simkit.engine.learned.net` in real numbers. A sample is a list of rows of the embedding
table, each times a number in sixteenths, then the same for each token with rows of the token table. The sums
are clipped to 0..32 and those of the tokens of one axis added up and scaled; a hidden layer of 16 units,
clipped alike, leads to two outputs: the logit of the share of the win, and the margin in its standard
deviations.

Adam: Kingma, Ba: "Adam: a method for stochastic optimization", ICLR 2015. Rows that no sample of a minibatch
has keep their moments.
"""

from typing import Annotated, Any, NamedTuple

import numpy as np
from numba import types

from simkit.engine.compile import jit
from simkit.engine.kernel import Flags, Floats, Ints

BLOCK = 16  # units of a token, of the hidden layer; the units of the embedding are a multiple of it
MINIBATCH = 128
GROUP_WEIGHT = 4.0  # of the differences between the samples of a group, whose mean counts once
MOST = np.float32(32.0)  # activations are clipped to 0..MOST
LARGEST = np.float32(31.0)  # weights are clipped to ±LARGEST, which int16 holds
ZERO, UNITY, SIXTEENTH = np.float32(0.0), np.float32(1.0), np.float32(1 / 16)
BETA_1, BETA_2, TINY = np.float32(0.9), np.float32(0.999), np.float32(1e-8)
SHARE, MARGIN, SAMPLES = range(3)  # outputs; places in `Fit.loss`

Vector = Annotated[np.ndarray, types.float32, 1]
Table = Annotated[np.ndarray, types.float32, 2]
Cube = Annotated[np.ndarray, types.float32, 3]
Single = Annotated[float, types.float64, 0]
RowTable = Annotated[np.ndarray, types.uint16, 2]
NumberTable = Annotated[np.ndarray, types.int8, 2]


class Weights(NamedTuple):
    """Weights of a net, float32; gradients and Adam's two moments have the same shapes."""

    rows: Table  # [row, unit]
    token_rows: Table  # [row, unit]
    hidden: Table  # [input, unit]; the inputs are the units of the embedding, then of each axis of tokens
    hidden_bias: Vector
    out: Table  # [hidden unit, output]
    out_bias: Vector


class Samples(NamedTuple):
    """Encoded positions with their targets."""

    rows: RowTable  # [sample, entry]: rows of the embedding table, then rows of the token table
    numbers: NumberTable  # [sample, entry], in sixteenths
    counts: RowTable  # [sample, 1 + token]: entries of the embedding, then of each token
    targets: Table  # [sample, output]


class Past(NamedTuple):
    """Positions of games in the order of play, with the values that a net gives them."""

    games: Ints
    deciders: Ints
    seats: Ints  # seat that sees the position
    values: Table  # [position, output]


class Shape(NamedTuple):
    """The axis of each token, and by axis the scale of the sum of its tokens."""

    axes: Ints
    scales: Vector


class Activations(NamedTuple):
    """Values of the units of a net for one sample."""

    tokens: Table  # [token, unit]
    inputs: Vector  # of the hidden layer
    hidden: Vector
    out: Vector


class Fit(NamedTuple):
    """A pass over samples: the net, its gradients and moments, and the memory of the pass."""

    weights: Weights
    gradients: Weights  # zero between minibatches
    first: Weights
    second: Weights
    shape: Shape
    samples: Samples
    groups: Ints  # first sample of each group, and the number of samples
    order: Ints  # groups to learn from, one after the other
    group_weight: Single
    rate: Single
    steps: Ints  # minibatches so far, as one number
    touched: Ints  # rows of a minibatch: those of the embedding, then of the tokens; last their number
    is_touched: Flags  # by row
    at: Activations
    by: Activations  # derivatives by the units
    loss: Floats  # filled: sums of the losses of the outputs, and samples


def activations(weights: Weights, shape: Shape) -> Activations:
    """Return memory for the activations of one sample."""
    sizes = (max(1, len(shape.axes)), BLOCK), len(weights.hidden), BLOCK, 2
    return Activations(*(np.zeros(size, np.float32) for size in sizes))


def zeros(weights: Weights) -> Weights:
    """Return zeros in the shapes of weights."""
    return Weights(*map(np.zeros_like, weights))


@jit.rule
def _add(target, row, number):  # type: ignore[no-untyped-def]
    """Add a multiple of a row; the units are a multiple of BLOCK."""
    for block in range(target.size // BLOCK):
        for unit in range(BLOCK):
            target[BLOCK * block + unit] += row[BLOCK * block + unit] * number


@jit.rule
def _clip(values):  # type: ignore[no-untyped-def]
    for unit in range(values.size):
        values[unit] = min(max(values[unit], ZERO), MOST)


@jit.rule
def forward(weights, shape, samples, i, at):  # type: ignore[no-untyped-def]
    """Compute the activations of sample i."""
    rows, numbers, counts = samples.rows[i], samples.numbers[i], samples.counts[i]
    units, entry = weights.rows.shape[1], 0
    at.inputs[:] = ZERO
    for _ in range(counts[0]):
        _add(at.inputs[:units], weights.rows[rows[entry]], numbers[entry] * SIXTEENTH)
        entry += 1
    _clip(at.inputs[:units])
    for token in range(shape.axes.size):
        sums, first = at.tokens[token], units + BLOCK * shape.axes[token]
        sums[:] = ZERO
        for _ in range(counts[1 + token]):
            _add(sums, weights.token_rows[rows[entry]], numbers[entry] * SIXTEENTH)
            entry += 1
        _clip(sums)
        _add(at.inputs[first : first + BLOCK], sums, shape.scales[shape.axes[token]])
    _clip(at.inputs)
    at.hidden[:] = ZERO
    _add(at.hidden, weights.hidden_bias, UNITY)
    for k in range(at.inputs.size):
        if at.inputs[k] != ZERO:
            _add(at.hidden, weights.hidden[k], at.inputs[k])
    _clip(at.hidden)
    at.out[SHARE], at.out[MARGIN] = weights.out_bias[SHARE], weights.out_bias[MARGIN]
    for unit in range(BLOCK):
        at.out[SHARE] += at.hidden[unit] * weights.out[unit, SHARE]
        at.out[MARGIN] += at.hidden[unit] * weights.out[unit, MARGIN]


@jit.rule
def logistic(logit):  # type: ignore[no-untyped-def]
    """Return the share of a logit, float32."""
    return UNITY / (UNITY + np.exp(-logit))


@jit.rule
def _errors(fit, i):  # type: ignore[no-untyped-def]
    """Return the derivatives of the loss of sample i by the outputs."""
    at, target = fit.at, fit.samples.targets[i]
    forward(fit.weights, fit.shape, fit.samples, i, at)
    return logistic(at.out[SHARE]) - target[SHARE], at.out[MARGIN] - target[MARGIN]


@jit.rule
def _open_units(value):  # type: ignore[no-untyped-def]
    """Return whether a clipped value passes a derivative on."""
    return ZERO < value < MOST


@jit.rule
def _mark(fit, row):  # type: ignore[no-untyped-def]
    """Note that a minibatch has a row."""
    if not fit.is_touched[row]:
        fit.is_touched[row] = True
        fit.touched[fit.touched[-1]] = row
        fit.touched[-1] += 1


@jit.rule
def _backward(fit, i, share, margin):  # type: ignore[no-untyped-def]
    """Add the derivatives of sample i to the gradients, from those by the outputs."""
    weights, gradients, shape, at, by = fit.weights, fit.gradients, fit.shape, fit.at, fit.by
    rows, numbers, counts = fit.samples.rows[i], fit.samples.numbers[i], fit.samples.counts[i]
    units, entry = weights.rows.shape[1], 0
    gradients.out_bias[SHARE] += share
    gradients.out_bias[MARGIN] += margin
    for unit in range(BLOCK):
        value = at.hidden[unit]
        gradients.out[unit, SHARE] += value * share
        gradients.out[unit, MARGIN] += value * margin
        by.hidden[unit] = ZERO
        if _open_units(value):
            by.hidden[unit] = share * weights.out[unit, SHARE] + margin * weights.out[unit, MARGIN]
    _add(gradients.hidden_bias, by.hidden, UNITY)
    for k in range(at.inputs.size):
        by.inputs[k] = ZERO
        if at.inputs[k] != ZERO:
            _add(gradients.hidden[k], by.hidden, at.inputs[k])
            if _open_units(at.inputs[k]):
                by.inputs[k] = _product(weights.hidden[k], by.hidden, by.tokens[0])
    for _ in range(counts[0]):
        _add(gradients.rows[rows[entry]], by.inputs[:units], numbers[entry] * SIXTEENTH)
        _mark(fit, int(rows[entry]))
        entry += 1
    for token in range(shape.axes.size):
        first, scale, values = (
            units + BLOCK * shape.axes[token],
            shape.scales[shape.axes[token]],
            by.tokens[0],
        )
        for unit in range(BLOCK):
            values[unit] = by.inputs[first + unit] * scale if _open_units(at.tokens[token, unit]) else ZERO
        for _ in range(counts[1 + token]):
            _add(gradients.token_rows[rows[entry]], values, numbers[entry] * SIXTEENTH)
            _mark(fit, weights.rows.shape[0] + int(rows[entry]))
            entry += 1


@jit.rule
def _product(left, right, room):  # type: ignore[no-untyped-def]
    """Return the scalar product of BLOCK numbers, added up by halves."""
    for unit in range(BLOCK):
        room[unit] = left[unit] * right[unit]
    for half in (8, 4, 2, 1):
        for unit in range(half):
            room[unit] += room[unit + half]
    return room[0]


@jit.rule
def _adapt(weights, gradients, first, second, rate, scale):  # type: ignore[no-untyped-def]
    """Take a step of Adam with a part of the weights and clear its gradients."""
    for k in range(weights.size):
        slope = gradients[k]
        first[k] += (slope - first[k]) * (UNITY - BETA_1)
        second[k] += (slope * slope - second[k]) * (UNITY - BETA_2)
        weight = weights[k] - rate * first[k] / (np.sqrt(second[k] * scale) + TINY)
        weights[k] = min(max(weight, -LARGEST), LARGEST)
        gradients[k] = ZERO


@jit.rule
def _step(fit):  # type: ignore[no-untyped-def]
    """Take a step of Adam with the rows of a minibatch and all other weights."""
    w, g, m, v = fit.weights, fit.gradients, fit.first, fit.second
    fit.steps[0] += 1
    n = fit.steps[0]
    rate = np.float32(fit.rate / (1.0 - 0.9**n))
    scale = np.float32(1.0 / (1.0 - 0.999**n))
    row_count = w.rows.shape[0]
    for i in range(fit.touched[-1]):
        row = fit.touched[i]
        fit.is_touched[row] = False
        if row < row_count:
            _adapt(w.rows[row], g.rows[row], m.rows[row], v.rows[row], rate, scale)
        else:
            k = row - row_count
            _adapt(w.token_rows[k], g.token_rows[k], m.token_rows[k], v.token_rows[k], rate, scale)
    fit.touched[-1] = 0
    for k in range(w.hidden.shape[0]):
        _adapt(w.hidden[k], g.hidden[k], m.hidden[k], v.hidden[k], rate, scale)
    for unit in range(BLOCK):
        _adapt(w.out[unit], g.out[unit], m.out[unit], v.out[unit], rate, scale)
    _adapt(w.hidden_bias, g.hidden_bias, m.hidden_bias, v.hidden_bias, rate, scale)
    _adapt(w.out_bias, g.out_bias, m.out_bias, v.out_bias, rate, scale)


@jit.rule
def _learn(fit, first, end):  # type: ignore[no-untyped-def]
    """Add the derivatives of a group of samples to the gradients, and their losses to the sums."""
    share_mean = margin_mean = ZERO
    if end - first > 1:
        for i in range(first, end):
            share, margin = _errors(fit, i)
            share_mean += share / np.float32(end - first)
            margin_mean += margin / np.float32(end - first)
    weight = np.float32(fit.group_weight) if end - first > 1 else UNITY
    for i in range(first, end):
        share, margin = _errors(fit, i)
        _add_loss(fit, i, margin)
        share = share_mean + weight * (share - share_mean)
        _backward(fit, i, share, margin_mean + weight * (margin - margin_mean))


@jit.rule
def _add_loss(fit, i, margin):  # type: ignore[no-untyped-def]
    """Add the losses of sample i: the cross-entropy of the share, half the squared error of the margin."""
    logit, share = fit.at.out[SHARE], fit.samples.targets[i, SHARE]
    fit.loss[SHARE] += max(logit, ZERO) - logit * share + np.log1p(np.exp(-abs(logit)))
    fit.loss[MARGIN] += margin * margin / 2
    fit.loss[SAMPLES] += 1


def _fit(fit):  # type: ignore[no-untyped-def]
    samples = 0
    fit.loss[:] = 0.0
    for k in range(fit.order.size):
        first, end = fit.groups[fit.order[k]], fit.groups[fit.order[k] + 1]
        _learn(fit, first, end)
        samples += end - first
        if samples >= MINIBATCH or k == fit.order.size - 1:
            _step(fit)
            samples = 0


def _predict(weights, shape, samples, at, out):  # type: ignore[no-untyped-def]
    for i in range(samples.counts.shape[0]):
        forward(weights, shape, samples, i, at)
        out[i, SHARE], out[i, MARGIN] = logistic(at.out[SHARE]), at.out[MARGIN]


def _go_back(past, results, room, trust, out):  # type: ignore[no-untyped-def]
    game, (values, targets) = -1, (room[0], room[1])
    for k in range(past.games.size - 1, -1, -1):
        if past.games[k] != game:
            game = past.games[k]
            for seat in range(results.shape[1]):
                for output in (SHARE, MARGIN):
                    values[seat, output] = targets[seat, output] = results[game, seat, output]
        seat = past.seats[k]
        for output in (SHARE, MARGIN):
            value, target = values[seat, output], targets[seat, output]
            out[k, output] = target + trust * (value - target)
            if past.deciders[k] == seat:
                values[seat, output], targets[seat, output] = past.values[k, output], out[k, output]


def _type_of(declaration: Any) -> Any:
    """Return the Numba type of an argument as declared."""
    if hasattr(declaration, "_fields"):
        return types.NamedTuple([*map(_type_of, declaration.__annotations__.values())], declaration)
    kind, axes = declaration.__metadata__
    return types.Array(kind, axes, "C") if axes else kind


def targets(past: Past, results: np.ndarray, trust: float) -> np.ndarray:
    """Return the targets of TD(lambda) of positions, float32[position, output]; `trust` is 1 - lambda.

    Going backward through a game, the target of a seat is `trust` times the value at its next decision plus
    the rest of the target there, and after its last decision its result, results[game, seat, output]
    (Sutton, Barto: "Reinforcement learning", 2nd ed., 12.1).
    """
    out, room = np.zeros_like(past.values), np.zeros((2, results.shape[1], 2), np.float32)
    _fill_targets(past, results, room, trust, out)
    return out


def learn(
    state: tuple[Weights, Weights, Weights, np.ndarray],
    shape: Shape,
    samples: Samples,
    sizes: np.ndarray,
    order: np.ndarray,
    rate: float,
) -> float:
    """Learn from groups of samples, one after the other; return the mean loss before each step.

    Args:
        state: weights, the moments of Adam and the number of steps so far, which are changed.
        shape: of the net.
        samples: group after group.
        sizes: samples of each group.
        order: groups to learn from.
        rate: of Adam.
    """
    weights, first, second, steps = state
    rows = len(weights.rows) + len(weights.token_rows)
    pass_over = Fit(
        weights=weights, gradients=zeros(weights), first=first, second=second, shape=shape, samples=samples,
        groups=np.concatenate([[0], np.cumsum(sizes)]), order=order, group_weight=GROUP_WEIGHT, rate=rate,
        steps=steps, touched=np.zeros(rows + 1, np.int64), is_touched=np.zeros(rows, bool),
        at=activations(weights, shape), by=activations(weights, shape), loss=np.zeros(3),
    )  # fmt: skip
    fit(pass_over)
    return float((pass_over.loss[SHARE] + pass_over.loss[MARGIN]) / max(1.0, pass_over.loss[SAMPLES]))


fit = jit.EntryPoint(_fit, types.void(_type_of(Fit)), "fit", allocates=False)
predict = jit.EntryPoint(  # fills out[sample, output] with shares and margins
    _predict,
    types.void(*map(_type_of, (Weights, Shape, Samples, Activations, Table))),
    "predict",
    allocates=False,
)
_fill_targets = jit.EntryPoint(
    _go_back, types.void(*map(_type_of, (Past, Cube, Cube, Single, Table))), "targets", allocates=False
)
