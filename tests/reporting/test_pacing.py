"""How a game feels, in words: facts whose numbers are those of the findings."""

import io
import re
from dataclasses import replace

import polars as pl
import pytest
from synthetic import Story, made_run, made_stories

from reports.sections import endings
from simkit.analysis import Findings
from simkit.cli import main
from simkit.engine import registry
from simkit.reporting.text import headings
from simkit.reporting.text.answer import advised
from simkit.reporting.text.leads import of_a_lead
from simkit.reporting.text.pacing import feel_line
from simkit.reporting.text.phrases import ends, number

TEN = [(1, 0), (0, 1), (1, 0), (0, 1), (0, 1), (0, 1), (0, 1), (0, 1)]
STORIES = [Story([*TEN, (9, 8), end], (1, 0)) for end in ((9, 8), (9, 9))]
STORIES += [Story([*TEN, (8, 9), (9, 9)], (1, 0)), Story([*TEN, (8, 9), (9, 9)], (0.5, 0.5))]


@pytest.fixture(scope="module")
def four(tmp_path_factory):
    """Four games of ten turns; the leader after nine is 0, 0, 1, 1; who wins is 0, 0, 0, both."""
    return Findings(made_stories(tmp_path_factory.mktemp("made") / "four", STORIES))


def test_the_line_says_length_lead_leader_and_draws_in_whole_numbers(four):
    text = [message.text for message in feel_line(four)]
    part = of_a_lead(*four.runaway.select("slope", "low", "high").row(0)).partition(" of ")[0]
    assert text == [
        "10 turns",
        "the lead changes 4 times",
        f"{part} of a lead is gone a round later",
        "with a tenth of the game to go the leader still loses 38 games in 100",  # 1 - (1 + 1 + 0 + 1/2) / 4
        "25 % draws",
    ]


def test_every_fact_rests_on_a_row_of_the_findings_with_its_number(four):
    for message in feel_line(four):
        if message.rests.startswith("runaway"):  # in words, not numbers
            continue
        name, _, rest = message.rests.partition(".")
        rows = eval(f"table.{rest}", {"table": getattr(four, name)})
        assert rows.height == 1, message
        numbers = [value for value in rows.row(0) if isinstance(value, float | int)]
        first = float(re.findall(r"\d+", message.text)[0])
        near = (first, first / 100, 1 - first / 100)
        assert any(abs(value - single) <= 0.5 for value in numbers for single in near)


def test_a_game_without_drama_is_said_so(tmp_path):
    findings = Findings(made_stories(tmp_path / "run", [Story([(t, 0) for t in range(10)], (1, 0))] * 3))
    text = [message.text for message in feel_line(findings)]
    assert "the lead never changes" in text
    assert "with a tenth of the game to go the leader always wins" in text


def test_length_and_draws_at_the_recommended_settings_end_the_line(tmp_path):
    """Goals 2 and 3 are near fair."""
    goals = {"sweep": {"goal": [1, 2, 3, 4]}, "baseline": {"goal": 1}, "margin": 0.15}
    findings = Findings(made_run(tmp_path / "run", [["a", "a"]], [0.8, 0.45, 0.46, 0.2], **goals))
    assert sorted(advised(findings)) == ["goal = 2", "goal = 3"]
    lengths = findings.lengths.filter(pl.col("goal").is_in([2, 3]), measure="turns")["p50"]
    draws = [
        number(100 * share) for share in findings.draws.filter(pl.col("goal").is_in([2, 3]))["share"].sort()
    ]
    message = feel_line(findings)[-1].text
    assert message == f"at 2 or 3: {ends(*map(str, lengths.sort()))} turns, {ends(*draws)} % draws"
    printed = []
    source = registry.section("feel")(findings).takeaways[-1].source
    expected = {"open_findings": lambda _: findings, "print": printed.append}
    exec(source.replace("from simkit.analysis import open_findings", ""), expected)  # else of a real folder
    assert pl.read_csv(io.StringIO(printed[0]))["p50"].to_list() == lengths.to_list()


def test_without_a_trace_the_line_says_length_and_draws_only(tmp_path):
    findings = Findings(made_run(tmp_path / "run", [["a", "a"], ["a"] * 3], [0.5, 0.4]))
    assert [message.text for message in feel_line(findings)] == [
        "with 2 players: 23 turns (20 to 26)",
        "9 % draws",
    ]


def test_minutes_are_decisions_times_seconds(tmp_path):
    """Every made game has 40 decisions; at 15 seconds that is 10 minutes."""
    run = made_run(tmp_path / "run", [["a", "a"]], [0.5], seconds_per_decision=15.0)
    row = Findings(run).minutes.row(0, named=True)
    assert (row["mean"], row["low"], row["p5"], row["p95"], row["wait"]) == (10, 10, 10, 10, None)
    assert feel_line(Findings(run))[1].text == "about 10 minutes"
    assert Findings(made_run(tmp_path / "none", [["a", "a"]], [0.5])).minutes.is_empty()


def test_between_two_turns_one_waits_for_the_decisions_of_others(tmp_path):
    """Seats take turns of two decisions each: between two own turns lie two of the other."""
    load = [[(2, 6, 3, 2), (0, 0, 0, 0)], [(0, 0, 0, 0), (2, 6, 3, 2)]] * 3
    run = made_stories(tmp_path / "run", [Story([(t, 0) for t in range(6)], (1, 0), load=load)])
    timed = replace(run, experiment=run.experiment.model_copy(update={"seconds_per_decision": 30.0}))
    row = Findings(timed).minutes.row(0, named=True)
    assert (row["wait"], row["mean"]) == (60.0, 6.0)
    text = " ".join(registry.section("length")(Findings(timed)).text)
    assert "takes about 6 minutes" in text and "between two turns one waits 60 seconds" in text


@pytest.mark.parametrize(
    ("stories", "message"),
    [
        ([Story([(1, 0)] * 10, (1, 0))], "The lead never changes hands"),
        (STORIES[:3], "The lead changes hands until late"),
        (
            [Story([(1, 0), (0, 1), (0, 1), (0, 1), (0, 1)], (0, 1))],
            "The winner leads for good before half-way",
        ),
        ([Story([(1, 1), (1, 1)], (0.5, 0.5))], "The lead never changes hands"),
        (
            [Story([(1, 0), (0, 1)], (0, 1)), *[Story([(1, 0)] * 2, (1, 0))] * 39],
            "Who leads first mostly stays ahead",
        ),
    ],
)
def test_headings_say_what_was_found(stories, message, tmp_path):
    findings = Findings(made_stories(tmp_path / "run", stories))
    assert headings.drama(findings) == message
    assert headings.scores(findings).startswith("Score") or headings.scores(findings).startswith(
        "The score is"
    )
    assert headings.endings(findings) == "All games end by “made”"
    assert "made" not in " ".join(endings.section(findings).text)


def test_seconds_per_decision_on_the_command_line(tmp_path, capsys):
    run = tmp_path / "run"
    with pytest.raises(SystemExit):
        main(["sweep", "pig", "goal=30", "--lineup", "hold_at*2", "--deals", "20", "-o", str(run)])
    with pytest.raises(SystemExit) as done:
        main(["report", str(run), "--seconds-per-decision", "12", "--format", "md", "-o", "-"])
    assert done.value.code == 0
    assert "At 12 seconds per decision a game takes about" in " ".join(capsys.readouterr().out.split())
    with pytest.raises(SystemExit) as done:
        main(["report", str(run), "--seconds-per-decision", "0"])
    assert done.value.code == 2
