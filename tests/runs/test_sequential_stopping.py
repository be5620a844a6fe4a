"""Runs that stop by themselves: where they stop, and that nothing but the deals decides it."""

from __future__ import annotations

import json
import math
import os
import shutil
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from simkit.content.reports.sections.answer import balance_answer
from synthetic import made_run

from simkit.errors import UsageError
from simkit.page import columns
from simkit.page.recipe import facts
from simkit.runs import manifest, runner, sequential_stopping, workers
from simkit.runs.experiment import Experiment, parse
from simkit.runs.folder import Run, open_partly, open_run
from simkit.runs.plan import Cell, Layout, Shard, analyses
from simkit.stats import betting, verdicts
from simkit.stats.quantiles import student
from simkit.stats.sequences import at_every_look
from simkit.tables.findings import Findings

pytestmark = pytest.mark.slow

KEYS = {
    "question": "q",
    "game": "pig",
    "deals": 3000,
    "lineups": ["hold_at*2"],
    "sweep": {"goal": [10, 40, 100]},
    "seed": 8,
}


def request(**keys: object) -> Experiment:
    return parse(KEYS | {"until_verdict": True, "margin": 0.05} | keys)


def carried_out(folder: Path, experiment: Experiment, **how: object) -> Run:
    return open_run(runner.run(experiment, folder, **how))


@pytest.fixture(scope="module")
def stopped(tmp_path_factory: pytest.TempPathFactory) -> Run:
    """The run asked for, to read only."""
    return carried_out(tmp_path_factory.mktemp("adaptive") / "run", request())


def stops(run: Run) -> list[int]:
    return [cell.deals for cell in run.cells]


def test_analyses_are_five_per_cent_and_fifty_deals_apart_from_two_hundred_up_to_the_cap() -> None:
    assert analyses(request(deals=500)) == [200, 250, 300, 350, 400, 450, 500]
    assert analyses(request(deals=1_200)) == [*range(200, 1_051, 50), 1_102, 1_157, 1_200]
    assert analyses(request(deals=100)) == [100]
    assert analyses(parse(KEYS)) == [3000]
    deals = np.array(analyses(request(deals=10**9)))
    steps = np.diff(deals)[:-1]
    assert steps.min() == 50 and (steps == np.maximum(50, deals[:-2] // 20)).all()


def test_each_cell_stops_at_the_first_analysis_with_a_verdict(stopped: Run) -> None:
    run = stopped
    rows = run.seats().collect()
    assert len(set(stops(run))) > 1 and set(stops(run)) <= set(run.analyses)
    for cell in run.cells:
        mine = rows.filter(pl.col("cell") == cell.index)
        assert mine.height == 2 * cell.deals and mine["deal"].max() == cell.deals - 1
    open_before = [cell for cell in run.cells if cell.deals < 3000]
    for cell in open_before:
        before = run.analyses[run.analyses.index(cell.deals) - 1] if cell.deals > 200 else 0
        text = Findings(run).first_player_advantage.filter(pl.col("cell") == cell.index)["verdict"][0]
        assert text != verdicts.NOT_SETTLED
        if before:
            first = sequential_stopping.tally(
                run.seats().filter((pl.col("cell") == cell.index) & (pl.col("deal") < before)).lazy()
            )
            result = sequential_stopping.evidence(first, 0.5, 0.05)
            assert result.strongest < np.log(3 * 20)


@pytest.mark.parametrize("how", [{"jobs": 2}, {"layout": Layout(137, 137)}])
def test_any_number_of_workers_and_any_shards_stop_at_the_same_deals(
    stopped: Run, tmp_path: Path, how: dict[str, object]
) -> None:
    other = carried_out(tmp_path, request(), **how)
    assert stops(stopped) == stops(other)
    assert stopped.games().collect().equals(other.games().collect())


def test_a_run_that_was_killed_goes_on_to_the_same_files_and_plays_no_game_twice(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Killed half-way, and behind the last game, where files get a name or are removed, step by step."""
    wanted, plain, steps, played, last = request(deals=600), workers.write, list[str](), list[str](), math.inf

    def write(folder: Path, experiment: Experiment, cells: list[Cell], shard: Shard, report: Any) -> Any:
        files = plain(folder, experiment, cells, shard, report)
        played.append(shard.path("games"))
        return files

    def step(function: Callable[..., None], *paths: Path, **how: bool) -> None:
        steps.append(str(paths[-1]))
        if len(steps) > last:
            raise KeyboardInterrupt
        function(*paths, **how)

    monkeypatch.setattr(workers, "write", write)
    for module, name in ((os, "replace"), (shutil, "rmtree")):
        monkeypatch.setattr(module, name, partial(step, getattr(module, name)))
    quiet = carried_out(tmp_path / "quiet", wanted)
    files, games, count = files_of(quiet.folder), sorted(played), len(steps)
    for left in (count // 2, 15, 5, 3, 2, 1):
        last, hurt = count - left, tmp_path / str(left)
        steps.clear()
        played.clear()
        with pytest.raises(KeyboardInterrupt):
            runner.run(wanted, hurt)
        last = math.inf
        if not manifest.read(hurt).finished:
            with pytest.raises(UsageError, match="not complete"):
                open_run(hurt)
            partly = open_partly(hurt)
            assert partly.seats().collect().height == 2 * sum(stops(partly)) > 0
        assert stops(carried_out(hurt, wanted)) == stops(quiet)
        assert sorted(played) == games and files_of(hurt) == files, left


def files_of(folder: Path) -> dict[str, bytes]:
    """Return the contents of all files of a run, by name, but of the manifest, which has times, its name only."""
    paths = [path for path in folder.rglob("*.*") if path.is_file()]
    names = {str(path.relative_to(folder)): path for path in paths}
    return {name: b"" if name == "manifest.json" else path.read_bytes() for name, path in names.items()}


def test_the_width_asked_for_is_reached_or_the_cap(tmp_path: Path) -> None:
    run = carried_out(tmp_path, request(until_verdict=False, until_width=0.15))
    seats = Findings(run).seat_shares
    wide = seats.with_columns((pl.col("ever_high") - pl.col("ever_low")).alias("width"))
    reached = [cell.index for cell in run.cells if cell.deals < 3000]
    assert reached
    assert wide.filter(pl.col("cell").is_in(reached))["width"].max() <= 0.15
    assert stops(
        carried_out(tmp_path / "capped", request(until_verdict=False, until_width=0.01, deals=300))
    ) == [300, 300, 300]


def test_the_intervals_of_a_run_that_stopped_by_itself_hold_at_every_look_and_the_share_is_adjusted(
    stopped: Run,
) -> None:
    seats = Findings(stopped).seat_shares
    assert seats["low"].equals(seats["ever_low"].rename("low"))
    first = seats.filter(pl.col("seat") == 0)
    assert ((first["adjusted"] - first["share"]).abs() < 0.05).all() and (
        first["adjusted"] != first["share"]
    ).any()
    assert any("stopped by itself" in single for single in balance_answer(Findings(stopped)).sure)


def test_the_first_claim_of_a_run_stands_at_whatever_its_games_come_to(tmp_path: Path) -> None:
    """Fair for 2,000 deals, then the first player wins all; as one run of 4,000 it is UNFAIR."""
    built = made_run(tmp_path, [["a", "a"]], [0.45], deals=4_000, margin=0.05, until_width=0.001)
    always = pl.when(pl.col("deal") >= 2_000).then(pl.col("seat") == 0).otherwise("share")
    changed = built.seats().with_columns(always.cast(pl.Float64).alias("share")).collect()
    changed.write_parquet(tmp_path / "seats.parquet")
    first = Findings(built).first_player_advantage.row(0, named=True)
    assert first["verdict"] == verdicts.FAIR and first["share"] > 0.7
    assert (
        first["low"] < first["share"] < first["high"]
    )  # the interval is not bent to a claim that is refuted
    once = replace(built, experiment=built.experiment.model_copy(update={"until_width": None}))
    assert Findings(once).first_player_advantage["verdict"].to_list() == [verdicts.UNFAIR]


def test_a_verdict_is_that_of_the_analyses_in_their_order(tmp_path: Path) -> None:
    """Several cells, whose bar falls as others have a claim; each stops by its width, whatever its verdict."""
    run = carried_out(tmp_path, request(until_verdict=False, until_width=0.12))
    claims, rows = verdicts.FirstClaims(len(run.cells)), run.seats().collect()
    for deals in run.analyses:
        expected = sequential_stopping.tallies(rows.filter(pl.col("deal") < deals).lazy())
        claims.analyse(
            verdicts.together(
                [sequential_stopping.evidence(expected[cell.index], 0.5, 0.05) for cell in run.cells]
            )
        )
    table = Findings(run).first_player_advantage
    assert table["verdict"].to_list() == claims.verdicts and len(set(claims.decided_at)) > 1
    bars = Findings(run).seat_shares.filter(seat=0)["bar"].to_list()
    assert bars == pytest.approx(claims.bars.tolist())


@pytest.fixture(scope="module")
def met(tmp_path_factory: pytest.TempPathFactory) -> Run:
    """Three strategies, pair by pair, which stop at different deals."""
    lineups = ["hold_at, random", "hold_at(threshold=15), hold_at", "random, hold_at(threshold=15)"]
    keys = {"lineups": lineups, "sweep": {}, "options": {"goal": 40}, "deals": 2500}
    return carried_out(tmp_path_factory.mktemp("met") / "run", request(**keys))


def test_scores_and_lengths_of_a_run_that_stopped_have_intervals_for_every_look(stopped: Run) -> None:
    cell = stopped.cells[0]
    rows = stopped.seats().filter((pl.col("cell") == 0) & (pl.col("seat") == 1)).collect()
    score = rows["score"].cast(pl.Float64)
    half = at_every_look(cell.deals) * float(score.std() or 0) / cell.deals**0.5
    row = Findings(stopped).scores.filter(cell=0, seat=1).row(0, named=True)
    assert row["high"] - row["mean"] == pytest.approx(half) == row["mean"] - row["low"]
    turns = stopped.games().filter(pl.col("cell") == 0).collect()["turns"].cast(pl.Float64)
    length = Findings(stopped).lengths.filter(cell=0, measure="turns").row(0, named=True)
    assert length["high"] - length["low"] == pytest.approx(
        2 * at_every_look(cell.deals) * float(turns.std() or 0) / cell.deals**0.5
    )


def test_shares_of_strategies_and_pairs_have_intervals_for_every_look(met: Run) -> None:
    result, cell = Findings(met), met.cells[1]
    mine = met.seats().filter((pl.col("cell") == 1) & (pl.col("strategy") == "hold_at"))
    each = mine.group_by("deal").agg(pl.col("share").mean()).collect()["share"].to_numpy()
    values, counts = np.unique(each, return_counts=True)
    low, high = betting.confidence_sequence(values, counts)
    alone = result.strategy_shares.filter(cell=1, strategy="hold_at").row(0, named=True)
    pair = result.win_matrix.filter(row="hold_at", column="hold_at(threshold=15)").row(0, named=True)
    for text in (alone, pair):
        assert (text["low"], text["high"]) == pytest.approx((float(low), float(high)))
        assert text["share"] == pytest.approx(each.mean()) and text["games"] == 2 * cell.deals


def test_a_ranking_counts_the_deals_that_all_pairs_played_so_that_all_count_alike(met: Run) -> None:
    common = min(stops(met))
    assert len(set(stops(met))) > 1
    rows = met.seats().filter(pl.col("deal") < common).with_columns(pl.col("strategy").cast(pl.String))
    plain = rows.group_by("strategy").agg(pl.col("share").mean()).collect()
    for row in Findings(met).ranking.iter_rows(named=True):
        assert row["deals"] == common and row["games"] == 4 * common
        assert row["share"] == pytest.approx(plain.filter(strategy=row["strategy"])["share"][0])


def test_ratings_of_a_run_that_stopped_are_as_much_less_sure_as_looking_costs(met: Run) -> None:
    once = Findings(replace(met, experiment=met.experiment.model_copy(update={"until_verdict": False})))
    halves = [(first.ratings["high"] - first.ratings["low"]).drop_nulls() for first in (Findings(met), once)]
    deals = max(stops(met))
    wider = at_every_look(deals) / student(0.95, deals - 1)
    ratio = (halves[0] / halves[1]).drop_nans()
    assert ratio.len() and ratio.to_list() == pytest.approx([wider] * ratio.len(), rel=1e-4)


def test_tables_say_whether_their_intervals_hold_for_one_look_only(met: Run) -> None:
    """Of a run of fixed length nothing is said."""
    assert "but in tables that say they are for one look only" in dict(facts(met))["Stopping"]
    for name in (
        "scores",
        "lengths",
        "draws",
        "end_reasons",
        "ranking",
        "matchups",
        "ratings",
        "strategy_shares",
    ):
        expected = getattr(Findings(met), name)
        assert "one look" not in columns.table(Findings(met), expected, "low high", "Told").caption, name
    luck = Findings(met).deal_luck
    assert columns.table(Findings(met), luck, "correlation low high", "Told").caption.startswith(
        "Told (intervals for one"
    )
    assert columns.table(Findings(met), luck, "correlation", "Told").caption == "Told"
    once = Findings(replace(met, experiment=met.experiment.model_copy(update={"until_verdict": False})))
    assert columns.table(once, once.deal_luck, "correlation low high", "Told").caption == "Told"


def test_a_play_after_the_stop_was_not_played(stopped: Run) -> None:
    run = stopped
    cell = min(run.cells, key=lambda first: first.deals)
    assert run.locate(cell.first_play)[1] == 0
    with pytest.raises(UsageError, match=f"cell {cell.index} stopped after {cell.deals} deals"):
        run.locate(cell.play_of(cell.deals))


def test_the_manifest_says_where_each_cell_stopped(stopped: Run) -> None:
    run = stopped
    document = json.loads((run.folder / "manifest.json").read_text())
    assert [cell["deals"] for cell in document["cells"]] == stops(run)
    assert document["games"] == sum(stops(run)) and document["finished"]


def test_tallies_of_parts_are_the_tally_of_the_whole() -> None:
    seats = pl.DataFrame(
        {"deal": [0, 0, 1, 1, 2, 2, 3, 3], "seat": [0, 1] * 4, "share": [1.0, 0, 0, 1, 0.5, 0.5, 1, 0]}
    ).with_columns(cell=0)
    whole = sequential_stopping.tally(seats.lazy())
    parts = [
        sequential_stopping.tally(seats.filter(pl.col("deal").is_in(deals)).lazy())
        for deals in ([0, 1], [2, 3])
    ]
    both = sequential_stopping.merge_tallies(parts)
    assert np.array_equal(whole.outcomes, both.outcomes) and np.array_equal(whole.counts, both.counts)
    assert (
        whole.outcomes.tolist() == [[0, 1], [0.5, 0.5], [1, 0]]
        and whole.counts.tolist() == [1, 1, 2]
        and whole.counts.sum() == 4
    )


def test_rotations_of_a_deal_are_one_observation(tmp_path: Path) -> None:
    run = carried_out(tmp_path, request(lineups=["hold_at, random"], sweep={}, deals=400))
    expected = sequential_stopping.tally(run.seats())
    assert expected.counts.sum() == run.cells[0].deals == len(run.games().collect()) // 2
    assert set(expected.outcomes[:, 0]) <= {0.0, 0.5, 1.0}


@pytest.mark.parametrize(
    ("keys", "message"),
    [
        ({"until_width": 0.0}, "until_width"),
        ({"margin": 0.7}, "margin"),
        ({"until_width": 2.0}, "until_width"),
    ],
)
def test_impossible_aims_are_refused(keys: dict[str, float], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        request(**keys)
