"""OP-8 optional rules: the docstring of each test begins with its clause."""

from __future__ import annotations

import pytest

from simkit.errors import UsageError
from simkit.games.outpost import game

from .positions import batch, given

OVER = {"secret_overbidding": True}
TERROR = {"space_terrorism": True}
M140 = "MO50 MO50 OM40"


def test_mega_cards_by_rule_set():
    """OP-8.1 on in the Expert game, off in the Basic game, an option in both."""
    for options, megas in (
        ({}, False),
        ({"ruleset": "expert"}, True),
        ({"mega": True}, True),
        ({"ruleset": "expert", "mega": False}, False),
    ):
        assert bool(batch(options, "reference_greedy*4", 20)["log"]["game"]["megas"].any()) == megas


def test_research_storage():
    """OP-8.2 research_counts = false: research cards take no room."""
    position = given(
        ["R9 R9 R10 R10 R10 R11 R11"], factories={0: {}, 1: {}}, options={"research_counts": False}
    ).finish_turn()
    assert int(position.s.cards[0, 3]) == 7


def test_automatic_default():
    """OP-8.3 E15: a bid beyond the hand is legal; who cannot pay it defaults: the bid less the printed cost,
    no card, barred."""
    position = given([M140, "W10 W10"], market={"space_station": 1}, options=OVER)
    position.when(0, "open space_station").then(legal=[1, 2]).when(0, "jump", "6", "14").then(
        bid=230, seat=1
    ).when(1, "pass")
    position.then(
        decision="main",
        seat=0,
        market={"space_station": 1},
        log={"defaults": 1, "payments": 1, "sold": 0, "credits_paid": 140, "credits_overpaid": 30},
    )
    assert position.legal() == [0] and int(position.s.barred[0]) == 1 and int(position.s.bought[0]) == 0


def test_honour_or_default():
    """OP-8.3 who can pay chooses; a default costs at most the whole hand and frees the card for another
    opening."""
    for answer, sold in (("honor", 1), ("default", 0)):
        position = given(["W10 W10 W10", M140], market={"nodule": 1}, options=OVER).when(
            0, "open nodule", "bid"
        )
        position.when(1, "jump", "0", "4").then(bid=30).when(0, "pass").then(
            decision="honor", seat=1, legal=[0, 1]
        ).when(1, answer)
        position.then(
            decision="main",
            seat=0,
            log={"sold": sold, "defaults": 1 - sold},
            market={} if sold else {"nodule": 1},
        )
        assert (4 in position.legal()) == (not sold)
    position.when(0, "open nodule", "bid").then(decision="honor", seat=0).when(0, "1").then(
        upgrades={0: {"nodule": 1}}
    )


def test_a_default_without_a_penalty_is_no_payment():
    """OP-8.3 a default at the printed cost pays nothing: it is counted in defaults, not in payments (OP-15.1)."""
    position = given(["W10 W10 W10", "O1"], market={"nodule": 1}, options=OVER)
    position.when(0, "open nodule", "bid").when(1, "pass").then(bid=25, decision="honor", seat=0)
    position.when(0, "default").then(
        decision="main", log={"defaults": 1, "payments": 0, "credits_paid": 0, "sold": 0}
    )


def test_ceiling():
    """OP-8.3 no bid beyond overbid_ceiling."""
    position = given(["O1", "O1"], market={"moon_base": 1}, options={**OVER, "overbid_ceiling": 210}).when(
        0, "open moon_base", "jump"
    )
    position.then(legal=[0]).when(0, "0").then(legal=list(range(1, 11))).when(0, "10").then(
        decision="main", log={"defaults": 1, "credits_paid": 1}
    )


def attack(attack_cards, defence="", options=None, target="6", upgrades=None, **more):
    """Seat 0 attacks seat 1's robots card; seat 1 may defend."""
    position = given(
        [attack_cards, defence],
        upgrades={1: upgrades or {"robots": 1}},
        options={**TERROR, **(options or {})},
        **more,
    )
    position.when(0, "attack")
    if position.decision == "t_player":
        position.when(0, "1")
    position.when(0, target)
    for card in attack_cards.split():
        position.when(0, f"card {card}")
    return position


@pytest.mark.parametrize(
    ("attackers", "defence", "destroyed"),
    [
        ("MO50 MO50", "", 1),
        ("MO45 MO55", "O1 OM30", 1),
        ("MO50 MO50 MO55", "OM30", 0),
        ("MO50 MO50 MO60", "OM30", 1),
    ],
)
def test_attack(attackers, defence, destroyed):
    """OP-8.4 E16: destroyed if attack - 2 x defence >= 2 x cost; all spent cards are discarded; a survivor is
    immune this turn."""
    position = attack(attackers, defence)
    if position.decision == "t_response":
        position.then(seat=1, legal=[0, 1, 2])
        if defence == "OM30":
            position.when(1, "defend", "card OM30")
        else:
            position.when(1, "pass")
    position.then(
        decision="main",
        seat=0,
        upgrades={1: {"robots": 1 - destroyed}},
        log={"attacks": 1, "items_destroyed": destroyed},
    )
    assert int(position.s.immune[1, 6]) == 1 - destroyed and int(position.s.destroyed[6]) == destroyed
    assert position.fact("wealth")[0] == 0


def test_attack_needs_a_copy_that_is_not_immune():
    """OP-8.4 an immune copy cannot be attacked again this turn; others join or defend, once each, in purchase
    order."""
    position = given(
        ["O1 O2 O3", "W10", "W9"],
        upgrades={1: {"nodule": 1}},
        factories={0: {"ore": 1}, 1: {}, 2: {}},
        options=TERROR,
    )
    position.when(0, "attack")
    if position.decision == "t_player":
        position.when(0, "1")
    if position.decision == "t_item":
        position.when(0, "3")
    position.when(0, "card O1").then(decision="t_card", legal=position.legal()).when(0, "done")
    position.then(decision="t_response", seat=1).when(1, "defend", "card W10").then(
        decision="t_response", seat=2
    ).when(2, "join", "card W9")
    position.then(decision="main", seat=0, wealth=[5, 0, 0], upgrades={1: {"nodule": 1}})
    assert 22 not in position.legal()
    assert (
        int(position.s.log.game.credits_on_attack) == 10 and int(position.s.log.game.credits_on_defence) == 10
    )


def test_attack_on_a_factory():
    """OP-8.4 a factory is worth its purchase cost; the operated number falls with the owned one."""
    position = given(
        ["OM20", ""],
        factories={0: {}, 1: {"ore": 2, "water": 1}},
        operated={1: {"ore": 2, "water": 1}},
        options=TERROR,
    )
    position.when(0, "attack", "1")
    position.when(0, "13", "card OM20").then(factories={1: {"ore": 1}}, operated={1: {"ore": 1}})
    assert position.fact("score")[1] == 2


def test_losses():
    """OP-8.5 X15: population without housing is dismissed at step 6; technology lost stops new purchases
    only."""
    position = given([""], upgrades={1: {}}, population=[8, 3], factories={0: {"ore": 9}}, options=TERROR)
    position.finish_turn().then(population=[5, 3], operated={0: {"ore": 5}})
    given(["W10 W10 W10"], factories={0: {"titanium": 2}}, options=TERROR).then(
        legal=[0, 14, 15, 19, 22], problems=[]
    )


def test_death_spiral():
    """OP-8.6 once no upgrade is left in supply and market the limit falls by 10 each turn; the end reason
    says so."""
    position = given(
        factories={0: {"ore": 20}},
        upgrades={0: {"outpost": 3}},
        population=[20],
        options={"death_spiral": True},
    )
    limits = []
    while position.s.seat >= 0:
        position.finish_turn()
        limits.append(int(position.s.threshold))
    assert limits == [65, 55, 45, 35, 35] and position.fact("score")[0] == 35
    position.then(log={"end_reason": 3}, rank=[1, 2])
    given(market={"nodule": 1}, options={"death_spiral": True}).finish_turn().then(threshold=75)


def test_expert_uses_mega_cards_only():
    """OP-8.7 the Expert game has none of the other optional rules."""
    expert = game.resolve({"ruleset": "expert"})
    assert expert["mega"] and not (
        expert["secret_overbidding"] or expert["space_terrorism"] or expert["death_spiral"]
    )
    with pytest.raises(UsageError, match="unknown option"):
        game.resolve({"limited_card_availability": True})
