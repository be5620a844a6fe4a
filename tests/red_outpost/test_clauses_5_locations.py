"""RO-5 locations: the docstring of each test begins with its clause."""

from __future__ import annotations

from collections import Counter

import pytest

from .positions import copied, given, luck

NONE = dict.fromkeys(("wool", "wheat", "fish", "coal"), 0)


def test_pasture():
    """RO-5.1 one wool, without a question."""
    given().when(0, "miner pasture").then(store=NONE | {"wool": 1}, wheel=[1, 0], seat=1)


def test_palace():
    """RO-5.2 one crystal may be donated; no limit per player; not asked without a crystal."""
    position = given(palace=[5, 0]).when(0, "miner palace").then(decision="palace", legal=[0, 1])
    position.when(0, "palace donate").then(
        palace=[6, 0], crystals=[0, 1], seat=1, log={"palace_donations": 1, "crystals_paid": 0}
    )
    given(crystals=[3, 1]).when(0, "miner palace", "palace donate").then(crystals=[2, 1], seat=1)
    given().when(0, "miner palace", "palace nothing").then(palace=[0, 0], crystals=[1, 1], seat=1)
    given(crystals=[0, 1]).when(0, "miner palace").then(seat=1, decided=1)


def test_farm():
    """RO-5.3 one wheat, without a question."""
    given().when(0, "miner farm").then(store=NONE | {"wheat": 1}, wheel=[1, 0], seat=1)


def test_beer_house():
    """RO-5.4 a crystal: one worker gains, another loses; the visitor may be either; also the Commissar."""
    position = given().when(0, "commissar beer_house").then(decision="beer_gain", legal=list(range(7)))
    position.when(0, "beer commissar").then(decision="beer_lose", legal=[0, 1, 2, 3, 5], crystals=[0, 1])
    position.when(0, "worse miner").then(
        moods={"commissar": 0, "miner": -1}, seat=1, supply=23, log={"beer_swaps": 1, "crystals_paid": 1}
    )
    loser = given(crystals=[3, 0]).when(0, "farmer beer_house", "beer miner", "worse farmer")
    loser.then(moods={"farmer": 1, "miner": 1}, crystals=[2, 0], seat=1)
    given().when(0, "farmer beer_house", "beer nothing").then(moods={"farmer": 2}, seat=1, crystals=[1, 1])
    given(crystals=[0, 1]).when(0, "farmer beer_house").then(seat=1, decided=1, moods={"farmer": 2})


def test_storehouse():
    """RO-5.5 mood for a cube, a crystal for a cube, or a cube for a crystal; once."""
    position = given(store={"wool": 1, "coal": 2}).when(0, "miner storehouse")
    position.then(legal=[0, 1, 4, 5, 8, 9, 10, 11, 12])
    mood = given(store={"wool": 1}).when(0, "miner storehouse", "mood wool")
    mood.then(decision="store_gain", legal=[0, 1, 2, 3, 4, 5], store=NONE).when(0, "better miner")
    mood.then(decision="store_lose", legal=[0, 1, 2, 4, 5]).when(0, "worse farmer")
    mood.then(
        moods={"miner": 1, "farmer": -1}, crystals=[1, 1], seat=1,
        log={"store_mood": 1, "crystals_paid": 0, "beer_swaps": 0},
    )  # fmt: skip
    sold = given(store={"coal": 2}).when(0, "miner storehouse", "sell coal")
    sold.then(store={"coal": 1}, crystals=[2, 1], seat=1, log={"store_to_crystal": 1, "crystals_gained": 1})
    bought = given(store={"coal": 1}).when(0, "miner storehouse", "buy coal")
    bought.then(store={"coal": 2}, crystals=[0, 1], seat=1, wheel=[0, 0], log={"store_from_crystal": 1})
    given(store={"coal": 1}).when(0, "miner storehouse", "store nothing").then(store={"coal": 1}, seat=1)


def test_storehouse_without_a_crystal_to_gain():
    """RO-5.5 (b) is illegal while the supply is empty, not where it is unlimited."""
    given(store={"coal": 1}, supply=0).when(0, "miner storehouse").then(legal=[0, 4, 9, 10, 11, 12])
    given(store={"coal": 1}, crystals=[0, 0], options={"crystal_supply": 0}).when(0, "miner storehouse").then(
        legal=[0, 4, 8]
    )


def test_bureaucrat_at_the_administration():
    """RO-5.6 she gains a crystal, without a question."""
    position = given(disks={1: {"miner": 1}}).when(0, "bureaucrat administration")
    position.then(crystals=[2, 1], seat=1, moods={"bureaucrat": 0}, disks={1: {"miner": 1}})


def test_administration():
    """RO-5.6 T12: one disk of another player, neither portrait the visitor's; it stays that player's."""
    position = given(disks={0: {"farmer": 1}, 1: {"miner": 1, "farmer": 1}})
    position.when(0, "miner administration").then(
        decision="admin_from", legal=[0, 1 + 6 + 1], moods={"bureaucrat": 1, "miner": 0}
    )
    position.when(0, "take 1 farmer").then(decision="admin_to", legal=[0, 2, 4, 5])
    position.when(0, "to bureaucrat").then(
        disks={0: {"farmer": 1, "miner": 1}, 1: {"miner": 1, "bureaucrat": 1}}, seat=1,
        log={"admin_moves": 1}, seat_log={1: {"disks_shifted": 1}, 0: {"disks_shifted": 0}},
    )  # fmt: skip
    given(disks={1: {"farmer": 1}}).when(0, "miner administration", "take nothing").then(
        disks={1: {"farmer": 1}}, log={"admin_moves": 0}
    )


def test_whose_disks():
    """RO-5.6 T25: administration_disks: others {0, 7}, any {0, 2, 7}, none: not raised."""

    def visit(which):
        disks = {0: {"farmer": 1, "miner": 1}, 1: {"shepherd": 1}}
        options = {"administration_disks": which}
        return given(disks=disks, options=options).when(0, "miner administration")

    assert visit("others").legal() == [0, 7] and visit("any").legal() == [0, 2, 7]
    visit("none").then(decision="move", seat=1, moods={"bureaucrat": 1}, decided=1)
    own = visit("any").when(0, "take 0 farmer", "to shepherd")
    own.then(
        disks={0: {"shepherd": 1, "miner": 2}}, seat_log={0: {"disks_shifted": 0}}, log={"admin_moves": 1}
    )


def test_crystals_on_portraits_stay():
    """RO-5.6 they are not disks."""
    position = given(portraits={1: {"farmer": 1}}, crystals=[1, 0]).when(0, "miner administration")
    position.then(seat=1, decided=1, portraits={1: {"farmer": 1}})


def test_spaceship():
    """RO-5.7 the top card: the resource is added (exported, never the wheel), then the crystal."""
    position = given(ship=[7, 0], store={"fish": 2}, wheel=[3]).when(0, "miner spaceship")
    position.then(
        vp=[10, 5], store={"fish": 0}, track={"fish": 1}, crystals=[2, 1], wheel=[3, 0], ship=11,
        log={"added_fish": 1, "ship_blanks_drawn": 0, "crystals_gained": 1}, moods={"miner": -1},
    )  # fmt: skip
    assert position.s.ship_disc.tolist() == [0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0]
    given(ship=[0]).when(0, "miner spaceship").then(store=NONE, log={"ship_blanks_drawn": 1}, crystals=[1, 1])
    choice = given(ship=[10], store={"fish": 2}).when(0, "miner spaceship").then(legal=[0, 1, 2, 3])
    choice.when(0, "pick fish").then(vp=[10, 5], crystals=[2, 1], seat=1)


def test_spaceship_deck_runs_out():
    """RO-5.7 an empty deck at the time of the draw: the discard pile is shuffled; not before."""
    position = given(ship=[0], ship_left=0).when(0, "miner spaceship")
    position.then(ship=0, log={"ship_reshuffles": 0}, seat=1)
    position.when(1, "farmer mine").when(0, "shepherd pasture").when(1, "commissar labor_camp")
    repeated = given(ship=[], ship_left=0).when(0, "miner spaceship")
    repeated.then(ship=11, log={"ship_reshuffles": 1})
    assert int(repeated.s.ship_disc.sum()) == 1


def test_mine():
    """RO-5.8 one coal, two with the Miner (miner_coal)."""
    given().when(0, "farmer mine").then(store={"coal": 1}, wheel=[1, 0], moods={"farmer": -2})
    given().when(0, "miner mine").then(store={"coal": 2}, wheel=[2, 0], moods={"miner": 0})
    given(options={"miner_coal": 3}).when(0, "miner mine").then(
        store={"coal": 0}, track={"coal": 1}, vp=[8, 5], wheel=[3, 0]
    )
    given(options={"miner_coal": 1}).when(0, "miner mine").then(store={"coal": 1})


def test_kitchen():
    """RO-5.9 mood only."""
    position = (
        given(phase="lunch")
        .when(0, "miner field_kitchen")
        .then(moods={"miner": 1}, store=NONE, crystals=[1, 1], seat=1)
    )
    assert position.decided == 1


def test_lake():
    """RO-5.10 one card: nothing, one fish, or two fish and good mood; then it is discarded."""
    empty = given(lake=[0, 0, 0, 1, 1, 2]).when(0, "miner lake")
    empty.then(store=NONE, moods={"miner": -1}, lake=5, lake_discard=[1, 0, 0], log={"lake_fish": 0}, seat=1)
    first = given(lake=[1, 0, 0, 0, 1, 2]).when(0, "miner lake")
    first.then(store=NONE | {"fish": 1}, wheel=[1, 0], moods={"miner": -1}, lake_discard=[0, 1, 0])
    two = given(lake=[2, 0, 0, 0, 1, 1]).when(0, "miner lake")
    two.then(
        store=NONE | {"fish": 2}, wheel=[2, 0], moods={"miner": 0}, lake_discard=[0, 0, 1],
        log={"lake_cards": 1, "lake_fish": 2, "mood_down": 1, "mood_up": 1},
    )  # fmt: skip


def test_fisherman():
    """RO-5.10 two cards, of which he takes one; both are discarded; he may shuffle after that."""
    position = given(lake=[1, 2, 0, 0, 0, 1]).when(0, "fisherman lake")
    position.then(decision="lake_pick", legal=[0, 1]).when(0, "first")
    position.then(
        decision="lake_post", legal=[0, 1], store={"fish": 1}, moods={"fisherman": 0},
        lake_discard=[0, 1, 1], lake=4, log={"lake_cards": 2, "lake_fish": 1},
    )  # fmt: skip
    position.when(0, "reshuffle").then(lake=6, lake_discard=[0, 0, 0], log={"lake_voluntary_shuffles": 1})
    second = given(lake=[1, 2, 0, 0, 0, 1]).when(0, "fisherman lake", "second", "leave")
    second.then(store={"fish": 2}, moods={"fisherman": 1}, lake=4, log={"lake_voluntary_shuffles": 0}, seat=1)


def test_equal_cards_are_no_choice():
    """RO-5.10 step 3, RO-10.2: of equal kinds the first is taken without a decision."""
    position = given(lake=[1, 1, 0, 0, 0, 2]).when(0, "fisherman lake").then(decision="lake_post")
    position.then(store={"fish": 1}, lake_discard=[0, 2, 0])


def test_shuffle_before():
    """RO-5.10 step 1: all of deck and discard pile; then no shuffle after the visit."""
    position = given(lake=[0, 0, 1]).when(0, "fisherman lake")
    position.then(decision="lake_pre", legal=[0, 1], lake=3)
    position.when(0, "reshuffle")
    while position.decision == "lake_pick":
        position.when(0, "first")
    position.then(seat=1, log={"lake_voluntary_shuffles": 1, "lake_cards": 2})
    assert sum(position.s.lake_disc) in (0, 2)


def test_nothing_to_shuffle():
    """RO-5.10 step 1: not asked with an empty discard pile, nor of another worker."""
    given(lake=[1, 2, 0, 0, 0, 1]).when(0, "fisherman lake").then(decision="lake_pick")
    given(lake=[0, 1, 1]).when(0, "miner lake").then(seat=1, lake=2, lake_discard=[3, 0, 1])


def test_forced_shuffle():
    """RO-5.10 T9: deck of one card: the discards become the new deck while that card is in hand."""
    position = given(lake=[2]).when(0, "fisherman lake", "leave")
    position.then(decision="lake_pick", lake=4, lake_discard=[0, 0, 0])
    position.when(0, "first").then(
        decision="lake_post", store={"fish": 2}, moods={"fisherman": 1}, lake=4,
        log={"lake_forced_shuffles": 1, "lake_auto_shuffles": 0, "lake_fish": 2},
    )  # fmt: skip
    assert sum(position.s.lake_disc) == 2
    position.when(0, "reshuffle").then(lake=6, log={"lake_voluntary_shuffles": 1})


def test_mandatory_shuffle():
    """RO-5.10 T10: with the third fish card all six are shuffled at once; LAKE_POST is not raised."""
    position = given(lake=[1, 0, 0, 0]).when(0, "fisherman lake", "leave", "first")
    position.then(seat=1, lake=6, lake_discard=[0, 0, 0], store={"fish": 1}, log={"lake_auto_shuffles": 1})
    other = given(lake=[1, 0]).when(0, "miner lake").then(lake=6, lake_discard=[0, 0, 0], seat=1)
    other.then(log={"lake_auto_shuffles": 1, "lake_forced_shuffles": 0, "lake_voluntary_shuffles": 0})


def test_shuffles_are_uniform():
    """RO-5.10 after a shuffle every order is as likely."""
    top = Counter()
    position = given(lake=[1, 0])
    before = position.states
    for deal in range(120):
        position.states = copied(before)
        position.s = position.states[0]
        position.rng = luck(2, deal)
        position.when(0, "miner lake")
        top[int(position.s.lake_deck[position.s.lake_n - 1])] += 1
    assert abs(top[0] - 60) < 19 and abs(top[1] - 40) < 18 and abs(top[2] - 20) < 15


@pytest.mark.parametrize("two", [0, 3])
def test_other_splits_of_the_lake(two):
    """RO-5.10 step 5 with three fish cards of one kind."""
    kind = 2 if two else 1
    position = given(lake=[kind, 0], options={"lake_two_fish": two}).when(0, "miner lake")
    position.then(lake=6, log={"lake_auto_shuffles": 1, "lake_fish": kind})


def test_labor_camp():
    """RO-5.11 wheat, wool, fish, in this order."""
    position = given(wheel=[2]).when(0, "miner labor_camp")
    position.then(store={"wool": 1, "wheat": 1, "fish": 1, "coal": 0}, wheel=[1, 0], vp=[7, 5], seat=1)
    position.then(log={"wheel_rewards": 1, "vp_at_labor_camp": 2}, moods={"miner": -2})


def test_barracks():
    """RO-5.12 mood only."""
    position = given({"miner": "farm"}, phase="evening").when(0, "miner barracks")
    position.then(moods={"miner": 1}, store=NONE, seat=1, decided=1)
