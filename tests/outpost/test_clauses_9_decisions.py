"""OP-9 decision points and action ids: the docstring of each test begins with its clause."""

from __future__ import annotations

import numpy as np
import pytest

from simkit.engine.table import GameTable
from simkit.games.outpost import game
from simkit.games.outpost.facts import Decision
from tests.of_games.stepping import positions

from .positions import Position, counts, given, rules_of

MOST = {
    Decision.main: 23, Decision.qty: 64, Decision.bid: 3, Decision.jump_hi: 64, Decision.jump_lo: 16,
    Decision.pay: 69, Decision.mega: 63, Decision.discard: 69,
    Decision.assign: 251, Decision.honor: 2, Decision.t_player: 10, Decision.t_item: 18, Decision.t_card: 70,
    Decision.t_response: 3,
}  # fmt: skip
ALL = {
    "ruleset": "expert",
    "payment": "explicit",
    "space_terrorism": True,
    "secret_overbidding": True,
    "max_turns": 25,
    "overbid_ceiling": 250,
}


@pytest.mark.slow
@pytest.mark.proof("games.outpost", "strategies.outpost")
def test_each_kind_has_its_own_range():
    """OP-9.1 every kind of decision is met, its ids are within its range."""
    seen = set()
    for options in (ALL, {"payment": "explicit", "max_turns": 30}, {"ruleset": "expert"}):
        table = GameTable(game, rules_of(options))
        for deal in range(3):
            for s, ids in positions(table, deal, 2 + 2 * deal):
                if len(ids):
                    kind = Decision(int(s.decision))
                    seen.add(kind)
                    assert ids[-1] < MOST[kind] + (kind == Decision.qty) and len(ids) <= MOST[kind], kind
    assert seen == set(Decision) - {Decision.none}
    assert game.max_actions == 251


def test_main():
    """OP-9.2 END always; openings by the highest bid; purchases by one piece."""
    given(["W10 W10"], market={"data_library": 1, "nodule": 1}).then(legal=[0, 1, 14, 15, 19])


def test_qty():
    """OP-9.3 1 to the maximum; new chemicals by research cards."""
    given(["OM40 OM40 OM35 R13 R13"]).when(0, "buy new_chemicals").then(decision="qty", legal=[1, 2])


def test_bid():
    """OP-9.4 X18: the opener cannot pass; JUMP if more than the least bid is possible; who cannot bid is not
    asked."""
    position = (
        given(["W9 W9 W7", "W9 W9 W7"], market={"nodule": 1})
        .when(0, "open nodule")
        .then(legal=[1])
        .when(0, "1")
    )
    position.then(decision="main", seat=0, upgrades={0: {"nodule": 1}})
    given(["W9 W9 W8"], market={"nodule": 1}).when(0, "open nodule").then(legal=[1, 2])


def test_jump():
    """OP-9.5 raise = 16 * HI + LO, 1 to the highest bid less the least; at most 1023."""
    position = given(["OM40 OM20"], market={"nodule": 1}).when(0, "open nodule", "jump").then(legal=[0, 1, 2])
    position.when(0, "2").then(legal=[0, 1, 2, 3]).when(0, "0").then(log={"credits_paid": 60, "jump_bids": 1})
    given(["OM40 OM20"], market={"nodule": 1}).when(0, "open nodule", "jump", "0").then(
        legal=list(range(1, 16))
    )


def test_pay():
    """OP-9.6 the payment is counted as it goes; what is bought comes at its end."""
    position = given(["W5 W6"], options={"payment": "explicit"}).when(0, "buy ore", "1").when(0, "pay W5")
    assert (int(position.s.due), int(position.s.paid), int(position.s.payer)) == (10, 5, 0)
    position.then(decision="pay", factories={0: {"ore": 2}}).when(0, "pay W6").then(
        factories={0: {"ore": 3}}, log={"credits_overpaid": 1}
    )


def test_mega():
    """OP-9.7 all three products are answered before a card is drawn."""
    position = given(
        factories={0: {"water": 4, "titanium": 4, "new_chemicals": 4}},
        upgrades={0: {"robots": 1, "heavy_equipment": 1}}, robots=[12],
        options={"mega": True},
    )  # fmt: skip
    position.when(0, "end").when(1, "end").then(decision="mega", seat=0).when(0, "1").then(
        decision="mega"
    ).when(0, "0").then(decision="mega")
    assert not position.s.hand[0].any()
    position.when(0, "1").then(decision="main")
    assert position.s.hand[0, 57:60].tolist() == [1, 0, 1] and position.s.cards[0, 2] == 4


def test_discard():
    """OP-9.8 one card per decision until within capacity."""
    position = given(["O1 O1 O1 O1 O2 O2 O2"], factories={0: {}, 1: {}}).when(0, "end").when(1, "end")
    position.when(0, "drop O1").then(decision="discard").when(0, "drop O2").then(decision="main", turn=2)


def test_assign():
    """OP-9.9 the ranges leave all operators a place; forced numbers are no decision."""
    position = (
        given(factories={0: {"ore": 2, "water": 2, "new_chemicals": 2}}, population=[5])
        .when(0, "end")
        .when(1, "end")
    )
    position.then(decision="assign", legal=[1, 2]).when(0, "1").then(
        turn=2, operated={0: {"new_chemicals": 1, "water": 2, "ore": 2}}
    )


def test_honor_is_asked_only_where_it_can_be_paid():
    """OP-9.10 default and pay; see OP-8.3."""
    position = (
        given(["W9 W9 W9", "O1"], market={"nodule": 1}, options={"secret_overbidding": True})
        .when(0, "open nodule", "bid")
        .when(1, "pass")
    )
    position.then(decision="honor", seat=0, legal=[0, 1])


def test_terror_cards():
    """OP-9.11 DONE after the first card; the spending ends by itself with the last one."""
    position = given(
        ["O1 O2", "O1"],
        upgrades={1: {"nodule": 1}},
        factories={0: {}, 1: {}},
        options={"space_terrorism": True},
    ).when(0, "attack")
    position.when(0, "1", "3").then(decision="t_card", legal=[0, 1]).when(0, "card O1").then(
        legal=[1, 69]
    ).when(0, "card O2").then(decision="t_response")


def test_hidden_information():
    """OP-9.12 cards of others are seen by product, own ones by value; mega-cards, IOUs and discards are
    open."""
    position = given(["O1 W5", "O2 T13 mega:W iou:R", "R9"], discard="O5")
    view = position.view(0)[0]
    assert view.hand[0].tolist() == counts("O1 W5").tolist() and set(view.hand[1, :57].tolist()) == {-1}
    assert view.hand[1, 57:].tolist() == counts("mega:W iou:R").tolist()[57:]
    assert view.cards[1].tolist() == [1, 1, 1, 1, 0, 0, 0, 0, 0] and int(view.discard[4]) == 1
    assert (
        view.wealth[:3].tolist() == [6, -1, -1]
        and set(view.draw.tolist()) == {-1}
        and view.pile.tolist() == position.s.pile.tolist()
    )
    assert np.array_equal(Position().view(1)[0].order_turn1, Position().s.order_turn1)
