"""Positions by hand are what they say."""

from .positions import given, members


def test_a_position_in_words():
    """Cards, base, tokens, levels, crew, events, turn as named; the invariants hold."""
    position = given(
        {0: [14, 32], 2: [28]}, "16@(0,1) 7@(0,2) 21@(-1,0)", deck=[11, 0], pile=[2, 3], loss={1: "water water", 0: "food"},
        alarms=[3], off=[2], pawns={0: 1, 1: 3}, characters={1: "medic"}, issues={2: "flu acute"},
        events=[39, 7], known_events=1, supply=[0, 5, 20, 1], seat=1, seats=3,
    )  # fmt: skip
    position.then(
        hands={0: [14, 32], 1: [], 2: [28]}, modules=[16, 7, 21], cells=[(0, 0), (0, 1), (0, 2), (-1, 0)],
        top=[11, 0], pile=[2, 3], loss={0: "food", 1: "water water", 2: ""}, alarms=[3], off=[2], pawns={0: 1, 1: 3, 2: 0},
        characters={0: "none", 1: "medic"}, issues={0: "", 2: "flu acute"}, next_events=[39, 7], known_events=1, events_n=23,
        supply=[0, 5, 20, 1], prod=[-2, -5, -1, 0], level=2, left=2, seat=1, active=1, decision="main", event_pile=[],
        deck_n=36 - 3 - 3 - 2,
    )  # fmt: skip
    assert (int(position.s.turn_no) - 1) % 3 == 1 and int(position.s.turn_no) >= 3


def test_named_productions():
    """Productions as named, whatever the base adds."""
    given(base="14@(0,1)", prod=[-1, 3, 1, -5]).then(prod=[-1, 3, 1, -5], score=[-6, -6])


def test_piles_of_events_stay():
    """Named events change places with those of their pile where that can be; each pile keeps one critical."""
    position = given(events=[39, 0, 1, 2, 3, 40, 53], deal=2)
    events = position.facts()["events"]
    assert events[:7] == [39, 0, 1, 2, 3, 40, 53] and len(set(events)) == 25
    assert sum(event >= 39 for event in events) == 5
    for deal in range(5):
        events = given(events=[0, 1, 39, 2], issues={0: "flu"}, deal=deal).facts()["events"]
        blocks = [events[:4], *(events[4 + 5 * i : 9 + 5 * i] for i in range(4))]
        assert [sum(event >= 39 for event in block) for block in blocks] == [1] * 5, events


def test_steps_of_a_turn():
    """The turn stands at its start, its first action, its update or its event."""
    plans = {1: [32, 33], 0: [34, 35]}
    given(plans, "7@(0,1)", at="start").then(step="actions", seat=1, decision="plan_window", left=0)
    given(plans, "7@(0,1)").then(step="actions", seat=0, decision="main", left=4)
    given(plans, "7@(0,1)", at="update").then(step="update", seat=0, decision="plan_window")
    given(plans, "7@(0,1)", at="event").then(step="event", seat=0, decision="plan_window")
    given(left=1, seat=1).then(left=1, seat=1, turn=2).end_turn().then(active=0, turn=3, left=4)


def test_few_cards():
    """Exactly so many cards in deck and discard pile; the rest has left the game."""
    position = given({0: [1]}, deck=[20], deck_n=1, pile_n=3).then(deck=[20], pile_n=3)
    assert len(members(position.s.removed)) == 36 - 5
    given(events_n=0, at="event").then(over=True, end="events_out", score=[-8, -8])


def test_random_games_from_positions():
    """A position goes on like any other."""
    position = given({0: [14, 7, 8], 1: [11, 0]}, "16@(0,1)", seats=5, alarms=[1], issues={4: "flu"})
    position.to_the_end().then(over=True)
