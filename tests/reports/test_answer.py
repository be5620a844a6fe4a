"""The answer to the question of a run: headline, advice, how sure, and the word of each row below it."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from made_ladder import with_ladder
from made_report import behind
from simkit.content.reports.balance import recipe as balance
from simkit.content.reports.sections.answer import answer_stamp, balance_answer
from synthetic import made_run, seats_win

from simkit.page.advice import advised_settings, near_fair
from simkit.page.words.confidence import disagreement
from simkit.page.words.numbers import Summary, about, games_of_100, roughly
from simkit.page.words.verdicts import CHANGE
from simkit.tables.findings import Findings

ALIKE, BOTH = [["a", "a"]], [["a", "a"], ["b", "b"]]
LOW, FAIR, BETWEEN, HIGH = 0.30, 0.45, 0.50, 0.60  # seat 0 wins 5 points more: half of the draws
SWEEP: dict[str, Any] = {"sweep": {"second": [12, 14, 16]}, "baseline": {"second": 12}}


def message(folder: Path, lineups: list[list[str]], shares: list[float], **keys: Any) -> Summary:
    return balance_answer(Findings(made_run(folder, lineups, shares, **keys)))


def answered(
    folder: Path, lineups: list[list[str]], shares: list[float], **keys: Any
) -> tuple[Summary, Findings]:
    findings = Findings(made_run(folder, lineups, shares, **keys))
    return balance_answer(findings), findings


def wins(sentence: str) -> tuple[int, ...]:
    """The games of 100 that a sentence names first."""
    match = re.search(r"(\d+)(?: to (\d+))? games? of 100", sentence)
    assert match, sentence
    return tuple(int(group) for group in match.groups() if group)


def whole(shares: list[float]) -> tuple[int, ...]:
    return tuple(dict.fromkeys(round(100 * share) for share in (min(shares), max(shares))))


@pytest.mark.parametrize("shares", [[HIGH, FAIR, HIGH], [FAIR, HIGH, HIGH]])
def test_no_value_is_recommended_with_which_the_strongest_rungs_disagree(
    shares: list[float], tmp_path: Path
) -> None:
    """A value was recommended, or the baseline kept, unless a rung was surely off by more than the margin."""
    run = made_run(tmp_path, ALIKE, shares, deals=2000, margin=0.05, **SWEEP)
    fair = f"second = {12 + 2 * shares.index(FAIR)}"
    agree, differ = (with_ladder(Findings(run), {"second = 16": 0.6, fair: off}) for off in (0.54, 0.56))
    disagree = with_ladder(Findings(run), {"second = 16": 0.6, fair: 0.56}, unfair=[fair])
    assert "whether the strongest players find second 1" in balance_answer(differ).advice
    assert "between these players, but not between the strongest." in balance_answer(disagree).advice
    both = with_ladder(Findings(run), {"second = 16": 0.6, fair: 0.56}, unfair=[fair])
    assert disagreement(both, [fair, "second = 16"]).endswith(
        " would be fair between these players, but not between the strongest; "
        "whether the strongest players find second 16 fair is not settled."
    )
    assert advised_settings(differ) == []
    assert advised_settings(disagree) == [] and "No value is recommended" not in balance_answer(agree).advice


@pytest.mark.parametrize(
    ("low", "high", "printed"),
    [
        (0.0, 0.0, "0 games of 100"),
        (0.001, 0.004, "less than 1 game of 100"),
        (0.009, 0.011, "1 game of 100"),
        (0.004, 0.02, "0 to 2 games of 100"),
        (0.567, 0.586, "57 to 59 games of 100"),
        (0.998, 0.999, "more than 99 games of 100"),
        (1.0, 1.0, "100 games of 100"),
    ],
)
def test_shares_in_whole_games(low: float, high: float, printed: str) -> None:
    assert games_of_100(low, high) == printed


def test_a_game_is_fair_or_not_or_open(tmp_path: Path) -> None:
    cases = {
        "FAIR": ([FAIR], 9000, 0.02),
        "UNFAIR": ([HIGH], 2000, 0.02),
        "NOT SETTLED": ([FAIR], 60, 0.02),
        "BORDERLINE": ([BETWEEN], 9000, 0.05),
        "NOT EQUAL": ([0.47], 3000, 0.02),
    }
    for verdict, (shares, deals, margin) in cases.items():
        summary, findings = answered(tmp_path / verdict, ALIKE, shares, deals=deals, margin=margin)
        assert summary.headline.startswith(f"The game is {verdict}: ")
        assert wins(summary.headline) == whole(findings.answered["share"].to_list())
        assert summary.advice == ""


def test_lineups_that_are_judged_differently_are_counted(tmp_path: Path) -> None:
    lineups = [["a", "a"], ["b", "b"], ["c", "c"]]
    result, findings = answered(tmp_path, lineups, [HIGH, FAIR, FAIR], deals=9000)
    assert result.headline.startswith("The game is UNFAIR with one of three computer players: ")
    shares = findings.answered["share"].to_list()
    assert wins(result.headline) == whole(shares)
    least, most = (f"{100 * share:.0f}" for share in sorted(shares)[::2])
    assert f"({least} of 100)" in result.advice and f"most with a ({most} of 100)" in result.advice


def test_lineups_whose_sides_disagree_are_told(tmp_path: Path) -> None:
    separate = message(tmp_path / "one", BOTH, [LOW, 0.7], deals=2000)
    assert separate.headline.startswith("The game is UNFAIR, and who is ahead depends on who plays: ")
    count = message(tmp_path / "two", BOTH, [LOW, 0.7, FAIR, FAIR, 0.7, 0.8], deals=2000, **SWEEP)
    assert count.headline.startswith("Second 12 (baseline) is UNFAIR, and who is ahead depends on who plays:")


def test_of_three_players_the_one_farthest_from_fair_is_named(tmp_path: Path) -> None:
    first = message(tmp_path / "first", [["a"] * 3], [0.5], deals=2000).headline
    assert "the first player wins" in first and first.endswith("(33 would be fair).")
    run = made_run(tmp_path / "other", [["a"] * 3], [1 / 3], deals=400)
    shares = Findings(run).seat_shares.rows(named=True)
    off = max(shares, key=lambda row: abs(row["share"] - 1 / 3))
    printed = balance_answer(Findings(run)).headline
    assert f"the {['first', 'second', 'third'][off['seat']]} player wins" in printed
    assert wins(printed) == whole([off["share"]])


def test_tables_of_different_size_are_told_apart(tmp_path: Path) -> None:
    result = message(tmp_path, [["a", "a"], ["a"] * 3], [LOW, 0.5], deals=2000)
    assert result.headline == "The game is UNFAIR with 2 and 3 players."


def test_an_unfair_baseline_is_answered_by_the_settings_within_the_margin(tmp_path: Path) -> None:
    run = made_run(tmp_path, BOTH, [LOW, LOW, FAIR, 0.455, HIGH, HIGH], deals=9000, **SWEEP)
    result, first = balance_answer(Findings(run)), Findings(run).first_player_advantage
    assert result.headline.startswith("Second 12 (baseline) is UNFAIR: the first player wins ")
    assert advised_settings(Findings(run)) == ["second = 14"]
    there = first.filter(second=14)["share"].to_list()
    least, *most = whole(there)
    printed = " to ".join(map(str, [least, *most]))
    assert result.advice.startswith(
        f"Instead try: second 14. Then the first player wins {printed} games of 100 with both computer players."
    )
    assert "fresh deals" in result.advice


def test_only_settings_that_are_not_unfair_with_any_lineup_are_advised_at_most_three(tmp_path: Path) -> None:
    shares = [LOW, LOW, FAIR, HIGH, 0.452, 0.45, 0.455, 0.45, 0.46, 0.45, 0.445, 0.45]
    sweep = {"sweep": {"second": [12, 14, 16, 18, 20, 22]}, "baseline": {"second": 12}}
    run = made_run(tmp_path, BOTH, shares, deals=4000, margin=0.04, **sweep)
    good = advised_settings(Findings(run))
    assert len(good) == 3 and {"second = 12", "second = 14"}.isdisjoint(good)
    off = {row["setting"]: row["off"] for row in Findings(run).settings.rows(named=True)}
    rest = set(off) - {"second = 12", "second = 14", *good}
    assert max(off[first] for first in good) <= min(off[first] for first in rest)
    assert advised_settings(Findings(made_run(tmp_path / "one", ALIKE, [FAIR]))) == []


def test_a_setting_that_more_games_may_find_unfair_is_not_advised(tmp_path: Path) -> None:
    """After 2,000 deals second 16 is certainly fair with neither player; second 14 is far off with both."""
    keys = SWEEP | {"margin": 0.02}
    run = made_run(tmp_path, BOTH, [LOW, LOW, 0.35, 0.35, FAIR, FAIR], deals=2000, **keys)
    advice, needed = balance_answer(Findings(run)).advice, Findings(run).deals_to_settle["needed"]
    assert "NOT SETTLED" in Findings(run).first_player_advantage.filter(second=16)["verdict"]
    assert advised_settings(Findings(run)) == [] and "Instead try" not in advice
    assert f"about {roughly(int(needed.max()))} games each would settle it" in advice  # type: ignore[arg-type]


@pytest.mark.slow
def test_beside_an_advised_setting_those_not_settled_are_named_with_the_games_they_need(
    tmp_path: Path,
) -> None:
    shares = [LOW, LOW, FAIR, FAIR, 0.465, 0.462]
    run = made_run(tmp_path, BOTH, shares, deals=9000, **SWEEP)
    verdicts = Findings(run).first_player_advantage.filter(second=16)["verdict"]
    assert "NOT SETTLED" in verdicts and advised_settings(Findings(run)) == ["second = 14"]
    assert re.search(
        r"Not known yet: second 16: about [\d,]+ games each would settle it\.",
        balance_answer(Findings(run)).advice,
    )


def test_a_baseline_that_is_fair_needs_no_change_and_one_that_is_open_is_not_said_to(tmp_path: Path) -> None:
    keys = SWEEP | {"baseline": {"second": 14}}
    fair = message(tmp_path / "fair", ALIKE, [LOW, FAIR, HIGH], deals=9000, **keys)
    assert fair.headline.startswith("Second 14 (baseline) is FAIR") and fair.advice == "It needs no change."
    few = message(tmp_path / "few", ALIKE, [LOW, FAIR, HIGH], deals=400, **keys)
    assert "is NOT SETTLED" in few.headline
    assert few.advice == "No other setting tried is nearer to fair."
    near = message(tmp_path / "near", ALIKE, [LOW, BETWEEN, FAIR], deals=9000, margin=0.05, **keys)
    assert "BORDERLINE" in near.headline and near.advice.startswith("Instead try: second 16.")


def test_where_nothing_is_within_the_margin_the_nearest_is_named(tmp_path: Path) -> None:
    result, findings = answered(tmp_path, ALIKE, [LOW, 0.35, HIGH], deals=2000, **SWEEP)
    assert result.advice.startswith("No setting tried is known to be fair. Nearest so far is second 14, ")
    assert wins(result.advice) == whole(findings.nearest["share"].to_list())


def test_where_the_farthest_from_fair_holds_nothing_is_picked(tmp_path: Path) -> None:
    result, _ = answered(tmp_path, ALIKE, [FAIR, FAIR, FAIR], deals=9000, sweep=SWEEP["sweep"])
    assert result.advice.startswith("Each of these is near fair: ") and "Picked" not in result.advice


def test_without_a_baseline_the_headline_is_about_the_setting_nearest_to_fair(tmp_path: Path) -> None:
    sweep = {"rule": ["draft", "exact", "random"]}
    off = Findings(made_run(tmp_path / "off", ALIKE, [0.20, LOW, 0.25], deals=1000, sweep=sweep))
    result = balance_answer(off)
    assert result.headline.startswith("Rule: exact, the nearest to fair of all settings tried, is UNFAIR: ")
    assert "Farthest is rule: draft, where " in result.advice and "Nearest" not in result.advice
    assert answer_stamp(off) == CHANGE
    first = message(tmp_path / "one", ALIKE, [0.40], sweep={"second": [12]})
    assert first.headline.startswith("Second 12 ") and "nearest" not in first.headline


def test_without_a_baseline_a_setting_that_is_far_off_is_no_reason_to_change_another(tmp_path: Path) -> None:
    sweep = {"rule": ["draft", "exact", "random"]}
    for name, deals in {"open": 1000, "fair": 9000}.items():
        findings = Findings(made_run(tmp_path / name, ALIKE, [FAIR, LOW, HIGH], deals=deals, sweep=sweep))
        headline = balance_answer(findings).headline
        assert headline.startswith(
            ("Nearest to fair is rule: draft, where", "Rule: draft, the nearest to fair")
        )
        assert answer_stamp(findings) is None
    assert "is FAIR" in headline and balance_answer(findings).advice.startswith("Try: rule: draft.")


def test_the_baseline_is_called_as_the_experiment_calls_it(tmp_path: Path) -> None:
    called = {"baseline": "12 against 16", "a": "plain player"}
    run = made_run(tmp_path, ALIKE, [LOW, FAIR, HIGH], deals=2000, called=called, **SWEEP)
    assert balance_answer(Findings(run)).headline.startswith("12 against 16 is UNFAIR: ")
    text = " ".join(first.text for first in balance.build(run).takeaways)
    assert "12 against 16" in text and "second = " not in text


def test_how_sure_says_how_wide_intervals_are(tmp_path: Path) -> None:
    result, findings = answered(tmp_path, BOTH, [FAIR, FAIR], deals=2000, margin=0.03)
    half = max((row["high"] - row["low"]) / 2 for row in findings.answered.rows(named=True))
    assert result.sure == [f"±{100 * half:.0f} in 100 by luck (2,000 games each)"]
    stopped = message(tmp_path / "stops", ALIKE, [FAIR], deals=60, until_width=0.5)
    assert any("hold at every look" in first for first in stopped.sure)


def test_lineups_that_were_not_rotated_are_told(tmp_path: Path) -> None:
    run = made_run(tmp_path, [["a", "a"], ["a", "b"]], [FAIR] * 2, deals=60)
    fixed = replace(run, cells=[replace(cell, rotations=1) for cell in run.cells])
    (warning,) = [first for first in balance_answer(Findings(fixed)).warnings if "rotated" in first]
    assert "seat and player cannot be told apart" in warning


@pytest.mark.parametrize(
    ("shares", "told_apart"), [([0.42, 0.421, 0.421, 0.42], False), ([0.42, 0.52, 0.50, 0.40], True)]
)
def test_nearest_settings_are_said_to_differ_only_beyond_luck(
    tmp_path: Path, shares: list[float], told_apart: bool
) -> None:
    """Two lineups whose nearest settings differ: by some deals, or because they play differently."""
    keys: dict[str, Any] = {"sweep": {"second": [12, 16]}, "baseline": {"second": 12}}
    result = message(tmp_path, BOTH, shares, deals=2000, **keys)
    assert any("depends on who plays" in warning for warning in result.warnings) == told_apart


def test_the_cases_behind_the_answer_have_a_verdict_of_the_scale(tmp_path: Path) -> None:
    run = made_run(tmp_path, BOTH, [LOW, LOW, LOW, FAIR, FAIR, FAIR], deals=6000, **SWEEP)
    cases = behind(balance.build(run))
    verdicts = [row["verdict"] for row in cases.records()]
    assert verdicts == ["UNFAIR", "UNFAIR", "UNFAIR", "FAIR", "FAIR", "FAIR"]
    assert all(column.heading.strip() for column in cases.columns)


def test_at_a_table_of_three_a_setting_is_as_near_to_fair_as_its_farthest_seat(tmp_path: Path) -> None:
    """The first player has its fair share under rule 1, where the others are far from theirs."""
    run = made_run(tmp_path, [["a"] * 3], [0.3, 0.3], deals=4000, sweep={"rule": [1, 2]}, margin=0.08)
    findings = Findings(seats_win(run, [[1 / 3, 0.25, 5 / 12], [0.365, 1 / 3, 0.302]]))
    assert findings.settings["setting"].to_list() == ["rule = 2", "rule = 1"]
    assert findings.nearest["setting"].to_list() == ["rule = 2"]
    assert findings.answered["setting"].to_list() == ["rule = 1"]
    assert advised_settings(findings) == ["rule = 2"]


def test_settings_at_both_ends_of_a_valley_are_advised(tmp_path: Path) -> None:
    """Fair at both ends of a valley."""
    shares = [0.6, FAIR, 0.4, 0.35, 0.35, 0.35, 0.4, FAIR, 0.6]
    sweep = {"sweep": {"n": list(range(1, 10))}, "baseline": {"n": 1}}
    findings = Findings(made_run(tmp_path, [["a"] * 2], shares, deals=4000, margin=0.03, **sweep))
    assert advised_settings(findings) == ["n = 2", "n = 8"]
    assert near_fair(findings) == ["n = 2", "n = 8"]


def test_settings_that_are_all_off_are_said_to_be(tmp_path: Path) -> None:
    off = Findings(made_run(tmp_path, ALIKE, [0.8, 0.7, 0.2], deals=1200, **SWEEP))
    assert balance_answer(off).advice.startswith("No setting tried is known to be fair. Nearest so far is ")


def test_no_setting_is_said_to_be_off_before_it_is_decided(tmp_path: Path) -> None:
    few = Findings(made_run(tmp_path, ALIKE, [0.3, 0.4, 0.7], deals=100, **SWEEP))
    assert "NOT SETTLED" in few.first_player_advantage["verdict"].to_list()
    advice = balance_answer(few).advice
    assert advice.startswith("It is not settled whether a setting is fair") and "so far" in advice
    (deals,) = re.findall(r"about ([\d,]+) games", advice)
    assert int(deals.replace(",", "")) == about(int(few.deals_to_settle["needed"].max()))  # type: ignore[arg-type]
