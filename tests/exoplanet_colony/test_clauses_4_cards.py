"""EX-4.10 abilities, EX-4.11 items, EX-4.12 plans: each test is titled by its clause."""

from __future__ import annotations

import pytest

from .positions import CHARACTERS, given

QUIET = [0, 1]
SIX = [1, 8, 12, 15, 17, 27]
CROSS = "14@(0,1) 15@(1,0) 16@(0,-1) 17@(-1,0)"


# ---------------------------------------------------------------------------------------------- abilities


@pytest.mark.parametrize("character", CHARACTERS)
def test_EX_4_10_not_with_anxiety(character):
    """EX-4.10 one action; not with Anxiety, which forbids nobody else's."""
    all_legal = {
        "hands": {0: [14, 7, 8], 1: [1]}, "base": "16@(0,1) 17@(0,2)", "loss": {1: "water"}, "issues": {1: "flu"},
        "pawns": {2: 1}, "pile": [5], "seats": 3, "prod": [-2] * 4,
    }  # fmt: skip
    case = {**all_legal, "characters": {0: character}}
    given(**case).then(can=["ability"])
    given(**{**case, "issues": {1: "anxiety"}}).then(can=["ability"])
    given(**{**case, "issues": {0: "anxiety", 1: "flu"}}).then(cannot=["ability"])
    given(**{**case, "characters": {1: character}}).then(cannot=["ability"])


def test_EX_4_10_medic():
    """EX-4.10 one issue of any player, at any distance."""
    ill = {1: "flu", 2: "ankle acute", 0: "insomnia"}
    case = {
        "issues": ill,
        "base": "16@(0,1)",
        "pawns": {2: 1},
        "seats": 4,
        "characters": {0: "medic"},
        "left": 3,
    }
    position = (
        given(**case).when("ability").then(decision="ability_seat", legal=["seat 0", "seat 1", "seat 2"])
    )
    position.when("seat 2").then(decision="issue", legal=["heal ankle", "heal acute"]).when("heal acute")
    position.then(
        issues={0: "insomnia", 1: "flu", 2: "ankle"}, left=2, log={"health_removed": 1, "abilities": 1}
    )
    assert position.facts()["event_pile"] == [53]
    given(**{**case, "issues": {}}).then(cannot=["ability"])
    position.when("ability", "seat 0").then(issues={0: ""}, left=1)


def test_EX_4_10_medic_on_the_module():
    """EX-4.10 by option on the own module only."""
    options = {"medic_range": "module"}
    case = {"base": "16@(0,1)", "pawns": {1: 1}, "seats": 3, "characters": {0: "medic"}, "options": options}
    given(issues={1: "flu"}, **case).then(cannot=["ability"])
    given(issues={1: "flu", 0: "ankle", 2: "acute"}, **case).when("ability").then(legal=["seat 0", "seat 2"])


def test_EX_4_10_engineer():
    """EX-4.10 a repair on any module."""
    case = {"base": "14@(0,1) 16@(0,2) 17@(0,3)", "characters": {0: "engineer"}, "prod": [-2] * 4}
    position = given(loss={2: "water food"}, alarms=[0, 2], **case).when("ability")
    position.then(decision="ability_slot", legal=["slot 0", "slot 2"]).when("slot 2")
    position.then(decision="repair_token", legal=["token water", "token food", "token emergency"])
    position.when("token food").then(prod=[-2, -2, -1, -2], loss={2: "water"}, left=1, pawns={0: 0})
    position.then(log={"repairs": 0, "loss_fixed": 1}, seat_log={0: {"tokens_fixed": 1, "abilities": 1}})
    given(**case).then(cannot=["ability"])
    high = {**case, "prod": [-2, 3, -2, -2]}
    given(loss={2: "water"}, **high).then(cannot=["ability"])
    given(loss={2: "water", 1: "food"}, **high).when("ability").then(loss={1: "", 2: "water"})


@pytest.mark.parametrize(
    ("hand", "deployable"),
    [
        ([14, 7, 8], [7, 8, 14]),
        ([14, 7, 28], [7, 14]),
        ([14, 7, 0], [0, 7, 14]),
        ([14, 7], []),
        ([14, 28, 29], []),
        ([14, 32, 28], [14]),
        ([27, 28, 16], [27]),
        ([25, 0, 28, 29], [0]),
        ([25, 0, 14, 29], [0, 25]),
        ([25, 0, 28, 33], [0, 25]),
        ([25, 28, 33, 34], [25]),
    ],
)
def test_EX_4_10_architect(hand, deployable):
    """EX-4.10 one card of the cost may be any other card; two may not."""
    position = given({0: hand}, characters={0: "architect"}, prod=[-2] * 4)
    position.then(**{"can" if deployable else "cannot": ["ability"]})
    if len(deployable) > 1:
        position.when("ability").then(decision="deploy_card", legal=[34 + card for card in deployable])
    elif deployable:
        position.when("ability", "dir N").settle().then(modules=deployable)
        assert (0, "deploy_card") not in position.decided


def test_EX_4_10_architect_pays():
    """EX-4.10 the substitute is chosen while paying; without it his Deploy is the ordinary one."""
    position = given({0: [14, 7, 8, 28, 0]}, characters={0: "architect"}).when("ability", "card 14", "dir N")
    position.then(legal=["card 0", "card 7", "card 8", "card 28"]).when("card 28")
    position.then(legal=["card 7", "card 8"], pile=[28]).when("card 8")
    position.then(
        modules=[14], pile=[28, 8], hands={0: [0, 7]}, left=3, log={"deploys": 1, "ability_architect": 1}
    )
    plain = given({0: [14, 7, 8, 28, 0]}, characters={0: "architect"}).when(
        "ability", "card 14", "dir N", "card 7"
    )
    plain.then(legal=["card 0", "card 8", "card 28"]).when("card 8").then(pile=[7, 8], modules=[14])
    ordinary = given({0: [14, 7, 8, 28, 0]}, characters={0: "architect"}).when("deploy", "card 14", "dir N")
    ordinary.then(legal=["card 7", "card 8"])


def test_EX_4_10_architect_needs_space():
    """EX-4.10 Deploy by EX-4.4: a free cell, bounds."""
    full = given(
        {0: [14, 7, 28]}, "18@(0,1) 15@(1,0) 16@(0,-1) 17@(-1,0)", prod=[-2] * 4, characters={0: "architect"}
    )
    full.then(cannot=["ability"])
    bound = given({0: [14, 15, 28, 29]}, prod=[-2, -2, 2, -2], characters={0: "architect"})
    bound.then(cannot=["ability"])


def test_EX_4_10_pilot():
    """EX-4.10 the own pawn to any other module; an ankle does not matter."""
    position = given(
        base=CROSS, prod=[-2] * 4, pawns={0: 2}, characters={0: "pilot"}, issues={0: "ankle"}, left=1
    )
    position.when("ability").then(decision="ability_slot", legal=["slot 0", "slot 1", "slot 3", "slot 4"])
    position.when("slot 4").then(pawns={0: 4}, log={"actions": 1, "moves": 0})
    given(characters={0: "pilot"}).then(cannot=["ability"])


def test_EX_4_10_scientist():
    """EX-4.10 draw two, keep one, discard the other; then the limit."""
    position = given({0: SIX}, deck=[20, 30, 5], characters={0: "scientist"}).when("ability")
    position.then(decision="ability_card", legal=["card 20", "card 30"], sizes=[6, 0], top=[5])
    position.when("card 30").then(decision="hand_discard", pile=[20], sizes=[7, 0]).when("card 1")
    position.then(hands={0: [*SIX[1:], 30]}, pile=[20, 1], left=3, log={"cards_drawn": 2, "draws": 0})
    first = given(deck=[20], deck_n=1, pile_n=0, characters={0: "scientist"}).when("ability")
    first.then(hands={0: [20]}, pile=[], deck=[], left=3, decided=[(0, "main")])
    two = given(deck=[20], deck_n=1, pile=[6], characters={0: "scientist"}).when("ability", "card 6")
    two.then(hands={0: [6]}, pile=[20], deck=[], log={"reshuffles": 1})
    given(deck_n=0, pile_n=0, characters={0: "scientist"}).then(cannot=["ability"])


def test_EX_4_10_scientist_and_reshuffle():
    """EX-4.10 EX-4.14 after each: the second card empties the deck, the pile is reshuffled before the choice."""
    position = given(deck=[20, 4], deck_n=2, pile=[6, 7], characters={0: "scientist"}).when("ability")
    position.then(deck_n=2, pile=[], legal=["card 4", "card 20"]).when("card 4").then(pile=[20], deck_n=2)


def test_EX_4_10_communications_officer():
    """EX-4.10 Transfer with a player on another module."""
    hands = {0: [0], 1: [7, 8], 2: [14], 3: []}
    case = {
        "hands": hands,
        "base": "16@(0,1)",
        "pawns": {1: 1, 3: 1},
        "seats": 4,
        "characters": {0: "comms_officer"},
    }
    position = given(**case).when("ability").then(decision="ability_way", legal=["give", "take"])
    give = position.when("give").then(decision="give_partner", legal=["seat 1", "seat 3"]).when("seat 3")
    give.then(hands={0: [], 3: [0]}, left=3, log={"gives": 1, "takes": 0, "ability_comms_officer": 1})
    take = given(**case).when("ability", "take").then(decision="take_card", legal=["card 7", "card 8"])
    take.when("card 8").then(hands={0: [0, 8], 1: [7]}, left=3, log={"takes": 1})
    given(**{**case, "pawns": {}}).then(cannot=["ability"], can=["give", "take"])
    given(**{**case, "hands": {2: [14]}}).then(cannot=["ability"], can=["take"])
    only = given(**{**case, "hands": {0: [0], 2: [14]}}).when("ability").then(decision="give_partner")
    only.then(legal=["seat 1", "seat 3"])


def test_EX_4_10_a_transfer_after_a_relay():
    """EX-4.10 a Transfer is with a player on the same module again, also in a later turn."""
    hands = {0: [0, 1, 2], 1: [7], 2: [14]}
    position = given(hands, "16@(0,1)", pawns={1: 1}, seats=3, characters={0: "comms_officer"}, events=QUIET)
    position.when("ability", "give", "card 0").then(hands={0: [1, 2], 1: [0, 7]})
    position.when("give", "card 1").then(hands={0: [2], 1: [0, 7], 2: [1, 14]})
    position.when("ability", "take", "card 0").then(hands={0: [0, 2], 1: [7]}).when("take", "card 14")
    position.then(hands={0: [0, 2, 14], 2: [1]}, active=1)


def test_EX_4_10_biochemist():
    """EX-4.10 Generate with one more."""
    case = {"characters": {0: "biochemist"}, "supply": [10] * 4}
    given({0: [7]}, **case).when("ability").then(
        supply=[10, 13, 10, 10], pile=[7], left=3, log={"generates": 1}
    )
    given({0: [7]}, **case).when("generate").then(supply=[10, 12, 10, 10], log={"generates": 1})
    plan = given({0: [32]}, options={"generate_amount": 4}, **case).when("ability", "res food")
    plan.then(supply=[10, 10, 15, 10], log={"wild_gens": 1, "supply_made": 5})
    given({0: [7, 29]}, characters={0: "biochemist"}, supply=[9, 20, 9, 9]).then(cannot=["ability"])
    given({0: [7]}, characters={0: "biochemist"}, supply=[9, 18, 9, 9]).when("ability").then(
        supply=[9, 20, 9, 9]
    )


def test_EX_4_10_quartermaster():
    """EX-4.10 the top card of the discard pile; then the limit."""
    case = {"characters": {0: "quartermaster"}}
    given(pile=[3, 28, 5], **case).when("ability").then(hands={0: [5]}, pile=[3, 28], left=3)
    full = given({0: SIX}, pile=[3, 5], **case).when("ability").then(decision="hand_discard", sizes=[7, 0])
    full.when("card 27").then(pile=[3, 27], hands={0: sorted([*SIX[:5], 5])})
    given(**case).then(cannot=["ability"])
    last = given({0: [7, 8]}, **case).when("generate", "card 8", "ability").then(hands={0: [7, 8]}, pile=[])
    last.then(left=2)


# ------------------------------------------------------------------------------------------------- items


def test_EX_4_11_free():
    """EX-4.11 free, discarded before the effect, in the own Actions step only."""
    position = given({0: [29, 30]}, alarms=[0], deck=[1]).when("item", "card 30")
    position.then(decision="item_res", pile=[30]).when("res energy")
    position.then(supply=[13, 13, 13, 17], left=3, log={"items": 1, "item_supply_capsule": 1, "actions": 0})
    given({1: [29, 30, 28, 31]}, alarms=[0], issues={0: "flu"}, pile=[4]).then(cannot=["item"])
    update = given({0: [30, 34]}, at="update").then(decision="plan_window", legal=["pass", "card 34"])
    update.when("pass").then(hands={0: [30, 34]})


def test_EX_4_11_item_cost():
    """EX-4.11 by option each costs an action and needs one."""
    options = {"item_cost": 1}
    position = (
        given({0: [30]}, left=2, options=options).when("item", "res food").then(left=1, log={"actions": 1})
    )
    position.then(supply=[13, 13, 17, 13])
    given({0: [30, 33]}, deck=[1], left=1, options=options).when("draw").then(
        decision="main", legal=["pass", "plan"]
    )
    given({0: [30, 33]}, deck=[1], left=1).when("draw").then(decision="main", legal=["pass", "item", "plan"])


def test_EX_4_11_first_aid_kit():
    """EX-4.11 one issue of one player on the same module."""
    ill = {0: "ankle", 1: "flu acute", 2: "insomnia"}
    case = {"base": "16@(0,1)", "pawns": {2: 1}, "seats": 4}
    position = given({0: [28]}, issues=ill, left=2, **case).when("item")
    position.then(decision="item_seat", legal=["seat 0", "seat 1"], pile=[28]).when("seat 1")
    position.then(decision="issue", legal=["heal flu", "heal acute"]).when("heal flu")
    position.then(issues={0: "ankle", 1: "acute", 2: "insomnia"}, left=2, event_pile=[26])
    given({0: [28]}, issues={2: "insomnia"}, **case).then(cannot=["item"])
    own = (
        given({0: [28, 1]}, issues={0: "flu"}, **case)
        .when("item")
        .then(issues={0: ""}, pile=[28], decided=[(0, "main")])
    )
    own.then(hands={0: [1]}, log={"recovers": 0, "health_removed": 1})


def test_EX_4_11_tool_kit():
    """EX-4.11 one token of any module, bounds as Repair."""
    case = {"base": "14@(0,1) 16@(0,2) 17@(0,3)", "prod": [-2] * 4}
    position = given({0: [29]}, loss={3: "food", 2: "food"}, alarms=[0], **case).when("item")
    position.then(decision="item_slot", legal=["slot 0", "slot 2", "slot 3"]).when("slot 3")
    position.then(loss={2: "food", 3: ""}, prod=[-2, -2, -1, -2], left=3, log={"repairs": 0, "loss_fixed": 1})
    given({0: [29]}, **case).then(cannot=["item"])
    given({0: [29]}, loss={3: "food"}, **{**case, "prod": [-2, -2, 3, -2]}).then(cannot=["item"])
    several = given({0: [29]}, loss={2: "food oxygen"}, alarms=[2], **case).when("item")
    several.then(decision="repair_token", legal=["token oxygen", "token food", "token emergency"])


@pytest.mark.parametrize(("amount", "energy"), [(1, 17), (4, 20), (8, 20)])
def test_EX_4_11_supply_capsule(amount, energy):
    """EX-4.11 one resource below 20; by option another amount."""
    options = {"item_supply_amount": amount}
    position = given({0: [30]}, supply=[20, 0, 19, 16], options=options).when("item")
    position.then(legal=["res water", "res food", "res energy"]).when("res energy")
    position.then(supply=[20, 0, 19, energy], log={"supply_made": energy - 16}, level=1)
    given({0: [30]}, supply=[20] * 4, options=options).then(cannot=["item"])
    wet = given({0: [30]}, supply=[20, 0, 19, 16], options=options).when("item", "res water")
    wet.then(supply=[20, amount, 19, 16], level=0, left=3)


def test_EX_4_11_printer():
    """EX-4.11 any card of the discard pile, the Printer goes there afterwards; then the limit."""
    position = given({0: [31, 1]}, pile=[5, 28, 32]).when("item").then(decision="item_take")
    position.then(legal=["card 5", "card 28", "card 32"]).when("card 28")
    position.then(hands={0: [1, 28]}, pile=[5, 32, 31], left=4)
    given({0: [31, 1]}).then(cannot=["item"])
    full = given({0: [31, *SIX[:5]]}, pile=[5]).when("item").then(hands={0: sorted([5, *SIX[:5]])}, pile=[31])
    full.then(decision="main", log={"limit_discards": 0})


# ------------------------------------------------------------------------------------------------- plans


def test_EX_4_12_window_start():
    """EX-4.12 before the allowance is computed: the active player first, then in seat order."""
    position = given({2: [32], 0: [33]}, "16@(0,1)", at="start", seat=1, seats=3)
    position.then(decision="plan_window", seat=2, active=1, left=0, legal=["pass", "card 32"]).when("pass")
    position.then(decision="plan_window", seat=0, legal=["pass", "card 33"]).when("pass").then(seat=1, left=4)


def test_EX_4_12_window_main():
    """EX-4.12 an id of MAIN, for the active player; Rationing and Contingency are not for it."""
    given({0: [34, 35]}, "16@(0,1)").then(cannot=["plan"])
    position = given({0: [32, 33, 34, 35]}, "16@(0,1)").when("plan").then(decision="plan_card")
    position.then(legal=["card 32", "card 33"])


def test_EX_4_12_window_act():
    """EX-4.12 after each finished MAIN choice that leaves an action, for the others only, from the next seat."""
    case = {
        "hands": {0: [30, 0], 1: [], 2: [33], 3: [32]},
        "base": "16@(0,1)",
        "seats": 4,
        "seat": 1,
        "deck": [2],
    }
    position = (
        given(**{**case, "left": 2}).when("draw").then(decision="plan_window", seat=2, active=1, left=1)
    )
    position.when("pass").then(decision="plan_window", seat=3).when("pass").then(
        decision="main", seat=1, left=1
    )
    given(**{**case, "left": 1}).when("draw").then(step="update", decision="plan_window", seat=2)
    own = given({1: [33, 32]}, "16@(0,1)", seats=4, seat=1, left=2).when("draw").then(decision="main", left=1)
    own.when("plan", "card 33", "perm 012").then(decision="main", left=1, seat=1)


def test_EX_4_12_window_act_after_items_and_plans():
    """EX-4.12 after items and plans too, after a stop not."""
    case = {"base": "16@(0,1)", "seats": 2}
    given({0: [30], 1: [33]}, **case).when("item", "res food").then(decision="plan_window", seat=1, left=4)
    plan = (
        given({0: [32], 1: [33]}, **case).when("plan", "seat 0").then(decision="plan_window", seat=1, left=4)
    )
    plan.when("pass").then(decision="main", seat=0)
    given({1: [33]}, **case).when("pass").then(decision="plan_window", seat=1, step="update")
    last = given({0: [30], 1: [33]}, **case, left=1).when("draw", "item", "res food")
    last.then(decision="plan_window", step="update")


def test_EX_4_12_window_update():
    """EX-4.12 after the Actions step, before the update."""
    position = given({1: [33, 34], 0: [35]}, events=QUIET).when("pass")
    position.then(decision="plan_window", seat=1, step="update", legal=["pass", "card 33", "card 34"])
    position.when("card 34").then(decision="plan_window", seat=1, legal=["pass", "card 33"], pile=[34])
    position.when("pass").then(supply=[13] * 4, step="event", decision="plan_window", seat=0)


def test_EX_4_12_window_event():
    """EX-4.12 after the card is revealed and before its effect: anybody's Contingency."""
    position = given({2: [35], 0: [32, 33, 34]}, "16@(0,1)", seats=3, at="event", events=[51, 0])
    position.then(decision="plan_window", seat=2, legal=["pass", "card 35"], supply=[13] * 4, events_n=24)
    position.when("card 35").then(supply=[13] * 4, active=1, pile=[35], log={"plans": 1, "plans_offturn": 1})
    taken = given({2: [35]}, seats=3, at="event", events=[51, 0]).when("pass").then(supply=[13, 13, 13, 8])
    taken.then(hands={2: [35]}, log={"plans": 0, "events_cancelled": 0})


def test_EX_4_12_asked_again_until_he_passes():
    """EX-4.12 after playing one he is asked again; earlier players are not."""
    position = given({0: [33], 1: [32, 34]}, "16@(0,1)", at="update", events=QUIET)
    position.then(seat=0, legal=["pass", "card 33"]).when("pass").then(
        seat=1, legal=["pass", "card 32", "card 34"]
    )
    position.when("card 32", "seat 0").then(seat=1, legal=["pass", "card 34"], pawns={0: 1}, step="update")
    position.when("pass").then(step="actions", active=1, hands={0: [33], 1: [34]}, supply=[11, 10, 13, 11])
    assert position.facts()["decided"][-1] == (1, "plan_window")
    repeated = (
        given({0: [32, 33]}, "16@(0,1)", at="start")
        .when("card 33", "perm 012")
        .then(seat=0, legal=["pass", "card 32"])
    )
    repeated.when("card 32", "seat 1").then(decision="main", left=4)


def test_EX_4_12_option():
    """EX-4.12 by option only the active player's plans."""
    options = {"offturn_plans": False}
    hands = {0: [32, 34], 1: [33, 35]}
    position = given(hands, "16@(0,1)", at="start", options=options, events=[51, 0]).then(seat=0).when("pass")
    position.when("draw").then(decision="main", seat=0).when("pass").then(seat=0, step="update").when(
        "card 34"
    )
    position.then(seat=0, legal=["pass", "card 32"]).when("pass")
    position.then(
        supply=[13, 13, 13, 8], active=1, decision="plan_window", step="actions", log={"plans_offturn": 0}
    )


def test_EX_4_12_evacuation():
    """EX-4.12 any pawn to any other module; at least two slots."""
    case = {"seats": 3, "pawns": {1: 2}, "base": "14@(0,1) 16@(0,2)"}
    position = (
        given({0: [32]}, **case).when("plan").then(decision="plan_seat", legal=["seat 0", "seat 1", "seat 2"])
    )
    position.when("seat 1").then(decision="plan_slot", legal=["slot 0", "slot 1"], pile=[], hands={0: [32]})
    position.when("slot 1").then(
        pawns={0: 0, 1: 1, 2: 0}, pile=[32], left=4, log={"plan_evacuation": 1, "moves": 0}
    )
    given({0: [32]}).then(cannot=["plan"])
    given({0: [32]}, at="start").then(decision="main")
    other = (
        given({1: [32]}, **case, at="start")
        .then(seat=1)
        .when("card 32", "seat 0")
        .then(legal=["slot 1", "slot 2"], seat=1)
    )
    other.when("slot 2").then(pawns={0: 2}, left=4, seat=0)


@pytest.mark.parametrize(("n", "orders"), [(25, 6), (3, 6), (2, 2), (1, 0), (0, 0)])
def test_EX_4_12_forecast(n, orders):
    """EX-4.12 the top three events, or the two left; not with fewer."""
    position = given({0: [33]}, events_n=n, turn=1)
    if not orders:
        position.then(cannot=["plan"])
        return
    top = position.facts()["events"][:3]
    position.when("plan").then(
        decision="plan_perm", legal=range(99, 99 + orders), pile=[], known_events=min(n, 3)
    )
    position.when(98 + orders).then(next_events=top[::-1], known_events=min(n, 3), pile=[33], left=4)


@pytest.mark.parametrize(
    ("perm", "order"),
    [
        ("012", [0, 1, 2]),
        ("021", [0, 2, 1]),
        ("102", [1, 0, 2]),
        ("120", [1, 2, 0]),
        ("201", [2, 0, 1]),
        ("210", [2, 1, 0]),
    ],
)
def test_EX_4_12_forecast_orders(perm, order):
    """EX-4.12 entry j is which of the cards looked at comes as the j-th next."""
    events = [5, 9, 12, 1]
    position = given({0: [33]}, events=events).when("plan", f"perm {perm}")
    position.then(next_events=[*(events[i] for i in order), 1])


def test_EX_4_12_rationing():
    """EX-4.12 this turn's update is skipped entirely; the next one takes place."""
    position = (
        given({1: [34]}, issues={0: "infection"}, at="update", events=QUIET).then(seat=1).when("card 34")
    )
    position.then(supply=[13] * 4, pile=[34], active=1, log={"plan_rationing": 1, "plans_offturn": 1})
    position.end_turn().then(supply=[11] * 4)


def test_EX_4_12_contingency():
    """EX-4.12 no effect, the event is discarded; the next event has its effect."""
    position = given({0: [35]}, at="event", events=[53, 51, 0]).when("card 35")
    position.then(
        issues={0: ""}, hands={0: []}, event_pile=[53], log={"critical_events": 1, "events_cancelled": 1}
    )
    position.end_turn().then(supply=[11, 11, 11, 6])


def test_EX_4_12_sub_decisions_come_first():
    """EX-4.12 then the plan is discarded, then it acts."""
    position = given({0: [33]}, "16@(0,1)").when("plan").then(decision="plan_perm", hands={0: [33]}, pile=[])
    position.when("perm 210").then(pile=[33], hands={0: []})


def test_EX_4_12_no_plan_before_the_discard():
    """EX-4.12 the discard of the hand limit is immediate, the window comes after it."""
    position = given({0: SIX, 1: [33]}, deck=[20]).when("draw").then(decision="hand_discard", seat=0)
    position.when("card 20").then(decision="plan_window", seat=1)
