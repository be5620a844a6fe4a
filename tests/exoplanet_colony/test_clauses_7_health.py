"""EX-7 health issues: each test is titled by its clause."""

from __future__ import annotations

import pytest

from .positions import CHARACTERS, ISSUE_EVENTS, ISSUES, given

QUIET = [0, 1]
CREW = {"hands": {0: [1, 2], 1: [7, 8], 2: [14]}, "seats": 3}


@pytest.mark.parametrize("seat", [0, 1])
@pytest.mark.parametrize(("event", "issue"), list(zip(ISSUE_EVENTS, ISSUES, strict=True)))
def test_EX_7_1_put_before_the_active_player(seat, event, issue):
    """EX-7.1 when revealed."""
    position = given(
        seat=seat, at="event", events=[event, 0], issues={0: "flu" if issue != "flu" else "ankle"}
    )
    other = position.named_facts()["issues"](1 - seat)
    position.then(log={"health_drawn": 1})
    assert issue in position.named_facts()["issues"](seat).split() and issue not in other.split()


def test_EX_7_1_until_removed():
    """EX-7.1 by Recover, First Aid Kit or Medic; several at once."""
    position = given(
        {0: [28, 1, 2, 3]}, issues={0: "ankle flu acute"}, characters={0: "medic"}, supply=[13] * 4
    )
    position.then(left=2).when("ability", "heal acute").then(issues={0: "ankle flu"}, left=1)
    position.when("item", "heal flu").then(issues={0: "ankle"}, left=1)
    position.when("recover", "card 1", "card 2").then(issues={0: ""}, log={"health_removed": 3})
    stays = given(issues={0: "flu"}, events=QUIET).end_turn(2)
    stays.then(issues={0: "flu"})


@pytest.mark.parametrize("deal", range(5))
def test_EX_7_2_each_issue_on_one_event(deal):
    """EX-7.2 seven issues on seven events, so each at most once per game."""
    assert len(set(ISSUE_EVENTS)) == len(ISSUES) == 7
    position = given(issues={0: "flu ankle", 1: "acute"}, deal=deal)
    assert not {25, 26, 53} & set(position.facts()["events"])


def test_EX_7_3_ankle():
    """EX-7.3 Move costs 2, for the ill one only; Evacuation, Pilot and pawns_home are no Move."""
    case = {"base": "16@(0,1)", "issues": {0: "ankle"}}
    given(**case, left=1).then(cannot=["move N"])
    given(**case).when("move N", "move S").then(active=1, left=4, log={"actions": 4, "moves": 2})
    given(**case, seat=1).when("move N").then(left=3)


def test_EX_7_3_flu():
    """EX-7.3 no part in Transfers and Relays, neither way."""
    given(**CREW, issues={0: "flu"}).then(cannot=["give", "take"])
    given(**CREW, issues={2: "flu"}).when("give", "card 1").then(hands={0: [2], 1: [1, 7, 8], 2: [14]})
    given(**CREW, issues={2: "flu"}).when("take").then(decision="take_card", legal=["card 7", "card 8"])
    given(**CREW, issues={1: "flu", 2: "ankle"}).when("take").then(hands={0: [1, 2, 14]})
    given(**CREW, issues={1: "flu acute", 2: "ankle"}, seat=1).then(cannot=["give", "take"])
    relay = {**CREW, "base": "16@(0,1)", "pawns": {1: 1, 2: 1}, "characters": {0: "comms_officer"}}
    given(**relay, issues={0: "flu"}).then(cannot=["ability"])
    given(**relay, issues={1: "flu"}).when("ability", "take").then(hands={0: [1, 2, 14], 2: []})
    given(**relay, issues={1: "flu"}).when("ability", "give").then(decision="give_card")


@pytest.mark.parametrize(("issue", "lost"), [("insomnia", 1), ("acute", 2), ("insomnia acute", 3)])
def test_EX_7_3_insomnia_and_acute_illness(issue, lost):
    """EX-7.3 allowance -1, -2; at least 1."""
    for actions in (1, 2, 4, 6):
        position = given(issues={0: issue}, options={"track_0": actions}, at="start", events=QUIET)
        position.then(left=max(1, actions - lost)).end_turn().then(active=1, left=actions)


def test_EX_7_3_not_in_the_turn_in_which_it_comes():
    """EX-7.3 it acts from the next own turn on, the allowance being fixed."""
    position = given(at="event", events=[27, 0, 1]).then(active=1, left=4, issues={0: "insomnia"})
    position.end_turn().then(active=0, left=3)


@pytest.mark.parametrize("character", CHARACTERS)
def test_EX_7_3_anxiety(character):
    """EX-7.3 no Special ability; what everybody can do remains."""
    case = {"hands": {0: [14, 7, 8]}, "base": "16@(0,1)", "loss": {0: "water"}, "pile": [5], "prod": [-2] * 4}
    given(**case, issues={0: "anxiety"}, characters={0: character}).then(
        cannot=["ability"], can=["draw", "deploy", "generate", "repair", "recover", "move N"]
    )
    given(**case, issues={1: "anxiety"}, characters={0: "engineer"}).then(can=["ability"])


def test_EX_7_3_migraine():
    """EX-7.3 hand limit -2, discard at once."""
    hand = [1, 8, 12, 15, 17]
    given({0: hand}, at="event", events=[29, 0]).then(decision="hand_discard", seat=0, limits=[4, 6]).when(
        "card 17"
    ).then(hands={0: hand[:4]}, active=1)
    given({0: hand[:4]}, at="event", events=[29, 0]).then(active=1, hands={0: hand[:4]})
    healed = given({0: [28, *hand[:3]]}, issues={0: "migraine"}, deck=[2]).when("item", "draw")
    healed.then(limits=[6, 6], hands={0: [1, 2, 8, 12]})


def test_EX_7_3_infection():
    """EX-7.3 after the update of each own turn oxygen and water -1 more, a separate change."""
    ill = {"issues": {0: "infection"}, "at": "update", "events": QUIET}
    given(**ill, supply=[9] * 4).then(supply=[6, 6, 7, 7], active=1)
    given(**ill, supply=[9] * 4, seat=1).then(supply=[7, 7, 7, 7], active=0)
    given(**ill, supply=[20, 20, 5, 5], prod=[3, 3, -1, -1]).then(supply=[19, 19, 4, 4])
    given(**ill, supply=[1, 0, 5, 5], prod=[1, 1, -1, -1]).then(
        supply=[1, 0, 4, 4], level=1, log={"depletions": 1}
    )
    given(**ill, supply=[1, 0, 5, 5], prod=[-1, -1, -1, -1]).then(supply=[0, 0, 4, 4], level=2)
    brink = given(**ill, supply=[0, 0, 1, 5], prod=[1, 0, -1, 0])
    brink.then(over=True, end="skull", supply=[0, 0, 0, 5])


def test_EX_7_3_option():
    """EX-7.3 by option the op does nothing; other ops take place, the card is discarded."""
    options = {"health": False}
    for event in ISSUE_EVENTS[:6]:
        position = given({0: [1, 2]}, options=options, at="event", events=[event, 0])
        position.then(
            issues={0: ""}, event_pile=[event], active=1, hands={0: [1, 2]}, log={"health_drawn": 0}
        )
    acute = given({0: [1, 2]}, options=options, at="event", events=[53, 0]).then(decision="event_discard")
    acute.when("card 1").then(issues={0: ""}, event_pile=[53], active=1)
