"""Claims: a grammar that a person reads, and verdicts that follow from intervals."""

import math
from typing import Any

import numpy as np
import pytest

from simkit.ask import claims
from simkit.ask.claims import Claim, ClaimEstimate
from simkit.engine import registry
from simkit.errors import UsageError


def claim(text: str, game: str = "pig") -> Claim:
    return claims.parse(text, registry.game(game))


@pytest.mark.parametrize(
    ("text", "what", "low", "high", "players", "settings"),
    [
        ("first player wins 48 to 52", "first player wins", 48, 52, "", {}),
        (
            "seat 2 wins 48.5 to 52 with hold_at(threshold=20)",
            "seat 2 wins",
            48.5,
            52,
            "hold_at(threshold=20)",
            {},
        ),
        ("turns 25 to 35 with random, hold_at in goal 60", "turns", 25, 35, "random, hold_at", {"goal": 60}),
        ("end_reason=goal 0 to 5 in a true in b name", "end_reason=goal", 0, 5, "", {"a": True, "b": "name"}),
        ("lead  -3 to -1", "lead", -3, -1, "", {}),
        (
            "better player wins 60 to 70 with hold_at(threshold=20,blunder=.3) over random in goal 60",
            "better player wins",
            60,
            70,
            "hold_at(threshold=20,blunder=.3) over random",
            {"goal": 60},
        ),
    ],
)
def test_a_claim_has_a_subject_a_range_players_and_options(
    text: str, what: str, low: float, high: float, players: str, settings: dict[str, Any]
) -> None:
    parsed = claim(text)
    assert (parsed.what, parsed.low, parsed.high, parsed.players) == (what, low, high, players)
    assert dict(parsed.settings) == settings


def test_only_a_claim_about_the_better_player_has_two_sides() -> None:
    assert claim("better player wins 60 to 70 with hold_at  over random").sides == ("hold_at", "random")
    assert claim("first player wins 40 to 60 with hold_at, random").sides == ()


def test_an_edited_range_leaves_the_subject() -> None:
    assert claim("turns 1 to 2 in goal 60").subject == claim("turns 5 to 9 in goal 60").subject
    assert claim("turns 1 to 2").subject != claim("turns 1 to 2 in goal 60").subject


def test_worth_has_no_lower_limit() -> None:
    worth = claim("no card is worth more than 5 games in 100", "outpost_seven")
    assert (worth.is_worth, worth.low, worth.high) == (True, -math.inf, 5)


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("first player wins about 50", "cannot be read; examples: first player wins 48 to 52"),
        ("turns more than 5 games in 100", "cannot be read"),
        ("no card is worth 5 to 6", "cannot be read"),
        ("turns 35 to 25", "a range goes up, as in 48 to 52"),
        ("first player wins -5 to 60", "games in 100 lie within 0 to 100"),
        ("seat 2 wins 40 to 200", "games in 100 lie within 0 to 100"),
        ("end_reason=goal 0 to 101", "games in 100 lie within 0 to 100"),
        ("turns 10 to 40 in goal 60 in goal 70", "names an option twice"),
        ("turns 10 to 1" + 400 * "0", "the range has a number that is too long"),
        ("team wins 40 to 60", "pig is not co-operative: say 'first player wins'"),
        ("no card is worth more than 5 games in 100", "pig has no components with names"),
        ("better player wins 60 to 70", "name both players: with PLAYER over PLAYER"),
        ("better player wins 60 to 70 with hold_at", "name both players: with PLAYER over PLAYER"),
        ("better player wins 60 to 70 with hold_at, random", "name both players: with PLAYER over PLAYER"),
        ("better player wins 60 to 70 with a over b over c", "name both players: with PLAYER over PLAYER"),
        ("better player wins 60 to 170 with hold_at over random", "games in 100 lie within 0 to 100"),
        (
            "first player wins 40 to 60 with hold_at over random",
            "only 'better player wins' takes PLAYER over PLAYER; here say: with PLAYER, PLAYER",
        ),
        ("turns 10 to 40 with hold_at over random", "here say: with PLAYER, PLAYER"),
    ],
)
def test_a_claim_that_cannot_be_tested_is_refused_with_a_cure(text: str, problem: str) -> None:
    with pytest.raises(UsageError, match=f"claim '{text}'") as error:
        claim(text)
    assert problem in str(error.value)


def test_a_team_has_no_first_or_better_player_that_wins() -> None:
    for text in ("first player wins 40 to 60", "better player wins 40 to 60 with random over random"):
        with pytest.raises(UsageError, match="say 'team wins'"):
            claim(text, "rope_bridge")


def judged(text: str, observed: Any, is_share: bool = False, game: str = "pig", level: float = 0.01) -> str:
    """Return the verdict on a claim at a level of its test."""
    about = claim(text, game)
    estimated, tested = (claims.estimate(about, observed, is_share, part) for part in (0.95, 1 - level))
    return claims.verdict(about, estimated, tested)


def test_a_share_inside_its_range_holds_and_one_far_outside_is_broken() -> None:
    half = [0.0, 100.0] * 1_000
    estimated = claims.estimate(claim("first player wins 40 to 60"), half, True)
    assert (estimated.value, 40 < estimated.low < 50 < estimated.high < 60) == (50, True)
    assert judged("first player wins 40 to 60", half, True) == "HOLDS"
    assert judged("first player wins 60 to 70", half, True) == "BROKEN"
    assert judged("first player wins 30 to 44", half, True) == "BROKEN"
    assert judged("first player wins 51 to 70", half, True) == "NOT KNOWN YET"


@pytest.mark.parametrize("size", [1, 10, 30])
@pytest.mark.parametrize("level", [0.02, 1e-5])
@pytest.mark.parametrize("deals", [1_000, 8_000])
def test_a_rare_count_at_the_edge_of_its_range_is_called_broken_at_most_at_its_level(
    size: int, level: float, deals: int
) -> None:
    """Sum the Poisson probabilities (mean .006 per deal) of all counts that make the verdict BROKEN."""
    expected, alarm = 0.006 * deals / size, 0.0
    for events in range(int(3 * expected + 40)):
        chance = math.exp(events * math.log(expected) - expected - math.lgamma(events + 1))
        if chance > level / 1_000:
            observed = [0.0] * (deals - events) + [float(size)] * events
            estimated = claims.estimate(claim("column 0 to 0.006"), observed, False, 1 - level)
            alarm += chance * (not estimated.low <= 0.006 <= estimated.high)
    assert alarm <= level


def test_a_rare_count_far_outside_its_range_is_broken() -> None:
    rare = [0.0] * 9_900 + [1.0] * 100
    assert judged("column 0 to 0.005", rare) == judged("column 0.02 to 1", rare) == "BROKEN"
    assert judged("column 0.005 to 0.02", rare) == "HOLDS"
    assert judged("turns 8 to 10", [6.0] * 1_000) == judged("turns 8 to 10", [12.0] * 1_000) == "BROKEN"


def test_a_stricter_level_needs_more_evidence() -> None:
    some = [0.0] * 500 + [100.0] * 620
    assert judged("first player wins 40 to 50", some, True, level=0.05) == "BROKEN"
    assert judged("first player wins 40 to 50", some, True, level=0.0001) == "NOT KNOWN YET"


def test_a_share_that_never_happened_is_not_certain() -> None:
    assert judged("draw 0.5 to 5", [0.0] * 300, True) == "NOT KNOWN YET"
    assert judged("turns 0.01 to 5", [0.0] * 300) == "NOT KNOWN YET"


def test_a_column_is_measured_in_its_own_unit_and_missing_values_are_left_out() -> None:
    values = [*np.random.default_rng(1).normal(30, 5, 2_000), math.nan]
    turns = claims.estimate(claim("turns 25 to 35"), values, False)
    assert turns.low < 30 < turns.high
    assert judged("turns 25 to 35", values) == "HOLDS"
    assert judged("turns 31 to 35", values) == "BROKEN"


def test_worth_is_that_of_the_dearest_component() -> None:
    text, game = "no card is worth more than 5 games in 100", "outpost_seven"
    measured = claims.estimate(claim(text, game), {"a": [3.0, 0.5, 4_000], "b": [9.0, 0.5, 4_000]}, False)
    assert (measured.value, measured.piece) == (pytest.approx(9, abs=0.05), "b")
    assert measured.low < 9 < measured.high
    assert judged(text, {"a": [3.0, 0.5, 4_000], "b": [9.0, 0.5, 4_000]}, game=game) == "BROKEN"
    assert judged(text, {"a": [3.0, 0.4, 4_000]}, game=game) == "HOLDS"
    assert judged(text, {}, game=game) == "NOT KNOWN YET"


@pytest.mark.parametrize(("spread", "top", "most"), [(0.0, 0.0, 0.4), (3.0, 0.0, 0.6), (1.0, 9.8, 0.8)])
def test_the_printed_worth_is_corrected_for_its_choice_as_the_largest(
    spread: float, top: float, most: float
) -> None:
    rng, bias = np.random.default_rng(4), list[tuple[float, float]]()
    about = claim("no card is worth more than 5 games in 100", "outpost_seven")
    for _ in range(300):
        truth = rng.normal(0, spread, 40)
        truth[0] += top
        measured = rng.normal(truth, 2)
        observed = {str(place): (worth, 2.0, 1_000) for place, worth in enumerate(measured)}
        printed = claims.estimate(about, observed, False)
        bias.append((printed.value - truth[int(printed.piece)], measured.max() - truth[measured.argmax()]))
    corrected, plain = np.mean(bias, axis=0)
    assert abs(corrected) < most
    assert plain > 2 or top


def test_a_change_is_paired_by_deal() -> None:
    luck = np.random.default_rng(2).normal(30, 5, 2_000)
    change = claims.change((luck + 0.2).tolist(), luck.tolist())
    assert change == pytest.approx((0.2, 0.2, 0.2))
    holds = ClaimEstimate(30, 29, 31)
    assert claims.verdict(claim("turns 25 to 35"), holds, holds, change) == "CHANGED BUT HOLDS"
    assert claims.verdict(claim("turns 25 to 35"), holds, holds, (0.1, -0.1, 0.3)) == "HOLDS"


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("seat 3 wins 40 to 60", "the seats are 1 to 2"),
        ("seat 0 wins 40 to 60", "the seats are 1 to 2"),
        ("tuns 1 to 2", "unknown column of the log 'tuns'; did you mean 'turns'?"),
        ("score 1 to 2", "unknown column of the log 'score'"),
        ("draw 1 to 200", "games in 100 lie within 0 to 100"),
    ],
)
def test_seats_and_columns_are_checked_before_anything_is_played(text: str, problem: str) -> None:
    with pytest.raises(UsageError) as error:
        types = {"games": {"turns": "int32", "seats": "int8", "draw": "bool"}, "seats": {"score": "int32"}}
        claims.check(claim(text), 2, types)
    assert problem in str(error.value)


def test_the_worth_of_a_new_component_has_no_change() -> None:
    now = {"new": [9.0, 1.0, 2_000], "old": [1.0, 1.0, 2_000]}
    assert claims.change(now, {"old": [1.0, 1.0, 2_000]}, "new") is None
    value, low, high = claims.change(now, {"new": [4.0, 1.0, 2_000]}, "new") or (0, 0, 0)
    assert low < value == 5 < high


def test_further_deals_narrow_the_interval_to_the_nearer_limit() -> None:
    open_claim = claim("turns 25 to 35")
    assert claims.further_deals(open_claim, ClaimEstimate(27, 23, 31), 1_000) == 3_000
    assert claims.further_deals(open_claim, ClaimEstimate(25.01, 23, 27), 1_000) is None


def test_a_column_without_values_is_refused_and_has_no_change() -> None:
    with pytest.raises(UsageError, match="'winner 0 to 1': winner has a value in 1 of the deals only"):
        claims.estimate(claim("winner 0 to 1"), [math.nan, 0.5], False)
    assert claims.change([math.nan, 1.0], [1.0, 1.0]) is None
