"""Seats from 2 to 10: one small picture for each number of players, and a headline that covers them all."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from made_report import behind
from synthetic import MadeRun, made_run, seats_win

from simkit.analysis import Findings
from simkit.engine import registry
from simkit.reporting.document import Report
from simkit.reporting.text.answer import headline
from simkit.reporting.text.player_counts import other_setting, size_rows

SIZES = [["greedy"] * seats for seats in (2, 3, 4)]


def played(folder: Path, shares: list[float], **keys: Any) -> MadeRun:
    """Two, three and four players of the made game, seat 0 with these shares, draws add 0.05."""
    return made_run(folder, SIZES, shares, **{"deals": 600, "margin": 0.1} | keys)


def page(run: MadeRun) -> Report:
    built: Report = registry.recipe("seats").build(run)
    return built


def test_the_headline_answers_each_number_of_players_by_itself_what_is_settled_first(tmp_path: Path) -> None:
    findings = Findings(played(tmp_path, [0.45, 0.8, 0.7], deals=2000))
    wins = {
        seats: f"{100 * share:.0f}"
        for seats, share in findings.seat_shares.filter(seat=0).select("seats", "share").rows()
    }
    assert headline(findings) == (
        f"With 2 players the game is FAIR: the first player wins {wins[2]} games of 100. "
        f"The game is UNFAIR: with 3 players the first player wins {wins[3]} games of 100 (33 would be fair); "
        f"with 4 players the first player wins {wins[4]} games of 100 (25 would be fair)."
    )
    few = headline(Findings(played(tmp_path / "few", [0.45, 0.3, 0.95], deals=30)))
    assert (
        few.startswith("With 4 players the game is UNFAIR: ")
        and "The game is NOT SETTLED: with 2 players" in few
    )


def test_of_several_settings_the_headline_names_the_one_that_it_is_about(tmp_path: Path) -> None:
    swept: dict[str, Any] = {"sweep": {"second": [12, 14]}, "baseline": {"second": 14}}
    run = played(tmp_path, [0.8, 0.8, 0.8, 0.45, 0.28, 0.2], deals=60, margin=0.02, **swept)
    (answer,) = page(run).takeaways_of("answer")
    assert answer.text.startswith(
        "Second 14 (baseline) is NOT SETTLED: with 2 players the first player wins "
    )


def test_each_number_of_players_has_a_label_and_every_player_a_row(tmp_path: Path) -> None:
    run = played(tmp_path, [0.45, 0.8, 0.7])
    built, result = page(run), Findings(run)
    drawn = built.picture.drawing.table  # type: ignore[union-attr]
    assert drawn["label"].unique(maintain_order=True).to_list() == ["2 players", "3 players", "4 players"]
    assert drawn["style"].to_list() == [0, 1, 0, 1, 2, 0, 1, 2, 3]
    gains = [100 * (share - fair) for share, fair in result.seat_shares.select("share", "fair").rows()]
    assert drawn["value"].to_list() == pytest.approx(gains)
    assert drawn.group_by("label").agg(total=drawn["value"].sum())["total"].abs().max() < 1e-9
    assert [row[0] for row in behind(built).rows] == ["2", "3", "4"]
    assert built.takeaways_of("answer")[0].text == headline(result)
    assert "3 players" in built.picture.drawing.svg()  # type: ignore[union-attr]


def test_two_settings_are_in_one_picture_and_the_other_is_told_too(tmp_path: Path) -> None:
    rules = {"sweep": {"second": [12, 14]}, "baseline": {"second": 12}}
    run = played(tmp_path, [0.45, 0.8, 0.7, 0.8, 0.3, 0.25], **rules)
    drawn = page(run).picture.drawing.table  # type: ignore[union-attr]
    assert {"2 players, second 12", "2 players, second 14"} <= set(drawn["label"])
    text = other_setting(Findings(run), "second = 12")
    assert text.startswith("With 2 players second 14 is UNFAIR: the first player wins ")


def test_lineups_that_disagree_on_who_gains_are_said_to(tmp_path: Path) -> None:
    run = made_run(tmp_path, [["greedy"] * 2, ["banker"] * 2], [0.8, 0.2], deals=300)
    (row,) = size_rows(Findings(run), "")
    assert not row["gains"]["alike"] and row["verdict"] == "UNFAIR"
    assert headline(Findings(run)).startswith("The game is UNFAIR, and who is ahead depends on who plays: ")


def test_the_small_table_has_no_mean_of_lineups_that_disagree_on_who_gains(tmp_path: Path) -> None:
    lineups = [[name] * seats for seats in (2, 3) for name in ("greedy", "banker")]
    glance = behind(page(made_run(tmp_path, lineups, [0.8, 0.2, 0.6, 0.7], deals=300)))
    assert glance and glance.rows[0][1:3] == ["depends on who plays"] * 2
    assert glance.rows[1][1].startswith("first player +")


def test_the_small_table_names_its_setting_and_that_it_has_means_of_lineups(tmp_path: Path) -> None:
    lineups = [[name] * seats for seats in (2, 3) for name in ("greedy", "banker")]
    keys = {"sweep": {"second": [12, 14]}, "baseline": {"second": 12}, "deals": 60}
    run = made_run(tmp_path, lineups, [0.4, 0.5, 0.6, 0.7] * 2, **keys)
    glance = behind(page(run))
    assert glance
    heads = [column.heading for column in glance.columns]
    assert heads[0] == "players (baseline)" and all(
        head.endswith("mean of the lineups") for head in heads[1:3]
    )
    means = (
        Findings(run)
        .seat_shares.filter(setting="second = 12", seats=3)
        .group_by("seat")
        .agg((pl.col("share") - pl.col("fair")).mean())
    )
    assert glance.rows[1][1].endswith(f"{100 * means['share'].max():+.1f}")
    alone = behind(page(played(tmp_path / "alone", [0.45, 0.8, 0.7])))
    assert alone and [column.heading for column in alone.columns][:2] == [
        "players",
        "gains most, percentage points",
    ]


def test_the_small_table_of_lineups_names_the_setting_of_its_shares(tmp_path: Path) -> None:
    lineups = [[name] * 2 for name in "abcde"]
    keys = {"sweep": {"second": [12, 14]}, "baseline": {"second": 12}, "deals": 60}
    run = made_run(tmp_path, lineups, [0.4, 0.5, 0.6, 0.7, 0.8] * 2, **keys)
    glance = behind(registry.recipe("balance").build(run))
    assert glance and glance.columns[0].heading == "lineup (baseline)" and len(glance.rows) == 5


def test_who_plays_is_said_where_the_first_player_wins_more_with_one_than_with_another(
    tmp_path: Path,
) -> None:
    lineups = [[name] * seats for seats in (2, 3) for name in ("greedy", "banker", "rash")]
    run = made_run(tmp_path, lineups, [0.4, 0.5, 0.7, 0.4, 0.41, 0.42], deals=300)
    (message,) = [first.text for first in page(run).takeaways_of("advice") if "wins least" in first.text]
    firsts = Findings(run).seat_shares.filter(seats=2, seat=0)["share"]
    low, high = (f"{100 * share:.0f}" for share in (firsts.min(), firsts.max()))
    assert message == (
        f"With 2 players the first player wins least, {low} games of 100, when both play greedy, "
        f"and most, {high}, when both play rash."
    )
    both = page(made_run(tmp_path / "both", lineups, [0.6, 0.7, 0.8, 0.2, 0.3, 0.5], deals=300))
    assert [first.text[:15] for first in both.takeaways_of("advice")] == [
        "With 2 players ",
        "With 3 players ",
    ]


def test_the_farthest_is_the_player_farthest_with_one_lineup_not_on_average(tmp_path: Path) -> None:
    """At three seats the last is off by 0.2 with one lineup, and the first by 0.08 on average."""
    run = made_run(tmp_path, [["greedy"] * 3, ["banker"] * 3], [0.5, 0.5], deals=400)
    result = Findings(seats_win(run, [[0.25, 0.22, 0.53], [0.35, 0.5, 0.15]]))
    assert re.search(r"the third player wins 1\d to 5\d games of 100 \(33 would be fair\)", headline(result))
