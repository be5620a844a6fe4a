"""Headings of a run of several groups hold in each of them, or name the one that they are of."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from synthetic import MadeRun, made_run

from simkit.analysis import Findings
from simkit.analysis.findings import all_findings
from simkit.reporting.text import headings
from simkit.reporting.text.groups import of_first, over

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


def numbers(text: str) -> list[float]:
    return [float(first) for first in re.findall(r"\d+", text)]


@pytest.mark.parametrize(
    ("lineups", "keys", "owner"),
    [
        (TWO, {}, ", whoever plays"),
        (TWO[:1], SWEEP, ", at every setting"),
        (SIZES, SWEEP, ", with 2 to 3 players, whoever plays, at every setting"),
        (TWO[:1], {}, ""),
    ],
)
def test_length_scores_and_endings_are_told_over_all_cells(
    lineups: list[list[str]], keys: dict[str, Any], owner: str, tmp_path: Path
) -> None:
    findings = Findings(played(tmp_path, lineups, **keys))
    turns = findings.lengths.filter(measure="turns")
    length = headings.length(findings)
    middle, most = sorted({min(turns["p50"]), max(turns["p50"])}), [min(turns["p5"]), max(turns["p95"])]
    assert numbers(length.removesuffix(owner)) == [*middle, *most] and length.endswith(owner)
    score, means = headings.scores(findings), findings.scores["mean"]
    ends = numbers(score.partition(" on average")[0])
    assert [min(ends), max(ends)] == pytest.approx([means.min(), means.max()], abs=0.5)
    assert f"on average{owner} (" in score
    often = findings.end_reasons.filter(end_reason="population")["share"]
    ends = numbers(headings.endings(findings).partition(" of 100 ")[0])
    assert [min(ends), max(ends)] == pytest.approx([100 * often.min(), 100 * often.max()], abs=0.5)
    assert headings.endings(findings).endswith(f"“population”{owner}")


def test_a_reason_that_a_cell_never_has_is_counted_there(tmp_path: Path) -> None:
    run = played(tmp_path, TWO)
    games = pl.read_parquet(tmp_path / "games.parquet")
    other = pl.when(pl.col("cell") == 1).then(pl.lit("deck")).otherwise("end_reason").alias("end_reason")
    games.with_columns(other).write_parquet(tmp_path / "games.parquet")
    findings = Findings(run)
    assert headings.endings(findings) == "0 to 100 of 100 games end by “deck”, whoever plays"


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


@pytest.mark.parametrize(
    ("changes", "decided", "message"),
    [
        ([3, 4], [0.8, 0.9], "The lead changes hands until late, whoever plays"),
        ([3, 4], [0.6, 0.9], "The winner leads for good after 60 to 90 % of the game, whoever plays"),
        ([3.0, 0.5], [0.6, 0.3], "The winner leads for good after 30 to 60 % of the game, whoever plays"),
        ([3, 0], [0.9, None], "Whether the lead changes hands depends on who plays"),
    ],
)
def test_drama_holds_with_every_lineup(
    changes: list[float], decided: list[float], message: str, tmp_path: Path
) -> None:
    position = given(tmp_path, lead_changes={"mean": changes}, decided_at={"mean": decided})
    assert headings.drama(position) == message


def test_load_and_luck_are_told_from_the_least_to_the_most(tmp_path: Path) -> None:
    load = {"per_turn": [1.2, 7.4], "branching": [3.0, 12.0]}
    position = given(tmp_path, load=load, deal_luck={"correlation": [0.1, 0.3]})
    wanted = "1.2 to 7.4 decisions in a turn of one's own, among 3 to 12 possibilities, whoever plays"
    assert headings.load(position) == wanted
    assert (
        headings.skill(position) == "The luck of the deal decides little to some of who wins, whoever plays"
    )


def test_games_that_always_take_as_many_turns_are_said_so_once(tmp_path: Path) -> None:
    run = played(tmp_path, [["a"] * 2, ["a"] * 3])
    games = pl.read_parquet(tmp_path / "games.parquet")
    games.with_columns(turns=20 + 10 * pl.col("cell").cast(pl.Int64)).write_parquet(
        tmp_path / "games.parquet"
    )
    assert headings.length(Findings(run)) == "A game takes 20 to 30 turns, with 2 to 3 players"
