"""Playtests beside simulated games: exact intervals and tests of known tables, codes, sentences, the page."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl
import pytest

from reports.sections.playtests import sentences
from simkit.analysis.playtests import codes_of, seat_rows
from simkit.stats.playtests import MISSING


@dataclass
class Cell:
    """What `seat_rows` reads of a cell."""

    index: int = 0
    seats: int = 2
    target: float | None = None


def group(people: list[float], simulated: list[float], target: float | None = None) -> Any:
    """Return games of two seats by the share of the first; scores and turns are 0."""
    games = [
        np.array([[(share, 0, 0), (1 - share, 0, 0)] for share in part], float)
        for part in (people, simulated)
    ]
    return [Cell(target=target)], games[0], [games[1]]


def test_seven_of_ten_wins_have_the_interval_of_clopper_and_pearson() -> None:
    first, second = seat_rows(group([1] * 7 + [0] * 3, [0.0, 1.0]), 0)
    assert first[:4] == (0, 0, 10, pytest.approx(0.7))
    assert first[4:6] == pytest.approx((0.34755, 0.93326), abs=1e-5)  # of R: binom.test(7, 10)
    assert second[4:6] == pytest.approx((1 - 0.93326, 1 - 0.34755), abs=1e-5)


def test_draws_only_widen_the_interval() -> None:
    (first, _), (sole, _), (wins, _) = (
        seat_rows(group(shares, [0.0, 1.0]), 0)
        for shares in ([1] * 6 + [0.5] * 2 + [0] * 2, [1] * 6 + [0] * 4, [1] * 8 + [0] * 2)
    )
    assert first[3] == 0.7 and (first[4], first[5]) == (sole[4], wins[5])


def test_both_shares_are_compared_by_fishers_exact_test() -> None:
    (first, _) = seat_rows(group([1] * 3 + [0], [1] + [0] * 3), 0)
    assert first[6:8] == (0.25, pytest.approx(0.4857))  # Fisher's lady tasting tea, two-sided
    assert first[8] == 60  # ±40 points after 4 games: ±10 after 16 times as many


def test_games_without_a_winner_are_left_out_and_a_team_is_one_side() -> None:
    assert [row[2] for row in seat_rows(group([1, np.nan, 0], [0.0, 1.0]), 0)] == [2, 2]
    assert seat_rows(group([np.nan], [0.0, 1.0]), 0) == []
    assert len(seat_rows(group([1, 0], [0.0, 1.0], target=0.5), 0)) == 1


def test_codes_are_of_the_winners_and_of_bins_of_simulated_numbers() -> None:
    rng = np.random.default_rng(1)
    simulated = np.zeros((1_200, 2, 3))
    simulated[:, 0, 0] = 1
    simulated[:, :, 1], simulated[:, :, 2] = rng.random((1_200, 2)), rng.integers(1, 40, (1_200, 1))
    people = np.array([[[0.5, -5, 7], [0.5, 99, 7]], [[np.nan, np.nan, np.nan]] * 2])
    codes, (others,) = codes_of(([Cell()], people, [simulated]))
    assert codes[1].tolist() == [MISSING] * 4
    assert codes[0, 0] != others[0, 0] and codes[0, 1:3].tolist() == [others[:, 1].max(), others[:, 2].min()]
    assert np.bincount(others[:, 1]).tolist() == [100] * 12


ROWS = [{"strategy": "greedy", "possible": True, "more_games": None}]
ROWS += [{"strategy": "hoarder", "possible": True, "more_games": 90}]
ROWS += [{"strategy": "random", "possible": False, "more_games": None}]
SEATS = [{"cell": 0, "people": 0.6, "low": 0.4, "high": 0.78, "simulated": 0.55, "p": 0.7, "more_games": 78}]


def test_the_sentences_say_who_is_ruled_out_and_how_many_games_tell_more() -> None:
    assert list(sentences(ROWS, SEATS, 30, "first player")) == [
        "30 playtests can rule out 1 of 3 simulated players; greedy fits best.",
        "The first player wins 60.0 % (40.0 to 78.0) of the playtests and 55.0 % with greedy: they can both be true.",
        "About 78 more games narrow people's share to ±10 points.",
        "To tell greedy from hoarder takes about 90 more games.",
    ]


def test_nobody_may_fit_and_one_game_rules_out_few() -> None:
    out = [row | {"possible": False, "more_games": None} for row in ROWS]
    assert next(sentences(out, [], 300, "team")).endswith(
        "can rule out 3 of 3 simulated players; greedy comes nearest."
    )
    everybody = [row | {"possible": True} for row in ROWS]
    assert (
        next(sentences(everybody, [], 1, "team"))
        == "1 playtest can rule out none of 3 simulated players; greedy fits best."
    )
    assert len(list(sentences(ROWS[::2], [], 1, "team"))) == 1


def test_shares_of_several_settings_are_left_to_the_table() -> None:
    several = [*SEATS, SEATS[0] | {"cell": 1}]
    assert not any("wins" in text for text in sentences(ROWS, several, 30, "team"))
    assert pl.DataFrame(several)["cell"].n_unique() == 2
