"""What a component does, by a coin for each: some deals are played with it changed, the others as printed.

All components have coins of their own at once, so every deal tells of every component: a factorial
experiment (Fisher 1935, The Design of Experiments, chapter 6; Box, Hunter & Hunter 2005, Statistics for
Experimenters, chapters 5 and 6) whose settings are drawn, not laid out. The coins of BLOCK deals in a row
are the same, since one set of rules is laid on the table for them; the block is therefore the unit of every
interval. A coin is the first number of the stream (seed, block, "ablation/COMPONENT"): whoever knows seed
and deal knows the rules.
"""

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from simkit.engine.game import Game, Piece, Way
from simkit.engine.rng import uniforms
from simkit.errors import UsageError, look_up

BLOCK = 16  # deals with the same coins: laying the rules costs as much as five games of Outpost Seven
AT_ONCE = 1 << 15  # blocks whose coins are looked at together


class Part(NamedTuple):
    """A component whose coin is thrown: all copies that have its name."""

    label: str
    kinds: dict[str, str]
    numbers: list[int]


class Plan(NamedTuple):
    """What is done to which components, in which part of the deals."""

    way: Way
    parts: list[Part]
    rate: float

    @property
    def labels(self) -> list[str]:
        return [part.label for part in self.parts]


class Dealt(NamedTuple):
    """The rules of every deal of a cell."""

    plan: Plan
    printed: np.ndarray  # the rules with nothing changed
    pieces: list[str]  # labels of the components with names, in the printed rules
    seed: int

    def rules(self, deal: int) -> tuple[np.ndarray, list[str]]:
        """The rules in force in a deal, and the labels of its components with names."""
        thrown = coins(self.seed, np.array([deal // BLOCK]), self.plan.labels, self.plan.rate)[0]
        return self.changed(thrown)

    def changed(self, thrown: np.ndarray) -> tuple[np.ndarray, list[str]]:
        """The rules with some of the parts changed, and the labels; bool[part]."""
        parts = [part for part, one in zip(self.plan.parts, thrown, strict=True) if one]
        rules = self.printed.copy()
        order = self.plan.way.change(rules[0], sorted(number for part in parts for number in part.numbers))
        rules.flags.writeable = False
        return rules, self.pieces if order is None else [self.pieces[number] for number in order]


def coins(seed: int, blocks: np.ndarray, labels: list[str], rate: float) -> np.ndarray:
    """Whether each component is changed in the deals of each block, bool[block, component].

    >>> coins(1, np.arange(4), ["king", "queen"], 0.5).tolist()
    [[False, False], [True, True], [True, False], [True, False]]
    """
    found: np.ndarray = uniforms(seed, blocks, [f"ablation/{label}" for label in labels]) < rate
    return found


def plan_of(game: Game, rules: np.ndarray, how: str, wanted: list[str], rate: float | None) -> Plan:
    """The plan for the rules of a cell; `wanted`: names or kinds of components, none: all that there are."""
    way = way_of(game, how)
    parts = parts_of(way.parts(rules[0]))
    if not parts:
        raise UsageError(f"{game.name} has no component that can be {way.name} under these rules")
    kinds = {kind for part in parts for kind in part.kinds.values()}
    known = dict.fromkeys([*(part.label for part in parts), *kinds])
    for name in wanted:
        if not name:
            raise UsageError(f"components: '' names no component (known: {', '.join(sorted(known))})")
        look_up(f"component of {game.name}", name, known)
    names = set(wanted)
    chosen = [part for part in parts if not wanted or names & {part.label, *part.kinds.values()}]
    return Plan(way, chosen, way.rate if rate is None else rate)


def way_of(game: Game, how: str) -> Way:
    """What is done to components, by its name; the game's usual one where no name is given."""
    ways = {way.name: way for way in game.components.ways}
    if not ways:
        raise UsageError(f"{game.name} has no components that can be changed one by one: nothing to ablate")
    return look_up(f"way to change components of {game.name}", how or next(iter(ways)), ways)


def parts_of(pieces: list[Piece]) -> list[Part]:
    """Components by name, in order; those of one name are one.

    >>> parts_of([Piece("king"), Piece(""), Piece("king"), Piece("ace")])[0].numbers
    [0, 2]
    """
    found: dict[str, Part] = {}
    for number, piece in enumerate(pieces):
        if piece.label:
            found.setdefault(piece.label, Part(piece.label, dict(piece.kinds), [])).numbers.append(number)
    return list(found.values())


def check(dealt: Dealt, deals: int) -> None:
    """Refuse a plan that the deals cannot tell of, or that changes more at once than the game can do with."""
    plan, most, fullest = dealt.plan, -1, np.zeros(0, bool)
    copies = np.array([len(part.numbers) for part in plan.parts])
    least = BLOCK * 4 * (1 + len(plan.parts))
    if deals < least:
        raise UsageError(f"{deals:,} deals tell too little of {len(plan.parts)} components: give {least:,}")
    for some in _thrown(dealt, deals):
        many = some @ copies
        if many.max() > most:
            most, fullest = int(many.max()), some[many.argmax()]
    dealt.changed(fullest)


def _thrown(dealt: Dealt, deals: int) -> Iterator[np.ndarray]:
    """The coins of all deals, some blocks at a time."""
    plan, every = dealt.plan, -(-deals // BLOCK)
    for first in range(0, every, AT_ONCE):
        blocks = np.arange(first, min(first + AT_ONCE, every))
        yield coins(dealt.seed, blocks, plan.labels, plan.rate)


def dealt_of(game: Game, rules: np.ndarray, asked: Any, seed: int) -> Dealt:
    """The rules of the deals of a cell as an experiment's key `ablate` asks for them."""
    plan = plan_of(game, rules, asked.how, asked.components, asked.rate)
    pieces = [piece.label for piece in game.pieces.names(rules[0])] if game.pieces else []
    return Dealt(plan, rules, pieces, seed)
