"""Rule sets compared on the same deals: every measure, any column of the log, adjusted p-values, plain
sentences.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from scipy import stats
from statsmodels.stats.multitest import multipletests
from synthetic import noted

from simkit.errors import UsageError
from simkit.runs import runner
from simkit.runs.experiment import parse
from simkit.runs.folder import Run, open_run
from simkit.tables.findings import Findings

KEYS = {
    "question": "q", "game": "pig", "deals": 300, "lineups": ["hold_at*2", "hold_at(threshold=10), hold_at"],
    "sweep": {"goal": [30, 40, 60]}, "baseline": {"goal": 60},
}  # fmt: skip


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Run:
    return open_run(runner.run(parse(KEYS), tmp_path_factory.mktemp("compared") / "run"))


def deals(run: Run, cell: int, value: pl.Expr, table: str) -> pl.Series:
    rows = (run.games() if table == "games" else run.seats()).filter(pl.col("cell") == cell)
    return rows.group_by("deal").agg(value.mean().alias("x")).sort("deal").collect()["x"]


def asking(run: Run, *columns: str) -> Findings:
    """The findings of a run whose command asked for columns."""
    return Findings(noted(run, asked_columns=list(columns)))


def test_a_column_of_the_log_is_compared_deal_by_deal(run: Run) -> None:
    result = asking(run, "busts", "best_turn", "end_reason=goal").comparisons
    for cell, base in ((0, 4), (1, 5), (2, 4)):
        a, b = (deals(run, first, pl.col("busts").cast(pl.Float64), "games") for first in (cell, base))
        expected = stats.ttest_rel(a, b)
        row = result.filter((pl.col("cell") == cell) & (pl.col("measure") == "busts")).row(0, named=True)
        assert (row["difference"], row["p_value"]) == pytest.approx(((a - b).mean(), expected.pvalue))
        ends = expected.confidence_interval(row["confidence"])
        assert (row["low"], row["high"]) == pytest.approx(tuple(ends))
    seat1 = result.filter(cell=0, measure="best_turn", seat=1)
    by_hand = deals(run, 0, pl.col("best_turn").filter(pl.col("seat") == 1), "seats").mean()
    assert seat1["value"][0] == pytest.approx(by_hand)
    assert result.filter(pl.col("measure") == "end_reason=goal")["value"].to_list() == [1.0] * 4


def test_a_column_that_is_compared_in_any_case_or_asked_for_twice_stands_once(run: Run) -> None:
    request = asking(run, "turns", "busts", "busts").comparisons
    assert request.group_by("cell", "measure", "seat").len()["len"].unique().to_list() == [1]
    assert request.filter(measure="turns").equals(asking(run, "busts").comparisons.filter(measure="turns"))


def test_who_goes_first_is_adjusted_over_rule_sets_only_and_all_else_among_itself(run: Run) -> None:
    result = asking(run, "busts", "best_turn").comparisons
    families = result.filter(measure="fpa"), result.filter(~pl.col("measure").is_in(["fpa", "share"]))
    for family, primary in zip(families, (True, False), strict=True):
        assert family["primary"].unique().to_list() == [primary] and family["confidence"].n_unique() == 1
        values = multipletests(family["p_value"].to_list(), method="holm")[1].tolist()
        assert family["p_adjusted"].to_list() == pytest.approx(values)
    for _, cell in result.group_by("cell"):
        twins = cell.filter(pl.col("measure").is_in(["fpa", "share"]))
        assert twins.height == 3 and twins["primary"].all()
        assert twins["p_adjusted"].n_unique() == twins["confidence"].n_unique() == 1


def test_more_columns_make_the_first_players_advantage_no_less_sure(run: Run) -> None:
    few, count = (asking(run, *names).comparisons for names in ((), ("busts", "best_turn", "rolls")))
    same = ["cell", "low", "high", "p_adjusted", "confidence"]
    assert few.filter(measure="fpa").select(same).equals(count.filter(measure="fpa").select(same))


@pytest.mark.parametrize("deals", [2, 12, 40, 300])
def test_an_interval_is_off_zero_exactly_where_a_difference_is_beyond_luck(
    deals: int, tmp_path: Path
) -> None:
    run = open_run(runner.run(parse(KEYS | {"deals": deals}), tmp_path / "run"))
    table = asking(run, "busts", "best_turn", "rolls").comparisons
    off, sure = (pl.col("low") > 0) | (pl.col("high") < 0), pl.col("p_adjusted") < 0.05
    assert table.filter((off & pl.col("low").is_not_nan()) != sure).is_empty()


def test_intervals_of_one_comparison_are_the_usual_ones(tmp_path: Path) -> None:
    keys = KEYS | {"lineups": ["hold_at*2"], "sweep": {"goal": [30, 60]}}
    run = open_run(runner.run(parse(keys), tmp_path / "run"))
    row = Findings(run).comparisons.filter(measure="fpa").row(0, named=True)
    assert row["confidence"] == 0.95 and row["p_adjusted"] == row["p_value"]


def test_each_lineup_is_compared_with_its_own_baseline(run: Run) -> None:
    result = Findings(run).comparisons
    assert result.select("base", "cell").unique().sort("cell").rows() == [(4, 0), (5, 1), (4, 2), (5, 3)]


def test_what_cannot_be_compared_is_told(run: Run, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"unknown column of the log 'bust'; did you mean 'busts'"):
        _ = asking(run, "bust").comparisons
    with pytest.raises(
        UsageError, match=r"column end_reason holds names; say which to count: end_reason=goal"
    ):
        _ = asking(run, "end_reason").comparisons
    alone = {name: value for name, value in KEYS.items() if name not in ("sweep", "baseline")} | {"deals": 3}
    assert Findings(open_run(runner.run(parse(alone), tmp_path / "alone"))).comparisons.is_empty()


def test_the_command_prints_columns_sentences_and_json(simkit: Any) -> None:
    line = "compare pig --to goal=30 --deals 200 -o c --column rolls"
    text = simkit(line)[1]
    assert all(message in text for message in ("rolls", "may be luck", "first player wins"))
    document = json.loads(simkit(line, "--json")[1])
    kinds = {(row["measure"], row["seat"], row["unit"]) for row in document["differences"]}
    assert kinds >= {
        ("rolls", None, "rolls"),
        ("draw", None, "share"),
        ("fpa", 0, "share"),
        ("score", 1, "score"),
    }
    assert document["answer"] and all(0 <= row["p_adjusted"] <= 1 for row in document["differences"])
