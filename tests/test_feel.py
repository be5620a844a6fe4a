"""How a game feels, in words: facts whose numbers are those of the findings."""

import re

import pytest
from made import Story, made_run, made_stories

from simkit.analysis import Findings
from simkit.words.feel import feel_line

TEN = [(1, 0), (0, 1), (1, 0), (0, 1), (0, 1), (0, 1), (0, 1), (0, 1)]
STORIES = [Story([*TEN, (9, 8), end], (1, 0)) for end in ((9, 8), (9, 9))]
STORIES += [Story([*TEN, (8, 9), (9, 9)], (1, 0)), Story([*TEN, (8, 9), (9, 9)], (0.5, 0.5))]


@pytest.fixture(scope="module")
def four(tmp_path_factory):
    """Four games of ten turns; the leader after nine is 0, 0, 1, 1; who wins is 0, 0, 0, both."""
    return Findings(made_stories(tmp_path_factory.mktemp("made") / "four", STORIES))


def test_the_line_says_length_lead_leader_and_draws_in_whole_numbers(four):
    told = [said.text for said in feel_line(four)]
    assert told == [
        "10 turns",
        "the lead changes 4 times",
        "with a tenth of the game to go the leader still loses 38 games in 100",  # 1 - (1 + 1 + 0 + 1/2) / 4
        "25 % draws",
    ]


def test_every_fact_rests_on_a_row_of_the_findings_with_its_number(four):
    for said in feel_line(four):
        name, _, rest = said.rests.partition(".")
        rows = eval(f"table.{rest}", {"table": getattr(four, name)})
        assert rows.height == 1, said
        numbers = [value for value in rows.row(0) if isinstance(value, float | int)]
        first = float(re.findall(r"\d+", said.text)[0])
        near = (first, first / 100, 1 - first / 100)
        assert any(abs(value - one) <= 0.5 for value in numbers for one in near)


def test_without_a_trace_the_line_says_length_and_draws_only(tmp_path):
    found = Findings(made_run(tmp_path / "run", [["a", "a"], ["a"] * 3], [0.5, 0.4]))
    assert [said.text for said in feel_line(found)] == ["with 2 players: 23 turns (20 to 26)", "9 % draws"]
