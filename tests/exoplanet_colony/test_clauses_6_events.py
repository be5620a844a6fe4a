"""EX-6 events: each test is titled by its clause."""

from __future__ import annotations

import pytest

from simkit.games.exoplanet_colony.facts import Where

from .positions import Position, given

SIX = [1, 8, 12, 15, 17, 27]
PLUS = {2: [2, 0, 0, 0], 3: [0, 2, 0, 0], 4: [0, 0, 2, 0], 5: [0, 0, 0, 2], 9: [-2, 0, 0, 0], 10: [0, -2, 0, 0],
        11: [0, 0, -2, 0], 12: [0, 0, 0, -2], 13: [-1] * 4, 51: [0, 0, 0, -5], 52: [0, -3, -3, 0]}  # fmt: skip


def event(number, base="", options=None, **more):
    """A position in which this event is revealed; the next one does nothing."""
    return given(base=base, events=[number, 0], at="event", options=options, **more)


def test_EX_6_1_an_event():
    """EX-6.1 the top card, its ops in order, then the event discard pile."""
    position = event(5).then(supply=[13, 13, 13, 15], events_n=24, event_pile=[5], active=1)
    position.then(log={"normal_events": 1}).end_turn().then(events_n=23, event_pile=[0, 5])


def test_EX_6_1_a_health_issue_stays():
    """EX-6.1 with the player."""
    position = event(26).then(issues={0: "flu", 1: ""}, event_pile=[], active=1, log={"health_drawn": 1})
    position.then(seat=1, events_n=24)


def test_EX_6_2_the_deck_is_empty():
    """EX-6.2 defeat when a card must be revealed, before the event window; actions and update are played."""
    position = given({0: [35, 0]}, events_n=0, seat=0).when("generate", "card 0")
    position.then(supply=[15, 13, 13, 13], over=False, left=3).when("pass")
    position.then(over=True, end="events_out", supply=[13, 11, 11, 11], hands={0: [35]}, step="event")
    given(events_n=1, at="event", events=[0]).then(over=False, events_n=0).end_turn().then(
        over=True, end="events_out"
    )


def test_EX_6_2_at_most_26_turns():
    """EX-6.2 with 25 events."""
    options = {"production_offset": 1, "supply_offset": 6, **{f"track_{i}": 4 for i in range(8)}}
    position = Position(options | {"characters": "none"}, seats=3).to_the_end()
    position.then(end="events_out", turn=26)
    fewer = (
        Position(options | {"piles": 2, "grace_turns": 3}).to_the_end().then(end="events_out", turn=3 + 11)
    )
    assert int(fewer.s.log.game.turns) == 14


@pytest.mark.parametrize(("grace", "turns"), [(0, 9), (2, 9), (3, 12), (6, 15)])
def test_EX_6_2_turns_with_rounds(grace, turns):
    """EX-6.2 at most grace + (E + 1) x K: two events, three seats; no event in a turn of grace."""
    options = {
        "piles": 2,
        "normals_per_pile": 1,
        "criticals_per_pile": 0,
        "event_per": "round",
        "grace_turns": grace,
    }
    position = Position(options | {"production_offset": 1, "supply_offset": 6}, seats=3).to_the_end()
    assert int(position.s.turn_no) == turns <= grace + 9 and position.facts()["end"] == "events_out"


def test_EX_6_2_no_defeat_in_a_turn_without_an_event():
    """EX-6.2 only when a card must be revealed."""
    rounds = given(events_n=0, seat=0, turn=1, seats=2, options={"event_per": "round"}).when("pass")
    rounds.then(over=False, active=1).when("pass").then(over=True, end="events_out")


def test_EX_6_3_event_cards_never_return():
    """EX-6.3 those revealed stay in the discard pile."""
    position = given(events=[0, 1, 2, 3])
    for n in range(1, 5):
        position.end_turn().then(event_pile=[0, 1, 2, 3][:n], events_n=25 - n)
    assert not set(position.facts()["events"]) & {0, 1, 2, 3}


@pytest.mark.parametrize("number", PLUS)
def test_EX_6_4_supply(number):
    """EX-6.4 amount, clipped, the level recomputed."""
    event(number).then(supply=[13 + n for n in PLUS[number]])
    low = event(number, supply=[1] * 4, options={"track_3": 2, "track_4": 2})
    low.then(supply=[max(0, 1 + n) for n in PLUS[number]], level=sum(n < 0 for n in PLUS[number]))
    event(number, supply=[19] * 4).then(supply=[min(20, 19 + n) for n in PLUS[number]])


def test_EX_6_4_nothing():
    """EX-6.4 an empty list: nothing happens."""
    event(1).then(supply=[13] * 4, prod=[-2] * 4, level=0, active=1, events_n=24)


@pytest.mark.parametrize("seats", [2, 5])
def test_EX_6_4_pawns_home(seats):
    """EX-6.4 all pawns to the Hub."""
    position = event(38, "16@(0,1) 17@(0,2)", pawns={0: 2, 1: 1}, seats=seats)
    position.then(pawns=dict.fromkeys(range(seats), 0))


SCENARIO = {  # weather, terrain, critical: supplies; the loss of critical: production of r on a module of a colour
    1: ([0, 0, 0, 1], [-1, 0, -1, 0], [0, 0, 0, -4], 3, 21),
    2: ([-1, 0, 0, 1], [0, -1, -1, 0], [-3, 0, 0, 0], 3, 21),
    3: ([0, -1, 0, -1], [0, -2, 0, 0], [0, -3, 0, 0], 1, 7),
    4: ([-1, 0, 0, -1], [0, 0, -2, 0], [0, 0, -3, 0], 0, 0),
}


@pytest.mark.parametrize("scenario", SCENARIO)
@pytest.mark.parametrize(("number", "key"), [(31, 0), (34, 0), (35, 1), (37, 1), (49, 2), (50, 2)])
def test_EX_6_4_scenario(scenario, number, key):
    """EX-6.4 the scenario's list is executed."""
    *lists, r, card = SCENARIO[scenario]
    options, base = {"scenario": scenario}, f"{card}@(0,1)"
    prod = [-2] * 4
    position = event(number, base, options, supply=[10] * 4, prod=list(prod))
    prod[r] -= key == 2
    position.then(supply=[10 + n for n in lists[key]], prod=prod)
    names = ["scenario_weather", "scenario_terrain", "scenario_critical"]
    position.then(log={name: int(i == key) for i, name in enumerate(names)})
    if key == 2:
        event(number, "", options).then(log={"loss_skipped": 1, "loss_placed": 0})


def test_EX_6_4_ops_in_order():
    """EX-6.4 one after the other; victory and defeat are looked at after each."""
    first = event(44, supply=[2, 9, 9, 9], alarms=[0, 0])
    first.then(over=True, end="skull", supply=[2, 9, 9, 9], level=3)
    second = event(44, supply=[2, 9, 9, 9], alarms=[0]).then(over=True, end="skull", supply=[0, 9, 9, 9])
    second.then(alarms=[0, 0], level=3)
    event(53, hands={0: [1, 2]}, issues={0: "migraine"}).then(
        issues={0: "migraine acute"}, decision="event_discard"
    )


def test_EX_6_4_two_losses():
    """EX-6.4 the first is placed before the second is looked at."""
    position = event(45, "16@(0,1) 17@(1,0)", prod=[-2, -4, -2, -2]).then(decision="event_place", seat=0)
    position.then(legal=["slot 1", "slot 2"]).when("slot 2").then(
        loss={1: "", 2: "water"}, prod=[-2, -5, -2, -2]
    )
    position.then(active=1, log={"loss_placed": 1, "loss_skipped": 1, "deficit_events": 1})


@pytest.mark.parametrize(
    ("number", "r", "colour"),
    [
        (15, 0, "red"), (16, 0, "blue"), (17, 0, "green"), (18, 1, "green"), (19, 1, "yellow"), (20, 1, "blue"),
        (21, 2, "green"), (22, 2, "blue"), (23, 3, "yellow"), (24, 3, "red"),
    ],
)  # fmt: skip
def test_EX_6_5_loss(number, r, colour):
    """EX-6.5 the active player chooses among the modules of the colour; token placed, production -1."""
    slots = {"red": [1, 5], "blue": [2, 6], "green": [3, 7], "yellow": [4, 8]}[colour]
    base = "0@(0,1) 7@(1,1) 14@(2,1) 21@(3,1) 1@(4,1) 8@(5,1) 15@(6,1) 22@(7,1)"
    position = event(number, base, prod=[-2] * 4, seats=3, seat=1).then(decision="event_place", seat=1)
    position.then(legal=[f"slot {slot}" for slot in slots]).when(f"slot {slots[1]}")
    prod = [-2] * 4
    prod[r] -= 1
    name = ["oxygen", "water", "food", "energy"][r]
    position.then(prod=prod, loss={slots[0]: "", slots[1]: name}, active=2, log={"loss_placed": 1})
    assert position.facts()["loss_left"][r] == 2


def test_EX_6_5_where_nothing_happens():
    """EX-6.5 no candidate, no token, production -5."""
    event(15, "7@(0,1)", prod=[-2] * 4).then(prod=[-2] * 4, log={"loss_skipped": 1, "loss_placed": 0})
    three = {"loss": {1: "oxygen oxygen oxygen"}, "prod": [-2] * 4}
    event(15, "0@(0,1)", **three).then(prod=[-2] * 4, loss_left=[0, 3, 3, 3], log={"loss_skipped": 1})
    event(15, "0@(0,1)", prod=[-5, -2, -2, -2]).then(loss={1: ""}, log={"loss_skipped": 1})
    event(15, "0@(0,1)", prod=[-4, -2, -2, -2]).then(loss={1: "oxygen"}, log={"loss_skipped": 0})
    event(15, "0@(0,1)", options={"loss_tokens": 0}).then(loss={1: ""}, log={"loss_skipped": 1})


def test_EX_6_5_several_tokens_and_modules_that_are_off():
    """EX-6.5 allowed."""
    event(15, "0@(0,1)", loss={1: "oxygen water"}, prod=[-2] * 4).then(loss={1: "oxygen oxygen water"})
    off = event(15, "0@(0,1)", off=[1]).then(loss={1: "oxygen"}, prod=[-3, -2, -2, -2])
    off.then(off=[1])


def test_EX_6_6_emergency():
    """EX-6.6 the active player chooses; level +1 at once; nothing without a token."""
    position = event(42, "0@(0,1) 1@(0,2)", seat=1, prod=[-2] * 4).then(
        decision="event_place", seat=1, level=0
    )
    position.then(legal=["slot 1", "slot 2"]).when("slot 1")
    position.then(alarms=[1], level=1, emerg_left=2, active=0, left=3, log={"emergencies_placed": 1})
    event(42, "0@(0,1)", alarms=[1]).then(alarms=[1, 1], level=2)
    none = event(41, alarms=[0, 0, 0], options={"track_3": 2, "track_4": 2})
    none.then(level=3, alarms=[0, 0, 0], log={"emergencies_skipped": 1, "emergencies_placed": 0})
    event(41, options={"emergency_tokens": 0}).then(level=0, log={"emergencies_skipped": 1})


ROW = "0@(0,1) 7@(0,2) 21@(1,0) 14@(2,0) 1@(1,1)"  # slots 1 to 5


@pytest.mark.parametrize(
    ("where", "at", "slots"),
    [
        ("red", 0, [1, 5]), ("blue", 0, [2]), ("green", 0, [4]), ("yellow", 0, [3]),
        ("red_or_hub", 0, [1, 5]), ("blue_or_hub", 3, [2]), ("green_or_hub", 0, [4]), ("yellow_or_hub", 2, [3]),
        ("hub", 3, [0]), ("here", 0, [0]), ("here", 4, [4]), ("any", 2, [0, 1, 2, 3, 4, 5]),
        ("farthest", 0, [2, 4, 5]), ("farthest", 1, [4]), ("farthest", 2, [4]), ("farthest", 4, [2]),
        ("farthest", 3, [2]), ("farthest", 5, [0, 2, 4]),
    ],
)  # fmt: skip
def test_EX_6_7_candidates(where, at, slots):
    """EX-6.7 by where: a colour, a colour or the Hub, hub, here, any, farthest."""
    position = given(base=ROW, pawns={0: at, 1: 4}, events=[39, 0], prod=[-2] * 4)
    position.rules.op_where[39, 0] = Where[where]
    position.when("pass")
    if len(slots) == 1:
        position.then(alarms=slots, active=1)
    else:
        position.then(decision="event_place", seat=0, legal=[f"slot {slot}" for slot in slots])


@pytest.mark.parametrize("where", ["red", "blue", "green", "yellow"])
def test_EX_6_7_a_colour_that_is_not_there(where):
    """EX-6.7 no candidate, but the Hub for X_or_hub."""
    card = {"red": 7, "blue": 14, "green": 21, "yellow": 0}[where]
    for suffix, alarms in (("_or_hub", [0]), ("", [])):
        position = given(base=f"{card}@(0,1)", events=[39, 0], prod=[-2] * 4)
        position.rules.op_where[39, 0] = Where[where + suffix]
        if alarms:
            position.when("pass").then(alarms=alarms, level=1)
    loss = event({"red": 15, "blue": 20, "green": 21, "yellow": 23}[where], f"{card}@(0,1)", prod=[-2] * 4)
    loss.then(loss={0: "", 1: ""}, log={"loss_skipped": 1})


def test_EX_6_7_farthest_walks_through_the_base():
    """EX-6.7 orthogonal steps through the base, not as the crow flies; of the active pawn."""
    ring = "0@(0,1) 7@(0,2) 21@(1,2) 14@(2,2) 1@(2,1)"  # (2,1) is 3 away in cells, 6 on foot
    event(40, ring, prod=[-2] * 4).then(alarms=[5])
    event(40, ring, prod=[-2] * 4, pawns={0: 5, 1: 2}).then(alarms=[0])
    event(40).then(alarms=[0], level=1)
    event(40, "16@(0,1)", seat=1, pawns={0: 0, 1: 1}).then(alarms=[0])
    event(40, "16@(0,1)", off=[1]).then(alarms=[1])


def test_EX_6_8_the_active_player_discards():
    """EX-6.8 min(n, hand) cards, own choice."""
    position = event(7, hands={0: [1, 28, 33], 1: [4]}).then(decision="event_discard", seat=0)
    position.then(legal=["card 1", "card 28", "card 33"]).when("card 28")
    position.then(
        hands={0: [1, 33], 1: [4]}, pile=[28], active=1, log={"event_discards": 1, "limit_discards": 0}
    )
    event(7, hands={1: [4]}).then(hands={1: [4]}, pile=[], active=1, log={"event_discards": 0})
    event(7, hands={0: [4]}).then(hands={0: []}, pile=[4], active=1, decided=[])


def test_EX_6_8_everybody_discards():
    """EX-6.8 in seat order from the active one; who has no card is passed over."""
    hands = {0: [1, 2], 2: [3], 3: [4, 5], 4: [6, 7]}
    position = (
        event(8, hands=hands, seats=5, seat=3).then(decision="event_discard", seat=3, active=3).when("card 4")
    )
    position.then(seat=4).when("card 7").then(seat=0).when("card 1")
    position.then(pile=[4, 7, 1, 3], active=4, sizes=[1, 0, 0, 1, 1], log={"event_discards": 4})
    position.then(seat_log={0: {"event_discards": 1}, 1: {"event_discards": 0}, 2: {"event_discards": 1}})


def test_EX_6_8_several_cards():
    """EX-6.8 one by one; no more than he has."""
    position = given({0: [1, 2, 3], 1: [4]}, events=[8, 0])
    position.rules.op_amount[8, 0] = 2
    position.when("pass").then(decision="event_discard", seat=0).when("card 2").then(seat=0, pile=[2]).when(
        "card 1"
    )
    position.then(hands={0: [3], 1: []}, pile=[2, 1, 4], active=1)


def test_EX_6_8_draw():
    """EX-6.8 single cards, without the option draw_cards, with the limit after each."""
    options = {"draw_cards": 3}
    event(6, hands={1: [4]}, deck=[20, 21], options=options).then(
        hands={0: [20], 1: [4]}, log={"event_draws": 1}
    )
    full = event(6, hands={0: SIX}, deck=[20, 21]).then(decision="hand_discard", seat=0).when("card 20")
    full.then(hands={0: SIX}, active=1, log={"limit_discards": 1, "cards_drawn": 1, "draws": 0})
    two = given({0: SIX}, deck=[20, 21, 22], events=[6, 0])
    two.rules.op_amount[6, 0] = 2
    two.when("pass").then(decision="hand_discard", sizes=[7, 0], top=[21]).when("card 20")
    two.then(decision="hand_discard", sizes=[7, 0], top=[22]).when("card 21").then(pile=[20, 21], active=1)


def test_EX_6_8_everybody_draws():
    """EX-6.8 in seat order from the active one."""
    position = given(deck=[20, 21, 22], events=[6, 0], seats=3, seat=1)
    position.rules.op_what[6, 0] = 1
    position.when("pass").then(hands={1: [20], 2: [21], 0: [22]}, active=2, log={"event_draws": 3})
