"""Pages that answer another question than whether the game is fair: their headline tells that."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import polars as pl
import pytest
from simkit.content.reports.effects import effects_headline, ranges_over_all
from simkit.content.reports.losing import how_lost, what_helps
from synthetic import MadeRun, made_run

from simkit.engine import registry
from simkit.tables.findings import Findings

SWEEP = {"sweep": {"second": [12, 14, 16]}, "baseline": {"second": 12}}


def longer(run: MadeRun, setting: int, turns: int) -> MadeRun:
    """The run with longer games at a setting."""
    cells = [cell.index for cell in run.cells if cell.varied == {"second": setting}]
    games = pl.read_parquet(run.folder / "games.parquet")
    more = pl.when(pl.col("cell").is_in(cells)).then(pl.col("turns") + turns).otherwise("turns")
    games.with_columns(turns=more).write_parquet(run.folder / "games.parquet")
    return run


def team(run: MadeRun) -> MadeRun:
    """The run as that of a team, which wins the games that seat 0 won alone."""
    seats = pl.read_parquet(run.folder / "seats.parquet")
    won = ((pl.col("seat") == 0) & (pl.col("share") == 1)).any().over("play").cast(pl.Float64)
    seats.with_columns(share=won).write_parquet(run.folder / "seats.parquet")
    return replace(run, cells=[replace(cell, target=0.5) for cell in run.cells])


def test_what_an_option_changes_most_is_the_headline(tmp_path: Path) -> None:
    run = longer(made_run(tmp_path, [["a", "a"], ["b", "b"]], [0.4] * 4 + [0.7] * 2, 300, **SWEEP), 14, 5)
    findings = Findings(run)
    message = effects_headline(findings)
    assert message.startswith(
        "Second 14 changes the length of a game most, by +5.0 turns; second 16 changes how often"
    )
    share = findings.comparisons.filter(measure="share", seat=0, setting="second = 16")["difference"]
    assert f"by {100 * share[0]:+.1f} percentage points" in message
    assert registry.recipe("effects").build(run).takeaways_of("answer")[0].text == message
    turns = findings.lengths.filter(measure="turns")["p50"]
    assert f"takes {min(turns)} to {max(turns)} turns" in ranges_over_all(findings)


@pytest.mark.parametrize("shares", [[0.4] * 6, [0.4, 0.4, 0.4, 0.4, 0.7, 0.4]])
def test_what_no_setting_changes_with_every_lineup_is_not_settled(
    tmp_path: Path, shares: list[float]
) -> None:
    run = made_run(tmp_path, [["a", "a"], ["b", "b"]], shares, 300, **SWEEP)
    none = "Whether a setting changes the length of a game or how often the first player wins"
    assert effects_headline(Findings(run)) == f"{none} with every lineup is not settled."


def test_a_page_on_what_an_option_changes_tells_who_wins_deal_by_deal(tmp_path: Path) -> None:
    run = made_run(tmp_path, [["a", "a"]], [0.4, 0.4, 0.7], 300, **SWEEP)
    for played, heading in (
        (run, "Change of what sitting first is worth"),
        (team(run), "Change of the team's share"),
    ):
        page = registry.recipe("effects").build(played)
        (chapter,) = [chapter for chapter in page.chapters if chapter.title == "Deal by deal"]
        assert chapter.sections[0].heading == heading


def test_what_changes_nothing_beyond_luck_is_said_to(tmp_path: Path) -> None:
    findings = Findings(made_run(tmp_path, [["a", "a"]], [0.4, 0.4, 0.4], 60, **SWEEP))
    none = "Whether a setting changes the length of a game or how often the first player wins is not settled."
    assert effects_headline(findings) == none


def test_how_a_team_loses_is_the_headline(tmp_path: Path) -> None:
    run = team(made_run(tmp_path, [["a", "a"], ["b", "b"]], [0.4, 0.6, 0.4, 0.6, 0.7, 0.8], 400, **SWEEP))
    findings = Findings(run)
    lost = findings.losses.filter("baseline")
    games, seats = run.games().collect(), run.seats().filter(seat=0, share=0).collect()
    for row in lost.rows(named=True):
        plays = seats.filter(cell=row["cell"])["play"].to_list()
        same = games.filter(pl.col("play").is_in(plays), end_reason=row["end_reason"]).height
        assert (row["games"], row["share"]) == (same, pytest.approx(same / len(plays)))
    message = how_lost(findings)
    often = sorted(round(100 * share) for share in lost.filter(end_reason="population")["share"])
    assert message.startswith(
        f"{often[0]} to {often[1]} of 100 lost games end by “population”, whoever plays"
    )
    assert what_helps(findings).startswith("Wins of 100 games more or less, beyond luck: second 16: +")
    assert "second 14" not in what_helps(findings)
    assert registry.recipe("losing").build(run).takeaways_of("answer")[0].text == message


@pytest.mark.parametrize(
    ("shares", "message"),
    [
        ([0.4, 0.4, 0.7], "Of 2 rule sets second 16 helps most: the team wins 7"),
        ([0.6, 0.3, 0.8], "Most harm comes from second 14."),
    ],
)
def test_a_comparison_for_a_team_leads_with_who_makes_the_target_then_says_who_helps_and_hurts(
    tmp_path: Path, shares: list[float], message: str
) -> None:
    run = team(made_run(tmp_path, [["a", "a"]], shares, 400, target=0.5, **SWEEP))
    built = registry.recipe("compare").build(run)
    answer = built.takeaways_of("answer")[0].text
    assert answer.startswith("Nearest of 2 to the target (50): the team wins ")
    assert message in built.takeaways_of("advice")[0].text


def test_where_no_rule_set_suits_all_teams_the_answer_says_so_and_depends_on_who_plays(
    tmp_path: Path,
) -> None:
    """A page said "brinkman wins 58 with the baseline (TOO HARD with reference player); reference player 50 …"."""
    shares = [0.3, 0.5, 0.4, 0.7, 0.5, 0.9]  # of both teams with second 12, then 14, then 16
    run = team(made_run(tmp_path, [["a", "a"], ["b", "b"]], shares, 4_000, target=0.5, **SWEEP))
    built = registry.recipe("compare").build(run)
    assert built.takeaways_of("answer")[0].text == (
        "No rule set suits both teams: b wins 50 of 100 games with the baseline; a 50 with second 16."
    )
    assert built.stamp and built.stamp.text == "Depends on who plays"


def test_a_competitive_game_gets_the_usual_answer_of_a_page_about_losing(tmp_path: Path) -> None:
    run = made_run(tmp_path, [["a", "a"]], [0.4, 0.5, 0.6], 40, **SWEEP)
    usual = registry.recipe("sweep").build(run).takeaways_of("answer")
    assert registry.recipe("losing").build(run).takeaways_of("answer") == usual


def test_an_option_that_is_itself_called_a_change_is_named_whole(tmp_path: Path) -> None:
    rules = {"sweep": {"changes": [1, 2]}, "baseline": {"changes": 1}}
    message = effects_headline(Findings(made_run(tmp_path, [["a", "a"]], [0.3, 0.8], 300, **rules)))
    assert message.startswith("Changes 2 changes how often the first player wins most, by +")
