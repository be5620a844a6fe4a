"""Evidence and verdicts: stated error rates at every look and over many cells; published properties of
e-values.
"""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats as scipy_stats

from simkit.runs.plan import schedule
from simkit.stats import betting, stopping
from simkit.stats.deals import wilson
from simkit.stats.verdicts import (
    BORDERLINE,
    FAIR,
    NOT_SETTLED,
    UNFAIR,
    Evidence,
    FirstClaims,
    agreeing_ends,
    deals_that_do,
    evidence,
    evidence_of_cell,
    threshold,
    together,
    verdict,
)
from tests.everyday import everyday
from tests.stats.checks_on_fresh_deals import share_recommended
from tests.stats.games_to_a_verdict import CLAIMS, NEVER, moved, simulate, sprts
from tests.stats.games_to_a_verdict import wrong as wrong_claims

ANALYSES = schedule(22_000)
BAR = math.log(20)


def peeked(shares: np.ndarray, runs: int, seed: int):
    """Counts of (0, 1/2, 1) after each look of many runs, with one deal in ten drawn."""
    chances = np.array([1 - shares - 0.05, 0.1, shares - 0.05])
    rng, counts, before = np.random.default_rng(seed), np.zeros((runs, 3)), 0
    for look in ANALYSES:
        counts = counts + rng.multinomial(look - before, chances, runs)
        before = look
        yield counts


VALUES = np.array([0.0, 0.5, 1.0])


UNEQUAL = "unequal"


@pytest.mark.proof("stats")
@pytest.mark.parametrize(
    ("share", "wrong"),
    [
        *everyday([(share, UNFAIR) for share in (0.52, 0.5, 0.51, 0.515, 0.48)], 1),
        *everyday([(share, BORDERLINE) for share in (0.51, 0.53, 0.5, 0.49, 0.56)], 2),
        *everyday([(share, FAIR) for share in (0.52, 0.48, 0.525, 0.53, 0.56)], 1),
        (0.5, UNEQUAL),
    ],
)
def test_a_wrong_claim_at_any_analysis_is_rarer_than_stated(share, wrong):
    """At the edge of each claim and beyond it, a deal in ten being drawn."""
    ever = np.zeros(2000, bool)
    for counts in peeked(share, 2000, seed=7):
        result = evidence(VALUES, counts, 0.5, 0.02)
        ever |= getattr(result, wrong.lower()) >= BAR
    assert ever.mean() <= 0.05


def every_game(share, games, step, paths, seed=7):
    """(0, 1) counts of many runs of single games, looked at after every `step` of them."""
    rng, analyses = np.random.default_rng(seed), np.arange(step, games + 1, step)
    won = rng.binomial(step, share, (paths, len(analyses))).cumsum(axis=1)
    return analyses, np.stack([analyses - won, won], axis=-1)


@pytest.mark.slow
@pytest.mark.proof("stats")
@pytest.mark.parametrize(
    ("share", "wrong"), [(0.5, UNEQUAL), (0.51, BORDERLINE), (0.52, UNFAIR), (0.52, FAIR)]
)
def test_a_wrong_claim_is_rarer_than_stated_however_often_one_looks(share, wrong):
    _, counts = every_game(share, 4_000, 1, 600)
    ever = [getattr(evidence([0, 1], count, 0.5, 0.02), wrong.lower()).max() >= BAR for count in counts]
    assert np.mean(ever) <= 0.05 + 2 * math.sqrt(0.05 * 0.95 / 600)


@pytest.mark.proof("stats")
@pytest.mark.parametrize("alone", [True, False])
@pytest.mark.parametrize("off", everyday([0.01, 0.02, 0.0, 0.015, 0.025, 0.03], 2))
@pytest.mark.parametrize("seats", [3, 4])
def test_a_wrong_claim_about_more_seats_is_rarer_than_stated(seats, off, alone):
    runs = simulate(moved(seats, off, alone), 22_000, 300)
    wrong = [CLAIMS.index(claim) for claim in wrong_claims(off)]
    assert ((runs.reached[wrong] < NEVER).any(axis=0)).mean() <= 0.05
    assert off or (runs.unequal < NEVER).mean() <= 0.05


@pytest.mark.parametrize(
    ("share", "right", "at_most"),
    [(0.5, {FAIR}, 8_300), (0.54, {UNFAIR}, 6_300), (0.56, {UNFAIR}, 1_700), (0.6, {UNFAIR}, 580)],
)
def test_a_verdict_costs_about_so_many_games(share, right, at_most):
    """A tenth more than the table of simkit/stats/README.md says."""
    costs(share, right, at_most, 300)


@pytest.mark.slow
@pytest.mark.proof("stats")
@pytest.mark.parametrize(
    ("share", "right", "at_most"),
    [
        (0.51, {FAIR, BORDERLINE}, 22_500),
        (0.515, {FAIR, BORDERLINE}, 49_000),
        (0.52, {BORDERLINE}, 35_000),
        (0.53, {UNFAIR, BORDERLINE}, 28_000),
    ],
)
def test_every_share_is_settled_in_finite_time(share, right, at_most):
    costs(share, right, at_most, 1_000)


def costs(share, right, at_most, paths):
    runs = simulate([share, 1 - share], 400_000, paths)
    assert runs.games(runs.first).mean() <= at_most
    assert (runs.verdicts >= 0).all()
    assert np.isin(runs.verdicts, [CLAIMS.index(claim) for claim in right]).mean() > 0.95


@pytest.mark.parametrize("share", [0.54, 0.56, 0.6])
def test_that_seats_are_not_equal_costs_little_more_than_a_chess_style_test(share):
    """Against two SPRTs (Wald 1945) of 50 against 52 and against 48 %, ended at ± 2.944, on the same games."""
    runs = simulate([share, 1 - share], 12_000, 200)
    ended, _ = sprts(runs, 0.0, 0.02)
    assert (runs.unequal < NEVER).all()
    assert runs.games(runs.unequal).mean() <= 1.15 * runs.games(ended).mean()


@pytest.mark.parametrize("share", [0.5, 0.57])
def test_the_right_verdict_is_reached(share):
    *_, counts = peeked(share, 200, seed=8)
    result = evidence(VALUES, counts, 0.5, 0.02)
    right = result.fair if share == 0.5 else result.unfair
    assert (right >= BAR).mean() > 0.97


@pytest.mark.proof("stats")
@pytest.mark.parametrize(
    "share", [0.1, *(pytest.param(share, marks=pytest.mark.slow) for share in (0.5, 0.02))]
)
def test_the_sequence_of_intervals_holds_the_truth_at_every_look(share):
    """It leaves a mean out where one side's capital reaches 2/α: looked at after every deal."""
    won = np.cumsum(np.random.default_rng(5).random((200, 3000)) < share, axis=1)
    counts, bar = np.stack([np.arange(1, 3001) - won, won], axis=-1), math.log(2 / 0.05)
    above, below = betting.log_capital([0, 1], counts, share), betting.log_capital([1, 0], counts, 1 - share)
    refuted = [above >= bar, below >= bar]
    assert (refuted[0] | refuted[1]).any(axis=1).mean() <= 0.05
    for seen in counts[:3, [19, 149, 2999]].reshape(-1, 2):
        low, high = betting.confidence_sequence([0, 1], seen)
        capital = betting.log_capital([0, 1], seen, low), betting.log_capital([1, 0], seen, 1 - high)
        assert all(
            end in (0, 1) or float(first) == pytest.approx(bar, abs=1e-3)
            for end, first in zip((low, high), capital, strict=True)
        )


@pytest.mark.parametrize("deals", [100, 10_000, 1_000_000])
def test_holding_at_every_look_costs_less_than_twice_the_width(deals):
    low, high = betting.confidence_sequence([0, 1], [deals * 0.6, deals * 0.4])
    once = wilson(0.4, deals)
    assert 1.4 < (high - low) / (once[1] - once[0]) < 2


def test_the_capital_is_that_of_a_gambler_with_equal_parts_on_each_fraction():
    seen = [1, 0, 0.5, 1, 1]
    wealth = [math.prod(1 + c * (x / 0.4 - 1) for x in seen) for c in betting.EVEN.fractions]
    result = betting.log_capital([0, 0.5, 1], [1, 1, 3], 0.4)
    assert float(result) == pytest.approx(math.log(sum(wealth) / len(wealth)))


def test_aimed_bets_are_a_fair_start_and_stake_what_grows_fastest():
    """No part is left out or doubled; for values 0 and 1 no other fraction gains more on average (searched)."""
    bets = betting.aimed(0.48, 0.5)
    assert bets.parts.sum() == pytest.approx(1) and (bets.fractions < 1).all()
    grid = np.linspace(0, 0.9, 9001)
    growth = 0.5 * np.log1p(grid * (1 / 0.48 - 1)) + 0.5 * np.log1p(-grid)
    assert bets.fractions[bets.parts.argmax()] == pytest.approx(grid[growth.argmax()], abs=2e-4)
    with pytest.raises(ValueError, match="a truth above the mean"):
        betting.aimed(0.5, 0.5)


def test_a_fair_game_is_called_fair_sooner_than_by_even_bets():
    rng, deals = np.random.default_rng(3), 7_500
    won = rng.binomial(deals, 0.5, 400)
    counts = np.stack([deals - won, won], axis=-1)
    even = np.minimum(betting.log_capital([0, 1], counts, 0.48), betting.log_capital([1, 0], counts, 0.48))
    assert (evidence([0, 1], counts, 0.5, 0.02).fair >= BAR).mean() > (even >= BAR).mean() + 0.25


def test_no_claim_at_the_edge_of_the_possible():
    assert betting.log_capital([0, 1], [0, 9], 1.0) == -math.inf
    assert betting.log_capital([0, 1], [1, 9], 0.0) == math.inf
    assert betting.log_capital([0, 1], [1, 0], 0.0) == -math.inf
    assert betting.confidence_sequence([0, 1], [9, 0])[0] == 0.0
    assert betting.confidence_sequence([0, 1], [0, 9])[1] == 1.0
    result = evidence(
        [0, 1], [999_000, 1_000], 0.1, margin=0.2
    )  # a share below -0.1 is impossible, one of 0.3 is refuted
    assert result.fair > 1000 and result.unfair < 0


@given(st.lists(st.integers(0, 50), min_size=3, max_size=3).filter(any))
def test_turning_the_shares_round_turns_the_interval_round(counts):
    values = np.array([0, 0.25, 1])
    low, high = betting.confidence_sequence(values, counts)
    assert betting.confidence_sequence(1 - values, counts) == pytest.approx((1 - high, 1 - low), abs=1e-8)


@given(st.integers(0, 40), st.integers(1, 40))
def test_the_capital_is_no_greater_than_the_exact_test_allows(won, lost):
    """An e-value that reached e has a p-value of at most 1/e: no less than the best exact test's likelihood
    ratio says.
    """
    capital = float(betting.log_capital([0, 1], [lost, won], 0.5))
    share = won / (won + lost)
    best = 0.0 if share <= 0.5 else won * math.log(2 * share) + lost * math.log(2 * (1 - share))
    assert capital <= best + 1e-9


def e(fair: float, unfair: float, borderline: float = 0.01) -> Evidence:
    """Evidence with these e-values of the claims."""
    tests = (fair, max(fair, borderline), max(unfair, borderline), unfair, 1.0)
    return Evidence(*(np.array(math.log(test)) for test in tests))


def words(cells: list[Evidence]) -> list[str]:
    claims = FirstClaims(len(cells))
    claims.analyse(together(cells))
    return claims.verdicts


def test_one_cell_needs_twenty():
    assert words([e(19.9, 1)]) == [NOT_SETTLED]
    assert words([e(20.1, 0.1)]) == [FAIR]
    assert words([e(0.1, 20.1)]) == [UNFAIR]


def test_e_bh_by_hand():
    """Four cells at 5 %: 80 for one claim, 40 each for two, 26.7 each for three, 20 each for four."""
    assert words([e(79, 0.1), e(1, 1), e(1, 1), e(1, 1)]) == [NOT_SETTLED] * 4
    assert words([e(81, 0.1), e(1, 1), e(1, 1), e(1, 1)]) == [FAIR] + [NOT_SETTLED] * 3
    assert words([e(41, 0.1), e(0.1, 41), e(39, 1), e(1, 1)]) == [FAIR, UNFAIR, FAIR, NOT_SETTLED]
    assert math.exp(threshold(np.log([41, 41, 39, 1]))) == pytest.approx(80 / 3)


def counted(share: float, deals: int) -> Evidence:
    return evidence([0, 1], [(1 - share) * deals, share * deals], 0.5, 0.02)


@pytest.mark.parametrize(
    ("course", "word", "at"),
    [
        ([(0.5, 1_000), (0.5, 9_000), (0.52, 90_000)], FAIR, 1),  # what came first stands
        ([(0.52, 1_000), (0.52, 40_000), (0.5, 900_000)], BORDERLINE, 1),
        ([(0.515, 1_000), (0.515, 900_000)], BORDERLINE, 1),  # FAIR as well
        ([(0.525, 1_000), (0.525, 900_000)], BORDERLINE, 1),  # UNFAIR as well
        ([(0.56, 4_000), (0.52, 900_000)], UNFAIR, 0),
        ([(0.51, 300), (0.51, 400)], NOT_SETTLED, 1),
    ],
)
def test_the_first_claim_that_is_certain_stands(course, word, at):
    claims = FirstClaims(1)
    for share, deals in course:
        claims.analyse(together([counted(share, deals)]))
    assert claims.verdicts == [word] and claims.decided_at.tolist() == [at]


def test_a_cell_keeps_its_claim_when_the_bar_falls_for_the_others():
    """Of two cells: FAIR was certain at 40; at 20, once the other has a claim too, BORDERLINE would be."""
    first = e(41, 0.1, 30)
    claims = FirstClaims(2)
    claims.analyse(together([first, e(1, 1)]))
    assert claims.verdicts == [FAIR, NOT_SETTLED]
    claims.analyse(together([first, e(0.1, 21)]))
    assert claims.verdicts == [FAIR, UNFAIR] and np.exp(claims.bars) == pytest.approx([40, 20])


@given(st.integers(0, 300), st.integers(0, 300), st.sampled_from([0.01, 0.02, 0.1]))
def test_whatever_is_true_every_wrong_claim_rests_on_one_test(lost, won, margin):
    """So that the chance of any wrong claim about a cell is that of one e-value."""
    result = evidence([0, 1], [lost, won], 0.5, margin)
    assert max(result.borderline, result.unfair) <= result.beyond_inner  # wrong up to half a margin
    assert max(result.fair, result.borderline) <= result.within_outer  # from three halves on
    assert result.unfair <= result.beyond and result.fair <= result.within  # between


def test_false_claims_over_many_cells_on_the_same_deals_stay_below_the_rate():
    """Twelve cells that share their luck, eight of them a margin off and four unfair: the false part of
    the claims, on average.
    """
    rng, false_part = np.random.default_rng(2), []
    shares = np.array([0.52] * 8 + [0.60] * 4)
    for _ in range(80):
        luck = rng.random(6000)
        won = (luck[:, np.newaxis] < shares).sum(axis=0)
        message = words([evidence([0, 1], [6000 - w, w], 0.5) for w in won])
        claims = sum(v != NOT_SETTLED for v in message)
        false_part.append(sum(v in (FAIR, UNFAIR) for v in message[:8]) / max(1, claims))
    assert np.mean(false_part) <= 0.05


def test_a_target_near_one_can_be_missed_on_one_side_only():
    """Of 95 % with a margin of 10 points nothing is more than half a margin above it."""
    result = evidence([0, 1], [900, 100], 0.95, 0.1)
    assert result.unfair > BAR > result.fair
    assert evidence([0, 1], [0, 4_000], 0.95, 0.1).unfair < 0


def test_a_cell_is_fair_by_its_worst_seat():
    seats = [evidence([0, 1], counts, 1 / 3) for counts in ([6000, 3000], [6000, 3000], [5500, 3500])]
    result = evidence_of_cell(seats)
    assert result.fair == seats[2].fair < seats[0].fair
    assert seats[0].unfair < result.unfair < seats[2].unfair


def contradicts(word: str, off: list[tuple[float, float]], margin: float) -> bool:
    """Whether intervals of all seats, less fair, say another thing than a verdict."""
    farthest = max(max(-low, high) for low, high in off) / margin  # the most that a seat may be off
    nearest = max(max(low, -high) for low, high in off) / margin  # the least that some seat is off
    ranges = {FAIR: (-math.inf, 1), BORDERLINE: (0.5, 1.5), UNFAIR: (1, math.inf)}
    if word == NOT_SETTLED:
        return any(farthest < most - 1e-9 and nearest > least + 1e-9 for least, most in ranges.values())
    least, most = ranges[word]
    return farthest > most + 1e-9 or nearest < least - 1e-9


@given(
    st.integers(2, 4),
    st.integers(20, 60_000),
    st.floats(-0.06, 0.06),
    st.sampled_from([20, 60, 420]),
    st.integers(0, 99),
)
def test_no_verdict_contradicts_the_intervals_beside_it(seats, deals, off, needed, seed):
    """A claim is made where the intervals of the seats make it, and nowhere else."""
    shares = np.full(seats, 1 / seats) + np.array([off, -off, 0, 0])[:seats]
    won, bar = np.random.default_rng(seed).multinomial(deals, shares), math.log(needed)
    counts = np.stack([deals - won, won], axis=-1)
    each = [evidence([0, 1], own, 1 / seats) for own in counts]
    cell, bars = evidence_of_cell(each), np.array([bar, bar])
    ends = [
        agreeing_ends(*(end - 1 / seats for end in betting.confidence_sequence([0, 1], own)),
                      np.array(own[1] / deals - 1 / seats), seat, cell, bars, 0.02)
        for own, seat in zip(counts, each, strict=True)
    ]  # fmt: skip
    assert not contradicts(verdict(cell, bar), ends, 0.02)
    assert all(low <= high for low, high in ends)


def test_the_farther_from_fair_a_setting_is_the_more_seldom_it_is_recommended():
    """One lineup of three is fair. Beyond 1.5 margins at most 5 %."""
    shares = [share_recommended([0, off, off], 40) for off in (0.01, 0.015, 0.02, 0.025, 0.03)]
    assert shares == sorted(shares, reverse=True) and shares[1] > 0.9 and shares[-1] <= 0.05


def test_deals_that_do_are_where_the_verdict_comes_if_shares_stay():
    for share, want in ((0.5, FAIR), (0.505, FAIR), (0.52, BORDERLINE), (0.53, UNFAIR), (0.56, UNFAIR)):
        part = np.array([1 - share, share])
        needed = deals_that_do([([0, 1], 200 * part), ([0, 1], 200 * part[::-1])], 0.5, 0.02, BAR)
        at, before = (evidence([0, 1], deals * part, 0.5) for deals in (needed, needed / 1.03))
        assert verdict(at, BAR) == want
        assert want != UNFAIR or verdict(before, BAR) == NOT_SETTLED  # others need more, for the luck to come


@pytest.mark.parametrize("share", [0.5, 0.5125, 0.515, 0.52, 0.525, 0.53, 0.6, 0.95])
@pytest.mark.parametrize("bar", [BAR, math.log(20 * 20_000)])
def test_some_number_of_deals_settles_every_share(share, bar):
    part = 500 * np.array([1 - share, share])
    assert deals_that_do([([0, 1], part), ([0, 1], part[::-1])], 0.5, 0.02, bar) is not None


@pytest.mark.proof("stats")
@pytest.mark.parametrize("deals", [400, 2_000, 6_000])
@pytest.mark.parametrize("share", everyday([0.5, 0.51, 0.52, 0.53, 0.56], 1))
def test_of_runs_that_are_not_settled_about_half_or_more_are_after_the_deals_that_would_settle_them(
    share, deals
):
    """Played on, with luck of their own. Few where one verdict is as near as the other, and where the first
    deals say little of the share.
    """
    rng, done = np.random.default_rng(1), []
    for won in rng.binomial(deals, share, 80):
        first = np.array([deals - won, won])
        if evidence([0, 1], first, 0.5).strongest >= BAR:
            continue
        needed = deals_that_do([([0, 1], first), ([0, 1], first[::-1])], 0.5, 0.02, BAR)
        more = rng.binomial(needed - deals, share)
        then = first + np.array([needed - deals - more, more])
        done.append(evidence([0, 1], then, 0.5).strongest >= BAR)
    assert len(done) < 10 or np.mean(done) > (0.4 if share in (0.5, 0.56) else 0.3)


def test_bad_arguments_are_refused():
    with pytest.raises(ValueError, match="margin above 0"):
        evidence([0, 1], [1, 1], 0.5, 0)
    with pytest.raises(ValueError, match="rate between 0 and 1"):
        threshold([], 1)
    with pytest.raises(ValueError, match="values from 0 to 1"):
        betting.log_capital([0, 2], [1, 1], 0.5)
    with pytest.raises(ValueError, match="one count per value"):
        betting.log_capital([0, 1], [1, 1, 1], 0.5)
    with pytest.raises(ValueError, match="a deal or more"):
        betting.confidence_sequence([0, 1], [0, 0])
    with pytest.raises(ValueError, match="one deal"):
        stopping.adjusted_mean([0, 1], [0, 0], [1, 2], lambda counts: counts[:, 0] > 0)


def decided(counts):
    result = evidence(VALUES, counts, 0.5, 0.02)
    return result.strongest >= BAR


@pytest.mark.parametrize("runs", [12, pytest.param(40, marks=pytest.mark.slow)])
@pytest.mark.proof("stats")
def test_the_adjusted_estimate_has_lost_the_bias_of_stopping(runs):
    chances, plain, adjusted = np.array([0.33, 0.1, 0.57]), [], []
    rng = np.random.default_rng(4)
    for _ in range(runs):
        counts, before = np.zeros(3), 0
        for look in ANALYSES:
            counts += rng.multinomial(look - before, chances)
            before = look
            if decided(counts[np.newaxis])[0]:
                break
        plain.append(float(VALUES @ counts / counts.sum()))
        adjusted.append(stopping.adjusted_mean(VALUES, counts, ANALYSES, decided))
    error = np.std(adjusted) / math.sqrt(runs)
    assert np.mean(plain) - np.mean(adjusted) > 0.003
    assert abs(np.mean(adjusted) - 0.62) < 2.5 * error


def test_without_a_choice_to_stop_there_is_nothing_to_adjust():
    assert stopping.adjusted_mean([0, 1], [40, 60], [100], decided) == 0.6
    assert stopping.adjusted_mean([0, 1], [0, 60], [60, 100], decided) == 1.0
    never = stopping.adjusted_mean([0, 1], [40, 60], [50, 100], lambda counts: counts[..., 0] < 0)
    assert never == pytest.approx(0.6, abs=0.01)


def test_the_normal_quantile_is_exceeded_by_the_price_of_looking():
    """At 10,000 deals the capital needed corresponds to a z of about 3.4, not 1.96."""
    low, high = betting.confidence_sequence([0, 1], [5000, 5000])
    z = (high - low) / 2 / 0.005
    assert scipy_stats.norm.ppf(0.975) < z < 3.8


@pytest.mark.parametrize("counts", [[0, 4], [3, 5], [0, 300]], ids=["four alike", "eight", "300 alike"])
def test_few_deals_and_deals_that_do_not_vary_say_nothing_about_how_many_would_do(counts: list[int]) -> None:
    first, second = ([0.0, 1.0], counts), ([0.0, 1.0], counts[::-1])
    assert deals_that_do([first, second], 0.5, 0.02, math.log(20)) is None
