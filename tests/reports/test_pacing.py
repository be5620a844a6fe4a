"""How a game feels, in words: facts whose numbers are those of the findings."""

from dataclasses import replace

import pytest
from simkit.content.reports.sections.length import length
from synthetic import Story, made_run, made_stories

from simkit.cli import main
from simkit.page.tiles import tiles
from simkit.tables.findings import Findings


def test_minutes_are_decisions_times_seconds(tmp_path):
    """Every made game has 40 decisions; at 15 seconds that is 10 minutes."""
    run = made_run(tmp_path / "run", [["a", "a"]], [0.5], seconds_per_decision=15.0)
    row = Findings(run).minutes.row(0, named=True)
    assert (row["mean"], row["low"], row["p5"], row["p95"], row["wait"]) == (10, 10, 10, 10, None)
    (length,) = (tile for tile in tiles(Findings(run)) if tile.title == "Length in turns")
    assert length.lines[0].note.endswith("about 10 minutes at 15 s a decision")
    assert Findings(made_run(tmp_path / "none", [["a", "a"]], [0.5])).minutes.is_empty()


def test_between_two_turns_one_waits_for_the_decisions_of_others(tmp_path):
    """Seats take turns of two decisions each: between two own turns lie two of the other."""
    load = [[(2, 6, 3, 2), (0, 0, 0, 0)], [(0, 0, 0, 0), (2, 6, 3, 2)]] * 3
    run = made_stories(tmp_path / "run", [Story([(t, 0) for t in range(6)], (1, 0), load=load)])
    timed = replace(run, experiment=run.experiment.model_copy(update={"seconds_per_decision": 30.0}))
    row = Findings(timed).minutes.row(0, named=True)
    assert (row["wait"], row["mean"]) == (60.0, 6.0)
    text = " ".join(length(Findings(timed)).text)
    assert "takes about 6 minutes" in text and "between two turns one waits 60 seconds" in text


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
