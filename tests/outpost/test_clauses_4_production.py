"""OP-4 production and hand capacity: the docstring of each test begins with its clause."""

from __future__ import annotations

import pytest

from .positions import Position, counts, given, kind_of


def test_entitlement():
    """OP-4.1 a card for each operated site, for scientists and orbital labs; idle sites give none (E6,
    E7)."""
    position = given(
        upgrades={0: {"scientists": 2, "orbital_lab": 1, "space_station": 1}},
        factories={0: {"ore": 2, "water": 3}},
        population=[4, 1],
    ).finish_turn()
    assert position.s.operated[0].tolist() == [0, 3, 0, 0, 0, 1, 0, 0]
    assert position.s.cards[0].tolist() == [0, 3, 0, 2, 1, 0, 1, 0, 0]
    position.then(log={"cards_produced": 6 + 7 + 1})


def test_reshuffle_in_the_middle_of_a_production():
    """OP-4.2 an empty pile is filled with the discard pile, also in the middle; the cards of the hand stay
    out."""
    pile = " ".join(
        [
            "M14",
            "M15",
            "M15",
            "M16",
            "M16",
            "M16",
            "M17",
            "M17",
            "M17",
            "M17",
            "M18",
            "M18",
            "M18",
            "M19",
            "M19",
        ]
    )
    position = given(
        upgrades={0: {"orbital_lab": 3}}, discard=pile, options={"microbiotics_counts": False}
    ).finish_turn()
    assert (
        int(position.s.cards[0, 4]) == 3 and int(position.s.hand[0, kind_of("M20")]) == 1
    )  # the last of the pile, the 20, then two of the others
    position.then(log={"reshuffles": 1, "ious": 0})


def test_iou():
    """OP-4.3 E8: three water cards left, none discarded: three cards and three IOUs; they are spent like
    cards and vanish."""
    hand = " ".join(["W4"] * 2 + ["W5"] * 5 + ["W6"] * 7 + ["W7"] * 9 + ["W8"] * 7 + ["W9"] * 5)
    position = given(
        ["O1", hand],
        factories={0: {"water": 6}, 1: {}},
        population=[6, 1],
        options={"hand_capacity_base": 30, "capacity_warehouse": 10, "pop_max_base": 6},
    )
    position.s.upgrades[1, 1] = 1
    position.s.supply_start[1] = position.s.log.game.sold = 1
    position.s.score[1] = 4
    position.finish_turn()
    assert int(position.s.hand[0, 61]) == 3 and int(position.s.cards[0, 1]) == 6
    position.then(log={"ious": 3})
    paid = given(["iou:W iou:W", "O1"]).when(0, "buy ore", "1")
    paid.then(wealth=[0, 1], log={"credits_overpaid": 4})
    assert not paid.s.discard.any()


def test_production_values_average():
    """OP-4.2 production_values = average: every card is an IOU of average value."""
    position = Position({"production_values": "average"})
    position.then(wealth=[13, 13], hands={0: "iou:O iou:O iou:W"}, log={"ious": 6})


@pytest.mark.parametrize(("water", "legal"), [(3, None), (4, [0, 1]), (7, [0, 1]), (8, [0, 1, 2])])
def test_mega_cards(water, legal):
    """OP-4.4 floor(operated / 4) mega-cards of water, titanium, new chemicals, chosen before drawing; each
    replaces four cards (E14)."""
    position = given(
        factories={0: {"water": water, "new_chemicals": 4}},
        population=[20],
        options={"mega": True, "pop_max_base": 10},
    )
    position.s.upgrades[0, 3], position.s.supply_start[3], position.s.log.game.sold = 5, 5, 5
    position.s.score[0] += 10
    position.when(0, "end").when(1, "end")
    if legal is None:
        position.then(decision="mega", legal=[0, 1])  # new chemicals only
        return
    position.then(decision="mega", seat=0, legal=legal)
    position.when(0, str(legal[-1]), "0")
    hand = position.s.hand[0]
    assert int(hand[57]) == legal[-1] and int(position.s.mega_out[0]) == legal[-1] and int(hand[59]) == 0
    assert int(position.s.cards[0, 1]) == water - 3 * legal[-1] and int(position.s.cards[0, 5]) == 4
    position.then(log={"megas": legal[-1]})


def test_mega_card_uses_four_places():
    """OP-4.4 E14: a mega-card counts four for the capacity, is worth 30 and pays as one card of its
    product."""
    position = given(["mega:W O1 O1"], factories={0: {}, 1: {}}).when(0, "end").when(1, "end")
    position.then(decision="discard", seat=0, legal=sorted(k for k in range(69) if counts("mega:W O1")[k]))
    position.when(0, "drop mega:W").then(
        hands={0: "O1 O1"}, log={"cards_discarded": 1, "credits_discarded": 30}
    )


def test_mega_supply():
    """OP-4.4 mega_supply limits the mega-cards in hands."""
    position = given(
        ["mega:W"],
        factories={0: {"water": 8}},
        population=[8],
        options={"mega": True, "mega_supply": 2, "pop_max_base": 8},
    )
    position.when(0, "end").when(1, "end").then(decision="mega", legal=[0, 1])


@pytest.mark.parametrize(
    ("options", "cards"),
    [
        ({}, [(2, 1)] * 3),
        ({"ruleset": "expert"}, [(4, 2)] * 3),
        ({"first_turn_ore_cards": 0, "first_turn_water_cards": 3}, [(0, 3)] * 3),
        ({"late_seat_ore_cards": 2}, [(2, 1), (4, 1), (6, 1)]),
        ({"mega": True, "start_water": 5, "start_population": 5}, [(0, 5)] * 3),
    ],
)
def test_first_turn(options, cards):
    """OP-4.5 E5: Basic by the factories, Expert 4 ore and 2 water; options; no mega-cards."""
    position = Position(options, 3)
    assert [(int(row[0]), int(row[1])) for row in position.s.cards[:3]] == cards
    position.then(turn=1, decision="main")


def test_opening_hands_by_average_and_floor():
    """OP-4.5 start_hand = average gives IOUs; floor draws again while the hand is worth less."""
    Position({"start_hand": "average"}).then(hands={0: "iou:O iou:O iou:W"}, wealth=[13, 13])
    for deal in range(40):
        position = Position({"start_hand": "floor", "start_hand_floor": 14}, 4, deal)
        assert min(position.fact("wealth")) >= 14
        position.then(log={"cards_produced": 12, "ious": 0})


def test_units():
    """OP-4.6 a card or IOU counts 1, a mega-card 4; in the Expert game research and microbiotics 0."""
    hand = "O1 W5 R13 M17 iou:R mega:T"
    assert int(given([hand]).s.load[0]) == 9
    assert int(given([hand], options={"ruleset": "expert"}).s.load[0]) == 6
    assert int(given([hand], options={"research_counts": False}).s.load[0]) == 7


@pytest.mark.parametrize(
    ("options", "capacity"),
    [
        ({"ruleset": "basic"}, 5 + 2 * 3 + 3),
        ({"ruleset": "expert"}, 10 + 2 * 5 + 5),
        ({"hand_capacity_base": 4, "capacity_warehouse": 1, "capacity_outpost": 7}, 4 + 2 * 1 + 7),
    ],
)
def test_capacity(options, capacity):
    """OP-4.7 Basic 5 + 3 per warehouse + 3 per outpost, Expert 10 + 5 + 5; or as the options say."""
    hand = "O1 O1 O1 O1 O2 O2 O2 O2 O2 O2 O3 O3 O3 O3 O3 O3 O4 O4 O4 O4 O4 O4 O5 O5 O5 O5"
    position = given(
        [hand], upgrades={0: {"warehouse": 2, "outpost": 1}}, factories={0: {}, 1: {}}, options=options
    )
    position.finish_turn()
    while position.decision == "discard":
        position.apply(position.legal()[0])
    assert int(position.s.load[0]) == capacity


def test_discarding():
    """OP-4.8 one card at a time among those that count, only down to the capacity; Basic at the end of the
    turn."""
    position = (
        given(["O1 O1 O2 O3 W5 W6 R13"], factories={0: {}, 1: {}}, options={"research_counts": False})
        .when(0, "end")
        .when(1, "end")
    )
    position.then(decision="discard", legal=sorted(k for k in range(69) if counts("O1 O2 O3 W5 W6")[k]))
    position.when(0, "drop W6").then(
        decision="main",
        turn=2,
        hands={0: "O1 O1 O2 O3 W5 R13"},
        log={"cards_discarded": 1, "credits_discarded": 6},
    )
    assert int(position.s.discard[7]) == 1


def test_discarding_before_the_actions():
    """OP-4.8 E17: Expert: 13 counting cards, capacity 10: three discards before the actions."""
    position = given(
        ["O1 O1 O1 O1 O2 O2 O2 O2 O2 O2"], factories={0: {"ore": 3}, 1: {}}, population=[3, 1],
        options={"ruleset": "expert"}
    ).when(0, "end").when(1, "end")  # fmt: skip
    for _ in range(3):
        position.then(decision="discard", seat=0).when(0, "drop O2")
    position.then(decision="main", turn=2)
