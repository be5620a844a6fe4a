"""RO-4 a turn: the docstring of each test begins with its clause."""

from __future__ import annotations

import pytest

from .positions import LOCATIONS, ORDINARY, WORKERS, Position, given, move, moves


def test_moves():
    """RO-4.1 an upright worker, another location, an empty one; he lies flat there."""
    at = {"miner": "mine", "farmer": "farm", "shepherd": "pasture"}
    position = given(at, flat="farmer")
    free = [name for name in ORDINARY if name not in ("mine", "farm", "pasture")]
    assert position.legal() == moves("shepherd fisherman miner commissar bureaucrat", " ".join(free))
    position.when(0, "miner storehouse", "store nothing").then(
        at={"miner": "storehouse"}, flat="farmer miner"
    )


def test_barracks_and_kitchen_take_all():
    """RO-4.1 (c) any number of workers may be together there; (b) who is there cannot go there."""
    evening = given({"miner": "mine"}, phase="evening")
    assert [a for a in evening.legal() if a % 12 == 11] == [move("miner", "barracks")]
    lunch = given(
        {"miner": "field_kitchen", "farmer": "field_kitchen"}, flat="miner farmer", phase="lunch", turn=0
    )
    assert lunch.legal() == moves("shepherd fisherman commissar bureaucrat", "field_kitchen")


def test_disk():
    """RO-4.2 a disk from the reserve onto the worker's portrait."""
    position = given(disks={0: {"miner": 2}, 1: {"miner": 1}}).when(0, "miner mine")
    position.then(disks={0: {"miner": 3}, 1: {"miner": 1}}, reserve=[6, 8], log={"no_disk_left": 0})


def test_empty_reserve():
    """RO-4.2 no disk is placed and the turn goes on; the disk on card 6 can still be released."""
    without = given(disks={0: {"farmer": 9}}).when(0, "miner mine")
    without.then(disks={0: {"farmer": 9}}, reserve=[0, 9], store={"coal": 2}, log={"no_disk_left": 1})
    card = {"cards": {0: [6]}, "card_disk": [1], "disks": {0: {"farmer": 8}}}
    normal = given(**card).when(0, "miner mine").then(decision="disk", legal=[0, 2])
    normal.when(0, "disk normal").then(disks={0: {"farmer": 8}}, card_disk=[1, 0], log={"no_disk_left": 1})
    released = given(**card).when(0, "miner mine", "disk release")
    released.then(disks={0: {"farmer": 8, "miner": 1}}, card_disk=[0, 0], log={"no_disk_left": 1})
    fewer = Position({"disks_delta": -4, "rounds": 1}, 4)
    assert fewer.finish().logged()["no_disk_left"] == 4 * 4 and fewer.problems() == []


@pytest.mark.parametrize(("card", "place"), [(1, "pasture"), (4, "beer_house"), (8, "mine")])
def test_replacement(card, place):
    """RO-4.3 cards 1, 4, 8: asked after the disk and before the mood; only of the owner."""
    position = given(cards={0: [card]}).when(0, f"commissar {place}")
    position.then(decision="alt", legal=[0, 1], disks={0: {"commissar": 1}}, moods={"commissar": 0})
    assert given(cards={1: [card]}).when(0, f"commissar {place}").decision != "alt"
    other = given({"miner": "mine"}, cards={0: [card]}).when(0, "commissar storehouse")
    assert other.decision != "alt"


MOODS = {
    "pasture": [0, -1, -1, -1, -1, -1],
    "palace": [1, 1, 1, 1, 0, 1],
    "farm": [-1, 0, -1, -1, -1, -1],
    "beer_house": [2, 2, 2, 2, -1, 2],
    "storehouse": [0, 0, 0, 0, 0, 0],
    "administration": [0, 0, 0, 0, 0, 0],
    "spaceship": [-1, -1, -1, -1, -1, -1],
    "mine": [-2, -2, -2, 0, -2, -2],
    "field_kitchen": [1, 1, 1, 1, 1, 1],
    "lake": [-1, -1, 0, -1, -1, -1],
    "labor_camp": [-2, -2, -2, -2, -2, -2],
    "barracks": [1, 1, 1, 1, 1, 1],
}


@pytest.mark.parametrize("place", LOCATIONS)
def test_printed_moods(place):
    """RO-4.4 the table, with the side effects at Palace and Administration."""
    phase = {"field_kitchen": "lunch", "barracks": "evening"}.get(place, "day2")
    host = {"palace": "commissar", "administration": "bureaucrat"}.get(place)
    for w, worker in enumerate(WORKERS):
        elsewhere = dict.fromkeys(WORKERS, "barracks") | {worker: "farm" if place != "farm" else "mine"}
        position = given(elsewhere, phase=phase, crystals=[0, 0], lake=[0, 0, 0, 1, 1, 2], ship=[0])
        position.apply(move(worker, place))
        want = dict.fromkeys(WORKERS, 0) | {worker: MOODS[place][w]}
        if host and host != worker:
            want[host] = 1
        position.then(moods=want)


def test_side_effects():
    """RO-4.4 T2: the Commissar at the Palace gains nothing; the Miner there: both gain, wherever she is."""
    given(crystals=[0, 0]).when(0, "commissar palace").then(moods={"commissar": 0})
    position = given({"commissar": "labor_camp"}, crystals=[0, 0], flat="commissar", seat=1)
    position.when(1, "miner palace").then(moods={"commissar": 1, "miner": 1})
    given(crystals=[0, 0]).when(0, "bureaucrat administration").then(moods={"bureaucrat": 0})


def test_sizes_of_moods():
    """RO-4.4 options: sizes of gains and losses; the Commissar's loss and the Miner's 0 stay."""
    options = {
        "beer_mood": 3, "kitchen_mood": 0, "barracks_mood": 2, "palace_side_mood": 2,
        "administration_side_mood": 0, "mine_mood_loss": 4, "camp_mood_loss": 3, "spaceship_mood_loss": 2,
    }  # fmt: skip

    def after(worker, place, phase="day2", of=None):
        position = given({"miner": "farm"}, phase=phase, crystals=[0, 0], ship=[0], options=options)
        position.apply(move(worker, place))
        return position.named_facts()["moods"](of or worker)

    assert after("miner", "beer_house") == 3 and after("commissar", "beer_house") == -1
    assert after("miner", "field_kitchen", "lunch") == 0 and after("miner", "barracks", "evening") == 2
    assert after("miner", "palace") == 1 and after("miner", "palace", of="commissar") == 2
    assert after("miner", "administration", of="bureaucrat") == 0
    assert after("farmer", "mine") == -4 and after("miner", "mine") == 0
    assert after("miner", "labor_camp") == -3 and after("miner", "spaceship") == -2


def test_production_is_mandatory():
    """RO-4.5 production is not asked about; what "you may" do is optional."""
    for words, produced in (("shepherd pasture", "wool"), ("farmer farm", "wheat"), ("farmer mine", "coal")):
        given().when(0, words).then(seat=1, log={f"produced_{produced}": 1})
    for place in ("palace", "beer_house", "storehouse"):
        assert given().when(0, f"miner {place}").legal()[0] == 0


def test_after_the_action():
    """RO-4.6 card 16, 17, 15 after the action, only of the owner who moved that worker."""
    cards = {0: [15, 16, 17]}
    position = given(cards=cards).when(0, "miner labor_camp").then(decision="miner_extra", seat=0)
    position.when(0, "extra nothing").then(seat=1, decision="move")
    given(cards=cards).when(0, "commissar storehouse", "store nothing").then(decision="commissar_donate")
    given(cards=cards).when(0, "fisherman pasture").then(decision="fish_worker", store={"wool": 1})
    for words in ("miner labor_camp", "commissar labor_camp", "fisherman labor_camp"):
        given(cards={1: [15, 16, 17]}).when(0, words).then(decision="move", seat=1)
        given(cards=cards).when(0, words.replace("miner", "farmer")).then(seat=int("miner" in words))


def test_mood_stops_at_the_ends():
    """RO-4.7 T4: the Miner on -4 visits the Labor Camp: -5, one step is lost."""
    position = given(moods={"miner": -4}).when(0, "miner labor_camp")
    position.then(moods={"miner": -5}, log={"mood_down": 1, "mood_clamped": 1, "mood_up": 0})
    top = given(moods={"miner": 5}, crystals=[0, 0]).when(0, "miner beer_house")
    top.then(moods={"miner": 5}, log={"mood_up": 0, "mood_clamped": 2})


def test_a_worker_who_cannot_move_further_may_be_chosen():
    """RO-4.7 the swap takes place, the step is lost."""
    position = given(moods={"farmer": 5, "shepherd": -5}).when(0, "miner beer_house", "beer farmer")
    position.when(0, "worse shepherd").then(
        moods={"farmer": 5, "shepherd": -5}, crystals=[0, 1], log={"mood_clamped": 2, "beer_swaps": 1}
    )


def test_produce():
    """RO-4.8 E3: cube by cube: added, then the wheel; export, wheel reward, one coal left."""
    position = given(
        store={"coal": 2}, wheel=[0, 2], seat=1, flat="farmer", at={"farmer": "farm"},
    ).when(1, "miner mine")  # fmt: skip
    position.then(
        store={"coal": 1}, track={"coal": 1}, wheel=[0, 0], vp=[5, 10], crystals=[1, 2],
        moods={"miner": 0}, log={"produced_coal": 2, "exports_coal": 1, "export_vp": 3, "wheel_rewards": 1},
    )  # fmt: skip
    given(store={"coal": 2}, wheel=[3]).when(0, "miner mine").then(wheel=[1, 0], vp=[10, 5])


def test_add_does_not_turn_the_wheel():
    """RO-4.9 T5: a crystal for the third fish: export, wheel as it was."""
    position = given(store={"fish": 2}, wheel=[3]).when(0, "miner storehouse", "buy fish")
    position.then(
        vp=[10, 5], store={"fish": 0}, track={"fish": 1}, wheel=[3, 0], crystals=[0, 1],
        log={"added_fish": 1, "produced_fish": 0, "export_vp": 5},
    )  # fmt: skip


def test_repeated_export():
    """RO-4.10 T6: on a full coal track the ? value is scored, again and again."""
    position = given(store={"coal": 2}, track={"coal": 3}).when(0, "farmer mine")
    position.then(vp=[7, 5], track={"coal": 3}, store={"coal": 0}, log={"exports": 1, "exports_repeat": 1})
    repeated = given(store={"coal": 2}, track={"coal": 3}, round=1).when(0, "miner mine")
    repeated.then(vp=[7, 5], track={"coal": 3}, store={"coal": 1})


@pytest.mark.parametrize("threshold", [2, 3, 4])
def test_export_threshold(threshold):
    """RO-4.10 the whole set is removed; the active player scores."""
    options = {"export_threshold": threshold}
    position = given(store={"wool": threshold - 1}, options=options, seat=1).when(1, "miner pasture")
    position.then(store={"wool": 0}, track={"wool": 1}, vp=[5, 9])
    given(options=options).when(0, "miner mine").then(store={"coal": 2 * (threshold > 2)})


@pytest.mark.parametrize("bonus", [-2, 0, 3])
def test_export_bonus(bonus):
    """RO-4.10 added to the value of every space, the repeated one too."""
    for cubes, value in ((0, 3), (3, 2)):
        position = given(store={"coal": 2}, track={"coal": cubes}, options={"export_bonus": bonus})
        position.when(0, "farmer mine").then(vp=[5 + value + bonus, 5], log={"export_vp": value + bonus})


def test_wheel_goes_space_by_space():
    """RO-4.11 a reward on reaching the first space; several in one turn are possible."""
    position = given(wheel=[1], options={"wheel_length": 2}).when(0, "miner labor_camp")
    position.then(wheel=[0, 0], vp=[9, 5], crystals=[3, 1], log={"wheel_rewards": 2, "crystals_gained": 2})


def test_wheel_rewards():
    """RO-4.11 wheel_vp and wheel_crystals to the owner of the marker."""
    options = {"wheel_vp": 4, "wheel_crystals": 2}
    given(wheel=[0, 3], seat=1, options=options).when(1, "farmer farm").then(
        vp=[5, 9], crystals=[1, 3], seat_log={1: {"vp_wheel": 4, "wheel_rewards": 1}}
    )


def test_where_crystals_go():
    """RO-4.12 gains come from the supply, payments go back to it, donations stay at the Palace."""
    given().when(0, "bureaucrat administration").then(crystals=[2, 1], supply=21)
    given().when(0, "miner beer_house", "beer miner", "worse farmer").then(crystals=[0, 1], supply=23)
    given().when(0, "miner storehouse", "buy coal").then(crystals=[0, 1], supply=23)
    given().when(0, "miner palace", "palace donate").then(crystals=[0, 1], supply=22, palace=[1, 0])
