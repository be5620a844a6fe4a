"""RO-7 end of a round: the docstring of each test begins with its clause."""

from __future__ import annotations

import pytest

from .positions import WORKERS, given


def scored(**more):
    """After the last turn of an Evening, in which a seat moves the Shepherd to the Storehouse (no mood)."""
    seats = more.pop("seats", 2)
    position = given(phase="evening", turn=seats - 1, seat=seats - 1, seats=seats, **more)
    position.when(seats - 1, "shepherd storehouse")
    if position.decision == "store_opt":
        position.when(seats - 1, "store nothing")
    return position


def test_influence():
    """RO-7.1 E5: the most disks score the mood, also a negative one; nobody without influence."""
    position = scored(
        disks={0: {"bureaucrat": 2, "commissar": 1}, 1: {"bureaucrat": 1, "commissar": 1}},
        moods={"bureaucrat": 3, "commissar": -2, "miner": 5, "farmer": -5},
    )
    position.then(
        vp=[6, 3], reserve=[9, 9], round=1,
        log={
            "mood_bureaucrat": 3, "mood_commissar": -2, "mood_miner": 5, "mood_farmer": -5,
            "mood_shepherd": 0, "round_mood_vp": 1, "workers_unled": 3, "workers_tied": 1,
        },
        seat_log={
            0: {"vp_mood": 1, "workers_led": 2, "workers_led_alone": 1},
            1: {"vp_mood": -2, "workers_led": 2, "workers_led_alone": 1},
        },
    )  # fmt: skip


def test_crystals_on_portraits_are_influence():
    """RO-7.1 disks and crystals of a player are added; a seat with less scores nothing."""
    position = scored(
        portraits={0: {"miner": 2}}, disks={0: {"miner": 1}, 1: {"miner": 2}}, moods={"miner": 4},
        crystals=[0, 1],
    )  # fmt: skip
    position.then(vp=[9, 5], seat_log={0: {"workers_led_alone": 1}, 1: {"workers_led_alone": 1}})


@pytest.mark.parametrize("times", [0, 1, 2, 3])
def test_multiplier(times):
    """RO-7.1 times mood_multiplier; the log tells the worth with it."""
    position = scored(disks={0: {"miner": 1}}, moods={"miner": -3}, options={"mood_multiplier": times})
    position.then(vp=[5 - 3 * times, 5], log={"mood_miner": -3 * times, "round_mood_vp": -3 * times})


TWO = {
    "disks": {0: {"miner": 1, "farmer": 2}, 1: {"miner": 1, "farmer": 2}},
    "moods": {"miner": 3, "farmer": -5},
}


@pytest.mark.parametrize(
    ("options", "each"),
    [
        ({}, 3 - 5),
        ({"worker_tie": "split"}, 1 - 2),
        ({"worker_tie": "none"}, 0),
        ({"mood_multiplier": 2}, 6 - 10),
    ],
    ids=str,
)
def test_ties(options, each):
    """RO-7.2 T27: all tied leaders score in full; split truncates towards 0; none: nothing."""
    position = scored(**TWO, options=options)
    position.then(vp=[5 + each, 5 + each], log={"workers_tied": 2})
    assert [position.seat_logged(seat)["workers_led"] for seat in (0, 1)] == [2, 3]  # and the Shepherd
    assert position.seat_logged(0)["workers_led_alone"] == 0


def test_sole_leaders_score_in_full():
    """RO-7.2 worker_tie says nothing of a leader alone."""
    for tie in ("full", "split", "none"):
        scored(disks={0: {"miner": 1}}, moods={"miner": 3}, options={"worker_tie": tie}).then(vp=[8, 5])


def test_three_share():
    """RO-7.2 split among three: 5 / 3 = 1, -5 / 3 = -1."""
    disks = {seat: {"miner": 1, "farmer": 1, "bureaucrat": 1} for seat in range(3)}
    moods = {"miner": 5, "farmer": -5, "bureaucrat": 4}
    scored(seats=3, disks=disks, moods=moods, options={"worker_tie": "split"}).then(vp=[6, 6, 6])


def test_reset():
    """RO-7.3 moods to the start, disks and crystals home, all workers upright in the Barracks."""
    position = scored(
        disks={0: {"miner": 3}, 1: {"farmer": 4}}, portraits={0: {"miner": 1}}, crystals=[1, 1],
        at={"miner": "mine", "farmer": "farm"}, moods={"miner": 2, "farmer": -1}, flat="miner",
    )  # fmt: skip
    position.then(
        moods=dict.fromkeys(WORKERS, 0), reserve=[9, 9], disks={0: {}, 1: {}}, portraits={0: {}, 1: {}},
        supply=22, crystals=[1, 1], at=dict.fromkeys(WORKERS, "barracks"), flat="",
        log={"crystals_gained": 0, "mood_up": 0, "mood_down": 0},
    )  # fmt: skip


def test_moods_carry_over():
    """RO-7.3 mood_reset = false: moods stay."""
    position = scored(moods={"miner": 2, "farmer": -1}, options={"mood_reset": False})
    position.then(moods={"miner": 2, "farmer": -1, "shepherd": 0}, round=1)


def test_what_is_kept():
    """RO-7.4 storehouse, tracks, wheels, crystals, Palace, decks, tokens, cards, VP."""
    stored = {
        "store": {"wool": 2, "coal": 1}, "track": {"fish": 2, "wheat": 3}, "wheel": [3, 1],
        "crystals": [4, 2], "palace": [2, 3], "vp": [17, -3],
    }  # fmt: skip
    position = scored(**stored, lake=[0, 1], cards={0: [4, 16], 1: [13]}, blocked=("mine", "lake"), ship=[3])
    ships, lakes = position.s.ship_deck.tolist(), position.s.lake_deck.tolist()
    position.then(**stored, lake=2, lake_discard=[2, 1, 1], cards={0: [4, 16], 1: [13]}, round=1)
    assert ships == given(ship=[3]).s.ship_deck.tolist() and lakes[:2] == [1, 0]
    assert (int(position.s.block_morning), int(position.s.block_evening)) == (1 << 7, 1 << 9)
    assert position.s.put_by[0].tolist() == [0, 0, -1, -1]
