"""`simkit skill`: what levels of skill win against each other, and what a seat is worth to them."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from made_met import met_run
from simkit.content.reports import skill as page
from simkit.content.reports.skill import claim_of, not_better, recipe, skill_stamp, steps_of

import simkit
from simkit.ask import rungs
from simkit.engine import registry
from simkit.engine.learned.file import save
from simkit.questions.skill import SkillStudy, level_lineups, levels_of
from simkit.tables.findings import Findings
from tests.commands import invoke
from tests.made_nets import made_trained
from tests.projects import project_of

LEVELS = ["random", "hold_at(threshold=10)", "hold_at"]
STEP = {
    "row": "b",
    "column": "a",
    "share": 0.7,
    "low": 0.65,
    "high": 0.75,
    "fair": 0.5,
    "games": 400,
    "deals": 200,
}


def study(
    levels: list[str], seats: int = 2, game: str = "pig", with_search: bool = False, **keys: Any
) -> SkillStudy:
    front: dict[str, Any] = {"game": game, "lineups": [["random"] * seats], "deals": 100, "seed": 1}
    front |= {"margin": 0.02, "more": {}} | keys
    return SkillStudy(levels=levels, with_search=with_search, **front)


# Given levels that met, with exact results


@pytest.fixture
def met(tmp_path: Path) -> Findings:
    """The strong player wins .9 against the weak one; in each mirror the first player wins .6."""
    return Findings(
        met_run(tmp_path, [("strong", "strong", 0.6), ("weak", "weak", 0.6), ("strong", "weak", 0.9)])
    )


def test_the_matrix_has_the_share_of_each_level_over_both_seats(met: Findings) -> None:
    shares = {
        (row, column): share
        for row, column, share in met.skill_matrix.select("row", "column", "share").rows()
    }
    assert shares == {("strong", "weak"): pytest.approx(0.9), ("weak", "strong"): pytest.approx(0.1)}
    assert met.skill_matrix["row"].to_list() == ["strong", "weak"]  # the strongest first
    assert met.skill_matrix["games"].to_list() == [400, 400] and set(met.skill_matrix["fair"]) == {0.5}


def test_a_seat_is_worth_what_it_adds_to_the_share_of_who_sits_there(met: Findings) -> None:
    worths = {
        tuple(key): worth for *key, worth in met.seat_effects.select("row", "column", "seat", "worth").rows()
    }
    assert worths["strong", "strong", 0] == pytest.approx(0.1)  # first in the mirror: .6, less a half
    assert worths["strong", "weak", 0] == pytest.approx(0)  # as often from either seat
    assert all(worths[row, column, 1] == pytest.approx(-worths[row, column, 0]) for row, column, _ in worths)


@pytest.mark.parametrize(
    ("edges", "rotate"),
    [
        ([("a", "a", 0.5), ("b", "b", 0.5)], True),  # two levels that did not meet
        ([("a", "b", 0.5)], True),  # no mirrors
        ([("a", "a", 0.5), ("b", "b", 0.5), ("a", "b", 0.5)], False),  # from one seat only
    ],
)
def test_other_runs_have_no_matrix(edges: list[tuple[str, str, float]], rotate: bool, tmp_path: Path) -> None:
    findings = Findings(met_run(tmp_path, edges, rotate=rotate))
    assert (
        levels_of(findings.run) == [] and not findings.skill_matrix.width and not findings.seat_effects.width
    )
    assert not recipe.fits(findings)


def test_the_page_is_of_the_levels(met: Findings) -> None:
    brief = recipe.build_brief(met)
    assert brief.answer == "“strong” wins 90 games of 100 against “weak”."
    assert "between two “strong”" in brief.sentence and brief.stamp.text == "Each level beats the one below"
    claim = "better player wins 80 to 99 with strong over weak in players 2"
    assert brief.step.command == f"simkit lock made --claim '{claim}'"


def test_a_level_may_be_worse_than_the_one_below(tmp_path: Path) -> None:
    """Its page said "Not known yet (play up to -300 more games each)"."""
    edges = [("strong", "strong", 0.5), ("weak", "weak", 0.5), ("strong", "weak", 0.2)]
    brief = recipe.build_brief(Findings(met_run(tmp_path, edges)))
    assert brief.answer == "“strong” wins 20 games of 100 against “weak”."
    assert brief.stamp.text == "Not in the order given"
    assert brief.warnings == ["Worse than the level below: “strong”."]
    assert brief.step.command == "simkit skill made --levels 'strong, weak' --seats 2"


def test_levels_that_play_alike_are_named(tmp_path: Path) -> None:
    """In charms all levels win the same games, and the page asked for more deals without an end."""
    edges = [("strong", "strong", 0.5), ("weak", "weak", 0.5), ("strong", "weak", 0.5)]
    run, meeting = met_run(tmp_path, edges), pl.col("cell") == 2
    seats, games = (pl.read_parquet(tmp_path / f"{name}.parquet") for name in ("seats", "games"))
    share = pl.when(meeting).then((pl.col("seat") == 0).cast(pl.Float64)).otherwise(pl.col("share"))
    rank = pl.when(share > 0).then(1).otherwise(2).cast(pl.Int32)
    seats.with_columns(share=share, rank=rank).write_parquet(tmp_path / "seats.parquet")
    winner = pl.when(meeting).then(0).otherwise(pl.col("winner")).cast(pl.Int32)
    games.with_columns(winner=winner).write_parquet(tmp_path / "games.parquet")
    warnings = recipe.build_brief(Findings(run)).warnings
    assert "Strong and weak made the same moves in all 200 deals." in warnings


def test_games_that_nobody_wins_lower_what_is_even(tmp_path: Path) -> None:
    """Where 40 % of the games are won, and all by one player, the page said that it was not shown to be better."""
    run = met_run(tmp_path, [("strong", "strong", 0.5), ("weak", "weak", 0.5), ("strong", "weak", 1.0)])
    seats, lost = (
        pl.read_parquet(tmp_path / "seats.parquet"),
        (pl.col("deal") % 5 < 3) & (pl.col("cell") == 2),
    )
    columns = {"share": 0.0, "rank": pl.lit(2, pl.Int32)}
    seats.with_columns(
        pl.when(lost).then(value).otherwise(pl.col(name)).alias(name) for name, value in columns.items()
    ).write_parquet(tmp_path / "seats.parquet")
    findings = Findings(run)
    row = findings.skill_matrix.filter(row="strong").row(0, named=True)
    assert (row["share"], row["fair"]) == (pytest.approx(0.4), pytest.approx(0.2))
    brief = recipe.build_brief(findings)
    assert brief.stamp.text == "Each level beats the one below" and "Nobody wins" in " ".join(brief.warnings)


# Sentences


def test_an_interval_allows_for_deals_that_were_not_met(tmp_path: Path) -> None:
    """None of 200 deals differs: at 95 % at most 1.8 % of all deals do (Clopper & Pearson 1934)."""
    edges = [("strong", "strong", 1.0), ("weak", "weak", 0.6), ("strong", "weak", 1.0)]
    effects = Findings(met_run(tmp_path, edges)).seat_effects.filter(seat=0)
    for column, worth in (("weak", 0.0), ("strong", 0.5)):
        ends = effects.filter(row="strong", column=column).row(0)[-3:]
        assert ends == pytest.approx((worth, worth - 0.018275, worth + 0.018275), abs=1e-5)


def test_a_level_that_may_be_no_better_is_named_and_leaves_the_question_open() -> None:
    even = STEP | {"row": "c", "column": "b", "share": 0.51, "low": 0.48, "high": 0.54}
    assert not_better([STEP, even]) == ["Not shown to be better than the level below: “c”."]
    assert skill_stamp([STEP, even]).text == "Not known yet (play up to 3,200 more games each)"
    assert not_better([STEP]) == [] and skill_stamp([STEP]).text == "Each level beats the one below"


def test_with_three_seats_even_is_a_third() -> None:
    step = STEP | {"share": 0.4, "low": 0.35, "high": 0.45, "fair": 1 / 3}
    assert not_better([step]) == []
    assert not_better([step | {"low": 0.33}]) == ["Not shown to be better than the level below: “b”."]


WORTHS = [("b", "b", 0.05), ("b", "a", 0.09), ("a", "b", 0.08), ("a", "a", 0.01)]
ROWS = [
    {"row": row, "column": column, "worth": worth, "low": worth - 0.02, "high": worth + 0.02}
    for row, column, worth in WORTHS
]


def test_the_pairing_in_which_a_seat_changes_most_has_an_interval_that_holds_for_all() -> None:
    """Of two seats three pairings are distinct, of three all four."""
    for seats, half in ((2, 0.02443), (3, 0.02549)):
        rows = page.distinct_pairings(pl.DataFrame(ROWS), seats).rows(named=True)
        farthest = page.farthest_worth(rows)
        assert (farthest["row"], farthest["column"]) == ("b", "a")
        assert farthest["high"] - farthest["worth"] == pytest.approx(half, abs=1e-4)
    assert page.most_worth(farthest, 3) == "It is worth most to “b” against two “a”: +9.0 (+6.5 to +11.5)."
    behind = farthest | {"worth": -0.09, "low": -0.11, "high": -0.07, "column": "b"}
    assert page.most_worth(behind, 2) == "It costs most between two “b”: −9.0 (−11.0 to −7.0)."


def test_at_a_table_of_three_a_level_wins_alone_against_two() -> None:
    steps = [STEP | {"share": share, "fair": 1 / 3} for share in (0.5, 0.4)]
    assert page.wins_of_levels(steps, 3) == (
        "Each level wins 50 and 40 games of 100 alone against two of the level below, where 33 would be even."
    )
    assert page.wins_of_levels(steps[:1], 3) == (
        "“b” wins 50 games of 100 alone against two “a”, where 33 would be even."
    )


def test_a_claim_stays_within_0_to_100() -> None:
    step = {"row": "x", "column": "y", "low": 0.02, "high": 0.97}
    assert claim_of(step, 3) == "better player wins 0 to 100 with x over y in players 3"


def test_steps_go_from_the_weakest_to_the_strongest() -> None:
    rows = [{"row": a, "column": b} for a in "cba" for b in "cba" if a != b]
    assert [(step["row"], step["column"]) for step in steps_of(pl.DataFrame(rows))] == [
        ("b", "a"),
        ("c", "b"),
    ]


# Requests


def test_every_level_meets_itself_and_each_other_alone_at_a_table() -> None:
    assert level_lineups(["a", "b", "c"], 2)[3:] == [["a", "b"], ["a", "c"], ["b", "c"]]
    four = level_lineups(["a", "b"], 4)
    assert four == [["a"] * 4, ["b"] * 4, ["a", "b", "b", "b"], ["b", "a", "a", "a"]]


# Games that are played


@pytest.fixture(scope="module", params=[2, 3])
def played(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Any:
    """Three levels of Pig at tables of two and of three, to read only."""
    folder = tmp_path_factory.mktemp("skill") / "run"
    return simkit.skill("pig", LEVELS, seats=request.param, deals=2_000, out=str(folder), progress=False)


@pytest.mark.slow
def test_the_numbers_are_those_of_the_log(played: Any) -> None:
    seats = played.run.seats().collect().with_columns(pl.col("strategy").cast(pl.String))
    for cell in played.run.cells:
        alone, others = cell.labels[0], cell.labels[-1]
        if alone == others:
            continue
        rows = seats.filter(pl.col("cell") == cell.index, strategy=alone)
        by_deal = rows.group_by("deal").agg(pl.col("share").mean())["share"]
        here = {"row": alone, "column": others}
        (shown,) = played.skill_matrix.filter(**here)["share"]
        assert shown == pytest.approx(by_deal.mean()) and rows["seat"].value_counts()["count"].n_unique() == 1
        first = rows.filter(seat=0)["share"].mean()
        (worth,) = played.seat_effects.filter(**here, seat=0)["worth"]
        assert worth == pytest.approx(first - shown)


@pytest.mark.slow
def test_between_two_who_hold_at_20_going_first_is_worth_what_is_published(tmp_path: Path) -> None:
    """53.47 % for the first of two (Neller & Presser 2004): 3.47 points."""
    result = simkit.skill(
        "pig", ["random", "hold_at"], deals=40_000, out=str(tmp_path / "run"), progress=False
    )
    row = result.seat_effects.filter(row="hold_at", column="hold_at", seat=0).row(0, named=True)
    assert abs(row["worth"] - 0.0347) < 4 * (row["high"] - row["low"]) / (2 * 1.96) < 0.011


@pytest.mark.slow
def test_the_usual_levels_are_random_a_beginner_scripted_and_learned_players(tmp_path: Path) -> None:
    with project_of(tmp_path / "mine", {"README.md": "Mine."}) as folder:
        strong = "search(policy=learned, leaf=learned, budget=20, horizon=2, top=2)"
        file = registry.learned_file(folder, "pig", "best", 2)
        save(file, made_trained(registry.game("pig"), 2, command="simkit learn pig", strong=strong))
        assert rungs.learned_rungs(study([])) == ["learned", "strong"]
        result = invoke("skill", "pig", "--deals", "100", "--with-search", "-o", str(tmp_path / "run"))
    assert result.exit_code == 0, result.output
    levels = simkit.open_run(tmp_path / "run").skill_matrix["row"].unique().to_list()
    assert {"random", "hold_at(blunder=0.3)", "hold_at", "learned", "strong"} <= {*levels}
    assert "Each level wins" in result.output


@pytest.mark.slow
def test_the_claim_that_the_page_offers_holds_at_its_table(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without the number of players it was measured at a table of two."""
    monkeypatch.chdir(tmp_path)
    asked_of = invoke("skill", "pig", "--levels", "random,hold_at", "--seats", "3", "--deals", "1000")
    command = asked_of.output.partition("simkit lock ")[2].splitlines()[0]
    locked = invoke("lock", *shlex.split(command), "--deals", "4000")
    assert locked.exit_code == 0 and "The claim holds" in locked.output, locked.output


def test_a_search_meets_random_players_where_a_game_has_no_strategy(tmp_path: Path) -> None:
    levels = study([], game="nim")._all_levels(lambda *_: pytest.fail("nobody else to rank"))
    assert levels == ["random", "search(budget=50)"]


def test_a_search_that_is_a_level_already_is_not_added() -> None:
    levels = study(["random", "search"], with_search=True)._all_levels(
        lambda *_: pytest.fail("nothing to play")
    )
    assert levels == ["random", "search"]
