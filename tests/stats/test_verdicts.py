"""Evidence and verdicts: stated error rates at every look and over many cells; published properties of
e-values.
"""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats as scipy_stats

from simkit.stats import betting, stopping
from simkit.stats.deals import wilson
from simkit.stats.verdicts import (
    BORDERLINE,
    EDGE,
    FAIR,
    INSIDE,
    OUTSIDE,
    TOO_FEW,
    UNFAIR,
    WIDE,
    Evidence,
    deals_that_do,
    evidence,
    evidence_of_cell,
    settled,
    threshold,
    threshold_unequal,
    verdict,
    verdicts,
)

LOOKS = [200 * 5**step // 4**step for step in range(22)]  # 200 to some 22,000 deals, each look a quarter more
BAR = math.log(20)


def peeked(shares: np.ndarray, runs: int, seed: int):
    """Counts of (0, 1/2, 1) after each look of many runs, with one deal in ten drawn."""
    chances = np.array([1 - shares - 0.05, 0.1, shares - 0.05])
    rng, counts, before = np.random.default_rng(seed), np.zeros((runs, 3)), 0
    for look in LOOKS:
        counts = counts + rng.multinomial(look - before, chances, runs)
        before = look
        yield counts


VALUES = np.array([0.0, 0.5, 1.0])


UNEQUAL = "unequal"


@pytest.mark.parametrize(
    ("share", "wrong"),
    [
        *((share, UNFAIR) for share in (0.5, 0.505, 0.51, 0.49)),
        *((share, FAIR) for share in (0.52, 0.48, 0.53, 0.56)),
        (0.5, UNEQUAL),
    ],
)
def test_a_wrong_claim_at_any_look_is_rarer_than_stated(share, wrong):
    """At the edge of each claim and beyond it; between half a margin and one neither verdict is wrong."""
    ever = np.zeros(2000, bool)
    for counts in peeked(share, 2000, seed=7):
        found = evidence(VALUES, counts, 0.5, 0.02)
        ever |= getattr(found, wrong.lower()) >= BAR
    assert ever.mean() <= 0.05


def every_game(share, games, step, paths, seed=7):
    """(0, 1) counts of many runs of single games, looked at after every `step` of them."""
    rng, looks = np.random.default_rng(seed), np.arange(step, games + 1, step)
    won = rng.binomial(step, share, (paths, len(looks))).cumsum(axis=1)
    return looks, np.stack([looks - won, won], axis=-1)


@pytest.mark.slow
@pytest.mark.parametrize(("share", "wrong"), [(0.5, UNEQUAL), (0.51, UNFAIR), (0.52, FAIR)])
def test_a_wrong_claim_is_rarer_than_stated_however_often_one_looks(share, wrong):
    _, counts = every_game(share, 4_000, 1, 600)
    ever = [getattr(evidence([0, 1], one, 0.5, 0.02), wrong.lower()).max() >= BAR for one in counts]
    assert np.mean(ever) <= 0.05 + 2 * math.sqrt(0.05 * 0.95 / 600)


@pytest.mark.parametrize(
    ("shares", "wrong"),
    [
        ([0.25, 0.25, 0.25, 0.25], UNEQUAL),
        ([0.26, 0.26, 0.24, 0.24], UNFAIR),
        ([0.27, 0.25, 0.25, 0.23], FAIR),
        ([1 / 3, 1 / 3, 1 / 3], UNEQUAL),
    ],
)
def test_a_wrong_claim_about_more_seats_is_rarer_than_stated(shares, wrong):
    rng, seats, before, ever = np.random.default_rng(3), len(shares), 0, np.zeros(400, bool)
    won = np.zeros((400, seats))
    for look in LOOKS:
        won = won + rng.multinomial(look - before, shares, 400)
        before = look
        each = [evidence([0, 1], np.stack([look - w, w], axis=-1), 1 / seats, 0.02, seats) for w in won.T]
        ever |= getattr(evidence_of_cell(each), wrong.lower()) >= BAR
    assert ever.mean() <= 0.05


@pytest.mark.parametrize(("share", "games", "step"), [(0.54, 12_000, 10), (0.56, 6_000, 5), (0.6, 2_000, 2)])
def test_that_seats_are_not_equal_costs_little_more_than_a_chess_style_test(share, games, step):
    """Against two SPRTs (Wald 1945) of 50 against 52 and against 48 %, ended at ± 2.944, on the same games."""
    looks, counts = every_game(share, games, step, 200)
    up, down = math.log(0.52 / 0.5), math.log(0.48 / 0.5)
    ratios = counts @ np.array([down, up]), counts @ np.array([up, down])
    ended = (np.maximum(*ratios) >= 2.944) | (np.maximum(*ratios) <= -2.944)
    claimed = evidence([0, 1], counts, 0.5, 0.02).unequal >= BAR
    assert claimed.any(axis=1).all()
    assert looks[claimed.argmax(axis=1)].mean() <= 1.15 * looks[ended.argmax(axis=1)].mean()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("share", "claim", "at_most"), [(0.5, FAIR, 7_500), (0.54, UNFAIR, 2_800), (0.56, UNFAIR, 1_000)]
)
def test_a_verdict_costs_about_so_many_games(share, claim, at_most):
    """With a margin between FAIR and UNFAIR of nothing, UNFAIR took 6,900 games of 54 % and 1,800 of 56 %."""
    looks, counts = every_game(share, 40_000, 20, 300)
    claimed = getattr(evidence([0, 1], counts, 0.5, 0.02), claim.lower()) >= BAR
    assert claimed.any(axis=1).all() and looks[claimed.argmax(axis=1)].mean() <= at_most


@pytest.mark.parametrize("share", [0.5, 0.57])
def test_the_right_verdict_is_reached(share):
    *_, counts = peeked(share, 200, seed=8)
    found = evidence(VALUES, counts, 0.5, 0.02)
    right = found.fair if share == 0.5 else found.unfair
    assert (right >= BAR).mean() > 0.97


@pytest.mark.parametrize(
    "share", [0.1, *(pytest.param(share, marks=pytest.mark.slow) for share in (0.5, 0.02))]
)
def test_the_sequence_of_intervals_holds_the_truth_at_every_look(share):
    """It leaves a mean out where one side's capital reaches 2/α: looked at after every deal."""
    won = np.cumsum(np.random.default_rng(5).random((200, 3000)) < share, axis=1)
    counts, bar = np.stack([np.arange(1, 3001) - won, won], axis=-1), math.log(2 / 0.05)
    refuted = [one([0, 1], counts, share) >= bar for one in (betting.log_capital, betting.log_capital_below)]
    assert (refuted[0] | refuted[1]).any(axis=1).mean() <= 0.05
    for seen in counts[:3, [19, 149, 2999]].reshape(-1, 2):
        low, high = betting.confidence_sequence([0, 1], seen)
        capital = betting.log_capital([0, 1], seen, low), betting.log_capital_below([0, 1], seen, high)
        assert all(
            end in (0, 1) or float(one) == pytest.approx(bar, abs=1e-3)
            for end, one in zip((low, high), capital, strict=True)
        )


@pytest.mark.parametrize("deals", [100, 10_000, 1_000_000])
def test_holding_at_every_look_costs_less_than_twice_the_width(deals):
    low, high = betting.confidence_sequence([0, 1], [deals * 0.6, deals * 0.4])
    once = wilson(0.4, deals)
    assert 1.4 < (high - low) / (once[1] - once[0]) < 2


def test_the_capital_is_that_of_a_gambler_with_equal_parts_on_each_fraction():
    seen = [1, 0, 0.5, 1, 1]
    wealth = [math.prod(1 + c * (x / 0.4 - 1) for x in seen) for c in betting.EVEN.fractions]
    found = betting.log_capital([0, 0.5, 1], [1, 1, 3], 0.4)
    assert float(found) == pytest.approx(math.log(sum(wealth) / len(wealth)))


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
    even = np.minimum(
        betting.log_capital([0, 1], counts, 0.48), betting.log_capital_below([0, 1], counts, 0.52)
    )
    assert (evidence([0, 1], counts, 0.5, 0.02).fair >= BAR).mean() > (even >= BAR).mean() + 0.25


def test_no_claim_at_the_edge_of_the_possible():
    assert betting.log_capital([0, 1], [0, 9], 1.0) == -math.inf
    assert betting.log_capital([0, 1], [1, 9], 0.0) == math.inf
    assert betting.log_capital([0, 1], [1, 0], 0.0) == -math.inf
    assert betting.confidence_sequence([0, 1], [9, 0])[0] == 0.0
    assert betting.confidence_sequence([0, 1], [0, 9])[1] == 1.0
    found = evidence(
        [0, 1], [999_000, 1_000], 0.1, margin=0.2
    )  # a share below -0.1 is impossible, one of 0.3 is refuted
    assert found.fair > 1000 and found.unfair < 0


@given(st.lists(st.integers(0, 50), min_size=3, max_size=3).filter(any), st.floats(0.05, 0.95))
def test_turning_the_shares_round_turns_the_evidence_round(counts, mean):
    values = np.array([0, 0.25, 1])
    above = betting.log_capital(values, counts, mean)
    below = betting.log_capital_below(1 - values, counts, 1 - mean)
    assert above == pytest.approx(below, rel=1e-9, abs=1e-9)


@given(st.integers(0, 40), st.integers(1, 40))
def test_the_capital_is_no_greater_than_the_exact_test_allows(won, lost):
    """An e-value that reached e has a p-value of at most 1/e: no less than the best exact test's likelihood
    ratio says.
    """
    capital = float(betting.log_capital([0, 1], [lost, won], 0.5))
    share = won / (won + lost)
    best = 0.0 if share <= 0.5 else won * math.log(2 * share) + lost * math.log(2 * (1 - share))
    assert capital <= best + 1e-9


def e(fair: float, unfair: float) -> Evidence:
    return Evidence(np.array(math.log(fair)), np.array(math.log(unfair)))


def test_one_cell_needs_twenty():
    assert verdicts([e(19.9, 1)]) == [TOO_FEW]
    assert verdicts([e(20.1, 0.1)]) == [FAIR]
    assert verdicts([e(0.1, 20.1)]) == [UNFAIR]


def test_e_bh_by_hand():
    """Four cells at 5 %: 80 for one claim, 40 each for two, 26.7 each for three, 20 each for four."""
    assert verdicts([e(79, 0.1), e(1, 1), e(1, 1), e(1, 1)]) == [TOO_FEW] * 4
    assert verdicts([e(81, 0.1), e(1, 1), e(1, 1), e(1, 1)]) == [FAIR] + [TOO_FEW] * 3
    assert verdicts([e(41, 0.1), e(0.1, 41), e(39, 1), e(1, 1)]) == [FAIR, UNFAIR, FAIR, TOO_FEW]
    assert math.exp(threshold([e(41, 0.1), e(0.1, 41), e(39, 1), e(1, 1)])) == pytest.approx(80 / 3)


def test_false_claims_over_many_cells_on_the_same_deals_stay_below_the_rate():
    """Twelve cells that share their luck, eight of them half a margin off and four unfair: the false part of
    the claims, on average.
    """
    rng, false_part = np.random.default_rng(2), []
    shares = np.array([0.51] * 8 + [0.60] * 4)
    for _ in range(80):
        luck = rng.random(6000)
        won = (luck[:, np.newaxis] < shares).sum(axis=0)
        said = verdicts([evidence([0, 1], [6000 - w, w], 0.5) for w in won])
        claims = sum(v in (FAIR, UNFAIR) for v in said)
        false_part.append(sum(v == UNFAIR for v in said[:8]) / max(1, claims))
    assert np.mean(false_part) <= 0.05


def test_the_seats_are_not_equal_by_a_bar_of_their_own():
    """Two cells at 5 %: 40 for one claim, 20 each for two; what the verdicts are does not matter."""
    cells = [Evidence(np.array(9.0), np.array(9.0), unequal=np.array(math.log(x))) for x in (41.0, 19.0)]
    assert math.exp(threshold_unequal(cells)) == pytest.approx(40)
    both = [one._replace(unequal=np.array(math.log(21))) for one in cells]
    assert math.exp(threshold_unequal(both)) == pytest.approx(20)


def test_between_half_a_margin_and_one_both_claims_come_in_the_end():
    found = evidence([0, 1], [485_000, 515_000], 0.5, 0.02)
    assert found.fair > BAR and found.unfair > BAR and verdict(found, BAR) == FAIR


def test_a_target_near_one_can_be_missed_on_one_side_only():
    """Of 95 % with a margin of 10 points nothing is more than half a margin above it."""
    found = evidence([0, 1], [900, 100], 0.95, 0.1, seats=1)
    assert found.unfair > BAR > found.fair
    assert evidence([0, 1], [0, 4_000], 0.95, 0.1, seats=1).unfair < 0


def test_a_cell_is_fair_by_its_worst_seat():
    seats = [evidence([0, 1], counts, 1 / 3) for counts in ([6000, 3000], [6000, 3000], [5500, 3500])]
    found = evidence_of_cell(seats)
    assert found.fair == seats[2].fair < seats[0].fair
    assert seats[0].unfair < found.unfair < seats[2].unfair


@pytest.mark.parametrize(
    ("wins", "deals", "place"),
    [
        (5000, 10_000, INSIDE),  # 50 ± 0.98 %
        (5200, 10_000, EDGE),  # 52 ± 0.98 %
        (5105, 10_000, EDGE),  # to 52.03 %
        (5100, 10_000, INSIDE),  # to 51.98 %
        (5300, 10_000, OUTSIDE),  # from 52.02 %
        (4705, 10_000, EDGE),  # to 48.03 %
        (468, 900, WIDE),  # 52 ± 3.3 %
    ],
)
def test_the_place_of_a_share_is_that_of_its_interval(wins, deals, place):
    found = evidence([0, 1], [deals - wins, wins], 0.5)
    assert found.place == place
    assert verdict(found, math.inf) == (BORDERLINE if place == EDGE else TOO_FEW)


def test_measured_well_begins_at_half_the_margin_to_either_side():
    """1.96² · 0.48 · 0.52 / 0.01² = 9,589 deals with a half-width of a hundredth."""
    for deals, place in ((9_588, WIDE), (9_590, EDGE)):
        assert evidence([0, 1], [0.48 * deals, 0.52 * deals], 0.5).place == place


def test_a_claim_goes_before_borderline():
    """At the edge of another margin the evidence is what counts: 53 % is surely more than 50 ± 1 %."""
    found = evidence([0, 1], [47_000, 53_000], 0.5, 0.02)
    assert found.place == OUTSIDE and verdict(found, BAR) == UNFAIR
    assert verdict(found._replace(place=np.array(EDGE)), BAR) == UNFAIR


def test_a_cell_is_borderline_if_all_seats_that_are_open_are_measured_well():
    def cell(*places):
        return evidence_of_cell([Evidence(np.array(0.0), np.array(0.0), np.array(one)) for one in places])

    assert verdict(cell(INSIDE, EDGE, EDGE), BAR) == BORDERLINE
    assert [verdict(cell(*places), BAR) for places in ((EDGE, WIDE), (EDGE, OUTSIDE), (INSIDE,) * 3)] == [
        TOO_FEW
    ] * 3


def test_more_seats_need_more_deals_to_be_measured_well():
    """One seat of two at 52 % of 10,000 is measured well; as one of six, whose intervals hold together, not."""
    counts = [4_800, 5_200]
    assert evidence([0, 1], counts, 0.5).place == EDGE
    assert evidence([0, 1], counts, 0.5, seats=6).place == WIDE


def test_deals_that_do_are_where_the_verdict_comes_if_shares_stay():
    for share, want in ((0.5, FAIR), (0.505, FAIR), (0.52, BORDERLINE), (0.525, BORDERLINE), (0.56, UNFAIR)):
        part = np.array([1 - share, share])
        needed = deals_that_do([([0, 1], 200 * part), ([0, 1], 200 * part[::-1])], 0.5, 0.02, BAR)
        at, before = (evidence([0, 1], deals * part, 0.5) for deals in (needed, needed / 1.03))
        assert verdict(at, BAR) == want
        assert want == FAIR or verdict(before, BAR) == TOO_FEW  # FAIR needs more, for the luck to come


@pytest.mark.parametrize("deals", [400, 2_000, 6_000])
@pytest.mark.parametrize("share", [0.5, 0.51, 0.52, 0.53, 0.56])
def test_of_runs_with_too_few_games_about_half_or_more_have_a_verdict_after_the_deals_that_would_do(
    share, deals
):
    """Played on, with luck of their own. Few where one verdict is as near as the other, and where the first
    deals say little of the share.
    """
    rng, done = np.random.default_rng(1), []
    for won in rng.binomial(deals, share, 80):
        first = np.array([deals - won, won])
        if settled(evidence([0, 1], first, 0.5), BAR):
            continue
        needed = deals_that_do([([0, 1], first), ([0, 1], first[::-1])], 0.5, 0.02, BAR)
        more = rng.binomial(needed - deals, share)
        done.append(settled(evidence([0, 1], first + np.array([needed - deals - more, more]), 0.5), BAR))
    assert len(done) < 10 or np.mean(done) > (0.4 if share in (0.5, 0.56) else 0.3)


def test_bad_arguments_are_refused():
    with pytest.raises(ValueError, match="margin above 0"):
        evidence([0, 1], [1, 1], 0.5, 0)
    with pytest.raises(ValueError, match="rate between 0 and 1"):
        verdicts([], 1)
    with pytest.raises(ValueError, match="one seat"):
        evidence_of_cell([])
    with pytest.raises(ValueError, match="values from 0 to 1"):
        betting.log_capital([0, 2], [1, 1], 0.5)
    with pytest.raises(ValueError, match="one count per value"):
        betting.log_capital([0, 1], [1, 1, 1], 0.5)
    with pytest.raises(ValueError, match="a deal or more"):
        betting.confidence_sequence([0, 1], [0, 0])
    with pytest.raises(ValueError, match="one deal"):
        stopping.adjusted_mean([0, 1], [0, 0], [1, 2], lambda counts: counts[:, 0] > 0)


def decided(counts):
    found = evidence(VALUES, counts, 0.5, 0.02)
    return np.maximum(found.fair, found.unfair) >= BAR


@pytest.mark.parametrize("runs", [12, pytest.param(40, marks=pytest.mark.slow)])
def test_the_adjusted_estimate_has_lost_the_bias_of_stopping(runs):
    chances, plain, adjusted = np.array([0.33, 0.1, 0.57]), [], []
    rng = np.random.default_rng(4)
    for _ in range(runs):
        counts, before = np.zeros(3), 0
        for look in LOOKS:
            counts += rng.multinomial(look - before, chances)
            before = look
            if decided(counts[np.newaxis])[0]:
                break
        plain.append(float(VALUES @ counts / counts.sum()))
        adjusted.append(stopping.adjusted_mean(VALUES, counts, LOOKS, decided))
    error = np.std(adjusted) / math.sqrt(runs)
    assert np.mean(plain) - np.mean(adjusted) > 0.003
    assert abs(np.mean(adjusted) - 0.62) < 2.5 * error


def test_without_a_choice_to_stop_there_is_nothing_to_adjust():
    assert stopping.adjusted_mean([0, 1], [40, 60], [100], decided) == 0.6
    assert stopping.adjusted_mean([0, 1], [0, 60], [60, 100], decided) == 1.0
    never = stopping.adjusted_mean([0, 1], [40, 60], [50, 100], lambda counts: np.zeros(len(counts), bool))
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
