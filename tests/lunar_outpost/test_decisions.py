"""LO-15 decision points and action ids; LO-3.2 forced decisions."""

from __future__ import annotations

from collections import Counter
from random import Random

import numpy as np
import pytest

from simkit.engine import registry
from simkit.engine.lineups import parse_lineup
from simkit.engine.table import GameTable
from simkit.games.lunar_outpost import game
from simkit.games.lunar_outpost.facts import Phase
from simkit.games.lunar_outpost.hexes import put_tile
from tests.everyday import everyday

from .plain_legal import STEPS, TYPES, Plain, defaults
from .positions import Position, Walk, copied, given, rules_of

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
SHORT = FIGHT | {"tiles_trim": 16}
GAMES = [  # seats, options, whether seats are busy
    (2, {}, False),
    (3, {}, True),
    (4, SHORT | {"conflict_order": "index", "unplaceable": "redraw", "equal_turns": True, "deposit_delta": 3},
     True),
    (3, SHORT | {"siege_blocks": True, "siege_spend": False, "starting_intel": 3, "starting_intel_extra": 2,
                 "intel_limit": 5, "intel_cost": 1, "excavator_storage": 2, "silo_tokens": 5}, True),
    (2, SHORT | {"tile_choice": 3, "domes_anywhere": False, "extract_needs_passable": False,
                 "excavator_output": 2, "recruit_per_barracks": 1, "dome_storage": 4, "dome_cost": 1}, True),
    (4, SHORT | {"relocation": False, "start_choice": "random", "tile_choice": 2, "dome_defence": 1,
                 "silo_defence": 0, "tower_stack": False, "intel_cost": 1}, False),
]  # fmt: skip
DONE = {"intel": 10, "extract": 288, "generate": 48, "spend": 0, "move": 288}


class Busy(Walk):
    """A random game in which seats produce, buy and march whenever they can."""

    def steps(self):
        while not self.over:
            ids = self.legal()
            some = [a for a in ids if a != DONE.get(self.phase)] or ids
            action = self.luck.choice(some if self.phase != "intel" or self.luck.random() < 0.5 else ids)
            yield self.phase, int(self.s.seat), ids, action
            game.apply(self.s, self.rules, action, self.rng[0])


def test_phases():
    """Sixteen phases in the order of the table; the offsets of a global numbering; 98 bounds all."""
    assert [phase.name for phase in Phase if phase != Phase.none] == list(PHASES)
    assert [int(Phase[name]) for name in PHASES] == list(range(16))
    sizes = [size for size, _, _ in PHASES.values()]
    assert [sum(sizes[:i]) for i in range(16)] == OFFSETS and sum(sizes) == 1256
    assert game.max_actions == 98


@pytest.mark.slow
@pytest.mark.proof("games.lunar_outpost", "strategies.lunar_outpost")
@pytest.mark.parametrize(("seats", "options", "busy"), everyday(GAMES, 2), ids=range(len(GAMES)))
def test_ids_of_random_games(seats, options, busy):
    """Every list of ids is that of a second look at the position; ascending, in range, never too long."""
    walk, met = (Busy if busy else Walk)(options, seats, 7), set()
    for i, (phase, seat, ids, _) in enumerate(walk.steps()):
        size, most, any_options = PHASES[phase]
        assert 0 <= ids[0] <= ids[-1] < size, (i, phase, ids)
        assert len(ids) <= (any_options if options else most), (i, phase, ids)
        assert 0 <= seat < seats
        assert seat == int(walk.s.active) or phase in ("remove", "setup_dome", "discard_intel")
        assert ids == Plain(walk.s, options).ids(), (i, phase)
        met |= {phase} if len(ids) > 1 else set()
    assert not walk.problems()
    assert met >= {"generate", "place_cell", "place_rot", "spend"}


def some_options(luck):
    """A dozen options at random values; those of LO-2.5 and LO-2.8 stay as they are."""
    names = sorted(set(defaults()) - {"starting_intel", "starting_intel_extra", "starting_troops"})
    chosen = luck.sample(names, 12) if luck.random() < 0.8 else []
    return {
        option.name: luck.choice(option.names) == "true" if option.kind is bool
        else luck.choice(option.names or range(option.low, option.high + 1))
        for option in game.options if option.name in chosen
    }  # fmt: skip


def crowded(seed):
    """A position with buildings, cubes, troops, events and hands of all seats wherever they fit."""
    luck = Random(seed)
    seats, options = luck.choice([2, 3, 4]), some_options(luck)
    position, tiles = Position(options, seats, seed, settled=True), []
    for tile in luck.sample([t for t in position.s.stack.tolist() if t >= 0], 12):
        s = position.s
        for cell, turns in luck.sample(sorted(Plain(s, options).fits(tile).items()), 1):
            q, r = (int(at[cell // 6]) + STEPS[cell % 6][i] for i, at in enumerate((s.q, s.r)))
            rho = luck.choice(turns)
            put_tile(s, position.rules, tile, q, r, rho)
            tiles.append(f"{tile}@({q},{r})/{rho}")
    plain, seen = Plain(s, options), range(seats)
    tokens, buildings = [[plain.o[f"{name}_tokens"] - (name == "dome") for name in TYPES] for _ in seen], {}
    for t in range(2 * seats, plain.n):
        who, kind = luck.choice(seen), luck.randrange(6)
        if plain.its[t]["kind"] == "location" and tokens[who][kind] and luck.random() < 0.7:
            tokens[who][kind] -= 1
            buildings[t] = f"{who} {TYPES[kind]}"
    slots = {}
    for t in range(plain.n):
        name = "dome" if t < seats else buildings.get(t, " ").split(" ")[1]
        room = plain.o[f"{name}_storage"] if name else 0
        slots[t] = (luck.randint(0, room), luck.randint(0, plain.its[t]["slots"]))
    left = [plain.o["troop_limit"]] * seats
    troops = {}
    for t in luck.sample(range(plain.n), 5):
        troops[t] = [luck.randint(0, min(2, left[who])) for who in seen]
        left = [a - b for a, b in zip(left, troops[t], strict=True)]
    cards = luck.sample(range(32), 32)
    active = {
        first: luck.choice(seen)
        for c in range(4)
        for first in [8 * c + luck.randrange(8)]
        if luck.random() < 0.5
    }
    most = min(2, plain.o["intel_limit"])
    rest = [card for card in cards if card not in active]
    hands = {who: rest[most * who : most * (who + 1)] for who in seen}
    return options, given(
        " + ".join(tiles), buildings, slots, troops=troops, events=active, hands=hands, seat=luck.choice(seen),
        seats=seats, options=options, deal=seed, rounds=2,
    )  # fmt: skip


@pytest.mark.slow
@pytest.mark.proof("games.lunar_outpost", "strategies.lunar_outpost")
def test_ids_of_crowded_positions():
    """LO-15 the same in two turns from positions in which nearly everything happens, under many options."""
    met, alone = Counter(), Counter()
    for seed in range(40):
        options, position = crowded(seed)
        luck, last = Random(seed), int(position.s.turn_no) + 2
        while not position.over and int(position.s.turn_no) < last:
            ids = position.legal()
            assert ids == Plain(position.s, options).ids(), (seed, position.phase, options)
            (met if len(ids) > 1 else alone)[position.phase] += 1
            assert len(ids) <= PHASES[position.phase][2]
            some = [a for a in ids if a != DONE.get(position.phase)] or ids
            position.apply(luck.choice(some if luck.random() < 0.8 else ids))
        assert not position.problems(), (seed, position.problems())
    assert set(met) == set(PHASES) - {"setup_dome", "discard_intel"}, met


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


def test_forced_decisions_are_not_counted():
    """LO-3.2 only decisions with more than one legal id are asked and counted; a game replays from its ids."""
    rules = rules_of()
    player = registry.player(game, parse_lineup("random*3")[0])
    trail = np.full(game.max_steps, -1, np.int64)
    deals, still = np.zeros(1, np.int64), np.zeros(1, np.int64)
    final = GameTable(game, rules).play([player] * 3, 1, deals, still, trail, compiled=False)[0]
    position, decided = Position(seats=3), 0
    for action in trail[trail >= 0].tolist():
        decided += len(position.legal()) > 1
        game.apply(position.s, position.rules, action, position.rng[0])
    assert position.over and decided == int(final.log.game.decisions) < len(trail[trail >= 0])
    assert position.s.score.tolist() == final.score.tolist()


def test_nothing_is_kept_outside_the_state():
    """A game goes on from a copy of the state at every decision; chance only where LO-15 says."""
    walk, other = Busy(FIGHT, 2, 3), Busy(FIGHT, 2, 3)
    before = walk.rng.copy()
    for _, _, _, action in walk.steps():
        other.states = copied(other.states)
        other.s = other.states[0]
        game.apply(other.s, other.rules, action, other.rng[0])
    assert other.states.tobytes() == walk.states.tobytes()
    assert walk.rng.tobytes() == before.tobytes(), "no random number after the setup"
