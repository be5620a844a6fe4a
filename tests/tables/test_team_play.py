"""What a run says of the members of a team: strategies as teams, seat by seat, contributions, who is in it."""

import dataclasses
import itertools
import math
import types

import numpy as np
import polars as pl
import pytest
from simkit.content.reports import strategies
from simkit.content.reports.sections.teams import crew

from simkit.engine import registry
from simkit.errors import UsageError
from simkit.games.reference.rope_bridge import PLANKS, TURNS, across
from simkit.page.document import files, tables
from simkit.page.words.confidence import SURE
from simkit.runs import experiment, runner
from simkit.runs.folder import open_run
from simkit.runs.plan import make_plan
from simkit.stats.comparisons import holm, interval_p_value
from simkit.stats.deals import Share, difference_of_shares, wilson
from simkit.stats.ratios import ratio_difference, ratio_from_sums
from simkit.tables import teams
from simkit.tables.findings import Findings, all_findings
from simkit.tables.teams import mixes

DEALS, SEATS = 6_000, 3
TURNS_EACH = TURNS // SEATS


@pytest.fixture(scope="module")
def mixed(tmp_path_factory):
    """Teams of three with 0, 1, 2 and 3 runners, rotated."""
    lineups = [["random"] * (SEATS - n) + ["runner"] * n for n in range(SEATS + 1)]
    keys = {"question": "Does running pay?", "game": "rope_bridge", "deals": DEALS, "rotate": True}
    request = experiment.parse({**keys, "lineups": lineups})
    return open_run(runner.run(request, tmp_path_factory.mktemp("mixed") / "run", jobs=1))


def expected(runners):
    return across((SEATS - runners) * TURNS_EACH, PLANKS, runners * TURNS_EACH)


def test_the_chance_of_runners_is_that_of_all_ways_to_play_counted_one_by_one():
    """A random turn moves on by 1, 1, 0 or 2 planks, a run by 0 or 2, each as likely."""
    ways = list(itertools.product([1, 1, 0, 2], [1, 1, 0, 2], *[[0, 2]] * 4))
    assert across(2, PLANKS, 4) == sum(sum(way) >= PLANKS for way in ways) / len(ways)


def test_a_team_of_mixed_strategies_wins_as_often_as_is_known(mixed):
    table = Findings(mixed).mixed_teams
    assert table.select("one", "other").unique().rows() == [("random", "runner")]
    assert table["with_it"].to_list() == [0, 1, 2, 3] and set(table["deals"]) == {DEALS}
    for row in table.iter_rows(named=True):
        assert row["low"] - 0.01 < expected(row["with_it"]) < row["high"] + 0.01


def test_replacing_one_seat_is_worth_the_difference_of_the_known_chances(mixed):
    table = Findings(mixed).mixed_teams
    first, *steps = table.iter_rows(named=True)
    assert first["difference"] is None
    for row in steps:
        gain = expected(row["with_it"]) - expected(row["with_it"] - 1)
        assert row["difference_low"] - 0.01 < gain < row["difference_high"] + 0.01
    total = table["share"][-1] - table["share"][0]
    assert sum(row["difference"] for row in steps) == pytest.approx(total)


def test_every_table_of_a_team_can_be_asked_for_and_those_about_rivals_are_empty(mixed):
    """Tables that need a trace say so; no other table fails."""
    findings, refused = Findings(mixed), []
    for name in all_findings():
        try:
            getattr(findings, name)
        except UsageError as error:
            assert "the run has no turn trace" in str(error)
            refused.append(name)
    assert "lead_changes" in refused and "mixed_teams" not in refused
    assert not findings.mirrors.width and not findings.seat_spread.width


def test_teams_of_one_strategy_are_compared_deal_by_deal_with_the_one_listed_first(mixed):
    table = Findings(mixed).team_strategies
    best, worst = table.iter_rows(named=True)
    assert (best["strategy"], worst["strategy"]) == ("random", "runner")  # as `known` says
    assert (best["against"], worst["against"]) == (None, "random")
    seats = mixed.seats().filter(pl.col("seat") == 0).collect()
    share = {cell: seats.filter(cell=cell).sort("deal")["share"].to_numpy() for cell in (0, 3)}
    gaps = share[3] - share[0]
    assert worst["difference"] == pytest.approx(gaps.mean())
    half = (worst["difference_high"] - worst["difference_low"]) / 2
    assert half == pytest.approx(1.96 * gaps.std() / np.sqrt(DEALS), rel=0.02)
    assert expected(3) - expected(0) == pytest.approx(worst["difference"], abs=0.03)


def test_a_contribution_is_the_sum_of_a_seat_divided_by_that_of_all_seats(mixed):
    table = Findings(mixed).contributions
    seats = mixed.seats().collect()
    assert table["column"].unique(maintain_order=True).to_list() == ["planks", "turns"]
    for row in table.iter_rows(named=True):
        rows = seats.filter(cell=row["cell"])
        own = rows.filter(seat=row["seat"])
        part = own[row["column"]].sum() / rows[row["column"]].sum()
        assert row["part"] == pytest.approx(part) and row["low"] < part < row["high"]
        assert row["per_game"] == pytest.approx(own[row["column"]].mean())
        assert row["more"] == pytest.approx(part - own["turns"].sum() / rows["turns"].sum())
    assert table.group_by("cell", "column").agg(pl.col("part").sum())["part"].to_numpy() == pytest.approx(1)


def test_a_team_that_never_got_on_contributes_nothing_and_has_a_page(tmp_path):
    keys = {"question": "?", "game": "rope_bridge", "deals": 1, "lineups": ["runner*2"]}
    request = experiment.parse(keys | {"options": {"rope": 1, "planks": 60}})
    run = open_run(runner.run(request, tmp_path / "run"))
    assert run.seats().select(pl.col("planks").sum()).collect().item() == 0
    report = registry.recipe("balance").build(run)
    assert "contributions" not in files.render(report)


def test_the_interval_of_a_difference_of_ratios_is_that_of_resampled_deals():
    luck = np.random.default_rng(3)
    n = luck.integers(1, 6, (400, 2)).astype(float)
    y = n * luck.random((400, 2)) + 0.3 * luck.random((400, 1))
    deals = np.column_stack([y[:, 0], n[:, 0], y[:, 1], n[:, 1]])
    result = ratio_difference(deals.sum(axis=0), deals.T @ deals, len(deals))
    repeated = [deals[luck.integers(0, 400, 400)].sum(axis=0) for _ in range(4_000)]
    spread = np.std([a / b - c / d for a, b, c, d in repeated])
    assert (result.high - result.low) / 2 == pytest.approx(1.966 * spread, rel=0.05)
    own = ratio_from_sums(
        *deals.sum(axis=0)[:2], *(deals[:, i] @ deals[:, j] for i, j in ((0, 0), (0, 1), (1, 1))), 400
    )
    assert result.mean == pytest.approx(own.ratio - deals[:, 2].sum() / deals[:, 3].sum())


def test_a_hat_that_does_nothing_makes_no_difference(mixed):
    table = Findings(mixed).members
    assert set(table["name"]) == {"red", "blue", "green"} and set(table["column"]) == {"hat"}
    seats = mixed.seats().collect()
    beyond = 0
    for row in table.iter_rows(named=True):
        games = (
            seats.filter(cell=row["cell"])
            .group_by("play")
            .agg(pl.col("share", "rotation").first(), has=(pl.col("hat") == row["name"]).any())
        )
        assert row["games"] == games.filter("has").height
        turns = [
            [part.filter(pl.col("has") == has)["share"] for has in (True, False)]
            for part in games.partition_by("rotation")
        ]
        pairs = [(len(first), len(other), first.mean(), other.mean()) for first, other in turns]
        weights = [first * other / (first + other) for first, other, *_ in pairs]
        share, without = (np.average([pair[side] for pair in pairs], weights=weights) for side in (2, 3))
        assert (row["share"], row["without_share"]) == pytest.approx((share, without))
        assert row["difference"] == pytest.approx(share - without)
        beyond += not row["difference_low"] < 0 < row["difference_high"]
    assert beyond <= 2  # of 12 intervals of 95 %


def test_a_page_of_strategies_of_a_team_speaks_of_teams_only(mixed):
    built = registry.recipe("strategies").build(mixed)
    assert "Member by member" in [chapter.title for chapter in built.chapters]
    headings = [section.heading for section in built.sections]
    sentence = " ".join([*headings, *(text for section in built.sections for text in section.text)])
    assert "first player" not in sentence and "beats" not in sentence


@pytest.mark.slow
def test_a_mix_is_judged_on_the_deals_that_all_its_cells_played(tmp_path):
    """Cells that stop by themselves play unequal numbers of deals; the order of seats does not matter here."""
    lineups = [["random", "random"], ["random", "runner"], ["runner", "random"], ["runner", "runner"]]
    keys = {
        "question": "?",
        "game": "rope_bridge",
        "deals": 6_000,
        "lineups": lineups,
        "target": known_of_two(1),
    }
    request = experiment.parse({**keys, "until_verdict": True, "margin": 0.03})
    run = open_run(runner.run(request, tmp_path / "run", jobs=1))
    deals = [cell.deals for cell in run.cells]
    assert len(set(deals)) > 1
    table = Findings(run).mixed_teams
    assert set(table["deals"]) == {min(deals)}
    assert any(
        "stopped by themselves" in first for first in registry.recipe("strategies").build(run).warnings
    )


@pytest.mark.parametrize(
    ("seats", "rotate"), [((0,), False), ((0, 1), False), ((0, 1, 2), False), ((0,), True)]
)
def test_a_member_of_another_kind_is_judged_over_all_seats(seats, rotate):
    """The advantage of a seat is not taken for the strength of the strategy in it."""
    lineups = [["runner" if place == seat else "random" for place in range(3)] for seat in seats]
    keys = {"question": "?", "game": "rope_bridge", "deals": 20, "rotate": rotate}
    played = make_plan(experiment.parse(keys | {"lineups": [["random"] * 3, *lineups]})).cells
    findings = types.SimpleNamespace(run=types.SimpleNamespace(team=True, cells=played))
    assert len(mixes(findings)) == (rotate or len(seats) == 3)


def known_of_two(runners):
    return across((2 - runners) * 3, PLANKS, runners * 3)


@pytest.mark.parametrize(
    ("won_with", "games_with", "won_without", "games_without"),
    [(2, 2, 1498, 1998), (0, 3, 10, 400), (5, 5, 5, 5)],
)
def test_a_difference_of_few_games_is_as_wide_as_few_games_make_it(
    won_with, games_with, won_without, games_without
):
    first, other = (
        Share(won / n, *wilson(won / n, n), n, n, n)
        for won, n in ((won_with, games_with), (won_without, games_without))
    )
    result = difference_of_shares(first, other)
    assert result.difference == pytest.approx(won_with / games_with - won_without / games_without)
    assert result.high - result.low > 0.3 and -1 <= result.low <= result.high <= 1


def test_the_interval_of_a_difference_of_shares_holds_the_truth_as_often_as_it_says():
    """Two groups of games without an effect, the smaller one of a dozen games."""
    luck, inside = np.random.default_rng(5), 0
    for _ in range(2_000):
        first, other = (
            Share(won / n, *wilson(won / n, n), n, n, n)
            for n in (12, 300)
            for won in [luck.binomial(n, 0.75)]
        )
        result = difference_of_shares(first, other)
        inside += result.low <= 0 <= result.high
    assert 0.93 < inside / 2_000 < 0.98


def test_parts_that_the_game_does_not_log_are_refused():
    game = registry.game("rope_bridge")
    words = dataclasses.replace(game.words, parts=["plank"])
    with pytest.raises(UsageError, match="'plank'.*did you mean 'planks'"):
        dataclasses.replace(game, words=words)


def test_a_game_that_logs_no_turns_of_seats_has_contributions_without_a_comparison(mixed, monkeypatch):
    monkeypatch.setattr(teams, "TURNS_COLUMN", "rounds")
    table = Findings(mixed).contributions
    assert table["more"].is_null().all() and table["part"].is_not_null().all()


def test_the_p_value_of_an_interval_is_that_of_its_side_towards_nothing():
    assert interval_p_value(0.1, 0.0, 0.3) == pytest.approx(0.05) == interval_p_value(-0.1, -0.3, 0.0)
    assert interval_p_value(0.2, 0.0, 0.3) == pytest.approx(0.05)
    assert interval_p_value(0.1, 0.05, 0.2) == pytest.approx(
        2 * (1 - 0.5 * (1 + math.erf(1.959964 * 2 / 2**0.5))), rel=1e-4
    )
    with pytest.raises(ValueError):
        interval_p_value(0.1, 0.2, 0.3)


def test_members_that_make_no_difference_are_told_apart_by_luck_at_most_one_time_in_20(mixed):
    """Hats do nothing: of four cells of three hats hardly one is beyond luck, and each p-value fits its interval."""
    findings = Findings(mixed)
    table = findings.members.drop_nulls("difference")
    one_by_one = [
        interval_p_value(*row)
        for row in table.select("difference", "difference_low", "difference_high").rows()
    ]
    assert table["p_adjusted"].to_list() == pytest.approx(holm(one_by_one).tolist())
    assert (table["p_adjusted"] < SURE).sum() == 0


@pytest.mark.parametrize(
    ("effects", "sure", "message"),
    [
        ([0.2], [0.01], "One bold adds a team of x 20 wins of 100"),
        ([0.2], [0.3], "What a single member is worth to a team is not settled"),
        ([-0.5, 0.05, 0.09], [0.001] * 3, "One bold costs a team of x 50 wins of 100, one good adds 9"),
        ([-0.5, 0.05, 0.09], [0.001, 0.3, 0.3], "One bold costs a team of x 50 wins of 100"),
    ],
)
def test_one_member_of_another_kind_is_told_only_beyond_luck(effects, sure, message):
    names = ("bold", "better", "good")
    rows = [
        {"with_it": 1, "one": "x", "other": name, "difference": effect, "p_adjusted": p}
        for name, effect, p in zip(names, effects, sure, strict=False)
    ]
    assert strategies.single_member(rows, str) == message


def test_of_too_many_members_for_a_page_those_with_the_greatest_differences_are_shown(mixed, monkeypatch):
    monkeypatch.setattr(tables, "MAX_ROWS_SHOWN", 3)
    monkeypatch.setattr(tables, "MAX_ROWS_WHOLE", 3)
    listed = crew(Findings(mixed)).tables[0]
    sizes = Findings(mixed).members["difference"].abs().to_list()
    assert len(listed.rows) == 12
    assert {sizes[place] for place in listed.shown} == set(sorted(sizes)[-3:])
    assert "3 of 12 rows, the greatest differences" in listed.on_page.caption
