"""Where nobody wins some games, rule sets are compared by how far seats are from each other, as verdicts are."""

from __future__ import annotations

import math
from pathlib import Path

import polars as pl
import pytest
from simkit.content.reports.compare import difference_rows
from synthetic import MadeRun, lose, made_run

from simkit.page.terminal import _matches
from simkit.stats.comparisons import holm
from simkit.tables.findings import Findings

RULES = {"sweep": {"rule": ["a", "b"]}, "baseline": {"rule": "a"}}
MIRROR = [["greedy", "greedy"]]


def compared(folder: Path, shares: list[float], lost: list[float]) -> MadeRun:
    run = made_run(folder, MIRROR, shares, deals=2000, **RULES)
    return lose(run, dict(enumerate(lost)))


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> MadeRun:
    """Both seats win alike often with a, which loses 4 games in 10; with b the first wins 6 in 10 of all."""
    return compared(tmp_path_factory.mktemp("lost"), [0.45, 0.55], [0.4, 0])


def test_a_rule_set_that_loses_games_alike_for_all_is_nearer_to_fair(run: MadeRun) -> None:
    findings = Findings(run)
    assert findings.rule_sets["setting"].to_list() == ["rule = a", "rule = b"]
    (row,) = findings.rules_nearer.rows(named=True)
    assert (row["cell"], row["than"]) == (0, 1) and row["p_adjusted"] < 0.001


def test_a_row_of_the_terminal_is_a_share_or_an_advantage_and_says_which(run: MadeRun) -> None:
    findings = Findings(run)
    by_name = {row["measure"]: row for row in difference_rows(findings, (), whole=False)}
    share, ahead = by_name["share of the first player"], by_name["first-player advantage"]
    first = findings.first_player_advantage
    assert share["base"] == f"{100 * first['share'][0]:.2f} %"
    assert ahead["here"] == f"{100 * first['fpa'][1]:+.2f} points"
    assert "first player wins" not in by_name


def test_each_difference_has_its_own_p_value_where_games_are_lost(run: MadeRun) -> None:
    table = Findings(run).comparisons
    for _, family in table.group_by("primary"):
        assert family["p_adjusted"].to_list() == pytest.approx(holm(family["p_value"].to_list()).tolist())
    assert table.filter("primary")["measure"].to_list() == ["fpa"]
    share, fpa = (table.filter(measure=name, seat=0)["p_value"][0] for name in ("share", "fpa"))
    assert share < 1e-9 * fpa


def test_the_lead_in_elo_has_the_sign_of_the_advantage(run: MadeRun, tmp_path: Path) -> None:
    lead = lose(made_run(tmp_path, MIRROR, [0.6], deals=2000), {0: 0.4})
    row = Findings(lead).first_player_advantage.row(0, named=True)
    assert row["share"] < 0.5 < row["share"] / (2 * row["fair"])
    assert 0 < row["elo_low"] < row["elo"] < row["elo_high"]
    assert row["elo"] == pytest.approx(400 * math.log10((0.5 + row["fpa"]) / (0.5 - row["fpa"])))


def test_who_wins_more_games_beats_the_other_however_many_nobody_wins(tmp_path: Path) -> None:
    run = made_run(tmp_path, [["strong", "weak"]], [0.5], deals=1000)
    seats = pl.read_parquet(run.folder / "seats.parquet")
    strong = pl.col("strategy") == "strong"
    seats.with_columns(share=pl.when(strong).then(0.7).otherwise(0.3)).write_parquet(
        run.folder / "seats.parquet"
    )
    findings = Findings(lose(run, {0: 0.4}))
    assert findings.strategy_shares["share"].max() < 0.5
    assert _matches(findings)[0]["match"] == "strong beats weak"
