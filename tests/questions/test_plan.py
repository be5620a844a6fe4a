"""`simkit plan`: published sample sizes, and needs that hold when they are played."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from simkit.errors import UsageError
from simkit.page.words.numbers import roughly
from simkit.questions import plan
from simkit.questions.plan import Aim
from simkit.runs import runner
from simkit.runs.experiment import parse
from simkit.runs.folder import Run, open_run
from simkit.runs.plan import schedule
from simkit.stats import verdicts
from simkit.stats.deals import wilson
from tests.commands import invoke
from tests.everyday import everyday
from tests.stats.small_runs import unequal, winners

pytestmark = pytest.mark.slow


def need(needs: list[plan.Need], start: str) -> plan.Need:
    return next(first for first in needs if first.question.startswith(start))


@pytest.mark.proof("questions.plan")
@pytest.mark.parametrize(
    ("seats", "effect", "games"),
    everyday(
        [
            (2, 0.02, 4900),
            (3, 0.01, 17520),
            (2, 0.01, 19620),
            (4, 0.01, 14830),
            (6, 0.01, 11050),
            (10, 0.01, 7250),
        ],
        1,
    ),
)
def test_games_for_one_seat_against_its_fair_share(seats: int, effect: float, games: int) -> None:
    assert need(plan.needs_of_game(seats, Aim(effect)), "one seat").deals == pytest.approx(games, rel=0.001)


def quantiles(shares: Sequence[float], margin: float, claim: str) -> list[float]:
    """Deals after which half of the runs with these shares have a claim, and 95 %: by the schedule of runs."""
    rng, fair, ends = np.random.default_rng(5), 1 / len(shares), np.full(PATHS, np.inf)
    won, before = np.zeros((PATHS, len(shares))), 0
    for deals in schedule(10**7):
        won += rng.multinomial(deals - before, shares, PATHS)
        before, going = deals, np.isinf(ends)
        if going.mean() < 0.05:
            break
        counts = [np.stack([deals - count, count], axis=-1) for count in won[going].T]
        seats = [verdicts.evidence([0, 1], count, fair, margin) for count in counts]
        reached = getattr(verdicts.evidence_of_cell(seats), claim) >= math.log(20)
        ends[np.flatnonzero(going)[reached]] = deals
    return np.quantile(ends, [0.5, 0.95], method="higher").tolist()


PATHS = 1_500  # so that the middle one is known to 2.5 %
CLAIMS = {"FAIR": "fair", "BORDERLINE": "borderline", "UNFAIR": "unfair", "NOT EQUAL": "unequal"}
EVERYDAY = [
    *((2, 0.05, 0.0, "FAIR"), (2, 0.05, 0.05, "BORDERLINE")),
    *((2, 0.02, 0.06, "UNFAIR"), (4, 0.05, 0.1, "NOT EQUAL")),
]
MORE = [
    *((seats, 0.02, 0.0, "FAIR") for seats in (2, 3, 4, 6, 10)),
    *((seats, 0.03, 0.05, "UNFAIR") for seats in (2, 3, 4, 6)),
    *(
        (2, 0.02, 0.1, "UNFAIR"),
        (3, 0.05, 0.1, "UNFAIR"),
        (10, 0.02, 0.06, "UNFAIR"),
        (4, 0.02, 0.02, "BORDERLINE"),
    ),
    *((2, 0.02, 0.04, "NOT EQUAL"), (4, 0.02, 0.04, "NOT EQUAL")),
]


@pytest.mark.proof("questions.plan")
@pytest.mark.parametrize(
    ("seats", "margin", "off", "verdict"),
    [*EVERYDAY, *(pytest.param(*first, marks=pytest.mark.slow) for first in MORE)],
)
def test_half_of_the_runs_and_95_per_cent_have_their_verdict_by_then(
    seats: int, margin: float, off: float, verdict: str
) -> None:
    effect = off if off > margin else 0.1
    (text,) = [
        first for first in plan.needs_of_game(seats, Aim(effect, margin=margin)) if first.verdict == verdict
    ]
    half, most = quantiles(unequal(1 / seats + off, seats), margin, CLAIMS[verdict])
    assert text.deals == pytest.approx(half, rel=0.08, abs=50)  # a step of the schedule
    assert text.most == pytest.approx(most, rel=0.2)  # three standard errors of the two simulations


@pytest.mark.parametrize("seats", everyday([2, 4], 1))
def test_a_plan_and_a_run_that_saw_a_fair_game_say_about_the_same_number(seats: int) -> None:
    """Of a run is told how many deals do if one looks after these; a plan's run is looked at all along."""
    for start, shift in (("FAIR", 0.0), ("BORDERLINE", 0.02), ("UNFAIR", 0.06)):
        deals = need(plan.needs_of_game(seats, Aim(0.06)), start).deals
        seen = [([0, 1], [100 * (1 - share), 100 * share]) for share in unequal(1 / seats + shift, seats)]
        text = verdicts.deals_that_do(seen, 1 / seats, 0.02, math.log(20))
        assert text == pytest.approx(deals, rel=0.1) or 1 <= text / deals < 1.15


def test_a_team_is_planned_for_by_its_target() -> None:
    """Of 40 % the scatter is 0.24, by hand: 1.96² 0.24 / 0.02² deals for ± 2 points."""
    needs = plan.needs_of_game(2, Aim(0.02), 0.4)
    assert need(needs, "its interval").deals == pytest.approx(1.96**2 * 0.24 / 0.02**2, rel=0.002)
    assert {first.verdict for first in needs} == {"", "ON TARGET", "TOO EASY or TOO HARD", "BORDERLINE"}


def test_a_team_off_a_target_near_1_takes_as_many_deals_as_one_off_its_mirror_near_0() -> None:
    high, low = (need(plan.needs_of_game(2, Aim(0.05), target), "TOO EASY") for target in (0.97, 0.03))
    assert high.deals == pytest.approx(low.deals, abs=50)  # a step of the schedule


@pytest.mark.proof("questions.plan")
@pytest.mark.parametrize("seats", everyday([4, 3, 6], 1))
def test_more_seats_need_more_for_all_of_them_to_be_fair(seats: int) -> None:
    deals = need(plan.needs_of_game(seats, Aim(0.06)), "FAIR").deals
    assert deals is not None
    won = np.random.default_rng(1).multinomial(deals, [1 / seats] * seats, 600)
    by_seat = [
        verdicts.evidence([0, 1], np.stack([deals - first, first], axis=1), 1 / seats, 0.02)
        for first in won.T
    ]
    decided = verdicts.evidence_of_cell(by_seat).fair >= math.log(20)
    assert 0.35 < decided.mean() < 0.75


@pytest.mark.proof("questions.plan")
@pytest.mark.parametrize("plays", [1, 3])
@pytest.mark.parametrize("seats", everyday([4, 3, 6], 1))
def test_half_of_the_runs_of_more_seats_know_by_then_that_one_is_off(seats: int, plays: int) -> None:
    """Also where each deal is played several times: with the scatter of its means. Here one looks once, so a
    few less know it.
    """
    rng, shares = np.random.default_rng(1), unequal(1 / seats + 0.06, seats)
    scatter = float(winners(rng, np.full(seats, 1 / seats), 50_000, plays, 0.2)[:, 0].var())
    deals = need(plan._verdicts(seats, scatter, Aim(0.06)), "UNFAIR").deals
    assert deals is not None
    decided = [
        cell_evidence(winners(rng, shares, deals, plays, 0.2)).unfair >= math.log(20) for _ in range(400)
    ]
    assert 0.33 < np.mean(decided) < 0.55


def cell_evidence(values: np.ndarray) -> verdicts.Evidence:
    """Of shares [deal, seat]."""
    kinds = [np.unique(seat, return_counts=True) for seat in values.T]
    return verdicts.evidence_of_cell([verdicts.evidence(*kind, 1 / values.shape[1], 0.02) for kind in kinds])


@pytest.mark.proof("questions.plan")
@pytest.mark.parametrize("seats", [3, 4, 6])
def test_the_power_is_reached_with_more_seats(seats: int) -> None:
    deals = need(plan.needs_of_game(seats, Aim(0.06)), "one seat").deals
    won = np.random.default_rng(2).binomial(deals, 1 / seats + 0.06, 4000)
    assert np.mean([wilson(x / deals, deals)[0] > 1 / seats for x in won]) == pytest.approx(0.8, abs=0.04)


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Run:
    keys = {
        "question": "q",
        "game": "pig",
        "deals": 500,
        "lineups": ["hold_at*2"],
        "sweep": {"goal": [40, 100]},
        "baseline": {"goal": 100},
    }
    return open_run(runner.run(parse(keys), tmp_path_factory.mktemp("planned") / "run"))


def test_a_run_gives_the_scatter_the_pairing_and_the_time(run: Run) -> None:
    needs = plan.needs_of_run(run, Aim(0.03))
    single, paired = need(needs, "the first player differs"), need(needs, "the first player gains")
    assert single.deals == pytest.approx(2180, rel=0.02)
    assert paired.cell == "goal = 40, hold_at mirror" and "times as many" in paired.note
    assert all(first.seconds is not None and first.seconds > 0 for first in needs)


def test_deals_that_never_vary_need_no_number(tmp_path: Path) -> None:
    keys = {
        "question": "q",
        "game": "pig",
        "deals": 20,
        "lineups": ["hold_at*2"],
        "options": {"goal": 1, "bust": 0},
    }
    flat = open_run(runner.run(parse(keys), tmp_path / "flat"))
    (text,) = plan.needs_of_run(flat, Aim(0.03))
    assert text.deals is None and "do not vary" in text.note


def test_impossible_effects_are_refused() -> None:
    with pytest.raises(UsageError, match="0.02 is 2 points"):
        plan.needs_of_game(2, Aim(0.6))


def test_the_command_says_a_line_per_case_that_fits_a_terminal(run: Run) -> None:
    out = invoke("plan", run.folder).stdout
    head, *cases = [
        line for line in out.splitlines() if "hold at a total" in line or "points that win" in line
    ]
    assert head.split()[:4] == ["points", "that", "win", "lineup"]
    assert [line.split("hold")[0].strip() for line in cases] == ["40", "100 (usual rules)"] and all(
        len(line.rstrip()) <= 100 for line in cases
    )
    assert all("NOT SETTLED" in line for line in cases)
    (verdict,) = [line for line in out.splitlines() if line.startswith("2 seats: ")]
    (expected,) = plan.verdict_needs(run, Aim(0.02)).values()
    assert [first.verdict for first in expected] == ["FAIR", "NOT EQUAL", "UNFAIR", "BORDERLINE"]
    assert all(first.verdict in verdict and roughly(first.deals or 0) in verdict for first in expected)


def test_a_plan_of_a_run_has_its_margin_and_its_own_target(run: Run) -> None:
    assert json.loads(invoke("plan", run.folder, "--json").stdout)["margin"] == run.experiment.margin
    with pytest.raises(UsageError, match="a run has its own"):
        invoke("plan", run.folder, "--target", 0.4)


def test_the_command(run: Run) -> None:
    lines = invoke("plan", run.folder, "--effect", 0.03, "--table").stdout.splitlines()
    assert any(line.split()[:4] == ["points", "that", "win", "lineup"] for line in lines)
    assert {line.split("hold")[0].strip() for line in lines if "hold at" in line} == {
        "40",
        "100 (usual rules)",
    }
    document = json.loads(invoke("plan --seats 3 --effect 0.01 --json").stdout)
    assert document["needs"][0]["deals"] == pytest.approx(17520, rel=0.001)
