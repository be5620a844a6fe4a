"""A beginner's chances: a small run beside a run, against chances worked out exactly."""

import filecmp
import itertools
import shutil

import pytest
from simkit.content.reports.sections import luck as section_of

from simkit.errors import UsageError
from simkit.games.reference.kuhn_poker import JACK, KING, QUEEN
from simkit.runs import experiment, runner
from simkit.runs import status as state
from simkit.runs.folder import open_partly, open_run
from simkit.runs.plan import make_plan
from simkit.runs.progress import Progress
from simkit.tables.findings import Findings, open_findings

ERRS = [0.1, 0.2, 0.4]
POKER = {"question": "?", "game": "kuhn_poker", "deals": 900, "lineups": ["nash*2"], "beginners": ERRS}
BRIDGE = {"question": "?", "game": "rope_bridge", "deals": 400, "lineups": ["runner*2"], "beginners": [0.5]}
PIG = {
    "question": "?",
    "game": "pig",
    "deals": 30,
    "lineups": ["random, hold_at(blunder=0.3)", "hold_at*3", "random*4"],
    "sweep": {"goal": [30, 50]},
    "baseline": {"goal": 50},
    "beginners": [0.2],
}


def played(folder, keys, jobs=1):
    return runner.run(experiment.parse(keys), folder, jobs=jobs)


@pytest.fixture(scope="module")
def poker(tmp_path_factory):
    return open_findings(played(tmp_path_factory.mktemp("runs") / "poker", POKER))


@pytest.fixture(scope="module")
def bridge(tmp_path_factory):
    return open_findings(played(tmp_path_factory.mktemp("runs") / "bridge", BRIDGE))


def test_a_beginners_share_in_kuhn_poker_is_the_exact_one(poker):
    """Chances over six deals, both seats, and two or three decisions; an error bets in half of the cases."""
    for row in poker.beginners.rows(named=True):
        exact = (_first_wins(row["errs"], 0) + 1 - _first_wins(0, row["errs"])) / 2
        assert row["low"] - 0.01 < exact < row["high"] + 0.01
    assert poker.beginners["errs"].to_list() == ERRS
    assert poker.beginners["fair"].unique().to_list() == [0.5]
    assert poker.beginners["deals"].unique().to_list() == [900]


def _first_wins(errs_first, errs_second, alpha=0.2):
    """How often the first seat of Kuhn poker wins, if the seats err in such parts of their decisions."""

    def chance(likely, errs):
        return (1 - errs) * likely + errs / 2

    def bets(card, bluff):
        return {JACK: bluff, QUEEN: 0.0, KING: 3 * bluff}[card]

    total = 0.0
    for first, other in itertools.permutations((JACK, QUEEN, KING), 2):
        higher = float(first > other)
        bet = chance(bets(first, alpha), errs_first)
        called = chance({JACK: 0.0, QUEEN: 1 / 3, KING: 1.0}[other], errs_second)
        answer = chance(bets(other, 1 / 3), errs_second)
        calls = chance({JACK: 0.0, QUEEN: alpha + 1 / 3, KING: 1.0}[first], errs_first)
        after_bet = called * higher + (1 - called)
        after_pass = answer * calls * higher + (1 - answer) * higher
        total += (bet * after_bet + (1 - bet) * after_pass) / 6
    return total


def test_a_team_with_a_beginner_wins_what_two_coins_say(bridge):
    """Running gives two planks or none; an error walks, one plank for certain, in half of the cases."""
    (row,) = bridge.beginners.filter(errs=0.5).rows(named=True)
    exact = (_across([0.5, 0]) + _across([0, 0.5])) / 2
    assert row["low"] < exact < row["high"]
    (steady,) = bridge.beginners.filter(errs=0.0).rows(named=True)
    assert steady["low"] < _across([0, 0]) < steady["high"]
    assert row["fair"] == steady["share"]


def _across(errs, planks=7, turns=6):
    walked = {0: 1.0}
    for turn in range(turns):
        walks, after = errs[turn % len(errs)] / 2, {}
        for at, chance in walked.items():
            for step, part in ((1, walks), (2, (1 - walks) / 2), (0, (1 - walks) / 2)):
                after[at + step] = after.get(at + step, 0.0) + chance * part
        walked = after
    return sum(chance for at, chance in walked.items() if at >= planks)


def test_the_small_run_has_the_rules_of_the_baseline_and_the_first_players_who_can_err():
    """Random players cannot err; others err in so many decisions as asked, not as before."""
    small = make_plan(experiment.parse(PIG)).beginners.experiment
    assert small.options == {"goal": 50} and not small.sweep and small.deals == 30
    assert small.lineups == [["hold_at(blunder=0.2)", "hold_at"], ["hold_at(blunder=0.2)", *["hold_at"] * 2]]
    with pytest.raises(UsageError, match="random players cannot err"):
        make_plan(experiment.parse(PIG | {"lineups": ["random*2"]}))


def test_the_run_itself_is_the_same_with_and_without_beginners(tmp_path):
    with_them = played(tmp_path / "with", PIG)
    without = played(tmp_path / "without", {name: key for name, key in PIG.items() if name != "beginners"})
    for table in ("games", "seats"):
        same, *others = filecmp.cmpfiles(
            with_them / table, without / table, [p.name for p in (without / table).iterdir()], shallow=False
        )
        assert same and not any(others)
    assert Findings(open_run(without)).beginners.is_empty()


def test_the_small_run_depends_on_the_experiment_alone_and_is_finished_when_asked_again(tmp_path):
    first = played(tmp_path / "one", PIG)
    other = played(tmp_path / "other", PIG, jobs=3)
    for folder in (first, other):
        open_run(folder)
    files = sorted(path.relative_to(first) for path in (first / "beginners").rglob("*.parquet"))
    assert files and all((first / path).read_bytes() == (other / path).read_bytes() for path in files)
    (first / files[0]).unlink()
    with pytest.raises(UsageError, match="not complete"):
        open_run(first)
    played(first, PIG)
    assert (first / files[0]).read_bytes() == (other / files[0]).read_bytes()
    shutil.rmtree(other / "beginners")
    with pytest.raises(UsageError, match="games of beginners are missing; run it again"):
        open_run(other)


def test_sentences_have_the_numbers_of_the_findings(poker, bridge):
    (row,) = poker.beginners.filter(errs=0.2).rows(named=True)
    (message,) = section_of.beginner_sentences(poker)
    low, high = (f"{100 * row[end]:.1f}" for end in ("low", "high"))
    assert message == (
        "With 2 players, of whom one errs in 20.0 % of the decisions, this player wins "
        f"{100 * row['share']:.1f} % of the games ({low} to {high}); without errors it would be 50.0 %."
    )
    (row,) = bridge.beginners.filter(errs=0.5).rows(named=True)
    (message,) = section_of.beginner_sentences(bridge)
    assert f"the team wins {100 * row['share']:.1f} % of the games" in message


def test_the_section_says_the_finding_and_draws_it(poker, bridge, tmp_path):
    built = section_of.beginners(poker)
    assert "one errs in 20.0 % of the decisions" in built.text[0]
    assert len(built.tables[0].rows) == 3 and "<svg" in built.figures[0].drawing.svg()
    assert len(section_of.beginners(bridge).tables[0].rows) == 2
    without = {name: key for name, key in PIG.items() if name != "beginners"}
    assert section_of.beginners(open_findings(played(tmp_path / "none", without))) is None


def test_a_run_is_being_played_until_its_beginners_are_and_damaged_without_them(tmp_path):
    class Looking(Progress):
        def report_games(self, done, total):
            if (tmp_path / "beginners" / "manifest.json").exists():
                seen.add(state.status(tmp_path).state)

    seen = set()
    request = experiment.parse(PIG)
    runner.run(request, tmp_path, progress=Looking())
    assert seen == {state.PLAYING} and state.status(tmp_path).state == state.FINISHED
    table = next((tmp_path / "beginners" / "games").iterdir())
    table.unlink()
    status = state.status(tmp_path)
    assert status.state == state.DAMAGED and status.missing_files == [f"beginners/games/{table.name}"]
    shutil.rmtree(tmp_path / "beginners")
    assert state.status(tmp_path)[1] == state.DAMAGED and state.status(tmp_path).missing_files == [
        "beginners"
    ]


def test_a_run_stopped_among_its_beginners_is_not_finished(tmp_path):
    class Stopping(Progress):
        def report_games(self, done, total):
            if (tmp_path / "beginners" / "manifest.json").exists():
                raise KeyboardInterrupt

    request = experiment.parse(PIG)
    with pytest.raises(KeyboardInterrupt):
        runner.run(request, tmp_path, progress=Stopping())
    assert state.status(tmp_path).state == state.STOPPED
    open_partly(tmp_path)
    runner.run(request, tmp_path)
    assert state.status(tmp_path).state == state.FINISHED
