"""LO-15 decision points and action ids; LO-3.2 forced decisions."""

from __future__ import annotations

import pytest

from simkit.games.lunar_outpost import game
from simkit.games.lunar_outpost.facts import Phase

from .positions import Position, Walk, copied, given

# phase: size of the range of ids, most legal ids with the default data, with any options
PHASES = {
    "setup_dome": (48, 4, 4), "intel": (11, 7, 11), "conflict": (48, 15, 30), "remove": (4, 3, 3),
    "extract": (289, 19, 31), "store": (14, 14, 14), "generate": (49, 4, 6), "place_cell": (288, 98, 98),
    "place_rot": (6, 5, 5), "spend": (10, 10, 10), "target": (48, 34, 34), "reloc_src": (48, 18, 30),
    "pay": (96, 19, 48), "move": (289, 31, 61), "discard_intel": (5, 0, 5), "tile": (3, 1, 3),
}  # fmt: skip
OFFSETS = [0, 48, 59, 107, 111, 400, 414, 463, 751, 757, 767, 815, 863, 959, 1248, 1253]
FIGHT = {
    "barracks_cost": 1, "troop_cost": 1, "tower_cost": 1, "starting_resources": 2, "starting_troops": 3,
    "dome_output": 2, "troop_limit": 10, "dome_defence": 2,
}  # fmt: skip


def test_phases():
    """Sixteen phases in the order of the table; the offsets of a global numbering; 98 bounds all."""
    assert [phase.name for phase in Phase if phase != Phase.none] == list(PHASES)
    assert [int(Phase[name]) for name in PHASES] == list(range(16))
    sizes = [size for size, _, _ in PHASES.values()]
    assert [sum(sizes[:i]) for i in range(16)] == OFFSETS and sum(sizes) == 1256
    assert game.max_actions == 98


@pytest.mark.parametrize(
    ("phase", "make", "ids"),
    [
        ("setup_dome", lambda: Position(seats=4), [0, 1, 2, 3]),
        ("intel", lambda: given(hands={0: [1, 2, 3]}), [0, 1, 2, 5, 6, 7, 10]),
        ("intel", lambda: given(hands={0: [1, 2, 3, 4, 5]}, options={"intel_limit": 5}),
         [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10]),
        ("conflict", lambda: given(troops={0: [1, 1], 2: [1, 1], 3: [1, 1]}), [0, 2, 3]),
        ("remove", lambda: given(seats=4, troops={4: [1, 1, 1, 1]}, seat=2).when("conflict 4"), [0, 1, 3]),
        ("extract", lambda: given("18@(-1,1)/0", buildings={4: "0 excavator"}, phase="extract"), [25, 288]),
        ("store", lambda: given("20@(-1,1)/0", buildings={4: "0 silo"}, phase="generate").when("generate 0"),
         [6, 7, 12]),
        ("generate", lambda: given(phase="generate"), [0, 48]),
        ("place_cell", lambda: given(draw=[18], phase="place").when("tile 0"), [0, 3, 6, 9, 15, 18]),
        ("place_rot", lambda: given(draw=[43], phase="place").when("tile 0", "place_cell 4"), [2, 3, 4, 5]),
        ("spend", lambda: given("18@(-1,1)/0 + 19@(-2,1)/0", buildings={4: "0 barracks"}, slots={0: 2},
                                options={f"{k}_cost": 1 for k in ("dome", "barracks", "tower")}, phase="spend"),
         list(range(10))),
        ("target", lambda: given("18@(-1,1)/0 + 19@(1,1)/0", slots={0: 2}, phase="spend").when("spend silo"),
         [4, 5]),
        ("reloc_src", lambda: given("18@(-1,1)/0 + 19@(1,1)/0", buildings={4: "0 silo"}, slots={0: 2, 4: 2},
                                    phase="spend").when("spend relocate"), [0, 4]),
        ("pay", lambda: given("20@(-1,1)/0", buildings={4: "0 silo"}, slots={0: 2, 4: (2, 1)},
                              phase="spend").when("spend intel"), [0, 8, 9]),
        ("move", lambda: given("18@(-1,1)/0", troops={4: [2, 0]}, phase="move"), [24, 25, 288]),
        ("discard_intel", lambda: Position({"starting_intel": 3, "starting_intel_extra": 2}), [0, 1, 2, 3, 4]),
        ("tile", lambda: given(draw=[18, 46, 47], options={"tile_choice": 3}, phase="place"), [0, 1, 2]),
    ],
)  # fmt: skip
def test_ids_of_each_phase(phase, make, ids):
    """One position for each phase."""
    make().then(phase=phase, legal=ids)


def test_done_is_always_legal():
    """In EXTRACT, GENERATE, SPEND, MOVE and INTEL; alone when nothing can be done, and then not asked."""
    nothing = given(slots={0: 2}, deck_n=0, draw=[47], events={1: 0}).end_turn()
    assert nothing.decided == [(0, "place_cell")]
    for phase, done in (("generate", 48), ("spend", 0)):
        assert (0, phase, done) in nothing.forced
    idle = given(buildings={4: "0 excavator"}, tiles="19@(2,0)/0", troops={4: [1, 0]}, events={23: 0})
    idle.end_turn()
    for phase in ("extract", "move"):
        assert (0, phase, 288) in idle.forced


def test_conflict_without_tiles_is_no_decision():
    """The step ends by itself; also INTEL without a card."""
    position = given().end_turn()
    assert {phase for _, phase, _ in position.forced}.isdisjoint({"conflict", "intel", "remove"})


def test_intel_is_paid_without_a_target():
    """SPEND 8 goes directly to PAY."""
    given("18@(-1,1)/0", buildings={4: "0 silo"}, slots={0: 2, 4: 1}, phase="spend").when("spend intel").then(
        phase="pay", buy_left=2
    )


def test_order_after_a_draw():
    """TILE, PLACE_CELL, PLACE_ROT, SPEND; nothing placed: SPEND at once."""
    position = given(draw=[43], phase="generate").when("generate done").then(phase="tile", legal=[0])
    position.when("tile 0").then(phase="place_cell").when("place_cell 4").then(phase="place_rot")
    position.when("place_rot 2").then(phase="spend")


def test_the_decider_is_not_always_the_active_seat():
    """REMOVE is asked of the remover; `active` does not change."""
    position = given("18@(2,0)/0", seats=3, troops={6: [2, 3, 3]}).when("conflict 6", "remove 1")
    position.then(seat=1, active=0, legal=[0, 2]).when("remove 0").then(seat=2, active=0, legal=[1])


def test_nothing_is_kept_outside_the_state():
    """A game goes on from a copy of the state at every decision; chance only where LO-15 says."""
    walk, other = Walk(FIGHT, 2, 3), Walk(FIGHT, 2, 3)
    before = walk.rng.copy()
    for _, _, _, action in walk.steps():
        other.states = copied(other.states)
        other.s = other.states[0]
        game.apply(other.s, other.rules, action, other.rng[0])
    assert other.states.tobytes() == walk.states.tobytes()
    assert walk.rng.tobytes() == before.tobytes(), "no random number after the setup"
