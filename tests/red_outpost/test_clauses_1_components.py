"""RO-1 components: the docstring of each test begins with its clause."""

from __future__ import annotations

from collections import Counter

import pytest

from simkit.games.red_outpost import facts

from .positions import LOCATIONS, PHASES, RESOURCES, WORKERS, Position, Walk, given, rules_of


def test_names_and_numbers():
    """RO-1.1 twelve locations, six workers, four types, five phases in the order of the specification."""
    for enum, names in (
        (facts.Location, LOCATIONS),
        (facts.Worker, WORKERS),
        (facts.Resource, RESOURCES),
        (facts.Phase, PHASES),
    ):
        assert [(member.name, int(member)) for member in enum] == [(name, i) for i, name in enumerate(names)]


def test_workers():
    """RO-1.2 six workers, each at one location, upright or flat."""
    position = Position()
    assert position.s.wloc.shape == position.s.tired.shape == position.s.mood.shape == (6,)
    position.when(0, "miner mine").then(at={"miner": "mine", "farmer": "barracks"}, flat="miner")


def test_crystals_are_limited():
    """RO-1.3 24 crystals; what the supply cannot give is lost, crystal by crystal."""
    Position().then(supply=22, crystals=[1, 1])
    position = given(cards={0: [4]}, supply=1).when(0, "miner beer_house", "alt card")
    position.then(crystals=[2, 1], supply=0, log={"crystals_gained": 1, "crystal_supply_empty": 1})
    none = given(cards={0: [4]}, supply=0).when(0, "miner beer_house", "alt card")
    none.then(crystals=[1, 1], log={"crystals_gained": 0, "crystal_supply_empty": 2})
    empty = given(wheel=[3], supply=0).when(0, "miner mine")
    empty.then(crystals=[1, 1], wheel=[1, 0], vp=[7, 5], log={"crystal_supply_empty": 1})
    assert int(empty.s.crystals_left) == 0  # no debt


def test_crystals_without_limit():
    """RO-1.3 crystal_supply = 0: every gain succeeds."""
    options = {"crystal_supply": 0, "start_crystals": 5, "seat_crystals_1": 5}
    position = given(cards={0: [4]}, options=options).when(0, "miner beer_house", "alt card")
    position.then(crystals=[7, 10], log={"crystals_gained": 2, "crystal_supply_empty": 0})
    given(store={"wool": 1}, options=options).when(0, "miner storehouse", "sell wool").then(crystals=[6, 10])


@pytest.mark.parametrize("seats", [4])
def test_six_cubes_of_each_type_suffice(seats):
    """RO-1.4 with the default tracks at least one cube of each type is in the supply."""
    walk = Walk({"ruleset": "full_game", "rounds": 4, "special_location_cards": 3}, seats)
    for _ in walk.steps():
        store, track = walk.s.store.tolist(), walk.s.epos.tolist()
        assert max(s + t for s, t in zip(store, track, strict=True)) <= 5
        assert max(track) <= 3 and max(store) <= 2


def test_disks():
    """RO-1.5 9, 7, 6 usable disks, as many as a seat has turns in a round."""
    for seats, disks in ((2, 9), (3, 7), (4, 6)):
        position = Position({"rounds": 1}, seats).then(reserve=[disks] * seats)
        walk = position.finish()
        assert [walk.seat_log(seat)["turns"] for seat in range(seats)] == [disks] * seats


TRACKS = {
    "linear5": ([-5, -4, -3, -2, -1, 0, 1, 2, 3, 4, 5], 5),
    "linear3": ([-3, -2, -1, 0, 1, 2, 3], 3),
    "linear8": ([-8, -7, -6, -5, -4, -3, -2, -1, 0, 1, 2, 3, 4, 5, 6, 7, 8], 8),
    "progressive": ([-8, -6, -4, -2, -1, 0, 1, 2, 3, 5, 7], 5),
    "degressive": ([-4, -4, -3, -3, -2, 0, 2, 3, 4, 4, 5], 5),
}


@pytest.mark.parametrize("name", TRACKS)
def test_mood_tracks(name):
    """RO-1.6 a row of spaces with a start, one track for each worker, all alike."""
    values, start = TRACKS[name]
    rules = rules_of({"mood_track": name})[0]
    spaces = int(rules.mood_spaces)
    assert [int(v) for v in rules.mood_value[:spaces]] == values and int(rules.mood_start) == start
    Position({"mood_track": name}).then(moods=dict.fromkeys(WORKERS, 0))


def test_wheel():
    """RO-1.7 a ring of four spaces, all start on the first; markers may share a space."""
    Position(seats=4).then(wheel=[0, 0, 0, 0])
    position = given(at={"fisherman": "lake"}, wheel=[3, 1]).when(0, "farmer farm").then(wheel=[0, 1])
    position.then(vp=[7, 5], crystals=[2, 1], log={"wheel_rewards": 1})
    given(wheel=[1, 2]).when(0, "farmer farm").then(wheel=[2, 2])
    given(wheel=[6], options={"wheel_length": 8}).when(0, "miner mine").then(wheel=[0, 0], vp=[7, 5])
    given(wheel=[0], options={"wheel_length": 2}).when(0, "miner labor_camp").then(
        wheel=[1, 0], vp=[7, 5], log={"wheel_rewards": 1}
    )


EXPORTS = {
    "decreasing": {"wool": [4, 3, 3, 2], "wheat": [4, 3, 3, 2], "fish": [5, 4, 3, 2], "coal": [3, 3, 2, 2]},
    "flat3": {name: [3, 3, 3, 3] for name in RESOURCES},
    "increasing": {"wool": [2, 3, 4, 4], "wheat": [2, 3, 4, 4], "fish": [3, 4, 5, 5], "coal": [3, 3, 3, 4]},
}


@pytest.mark.parametrize("name", EXPORTS)
def test_export_tracks(name):
    """RO-1.8 three fixed spaces for each type, then one that repeats."""
    for resource, values in EXPORTS[name].items():
        for cubes, value in enumerate(values):
            position = given(
                store={resource: 2}, track={resource: cubes}, vp=[10], options={"export_track": name}
            )
            position.when(0, "miner storehouse", f"buy {resource}")
            position.then(vp=[10 + value, 5], track={resource: min(cubes + 1, 3)}, store={resource: 0})


@pytest.mark.parametrize(("two", "cards"), [(0, [3, 3, 0]), (1, [3, 2, 1]), (2, [3, 1, 2]), (3, [3, 0, 3])])
def test_lake_deck(two, cards):
    """RO-1.9 three empty cards, three with fish, of which so many have two and good mood."""
    position = Position({"lake_two_fish": two}).then(lake=6, lake_discard=[0, 0, 0])
    deck = Counter(position.s.lake_deck.tolist())
    assert [deck[kind] for kind in range(3)] == cards
    rules = position.rules
    assert (rules.lake_fish.tolist(), rules.lake_mood.tolist()) == ([0, 1, 2], [0, 0, 1])


@pytest.mark.parametrize("blanks", [0, 2, 6])
def test_spaceship_deck(blanks):
    """RO-1.10 blanks, each type with and without a crystal, choice with and without."""
    position = Position({"spaceship_blanks": blanks}).then(ship=10 + blanks)
    deck = Counter(position.s.ship_deck[: 10 + blanks].tolist())
    assert [deck[kind] for kind in range(11)] == [blanks] + [1] * 10
    assert len(position.s.ship_deck) >= 16


@pytest.mark.parametrize("kind", range(11))
def test_spaceship_cards(kind):
    """RO-1.10 what each card gives: nothing, a type, a type and a crystal, choice without and with one."""
    position = given(ship=[kind]).when(0, "miner spaceship")
    cube = kind - 1 if 1 <= kind <= 4 else kind - 5 if 5 <= kind <= 8 else None
    if kind >= 9:
        position.then(decision="ship_res", legal=[0, 1, 2, 3]).when(0, "pick fish")
        cube = 2
    stored = {name: int(cube == r) for r, name in enumerate(RESOURCES)}
    position.then(store=stored, crystals=[1 + (kind in (5, 6, 7, 8, 10)), 1], wheel=[0, 0], seat=1)


def test_special_cards():
    """RO-1.11 twelve location cards in the order of the locations, six worker cards."""
    assert [(card.name, int(card)) for card in facts.Card] == [
        (name, n) for n, name in enumerate([*LOCATIONS, *WORKERS], start=1)
    ]
    options = {"special_location_choice": 3, "special_worker_choice": 1, "special_worker_cards": 3}
    position = Position(options, 2)
    assert {card for row in position.s.dealt[:2] for card in row} <= set(range(1, 13))
    walk = Walk(options, 2)
    while walk.decision == "card_keep":
        walk.apply(walk.legal()[0])
    assert all(min(walk.cards(seat)) <= 12 and max(walk.cards(seat)) >= 13 for seat in range(2))


def test_points_have_no_limits():
    """RO-1.12 a score may become negative."""
    position = given(
        phase="evening", turn=1, seat=1, vp=[1, 300], disks={0: {"miner": 2, "farmer": 1}},
        moods={"miner": -5, "farmer": -3},
    )  # fmt: skip
    position.when(1, "shepherd storehouse", "store nothing").then(round=1, vp=[-7, 300])
