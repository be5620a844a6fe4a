"""EX-4.1 to EX-4.9 actions, EX-4.13 and EX-4.14 cards: each test is titled by its clause."""

from __future__ import annotations

from collections import Counter

import pytest

from .positions import given

QUIET = [0, 1]
SIX = [1, 8, 12, 15, 17, 27]
CROSS = "14@(0,1) 15@(1,0) 16@(0,-1) 17@(-1,0)"  # all cells next to the Hub


def test_EX_4_1_each_action_costs_one():
    """EX-4.1 one of the allowance each."""
    base = {"base": "16@(0,1)", "loss": {0: "water"}, "pawns": {1: 1}, "deck": [3]}
    for words in (["draw"], ["move N"], ["repair"], ["generate", "card 7"], ["deploy", "card 14", "dir E"]):
        given({0: [14, 7, 8]}, **base).when(*words).settle().then(left=3, log={"actions": 1})
    given(base="16@(0,1)", pawns={0: 1}).when("switch").then(left=3)
    given({0: [1], 1: [2]}).when("give").then(left=3)
    given({0: [1], 1: [2]}).when("take").then(left=3)
    given({0: [1, 2]}, issues={0: "flu"}).when("recover").settle().then(left=3)
    given(characters={0: "pilot"}, base="16@(0,1)").when("ability").then(left=3)


@pytest.mark.parametrize("r", range(4))
def test_EX_4_1_bounds_of_all_resources(r):
    """EX-4.1 no production leaves -5..+3 by it, checked on the final values of each resource."""
    effect = [1, 0, 2, -1]  # Hydroponic Farm
    for sign in (1, -1):
        if effect[r] * sign == 0:
            continue
        bound = 3 if effect[r] * sign > 0 else -5
        prod = [-1, -1, -1, -1]
        prod[r] = bound - sign * effect[r]
        over = list(prod)
        over[r] += 1 if bound == 3 else -1
        if sign == 1:
            given({0: [14, 7, 8]}, prod=prod).then(can=["deploy"])
            given({0: [14, 7, 8]}, prod=over).then(cannot=["deploy"])
        else:
            given(base="14@(0,1)", pawns={0: 1}, prod=prod).then(can=["switch"])
            given(base="14@(0,1)", pawns={0: 1}, prod=over).then(cannot=["switch"])


def test_EX_4_1_an_action_that_cannot_be_completed():
    """EX-4.1 a module that fits is needed, not any payable one."""
    position = given({0: [14, 15, 7, 8]}, prod=[-2, -2, 2, -2])
    position.then(cannot=["deploy"])
    other = given({0: [14, 7, 8, 2, 0, 21]}, prod=[-2, -2, 2, -2]).when("deploy")
    other.then(legal=["card 0", "card 2", "card 7", "card 8"])


def test_EX_4_2_draw():
    """EX-4.2 the top card of the deck; not when deck and discard pile are empty."""
    position = (
        given(deck=[5, 20]).when("draw").then(hands={0: [5]}, top=[20], log={"draws": 1, "cards_drawn": 1})
    )
    position.when("draw").then(hands={0: [5, 20]})
    given({0: [0]}, deck_n=0, pile_n=0).then(cannot=["draw"])
    given({0: [0]}, deck_n=0, pile=[9]).when("draw").then(
        hands={0: [0, 9]}, pile=[], deck=[], log={"reshuffles": 1}
    )
    given({0: [0]}, deck=[9], deck_n=1, pile_n=0).then(can=["draw"])


def test_EX_4_2_several_cards():
    """EX-4.2 by option that many one after the other, as far as there are any; one action."""
    options = {"draw_cards": 3}
    given(deck=[5, 20, 7, 1], options=options).when("draw").then(hands={0: [5, 7, 20]}, top=[1], left=3)
    few = given(deck=[5, 20], deck_n=2, pile_n=0, options=options).when("draw")
    few.then(hands={0: [5, 20]}, deck=[], left=3, log={"draws": 1, "cards_drawn": 2})
    more = given(deck=[5], deck_n=1, pile=[9, 10], options=options).when("draw")
    more.then(hands={0: [5, 9, 10]}, deck=[], pile=[], log={"reshuffles": 1})


def test_EX_4_3_transfer():
    """EX-4.3 one card of any kind, with a player on the same module."""
    hands = {0: [0, 28, 33], 1: [7, 29], 2: [14]}
    position = given(hands, "16@(0,1)", pawns={2: 1}, seats=3)
    position.when("give").then(decision="give_card", legal=["card 0", "card 28", "card 33"])
    position.when("card 28").then(hands={0: [0, 33], 1: [7, 28, 29]}, left=3, log={"gives": 1, "takes": 0})
    position.when("take").then(decision="take_card", legal=["card 7", "card 28", "card 29"])
    position.when("card 7").then(hands={0: [0, 7, 33], 1: [28, 29]}, left=2, log={"gives": 1, "takes": 1})
    position.then(seat_log={0: {"gives": 1, "takes": 1}, 1: {"gives": 0, "takes": 0}})
    together = given(hands, seats=3).when("take").then(legal=["seat 1", "seat 2"])
    together.when("seat 2").then(hands={0: [0, 14, 28, 33], 2: []})


def test_EX_4_3_what_is_needed():
    """EX-4.3 a card to give, a partner with a card to take."""
    given({1: [7]}).then(cannot=["give"], can=["take"])
    given({0: [7]}).then(can=["give"], cannot=["take"])
    given({0: [7], 1: [8]}, "16@(0,1)", pawns={1: 1}).then(cannot=["give", "take"])
    two = given({0: [7], 2: [8]}, seats=3).when("take").then(hands={0: [7, 8], 2: []})
    two.when("give").then(legal=["seat 1", "seat 2"])


@pytest.mark.parametrize(
    ("transfer", "can"), [("both", ["give", "take"]), ("give", ["give"]), ("take", ["take"]), ("none", [])]
)
def test_EX_4_3_option(transfer, can):
    """EX-4.3 by option; it governs the Communications Officer too."""
    options = {"transfer": transfer}
    cannot = [word for word in ("give", "take") if word not in can]
    given({0: [7], 1: [8]}, options=options).then(can=can, cannot=cannot)
    relay = given(
        {0: [7], 1: [8]}, "16@(0,1)", pawns={1: 1}, characters={0: "comms_officer"}, options=options
    )
    relay.then(**{"can" if can else "cannot": ["ability"]})
    if len(can) == 2:
        relay.when("ability").then(legal=["give", "take"])
    elif can:
        relay.when("ability").then(hands={0: [] if can == ["give"] else [7, 8]})


def test_EX_4_3_the_receiver_obeys_the_limit():
    """EX-4.3 the receiver chooses the discard: the taker his, the partner his."""
    taker = given({0: SIX, 1: [0, 2]}).when("take", "card 2").then(decision="hand_discard", seat=0)
    taker.when("card 2").then(hands={0: SIX, 1: [0]}, pile=[2], left=3)
    giver = given({0: [0], 1: SIX}).when("give").then(decision="hand_discard", seat=1, active=0)
    giver.when("card 0").then(hands={0: [], 1: SIX}, pile=[0], seat=0, active=0)


def test_EX_4_4_deploy():
    """EX-4.4 a module of the hand, a free cell next to the pawn's module, exactly the cost."""
    position = given({0: [14, 7, 8, 0, 22]}, "16@(0,1)", events=QUIET).when("deploy")
    position.then(decision="deploy_card", legal=["card 0", "card 7", "card 8", "card 14"])
    position.when("card 14").then(decision="deploy_dir", legal=["dir E", "dir S", "dir W"])
    position.when("dir W").then(decision="deploy_pay", legal=["card 7", "card 8"])
    position.when("card 8").then(
        modules=[16, 14], cells=[(0, 0), (0, 1), (-1, 0)], pile=[8, 7], hands={0: [0, 22]}
    )
    position.then(prod=[-1, -3, 2, -3], log={"deploys": 1, "deploy_green": 1}, off=[])


def test_EX_4_4_payments_in_the_chosen_order():
    """EX-4.4 the payments go to the discard pile one by one; a plan counts as any colour."""
    position = given({0: [25, 0, 14, 22, 33]}).when("deploy", "card 25", "dir N")
    position.then(legal=["card 0", "card 14", "card 22", "card 33"]).when("card 22")
    position.then(pile=[22], legal=["card 0", "card 14", "card 33"], modules=[]).when("card 33")
    position.then(pile=[22, 33], legal=["card 0", "card 14"]).when("card 14")
    position.then(pile=[22, 33, 14], modules=[25], hands={0: [0]}, prod=[-2, -2, -2, 0], log={"wild_pays": 1})


@pytest.mark.parametrize(
    ("hand", "card", "can"),
    [
        ([14, 7, 8], 14, True),
        ([14, 7, 15], 14, False),
        ([14, 7], 14, False),
        ([14, 32, 33], 14, True),
        ([14, 28, 29, 30, 31], 14, False),
        ([27, 14, 32], 27, True),
        ([27, 18, 19], 27, True),
        ([25, 0, 14, 26], 25, True),
        ([25, 0, 14, 27], 25, True),
        ([25, 0, 14], 25, False),
        ([21, 22, 0], 21, True),
        ([21, 0], 21, False),
        ([4, 5, 21], 4, True),
        ([4, 21], 4, False),
    ],
)
def test_EX_4_4_what_can_be_paid(hand, card, can):
    """EX-4.4 colour by colour; the module itself cannot pay, items cannot."""
    position = given({0: hand})
    if can:
        position.when("deploy")
        assert 34 + card in [*position.legal(), *(first[2] for first in position.forced)]
    elif 8 in position.legal():
        position.when("deploy")
        assert 34 + card not in [*position.legal(), *(first[2] for first in position.forced)]


def test_EX_4_4_free_cells():
    """EX-4.4 orthogonal adjacency only; no free cell, no Deploy; switched-off modules are neighbours too."""
    hand = {0: [18, 0, 19, 7, 8]}
    given(hand, CROSS, prod=[-2] * 4).then(cannot=["deploy"])
    given(hand, CROSS, prod=[-2] * 4, pawns={0: 1}).when("deploy", "card 18").then(
        legal=["dir N", "dir E", "dir W"]
    )
    given(hand, "14@(0,1)", pawns={0: 1}, off=[1], prod=[-2] * 4).when(
        "deploy", "card 18", "dir N"
    ).settle().then(cells=[(0, 0), (0, 1), (0, 2)])


def test_EX_4_4_neighbours_around_a_corner():
    """EX-4.4 a module placed beside two is next to both; EX-4.5 the pawn walks between them."""
    position = given({0: [18, 0, 19]}, "14@(0,1) 16@(1,0)", pawns={0: 1}, prod=[-2] * 4)
    position.when("deploy", "card 18", "dir E").settle().then(cells=[(0, 0), (0, 1), (1, 0), (1, 1)])
    position.when("move E").then(pawns={0: 3}).when("move S").then(pawns={0: 2}).when("move W").then(
        pawns={0: 0}
    )


def test_EX_4_4_a_long_base():
    """EX-4.4 no limit of the table: 28 modules in a row."""
    row = " ".join(f"{card}@({card + 1},0)" for card in range(28))
    position = given({0: [30, 31]}, row, prod=[-1] * 4, pawns={0: 28})
    position.when("move W").then(pawns={0: 27})
    assert position.facts()["cells"][28] == (28, 0)


def test_EX_4_4_deploy_anywhere():
    """EX-4.4 by option any free cell next to any module, with the slot as an extra decision."""
    options = {"deploy_anywhere": True}
    position = given({0: [18, 0, 19]}, CROSS, prod=[-2] * 4, options=options).when("deploy", "card 18")
    position.then(decision="deploy_slot", legal=["slot 1", "slot 2", "slot 3", "slot 4"]).when("slot 2")
    position.then(decision="deploy_dir", legal=["dir N", "dir E", "dir S"]).when("dir E").settle()
    position.then(cells=[(0, 0), (0, 1), (1, 0), (0, -1), (-1, 0), (2, 0)], pawns={0: 0})
    architect = given({0: [18, 0, 28]}, CROSS, prod=[-2] * 4, options=options, characters={0: "architect"})
    architect.then(cannot=["deploy"]).when("ability", "card 18").then(decision="deploy_slot")


def test_EX_4_5_move():
    """EX-4.5 N y+1, E x+1, S y-1, W x-1, to a module only."""
    position = given(base=CROSS, prod=[-2] * 4, options={"track_0": 6})
    for word, slot, back in (("N", 1, "S"), ("E", 2, "W"), ("S", 3, "N"), ("W", 4, "E")):
        first = given(base=CROSS, prod=[-2] * 4).when(f"move {word}").then(pawns={0: slot}, left=3)
        first.then(can=[f"move {back}"], cannot=[f"move {d}" for d in "NESW" if d != back])
    position.then(can=["move N", "move E", "move S", "move W"])
    given(base="14@(0,1)", off=[1]).when("move N").then(pawns={0: 1})
    given().then(cannot=["move N", "move E", "move S", "move W"])


def test_EX_4_5_sprained_ankle():
    """EX-4.5 costs 2; legal only with 2 actions left."""
    for left in (1, 2, 3, 4):
        position = given(base="14@(0,1)", issues={0: "ankle"}, left=left)
        position.then(**{"can" if left >= 2 else "cannot": ["move N"]})
    given(base="14@(0,1)", issues={0: "ankle"}).when("move N").then(left=2, log={"actions": 2, "moves": 1})
    given(base="14@(0,1)", issues={1: "ankle"}).when("move N").then(left=3)


@pytest.mark.parametrize(("card", "r"), [(0, 0), (7, 1), (14, 2), (21, 3)])
@pytest.mark.parametrize("amount", [1, 2, 4])
def test_EX_4_6_generate(card, r, amount):
    """EX-4.6 a module card for the resource of its colour."""
    supply = [10] * 4
    supply[r] += amount
    position = given({0: [card]}, supply=[10] * 4, options={"generate_amount": amount}).when("generate")
    position.then(
        supply=supply, pile=[card], hands={0: []}, left=3, log={"generates": 1, "supply_made": amount}
    )


def test_EX_4_6_a_plan_for_any_resource():
    """EX-4.6 any one below 20; items never."""
    position = given({0: [34, 28]}, supply=[20, 5, 19, 0]).when("generate").then(decision="gen_res")
    position.then(legal=["res water", "res food", "res energy"]).when("res energy")
    position.then(
        supply=[20, 5, 19, 2], level=0, pile=[34], log={"wild_gens": 1, "replenishments": 1, "plans": 0}
    )
    given({0: [34, 28]}, supply=[20] * 4).then(cannot=["generate"])
    given({0: [28]}, supply=[1] * 4).then(cannot=["generate"])


@pytest.mark.parametrize("r", range(4))
def test_EX_4_6_one_resource_below_20(r):
    """EX-4.6 modules of its colour and plans, no others; none at all when all are full."""
    hand = {0: [0, 7, 14, 21, 33]}
    supply = [20, 20, 20, 20]
    given(hand, supply=supply).then(cannot=["generate"])
    supply[r] = 5
    position = given(hand, supply=supply).when("generate").then(legal=[f"card {hand[0][r]}", "card 33"])
    supply[r] = 7
    position.when("card 33").then(supply=supply, hands={0: [0, 7, 14, 21]})


def test_EX_4_6_at_19():
    """EX-4.6 it rises to 20."""
    given({0: [7]}, supply=[9, 19, 9, 9]).when("generate").then(supply=[9, 20, 9, 9])
    given({0: [7, 8]}, supply=[9, 20, 9, 9]).then(cannot=["generate"])


def test_EX_4_7_repair():
    """EX-4.7 one token of the pawn's module, of those there."""
    position = given(base="14@(0,1)", loss={1: "water food"}, alarms=[1, 0], pawns={0: 1}, prod=[-2] * 4)
    position.then(level=2, left=2).when("repair")
    position.then(decision="repair_token", legal=["token water", "token food", "token emergency"])
    position.when("token emergency").then(level=1, alarms=[0], emerg_left=2, left=1, prod=[-2] * 4)
    position.when("repair").then(legal=["token water", "token food"]).when("token food")
    position.then(prod=[-2, -2, -1, -2], loss={1: "water"}, loss_left=[3, 2, 3, 3], log={"repairs": 2})
    given(base="14@(0,1)", loss={1: "water"}).then(cannot=["repair"])


def test_EX_4_7_not_at_three():
    """EX-4.7 a Loss token cannot be removed while its resource is at +3."""
    high = {"base": "14@(0,1)", "pawns": {0: 1}, "prod": [-2, 3, -2, -2]}
    given(loss={1: "water"}, **high).then(cannot=["repair"])
    given(loss={1: "water food"}, **high).when("repair").then(loss={1: "water"}, prod=[-2, 3, -1, -2])
    position = given(loss={1: "water food"}, alarms=[1], **high).when("repair")
    position.then(legal=["token food", "token emergency"])


def test_EX_4_7_two_of_a_kind():
    """EX-4.7 one at a time."""
    position = given(loss={0: "water water"}, alarms=[0, 0]).when("repair", "token water")
    position.then(loss={0: "water"}, prod=[-2, -3, -2, -2]).when("repair", "token emergency").then(
        alarms=[0], level=1
    )


def test_EX_4_8_switch():
    """EX-4.8 off: a token, the effect is subtracted; on: the token back, the effect is added."""
    position = given(base="14@(0,1)", pawns={0: 1}).then(prod=[-1, -2, 0, -3])
    position.when("switch").then(prod=[-2] * 4, off=[1], shut_left=2, log={"switch_off": 1, "switch_on": 0})
    position.when("switch").then(
        prod=[-1, -2, 0, -3], off=[], shut_left=3, log={"switch_off": 1, "switch_on": 1}
    )
    given(base="14@(0,1)").then(cannot=["switch"])
    icon = given(base="21@(0,1)", pawns={0: 1}, options={"scenario": 2}).then(prod=[-2, -2, -2, 0])
    icon.when("switch").then(prod=[-2, -2, -2, -3])


def test_EX_4_8_tokens_on_a_module_that_is_off():
    """EX-4.8 tokens of other kinds stay and keep working; meeting, moving, deploying are unrestricted."""
    position = given(
        {0: [18, 0, 19], 1: [1]}, "14@(0,1) 7@(0,2)", loss={1: "food"}, alarms=[1], pawns={0: 1, 1: 1}
    )
    position.then(prod=[-1, 0, -1, -4], level=1, left=3).when("switch").then(prod=[-2, 0, -3, -3], level=1)
    position.then(loss={1: "food"}, alarms=[1], can=["give", "take", "repair", "move N", "move S", "deploy"])


def test_EX_4_8_three_tokens():
    """EX-4.8 switching off needs one of the three."""
    base = "14@(0,1) 15@(0,2) 16@(0,3) 17@(0,4)"
    given(base=base, off=[1, 2, 3], pawns={0: 4}, prod=[-1] * 4).then(cannot=["switch"])
    given(base=base, off=[1, 2, 3], pawns={0: 3}, prod=[-1] * 4).then(can=["switch"], shut_left=0)


def test_EX_4_9_recover():
    """EX-4.9 choose an issue, discard two cards of any kind one by one."""
    position = given({0: [0, 28, 33]}, issues={0: "flu migraine", 1: "ankle"}).when("recover")
    position.then(decision="issue", legal=["heal flu", "heal migraine"]).when("heal migraine")
    position.then(decision="recover_card", legal=["card 0", "card 28", "card 33"]).when("card 28")
    position.then(pile=[28], issues={0: "flu migraine"}, legal=["card 0", "card 33"]).when("card 0")
    position.then(
        pile=[28, 0], issues={0: "flu", 1: "ankle"}, left=3, log={"recovers": 1, "health_removed": 1}
    )
    assert position.facts()["event_pile"] == [29]
    given({0: [0]}, issues={0: "flu"}).then(cannot=["recover"])
    given({0: [0, 1]}, issues={1: "flu"}).then(cannot=["recover"])
    given({0: [0, 1]}, issues={0: "flu"}).when("recover").settle().then(issues={0: ""}, hands={0: []})


@pytest.mark.parametrize("cards", [0, 1, 4])
def test_EX_4_9_option(cards):
    """EX-4.9 so many cards."""
    options = {"recover_cards": cards}
    hand = [0, 7, 14, 21][:cards]
    position = given({0: [*hand]}, issues={0: "flu"}, options=options).when("recover").settle()
    position.then(issues={0: ""}, hands={0: []}, pile_n=cards, left=3)
    if cards:
        given({0: hand[1:]}, issues={0: "flu"}, options=options).then(cannot=["recover"])


def test_EX_4_13_hand_limit():
    """EX-4.13 six, four with Migraine; one card at a time, own choice, until at the limit."""
    given(seats=3, issues={1: "migraine"}).then(limits=[6, 4, 6])
    given(issues={0: "migraine"}, options={"hand_limit": 3}).then(limits=[1, 3])
    given(options={"hand_limit": 10}).then(limits=[10, 10])
    position = given({0: SIX}, deck=[30]).when("draw").then(decision="hand_discard", seat=0, sizes=[7, 0])
    position.then(legal=[34 + c for c in [*SIX, 30]]).when("card 30")
    position.then(hands={0: SIX}, pile=[30], left=3, log={"limit_discards": 1})


def test_EX_4_13_falling_ill():
    """EX-4.13 at once: two cards; characters and issues do not count."""
    position = given(
        {0: [0], 1: SIX}, seat=1, issues={1: "flu"}, characters={1: "medic"}, at="event", events=[29, 0]
    )
    position.then(decision="hand_discard", seat=1, active=1).when("card 1").then(decision="hand_discard")
    position.when("card 8").then(sizes=[1, 4], active=0, log={"limit_discards": 2, "event_discards": 0})


def test_EX_4_13_in_other_turns():
    """EX-4.13 also in other players' turns."""
    ill = given({0: [0], 1: [1, 8, 12, 15]}, issues={1: "migraine"}).when("give")
    ill.then(decision="hand_discard", seat=1, active=0).when("card 0").then(sizes=[0, 4], seat=0)
    ill.then(seat_log={1: {"limit_discards": 1}, 0: {"limit_discards": 0}})


def test_EX_4_14_the_last_card():
    """EX-4.14 the discard pile becomes the deck before a discard of the hand limit."""
    position = given({0: SIX}, deck=[20], deck_n=1, pile=[2, 3, 28, 33]).when("draw")
    position.then(decision="hand_discard", pile=[], deck_n=4).when("card 20").then(pile=[20], deck_n=4)
    assert sorted(position.facts()["deck"]) == [2, 3, 28, 33]


def test_EX_4_14_an_empty_discard_pile():
    """EX-4.14 the reshuffle happens when the next card must be drawn."""
    position = given({0: SIX}, deck=[20], deck_n=1, pile_n=0).when("draw", "card 8")
    position.then(deck_n=0, pile=[8], can=["draw"], log={"reshuffles": 0}).when("draw")
    position.then(deck_n=0, pile=[], sizes=[7, 0], log={"reshuffles": 1}).when("card 8")
    position.then(pile=[8], deck_n=0)


def test_EX_4_14_items_and_plans_too():
    """EX-4.14 used ones are reshuffled."""
    position = given({0: [30, 33]}, deck=[20], deck_n=1, pile_n=0).when(
        "item", "res water", "plan", "perm 012"
    )
    position.when("draw").then(pile=[], deck_n=2)
    assert sorted(position.facts()["deck"]) == [30, 33]


def test_EX_4_14_shuffled():
    """EX-4.14 any order."""
    tops = Counter()
    for deal in range(40):
        position = given(deck=[20], deck_n=1, pile=[2, 3, 4], deal=deal).when("draw")
        tops[tuple(position.facts()["deck"])] += 1
    assert len(tops) == 6


def test_EX_4_14_nobody_can_draw():
    """EX-4.14 deck and discard pile empty: no Draw, no Scientist, events draw nothing."""
    empty = {"deck_n": 0, "pile_n": 0}
    given({0: [0]}, **empty, characters={0: "scientist"}).then(cannot=["draw", "ability"])
    given({0: [0]}, **empty, at="event", events=[6, 0]).then(hands={0: [0]}, log={"event_draws": 0})
    given({0: [0]}, deck_n=0, pile=[5], at="event", events=[6, 0]).then(
        hands={0: [0, 5]}, log={"event_draws": 1}
    )
