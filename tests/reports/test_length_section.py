"""How long games are and how much there is to decide: minutes at the table, and the groups that a number is of."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from simkit.content.reports.sections.length import length, load_sentence, of_first
from synthetic import MadeRun, Story, made_run, made_stories

from simkit.cli import main
from simkit.page.tiles import tiles
from simkit.page.words.labels import over
from simkit.tables.findings import Findings, all_findings

SWEEP = {"sweep": {"second": [12, 14]}, "baseline": {"second": 12}}
TWO, SIZES = [["a", "a"], ["b", "b"]], [["a"] * 2, ["a"] * 3, ["b"] * 3]


def played(folder: Path, lineups: list[list[str]], **keys: Any) -> MadeRun:
    """A run of which each cell has longer games and greater scores than the one before."""
    cells = len(lineups) * (2 if "sweep" in keys else 1)
    run = made_run(folder, lineups, [0.3 + 0.1 * cell for cell in range(cells)], deals=60, **keys)
    for name, column in (("games", "turns"), ("seats", "score")):
        table = pl.read_parquet(folder / f"{name}.parquet")
        more = (pl.col(column) + 10 * pl.col("cell").cast(pl.Int64)).alias(column)
        table.with_columns(more).write_parquet(folder / f"{name}.parquet")
    return run


def test_what_looks_at_the_baseline_only_names_it(tmp_path: Path) -> None:
    findings = Findings(played(tmp_path, TWO, **SWEEP))
    base = findings.cells.filter("baseline")["cell"].to_list()
    assert over(findings, base) == ", whoever plays, at second 12"
    assert of_first(findings) == ", when both play a, at second 12"
    assert of_first(Findings(played(tmp_path / "one", TWO[:1]))) == ""
    assert of_first(Findings(played(tmp_path / "two", TWO))) == ", when both play a"


def given(folder: Path, **columns: dict[str, list[float | None]]) -> Findings:
    """Findings of two lineups with these tables in place of their own."""
    findings = Findings(made_run(folder, TWO, [0.5, 0.5], deals=20))
    for name, values in columns.items():
        findings._cache[all_findings()[name]] = pl.DataFrame(
            {"cell": [0, 1]} | values, schema_overrides={"cell": pl.Int32}
        )
    return findings


def test_load_is_told_from_the_least_to_the_most(tmp_path: Path) -> None:
    load = {"per_turn": [1.2, 7.4], "branching": [3.0, 12.0]}
    position = given(tmp_path, load=load)
    wanted = (
        "What a player decides: 1.2 to 7.4 decisions in a turn, among 3 to 12 possibilities, whoever plays"
    )
    assert load_sentence(position) == wanted


def test_minutes_are_decisions_times_seconds(tmp_path: Path) -> None:
    """Every made game has 40 decisions; at 15 seconds that is 10 minutes."""
    run = made_run(tmp_path / "run", [["a", "a"]], [0.5], seconds_per_decision=15.0)
    row = Findings(run).minutes.row(0, named=True)
    assert (row["mean"], row["low"], row["p5"], row["p95"], row["wait"]) == (10, 10, 10, 10, None)
    (tile_of_length,) = (tile for tile in tiles(Findings(run)) if tile.title == "Length in turns")
    assert tile_of_length.lines[0].note.endswith("about 10 minutes at 15 s a decision")
    assert Findings(made_run(tmp_path / "none", [["a", "a"]], [0.5])).minutes.is_empty()


def test_between_two_turns_one_waits_for_the_decisions_of_others(tmp_path: Path) -> None:
    """Seats take turns of two decisions each: between two own turns lie two of the other."""
    load = [[(2, 6, 3, 2), (0, 0, 0, 0)], [(0, 0, 0, 0), (2, 6, 3, 2)]] * 3
    run = made_stories(tmp_path / "run", [Story([(t, 0) for t in range(6)], (1, 0), load=load)])
    timed = replace(run, experiment=run.experiment.model_copy(update={"seconds_per_decision": 30.0}))
    row = Findings(timed).minutes.row(0, named=True)
    assert (row["wait"], row["mean"]) == (60.0, 6.0)
    text = " ".join(length(Findings(timed)).text)
    assert "takes about 6 minutes" in text and "between two turns one waits 60 seconds" in text


def test_seconds_per_decision_on_the_command_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
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
