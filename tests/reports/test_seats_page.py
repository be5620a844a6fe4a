"""Seats from 2 to 10: one picture of all numbers of players, and a headline that covers them all."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from made_report import behind
from simkit.content.reports.sections.answer import balance_headline
from synthetic import MadeRun, made_run, seats_win

from simkit.engine import registry
from simkit.page.document.parts import Report
from simkit.tables.findings import Findings

SIZES = [["greedy"] * seats for seats in (2, 3, 4)]


def played(folder: Path, shares: list[float], **keys: Any) -> MadeRun:
    """Two, three and four players of the made game, seat 0 with these shares, draws add 0.05."""
    return made_run(folder, SIZES, shares, **{"deals": 600, "margin": 0.1} | keys)


def page(run: MadeRun) -> Report:
    built: Report = registry.recipe("seats").build(run)
    return built


def test_the_headline_is_one_sentence_with_the_verdict_for_each_number_of_players(tmp_path: Path) -> None:
    findings = Findings(played(tmp_path, [0.45, 0.8, 0.7], deals=2000))
    assert balance_headline(findings) == "The game is FAIR with 2 players and UNFAIR with 3 and 4."
    few = balance_headline(Findings(played(tmp_path / "few", [0.45, 0.3, 0.95], deals=30)))
    assert few.startswith("The game is NOT SETTLED with 2") and "UNFAIR with 4" in few
    assert len(few.split()) <= 25


def test_a_tile_has_the_verdict_for_each_number_of_players(tmp_path: Path) -> None:
    tile, *_ = page(played(tmp_path, [0.45, 0.8, 0.7], deals=2000)).tiles
    assert [(line.of, line.number) for line in tile.lines] == [
        ("2 players", "FAIR"),
        ("3 players", "UNFAIR"),
        ("4 players", "UNFAIR"),
    ]
    assert re.fullmatch(r"first player \d+ \(fair is 25\)", tile.lines[2].note)


def test_of_several_settings_the_headline_names_the_one_that_it_is_about(tmp_path: Path) -> None:
    swept: dict[str, Any] = {"sweep": {"second": [12, 14]}, "baseline": {"second": 14}}
    run = played(tmp_path, [0.8, 0.8, 0.8, 0.45, 0.28, 0.2], deals=60, margin=0.02, **swept)
    (answer,) = page(run).takeaways_of("answer")
    assert answer.text == "Second 14 (baseline) is NOT SETTLED with 2, 3 and 4 players."


def test_each_number_of_players_has_a_label_and_every_player_a_row(tmp_path: Path) -> None:
    run = played(tmp_path, [0.45, 0.8, 0.7])
    built, result = page(run), Findings(run)
    drawn = built.picture.drawing.table  # type: ignore[union-attr]
    assert drawn["label"].unique(maintain_order=True).to_list() == ["2 players", "3 players", "4 players"]
    assert drawn["style"].to_list() == [0, 1, 0, 1, 2, 0, 1, 2, 3]
    gains = [100 * (share - fair) for share, fair in result.seat_shares.select("share", "fair").rows()]
    assert drawn["value"].to_list() == pytest.approx(gains)
    assert drawn.group_by("label").agg(total=drawn["value"].sum())["total"].abs().max() < 1e-9
    assert [row["share"] for row in behind(built).records()] == pytest.approx(
        result.seat_shares.filter(seat=0)["share"].to_list()
    )
    assert built.takeaways_of("answer")[0].text == balance_headline(result)
    assert "3 players" in built.picture.drawing.svg()  # type: ignore[union-attr]


def test_players_of_several_kinds_are_named_once_behind_their_number(tmp_path: Path) -> None:
    lineups = [[name] * seats for seats in (2, 3) for name in ("greedy", "banker")]
    run = made_run(tmp_path, lineups, [0.5, 0.5, 0.3, 0.3], deals=60)
    drawn = page(run).picture.drawing.table  # type: ignore[union-attr]
    names = {f"{seats} players, {name}" for seats in (2, 3) for name in ("greedy", "banker")}
    assert set(drawn["label"]) == names


def test_a_page_that_asks_for_a_change_says_how_many_cases_more_games_would_settle(tmp_path: Path) -> None:
    built = page(played(tmp_path, [0.45, 0.32, 0.95], deals=60, margin=0.02))
    assert built.stamp and built.stamp.kind == "change"
    assert built.step and built.step.text.startswith("Not settled: 2 of 3 cases. Play on until")


def test_the_farthest_is_the_player_farthest_with_one_lineup_not_on_average(tmp_path: Path) -> None:
    """At three seats the last is off by 0.2 with one lineup, and the first by 0.08 on average."""
    run = made_run(tmp_path, [["greedy"] * 3, ["banker"] * 3], [0.5, 0.5], deals=400)
    result = Findings(seats_win(run, [[0.25, 0.22, 0.53], [0.35, 0.5, 0.15]]))
    assert re.search(
        r"the third player wins 1\d to 5\d games of 100 \(33 would be fair\)", balance_headline(result)
    )
