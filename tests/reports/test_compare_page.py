"""Rules compared: the nearest to fair first, and nearer beyond luck only where common deals say so."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from made_report import behind
from simkit.content.reports.compare import comparison_stamp, stamp_of_sizes
from simkit.content.reports.compare.words import (
    change_of_wins,
    change_sentence,
    enough_words,
    pick_words,
    rules_answer,
    shrink_shares,
    who_wins_words,
)
from simkit.content.reports.sections.changes import changes
from synthetic import MadeRun, made_run

from simkit.engine import registry
from simkit.page.document.parts import Report
from simkit.page.words.numbers import roughly
from simkit.page.words.verdicts import CHANGE, KEEP, not_known
from simkit.questions.compare import _p_values
from simkit.runs.plan import Cell
from simkit.tables.findings import Findings

GREEDY, BANKER = ["greedy", "greedy"], ["banker", "banker"]


def compared(
    folder: Path, shares: list[float], lineups: list[list[str]] | None = None, **keys: Any
) -> MadeRun:
    """Rule sets 12 (the baseline), 14, 16 of the made game: seat 0 wins these shares, draws add 0.05."""
    rules = {"sweep": {"second": [12, 14, 16]}, "baseline": {"second": 12}}
    return made_run(folder, lineups or [GREEDY], shares, **{"deals": 400} | rules | keys)


def page(run: MadeRun) -> Report:
    built: Report = registry.recipe("compare").build(run)
    return built


def test_rule_sets_are_ranked_by_the_player_farthest_from_fair(tmp_path: Path) -> None:
    findings = Findings(compared(tmp_path, [0.7, 0.45, 0.55]))
    assert findings.rule_sets.select("rank", "setting", "baseline").rows() == [
        (1, "second = 14", False),
        (2, "second = 16", False),
        (3, "second = 12", True),
    ]
    pairs = findings.rules_nearer.select("cell", "than").rows()
    assert pairs == [(1, 0), (2, 0)]
    assert (findings.rules_nearer["p_adjusted"] < 0.01).all()


def test_the_headline_names_the_best_and_says_whether_it_is_better_beyond_luck(tmp_path: Path) -> None:
    findings = Findings(compared(tmp_path, [0.7, 0.45, 0.46]))
    text = rules_answer(findings)
    shares = dict(findings.first_player_advantage.select("second", "share").iter_rows())
    best, before = (f"{100 * shares[value]:.0f}" for value in (14, 12))
    message = r"Second 14 comes nearest to fair: the first player wins (\d+) games of 100 "
    message += r"instead of (\d+); whether that is enough is open\."
    match = re.fullmatch(message, text.headline)
    assert match and match.groups() == (best, before)


@pytest.mark.parametrize(
    ("shares", "step"),
    [
        ([0.9, 0.8, 0.2], "On fresh deals, find the exact fair value."),
        ([0.9, 0.8, 0.7], "See whether better players change this."),
        ([0.7, 0.46, 0.2], "It is open whether second 14 is fair. Play on until there is a verdict."),
    ],
)
def test_unfair_rule_sets_are_not_measured_once_more(tmp_path: Path, shares: list[float], step: str) -> None:
    assert page(compared(tmp_path, shares)).step.text == step  # type: ignore[union-attr]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("shares", "text"), [([0.42, 0.421, 0.421, 0.42], False), ([0.42, 0.52, 0.50, 0.40], True)]
)
def test_that_the_nearest_rule_set_depends_on_who_plays_is_told_beyond_luck(
    tmp_path: Path, shares: list[float], text: bool
) -> None:
    """Another one is nearest with each lineup: by some deals, or because they play differently."""
    run = compared(tmp_path, shares, [GREEDY, BANKER], deals=2000, sweep={"second": [12, 16]})
    nearest = Findings(run).nearest["setting"].to_list()
    assert len(set(nearest)) == 2
    warnings = [first for first in page(run).warnings if "depends on who plays" in first]
    assert len(warnings) == text
    assert all(re.findall(r"\b(?:12|16)\b", first) == [name[-2:] for name in nearest] for first in warnings)


def test_where_the_baseline_is_best_it_is_said(tmp_path: Path) -> None:
    text = rules_answer(Findings(compared(tmp_path, [0.45, 0.7, 0.6])))
    assert re.fullmatch(
        r"Second 14 is UNFAIR, the farthest from fair: the first player wins 7\d games of 100 instead of \d+\.",
        text.headline,
    )
    assert text.advice.startswith("Nearest to fair is the baseline (")


def test_each_number_stands_once_and_rule_sets_have_a_row_each_in_the_picture(tmp_path: Path) -> None:
    built = page(compared(tmp_path, [0.7, 0.6, 0.45, 0.5, 0.46, 0.48], [GREEDY, BANKER]))
    drawn = built.picture.drawing.table  # type: ignore[union-attr]
    assert drawn["label"].unique(maintain_order=True).to_list()[-1] == "second 12 (baseline)"
    assert drawn.group_by("label").len()["len"].to_list() == [2, 2, 2]
    measures = [
        row
        for section in built.sections
        for table in section.tables
        for row in table.records()
        if "measure" in row
    ]
    assert not [row for row in measures if row["measure"] == "share"]
    assert behind(built).rows[-1][1] == "12 (baseline)"


@pytest.mark.parametrize(("near", "far"), [(0.5, 0.5), (0.46, 0.54), (0.54, 0.54)])
def test_equally_far_rule_sets_are_told_apart_by_luck_at_most_one_time_in_20(near: float, far: float) -> None:
    cell = Cell(0, "made", 2, {}, {}, (), 1, 400, 0, 1, False)
    rng, wrong = np.random.default_rng(1), 0
    for _ in range(400):
        luck = rng.random((2, 400))
        a, b = (luck[0] < near).astype(float), (luck[1] < far).astype(float)
        row: dict[str, Any] = {"deals": 400}
        for name, values in (("less 0 0", b - a), ("more 0 0", b + a)):
            row |= {name: values.sum(), f"{name}*{name}": (values**2).sum()}
        wrong += min(_p_values(row, cell, cell)) < 0.05
    assert wrong / 400 <= 0.05 + 3 * 0.011  # three standard errors


def test_a_rule_set_is_named_by_what_it_has_other_than_the_baseline(tmp_path: Path) -> None:
    rules = {"sweep": {"second, first": [[12, 9], [14, 9], [12, 8]]}, "baseline": {"second": 12, "first": 9}}
    run = made_run(tmp_path, [GREEDY], [0.7, 0.45, 0.55], deals=100, **rules)
    drawn = page(run).picture.drawing.table  # type: ignore[union-attr]
    assert drawn["label"].to_list() == ["second 14", "first 8", "baseline"]


def test_where_several_options_vary_those_that_leave_who_wins_open_are_named_with_the_interval(
    tmp_path: Path,
) -> None:
    rules = {"sweep": {"second, first": [[12, 9], [14, 9], [12, 8]]}, "baseline": {"second": 12, "first": 9}}
    findings = Findings(made_run(tmp_path, [GREEDY], [0.5, 0.9, 0.46], deals=100, **rules))
    advice = rules_answer(findings).advice
    unchanged = re.match(
        r"Who wins depends on second 14 \(by up to 4\d games of 100 for a player\); it is not shown to depend on first 8 "
        r"\(−(\S+) to \+(\S+) games of 100 for a player; about (\S+) deals would narrow that to ±2 percentage points\)\. ",
        advice,
    )
    assert unchanged and all(0 < float(end) < 25 for end in unchanged.groups()[:2])
    widest = findings.comparisons.filter(pl.col("setting").str.contains("first = 8"), measure="share")
    half = max((widest["high"] - widest["low"]) / 2)
    assert unchanged[3] == roughly(round(100 * (half / 0.02) ** 2))
    assert "not shown to change" not in rules_answer(Findings(compared(tmp_path / "one", [0.5] * 3))).advice


def test_differences_of_cells_that_stopped_by_themselves_are_doubted(tmp_path: Path) -> None:
    built = page(compared(tmp_path, [0.7, 0.45, 0.55], until_width=0.5))
    assert any("stopped by themselves" in warning for warning in built.warnings)


def test_of_three_players_the_distance_from_fair_is_compared(tmp_path: Path) -> None:
    run = compared(tmp_path, [0.7, 0.33, 0.5], [["greedy"] * 3])
    findings = Findings(run)
    off = dict(findings.rule_sets.select("setting", "off").iter_rows())
    shares = findings.seat_shares.filter(setting="second = 14")["share"]
    assert off["second = 14"] == pytest.approx((shares - 1 / 3).abs().max())
    assert rules_answer(findings).headline.startswith("Second 14 comes nearest to fair: a player is up to ")
    assert findings.rules_nearer.select("cell", "than").rows()[0] == (1, 0)
    picture = page(run).picture
    assert picture and "Farthest player from fair" in picture.drawing.svg()


def test_a_rule_set_that_is_nearer_with_one_player_and_farther_with_another_says_both(tmp_path: Path) -> None:
    rules = {"sweep": {"second": [12, 14]}, "deals": 2000}
    findings = Findings(compared(tmp_path, [0.75, 0.5, 0.45, 0.6], [GREEDY, BANKER], **rules))
    text = rules_answer(findings)
    assert text.headline.startswith(
        "Second 14 comes nearer to fair with one of two computer players, and farther with one: "
    )
    assert text.advice == ""
    rows = behind(page(findings.run)).records()  # type: ignore[arg-type]
    assert [row["than"] for row in rows] == ["nearer", "farther", "–", "–"]


def test_rule_sets_alike_are_not_told_apart_and_the_verdict_stands_beside(tmp_path: Path) -> None:
    findings = Findings(compared(tmp_path, [0.6, 0.6], sweep={"second": [12, 14]}))
    share = 100 * findings.first_player_advantage["share"][0]
    text = rules_answer(findings)
    assert text.headline == f"The baseline is UNFAIR: the first player wins {share:.0f} games of 100."
    assert text.advice == "Nothing is shown to be nearer to fair than the baseline."


def test_of_several_the_best_that_is_not_told_apart_is_called_so(tmp_path: Path) -> None:
    findings = Findings(compared(tmp_path, [0.605, 0.6, 0.605]))
    text = rules_answer(findings)
    assert text.headline.startswith("The baseline is UNFAIR: the first player wins ")
    assert text.advice == "Nothing is shown to be nearer to fair than the baseline."
    assert all(first.text for first in page(findings.run).takeaways)  # type: ignore[arg-type]


def test_where_nothing_is_settled_it_is_said_with_the_games_that_would_settle_it(tmp_path: Path) -> None:
    findings = Findings(compared(tmp_path, [0.46, 0.455, 0.45], deals=100))
    assert re.fullmatch(
        r"Nothing is settled yet: about [\d,]+ games with each rule set would settle it\.",
        rules_answer(findings).headline,
    )


def test_each_table_size_is_answered_by_itself(tmp_path: Path) -> None:
    """The baseline is nearer to fair with two players, the other rule set with three."""
    sizes = [["greedy"] * seats for seats in (2, 3)]
    rules = {"sweep": {"second": [12, 14]}, "deals": 2000}
    findings = Findings(compared(tmp_path, [0.5, 0.8, 0.8, 0.32], sizes, **rules))
    text = rules_answer(findings)
    assert text.headline == "Second 14 is farther from fair with 2 players and nearer to fair with 3."
    assert re.match(r"Second 12 \(baseline\) is .* with 2 players and UNFAIR with 3\.", text.advice)
    built = page(findings.run)  # type: ignore[arg-type]
    assert built.stamp == ("Change it with 3 players", "change") or built.stamp[0].startswith("Not known yet")
    assert built.tiles_of == "Baseline → second 14"
    assert [line.of for line in built.tiles[0].lines] == ["2 players", "3 players"]
    same = Findings(compared(tmp_path / "same", [0.5, 0.5, 0.8, 0.8], sizes, **rules))
    assert rules_answer(same).headline == "Second 14 is farther from fair with 2 and 3 players."


def test_one_sentence_tells_that_none_of_several_rule_sets_is_nearer_to_fair(tmp_path: Path) -> None:
    """The headline was about one of five rule sets, as if the others were nearer."""
    sizes = [["greedy"] * seats for seats in (2, 3)]
    rules = {"sweep": {"second": [12, 14, 16]}, "baseline": {"second": 12}}
    shares = [0.6, 0.43, 0.6, 0.43, 0.8, 0.8]
    text = rules_answer(Findings(compared(tmp_path, shares, sizes, **rules)))
    assert text.advice.endswith(
        "Second 16 is UNFAIR with 2 and 3 players: a player is up to 52 percentage points off fair."
    )
    assert text.headline == "None of 2 rule sets is shown to be nearer to fair than the baseline."


def test_the_nearest_of_many_settings_is_shrunk_and_said_to_be_picked() -> None:
    """Luck makes the best of 37 equals look good: its 52 % are shrunk to 50 %, by the luck of differences."""
    case = {"lineup": "a", "seats": 2, "low": 0.47, "high": 0.53}
    every = [case | {"cell": cell, "share": 0.5 + (cell - 18) / 1000} for cell in range(38)]
    compared = [{"cell": cell, "variance": 0.5, "deals": 1000} for cell in range(37)]  # 37 is the baseline
    assert shrink_shares([every[36]], every, compared) == [pytest.approx(0.5, abs=0.001)]
    assert shrink_shares([every[37]], every, compared) == [every[37]["share"]]
    alike = [row | {"variance": 0.001} for row in compared]  # deals with nearly the same results
    assert shrink_shares([every[36]], every, alike) == [pytest.approx(0.518, abs=0.001)]


def test_a_picked_share_stands_beside_what_it_is_worth_allowing_for_the_pick() -> None:
    assert pick_words([0.5], [0.441]) == ", about 44 allowing for the pick"
    assert pick_words([0.4, 0.5], [0.4, 0.501]) == ""


def test_cards_of_ones_own_are_said_to_be_still_fair_or_farther_from_it(tmp_path: Path) -> None:
    names = {"sweep": {"cards": ["printed", "mine.csv"]}, "baseline": {"cards": "printed"}, "margin": 0.1}
    fair = Findings(made_run(tmp_path / "fair", [GREEDY], [0.45, 0.46], deals=2000, **names))
    assert re.fullmatch(
        r"mine\.csv is still FAIR: (with both )?the first player wins \d+ games of 100( instead of \d+)?\.",
        rules_answer(fair).headline,
    )
    off = Findings(made_run(tmp_path / "off", [GREEDY], [0.45, 0.7], deals=2000, **names))
    text = rules_answer(off)
    assert re.fullmatch(
        r"mine\.csv is UNFAIR, farther from fair than the baseline: the first player wins \d+ games of 100 "
        r"instead of 50\.",
        text.headline,
    )
    assert text.advice.startswith("Nearest to fair is the baseline (")


def test_the_picture_of_changes_is_of_the_greatest_beyond_luck(tmp_path: Path) -> None:
    run = compared(tmp_path, [0.5, 0.5, 0.5])
    path = run.folder / "games.parquet"
    more = pl.col("cell").replace_strict({0: 0, 1: 1, 2: -3}, return_dtype=pl.Int64)
    games = pl.read_parquet(path)
    games.with_columns(turns=100 + more.cast(games.schema["turns"])).write_parquet(path)
    (picture,) = changes(Findings(run)).figures
    assert picture.title == "Change of turns"


def test_rule_sets_that_are_farther_beyond_luck_are_counted_and_the_farthest_told(tmp_path: Path) -> None:
    shares = [0.47, 0.47, 0.48, 0.47, 0.47, 0.75, 0.8, 0.85]
    findings = Findings(compared(tmp_path, shares, [GREEDY, BANKER], sweep={"second": [12, 14, 16, 18]}))
    worse = findings.rules_nearer.filter((pl.col("setting") == "second = 12") & (pl.col("p_adjusted") < 0.05))
    settings = dict(findings.cells.select("cell", "setting").iter_rows())
    counted = Counter(settings[cell] for cell in worse["than"])
    assert counted == {"second = 16": 1, "second = 18": 2}
    far = findings.first_player_advantage.filter(setting="second = 18")["share"]
    least, most = (f"{100 * share:.0f}" for share in sorted(far))
    assert rules_answer(findings).headline.startswith(
        "Second 18 is UNFAIR, the farthest from fair: "
        f"the first player wins {least} to {most} games of 100 instead of "
    )


def test_rules_change_only_where_all_lineups_are_nearer_to_fair() -> None:
    both = ["BORDERLINE", "UNFAIR"]
    assert (comparison_stamp(False, 2, 0, both).text, comparison_stamp(True, 0, 0, both).text) == (
        "Change it",
        "Keep it",
    )
    assert (comparison_stamp(False, 0, 1, both).text, comparison_stamp(False, 1, 0, both).text) == (
        "No gain shown",
        "Not known yet",
    )


def test_no_stamp_asks_for_a_change_of_which_it_is_open_whether_it_is_enough() -> None:
    """A draft whose verdict was NOT SETTLED stood under the stamp “Change it”."""
    assert comparison_stamp(False, 1, 0, ["NOT SETTLED"], more=12_000).text == (
        "Not known yet (play up to 12,000 more games each)"
    )
    lead = {"seat": None, "setting": "draft", "difference": -0.03, "low": -0.059, "high": -0.0002}
    text = f"{change_of_wins(lead)}; {enough_words('NOT SETTLED')}"
    assert text == "about 3 games of 100 (0.02 to 5.90); whether that is enough is open"


def test_rule_sets_that_are_settled_and_not_shown_to_be_nearer_to_fair_show_no_gain() -> None:
    """Both rule sets were UNFAIR, under a stamp “Not known yet”."""
    assert comparison_stamp(False, 0, 0, ["UNFAIR"], more=100).text == "No gain shown"
    assert comparison_stamp(False, 0, 0, ["NOT EQUAL"]).text == "Not known yet"


def test_small_changes_of_who_wins_have_a_decimal_and_the_sentence_names_its_lineup() -> None:
    small = {"seat": None, "setting": "draft", "difference": 0.004, "low": 0.002, "high": 0.006}
    assert change_of_wins(small) == "about 0.4 games of 100 (0.2 to 0.6)"
    less = {"lineup": "greedy", "difference": -0.04, "low": -0.06, "high": -0.02, "p_adjusted": 0.01}
    rows = [small | less, small | {"lineup": "banker", "p_adjusted": 0.3}]
    assert who_wins_words(rows) == (
        "the first player wins about 4 fewer games of 100 (2.0 to 6.0) in games of greedy"
    )


OWN_CARDS = [
    {"measure": "score", "seat": seat, "unit": "number", "difference": difference, "low": low, "high": high}
    for seat, difference, low, high in ((0, 1.76, 1.5, 2.01), (1, 1.52, 1.28, 1.77))
]


def test_own_cards_say_what_they_do_to_every_player_and_to_who_wins() -> None:
    rows = pl.DataFrame([row | {"p_adjusted": 0.0, "spread": 1.0} for row in OWN_CARDS])
    wins = {
        "seat": None,
        "setting": "mine",
        "difference": 0.014,
        "low": -0.009,
        "high": 0.037,
        "p_adjusted": 0.2,
    }
    text = f"{change_sentence(rows, 'tokens')}; who wins: {who_wins_words([wins])}"
    assert text == (
        "both players score more (+1.8 and +1.5 tokens); who wins: no change shown (−0.9 to +3.7 games of 100)"
    )
    single = rows.with_columns(p_adjusted=pl.Series([0.0, 0.2]))
    assert change_sentence(single, "tokens") == (
        "the score of the first player rises by 1.8 tokens (+1.5 to +2.0)"
    )


def test_table_sizes_that_ask_for_a_change_are_named() -> None:
    assert (stamp_of_sizes({2: KEEP, 3: KEEP}).text, stamp_of_sizes({2: KEEP, 3: not_known()}).text) == (
        "Keep it",
        "Not known yet",
    )
    assert (stamp_of_sizes({2: KEEP, 3: CHANGE, 4: CHANGE}).text) == "Change it with 3 and 4 players"
