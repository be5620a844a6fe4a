"""How far an outcome hangs on an action: made-up actions whose odds are known."""

import numpy as np
import pytest

from simkit.stats.gaps import between

ODDS = {"alike": ([0.7, 0.3], [0.7, 0.3], 0.0), "unlike": ([0.7, 0.3], [0.4, 0.6], 0.09)}


@pytest.mark.parametrize("name", ODDS)
@pytest.mark.parametrize("shared", [False, True])
def test_the_mean_is_half_the_squared_distance_of_the_odds_whether_luck_is_shared_or_not(name, shared):
    first, other, expected = ODDS[name]
    luck = np.random.default_rng(1).random((4000, 2, 8))
    if shared:
        luck[:, 1] = luck[:, 0]
    results = [between(drawn >= np.array([first[:1], other[:1]])) for drawn in luck]
    error = np.std(results) / len(results) ** 0.5
    assert abs(np.mean(results) - expected) <= 4 * error


def test_of_several_actions_it_is_the_mean_over_their_pairs():
    assert between([[0, 0], [0, 0], [1, 1]]) == pytest.approx(2 / 3)


@pytest.mark.parametrize("outcomes", [[[1, 2, 3]], [[1], [2]]])
def test_one_action_or_one_luck_is_refused(outcomes):
    with pytest.raises(ValueError, match="two actions and two lucks at least"):
        between(outcomes)
