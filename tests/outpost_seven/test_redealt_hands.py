"""What is public about a starting hand holds in every redeal: the total that the rule made the player keep.

The expected hands are counted one by one, from the cards that were really kept and laid aside.
"""

from __future__ import annotations

from itertools import combinations
from typing import Any, NamedTuple

import numpy as np
import pytest

from simkit.games.outpost_seven.facts import Decision

from .chances import uniform
from .engine import Play
from .positions import given_deal
from .test_clauses_2_setup import FIVES, RED, YELLOW

RULES = [
    {},
    {"start_order": "second_then_first", "start_infeasible": "closest"},
    {"start_infeasible": "redraw", "mulligan": "both", "mulligan_cost": 3},
    {"start_rule": "random_exact", "start_total_second": 13},
    {"start_rule": "keep_at_most", "start_total_first": 9},
    {"start_total_first": 24, "hand_limit": 4},
]


class Start(NamedTuple):
    """Starting hand of a player, and the other dealt cards."""

    hand: frozenset[int]
    laid_aside: frozenset[int]


def at_first_turn(options: dict[str, Any], deal: int) -> tuple[Play, list[Start]]:
    """A random game at its first turn, and what both players started with."""
    play, luck = Play.begin(options, deal=deal), np.random.default_rng(deal)
    laid = int(play.s.discard_n)
    while play.s.decision != Decision.main:
        play.apply(int(luck.choice(play.legal())))
    s, order = play.s, [int(play.s.first), 1 - int(play.s.first)]
    if options.get("start_order") == "second_then_first":
        order.reverse()
    starts = {}
    for seat in order:
        end = laid + int(play.rules.deal_size) - int(s.hand_n[seat])
        starts[seat] = Start(hand_of(play, seat), frozenset(s.discard[laid:end].tolist()))
        laid = end
    return play, [starts[0], starts[1]]


def hand_of(play: Play, seat: int) -> frozenset[int]:
    return frozenset(play.s.hand[seat, : play.s.hand_n[seat]].tolist())


def may_start(play: Play, seat: int, start: Start) -> bool:
    """Whether the rule allows to keep this hand of the dealt cards (O7-2.9 to O7-2.12)."""
    rules, value = play.rules, play.rules.value
    target = int(rules.start_total_first if seat == play.s.first else rules.start_total_second)
    if play.s.mulliganed[seat] == 1:
        target = max(0, target - int(rules.mulligan_cost))
    total = sum(int(value[card]) for card in start.hand)
    if rules.start_rule == 1:  # keep_at_most
        return total <= target
    dealt, closest = start.hand | start.laid_aside, rules.start_infeasible == 1
    totals = {
        sum(int(value[card]) for card in cards)
        for n in range(min(len(dealt), int(rules.hand_limit)) + 1)
        for cards in combinations(dealt, n)
    }
    allowed = {t for t in totals if closest or t <= target}
    return total == min(allowed, key=lambda t: (abs(t - target), t))


@pytest.mark.parametrize("options", RULES, ids=lambda o: "-".join(map(str, o.values())) or "default")
def test_redealt_starting_hand_has_a_total_that_the_rule_allows(options: dict[str, Any]) -> None:
    """O7-2.9 to O7-2.12: at the first turn each redealt hand of the opponent is one he can have kept."""
    for deal in range(40):
        play, starts = at_first_turn(options, deal)
        for seat in (0, 1):
            assert may_start(play, seat, starts[seat]), "the test itself is wrong"
            for number in range(10):
                redealt = play.redealt(1 - seat, 100 * deal + number)
                hand, n = hand_of(redealt, seat), int(redealt.s.start_n[seat])
                assert hand == {*redealt.s.start_cards[seat, :n].tolist()}
                assert may_start(play, seat, starts[seat]._replace(hand=hand))


def possible(play: Play, seat: int, start: Start) -> list[frozenset[int]]:
    """Every hand that the opponent may hold, to judge by what he can have kept at the start."""
    s, cards = play.s, range(int(play.rules.cards))
    own = hand_of(play, 1 - seat)
    unseen = [card for card in cards if not s.revealed[card] and card not in own]
    public = {card for card in hand_of(play, seat) if s.revealed[card]}
    played = {card for card in start.hand if s.revealed[card]}
    return [
        frozenset(hidden) | public
        for hidden in combinations(unseen, int(s.hand_n[seat]) - len(public))
        if may_start(play, seat, start._replace(hand=played | set(hidden)))
    ]


# Cards dealt to yellow, those kept, and what both then do: hidden cards and cards of the starting hand that
# are public now, in all combinations.
OPENINGS = {
    "first turn": (YELLOW, "48 49 39", []),
    "no subset has 16": (FIVES, "25 26 27", []),
    "one pair played": (YELLOW, "43 39 40 36", ["red salvages first", "yellow repairs module 36 with scrap 39 at (2,2)"]),
    "a card taken and a pair played": (
        YELLOW, "43 39 40 36", ["red salvages first", "yellow salvages first", "red salvages first", "yellow repairs module 39 with scrap 43 at (1,1)"],
    ),
}  # fmt: skip


@pytest.mark.slow
@pytest.mark.proof("games.outpost_seven", "strategies.outpost_seven")
@pytest.mark.parametrize("name", OPENINGS)
def test_redealt_hands_are_uniform_over_what_the_opponent_may_hold(name: str) -> None:
    """Each hand that fits the total kept, by counting, is equally likely; no other occurs."""
    dealt, held, moves = OPENINGS[name]
    play = given_deal(RED, dealt).when("red keeps 12 13").when(f"yellow keeps {held}")
    for move in moves:
        play.when_first_salvage() if move.endswith("first") else play.when(move)
    hand = frozenset(map(int, held.split()))
    hands = possible(play, 1, Start(hand, frozenset(dealt) - hand))
    redealt = [hand_of(play.redealt(0, 7919 * number + 1), 1) for number in range(20 * len(hands))]
    uniform(redealt, hands)


def test_hand_that_random_draws_miss_is_made_to_fit() -> None:
    """Of 3,276 hands only the three 3s that are left have a total of 9."""
    play = given_deal(
        [0, 1, 2, 18, 19, 20, 12], [36, 37, 38, 48, 49, 50, 51], options={"start_total_second": 9}
    )
    play.when("red keeps 0 1 2 18").when("yellow keeps 36 37 38")
    assert {hand_of(play.redealt(0, number), 1) for number in range(30)} == {frozenset({36, 37, 38})}
