"""RO-8 end of the game: the docstring of each test begins with its clause."""

from __future__ import annotations

import pytest

from simkit.games.red_outpost import game

from .positions import given


def ended(**more):
    """After the last turn of the last Evening, in which a seat moves the Shepherd to the Storehouse."""
    seats = more.pop("seats", 2)
    position = given(phase="evening", round=1, turn=seats - 1, seat=seats - 1, seats=seats, **more)
    position.when(seats - 1, "shepherd storehouse")
    if position.decision == "store_opt":
        position.when(seats - 1, "store nothing")
    assert position.over and position.problems() == []
    return position


def test_palace():
    """RO-8.1 T1: donations 2, 2, 1, 0: 4, 4, 1, 0 VP; dense: 4, 4, 2, 0."""
    more = {"seats": 4, "palace": [2, 2, 1, 0], "crystals": [0, 0, 0, 0]}
    position = ended(**more).then(vp=[9, 9, 6, 5])
    assert [position.seat_log(seat)["vp_palace"] for seat in range(4)] == [4, 4, 1, 0]
    assert [position.seat_log(seat)["donated"] for seat in range(4)] == [2, 2, 1, 0]
    ended(**more, options={"palace_tie": "dense"}).then(vp=[9, 9, 7, 5])


@pytest.mark.parametrize(
    ("palace", "tie", "won"),
    [
        ([3, 2, 1, 1], "standard", [4, 2, 1, 1]),
        ([4, 3, 2, 1], "standard", [4, 2, 1, 0]),
        ([4, 3, 2, 1], "dense", [4, 2, 1, 0]),
        ([1, 3, 2, 3], "dense", [1, 4, 2, 4]),
        ([1, 5, 5, 5], "standard", [0, 4, 4, 4]),
        ([1, 5, 5, 5], "dense", [2, 4, 4, 4]),
        ([1, 2, 2, 3], "standard", [0, 2, 2, 4]),
        ([1, 2, 2, 3], "dense", [1, 2, 2, 4]),
        ([0, 0, 1, 0], "standard", [0, 0, 4, 0]),
        ([0, 0, 0, 0], "dense", [0, 0, 0, 0]),
    ],
)
def test_places(palace, tie, won):
    """RO-8.1 one more than the seats with strictly more; nobody without a donation."""
    position = ended(seats=4, palace=palace, crystals=[0] * 4, vp=[0] * 4, options={"palace_tie": tie})
    position.then(vp=won)


def test_points_of_places():
    """RO-8.1 palace_vp_1 to palace_vp_4."""
    options = {"palace_vp_1": 9, "palace_vp_2": 7, "palace_vp_3": 5, "palace_vp_4": 3}
    ended(seats=4, palace=[1, 4, 3, 2], crystals=[0] * 4, vp=[0] * 4, options=options).then(vp=[3, 9, 7, 5])


@pytest.mark.parametrize(("per", "won"), [(1, [5, 2]), (2, [2, 1]), (3, [1, 0]), (4, [1, 0])])
def test_crystals(per, won):
    """RO-8.2 1 VP per crystals_per_vp crystals in the reserve, rounded down; donated ones do not count."""
    position = ended(crystals=[5, 2], vp=[0, 0], options={"crystals_per_vp": per}).then(vp=won)
    assert [position.seat_log(seat)["vp_crystals"] for seat in (0, 1)] == won
    assert [position.seat_log(seat)["crystals_end"] for seat in (0, 1)] == [5, 2]


def test_most_points_win():
    """RO-8.3 whatever the crystals."""
    position = ended(vp=[20, 21], crystals=[1, 0]).then(rank=[2, 1], vp=[20, 21])
    log = position.game_log()
    assert (log["winning_margin"], log["tiebreak_needed"]) == (1, 0)


def test_tie_break():
    """RO-8.4 T20: equal VP, crystals 3 and 2: the first wins; 2 and 2: shared."""
    position = ended(vp=[20, 20], crystals=[3, 2]).then(vp=[21, 21], rank=[1, 2])
    log = position.game_log()
    assert (log["winning_margin"], log["tiebreak_needed"]) == (0, 1)
    ended(vp=[20, 20], crystals=[2, 2]).then(rank=[1, 1])


def test_ranks():
    """RO-8.4 T28: VP 20, 20, 15, 15, crystals 3, 2, 1, 1: ranks 1, 2, 3, 3; shared: 1, 1, 3, 3."""
    more = {"seats": 4, "vp": [19, 19, 15, 15], "crystals": [3, 2, 1, 1]}
    ended(**more).then(vp=[20, 20, 15, 15], rank=[1, 2, 3, 3])
    ended(**more, options={"final_tie": "shared"}).then(vp=[20, 20, 15, 15], rank=[1, 1, 3, 3])


def test_the_game_ends_after_the_last_round():
    """RO-8.4 only then: rounds_played; the Evening of the last round is scored before."""
    position = ended(disks={0: {"miner": 1}}, moods={"miner": -4}).then(vp=[1, 5], rank=[2, 1], seat=-1)
    assert game.end_reasons(position.game_log()["end_reason"]).name == "rounds_played"
    assert [reason.name for reason in game.end_reasons if reason] == ["rounds_played"]
    later = given(phase="evening", round=1, turn=1, seat=1, options={"rounds": 3})
    later.when(1, "shepherd storehouse", "store nothing").then(round=2, seat=1)
    short = given(phase="evening", round=0, turn=1, seat=1, options={"rounds": 1})
    assert short.when(1, "shepherd storehouse", "store nothing").over
