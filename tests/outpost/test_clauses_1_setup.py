"""OP-1 components, OP-2 setup: the docstring of each test begins with its clause."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from simkit.errors import UsageError
from simkit.games.outpost import game
from simkit.games.outpost.facts import FACTORY_NAMES, IOU, KINDS, MEGA, REAL, UPGRADE_NAMES

from .positions import Position, given, kind_of, rules_of


def test_indices():
    """OP-1.1 products, factories, sites and upgrades in the order of the specification."""
    rules = rules_of()[0]
    assert FACTORY_NAMES == ["ore", "water", "titanium", "research", "new_chemicals"]
    assert UPGRADE_NAMES[:4] == ["data_library", "warehouse", "heavy_equipment", "nodule"]
    assert UPGRADE_NAMES[10:] == [
        "space_station", "planetary_cruiser", "moon_base",
    ]  # fmt: skip
    assert [int(p) for p in rules.site_product] == [0, 1, 2, 3, 5, 6, 7, 8]


def test_production_cards():
    """OP-1.2 228 cards in nine decks, with these averages."""
    rules = rules_of()[0]
    assert int(rules.copies.sum()) == 228
    totals = [int(rules.copies[rules.start[p] : rules.start[p + 1]].sum()) for p in range(9)]
    assert totals == [26, 38, 53, 34, 16, 23, 14, 12, 12]
    for p, average in enumerate([3, 7, 10, 13, 17, 20, 30, 40, 50]):
        kinds = slice(int(rules.start[p]), int(rules.start[p + 1]))
        mean = float((rules.value[:REAL][kinds] * rules.copies[kinds].astype(float)).sum() / totals[p])
        assert round(mean) == average == int(rules.average[p])


def test_card_kinds():
    """OP-1.3 0-56 real cards by product and value, 57-59 mega-cards of 30, 44, 88, 60-68 IOUs of average
    value."""
    rules = rules_of()[0]
    assert (KINDS, REAL, MEGA, IOU) == (69, 57, 57, 60)
    assert [int(v) for v in rules.value[57:]] == [30, 44, 88, 3, 7, 10, 13, 17, 20, 30, 40, 50]
    assert [int(p) for p in rules.product_of[57:]] == [1, 2, 5, *range(9)]
    keys = [(int(p), int(v)) for p, v in zip(rules.product_of[:57], rules.value[:57], strict=True)]
    assert keys == sorted(keys) and (kind_of("O1"), kind_of("MO60")) == (0, 56)


@pytest.mark.parametrize(("ruleset", "laboratory", "ecoplants"), [("basic", 100, 50), ("expert", 80, 30)])
def test_upgrades(ruleset, laboratory, ecoplants):
    """OP-1.4 printed costs and victory points; the Expert game changes laboratory and ecoplants."""
    rules = rules_of({"ruleset": ruleset})[0]
    assert [int(c) for c in rules.cost] == [
        15,
        25,
        30,
        25,
        40,
        50,
        50,
        laboratory,
        ecoplants,
        100,
        120,
        160,
        200,
    ]
    assert [int(v) for v in rules.vp] == [1, 1, 1, 2, 2, 3, 3, 5, 5, 5, 10, 15, 20]


def test_markers_do_not_limit_play():
    """OP-1.5 only beyond 250 of a kind nothing more is offered."""
    position = given(
        ["O5 W10"], upgrades={0: {"robots": 1}}, robots=[250], factories={0: {"ore": 249}}, population=[5]
    )
    assert position.legal() == [0, 14]
    position.when(0, "buy ore", "1").then(factories={0: {"ore": 250}}, legal=[0])


def test_upgrade_cards():
    """OP-1.6 never more than 7 copies of a type."""
    for seats in range(2, 11):
        for ruleset in ("basic", "expert"):
            assert max(Position({"ruleset": ruleset, "supply_delta": 3}, seats).s.supply_start) <= 7


def test_presets():
    """OP-2.1 the rule set sets its options, an explicit option overrides either."""
    basic, expert = game.resolve({}), game.resolve({"ruleset": "expert"})
    assert basic == game.resolve({"ruleset": "basic"})
    assert (basic["hand_capacity_base"], expert["hand_capacity_base"]) == (5, 10)
    assert (basic["disc_he_outpost"], expert["disc_he_outpost"]) == (10, 15)
    mixed = game.resolve({"ruleset": "expert", "mega": False, "hand_capacity_base": 7})
    assert (mixed["mega"], mixed["hand_capacity_base"], mixed["cost_research"]) == (False, 7, 30)


def test_start():
    """OP-2.2 3 population, 2 ore and 1 water factory, all operated; changed numbers man water first."""
    position = Position().then(
        population=[3, 3],
        score=[3, 3],
        factories={0: {"ore": 2, "water": 1}},
        operated={0: {"ore": 2, "water": 1}},
    )
    assert not position.s.upgrades.any()
    Position({"start_water": 4, "start_population": 5}).then(
        operated={1: {"water": 4, "ore": 1}}, score=[5, 5]
    )


def test_draws_are_uniform_over_the_pile():
    """OP-2.3 a draw takes a uniformly random card of the remaining pile."""
    drawn = Counter()
    rules = rules_of()[0]
    for deal in range(1500):
        s = Position(deal=deal).s
        assert int(s.hand.sum()) == 6 and (s.hand[:, :REAL].sum(axis=0) + s.draw == rules.copies).all()
        drawn.update(np.repeat(np.arange(12), s.hand[:, :12].sum(axis=0)).tolist())
    for kinds, cards in ((range(5), 26), (range(5, 12), 38)):
        n = sum(drawn[k] for k in kinds)
        chi = sum(
            (drawn[k] - n * int(rules.copies[k]) / cards) ** 2 / (n * int(rules.copies[k]) / cards)
            for k in kinds
        )
        assert chi < 25, "not as the copies in the deck say"


def test_supply_of_the_basic_game():
    """OP-2.4 players - 1 copies of each upgrade, at most 7 (E2: four with 5 players)."""
    for seats in range(2, 11):
        assert set(Position(seats=seats).s.supply_start.tolist()) == {min(seats - 1, 7)}
    assert set(Position({"supply_delta": -2}, 3).s.supply_start.tolist()) == {0}
    assert set(
        Position({"ruleset": "expert", "supply_rule": "players_minus_1"}, 5).s.supply_start.tolist()
    ) == {4}


def test_supply_of_the_expert_game():
    """OP-2.5 the chart (E2: three and four with 5 players); with two players 4 to 10 types have two copies;
    the market is as large as always."""
    chart = {3: (2, 2), 4: (3, 3), 5: (3, 4), 6: (4, 4), 7: (5, 5), 8: (5, 6), 9: (6, 6), 10: (7, 7)}
    for seats, (ten, three) in chart.items():
        position = Position({"ruleset": "expert"}, seats)
        assert position.s.supply_start.tolist() == [ten] * 10 + [three] * 3
        assert (
            Position({"supply_rule": "expert_chart"}, seats).s.supply_start.tolist()
            == [ten] * 10 + [three] * 3
        )
    pairs = Counter()
    for deal in range(400):
        position = Position({"ruleset": "expert"}, 2, deal)
        supply = position.s.supply_start.tolist()
        assert set(supply) <= {1, 2} and int(position.s.market.sum()) == 2
        pairs[supply.count(2)] += 1
    assert min(pairs) >= 4 and max(pairs) <= 10
    assert abs(sum(k * n for k, n in pairs.items()) / 400 - 6.5) < 0.3


def test_seats():
    """OP-2.6 seat s is s-th on turn 1; with initial_order = random every order is drawn, and logged."""
    assert Position(seats=5).fact("order") == [0, 1, 2, 3, 4]
    orders = Counter()
    for deal in range(600):
        position = Position({"initial_order": "random"}, 3, deal)
        order = position.fact("order")
        orders[tuple(order)] += 1
        assert int(position.s.first) == order[0] and [
            int(position.s.log.seat[seat].initial_order) for seat in order
        ] == [0, 1, 2]
    assert len(orders) == 6 and min(orders.values()) > 60


def test_options_that_do_not_fit_are_refused():
    """OP-2.1 an opening hand that no draw can give, a third phase below 10 points."""
    with pytest.raises(UsageError, match="start_hand_floor"):
        game.rules(
            {
                "start_hand": "floor",
                "start_hand_floor": 20,
                "first_turn_ore_cards": 0,
                "first_turn_water_cards": 1,
            }
        )
    with pytest.raises(UsageError, match="worth 13"):
        game.rules({"start_hand": "floor", "start_hand_floor": 14, "production_values": "average"})
    with pytest.raises(UsageError, match="phase3_vp"):
        game.rules({"phase3_vp": 5})
