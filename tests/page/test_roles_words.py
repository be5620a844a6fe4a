"""Sentences about roles: how far the farthest one is off, at each number of players, and which others are."""

import pytest

from simkit.page.words.roles import roles_sentence


def row(name: str, points: float, seats: int = 3, verdict: str = "UNFAIR", place: str = "") -> dict:
    ends = {"low": points / 100 - 0.01, "high": points / 100 + 0.01}
    words = {"noun": "faction", "name": name, "place": place, "at": "", "verdict": verdict}
    return words | ends | {"difference": points / 100, "seats": seats}


def at(*rows: dict) -> list[dict]:
    return [each | {"place": f" with {each['seats']} players"} for each in rows]


@pytest.mark.parametrize(
    ("rows", "sentence"),
    [
        ([row("rats", 7)], "The faction rats wins 7 games of 100 more than its fair share (6.0 to 8.0)."),
        (
            at(row("rats", 7), row("rats", 19, 4)),
            "The faction rats wins 7 games of 100 more than its fair share with 3 players (6.0 to 8.0) "
            "and 19 more with 4 players (18.0 to 20.0).",
        ),
        (
            at(row("rats", -6, 2), row("rats", 7), row("cats", 5, 2)),
            "The faction rats wins 7 games of 100 more than its fair share with 3 players (6.0 to 8.0), "
            "but 6 fewer with 2 players (5.0 to 7.0). Off as well: cats 5 more with 2 players.",
        ),
        (
            [row("rats", 9), row("cats", -5), row("dogs", -4), row("owls", -3), row("bats", 1, 3, "FAIR")],
            "The faction rats wins 9 games of 100 more than its fair share (8.0 to 10.0). "
            "Off as well: cats 5 fewer, dogs 4 fewer and 1 further case.",
        ),
        (
            [row("rats", 7), row("rats", 9)],
            "The faction rats wins 7 to 9 games of 100 more than its fair share with two lineups (6.0 to 10.0).",
        ),
    ],
)
def test_the_farthest_role_is_named_with_each_number_of_players(rows: list[dict], sentence: str) -> None:
    assert roles_sentence(rows, 0.02) == sentence
