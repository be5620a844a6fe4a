"""Two sides: shares, verdicts, claims and pages are about the sides, with exact chances to compare with."""

import re
from enum import IntEnum

import numpy as np
import polars as pl
import pytest
from simkit.content.reports.sections.answer import balance_answer

import simkit
from simkit.ask import claims, luck
from simkit.engine import registry
from simkit.engine.fields import scalar
from simkit.engine.game import Game, Log
from simkit.errors import UsageError
from simkit.games.reference import one_against_many as reference
from simkit.page.document.files import as_text
from simkit.page.words.verdicts import side_of, verdict_scale
from simkit.runs.folder import open_run
from simkit.runs.plan import make_plan
from simkit.stats import verdicts
from simkit.tables.findings import Findings

GAME, SEATS = "one_against_many", {"players": 3}
HIDER_WINS = {3: 1 / 3, 4: 1 / 2, 5: 3 / 5}
HOW = {"confirm": False, "seed": 3, "jobs": 1}


@pytest.fixture(scope="module")
def sweep_of_numbers(tmp_path_factory):
    out = str(tmp_path_factory.mktemp("sides") / "run")
    numbers = {"numbers": list(HIDER_WINS)}
    return simkit.sweep(GAME, numbers, options=SEATS, deals=6_000, trace=20, out=out, **HOW)


def test_the_share_of_a_run_is_that_of_the_first_side(sweep_of_numbers):
    table = Findings(sweep_of_numbers.run).first_player_advantage
    assert set(table["fair"]) == {0.5} and sweep_of_numbers.run.sides == ["hider", "seekers"]
    for row in table.iter_rows(named=True):
        assert row["ever_low"] <= HIDER_WINS[row["numbers"]] <= row["ever_high"]
    assert table["verdict"].to_list() == ["UNFAIR", "FAIR", "UNFAIR"] or table["verdict"][1] == "NOT SETTLED"
    assert Findings(sweep_of_numbers.run).seat_shares["seat"].unique().to_list() == [0]


def test_the_log_says_the_side_of_each_seat_and_which_wins_are_shared(sweep_of_numbers):
    seats, games = sweep_of_numbers.run.seats().collect(), sweep_of_numbers.run.games().collect()
    won = seats.group_by("play", pl.col("side").cast(pl.String)).agg(
        pl.col("share").min(),
        size=pl.len(),
        side_seats=pl.col("side_seats").max(),
        most=pl.col("share").max(),
    )
    assert set(won["side"]) == {"hider", "seekers"} and set(won["share"].round(9)) == {0.0, 1.0}
    assert (won["share"] == won["most"]).all() and (won["size"] == won["side_seats"]).all()
    assert not games["draw"].any()  # the seekers win together
    assert games["winner"].is_null().mean() == pytest.approx(won.filter(side="seekers")["share"].mean())


def test_a_seat_wins_on_either_side_as_often_as_the_side(sweep_of_numbers):
    rows = Findings(sweep_of_numbers.run).seats_by_side.filter(numbers=4)
    assert rows.select("side", "seat").rows() == [
        (side, seat) for side in ("hider", "seekers") for seat in range(3)
    ]
    for row in rows.iter_rows(named=True):
        assert row["low"] - 0.03 < 0.5 < row["high"] + 0.03


def test_the_answer_and_the_page_speak_of_the_sides(sweep_of_numbers):
    headline = balance_answer(Findings(sweep_of_numbers.run)).headline
    assert re.match(r"Numbers 4 \(usual rules\) is .*: the hider wins (49|50|51) games of 100", headline)
    page = registry.recipe("sweep").build(sweep_of_numbers.run)
    tile = page.tiles[0]
    assert (tile.title, tile.note) == ("Who wins", "games in 100: hider and seekers")
    text = as_text(page)
    answer = text[: text.index("What this cannot tell you")]
    assert "first player" not in answer and "seat" not in answer
    assert "What each player wins on either side" in text


def test_tables_of_several_sizes_are_not_said_to_differ_by_who_plays(tmp_path):
    sweep = {"numbers": [3, 4, 5], "players": [3, 4]}
    result = simkit.sweep(GAME, sweep, deals=800, out=str(tmp_path / "run"), **HOW)
    answer = balance_answer(Findings(result.run))
    assert answer.headline.startswith("Numbers 4 (usual rules) is") and "UNFAIR with 4" in answer.headline
    assert not [text for text in answer.warnings if "who plays" in text]


def test_the_scale_of_verdicts_names_the_side(sweep_of_numbers):
    assert verdict_scale(sweep_of_numbers.run).startswith(
        "FAIR means that the hider is less than 2 percentage points off winning 50 of 100 games"
    )


def test_a_target_replaces_one_half(tmp_path):
    result = simkit.sweep(
        GAME, {"numbers": [3, 4]}, options=SEATS, target=1 / 3, deals=6_000, out=str(tmp_path / "run"), **HOW
    )
    table = Findings(result.run).first_player_advantage
    assert table["fair"].round(3).unique().to_list() == [0.333] and table["verdict"][1] == "UNFAIR"
    assert table["verdict"][0] in ("FAIR", "NOT SETTLED") and side_of(result.run).aim == "the target"


def test_comparisons_on_the_same_deals_are_of_the_first_side(tmp_path):
    how = {"options": SEATS, "deals": 3_000, "seed": 3, "jobs": 1, "out": str(tmp_path / "run")}
    result = simkit.compare(GAME, {"numbers": 5}, base={"numbers": 4}, **how)
    (row,) = result.comparisons.filter(measure="side_wins").rows(named=True)
    assert row["low"] <= 0.1 <= row["high"] and row["value"] == pytest.approx(0.6, abs=0.04)
    assert set(result.comparisons["measure"]) == {"side_wins", "draw", "turns", "decisions"}


def test_fair_finds_the_number_at_which_both_sides_are_equal(tmp_path):
    result = simkit.fair(
        GAME, vary={"numbers": (2, 8)}, options=SEATS, deals=6_000, out=str(tmp_path / "run"), seed=3
    )
    (row,) = result.fair_values.rows(named=True)
    assert row["best"] == 4 and row["low"] <= 4 <= row["high"]
    assert result.first_player_advantage["verdict"].to_list() == ["FAIR"]


CLAIMS = [
    ("the hider wins 40 to 60", "hider"),
    ("the seekers win 40 to 60", "seekers"),
    ("the seekers wins 40 to 60 in numbers 4", "seekers"),
]


@pytest.mark.parametrize(("text", "side"), CLAIMS)
def test_a_claim_is_about_a_side(text, side, sweep_of_numbers):
    claim = claims.parse(text, registry.game(GAME))
    run = sweep_of_numbers.run.only([1])  # numbers 4
    outcomes, is_share = claims.claim_outcomes(run, claim)
    seats = run.seats().filter(pl.col("side").cast(pl.String) == side).collect()
    won = seats.select((pl.col("share") / pl.col("side_seats")).sum()).item()
    assert is_share and np.mean(outcomes) == pytest.approx(100 * won / 6_000)


@pytest.mark.parametrize(
    ("game", "text", "cure"),
    [
        (GAME, "the fox wins 40 to 60", "one_against_many has no side of one_against_many 'fox'"),
        ("pig", "the hider wins 40 to 60", "pig has no sides; say 'first player wins'"),
    ],
)
def test_a_claim_about_a_side_that_is_not_there_is_refused(game, text, cure):
    with pytest.raises(UsageError, match=re.escape(cure) if game == "pig" else "side of one_against_many"):
        claims.parse(text, registry.game(game))


@pytest.mark.parametrize("text", ["first player wins 40 to 60", "seat 2 wins 20 to 40", "team wins 40 to 60"])
def test_a_claim_about_a_seat_is_refused_where_sides_win(text):
    with pytest.raises(UsageError, match="say 'the hider wins' or 'the seekers wins'"):
        claims.parse(text, registry.game(GAME))


def test_a_ladder_finds_the_fair_value_between_sides(tmp_path):
    how = {"seats": 3, "vary": {"numbers": [3, 4, 5]}, "deals": 400, "out": str(tmp_path / "run"), "seed": 3}
    result = simkit.ladder(GAME, ["random", "random(blunder=0.5)"], **how)
    assert all(
        3 <= low <= high <= 5 for low, high in result.rungs.select("fair_low", "fair_high").iter_rows()
    )


def test_a_player_who_errs_is_compared_with_a_seat_of_equals(tmp_path):
    how = {"options": SEATS, "deals": 200, "out": str(tmp_path / "run"), "lineups": ["search(budget=4)*3"]}
    result = simkit.sweep(GAME, {"numbers": [4]}, beginners=[0.2], **how, **HOW)
    assert result.beginners["fair"].to_list() == [pytest.approx(1 / 2, abs=0.05)]


def test_a_match_between_sides_counts_what_the_side_of_each_player_wins(tmp_path):
    result = simkit.match(
        "partners", "search(budget=8)", "random", deals=60, seed=3, out=str(tmp_path / "run")
    )
    seats = result.run.seats().collect().with_columns(pl.col("strategy").cast(pl.String))
    share = (pl.col("rank") == 1) / (1 + (pl.col("rank").max() == 1).over("play"))  # both sides may win
    alone = seats.with_columns(won=share).filter(pl.len().over("play", "strategy") == 1)
    won = dict(alone.group_by("strategy").agg(pl.col("won").mean()).rows())
    (row,) = result.match.rows(named=True)
    gap = won["search(budget=8)"] - won["random"]
    assert gap > 0.1 and row["score"] == pytest.approx(0.5 + gap / 2)
    assert row["elo"] == pytest.approx(400 * np.log10(row["score"] / (1 - row["score"])), abs=0.1)
    assert result.match_seats["fair"].unique().to_list() == [0.5]
    assert result.ratings["elo"].is_null().all() and "wins with its side" in result.ratings["reason"][0]


def test_equal_players_have_equal_ratings_where_one_side_wins_more(tmp_path):
    levels = ["random", "random(blunder=0.5)"]
    how = {"options": {"numbers": 5}, "seats": 3, "deals": 4_000, "seed": 4, "out": str(tmp_path / "run")}
    rows = simkit.skill(GAME, levels, **how).skill_matrix  # the hider wins 3 of 5 games
    assert rows["fair"].to_list() == pytest.approx([(0.6 + 2 * 0.4) / 3] * 2, abs=0.02)
    assert all(row["share"] == pytest.approx(row["fair"], abs=0.02) for row in rows.rows(named=True))


def test_a_game_that_nobody_wins_counts_half_for_both_sides(sweep_of_numbers):
    seats = sweep_of_numbers.run.seats().with_columns(share=pl.lit(0.0))
    assert sweep_of_numbers.run.judged_rows(seats).collect()["share"].unique().to_list() == [0.5]


def test_a_target_needs_a_team_or_two_sides():
    request = simkit.runs.experiment.parse(
        {"question": "?", "game": "pig", "lineups": [["random"] * 2], "deals": 10, "target": 0.4}
    )
    with pytest.raises(
        UsageError, match="key 'target' is for co-operative games and for two sides; pig has neither"
    ):
        make_plan(request)


def game_with(log, sides):
    own = reference.game
    return Game(
        name="own", title="Own", seats=(3, 3), end_reasons=own.end_reasons, options=[], state=[], max_actions=2,
        setup=own.setup, legal=own.legal, apply=own.apply, log=log, sides=sides,
    )  # fmt: skip


def test_sides_need_their_field_in_the_log_and_two_names():
    three = IntEnum("Side", "one two three", start=0)
    with pytest.raises(
        UsageError, match=r"own: Game\(sides=...\) needs the field 'side' of that kind in Log"
    ):
        game_with(Log(), reference.Side)
    with pytest.raises(UsageError, match="needs an IntEnum with two members"):
        game_with(Log(seat=[scalar("side", three, "Side")]), three)


@pytest.mark.parametrize("drawn", [0.0, 0.1])  # part of the games that both sides win
def test_sides_that_are_equal_are_called_fair_and_hardly_ever_anything_else(drawn):
    """500 runs of two sides of any sizes with equal chances, judged after every 500 deals until a verdict."""
    rng, values, words = np.random.default_rng(1), np.array([0.0, 0.5, 1.0]), []
    chances = [(1 - drawn) / 2, drawn, (1 - drawn) / 2]
    for _ in range(500):
        counts, first = np.zeros(3), verdicts.FirstClaims(1)
        while counts.sum() < 60_000:
            counts += rng.multinomial(500, chances)
            evidence = verdicts.evidence(values, counts, 0.5, 0.02)
            first.analyse(verdicts.together([verdicts.evidence_of_cell([evidence])]))
            if first.verdicts[0] != verdicts.NOT_SETTLED:
                break
        words.append(first.verdicts[0])
    assert words.count("FAIR") >= 0.95 * len(words) and len(words) - words.count("FAIR") <= 0.05 * len(words)


def test_the_luck_of_a_game_of_sides_is_that_of_the_first_side(tmp_path):
    """One random number makes the sum uniform: whom the lot made the traitor alone decides nothing."""
    how = {"lineups": ["random*4"], "deals": 1_000, "seed": 3, "confirm": False, "jobs": 1}
    run = simkit.sweep("hidden_traitor", {"days": [1]}, out=str(tmp_path / "run"), **how).run
    luck.write(run, 1_000)
    parts = {row["part"]: row for row in Findings(open_run(run.folder)).luck_parts.rows(named=True)}
    assert parts["setup"]["alone_high"] < 0.1 and parts["together"]["alone_low"] > 0.8
