"""Sheets of playtests: what may be written in them, and errors by row and column."""

from pathlib import Path

import pytest

from simkit.engine import registry
from simkit.errors import UsageError
from simkit.questions.playtests import columns_of, read_games

PIG, BRIDGE = "pig", "rope_bridge"


def read(folder: Path, text: str, game: str = PIG, **options: object) -> list[dict[str, object]]:
    (folder / "table.csv").write_text(text, encoding="utf-8")
    return read_games(registry.game(game), folder / "table.csv", options, 2)[0].rows(named=True)


def shares(folder: Path, winner: str, game: str = PIG) -> list[object]:
    rows = read(folder, f'seat_1,seat_2,seat_3,winner,turns\nAnna,Ben,Cleo,"{winner}",9\n', game)
    return [row["share"] for row in rows]


@pytest.mark.parametrize(
    ("winner", "expected"),
    [
        ("Ben", [0, 1, 0]),
        ("BEN", [0, 1, 0]),
        ("3", [0, 0, 1]),
        ("Seat 1", [1, 0, 0]),
        ("Anna & Cleo", [0.5, 0, 0.5]),
        ("1/2", [0.5, 0.5, 0]),
        ("Anna and Ben", [0.5, 0.5, 0]),
        ("draw", [1 / 3] * 3),
        ("nobody", [0, 0, 0]),
        ("", [None] * 3),
    ],
)
def test_a_winner_is_a_seat_or_a_name_or_several_or_a_draw(
    tmp_path: Path, winner: str, expected: list[object]
) -> None:
    assert shares(tmp_path, winner) == expected


@pytest.mark.parametrize(
    ("names", "winner", "expected"),
    [
        (("Won", "Mia", ""), "Won", [1, 0, 0]),
        (("Mia", "No", ""), "no", [0, 1, 0]),
        (("Tie", "Mia", ""), "TIE", [1, 0, 0]),
        (("Tie", "Mia", ""), "draw", [1 / 3] * 3),
        (("Anna & Ben", "Anna", "Ben"), "Anna & Ben", [1, 0, 0]),
        (("Anna & Ben", "Anna", "Ben"), "Ben & Anna", [0, 0.5, 0.5]),
        (("2", "1", ""), "1", [0, 1, 0]),
        (("Mia", "Jose\u0301", ""), "Jos\u00e9", [0, 1, 0]),
        (("Mia", "STRAUSS", ""), "strau\u00df", [0, 1, 0]),
        (("Mia  B", "Ben", ""), "Mia B", [1, 0, 0]),
    ],
)
def test_a_name_comes_before_a_word_and_a_word_before_a_list(
    tmp_path: Path, names: tuple[str, ...], winner: str, expected: list[object]
) -> None:
    text = "seat_1,seat_2,seat_3,players,winner\n" + ",".join([*names, "3", winner]) + "\n"
    assert [row["share"] for row in read(tmp_path, text)] == expected


@pytest.mark.parametrize(("winner", "expected"), [("won", 1), ("yes", 1), ("lost", 0), ("1, 2, 3", 1)])
def test_a_team_wins_or_loses_together(tmp_path: Path, winner: str, expected: int) -> None:
    assert shares(tmp_path, winner, BRIDGE) == [expected] * 3


def test_titles_may_be_written_otherwise_and_columns_left_out(tmp_path: Path) -> None:
    rows = read(
        tmp_path, "Date,SEAT 1,Seat 2,Score 1,score_2,Turns,Minutes\n2026-05-01,Anna,Ben,100,-3,21,15\n"
    )
    assert [(row["name"], row["score"], row["share"]) for row in rows] == [
        ("Anna", 100, None),
        ("Ben", -3, None),
    ]
    common = {"play": 0, "date": "2026-05-01", "seats": 2, "turns": 21, "minutes": 15}
    assert all(common.items() <= row.items() for row in rows)


def test_the_number_of_players_is_that_of_names_scores_or_its_column(tmp_path: Path) -> None:
    text = "players,seat_3,winner\n,,1\n4,,1\n,Cleo,1\n5,Cleo,1\n"
    assert [row["seats"] for row in read(tmp_path, text) if row["seat"] == 0] == [2, 4, 3, 5]


def test_options_have_columns_and_an_empty_cell_is_as_usual(tmp_path: Path) -> None:
    rows = read(tmp_path, "winner,goal\n1,50\n2,\n", faces=8)
    assert [row["goal"] for row in rows] == [50, 50, 100, 100] and "faces" not in rows[0]
    assert [row["goal"] for row in read(tmp_path, "winner,goal\n1,50\n2,\n", goal=60)] == [50, 50, 60, 60]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("winner,goal\n1,50\n1,5000\n", "table.csv, line 3: option goal = 5000 is out of range: 1 to 1000"),
        (
            "seat_1,winner\nAnna,Zoe\n",
            "line 2, column winner: 'zoe' names 0 seats; name a seat by its number",
        ),
        ("seat_1,seat_2,winner\nAnna,Anna,anna\n", "column winner: 'anna' names 2 seats"),
        ("seat_1,seat_2,winner\nA,B,A & A\n", "line 2, column winner: 'a' is there twice; name a seat"),
        ("seat_1,seat_2,winner\nA,B,won\n", "line 2, column winner: 'won' names 0 seats; name a seat"),
        ("seat_1,seat_2,winner\nA,B,B won\n", "line 2, column winner: 'b won' names 0 seats"),
        ("players,winner\n99,1\n", "line 2, column players: '99'; it must be a whole number from 2 to 10"),
        ("players,seat_3,winner\n2,Cleo,1\n", "column players: '2'; it must be a whole number from 3 to 10"),
        ("score_1,winner\nmany,1\n", "line 2, column score_1: 'many'; it must be a whole number"),
        ("winner,turns\n1,0\n", "column turns: '0'; it must be a whole number from 1"),
        ("seat_1,winnr\nAnna,1\n", "no game has winner, .* column winnr is not used; did you mean 'winner'"),
        ("winner\n", "no game has winner"),
    ],
)
def test_a_mistake_is_named_by_row_and_column(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        read(tmp_path, text)


def test_a_team_with_one_winner_is_a_mistake(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="column winner: the players of this game win together; write won"):
        shares(tmp_path, "Ben", BRIDGE)


def test_a_draw_of_a_team_is_a_mistake(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="column winner: 'draw' names 0 seats; write won or lost"):
        shares(tmp_path, "draw", BRIDGE)


@pytest.mark.parametrize("label", ["Total", "Average:", "grand total", "Sum"])
def test_a_row_of_totals_is_no_game(tmp_path: Path, label: str) -> None:
    (tmp_path / "table.csv").write_text(f"date,seat_1,seat_2,winner,turns\n1,A,B,A,20\n{label},,,,20\n")
    games, note = read_games(registry.game(PIG), tmp_path / "table.csv", {}, 2)
    assert games["turns"].to_list() == [20, 20]
    assert note == f"1 game; row 3 ('{label}') is left out, as it is not a game"


def test_a_player_may_be_called_as_totals_are(tmp_path: Path) -> None:
    assert [row["share"] for row in read(tmp_path, "seat_1,seat_2,winner\nSum,Mia,Sum\n")] == [1, 0]
    assert [row["name"] for row in read(tmp_path, "seat_1,seat_2,turns\nSummer,Mia,9\n")] == ["Summer", "Mia"]


def test_options_that_hold_for_all_are_checked_by_themselves(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="^option goal = 0 is out of range"):
        read(tmp_path, "winner,faces\n1,6\n", goal=0)


def test_no_column_of_a_sheet_has_two_meanings() -> None:
    for game in registry.games().values():
        assert len(set(columns_of(game))) == len(columns_of(game)), game.name
