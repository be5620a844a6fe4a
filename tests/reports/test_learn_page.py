"""What the page of a training says, from literal rows."""

from __future__ import annotations

from typing import Any

import pytest
from simkit.content.reports import learn

from simkit.questions.learn.result import Learning, Look, Student


def match(share: float, fair: float = 0.5, half: float = 0.02, player: str = "best") -> dict[str, Any]:
    """A row of `learned_matches`."""
    ends = {"low": share - half, "high": share + half}
    return {"player": player, "share": share, **ends, "fair": fair, "ahead": share - half > fair}


def student(*shares: float, **more: Any) -> Student:
    curve = [Look(games=1000 * i, share=s, low=s, high=s, loss=0) for i, s in enumerate(shares)]
    return Student(**{"name": "best", "seed": 1, "teacher": "self", "curve": curve} | more)


@pytest.mark.parametrize(
    ("row", "seats", "text"),
    [
        (
            match(0.842),
            2,
            "The learned player wins 84.2 games in 100 against lookahead, the best scripted player (82.2 to 86.2).",
        ),
        (
            match(0.613, 1 / 3),
            3,
            "The learned player wins 61.3 games in 100 against lookahead, the best scripted player (59.3 to 63.3), with "
            "the rival in all other seats; equal players would win 33.3.",
        ),
        (
            match(0.51),
            2,
            "The learned player was not shown to be stronger than lookahead, the best scripted player: it wins 51.0 "
            "games in 100 (49.0 to 53.0).",
        ),
        (
            match(0.4),
            2,
            "The learned player is not as strong as lookahead, the best scripted player: it wins 40.0 games in 100 "
            "(38.0 to 42.0).",
        ),
    ],
)
def test_the_headline_says_whether_the_player_is_stronger_than_the_best_scripted_one(
    row: dict[str, Any], seats: int, text: str
) -> None:
    assert learn.learn_headline(row, "lookahead", seats) == text


def test_without_scripted_players_the_rival_is_random_play() -> None:
    assert learn.learn_headline(match(0.838), "") == (
        "The learned player wins 83.8 games in 100 against random play (81.8 to 85.8); the game has no scripted players."
    )


def test_a_team_is_compared_with_the_team_of_the_best_scripted_player() -> None:
    assert learn.team_headline(match(0.628, 0.495), "brinkman") == (
        "A team of learned players wins 62.8 games in 100 (60.8 to 64.8); a team of brinkman, the best scripted "
        "player, 49.5."
    )
    assert learn.team_headline(match(0.5, 0.495), "brinkman") == (
        "A team of learned players was not shown to be better: it wins 50.0 games in 100 (48.0 to 52.0); a team of "
        "brinkman, the best scripted player, 49.5."
    )
    assert learn.team_headline(match(0.628, 0.1), "") == (
        "A team of learned players wins 62.8 games in 100 (60.8 to 64.8); a team of random players wins 10.0."
    )


def test_a_curve_rises_if_its_last_third_is_surely_above_the_one_before() -> None:
    def ended(*shares: float, half: float = 0.04) -> bool:
        curve = [Look(games=i, share=s, low=s - half, high=s + half, loss=0) for i, s in enumerate(shares)]
        return learn.is_rising(student(curve=curve))

    assert ended(0.3, 0.3, 0.4, 0.4, 0.5, 0.5)
    assert not ended(0.3, 0.3, 0.4, 0.4, 0.42, 0.42)
    assert not ended(0.625, 0.607, 0.63, 0.63, 0.638, 0.615)
    assert not ended(0.3, 0.9)


def test_the_advice_says_how_a_lineup_names_the_player_or_what_else_to_try() -> None:
    assert (
        learn.learn_advice(match(0.8), student(), 36.2)
        == "A decision takes 36 µs. In a lineup it is learned."
    )
    late = student(name="late")
    assert learn.learn_advice(match(0.8), late, 0.4) == (
        "A decision takes less than 1 µs. In a lineup it is learned(name=late)."
    )
    assert learn.learn_advice(match(0.8), late, 0) == "In a lineup it is learned(name=late)."
    assert learn.learn_advice(match(0.4), student(0.1, 0.2, 0.3, 0.4, 0.5, 0.6), 36.2) == (
        "It was not installed, so lineups cannot use it. The curve was still rising at the end: try twice the games."
    )
    assert learn.learn_advice(match(0.4), student(0.1, 0.4, 0.4, 0.4), 36.2, varies=True) == (
        "It was not installed, so lineups cannot use it. The curve was no longer surely rising at the end: try "
        "--teacher improve, then fewer varied options."
    )
    assert learn.what_to_try(student(0.1, 0.4), False, scripted=False) == (
        "The curve was no longer surely rising at the end: try twice the games."
    )


def test_players_of_other_seeds_say_how_much_is_chance() -> None:
    rows = [match(0.8), match(0.861, player="best_2"), match(0.84, player="best_3")]
    assert learn.sibling_sentence(rows) == (
        "The 3 players, trained from different seeds, win 80.0 to 86.1 games in 100."
    )
    assert not learn.sibling_sentence(rows[:1])


def test_the_page_says_for_which_rules_the_player_was_trained() -> None:
    results = Learning(
        seats=2,
        games=150_000,
        fixed={},
        vary={"start_total_second": [*range(12, 25)], "card_set": ["v40", "v41"]},
        panel=["lookahead"],
        students=[student()],
        side_runs=[],
    )
    labels = {"start_total_second": "second player's total", "card_set": "card set"}
    assert learn.trained_for(results, labels.__getitem__) == (
        "2 players, second player's total 12 to 24 and card set v40 or v41, 150,000 games."
    )
