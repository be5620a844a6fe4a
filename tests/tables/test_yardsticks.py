"""Yardsticks: the games measured here, and what of a run is unlike all of them."""

import pytest
from simkit.content.reports.sections import length as section_of
from synthetic import Story, made_stories

from simkit.runs import runner
from simkit.runs.folder import open_run
from simkit.tables import length
from simkit.tables.findings import Findings
from simkit.verify import reference_games as measuring


def built(folder, **keys):
    """A game of 40 decisions of two seats, in which the lead never changes."""
    load = [[(5, 50, 20, 5), (0, 0, 0, 0)], [(0, 0, 0, 0), (5, 50, 20, 5)]] * 4
    stories = [Story([(t, 0) for t in range(1, 9)], (1, 0), load=load)] * 6
    return Findings(made_stories(folder, stories))


def test_measures_of_a_made_game_by_hand(tmp_path):
    result = length.yardstick_measures(built(tmp_path / "run"), 0)
    assert result["decisions"][0] == 20 and result["branching"][0] == 10 and result["per_turn"][0] == 5
    assert result["lead_changes"][0] == 0 and result["decided"][0] == 1 / 8 and result["late"][0] == 0
    assert result["draws"][0] == 0 and "beginner" not in result and "king" not in result


def test_unusual_is_what_lies_beyond_every_other_game(tmp_path, monkeypatch):
    result = built(tmp_path / "run")
    games = [{"game": name, "title": name, "seats": 2, "decisions": [value, 0, 0], "lead_changes": [0.0, 0, 0]}
             for name, value in (("a", 3.0), ("b", 7.0), ("c", 19.0))]  # fmt: skip
    monkeypatch.setattr(length, "measured_games", lambda: games)
    rows = {row["measure"]: row for row in result.yardsticks.rows(named=True)}
    assert rows["decisions"]["unusual"] == "more"
    assert (rows["decisions"]["least"], rows["decisions"]["most"], rows["decisions"]["others"]) == (3, 19, 3)
    assert rows["lead_changes"]["unusual"] is None and rows["branching"]["others"] == 0
    assert section_of.unusual(result) == (
        "Unlike the other games measured here: decisions per player 20 (in 3 other games 3 to 19)."
    )
    section = section_of.yardsticks(result)
    assert section.text[0] == section_of.unusual(result)


def test_of_two_other_games_nothing_is_unusual(tmp_path, monkeypatch):
    games = [{"game": name, "title": name, "decisions": [1.0, 0, 0]} for name in "ab"]
    monkeypatch.setattr(length, "measured_games", lambda: games)
    result = built(tmp_path / "run")
    assert (
        section_of.unusual(result) == "Nothing stands out from the other games measured here, in 1 measure."
    )


def test_each_measure_is_held_against_the_games_that_have_it(tmp_path, monkeypatch):
    """Four games have the one measure, three the other: no number of games is told for both."""
    games = [{"game": name, "title": name, "decisions": [19.0 + i, 0, 0]} for i, name in enumerate("abcd")]
    games = [game | ({"branching": [2.0, 0, 0]} if i else {}) for i, game in enumerate(games)]
    monkeypatch.setattr(length, "measured_games", lambda: games)
    result = built(tmp_path / "run")
    assert "possibilities at a decision 10 (in 3 other games 2 to 2)." in section_of.unusual(result)


def test_a_game_is_not_held_against_itself(tmp_path, monkeypatch):
    monkeypatch.setattr(
        length, "measured_games", lambda: [{"game": "made", "title": "x", "decisions": [1.0, 0, 0]}]
    )
    result = built(tmp_path / "run")
    assert set(result.yardsticks["others"]) == {0}
    assert section_of.yardsticks(result) is None


def test_every_measure_has_its_words_and_every_game_of_the_file_is_one_of_ours():
    rows = length.measured_games()
    names = {name for row in rows for name in row} - {"game", "title", "seats", "players", "deals", "curve"}
    assert names == set(section_of.MEASURES)
    assert {row["game"] for row in rows} == {experiment.game for experiment in measuring.experiments()}
    for row in rows:
        assert all(row[name][1] <= row[name][0] <= row[name][2] for name in names & set(row))
        assert [errs for errs, _ in row["curve"]] == measuring.BEGINNERS


@pytest.mark.parametrize("name", ["pig"])
def test_measuring_again_finds_what_the_file_says(name, tmp_path):
    """With fewer deals; intervals overlap, at twice their width where deals are few."""
    (repeated,) = [experiment for experiment in measuring.experiments(deals=60) if experiment.game == name]
    findings = Findings(open_run(runner.run(repeated, tmp_path / "run")))
    for cell in findings.run.cells:
        (stored,) = [
            row for row in length.measured_games() if row["game"] == name and row["seats"] == cell.seats
        ]
        for measure, (value, low, high) in length.yardstick_measures(findings, cell.index).items():
            half = max(high - low, stored[measure][2] - stored[measure][1], 1e-9)
            assert abs(value - stored[measure][0]) <= half, (measure, cell.seats)
