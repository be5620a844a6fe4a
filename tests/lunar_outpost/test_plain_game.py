"""The rules play as a second implementation does, made from the specification alone: every legal id of every
decision, every field of the state after every action."""

from collections import Counter
from functools import cache
from random import Random

import pytest

from simkit.games.lunar_outpost import game
from simkit.games.lunar_outpost.facts import End, Phase
from simkit.games.lunar_outpost.hexes import put_tile
from simkit.verify.check import random_settings

from .plain_game import Plain
from .positions import Position, given
from .walk import BUILDINGS, FIGHT, RAZE, STEPS, Map, Walk, busy, look, uniform

SHORT = {"tiles_trim": 20}
CALM = {"dome_output": 2, "dome_storage": 4, "silo_storage": 4}
CARDS = {"intel_cost": 1, "intel_limit": 5, "starting_intel": 2, "starting_intel_extra": 1}
RARE = [  # options, seats, who plays
    (SHORT, 3, busy), (FIGHT | SHORT, 4, busy), (RAZE | SHORT | {"equal_turns": True}, 3, busy),
    (RAZE | {"siege_blocks": True, "siege_spend": False, "razed_tokens": "returned"} | SHORT, 4, busy),
    (CALM | CARDS | SHORT | {"relocation": False}, 2, busy), (CALM | CARDS | SHORT, 4, uniform),
    (FIGHT | CALM | SHORT | {"tile_choice": 3, "unplaceable": "redraw", "start_choice": "random"}, 3, busy),
    (FIGHT | CALM | {"vp_end": 8, "equal_turns": True, "recruit_per_barracks": 2, "tower_stack": False}, 3, busy),
    (CALM | SHORT | {"domes_anywhere": False, "extract_needs_passable": False, "start_choice": "reverse"}, 2, busy),
    (FIGHT | CALM | CARDS | SHORT | {"conflict_order": "index", "deposit_delta": 3}, 2, uniform),
    ({}, 2, uniform), (FIGHT | CALM | {"starting_intel": 3, "starting_intel_extra": 2}, 4, busy),
    (CALM | {"intel_limit": 0, "dome_cost": 2, "troop_limit": 0}, 3, busy),
]  # fmt: skip
SETTINGS = [
    ((FIGHT, CALM, RAZE | CARDS)[i % 3] | SHORT | options, 2 + i % 3, (busy, busy, uniform)[i % 3])
    for i, options in enumerate(random_settings(game, 150, 77))
]


def play_both(walk, turns=1_000):
    """A game, played on by the rules and by the second implementation; how often each phase was asked."""
    plain, phases, until = Plain(walk), Counter(), walk.now.turn_no + turns
    where = f"{walk.options}, {walk.seats} seats, deal {walk.deal}"
    assert plain.differs(walk.now) == {}, where
    assert plain.legal() == walk.legal(), where
    for before, action, after in walk.steps():
        phases[before.phase] += 1
        plain.apply(action, after)
        differs = plain.differs(after)
        assert not differs, f"(rules, plain) {differs} after {before.phase} {action} ({where})"
        if after.seat >= 0:
            ids, mine = walk.legal(), plain.legal()
            assert mine == ids, f"{after.phase}: rules {ids}, plain {mine} ({where})"
        if after.turn_no >= until:
            return phases
    assert End(int(walk.s.log.game.end_reason)).name == plain.reason, where
    return phases


@cache
def rare(number):
    options, seats, policy = RARE[number]
    return play_both(Walk(options, seats, number, policy))


@pytest.mark.parametrize("number", range(len(RARE)))
def test_games_under_rare_options_are_played_alike(number):
    """LO-2 to LO-11, LO-15."""
    assert rare(number)


def test_every_kind_of_decision_is_compared():
    """LO-15 all sixteen phases occur in the games above."""
    decided = sum((rare(number) for number in range(len(RARE))), Counter())
    assert set(decided) == {phase.name for phase in Phase if phase >= 0} and min(decided.values()) > 15


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_games_of_the_reference_player_are_played_alike(seats):
    """LO-2 to LO-11: mines, full stores, many buildings, which random players seldom have."""
    options = {2: {}, 3: CARDS | {"tile_choice": 2}, 4: {"troop_cost": 1, "barracks_cost": 1}}[seats]
    assert play_both(Walk.of(f"reference_greedy*{seats}", options, seats))["store"] > 20


def besieged(number):
    """Three seats in the turn of seat 0: troops of all on its buildings, cubes in reach of several."""
    luck = Random(number)
    kinds = [*BUILDINGS[1:], "dome"]
    buildings = {6: f"0 {luck.choice(kinds)}", 7: f"{luck.randrange(3)} {luck.choice(kinds)}", 9: "1 tower"}
    troops = {t: [luck.choice((0, 0, 1, 2)), luck.randrange(3), luck.randrange(4)] for t in (0, 6, 7, 8)}
    troops = {t: row if luck.random() < 0.4 else [0, *row[1:]] for t, row in troops.items()}
    cards = luck.sample(range(32), 4)
    options = {
        "troop_limit": 10, "troop_cost": 1, "excavator_storage": 2, "siege_blocks": luck.random() < 0.6,
        "siege_spend": luck.random() < 0.5, "tower_stack": False, "dome_output": 2,
        "razed_tokens": luck.choice(("removed", "returned")), "conflict_order": luck.choice(("choose", "index")),
    }  # fmt: skip
    position = given(
        "18@(2,0)/0 + 20@(0,2)/0 + 8@(2,-1)/2 + 34@(3,-1)/0", buildings, seats=3, troops=troops,
        slots={0: luck.randrange(3), 1: 1, 9: (0, luck.randrange(3))}, hands={1: cards[:1], 2: cards[1:2]},
        events={cards[2]: luck.randrange(3)}, options=options,
    )  # fmt: skip
    return walk_from(position, options, 3, number)


def walk_from(position, options, seats, number):
    """A game that goes on from a position."""
    walk = Walk(options, seats, number, busy)
    walk.states[:], walk.rng[:] = position.states, position.rng
    walk.now = look(walk.s)
    return walk


def standing_off(s):
    """LO-5.9 buildings of the active seat with troops of two others and none of its own."""
    return sum(s.bowner[t] == s.active and not s.troops[t][s.active] and sum(map(bool, s.troops[t])) > 1
               for t in range(s.n_tiles))  # fmt: skip


@pytest.mark.parametrize("part", range(4))
def test_sieges_are_played_alike(part):
    """LO-1.11, LO-5, LO-5.9: conflicts of three seats and stand-offs, with and without looting, blockades."""
    seen = 0
    for number in range(part, 40, 4):
        walk = besieged(number)
        seen += standing_off(walk.now)
        play_both(walk, 4)
    assert seen > 4


def some_options(luck):
    """A dozen options at random values; those of LO-2.5 and LO-2.8 stay as they are."""
    fixed = ("starting_intel", "starting_intel_extra", "starting_troops")
    chosen = luck.sample([option for option in game.options if option.name not in fixed], 12)
    return {option.name: option.value(luck.randint(option.low, option.high)) for option in chosen}


def crowded(number):
    """A position with buildings, cubes, troops, events and hands of all seats wherever they fit."""
    luck = Random(number)
    seats, options = luck.choice([2, 3, 4]), some_options(luck) if luck.random() < 0.8 else {}
    chosen, position, tiles = game.resolve(options), Position(options, seats, number, settled=True), []
    for tile in luck.sample([tile for tile in position.s.stack.tolist() if tile >= 0], 12):
        s = position.s
        for cell, turns in luck.sample(sorted(Map(look(s)).fits(tile).items()), 1):
            (t, d), rho = divmod(cell, 6), luck.choice(turns)
            q, r = int(s.q[t]) + STEPS[d][0], int(s.r[t]) + STEPS[d][1]
            put_tile(s, position.rules, tile, q, r, rho)
            tiles.append(f"{tile}@({q},{r})/{rho}")
    ground, seen = Map(look(position.s)), range(seats)
    tokens = [[chosen[f"{name}_tokens"] - (name == "dome") for name in BUILDINGS] for _ in seen]
    buildings = dict.fromkeys(seen, "0 dome")  # of whatever seat
    for t in range(2 * seats, len(ground.tiles)):
        who, kind = luck.choice(seen), luck.randrange(6)
        if ground.tile(t)["kind"] == "location" and tokens[who][kind] and luck.random() < 0.7:
            tokens[who][kind] -= 1
            buildings[t] = f"{who} {BUILDINGS[kind]}"
    slots, troops, left = {}, {}, [chosen["troop_limit"]] * seats
    for t in ground.tiles:
        room = chosen[f"{buildings[t].split()[1]}_storage"] if t in buildings else 0
        slots[t] = luck.randint(0, room), luck.randint(0, ground.tile(t)["slots"])
    for t in luck.sample(ground.tiles, 5):
        troops[t] = [luck.randint(0, min(2, left[who])) for who in seen]
        left = [a - b for a, b in zip(left, troops[t], strict=True)]
    events = {8 * c + luck.randrange(8): luck.choice(seen) for c in range(4) if luck.random() < 0.5}
    most, rest = min(2, chosen["intel_limit"]), [e for e in luck.sample(range(32), 32) if e not in events]
    hands = {who: rest[most * who : most * (who + 1)] for who in seen}
    own = {t: text for t, text in buildings.items() if t >= seats}
    given_there = given(
        " + ".join(tiles), own, slots, troops=troops, events=events, hands=hands, seat=luck.choice(seen),
        seats=seats, options=options, deal=number, rounds=2,
    )  # fmt: skip
    return walk_from(given_there, options, seats, number)


@pytest.mark.slow
def test_crowded_positions_are_played_alike():
    """LO-15 two turns from positions in which nearly everything happens, under many options."""
    decided = sum((play_both(crowded(number), 2) for number in range(40)), Counter())
    assert set(decided) == {phase.name for phase in Phase if phase >= 0} - {"setup_dome", "discard_intel"}


@pytest.mark.parametrize("number", range(9))
def test_games_under_random_options_are_played_alike(number):
    """LO-2 to LO-11, LO-15."""
    options, seats, policy = SETTINGS[number]
    play_both(Walk(options, seats, number, policy))


@pytest.mark.slow
@pytest.mark.proof("games.lunar_outpost", "strategies.lunar_outpost")
@pytest.mark.parametrize("part", range(6))
def test_many_games_are_played_alike(part):
    """LO-2 to LO-11, LO-15, with many more random options."""
    for number in range(9 + part, len(SETTINGS), 6):
        options, seats, policy = SETTINGS[number]
        play_both(Walk(options, seats, number, policy))
