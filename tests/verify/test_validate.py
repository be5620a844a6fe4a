"""simkit validate: a sound simulator passes, a wrong one is caught, whatever part of it is wrong."""

import dataclasses
import json
import math

import numpy as np
import polars as pl
import pytest

from simkit.cli.commands.validate import _row
from simkit.engine import registry, rng
from simkit.engine.game import KnownAnswer
from simkit.engine.table import GameTable
from simkit.errors import UsageError
from simkit.games.reference import race_to_six
from simkit.verify import validate
from simkit.verify.validate import known_answers, luck
from simkit.verify.validate.runs import (
    LIMIT,
    Runs,
    Subject,
    exact,
    judge_random_value,
    questions,
    rate,
    smallest_bias,
)

pytestmark = pytest.mark.slow

PLAYS = 2_000
HERE = Subject("race_to_six")
CROOKED = """
import dataclasses

from simkit.engine.rng import below
from simkit.games.reference import race_to_six
from simkit.engine.compile.jit import rule


@rule
def apply(s, rules, action, rng):
    '''A die that shows its highest face a little too often: 3 in 16 instead of 1 in 6.'''
    race_to_six.roll(s, rules, rules.faces if below(rng.die, 16) < 3 else 1)


game = dataclasses.replace(race_to_six.game, name="crooked", apply=apply)
"""


@pytest.fixture
def runs(tmp_path):
    """A place to play the race to six in."""
    return Runs(tmp_path, race_to_six.game, PLAYS, 1, 1, "threading")


@pytest.fixture(scope="module")
def everything():
    return list(validate.validate(list(registry.games().values()), PLAYS, 1, -1, "threading"))


@pytest.mark.proof("verify.validate", "tables", "games", "strategies")
def test_every_known_answer_of_every_game_is_found(everything):
    assert [r for r in everything if not r.passed] == []
    text = {(r.subject, r.check, r.cell) for r in everything}
    for game in registry.games().values():
        for question in questions(game):
            assert {
                (game.name, known_answer.words, question.words) for known_answer in question.known_answers
            } <= text


@pytest.mark.proof("verify.validate", "tables", "games", "strategies")
def test_300_000_plays_of_each_find_every_known_answer():
    assert [
        r
        for r in validate.validate(list(registry.games().values()), 300_000, 1, -1, "threading")
        if not r.passed
    ] == []


@pytest.mark.proof("verify.validate", "tables", "games", "strategies")
def test_the_other_checks_are_made_of_every_game(everything):
    for of in registry.games().values():
        checks = " / ".join(r.check for r in everything if r.subject == of.name)
        shares = {answer.column for answer in of.known_answers} & {"share", "score"}
        parts = ["other batches", "two seeds", "neighbouring deals", "differ from the log"]
        for part in [*parts, *(["intervals of 100 deals"] if shares else [])] if of.known_answers else []:
            assert part in checks, (of.name, part)
    assert {"pig", "kuhn_poker"} == {r.subject for r in everything if "rotated there" in r.check}
    assert sum(r.subject == "luck" for r in everything) == 8


def test_the_command_prints_a_table_and_a_last_line_and_tells_on_stderr_what_it_does(simkit):
    code, out, err = simkit("validate", "race_to_six", "--deals", 1000, "--seed", 3)
    assert code == 0 and out.splitlines()[0].split() == [
        "game",
        "cell",
        "check",
        "expected",
        "measured",
        "n",
        "z",
        "verdict",
    ]
    assert (
        " 0.545 " in out
        and out.splitlines()[-1].startswith("all ")
        and out.splitlines()[-1].endswith("checks passed (seed 3)")
    )
    assert "validate: race_to_six: random*2, 1,000 deals" in err
    assert (
        "With 1,000 deals per cell, every second validation detects a bias of 6.32 points in a share" in out
    )


def measured_exactly(expected, result, allowance=0.0):
    return judge_random_value(HERE, "value", expected, result, 0.0, 1, allowance)


@pytest.mark.parametrize(
    ("result", "expected", "outcome"),
    [
        (measured_exactly(-3.0741, -3.0740961, 5e-5), "-3.07410 ± 5e-05", "-3.07410"),
        (measured_exactly(-1.5, 2.25), "-1.5", "2.25"),
        (exact(HERE, "games that differ", 0, 20_000), "0", "0"),
        (exact(HERE, "games that differ", 1_234, 20_000), "0", "1,234"),
        (judge_random_value(HERE, "share", 6 / 11, 0.54471, 0.00111, 200_000), "0.5455", "0.5447"),
        (judge_random_value(HERE, "correlation", 0.0, -0.00001, 0.0022, 200_000), "0.0000", "0.0000"),
        (judge_random_value(HERE, "chi-square", 1023, 1035.3, 45.2, 1_000_000), "1,023", "1,035"),
        (rate(HERE, "coverage", 0.95, [1.0] * 1_919 + [0.0] * 81, 0.95, 0.01), "0.9500 ± 0.01", "0.9595"),
    ],
)
def test_the_table_shows_values_and_their_expectation_to_the_digits_that_matter(result, expected, outcome):
    row = _row(result)
    assert (row["expected"], row["measured"]) == (expected, outcome)


def test_the_smallest_bias_is_four_standard_errors_of_a_share_of_one_half():
    assert smallest_bias(200_000) == pytest.approx(0.0044721, abs=1e-7)
    assert smallest_bias(800_000) == smallest_bias(200_000) / 2


@pytest.mark.parametrize(("z", "passed"), [(1.0, True), (1.4, True), (1.7, False), (0.2, False)])
def test_a_bias_that_many_cells_share_is_found_though_no_cell_finds_it(z, passed):
    """Sum of z² of 30 values: 30 expected, standard deviation 7.7; too little spread is as wrong."""
    cells = [
        judge_random_value(HERE, "share of seat 0", 0.5, 0.5 + z * 0.001, 0.001, 250_000) for _ in range(30)
    ]
    assert all(cell.passed for cell in cells)
    result = validate.omnibus(cells)
    assert result.measured == pytest.approx(30 * z**2) and (result.expected, result.passed) == (30, passed)


def test_a_game_whose_only_answer_cannot_vary_passes():
    constant = dataclasses.replace(
        race_to_six.game, known_answers=[KnownAnswer("draw", 0.0, "one winner", "random*2")]
    )
    results = list(validate.validate([constant], 300, 5, 1, "threading"))
    assert all(r.passed for r in results) and "all games" not in {r.subject for r in results}


def test_the_command_prints_one_json_document(simkit):
    document = json.loads(simkit("validate", "race_to_six", "--deals", 1000, "--json")[1])
    first = next(r for r in document["results"] if r["check"] == "share of seat 0")
    assert document["passed"] and document["deals"] == 1000
    assert document["smallest_bias"] == pytest.approx(0.063246, abs=1e-6)
    assert (
        first["expected"] == pytest.approx(6 / 11)
        and {"measured", "error", "n", "z", "passed", "cell"} <= first.keys()
    )


def test_the_same_seed_gives_the_same_results_for_any_number_of_jobs():
    short = dataclasses.replace(race_to_six.game, known_answers=race_to_six.game.known_answers[:2])
    first, two = (list(validate.validate([short], 300, 5, jobs, "threading")) for jobs in (1, 2))
    assert first == two


def test_a_crooked_die_is_caught_with_exit_code_1(simkit, tmp_path):
    (tmp_path / "games").mkdir()
    (tmp_path / "games" / "crooked.py").write_text(CROOKED)
    code, out, _ = simkit("--project", tmp_path, "validate", "crooked", "--deals", 10_000)
    assert code == 1 and "mean turns" in "".join(line for line in out.splitlines() if "FAILED" in line)
    assert "checks FAILED" in out.splitlines()[-1]


def test_a_wrong_answer_fails_and_only_that():
    wrong = KnownAnswer("turns", 8.0, "nobody", "random*2")
    game = dataclasses.replace(
        race_to_six.game, known_answers=[KnownAnswer("turns", 6.0, "theory", "random*2"), wrong]
    )
    results = [r for r in validate.validate([game], PLAYS, 1, -1, "threading") if not r.passed]
    assert [(r.check, r.expected) for r in results] == [("mean turns", 8.0)] and results[0].z < -LIMIT


@pytest.mark.parametrize(
    ("expected", "message"),
    [
        (
            KnownAnswer("turn", 6.0, "a slip", "random*2"),
            "unknown column of a known answer of race_to_six 'turn'; did you mean 'turns'",
        ),
        (
            KnownAnswer("share", 0.5, "a slip", "random*2", seat=2),
            "a known answer is about seat 2 of the lineup random*2",
        ),
    ],
)
def test_a_known_answer_about_nothing_is_refused_before_anything_is_played(expected, message):
    text, right = [], race_to_six.game
    wrong = dataclasses.replace(right, known_answers=[*right.known_answers, expected])
    with pytest.raises(UsageError) as caught:
        list(validate.validate([right, wrong], 200, 1, 1, "threading", text.append))
    assert message in str(caught.value) and not text


def test_deals_that_are_shifted_copies_of_each_other_are_caught(monkeypatch):
    def shifted(seed, names, stream, starts, draws, faces):
        """Each deal's stream is that of the deal before, one draw on."""
        for place in np.ndindex(starts.shape):
            i, deal, j = place
            starts[place] = stream[0] = np.uint64(
                (int(rng.start(seed + i, 0, names[j])) + deal * int(rng.GAMMA)) % 2**64
            )
            draws[place] = [rng.uniform(stream) for _ in range(luck.DRAWS)]
            faces[rng.below(stream, luck.FACES)] += 1

    monkeypatch.setattr(luck, "open_all", shifted)
    failed = {r.check for r in luck.checks(1, 4_000) if not r.passed}
    assert "streams that meet another one within 1,000 draws" in failed


def test_streams_that_ignore_the_purpose_and_a_loaded_die_are_caught(monkeypatch):
    def loaded(seed, names, stream, starts, draws, faces):
        rng = np.random.default_rng(1)
        starts[:] = rng.integers(2**63, size=starts[..., :1].shape)
        draws[:] = rng.random(draws[..., :1, :].shape)
        faces[:] = np.bincount(rng.integers(7, size=100_000) % 6)

    monkeypatch.setattr(luck, "open_all", loaded)
    failed = {r.check for r in luck.checks(1, 100_000) if not r.passed}
    assert {
        "streams that equal another one",
        "correlation of the first draws of neighbouring purposes",
    } <= failed
    assert "chi-square of a die of 6 faces" in failed


@pytest.mark.parametrize("narrower", [0.5, 2.0])
def test_intervals_that_are_too_narrow_or_too_wide_are_caught(monkeypatch, runs, narrower):
    right = known_answers.shares

    def wrong(*arguments):
        half = narrower * (pl.col("high") - pl.col("low")) / 2
        return right(*arguments).with_columns(
            (pl.col("share") - half).alias("low"), (pl.col("share") + half).alias("high")
        )

    runs = runs._replace(plays=60_000)
    question = questions(runs.game)[0]
    run = runs.play(question, seed=1)
    assert all(r.passed for r in known_answers.intervals(run, question))
    monkeypatch.setattr(known_answers, "shares", wrong)
    assert not any(r.passed for r in known_answers.intervals(run, question))


def test_evidence_that_is_taken_for_more_than_it_is_worth_is_caught(monkeypatch, runs):
    runs = runs._replace(plays=60_000)
    question = questions(runs.game)[0]
    run = runs.play(question, seed=1)
    assert [r.passed for r in known_answers.interim_analyses(run, question)] == [True, True]
    right = known_answers.log_capital
    monkeypatch.setattr(known_answers, "log_capital", lambda *arguments: 5 * right(*arguments) + 2)
    assert not next(known_answers.interim_analyses(run, question)).passed


def test_a_table_that_is_not_the_log_is_caught(monkeypatch):
    right = known_answers.draws
    monkeypatch.setattr(
        known_answers, "draws", lambda result: right(result).with_columns(pl.col("share") + 0.001)
    )
    short = dataclasses.replace(race_to_six.game, known_answers=race_to_six.game.known_answers[:1])
    assert {r.check for r in validate.validate([short], 200, 1, 1, "threading") if not r.passed} == {
        "values of the analysis that differ from the log"
    }


def test_games_that_differ_are_counted_when_deals_are_played_again(runs):
    question = questions(runs.game)[0]
    run, repeated, other = (runs.play(question, seed, 300, shard) for seed, shard in ((1, 0), (1, 7), (2, 0)))
    assert known_answers.differing(run, repeated) == 0
    assert known_answers.differing(run, other) > 250


def test_the_same_luck_under_another_seed_is_caught(monkeypatch, runs):
    play = Runs.play
    monkeypatch.setattr(Runs, "play", lambda self, question, seed, *rest: play(self, question, 1, *rest))
    question = questions(runs.game)[0]
    run = runs.play(question, 1)
    assert {r.check for r in known_answers.same(runs, question, run) if not r.passed} == {
        "correlation of the same deal under two seeds"
    }


def test_rule_sets_are_compared_on_the_same_deals_with_the_known_difference(everything):
    results = {
        (r.subject, r.cell): r.expected
        for r in everything
        if r.check == "difference of the share of seat 0 on the same deals"
    }
    assert results["hex_fill", "side = 3, random*2 - side = 4, random*2"] == pytest.approx(1 / 6)
    assert {name for name, _ in results} == {"hex_fill", "nim", "race_to_six"}


def test_a_wrong_difference_and_deals_counted_more_than_once_are_caught():
    rng = np.random.default_rng(1)
    luck = rng.random(60_000)
    here, there = (luck < 0.6) * 1.0, (luck < 0.5) * 1.0
    assert [r.passed for r in known_answers.difference(HERE, here, there, 0.1)] == [True, True]
    assert [r.passed for r in known_answers.difference(HERE, here, there, 0.12)] == [False, False]
    cloned = np.repeat(luck[:12_000], 5)  # each deal counted five times
    counted = list(known_answers.difference(HERE, (cloned < 0.6) * 1.0, (cloned < 0.5) * 1.0, 0.1))
    assert not counted[1].passed


def test_a_rotation_that_does_not_move_the_strategies_is_caught(monkeypatch, tmp_path):
    play = GameTable.play

    def unmoved(self, lineup, seed, deals, shifts, *trail):
        return play(self, lineup, seed, deals, np.zeros_like(shifts), *trail)

    runs = Runs(tmp_path, registry.game("pig"), 300, 1, 1, "threading")
    assert all(r.passed for r in known_answers.rotation(runs))
    monkeypatch.setattr(GameTable, "play", unmoved)
    assert {r.check for r in known_answers.rotation(runs) if not r.passed} == {
        "results that change with the order of the lineup"
    }


@pytest.mark.parametrize(
    ("outcome", "error", "allowance", "z"),
    [
        (0.5, 0.1, 0, 0),
        (0.9, 0.1, 0, 4),
        (0.1, 0.1, 0, -4),
        (0.52, 0.01, 0.01, 1),
        (0.505, 0.001, 0.01, 0),
        (0.5, 0, 0, 0),
        (0.6, 0, 0, math.inf),
    ],
)
def test_z_counts_standard_errors_beyond_what_is_allowed(outcome, error, allowance, z):
    result = judge_random_value(HERE, "share", 0.5, outcome, error, 100, allowance)
    assert result.z == pytest.approx(z) and result.passed == (abs(result.z) < LIMIT)


def test_a_value_that_is_not_a_number_fails_and_so_does_a_check_of_nothing():
    assert not judge_random_value(HERE, "share", 0.5, math.nan, 0.1, 100).passed
    assert (
        not exact(HERE, "games", 0, 0).passed
        and not exact(HERE, "games", 1, 10).passed
        and exact(HERE, "games", 0, 10).passed
    )
