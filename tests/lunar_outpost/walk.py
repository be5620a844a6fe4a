"""Whole games of Lunar Outpost, stepped through from outside with compiled rules.

`Walk` plays one game by a policy; `look` gives a state as plain Python numbers and lists, so that what tests
work out from it owes nothing to the rules. `Map` says what lies where, from the tiles and their places alone.
"""

from types import SimpleNamespace
from typing import Any

import numpy as np

from simkit.games.lunar_outpost import game
from simkit.games.lunar_outpost.facts import DATA, Phase
from tests.of_games import stepping
from tests.of_games.stepping import copied as copied
from tests.of_games.walk import Walk as AnyWalk
from tests.of_games.walk import plain
from tests.of_games.walk import uniform as uniform  # LO-19 `uniform_random`

TILES = DATA["tiles"]["list"]
BUILDINGS = [row["name"] for row in DATA["buildings"]["list"]]
EVENTS = DATA["events"]["list"]
MODIFIERS = DATA["modifiers"]["list"]
STEPS = [(1, 0), (1, -1), (0, -1), (-1, 0), (-1, 1), (0, 1)]  # LO-1.2
DONE = {"intel": 10, "extract": 288, "generate": 48, "spend": 0, "move": 288}

# LO-19: options that make random players fight, and those with towers, few tokens and eliminations.
FIGHT = {
    "barracks_cost": 1, "troop_cost": 1, "tower_cost": 1, "starting_resources": 2, "starting_troops": 3,
    "dome_output": 2, "troop_limit": 10, "dome_defence": 2,
}  # fmt: skip
RAZE = FIGHT | {
    "dome_defence": 1, "silo_defence": 0, "excavator_defence": 0, "barracks_defence": 0, "tower_defence": 0,
    "barricade_defence": 1, "silo_tokens": 1, "excavator_tokens": 1, "barracks_tokens": 1, "tower_tokens": 2,
}  # fmt: skip


def look(state: Any) -> SimpleNamespace:
    """A state as plain Python: numbers, lists; `phase` by name."""
    result = plain(game, state)
    result.phase = Phase(result.phase).name
    return result


def rules_of(options: dict[str, Any]) -> np.ndarray:
    """The rules in force, made once for each setting."""
    return stepping.rules_of(game, options)


class Walk(AnyWalk):
    """A game on its way; `now.phase` is the decision by name."""

    game, asks = game, "phase"
    look = staticmethod(look)


def busy(walk: Walk, phase: str, ids: list[int]) -> int:
    """LO-19 `uniform_busy`."""
    if phase == "move":
        return walk.luck.choice(_marches(walk, ids))
    wanted = [a for a in ids if a != DONE.get(phase)] if phase != "discard_intel" else ids
    return walk.luck.choice(wanted or ids)


def _marches(walk: Walk, ids: list[int]) -> list[int]:
    s, p = walk.now, walk.now.active
    ground = Map(s)

    def foreign(t: int, troops: bool) -> bool:
        others = any(n for seat, n in enumerate(s.troops[t]) if seat != p)
        return s.bowner[t] not in (-1, p) or (troops and others)

    steps = [a for a in ids if a != 288]
    attacks = [a for a in steps if foreign(ground.neighbour(a // 6, a % 6), True)]
    return attacks or [a for a in steps if not foreign(a // 6, False)] or [288]


class Map:
    """What lies where, from the tiles, their places and rotations alone."""

    def __init__(self, s: SimpleNamespace) -> None:
        self.s, self.tiles = s, range(s.n_tiles)
        self.at = {(s.q[t], s.r[t]): t for t in self.tiles}

    def tile(self, t: int) -> dict[str, Any]:
        return TILES[self.s.tile_id[t]]

    def neighbour(self, t: int, d: int) -> int:
        """The tile in a direction, -1 none."""
        return self.at.get((self.s.q[t] + STEPS[d][0], self.s.r[t] + STEPS[d][1]), -1)

    def neighbours(self, t: int) -> list[int]:
        return [u for d in range(6) if (u := self.neighbour(t, d)) >= 0]

    def passable(self, t: int, d: int) -> bool:
        """LO-1.4."""
        return self.tile(t)["edges"][(d - self.s.rot[t]) % 6] == "P"

    def connected(self, t: int) -> list[int]:
        return [u for d in range(6) if (u := self.neighbour(t, d)) >= 0 and self.passable(t, d)]

    def frontier(self) -> dict[tuple[int, int], int]:
        """Empty cells next to the map, by the name of LO-8.7."""
        results: dict[tuple[int, int], int] = {}
        for t in self.tiles:
            for d, (dq, dr) in enumerate(STEPS):
                cell = self.s.q[t] + dq, self.s.r[t] + dr
                if cell not in self.at:
                    results.setdefault(cell, 6 * t + d)
        return results

    def fits(self, tile: int) -> dict[int, list[int]]:
        """LO-8.3, 8.6: cells by name, and the rotations that fit in them."""
        results = {}
        for (q, r), name in self.frontier().items():
            there = {
                d: self.passable(t, (d + 3) % 6)
                for d, (dq, dr) in enumerate(STEPS)
                if (t := self.at.get((q + dq, r + dr), -1)) >= 0
            }
            shown: dict[str, int] = {}
            for rho in range(6):
                letters = "".join(TILES[tile]["edges"][(d - rho) % 6] for d in range(6))
                if all((letters[d] == "P") == passable for d, passable in there.items()):
                    shown.setdefault(letters, rho)
            if shown:
                results[name] = sorted(shown.values())
        return results


def modifiers(s: SimpleNamespace, options: dict[str, Any]) -> dict[str, int]:
    """LO-13.1 the modifiers in force, from the active events."""
    base = {"dome_rate": "dome_output", "excavator_rate": "excavator_output", "tower_support": "tower_bonus"}
    results = {}
    for row in MODIFIERS:
        name = row["name"]
        value = options[base[name]] if name in base else row["base"]
        value += sum(EVENTS[e]["effects"].get(name, 0) for e in s.active_event if e >= 0)
        results[name] = min(max(value, row["min"]), row["max"])
    return results
