"""OP-5 commander actions: the docstring of each test begins with its clause."""

from __future__ import annotations

import numpy as np
import pytest

from .positions import Position, batch, counts, given

W80 = "W10 W10 W10 W9 W9 W9 W9 W7 W7"  # 80 credits


def test_any_number_of_actions_in_any_order():
    """OP-5.1 one turn each in purchase order, actions at will, until it is ended."""
    position = given([W80, "O1"], market={"nodule": 1}, population=[3])
    position.when(0, "buy population", "1", "open nodule", "bid").when(
        0, "buy ore", "1", "buy population", "1"
    ).then(decision="main", seat=0)
    position.when(0, "end").then(decision="main", seat=1)


def test_legal_actions():
    """OP-5.2 end, auctions of what is on the market, purchases; no technology, no titanium."""
    given(["W10 W10 W10"], seats=3, market={"nodule": 1, "heavy_equipment": 1, "scientists": 1}).then(
        legal=[0, 3, 4, 14, 15, 19]
    )
    given([""], market={"nodule": 1}).then(legal=[0])


def test_opening():
    """OP-5.3 the opener names a type and a bid of at least the printed cost; as many auctions as he likes."""
    position = given([W80], seats=4, market={"nodule": 2})
    position.when(0, "open nodule").then(decision="bid", legal=[1, 2]).when(0, "bid").then(
        decision="main", log={"sold": 1, "credits_paid": 25}
    )
    position.when(0, "open nodule", "jump", "0", "2").then(log={"sold": 2, "auctions": 2})
    assert int(position.s.log.game.price[3]) == 25 + 27


def test_highest_bid():
    """OP-5.4 E9: hand 80 and 20 of discounts: an outpost at 100 is legal, with 79 it is not; Expert 25 of
    discount."""
    both = {0: {"heavy_equipment": 1, "ecoplants": 1}}
    hand79 = "W10 W10 W10 W9 W9 W9 W9 W7 W6"
    assert 10 in given([W80], market={"outpost": 1}, upgrades=both).legal()
    assert 10 not in given([hand79], market={"outpost": 1}, upgrades=both).legal()
    assert 10 in given([hand79], market={"outpost": 1}, upgrades=both, options={"ruleset": "expert"}).legal()
    position = given([W80], market={"outpost": 1}, upgrades=both).when(0, "open outpost")
    position.then(legal=[1]).when(0, "1").then(wealth=[0, 0], upgrades={0: {"outpost": 1}})


def test_bidding():
    """OP-5.5 E10: round the table, a pass is not final, who cannot raise is not asked; the jumps and the
    re-entry count."""
    hands = ["T13 T13 T12 T7", "T10 T10 T10", "T9 T11 T10", "T8 T8 T8", "T9 T9 T9"]
    position = given(hands, market={"nodule": 1}).when(0, "open nodule", "bid").when(1, "pass").when(2, "bid")
    position.then(bid=26, seat=4).when(4, "pass").when(0, "jump", "0", "2").then(bid=29)
    position.when(1, "bid").then(bid=30).when(0, "jump", "0", "1")
    position.then(decision="main", seat=0, hands={0: "T13", 1: "T10 T10 T10"}, upgrades={0: {"nodule": 1}})
    position.then(
        log={
            "bids": 5,
            "jump_bids": 2,
            "reentries": 1,
            "sold": 1,
            "sold_to_non_opener": 0,
            "credits_overpaid": 0,
        }
    )


def test_without_reentry():
    """OP-5.5 auction_reentry = false: who has passed is out; a larger increment raises the least bid."""
    hands = ["W10 W10 W10", "W9 W9 W9", "W9 W9 W8 W8"]
    position = given(hands, market={"nodule": 1}, options={"auction_reentry": False, "min_bid_increment": 2})
    position.when(0, "open nodule", "bid").when(1, "pass").when(2, "bid").then(bid=27, seat=0)
    position.when(0, "bid").then(bid=29, seat=2).when(2, "bid")
    position.then(
        decision="main", seat=0, upgrades={2: {"nodule": 1}}, log={"credits_paid": 34, "credits_overpaid": 3}
    )


def test_every_auction_sells():
    """OP-5.6 the high bidder pays and takes the card, whoever it is; the active player goes on."""
    position = (
        given(["W10 W10 W5", "W9 W9 W9"], market={"nodule": 1}).when(0, "open nodule", "bid").when(1, "bid")
    )
    position.then(
        decision="main", seat=0, hands={0: "W10 W10 W5", 1: ""}, upgrades={1: {"nodule": 1}}, score=[3, 5]
    )
    position.then(log={"sold_to_non_opener": 1, "credits_overpaid": 1}, market={})
    games = batch({}, "random*4", 40)["log"]["game"]
    assert (games["auctions"] == games["sold"]).all() and (
        games["sold_by_type"].sum(axis=1) == games["sold"]
    ).all()


DISCOUNTS = [
    ("scientists", {"data_library": 2}, 20, 20), ("laboratory", {"data_library": 1}, 90, 70),
    ("warehouse", {"heavy_equipment": 2}, 15, 15), ("nodule", {"heavy_equipment": 1}, 20, 20),
    ("outpost", {"heavy_equipment": 1, "ecoplants": 1}, 80, 75), ("robots", {"data_library": 3}, 50, 50),
]  # fmt: skip


@pytest.mark.parametrize(("card", "owned", "basic", "expert"), DISCOUNTS)
def test_discounts(card, owned, basic, expert):
    """OP-5.7 for each owned copy, cumulative; they count like money."""
    for ruleset, due in (("basic", basic), ("expert", expert)):
        hand = "W10 W10 W10 W9 W9 W9 W9 W8 W7 W7 W7 W6"
        position = given([hand], market={card: 1}, upgrades={0: owned}, options={"ruleset": ruleset}).when(
            0, f"open {card}", "bid"
        )
        log = position.s.log.game
        assert int(log.credits_paid - log.credits_overpaid) == due
        position.then(upgrades={0: {card: 1}})


def test_discounts_may_pay_all():
    """OP-5.7 X6: five data libraries, no card: scientists at 40 are free."""
    position = given([""], market={"scientists": 1}, upgrades={0: {"data_library": 5}})
    assert position.legal() == [0, 5]
    position.when(0, "open scientists", "bid").then(
        upgrades={0: {"scientists": 1}}, wealth=[0, 0], log={"credits_paid": 0}
    )


def test_immediate_effects():
    """OP-5.8 laboratory: a research factory; outpost: a titanium factory; Expert robots card: a robot; none
    has an operator yet."""
    rich = "OM40 OM40 OM35 OM35 OM35"
    given([rich], market={"laboratory": 1}).when(0, "open laboratory", "bid").then(
        factories={0: {"research": 1}}, operated={0: {"research": 0}}
    )
    given([rich], market={"outpost": 1}).when(0, "open outpost", "bid").then(
        factories={0: {"titanium": 1}}, score=[8, 3]
    )
    for ruleset, robots in (("basic", 0), ("expert", 1)):
        position = given([rich], market={"robots": 1}, options={"ruleset": ruleset}).when(
            0, "open robots", "bid"
        )
        position.then(robots=[robots, 0])
        assert 20 in position.legal()
    special = given([rich], market={"space_station": 1}).when(0, "open space_station", "bid")
    special.then(population=[3, 3], score=[3, 3], operated={0: {"space_station": 0}})


def test_upgrades_per_turn():
    """OP-5.9 max_upgrades_per_turn: who has won so many may neither open nor bid."""
    hands, options = (
        [W80, "T10 T10 T10 T10 T10 T10"],
        {"max_upgrades_per_turn": 1, "duplicate_limit_delta": 1},
    )
    position = (
        given(hands, market={"nodule": 2}, options=options).when(0, "open nodule", "bid").when(1, "pass")
    )
    position.then(decision="main", legal=[0, 14, 15, 19])
    other = (
        given(hands, market={"nodule": 2}, options=options)
        .when(0, "open nodule", "bid")
        .when(1, "bid")
        .when(0, "pass")
    )
    other.when(0, "open nodule", "bid").then(
        decision="main", seat=0, upgrades={0: {"nodule": 1}, 1: {"nodule": 1}}
    )


def test_no_change():
    """OP-5.10 the surplus is lost; the cards go to their discard piles."""
    position = (
        given(["OM40 W4"])
        .when(0, "buy ore", "1")
        .then(hands={0: "W4"}, log={"credits_paid": 40, "credits_overpaid": 30})
    )
    assert position.s.discard.tolist() == counts("OM40")[:57].tolist()


def test_separate_payments():
    """OP-5.11 E12, E13: each auction, factory kind, population and robots are paid separately; pieces of one
    kind together."""
    position = given(
        ["OM40 OM20 N20 T10"],
        upgrades={0: {"heavy_equipment": 1, "robots": 1}},
        population=[3],
        factories={0: {"ore": 1}},
    )
    position.when(0, "buy titanium", "2", "buy population", "2", "buy robots", "1")
    position.then(wealth=[0, 0], factories={0: {"titanium": 2}}, population=[5, 3], robots=[1, 0])
    position.then(log={"payments": 3, "credits_overpaid": 0, "pop_bought": 2, "robots_bought": 1})
    assert position.s.log.game.pay.tolist() == [1, 1, 1, 0] and position.s.log.game.fac.tolist() == [
        0,
        0,
        2,
        0,
        0,
    ]


def test_automatic_payer():
    """OP-5.12 the least total, then most capacity units, then research kept (X16, X17); see test_payer."""
    given(["T13 T13 T12 T7"]).when(0, "buy ore", "3").then(hands={0: "T13"}, log={"credits_paid": 32})
    given(["R13 T13"], options={"ruleset": "expert", "cost_ore": 13}).when(0, "buy ore", "1").then(
        hands={0: "R13"}
    )


def test_explicit_payment():
    """OP-5.13 card by card, any kind while the sum is short, only research when only research is missing; it
    stops by itself."""
    position = given(["OM40 OM20 R13 R9 W4"], options={"payment": "explicit"}).when(
        0, "buy new_chemicals", "1"
    )
    position.then(decision="pay", legal=sorted(k for k in range(69) if counts("OM40 OM20 R13 R9 W4")[k]))
    position.when(0, "pay OM40", "pay OM20").then(
        decision="pay", legal=sorted(k for k in range(69) if counts("R13 R9")[k])
    )
    position.when(0, "pay R9").then(
        decision="main", hands={0: "R13 W4"}, factories={0: {"new_chemicals": 1}}, log={"credits_overpaid": 9}
    )


@pytest.mark.parametrize("ruleset", ["basic", "expert"])
def test_explicit_payment_as_the_automatic_payer(ruleset):
    """OP-5.14 the reference player calls the automatic payer as its default: the identical game but for PAY
    decisions."""
    for lineup in ("reference_greedy*2", "reference_greedy*5"):
        auto, explicit = (
            batch({"ruleset": ruleset, "payment": how}, lineup, 25) for how in ("auto", "explicit")
        )
        for name in auto.dtype.names:
            if name != "log":
                assert (auto[name] == explicit[name]).all(), name
        for name in auto["log"]["game"].dtype.names:
            assert (
                name == "decisions" or (auto["log"]["game"][name] == explicit["log"]["game"][name]).all()
            ), name
        assert (explicit["log"]["game"]["decisions"] > auto["log"]["game"]["decisions"]).all()
        assert (auto["log"]["seat"] == explicit["log"]["seat"]).all()


@pytest.mark.parametrize(
    ("ruleset", "costs"), [("basic", (10, 20, 30, 40, 60)), ("expert", (10, 20, 30, 30, 60))]
)
def test_factory_costs(ruleset, costs):
    """OP-5.15 ore 10, water 20, titanium 30, research 40 (Expert 30), new chemicals 60; no operator
    needed."""
    for f, cost in enumerate(costs):
        for enough in (True, False):
            hand = "R13" + " O1" * 4 + " O2" * 5 + " O3" * 5 + " O5" * 2  # 13 + 4 + 10 + 15 + 10 = 52
            hand = hand + " W8" if cost == 60 else hand
            position = given(
                [hand],
                upgrades={0: {"heavy_equipment": 1, "laboratory": 1}},
                population=[1],
                options={"ruleset": ruleset},
            )
            position.s.wealth[0] = cost if enough else cost - 1
            assert (14 + f in position.legal()) == enough


def test_technology():
    """OP-5.16 titanium needs heavy equipment, research a laboratory; scientists are not enough."""
    assert given([W80], upgrades={0: {"scientists": 2}}).legal() == [0, 14, 15, 19]
    assert given([W80], upgrades={0: {"heavy_equipment": 1}}).legal() == [0, 14, 15, 16, 19]
    assert given([W80], upgrades={0: {"laboratory": 1}}).legal() == [0, 14, 15, 17, 19]


def test_quantity():
    """OP-5.17 1 to floor(hand value / cost), at most 64."""
    given([W80]).when(0, "buy water").then(decision="qty", legal=[1, 2, 3, 4])
    position = given(["mega:N"] * 1, options={"cost_ore": 5})
    position.s.wealth[0] = 1000
    position.when(0, "buy ore").then(legal=list(range(1, 65)), problems=position.problems())


def test_new_chemicals():
    """OP-5.18 X7: a research card for each; the payer gives R13 + 35 + 35."""
    position = given(["OM40 OM40 OM35 OM35 R13"]).when(0, "buy new_chemicals").then(legal=[1])
    position.when(0, "1").then(hands={0: "OM40 OM40"}, factories={0: {"new_chemicals": 1}})
    assert 18 not in given(["OM40 OM40 OM35"]).legal()
    assert 18 in given(["OM40 iou:R W9"]).legal()


def test_population_cost():
    """OP-5.19 10 each, 5 with ecoplants, not cumulative."""
    given(["W10 W10"], population=[1]).when(0, "buy population").then(legal=[1, 2])
    given(["W10 W10"], population=[1], upgrades={0: {"ecoplants": 2}}).when(0, "buy population").then(
        legal=[1, 2, 3, 4]
    )


def test_population_maximum():
    """OP-5.20 E1: 5 + 3 per nodule + 5 per outpost, and one for each special owned."""
    for upgrades, most in (
        ({}, 5),
        ({"nodule": 2}, 11),
        ({"nodule": 2, "space_station": 1}, 12),
        ({"outpost": 1}, 10),
    ):
        position = given([W80], population=[most - 1], upgrades={0: upgrades}).when(0, "buy population")
        position.then(legal=[1]).when(0, "1").then(population=[most, 3])
        assert 19 not in position.legal()


def test_robots():
    """OP-5.21 E11: 10 each with a robots card, whatever the housing."""
    position = given([W80], population=[7], upgrades={0: {"nodule": 1, "robots": 1, "ecoplants": 1}})
    position.when(0, "buy population").then(legal=[1]).when(0, "1").when(0, "buy robots")
    position.then(legal=list(range(1, 8)))
    assert 20 not in given([W80]).legal()


def test_usable_robots():
    """OP-5.22 Expert: robots cards x population; more may be owned but stay idle."""
    for ruleset, operated in (("basic", 7), ("expert", 4)):
        position = given(
            [W80],
            population=[2],
            upgrades={0: {"robots": 1}},
            factories={0: {"ore": 9}},
            options={"ruleset": ruleset},
        )
        position.when(0, "buy robots", "5").finish_turn().then(operated={0: {"ore": operated}})


def test_water_deal():
    """OP-5.23 X8: all cards for a water factory on turn 1, whatever their value; END is the only action
    left."""
    position = given(["O1 O1 O2 O2 W4 W5"], options={"ruleset": "expert"})
    position.when(0, "deal").then(
        wealth=[0, 0], factories={0: {"water": 2}}, legal=[0], log={"water_deals": 1, "payments": 0}
    )
    assert 21 in given([W80], options={"ruleset": "expert"}).legal()
    assert 21 not in given([W80]).legal()
    assert 21 not in given([W80], options={"ruleset": "expert", "first_turn_water_deal": False}).legal()


def test_no_water_deal_after_a_purchase():
    """OP-5.23 X9: not after a purchase, also in somebody else's auction, and on turn 1 only."""
    options = {"ruleset": "expert"}
    position = (
        given(["O5 W10 W10", "W9 W9 W9"], market={"warehouse": 1}, options=options)
        .when(0, "open warehouse", "bid")
        .when(1, "bid")
    )
    position.when(0, "end").then(seat=1)
    assert 21 not in position.legal()
    assert 21 not in given([W80], options=options).when(0, "buy ore", "1").legal()
    assert 21 not in given([W80], options=options, turn=2).legal()
    assert np.array_equal(Position(options).legal()[-1:], [21])
