"""Drama tables against games worked out by hand, against the log of Outpost Seven, and against laws that they
must obey.
"""

import math
import tempfile
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from polars.testing import assert_frame_equal
from synthetic import Story, made_run, made_stories

from simkit.errors import UsageError
from simkit.runs import experiment, runner
from simkit.runs.folder import open_run
from simkit.tables import course
from simkit.tables.findings import Findings
from simkit.tables.reading import spread_of
from tests.everyday import everyday

FOUR = [
    Story([(1, 0), (1, 2), (3, 2), (3, 2)], (1, 0)),  # leaders 0 1 0 0
    Story([(0, 0), (0, 5)], (0, 1)),  # leaders - 1
    Story([(2, 0), (2, 2), (2, 1), (2, 2)], (0.5, 0.5)),  # leaders 0 - 0 -, shared
    Story([(5, 0), (5, 0), (5, 0), (5, 6)], (1, 0)),  # leaders 0 0 0 1, but a handicap decides for 0
]


@pytest.fixture(scope="module")
def four(tmp_path_factory):
    return made_stories(tmp_path_factory.mktemp("made") / "four", FOUR)


@pytest.fixture(scope="module")
def stations(tmp_path_factory):
    """Outpost Seven, two strategies in both rotations, 60 of 80 deals traced."""
    request = {
        "question": "?",
        "game": "outpost_seven",
        "deals": 80,
        "trace": 60,
        "lineups": [["reference_greedy", "random"], ["random*2"]],
    }
    return open_run(runner.run(experiment.parse(request), tmp_path_factory.mktemp("runs") / "run"))


def stories_of(run):
    """What the trace says of each game."""
    return pl.concat([course.traced_games(block).collect() for block in course.trace_blocks(run)])


def test_the_story_of_each_game(four):
    table = stories_of(four)
    assert table["lead_changes"].to_list() == [2, 0, 0, 1]
    assert table["decided"].to_list() == [0.75, 1.0, None, 1.0]
    assert table["turns"].to_list() == [4, 2, 4, 4]


def test_lead_changes_by_hand(four):
    row = Findings(four).lead_changes.row(0, named=True)
    assert (row["games"], row["deals"], row["mean"], row["none"]) == (4, 4, 0.75, 0.5)
    deviation = math.sqrt((2 * 0.75**2 + 0.25**2 + 1.25**2) / 3)
    half = 3.182446 * deviation / 2  # Student's t with 3 degrees of freedom
    assert (row["low"], row["high"]) == pytest.approx((0.75 - half, 0.75 + half))
    assert row["none_low"] < 0.5 < row["none_high"]


def test_decided_at_by_hand(four):
    row = Findings(four).decided_at.row(0, named=True)
    assert (row["games"], row["single"], row["deals"]) == (4, 3, 3)
    assert row["mean"] == pytest.approx(2.75 / 3) and row["early"] == 0.0


def test_games_decided_before_half_are_early(tmp_path):
    scores = [(1, 0), (2, 0), (3, 0), (4, 0)]
    stories = [
        Story(scores, (1, 0)),
        Story([(0, 1), *scores[1:]], (1, 0)),
        Story([(0, 1), (0, 1), *scores[2:]], (1, 0)),
    ]
    row = Findings(made_stories(tmp_path, stories)).decided_at.row(0, named=True)
    assert (row["mean"], row["early"]) == pytest.approx((0.5, 1 / 3))


def test_predictability_by_hand(four, monkeypatch):
    monkeypatch.setattr(course, "LEAD_BANDS", 4)
    table = Findings(four).predictability
    assert table["games"].to_list() == [3, 4, 3, 4]
    assert table["share"].to_list() == pytest.approx([2.5 / 3, 2 / 4, 2.5 / 3, 2.5 / 4])
    monkeypatch.setattr(course, "LEAD_BANDS", 2)
    table = Findings(four).predictability
    assert table.select("progress_low", "progress_high", "games").rows() == [(0, 0.5, 4), (0.5, 1, 4)]
    assert table["share"].to_list() == pytest.approx([2 / 4, 2.5 / 4])


def test_a_lead_shared_by_all_predicts_a_fair_share(tmp_path):
    run = made_stories(tmp_path, [Story([(1, 1, 1), (0, 0, 4)], (0, 0, 1))])
    assert Findings(run).predictability["share"].to_list() == pytest.approx([1 / 3, 1])


def test_a_lead_that_doubles_has_slope_two_and_one_that_halves_a_half(tmp_path):
    for name, scores, slope in (
        ("doubles", [(1, 0), (1, 0), (2, 0), (2, 0), (4, 0), (4, 0)], 2.0),
        ("halves", [(8, 0), (8, 0), (4, 0), (4, 0), (2, 0), (2, 0)], 0.5),
    ):
        run = made_stories(tmp_path / name, [Story(scores, (1, 0))] * 3)
        row = Findings(run).runaway.row(0, named=True)
        assert (row["pairs"], row["games"], row["deals"]) == (24, 3, 3)
        assert (row["slope"], row["low"], row["high"]) == pytest.approx((slope, slope, slope))


def walks(games, growth=1.0, drift=0.0, seats=3, length=12, seed=1):
    """Games whose seats gain in turn; each gain depends on the standing as `growth` says, seat 0 gains
    `drift` more.
    """
    rng, stories = np.random.default_rng(seed), []
    for _ in range(games):
        score, scores = rng.normal(0, 300, seats), []
        for turn in range(length):
            seat = turn % seats
            score[seat] += (
                rng.normal(0, 100) + (growth - 1) * (score[seat] - score.mean()) + drift * (seat == 0)
            )
            scores.append(tuple(int(x) for x in np.round(score)))
        stories.append(Story(scores, tuple(float(s == np.argmax(score)) for s in range(seats))))
    return stories


@pytest.mark.parametrize(
    ("growth", "drift", "reading"), [(1.0, 0.0, 0), (1.0, 200.0, 0), (1.2, 0.0, 1), (0.8, 0.0, -1)]
)
def test_the_slope_tells_a_snowball_from_luck_and_from_a_stronger_seat(tmp_path, growth, drift, reading):
    row = Findings(made_stories(tmp_path, walks(300, growth, drift))).runaway.row(0, named=True)
    assert (row["low"] > 1) - (row["high"] < 1) == reading


def test_the_slope_has_no_number_where_no_lead_varies(tmp_path):
    for name, scores in (("short", [(1, 0)]), ("level", [(1, 1), (2, 2), (3, 3), (4, 4)])):
        row = Findings(made_stories(tmp_path / name, [Story(scores, (1, 0))] * 3)).runaway.row(0, named=True)
        assert (row["slope"], row["low"], row["high"]) == (None, None, None)


def test_games_of_one_deal_are_one_observation(tmp_path):
    """Each game twice on its deal: the same figures and intervals as once, but for the counts."""
    stories = walks(20)
    twice = [Story(story.scores, story.share, deal) for deal, story in enumerate(stories) for _ in range(2)]
    once, double = made_stories(tmp_path / "once", stories), made_stories(tmp_path / "twice", twice)
    for table in ("lead_changes", "decided_at", "runaway"):
        first, two = getattr(Findings(once), table), getattr(Findings(double), table)
        assert two["deals"].to_list() == first["deals"].to_list() and two["games"].to_list() == [
            2 * n for n in first["games"]
        ]
        names = [name for name in ("mean", "low", "high", "slope") if name in first.columns]
        assert_frame_equal(first.select(names), two.select(names))


def test_co_operative_games_are_counted_but_decide_nothing(tmp_path):
    run = made_stories(tmp_path, [Story([(1, 0), (2, 3)], (1, 1)), Story([(1, 0), (2, 3)], (0, 0))])
    row = Findings(run).decided_at.row(0, named=True)
    assert (row["games"], row["single"], row["mean"], row["early"]) == (2, 0, None, None)
    assert Findings(run).lead_changes["mean"].to_list() == [1.0]


def test_interesting_games_by_hand(four):
    table = Findings(four).interesting_games
    results = {row["kind"]: row for row in table.rows(named=True)}
    # turns 4 2 4 4, lead changes 2 0 0 1, margins 1 5 0 1: medians 4, 0, 1
    assert [results[kind]["play"] for kind in ("typical", "wildest")] == [2, 0]
    wild = results["wildest"]
    assert (
        wild["turns"],
        wild["lead_changes"],
        wild["decided"],
        wild["margin"],
        wild["winner"],
        wild["games"],
    ) == (4, 2, 0.75, 1, 0, 4)


def test_the_wildest_of_equals_is_decided_later_then_closer_then_first(tmp_path):
    def wild(*stories):
        run = made_stories(Path(tempfile.mkdtemp(dir=tmp_path)), list(stories))
        return Findings(run).interesting_games.filter(kind="wildest")["play"].item()

    early = Story([(0, 1), (2, 1), (2, 1), (2, 1)], (1, 0))
    late = Story([(0, 1), (0, 1), (0, 1), (5, 1)], (1, 0))
    close = Story([(0, 1), (0, 1), (0, 1), (2, 1)], (1, 0))
    assert (
        wild(early, late) == 1
        and wild(late, close) == 1
        and wild(close, close) == 0
        and wild(close, late) == 0
    )


def test_interesting_games_without_a_trace(tmp_path, stations, monkeypatch):
    run = made_run(tmp_path, [["a", "a"]], [0.5])
    table = Findings(run).interesting_games
    assert table["kind"].to_list() == ["typical", "wildest"]
    assert (
        table["lead_changes"].to_list() == table["decided"].to_list() == [None] * 2
        and table["games"].to_list() == [400] * 2
    )
    plain = open_run(runner.run(stations.experiment.with_keys(trace=0), tmp_path / "plain"))
    monkeypatch.setattr(course, "MOST_DEALS", 60)
    assert_frame_equal(
        Findings(plain).interesting_games.drop("decided"),
        Findings(stations).interesting_games.drop("decided"),
    )


def test_interesting_games_are_those_of_the_log(stations):
    for row in Findings(stations).interesting_games.rows(named=True):
        game, seats = stations.rows(row["play"])
        assert (
            game["deal"] == row["deal"] < 60
            and game["turns"] == row["turns"]
            and game["lead_changes"] == row["lead_changes"]
        )
        assert abs(seats[0]["score"] - seats[1]["score"]) == row["margin"] == game["margin"]


def test_lead_changes_are_those_that_outpost_seven_logs(stations):
    rows = stories_of(stations).select("play", "lead_changes", pl.col("turns").cast(pl.Int32)).sort("play")
    logged = (
        stations.games()
        .filter(pl.col("deal") < 60)
        .select("play", pl.col("lead_changes").cast(pl.Int64), "turns")
        .sort("play")
        .collect()
    )
    assert_frame_equal(rows, logged)


TABLES = ["lead_changes", "decided_at", "predictability", "runaway"]


@pytest.mark.proof("tables.course", "games.outpost_seven", "strategies.outpost_seven")
@pytest.mark.parametrize("name", everyday(["interesting_games", *TABLES], 3))
def test_tables_do_not_depend_on_the_blocks(stations, monkeypatch, name):
    whole = getattr(Findings(stations), name)
    monkeypatch.setattr(course, "BLOCK_ROWS", 1500)
    assert len(list(course.trace_blocks(stations))) > 3
    assert_frame_equal(getattr(Findings(stations), name), whole)


@pytest.mark.parametrize("name", TABLES)
def test_a_run_without_a_trace_says_what_to_do(tmp_path, name):
    findings = Findings(made_run(tmp_path, [["a", "a"]], [0.5], deals=10))
    with pytest.raises(UsageError, match="has no turn trace; run it into another folder with --trace 1000"):
        getattr(findings, name)


WEIGHTS = {  # by value 1 and 2: two halves, each a sum of the same three tenths in some order
    "both alike": (0.3, 0.3),
    "the first an ulp less": (0.3, 0.1 + 0.2),
    "the first an ulp more": (0.1 + 0.2, 0.3),
    "no half": (0.299999, 0.300001),
}


@pytest.mark.parametrize(("name", "p50"), [*zip(WEIGHTS, (1, 1, 1, 2), strict=True)])
def test_a_quantile_does_not_depend_on_the_order_in_which_weights_were_added(name, p50):
    counts = pl.DataFrame({"cell": [0, 0], "value": [1, 2], "games": WEIGHTS[name]})
    assert spread_of(counts, ["cell"], (0.5,))["p50"].to_list() == [p50]


@st.composite
def stories(draw):
    """Some games of three seats with small scores, and an order of the seats."""
    score = st.integers(0, 4)
    games = draw(
        st.lists(st.lists(st.tuples(score, score, score), min_size=1, max_size=7), min_size=2, max_size=6)
    )
    shares = [draw(st.sampled_from([(1, 0, 0), (0, 1, 0), (0, 0, 1), (0.5, 0, 0.5)])) for _ in games]
    return [Story(*game) for game in zip(games, shares, strict=True)], draw(st.permutations(range(3)))


@pytest.mark.slow
@pytest.mark.proof("tables.course")
@settings(max_examples=6)
@given(stories())
def test_other_names_for_the_seats_change_nothing_else(drawn):
    games, order = drawn
    renamed = [
        Story([tuple(scores[s] for s in order) for scores in g.scores], tuple(g.share[s] for s in order))
        for g in games
    ]
    with tempfile.TemporaryDirectory() as folder:
        first, other = (
            made_stories(Path(folder) / "one", games),
            made_stories(Path(folder) / "other", renamed),
        )
        for name in TABLES:
            assert_frame_equal(getattr(Findings(first), name), getattr(Findings(other), name))
