"""The worked examples of EX-16, with the numbers given there; each test is titled by its id."""

from __future__ import annotations

import pytest

from .positions import Position, given, rules_of

QUIET = [0, 1]  # events without effect
SIX = [1, 8, 12, 15, 17, 27]  # a hand of six modules


def test_X1_draw_take_and_deploy():
    """X1 (EX-4.2, 4.3, 4.4)."""
    position = given({1: [11, 0]}, deck=[14, 7], events=QUIET).then(left=4, hands={0: []}, prod=[-2] * 4)
    position.when("draw").then(hands={0: [14]}, cannot=["deploy"])
    position.when("draw").then(hands={0: [7, 14]}, cannot=["deploy"])
    position.when("take", "card 11").then(hands={0: [7, 11, 14], 1: [0]}, left=1)
    assert position.decided[-2:] == [(0, "main"), (0, "take_card")]
    position.when("deploy").then(legal=["dir N", "dir E", "dir S", "dir W"])
    position.when("dir N").then(legal=["card 7", "card 11"]).when("card 7", "card 11")
    position.then(
        hands={0: [], 1: [0]}, pile=[7, 11], modules=[14], cells=[(0, 0), (0, 1)], prod=[-1, -2, 0, -3],
        log={"actions": 4, "idle_actions": 0}, turn=2, left=4,
    )  # fmt: skip


def test_X2_walk_repair_generate_heal():
    """X2 (EX-4.5, 4.7, 4.6, 4.10)."""
    position = given(
        {0: [2]}, "16@(0,1)", loss={1: "water"}, characters={0: "medic"}, issues={1: "flu"}, events=QUIET
    )
    position.then(prod=[-2, -4, 0, -2]).when("move N").then(pawns={0: 1}, left=3)
    position.when("repair").then(prod=[-2, -3, 0, -2], loss={1: ""}, left=2)
    position.when("generate").then(supply=[15, 13, 13, 13], hands={0: []}, pile=[2], left=1)
    position.when("ability").then(issues={1: ""}, log={"actions": 4, "idle_actions": 0, "health_removed": 1})
    assert 26 in position.facts()["event_pile"]
    assert position.decided == [(0, "main")] * 4, "the token, the card, the seat and the issue are forced"


def test_X3_update():
    """X3 (EX-5.1)."""
    given(supply=[9, 13, 13, 13], prod=[-3, 0, 0, 0], at="update", events=QUIET).then(supply=[6, 13, 13, 13])


@pytest.mark.parametrize("raised", [False, True])
def test_X4_a_supply_runs_out(raised):
    """X4 (EX-5.2, 5.3, 3.3)."""
    position = given({1: [7]}, supply=[13, 1, 13, 13], prod=[-1, 0, -1, -1], at="event", events=[52, *QUIET])
    position.then(supply=[13, 0, 10, 13], level=1, active=1, left=3)
    if raised:
        position.when("generate").then(supply=[13, 2, 10, 13], level=0, left=2)
    position.end_turn().then(active=0, left=4 if raised else 3)


def test_X5_a_resource_is_lost():
    """X5 (EX-6.5, 4.7)."""
    position = given(base="21@(0,1)", pawns={1: 1}, at="event", events=[19, *QUIET])
    position.then(prod=[-2, -3, -2, 0], loss={1: "water"}, active=1)
    position.when("repair").then(prod=[-2, -2, -2, 0], loss={1: ""})
    without = given(base="16@(0,1)", at="event", events=[19, *QUIET])
    without.then(prod=[-2, -3, 0, -2], loss={0: "", 1: ""}, log={"loss_skipped": 1})


def test_E1_bounds():
    """E1 (EX-4.1)."""
    hand = {0: [14, 7, 8]}
    given(hand, prod=[-2, -2, 2, -2]).then(cannot=["deploy"])
    given(hand, prod=[-2, -2, 1, -2]).then(can=["deploy"])
    position = given(hand, prod=[-2, -2, 1, -2]).when("deploy", "dir N", "card 7", "card 8")
    position.then(prod=[-1, -2, 3, -3])
    given(hand, prod=[-2, -2, 1, -5]).then(cannot=["deploy"])
    given(hand, prod=[-2, -2, 1, -4]).then(can=["deploy"])


def test_E2_paying():
    """E2 (EX-4.4)."""
    given({0: [14, 7, 32]}).when("deploy", "card 14", "dir N").settle().then(modules=[14], hands={0: []})
    given({0: [14, 7, 28]}).then(cannot=["deploy"])
    position = given({0: [14, 7, 8, 32]}).when("deploy", "card 14", "dir E")
    position.then(decision="deploy_pay", legal=["card 7", "card 8", "card 32"])
    given({0: [9, 10, 0]}).then(cannot=["deploy"])


def test_E3_architect():
    """E3 (EX-4.10)."""
    position = given({0: [14, 7, 28]}, characters={0: "architect"}).then(cannot=["deploy"], can=["ability"])
    position.when("ability").then(decision="deploy_card", legal=["card 7", "card 14"])
    position.when("card 14", "dir N").settle().then(modules=[14], hands={0: []})
    other = given({0: [14, 7, 28]}, characters={0: "architect"}).when("ability", "card 7", "dir N").settle()
    other.then(modules=[7], hands={0: []}, prod=[-2, 0, -2, -3])
    assert set(other.facts()["pile"]) == {14, 28}


@pytest.mark.parametrize("n", [1, 5])
def test_E4_last_card(n):
    """E4 (EX-4.14)."""
    position = given({0: SIX}, deck=[20], deck_n=1, pile_n=n).when("draw")
    position.then(
        decision="hand_discard", seat=0, deck_n=n, pile=[], legal=[34 + c for c in sorted([*SIX, 20])]
    )
    position.when("card 20").then(deck_n=n, pile=[20], hands={0: SIX}, log={"reshuffles": 1})


def test_E5_simultaneous_update():
    """E5 (EX-5.1)."""
    position = given(supply=[0, 1, 5, 0], prod=[-1, -1, 1, 2], at="update", events=QUIET)
    position.then(supply=[0, 0, 6, 2], level=2, over=False, log={"max_level": 0})
    lost = given(supply=[0, 1, 5, 0], prod=[-1, -1, 1, 0], at="update", events=QUIET)
    lost.then(over=True, end="skull", level=3, supply=[0, 0, 6, 0])


@pytest.mark.parametrize(
    ("loss", "prod"), [({}, [-2, -5, -2, -2]), ({0: "water", 1: "water water"}, [-2, -4, -2, -2])]
)
def test_E6_loss_token_limits(loss, prod):
    """E6 (EX-6.5)."""
    position = given(base="16@(0,1)", loss=loss, prod=prod, at="event", events=[18, *QUIET])
    position.then(prod=prod, active=1, log={"loss_skipped": 1, "loss_placed": 0})
    assert int(position.s.slot_loss.sum()) == (3 if loss else 0)


def test_E7_emergency_on_the_hub():
    """E7."""
    position = given(alarms=[0], events=QUIET).then(left=3, level=1)
    position.when("repair").then(left=2, level=0, alarms=[]).end_turn().then(active=1, left=4)


def test_E8_victory_inside_the_turn():
    """E8 (EX-8.1)."""
    position = given(loss={0: "water"}, prod=[0, -1, 0, 0], supply=[5, 6, 7, 8], events_n=9).when("repair")
    position.then(
        over=True, end="self_sustaining", score=[10, 10], rank=[1, 1], supply=[5, 6, 7, 8], events_n=9,
        log={"won": 1, "margin": 10},
    )  # fmt: skip
    assert int(position.s.log.game.end_step) == 1, "in the Actions step"


def test_E9_event_deck_empty():
    """E9 (EX-6.2, 9.2)."""
    position = given(events_n=0, seat=1).then(turn=26, left=4).when("draw", "pass")
    position.then(over=True, end="events_out", score=[-8, -8], rank=[0, 0], supply=[11] * 4, turn=26)
    lost = given(events_n=0, seat=1, supply=[2, 1, 2, 9]).when("pass")
    lost.then(over=True, end="skull", score=[-8, -8], turn=26)


def test_E10_give_to_a_full_hand():
    """E10."""
    position = given({0: [0], 1: SIX}).when("give").then(decision="hand_discard", seat=1, active=0)
    position.then(legal=[34 + c for c in [0, *SIX]]).when("card 8")
    position.then(hands={0: [], 1: [0, 1, 12, 15, 17, 27]}, seat=0, decision="main", left=3, pile=[8])


def test_E11_switch():
    """E11 (EX-4.8)."""
    position = given(base="14@(0,1)", loss={1: "water"}, pawns={0: 1}).then(
        prod=[-1, -3, 0, -3], can=["switch"]
    )
    position.when("switch").then(prod=[-2, -3, -2, -2], loss={1: "water"}, off=[1], shut_left=2)
    position.when("repair").then(prod=[-2, -2, -2, -2], loss={1: ""}, off=[1])
    off = {"base": "14@(0,1)", "pawns": {0: 1}, "off": [1]}
    given(**off, prod=[-2, -2, 2, -2]).then(cannot=["switch"])
    given(**off, prod=[-2, -2, 1, -2]).then(can=["switch"]).when("switch").then(prod=[-1, -2, 3, -3], off=[])
    given(base="14@(0,1)").then(cannot=["switch"])
    four = "14@(0,1) 15@(0,2) 16@(0,3) 17@(1,0)"
    given(base=four, off=[1, 2, 3], pawns={0: 4}, prod=[-1] * 4).then(cannot=["switch"])
    given(base=four, off=[1, 2], pawns={0: 4}, prod=[-1] * 4).then(can=["switch"])


def test_E12_migraine_and_sprained_ankle():
    """E12."""
    position = given({0: SIX}, at="event", events=[29, *QUIET]).then(
        decision="hand_discard", seat=0, limits=[4, 6]
    )
    position.when("card 1").then(decision="hand_discard", seat=0).when("card 8")
    position.then(hands={0: [12, 15, 17, 27]}, active=1, pile=[1, 8])
    ankle = {"base": "16@(0,1)", "issues": {0: "ankle"}, "events": QUIET}
    given(**ankle, left=1).then(cannot=["move N"])
    given(**ankle, left=2).when("move N").then(pawns={0: 1}, active=1, log={"actions": 2, "idle_actions": 0})
    given(**ankle, left=3).when("move N").then(left=1)


def test_E13_flu():
    """E13 (EX-7.3)."""
    crew = {"hands": {0: [1], 1: [2], 2: [3]}, "issues": {1: "flu"}, "seats": 3}
    given(**crew).when("give").then(hands={0: [], 1: [2], 2: [1, 3]})
    given(**crew).when("take").then(hands={0: [1, 3], 1: [2], 2: []})
    given(**crew, seat=1).then(cannot=["give", "take"])


def test_E14_allowance():
    """E14 (EX-3.3)."""
    given(supply=[0, 0, 13, 13]).then(level=2, left=2)
    given(supply=[0, 0, 13, 13], issues={0: "insomnia acute"}).then(level=2, left=1)


def test_E15_farthest():
    """E15."""
    base = "14@(0,1) 7@(0,2) 8@(1,0)"
    given(base=base, at="event", events=[39, *QUIET]).then(alarms=[2])
    given(base=base, at="event", events=[39, *QUIET], pawns={0: 1}).then(alarms=[3])


def test_E16_contingency_and_rationing():
    """E16."""
    position = given({0: [35]}, at="event", events=[26, *QUIET]).then(decision="plan_window", seat=0)
    position.when("card 35").then(
        issues={0: "", 1: ""}, event_pile=[26], pile=[35], log={"events_cancelled": 1}
    )
    ill = {"hands": {0: [34]}, "issues": {0: "infection"}, "at": "update", "events": QUIET}
    given(**ill).when("card 34").then(supply=[13] * 4, active=1, pile=[34])
    given(**ill).when("pass").then(supply=[10, 10, 11, 11], active=1)


def test_E17_supply_of_20():
    """E17."""
    given({0: [0]}, supply=[19, 1, 1, 1]).when("generate").then(supply=[20, 1, 1, 1], log={"supply_made": 1})
    position = given({0: [0, 7, 14]}, supply=[20, 1, 1, 1]).when("generate")
    position.then(legal=["card 7", "card 14"])
    given({0: [0]}, supply=[20, 1, 1, 1]).then(cannot=["generate"])
    full = given(supply=[19, 9, 9, 9], prod=[3, -1, -1, -1], at="update", events=QUIET)
    full.then(supply=[20, 8, 8, 8])


def test_E18_forecast():
    """E18."""
    position = (
        given({0: [33]}, events=[5, 9, 12]).when("plan").then(decision="plan_perm", legal=range(99, 105))
    )
    position.when(102).then(next_events=[9, 12, 5], pile=[33], left=4)


def test_E19_starting_hands():
    """E19 (EX-2.7)."""
    late = {"initial_hand": 3, "late_seat_cards": 1, "hand_limit": 4, "start_player": 1}
    Position(late, seats=3).then(sizes=[4, 3, 4], active=1, decision="main")
    chosen = Position({"initial_hand": 3, "hand_by_seats": True, "initial_choice": 2})
    chosen.then(sizes=[7, 7], decision="start_discard", seat=0, deck_n=22)
    for seat in (0, 0, 1, 1):
        chosen.then(decision="start_discard", seat=seat).passing()
    chosen.then(sizes=[5, 5], pile_n=4, turn=1, active=0)


def test_E20_rounds():
    """E20 (EX-3.6)."""
    update = {"options": {"update_per": "round"}, "seats": 3, "events": [0, 1, 5]}
    given(seat=1, **update).when("pass").then(supply=[13] * 4, active=2, log={"normal_events": 1})
    given(seat=2, **update).when("pass").then(supply=[11] * 4, active=0, log={"normal_events": 1})
    event = {"options": {"event_per": "round"}, "seats": 3, "events": [5, 0]}
    given(seat=1, **event).when("pass").then(supply=[11] * 4, active=2, events_n=25)
    given(seat=2, **event).when("pass").then(supply=[11, 11, 11, 13], active=0, events_n=24)
    grace = {"options": {"grace_turns": 2}, "seats": 3, "events": [5, 0]}
    given(seat=1, turn=2, **grace).when("pass").then(supply=[11] * 4, turn=3, events_n=25)
    given(seat=2, turn=3, **grace).when("pass").then(supply=[11, 11, 11, 13], turn=4, events_n=24)


def test_E21_three_cards_of_a_draw():
    """E21."""
    position = given({0: SIX[:5]}, deck=[20, 21, 22], options={"draw_cards": 3}).when("draw")
    position.then(decision="hand_discard", sizes=[7, 0], hands={0: sorted([*SIX[:5], 20, 21])}, top=[22])
    position.when("card 20").then(decision="hand_discard", hands={0: sorted([*SIX[:5], 21, 22])}, pile=[20])
    position.when("card 22").then(hands={0: sorted([*SIX[:5], 21])}, pile=[20, 22], left=3)


def test_E22_no_emergency_token_left():
    """E22."""
    position = given(alarms=[0], options={"emergency_tokens": 1}, at="event", events=[41, *QUIET])
    position.then(alarms=[0], level=1, log={"emergencies_skipped": 1, "emergencies_placed": 0}, active=1)


@pytest.mark.parametrize("stored", ["first", "second"])
def test_E23_scientist_and_the_last_card(stored):
    """E23."""
    position = given(characters={0: "scientist"}, deck=[4], deck_n=1, pile=[20, 21, 22]).when("ability")
    legal = position.then(decision="ability_card", deck_n=2, pile=[]).legal()
    assert len(legal) == 2 and 38 in legal
    other = next(action - 34 for action in legal if action != 38)
    keep, lost = (4, other) if stored == "first" else (other, 4)
    position.when(f"card {keep}").then(hands={0: [keep]}, pile=[lost], deck_n=2, left=3)


def test_E24_relay_when_only_giving_is_allowed():
    """E24."""
    position = given(
        {0: [5], 1: [6]},
        "16@(0,1)",
        pawns={1: 1},
        characters={0: "comms_officer"},
        options={"transfer": "give"},
    )
    position.then(cannot=["give", "take"], can=["ability"]).when("ability").settle()
    position.then(hands={0: [], 1: [5, 6]}, decided=[(0, "main")], left=3)


def test_E25_without_health_issues():
    """E25."""
    hands = {0: [1, 2], 1: [3], 2: [4, 5]}
    position = given(hands, seats=3, seat=1, options={"health": False}, at="event", events=[53, *QUIET])
    position.then(seat=2, decision="event_discard").when("card 5").then(seat=0).when("card 1")
    position.then(
        sizes=[1, 0, 1], issues={0: "", 1: "", 2: ""}, pile=[3, 5, 1], event_pile=[53], active=2,
        log={"health_drawn": 0, "event_discards": 3},
    )  # fmt: skip


def test_E26_a_short_track():
    """E26."""
    options = {"track_0": 2, "track_1": 0, "track_2": 3}
    assert int(rules_of(options)[0].skull) == 1
    position = given(options=options, supply=[1, 9, 9, 9]).then(left=2).when("pass")
    position.then(over=True, end="skull", level=1)
