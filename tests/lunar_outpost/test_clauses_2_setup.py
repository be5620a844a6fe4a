"""LO-2 setup: each test is titled by its clause."""

from __future__ import annotations

import pytest

from .positions import Position, given

LAYOUTS = {  # tile, q, r, rotation by board index (LO-2.2, [setup])
    2: [(0, 0, 1, 0), (1, 1, -1, 3), (4, 0, 0, 0), (5, 1, 0, 0)],
    3: [(0, 1, -1, 3), (1, 1, 1, 1), (2, -1, 1, 5), (4, 0, 0, 0), (5, 1, 0, 0), (6, 0, 1, 0)],
    4: [
        (0, 1, 1, 1), (1, -1, 1, 5), (2, 2, -1, 2), (3, 0, -1, 4), (4, 0, 0, 0), (5, 1, 0, 0), (6, 0, 1, 0),
        (7, 1, -1, 0),
    ],
}  # fmt: skip


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_LO_2_1_the_number_of_players_chooses_the_layout(seats):
    """LO-2.1 two tiles per player."""
    Position(seats=seats).then(n_tiles=2 * seats, phase="setup_dome")


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_LO_2_2_layout(seats):
    """LO-2.2 K starting tiles and K deposits as listed, in a ring: each touches two of the other kind."""
    position = Position(seats=seats).then(tile=dict(enumerate(LAYOUTS[seats])))
    for t in range(2 * seats):
        near = [u for u in position.s.nb[t].tolist() if u >= 0]
        link = [u for u in near if int(position.s.link[t]) >> u & 1]
        assert sum((u < seats) != (t < seats) for u in link) == 2


@pytest.mark.parametrize(("seats", "left"), [(2, 44), (3, 42), (4, 40)])
def test_LO_2_3_stack(seats, left):
    """LO-2.3 all other tiles, shuffled; tiles that are trimmed lie at the bottom."""
    whole = Position(seats=seats).then(stack_n=left)
    stack = whole.s.stack[:left].tolist()
    assert sorted([*stack, *whole.s.tile_id[: 2 * seats].tolist()]) == list(range(48))
    assert stack != sorted(stack) and stack != Position(seats=seats, deal=1).s.stack[:left].tolist()
    trimmed = Position({"tiles_trim": 20}, seats=seats).then(stack_n=left - 20)
    assert trimmed.s.stack[: left - 20].tolist()[::-1] == stack[::-1][: left - 20]
    drawn = Position({"tiles_trim": 20}, seats=seats).to("place_cell").s.drawn
    assert int(drawn) == stack[-1]


@pytest.mark.parametrize(("delta", "cubes"), [(0, 3), (3, 6), (-1, 2), (-2, 1)])
def test_LO_2_4_deposits_of_the_layout(delta, cubes):
    """LO-2.4 the layout's deposits get their cubes from the pile, at least one each."""
    position = Position({"deposit_delta": delta}, seats=3)
    position.then(deposits={3: cubes, 4: cubes, 5: cubes, 0: 0}, pile=100 - 3 * cubes)


def test_LO_2_5_what_everybody_has():
    """LO-2.5 18 tokens, 5 figures, no cubes, troops or intel."""
    Position(seats=3).then(supply={seat: [3] * 6 for seat in range(3)}, figures=[5] * 3, hand_n=[0] * 3)
    given(seats=3, rounds=0).then(
        supply={seat: [2, 3, 3, 3, 3, 3] for seat in range(3)},
        slots={0: 0, 1: 0, 2: 0}, troops={0: [0] * 3}, figures=[5] * 3, spendable=[0] * 3, hand_n=[0] * 3,
    )  # fmt: skip


@pytest.mark.parametrize(
    ("options", "cubes"),
    [
        ({"starting_resources": 1}, [1, 1]),
        ({"seat_bonus_1": 1}, [0, 1]),
        ({"starting_resources": 1, "seat_bonus_0": 4, "seat_bonus_3": 4}, [2, 1]),
        ({"starting_resources": 4, "dome_storage": 4}, [4, 4]),
        ({"starting_resources": 2, "dome_storage": 0}, [0, 0]),
    ],
)
def test_LO_2_5_starting_cubes(options, cubes):
    """LO-2.5 by option cubes lie in the starting dome, no more than it has slots."""
    given(options=options, rounds=0).then(slots=dict(enumerate(cubes)), pile=94 - sum(cubes))


@pytest.mark.parametrize(("options", "troops"), [({}, 3), ({"troop_limit": 2}, 2), ({"troop_limit": 0}, 0)])
def test_LO_2_5_starting_troops(options, troops):
    """LO-2.5 by option figures stand on the starting dome, no more than there are."""
    limit = options.get("troop_limit", 5)
    given(options=options | {"starting_troops": 3}, rounds=0).then(
        troops={0: [troops, 0], 1: [0, troops]}, figures=[limit - troops] * 2
    )


def test_LO_2_6_event_deck():
    """LO-2.6 32 events face down, shuffled; no active event."""
    position = Position().then(event_n=32, events={}, mod={"dome_rate": 1, "cost_all": 0})
    deck = position.s.event_deck.tolist()
    assert sorted(deck) == list(range(32)) != deck != Position(deal=1).s.event_deck.tolist()
    assert not position.s.event_where.any()


def test_LO_2_7_starting_domes():
    """LO-2.7 each seat in turn chooses a free starting tile; the last is forced; then seat 0 begins."""
    position = Position(seats=3).then(phase="setup_dome", seat=0, legal=[0, 1, 2])
    position.when("setup_dome 1").then(seat=1, legal=[0, 2], building={1: "0 dome"})
    position.when("setup_dome 2").then(seat=2, legal=[0], building={2: "1 dome"})
    pile = int(position.s.pile)
    position.skip().then(
        building={0: "2 dome", 1: "0 dome", 2: "1 dome"}, seat=0, active=0, turn=1, pile=pile,
        supply={seat: [2, 3, 3, 3, 3, 3] for seat in range(3)}, phase="generate",
        decided=[(0, "setup_dome"), (1, "setup_dome")],
    )  # fmt: skip
    assert [int(position.s.log.seat[seat].start_tile) for seat in range(3)] == [1, 2, 0]


def test_LO_2_7_reverse_and_random_order():
    """LO-2.7 by option the highest seat chooses first, or a random one; seat 0 begins all the same."""
    position = Position({"start_choice": "reverse"}, seats=4).then(seat=3, legal=[0, 1, 2, 3])
    position.when("setup_dome 0").then(seat=2).when("setup_dome 1").then(seat=1).when("setup_dome 3")
    position.then(seat=0, legal=[2]).skip().then(seat=0, turn=1, building={2: "0 dome", 3: "1 dome"})
    orders = set()
    for deal in range(40):
        drawn = Position({"start_choice": "random"}, seats=3, deal=deal)
        orders.add(tuple(drawn.s.setup_order[:3].tolist()))
        drawn.to("extract").then(seat=0, active=0, turn=1)
    assert orders == {(0, 1, 2), (0, 2, 1), (1, 0, 2), (1, 2, 0), (2, 0, 1), (2, 1, 0)}


def test_LO_2_8_starting_intel():
    """LO-2.8 dealt card by card, seat 0 first, before the domes; more than the limit of a hand."""
    drawn = Position(seats=3).s.event_deck.tolist()[::-1]
    position = Position({"starting_intel": 3, "intel_limit": 1}, seats=3)
    position.then(
        phase="setup_dome", seat=0, event_n=32 - 9,
        hands={seat: [drawn[seat], drawn[seat + 3], drawn[seat + 6]] for seat in range(3)},
    )  # fmt: skip
    Position({"starting_intel": 3, "events": False}).then(hand_n=[0, 0], event_n=32)
    Position({"starting_intel_extra": 2}).then(hand_n=[0, 0], phase="setup_dome")


def test_LO_2_8_choice_of_the_starting_hand():
    """LO-2.8 each seat, seat 0 first, discards the extra cards face down, one at a time."""
    options = {"starting_intel": 1, "starting_intel_extra": 2}
    position = Position(options).then(phase="discard_intel", seat=0, legal=[0, 1, 2], hand_n=[3, 3])
    first, second, third = position.named_facts()["hands"](0)
    position.when("discard_intel 1").then(seat=0, legal=[0, 1], hands={0: [first, third]}, where={second: 7})
    position.when("discard_intel 0").then(seat=1, legal=[0, 1, 2], hands={0: [third]}, where={first: 7})
    position.when("discard_intel 2", "discard_intel 1").then(
        phase="setup_dome", seat=0, hand_n=[1, 1], event_n=26, log={"prevented": 0}
    )
    reverse = Position(options | {"start_choice": "reverse"})
    reverse.then(phase="discard_intel", seat=0).to("setup_dome").then(seat=1)
