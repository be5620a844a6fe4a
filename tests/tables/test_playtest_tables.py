"""Playtests beside simulated games: exact intervals and tests of known tables, codes, sentences, the page."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl
import pytest
from simkit.content.reports.playtests import games_to_play, playtest_sentences, playtest_tiles

from simkit.questions.playtests import results_of, score_that_wins, seat_rows, with_winners


@dataclass
class Cell:
    """What `seat_rows` reads of a cell."""

    index: int = 0
    seats: int = 2
    target: float | None = None


def group(people: list[float], simulated: list[float], target: float | None = None) -> Any:
    """Return games of two seats by the share of the first; scores, turns and plays are 0."""
    games = [
        np.array([[(share, 0, 0, 0), (1 - share, 0, 0, 0)] for share in part], float)
        for part in (people, simulated)
    ]
    return [Cell(target=target)], games[0], [games[1]]


def test_seven_of_ten_wins_have_the_interval_of_clopper_and_pearson() -> None:
    first, second = seat_rows(group([1] * 7 + [0] * 3, [0.0, 1.0]), 0)
    assert first[:4] == (0, 0, 10, pytest.approx(0.7))
    assert first[4:6] == pytest.approx((0.34755, 0.93326), abs=1e-5)  # of R: binom.test(7, 10)
    assert second[4:6] == pytest.approx((1 - 0.93326, 1 - 0.34755), abs=1e-5)


def test_draws_count_as_halves_with_the_variance_that_they_have() -> None:
    (drawn, _), (decided, _) = (
        seat_rows(group(shares, [0.0, 1.0]), 0) for shares in ([0.5] * 30, [1] * 15 + [0] * 15)
    )
    assert drawn[3] == decided[3] == 0.5
    assert drawn[5] - drawn[4] < 0.65 * (decided[5] - decided[4])


def test_both_shares_are_compared_by_the_interval_of_their_difference() -> None:
    simulated = [1] * 500 + [0.5] * 1_000 + [0] * 500
    p_values = [
        seat_rows(group(shares, simulated), 0)[0][7]
        for shares in ([0.5] * 40, [1] * 20 + [0] * 20, [1] * 14 + [0.5] * 22 + [0] * 4, [0] * 9)
    ]
    assert p_values[:2] == [1, 1] and p_values[2] == pytest.approx(0.05, abs=0.03) and p_values[3] < 0.01


def test_a_share_that_is_narrow_enough_asks_for_no_more_games() -> None:
    drawn_often = [1] * 102 + [0.5] * 162 + [0] * 236
    assert [row[8] for row in seat_rows(group(drawn_often, [0.0, 1.0]), 0)] == [0, 0]
    assert seat_rows(group([1, 1, 1, 0], [0.0, 1.0]), 0)[0][8] == 99


def test_games_without_a_winner_are_left_out_and_a_team_is_one_side() -> None:
    assert [row[2] for row in seat_rows(group([1, np.nan, 0], [0.0, 1.0]), 0)] == [2, 2]
    assert seat_rows(group([np.nan], [0.0, 1.0]), 0) == []
    assert len(seat_rows(group([1, 0], [0.0, 1.0], target=0.5), 0)) == 1


def games_with(*games: tuple[list[float], list[float]]) -> np.ndarray:
    """Return games by the shares and scores of their seats."""
    return np.array([[(*seat, 9, 0) for seat in zip(*game, strict=True)] for game in games], float)


NAN = float("nan")


@pytest.mark.parametrize(
    ("simulated", "scores", "winner"),
    [
        ([([1, 0], [5, 3])], [2, 7], [0, 1]),  # the highest score wins
        ([([1, 0], [3, 5]), ([0, 1], [3, 1])], [2, 7], [1, 0]),  # the lowest
        ([([1, 0], [5, 3]), ([0.5, 0.5], [4, 4])], [6, 6], [0.5, 0.5]),  # ties share
        ([([1, 0], [5, 3]), ([1, 0], [4, 4])], [6, 6], [NAN, NAN]),  # something else breaks ties
        ([([1, 0], [5, 3]), ([1, 0], [4, 4])], [6, 5], [1, 0]),
        ([([1, 0], [5, 3]), ([0, 1], [5, 3])], [6, 5], [NAN, NAN]),  # scores do not decide
        ([([1, 0], [5, 3]), ([0, 0], [4, 2])], [6, 5], [NAN, NAN]),  # nobody may win
        ([([1, 1], [5, 5]), ([0, 0], [4, 4])], [6, 6], [NAN, NAN]),  # a team
    ],
)
def test_scores_tell_the_winner_if_they_do_in_every_simulated_game(
    simulated: list[tuple[list[float], list[float]]], scores: list[float], winner: list[float]
) -> None:
    people = games_with(([NAN, NAN], scores), ([1, 0], scores), ([NAN, NAN], [NAN, 3]))
    filled = with_winners(people, [games_with(*simulated)])[:, :, 0]
    assert np.array_equal(filled, [winner, [1, 0], [NAN, NAN]], equal_nan=True)


def test_no_score_wins_where_nobody_ever_does() -> None:
    assert score_that_wins([games_with(([0, 0], [5, 3]))]) == 0


def test_results_are_the_winners_the_highest_score_its_gap_and_the_length() -> None:
    people = games_with(([0.5, 0.5], [4, 9]), ([NAN, NAN], [NAN, 1]))
    own, (other,) = results_of(([Cell()], people, [games_with(([0, 1], [2, 3]))]))
    assert np.array_equal(own, [[3, 9, 5, 9], [NAN, NAN, NAN, 9]], equal_nan=True)
    assert other.tolist() == [[2, 3, 1, 9]]


ROWS = [{"strategy": "greedy", "possible": True, "more_games": None}]
ROWS += [{"strategy": "hoarder", "possible": True, "more_games": 90}]
ROWS += [{"strategy": "random", "possible": False, "more_games": None}]
SEATS = [{"cell": 0, "people": 0.6, "low": 0.4, "high": 0.78, "simulated": 0.55, "p": 0.7, "more_games": 78}]


def test_the_sentences_say_who_is_ruled_out_and_how_many_games_tell_more() -> None:
    assert list(playtest_sentences(ROWS, SEATS, 30, "first player")) == [
        "30 playtests can rule out 1 of 3 simulated players (“random”); “greedy” fits best.",
        "The first player wins 60.0 % (40.0 to 78.0) of the playtests and 55.0 % with “greedy”: they can both be true.",
    ]


def test_the_next_step_says_how_many_more_games_people_should_play() -> None:
    assert games_to_play(ROWS, SEATS) == (
        "Play about 78 more games to know people's share to ±10 points and 90 to tell “greedy” from “hoarder”; "
        "add them to the sheet."
    )
    enough = [SEATS[0] | {"more_games": 0}]
    assert games_to_play(ROWS, enough) == (
        "Play about 90 more games to tell “greedy” from “hoarder”; add them to the sheet."
    )
    assert games_to_play(ROWS[::2], enough) == ""


def test_every_tile_has_people_beside_the_player_that_fits_best() -> None:
    """A tile “Who wins 51–57” was that of the simulated players, without saying so."""
    games = {"seat": [0, 1, 0, 1], "turns": [31, 31, 34, None], "score": [20, 16, 24, 17]}
    simulated = {"strategy": "greedy, tunable", "turns": 30, "scores": [18.5, 17.0]}
    tiles = playtest_tiles(pl.DataFrame(games), SEATS, simulated, "first player")
    assert [(tile.title, [(line.of, line.number) for line in tile.lines]) for tile in tiles] == [
        ("First player wins", [("people", "60"), ("greedy, tunable", "55")]),
        ("Length in turns", [("people", "31"), ("greedy, tunable", "30")]),
        ("Scores", [("people", "22.0 : 16.5"), ("greedy, tunable", "18.5 : 17.0")]),
    ]
    unknown = pl.DataFrame(games).with_columns(turns=None, score=None)
    assert playtest_tiles(unknown, [], simulated, "first player") == []


@pytest.mark.parametrize(
    ("simulated", "p", "possible", "comparison"),
    [
        (0.55, 0.7, False, "they can both be true"),
        (0.2, 0.001, False, "they cannot both be true"),
        (0.2, 0.03, True, "this difference alone does not rule “greedy” out"),  # one of several results
        (0.79, 0.06, False, "this difference alone does not rule “greedy” out"),
    ],
)
def test_shares_that_cannot_both_be_true_are_those_of_a_player_who_is_ruled_out(
    simulated: float, p: float, possible: bool, comparison: str
) -> None:
    seats = [SEATS[0] | {"simulated": simulated, "p": p}]
    rows = [ROWS[0] | {"possible": possible}, *ROWS[1:]]
    assert f"with “greedy”: {comparison}." in list(playtest_sentences(rows, seats, 30, "first player"))[1]


def test_nobody_may_fit_and_one_game_rules_out_few() -> None:
    out = [row | {"possible": False, "more_games": None} for row in ROWS]
    assert next(playtest_sentences(out, [], 300, "team")).endswith(
        "can rule out 3 of 3 simulated players; “greedy” comes nearest."
    )
    everybody = [row | {"possible": True} for row in ROWS]
    assert (
        next(playtest_sentences(everybody, [], 1, "team"))
        == "1 playtest can rule out none of 3 simulated players; “greedy” fits best."
    )
    assert len(list(playtest_sentences(ROWS[::2], [], 1, "team"))) == 1


def test_shares_of_several_settings_are_left_to_the_table() -> None:
    several = [*SEATS, SEATS[0] | {"cell": 1}]
    assert not any("wins" in text for text in playtest_sentences(ROWS, several, 30, "team"))
    assert pl.DataFrame(several)["cell"].n_unique() == 2
