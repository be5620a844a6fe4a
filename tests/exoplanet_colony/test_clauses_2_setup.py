"""EX-2 setup: each test is titled by its clause."""

from __future__ import annotations

from collections import Counter

import pytest

from .positions import CHARACTERS, Position, members


def cards_of(position):
    """The cards of the game, wherever they are at the start."""
    hands = [card for seat in range(position.seats) for card in position.named_facts()["hands"](seat)]
    return sorted([*position.facts()["deck"], *hands])


@pytest.mark.parametrize(
    ("scenario", "energy", "supply"), [(1, -2, 13), (2, -3, 13), (3, -2, 13), (4, -3, 15)]
)
def test_EX_2_1_scenario(scenario, energy, supply):
    """EX-2.1 by option, 1 by default."""
    position = Position({"scenario": scenario})
    assert position.facts()["prod"][3] == energy
    position.then(supply=[supply] * 4)
    Position().then(prod=[-2] * 4, supply=[13] * 4)


@pytest.mark.parametrize(
    ("options", "prod", "supply"),
    [
        ({"production_offset": 1, "supply_offset": 2}, [-1] * 4, [15] * 4),
        ({"production_offset": -3, "supply_offset": -10}, [-5] * 4, [3] * 4),
        ({"production_offset": -3, "scenario": 2}, [-5, -5, -5, -5], [13] * 4),
        ({"supply_offset": 6, "scenario": 4}, [-2, -2, -3, -3], [20] * 4),
        ({"production_offset": 2, "scenario": 3}, [0, -1, 0, 0], [13] * 4),
    ],
)
def test_EX_2_2_levels(options, prod, supply):
    """EX-2.2 the scenario's, shifted and clipped; the first level; all tokens on the board."""
    position = Position(options).then(prod=prod, supply=supply, level=0, left=4, alarms=[], off=[])
    position.then(loss_left=[3] * 4, shut_left=3, emerg_left=3, loss={0: ""})


def test_EX_2_3_player_deck():
    """EX-2.3 shuffled; each deal another order."""
    decks = [tuple(Position(deal=deal).facts()["deck"]) for deal in range(5)]
    assert len(set(decks)) == 5 and all(list(deck) != sorted(deck) for deck in decks)
    tops = Counter(Position(deal=deal).facts()["deck"][0] for deal in range(80))
    assert len(tops) > 24 and max(tops.values()) < 10


def test_EX_2_3_cards_that_leave():
    """EX-2.3 so many modules, random items and plans; everybody sees which."""
    options = {"remove_modules": 12, "n_items": 1, "n_plans": 0}
    counts = Counter()
    for deal in range(30):
        position = Position(options, deal=deal).then(deck_n=17 - 4)
        cards = cards_of(position)
        assert sorted([*cards, *members(position.s.removed)]) == list(range(36))
        assert sum(card < 28 for card in cards) == 16 and not [card for card in cards if card >= 32]
        assert members(position.view()[0].removed) == members(position.s.removed)
        counts.update(card for card in cards if 28 <= card < 32)
    assert set(counts) == {28, 29, 30, 31}
    assert not members(Position().s.removed)
    assert cards_of(Position({"n_items": 0, "n_plans": 3}))[:28] == list(range(28))


@pytest.mark.parametrize("options", [{"remove_modules": 1}, {"n_items": 3}, {"n_plans": 3}], ids=str)
def test_EX_2_3_one_card_leaves(options):
    """EX-2.3 each of the options alone."""
    position = Position(options)
    assert len(cards_of(position)) == 35 and len(members(position.s.removed)) == 1


def test_EX_2_3_each_card_leaves_as_often():
    """EX-2.3 a random subset of each kind."""
    counts = Counter()
    for deal in range(80):
        counts.update(members(Position({"remove_modules": 7, "n_plans": 2}, deal=deal).s.removed))
    assert all(7 <= counts[card] <= 36 for card in range(28)), counts
    assert all(22 <= counts[card] <= 58 for card in range(32, 36)), counts


def test_EX_2_4_hub():
    """EX-2.4 the Hub at (0,0), slot 0, all pawns on it."""
    Position(seats=5).then(cells=[(0, 0)], modules=[], pawns=dict.fromkeys(range(5), 0))


def test_EX_2_5_event_deck():
    """EX-2.5 five piles of four normals and one critical each, 25 different cards."""
    seen, places = set(), Counter()
    for deal in range(60):
        events = Position(deal=deal).then(events_n=25, known_events=0, event_pile=[]).facts()["events"]
        assert len(set(events)) == 25
        for pile in range(5):
            critical = [event >= 39 for event in events[5 * pile : 5 * pile + 5]]
            assert sum(critical) == 1
            places[critical.index(True)] += 1
        seen.update(events)
    assert seen == set(range(54))
    assert set(places) == set(range(5)) and min(places.values()) > 35, "a pile is shuffled"


@pytest.mark.parametrize(
    ("piles", "normals", "criticals"), [(13, 3, 1), (5, 7, 3), (15, 0, 1), (1, 7, 0), (1, 0, 1), (3, 2, 3)]
)
def test_EX_2_5_other_piles(piles, normals, criticals):
    """EX-2.5 by options."""
    options = {"piles": piles, "normals_per_pile": normals, "criticals_per_pile": criticals}
    for deal in range(3):
        events = Position(options, deal=deal).facts()["events"]
        each = normals + criticals
        assert len(set(events)) == len(events) == piles * each
        for pile in range(piles):
            assert sum(event >= 39 for event in events[each * pile : each * (pile + 1)]) == criticals


def test_EX_2_6_characters():
    """EX-2.6 random, all different; each as often."""
    counts = Counter()
    for deal in range(60):
        drawn = [Position(seats=4, deal=deal).named_facts()["characters"](seat) for seat in range(4)]
        assert len(set(drawn)) == 4
        counts.update(drawn)
    assert set(counts) == set(CHARACTERS) and all(15 <= n <= 45 for n in counts.values()), counts


def test_EX_2_6_named_characters():
    """EX-2.6 named ones; the others are drawn from those that no seat names, or none."""
    options = {"character_0": "pilot", "character_2": "none"}
    others = set()
    for deal in range(60):
        position = Position(options, seats=4, deal=deal).then(characters={0: "pilot", 2: "none"})
        drawn = [position.named_facts()["characters"](seat) for seat in (1, 3)]
        assert len({*drawn, "pilot", "none"}) == 4
        others.update(drawn)
    assert others == set(CHARACTERS) - {"pilot"}
    nobody = Position(options | {"characters": "none", "character_1": "medic"}, seats=4)
    nobody.then(characters={0: "pilot", 1: "medic", 2: "none", 3: "none"})


def test_EX_2_6_seats_not_taken():
    """EX-2.6 options of seats that are not taken mean nothing: their character may be drawn."""
    drawn = set()
    for deal in range(60):
        position = Position({"character_3": "medic"}, seats=2, deal=deal)
        drawn.update(position.named_facts()["characters"](seat) for seat in (0, 1))
    assert drawn == set(CHARACTERS)


@pytest.mark.parametrize(
    ("seats", "options", "sizes"),
    [
        (2, {}, [2, 2]),
        (5, {}, [2] * 5),
        (3, {"initial_hand": 0}, [0] * 3),
        (4, {"initial_hand": 1, "late_seat_cards": 2}, [1, 3, 5, 6]),
        (4, {"initial_hand": 1, "late_seat_cards": 2, "start_player": 3}, [3, 5, 6, 1]),
        (5, {"initial_hand": 0, "late_seat_cards": 1, "start_player": 2}, [3, 4, 0, 1, 2]),
        (2, {"hand_by_seats": True}, [4, 4]),
        (3, {"hand_by_seats": True}, [3, 3, 3]),
        (4, {"hand_by_seats": True}, [2] * 4),
        (5, {"hand_by_seats": True}, [2] * 5),
        (2, {"hand_by_seats": True, "initial_hand": 5, "late_seat_cards": 1}, [6, 6]),
        (3, {"initial_hand": 3, "hand_limit": 3, "late_seat_cards": 2}, [3] * 3),
    ],
)
def test_EX_2_7_starting_hands(seats, options, sizes):
    """EX-2.7 n(p) by place in turn order."""
    position = Position(options, seats=seats).then(sizes=sizes, decision="main", deck_n=36 - sum(sizes))
    assert not position.decided and position.facts()["pile_n"] == 0


@pytest.mark.parametrize(("start", "turns"), [(0, [0, 1, 2]), (1, [1, 2, 0])])
def test_EX_2_7_dealt_one_at_a_time(start, turns):
    """EX-2.7 in turn order, a seat that has its cards being passed over."""
    options = {"initial_hand": 1, "late_seat_cards": 1, "start_player": start}
    position = Position(options, seats=3)
    base = Position({"initial_hand": 0, "start_player": start}, seats=3)
    order = base.facts()["deck"][:6]
    hands = {turns[0]: order[:1], turns[1]: [order[1], order[3]], turns[2]: [order[2], order[4], order[5]]}
    position.then(hands={seat: sorted(cards) for seat, cards in hands.items()})


def test_EX_2_7_discards_of_the_start():
    """EX-2.7 in turn order each seat discards one card at a time down to n(p); all hands are open."""
    options = {"initial_choice": 3, "late_seat_cards": 1, "start_player": 2}
    position = Position(options, seats=3).then(
        sizes=[6, 7, 5], decision="start_discard", seat=2, step="setup"
    )
    position.then(legal=[34 + c for c in position.named_facts()["hands"](2)], turn=0)
    order = []
    while position.decision == "start_discard":
        order.append(int(position.s.seat))
        position.passing()
    assert order == [2, 2, 2, 0, 0, 0, 1, 1, 1]
    position.then(sizes=[3, 4, 2], pile_n=9, turn=1, active=2, left=4, log={"limit_discards": 0})


def test_EX_2_7_above_the_hand_limit_at_the_start():
    """EX-2.7 EX-4.13 does not act before the first turn."""
    options = {"initial_hand": 6, "initial_choice": 4}
    position = Position(options).then(sizes=[10, 10], decision="start_discard")
    for _ in range(8):
        position.passing()
    position.then(sizes=[6, 6], pile_n=8, decision="main", log={"limit_discards": 0})


def test_EX_2_7_the_deck_is_empty():
    """EX-2.7 dealing ends when the deck is empty; nobody discards what he does not have too much."""
    options = {"initial_hand": 6, "initial_choice": 4, "remove_modules": 12, "n_items": 0, "n_plans": 0}
    position = Position(options, seats=5).then(sizes=[4, 3, 3, 3, 3])
    position.then(deck_n=0, decision="main", pile_n=0, cannot=["draw"])


def test_EX_2_7_the_deck_is_empty_and_some_have_too_many():
    """EX-2.7 the start player got one card too many of the last, the others did not."""
    options = {
        "initial_hand": 3, "initial_choice": 1, "remove_modules": 12, "n_items": 0, "n_plans": 0, "hand_limit": 3,
    }  # fmt: skip
    position = Position(options, seats=5).then(sizes=[4, 3, 3, 3, 3], decision="start_discard", seat=0)
    position.passing()
    position.then(sizes=[3] * 5, deck_n=0, pile_n=1, decision="main", can=["draw"])


@pytest.mark.parametrize(("seats", "start", "first"), [(2, 0, 0), (3, 1, 1), (2, 3, 1), (3, 4, 1), (5, 4, 4)])
def test_EX_2_8_start_player(seats, start, first):
    """EX-2.8 the seat named, modulo the number of seats."""
    Position({"start_player": start}, seats=seats).then(first=first, active=first, seat=first, turn=1)


def test_EX_2_8_random_start_player():
    """EX-2.8 -1: any seat."""
    firsts = Counter(int(Position({"start_player": -1}, seats=3, deal=deal).s.active) for deal in range(90))
    assert set(firsts) == {0, 1, 2} and min(firsts.values()) > 15


@pytest.mark.parametrize(
    ("options", "won"),
    [
        ({"production_offset": 2, "initial_choice": 2}, True),
        ({"win_production": -2}, True),
        ({"win_production": -2, "scenario": 2}, False),
        ({"win_production": -1, "production_offset": 1, "scenario": 1}, True),
        ({"production_offset": 2, "scenario": 4}, False),
        ({}, False),
    ],
)
def test_EX_2_9_won_at_once(options, won):
    """EX-2.9 victory is looked at before the first decision: 0 turns, all events left."""
    position = Position(options)
    assert position.over == won
    if won:
        position.then(end="self_sustaining", score=[26, 26], rank=[1, 1], turn=0, step="setup")
        log = position.s.log.game
        assert (int(log.turns), int(log.decisions), int(log.end_step), int(log.won)) == (0, 0, 0, 1)
