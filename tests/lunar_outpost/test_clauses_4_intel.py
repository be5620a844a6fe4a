"""LO-4 acting on intel: each test is titled by its clause."""

from __future__ import annotations

import pytest

from simkit.games.lunar_outpost import game

from .positions import copied, given


def seen_by(position, seat):
    """What a seat sees of the places of cards."""
    view = copied(position.states)
    game.observe(position.s, position.rules, seat, view[0])
    return view[0].event_where.tolist()


def test_LO_4_1_not_in_the_first_turn():
    """LO-4.1 skipped in a player's first turn, also when others have had two."""
    given(hands={0: [4]}, rounds=0).then(phase="extract", turn=1)
    given(hands={0: [4]}, rounds=1).then(phase="intel", legal=[0, 5, 10])
    given(hands={1: [4]}, rounds=0, seat=1).then(phase="extract")
    given(rounds=3).then(phase="extract")


def test_LO_4_2_disclose():
    """LO-4.2 the card is active at once for all; one of its category is discarded face up."""
    position = given(hands={0: [2, 21]}, events={0: 1}).then(mod={"dome_rate": 2, "excavator_rate": 1})
    position.when("intel 0").then(
        events={2: 0}, where={2: 5, 0: 6}, mod={"dome_rate": 1, "excavator_rate": 2}, hands={0: [21]},
        log={"disclosed": 1, "events_replaced": 1}, seat_log={0: {"disclosed": 1}, 1: {"disclosed": 0}},
    )  # fmt: skip
    position.when("intel 0").then(
        events={2: 0, 21: 0}, troop_price=3, log={"disclosed": 2, "events_replaced": 1}, legal=[10]
    )
    position.to("generate", 1).then(mod={"excavator_rate": 2}, troop_price=3)


def test_LO_4_3_postpone():
    """LO-4.3 the card stays in hand, hidden."""
    position = given(hands={0: [2, 21]}).when("intel done")
    position.then(phase="extract", hands={0: [2, 21]}, events={}, where={2: 1, 21: 1})
    assert seen_by(position, 1)[2] == -1 and seen_by(position, 0)[2] == 1
    position.to("intel", 0).then(legal=[0, 1, 5, 6, 10])


def test_LO_4_4_prevent():
    """LO-4.4 discarded face down; nobody else learns what it was; active events stay."""
    position = given(hands={0: [2, 21]}, events={0: 1}).when("intel 5")
    position.then(
        hands={0: [21]}, where={2: 7}, events={0: 1}, mod={"dome_rate": 2}, legal=[0, 5, 10],
        log={"prevented": 1, "disclosed": 0, "events_replaced": 0}, seat_log={0: {"prevented": 1}},
    )  # fmt: skip
    assert seen_by(position, 1)[2] == -1 and seen_by(position, 0)[2] == 7
    given(hands={1: [2]}, seat=1).when("intel 5").then(where={2: 8}, legal=[10])


def test_LO_4_5_one_card_at_a_time():
    """LO-4.5 any order, asked again; later cards move down a slot; two of one category."""
    position = given(hands={0: [4, 9, 16]}).then(legal=[0, 1, 2, 5, 6, 7, 10])
    position.when("intel 6").then(phase="intel", hands={0: [4, 16]}, legal=[0, 1, 5, 6, 10], where={9: 7})
    position.when("intel 1").then(hands={0: [4]}, events={16: 0}, legal=[0, 5, 10])
    position.when("intel 10").then(phase="extract", hands={0: [4]})
    both = given(hands={0: [0, 3]}).when("intel 0", "intel 0").then(
        events={3: 0}, where={0: 6, 3: 5}, mod={"dome_rate": 1, "excavator_rate": 0}, hand_n=[0, 0],
        log={"disclosed": 2, "events_replaced": 1},
    )  # fmt: skip
    both.then(legal=[10], decided=[(0, "intel"), (0, "intel")])


def test_LO_4_5_slots_in_order_of_purchase():
    """LO-4.5 a card that is bought comes into the last slot."""
    position = given(slots={0: 2}, hands={0: [4, 9]}, deck=[16, 30], phase="spend").when("spend intel")
    position.then(hands={0: [4, 9, 16]})


@pytest.mark.parametrize(("left", "buyable"), [(1, True), (0, False)])
def test_LO_4_6_an_empty_deck(left, buyable):
    """LO-4.6 the discard pile is never reshuffled; without a deck nothing is bought."""
    position = given(slots={0: 2}, deck_n=left, phase="spend").then(event_n=left)
    assert (8 in position.legal()) == buyable
    if buyable:
        position.when("spend intel").then(event_n=0, hand_n=[1, 0])
