"""LO-3 the course of a turn: each test is titled by its clause."""

from __future__ import annotations

from .positions import given


def test_LO_3_1_steps():
    """LO-3.1 intel, conflicts, extracting, generating, a tile, spending, troops, the next turn."""
    position = given(
        "18@(-1,1)/0", buildings={4: "0 excavator"}, hands={0: [2]}, troops={0: [2, 1]}, draw=[19],
    )  # fmt: skip
    position.when(
        "intel done", "conflict 0", "extract 25", "store 0", "extract done", "generate 0", "store 12"
    )
    position.when("generate done", "tile 0", "place_cell 0", "place_rot 0", "spend intel", "spend done")
    position.when("move 2", "move done").then(seat=1, active=1, turn=4, phase="extract")
    met = [phase for _, phase in position.decided] + [phase for _, phase, _ in position.forced]
    assert set(met) >= {
        "intel",
        "conflict",
        "extract",
        "store",
        "generate",
        "tile",
        "place_cell",
        "spend",
        "move",
    }


def test_LO_3_2_forced_decisions():
    """LO-3.2 a decision with one legal id is no decision: a turn in which only a cell is chosen.

    Without an own excavator EXTRACT is not even that, nor MOVE without own troops.
    """
    position = given(slots={0: 2}, draw=[47], deck_n=0).end_turn()
    assert position.decided == [(0, "place_cell")]
    assert [phase for _, phase, _ in position.forced] == [
        "generate", "tile", "place_rot", "spend",
    ]  # fmt: skip


def test_LO_3_3_the_next_player_clockwise():
    """LO-3.3 who is not eliminated follows, with four seats and without the second."""
    for seat, following in {0: 2, 2: 3, 3: 0}.items():
        given(seats=4, fallen={1: 3}, seat=seat, rounds=2).end_turn().then(active=following, seat=following)
    given(seats=4, fallen={0: 3, 1: 2}, seat=3, rounds=2).end_turn().then(active=2)


def test_LO_3_4_eliminated_players_take_no_turns():
    """LO-3.4 the others play on."""
    position = given(seats=3, fallen={0: 3}, seat=1, rounds=2)
    order = []
    for _ in range(6):
        order.append(int(position.s.active))
        position.end_turn()
    assert order == [1, 2, 1, 2, 1, 2]
    position.then(alive=[0, 1, 1], turns=[3, 6, 5])
