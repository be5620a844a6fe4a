"""What a sequential test leaves of a mean: as an imagined walk says, as often too high as too low, covered."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import norm

from simkit.stats import matches, sprt, stages
from simkit.stats.stages import Walk

CAP = 5_000
SIDE_RUNS = [200, 250, 312, 390, 487, 608, 760, 950, 1187, 1483, 1853, 2316, 2895, 3618, 4522, CAP]
LOW, HIGH = sprt.sprt_bounds()


def test_after_one_look_it_is_the_usual_interval() -> None:
    result = stages.stagewise(Walk([900], LOW, HIGH, 0.2, 0.5, 0.09), 0.52)
    assert result == pytest.approx((0.52, *norm.interval(0.95, 0.52, 0.01)), abs=1e-5)
    assert result == pytest.approx((0.52, 0.52 - 0.01959964, 0.52 + 0.01959964), abs=1e-5)


@pytest.mark.parametrize(("analyses", "mean"), [(3, 0.55), (6, 0.53), (8, 0.47)])
def test_the_chance_of_an_outcome_as_far_up_is_that_of_imagined_walks(analyses: int, mean: float) -> None:
    walk = Walk(SIDE_RUNS[:analyses], LOW, HIGH, 0.3, 0.5, 0.12)
    theta, runs, seen = 0.51, 200_000, walk.at(mean)
    rng, steps = np.random.default_rng(1), np.diff([0, *walk.analyses])
    moves = walk.slope * (
        steps * (theta - walk.middle) + np.sqrt(steps * walk.variance) * rng.normal(size=(runs, len(steps)))
    )
    paths, above, open_still = moves.cumsum(axis=1), np.zeros(runs, bool), np.ones(runs, bool)
    for place in range(len(steps) - 1):
        above |= open_still & (paths[:, place] >= HIGH)
        open_still &= (paths[:, place] > LOW) & (paths[:, place] < HIGH)
    if seen <= LOW:  # then whoever stopped below earlier is farther down
        part = np.mean(above | (open_still & (paths[:, -1] > seen)))
    else:
        part = np.mean(above | (open_still & (paths[:, -1] >= seen)))
    assert stages._Grid(walk, mean, 0.1).beyond(theta) == pytest.approx(part, abs=4e-3)


@pytest.mark.slow
@pytest.mark.proof("stats")
@given(st.floats(0.3, 0.7), st.integers(1, len(SIDE_RUNS)), st.floats(0.01, 0.2))
def test_what_is_seen_from_the_other_side_is_the_mirror_image(
    mean: float, analyses: int, variance: float
) -> None:
    walk = Walk(SIDE_RUNS[:analyses], LOW, HIGH, 0.02 / variance, 0.5, variance)
    result, other = stages.stagewise(walk, mean), stages.stagewise(walk, 1 - mean)
    assert result.low < result.value < result.high
    assert (1 - other.value, 1 - other.high, 1 - other.low) == pytest.approx(result, abs=1e-4)


POINTS, USUAL = np.linspace(0, 1, 5), np.array([0.06, 0.18, 0.52, 0.18, 0.06])


def _chances(score: float) -> np.ndarray:
    """Results of deals with this mean score."""
    from scipy.optimize import brentq

    def tilted(by: float) -> np.ndarray:
        return np.asarray(USUAL * np.exp(by * POINTS) / (USUAL @ np.exp(by * POINTS)))

    return tilted(brentq(lambda by: tilted(by) @ POINTS - score, -20, 20))


def _match(
    rng: np.random.Generator, chances: np.ndarray, elos: tuple[float, float], normalized: bool
) -> tuple[bool, list[int], np.ndarray]:
    """Whether H1 was taken, the looks, the counts of a match played as `simkit match` plays it."""
    counts, before = np.zeros(5), 0
    for look in SIDE_RUNS:
        counts += rng.multinomial(look - before, chances)
        before = look
        message = sprt.decision(matches.llr(matches.Counts(POINTS, counts), elos, 2, normalized))
        if message != "continue":
            break
    return message == "H1", SIDE_RUNS[: SIDE_RUNS.index(look) + 1], counts


def _normalized_score(elo: float) -> float:
    """The mean score of the results that are so much normalised Elo off one half."""
    score = 0.5
    for _ in range(20):
        (_, score) = matches.scores_of_test(matches.Counts(POINTS, _chances(score)), (0, elo), 2, True)
    return score


def _simulated(elo: float, runs: int, normalized: bool = False) -> tuple[float, float, float, float, float]:
    """H1 taken, estimates too high, intervals that cover: corrected, plain; mean error of the plain Elo."""
    elos, rng, score = (0.0, 20.0), np.random.default_rng(7), sprt.score_of_elo(elo)
    score = _normalized_score(elo) if normalized else score
    chances, result = _chances(score), []
    for _ in range(runs):
        taken, analyses, counts = _match(rng, chances, elos, normalized)
        expected, games = matches.Counts(POINTS, counts), int(2 * counts.sum())
        tested = matches.scores_of_test(expected, elos, 2, normalized)
        first, plain = matches.stopped(expected, analyses, tested, games), matches.fixed(expected, games)
        covered = [each.low <= score <= each.high for each in (first, plain)]
        result.append((taken, first.value > score, *covered, plain.value - score))
    taken, high, covers, plain_covers, error = np.mean(result, axis=0)
    return taken, high, covers, plain_covers, error


@pytest.mark.slow
@pytest.mark.proof("stats")
def test_a_match_at_the_edge_is_estimated_too_high_as_often_as_too_low() -> None:
    taken, high, covers, _, error = _simulated(20.0, 250)
    assert taken > 0.92 and 0.4 < high < 0.6 and covers > 0.91 and error > 0


@pytest.mark.slow
@pytest.mark.proof("stats")
@pytest.mark.parametrize(
    ("elo", "normalized"),
    [(-20.0, False), (0.0, False), (10.0, True), (20.0, False), (20.0, True), (40.0, False)],
)
def test_intervals_after_a_test_cover_and_its_errors_are_kept(elo: float, normalized: bool) -> None:
    taken, high, covers, _, _ = _simulated(elo, 1_000, normalized)
    assert 0.45 < high < 0.55 and 0.93 < covers < 0.97  # within three standard errors
    if elo <= 0:
        assert taken < 0.06
    if elo >= 20:
        assert taken > 0.94
