"""The page of a search for a fair value: one folder, the answer first, every seat, and plainly when none is."""

from __future__ import annotations

import json
import re
import shlex
from pathlib import Path
from typing import Any

import pytest
from made_report import behind
from simkit.content.reports import fair
from simkit.content.reports.fair import fair_answer
from synthetic import MadeRun, made_run

from simkit.engine import registry
from simkit.page.document.files import as_text
from simkit.page.document.parts import Report
from simkit.page.recipe import recipe_for
from simkit.questions.fair.result import POOLED, FairResults
from simkit.runs.folder import keep_results
from simkit.tables.findings import Findings

GREEDY, BANKER = ["greedy", "greedy"], ["banker", "banker"]


def searched(
    folder: Path,
    shares: list[float],
    value: float | None,
    lineups: list[list[str]] | None = None,
    settings: list[int] | None = None,
    **keys: Any,
) -> MadeRun:
    """A check of the made game, seat 0 with these shares of each value tried, and what looks said before."""
    lineups, settings = lineups or [GREEDY], settings or [20]
    sweep = {"sweep": {"second": settings}}
    run = made_run(
        folder, lineups, shares, **{"deals": 400, "margin": 0.1, "until_verdict": True} | sweep | keys
    )
    names = [
        f"{lineup[0]} mirror" if len(lineup) == 2 else f"{lineup[0]} × {len(lineup)}" for lineup in lineups
    ]
    names += [POOLED] * (len(names) > 1)
    ends = {"low": None if value is None else value - 1, "high": None if value is None else value + 1}
    values = [
        {"lineup": name, "option": "second", "value": value, **ends, "best": settings[place % len(settings)]}
        for place, name in enumerate(names)
    ]
    seats = range(len(lineups[0]) if len(lineups[0]) > 2 else 1)
    places = [{"lineup": name, "seat": seat} for name in names for seat in seats]
    curve = [
        {**lineup, "option": "second", "x": x / 2, "share": 0.4 + x / 400, "low": 0.3, "high": 0.6}
        for lineup in places
        for x in range(24, 49)
    ]
    points = [
        {"look": "close", **lineup, "share": 0.5, "low": 0.4, "high": 0.6, "deals": 99, "second": x}
        for lineup in places
        for x in (12, 24)
    ]
    expected = {"vary": {"second": [12, 24]}, "usual": {"second": 16}, "fair": 1 / len(lineups[0])}
    rest = {"values": values, "points": points, "curve": curve, "differing_lineups": [], "unfit": []}
    keep_results(folder, FairResults.model_validate(expected | rest))
    return run


def page(run: MadeRun) -> Report:
    built: Report = registry.recipe("fair").build(run)
    return built


def test_the_first_screen_has_the_value_the_check_a_picture_and_a_row(tmp_path: Path) -> None:
    built = page(searched(tmp_path, [0.45], 20.04))
    (text,) = built.takeaways_of("answer")
    share = Findings(searched(tmp_path / "again", [0.45], 20.04)).first_player_advantage["adjusted"][0]
    match = re.fullmatch(
        r"About 20 \(19\.0 to 21\.0\) is fair: at 20 the first player wins (\d+) games of 100 "
        r"\(\d+ to \d+; 50 would be fair\)\.",
        text.text,
    )
    assert match and int(match[1]) == round(100 * share)
    assert built.takeaways_of("advice")[0].text == "Try second 20 (usual rules: 16)."
    sure = [first.text for first in built.takeaways_of("sure")]
    assert "between the values played straight lines stand for the shares" in sure
    assert built.picture and built.picture.drawing.name == "fair0"
    numbers = behind(built)
    assert [column.heading for column in numbers.columns][:3] == [
        "fair value",
        "95 % interval",
        "fair whole number",
    ]
    assert numbers.rows[0][:3] == ["20.0", "19.0 to 21.0", "20"] and numbers.rows[0][-1] == "FAIR"


def test_a_value_for_which_one_player_was_asked_is_for_this_player(tmp_path: Path) -> None:
    """The terminal warned that others may disagree, the page had a green "Use 20"."""
    built = page(searched(tmp_path / "one", [0.45], 20.0, deals=4000, margin=0.1))
    assert built.stamp and built.stamp == ("Use 20 for this computer player", "open")
    assert built.warnings == ["All of this is of one lineup: greedy. Others may find another value fair."]
    assert built.step and built.step.text == "See whether better players agree."
    assert built.step.command == "simkit ladder made --vary second=16/20 --seats 2"
    shares = [0.45, 0.45]
    both = page(searched(tmp_path / "two", shares, 20.0, [GREEDY, BANKER], deals=4000, margin=0.1))
    assert both.stamp and both.stamp == ("Use 20", "keep") and both.warnings == []


@pytest.mark.parametrize("value", [None, 20.3])
def test_where_nothing_is_fair_the_page_says_so_and_calls_nothing_best_as_if_it_were(
    value: float | None, tmp_path: Path
) -> None:
    text = fair_answer(Findings(searched(tmp_path, [0.2], value)))
    row = Findings(searched(tmp_path / "again", [0.2], value)).first_player_advantage.row(0, named=True)
    share, low, high = (f"{100 * row[name]:.0f}" for name in ("adjusted", "low", "high"))
    nearest = f"nearest is 20, where the first player wins {share} games of 100 ({low} to {high}; 50 would be fair)."
    assert text.headline == f"No whole number from 12 to 24 is fair: {nearest}"
    assert text.advice == "Try another option or a wider range."
    assert "none, nearest 20" in as_text(page(searched(tmp_path / "page", [0.2], value)), "md")


def test_a_whole_number_may_be_fair_within_the_margin_where_no_value_is_exactly(tmp_path: Path) -> None:
    run = searched(tmp_path, [0.45], None)
    assert fair_answer(Findings(run)).headline.startswith("20 is fair: at 20 the first player wins ")
    (row,) = fair.rows_at_best(Findings(run))
    assert isinstance(row, dict) and row["fair value"] == "none exactly"


def test_lineups_that_need_different_values_are_told_apart(tmp_path: Path) -> None:
    shares = [0.45, 0.2, 0.7, 0.45]  # of greedy and banker at 18, then at 22; draws add to the first player
    run = searched(tmp_path, shares, 20.0, [GREEDY, BANKER], [18, 22])
    findings = Findings(run)
    assert findings.fair_checks.select("wanted", "lineup", "second", "verdict").rows() == [
        ("greedy mirror", "greedy mirror", 18, "FAIR"),
        ("banker mirror", "banker mirror", 22, "FAIR"),
        (POOLED, "greedy mirror", 18, "FAIR"),
        (POOLED, "banker mirror", 18, "UNFAIR"),
    ]
    assert (
        fair_answer(findings).headline
        == "What is fair depends on who plays: 18 for greedy and 22 for banker."
    )
    built = page(run)
    assert [row[0] for row in behind(built).rows] == ["greedy", "banker", POOLED]


def test_of_three_players_all_are_shown_and_who_gains_is_said(tmp_path: Path) -> None:
    run = searched(tmp_path, [0.5], 20.0, [["greedy"] * 3])
    result, built = Findings(run), page(run)
    shares = result.seat_shares["share"].to_list()
    off = [abs(100 * (share - 1 / 3)) for share in shares]
    names = ["first player", "second player", "third player"]
    farthest = names[off.index(max(off))]
    assert fair_answer(result).headline.startswith(
        f"No whole number from 12 to 24 is fair: nearest is 20, where the {farthest}"
    )
    (check,) = [section for section in built.sections if section.heading == "The check"]
    assert [row[1] for row in check.tables[0].rows] == names and check.figures
    drawn = built.picture and built.picture.drawing.table["line"].unique(maintain_order=True).to_list()  # type: ignore[attr-defined]
    assert drawn == names


def test_a_search_has_its_page_without_being_asked(tmp_path: Path) -> None:
    assert recipe_for(searched(tmp_path, [0.45], 20.0)) == "fair"


def test_the_page_is_for_programs_too(tmp_path: Path) -> None:
    built = page(searched(tmp_path, [0.45], 20.04))
    document = json.loads(as_text(built, "json"))
    assert "About 20 (19.0 to 21.0) is fair" in json.dumps(document) and "About 20" in as_text(built, "md")


def test_the_picture_has_the_curve_the_points_the_interval_and_the_usual_rules(tmp_path: Path) -> None:
    built = page(searched(tmp_path, [0.45], 20.0))
    assert built.picture
    drawn, how = built.picture.drawing.table, built.picture.drawing.how  # type: ignore[attr-defined]
    assert drawn.filter("measured").select("x", "share").rows() == [(12.0, 0.5), (24.0, 0.5)]
    assert drawn.filter(~drawn["measured"]).height == 25
    usual, between = how["marks"]
    assert usual[1] == 16 and between[1:3] == (19.0, 21.0)
    text = built.picture.drawing.svg()
    assert "usual rules" in text and "fair value" in text


def test_an_open_interval_is_shaded_to_the_end_of_the_range(tmp_path: Path) -> None:
    run = searched(tmp_path, [0.45], 20.0)
    for value in run.answer_of(FairResults).values:
        value.high = None
    built = page(run)
    assert built.picture and built.picture.drawing.how["marks"][1][1:3] == (19.0, 24)  # type: ignore[attr-defined]
    assert built.takeaways_of("answer")[0].text.startswith("About 20 (from 19.0 up) is fair: ")


def test_more_deals_are_advised_only_where_they_would_tell(tmp_path: Path) -> None:
    step = page(searched(tmp_path, [0.46], 20.0, deals=100, margin=0.02)).step
    assert step and step.text == "Settle it with more deals."
    words = shlex.split(step.command)
    assert words[0] == "simkit" and int(words[words.index("--deals") + 1]) > 100
    settled = page(searched(tmp_path / "settled", [0.45, 0.45], 20.0, [GREEDY, BANKER])).step
    assert settled and settled.text == "See what else changes."


def test_where_it_depends_on_who_plays_every_part_says_so(tmp_path: Path) -> None:
    """The best of all, 18, is unfair with banker: nowhere is it advised, and nowhere is nothing called fair."""
    run = searched(tmp_path, [0.45, 0.2, 0.7, 0.45], 20.0, [GREEDY, BANKER], [18, 22])
    result, built = Findings(run), page(run)
    text = fair_answer(result)
    assert text.advice == "Try what suits those that play like your players (usual rules: 16)."
    assert built.step and built.step.text == "See what else changes."
    assert "--to second=18 --to second=22" in built.step.command


def test_what_is_fair_for_one_lineup_is_told_although_none_is_fair_for_another(tmp_path: Path) -> None:
    """All lineups together point at 20, which is fair for none; greedy has 18, banker nothing."""
    shares = [0.45, 0.2, 0.75, 0.2, 0.75, 0.2]  # of greedy and banker at 18, 22, 20
    findings = Findings(searched(tmp_path, shares, 20.0, [GREEDY, BANKER], [18, 22, 20]))
    assert fair_answer(findings).headline == (
        "What is fair depends on who plays: 18 for greedy and no whole number from 12 to 24 for banker."
    )
    assert "another option" not in fair_answer(findings).advice


def test_too_few_games_are_no_difference_between_players(tmp_path: Path) -> None:
    """18 is fair for greedy, and not known to be unfair for banker."""
    shares = [0.46, 0.42, 0.7, 0.46]
    run = searched(tmp_path, shares, 18.0, [GREEDY, BANKER], [18, 22], deals=150)
    findings = Findings(run)
    assert "UNFAIR" not in findings.fair_checks.filter(wanted=POOLED)["verdict"].to_list()
    assert "depends" not in fair_answer(findings).headline


def test_one_is_not_many(tmp_path: Path) -> None:
    built = page(searched(tmp_path, [0.45], 20.0, deals=1))
    assert any("(1 game each)" in first.text for first in built.takeaways_of("sure"))


def test_the_method_tells_the_search_and_the_check(tmp_path: Path) -> None:
    """Two settings on the way to the value; 400 deals and more of the check."""
    run = searched(tmp_path, [0.45], 20.04)
    by_name = dict(page(run).facts)
    assert by_name["The search"].startswith("second from 12 to 24; 2 settings in 1 look, ")
    assert "fresh deals" in by_name["The check"]
    (cell,) = run.cells
    assert f"of {cell.deals:,} deals" in by_name["Games"]
    plain = made_run(tmp_path / "plain", [GREEDY], [0.45])
    heads = dict(registry.recipe("balance").build(plain).facts)
    assert "Games" in heads and not {"The search", "The check"} & set(heads)
