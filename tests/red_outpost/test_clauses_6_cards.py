"""RO-6 special cards: the docstring of each test begins with its clause."""

from __future__ import annotations

import pytest

from .positions import ORDINARY, WORKERS, given, move, moves

T13 = dict(zip(WORKERS, ["pasture", "farm", "lake", "mine", "beer_house", "administration"], strict=True))
EVERYBODY = " ".join(WORKERS)


def test_pasture():
    """RO-6.1 T26: +2 mood instead of the action: no loss, no wool; as often as one likes."""
    position = given(cards={0: [1]}).when(0, "miner pasture", "alt card")
    position.then(moods={"miner": 2}, store={"wool": 0}, wheel=[0, 0], seat=1, log={"card_1_uses": 1})
    normal = given(cards={0: [1]}).when(0, "miner pasture", "alt normal")
    normal.then(moods={"miner": -1}, store={"wool": 1}, log={"card_1_uses": 0})
    other = given(cards={0: [1]}, options={"pasture_card_mood": True}).when(0, "miner pasture", "alt card")
    other.then(moods={"miner": 1}, store={"wool": 0})
    shepherd = given(cards={0: [1]}, options={"pasture_card_mood": True}).when(
        0, "shepherd pasture", "alt card"
    )
    shepherd.then(moods={"shepherd": 2})


def test_palace():
    """RO-6.2 a crystal on any portrait instead of donating."""
    position = given(cards={0: [2]}).when(0, "miner palace").then(legal=list(range(8)))
    position.when(0, "portrait bureaucrat").then(
        portraits={0: {"bureaucrat": 1}}, crystals=[0, 1], palace=[0, 0], supply=22, seat=1,
        log={"card_2_uses": 1, "palace_donations": 0, "crystals_paid": 0},
    )  # fmt: skip
    given(cards={0: [2]}, crystals=[0, 1]).when(0, "miner palace").then(seat=1, decided=1)


def test_crystals_count_as_disks():
    """RO-6.2 T11: a crystal against a disk: a tie, both score; the crystal returns to the supply."""
    position = given(
        portraits={0: {"bureaucrat": 1}}, disks={1: {"bureaucrat": 1}}, moods={"bureaucrat": 4},
        crystals=[0, 1], phase="evening", turn=1, seat=1,
    )  # fmt: skip
    position.when(1, "miner storehouse", "store nothing").then(
        round=1, vp=[9, 9], portraits={0: {}}, supply=23, crystals=[0, 1], log={"workers_tied": 1}
    )


def test_farm():
    """RO-6.3 any type instead of wheat; the printed mood."""
    position = (
        given(cards={0: [3]}, store={"coal": 2})
        .when(0, "miner farm")
        .then(decision="farm_res", legal=[0, 1, 2, 3], moods={"miner": -1})
    )
    position.when(0, "grow coal").then(
        store={"coal": 0, "wheat": 0}, vp=[8, 5], wheel=[1, 0], log={"card_3_uses": 1, "produced_coal": 1}
    )
    given(cards={0: [3]}).when(0, "miner farm", "grow wheat").then(store={"wheat": 1}, log={"card_3_uses": 0})


def test_beer_house():
    """RO-6.4 two crystals instead of the action: no mood, no swap."""
    position = given(cards={0: [4]}).when(0, "miner beer_house", "alt card")
    position.then(crystals=[3, 1], moods={"miner": 0}, seat=1, log={"card_4_uses": 1, "crystals_gained": 2})
    given(cards={0: [4]}).when(0, "miner beer_house", "alt normal").then(decision="beer_gain")


def test_storehouse():
    """RO-6.5 T18: two exchanges in any mix and order; no mood swap after an exchange."""
    position = given(cards={0: [5]}, store={"wheat": 1}, crystals=[0, 1]).when(0, "miner storehouse")
    position.then(legal=[0, 2, 6]).when(0, "sell wheat").then(
        decision="store_opt", legal=[0, 9, 10, 11, 12], crystals=[1, 1], log={"card_5_uses": 0}
    )
    position.when(0, "buy coal").then(
        seat=1, store={"wheat": 0, "coal": 1}, crystals=[0, 1], log={"card_5_uses": 1, "store_to_crystal": 1}
    )
    given(cards={0: [5]}, store={"wheat": 1}, crystals=[2, 1]).when(0, "miner storehouse", "buy wool").then(
        legal=[0, 5, 6, 9, 10, 11, 12]
    )
    single = given(cards={0: [5]}, store={"wheat": 1}).when(0, "miner storehouse", "mood wheat")
    single.when(0, "better miner", "worse farmer").then(seat=1, log={"card_5_uses": 0, "store_mood": 1})
    once = given(cards={0: [5]}, store={"wheat": 1}).when(0, "miner storehouse", "sell wheat")
    once.when(0, "store nothing").then(seat=1, log={"card_5_uses": 0})


def test_storing_a_disk():
    """RO-6.6 T16: stored in round 1, still on the card after it; released with another disk in round 2."""
    position = given(cards={0: [6]}, phase="evening", turn=0, blocked=("", ""))
    position.when(0, "farmer administration").then(decision="disk", legal=[0, 1])
    position.when(0, "disk store").then(
        reserve=[8, 9], disks={0: {}}, card_disk=[1, 0], log={"card_6_uses": 1}, seat=1
    )
    position.when(1, "miner storehouse", "store nothing")
    position.then(round=1, reserve=[8, 9], card_disk=[1, 0], phase="morning")
    position.finish("turn")
    position.when(0, "farmer mine").then(decision="disk", legal=[0, 2]).when(0, "disk release")
    position.then(reserve=[7, 8], disks={0: {"farmer": 2}}, card_disk=[0, 0], log={"card_6_uses": 1})


def test_card_holds_one_disk():
    """RO-6.6 at most one; only at the Administration; not with an empty reserve."""
    held = given(cards={0: [6]}, card_disk=[1]).when(0, "miner administration").then(legal=[0, 2])
    held.when(0, "disk normal").then(card_disk=[1, 0], disks={0: {"miner": 1}})
    assert given(cards={0: [6]}).when(0, "miner mine").decision == "move"
    empty = given(cards={0: [6]}, disks={0: {"miner": 9}}).when(0, "farmer administration")
    empty.then(decision="move", seat=1, log={"no_disk_left": 1})


def test_any_visitor_may_store_the_disk():
    """RO-6.6 also the Bureaucrat, who gains her crystal."""
    own = given(cards={0: [6]}).when(0, "bureaucrat administration", "disk store")
    own.then(card_disk=[1, 0], disks={0: {}}, crystals=[2, 1])


def test_disk_on_the_card_after_a_round():
    """RO-6.6 admin_card_carry = returns: it goes to the reserve."""
    for carry, reserve, held in (("stays", 8, 1), ("returns", 9, 0)):
        position = given(
            cards={0: [6]},
            card_disk=[1],
            phase="evening",
            turn=1,
            seat=1,
            options={"admin_card_carry": carry},
        )
        position.when(1, "miner storehouse", "store nothing").then(
            round=1, reserve=[reserve, 9], card_disk=[held, 0]
        )


def test_spaceship():
    """RO-6.7 one of each type leaves after the action, one of them scores on its track."""
    position = given(cards={0: [7]}, store={"wool": 1, "wheat": 2, "fish": 1}, ship=[4], track={"fish": 1})
    position.when(0, "miner spaceship").then(decision="ship_export", legal=[0, 1, 2, 3, 4])
    position.when(0, "ship fish").then(
        store={"wool": 0, "wheat": 1, "fish": 0, "coal": 0}, vp=[9, 5], track={"fish": 2}, seat=1,
        log={"card_7_uses": 1, "exports": 1, "exports_fish": 1, "export_vp": 4, "exports_repeat": 0},
    )  # fmt: skip
    full = dict.fromkeys(("wool", "wheat", "fish", "coal"), 1)
    nothing = given(cards={0: [7]}, store=full, ship=[0]).when(0, "miner spaceship", "ship nothing")
    nothing.then(store=full, vp=[5, 5], log={"card_7_uses": 0})
    given(cards={0: [7]}, store=full | {"wool": 0}, ship=[0]).when(0, "miner spaceship").then(
        seat=1, decided=1
    )
    given(cards={0: [7]}, store=full).when(0, "miner mine").then(decision="move")
    bonus = given(cards={0: [7]}, store=full, ship=[0], track={"coal": 3}, options={"export_bonus": 2})
    bonus.when(0, "miner spaceship", "ship coal").then(
        vp=[9, 5], track={"coal": 3}, log={"exports_repeat": 1}
    )


def test_mine():
    """RO-6.8 T8: wheel +3 with reward, visitor -1 mood (also the Miner), no coal."""
    position = given(cards={0: [8]}, wheel=[1]).when(0, "miner mine", "alt card")
    position.then(
        wheel=[0, 0], vp=[7, 5], crystals=[2, 1], moods={"miner": -1}, store={"coal": 0}, seat=1,
        log={"card_8_uses": 1, "wheel_rewards": 1, "vp_at_mine": 2, "produced_coal": 0},
    )  # fmt: skip
    twice = given(cards={0: [8]}, wheel=[1], options={"wheel_length": 2}).when(0, "miner mine", "alt card")
    twice.then(wheel=[0, 0], vp=[9, 5], crystals=[3, 1], log={"wheel_rewards": 2})
    given(cards={0: [8]}).when(0, "farmer mine", "alt card").then(moods={"farmer": -1}, wheel=[3, 0])
    given(cards={0: [8]}).when(0, "farmer mine", "alt normal").then(moods={"farmer": -2}, store={"coal": 1})


def lunch(cards, **more):
    """The last turn of Day 1 is over, of two seats; card 9 of seat 0 or 1 may be asked about."""
    flat = " ".join(w for w in WORKERS if w != "miner")
    position = given(T13, phase="day1", turn=5, flat=flat, cards=cards, **more)
    return position.when(0, "miner storehouse", "store nothing")


@pytest.mark.parametrize("owner", [0, 1])
def test_kitchen(owner):
    """RO-6.9 before the first turn of Lunch up to two workers, whatever the owner's place in turn order."""
    position = lunch({owner: [9]}).then(
        decision="lunch_down", seat=owner, phase="lunch", legal=[0, 1, 2, 3, 4, 5, 6], flat=""
    )
    position.when(owner, "down farmer").then(decision="lunch_down", legal=[0, 1, 3, 4, 5, 6], flat="farmer")
    position.when(owner, "down miner").then(decision="move", flat="farmer miner", log={"card_9_uses": 2})
    assert position.legal() == moves("shepherd fisherman commissar bureaucrat", "field_kitchen")
    position.finish("phase").then(flat="", phase="day2", disks={0: position.portraits("infl", 0)})
    lunch({owner: [9]}).when(owner, "down nothing").then(decision="move", log={"card_9_uses": 0})
    once = lunch({owner: [9]}).when(owner, "down miner", "down nothing")
    once.then(decision="move", flat="miner", log={"card_9_uses": 1})


def test_lake():
    """RO-6.10 a card of the discard pile instead of one draw."""
    position = given(cards={0: [10]}, lake=[0, 1, 2, 0]).when(0, "miner lake")
    position.then(decision="lake_src", legal=[0, 1, 2]).when(0, "fetch 1")
    position.then(
        store={"fish": 1}, lake=4, lake_discard=[1, 1, 0], seat=1, log={"card_10_uses": 1, "lake_cards": 0}
    )
    drawn = given(cards={0: [10]}, lake=[2, 0, 0, 1]).when(0, "miner lake", "draw")
    drawn.then(store={"fish": 2}, lake=3, log={"card_10_uses": 0, "lake_cards": 1})
    given(cards={0: [10]}, lake=[0, 0, 0, 1, 1, 2]).when(0, "miner lake").then(decided=1, seat=1)


def test_fisherman_with_a_discarded_card():
    """RO-6.10 after LAKE_PRE; he draws the second card from the deck; the fetched card is the first."""
    position = given(cards={0: [10]}, lake=[0, 1, 1]).when(0, "fisherman lake").then(decision="lake_pre")
    position.when(0, "leave").then(decision="lake_src", legal=[0, 1, 3]).when(0, "fetch 2")
    position.then(decision="lake_pick", lake=2, lake_discard=[2, 0, 0]).when(0, "first")
    position.then(store={"fish": 2}, moods={"fisherman": 1}, lake_discard=[3, 0, 1], decision="lake_post")
    position.then(log={"lake_cards": 1, "card_10_uses": 1})
    shuffled = given(cards={0: [10]}, lake=[0, 1, 1]).when(0, "fisherman lake", "reshuffle")
    assert shuffled.decision != "lake_src"  # nothing lies in the discard pile


def test_labor_camp():
    """RO-6.11 T7: the disk stays in the reserve, the mood as it is; production happens."""
    position = given(cards={0: [11]}).when(0, "miner labor_camp").then(decision="disk", legal=[0, 3])
    position.when(0, "disk forgo").then(
        reserve=[9, 9], moods={"miner": 0}, store={"wool": 1, "wheat": 1, "fish": 1}, wheel=[3, 0],
        disks={0: {}}, log={"card_11_uses": 1, "no_disk_left": 0},
    )  # fmt: skip
    normal = given(cards={0: [11]}).when(0, "miner labor_camp", "disk normal")
    normal.then(reserve=[8, 9], moods={"miner": -2}, log={"card_11_uses": 0})
    empty = given(cards={0: [11]}, disks={0: {"farmer": 9}}).when(0, "miner labor_camp")
    empty.then(legal=[0, 3]).when(0, "disk forgo").then(log={"no_disk_left": 0}, moods={"miner": 0})
    next_turn = given(cards={0: [11]}, seat=0).when(0, "miner labor_camp", "disk forgo")
    next_turn.when(1, "farmer mine").then(moods={"farmer": -2})


def test_cards_6_and_11():
    """RO-6.11 a disk lies on card 6: three ways to place the disk at the Labor Camp."""
    position = given(cards={0: [6, 11]}, card_disk=[1]).when(0, "miner labor_camp").then(legal=[0, 2, 3])
    position.when(0, "disk forgo").then(card_disk=[1, 0], reserve=[8, 9])


def morning(**more):
    """The last turn of a Morning is over."""
    at = {"miner": "mine"} | more.pop("at", {})
    position = given(at, phase="morning", turn=1, seat=1, flat="miner", **more)
    return position.when(1, "farmer storehouse", "store nothing")


@pytest.mark.parametrize("owner", [0, 1])
def test_barracks(owner):
    """RO-6.12 at the end of the Morning one own disk to another worker in the Barracks, after their bonus."""
    position = morning(cards={owner: [12]}, disks={0: {"miner": 1, "shepherd": 1}, 1: {"shepherd": 1}})
    own = [0, 1, 4] if owner == 0 else [0, 1, 2]  # the other has just moved the Farmer
    position.then(decision="barr_from", seat=owner, legal=own, phase="morning", moods={"shepherd": 1})
    position.when(owner, "from shepherd").then(decision="barr_to", legal=[2, 4, 5])
    position.when(owner, "to commissar").then(
        phase="day1", decision="move", log={"card_12_uses": 1, "admin_moves": 0},
        disks={owner: {"miner" if owner == 0 else "farmer": 1, "commissar": 1}},
    )  # fmt: skip
    nothing = morning(cards={0: [12]}, disks={0: {"miner": 1}}).when(0, "from nothing")
    nothing.then(phase="day1", disks={0: {"miner": 1}}, log={"card_12_uses": 0})


def test_barracks_with_one_sleeper():
    """RO-6.12 a disk cannot go to the worker that it leaves."""
    at = {"shepherd": "lake", "fisherman": "pasture", "commissar": "farm"}
    disks = {0: {"bureaucrat": 2, "miner": 1}}
    position = morning(at=at, cards={0: [12], 1: [15]}, disks=disks).then(decision="barr_from", legal=[0, 4])
    position.when(0, "from miner").then(disks={0: {"bureaucrat": 3}}, phase="day1")


def test_shepherd():
    """RO-6.13 she may be used where she stands: laid flat, disk, mood, action."""
    position = given(T13, cards={0: [13]})
    assert move("shepherd", "pasture") in position.legal()
    position.when(0, "shepherd pasture").then(
        flat="shepherd", store={"wool": 1}, disks={0: {"shepherd": 1}}, log={"card_13_uses": 1}
    )
    assert position.logged()["visits_pasture"] == position.logged()["moved_shepherd"] == 1
    assert move("shepherd", "pasture") not in given(T13, cards={1: [13]}).legal()
    assert move("farmer", "farm") not in given(T13, cards={0: [13]}).legal()
    given(T13, cards={0: [13]}, crystals=[0, 0]).when(0, "shepherd palace").then(log={"card_13_uses": 0})


def test_shepherd_at_a_blocked_location():
    """RO-6.13 not at a location that is blocked now, nor in Barracks and Kitchen outside their phase."""
    blocked = given(T13, phase="evening", cards={0: [13]}, options={})
    assert move("shepherd", "pasture") not in blocked.legal()
    at = T13 | {"shepherd": "storehouse"}
    assert move("shepherd", "storehouse") in given(at, phase="evening", cards={0: [13]}).legal()
    assert move("shepherd", "barracks") not in given(cards={0: [13]}).legal()
    assert move("shepherd", "barracks") not in given(phase="morning", cards={0: [13]}).legal()
    assert (
        move("shepherd", "field_kitchen")
        not in given({"shepherd": "field_kitchen"}, phase="day2", cards={0: [13]}).legal()
    )


def test_shepherd_at_lunch():
    """RO-6.13 at any ordinary location, tokens or not; not with shepherd_card_lunch = false."""
    for place in ORDINARY:
        at = {"shepherd": place} | ({"fisherman": "labor_camp"} if place == "lake" else {})
        position = given(T13 | at, phase="lunch", cards={0: [13]})
        assert position.legal() == sorted([*moves(EVERYBODY, "field_kitchen"), move("shepherd", place)])
    without = given(T13, phase="lunch", cards={0: [13]}, options={"shepherd_card_lunch": False})
    assert without.legal() == moves(EVERYBODY, "field_kitchen")
    given(T13, phase="lunch", cards={0: [13]}).when(0, "shepherd pasture").then(
        store={"wool": 1}, at={"shepherd": "pasture"}, moods={"shepherd": 0}
    )


def test_farmer():
    """RO-6.14 T14: to an ordinary location where all workers are flat."""
    upright = given(T13, cards={0: [14]})
    assert len(upright.legal()) == 24
    position = given(T13, flat="miner", cards={0: [14]})
    free = moves("shepherd farmer fisherman commissar bureaucrat", "palace storehouse spaceship labor_camp")
    assert position.legal() == sorted([*free, move("farmer", "mine")])
    position.when(0, "farmer mine").then(
        at={"farmer": "mine", "miner": "mine"}, store={"coal": 1}, log={"card_14_uses": 1}
    )
    assert move("farmer", "mine") not in given(T13, flat="miner", cards={1: [14]}).legal()
    given(T13, cards={0: [14]}, crystals=[0, 0]).when(0, "farmer palace").then(log={"card_14_uses": 0})


def test_farmer_in_other_phases():
    """RO-6.14 otherwise available: not at a blocked location, not at Lunch."""
    at = T13 | {"shepherd": "storehouse", "farmer": "barracks"}
    evening = given(at, flat="fisherman shepherd", phase="evening", turn=0, cards={0: [14]}).legal()
    assert move("farmer", "lake") not in evening and move("farmer", "storehouse") in evening
    lunch = given(at, flat="fisherman shepherd", phase="lunch", turn=0, cards={0: [14]}).legal()
    assert [a for a in lunch if a // 12 == 1] == [move("farmer", "field_kitchen")]
    three = given(
        T13 | {"shepherd": "mine"}, flat="miner", turn=1, cards={0: [14]}
    ).legal()  # an upright worker is there too
    assert move("farmer", "mine") not in three


def test_fisherman():
    """RO-6.15 another worker to an empty ordinary location that is not blocked now; he stays as he is."""
    position = given(T13, flat="miner", cards={0: [15]}).when(0, "fisherman labor_camp")
    position.then(decision="fish_worker", legal=[0, 1, 2, 4, 5, 6]).when(0, "along miner")
    position.then(decision="fish_loc", legal=[1, 4, 6, 9]).when(0, "at storehouse")
    position.then(
        at={"miner": "storehouse"}, flat="fisherman miner", moods={"miner": 0}, disks={0: {"fisherman": 1}},
        log={"card_15_uses": 1, "visits_storehouse": 0, "moved_miner": 0, "turns": 1}, seat=1,
    )  # fmt: skip
    upright = given(T13, cards={0: [15]}).when(0, "fisherman labor_camp", "along farmer", "at lake")
    upright.then(at={"farmer": "lake"}, flat="fisherman")
    given(T13, cards={0: [15]}).when(0, "fisherman labor_camp", "along nothing").then(log={"card_15_uses": 0})


def test_fisherman_after_a_replaced_action():
    """RO-6.15 after the turn, whatever its action was."""
    position = given(cards={0: [1, 15]}).when(0, "fisherman pasture", "alt card")
    position.then(decision="fish_worker", moods={"fisherman": 2}).when(0, "along shepherd", "at mine")
    position.then(at={"shepherd": "mine"}, store={"wool": 0, "coal": 0}, moods={"shepherd": 0})


def test_fisherman_and_tokens():
    """RO-6.15 tokens count in their phase only; never Barracks or Kitchen."""
    evening = given(T13, phase="evening", cards={0: [15]}).when(0, "fisherman labor_camp", "along miner")
    evening.then(legal=[1, 4, 6])  # not the Lake
    lunch = given(T13, phase="lunch", cards={0: [15]}).when(0, "fisherman field_kitchen", "along miner")
    lunch.then(legal=[1, 4, 6, 9, 10])
    tight = {
        "shepherd": "mine",
        "farmer": "administration",
        "commissar": "pasture",
        "bureaucrat": "labor_camp",
    }
    blocked = ("", "palace farm beer_house spaceship lake")
    full = given(tight, phase="evening", blocked=blocked, cards={0: [15]}, options={"blocking_tokens": 5})
    full.when(0, "fisherman storehouse", "store nothing").then(decision="move", seat=1)  # nothing is free


def test_miner():
    """RO-6.16 T17: ids 0, 1, 2, 3 at the Labor Camp; one more cube, -1 mood; four cubes are one reward."""
    position = (
        given(cards={0: [16]}).when(0, "miner labor_camp").then(decision="miner_extra", legal=[0, 1, 2, 3])
    )
    position.when(0, "extra fish").then(
        store={"wool": 1, "wheat": 1, "fish": 2}, wheel=[0, 0], vp=[7, 5], moods={"miner": -3}, seat=1,
        log={"card_16_uses": 1, "produced_fish": 2, "wheel_rewards": 1, "vp_at_labor_camp": 2},
    )  # fmt: skip
    given(cards={0: [16]}).when(0, "miner labor_camp", "extra nothing").then(moods={"miner": -2})
    given(cards={0: [16]}).when(0, "miner mine").then(decision="move", seat=1)
    given(cards={0: [16]}).when(0, "miner pasture").then(decision="miner_extra", legal=[0, 1])


def test_adding_is_not_producing():
    """RO-6.16 neither Storehouse nor Spaceship; with card 3 the type produced counts; the lake produces."""
    given(cards={0: [16]}).when(0, "miner storehouse", "buy wool").then(decision="move", seat=1)
    given(cards={0: [16]}, ship=[1]).when(0, "miner spaceship").then(decision="move", seat=1)
    coal = given(cards={0: [3, 16]}).when(0, "miner farm", "grow coal").then(decision="move", seat=1)
    coal.then(store={"coal": 1})
    fish = given(cards={0: [16]}, lake=[2, 0, 0, 0, 1, 1]).when(0, "miner lake").then(legal=[0, 3])
    fish.when(0, "extra fish").then(track={"fish": 1}, store={"fish": 0}, log={"lake_fish": 2})
    last_turn = given(cards={0: [16], 1: [16]}).when(0, "farmer pasture").when(1, "miner mine")
    last_turn.then(decision="move", seat=0)
    given(cards={0: [1, 16]}).when(0, "miner pasture", "alt card").then(decision="move", seat=1)


def test_commissar():
    """RO-6.17 one crystal to the Palace at the end of the turn, also after a normal donation."""
    position = given(cards={0: [17]}, crystals=[2, 1]).when(0, "commissar palace", "palace donate")
    position.then(decision="commissar_donate", legal=[0, 1]).when(0, "donate yes")
    position.then(palace=[2, 0], crystals=[0, 1], log={"card_17_uses": 1, "palace_donations": 2})
    given(cards={0: [17]}).when(0, "commissar mine", "donate no").then(palace=[0, 0], log={"card_17_uses": 0})
    gained = given(cards={0: [17]}, crystals=[0, 1], wheel=[3]).when(0, "commissar pasture")
    gained.then(decision="commissar_donate").when(0, "donate yes").then(palace=[1, 0], crystals=[0, 1])
    given(cards={0: [17]}, crystals=[0, 1]).when(0, "commissar pasture").then(decision="move", seat=1)


def test_crystals_of_card_4_may_be_donated():
    """RO-6.17 after the action, so that crystals gained in it may be used, also of a replaced action."""
    position = given(cards={0: [4, 17]}, crystals=[0, 1]).when(0, "commissar beer_house", "alt card")
    position.then(decision="commissar_donate", moods={"commissar": 0}).when(0, "donate yes")
    position.then(crystals=[1, 1], palace=[1, 0])


def test_bureaucrat():
    """RO-6.18 T15: in the Morning 42 + 3 ids; only to empty locations."""
    position = given(phase="morning", cards={0: [18]})
    normal = given(phase="morning").legal()
    more = moves("bureaucrat", "spaceship palace beer_house")
    assert position.legal() == sorted([*normal, *more]) and len(position.legal()) == 45
    position.when(0, "bureaucrat palace").then(log={"card_18_uses": 1}, decision="palace")
    given(phase="morning", cards={0: [18]}).when(0, "bureaucrat mine").then(log={"card_18_uses": 0})
    taken = given({"miner": "palace"}, phase="morning", cards={0: [18]}).legal()
    assert move("bureaucrat", "palace") not in taken and move("bureaucrat", "spaceship") in taken
    evening = given(T13, phase="evening", cards={0: [18]}).legal()
    assert len(evening) == 30  # Farm, Pasture and Lake are taken


def test_bureaucrat_in_the_evening():
    """RO-6.18 to an empty location with an evening token; a morning token says nothing then."""
    position = given(phase="evening", cards={0: [18]})
    extra = moves("bureaucrat", "farm pasture lake")
    assert position.legal() == sorted([*given(phase="evening").legal(), *extra])
    position.when(0, "bureaucrat lake").then(log={"card_18_uses": 1}, at={"bureaucrat": "lake"})


def test_bureaucrat_at_lunch():
    """RO-6.18 T15: to any empty location with a token of either kind; not with the option."""
    position = given(T13, phase="lunch", cards={0: [18]})
    assert position.legal() == sorted(
        [*moves(EVERYBODY, "field_kitchen"), *moves("bureaucrat", "palace spaceship")]
    )
    position.when(0, "bureaucrat palace", "palace donate").then(palace=[1, 0], log={"card_18_uses": 1})
    without = given(T13, phase="lunch", cards={0: [18]}, options={"bureaucrat_card_lunch": False})
    assert without.legal() == moves(EVERYBODY, "field_kitchen")
    day = given(T13, phase="day2", cards={0: [18]}).when(0, "bureaucrat palace", "palace nothing")
    day.then(log={"card_18_uses": 0})
