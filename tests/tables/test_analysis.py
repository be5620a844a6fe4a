"""Tables that answer, on real runs of Pig and on runs made up so that the answer is known."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import polars.testing
import pytest
from simkit.content.reports.sections.answer import balance_answer
from synthetic import made_run

from simkit.runs import experiment, runner
from simkit.runs.folder import Run, open_run
from simkit.runs.plan import Layout
from simkit.tables import length, reading
from simkit.tables.fairness import rank_settings
from simkit.tables.findings import Findings, all_findings, axes
from tests.stats.by_deal import paired_difference, share_interval

HOLD = ["hold_at", "hold_at"]
UNEQUAL = ["hold_at(threshold=25)", "hold_at(threshold=10)"]


def _run(folder: Path, **keys: Any) -> Run:
    request = experiment.parse(
        {"question": "Is the first player of Pig favoured?", "game": "pig", "deals": 300, "seed": 3, **keys}
    )
    return open_run(runner.run(request, folder, layout=Layout(70, 70)))


@pytest.fixture(scope="module")
def swept(tmp_path_factory: pytest.TempPathFactory) -> Run:
    sweep = {"goal": [40, 60, 100]}
    return _run(
        tmp_path_factory.mktemp("pig") / "swept", lineups=[HOLD, UNEQUAL], sweep=sweep, baseline={"goal": 100}
    )


@pytest.fixture(scope="module")
def robin(tmp_path_factory: pytest.TempPathFactory) -> Run:
    return _run(
        tmp_path_factory.mktemp("pig") / "robin", round_robin=["hold_at", "hold_at(threshold=10)", "random"]
    )


def _deals(run: Run, cell: int, seat: int) -> np.ndarray:
    """Share of a seat by deal, the plain way."""
    rows = run.seats().collect().filter((pl.col("cell") == cell) & (pl.col("seat") == seat))
    return (
        rows.group_by("deal", maintain_order=True)
        .agg(pl.col("share").mean())
        .sort("deal")["share"]
        .to_numpy()
    )


def test_seat_shares_are_those_of_the_deals(swept: Run) -> None:
    for row in Findings(swept).seat_shares.iter_rows(named=True):
        cell = swept.cells[row["cell"]]
        expected = share_interval(_deals(swept, row["cell"], row["seat"]), rotations=cell.rotations)
        assert (row["games"], row["deals"]) == (expected.games, expected.deals) == (cell.plays, 300)
        assert (row["share"], row["low"], row["high"]) == pytest.approx(
            (expected.share, expected.low, expected.high)
        )
        assert row["goal"] == cell.varied["goal"]


def test_the_advantage_is_that_of_seat_0_only(swept: Run) -> None:
    seats = Findings(swept).seat_shares
    assert seats.filter(pl.col("seat") > 0)["fpa"].is_null().all()
    first = Findings(swept).first_player_advantage
    assert first["fpa"].to_list() == pytest.approx((first["share"] - 0.5).to_list())
    assert set(first["verdict"]) <= {"FAIR", "UNFAIR", "BORDERLINE", "NOT SETTLED"}


@pytest.mark.slow
def test_blocks_of_deals_change_nothing(swept: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    names = set(all_findings()) - {"lead_changes", "decided_at", "predictability"}
    whole, pieces = Findings(swept), Findings(swept)
    tables = {name: getattr(whole, name) for name in names - {"runaway"}}
    monkeypatch.setattr(reading, "ranges", lambda run, count: [(0, 90), (90, 91), (91, 300)])
    for name, table in tables.items():
        polars.testing.assert_frame_equal(getattr(pieces, name), table, check_row_order=name != "components")


def test_tables_of_the_same_rows_read_the_log_once(swept: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    reads: list[int] = []
    monkeypatch.setattr(reading, "ranges", lambda run, count: reads.append(1) or [(0, 300)])
    findings = Findings(swept)
    for name in (
        "seat_shares",
        "lengths",
        "draws",
        "end_reasons",
        "scores",
        "seat_spread",
        "deal_luck",
        "ranking",
    ):
        assert getattr(findings, name).height and len(reads) == 1
    assert findings.comparisons.height and findings.win_matrix.height and findings.strategy_shares.height
    assert findings.at_baseline().lengths.height and len(reads) == 1


def test_strategies_win_what_the_others_lose(robin: Run) -> None:
    matrix = Findings(robin).win_matrix
    share = {(row["row"], row["column"]): row["share"] for row in matrix.iter_rows(named=True)}
    assert len(share) == 6 and matrix["balanced"].all()
    assert all(share[a, b] + share[b, a] == pytest.approx(1) for a, b in share)
    ranked = Findings(robin).ranking
    assert ranked["strategy"].to_list() == ["hold_at", "hold_at(threshold=10)", "random"]
    assert ranked["share"].sum() == pytest.approx(1.5)
    assert ranked["games"].to_list() == [1200] * 3 and ranked["opponents"].to_list() == [2] * 3


def test_a_mirror_says_nothing_about_strategies(swept: Run) -> None:
    assert set(Findings(swept).strategy_shares["cell"]) == {1, 3, 5}


def test_lengths_are_those_of_numpy(swept: Run) -> None:
    games = swept.games().collect()
    for row in Findings(swept).lengths.iter_rows(named=True):
        seen = games.filter(pl.col("cell") == row["cell"])[row["measure"]].to_numpy()
        expected = np.percentile(seen, [5, 50, 95], method="inverted_cdf")
        assert [row["p5"], row["p50"], row["p95"]] == expected.tolist()
        assert (row["mean"], row["sd"]) == pytest.approx((seen.mean(), seen.std(ddof=1)))


def test_bars_hold_every_game(swept: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(length, "MAX_BARS", 7)
    bars = Findings(swept).length_bars
    assert bars.group_by("cell").agg(pl.col("share").sum())["share"].to_list() == pytest.approx([1] * 6)
    assert bars.filter(pl.col("cell") == 0).height <= 7


def test_endings_count_every_game(swept: Run) -> None:
    ends = Findings(swept).end_winners
    assert ends.group_by("cell").agg(pl.col("share").sum())["share"].to_list() == pytest.approx([1] * 6)
    assert (ends["low"] <= ends["share"]).all() and (ends["share"] <= ends["high"]).all()
    assert Findings(swept).end_reasons["share"].to_list() == [1.0] * 6
    assert Findings(swept).draws["share"].to_list() == [0.0] * 6


def test_scores_are_those_of_numpy(swept: Run) -> None:
    rows = swept.seats().collect()
    for row in Findings(swept).scores.iter_rows(named=True):
        seen = rows.filter((pl.col("cell") == row["cell"]) & (pl.col("seat") == row["seat"]))[
            "score"
        ].to_numpy()
        assert (row["mean"], row["sd"]) == pytest.approx((seen.mean(), seen.std(ddof=1)))
        assert row["low"] < row["mean"] < row["high"]


def test_cells_are_compared_deal_by_deal(swept: Run) -> None:
    rows = Findings(swept).comparisons.filter(base=4, measure="share", seat=0)
    assert rows["cell"].to_list() == [0, 2]
    for row in rows.iter_rows(named=True):
        expected = paired_difference(
            _deals(swept, row["cell"], 0), _deals(swept, 4, 0), bound=1.0, level=row["confidence"]
        )
        assert row["deals"] == 300
        assert [row[k] for k in ("difference", "low", "high", "factor")] == pytest.approx(
            [expected.difference, expected.low, expected.high, expected.factor]
        )
        assert row["difference"] == pytest.approx(row["value"] - row["base_value"])


def test_rules_that_change_nothing_do_not_differ(tmp_path: Path) -> None:
    run = made_run(tmp_path, [HOLD], [0.5, 0.5], sweep={"second": [12, 14]}, baseline={"second": 12})
    result = Findings(run).comparisons
    assert result["difference"].to_list() == [0.0] * result.height


def test_axes_tell_ties_and_names(tmp_path: Path) -> None:
    run = made_run(tmp_path, [HOLD], [0.5, 0.5], sweep={"first, second": [[12, 16], [12, 18]]})
    (axis,) = axes(run)
    assert (axis.label, axis.whole_numbers, axis.values) == ("first / second", True, [(12, 16), (12, 18)])
    named = made_run(tmp_path / "named", [HOLD], [0.5, 0.5], sweep={"rule": ["draft", "exact"]})
    assert not axes(named)[0].whole_numbers
    flags = made_run(tmp_path / "flags", [HOLD], [0.5, 0.5], sweep={"neutral": [True, False]})
    assert not axes(flags)[0].whole_numbers


def test_three_seats_with_shared_wins(tmp_path: Path) -> None:
    run = made_run(tmp_path, [["a", "b", "c"]], [0.4])
    seats = Findings(run).seat_shares
    assert seats["share"].sum() == pytest.approx(1) and seats["games"].to_list() == [1200] * 3
    assert Findings(run).win_matrix.is_empty()
    assert Findings(run).strategy_shares["share"].sum() == pytest.approx(1)
    assert Findings(run).draws["share"][0] > 0.05


def test_first_movers_that_are_not_seat_0_are_counted(tmp_path: Path) -> None:
    run = made_run(tmp_path, [HOLD], [0.5])
    assert Findings(run).first_movers.is_empty()
    games = pl.read_parquet(tmp_path / "games.parquet").with_columns(
        (pl.col("deal") % 4 == 0).cast(pl.Int32).alias("first")
    )
    games.write_parquet(tmp_path / "games.parquet")
    row = Findings(run).first_movers.row(0, named=True)
    seats = run.seats().collect().join(games, on="play").filter(pl.col("seat") == pl.col("first"))
    assert row["moved"] == 0.25 and row["share"] == pytest.approx(seats["share"].mean())
    assert "somebody else made it in 25.0 % of the games" in balance_answer(Findings(run)).warnings[0]


def test_bars_leave_out_one_game_in_a_thousand_at_either_end() -> None:
    counts = pl.DataFrame(
        {"cell": [0] * 5 + [1], "value": [1, 20, 21, 22, 100, 7], "games": [1, 900, 1200, 898, 1, 3]}
    )
    stored = length.without_ends(counts)
    assert stored.filter(cell=0)["value"].to_list() == [20, 21, 22]
    assert stored.filter(cell=1)["value"].to_list() == [7]  # few games: all of them


@pytest.mark.parametrize("noise", [0.0, 1e-16, -1e-16])
def test_settings_as_near_to_fair_keep_their_order_whatever_the_last_digit(noise: float) -> None:
    """The last digit of a mean depends on the order in which threads add up."""
    shares = [0.1, 0.4 + noise, 0.4 - noise]
    rows = {"setting": ["far", "early", "late"], "share": shares, "low": shares, "high": shares}
    rows |= {"lineup": ["a"] * 3, "farthest_share": shares, "fair": [0.5] * 3, "baseline": [False] * 3}
    assert rank_settings(pl.DataFrame(rows))["setting"].to_list() == ["early", "late", "far"]
