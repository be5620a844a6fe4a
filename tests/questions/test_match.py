"""`simkit match`: who is stronger, decided by the deals alone; its numbers, pages and refusals."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from simkit.content.reports.match import match_answer, match_stamp

from simkit.engine import registry
from simkit.errors import UsageError
from simkit.page.document.files import as_text
from simkit.page.recipe import recipe_for
from simkit.questions import match
from simkit.questions.match import match_lineups
from simkit.runs import runner
from simkit.runs.experiment import Experiment, parse
from simkit.runs.folder import Run, open_run
from simkit.runs.plan import Layout, make_plan
from simkit.stats import matches, sprt
from simkit.stats.matches import Counts
from simkit.stats.sprt import score_of_elo
from simkit.tables.findings import Findings
from tests.commands import invoke

SIDES = ("hold_at(threshold=20)", "hold_at(threshold=14)")
KEYS = {"question": "q", "game": "pig", "deals": 4000, "seed": 3, "options": {"goal": 50}, "report": "match"}


def request(seats: int = 2, **keys: object) -> Experiment:
    return parse(KEYS | {"lineups": match_lineups(*SIDES, seats), "until_elo": [0.0, 30.0]} | keys)


def carried_out(folder: Path, experiment: Experiment, **how: object) -> Run:
    return open_run(runner.run(experiment, folder, **how))


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Run:
    """The match asked for, to read only."""
    return carried_out(tmp_path_factory.mktemp("match") / "run", request())


def test_a_match_ends_at_the_first_look_at_which_its_ratio_reaches_a_bound(played: Run) -> None:
    course, low, high = Findings(played).match_looks, *sprt.sprt_bounds()
    assert course["deals"].to_list() == played.analyses[: course.height]
    *before, last = course["llr"].to_list()
    assert all(low < first < high for first in before) and not low < last < high
    assert played.cells[0].deals == course["deals"][-1]


def test_the_ratio_is_that_of_the_pairs_of_games_in_the_log(played: Run) -> None:
    rows = played.seats().with_columns(pl.col("strategy").cast(pl.String)).filter(strategy=SIDES[0]).collect()
    pairs = rows.group_by("deal").agg((2 * pl.col("share").sum()).cast(pl.Int64).alias("points"))
    counts = [pairs.filter(points=points).height for points in range(5)]
    row = Findings(played).match.row(0, named=True)
    assert Findings(played).match_results["deals"].to_list() == counts
    scores = Counts(np.linspace(0, 1, 5), np.array(counts, float))
    assert row["llr"] == pytest.approx(matches.llr(scores, (0, 30), 2))
    assert row["plain_elo"] == pytest.approx(sprt.elo_of_score(scores.score))


@pytest.mark.slow
@pytest.mark.parametrize("how", [{"jobs": 2}, {"layout": Layout(37, 37)}])
def test_workers_and_shards_decide_nothing(played: Run, tmp_path: Path, how: dict[str, object]) -> None:
    other = carried_out(tmp_path, request(), **how)
    assert Findings(other).match.equals(Findings(played).match)
    assert other.seats().collect().equals(played.seats().collect())


def test_a_match_of_three_seats_is_scored_by_each_alone_against_the_other(tmp_path: Path) -> None:
    run = carried_out(tmp_path, request(3, until_elo=[], deals=300))
    rows = run.seats().with_columns(pl.col("strategy").cast(pl.String)).collect()
    alone = [rows.filter(cell=cell, strategy=name)["share"].mean() for cell, name in enumerate(SIDES)]
    row = Findings(run).match.row(0, named=True)
    assert row["plain"] == pytest.approx(0.5 + (alone[0] - alone[1]) / 2)
    assert row["score"] == row["plain"] and row["decision"] is None
    assert score_of_elo(row["elo"], 3) == pytest.approx(row["score"])
    assert Findings(run).match_results["deals"].len() == 7
    won = Findings(run).match_seats.group_by("strategy", maintain_order=True).agg(pl.col("share").mean())
    assert won["share"].to_list() == pytest.approx(alone)


def test_both_tables_of_three_stop_together(tmp_path: Path) -> None:
    run = carried_out(tmp_path, request(3))
    assert run.cells[0].deals == run.cells[1].deals < 4000
    assert Findings(run).match["decision"][0] != match.OPEN


@pytest.mark.parametrize("deals", [1, 5])
def test_the_next_step_of_an_open_match_plays_more_deals(tmp_path: Path, deals: int) -> None:
    run = carried_out(tmp_path, request(until_elo=[], deals=deals, seed=8))
    step = registry.recipe("match").build(run).step
    assert step and step.text.startswith("Play on")
    assert int(step.command.partition("--deals ")[2].split()[0]) > deals


def test_the_answer_says_who_is_stronger_and_the_page_shows_the_course(played: Run) -> None:
    text = match_answer(Findings(played))
    assert "is stronger than" in text.headline and "Elo +" in text.advice
    assert recipe_for(played) == "match"
    page = registry.recipe("match").build(played)
    assert [figure.drawing.name for figure in page.figures()] == ["match", "course"]
    assert not [table.caption for table in page.tables() if "one look only" in table.caption]


@pytest.mark.parametrize(
    ("keys", "message"),
    [
        ({"until_elo": [10.0, 0.0]}, "must be two increasing numbers"),
        ({"until_elo": [5.0]}, "must be two increasing numbers"),
        ({"until_verdict": True}, "a run stops by one rule"),
        ({"until_elo": [], "normalized_elo": True}, "the scale of until_elo"),
        ({"lineups": ["hold_at*2"]}, "a match is one setting"),
        ({"sweep": {"faces": [6, 8]}}, "a match is one setting"),
        ({"rotate": False}, "a match is one setting"),
    ],
)
def test_what_is_no_match_is_refused_before_it_is_played(keys: dict[str, object], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        make_plan(request(**keys))


@pytest.mark.slow
def test_a_match_in_normalised_elo_says_so_in_its_line_its_record_its_page_and_its_answer(
    tmp_path: Path,
) -> None:
    words = ["pig", *SIDES, "--set", "goal=50", "--elo0", "5", "--elo1", "20", "--normalized", "-o"]
    done = invoke("match", *words, tmp_path / "a")
    assert "[5, 20] normalised, " in done.stderr
    assert "by more than 5.0 normalised Elo, settled" in done.stdout and ", normalised Elo +" in done.stdout
    document = call(*words, str(tmp_path / "a"), "--json")
    assert document["normalized"] and document["normalized_elo_low"] < document["normalized_elo"]
    run = open_run(tmp_path / "a")
    counts = Findings(run).match_results["deals"].to_list()
    scores = Counts(np.linspace(0, 1, 5), np.array(counts, float))
    assert document["llr"] == pytest.approx(matches.llr(scores, (5, 20), 2, normalized=True))
    assert document["plain_elo"] == pytest.approx(sprt.elo_of_score(scores.score))
    page = as_text(registry.recipe("match").build(run))
    assert "a normalised Elo difference of 5 and one of 20" in page
    file = tmp_path / "again.toml"
    file.write_text(run.experiment.to_toml())
    invoke("run", file, "-o", tmp_path / "b")
    assert Findings(open_run(tmp_path / "b")).match.equals(Findings(run).match)


def test_the_scale_of_the_test_changes_where_it_ends(played: Run, tmp_path: Path) -> None:
    """A deviation of a game below one half makes a normalised difference the greater lead."""
    other = carried_out(tmp_path, request(normalized_elo=True, deals=played.cells[0].deals))
    first, two = (Findings(run).match_looks["llr"].to_list() for run in (played, other))
    assert first[0] != two[0]


def test_an_open_match_in_normalised_elo_is_played_on_in_it(tmp_path: Path) -> None:
    run = carried_out(tmp_path, request(normalized_elo=True, deals=20))
    page = registry.recipe("match").build(run)
    assert "--elo0 0 --elo1 30 --normalized" in page.step.command
    assert "by 0.0 or by 30.0 normalised Elo" in match_answer(Findings(run)).headline


def call(*words: object) -> dict[str, object]:
    document: dict[str, object] = json.loads(invoke("match", *words).stdout)
    return document


@pytest.mark.slow
def test_a_file_asks_for_a_match_too_and_its_lines_are_said_while_it_is_played(tmp_path: Path) -> None:
    file, folder = tmp_path / "match.toml", tmp_path / "run"
    file.write_text(request(report=None).to_toml())
    first, repeated = (invoke("run", file, "-o", folder) for _ in "ab")
    assert "is stronger than" in first.stdout and first.stdout == repeated.stdout
    assert "LLR" in first.stderr and "deals by score [" in first.stderr and "LLR" not in repeated.stderr


def test_the_command_says_the_same_again_and_bit_for_bit(tmp_path: Path) -> None:
    words = ["pig", *SIDES, "--set", "goal=50", "--elo1", "30", "--seed", "3", "--json", "-o"]
    first = call(*words, str(tmp_path / "a"), "--jobs", "2")
    assert first["decision"] == "H1" and first["elo_low"] < first["elo"] < first["elo_high"]
    repeated, other = call(*words, str(tmp_path / "a")), call(*words, str(tmp_path / "b"), "--jobs", "1")
    place = {"run": "", "step": {}}  # which name the folder
    assert repeated == first and other | place == first | place


def test_a_match_names_the_stronger_or_the_games_to_play() -> None:
    row = {"strategy": "greedy", "opponent": "random", "decision": None, "same": False}
    assert match_stamp(row | {"low": 0.52, "high": 0.58}) == ("“greedy” is stronger", "")
    assert (
        match_stamp(row | {"low": 0.48, "high": 0.53, "score": 0.505, "games": 1000}).text
    ) == "Not known yet (play 24,000 more games)"
    assert (
        match_stamp(row | {"low": 0.49, "high": 0.5, "decision": "H0"}).text
    ) == "No meaningful difference"
