"""O7-15 (end): the starting-hand policies, each against its meaning counted in plain Python over dealt cards."""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations

import numpy as np
import pytest

from simkit.games.outpost_seven.facts import PAIR, Decision

from .choices import after, colour_pairs, in_mask, pick, picks, plans, positions
from .engine import Play

REFERENCE = "reference_greedy"
DEALS = 30


def stored(play: Play, mask: int) -> list[int]:
    return in_mask(play.s.dealt[play.s.seat], mask)


def pairs_with_offer(play: Play, mask: int) -> int:
    cards, offer, rules = stored(play, mask), [int(c) for c in play.s.offer[: play.s.offer_n]], play.rules
    return max(
        colour_pairs(play, cards + list(taken))
        for n in range(len(offer) + 1)
        for taken in combinations(offer, n)
        if sum(int(rules.value[c]) for c in taken) <= rules.salvage_limit
        and len(cards) + n <= rules.hand_limit
    )


def first_repair(play: Play, mask: int) -> float:
    """The gain of the best repair with the kept cards on the empty grid; seat 0 only, who opens the game."""
    then = after(play, mask)
    then.apply(then.legal()[0])
    gains = [score for plan, score in plans(then).items() if plan[0] >= PAIR]
    return max(gains, default=0.0)


MEANINGS: dict[str, Callable[[Play, int], float]] = {
    "most_cards": lambda play, mask: len(stored(play, mask)),
    "fewest_cards": lambda play, mask: -len(stored(play, mask)),
    "most_pairs": lambda play, mask: colour_pairs(play, stored(play, mask)),
    "with_offer": pairs_with_offer,
    "best_opening": first_repair,
}


@pytest.mark.slow
@pytest.mark.proof("games.outpost_seven", "strategies.outpost_seven")
@pytest.mark.parametrize("policy", list(MEANINGS))
def test_policy(policy: str) -> None:
    """O7-15 the policy keeps a hand that is best by its meaning, ties at random; the greedy player's own
    choice is another in some deal.
    """
    differs, ties = 0, 0
    for deal in range(DEALS):
        play = Play.begin({}, seed=2, deal=deal)
        assert play.decision == Decision.keep
        scores = {mask: MEANINGS[policy](play, mask) for mask in play.legal()}
        wanted = {mask for mask, score in scores.items() if score == max(scores.values())}
        chosen = picks(f"{REFERENCE}(hand={policy})", play)
        assert chosen <= wanted
        assert picks(f"greedy(hand={policy})", play, 3) <= wanted
        ties += len(chosen) > 1
        differs += not chosen <= picks(REFERENCE, play)
    assert ties, "ties are never broken another way"
    assert differs, "the greedy player would keep the same"


@pytest.mark.slow
@pytest.mark.proof("games.outpost_seven", "strategies.outpost_seven")
def test_uniform() -> None:
    """O7-15 uniform keeps every legal hand."""
    play = Play.begin({}, seed=2, deal=1)
    assert picks(f"{REFERENCE}(hand=uniform)", play, 40 * len(play.legal())) == set(play.legal())


def test_own() -> None:
    """O7-15 own is the strategy's own choice, and the default."""
    for deal in range(4):
        play = Play.begin({}, seed=2, deal=deal)
        assert [pick(f"{REFERENCE}(hand=own)", play, k) for k in range(6)] == [
            pick(REFERENCE, play, k) for k in range(6)
        ]


@pytest.mark.slow
@pytest.mark.proof("games.outpost_seven", "strategies.outpost_seven")
@pytest.mark.parametrize("policy", [*MEANINGS, "uniform"])
def test_only_the_hand(policy: str) -> None:
    """O7-15 a policy acts at KEEP only: every other choice is the strategy's."""
    for decision in (Decision.main, Decision.cell):
        for play in positions([REFERENCE, REFERENCE], deals=1, decision=decision, every=3):
            assert pick(f"{REFERENCE}(hand={policy})", play, 5) == pick(REFERENCE, play, 5)


@pytest.mark.slow
@pytest.mark.proof("games.outpost_seven", "strategies.outpost_seven")
def test_second_player_sees_the_usual_limit() -> None:
    """O7-15 O7-4.7 with_offer: the limit of the very first turn is the first player's alone."""
    options = {"first_turn_salvage_limit": 6, "start_total_first": 16}
    for deal in range(10):
        play = Play.begin(options, seed=2, deal=deal)
        play.apply(play.legal()[0])
        assert play.s.seat == 1
        scores = {mask: pairs_with_offer(play, mask) for mask in play.legal()}
        assert picks(f"{REFERENCE}(hand=with_offer)", play, 6) <= {
            m for m, score in scores.items() if score == max(scores.values())
        }
    assert np.all(play.rules.salvage_limit == 12)
